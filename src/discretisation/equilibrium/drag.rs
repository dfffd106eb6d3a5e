//! The fluid around a mechanism that rests: the drag of its current.

use super::Equilibrium;
use crate::discretisation::assembly::{CURRENT, Instant, Order, Stream};
use crate::nlp::EvalFailure;

impl Equilibrium<'_> {
    /// The factor of the forces of the current.
    pub(super) fn drag_factor(&self) -> f64 {
        self.assembly.own_factor(CURRENT, self.factor)
    }

    /// The fluid around a configuration at rest.
    pub fn stream<'s>(&'s self, q: &'s [f64]) -> Result<Stream<'s>, EvalFailure> {
        let (current, factor) = self.assembly.current(Instant { t: self.time, factor: self.factor })?;
        Ok(Stream { q, rates: &self.still, current, factor })
    }

    /// Adds the forces of the current times a factor where the mechanism was placed.
    pub(super) fn add_drag(&mut self, factor: f64, order: Order) -> Result<(), EvalFailure> {
        if self.assembly.drags.is_empty() || order < Order::Gradient {
            return Ok(());
        }
        let (current, _) = self.assembly.current(Instant { t: self.time, factor: self.factor })?;
        let stream = Stream { q: &self.q, rates: &self.still, current, factor };
        self.assembly.add_drag(&stream, &mut self.forces.other);
        if order == Order::Hessian {
            self.assembly.add_drag_stiffness(&stream, None, &mut self.forces.stiffness);
        }
        Ok(())
    }
}
