//! Elements, masses and line loads of rods.

use nalgebra::{Matrix3, Vector3, Vector6};

use super::Builder;
use crate::kernel::Profile;
use crate::mechanism::{Quadrature, RodPart};
use crate::terms::shape::{MAX_NODES, gauss, lobatto, shape};
use crate::terms::{
    Attachment, Element, Fabric, Load, LoadSource, MassShares, NodeKind, NodeMass, PlaneRod, RodPoint, SpaceRod,
    StringElement,
};

/// Points per element at which the mass of a rigid rod is integrated: exact for moments of a straight one with a section
/// that varies as s⁵.
const RIGID_POINTS: usize = 4;

/// A point of the quadrature of masses and loads over an element.
pub(super) struct RulePoint {
    pub s: f64,
    /// Weight times length, metre.
    pub weight: f64,
    /// N_i.
    pub n: [f64; MAX_NODES],
}

/// Gauss quadrature over an element, piece by piece between kinks of the section.
pub(super) fn element_rule(rod: &RodPart, start: f64, length: f64, points: &[f64]) -> Vec<RulePoint> {
    let pieces = rod.mesh.smooth_pieces(start, length);
    let mut rule = Vec::with_capacity(pieces.len() * (rod.order + 1));
    for (from, part) in &pieces {
        for (place, weight) in gauss(rod.order + 1) {
            let s = from + place * part;
            let inside = if pieces.len() == 1 { place } else { (s - start) / length };
            rule.push(RulePoint { s, weight: weight * part, n: shape(points, inside).n });
        }
    }
    rule
}

/// Arc lengths and weights, metre, of the points over which the mass of a rigid rod is integrated.
pub fn rigid_points(rod: &RodPart) -> impl Iterator<Item = (f64, f64)> {
    let pieces = (0..rod.elements).flat_map(|element| {
        let (start, length) = rod.span(element);
        rod.mesh.smooth_pieces(start, length)
    });
    pieces.flat_map(|(start, length)| {
        gauss(RIGID_POINTS).into_iter().map(move |(place, weight)| (start + place * length, weight * length))
    })
}

