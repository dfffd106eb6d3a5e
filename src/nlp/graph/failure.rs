//! Why a program has no finite value or derivative at a point, in words.

use super::op::{Arity, Op};
use super::tape::Tape;

/// The first node that `root` depends on at this point whose value is not finite although those of its operands are.
pub(super) fn value_reason(tape: &Tape, root: usize, values: &[f64]) -> String {
    let reason = reached(tape, root, values).into_iter().find_map(|node| {
        let mut operands_finite = true;
        tape.operands(node, |operand| operands_finite &= values[operand as usize].is_finite());
        let broken = !values[node].is_finite() && (operands_finite || tape.op(node) == Op::Choose);
        broken.then(|| words(tape, node, values))
    });
    reason.unwrap_or_else(|| format!("the value is {}", values[root]))
}

/// The first node that `root` depends on at this point whose derivatives are `broken`.
pub(super) fn derivative_reason(
    tape: &Tape,
    root: usize,
    values: &[f64],
    broken: impl Fn(usize) -> bool,
) -> Option<String> {
    reached(tape, root, values)
        .into_iter()
        .find_map(|node| broken(node).then(|| format!("the derivative of {} is not finite", words(tape, node, values))))
}

/// All nodes whose values matter for that of the root at this point, in ascending order.
fn reached(tape: &Tape, root: usize, values: &[f64]) -> Vec<usize> {
    let mut matters = vec![false; tape.len()];
    matters[root] = true;
    for node in (0..=root).rev() {
        if matters[node] {
            tape.mark_operands(node, values, &mut matters);
        }
    }
    (0..=root).filter(|&node| matters[node]).collect()
}

/// The operation of a node with the numbers it meets.
fn words(tape: &Tape, node: usize, values: &[f64]) -> String {
    let mut operands = Vec::new();
    if tape.op(node).arity() != Arity::Sum {
        tape.operands(node, |operand| operands.push(values[operand as usize]));
    }
    let operand = |index: usize| operands.get(index).copied().unwrap_or(f64::NAN);
    let (a, b, value) = (shown(operand(0)), shown(operand(1)), shown(values[node]));
    let op = tape.op(node);
    match op {
        Op::Variable => format!("the variable is {value}"),
        Op::Constant => format!("the constant is {value}"),
        Op::Foreign => "an expression of another graph was used".to_string(),
        Op::Div if operand(1) == 0.0 => "division by zero".to_string(),
        Op::Div => format!("{a} / {b}"),
        Op::Add => format!("{a} + {b}"),
        Op::Sub => format!("{a} - {b}"),
        Op::Mul => format!("{a} * {b}"),
        Op::Neg => format!("-({a})"),
        Op::Square => format!("({a})^2"),
        Op::Power => format!("x^{b} with x = {a}"),
        Op::Pow => format!("x^y with x = {a}, y = {b}"),
        Op::Sum => "the sum is too large".to_string(),
        Op::Choose => "the branch taken has no value".to_string(),
        _ => {
            let name = format!("{op:?}").to_lowercase();
            match op.arity() {
                Arity::Unary => format!("{name}({a})"),
                _ => format!("{name}({a}, {b})"),
            }
        }
    }
}

/// The shortest text that reads back as this number, with an exponent where it would be long otherwise.
pub(in crate::nlp) fn shown(value: f64) -> String {
    let short = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    if short { format!("{value}") } else { format!("{value:e}") }
}
