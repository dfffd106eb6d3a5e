//! Springs and dampers between two points, on a joint or between two frames: energy ½ xᵀK x of elongations x = m − m₀, where m are
//! the distance, travel, angles or components that the spring measures; or an energy or a force stated as an expression of the one
//! elongation and its rate.

mod law;

use nalgebra::{Matrix6, Vector6};

use super::constraint::{Constraint, GroundTravel};
use super::layout::Layout;
use super::local::{Local, Order};
use crate::material::SpringLaw;

/// A spring with a damper beside it. What it measures are the rows of a condition that nothing enforces.
#[derive(Debug, Clone)]
pub struct SpringElement {
    /// m by its rows, up to six.
    pub measure: Constraint,
    /// K, N/m or N m/rad.
    pub stiffness: Matrix6<f64>,
    /// D, N s/m or N m s/rad.
    pub damping: Matrix6<f64>,
    /// How the force follows.
    pub law: SpringLaw,
    /// m₀: metre or radian.
    pub rest: Vector6<f64>,
}

/// What a spring stores and how it pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Joule.
    pub energy: f64,
    /// Forces or torques of what is measured.
    pub force: Vector6<f64>,
    /// Their derivative by the elongations.
    pub tangent: Matrix6<f64>,
}

impl SpringElement {
    /// Number of measured quantities.
    pub fn measures(&self) -> usize {
        self.measure.rows.len()
    }

    /// m; zero beyond what is measured.
    pub fn value(&self, layout: &Layout, q: &[f64]) -> Vector6<f64> {
        let still = GroundTravel(nalgebra::Vector3::zeros());
        Vector6::from_fn(|i, _| if i < self.measures() { self.measure.value(layout, q, &still, i) } else { 0.0 })
    }

    /// Sides that are on nodes, where their degrees of freedom begin among those of the element, and how many there are.
    fn places(&self, layout: &Layout) -> impl Iterator<Item = (usize, usize, usize)> + Clone {
        let sizes =
            [0, 1].map(|side: usize| self.measure.sides[side].node().map_or(0, |node| layout.kind(node).freedoms()));
        [(0, 0, sizes[0]), (1, sizes[0], sizes[1])].into_iter().filter(|(_, _, size)| *size > 0)
    }

    /// Energy, gradient and Hessian; `viscous` are forces that act beside the elastic ones.
    pub fn evaluate(&self, layout: &Layout, q: &[f64], viscous: Vector6<f64>, order: Order, out: &mut Local) {
        let places = self.places(layout);
        out.reset(places.clone().map(|(_, _, size)| size).sum(), order);
        let pull = self.elastic(&(self.value(layout, q) - self.rest));
        out.energy = pull.energy;
        if order == Order::Energy {
            return;
        }
        let force = pull.force + viscous;
        let slopes = [0, 1, 2, 3, 4, 5].map(|i| (i < self.measures()).then(|| self.measure.derivative(layout, q, i)));
        for (i, slope) in slopes.iter().enumerate() {
            let Some(slope) = slope else { break };
            for (side, first, size) in places.clone() {
                for c in 0..size {
                    out.gradient[first + c] += force[i] * slope[side][c];
                }
            }
        }
        if order < Order::Hessian {
            return;
        }
        // Σ K_ij ∂m_i ∂m_jᵀ + Σ f_i ∂²m_i.
        for (i, slope) in slopes.iter().enumerate() {
            let Some(slope) = slope else { break };
            let [aa, bb, ab] = self.measure.curvature(layout, q, i);
            for (row, row_first, rows) in places.clone() {
                for (col, col_first, cols) in places.clone() {
                    let curved = match (row, col) {
                        (0, 0) => aa,
                        (0, _) => ab,
                        (_, 0) => ab.transpose(),
                        _ => bb,
                    };
                    let others = || slopes.iter().flatten().enumerate();
                    for c in 0..cols {
                        let stiff: f64 = others().map(|(j, other)| pull.tangent[(i, j)] * other[col][c]).sum();
                        for r in 0..rows {
                            out.add(row_first + r, col_first + c, slope[row][r] * stiff + force[i] * curved[(r, c)]);
                        }
                    }
                }
            }
        }
    }

    /// ∂m/∂(degrees of freedom of each node).
    pub fn strain_matrices(&self, layout: &Layout, q: &[f64], out: &mut [Matrix6<f64>]) {
        out.iter_mut().for_each(|matrix| matrix.fill(0.0));
        for i in 0..self.measures() {
            let slope = self.measure.derivative(layout, q, i);
            for ((side, ..), out) in self.places(layout).zip(&mut *out) {
                out.row_mut(i).copy_from(&slope[side]);
            }
        }
    }
}
