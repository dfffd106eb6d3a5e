//! Rows and objectives as a constant, linear terms and nonlinear terms.

use std::collections::BinaryHeap;

use crate::nlp::graph::{Op, Tape};

/// The sum constant + Σ coefficient × variable + Σ weight × node.
#[derive(Debug, Clone, Default)]
pub(super) struct Split {
    pub(super) constant: f64,
    /// Variables and coefficients.
    pub(super) linear: Vec<(u32, f64)>,
    /// Nodes that are neither variables nor sums, and their weights.
    pub(super) nonlinear: Vec<(u32, f64)>,
}

/// Splits expressions one after the other; the weights it works with are kept between them.
pub(super) struct Splitter<'a> {
    tape: &'a Tape,
    weights: Vec<f64>,
    queued: Vec<bool>,
    queue: BinaryHeap<u32>,
}

impl<'a> Splitter<'a> {
    pub(super) fn new(tape: &'a Tape) -> Self {
        Self { tape, weights: vec![0.0; tape.len()], queued: vec![false; tape.len()], queue: BinaryHeap::new() }
    }

    /// Splits weight × root. Nodes are visited from the last to the first, each once, however often it is shared.
    pub(super) fn split(&mut self, root: u32, weight: f64) -> Split {
        let mut split = Split::default();
        self.add(root, weight);
        while let Some(node) = self.queue.pop() {
            self.queued[node as usize] = false;
            let weight = std::mem::replace(&mut self.weights[node as usize], 0.0);
            self.place(node, weight, &mut split);
        }
        split
    }

    fn place(&mut self, node: u32, weight: f64, split: &mut Split) {
        let mut operands = Vec::new();
        self.tape.operands(node as usize, |operand| operands.push(operand));
        let number = |operand: u32| self.tape.number(operand as usize);
        match (self.tape.op(node as usize), operands.as_slice()) {
            (Op::Constant, _) => split.constant += weight * number(node).unwrap_or(0.0),
            (Op::Variable, _) => split.linear.push((node, weight)),
            (Op::Add | Op::Sum, terms) => terms.iter().for_each(|&term| self.add(term, weight)),
            (Op::Neg, &[a]) => self.add(a, -weight),
            (Op::Sub, &[a, b]) => {
                self.add(a, weight);
                self.add(b, -weight);
            }
            (Op::Mul, &[a, b]) => match (number(a), number(b)) {
                (Some(factor), None) => self.add(b, weight * factor),
                (None, Some(factor)) => self.add(a, weight * factor),
                _ => split.nonlinear.push((node, weight)),
            },
            (Op::Div, &[a, b]) => match number(b) {
                Some(divisor) if divisor != 0.0 => self.add(a, weight / divisor),
                _ => split.nonlinear.push((node, weight)),
            },
            _ => split.nonlinear.push((node, weight)),
        }
    }

    fn add(&mut self, node: u32, weight: f64) {
        self.weights[node as usize] += weight;
        if !std::mem::replace(&mut self.queued[node as usize], true) {
            self.queue.push(node);
        }
    }
}
