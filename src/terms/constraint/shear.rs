//! Rods that do not shear: ∫γ ds over an element by its strain in the middle, in the plane along d₁, in space along d₁ and d₂.
//!
//! In the plane with the chord c = y_b − y_a and the directors at the mean angle θ = (θ_a + θ_b)/2
//!
//! g = c·d₁,  δg = δc·d₁ − ½ c·d₃ (δθ_a + δθ_b),  δ²g = d₁·δ²c − d₃·δc (δθ_a + δθ_b) − ¼ c·d₁ (δθ_a + δθ_b)²;
//!
//! in space they are those of Γ, see [`SpaceRod`].

use nalgebra::{Matrix6, RowVector6, Vector3, Vector6};

use super::{Anchor, ConditionRow, Constraint, RowCurvature, RowDerivative, rotations_only};
use crate::scalar::Scalar;
use crate::terms::attachment::{Attachment, space_attachment};
use crate::terms::hot::space_rod::{SpaceEnd, SpaceRod};
use crate::terms::layout::{Layout, NodeKind};
use crate::terms::nodes::Nodes;
use crate::terms::shape::MAX_NODES;
use crate::terms::strain::{self, RodPoint};

/// The shear of a two-node element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shear {
    /// The sections at both ends.
    pub sections: [Attachment; 2],
    /// Which of Γ₁ and Γ₂: 0 or 1.
    pub across: usize,
    /// Length of the element, metre.
    pub length: f64,
    /// Value in the reference configuration, metre, where the element is not sheared.
    pub rest: f64,
    /// Arc length of the middle, metre.
    pub middle: f64,
}

/// Place of the angle among the degrees of freedom of a plane frame.
const ANGLE: usize = 2;

impl Shear {
    /// The middle of the element, with its length as weight.
    fn point(&self) -> RodPoint {
        let (mut n, mut dn) = ([0.0; MAX_NODES], [0.0; MAX_NODES]);
        n[..2].copy_from_slice(&[0.5; 2]);
        dn[..2].copy_from_slice(&[-1.0 / self.length, 1.0 / self.length]);
        let [stiffness, damping] = [Matrix6::zeros(); 2];
        RodPoint { weight: self.length, n, dn, stiffness, damping, rest: Vector6::zeros() }
    }

    /// g over any scalar.
    pub fn value_over<T: Scalar>(&self, nodes: &Nodes<'_, T>) -> T {
        let sections = self.sections.each_ref();
        let strain = match nodes.layout.kind(sections[0].node) {
            NodeKind::SpaceFrame => {
                let ends = sections.map(|section| (nodes.point(section), nodes.turn(section)));
                strain::in_space(&self.point(), None, &ends)
            }
            _ => {
                let ends = sections.map(|section| (nodes.point(section), nodes.angle_of(section)));
                strain::in_plane(&self.point(), &ends)
            }
        };
        strain[self.across] * self.length - self.rest
    }

    /// ∂g and ∂²g by the degrees of freedom of the nodes.
    pub fn derivatives(&self, layout: &Layout, q: &[f64]) -> (RowDerivative, RowCurvature) {
        match layout.kind(self.sections[0].node) {
            NodeKind::SpaceFrame => self.in_space(layout, q),
            _ => in_plane(self.sections.each_ref(), layout, q),
        }
    }

    fn in_space(&self, layout: &Layout, q: &[f64]) -> (RowDerivative, RowCurvature) {
        let sections = self.sections.each_ref();
        let ends = sections.map(|section| {
            let node = layout.orientation(q, section.node).normalised();
            SpaceEnd { position: section.position(layout, q), orientation: node * section.turn }
        });
        let (first, second) = SpaceRod::shear_derivatives(&self.point(), &ends, self.across);
        let to_nodes = sections.map(|section| space_attachment(section, layout, q));
        let [start, end] = &to_nodes;
        let mut curvature =
            [start.tr_mul(&second[0]) * start, end.tr_mul(&second[1]) * end, start.tr_mul(&second[2]) * end];
        for side in 0..2 {
            let force = Vector3::new(first[side][0], first[side][1], first[side][2]);
            curvature[side] +=
                rotations_only(NodeKind::SpaceFrame, &sections[side].position_curvature(layout, q, &force));
        }
        ([0, 1].map(|side| first[side] * to_nodes[side]), curvature)
    }
}

fn in_plane(sections: [&Attachment; 2], layout: &Layout, q: &[f64]) -> (RowDerivative, RowCurvature) {
    let [a, b] = sections.map(|section| section.position(layout, q));
    let angle = |section: &Attachment| layout.angle(q, section.node) + section.angle;
    let (sin, cos) = (0.5 * (angle(sections[0]) + angle(sections[1]))).sin_cos();
    let (d1, d3, chord) = (Vector3::new(-sin, cos, 0.0), Vector3::new(cos, sin, 0.0), b - a);
    let moved = sections.map(|section| section.position_derivative(layout, q));
    let signs = [-1.0, 1.0];
    let first: [RowVector6<f64>; 2] = [0, 1].map(|side| {
        let mut row = d1.transpose() * moved[side] * signs[side];
        row[ANGLE] -= 0.5 * chord.dot(&d3);
        row
    });
    let turn = Vector6::ith(ANGLE, 1.0);
    let along = [0, 1].map(|side| moved[side].tr_mul(&d3) * (0.5 * signs[side]));
    let mut second = [(0, 0), (1, 1), (0, 1)].map(|(r, c): (usize, usize)| {
        let mut block = -(along[r] * turn.transpose() + turn * along[c].transpose());
        block[(ANGLE, ANGLE)] -= 0.25 * chord.dot(&d1);
        block
    });
    for side in 0..2 {
        let curvature = sections[side].position_curvature(layout, q, &(d1 * signs[side]));
        second[side] += rotations_only(NodeKind::PlaneFrame, &curvature);
    }
    (first, second)
}

impl ConditionRow {
    /// Whether it keeps a rod from shearing.
    pub fn is_of_shear(&self) -> bool {
        matches!(self, ConditionRow::Shear(_))
    }
}

impl Constraint {
    /// The condition that an element between two sections is not sheared, of its length and the arc length of its middle: one row in
    /// the plane, two in space.
    pub fn unsheared(
        rod: &str,
        sections: [Attachment; 2],
        [length, middle]: [f64; 2],
        layout: &Layout,
        reference: &[f64],
    ) -> Self {
        let axes = if layout.kind(sections[0].node) == NodeKind::SpaceFrame { 2 } else { 1 };
        let nodes = Nodes { layout, q: reference };
        let row = |across: usize| {
            let shear = Shear { sections, across, length, rest: 0.0, middle };
            ConditionRow::Shear(Shear { rest: shear.value_over(&nodes), ..shear })
        };
        Self { name: rod.to_owned(), sides: sections.map(Anchor::Node), rows: (0..axes).map(row).collect() }
    }
}
