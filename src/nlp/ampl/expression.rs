//! Expressions in prefix form, one symbol per line.

use std::collections::BTreeMap;

use super::NlError;
use super::lines::{Line, Lines};
use crate::nlp::graph::{Expr, Graph};

/// What expressions may refer to.
pub(super) struct Scope<'g> {
    pub(super) graph: &'g Graph,
    pub(super) variables: Vec<Expr<'g>>,
    pub(super) defined: BTreeMap<usize, Expr<'g>>,
}

/// An operator that waits for operands.
struct Waiting<'a> {
    code: usize,
    line: Line<'a>,
    missing: usize,
    /// Where its operands start on the stack.
    base: usize,
}

impl<'g> Scope<'g> {
    /// A variable or defined variable.
    pub(super) fn named(&self, line: &mut Line<'_>) -> Result<Expr<'g>, NlError> {
        let index: usize = line.field("the index of a variable")?;
        let known = self.variables.get(index).or_else(|| self.defined.get(&index)).copied();
        let expected = || format!("one of {} variables or a defined variable read before", self.variables.len());
        known.ok_or_else(|| line.wrong(format!("v{index}"), &expected()))
    }

    /// Reads one expression; operators wait on a stack of their own, so depth costs no recursion.
    pub(super) fn read(&self, lines: &mut Lines<'_>) -> Result<Expr<'g>, NlError> {
        const EXPECTED: &str = "an expression";
        let mut waiting: Vec<Waiting<'_>> = Vec::new();
        let mut operands: Vec<Expr<'g>> = Vec::new();
        loop {
            let mut line = lines.lettered()?.ok_or_else(|| lines.ended(EXPECTED))?;
            match line.letter {
                'n' | 's' | 'l' => {
                    let value = line.real("a number")?;
                    operands.push(self.graph.constant(value));
                }
                'v' => operands.push(self.named(&mut line)?),
                'o' => {
                    let code: usize = line.field("the number of an operator")?;
                    let missing = arity(code, &line, lines)?;
                    waiting.push(Waiting { code, line, missing, base: operands.len() });
                    if missing > 0 {
                        continue;
                    }
                }
                'f' => return Err(line.unsupported("imported functions are not supported".to_string())),
                'h' => return Err(line.unsupported("texts in expressions are not supported".to_string())),
                other => return Err(line.wrong(format!("`{other}`"), EXPECTED)),
            }
            while let Some(operator) = waiting.pop_if(|operator| operands.len() >= operator.base + operator.missing) {
                let value = self.apply(&operator, &operands[operator.base..])?;
                operands.truncate(operator.base);
                operands.push(value);
            }
            if waiting.is_empty()
                && let Some(value) = operands.pop()
            {
                return Ok(value);
            }
        }
    }

    fn apply(&self, operator: &Waiting<'_>, operands: &[Expr<'g>]) -> Result<Expr<'g>, NlError> {
        let g = self.graph;
        let folded = |combine: fn(Expr<'g>, Expr<'g>) -> Expr<'g>| operands.iter().copied().reduce(combine);
        let value = match (operator.code, operands) {
            (0, &[a, b]) => a + b,
            (1, &[a, b]) => a - b,
            (2, &[a, b]) => a * b,
            (3, &[a, b]) => a / b,
            (5 | 76 | 78, &[a, b]) => a.pow(b),
            (6, &[a, b]) => (a - b).max(g.constant(0.0)),
            (11, _) => return folded(Expr::min).ok_or_else(|| empty(operator)),
            (12, _) => return folded(Expr::max).ok_or_else(|| empty(operator)),
            (15, &[a]) => a.abs(),
            (16, &[a]) => -a,
            (20, &[a, b]) => a.or(b),
            (21, &[a, b]) => a.and(b),
            (22, &[a, b]) => a.less_than(b),
            (23, &[a, b]) => a.at_most(b),
            (24, &[a, b]) => a.equal_to(b),
            (28, &[a, b]) => b.at_most(a),
            (29, &[a, b]) => b.less_than(a),
            (30, &[a, b]) => a.equal_to(b).negation(),
            (34, &[a]) => a.negation(),
            (35, &[condition, then, otherwise]) => condition.choose(then, otherwise),
            (37, &[a]) => a.tanh(),
            (38, &[a]) => a.tan(),
            (39, &[a]) => a.sqrt(),
            (40, &[a]) => a.sinh(),
            (41, &[a]) => a.sin(),
            (42, &[a]) => a.log10(),
            (43, &[a]) => a.ln(),
            (44, &[a]) => a.exp(),
            (45, &[a]) => a.cosh(),
            (46, &[a]) => a.cos(),
            (47, &[a]) => a.atanh(),
            (48, &[a, b]) => a.atan2(b),
            (49, &[a]) => a.atan(),
            (50, &[a]) => a.asinh(),
            (51, &[a]) => a.asin(),
            (52, &[a]) => a.acosh(),
            (53, &[a]) => a.acos(),
            (54, _) => g.sum(operands.iter().copied()),
            (70, _) => folded(Expr::and).unwrap_or_else(|| g.constant(1.0)),
            (71, _) => folded(Expr::or).unwrap_or_else(|| g.constant(0.0)),
            (77, &[a]) => a.square(),
            (code, _) => return Err(operator.line.unsupported(format!("operator o{code} is not supported"))),
        };
        Ok(value)
    }
}

fn empty(operator: &Waiting<'_>) -> NlError {
    operator.line.wrong("no operand".to_string(), "at least one operand of a minimum or maximum")
}

/// How many operands an operator takes; a list says so on its next line.
fn arity(code: usize, line: &Line<'_>, lines: &mut Lines<'_>) -> Result<usize, NlError> {
    let refused = |name: &str| Err(line.unsupported(format!("operator o{code} ({name}) is not supported")));
    match code {
        0..=3 | 5 | 6 | 20..=24 | 28..=30 | 48 | 76 | 78 => Ok(2),
        15 | 16 | 34 | 37..=47 | 49..=53 | 77 => Ok(1),
        35 => Ok(3),
        11 | 12 | 54 | 70 | 71 => lines.numbers("the number of operands")?.count("the number of operands"),
        4 => refused("remainder"),
        13 => refused("floor"),
        14 => refused("ceil"),
        55 => refused("integer division"),
        56 => refused("precision"),
        57 => refused("round"),
        58 => refused("trunc"),
        59..=63 | 66..=69 => refused("counting"),
        64 => refused("piecewise-linear term"),
        65 => refused("choice of texts"),
        72 | 73 => refused("implication"),
        74 | 75 => refused("all different"),
        _ => Err(line.wrong(format!("o{code}"), "the number of an operator, 0 to 78")),
    }
}
