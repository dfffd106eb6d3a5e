//! Variational time stepping: midpoint rule in time, midpoint-quadrature elements in space.
//!
//! With the discrete Lagrangian L_d(q_k, q_{k+1}) = h L((q_k + q_{k+1})/2, (q_{k+1} − q_k)/h) and controls constant per
//! step, the forced discrete Euler-Lagrange equations read, in terms of the momentum p_k at the nodes,
//!
//! M (q_{k+1} − q_k)/h = p_k + h/2 (F − f(q̄)),   p_{k+1} = p_k + h (F − f(q̄)),   q̄ = (q_k + q_{k+1})/2,
//!
//! where f is the gradient of the stored energy and M the nodal (trapezoidal) mass.

pub mod element;
mod statics;

pub use statics::StaticSystem;

use crate::models::{Continuum, Matrix, StrainError, Vector};

/// A rod cut into equal elements, with bodies at its ends.
#[derive(Debug, Clone)]
pub struct Chain<'a, C, const D: usize> {
    model: &'a C,
    element_length: f64,
    /// Diagonal of M per node, bodies included.
    pub mass: Vec<Vector<D>>,
    /// Gravity per node, bodies included.
    pub weight: Vec<Vector<D>>,
}

/// Receives the derivative of the nodal forces: (row node, column node, block); blocks of one place add up.
pub type BlockSink<'s, const D: usize> = &'s mut dyn FnMut(usize, usize, &Matrix<D>);

/// The element whose strain has no meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BadElement {
    /// Element index.
    pub element: usize,
    /// What is wrong with it.
    pub cause: StrainError,
}

impl<'a, C: Continuum<D>, const D: usize> Chain<'a, C, D> {
    /// `end_mass` and `end_weight`: inertia and gravity of the bodies at s = 0 and s = L.
    pub fn new(
        model: &'a C,
        length: f64,
        elements: usize,
        end_mass: [Vector<D>; 2],
        end_weight: [Vector<D>; 2],
    ) -> Self {
        let element_length = length / elements as f64;
        let spread = |density: Vector<D>, ends: [Vector<D>; 2]| {
            let mut nodes = vec![density * element_length; elements + 1];
            for (node, end) in [0, elements].into_iter().zip(ends) {
                nodes[node] = density * (0.5 * element_length) + end;
            }
            nodes
        };
        Self {
            model,
            element_length,
            mass: spread(model.inertia(), end_mass),
            weight: spread(model.body_force(), end_weight),
        }
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.mass.len() - 1
    }

    /// f(q): gradient of the stored energy.
    pub fn internal_forces(&self, q: &[Vector<D>], out: &mut [Vector<D>]) -> Result<(), BadElement> {
        out.fill(Vector::zeros());
        for e in 0..self.elements() {
            let f = element::forces(self.model, self.element_length, &q[e], &q[e + 1])
                .map_err(|cause| BadElement { element: e, cause })?;
            out[e] += f.left;
            out[e + 1] += f.right;
        }
        Ok(())
    }

    /// f(q) and its derivative.
    pub fn internal_tangent(
        &self,
        q: &[Vector<D>],
        out: &mut [Vector<D>],
        sink: BlockSink<'_, D>,
    ) -> Result<(), BadElement> {
        out.fill(Vector::zeros());
        for e in 0..self.elements() {
            let k = element::tangent(self.model, self.element_length, &q[e], &q[e + 1])
                .map_err(|cause| BadElement { element: e, cause })?;
            out[e] += k.forces.left;
            out[e + 1] += k.forces.right;
            sink(e, e, &k.ll);
            sink(e, e + 1, &k.lr);
            sink(e + 1, e, &k.lr.transpose());
            sink(e + 1, e + 1, &k.rr);
        }
        Ok(())
    }

    /// Stored energy Σ a W.
    pub fn strain_energy(&self, q: &[Vector<D>]) -> f64 {
        (0..self.elements())
            .map(|e| {
                let mean: [f64; D] = ((q[e] + q[e + 1]) * 0.5).into();
                let slope: [f64; D] = ((q[e + 1] - q[e]) / self.element_length).into();
                self.element_length * self.model.energy(&mean, &slope)
            })
            .sum()
    }
}
