//! Why a program has no feasible point, in the words of the program.
//!
//! A solve that ends `infeasible` has minimised the total violation Σ|…| of the rows. The rows violated there cannot all be
//! met, and the bounds with multipliers there are those whose shift would help. For each of the most helpful ones the
//! smallest shift that makes the program feasible is computed by a further solve: the bound is dropped and the
//! bounded quantity itself becomes the objective.

use super::engine::Observer;
use super::extremal::{Extremal, Side, Target};
use super::options::{Method, Options};
use super::solve::{Iterate, Solution, solve};
use super::status::{IterationRecord, Status};
use crate::nlp::Nlp;

/// Number of bounds whose necessary shift is computed.
const MAX_SHIFTS: usize = 4;
/// Number of rows and bounds named in a message.
const MAX_NAMED: usize = 4;
/// Iterations spent on one shift.
const MAX_ITERATIONS: usize = 500;
/// Multipliers of bounds, relative to the largest, that count as helpful.
const HELPFUL: f64 = 1e-3;

/// What prevents a program from having a feasible point.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    /// Rows violated where the total violation is smallest, worst first.
    pub violated: Vec<Violation>,
    /// Bounds that stand against the rest of the program, and where they would have to be.
    pub conflicts: Vec<Conflict>,
}

/// A row that cannot be met.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The row.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The nearest value that its bounds allow.
    pub allowed: f64,
}

/// A bound that no feasible point respects.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The variable or row with its bound, for example `end time ≤ 0.3`.
    pub bound: String,
    /// The bound.
    pub value: f64,
    /// The nearest bound for which the program has a feasible point.
    pub needed: f64,
}

impl Conflict {
    fn text(&self) -> String {
        let direction = if self.needed > self.value { "at least" } else { "at most" };
        format!("`{}` conflicts with the other constraints: {direction} {} is needed", self.bound, Digits(self.needed))
    }
}

/// A number with four decimals if that shows it, otherwise with five significant digits.
struct Digits(f64);

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if (1e-2..1e6).contains(&self.0.abs()) { write!(f, "{:.4}", self.0) } else { write!(f, "{:.4e}", self.0) }
    }
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let total: f64 = self.violated.iter().map(|v| (v.value - v.allowed).abs()).sum();
        write!(f, "no point near the last one satisfies all constraints; the smallest total violation is {total:.3e}")?;
        let rows = self.violated.iter().take(MAX_NAMED);
        let rows: Vec<String> = rows.map(|v| format!("{} is {:.6}, not {:.6}", v.name, v.value, v.allowed)).collect();
        if !rows.is_empty() {
            write!(f, ", in: {}", rows.join("; "))?;
        }
        if self.violated.len() > MAX_NAMED {
            write!(f, "; and {} more rows", self.violated.len() - MAX_NAMED)?;
        }
        for conflict in &self.conflicts {
            write!(f, ". {}", conflict.text())?;
        }
        Ok(())
    }
}

/// Explains an infeasible end; `solution` holds the point of smallest violation and its multipliers.
pub fn explain(nlp: &mut dyn Nlp, solution: &Solution, options: &Options, observe: Observer) -> Explanation {
    let violated = violations(nlp, solution, options);
    let mut conflicts = Vec::new();
    let mut stopped = false;
    let mut watch = |record: &IterationRecord| {
        stopped = stopped || !observe(record);
        !stopped
    };
    for candidate in candidates(nlp, solution, &violated) {
        let Some(needed) = necessary_shift(nlp, solution, &candidate, options, &mut watch) else { continue };
        let (value, sign) = (candidate.bound(nlp), candidate.side.sign());
        // Nothing is learnt from a bound that need not move.
        if sign * (needed - value) > options.violation * value.abs().max(1.0) {
            conflicts.push(Conflict { bound: candidate.describe(nlp), value, needed });
        }
    }
    Explanation { violated: violated.into_iter().map(|(_, violation)| violation).collect(), conflicts }
}

