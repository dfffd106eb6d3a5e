//! Springs that hold every node in the stated shape while loads grow, and vanish as they reach their full size.
//!
//! A mechanism that only its loads hold has no stiffness without them. With a parameter μ that multiplies the loads and
//! springs k (1 − μ) the state μ = 0 is the stated shape, regular there, and μ = 1 an equilibrium of the mechanism.

use nalgebra::{Matrix3, Vector3};

use super::Equilibrium;
use crate::discretisation::assembly::{NodeKind, Order};
use crate::nlp::{EvalFailure, ParametricSystem, SquareSystem};

/// Loads that come as springs go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Springs {
    /// Load factor at which none is left.
    pub target: f64,
    /// Stiffness at the beginning: of positions in N/m; times the square of `length` of rotations.
    stiffness: f64,
    length: f64,
    /// What of it is left.
    pub left: f64,
}

/// Forces that hold the stated shape where it is not in equilibrium by itself, as that of a prestrained rod, and let go.
#[derive(Debug, Clone)]
pub(super) struct Grip {
    /// By row.
    pub forces: Vec<f64>,
    /// What of them is left.
    pub left: f64,
}

impl Equilibrium<'_> {
    /// Lets the parameter run from 0, the stated shape held by forces at all nodes, to 1, without them; loads are off.
    pub fn grip(&mut self) -> Result<(), EvalFailure> {
        let start = self.start();
        self.set_parameter(0.0);
        let mut forces = vec![0.0; self.size()];
        self.residual(&start, &mut forces)?;
        self.grip = Some(Grip { forces, left: 1.0 });
        Ok(())
    }

    /// Lets the parameter run from 0, the stated shape held by springs, to 1, the mechanism held by its loads times
    /// `target`. False if there are no loads.
    ///
    /// The springs are such that the loads would move the nodes by about the size of the mechanism.
    pub fn hold_by_springs(&mut self, target: f64) -> Result<bool, EvalFailure> {
        let start = self.start();
        self.set_parameter(target);
        let loaded = self.unbalanced(&start)?;
        self.set_parameter(0.0);
        let free = self.unbalanced(&start)?;
        let (layout, length) = (&self.assembly.layout, self.assembly.size());
        let mut force = 0.0;
        for (dof, (loaded, free)) in loaded.iter().zip(&free).enumerate() {
            let (node, which) = layout.node_of_freedom(dof);
            let arm = if which < layout.kind(node).positions() { 1.0 } else { length };
            force += (loaded - free).abs() / arm;
        }
        if !(force > 0.0) {
            return Ok(false);
        }
        let stiffness = force / (length * layout.nodes() as f64);
        self.springs = Some(Springs { target, stiffness, length, left: 1.0 });
        Ok(true)
    }

    /// Takes springs and grip away; the parameter is the load factor again.
    pub fn release(&mut self) {
        self.springs = None;
        self.grip = None;
    }

    /// Adds ½k|x − x₀|² and 2kl²(1 − (p·p₀)²) of all nodes to the potential.
    pub(super) fn add_springs(&mut self, order: Order) {
        let Some(springs) = self.springs.filter(|springs| springs.left != 0.0) else { return };
        let layout = &self.assembly.layout;
        let stiffness = springs.left * springs.stiffness;
        let turning = stiffness * springs.length * springs.length;
        for node in 0..layout.nodes() {
            let (kind, at, dof) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
            let size = kind.freedoms();
            let block = self.assembly.diagonal_block(node);
            for c in 0..kind.coordinates().min(3) {
                let k = if c < kind.positions() { stiffness } else { turning };
                self.forces.gradient[dof + c] += k * (self.q[at + c] - self.assembly.reference[at + c]);
                if order == Order::Hessian {
                    self.forces.stiffness.values[block + c + size * c] += k;
                }
            }
            if kind == NodeKind::SpaceFrame {
                // With r = p̄₀p the potential is 2k(1 − (Re r)²), and a turn exp(ξ/2) changes Re r by −½ Im r·ξ.
                let reference = layout.orientation(&self.assembly.reference, node);
                let r = reference.conjugate() * layout.orientation(&self.q, node).normalised();
                let gradient: Vector3<f64> = r.im * (2.0 * turning * r.re);
                for c in 0..3 {
                    self.forces.gradient[dof + 3 + c] += gradient[c];
                }
                if order == Order::Hessian {
                    let hessian = (Matrix3::identity() * (r.re * r.re) - r.im * r.im.transpose()) * turning;
                    for c in 0..3 {
                        for row in 0..3 {
                            self.forces.stiffness.values[block + (3 + row) + size * (3 + c)] += hessian[(row, c)];
                        }
                    }
                }
            }
        }
    }
}
