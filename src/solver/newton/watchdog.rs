//! Full steps on trust, watched by their length.
//!
//! Where soft unknowns move stiff ones, every test that asks each single step for progress allows tiny steps only. A slender
//! rod is the example: turning it by a small angle φ stretches it by φ²/2, and the tension EA φ²/2 pulls it across by
//! EA φ³/2. Compared with its bending stiffness EI that is progress only for φ² < EI/EA, in whatever norm. Newton's method
//! itself is not troubled: its next matrix knows the tension, and one step removes it. So full steps are taken without a
//! test, and what is watched is that Newton steps, which estimate the distance to the solution, become shorter in the long
//! run (the watchdog of R. M. Chamberlain, M. J. D. Powell, C. Lemarechal and H. C. Pedersen, Math. Programming Study 16,
//! 1982). If not, the point with the shortest one is gone back to, for a step that passes the natural test.

use super::globalisation::Advance;
use super::point::{Point, evaluate_finite, relative_length};
use super::{Newton, NewtonError, NewtonOptions};
use crate::nlp::SquareSystem;

/// Number of steps within which one must be shorter than all before.
const PATIENCE: usize = 8;
/// A step that is this many times longer than the shortest before leads astray.
const ASTRAY: f64 = 1e3;

/// The point with the shortest Newton step so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    shortest: Option<f64>,
    x: Vec<f64>,
    /// Sizes of the unknowns at the first point: in those of later points the steps of a runaway would look short.
    sizes: Vec<f64>,
    /// Number of steps since.
    since: usize,
}

impl Watch {
    /// Notes a point with its Newton step; false if it is time to go back.
    fn approves(&mut self, at: &Point) -> bool {
        if self.shortest.is_none() {
            self.sizes.clear();
            self.sizes.extend_from_slice(&at.sizes);
        }
        let length = relative_length(at.step.iter().copied(), &self.sizes);
        match self.shortest {
            Some(shortest) if !(length < shortest) => {
                self.since += 1;
                self.since <= PATIENCE && length <= ASTRAY * shortest
            }
            _ => {
                self.shortest = Some(length);
                self.x.clear();
                self.x.extend_from_slice(&at.x);
                self.since = 0;
                true
            }
        }
    }

    /// Forgets everything; the next point is the first.
    pub fn reset(&mut self) {
        self.shortest = None;
    }
}

impl Newton {
    /// Takes a full step, or goes back and takes one that passes the natural test.
    pub(super) fn step_on_trust(
        &mut self,
        system: &mut dyn SquareSystem,
        at: &mut Point,
        watch: &mut Watch,
    ) -> Result<Advance, NewtonError> {
        match self.newton_step(system, at) {
            Ok(step) if watch.approves(at) => {
                if let Some((alpha, trials)) = at.stride(system, &self.options) {
                    return Ok(Ok((step, alpha, trials)));
                }
            }
            Ok(_) => {}
            // A singular matrix on the way is a reason to go back, at the start it is the end.
            Err(error) if watch.shortest.is_none() => return Err(error),
            Err(_) => {}
        }
        at.x.copy_from_slice(&watch.x);
        watch.reset();
        let unevaluated = |source| NewtonError::Evaluation { point: "the best point so far".into(), source };
        evaluate_finite(system, &at.x, &mut at.residual).map_err(unevaluated)?;
        at.linearise(system).map_err(unevaluated)?;
        let step = self.newton_step(system, at)?;
        let searched = at.search_naturally(system, self.linear.as_mut(), &self.options, &mut None);
        Ok(searched.map(|(alpha, trials)| (step, alpha, trials)))
    }
}

impl Point {
    /// Goes as far along the step as the model can be evaluated without unknowns running away; `None` if nowhere.
    fn stride(&mut self, system: &mut dyn SquareSystem, options: &NewtonOptions) -> Option<(f64, usize)> {
        let (mut alpha, mut trials) = (1.0, 1);
        while alpha >= options.min_alpha {
            self.go(alpha);
            let within = |(x, scale): (&f64, &f64)| x.abs() <= options.divergence * scale;
            if self.trial_x.iter().zip(&self.scales).all(within)
                && evaluate_finite(system, &self.trial_x, &mut self.trial_residual).is_ok()
            {
                self.accept();
                return Some((alpha, trials));
            }
            (alpha, trials) = (0.5 * alpha, trials + 1);
        }
        None
    }
}
