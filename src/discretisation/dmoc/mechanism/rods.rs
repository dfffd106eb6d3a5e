//! Two-node elements of rods: strains at the middle of an element, masses at its ends.
//!
//! In the plane γ = Rᵀ(θ_m) Δx/ℓ at the mean angle θ_m and κ = Δθ/ℓ; in space with P the mean of both quaternions
//! Γ + e₃ = R(P)ᵀ Δx/(ℓ |P|²) and K = 2 Im(P̄ ΔP)/(ℓ |P|²). Midpoint strains do not lock. Rest strains are those that the same
//! formulas find in the reference configuration, so that it is free of stress, up to prestrains.

use nalgebra::{DMatrix, Matrix6, Vector3, Vector6};

use super::MechanismError;
use super::algebra::{Rotation, imaginary, norm_squared, relative, sub};
use super::nodes::{Placed, Placement};
use super::view::View;
use crate::discretisation::assembly::shape::gauss;
use crate::geometry::Quaternion;
use crate::material::{Law, RodLaw};
use crate::models::structure::{Quadrature, RodKind, RodPart, Structure};
use crate::nlp::graph::Expr;

/// What the strains are called.
pub(super) const STRAINS: [&str; 6] =
    ["shear along d1", "shear along d2", "stretch", "bending about d1", "bending about d2", "twist"];

/// An element.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub rod: usize,
    /// Points on the elastic axis with the directors of the sections.
    ends: [Placed; 2],
    length: f64,
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
    law: RodLaw,
    /// Strains without stress, (Γ + e₃, K); of a string its stretch in place of Γ₃.
    rest: Vector6<f64>,
    /// Strains of the reference configuration from the rest: less the prestrain.
    reference: Vector6<f64>,
    /// Δx/ℓ in the reference configuration.
    chord: Vector3<f64>,
    /// ±1: the second quaternion, taken so, is on the side of the first; space.
    side: f64,
    string: bool,
}

/// Points per element at which the mass of a rigid rod is integrated.
const RIGID_POINTS: usize = 4;

/// All elements; their masses go to the nodes.
pub(super) fn elements(structure: &Structure, places: &mut Placement) -> Result<Vec<Element>, MechanismError> {
    let mut elements = Vec::new();
    for (index, rod) in structure.rods.iter().enumerate() {
        if rod.kind == RodKind::Rigid {
            rigid_mass(rod, places, index);
            continue;
        }
        let refuse = |what: &str| Err(MechanismError::Rod { rod: rod.name.clone(), what: what.to_owned() });
        match (rod.kind, rod.order, rod.quadrature) {
            (RodKind::Kirchhoff, ..) => return refuse("is a Kirchhoff rod"),
            (_, order, _) if order > 1 => return refuse("has elements of a higher order than 1"),
            (_, _, Quadrature::Trapezoidal | Quadrature::MidpointInTime) => return refuse("has trapezoidal strains"),
            _ => {}
        }
        for element in 0..rod.elements {
            elements.push(Element::new(structure, places, index, element));
            masses(rod, places, index, element);
        }
    }
    Ok(elements)
}

/// The mass of a rod that keeps its reference shape, at the points of Gauss' rule in each element.
fn rigid_mass(rod: &RodPart, places: &mut Placement, index: usize) {
    let Some(node) = places.sections[index][0].node else { return };
    let node = &mut places.nodes[node];
    let length = rod.length / rod.elements as f64;
    for element in 0..rod.elements {
        for (place, weight) in gauss(RIGID_POINTS) {
            let s = length * (element as f64 + place);
            let (section, pose) = ((rod.section)(s), (rod.reference)(s));
            let [d1, d2] = section.mass_offset;
            let at = node.pose.offset_of(pose.point(Vector3::new(d1, d2, 0.0)));
            let turn = (node.pose.orientation.conjugate() * pose.orientation).matrix();
            let inertia = turn * section.inertia * turn.transpose();
            node.add_mass(weight * length * section.mass, at, &(inertia * (weight * length)));
        }
    }
}

/// Half the mass of an element goes to each of its ends.
fn masses(rod: &RodPart, places: &mut Placement, index: usize, element: usize) {
    let (start, length) = rod.span(element);
    let section = (rod.section)(start + 0.5 * length);
    for end in [element, element + 1] {
        let Placed { node, pose, .. } = places.sections[index][end];
        let Some(node) = node else { continue };
        let turn = pose.orientation.matrix();
        let [d1, d2] = section.mass_offset;
        let inertia =
            if rod.kind.turns() { turn * section.inertia * turn.transpose() } else { nalgebra::Matrix3::zeros() };
        places.nodes[node].add_mass(
            0.5 * length * section.mass,
            pose.point(Vector3::new(d1, d2, 0.0)),
            &(inertia * (0.5 * length)),
        );
    }
}

