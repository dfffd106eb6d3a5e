//! A program assembled from families of equal parts: one small program, evaluated for each member with its own inputs.
//!
//! The terms of a discrete action repeat from interval to interval. Their symbolic work is done once for a family, however
//! many members it has; rows and objectives of the members add up.

use thiserror::Error;

use super::graph::Program;
use super::{Bounds, EvalFailure, Nlp, Pattern, PatternBuilder, PatternError};

/// Where an input of a member comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// A variable of the whole.
    Variable(usize),
    /// A number.
    Number(f64),
}

/// A small program with its members.
#[derive(Debug, Clone)]
pub struct Family {
    /// Objective and rows of a member as functions of its inputs.
    pub program: Program,
    /// Inputs of the members one after the other, each in the order of the variables of the program.
    pub inputs: Vec<Input>,
    /// For the rows of the members, one after the other, the rows of the whole to which they are added.
    pub rows: Vec<usize>,
}

impl Family {
    /// A family without members.
    pub fn new(program: Program) -> Self {
        Self { program, inputs: Vec::new(), rows: Vec::new() }
    }

    /// Adds a member.
    pub fn add(&mut self, inputs: impl IntoIterator<Item = Input>, rows: impl IntoIterator<Item = usize>) {
        self.inputs.extend(inputs);
        self.rows.extend(rows);
    }

    /// Inputs and rows of each member.
    fn members(&self) -> impl Iterator<Item = (&[Input], &[usize])> {
        let (n, m) = (self.program.bounds().variables(), self.program.bounds().rows());
        let members = self.inputs.len().checked_div(n).unwrap_or(0);
        (0..members).map(move |k| (&self.inputs[k * n..(k + 1) * n], &self.rows[k * m..(k + 1) * m]))
    }
}

/// Why families do not make a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FamilyError {
    /// Members without all their inputs or rows.
    #[error(
        "family {family} has {inputs} inputs and {rows} rows, which is not {variables} and {targets} for each member"
    )]
    Members {
        /// Number of the family.
        family: usize,
        /// Inputs of all members.
        inputs: usize,
        /// Rows of all members.
        rows: usize,
        /// Inputs of one member.
        variables: usize,
        /// Rows of one member.
        targets: usize,
    },
    /// A variable where derivatives are not taken.
    #[error(
        "family {family} has a variable of the whole in place of its parameter `{name}`, by which no derivative is taken"
    )]
    Parameter {
        /// Number of the family.
        family: usize,
        /// Name of the parameter.
        name: String,
    },
    /// A variable or row outside of the whole.
    #[error(transparent)]
    Outside(#[from] PatternError),
}

/// What messages call the variables, rows and members.
pub trait Names {
    /// A variable.
    fn variable(&self, variable: usize) -> String;
    /// A row.
    fn row(&self, row: usize) -> String;
    /// Where a member of a family is, for example `between t = 0.1 s and t = 0.2 s`.
    fn place(&self, family: usize, member: usize) -> String;
}

/// The place of entries that belong to numbers.
const NOWHERE: u32 = u32::MAX;

/// A family with the places of the entries of all its members in the whole.
struct Assembled {
    family: Family,
    jacobian: Vec<u32>,
    hessian: Vec<u32>,
    /// Entries of the Hessian off the diagonal of a member whose two inputs are one variable: they count twice.
    doubled: Vec<usize>,
}

/// The whole program.
pub struct Families {
    bounds: Bounds,
    names: Box<dyn Names>,
    families: Vec<Assembled>,
    jacobian_pattern: Pattern,
    hessian_pattern: Pattern,
    work: Work,
    known: Known,
}

/// Buffers for one member.
#[derive(Default)]
struct Work {
    x: Vec<f64>,
    rows: Vec<f64>,
    gradient: Vec<f64>,
    jacobian: Vec<f64>,
    hessian: Vec<f64>,
    lambda: Vec<f64>,
}

