//! What modes by exact dynamic stiffness cannot treat.

use super::super::Check;
use crate::discretisation::dynamic_stiffness::{Culprit, Obstacle, Trouble, obstacles};
use crate::models::Structure;
use crate::tasks::modes::circumstances;
use crate::tasks::{ForwardSystem, ModesMethod, TaskSpec};

impl Check<'_> {
    /// Refuses everything in the way of method "exact", each at its own key.
    pub fn exact_modes(&mut self, system: &ForwardSystem) {
        let TaskSpec::Modes(spec) = &self.spec.task else { return };
        if spec.method != ModesMethod::Exact {
            return;
        }
        for obstacle in obstacles(&system.structure, circumstances(system, spec)) {
            let path = self.path_of_obstacle(&system.structure, &obstacle);
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let message = format!(
                "{}, but `task.modes.method` is \"exact\", expected straight, uniform and unstressed rods only",
                obstacle.describe(&system.structure)
            );
            let other = match obstacle.trouble {
                Trouble::Loaded | Trouble::Displaced => ", or about = \"reference\" to leave loads out",
                Trouble::Damped => ", or damped = false to leave damping out",
                _ => "",
            };
            let help = format!("set task.modes.method = \"elements\", which treats it{other}");
            self.error(&path, message, "not with exact members").help(help);
        }
    }

    /// The key that states the obstacle, as far as the file has it.
    fn path_of_obstacle(&self, structure: &Structure, obstacle: &Obstacle) -> Vec<String> {
        let path = |keys: &[&str]| -> Vec<String> { keys.iter().map(|key| (*key).to_owned()).collect() };
        let rod = match obstacle.culprit {
            Culprit::Mechanism => return path(&["task", "modes", "method"]),
            Culprit::Gravity => return path(&["gravity"]),
            Culprit::Load(load) => return path(&["load", &structure.loads[load].name]),
            Culprit::LineLoad(load) => return path(&["load", &structure.line_loads[load].name]),
            Culprit::Support(support) => return path(&["support", &structure.supports[support].name]),
            Culprit::Rod(rod) => structure.rods[rod].name.as_str(),
        };
        let keys: &[&str] = match obstacle.trouble {
            Trouble::String => &["model"],
            Trouble::Curved => &["curve"],
            Trouble::Twisted => &["twist", "curve"],
            Trouble::Tapered => &["table", "section", "stiffness", "inertia"],
            Trouble::Prestrained => &["prestrain"],
            Trouble::Damped => &["damping"],
            Trouble::Offset => &["offset", "table"],
            Trouble::Coupled => &["offset", "stiffness", "table"],
            Trouble::Deficient => &["inertia", "stiffness"],
            Trouble::Rigid => &["rigid"],
            Trouble::NoRod | Trouble::Loaded | Trouble::Displaced | Trouble::Sprung | Trouble::Turning => &[],
        };
        let there = keys.iter().find(|key| self.document.get(&["rod", rod, **key]).is_some());
        there.map_or_else(|| path(&["rod", rod]), |key| path(&["rod", rod, *key]))
    }
}
