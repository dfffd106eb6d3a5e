//! Numbers of unknowns and equations, and the motion that a vector of unknowns means.

use nalgebra::{Matrix6, Vector3};

use super::net::{COORDINATES, Net};
use super::{deformed, turned};
use crate::geometry::Pose;

/// Where unknowns are.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Instants but the first.
    pub steps: usize,
    /// Components of motion.
    pub count: usize,
    /// Layers.
    pub nodes: usize,
}

impl Numbers {
    /// Component c of the place of layer i at instant k ≥ 1, and of its balance.
    pub fn place(&self, i: usize, k: usize, c: usize) -> usize {
        (i * self.steps + k - 1) * 2 * self.count + c
    }

    /// Component c of velocity or of angular momentum per length in units of its layer, and the equation that defines it.
    pub fn rate(&self, i: usize, k: usize, c: usize) -> usize {
        self.place(i, k, c) + self.count
    }

    /// Force number f at instant k ≥ 1, and the condition of that number.
    pub fn force(&self, f: usize, k: usize) -> usize {
        self.nodes * self.steps * 2 * self.count + f * self.steps + k - 1
    }

    /// All components of a place.
    pub fn places(&self, i: usize, k: usize) -> impl Iterator<Item = usize> + use<> {
        let first = self.place(i, k, 0);
        first..first + self.count
    }
}

/// The motion of all layers: value of layer i at instant k at `i * instants + k`.
#[derive(Debug, Clone)]
pub struct Fields {
    /// Instants.
    pub instants: usize,
    /// Poses.
    pub poses: Vec<Pose>,
    /// Velocities, m/s.
    pub v: Vec<Vector3<f64>>,
    /// Angular momenta per length in space.
    pub spin: Vec<Vector3<f64>>,
    /// Forces at the instants, force by force.
    pub forces: Vec<Vec<f64>>,
}

impl Fields {
    /// What the unknowns mean; `base` holds what is known at the first instant and orientations that rotation vectors count from.
    pub fn new(net: &Net<'_>, numbers: &Numbers, base: &[Pose], rest: &[f64], x: &[f64]) -> Self {
        let instants = numbers.steps + 1;
        let all = numbers.nodes * instants;
        let mut fields = Self {
            instants,
            poses: base.to_vec(),
            v: vec![Vector3::zeros(); all],
            spin: vec![Vector3::zeros(); all],
            forces: rest.iter().map(|rest| vec![*rest; instants]).collect(),
        };
        for i in 0..numbers.nodes {
            for k in 1..instants {
                let (at, first) = (i * instants + k, numbers.place(i, k, 0));
                fields.poses[at] = deformed(&base[at], net.components, &x[first..first + numbers.count]);
                let rates = &x[first + numbers.count..first + 2 * numbers.count];
                for (component, rate) in net.components.iter().zip(rates) {
                    match component.checked_sub(3) {
                        None => fields.v[at][*component] = *rate,
                        Some(axis) => fields.spin[at][axis] = *rate * net.nodes[i].unit,
                    }
                }
            }
        }
        for (f, values) in fields.forces.iter_mut().enumerate() {
            for (k, value) in values.iter_mut().enumerate().skip(1) {
                *value = x[numbers.force(f, k)];
            }
        }
        fields
    }

    /// The pose of layer i at instant k.
    pub fn pose(&self, i: usize, k: usize) -> &Pose {
        &self.poses[i * self.instants + k]
    }

    /// All instants of layer i.
    pub fn layer(&self, i: usize) -> &[Pose] {
        &self.poses[i * self.instants..(i + 1) * self.instants]
    }
}

/// How rotation vectors of layer i at instant k turn it.
pub fn tangent(net: &Net<'_>, numbers: &Numbers, x: &[f64], i: usize, k: usize) -> Matrix6<f64> {
    match k {
        0 => Matrix6::identity(),
        _ => {
            let first = numbers.place(i, k, 0);
            turned(net.components, &x[first..first + numbers.count])
        }
    }
}

/// An unknown (else an equation) in the user's words.
pub fn name(net: &Net<'_>, numbers: &Numbers, index: usize, time: impl Fn(usize) -> f64, unknown: bool) -> String {
    let nodes = numbers.nodes * numbers.steps * 2 * numbers.count;
    if let Some(of_force) = index.checked_sub(nodes) {
        let (f, k) = (of_force / numbers.steps, of_force % numbers.steps + 1);
        let what = match unknown {
            true => net.force_name(net.forces[f]),
            false => net.condition_name(net.conditions[f]),
        };
        return format!("{what}, t = {:.4}", time(k));
    }
    let (node, c) = (index / (2 * numbers.count), index % (2 * numbers.count));
    let (i, k) = (node / numbers.steps, node % numbers.steps + 1);
    let what = match (unknown, c < numbers.count) {
        (true, true) => "place",
        (true, false) => "rate",
        (false, true) => "balance of momentum",
        (false, false) => "definition of the rate",
    };
    let coordinate = COORDINATES[net.components[c % numbers.count]];
    format!("{what}, {coordinate} of {}, t = {:.4}", net.place_name(i), time(k))
}
