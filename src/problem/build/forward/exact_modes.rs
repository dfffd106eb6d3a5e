//! What modes by exact dynamic stiffness cannot treat.

use super::super::Check;
use crate::discretisation::dynamic_stiffness::{Culprit, Obstacle, Trouble, obstacles};
use crate::mechanism::Mechanism;
use crate::tasks::capability::{Feature, Way};
use crate::tasks::modes::circumstances;
use crate::tasks::{ForwardSystem, ModesMethod};

/// What exact members are.
const UNIFORM: &str = "expected straight, uniform and unstressed rods only";

/// The row of the table that refuses it.
fn feature(trouble: Trouble) -> Option<Feature> {
    Some(match trouble {
        Trouble::String => Feature::Strings,
        Trouble::Curved | Trouble::Twisted => Feature::Curved,
        Trouble::Tapered => Feature::Tapered,
        Trouble::Prestrained => Feature::Prestrained,
        Trouble::Damped => Feature::Damped,
        Trouble::Offset => Feature::ElasticOffset,
        Trouble::Loaded | Trouble::Displaced => Feature::Loads,
        Trouble::Rigid => Feature::RigidRods,
        Trouble::Sprung => Feature::Springs,
        Trouble::Resisted => Feature::Drag,
        Trouble::Turning => Feature::Spin,
        Trouble::NoRod | Trouble::Coupled | Trouble::Deficient => return None,
    })
}

impl Check<'_> {
    /// Refuses everything in the way of method "exact", each at its own key.
    pub fn exact_modes(&mut self, system: &ForwardSystem) {
        let Some(spec) = self.spec.task.modes() else { return };
        if spec.method != ModesMethod::Exact {
            return;
        }
        for obstacle in obstacles(&system.mechanism, circumstances(system, spec)) {
            let path = self.path_of_obstacle(&system.mechanism, &obstacle);
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let message = format!(
                "{}, but `task.modes.method` is \"exact\": {}",
                obstacle.describe(&system.mechanism),
                feature(obstacle.trouble).map_or(UNIFORM, |feature| feature.ability(Way::ExactModes).reason())
            );
            let other = match obstacle.trouble {
                Trouble::Loaded | Trouble::Displaced => ", or about = \"reference\" to leave loads out",
                Trouble::Damped | Trouble::Resisted => ", or damped = false to leave damping out",
                _ => "",
            };
            let help = format!("set task.modes.method = \"elements\", which treats it{other}");
            self.error(&path, message, "not with exact members").help(help);
        }
    }

    /// The key that states the obstacle, as far as the file has it.
    fn path_of_obstacle(&self, mechanism: &Mechanism, obstacle: &Obstacle) -> Vec<String> {
        let path = |keys: &[&str]| -> Vec<String> { keys.iter().map(|key| (*key).to_owned()).collect() };
        let rod = match obstacle.culprit {
            Culprit::Mechanism => return path(&["task", "modes", "method"]),
            Culprit::Gravity => return path(&["gravity"]),
            Culprit::Load(load) => return path(&["load", &mechanism.loads[load].name]),
            Culprit::LineLoad(load) => return path(&["load", &mechanism.line_loads[load].name]),
            Culprit::Support(support) => return path(&["support", &mechanism.supports[support].name]),
            Culprit::Rod(rod) => mechanism.rods[rod].name.as_str(),
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
            Trouble::NoRod
            | Trouble::Resisted
            | Trouble::Loaded
            | Trouble::Displaced
            | Trouble::Sprung
            | Trouble::Turning => &[],
        };
        let there = keys.iter().find(|key| self.document.get(&["rod", rod, **key]).is_some());
        there.map_or_else(|| path(&["rod", rod]), |key| path(&["rod", rod, *key]))
    }
}