impl Element {
    fn new(structure: &Structure, places: &Placement, index: usize, element: usize) -> Self {
        let rod = &structure.rods[index];
        let (start, length) = rod.span(element);
        let middle = start + 0.5 * length;
        let section = (rod.section)(middle);
        let [e1, e2] = section.elastic_offset;
        let string = !rod.kind.turns();
        let axis = if string { Vector3::zeros() } else { Vector3::new(e1, e2, 0.0) };
        let ends = [element, element + 1].map(|end| places.sections[index][end].shifted(axis));
        let boundaries =
            [element, element + 1].map(|boundary| crate::models::structure::Frame::Section { rod: index, boundary });
        let poses = boundaries.map(|frame| structure.reference_pose(frame));
        let points = poses.map(|pose| pose.point(axis));
        // Quaternions as the nodes have them, which need not be on one side.
        let turns = ends.map(|end| match end.node {
            Some(node) => places.nodes[node].pose.orientation * end.pose.orientation,
            None => end.pose.orientation,
        });
        let side = if turns[0].to_vector().dot(&turns[1].to_vector()) < 0.0 { -1.0 } else { 1.0 };
        let chord = (points[1] - points[0]) / length;
        let mut rest = match (string, structure.dimension) {
            (true, _) => Vector6::new(0.0, 0.0, chord.norm(), 0.0, 0.0, 0.0),
            (false, 2) => {
                let [a, b] = boundaries.map(|frame| structure.reference_angle(frame));
                let (sin, cos) = (0.5 * (a + b)).sin_cos();
                let (along, across) = (chord[0] * cos + chord[1] * sin, chord[1] * cos - chord[0] * sin);
                Vector6::new(across, 0.0, along, 0.0, (b - a) / length, 0.0)
            }
            (false, _) => {
                let mean = (turns[0] + turns[1] * side) * 0.5;
                let slope = (turns[1] * side + turns[0] * -1.0) * (1.0 / length);
                let over = 1.0 / mean.norm_squared();
                let gamma = mean.matrix().tr_mul(&chord) * over;
                let k = (mean.conjugate() * slope).im * (2.0 * over);
                Vector6::new(gamma[0], gamma[1], gamma[2], k[0], k[1], k[2])
            }
        };
        let prestrain = rod.prestrain.as_ref().map_or_else(Vector6::zeros, |prestrain| prestrain(middle));
        rest += prestrain;
        let (stiffness, damping, reference) = (section.stiffness, section.damping, -prestrain);
        Self { rod: index, ends, length, stiffness, damping, law: rod.law, rest, reference, chord, side, string }
    }

