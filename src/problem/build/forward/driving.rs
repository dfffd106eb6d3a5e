//! Actuators of simulations, with the forces that the file gives them over time.

use super::super::Check;
use super::super::functions::Names;
use super::instants::Instants;
use super::scene::Scene;
use crate::mechanism::Mechanism;
use crate::tasks::Histories;

impl Check<'_> {
    /// Actuators and their histories by name, `motor.torque`; without a history a component stays zero.
    pub(super) fn histories(
        &mut self,
        scene: &mut Scene<'_>,
        mechanism: &mut Mechanism,
        names: &Names,
        instants: &Instants,
    ) -> Histories {
        let Some(task) = self.spec.task.simulate() else { return Histories::default() };
        mechanism.drives = self.drives(scene, mechanism);
        let mut histories = Histories::default();
        let known = mechanism.control_names();
        for (name, source) in &task.controls {
            let path = ["task", "simulate", "controls", name];
            let place = self.known_name(&path, name, &known, "control");
            let function = self.function(&path, source, names).filter(|_| names.whole);
            if let (Some(_), Some(function)) = (place, function)
                && self.evaluate_at(&path, &function, instants, false)
            {
                histories.insert(name.clone(), function);
            }
        }
        histories
    }
}
