//! A mechanism that stands still for an instant and is accelerated: M a is in equilibrium with all other forces (d'Alembert).

use super::Equilibrium;

impl Equilibrium<'_> {
    /// Given M a of all degrees of freedom, in the frames of momenta.
    pub fn accelerate(&mut self, inertia: Vec<f64>) {
        self.inertia = Some(inertia);
    }

    /// Adds M a, which does not depend on the configuration that is looked for.
    pub(super) fn add_inertia(&mut self) {
        if let Some(inertia) = &self.inertia {
            self.forces.other.iter_mut().zip(inertia).for_each(|(force, inertia)| *force += inertia);
        }
    }
}
