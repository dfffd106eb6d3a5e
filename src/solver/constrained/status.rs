//! How a constrained solve ended.

use serde::{Deserialize, Serialize};

/// Why a solve stopped, and so what its last point is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The optimality conditions hold to tolerance.
    Solved,
    /// They hold to the weaker tolerance of acceptable points, and no better point was found.
    Acceptable,
    /// The point minimises the violation of the rows locally, and the violation is not zero.
    Infeasible,
    /// The objective falls without bound along feasible points.
    Unbounded,
    /// Variables grow without bound.
    Diverging,
    /// Steps have become too small to change anything before the tolerance was reached.
    Stalled,
    /// No point with a smaller violation of the rows could be found, although the violation is not at a minimum.
    RestorationFailed,
    /// The iteration limit came first.
    IterationLimit,
    /// The observer asked to stop.
    Interrupted,
}

impl Status {
    /// The word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Acceptable => "acceptable",
            Self::Infeasible => "infeasible",
            Self::Unbounded => "unbounded",
            Self::Diverging => "diverging",
            Self::Stalled => "stalled",
            Self::RestorationFailed => "restoration-failed",
            Self::IterationLimit => "iteration-limit",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One line of the iteration table; line 0 is the start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct IterationRecord {
    /// Number of steps taken.
    pub iter: usize,
    /// Objective, unscaled.
    pub objective: f64,
    /// Largest violation of a row, unscaled.
    pub inf_pr: f64,
    /// Largest entry of the scaled gradient of the Lagrangian.
    pub inf_du: f64,
    /// Barrier parameter; 0 for methods without one.
    pub mu: f64,
    /// Largest change of a variable by the full step.
    pub step: f64,
    /// Shift δ_w of the Hessian that the step needed.
    pub regularisation: f64,
    /// Fraction of the step taken by the bound multipliers.
    pub alpha_dual: f64,
    /// Fraction of the step taken by the variables.
    pub alpha: f64,
    /// Number of points tried along the step.
    pub trials: usize,
    /// Whether the step was part of feasibility restoration.
    pub restoration: bool,
    /// Whether the step was a second-order correction.
    pub corrected: bool,
}
