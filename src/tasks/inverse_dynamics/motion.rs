//! The answer of every method on the user's grid.

use crate::models::Vector;

/// Configuration, velocity and stress at all nodes and instants, and the forces found.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion<const D: usize, Q = Vector<D>> {
    /// Number of nodes along s.
    pub nodes: usize,
    /// Number of instants.
    pub instants: usize,
    /// Configuration at (node i, instant k): `q[i * instants + k]`.
    pub q: Vec<Q>,
    /// Velocity, same order.
    pub v: Vec<Vector<D>>,
    /// Stress, same order.
    pub n: Vec<Vector<D>>,
    /// Forces of actuators and supports on the ends s = 0 and s = L, per instant; zero where none acts.
    pub forces: [Vec<Vector<D>>; 2],
}

impl<const D: usize> Motion<D> {
    /// All zero.
    pub fn zeros(nodes: usize, instants: usize) -> Self {
        Self::resting(nodes, instants, Vector::zeros())
    }
}

impl<const D: usize, Q: Copy> Motion<D, Q> {
    /// The same configuration everywhere and always, without forces.
    pub fn resting(nodes: usize, instants: usize, q: Q) -> Self {
        let field = vec![Vector::zeros(); nodes * instants];
        let end = vec![Vector::zeros(); instants];
        Self { nodes, instants, q: vec![q; nodes * instants], v: field.clone(), n: field, forces: [end.clone(), end] }
    }

    /// Index of (node i, instant k).
    pub fn at(&self, i: usize, k: usize) -> usize {
        i * self.instants + k
    }

    /// Configuration of all nodes at instant k.
    pub fn snapshot(&self, k: usize) -> Vec<Q> {
        (0..self.nodes).map(|i| self.q[self.at(i, k)]).collect()
    }

    /// Velocity of all nodes at instant k.
    pub fn velocities(&self, k: usize) -> Vec<Vector<D>> {
        (0..self.nodes).map(|i| self.v[self.at(i, k)]).collect()
    }

    /// The same motion at every `stride`-th node.
    pub fn every(self, stride: usize) -> Self {
        let nodes = (self.nodes - 1) / stride + 1;
        fn pick<T: Copy>(field: &[T], instants: usize, stride: usize) -> Vec<T> {
            field.chunks(instants).step_by(stride).flatten().copied().collect()
        }
        let [v, n] = [&self.v, &self.n].map(|field| pick(field, self.instants, stride));
        Self { nodes, q: pick(&self.q, self.instants, stride), v, n, ..self }
    }

    /// Estimated error of `fine` from a solution with twice the step: largest |fine − coarse|/3 over the forces, each
    /// component relative to its largest deviation from its first value.
    pub fn error_estimate(fine: &Self, coarse: &Self) -> f64 {
        let mut worst = 0.0_f64;
        for (fine, coarse) in fine.forces.iter().zip(&coarse.forces) {
            let Some(first) = fine.first() else { continue };
            let mut scale = Vector::<D>::zeros();
            let mut difference = Vector::<D>::zeros();
            for (f, c) in fine.iter().zip(coarse) {
                scale = scale.sup(&(f - first).abs());
                difference = difference.sup(&(f - c).abs());
            }
            let largest = scale.amax();
            for c in 0..D {
                // A component that hardly acts is measured against the others of its end.
                let size = scale[c].max(1e-6 * largest);
                if difference[c] > 0.0 && size > 0.0 {
                    worst = worst.max(difference[c] / (3.0 * size));
                }
            }
        }
        worst
    }
}
