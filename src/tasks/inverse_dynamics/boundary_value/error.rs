//! Why there is no bounded motion, in words.

use thiserror::Error;

use crate::discretisation::boundary_value::Zero;
use crate::nlp::EvalFailure;

/// Why a boundary value problem has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BoundaryError {
    /// Numbers of inputs and outputs differ.
    #[error(
        "there are {inputs} actuator inputs for {outputs} servo outputs: method = \"boundary-value\" needs as many of one as of the other; method = \"optimise\" takes any number"
    )]
    Counts {
        /// Components of actuators.
        inputs: usize,
        /// Prescribed outputs.
        outputs: usize,
    },
    /// A path that does not rest at an end of the time.
    #[error(
        "the path of servo output {output} moves beyond t = {time:.6} s: the motion begins before its path does and ends after it, so paths must rest before the first instant and after the last, as rest(t, start, end, k) does"
    )]
    PathMoves {
        /// The output.
        output: String,
        /// First or last instant, second.
        time: f64,
    },
    /// There is no equilibrium.
    #[error("no equilibrium was found with the outputs where the paths have them at t = {time:.6} s: {reason}")]
    NoRest {
        /// When, second.
        time: f64,
        /// What Newton's method says.
        reason: String,
    },
    /// Newton's method did not converge.
    #[error(
        "no bounded motion along the whole path was found{}: {reason}; a slower or smoother path, more time steps or elements of higher order may help",
        if *share > 0.0 { format!(" (the same path {:.2} times as slow was followed)", share.sqrt().recip()) } else { String::new() }
    )]
    NotConverged {
        /// Share of the inertia with which it was found.
        share: f64,
        /// What Newton's method says.
        reason: String,
    },
    /// A vibration stands in the way.
    #[error(
        "no motion along the paths begins and ends at rest: {}; take a slower or smoother path, add damping, or move rotary inertia from the tip or from the outer end of a link to the other side of its joint. method = \"optimise\" finds the motion from rest to rest that follows the paths best (Newton's method: {reason})",
        zero.told()
    )]
    Rings {
        /// The vibration.
        zero: Box<Zero>,
        /// What Newton's method says.
        reason: String,
    },
    /// The equations have no value.
    #[error("the equations have no value: {0}")]
    Evaluation(EvalFailure),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}
