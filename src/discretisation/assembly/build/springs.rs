//! Springs and dampers as elements.

use super::super::constraint::{Anchor, Constraint, Row, Turn};
use super::super::element::{Element, Fabric};
use super::super::spring::SpringElement;
use super::Builder;
use crate::geometry::Quaternion;
use crate::models::spring::{Spring, SpringPlace};

impl Builder<'_> {
    /// Elements of the springs; those without a stated rest carry no force in the reference configuration.
    pub(super) fn springs(&self) -> impl Iterator<Item = Element> + '_ {
        self.structure.springs.iter().map(|spring| {
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
        let structure = self.structure;
        let (sides, row) = match spring.place {
            SpringPlace::Between(frames, points) => {
                ([0, 1].map(|side| self.side(frames[side], points[side])), Row::Distance(0.0))
            }
            SpringPlace::Joint(joint) => {
                let sides = structure.sides(joint).map(|(frame, point)| self.side(frame, point));
                let row = match (structure.sliding_axis(joint), structure.turning_axis(joint)) {
                    (Some(axis), _) => Row::Across(self.in_frame(&sides[0], axis)),
                    (None, Some(_)) if structure.dimension == 2 => {
                        let [a, b] = [0, 1].map(|side: usize| sides[side].angle(&self.layout, &self.reference));
                        Row::Angle(b - a)
                    }
                    (None, Some(axis)) => Row::Turn(Turn { axis, reference: self.reference_turns(&sides) }),
                    (None, None) => Row::Distance(0.0),
                };
                (sides, row)
            }
        };
        Constraint { name: spring.name.clone(), sides, rows: vec![row] }
    }

    fn reference_turns(&self, sides: &[Anchor; 2]) -> [Quaternion; 2] {
        let turn = |side: &Anchor| match side.node() {
            Some(node) => self.layout.orientation(&self.reference, node),
            None => Quaternion::IDENTITY,
        };
        [turn(&sides[0]), turn(&sides[1])]
    }
}
