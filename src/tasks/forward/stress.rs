//! Internal forces and moments at the nodes of a rod, from the stresses at the quadrature points.

use nalgebra::{Vector3, Vector6};

use crate::discretisation::assembly::{Assembly, shape};
use crate::mechanism::{RodKind, RodPart};

/// Elastic stress (n₁, n₂, n₃, m₁, m₂, m₃) in the section at every node of a rod.
///
/// Stresses are most accurate at the Gauss points of an element. Their polynomial is evaluated at its nodes, and what two
/// neighbours say about the node between them is averaged; elements of order 1, which have one point, are joined by
/// straight lines, continued to the ends of the rod.
pub struct NodalStress {
    /// extrapolation[node][point] of one element.
    extrapolation: Vec<Vec<f64>>,
    elements: std::ops::Range<usize>,
    order: usize,
    count: usize,
    point_values: Vec<Vector6<f64>>,
    /// The result of the last evaluation.
    pub nodes: Vec<Vector6<f64>>,
}

impl NodalStress {
    /// For the rod at this place of the structure.
    pub fn new(assembly: &Assembly, rod: usize, part: &RodPart) -> Self {
        let first = assembly.elements.iter().position(|element| element.rod == Some(rod)).unwrap_or(0);
        let places: Vec<f64> = shape::gauss(part.order).into_iter().map(|(place, _)| place).collect();
        let at = |x: f64| shape::shape(&places, x).n[..places.len()].to_vec();
        Self {
            extrapolation: shape::lobatto(part.order).into_iter().map(at).collect(),
            elements: if part.kind.is_rigid() { 0..0 } else { first..first + part.elements },
            order: part.order,
            count: part.elements * part.order + 1,
            point_values: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// Evaluates the stresses of a configuration.
    pub fn evaluate(&mut self, assembly: &Assembly, q: &[f64]) -> &[Vector6<f64>] {
        self.nodes.clear();
        self.nodes.resize(self.count, Vector6::zeros());
        let layout = &assembly.layout;
        let of_element = |index: usize, values: &mut Vec<Vector6<f64>>| {
            let element = &assembly.elements[index];
            values.clear();
            values.extend((0..element.points()).map(|point| element.stress(layout, q, point)));
        };
        let mut values = std::mem::take(&mut self.point_values);
        if self.order == 1 {
            let mut means = Vec::with_capacity(self.elements.len());
            for index in self.elements.clone() {
                of_element(index, &mut values);
                means.push(values.iter().sum::<Vector6<f64>>() / values.len() as f64);
            }
            for (node, stress) in self.nodes.iter_mut().enumerate() {
                *stress = match (node.checked_sub(1).and_then(|left| means.get(left)), means.get(node)) {
                    (Some(left), Some(right)) => (left + right) * 0.5,
                    (None, Some(right)) => means.get(1).map_or(*right, |next| right * 1.5 - next * 0.5),
                    (Some(left), None) => match node.checked_sub(2).and_then(|before| means.get(before)) {
                        Some(before) => left * 1.5 - before * 0.5,
                        None => *left,
                    },
                    (None, None) => Vector6::zeros(),
                };
            }
        } else {
            for (number, index) in self.elements.clone().enumerate() {
                of_element(index, &mut values);
                for (i, weights) in self.extrapolation.iter().enumerate() {
                    let stress: Vector6<f64> = values.iter().zip(weights).map(|(value, weight)| value * *weight).sum();
                    let inner_boundary =
                        (i == 0 && number > 0) || (i == self.order && number + 1 < self.elements.len());
                    let share = if inner_boundary { 0.5 } else { 1.0 };
                    self.nodes[number * self.order + i] += stress * share;
                }
            }
        }
        self.point_values = values;
        &self.nodes
    }
}

/// Names of the internal forces told of a rod.
pub fn stress_names(dimension: usize, kind: RodKind) -> &'static [&'static str] {
    kind.stresses(dimension)
}

/// One of them, from force and moment in the fixed frame.
pub fn stress_component(name: &str, force: &Vector3<f64>, moment: &Vector3<f64>) -> f64 {
    match name {
        "force_x" => force[0],
        "force_y" => force[1],
        "force_z" => force[2],
        "moment_x" => moment[0],
        "moment_y" => moment[1],
        // In the plane the normal is z.
        _ => moment[2],
    }
}
