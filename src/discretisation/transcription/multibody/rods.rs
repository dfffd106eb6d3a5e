//! Elements: their damping, and stresses as unknowns.

use nalgebra::{DMatrix, Vector6};

use super::Multibody;
use super::view::View;
use crate::geometry::algebra::sub;
use crate::material::{Law, RodLaw};
use crate::mechanism::SpringLaw;
use crate::nlp::graph::Expr;
use crate::scalar::Rated;
use crate::terms::{Element, Fabric, Nodes};

/// What the strains are called.
const STRAINS: [&str; 6] =
    ["shear along d1", "shear along d2", "stretch", "bending about d1", "bending about d2", "twist"];

/// An element whose stresses can be unknowns, because its energy is a quadratic form of its strains.
#[derive(Debug, Clone)]
pub(super) struct Stressed {
    /// Place among the elements of the assembly.
    pub element: usize,
    /// Strains that have a stiffness.
    active: Vec<usize>,
    /// Inverse of their stiffness at each point.
    compliances: Vec<DMatrix<f64>>,
}

/// All elements of rods whose stresses can be unknowns.
pub(super) fn stressed(body: &Multibody) -> Vec<Stressed> {
    let of = |(index, element): (usize, &Element)| {
        element.rod?;
        let RodLaw { axial: Law::Quadratic(_), stiffening: 0.0 } = element.law() else { return None };
        let stiffnesses: Vec<_> = (0..element.points()).map(|point| element.stiffness(point)).collect();
        // Strains that the element does not measure have a stiffness, too, if the section is one in space.
        let measured: &[usize] = match element.fabric {
            Fabric::Plane(_) => &[0, 2, 4],
            Fabric::String(_) => &[2],
            _ => &[0, 1, 2, 3, 4, 5],
        };
        let stiff = |i: &usize| stiffnesses.iter().all(|stiffness| stiffness[(*i, *i)] > 0.0);
        let active: Vec<usize> = measured.iter().copied().filter(stiff).collect();
        let count = active.len();
        let compliances = stiffnesses
            .iter()
            .map(|stiffness| DMatrix::from_fn(count, count, |i, j| stiffness[(active[i], active[j])]).try_inverse());
        let compliances = compliances.collect::<Option<Vec<_>>>()?;
        (count > 0).then_some(Stressed { element: index, active, compliances })
    };
    body.assembly.elements.iter().enumerate().filter_map(of).collect()
}

impl Stressed {
    /// Number of stresses.
    pub fn count(&self) -> usize {
        self.active.len() * self.compliances.len()
    }

    /// Names of the stresses.
    pub fn names(&self, body: &Multibody) -> Vec<String> {
        let elements = &body.assembly.elements;
        let rod = elements[self.element].rod;
        let before = elements[..self.element].iter().filter(|element| element.rod == rod).count();
        let name = rod.map_or("", |rod| &body.rods[rod]);
        let place = match self.compliances.len() {
            1 => vec![format!("in element {} of {name}", before + 1)],
            points => (1..=points).map(|k| format!("at point {k} of element {} of {name}", before + 1)).collect(),
        };
        place.iter().flat_map(|place| self.active.iter().map(move |i| format!("{} {place}", STRAINS[*i]))).collect()
    }

    /// σ · ε − ½ σᵀC⁻¹σ over the length, joule (Hellinger and Reissner).
    pub fn energy<'g>(&self, view: &View<'_, 'g>, stresses: &[Expr<'g>]) -> Expr<'g> {
        let (element, graph) = (&view.body.assembly.elements[self.element], view.at.graph);
        let nodes = view.nodes();
        let count = self.active.len();
        let mut terms = Vec::new();
        for (point, compliance) in self.compliances.iter().enumerate() {
            let (strain, rest) = (element.strain_over(&nodes, point), element.rest(point));
            let stress = &stresses[point * count..(point + 1) * count];
            let work = graph.sum(self.active.iter().zip(stress).map(|(i, stress)| (strain[*i] - rest[*i]) * *stress));
            let mut stored = Vec::new();
            for i in 0..count {
                for j in (0..count).filter(|j| compliance[(i, *j)] != 0.0) {
                    stored.push((0.5 * compliance[(i, j)]) * (stress[i] * stress[j]));
                }
            }
            terms.push(element.weight(point) * (work - graph.sum(stored)));
        }
        graph.sum(terms)
    }
}

