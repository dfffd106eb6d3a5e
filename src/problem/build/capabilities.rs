//! Refusals: what the file says and the chosen way of solving does not take, by the table of [`crate::tasks::capability`].

use super::super::validate::found;
use super::Check;
use crate::mechanism::{Mechanism, Quadrature, RodSpec};
use crate::tasks::capability::{Ability, Feature, Way};
use crate::tasks::inverse_dynamics::sequential::Solving;

/// A feature and the keys that state it.
type Stated = (Feature, Vec<String>);

fn at(feature: Feature, path: &[&str]) -> Stated {
    (feature, path.iter().map(|key| (*key).to_owned()).collect())
}

/// What a rod states of its damping and its elements.
fn discretised(name: &str, rod: &RodSpec) -> Vec<Stated> {
    let keys = [
        (rod.damping.is_some(), Feature::Damped, "damping"),
        (rod.drag.is_some(), Feature::Drag, "drag"),
        (rod.order > 1, Feature::HigherOrder, "order"),
        (rod.quadrature != Quadrature::Midpoint, Feature::OtherQuadrature, "quadrature"),
    ];
    let stated = keys.into_iter().filter(|(is, ..)| *is);
    stated.map(|(_, feature, key)| at(feature, &["rod", name, key])).collect()
}

impl Check<'_> {
    /// The ways that the task may be solved by: where `auto` leaves the method open, the mechanism decides.
    pub(super) fn ways(&self) -> Vec<Way> {
        let ways = Way::of(&self.spec.task);
        if self.is_hoisted() {
            return vec![Way::SpaceMarch];
        }
        match ways[..] == [Way::SpaceMarch, Way::Global] && self.is_sequential() {
            true if self.solving() == Solving::Bounded => vec![Way::BoundaryValue],
            true => vec![Way::Sequential],
            false => ways,
        }
    }

    /// Refuses what the file states and no way that its task may be solved by takes.
    pub(super) fn refuse_stated(&mut self) {
        if self.task_name().is_none() {
            return;
        }
        for (feature, path) in self.stated() {
            self.refuse_feature(feature, &path);
        }
    }

    /// Whether there may be rods beside those that are marched along.
    fn has_side_rods(&self) -> bool {
        self.spec.rod.len() > 1
    }

    /// Refuses rods that are marched along by what they turn out to be, whichever keys say so. What hangs on them is simulated, and
    /// may be anything that can be.
    pub(super) fn refuse_rods(&mut self, mechanism: &Mechanism, marched: &[usize]) {
        let spec = self.spec;
        let several = self.has_side_rods();
        for rod in marched.iter().map(|rod| &mechanism.rods[*rod]) {
            if let Some(stated) = spec.rod.get(&rod.name).filter(|_| several) {
                for (feature, path) in discretised(&rod.name, stated) {
                    self.refuse_feature(feature, &path);
                }
            }
            let key = |keys: &[&str]| -> Vec<String> {
                let there = keys.iter().find(|key| self.document.get(&["rod", &rod.name, **key]).is_some());
                ["rod", rod.name.as_str()].into_iter().chain(there.copied()).map(str::to_owned).collect()
            };
            if rod.kind.is_unsheared() {
                let path = key(&["model"]);
                self.refuse_feature(Feature::Kirchhoff, &path);
            }
            if (0..=rod.elements).any(|i| (rod.section)(rod.boundary(i)).mass_offset != [0.0; 2]) {
                let path = key(&["offset", "table"]);
                self.refuse_feature(Feature::MassOffset, &path);
            }
        }
    }

    /// What the keys of the file state; exact members look at values instead.
    fn stated(&self) -> Vec<Stated> {
        let spec = self.spec;
        let mut stated = Vec::new();
        // Which rods are marched along is not known yet: see `refuse_rods`.
        let along = self.ways().iter().all(|way| way.is_along()) && self.has_side_rods();
        if self.ways() == [Way::ExactModes] {
            stated.extend(spec.servo.keys().map(|name| at(Feature::Servos, &["servo", name])));
            stated.extend(spec.actuator.keys().map(|name| at(Feature::Actuators, &["actuator", name])));
            stated.extend(spec.winch.keys().map(|name| at(Feature::Winches, &["winch", name])));
            stated.extend(spec.system.iter().map(|_| at(Feature::System, &["system"])));
            return stated;
        }
        if !spec.rod.is_empty() || !spec.body.is_empty() {
            stated.push(at(Feature::Parts, &["task", spec.task.name(), "phase"]));
        }
        for (name, rod) in &spec.rod {
            let path = |key| ["rod", name.as_str(), key];
            if !along {
                stated.extend(discretised(name, rod));
            }
            let keys = [
                (rod.model.is_string(), Feature::Strings, "model"),
                (rod.rigid, Feature::RigidRods, "rigid"),
                (rod.velocity.is_some(), Feature::MovingStart, "velocity"),
                (rod.spin.is_some(), Feature::MovingStart, "spin"),
            ];
            stated.extend(keys.into_iter().filter(|(is, ..)| *is).map(|(_, feature, key)| at(feature, &path(key))));
        }
        for (name, body) in &spec.body {
            let keys = [
                (body.velocity.is_some(), Feature::MovingStart, "velocity"),
                (body.spin.is_some(), Feature::MovingStart, "spin"),
                (body.drag.is_some(), Feature::BodyDrag, "drag"),
            ];
            let keys = keys.into_iter().filter(|(is, ..)| *is);
            stated.extend(keys.map(|(_, feature, key)| at(feature, &["body", name, key])));
        }
        stated.extend(spec.spring.keys().map(|name| at(Feature::Springs, &["spring", name])));
        stated.extend(spec.load.keys().map(|name| at(Feature::Loads, &["load", name])));
        stated.extend(spec.winch.keys().map(|name| at(Feature::Winches, &["winch", name])));
        stated.extend(spec.spin.iter().map(|_| at(Feature::Spin, &["spin"])));
        for (name, actuator) in &spec.actuator {
            let on_joint = spec.joint.contains_key(&actuator.at) && !spec.body.contains_key(&actuator.at);
            let feature = if on_joint { Feature::JointActuators } else { Feature::Actuators };
            stated.push(at(feature, &["actuator", name]));
        }
        for (name, servo) in &spec.servo {
            let on_joint = spec.joint.contains_key(&servo.at) && !spec.body.contains_key(&servo.at);
            let feature = if on_joint || servo.path.is_some() { Feature::JointServos } else { Feature::Servos };
            stated.push(at(feature, &["servo", name]));
        }
        stated.extend(spec.system.iter().map(|_| at(Feature::System, &["system"])));
        stated
    }

    /// Refuses a feature stated at some keys, unless a way takes it.
    fn refuse_feature(&mut self, feature: Feature, path: &[String]) {
        let ways = self.ways();
        if ways.iter().any(|way| feature.ability(*way) == Ability::Takes) {
            return;
        }
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if !self.sure(&path) {
            return;
        }
        let here = self.document.path_text(&path);
        let value =
            self.document.get(&path).map(|node| found(&node.value)).filter(|_| path.len() > 2 || path[0] == "rod");
        let what = match (path.len(), value) {
            (1 | 2, _) => format!("[{here}]"),
            (_, Some(value)) => format!("`{here}` is {value}, which"),
            _ => format!("`{here}`"),
        };
        let way = ways[0].name();
        let (message, label) = match feature.ability(ways[0]) {
            Ability::Takes => return,
            Ability::Meaningless(why) => (format!("{what} has no meaning in {way}: {why}"), "without meaning here"),
            Ability::Missing(why) => (format!("{what} cannot be used in {way} yet: {why}"), "not taken here"),
        };
        self.error(&path, message, label).help(format!("{}: taken by {}", feature.name(), feature.takers()));
    }
}
