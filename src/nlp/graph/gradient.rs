//! Derivatives of expressions as expressions, by reverse accumulation over the graph.
//!
//! Equations of motion are first derivatives of an action; written as expressions they have exact second and third
//! derivatives like any others.

use super::arena::Arena;
use super::expr::{Expr, Graph};
use super::op::Op;

impl Graph {
    /// ∂y/∂x for every x of a list of variables.
    ///
    /// ```
    /// use lariat::nlp::{Nlp, graph::Graph};
    /// let g = Graph::new();
    /// let [x, y] = ["x", "y"].map(|name| g.variable(name, 1.0, f64::NEG_INFINITY, f64::INFINITY));
    /// let slopes = g.gradient(x.sin() * y.square(), &[x, y]);
    /// g.subject_to("by x", slopes[0], 0.0, 0.0);
    /// g.subject_to("by y", slopes[1], 0.0, 0.0);
    /// let mut values = [0.0; 2];
    /// g.build().constraints(&[0.3, 2.0], &mut values)?;
    /// assert!((values[0] - 0.3_f64.cos() * 4.0).abs() < 1e-15 && (values[1] - 0.3_f64.sin() * 4.0).abs() < 1e-15);
    /// # Ok::<(), lariat::nlp::EvalFailure>(())
    /// ```
    pub fn gradient<'g>(&'g self, y: Expr<'_>, by: &[Expr<'_>]) -> Vec<Expr<'g>> {
        let (y, by): (u32, Vec<u32>) = (self.own(y), by.iter().map(|x| self.own(*x)).collect());
        let nodes = self.with_arena(|arena| reverse(arena, y, &by));
        nodes.into_iter().map(|node| self.expression(node)).collect()
    }
}

fn reverse(arena: &mut Arena, y: u32, by: &[u32]) -> Vec<u32> {
    let one = arena.constant(1.0);
    // Terms of the adjoint of each node; operands stand before their node, so that going down meets all of them.
    let mut terms: Vec<Vec<u32>> = vec![Vec::new(); y as usize + 1];
    terms[y as usize].push(one);
    let mut found = vec![None; by.len()];
    for node in (0..=y).rev() {
        let parts = std::mem::take(&mut terms[node as usize]);
        if parts.is_empty() {
            continue;
        }
        let adjoint = arena.sum(parts.into_iter());
        for (found, _) in found.iter_mut().zip(by).filter(|(_, x)| **x == node) {
            *found = Some(adjoint);
        }
        contributions(arena, node, adjoint, &mut |operand, term| terms[operand as usize].push(term));
    }
    found.into_iter().map(|node| node.unwrap_or_else(|| arena.constant(0.0))).collect()
}

/// Passes the adjoint of a node on to its operands: adjoint · ∂node/∂operand.
fn contributions(arena: &mut Arena, node: u32, adjoint: u32, give: &mut impl FnMut(u32, u32)) {
    let op = arena.ops[node as usize];
    let (a, b) = (arena.a[node as usize], arena.b[node as usize]);
    let mut list = Vec::new();
    match op {
        Op::Constant | Op::Variable | Op::Foreign => return,
        Op::Sum => {
            arena.operands(node as usize, |operand| list.push(operand));
            list.into_iter().for_each(|operand| give(operand, adjoint));
            return;
        }
        Op::Choose => {
            arena.operands(node as usize, |operand| list.push(operand));
            let zero = arena.constant(0.0);
            let [condition, then, otherwise] = [list[0], list[1], list[2]];
            let term = arena.choose(condition, adjoint, zero);
            give(then, term);
            let term = arena.choose(condition, zero, adjoint);
            give(otherwise, term);
            return;
        }
        Op::Min | Op::Max => {
            let zero = arena.constant(0.0);
            let first = if op == Op::Min { arena.binary(Op::AtMost, a, b) } else { arena.binary(Op::AtMost, b, a) };
            let term = arena.choose(first, adjoint, zero);
            give(a, term);
            let term = arena.choose(first, zero, adjoint);
            give(b, term);
            return;
        }
        _ if op.is_logical() => return,
        _ => {}
    }
    let (by_a, by_b) = slopes(arena, op, node, a, b);
    let term = arena.binary(Op::Mul, adjoint, by_a);
    give(a, term);
    if let Some(by_b) = by_b {
        let term = arena.binary(Op::Mul, adjoint, by_b);
        give(b, term);
    }
}

