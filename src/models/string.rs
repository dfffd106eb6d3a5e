//! The perfectly flexible string in the plane and in space.

use super::continuum::{Continuum, Matrix, Straight, StrainError, Stress, Tangent, Vector, Waves};
use crate::material::{AxialLaw, Law};
use crate::scalar::Real;

/// Configuration r ∈ R^D; energy density W = ψ(|r'|), inertia ρA.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlexibleString<const D: usize, L = Law> {
    /// Axial law ψ.
    pub law: L,
    /// Axial stiffness EA, newton.
    pub axial: f64,
    /// Mass per length ρA, kg/m.
    pub mass: f64,
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; D],
}

impl<const D: usize, L: AxialLaw> FlexibleString<D, L> {
    /// Stretch and unit tangent.
    fn direction(&self, p: &Vector<D>) -> Result<(f64, Vector<D>), StrainError> {
        let stretch = p.norm();
        if !(stretch > 0.0) {
            return Err(StrainError::Collapsed { stretch });
        }
        Ok((stretch, p / stretch))
    }
}

impl<const D: usize, L: AxialLaw> Continuum<D> for FlexibleString<D, L> {
    fn coordinates(&self) -> [&'static str; D] {
        std::array::from_fn(|i| ["x", "y", "z"][i.min(2)])
    }

    fn inertia(&self) -> Vector<D> {
        Vector::repeat(self.mass)
    }

    fn body_force(&self) -> Vector<D> {
        Vector::from(self.gravity) * self.mass
    }

    fn energy<T: Real>(&self, _q: &[T; D], p: &[T; D]) -> T {
        let square = p.iter().fold(T::from(0.0), |sum, &v| sum + v * v);
        self.law.energy(self.axial, square.sqrt())
    }

    fn stress(&self, _q: &Vector<D>, p: &Vector<D>) -> Result<Stress<D>, StrainError> {
        let (stretch, e) = self.direction(p)?;
        Ok(Stress { n: e * self.law.force(self.axial, stretch), w_q: Vector::zeros() })
    }

    /// ∂²W/∂p∂p = N' e eᵀ + (N/ν) (1 − e eᵀ).
    fn tangent(&self, _q: &Vector<D>, p: &Vector<D>) -> Result<Tangent<D>, StrainError> {
        let (stretch, e) = self.direction(p)?;
        let tension = self.law.force(self.axial, stretch);
        let across = tension / stretch;
        let along = self.law.tangent(self.axial, stretch);
        let pp = Matrix::identity() * across + e * e.transpose() * (along - across);
        let stress = Stress { n: e * tension, w_q: Vector::zeros() };
        Ok(Tangent { stress, pp, pq: Matrix::zeros(), qq: Matrix::zeros() })
    }

    /// A string pulls, so the stress n is a tension |n| along n.
    fn gradient(&self, _q: &Vector<D>, n: &Vector<D>) -> Result<Vector<D>, StrainError> {
        let tension = n.norm();
        if !(tension > f64::MIN_POSITIVE) {
            return Err(StrainError::Slack { tension });
        }
        Ok(n * (self.law.stretch(self.axial, tension) / tension))
    }

    /// Axial √(N'/ρA) along the string, transverse √(N/(ν ρA)) across it.
    fn waves(&self, _q: &Vector<D>, p: &Vector<D>) -> Result<Waves<D>, StrainError> {
        let (stretch, e) = self.direction(p)?;
        let tension = self.law.force(self.axial, stretch);
        if !(tension > 0.0) {
            return Err(StrainError::Slack { tension });
        }
        let a = 1.0 / self.mass.sqrt();
        let mut speeds = [(tension / stretch).sqrt() * a; D];
        speeds[0] = self.law.tangent(self.axial, stretch).sqrt() * a;
        // Householder reflection that takes the first axis to ±e: orthonormal, its first column along the string.
        let sign = if e[0] < 0.0 { -1.0 } else { 1.0 };
        let mut u = e;
        u[0] += sign;
        let modes = (Matrix::identity() - u * u.transpose() * (2.0 / u.norm_squared())) * a;
        Ok(Waves { speeds, modes })
    }

    fn straight(&self, from: &[f64], to: &[f64]) -> Straight<D> {
        let q = Vector::from_fn(|i, _| from[i]);
        let chord = Vector::<D>::from_fn(|i, _| to[i] - from[i]);
        Straight { q, p: chord.normalize(), length: chord.norm() }
    }
}
