//! Cross-section constants from shape and material.

use super::{InertiaSpec, MaterialSpec, SectionSpec, StiffnessSpec};

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
    /// Constants given directly; what is absent (strings) is zero.
    pub fn direct(stiffness: &StiffnessSpec, inertia: &InertiaSpec) -> Self {
        Self {
            axial: stiffness.axial,
            shear: stiffness.shear.unwrap_or(0.0),
            bending: stiffness.bending.unwrap_or(0.0),
            mass: inertia.mass,
            rotary: inertia.rotary.unwrap_or(0.0),
        }
    }

    /// Constants of a shape in a material: A and I from geometry, G = E / 2(1 + ν), shear factors of Cowper (1966):
    /// circle 6(1 + ν)/(7 + 6ν), rectangle 10(1 + ν)/(12 + 11ν), tube of radius ratio m
    /// 6(1 + ν)(1 + m²)²/((7 + 6ν)(1 + m²)² + (20 + 12ν)m²).
    pub fn of_shape(section: &SectionSpec, material: &MaterialSpec) -> Self {
        use std::f64::consts::PI;
        let nu = material.poisson;
        let (area, second_moment, shear_factor) = match *section {
            SectionSpec::Circle { radius: r } => {
                (PI * r * r, PI * r.powi(4) / 4.0, 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu))
            }
            SectionSpec::Tube { outer, inner } => {
                let m2 = (inner / outer).powi(2);
                let square = (1.0 + m2).powi(2);
                let factor = 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2);
                (PI * (outer * outer - inner * inner), PI * (outer.powi(4) - inner.powi(4)) / 4.0, factor)
            }
            SectionSpec::Rectangle { width, height } => {
                (width * height, width * height.powi(3) / 12.0, 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu))
            }
        };
        let shear_modulus = material.youngs / (2.0 * (1.0 + material.poisson));
        Self {
            axial: material.youngs * area,
            shear: shear_factor * shear_modulus * area,
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
        let circle = SectionConstants::of_shape(&SectionSpec::Circle { radius: 0.005 }, &steel);
        let tube = SectionConstants::of_shape(&SectionSpec::Tube { outer: 0.005, inner: 0.0 }, &steel);
        let pairs = [(circle.axial, tube.axial), (circle.shear, tube.shear), (circle.bending, tube.bending)];
        assert!(pairs.iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-14));
        // 10 mm round steel bar: 0.6165 kg/m (handbook).
        assert!((circle.mass - 0.6165).abs() < 1e-4);
        let square = SectionConstants::of_shape(&SectionSpec::Rectangle { width: 0.01, height: 0.01 }, &steel);
        assert!((square.bending / (210e9 * 1e-8 / 12.0) - 1.0).abs() < 1e-14);
        // 13/15.3: Cowper's value for ν = 0.3.
        assert!((square.shear / (13.0 / 15.3 * 210e9 / 2.6 * 1e-4) - 1.0).abs() < 1e-14);
        // Thin tube: Cowper's factor tends to 2(1 + ν)/(4 + 3ν).
        let thin = SectionConstants::of_shape(&SectionSpec::Tube { outer: 1.0, inner: 0.9999 }, &steel);
        let factor = thin.shear / (210e9 / 2.6 * std::f64::consts::PI * (1.0 - 0.9999_f64.powi(2)));
        assert!((factor - 2.6 / 4.9).abs() < 1e-4);
    }
}
