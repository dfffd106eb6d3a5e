//! What counts as progress along a Newton step.

use super::natural::LastStep;
use super::point::Point;
use super::watchdog::Watch;
use super::{Newton, NewtonError};
use crate::nlp::{EvalFailure, SquareSystem};

/// What counts as progress along a Newton step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Globalisation {
    /// The Euclidean norm of the scaled residual shrinks.
    #[default]
    Residual,
    /// The step that the factors at hand suggest next is shorter: the natural monotonicity test of Deuflhard, with his
    /// prediction of damping factors. It does not depend on how equations are mixed. One more solve for each point tried.
    Natural,
    /// Newton steps become shorter in the long run, the next one need not; full steps are taken where the model can be
    /// evaluated, and taken back if they lead astray. Does not crawl where soft unknowns move stiff ones, as in slender
    /// rods; may find another solution than the nearest.
    Watchdog,
}

/// Length of the Newton step, fraction taken and number of trials; or, if no fraction is progress, the last reason not to
/// evaluate.
pub(super) type Advance = Result<(f64, f64, usize), Option<EvalFailure>>;

/// What is remembered from one step to the next.
#[derive(Debug, Default)]
pub(super) struct Memory {
    last: Option<LastStep>,
    watch: Watch,
}

impl Memory {
    /// Forgets the steps so far; another one was taken since.
    pub fn reset(&mut self) {
        self.last = None;
        self.watch.reset();
    }
}

impl Newton {
    /// Factorises the Jacobian of the point and goes along the Newton step.
    pub(super) fn advance(
        &mut self,
        system: &mut dyn SquareSystem,
        at: &mut Point,
        memory: &mut Memory,
    ) -> Result<Advance, NewtonError> {
        if self.options.globalisation == Globalisation::Watchdog {
            return self.step_on_trust(system, at, &mut memory.watch);
        }
        let step = self.newton_step(system, at)?;
        let searched = match self.options.globalisation {
            Globalisation::Natural => {
                at.search_naturally(system, self.linear.as_mut(), &self.options, &mut memory.last)
            }
            Globalisation::Residual | Globalisation::Watchdog => at.search(system, &self.options),
        };
        Ok(searched.map(|(alpha, trials)| (step, alpha, trials)))
    }
}

#[cfg(test)]
mod tests;
