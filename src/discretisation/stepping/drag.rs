//! Forces of the fluid in a step: at its middle, with the velocities (ẋ, Ω) of the step.

use super::Step;
use crate::discretisation::assembly::Stream;
use crate::terms::write_rates;

impl Step<'_> {
    fn stream(&self) -> Stream<'_> {
        Stream { q: &self.middle, rates: &self.rates, current: self.current, factor: 1.0 }
    }

    /// Rates of all coordinates in the step.
    fn find_rates(&mut self) {
        let layout = &self.assembly.layout;
        for (node, step) in self.nodes.iter().enumerate() {
            let (kind, first) = (layout.kind(node), layout.freedom(node));
            let velocity = step.velocity(kind, &self.half[first..first + kind.freedoms()], self.h);
            write_rates(layout, node, &self.middle, velocity.as_slice(), &mut self.rates);
        }
    }

    /// Adds them at the middle.
    pub(super) fn add_drag(&mut self) {
        if self.assembly.drags.is_empty() {
            return;
        }
        self.find_rates();
        let mut other = std::mem::take(&mut self.forces.other);
        self.assembly.add_drag(&self.stream(), &mut other);
        self.forces.other = other;
    }

    /// Adds their derivatives by the freedoms at the middle to the stiffness.
    pub(super) fn add_drag_stiffness(&mut self) {
        if self.assembly.drags.is_empty() {
            return;
        }
        let (layout, h) = (&self.assembly.layout, self.h);
        let mut stiffness = std::mem::take(&mut self.forces.stiffness);
        let by_place = |node: usize| self.nodes[node].velocity_of_middle(layout.kind(node), h);
        self.assembly.add_drag_stiffness(&self.stream(), Some(&by_place), &mut stiffness);
        self.forces.stiffness = stiffness;
    }

    /// Energy that the fluid took in the last finished step, joule.
    pub(super) fn taken_by_fluid(&self) -> f64 {
        self.h * self.assembly.drag_power(&self.stream())
    }
}
