//! Expressions written in prefix form.

use std::fmt::Write;

use super::split::Split;
use crate::nlp::graph::{Op, Tape, shown};

/// Writes nodes of a tape. Nodes with a name of their own (variables and defined variables) are referred to by it.
pub(super) struct Emitter<'a> {
    pub(super) tape: &'a Tape,
    /// For each node its index as a variable or defined variable.
    pub(super) index: Vec<Option<usize>>,
}

/// What remains to be written. AMPL tells numbers from answers (yes or no), so each node is written as one of them.
enum Item {
    Number(u32),
    Answer(u32),
    Text(&'static str),
}

impl Emitter<'_> {
    /// The constant and nonlinear terms of a split.
    pub(super) fn split(&self, split: &Split, out: &mut String) {
        let terms = split.nonlinear.len() + usize::from(split.constant != 0.0);
        match terms {
            0 => out.push_str("n0\n"),
            1 => {}
            2 => out.push_str("o0\n"),
            _ => {
                let _ = writeln!(out, "o54\n{terms}");
            }
        }
        for &(node, weight) in &split.nonlinear {
            match weight {
                1.0 => {}
                -1.0 => out.push_str("o16\n"),
                _ => {
                    let _ = writeln!(out, "o2\nn{}", shown(weight));
                }
            }
            self.items(Item::Number(node), out);
        }
        if split.constant != 0.0 {
            let _ = writeln!(out, "n{}", shown(split.constant));
        }
    }

    /// The definition of a node, even if it has a name.
    pub(super) fn definition(&self, node: u32, out: &mut String) {
        let mut rest = Vec::new();
        self.operation(node, false, out, &mut rest);
        self.run(rest, out);
    }

    fn items(&self, first: Item, out: &mut String) {
        self.run(vec![first], out);
    }

    fn run(&self, mut rest: Vec<Item>, out: &mut String) {
        while let Some(item) = rest.pop() {
            let (node, answer) = match item {
                Item::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Item::Number(node) => (node, false),
                Item::Answer(node) => (node, true),
            };
            match self.index[node as usize] {
                Some(index) if answer => {
                    let _ = writeln!(out, "o30\nv{index}\nn0");
                }
                Some(index) => {
                    let _ = writeln!(out, "v{index}");
                }
                None => self.operation(node, answer, out, &mut rest),
            }
        }
    }

    /// Writes the operator of a node and leaves its operands, last first, in `rest`.
    fn operation(&self, node: u32, answer: bool, out: &mut String, rest: &mut Vec<Item>) {
        let op = self.tape.op(node as usize);
        if answer && !op.is_logical() {
            out.push_str("o30\n");
            rest.push(Item::Text("n0\n"));
        } else if !answer && op.is_logical() {
            out.push_str("o35\n");
            rest.push(Item::Text("n1\nn0\n"));
        }
        if let Some(number) = self.tape.number(node as usize) {
            let _ = writeln!(out, "n{}", shown(number));
            return;
        }
        let _ = writeln!(out, "o{}", code(op));
        let mut operands = Vec::new();
        self.tape.operands(node as usize, |operand| operands.push(operand));
        match op {
            Op::Min | Op::Max | Op::Sum => {
                let _ = writeln!(out, "{}", operands.len());
            }
            Op::Square => rest.push(Item::Text("n2\n")),
            _ => {}
        }
        let answers = match op {
            Op::And | Op::Or | Op::Not => operands.len(),
            Op::Choose => 1,
            _ => 0,
        };
        for (place, &operand) in operands.iter().enumerate().rev() {
            rest.push(if place < answers { Item::Answer(operand) } else { Item::Number(operand) });
        }
    }
}

/// The number of an operator in the format.
fn code(op: Op) -> u8 {
    match op {
        Op::Add => 0,
        Op::Sub => 1,
        Op::Mul => 2,
        Op::Div => 3,
        Op::Square | Op::Power | Op::Pow => 5,
        Op::Min => 11,
        Op::Max => 12,
        Op::Abs => 15,
        Op::Neg => 16,
        Op::Or => 20,
        Op::And => 21,
        Op::Less => 22,
        Op::AtMost => 23,
        Op::Equal => 24,
        Op::Not => 34,
        Op::Choose => 35,
        Op::Tanh => 37,
        Op::Tan => 38,
        Op::Sqrt => 39,
        Op::Sinh => 40,
        Op::Sin => 41,
        Op::Log10 => 42,
        Op::Ln => 43,
        Op::Exp => 44,
        Op::Cosh => 45,
        Op::Cos => 46,
        Op::Atanh => 47,
        Op::Atan2 => 48,
        Op::Atan => 49,
        Op::Asinh => 50,
        Op::Asin => 51,
        Op::Acosh => 52,
        Op::Acos => 53,
        // What has no operator is refused before.
        Op::Sum | Op::Constant | Op::Variable | Op::Foreign | Op::AtanRoot(_) | Op::Erf(_) | Op::Table(..) => 54,
    }
}
