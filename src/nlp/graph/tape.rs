//! The flat tape of a program: values and local derivatives in topological order.

use std::sync::Arc;

use super::arena::{Arena, number, operands};
use super::op::{Arity, Op};
use super::products::{MINUS_ONE, ONE, SINK, Slots, TWO};
use crate::kernel::Spline;

/// Reachable nodes, variables first, every operand before its node.
#[derive(Debug, Clone)]
pub(in crate::nlp) struct Tape {
    variables: usize,
    ops: Vec<Op>,
    a: Vec<u32>,
    b: Vec<u32>,
    list: Vec<u32>,
    /// Whether the program chooses between branches, so that some nodes may not matter.
    branches: bool,
    /// Functions given by samples.
    tables: Vec<Arc<Spline>>,
}

/// The derivative of a node with respect to an operand that varies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) child: u32,
    pub(super) slot: u32,
}

/// Where the derivatives of one node are written; those nobody reads go to the sink.
#[derive(Debug, Clone, Copy)]
struct Places<const N: usize> {
    node: u32,
    slots: [u32; N],
}

/// The linearised tape: edges with their slots, and what must be recomputed at each point.
#[derive(Debug, Clone)]
pub(super) struct Derivatives {
    starts: Vec<u32>,
    edges: Vec<Edge>,
    slopes: Vec<Places<2>>,
    curvatures: Vec<Places<3>>,
}

impl Tape {
    /// Keeps what the roots need and renumbers the roots accordingly.
    pub(super) fn new(arena: &Arena, variable_nodes: &[u32], roots: &mut [u32]) -> Self {
        let mut used = vec![false; arena.ops.len()];
        roots.iter().for_each(|&root| used[root as usize] = true);
        for node in (0..used.len()).rev() {
            if used[node] {
                arena.operands(node, |operand| used[operand as usize] = true);
            }
        }
        let variables = variable_nodes.len();
        let mut tape = Self {
            variables,
            ops: vec![Op::Variable; variables],
            a: (0..variables as u32).collect(),
            b: vec![0; variables],
            list: Vec::new(),
            branches: false,
            tables: arena.tables().to_vec(),
        };
        let mut place = vec![0u32; used.len()];
        variable_nodes.iter().enumerate().for_each(|(number, &node)| place[node as usize] = number as u32);
        for node in (0..used.len()).filter(|&node| used[node] && arena.ops[node] != Op::Variable) {
            place[node] = tape.ops.len() as u32;
            tape.append(arena, node, &place);
        }
        roots.iter_mut().for_each(|root| *root = place[*root as usize]);
        tape
    }

    fn append(&mut self, arena: &Arena, node: usize, place: &[u32]) {
        let (op, a, b) = (arena.ops[node], arena.a[node], arena.b[node]);
        let listed = self.list.len() as u32;
        let (a, b) = match op.arity() {
            Arity::Leaf => (a, b),
            Arity::Unary => (place[a as usize], 0),
            Arity::Binary => (place[a as usize], place[b as usize]),
            Arity::Sum => {
                let terms = &arena.list[a as usize..a as usize + b as usize];
                self.list.extend(terms.iter().map(|&term| place[term as usize]));
                (listed, b)
            }
            Arity::Choose => {
                let branches = &arena.list[b as usize..b as usize + 2];
                self.list.extend(branches.iter().map(|&branch| place[branch as usize]));
                (place[a as usize], listed)
            }
        };
        self.branches |= op.is_branching();
        self.ops.push(op);
        self.a.push(a);
        self.b.push(b);
    }

    /// Number of nodes.
    pub(in crate::nlp) fn len(&self) -> usize {
        self.ops.len()
    }

    /// Number of variables; they are the first nodes.
    pub(in crate::nlp) fn variables(&self) -> usize {
        self.variables
    }

    /// The operation of a node.
    pub(in crate::nlp) fn op(&self, node: usize) -> Op {
        self.ops[node]
    }

    /// The number of a constant node.
    pub(in crate::nlp) fn number(&self, node: usize) -> Option<f64> {
        (self.ops[node] == Op::Constant).then(|| number(self.a[node], self.b[node]))
    }

    /// Calls `visit` for every operand of a node, in order.
    pub(in crate::nlp) fn operands(&self, node: usize, visit: impl FnMut(u32)) {
        operands(self.ops[node], self.a[node], self.b[node], &self.list, visit);
    }

