//! Springs and dampers as elements.

use super::super::measures;
use super::Builder;
use crate::mechanism::spring::{Spring, SpringPlace};
use crate::terms::{Anchor, Constraint, Element, Fabric, Row, SpringElement};

impl Builder<'_> {
    /// Elements of the springs; those without a stated rest carry no force in the reference configuration.
    pub(super) fn springs(&self) -> impl Iterator<Item = Element> + '_ {
        self.mechanism.springs.iter().map(|spring| {
            let measure = self.measure(spring);
            let mut made = SpringElement { measure, stiffness: spring.stiffness, damping: spring.damping, rest: 0.0 };
            made.rest = spring.rest.unwrap_or_else(|| made.value(&self.layout, &self.reference));
            let on_node = |side: &Anchor| match side {
                Anchor::Node(at) => Some(*at),
                Anchor::Ground(..) => None,
            };
            Element {
                rod: None,
                middle: 0.0,
                ends: made.measure.sides.iter().filter_map(on_node).collect(),
                damped: spring.damping != 0.0,
                fabric: Fabric::Spring(Box::new(made)),
                at_instants: false,
            }
        })
    }

    /// What a spring resists: the distance of two points, the way of a joint that slides, or the angle of one that turns.
    fn measure(&self, spring: &Spring) -> Constraint {
        let mechanism = self.mechanism;
        let apart = |sides: [Anchor; 2]| Constraint { name: String::new(), sides, rows: vec![Row::Distance(0.0)] };
        let measure = match spring.place {
            SpringPlace::Between(frames, points) => apart([0, 1].map(|side| self.side(frames[side], points[side]))),
            SpringPlace::Joint(joint) => {
                let sides = mechanism.joints[joint].sides().map(|(frame, point)| self.side(frame, point));
                let travel = measures::travel(mechanism, joint, &sides, &self.layout, &self.reference);
                let angle = || measures::angle(mechanism, joint, &sides, &self.layout, &self.reference);
                travel.or_else(angle).unwrap_or_else(|| apart(sides.clone()))
            }
        };
        Constraint { name: spring.name.clone(), ..measure }
    }
}
