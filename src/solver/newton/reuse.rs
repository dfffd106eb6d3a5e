//! Simplified Newton steps with factors of an earlier Jacobian.
//!
//! Steps d = −M⁻¹ r(x) with a matrix M near the Jacobian contract by a rate θ, which two of them in a row measure. The
//! error left after a step is then at most θ/(1 − θ) times its length (E. Hairer and G. Wanner, Solving Ordinary
//! Differential Equations II, section IV.8). A step that contracts too slowly is not taken: the Jacobian is factorised
//! where it was computed, so a solve never depends on how good the old factors were.

use super::point::Point;
use super::{Newton, NewtonError, with_names};
use crate::nlp::{Pattern, SquareSystem};

/// When the Jacobian is factorised anew.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Reuse {
    /// In every iteration: Newton's method proper.
    #[default]
    Never,
    /// Once the factors at hand no longer lead to the solution quickly. Pays where factorising costs much more than
    /// evaluating and consecutive systems differ little, as in time stepping.
    WhileFast {
        /// Largest contraction of the residual and of the step by one iteration; below 1.
        slowest: f64,
        /// Largest number of further iterations foreseen.
        remaining: usize,
        /// Largest relative error θ/(1 − θ) · step of a solution; it takes the place of the tolerance of the step, which
        /// relies on quadratic convergence.
        error: f64,
        /// Whether consecutive systems are members of one family whose rows keep about their size. Where they are not, a
        /// solution found with the factors of an earlier system is looked at once more with its own Jacobian: rows that
        /// weighed more before hide their residuals.
        alike: bool,
    },
}

impl Reuse {
    /// [`Reuse::WhileFast`] with settings that suit most systems.
    pub const fn while_fast() -> Self {
        Self::WhileFast { slowest: 0.2, remaining: 5, error: 1e-11, alike: false }
    }
}

/// A Jacobian whose factors the linear solver holds.
pub(super) struct Held {
    pattern: Pattern,
    jacobian: Vec<f64>,
}

/// How quickly the iteration with the present factors converges.
pub(super) struct Pace {
    reuse: Reuse,
    holds: bool,
    /// Whether the factors are those of an earlier solve.
    inherited: bool,
    /// Length of the last full step with the present factors.
    previous: Option<f64>,
    /// The last contraction measured with them.
    theta: Option<f64>,
}

impl Pace {
    /// `holds`: whether factors of an earlier solve are at hand.
    pub fn new(reuse: Reuse, holds: bool) -> Self {
        Self { reuse, holds, inherited: holds, previous: None, theta: None }
    }

    /// Whether the next step is tried with the factors at hand.
    pub fn holds(&self) -> bool {
        self.holds
    }

    /// Whether the factors at hand are those of an earlier solve whose rows may have weighed otherwise.
    pub fn doubtful(&self) -> bool {
        self.inherited && !matches!(self.reuse, Reuse::WhileFast { alike: true, .. })
    }

    /// Gives the factors up.
    pub fn release(&mut self) {
        (self.holds, self.inherited, self.previous, self.theta) = (false, false, None, None);
    }

    /// Notes a step that was taken; a small one that did not arrive shows that the factors cannot be trusted.
    pub fn record(&mut self, step: f64, alpha: f64, small: bool) {
        self.holds = self.reuse != Reuse::Never && alpha == 1.0 && !small;
        self.previous = self.holds.then_some(step);
        if !self.holds {
            self.release();
        }
    }

    /// Whether the error after the step that was just taken is small enough; unknown, hence no, before two steps have
    /// measured the contraction.
    pub fn arrived(&self, step: f64) -> bool {
        match (self.reuse, self.theta) {
            (Reuse::WhileFast { error, .. }, Some(theta)) => theta < 1.0 && theta / (1.0 - theta) * step <= error,
            _ => false,
        }
    }

    /// Measures the contraction from the last step to one of this length, and tells whether going on promises to be quick.
    fn promises(&mut self, step: f64) -> bool {
        let Reuse::WhileFast { slowest, remaining, error, .. } = self.reuse else { return false };
        let Some(previous) = self.previous else { return step.is_finite() };
        let theta = if step == 0.0 { 0.0 } else { step / previous };
        self.theta = Some(theta);
        let count = i32::try_from(remaining).unwrap_or(i32::MAX);
        theta <= slowest && theta < 1.0 && theta.powi(count) * theta / (1.0 - theta) * step <= error
    }
}

impl Newton {
    /// Puts the Jacobian whose factors are at hand into `at`; false if there is none that fits the system.
    pub(super) fn recall(&mut self, system: &dyn SquareSystem, at: &mut Point) -> bool {
        match &self.held {
            Some(held) if self.options.reuse != Reuse::Never && held.pattern == *system.pattern() => {
                at.jacobian.copy_from_slice(&held.jacobian);
                true
            }
            _ => false,
        }
    }

    /// Factorises the Jacobian of the point and remembers it if it may be used again.
    pub(super) fn factor(&mut self, system: &dyn SquareSystem, at: &Point) -> Result<(), NewtonError> {
        let held = self.held.take();
        self.linear.factor(&at.jacobian).map_err(|error| with_names(error, system))?;
        if self.options.reuse != Reuse::Never {
            self.held = Some(match held {
                Some(mut held) if held.pattern == *system.pattern() => {
                    held.jacobian.copy_from_slice(&at.jacobian);
                    held
                }
                _ => Held { pattern: system.pattern().clone(), jacobian: at.jacobian.clone() },
            });
        }
        Ok(())
    }

    /// Takes a full step with the factors at hand and returns its relative length; `None` if the factors are not good
    /// enough for that, the point then being as before.
    pub(super) fn simplified_step(
        &mut self,
        system: &mut dyn SquareSystem,
        at: &mut Point,
        pace: &mut Pace,
    ) -> Option<f64> {
        let Reuse::WhileFast { slowest, .. } = self.options.reuse else { return None };
        at.step.iter_mut().zip(&at.residual).for_each(|(step, residual)| *step = -residual);
        self.linear.solve_roughly(&mut at.step).ok()?;
        let step = at.step_length();
        let quick = pace.promises(step) && at.leap(system, slowest, self.options.residual);
        quick.then_some(step)
    }
}

#[cfg(test)]
mod tests;
