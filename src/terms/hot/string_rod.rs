//! A two-node string element in plane or space: only its stretch ν = |x₂ − x₁|/ℓ counts.

use nalgebra::{Matrix3, Vector3};

use super::super::local::Order;
use super::super::strain;
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

/// What a string element does to its ends; only x₂ − x₁ counts, so x₁ gets the opposite.
#[derive(Debug, Clone, Copy)]
pub struct Pull {
    /// Energy, joule.
    pub energy: f64,
    /// Its derivative by x₂, newton.
    pub force: Vector3<f64>,
    /// Its second derivative by x₂, N/m.
    pub stiffness: Matrix3<f64>,
}

impl StringElement {
    /// ν.
    pub fn stretch(&self, ends: [Vector3<f64>; 2]) -> f64 {
        1.0 + strain::of_string(self.length, ends.map(Into::into))[2]
    }

    /// ∂ν/∂x₂ = −∂ν/∂x₁.
    pub fn direction(&self, ends: [Vector3<f64>; 2]) -> Vector3<f64> {
        let chord = ends[1] - ends[0];
        chord / (chord.norm() * self.length)
    }

    /// Energy and its derivatives by x₂ as far as `order` asks; `viscous` is a force added to the elastic one.
    pub fn evaluate(&self, ends: [Vector3<f64>; 2], viscous: f64, order: Order) -> Pull {
        let stretch = self.stretch(ends);
        // Strains count from the unstressed one, as in other rods.
        let elastic = stretch - self.rest + 1.0;
        let energy = self.length * self.law.energy(self.axial, elastic);
        let mut pull = Pull { energy, force: Vector3::zeros(), stiffness: Matrix3::zeros() };
        if order == Order::Energy {
            return pull;
        }
        let force = (self.law.force(self.axial, elastic) + viscous) * self.length;
        let direction = self.direction(ends);
        pull.force = direction * force;
        if order == Order::Hessian {
            let tangent = self.law.tangent(self.axial, elastic) * self.length;
            let unit = direction * self.length;
            let across = (Matrix3::identity() - unit * unit.transpose()) / (self.length * self.length * stretch);
            pull.stiffness = direction * direction.transpose() * tangent + across * force;
        }
        pull
    }
}
