//! A saved answer against its program: evaluated again, without the solver.

use super::Measures;
use crate::nlp::Nlp;
use crate::nlp::ampl::Model;
use crate::results::Listing;
use crate::solver::constrained::{Iterate, Options};
use crate::tasks::TaskError;

/// One condition of an optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// The condition in words.
    pub name: &'static str,
    /// What is left of it.
    pub left: f64,
    /// What may be left.
    pub tolerance: f64,
}

impl Check {
    /// Whether the condition holds.
    pub fn passed(&self) -> bool {
        self.left <= self.tolerance
    }
}

/// The conditions at a saved point.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverified {
    /// The objective of the program.
    pub objective: f64,
    /// Feasibility, stationarity, complementarity.
    pub checks: [Check; 3],
}

impl Reverified {
    /// Whether all conditions hold.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }
}

/// Evaluates the program at the point and with the multipliers of the saved tables.
pub fn reverify(
    model: &mut Model,
    variables: &Listing,
    rows: &Listing,
    options: &Options,
) -> Result<Reverified, TaskError> {
    let (n, m) = (model.program.bounds().variables(), model.program.bounds().rows());
    let column = |listing: &Listing, name: &str, size: usize| match listing.column(name) {
        Some(values) if values.len() == size => Ok(values.to_vec()),
        found => {
            let (found, what) = (found.map_or(0, <[f64]>::len), &listing.heading);
            let reason = format!("the table of each {what} has {found} values of `{name}`, the program needs {size}");
            Err(TaskError::Incomplete { reason })
        }
    };
    let at = Iterate {
        x: column(variables, "value", n)?,
        lambda: column(rows, "multiplier", m)?,
        z_lower: column(variables, "multiplier_lower", n)?,
        z_upper: column(variables, "multiplier_upper", n)?,
    };
    let start = model.program.start().to_vec();
    let left = Measures::of(&mut model.program, &at, &start)
        .map_err(|failure| TaskError::Incomplete { reason: format!("{}: {}", failure.place, failure.reason) })?;
    let optimality = left.scale * options.acceptable.max(options.tolerance);
    let checks = [
        Check { name: "relative violation of the constraints", left: left.violation, tolerance: options.violation },
        Check { name: "gradient of the Lagrangian", left: left.stationarity, tolerance: optimality },
        Check { name: "complementarity", left: left.complementarity, tolerance: optimality },
    ];
    Ok(Reverified { objective: super::sense(model) * left.objective, checks })
}
