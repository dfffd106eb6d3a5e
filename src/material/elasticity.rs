//! The cross-section of a rod in space: stiffness, damping and inertia per length, and its stored energy.
//!
//! Strains are ordered (Γ₁, Γ₂, Γ₃, K₁, K₂, K₃): shear along d₁ and d₂, stretch along d₃, bending about d₁ and d₂,
//! twist about d₃. A plane rod is one whose d₂ is the normal of the plane: of the strains only Γ₁, Γ₃, K₂ remain.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::{AxialLaw, Law, LawSpec};
use crate::scalar::Scalar;

/// What a rod needs to know of its cross-section at one place, per unit reference length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Stiffness about the elastic centre, symmetric; N, N m and N m².
    pub stiffness: Matrix6<f64>,
    /// Damping: stress = damping · strain rate (Kelvin-Voigt), symmetric; N s, N m s and N m² s.
    pub damping: Matrix6<f64>,
    /// Mass ρA, kg/m.
    pub mass: f64,
    /// Rotary inertia about the mass centre along d₁, d₂, d₃, kg m.
    pub inertia: Matrix3<f64>,
    /// Mass centre in the section, from the axis of the rod along d₁, d₂, metre.
    pub mass_offset: [f64; 2],
    /// Elastic centre (where axial force does not bend), from the axis of the rod along d₁, d₂, metre.
    pub elastic_offset: [f64; 2],
}

impl Section {
    /// A section whose principal axes are d₁, d₂ and whose centres lie on the axis.
    ///
    /// `shear` = (κGA₁, κGA₂), `bending` = (EI₁, EI₂) about d₁ and d₂, `inertia` = (ρI₁, ρI₂, ρI₃).
    pub fn principal(
        axial: f64,
        shear: [f64; 2],
        bending: [f64; 2],
        torsion: f64,
        mass: f64,
        inertia: [f64; 3],
    ) -> Self {
        let diagonal = Vector6::new(shear[0], shear[1], axial, bending[0], bending[1], torsion);
        Self {
            stiffness: Matrix6::from_diagonal(&diagonal),
            damping: Matrix6::zeros(),
            mass,
            inertia: Matrix3::from_diagonal(&Vector3::from(inertia)),
            mass_offset: [0.0; 2],
            elastic_offset: [0.0; 2],
        }
    }

    /// Couples shear and twist for a shear centre at (s₁, s₂) from the elastic centre: a transverse force bends without
    /// twisting only if it acts there. The shear strains at that point are Γ₁ − s₂ K₃ and Γ₂ + s₁ K₃.
    pub fn with_shear_centre(mut self, s: [f64; 2]) -> Self {
        let mut strains_there = Matrix6::identity();
        strains_there[(0, 5)] = -s[1];
        strains_there[(1, 5)] = s[0];
        self.stiffness = strains_there.transpose() * self.stiffness * strains_there;
        self.damping = strains_there.transpose() * self.damping * strains_there;
        self
    }
}

/// How stress follows from strain beyond the stiffness matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RodLaw {
    /// Axial law; replaces ½ EA Γ₃².
    pub axial: Law,
    /// Stiffening β of bending, m²: the bending energy is multiplied by 1 + β/2 (K₁² + K₂²), so that in one plane
    /// M = EI κ (1 + β κ²).
    pub stiffening: f64,
}

impl Default for RodLaw {
    fn default() -> Self {
        Self { axial: Law::build(LawSpec::Quadratic), stiffening: 0.0 }
    }
}

/// Energy per length with its first and second derivatives by the strains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stresses {
    /// Energy, J/m.
    pub energy: f64,
    /// (n₁, n₂, n₃, m₁, m₂, m₃) in the section, N and N m.
    pub stress: Vector6<f64>,
    /// Tangent stiffness.
    pub tangent: Matrix6<f64>,
}

impl RodLaw {
    /// Whether stresses are linear in the strains.
    #[inline]
    pub fn is_linear(&self) -> bool {
        self.stiffening == 0.0 && matches!(self.axial, Law::Quadratic(_))
    }