/// ∂y/∂a and ∂y/∂b of an operation that is smooth, or of the absolute value.
fn slopes(arena: &mut Arena, op: Op, y: u32, a: u32, b: u32) -> (u32, Option<u32>) {
    let one = arena.constant(1.0);
    let over = |arena: &mut Arena, x: u32| arena.binary(Op::Div, one, x);
    // √(1 − a²) as √((1 − a)(1 + a)).
    let complement = |arena: &mut Arena| {
        let (less, more) = (arena.binary(Op::Sub, one, a), arena.binary(Op::Add, one, a));
        arena.binary(Op::Mul, less, more)
    };
    let by_a = match op {
        Op::Neg => arena.constant(-1.0),
        Op::Square => {
            let two = arena.constant(2.0);
            arena.binary(Op::Mul, two, a)
        }
        Op::Sqrt => {
            let half = arena.constant(0.5);
            arena.binary(Op::Div, half, y)
        }
        Op::Exp => y,
        Op::Ln => over(arena, a),
        Op::Log10 => {
            let factor = arena.constant(std::f64::consts::LOG10_E);
            arena.binary(Op::Div, factor, a)
        }
        Op::Sin => arena.unary(Op::Cos, a),
        Op::Cos => {
            let sin = arena.unary(Op::Sin, a);
            arena.unary(Op::Neg, sin)
        }
        Op::Tan => {
            let square = arena.unary(Op::Square, y);
            arena.binary(Op::Add, one, square)
        }
        Op::Asin | Op::Acos => {
            let inside = complement(arena);
            let root = arena.unary(Op::Sqrt, inside);
            let slope = over(arena, root);
            if op == Op::Asin { slope } else { arena.unary(Op::Neg, slope) }
        }
        Op::Atan | Op::Asinh => {
            let square = arena.unary(Op::Square, a);
            let sum = arena.binary(Op::Add, one, square);
            let below = if op == Op::Atan { sum } else { arena.unary(Op::Sqrt, sum) };
            over(arena, below)
        }
        Op::Sinh => arena.unary(Op::Cosh, a),
        Op::Cosh => arena.unary(Op::Sinh, a),
        Op::Tanh => {
            let square = arena.unary(Op::Square, y);
            arena.binary(Op::Sub, one, square)
        }
        Op::Acosh => {
            let (less, more) = (arena.binary(Op::Sub, a, one), arena.binary(Op::Add, a, one));
            let product = arena.binary(Op::Mul, less, more);
            let root = arena.unary(Op::Sqrt, product);
            over(arena, root)
        }
        Op::Atanh => {
            let below = complement(arena);
            over(arena, below)
        }
        Op::Abs => {
            let (zero, minus) = (arena.constant(0.0), arena.constant(-1.0));
            let (up, down) = (arena.binary(Op::Less, zero, a), arena.binary(Op::Less, a, zero));
            let negative = arena.choose(down, minus, zero);
            arena.choose(up, one, negative)
        }
        Op::AtanRoot(order) => arena.unary(Op::AtanRoot(order + 1), a),
        Op::Erf(order) => arena.unary(Op::Erf(order + 1), a),
        Op::Table(table, order) => arena.unary(Op::Table(table, order + 1), a),
        Op::Add | Op::Sub => one,
        Op::Mul => b,
        Op::Div => over(arena, b),
        Op::Power | Op::Pow => {
            let lower = arena.binary(Op::Sub, b, one);
            let power = arena.binary(Op::Pow, a, lower);
            arena.binary(Op::Mul, b, power)
        }
        _ => {
            let square = square_sum(arena, a, b);
            arena.binary(Op::Div, b, square)
        }
    };
    let by_b = match op {
        Op::Add => Some(one),
        Op::Sub => Some(arena.constant(-1.0)),
        Op::Mul => Some(a),
        Op::Div => {
            let ratio = arena.binary(Op::Div, y, b);
            Some(arena.unary(Op::Neg, ratio))
        }
        Op::Pow => {
            let ln = arena.unary(Op::Ln, a);
            Some(arena.binary(Op::Mul, y, ln))
        }
        Op::Atan2 => {
            let square = square_sum(arena, a, b);
            let ratio = arena.binary(Op::Div, a, square);
            Some(arena.unary(Op::Neg, ratio))
        }
        _ => None,
    };
    (by_a, by_b)
}

fn square_sum(arena: &mut Arena, a: u32, b: u32) -> u32 {
    let (aa, bb) = (arena.unary(Op::Square, a), arena.unary(Op::Square, b));
    arena.binary(Op::Add, aa, bb)
}