impl Builder<'_> {
    /// Elements, masses of the nodes, and loads along the rods.
    pub(super) fn rods(&self) -> (Vec<Element>, Vec<NodeMass>, Vec<Load>) {
        let mut elements = Vec::new();
        let mut masses = vec![NodeMass::NONE; self.layout.nodes()];
        let mut line = Vec::new();
        for (index, rod) in self.mechanism.rods.iter().enumerate() {
            let points = lobatto(rod.order);
            if rod.kind.is_rigid() {
                self.rigid_rod(index, rod, &mut masses, &mut line);
                continue;
            }
            let loads: Vec<_> = self.mechanism.line_loads.iter().filter(|load| load.rod == index).collect();
            for element in 0..rod.elements {
                let (start, length) = rod.span(element);
                let numbers = (0..=rod.order).map(|i| self.numbers.rods[index] + element * rod.order + i);
                let mut sections: Vec<Attachment> = numbers.map(|number| self.attach_number(number)).collect();
                self.straighten_angles(&mut sections);
                if self.winch_of(index).is_some() {
                    // Its mass runs through its nodes: see `terms::reeved`.
                    elements.push(self.reeved(index, rod, (start, length), &sections));
                    continue;
                }
                let made = self.element(index, rod, start, length, &points, &sections);
                // Consistent shares of mass and load: ∫ N_i (…) ds, piece by piece between kinks of the section.
                let rule = element_rule(rod, start, length, &points);
                let shares = self.mass_shares(rod, &rule, &sections);
                for (i, (at, body)) in sections.iter().zip(shares).enumerate() {
                    masses[at.node].add(&body);
                    let share: Vec<(f64, f64)> =
                        rule.iter().map(|point| (point.weight * point.n[i], point.s)).collect();
                    for load in &loads {
                        let turned = |components: &[Profile; 3]| self.in_plane_axes(components, load.follows);
                        let source = LoadSource::Line(share.clone(), turned(&load.force), turned(&load.torque));
                        line.push(Load { name: load.name.clone(), at: *at, source, follows: load.follows });
                    }
                }
                elements.push(made);
            }
        }
        (elements, masses, line)
    }

    /// Mass and loads of a rod that keeps its reference shape: ∫ … ds of its sections where they are.
    fn rigid_rod(&self, index: usize, rod: &RodPart, masses: &mut [NodeMass], line: &mut Vec<Load>) {
        let number = self.numbers.rods[index];
        for (s, weight) in rigid_points(rod) {
            let at = self.attach_pose(number, &(rod.reference)(s));
            masses[at.node].add(&self.mass_of_section(&at, &(rod.section)(s), weight));
            for load in self.mechanism.line_loads.iter().filter(|load| load.rod == index) {
                let turned = |components: &[Profile; 3]| self.in_plane_axes(components, load.follows);
                let source = LoadSource::Line(vec![(weight, s)], turned(&load.force), turned(&load.torque));
                line.push(Load { name: load.name.clone(), at, source, follows: load.follows });
            }
        }
    }

    /// What of the mass of an element moves with each of its nodes.
    ///
    /// Shape functions of higher order are negative in places. Where the section changes so much within an element that a
    /// node would be left with a negative mass or inertia, and motions would grow without bound, the shares are those of
    /// N_i²/ΣN_j² instead: positive, and the same in sum.
    fn mass_shares(&self, rod: &RodPart, rule: &[RulePoint], sections: &[Attachment]) -> Vec<NodeMass> {
        let shares = |weight: &dyn Fn(&RulePoint, usize) -> f64| -> Vec<NodeMass> {
            let of_node = |(i, at): (usize, &Attachment)| {
                let mut shares = MassShares::default();
                for point in rule {
                    let section = (rod.section)(point.s);
                    shares.add(&self.mass_of_section(at, &section, 1.0), point.weight * weight(point, i));
                }
                shares.body()
            };
            sections.iter().enumerate().map(of_node).collect()
        };
        let consistent = shares(&|point, i| point.n[i]);
        let negative = |body: &NodeMass| {
            let least = body.inertia.symmetric_eigenvalues().min();
            body.mass < 0.0 || least < -1e-12 * body.inertia.amax()
        };
        if rod.order == 1 || !consistent.iter().any(negative) {
            return consistent;
        }
        shares(&|point, i| point.n[i] * point.n[i] / point.n.iter().map(|n| n * n).sum::<f64>())
    }

    /// In the plane, neighbouring sections of an element differ by less than half a turn.
    fn straighten_angles(&self, sections: &mut [Attachment]) {
        let of = |at: &Attachment| self.layout.angle(&self.reference, at.node) + at.angle;
        for i in 1..sections.len() {
            let both = [i - 1, i].map(|k| self.layout.kind(sections[k].node));
            if both == [NodeKind::PlaneFrame; 2] {
                let turns = (of(&sections[i]) - of(&sections[i - 1])) / std::f64::consts::TAU;
                sections[i].angle -= std::f64::consts::TAU * turns.round();
                sections[i].plain &= sections[i].angle == 0.0;
            }
        }
    }

    fn mass_of_section(&self, at: &Attachment, section: &crate::material::Section, weight: f64) -> NodeMass {
        let kind = self.layout.kind(at.node);
        let centre = at.shifted(kind, section.mass_offset).offset;
        let inertia = match kind {
            NodeKind::SpaceFrame => {
                let turn = at.turn.matrix();
                turn * section.inertia * turn.transpose()
            }
            // About z, which is d₂.
            _ => Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, section.inertia[(1, 1)])),
        };
        NodeMass { mass: section.mass * weight, centre, inertia: inertia * weight }
    }

    fn element(
        &self,
        index: usize,
        rod: &RodPart,
        start: f64,
        length: f64,
        points: &[f64],
        sections: &[Attachment],
    ) -> Element {
        let ends: Vec<Attachment> = sections
            .iter()
            .enumerate()
            .map(|(i, at)| {
                let offset = (rod.section)(start + points[i] * length).elastic_offset;
                at.shifted(self.layout.kind(at.node), offset)
            })
            .collect();
        let middle = start + 0.5 * length;
        let at_instants =
            rod.order == 1 && matches!(rod.quadrature, Quadrature::Trapezoidal | Quadrature::MidpointInSpace);
        let mut element = Element {
            rod: Some(index),
            middle,
            ends,
            fabric: Fabric::String(StringElement { length, rest: 1.0, axial: 0.0, damping: 0.0, law: rod.law.axial }),
            damped: false,
            at_instants,
        };
        if rod.kind.is_limp() {
            let section = (rod.section)(middle);
            let chord = (element.ends[1].position(&self.layout, &self.reference)
                - element.ends[0].position(&self.layout, &self.reference))
            .norm();
            let prestrain = rod.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(middle)[2]);
            element.fabric = Fabric::String(StringElement {
                length,
                rest: chord / length + prestrain,
                axial: section.stiffness[(2, 2)],
                damping: section.damping[(2, 2)],
                law: rod.law.axial,
            });
            element.damped = section.damping[(2, 2)] != 0.0;
            return element;
        }
        let trapezoidal =
            rod.order == 1 && matches!(rod.quadrature, Quadrature::Trapezoidal | Quadrature::MidpointInTime);
        let rule = if trapezoidal { vec![(0.0, 0.5), (1.0, 0.5)] } else { gauss(rod.order) };
        let quadrature: Vec<RodPoint> = rule
            .into_iter()
            .map(|(place, weight)| {
                let shape = shape(points, place);
                let mut section = (rod.section)(start + place * length);
                if rod.kind.is_unsheared() {
                    // The force across a section that cannot shear is a multiplier, not a stress.
                    for matrix in [&mut section.stiffness, &mut section.damping] {
                        for across in 0..2 {
                            matrix.fill_row(across, 0.0);
                            matrix.fill_column(across, 0.0);
                        }
                    }
                }
                RodPoint {
                    weight: weight * length,
                    n: shape.n,
                    dn: shape.dn.map(|slope| slope / length),
                    stiffness: section.stiffness,
                    damping: section.damping,
                    rest: Vector6::zeros(),
                }
            })
            .collect();
        element.damped = quadrature.iter().any(|point| point.damping.iter().any(|&d| d != 0.0));
        let places: Vec<f64> = quadrature
            .iter()
            .map(|point| {
                let inside: f64 = points.iter().zip(&point.n).map(|(x, n)| x * n).sum();
                start + inside * length
            })
            .collect();
        let nodes = rod.order + 1;
        element.fabric = if self.mechanism.dimension == 2 {
            Fabric::Plane(PlaneRod { nodes, law: rod.law, points: quadrature })
        } else {
            let geodesic = (rod.order == 1 && !trapezoidal).then_some(length);
            Fabric::Space(SpaceRod { nodes, geodesic, law: rod.law, points: quadrature })
        };
        // The reference shape is unstressed: its strains, as this element measures them, are the rest strains.
        let rest: Vec<Vector6<f64>> = (0..places.len())
            .map(|point| {
                let extra = rod.prestrain.as_ref().map_or_else(Vector6::zeros, |prestrain| prestrain(places[point]));
                element.strain(&self.layout, &self.reference, point) + extra
            })
            .collect();
        if let Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) = &mut element.fabric {
            points.iter_mut().zip(rest).for_each(|(point, rest)| point.rest = rest);
        }
        element
    }
}
