//! Mechanisms that are stated without a mistake and will hardly have an answer.

use nalgebra::Vector3;

use super::super::{Check, list};
use crate::mechanism::{Frame, JointPart, Mechanism, Spring, SpringPlace};
use crate::tasks::ForwardSystem;

impl Check<'_> {
    /// Warns of parts that nothing holds, and refuses bodies that turn without resistance.
    pub fn trouble(&mut self, system: &ForwardSystem) {
        if self.task_name() == Some("statics") {
            self.not_held(&system.mechanism);
        }
        if self.needs_mass() {
            self.turning_points(&system.mechanism);
        }
    }

    /// A part of the mechanism that neither a support nor a joint with the ground holds has no equilibrium, or infinitely
    /// many.
    fn not_held(&mut self, mechanism: &Mechanism) {
        let groups = connected(mechanism);
        for group in groups.iter().filter(|group| !group.held) {
            let names: Vec<String> = group.parts.iter().map(|part| part.describe(mechanism)).collect();
            let (table, name) = match group.parts.first() {
                Some(Part::Rod(rod)) => ("rod", mechanism.rods[*rod].name.as_str()),
                Some(Part::Body(body)) => ("body", mechanism.bodies[*body].name.as_str()),
                None => continue,
            };
            let alone = matches!(group.parts.as_slice(), [Part::Body(_)]);
            let what = if alone { "is joined to nothing and held by nothing" } else { "is held by nothing" };
            let message = format!("{} {what}: statics will not find a single equilibrium", list(&names));
            self.warn(&[table, name], message, "free to move away")
                .help("add a [support.*], or a joint with \"ground\"");
        }
    }

    /// A point mass has no orientation: a joint away from it, or one that leaves rotations free, would turn it without
    /// resistance.
    pub(in crate::problem::build) fn turning_points(&mut self, mechanism: &Mechanism) {
        for (index, body) in mechanism.bodies.iter().enumerate() {
            let needed = if mechanism.dimension == 2 {
                body.inertia[(2, 2)]
            } else {
                body.inertia.symmetric_eigenvalues().min()
            };
            if needed > 1e-12 * body.inertia.amax() && needed > 0.0 {
                continue;
            }
            let turns = |frame: Frame| match frame {
                Frame::Section { rod, .. } => mechanism.rods[rod].kind.turns(),
                Frame::Body(other) => other != index,
                Frame::Ground => true,
            };
            let of_body = mechanism.joints.iter().filter(|joint| joint.between.contains(&Frame::Body(index)));
            let joints: Vec<_> = of_body.collect();
            let held = joints.iter().any(|joint| {
                let turning = joint.between.iter().any(|frame| *frame != Frame::Body(index) && turns(*frame));
                joint.kind.holds_rotation() && turning
            });
            let held = held || mechanism.supports.iter().any(|s| s.at == Frame::Body(index) && s.rotation.is_some());
            let size = mechanism.rods.iter().map(|rod| rod.length).fold(body.pose.position.norm(), f64::max);
            let beside = |point: Vector3<f64>| (point - body.pose.position).norm() > 1e-6 * size;
            let own = |(frame, point): &(Frame, Vector3<f64>)| *frame == Frame::Body(index) && beside(*point);
            let directed = |joint: &JointPart| joint.is_moving() && joint.kind.needs_orientation(mechanism.dimension);
            let sprung = |joint: &JointPart| {
                let on = |spring: &Spring| matches!(spring.place, SpringPlace::Joint(at) if mechanism.joints[at].name == joint.name);
                joint.kind.measures(mechanism.dimension) > 1 && mechanism.springs.iter().any(on)
            };
            let off = joints.iter().any(|joint| joint.sides().iter().any(own) || directed(joint) || sprung(joint))
                || mechanism.springs.iter().any(|spring| {
                    let turned = |(frame, point): (Frame, Vector3<f64>)| {
                        frame == Frame::Body(index) && (beside(point) || spring.place.needs_orientation())
                    };
                    spring.place.sides().into_iter().flatten().any(turned)
                });
            let is_point = body.inertia.amax() == 0.0;
            if held || (is_point && !off) {
                continue;
            }
            let message = format!(
                "body `{}` can turn, but has {} rotary inertia, expected a positive one",
                body.name,
                if is_point { "no" } else { "a vanishing" }
            );
            self.error(&["body", &body.name, "inertia"], message, "turns without resistance").help(
                "give it `inertia`, join it rigidly to a beam, rod or body, or put its joints at its mass centre",
            );
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Rod(usize),
    Body(usize),
}

impl Part {
    fn of(frame: Frame) -> Option<Self> {
        match frame {
            Frame::Ground => None,
            Frame::Body(body) => Some(Part::Body(body)),
            Frame::Section { rod, .. } => Some(Part::Rod(rod)),
        }
    }

    fn describe(self, mechanism: &Mechanism) -> String {
        match self {
            Part::Rod(rod) => format!("rod `{}`", mechanism.rods[rod].name),
            Part::Body(body) => format!("body `{}`", mechanism.bodies[body].name),
        }
    }
}

/// Parts that joints hold together, and whether anything holds them to the ground.
struct Group {
    parts: Vec<Part>,
    held: bool,
}

fn connected(mechanism: &Mechanism) -> Vec<Group> {
    let rods = (0..mechanism.rods.len()).map(Part::Rod);
    let bodies = (0..mechanism.bodies.len()).map(Part::Body);
    let mut groups: Vec<Group> = rods.chain(bodies).map(|part| Group { parts: vec![part], held: false }).collect();
    let place = |groups: &[Group], part: Part| groups.iter().position(|group| group.parts.contains(&part));
    let springs = mechanism.springs.iter().filter(|spring| spring.is_elastic());
    let springs = springs.filter_map(|spring| spring.place.frames());
    for between in mechanism.joints.iter().map(|joint| joint.between).chain(springs) {
        match between.map(Part::of) {
            [Some(a), Some(b)] => {
                let (Some(a), Some(b)) = (place(&groups, a), place(&groups, b)) else { continue };
                if a != b {
                    let moved = groups.remove(a.max(b));
                    let kept = &mut groups[a.min(b)];
                    kept.parts.extend(moved.parts);
                    kept.held |= moved.held;
                }
            }
            [Some(only), None] | [None, Some(only)] => {
                if let Some(group) = place(&groups, only) {
                    groups[group].held = true;
                }
            }
            [None, None] => {}
        }
    }
    for support in &mechanism.supports {
        if let Some(group) = Part::of(support.at).and_then(|part| place(&groups, part)) {
            groups[group].held = true;
        }
    }
    groups
}
