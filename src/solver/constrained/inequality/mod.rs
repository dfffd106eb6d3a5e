//! How a method treats inequalities: the seam between the shared core and `interior-point` or `sqp`.

pub mod barrier;
pub mod interior_point;
pub mod interior_quadratic;
pub mod mu;
pub mod quadratic;
pub mod sqp;

use crate::nlp::{EvalFailure, Pattern};
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

/// What a method needs to compute a direction.
pub struct Linearised<'a> {
    pub standard: &'a Standard,
    pub point: &'a Point,
    pub jacobian_pattern: &'a Pattern,
    /// Values of the Hessian of the Lagrangian at the point.
    pub hessian: &'a [f64],
    pub kkt: &'a mut Kkt,
}

/// Why there is no direction.
#[derive(Debug)]
pub enum NoDirection {
    /// No shift of the matrix gives the right inertia and an accurate solution.
    Unregularisable,
    /// The linearised rows contradict each other within the bounds.
    InfeasibleModel,
}

/// A treatment of inequalities.
pub trait Inequalities {
    /// Moves the start to where the method can begin, and sets the bound multipliers. `kkt` serves least-squares estimates.
    fn begin(
        &mut self,
        standard: &Standard,
        nlp: &mut dyn Staged,
        point: &mut Point,
        kkt: &mut Kkt,
    ) -> Result<(), EvalFailure>;

    /// The barrier parameter of the merit function; 0 for none.
    fn mu(&self) -> f64;

    /// Advances the parameter of the method before the next direction; true if the merit function changed.
    fn update(&mut self, standard: &Standard, nlp: &mut dyn Staged, point: &mut Point, work: &mut [f64]) -> bool;

    /// Whether a problem with a smaller parameter remains when steps of this one have become tiny; advances to it.
    fn advance_after_tiny_step(&mut self) -> bool;

    /// Computes the direction.
    fn direction(&mut self, at: Linearised, out: &mut Direction) -> Result<(), NoDirection>;

    /// Computes the direction with another residual in place of c(x) − s and the matrix of the last direction.
    fn correction(&mut self, at: Linearised, residual: &[f64], out: &mut Direction) -> Result<(), NoDirection>;

    /// Longest step of v that stays inside the bounds.
    fn longest(&self, standard: &Standard, point: &Point, direction: &Direction) -> f64;

    /// Moves the multipliers of an accepted step of length `alpha`; `point.v` is already new. Returns the dual step length.
    fn accept(&mut self, standard: &Standard, point: &mut Point, direction: &Direction, alpha: f64) -> f64;

    /// Sets the bound multipliers of a point that restoration has reached from `before`.
    fn resume(&mut self, standard: &Standard, point: &mut Point, before: &[f64]);
}
