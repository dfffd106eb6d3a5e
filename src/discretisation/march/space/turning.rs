//! Rotations over one step: exponential, logarithm and the momentum of a discrete angular velocity.
//!
//! Steps are small, so series in the squared angle replace trigonometric functions; for larger angles closed forms take
//! over. All agree to rounding.

use nalgebra::{Matrix3, Vector3};

use crate::geometry::Quaternion;

/// The rotation by the rotation vector ψ.
#[inline]
pub fn exponential(psi: Vector3<f64>) -> Quaternion {
    let u = 0.25 * psi.norm_squared();
    if u > 0.0625 {
        return Quaternion::from_rotation_vector(psi);
    }
    // cos √u and sin √u / √u: the first neglected terms are below 1e-17 for √u ≤ 1/4.
    let cos = 1.0
        + u * (-1.0 / 2.0 + u * (1.0 / 24.0 + u * (-1.0 / 720.0 + u * (1.0 / 40_320.0 + u * (-1.0 / 3_628_800.0)))));
    let sinc = 1.0
        + u * (-1.0 / 6.0
            + u * (1.0 / 120.0 + u * (-1.0 / 5040.0 + u * (1.0 / 362_880.0 + u * (-1.0 / 39_916_800.0)))));
    Quaternion { re: cos, im: psi * (0.5 * sinc) }
}

/// The rotation vector, of length at most π, from orientation `a` to `b`, in the frame of either.
#[inline]
pub fn logarithm(a: Quaternion, b: Quaternion) -> Vector3<f64> {
    let d = a.conjugate() * b;
    let u = d.im.norm_squared();
    if d.re > 0.0 && u < 0.01 {
        // 2 arcsin s / s in s²: the first neglected term is below 1e-17.
        const C: [f64; 8] = [
            1.0,
            1.0 / 6.0,
            3.0 / 40.0,
            15.0 / 336.0,
            105.0 / 3456.0,
            945.0 / 42_240.0,
            10_395.0 / 599_040.0,
            135_135.0 / 9_676_800.0,
        ];
        let series = C.iter().rev().fold(0.0, |sum, c| sum * u + c);
        return d.im * (2.0 * series);
    }
    d.rotation_vector()
}

/// The angular momentum in space of a section that turns from `a` to `b` in a time `dt`:
///
/// π = R_a T⁻¹(Ψ) J Ψ/dt, Ψ = log(R_aᵀR_b), T⁻¹(Ψ) w = w + ½ Ψ × w + c Ψ × (Ψ × w), c = (1 − ½|Ψ| cot ½|Ψ|)/|Ψ|².
///
/// It is what the discrete Lagrangian ½ ΨᵀJΨ/dt gives at both ends of the step (its two Legendre transforms are the same
/// vector of space), so the angular momentum of a free section is kept exactly. In a plane T⁻¹ has no effect.
#[inline]
pub fn momentum(a: Quaternion, b: Quaternion, inertia: &Matrix3<f64>, per_dt: f64) -> Vector3<f64> {
    let psi = logarithm(a, b);
    let w = inertia * psi * per_dt;
    let across = psi.cross(&w);
    a.rotate(w + across * 0.5 + psi.cross(&across) * curvature(psi.norm_squared()))
}

/// c of [`momentum`] for a squared angle.
#[inline]
pub fn curvature(square: f64) -> f64 {
    if square < 0.0625 {
        // Bernoulli numbers: the first neglected term is below 1e-15.
        return 1.0 / 12.0
            + square
                * (1.0 / 720.0 + square * (1.0 / 30_240.0 + square * (1.0 / 1_209_600.0 + square / 47_900_160.0)));
    }
    let half = 0.5 * square.sqrt();
    let (sin, cos) = half.sin_cos();
    (1.0 - half * cos / sin) / square
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the closed forms of `geometry` on both sides of the switch between series and functions.
    #[test]
    fn series_agree_with_functions() {
        let axis = Vector3::new(0.6, -0.48, 0.64);
        let a = Quaternion::from_rotation_vector(Vector3::new(0.3, 1.0, -0.4));
        for angle in [0.0, 1e-9, 1e-3, 0.1, 0.19, 0.21, 0.2499, 0.2501, 0.4999, 0.5001, 1.0, 2.5] {
            let psi = axis * angle;
            let exact = Quaternion::from_rotation_vector(psi);
            assert!((exponential(psi).to_vector() - exact.to_vector()).norm() < 3e-16, "exp {angle}");
            assert!((logarithm(a, a * exact) - psi).norm() < 2e-15, "log {angle}");
            if angle > 0.05 {
                let half = 0.5 * angle;
                let closed = (1.0 - half / half.tan()) / (angle * angle);
                assert!((curvature(angle * angle) - closed).abs() < 1e-13, "curvature {angle}");
            }
        }
    }

    /// The momentum is the derivative of ½ ΨᵀJΨ/dt by the orientation at either end, turned to space: central differences
    /// of width 1e-5, whose own error is about 1e-10.
    #[test]
    fn momentum_is_the_legendre_transform_at_both_ends() {
        let inertia = Matrix3::new(2.0, 0.1, 0.0, 0.1, 1.0, -0.2, 0.0, -0.2, 0.7);
        let a = Quaternion::from_rotation_vector(Vector3::new(0.3, 1.0, -0.4));
        let (dt, h) = (0.1, 1e-5);
        for size in [0.02, 0.3, 1.2] {
            let b = a * Quaternion::from_rotation_vector(Vector3::new(0.5, -0.7, 0.9) * size);
            let action = |a: Quaternion, b: Quaternion| {
                let psi = (a.conjugate() * b).rotation_vector();
                0.5 * psi.dot(&(inertia * psi)) / dt
            };
            let found = momentum(a, b, &inertia, 1.0 / dt);
            for c in 0..3 {
                let mut xi = Vector3::zeros();
                xi[c] = h;
                // Variations by rotation vectors of space.
                let (up, down) = (Quaternion::from_rotation_vector(xi), Quaternion::from_rotation_vector(-xi));
                let at_end = (action(a, up * b) - action(a, down * b)) / (2.0 * h);
                let at_start = -(action(up * a, b) - action(down * a, b)) / (2.0 * h);
                assert!((found[c] - at_end).abs() < 1e-8 && (found[c] - at_start).abs() < 1e-8, "size {size}");
            }
        }
    }
}
