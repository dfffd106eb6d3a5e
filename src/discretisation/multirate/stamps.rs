//! Small programs, evaluated many times in a step, and where their rows and derivatives go.

use crate::nlp::graph::Program;
use crate::nlp::{BlockMap, EvalFailure, Nlp, PatternBuilder, PatternError};

/// A program with memory for its values.
pub(super) struct Part {
    program: Program,
    pub x: Vec<f64>,
    rows: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Part {
    pub fn new(program: Program) -> Self {
        let x = vec![0.0; program.bounds().variables()];
        let rows = vec![0.0; program.bounds().rows()];
        let jacobian = vec![0.0; program.jacobian_pattern().nnz()];
        Self { program, x, rows, jacobian }
    }

    /// Copies lists one after the other into the inputs.
    pub fn fill(&mut self, lists: &[&[f64]]) {
        let mut rest = self.x.as_mut_slice();
        for list in lists {
            let (here, after) = rest.split_at_mut(list.len());
            here.copy_from_slice(list);
            rest = after;
        }
    }

    /// Adds the rows at the inputs to equations and momenta.
    pub fn add_rows(&mut self, stamp: &Stamp, equations: &mut [f64], momenta: &mut [f64]) -> Result<(), EvalFailure> {
        self.program.constraints(&self.x, &mut self.rows)?;
        stamp.equations.iter().for_each(|&(row, to, factor)| equations[to] += factor * self.rows[row]);
        stamp.momenta.iter().for_each(|&(row, to, factor)| momenta[to] += factor * self.rows[row]);
        Ok(())
    }

    /// Adds the derivatives of the equations at the inputs to the values of a matrix.
    pub fn add_derivatives(&mut self, stamp: &Stamp, values: &mut [f64]) -> Result<(), EvalFailure> {
        self.program.jacobian(&self.x, &mut self.jacobian)?;
        stamp.entries.iter().for_each(|&(entry, to, factor)| values[to] += factor * self.jacobian[entry]);
        Ok(())
    }

    /// A stamp of this program: targets of each row and the unknown, with ∂input/∂unknown, behind each input.
    pub fn stamp(
        &self,
        targets: &[Vec<(Target, f64)>],
        unknowns: &[Option<(usize, f64)>],
        builder: &mut PatternBuilder,
    ) -> Result<Stamp, PatternError> {
        let mut stamp = Stamp::default();
        for (row, targets) in targets.iter().enumerate() {
            for &(target, factor) in targets {
                match target {
                    Target::Equation(to) => stamp.equations.push((row, to, factor)),
                    Target::Momentum(to) => stamp.momenta.push((row, to, factor)),
                }
            }
        }
        let pattern = self.program.jacobian_pattern();
        for (input, unknown) in unknowns.iter().enumerate() {
            let &Some((col, slope)) = unknown else { continue };
            for entry in pattern.column(input) {
                for &(target, factor) in &targets[pattern.row_idx()[entry]] {
                    let Target::Equation(row) = target else { continue };
                    if factor * slope != 0.0 {
                        stamp.entries.push((entry, builder.add(&[row], &[col])?, factor * slope));
                    }
                }
            }
        }
        Ok(stamp)
    }
}

/// Where a row goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// An equation of the step.
    Equation(usize),
    /// The momentum of a coordinate at the end of the step.
    Momentum(usize),
}

/// Where the rows of one evaluation go, with factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamp {
    equations: Vec<(usize, usize, f64)>,
    momenta: Vec<(usize, usize, f64)>,
    entries: Vec<(usize, usize, f64)>,
}

impl Stamp {
    /// Replaces numbers of blocks by places in the values of the finished pattern.
    pub fn settle(&mut self, map: &BlockMap) {
        self.entries.iter_mut().for_each(|(_, to, _)| *to = map.block(*to)[0]);
    }
}
