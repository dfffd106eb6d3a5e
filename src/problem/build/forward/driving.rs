//! Actuators of simulations, with the forces that the file gives them over time.

use super::super::Check;
use super::super::functions::Names;
use super::instants::Instants;
use super::scene::Scene;
use crate::models::{Machine, Structure};
use crate::tasks::{Driving, TaskSpec};

impl Check<'_> {
    /// Actuators and their histories by name, `motor.torque`; without a history a component stays zero.
    pub(super) fn driving(
        &mut self,
        scene: &mut Scene<'_>,
        structure: &Structure,
        names: &Names,
        instants: &Instants,
    ) -> Driving {
        let TaskSpec::Simulate(task) = &self.spec.task else { return Driving::default() };
        let machine = Machine { structure: structure.clone(), drives: Vec::new() };
        let mut driving = Driving { drives: self.drives(scene, &machine), ..Driving::default() };
        let known = driving.names();
        for (name, source) in &task.controls {
            let path = ["task", "simulate", "controls", name];
            let place = self.known_name(&path, name, &known, "control");
            let function = self.function(&path, source, names).filter(|_| names.whole);
            if let (Some(_), Some(function)) = (place, function)
                && self.evaluate_at(&path, &function, instants, false)
            {
                driving.histories.insert(name.clone(), function);
            }
        }
        driving
    }
}
