//! The natural test of progress: errors, not residuals, must shrink.
//!
//! P. Deuflhard, Newton Methods for Nonlinear Problems, Springer 2004, section 3.3 (algorithm NLEQ-ERR). With the Newton
//! step d = −J(x)⁻¹ r(x) and the simplified one d̄(α) = −J(x)⁻¹ r(x + α d) a fraction α is progress if ‖d̄‖ ≤ (1 − α/2) ‖d‖:
//! then the error, seen through the linearisation at x, is smaller. Multiplying the equations by a matrix changes nothing.
//!
//! By Taylor's theorem d̄ − (1 − α) d is about ½ α² h d, h measuring how nonlinear the equations are along d; α = 1/h is the
//! best fraction. Each trial measures h, and so does the next Newton step, before any trial.

use super::NewtonOptions;
use super::point::{Point, evaluate_finite, relative_length};
use crate::nlp::{EvalFailure, SquareSystem};
use crate::solver::linear::LinearSolver;

/// A trial that allows a fraction this many times larger is repeated with it.
const MUCH_LONGER: f64 = 4.0;

/// The last step, which teaches something about the next.
#[derive(Debug)]
pub(super) struct LastStep {
    alpha: f64,
    /// ‖d‖ of the step it was a fraction of.
    length: f64,
}

impl Point {
    /// Goes along the step to a point that passes the natural test, or where the residual is within tolerance. `linear`
    /// holds the factors the step was computed with. Returns and fails as [`Point::search`] does.
    pub fn search_naturally(
        &mut self,
        system: &mut dyn SquareSystem,
        linear: &mut dyn LinearSolver,
        options: &NewtonOptions,
        last: &mut Option<LastStep>,
    ) -> Result<(f64, usize), Option<EvalFailure>> {
        let length = self.step_length();
        let mut alpha = last.take().map_or(1.0, |last| self.predict(length, &last).max(options.min_alpha));
        let (mut trials, mut shortened) = (0, false);
        let mut obstacle = None;
        while alpha >= options.min_alpha {
            trials += 1;
            self.go(alpha);
            if let Err(failure) = evaluate_finite(system, &self.trial_x, &mut self.trial_residual) {
                (alpha, shortened, obstacle) = (0.5 * alpha, true, Some(failure));
                continue;
            }
            obstacle = None;
            if self.tolerable(options.residual) {
                self.accept();
                return Ok((alpha, trials));
            }
            self.simplified.iter_mut().zip(&self.trial_residual).for_each(|(step, residual)| *step = -residual);
            if linear.solve(&mut self.simplified).is_err() {
                (alpha, shortened) = (0.5 * alpha, true);
                continue;
            }
            let remaining = relative_length(self.simplified.iter().copied(), &self.sizes);
            let bent = self.simplified.iter().zip(&self.step).map(|(next, step)| next - (1.0 - alpha) * step);
            let best = 0.5 * alpha * alpha * length / relative_length(bent, &self.sizes);
            if !(remaining <= (1.0 - 0.5 * alpha) * length) {
                (alpha, shortened) = (f64::min(best, 0.5 * alpha), true);
                continue;
            }
            let longer = f64::min(best, 1.0);
            if !shortened && longer >= MUCH_LONGER * alpha {
                alpha = longer;
                continue;
            }
            *last = Some(LastStep { alpha, length });
            self.accept();
            return Ok((alpha, trials));
        }
        Err(obstacle)
    }

    /// The fraction that the change from the simplified step to the Newton step at this point suggests.
    fn predict(&self, length: f64, last: &LastStep) -> f64 {
        let simplified = relative_length(self.simplified.iter().copied(), &self.sizes);
        let change = self.simplified.iter().zip(&self.step).map(|(simplified, step)| simplified - step);
        let change = relative_length(change, &self.sizes);
        let best = last.length * simplified / (change * length) * last.alpha;
        if best < 1.0 { best } else { 1.0 }
    }
}
