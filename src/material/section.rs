//! Cross-section constants from shape and material.

use super::{MaterialSpec, Shape};

/// What a plane or perfectly flexible rod needs to know of its cross-section, per unit reference length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionConstants {
    /// Axial stiffness EA, newton.
    pub axial: f64,
    /// Shear stiffness κGA, newton (0 for strings).
    pub shear: f64,
    /// Bending stiffness EI, newton metre² (0 for strings).
    pub bending: f64,
    /// Mass per length ρA, kg/m.
    pub mass: f64,
    /// Rotary inertia per length ρI, kg m (0 for strings).
    pub rotary: f64,
}

impl SectionConstants {
    /// Constants of a [`Shape`] in a material: A, I and the shear factor of Cowper from geometry, G = E / 2(1 + ν).
    pub fn of_shape(shape: &Shape, material: &MaterialSpec) -> Self {
        let (area, [_, second_moment]) = (shape.area(), shape.second_moments());
        let shear_modulus = material.youngs / (2.0 * (1.0 + material.poisson));
        Self {
            axial: material.youngs * area,
            shear: shape.shear_factor(material.poisson) * shear_modulus * area,
            bending: material.youngs * second_moment,
            mass: material.density * area,
            rotary: material.density * second_moment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tube without a hole is a circle; a square of side a has EI = E a⁴/12; steel wire mass from handbook density.
    #[test]
    fn shapes_agree_where_they_must() {
        let steel = MaterialSpec { youngs: 210e9, poisson: 0.3, density: 7850.0 };
        let circle = SectionConstants::of_shape(&Shape::Circle { radius: 0.005 }, &steel);
        let tube = SectionConstants::of_shape(&Shape::Tube { outer: 0.005, inner: 0.0 }, &steel);
        let pairs = [(circle.axial, tube.axial), (circle.shear, tube.shear), (circle.bending, tube.bending)];
        assert!(pairs.iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-14));
        // 10 mm round steel bar: 0.6165 kg/m (handbook).
        assert!((circle.mass - 0.6165).abs() < 1e-4);
        let square = SectionConstants::of_shape(&Shape::Rectangle { width: 0.01, height: 0.01 }, &steel);
        assert!((square.bending / (210e9 * 1e-8 / 12.0) - 1.0).abs() < 1e-14);
        // 13/15.3: Cowper's value for ν = 0.3.
        assert!((square.shear / (13.0 / 15.3 * 210e9 / 2.6 * 1e-4) - 1.0).abs() < 1e-14);
        // Thin tube: Cowper's factor tends to 2(1 + ν)/(4 + 3ν).
        let thin = SectionConstants::of_shape(&Shape::Tube { outer: 1.0, inner: 0.9999 }, &steel);
        let factor = thin.shear / (210e9 / 2.6 * std::f64::consts::PI * (1.0 - 0.9999_f64.powi(2)));
        assert!((factor - 2.6 / 4.9).abs() < 1e-4);
    }
}
