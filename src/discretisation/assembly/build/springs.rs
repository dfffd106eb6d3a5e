//! Springs, dampers and bushings as elements.

use nalgebra::Vector3;

use super::super::measures;
use super::Builder;
use crate::mechanism::spring::{Spring, SpringPlace};
use crate::terms::{Anchor, ConditionRow, Constraint, Element, Fabric, SpringElement};

impl Builder<'_> {
    /// Elements of the springs; those without a stated rest carry no force in the reference configuration.
    pub(super) fn springs(&self) -> impl Iterator<Item = Element> + '_ {
        self.mechanism.springs.iter().map(|spring| {
            let (stiffness, damping, law) = (spring.stiffness, spring.damping, spring.law.clone());
            let rest = spring.rest.unwrap_or_default();
            let mut made = SpringElement { measure: self.measure(spring), stiffness, damping, law, rest };
            if spring.rest.is_none() {
                made.rest = made.value(&self.layout, &self.reference);
            }
            let on_node = |side: &Anchor| match side {
                Anchor::Node(at) => Some(*at),
                Anchor::Ground(..) => None,
            };
            Element {
                rod: None,
                middle: 0.0,
                ends: made.measure.sides.iter().filter_map(on_node).collect(),
                damped: spring.is_damped(),
                fabric: Fabric::Spring(Box::new(made)),
                at_instants: false,
            }
        })
    }

    /// What a spring resists: the distance of two points, displacement and rotation of two frames, or what a joint lets free.
    fn measure(&self, spring: &Spring) -> Constraint {
        let mechanism = self.mechanism;
        let with = |sides: [Anchor; 2], rows: Vec<ConditionRow>| Constraint { name: String::new(), sides, rows };
        let sides_of = || spring.place.sides().map(|sides| sides.map(|(frame, point)| self.side(frame, point)));
        let measure = match spring.place {
            SpringPlace::Between(..) => sides_of().map(|sides| with(sides, vec![ConditionRow::Distance(0.0)])),
            SpringPlace::Bushing(..) => sides_of().map(|sides| {
                let axes = (0..mechanism.dimension).map(|c| Vector3::ith(c, 1.0));
                let along = |axis| ConditionRow::Across(sides[0].in_frame(&self.layout, &self.reference, axis));
                let rows = axes.map(along).chain(measures::rotation(
                    mechanism.dimension,
                    &sides,
                    &self.layout,
                    &self.reference,
                ));
                with(sides.clone(), rows.collect())
            }),
            SpringPlace::Joint(joint) => {
                let sides = mechanism.joints[joint].sides().map(|(frame, point)| self.side(frame, point));
                measures::of_spring(mechanism, joint, &sides, &self.layout, &self.reference)
            }
        };
        let named = |measure: Constraint| Constraint { name: spring.name.clone(), ..measure };
        // The reader lets no spring pass that measures nothing.
        let nothing = || [Vector3::zeros(); 2].map(|point| Anchor::Ground(point, [None, None, None]));
        measure.map(named).unwrap_or_else(|| named(with(nothing(), Vec::new())))
    }
}