    /// The values of all nodes before the first evaluation: constants are set once.
    pub(super) fn blank_values(&self) -> Vec<f64> {
        (0..self.len()).map(|node| self.number(node).unwrap_or(f64::NAN)).collect()
    }

    /// Writes the values of all nodes at x.
    pub(super) fn forward(&self, x: &[f64], values: &mut [f64]) {
        values[..self.variables].copy_from_slice(x);
        for node in self.variables..self.len() {
            let (op, a, b) = (self.ops[node], self.a[node] as usize, self.b[node] as usize);
            values[node] = match op.arity() {
                Arity::Leaf => continue,
                Arity::Unary => match self.table(op) {
                    Some((spline, order)) => spline.derivative(values[a], order),
                    None => op.value(values[a], 0.0),
                },
                Arity::Binary => op.value(values[a], values[b]),
                Arity::Sum => self.list[a..a + b].iter().map(|&term| values[term as usize]).sum(),
                Arity::Choose => values[self.taken(node, values) as usize],
            };
        }
    }

    /// The function given by samples that a node evaluates, and the order of the derivative.
    pub(super) fn table(&self, op: Op) -> Option<(&Spline, usize)> {
        match op {
            Op::Table(table, order) => Some((&self.tables[usize::from(table)], usize::from(order))),
            _ => None,
        }
    }

    /// The branch that a choice takes.
    fn taken(&self, node: usize, values: &[f64]) -> u32 {
        let (condition, branches) = (self.a[node] as usize, self.b[node] as usize);
        self.list[if values[condition] != 0.0 { branches } else { branches + 1 }]
    }

    /// Marks in `matters` the operands of a node that its value comes from at this point.
    pub(super) fn mark_operands(&self, node: usize, values: &[f64], matters: &mut [bool]) {
        match self.ops[node] {
            Op::Choose => {
                matters[self.a[node] as usize] = true;
                matters[self.taken(node, values) as usize] = true;
            }
            op @ (Op::Min | Op::Max) if !values[node].is_nan() => {
                let (a, b) = (self.a[node] as usize, self.b[node] as usize);
                let (first, _) = op.slopes(values[a], values[b], values[node]);
                matters[if first == 1.0 { a } else { b }] = true;
            }
            _ => self.operands(node, |operand| matters[operand as usize] = true),
        }
    }

    /// Lays out edges and second derivatives. Linear operations get steady slots and are never visited again; what depends
    /// on parameters only has no derivatives.
    pub(super) fn derivatives(&self, parameters: &[bool], slots: &mut Slots) -> Derivatives {
        let mut varies = vec![false; self.len()];
        let mut all = Derivatives { starts: vec![0], edges: Vec::new(), slopes: Vec::new(), curvatures: Vec::new() };
        for node in 0..self.len() {
            let (op, a, b) = (self.ops[node], self.a[node] as usize, self.b[node] as usize);
            let mut any = op == Op::Variable && !parameters[node];
            self.operands(node, |operand| any |= varies[operand as usize]);
            varies[node] = any && !op.is_logical();
            if varies[node] && op != Op::Variable {
                match op.arity() {
                    Arity::Leaf => {}
                    Arity::Sum => {
                        let terms = self.list[a..a + b].iter().filter(|&&term| varies[term as usize]);
                        all.edges.extend(terms.map(|&child| Edge { child, slot: ONE }));
                    }
                    Arity::Choose => {
                        let branches = [self.list[b], self.list[b + 1]];
                        let places = branches.map(|branch| all.edge(branch, varies[branch as usize], None, slots));
                        all.slopes.push(Places { node: node as u32, slots: places });
                    }
                    Arity::Unary => self.lay_out(node, (true, false), &mut all, slots),
                    Arity::Binary => self.lay_out(node, (varies[a], varies[b]), &mut all, slots),
                }
            }
            all.starts.push(all.edges.len() as u32);
        }
        all
    }

    /// Edges and second derivatives of a node with one or two operands.
    fn lay_out(&self, node: usize, varying: (bool, bool), all: &mut Derivatives, slots: &mut Slots) {
        let (a_varies, b_varies) = varying;
        let (op, a, b) = (self.ops[node], self.a[node], self.b[node]);
        let known = |operand: u32| self.number(operand as usize);
        let (steady_a, steady_b) = match op {
            Op::Add => (Some(1.0), Some(1.0)),
            Op::Sub => (Some(1.0), Some(-1.0)),
            Op::Neg => (Some(-1.0), None),
            Op::Mul => (known(b), known(a)),
            Op::Div => (known(b).map(|b| 1.0 / b), None),
            _ => (None, None),
        };
        let places = [all.edge(a, a_varies, steady_a, slots), all.edge(b, b_varies, steady_b, slots)];
        if places != [SINK, SINK] {
            all.slopes.push(Places { node: node as u32, slots: places });
        }
        let (aa, ab, bb) = op.bends();
        let bends = [aa && a_varies, ab && a_varies && b_varies, bb && b_varies];
        if bends.contains(&true) {
            let slots = match op {
                Op::Mul => [SINK, ONE, SINK],
                Op::Square => [TWO, SINK, SINK],
                _ => bends.map(|bends| if bends { slots.changing() } else { SINK }),
            };
            all.curvatures.push(Places { node: node as u32, slots });
        }
    }

