//! Strains of rod elements, once for all schemes.
//!
//! An element interpolates positions and orientations of its nodes with shape functions N_i. In the plane with
//! x' = Σ N_i' x_i and θ = Σ N_i θ_i
//!
//! γ₁ = x'·d₁(θ),  γ₃ = x'·d₃(θ) − 1,  κ = Σ N_i' θ_i;
//!
//! in space with P = Σ N_i p_i (normalised, so that strains do not change under rigid motions; Romero 2004)
//!
//! Γ = R(P)ᵀx' − e₃,  K = 2 P̄P'/|P|².
//!
//! In two-node elements P bends K to 4/ℓ tan(φ/4) for a relative rotation φ; it is replaced by the exact φ/ℓ, so that arcs and
//! helices under constant moments are met exactly. A string has its stretch |x₂ − x₁|/ℓ only.

use nalgebra::{Matrix6, Vector6};

use super::nodes::length;
use super::shape::MAX_NODES;
use crate::geometry::algebra::{Rotation, Turn, Vector, imaginary, norm_squared, relative, sub};
use crate::scalar::Scalar;

/// A point of an element at which its energy is evaluated.
#[derive(Debug, Clone)]
pub struct RodPoint {
    /// Weight times length, metre.
    pub weight: f64,
    /// N_i.
    pub n: [f64; MAX_NODES],
    /// dN_i/ds, 1/m.
    pub dn: [f64; MAX_NODES],
    /// Stiffness there.
    pub stiffness: Matrix6<f64>,
    /// Damping there.
    pub damping: Matrix6<f64>,
    /// Strain of the unstressed state.
    pub rest: Vector6<f64>,
}

/// Σ w_i a_i.
fn weighted<T: Scalar>(weights: &[f64], terms: impl Iterator<Item = T>, zero: T) -> T {
    weights.iter().zip(terms).filter(|(weight, _)| **weight != 0.0).fold(zero, |sum, (weight, a)| sum + a * *weight)
}

/// (γ₁, 0, γ₃, 0, κ, 0) of nodes with positions and angles.
#[inline]
pub fn in_plane<T: Scalar>(point: &RodPoint, ends: &[(Vector<T>, T)]) -> [T; 6] {
    let zero = ends[0].1.lift(0.0);
    let [x, y] = [0, 1].map(|c| weighted(&point.dn, ends.iter().map(|(position, _)| position[c]), zero));
    let angle = weighted(&point.n, ends.iter().map(|(_, angle)| *angle), zero);
    let curvature = weighted(&point.dn, ends.iter().map(|(_, angle)| *angle), zero);
    let (sin, cos) = (angle.sin(), angle.cos());
    [y * cos - x * sin, zero, x * cos + y * sin - 1.0, zero, curvature, zero]
}

/// (Γ, K) of nodes with positions and quaternions; `geodesic` is the length of a two-node element with the exact curvature.
#[inline]
pub fn in_space<T: Scalar>(point: &RodPoint, geodesic: Option<f64>, ends: &[(Vector<T>, Turn<T>)]) -> [T; 6] {
    let zero = ends[0].0[0].lift(0.0);
    let slope = [0, 1, 2].map(|c| weighted(&point.dn, ends.iter().map(|(position, _)| position[c]), zero));
    let p = [0, 1, 2, 3].map(|c| weighted(&point.n, ends.iter().map(|(_, turn)| turn[c]), zero));
    let dp = [0, 1, 2, 3].map(|c| weighted(&point.dn, ends.iter().map(|(_, turn)| turn[c]), zero));
    let factor = zero.lift(2.0) / norm_squared(p);
    let gamma = Rotation::of(p).to_material(slope);
    let mut k = imaginary(relative(p, dp)).map(|k| factor * k);
    if let Some(length) = geodesic {
        // tan²(φ/4).
        let square = (k[0].square() + k[1].square() + k[2].square()) * (length * length / 16.0);
        let measure = square.atan_root();
        k = k.map(|k| measure * k);
    }
    [gamma[0], gamma[1], gamma[2] - 1.0, k[0], k[1], k[2]]
}

/// (0, 0, |x₂ − x₁|/ℓ − 1, 0, 0, 0) of a string of length ℓ.
#[inline]
pub fn of_string<T: Scalar>(rest_length: f64, ends: [Vector<T>; 2]) -> [T; 6] {
    let zero = ends[0][0].lift(0.0);
    [zero, zero, length(sub(ends[1], ends[0])) / rest_length - 1.0, zero, zero, zero]
}