    /// Stresses of a strain measured from the unstressed state.
    #[inline]
    pub fn stresses(&self, stiffness: &Matrix6<f64>, strain: &Vector6<f64>) -> Stresses {
        let stress = stiffness * strain;
        let mut out = Stresses { energy: 0.5 * strain.dot(&stress), stress, tangent: *stiffness };
        if self.is_linear() {
            return out;
        }
        let (ea, stretch) = (stiffness[(2, 2)], 1.0 + strain[2]);
        if !matches!(self.axial, Law::Quadratic(_)) {
            out.energy += self.axial.energy(ea, stretch) - 0.5 * ea * strain[2] * strain[2];
            out.stress[2] += self.axial.force(ea, stretch) - ea * strain[2];
            out.tangent[(2, 2)] += self.axial.tangent(ea, stretch) - ea;
        }
        // W = β/4 (kᵀ B k)(kᵀ k) with k = (K₁, K₂) and B the bending part of the stiffness.
        let b = stiffness.fixed_view::<2, 2>(3, 3);
        let k = strain.fixed_rows::<2>(3);
        let bk = b * k;
        let (energy, square) = (k.dot(&bk), k.norm_squared());
        let factor = 0.25 * self.stiffening;
        out.energy += factor * energy * square;
        for i in 0..2 {
            out.stress[3 + i] += factor * 2.0 * (bk[i] * square + energy * k[i]);
            for j in 0..2 {
                let mut second = b[(i, j)] * square + 2.0 * (bk[i] * k[j] + k[i] * bk[j]);
                if i == j {
                    second += energy;
                }
                out.tangent[(3 + i, 3 + j)] += factor * 2.0 * second;
            }
        }
        out
    }

    /// The energy over any scalar; [`RodLaw::stresses`] are its derivatives.
    pub fn energy<T: Scalar>(&self, stiffness: &Matrix6<f64>, strain: &[T; 6]) -> T {
        // ½ EA Γ₃² is the quadratic axial law.
        let quadratic = matches!(self.axial, Law::Quadratic(_));
        let mut energy = strain[0].lift(0.0);
        for i in 0..6 {
            for j in (0..6).filter(|j| (quadratic || (i, *j) != (2, 2)) && stiffness[(i, *j)] != 0.0) {
                energy = energy + strain[i] * strain[j] * (0.5 * stiffness[(i, j)]);
            }
        }
        if !quadratic && stiffness[(2, 2)] != 0.0 {
            energy = energy + self.axial.energy(stiffness[(2, 2)], strain[2] + 1.0);
        }
        if self.stiffening == 0.0 {
            return energy;
        }
        let mut bending = strain[0].lift(0.0);
        for i in 3..5 {
            for j in 3..5 {
                bending = bending + strain[i] * strain[j] * stiffness[(i, j)];
            }
        }
        energy + bending * (strain[3].square() + strain[4].square()) * (0.25 * self.stiffening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::derivative::second_order;

    /// Stress and tangent against second-order automatic derivatives of the energy.
    #[test]
    fn stresses_are_derivatives_of_the_energy() {
        let mut stiffness = Matrix6::from_fn(|i, j| 0.1 * ((i + 1) * (j + 1)) as f64);
        stiffness += Matrix6::from_diagonal_element(4.0);
        let strain = [0.1, -0.2, 0.3, 0.8, -1.1, 0.5];
        for axial in Law::samples() {
            let law = RodLaw { axial, stiffening: 0.3 };
            let (energy, gradient, hessian) = second_order(|x| law.energy(&stiffness, &x), strain);
            let found = law.stresses(&stiffness, &strain.into());
            assert!((found.energy - energy).abs() < 1e-13);
            assert!((found.stress - gradient).norm() < 1e-12);
            assert!((found.tangent - hessian).norm() < 1e-12);
        }
    }

    /// A force through the shear centre does not twist: the compliance couples nothing there.
    #[test]
    fn a_force_through_the_shear_centre_does_not_twist() {
        let section = Section::principal(10.0, [4.0, 5.0], [1.0, 2.0], 0.7, 1.0, [0.1, 0.2, 0.3]);
        let shifted = section.with_shear_centre([0.3, -0.2]);
        // Force f along d₂ at (0.3, −0.2): moment about the elastic centre (0.3 f) about d₃ and force f.
        let stress = Vector6::new(0.0, 1.0, 0.0, 0.0, 0.0, 0.3);
        let strain = shifted.stiffness.try_inverse().map(|c| c * stress).unwrap_or_default();
        assert!(strain[5].abs() < 1e-15 && (strain[1] - 0.2).abs() < 1e-15);
    }
}