fn violations(nlp: &dyn Nlp, solution: &Solution, options: &Options) -> Vec<(usize, Violation)> {
    let bounds = nlp.bounds();
    let mut violated = Vec::new();
    for (row, &value) in solution.rows.iter().enumerate() {
        let allowed = value.clamp(bounds.c_lower[row], bounds.c_upper[row]);
        if (value - allowed).abs() > options.violation {
            violated.push((row, Violation { name: nlp.row_name(row), value, allowed }));
        }
    }
    violated.sort_by(|a, b| (b.1.value - b.1.allowed).abs().total_cmp(&(a.1.value - a.1.allowed).abs()));
    violated
}

/// A bound that might be moved.
struct Candidate {
    target: Target,
    side: Side,
}

impl Candidate {
    fn bound(&self, nlp: &dyn Nlp) -> f64 {
        let bounds = nlp.bounds();
        match (self.target, self.side) {
            (Target::Variable(i), Side::Lower) => bounds.x_lower[i],
            (Target::Variable(i), Side::Upper) => bounds.x_upper[i],
            (Target::Row(i), Side::Lower) => bounds.c_lower[i],
            (Target::Row(i), Side::Upper) => bounds.c_upper[i],
        }
    }

    fn describe(&self, nlp: &dyn Nlp) -> String {
        let (name, bounds) = match self.target {
            Target::Variable(i) => (nlp.variable_name(i), (nlp.bounds().x_lower[i], nlp.bounds().x_upper[i])),
            Target::Row(i) => (nlp.row_name(i), (nlp.bounds().c_lower[i], nlp.bounds().c_upper[i])),
        };
        let relation = match self.side {
            _ if bounds.0 == bounds.1 => "=",
            Side::Lower => "≥",
            Side::Upper => "≤",
        };
        format!("{name} {relation} {}", self.bound(nlp))
    }
}

/// Bounds in the order in which their shift reduces the violation: first those of variables, then violated rows.
fn candidates(nlp: &dyn Nlp, solution: &Solution, violated: &[(usize, Violation)]) -> Vec<Candidate> {
    let mut helpful: Vec<(f64, Candidate)> = Vec::new();
    let bounds = nlp.bounds();
    let Iterate { z_lower, z_upper, .. } = &solution.iterate;
    for i in (0..bounds.variables()).filter(|&i| bounds.x_lower[i] < bounds.x_upper[i]) {
        for (z, bound, side) in [(z_lower, bounds.x_lower[i], Side::Lower), (z_upper, bounds.x_upper[i], Side::Upper)] {
            helpful.push((z[i] * bound.abs().clamp(1e-3, 1e3), Candidate { target: Target::Variable(i), side }));
        }
    }
    helpful.sort_by(|a, b| b.0.total_cmp(&a.0));
    let largest = helpful.first().map_or(0.0, |first| first.0);
    helpful.retain(|(gain, _)| *gain > HELPFUL * largest && gain.is_finite());
    let rows = violated.iter().map(|(row, violation)| {
        let side = if violation.value > violation.allowed { Side::Upper } else { Side::Lower };
        Candidate { target: Target::Row(*row), side }
    });
    let (variables, rows): (Vec<Candidate>, Vec<Candidate>) =
        (helpful.into_iter().map(|(_, c)| c).collect(), rows.collect());
    // Half of the attempts each, so that neither kind crowds out the other.
    let half = MAX_SHIFTS / 2;
    variables.into_iter().take(half).chain(rows.into_iter().take(half)).collect()
}

/// Where the bound would have to be for a feasible point to exist; `None` if moving it alone does not help.
fn necessary_shift(
    nlp: &mut dyn Nlp,
    solution: &Solution,
    candidate: &Candidate,
    options: &Options,
    observe: Observer,
) -> Option<f64> {
    let options = Options {
        method: Method::InteriorPoint,
        max_iterations: MAX_ITERATIONS.min(options.max_iterations),
        explain: false,
        retries: 0,
        warm: false,
        test_derivatives: false,
        ..options.clone()
    };
    let start = Iterate::at(&solution.iterate.x);
    let mut extremal = Extremal::new(nlp, candidate.target, candidate.side);
    let found = solve(&mut extremal, &start, &options, observe).ok()?;
    (found.status == Status::Solved).then(|| candidate.side.sign() * found.objective)
}
