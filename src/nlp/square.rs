//! As many equations as unknowns.

use thiserror::Error;

use super::Pattern;

/// A model could not be evaluated at this point, for example because a stretch is not positive.
///
/// Solvers answer by trying a shorter step.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {reason}")]
pub struct EvalFailure {
    /// Where, in the user's words: object, arc length, time.
    pub place: String,
    /// What was out of range, with its value.
    pub reason: String,
}

/// The nonlinear system r(x) = 0 with a sparse square Jacobian ∂r/∂x.
pub trait SquareSystem {
    /// Number of equations and of unknowns.
    fn size(&self) -> usize;

    /// Pattern of the Jacobian; it never changes during the life of the system.
    fn pattern(&self) -> &Pattern;

    /// Writes r(x).
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure>;

    /// Writes the values of ∂r/∂x in the order of [`SquareSystem::pattern`], overwriting what is there.
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure>;

    /// The equation of a row, in the user's words.
    fn row_name(&self, row: usize) -> String;

    /// The unknown of a column, in the user's words.
    fn unknown_name(&self, col: usize) -> String;

    /// Size below which changes of an unknown no longer matter relative to itself; in the unit of the unknown.
    ///
    /// A change dx is measured as |dx| / max(scale, |x|).
    fn unknown_scale(&self, _col: usize) -> f64 {
        1.0
    }
}

/// A family of systems joining an easy one (parameter 0) to the wanted one (parameter 1).
pub trait ParametricSystem: SquareSystem {
    /// Chooses the member of the family that the following evaluations refer to.
    fn set_parameter(&mut self, parameter: f64);
}

/// A family whose derivative with respect to the parameter is known, so that its solutions can be followed along their
/// path, whatever the parameter does there.
pub trait FollowedSystem: ParametricSystem {
    /// Writes ∂r/∂p at the parameter chosen last.
    fn parameter_derivative(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure>;

    /// The parameter in the user's words, for example `load factor`.
    fn parameter_name(&self) -> String {
        "parameter".to_owned()
    }
}
