//! The fluid around rods and bodies, and loads by motion, as drag of their nodes.
//!
//! Drag along a rod acts at the nodes of its elements with shares ∫ N_i c ds of its coefficients. The direction of the axis there is
//! that of the section, for strings that of the line through the nodes of the element.

use std::sync::Arc;

use nalgebra::Vector3;

use super::Builder;
use super::rods::{element_rule, rigid_points};
use crate::material::DragLaw;
use crate::mechanism::{Frame, LineDrag, RodPart};
use crate::terms::shape::{lobatto, shape};
use crate::terms::{Attachment, Axis, Drag, NodeKind, Resistance};

impl Builder<'_> {
    pub(super) fn drags(&self) -> Vec<Drag> {
        let mut drags = Vec::new();
        for drag in &self.mechanism.fluid.rods {
            let rod = &self.mechanism.rods[drag.rod];
            match rod.kind.is_rigid() {
                true => self.rigid_drag(rod, drag, &mut drags),
                false => (0..rod.elements).for_each(|element| self.element_drag(rod, element, drag, &mut drags)),
            }
        }
        for drag in &self.mechanism.fluid.bodies {
            let law = DragLaw { normal: drag.force, tangential: drag.force };
            let name = self.mechanism.bodies[drag.body].name.clone();
            let at = self.attach(Frame::Body(drag.body));
            let resistance = Resistance::Fluid { law, axis: Axis::None, rotary: drag.rotary };
            drags.push(Drag { name, at, resistance });
        }
        for load in &self.mechanism.fluid.loads {
            let resistance = Resistance::Stated(Arc::clone(&load.law));
            drags.push(Drag { name: load.name.clone(), at: self.attach(load.at), resistance });
        }
        drags
    }

    fn element_drag(&self, rod: &RodPart, element: usize, drag: &LineDrag, drags: &mut Vec<Drag>) {
        let (start, length) = rod.span(element);
        let points = lobatto(rod.order);
        let first = self.numbers.rods[drag.rod] + element * rod.order;
        let sections: Vec<Attachment> = (0..=rod.order).map(|i| self.attach_number(first + i)).collect();
        let rule = element_rule(rod, start, length, &points);
        let share = |weight: &dyn Fn(&[f64]) -> f64| {
            let part = |point: &super::rods::RulePoint| law_at(drag, point.s).times(point.weight * weight(&point.n));
            rule.iter().map(part).fold(DragLaw::default(), |sum, part| sum.plus(&part))
        };
        let mut laws: Vec<DragLaw> = (0..=rod.order).map(|i| share(&|n| n[i])).collect();
        if laws.iter().any(DragLaw::pushes) {
            // As with masses: shape functions of higher order are negative in places.
            laws = (0..=rod.order).map(|i| share(&|n| n[i] * n[i] / n.iter().map(|n| n * n).sum::<f64>())).collect();
        }
        for (i, (at, law)) in sections.iter().zip(laws).enumerate() {
            let axis = if rod.kind.is_limp() {
                let slopes = shape(&points, points[i]).dn;
                Axis::Line(sections.iter().zip(slopes).map(|(at, slope)| (*at, slope / length)).collect())
            } else {
                self.director(at)
            };
            let resistance = Resistance::Fluid { law, axis, rotary: 0.0 };
            drags.push(Drag { name: rod.name.clone(), at: *at, resistance });
        }
    }

    fn rigid_drag(&self, rod: &RodPart, drag: &LineDrag, drags: &mut Vec<Drag>) {
        for (s, weight) in rigid_points(rod) {
            let at = self.attach_pose(self.numbers.rods[drag.rod], &(rod.reference)(s));
            let (axis, law) = (self.director(&at), law_at(drag, s).times(weight));
            drags.push(Drag { name: rod.name.clone(), at, resistance: Resistance::Fluid { law, axis, rotary: 0.0 } });
        }
    }

    /// d₃ of a section in the frame of its node.
    fn director(&self, at: &Attachment) -> Axis {
        Axis::Director(match self.layout.kind(at.node) {
            NodeKind::SpaceFrame => at.turn.rotate(Vector3::z()),
            NodeKind::PlaneFrame => Vector3::new(at.angle.cos(), at.angle.sin(), 0.0),
            NodeKind::PlanePoint | NodeKind::SpacePoint => return Axis::None,
        })
    }
}

/// Coefficients at s; no numbers where they cannot be evaluated, which is told of the problem beforehand.
fn law_at(drag: &LineDrag, s: f64) -> DragLaw {
    let none = DragLaw { normal: [f64::NAN; 2], tangential: [f64::NAN; 2] };
    drag.at(s).unwrap_or(none)
}