/// Values and slopes at the last points where they were asked for.
#[derive(Default)]
struct Known {
    values_at: Vec<f64>,
    objective: f64,
    rows: Vec<f64>,
    slopes_at: Vec<f64>,
    gradient: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Families {
    /// The program with these bounds. Inputs and rows must lie within them.
    pub fn new(bounds: Bounds, families: Vec<Family>, names: Box<dyn Names>) -> Result<Self, FamilyError> {
        let (n, m) = (bounds.variables(), bounds.rows());
        let mut jacobian = PatternBuilder::new(m, n);
        let mut hessian = PatternBuilder::new(n, n);
        let mut assembled = Vec::with_capacity(families.len());
        for (number, family) in families.into_iter().enumerate() {
            let (variables, targets) = (family.program.bounds().variables(), family.program.bounds().rows());
            let members = family.inputs.len().checked_div(variables).unwrap_or(0);
            if family.inputs.len() != members * variables || family.rows.len() != members * targets {
                let (inputs, rows) = (family.inputs.len(), family.rows.len());
                return Err(FamilyError::Members { family: number, inputs, rows, variables, targets });
            }
            let entries = |pattern: &Pattern| Vec::with_capacity(members * pattern.nnz());
            let mut jacobian_entries = entries(family.program.jacobian_pattern());
            let mut hessian_entries = entries(family.program.hessian_pattern());
            let mut doubled = Vec::new();
            for (inputs, rows) in family.members() {
                let wrong = |(k, input): (usize, &Input)| {
                    (matches!(input, Input::Variable(_)) && family.program.is_parameter(k)).then_some(k)
                };
                if let Some(k) = inputs.iter().enumerate().find_map(wrong) {
                    return Err(FamilyError::Parameter { family: number, name: family.program.variable_name(k) });
                }
                for_each(family.program.jacobian_pattern(), |row, col| {
                    jacobian_entries.push(match inputs[col] {
                        Input::Variable(variable) => jacobian.add(&[rows[row]], &[variable])? as u32,
                        Input::Number(_) => NOWHERE,
                    });
                    Ok(())
                })?;
                for_each(family.program.hessian_pattern(), |row, col| {
                    hessian_entries.push(match (inputs[row], inputs[col]) {
                        (Input::Variable(a), Input::Variable(b)) => {
                            if a == b && row != col {
                                doubled.push(hessian_entries.len());
                            }
                            hessian.add(&[a.max(b)], &[a.min(b)])? as u32
                        }
                        _ => NOWHERE,
                    });
                    Ok(())
                })?;
            }
            assembled.push(Assembled { family, jacobian: jacobian_entries, hessian: hessian_entries, doubled });
        }
        let (jacobian_pattern, jacobian_map) = jacobian.build();
        let (hessian_pattern, hessian_map) = hessian.build();
        for part in &mut assembled {
            for (entries, map) in [(&mut part.jacobian, &jacobian_map), (&mut part.hessian, &hessian_map)] {
                for entry in entries.iter_mut().filter(|entry| **entry != NOWHERE) {
                    *entry = map.block(*entry as usize)[0] as u32;
                }
            }
        }
        let known = Known {
            rows: vec![0.0; m],
            gradient: vec![0.0; n],
            jacobian: vec![0.0; jacobian_pattern.nnz()],
            ..Known::default()
        };
        let work = Work::default();
        Ok(Self { bounds, names, families: assembled, jacobian_pattern, hessian_pattern, work, known })
    }

    fn values(&mut self, x: &[f64]) -> Result<(), EvalFailure> {
        if self.known.values_at == x {
            return Ok(());
        }
        self.known.values_at.clear();
        let (mut objective, rows) = (0.0, &mut self.known.rows);
        rows.fill(0.0);
        for (number, part) in self.families.iter_mut().enumerate() {
            let Family { program, inputs, rows: targets } = &mut part.family;
            let (n, m) = (program.bounds().variables(), program.bounds().rows());
            self.work.rows.resize(m, 0.0);
            for (member, inputs) in inputs.chunks_exact(n.max(1)).enumerate() {
                gather(inputs, x, &mut self.work.x);
                let at = |failure| placed(&*self.names, number, member, failure);
                objective += program.objective(&self.work.x).map_err(at)?;
                program.constraints(&self.work.x, &mut self.work.rows).map_err(at)?;
                let targets = &targets[member * m..(member + 1) * m];
                targets.iter().zip(&self.work.rows).for_each(|(&row, value)| rows[row] += value);
            }
        }
        self.known.objective = objective;
        self.known.values_at.extend_from_slice(x);
        Ok(())
    }

    fn slopes(&mut self, x: &[f64]) -> Result<(), EvalFailure> {
        if self.known.slopes_at == x {
            return Ok(());
        }
        let Known { slopes_at, gradient, jacobian, .. } = &mut self.known;
        slopes_at.clear();
        gradient.fill(0.0);
        jacobian.fill(0.0);
        for (number, part) in self.families.iter_mut().enumerate() {
            let Family { program, inputs, .. } = &mut part.family;
            let (n, entries) = (program.bounds().variables(), program.jacobian_pattern().nnz());
            self.work.jacobian.resize(entries, 0.0);
            self.work.gradient.resize(n, 0.0);
            for (member, inputs) in inputs.chunks_exact(n.max(1)).enumerate() {
                gather(inputs, x, &mut self.work.x);
                let at = |failure| placed(&*self.names, number, member, failure);
                program.gradient(&self.work.x, &mut self.work.gradient).map_err(at)?;
                program.jacobian(&self.work.x, &mut self.work.jacobian).map_err(at)?;
                for (input, value) in inputs.iter().zip(&self.work.gradient) {
                    if let Input::Variable(variable) = input {
                        gradient[*variable] += value;
                    }
                }
                scatter(&part.jacobian[member * entries..(member + 1) * entries], &self.work.jacobian, jacobian);
            }
        }
        slopes_at.extend_from_slice(x);
        Ok(())
    }
}

fn for_each(
    pattern: &Pattern,
    mut visit: impl FnMut(usize, usize) -> Result<(), PatternError>,
) -> Result<(), PatternError> {
    for col in 0..pattern.ncols() {
        for entry in pattern.column(col) {
            visit(pattern.row_idx()[entry], col)?;
        }
    }
    Ok(())
}

fn gather(inputs: &[Input], x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(inputs.iter().map(|input| match input {
        Input::Variable(variable) => x[*variable],
        Input::Number(number) => *number,
    }));
}

fn scatter(places: &[u32], values: &[f64], out: &mut [f64]) {
    for (&place, value) in places.iter().zip(values) {
        if place != NOWHERE {
            out[place as usize] += value;
        }
    }
}

fn placed(names: &dyn Names, family: usize, member: usize, failure: EvalFailure) -> EvalFailure {
    EvalFailure { place: format!("{} {}", failure.place, names.place(family, member)), reason: failure.reason }
}

impl Nlp for Families {
    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian_pattern
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian_pattern
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        self.values(x)?;
        Ok(self.known.objective)
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.slopes(x)?;
        out.copy_from_slice(&self.known.gradient);
        Ok(())
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.values(x)?;
        out.copy_from_slice(&self.known.rows);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.slopes(x)?;
        values.copy_from_slice(&self.known.jacobian);
        Ok(())
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.fill(0.0);
        for (number, part) in self.families.iter_mut().enumerate() {
            let Family { program, inputs, rows } = &mut part.family;
            let (n, m) = (program.bounds().variables(), program.bounds().rows());
            let entries = program.hessian_pattern().nnz();
            if entries == 0 {
                continue;
            }
            self.work.hessian.resize(entries, 0.0);
            self.work.lambda.resize(m, 0.0);
            let mut doubled = part.doubled.iter().peekable();
            for (member, inputs) in inputs.chunks_exact(n.max(1)).enumerate() {
                gather(inputs, x, &mut self.work.x);
                let rows = &rows[member * m..(member + 1) * m];
                self.work.lambda.iter_mut().zip(rows).for_each(|(to, &row)| *to = lambda[row]);
                program
                    .hessian(&self.work.x, sigma, &self.work.lambda, &mut self.work.hessian)
                    .map_err(|failure| placed(&*self.names, number, member, failure))?;
                let first = member * entries;
                while let Some(entry) = doubled.next_if(|entry| **entry < first + entries) {
                    self.work.hessian[entry - first] *= 2.0;
                }
                scatter(&part.hessian[first..first + entries], &self.work.hessian, values);
            }
        }
        Ok(())
    }

    fn variable_name(&self, variable: usize) -> String {
        self.names.variable(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.names.row(row)
    }
}

#[cfg(test)]
mod tests;