/// Whether it is a spring that is stated by its force and so has no energy.
fn is_of_force(element: &Element) -> bool {
    matches!(&element.fabric, Fabric::Spring(spring) if matches!(spring.law, SpringLaw::Force(_)))
}

impl<'g> View<'_, 'g> {
    /// Generalised forces of Kelvin-Voigt damping of rods and of dampers, −ℓ (∂ε/∂q)ᵀ D ε̇, and of springs stated by their force,
    /// −(∂x/∂q)ᵀ f(x, ẋ).
    pub(super) fn damping(&self, terms: &mut [Vec<Expr<'g>>]) {
        let graph = self.at.graph;
        let layout = &self.body.assembly.layout;
        for element in self.body.assembly.elements.iter().filter(|element| element.damped || is_of_force(element)) {
            // The coordinates of its own nodes, and those that supports move.
            let own: Vec<usize> = element
                .ends
                .iter()
                .flat_map(|end| {
                    layout.coordinate(end.node)..layout.coordinate(end.node) + layout.kind(end.node).coordinates()
                })
                .filter_map(|coordinate| self.body.places[coordinate])
                .collect();
            let by: Vec<Expr<'g>> = own.iter().map(|place| self.at.q[*place]).collect();
            let moved = element.ends.iter().any(|end| self.body.held[end.node]);
            for point in 0..element.points() {
                let damping = element.damping(point);
                let strains = element.strain_over(&self.nodes(), point);
                let slopes = strains.map(|strain| graph.gradient(strain, &by));
                let mut rates = slopes
                    .each_ref()
                    .map(|slopes| graph.sum(slopes.iter().zip(&own).map(|(slope, place)| *slope * self.at.v[*place])));
                if moved {
                    rates
                        .iter_mut()
                        .zip(self.given_strain_rate(element, point))
                        .for_each(|(rate, given)| *rate = *rate + given);
                }
                let weight = element.weight(point);
                let stresses = match &element.fabric {
                    Fabric::Spring(spring) => {
                        let elongations = std::array::from_fn(|i| strains[i] - spring.rest[i]);
                        spring.force_over(&elongations, &rates)
                    }
                    _ => [0, 1, 2, 3, 4, 5].map(|i| graph.sum((0..6).map(|j| (weight * damping[(i, j)]) * rates[j]))),
                };
                for (k, place) in own.iter().enumerate() {
                    terms[*place].push(-graph.sum((0..6).map(|i| stresses[i] * slopes[i][k])));
                }
            }
        }
    }

    /// The rate of strain that moving supports alone would cause.
    fn given_strain_rate(&self, element: &Element, point: usize) -> [Expr<'g>; 6] {
        let nodes = self.nodes();
        let q: Vec<Rated<Expr<'g>>> =
            nodes.q.iter().zip(self.given_rates()).map(|(q, rate)| Rated::new(*q, rate)).collect();
        element.strain_over(&Nodes { layout: nodes.layout, q: &q }, point).map(|strain| strain.rate)
    }

    /// What vanishes if an element has the shape of the reference configuration, in which a string keeps its direction.
    pub(super) fn deformation(&self, element: &Element) -> Vec<Expr<'g>> {
        let assembly = &self.body.assembly;
        let nodes = self.nodes();
        if let Fabric::String(string) = &element.fabric {
            let [a, b] = [0, 1].map(|end: usize| nodes.point(&element.ends[end]));
            let [from, to] = [0, 1].map(|end: usize| element.ends[end].position(&assembly.layout, &assembly.reference));
            let (chord, rest) = (sub(b, a), to - from);
            return (0..self.body.dimension).map(|axis| (chord[axis] - rest[axis]) / string.length).collect();
        }
        let active: &[usize] = if self.body.dimension == 2 { &[0, 2, 4] } else { &[0, 1, 2, 3, 4, 5] };
        let of_point = |point: usize| {
            let strains = element.strain_over(&nodes, point);
            let reference: Vector6<f64> = element.strain(&assembly.layout, &assembly.reference, point);
            active.iter().map(|i| strains[*i] - reference[*i]).collect::<Vec<_>>()
        };
        (0..element.points()).flat_map(of_point).collect()
    }
}
