//! Storage of expression nodes: equal nodes are stored once, operations on constants are carried out at once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::op::{Arity, Op};
use crate::kernel::Spline;

/// Operations, operands and the lists of operands of sums and choices; operands always stand before their node.
#[derive(Debug, Default)]
pub(super) struct Arena {
    pub(super) ops: Vec<Op>,
    pub(super) a: Vec<u32>,
    pub(super) b: Vec<u32>,
    pub(super) list: Vec<u32>,
    tables: Vec<Arc<Spline>>,
    numbered: HashMap<(Op, u32, u32), u32, BuildHasherDefault<Mix>>,
}

impl Arena {
    pub(super) fn variable(&mut self, number: u32) -> u32 {
        self.node(Op::Variable, number, 0)
    }

    pub(super) fn foreign(&mut self) -> u32 {
        self.node(Op::Foreign, 0, 0)
    }

    pub(super) fn constant(&mut self, value: f64) -> u32 {
        let bits = value.to_bits();
        self.node(Op::Constant, bits as u32, (bits >> 32) as u32)
    }

    /// The number a node stands for, if it is a constant.
    pub(super) fn number(&self, node: u32) -> Option<f64> {
        let node = node as usize;
        (self.ops[node] == Op::Constant).then(|| number(self.a[node], self.b[node]))
    }

    pub(super) fn unary(&mut self, op: Op, a: u32) -> u32 {
        match self.number(a).map(|a| self.value(op, a)) {
            Some(value) if value.is_finite() => self.constant(value),
            _ if op == Op::Neg && self.ops[a as usize] == Op::Neg => self.a[a as usize],
            _ => self.node(op, a, 0),
        }
    }

    /// The number of a function given by samples.
    pub(super) fn table(&mut self, spline: &Arc<Spline>) -> u16 {
        let known = self.tables.iter().position(|known| Arc::ptr_eq(known, spline) || known == spline);
        let number = known.unwrap_or_else(|| {
            self.tables.push(Arc::clone(spline));
            self.tables.len() - 1
        });
        // Problem files do not hold so many tables that their number would not fit.
        number.min(usize::from(u16::MAX)) as u16
    }

    /// All functions given by samples.
    pub(super) fn tables(&self) -> &[Arc<Spline>] {
        &self.tables
    }

    /// The value of an operation with one operand.
    fn value(&self, op: Op, a: f64) -> f64 {
        match op {
            Op::Table(table, order) => self.tables[usize::from(table)].derivative(a, usize::from(order)),
            _ => op.value(a, 0.0),
        }
    }

    /// A node with two operands. What is not finite stays an operation, so that its failure can be named later.
    pub(super) fn binary(&mut self, op: Op, a: u32, b: u32) -> u32 {
        match (op, self.number(a), self.number(b)) {
            (_, Some(x), Some(y)) if op.value(x, y).is_finite() => return self.constant(op.value(x, y)),
            (Op::Add, Some(0.0), _) | (Op::Mul, Some(1.0), _) => return b,
            (Op::Add | Op::Sub, _, Some(0.0)) | (Op::Mul | Op::Div | Op::Pow, _, Some(1.0)) => return a,
            (Op::Mul, Some(0.0), _) | (Op::Mul, _, Some(0.0)) => return self.constant(0.0),
            (Op::Sub, Some(0.0), _) | (Op::Mul, Some(-1.0), _) => return self.unary(Op::Neg, b),
            (Op::Mul | Op::Div, _, Some(-1.0)) => return self.unary(Op::Neg, a),
            (Op::Pow, _, Some(0.0)) => return self.constant(1.0),
            (Op::Pow, _, Some(2.0)) => return self.unary(Op::Square, a),
            (Op::Pow, _, Some(_)) => return self.node(Op::Power, a, b),
            (Op::Mul, ..) if a == b => return self.unary(Op::Square, a),
            _ => {}
        }
        let commutes = matches!(op, Op::Add | Op::Mul | Op::Min | Op::Max | Op::Equal | Op::And | Op::Or);
        if commutes && a > b { self.node(op, b, a) } else { self.node(op, a, b) }
    }

    /// Σ of all operands; the constants among them become one.
    pub(super) fn sum(&mut self, operands: impl Iterator<Item = u32>) -> u32 {
        let start = self.list.len();
        let mut total = 0.0;
        for operand in operands {
            match self.number(operand) {
                Some(number) => total += number,
                None => self.list.push(operand),
            }
        }
        if self.list.len() > start && total != 0.0 {
            let total = self.constant(total);
            self.list.push(total);
        }
        match self.list[start..] {
            [] => self.constant(total),
            [only] => {
                self.list.truncate(start);
                only
            }
            [first, second] => {
                self.list.truncate(start);
                self.binary(Op::Add, first, second)
            }
            [..] => self.push(Op::Sum, start as u32, (self.list.len() - start) as u32),
        }
    }

    pub(super) fn choose(&mut self, condition: u32, then: u32, otherwise: u32) -> u32 {
        match self.number(condition) {
            Some(0.0) => otherwise,
            Some(_) => then,
            None if then == otherwise => then,
            None => {
                self.list.extend([then, otherwise]);
                self.push(Op::Choose, condition, self.list.len() as u32 - 2)
            }
        }
    }

    fn node(&mut self, op: Op, a: u32, b: u32) -> u32 {
        if let Some(&known) = self.numbered.get(&(op, a, b)) {
            return known;
        }
        let node = self.push(op, a, b);
        self.numbered.insert((op, a, b), node);
        node
    }

    fn push(&mut self, op: Op, a: u32, b: u32) -> u32 {
        self.ops.push(op);
        self.a.push(a);
        self.b.push(b);
        self.ops.len() as u32 - 1
    }

    /// Calls `visit` for every operand of a node.
    pub(super) fn operands(&self, node: usize, visit: impl FnMut(u32)) {
        operands(self.ops[node], self.a[node], self.b[node], &self.list, visit);
    }
}

/// The number whose bits a constant node holds.
pub(super) fn number(a: u32, b: u32) -> f64 {
    f64::from_bits(u64::from(a) | u64::from(b) << 32)
}

/// Calls `visit` for every operand of an operation, in order.
pub(super) fn operands(op: Op, a: u32, b: u32, list: &[u32], mut visit: impl FnMut(u32)) {
    match op.arity() {
        Arity::Leaf => {}
        Arity::Unary => visit(a),
        Arity::Binary => {
            visit(a);
            visit(b);
        }
        Arity::Sum => list[a as usize..a as usize + b as usize].iter().for_each(|&operand| visit(operand)),
        Arity::Choose => {
            visit(a);
            visit(list[b as usize]);
            visit(list[b as usize + 1]);
        }
    }
}

/// Multiplicative hashing of small integer keys; the table is only looked up, so its order never shows.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u32(word as u32);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
