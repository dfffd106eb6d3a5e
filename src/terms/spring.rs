//! Springs and dampers between two points or on a joint: energy ½ k (m − m₀)² of a distance, a way or an angle m.

use nalgebra::{Matrix6, Vector6};

use super::constraint::{Constraint, Motion};
use super::layout::Layout;
use super::local::{Local, Order};

/// A spring with a damper beside it. What it measures is the only row of a condition that nothing enforces.
#[derive(Debug, Clone)]
pub struct SpringElement {
    /// m by its only row.
    pub measure: Constraint,
    /// k, N/m or N m/rad.
    pub stiffness: f64,
    /// N s/m or N m s/rad.
    pub damping: f64,
    /// m₀: metre or radian.
    pub rest: f64,
}

impl SpringElement {
    /// m.
    pub fn value(&self, layout: &Layout, q: &[f64]) -> f64 {
        self.measure.value(layout, q, &Motion(nalgebra::Vector3::zeros()), 0)
    }

    /// k (m − m₀), newton or newton metre.
    pub fn force(&self, layout: &Layout, q: &[f64]) -> f64 {
        self.stiffness * (self.value(layout, q) - self.rest)
    }

    /// Sides that are on nodes, where their degrees of freedom begin among those of the element, and how many there are.
    fn places(&self, layout: &Layout) -> impl Iterator<Item = (usize, usize, usize)> + Clone {
        let sizes =
            [0, 1].map(|side: usize| self.measure.sides[side].node().map_or(0, |node| layout.kind(node).freedoms()));
        [(0, 0, sizes[0]), (1, sizes[0], sizes[1])].into_iter().filter(|(_, _, size)| *size > 0)
    }

    /// Energy, gradient and Hessian; `viscous` is a force that acts beside the elastic one.
    pub fn evaluate(&self, layout: &Layout, q: &[f64], viscous: f64, order: Order, out: &mut Local) {
        let places = self.places(layout);
        out.reset(places.clone().map(|(_, _, size)| size).sum(), order);
        let stretched = self.value(layout, q) - self.rest;
        out.energy = 0.5 * self.stiffness * stretched * stretched;
        if order == Order::Energy {
            return;
        }
        let force = self.stiffness * stretched + viscous;
        let slope = self.measure.derivative(layout, q, 0);
        for (side, first, size) in places.clone() {
            for c in 0..size {
                out.gradient[first + c] += force * slope[side][c];
            }
        }
        if order < Order::Hessian {
            return;
        }
        let [aa, bb, ab] = self.measure.curvature(layout, q, 0);
        for (row, row_first, rows) in places.clone() {
            for (col, col_first, cols) in places.clone() {
                let curved = match (row, col) {
                    (0, 0) => aa,
                    (0, _) => ab,
                    (_, 0) => ab.transpose(),
                    _ => bb,
                };
                for c in 0..cols {
                    for r in 0..rows {
                        let value = self.stiffness * slope[row][r] * slope[col][c] + force * curved[(r, c)];
                        out.add(row_first + r, col_first + c, value);
                    }
                }
            }
        }
    }

    /// m as a strain: first of six, since the third tells of rods that are compressed to nothing.
    pub fn strain(&self, layout: &Layout, q: &[f64]) -> Vector6<f64> {
        let mut strain = Vector6::zeros();
        strain[MEASURE] = self.value(layout, q);
        strain
    }

    /// ∂strain/∂(degrees of freedom of each node).
    pub fn strain_matrices(&self, layout: &Layout, q: &[f64], out: &mut [Matrix6<f64>]) {
        let slope = self.measure.derivative(layout, q, 0);
        for ((side, ..), out) in self.places(layout).zip(out) {
            out.fill(0.0);
            out.row_mut(MEASURE).copy_from(&slope[side]);
        }
    }

    /// Damping as a matrix over strains.
    pub fn damping_matrix(&self) -> Matrix6<f64> {
        let mut matrix = Matrix6::zeros();
        matrix[(MEASURE, MEASURE)] = self.damping;
        matrix
    }
}

/// Place of m among the six strains.
pub const MEASURE: usize = 0;
