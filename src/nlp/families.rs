//! A program assembled from families of equal parts: one small program, evaluated for each member with its own inputs.
//!
//! The terms of a discrete action repeat from interval to interval. Their symbolic work is done once for a family, however
//! many members it has; rows and objectives of the members add up.

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
    /// For each member the inputs, in the order of the variables of the program.
    pub inputs: Vec<Vec<Input>>,
    /// For each member the rows of the whole to which its rows are added.
    pub rows: Vec<Vec<usize>>,
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

/// Places of the entries of a member in the whole; `NOWHERE` for those of numbers.
const NOWHERE: usize = usize::MAX;

#[derive(Debug, Clone)]
struct Assembled {
    family: Family,
    jacobian: Vec<usize>,
    hessian: Vec<usize>,
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
    pub fn new(bounds: Bounds, families: Vec<Family>, names: Box<dyn Names>) -> Result<Self, PatternError> {
        let (n, m) = (bounds.variables(), bounds.rows());
        let mut jacobian = PatternBuilder::new(m, n);
        let mut hessian = PatternBuilder::new(n, n);
        // Entries of all members one after the other: which block of the builder each became.
        let mut blocks: Vec<[Vec<usize>; 2]> = Vec::new();
        for family in &families {
            let mut found = [Vec::new(), Vec::new()];
            for (inputs, rows) in family.inputs.iter().zip(&family.rows) {
                for_each(family.program.jacobian_pattern(), |row, col| {
                    found[0].push(match inputs[col] {
                        Input::Variable(variable) => jacobian.add(&[rows[row]], &[variable])?,
                        Input::Number(_) => NOWHERE,
                    });
                    Ok(())
                })?;
                for_each(family.program.hessian_pattern(), |row, col| {
                    found[1].push(match (inputs[row], inputs[col]) {
                        (Input::Variable(a), Input::Variable(b)) => hessian.add(&[a.max(b)], &[a.min(b)])?,
                        _ => NOWHERE,
                    });
                    Ok(())
                })?;
            }
            blocks.push(found);
        }
        let (jacobian_pattern, jacobian_map) = jacobian.build();
        let (hessian_pattern, hessian_map) = hessian.build();
        let place = |map: &super::BlockMap, block: usize| match block {
            NOWHERE => NOWHERE,
            block => map.block(block).first().copied().unwrap_or(NOWHERE),
        };
        let families = families.into_iter().zip(blocks).map(|(family, [jacobian, hessian])| Assembled {
            family,
            jacobian: jacobian.into_iter().map(|block| place(&jacobian_map, block)).collect(),
            hessian: hessian.into_iter().map(|block| place(&hessian_map, block)).collect(),
        });
        let families: Vec<Assembled> = families.collect();
        let known = Known {
            rows: vec![0.0; m],
            gradient: vec![0.0; n],
            jacobian: vec![0.0; jacobian_pattern.nnz()],
            ..Known::default()
        };
        Ok(Self { bounds, names, families, jacobian_pattern, hessian_pattern, work: Work::default(), known })
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
            self.work.rows.resize(program.bounds().rows(), 0.0);
            for (member, (inputs, targets)) in inputs.iter().zip(targets.iter()).enumerate() {
                gather(inputs, x, &mut self.work.x);
                let at = |failure| placed(&*self.names, number, member, failure);
                objective += program.objective(&self.work.x).map_err(at)?;
                program.constraints(&self.work.x, &mut self.work.rows).map_err(at)?;
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
            let entries = program.jacobian_pattern().nnz();
            self.work.jacobian.resize(entries, 0.0);
            self.work.gradient.resize(program.bounds().variables(), 0.0);
            for (member, inputs) in inputs.iter().enumerate() {
                gather(inputs, x, &mut self.work.x);
                let at = |failure| placed(&*self.names, number, member, failure);
                program.gradient(&self.work.x, &mut self.work.gradient).map_err(at)?;
                program.jacobian(&self.work.x, &mut self.work.jacobian).map_err(at)?;
                for (input, value) in inputs.iter().zip(&self.work.gradient) {
                    if let Input::Variable(variable) = input {
                        gradient[*variable] += value;
                    }
                }
                let places = &part.jacobian[member * entries..(member + 1) * entries];
                scatter(places, &self.work.jacobian, jacobian);
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

fn scatter(places: &[usize], values: &[f64], out: &mut [f64]) {
    for (&place, value) in places.iter().zip(values) {
        if place != NOWHERE {
            out[place] += value;
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
            let entries = program.hessian_pattern().nnz();
            self.work.hessian.resize(entries, 0.0);
            for (member, (inputs, rows)) in inputs.iter().zip(rows.iter()).enumerate() {
                gather(inputs, x, &mut self.work.x);
                self.work.lambda.clear();
                self.work.lambda.extend(rows.iter().map(|&row| lambda[row]));
                program
                    .hessian(&self.work.x, sigma, &self.work.lambda, &mut self.work.hessian)
                    .map_err(|failure| placed(&*self.names, number, member, failure))?;
                let places = &part.hessian[member * entries..(member + 1) * entries];
                // An entry off the diagonal whose inputs are one variable counts for both triangles.
                let pattern = program.hessian_pattern();
                for col in 0..pattern.ncols() {
                    for entry in pattern.column(col) {
                        let (row, place) = (pattern.row_idx()[entry], places[entry]);
                        if place != NOWHERE {
                            let twice = row != col && inputs[row] == inputs[col];
                            values[place] += if twice { 2.0 } else { 1.0 } * self.work.hessian[entry];
                        }
                    }
                }
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