    /// Writes all first derivatives. Those of nodes that do not matter at this point are zero.
    pub(super) fn linearise(&self, derivatives: &Derivatives, values: &[f64], matters: &[bool], v: &mut [f64]) {
        for places in &derivatives.slopes {
            let node = places.node as usize;
            let (op, a, b) = (self.ops[node], self.a[node] as usize, self.b[node] as usize);
            let (first, second) = if op == Op::Choose {
                if values[a] != 0.0 { (1.0, 0.0) } else { (0.0, 1.0) }
            } else if self.branches && !matters[node] {
                (0.0, 0.0)
            } else if let Some((spline, order)) = self.table(op) {
                (spline.derivative(values[a], order + 1), 0.0)
            } else {
                op.slopes(values[a], values[b], values[node])
            };
            v[places.slots[0] as usize] = first;
            v[places.slots[1] as usize] = second;
        }
    }

    /// Writes all second derivatives. Those of nodes that do not matter at this point are zero.
    pub(super) fn bend(&self, derivatives: &Derivatives, values: &[f64], matters: &[bool], v: &mut [f64]) {
        for places in &derivatives.curvatures {
            let node = places.node as usize;
            let (op, a, b) = (self.ops[node], self.a[node] as usize, self.b[node] as usize);
            if matches!(op, Op::Mul | Op::Square) {
                continue;
            }
            let (aa, ab, bb) = if self.branches && !matters[node] {
                (0.0, 0.0, 0.0)
            } else if let Some((spline, order)) = self.table(op) {
                (spline.derivative(values[a], order + 2), 0.0, 0.0)
            } else {
                op.curvatures(values[a], values[b], values[node])
            };
            v[places.slots[0] as usize] = aa;
            v[places.slots[1] as usize] = ab;
            v[places.slots[2] as usize] = bb;
        }
    }

    /// Whether the program chooses between branches.
    pub(super) fn has_branches(&self) -> bool {
        self.branches
    }
}

impl Derivatives {
    /// Adds an edge if the operand varies and returns the slot that must be computed for it at each point.
    fn edge(&mut self, child: u32, varies: bool, steady: Option<f64>, slots: &mut Slots) -> u32 {
        if !varies {
            return SINK;
        }
        let slot = match steady {
            Some(1.0) => ONE,
            Some(-1.0) => MINUS_ONE,
            Some(value) => slots.steady(value),
            None => slots.changing(),
        };
        self.edges.push(Edge { child, slot });
        if steady.is_some() { SINK } else { slot }
    }

    /// The edges of a node to the operands that vary.
    pub(super) fn edges(&self, node: usize) -> &[Edge] {
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// All nodes with second derivatives in descending order, each with its second derivatives (e, f, slot) with
    /// respect to the operands of its edges e and f.
    pub(super) fn bent(&self) -> impl Iterator<Item = (usize, [(Edge, Edge, u32); 3])> {
        self.curvatures.iter().rev().filter_map(|places| {
            let edges = self.edges(places.node as usize);
            let (&first, &last) = (edges.first()?, edges.last()?);
            let [aa, ab, bb] = places.slots;
            Some((places.node as usize, [(first, first, aa), (first, last, ab), (last, last, bb)]))
        })
    }

    /// The slots of the first derivatives of a node and, if wanted, of its second derivatives.
    pub(super) fn slots_of(&self, node: usize, second: bool) -> Vec<u32> {
        let mut slots: Vec<u32> = self.edges(node).iter().map(|edge| edge.slot).collect();
        let found = self.curvatures.binary_search_by_key(&node, |places| places.node as usize);
        if let (true, Some(places)) = (second, found.ok().and_then(|at| self.curvatures.get(at))) {
            slots.extend(places.slots.iter().filter(|&&slot| slot != SINK));
        }
        slots
    }
}
