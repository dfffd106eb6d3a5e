//! Kelvin-Voigt damping of a section: stress = stiffness · strain + damping · strain rate.

use nalgebra::{Matrix6, Vector6};

use super::Section;

impl Section {
    /// Damping from retardation coefficients r: stress = 2 r · strain rate, with the factor 2 of Lang and Linn (2009).
    ///
    /// `axial` in N s, `shear` along d₁, d₂ in N s, `bending` about d₁, d₂ and `torsion` in N m² s. They belong to the
    /// strains at the elastic centre: call this before [`Section::with_shear_centre`], which couples shear and twist.
    pub fn with_retardation(mut self, axial: f64, shear: [f64; 2], bending: [f64; 2], torsion: f64) -> Self {
        let r = Vector6::new(shear[0], shear[1], axial, bending[0], bending[1], torsion);
        self.damping = Matrix6::from_diagonal(&(r * 2.0));
        self
    }

    /// Damping from one retardation time τ, second: stress = τ · stiffness · strain rate. It is the retardation
    /// r = τ/2 · stiffness.
    pub fn with_damping_time(mut self, tau: f64) -> Self {
        self.damping = self.stiffness * tau;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// τ = 2r/stiffness (Lang and Linn 2009, corrected), with and without a shear centre.
    #[test]
    fn one_time_is_a_retardation_proportional_to_the_stiffness() {
        let section = Section::principal(10.0, [4.0, 5.0], [1.0, 2.0], 0.7, 1.0, [0.1, 0.2, 0.3]);
        let tau = 0.02;
        let r = |stiffness: f64| 0.5 * tau * stiffness;
        let by_coefficients = section.with_retardation(r(10.0), [r(4.0), r(5.0)], [r(1.0), r(2.0)], r(0.7));
        assert!((section.with_damping_time(tau).damping - by_coefficients.damping).norm() < 1e-16);
        assert_eq!(by_coefficients.damping[(2, 2)], 2.0 * r(10.0));
        let centre = [0.3, -0.2];
        let shifted = section.with_shear_centre(centre).with_damping_time(tau);
        assert!((shifted.damping - by_coefficients.with_shear_centre(centre).damping).norm() < 1e-16);
    }
}
