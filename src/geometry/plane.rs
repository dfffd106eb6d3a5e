//! Cross-section frames in the plane.

use crate::scalar::Real;

/// The directors of a plane cross-section at angle θ: d₃ = (cos θ, sin θ) along the rod, d₁ = (−sin θ, cos θ) across.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Director<T> {
    cos: T,
    sin: T,
}

impl<T: Real> Director<T> {
    /// Frame at angle θ (radian).
    #[inline]
    pub fn at(angle: T) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { cos, sin }
    }

    /// Components of a fixed-frame vector (a_x, a_y) along (d₃, d₁).
    #[inline]
    pub fn to_material(&self, x: T, y: T) -> (T, T) {
        (self.cos * x + self.sin * y, self.cos * y - self.sin * x)
    }

    /// Fixed-frame components of a₃ d₃ + a₁ d₁.
    #[inline]
    pub fn to_spatial(&self, along: T, across: T) -> (T, T) {
        (self.cos * along - self.sin * across, self.sin * along + self.cos * across)
    }
}

#[cfg(test)]
mod tests {
    use super::Director;

    #[test]
    fn material_and_spatial_components_are_inverse() {
        for angle in [-2.5, 0.0, 0.3, 1.7, 40.0] {
            let frame = Director::at(angle);
            let (a, b) = frame.to_material(0.3, -1.2);
            let (x, y) = frame.to_spatial(a, b);
            assert!((x - 0.3_f64).abs() < 1e-15 && (y + 1.2_f64).abs() < 1e-15);
        }
        // d₃ of a quarter turn is e_y.
        let (x, y) = Director::at(std::f64::consts::FRAC_PI_2).to_spatial(1.0, 0.0);
        assert!(x.abs() < 1e-16 && y == 1.0);
    }
}