    /// Strains from the rest, (Γ, K); of a string its stretch from the rest in place of Γ₃.
    pub fn strains<'g>(&self, view: &View<'_, 'g>) -> [Expr<'g>; 6] {
        let zero = view.number(0.0);
        let [a, b] = [0, 1].map(|end| view.point(&self.ends[end]));
        let chord = sub(b, a).map(|x| x / self.length);
        let strains = if self.string {
            let stretch = (chord[0].square() + chord[1].square() + chord[2].square()).sqrt();
            [zero, zero, stretch, zero, zero, zero]
        } else if view.body.dimension == 2 {
            let [a, b] = [0, 1].map(|end| view.angle(&self.ends[end]));
            let mean = 0.5 * (a + b);
            let (sin, cos) = (mean.sin(), mean.cos());
            let (along, across) = (chord[0] * cos + chord[1] * sin, chord[1] * cos - chord[0] * sin);
            [across, zero, along, zero, (b - a) / self.length, zero]
        } else {
            let [a, b] = [0, 1].map(|end| view.turn(&self.ends[end]));
            let b = b.map(|x| self.side * x);
            let pair = |of: fn(Expr<'g>, Expr<'g>) -> Expr<'g>| [0, 1, 2, 3].map(|i| of(a[i], b[i]));
            let (mean, change) = (pair(|a, b| 0.5 * (a + b)), pair(|a, b| b - a));
            let k = imaginary(relative(mean, change));
            let factor = (2.0 / self.length) / norm_squared(mean);
            let gamma = Rotation::of(mean).to_material(chord);
            [gamma[0], gamma[1], gamma[2], factor * k[0], factor * k[1], factor * k[2]]
        };
        [0, 1, 2, 3, 4, 5].map(|i| strains[i] - self.rest[i])
    }

    /// What vanishes if the element has the shape of the reference configuration, in which a string keeps its direction.
    pub fn deformation<'g>(&self, view: &View<'_, 'g>) -> Vec<Expr<'g>> {
        let dimension = view.body.dimension;
        if self.string {
            let [a, b] = [0, 1].map(|end| view.point(&self.ends[end]));
            let chord = sub(b, a);
            return (0..dimension).map(|axis| chord[axis] / self.length - self.chord[axis]).collect();
        }
        let active: &[usize] = if dimension == 2 { &[0, 2, 4] } else { &[0, 1, 2, 3, 4, 5] };
        let strains = self.strains(view);
        active.iter().map(|i| strains[*i] - self.reference[*i]).collect()
    }

    /// Stored energy, joule.
    pub fn energy<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        self.length * energy(&self.law, &self.stiffness, &self.strains(view), view.number(0.0))
    }

    /// Strains whose stresses can be unknowns: all that there are, if the energy is a quadratic form of them.
    pub fn stresses(&self, dimension: usize) -> &'static [usize] {
        match (&self.law, self.string, dimension) {
            (RodLaw { axial: Law::Quadratic(_), stiffening: 0.0 }, true, _) => &[2],
            (RodLaw { axial: Law::Quadratic(_), stiffening: 0.0 }, false, 2) => &[0, 2, 4],
            (RodLaw { axial: Law::Quadratic(_), stiffening: 0.0 }, false, _) => &[0, 1, 2, 3, 4, 5],
            _ => &[],
        }
    }

    /// σ · ε − ½ σᵀC⁻¹σ over the length, joule; the stored energy where there are no such stresses.
    pub fn mixed_energy<'g>(&self, view: &View<'_, 'g>, stresses: &[Expr<'g>]) -> Expr<'g> {
        let active = self.stresses(view.body.dimension);
        let stiffness = DMatrix::from_fn(active.len(), active.len(), |i, j| self.stiffness[(active[i], active[j])]);
        let Some(compliance) = stiffness.try_inverse().filter(|_| !active.is_empty()) else { return self.energy(view) };
        let strains = self.strains(view);
        let graph = view.at.graph;
        let work = graph.sum(active.iter().zip(stresses).map(|(i, stress)| strains[*i] * *stress));
        let mut stored = Vec::new();
        for i in 0..active.len() {
            for j in 0..active.len() {
                if compliance[(i, j)] != 0.0 {
                    stored.push((0.5 * compliance[(i, j)]) * (stresses[i] * stresses[j]));
                }
            }
        }
        self.length * (work - graph.sum(stored))
    }

    /// Generalised forces of Kelvin-Voigt damping, −ℓ (∂ε/∂q)ᵀ D ε̇ with ε̇ = (∂ε/∂q) v; none where there is no damping.
    pub fn damping<'g>(&self, view: &View<'_, 'g>) -> Option<Vec<Expr<'g>>> {
        if self.damping == Matrix6::zeros() {
            return None;
        }
        let graph = view.at.graph;
        let strains = self.strains(view);
        let slopes = strains.map(|strain| graph.gradient(strain, &view.at.q));
        let rates = slopes.each_ref().map(|slopes| graph.sum(slopes.iter().zip(&view.at.v).map(|(a, b)| *a * *b)));
        let stresses = [0, 1, 2, 3, 4, 5].map(|i| graph.sum((0..6).map(|j| self.damping[(i, j)] * rates[j])));
        let force = |k: usize| -(self.length * graph.sum((0..6).map(|i| stresses[i] * slopes[i][k])));
        Some((0..view.at.q.len()).map(force).collect())
    }
}

/// Energy per length of strains from the rest, as [`RodLaw::energy`] has it.
fn energy<'g>(law: &RodLaw, stiffness: &Matrix6<f64>, strain: &[Expr<'g>; 6], zero: Expr<'g>) -> Expr<'g> {
    let mut energy = zero;
    for i in 0..6 {
        for j in 0..6 {
            if (i, j) != (2, 2) {
                energy = energy + (0.5 * stiffness[(i, j)]) * (strain[i] * strain[j]);
            }
        }
    }
    let (ea, stretch) = (stiffness[(2, 2)], strain[2] + 1.0);
    energy = energy
        + match law.axial {
            Law::Quadratic(_) => (0.5 * ea) * strain[2].square(),
            Law::Logarithmic(_) => (0.25 * ea) * (stretch.square() - 2.0 * stretch.ln() - 1.0),
        };
    let mut bending = zero;
    for i in 3..5 {
        for j in 3..5 {
            bending = bending + stiffness[(i, j)] * (strain[i] * strain[j]);
        }
    }
    energy + (0.25 * law.stiffening) * bending * (strain[3].square() + strain[4].square())
}

/// The quaternion on the side of another.
pub(super) fn beside(p: Quaternion, other: Quaternion) -> Quaternion {
    if p.to_vector().dot(&other.to_vector()) < 0.0 { p * -1.0 } else { p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::Nlp;
    use crate::nlp::graph::Graph;

    /// The energy of the material over numbers is the witness.
    #[test]
    fn energies_are_those_of_the_material() {
        let mut stiffness = Matrix6::from_fn(|i, j| 0.1 * ((i + 1) * (j + 1)) as f64);
        stiffness += Matrix6::from_diagonal_element(4.0);
        let strain = [0.1, -0.2, 0.3, 0.8, -1.1, 0.5];
        for axial in Law::samples() {
            let law = RodLaw { axial, stiffening: 0.3 };
            let graph = Graph::new();
            let variables = strain.map(|x| graph.variable("strain", x, -9.0, 9.0));
            graph.minimise(energy(&law, &stiffness, &variables, graph.constant(0.0)));
            let found = graph.build().objective(&strain).unwrap();
            assert!((found - law.energy(&stiffness, &strain)).abs() < 1e-14);
        }
    }
}
