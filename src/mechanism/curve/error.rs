//! Curves that no rod can have.

use thiserror::Error;

use crate::kernel::EvalError;

/// What is wrong with a reference curve.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CurveError {
    /// An infinite number or no number at all.
    #[error("{what} is not finite")]
    NotFinite {
        /// What it is.
        what: &'static str,
    },
    /// A length, angle or count that is not positive.
    #[error("{what} is {value}, but must be positive and finite")]
    NotPositive {
        /// What it is, with its unit.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Both ends of a straight rod are the same point, or all points of a path.
    #[error("the rod has no length: its points coincide")]
    ZeroLength,
    /// A zero vector where a direction is needed.
    #[error("{what} is the zero vector, which has no direction")]
    NoDirection {
        /// What it is.
        what: &'static str,
    },
    /// A hint for d₁ that says nothing.
    #[error("the normal is parallel to the tangent at the start of the rod; give a direction across it")]
    NormalAlongTangent,
    /// A hint for the start of a helix that says nothing.
    #[error("the outward direction of the helix is parallel to its axis; give a direction across it")]
    OutwardAlongAxis,
    /// An arc of no radius.
    #[error("the centre of the arc is its start; they must be one radius apart")]
    CentreAtStart,
    /// No circle about the centre has this tangent.
    #[error(
        "the arc's tangent and the direction from its start to its centre make an angle of {degrees:.6} degrees; on a circle it is 90"
    )]
    CentreNotAcross {
        /// The angle between the tangent and the direction to the centre.
        degrees: f64,
    },
    /// An expression without a value or derivative.
    #[error("the {what} of the curve: {error}")]
    Evaluation {
        /// `x`, `y`, `z` or `twist`.
        what: &'static str,
        /// What went wrong and where.
        error: Box<EvalError>,
    },
    /// An expression of t.
    #[error("the {what} of the curve depends on t, but a reference curve is a function of s alone")]
    VariesInTime {
        /// `x`, `y`, `z` or `twist`.
        what: &'static str,
    },
    /// A point where the path stands still.
    #[error("the path has no tangent at s = {s}: all derivatives with respect to s vanish there")]
    TangentVanishes {
        /// The parameter of the path.
        s: f64,
    },
    /// A corner or a gap.
    #[error("the path has a corner or a jump at s = {s:.6}: position and tangent must be continuous")]
    Corner {
        /// The parameter of the path.
        s: f64,
    },
    /// A twist that jumps.
    #[error("the twist jumps at s = {s:.6}: it must be continuous")]
    TwistJumps {
        /// The arc length.
        s: f64,
    },
    /// An expression that changes too quickly to be resolved.
    #[error("the expressions change too quickly with s to be resolved (more than {pieces} pieces, near s = {s})")]
    TooRough {
        /// How many pieces were tried.
        pieces: usize,
        /// Where it was given up.
        s: f64,
    },
}
