//! A two-node string element in plane or space: only its stretch ν = |x₂ − x₁|/ℓ counts.

use nalgebra::{Matrix3, Vector3};

use super::local::{Local, Order};
use crate::material::{AxialLaw, Law};

/// A string element; three position coordinates per node, of which plane mechanisms use two.
#[derive(Debug, Clone)]
pub struct StringElement {
    /// Reference length, metre.
    pub length: f64,
    /// Stretch of the unstressed state, 1 unless prestrained.
    pub rest: f64,
    /// Axial stiffness EA, newton.
    pub axial: f64,
    /// Axial damping: force = damping · rate of stretch, N s.
    pub damping: f64,
    /// Axial law.
    pub law: Law,
}

impl StringElement {
    /// ν.
    pub fn stretch(&self, ends: [Vector3<f64>; 2]) -> f64 {
        (ends[1] - ends[0]).norm() / self.length
    }

    /// ∂ν/∂x₂ = −∂ν/∂x₁.
    pub fn direction(&self, ends: [Vector3<f64>; 2]) -> Vector3<f64> {
        let chord = ends[1] - ends[0];
        chord / (chord.norm() * self.length)
    }

    /// Adds energy, gradient and Hessian in (x₁, x₂); `viscous` is a force added to the elastic one.
    pub fn evaluate(&self, ends: [Vector3<f64>; 2], viscous: f64, order: Order, out: &mut Local) {
        let stretch = self.stretch(ends);
        // Strains count from the unstressed one, as in other rods.
        let elastic = stretch - self.rest + 1.0;
        out.energy += self.length * self.law.energy(self.axial, elastic);
        if order == Order::Energy {
            return;
        }
        let force = (self.law.force(self.axial, elastic) + viscous) * self.length;
        let direction = self.direction(ends);
        out.add_force(0, &(direction * -force));
        out.add_force(3, &(direction * force));
        if order < Order::Hessian {
            return;
        }
        let tangent = self.law.tangent(self.axial, elastic) * self.length;
        let unit = direction * self.length;
        let across = (Matrix3::identity() - unit * unit.transpose()) / (self.length * self.length * stretch);
        let block = direction * direction.transpose() * tangent + across * force;
        for (row, col, sign) in [(0, 0, 1.0), (3, 3, 1.0), (0, 3, -1.0), (3, 0, -1.0)] {
            out.add_block(row, col, &(block * sign));
        }
    }
}
