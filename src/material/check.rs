//! Whether a section can be that of a rod.

use nalgebra::{Matrix6, SMatrix, SVector};
use thiserror::Error;

use super::Section;

/// Names of the strains, in the order of the stiffness matrix.
const STRAINS: [&str; 6] = ["G1", "G2", "G3", "K1", "K2", "K3"];

/// What is wrong with a section.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SectionError {
    /// A number that is infinite or not a number.
    #[error("the {quantity} is not finite")]
    NotFinite {
        /// Which quantity.
        quantity: &'static str,
    },
    /// A matrix that differs from its transpose.
    #[error("the {quantity} is not symmetric: entries ({row}, {column}) and ({column}, {row}) are {above} and {below}")]
    NotSymmetric {
        /// Which matrix.
        quantity: &'static str,
        /// Row, counted from 1.
        row: usize,
        /// Column, counted from 1.
        column: usize,
        /// Entry (row, column).
        above: f64,
        /// Entry (column, row).
        below: f64,
    },
    /// A strain that costs no energy.
    #[error("the stiffness against {strain} is {value}, but must be positive (strains are G1 G2 G3 K1 K2 K3)")]
    NotStiff {
        /// Name of the strain.
        strain: &'static str,
        /// Its stiffness.
        value: f64,
    },
    /// A stiffness matrix that releases energy for some strain.
    #[error(
        "the stiffness matrix is not positive definite: scaled to a unit diagonal, its smallest eigenvalue is {smallest:.3e}"
    )]
    Indefinite {
        /// Smallest eigenvalue of D^(-½) C D^(-½), D the diagonal of C.
        smallest: f64,
    },
    /// A matrix that must not have negative eigenvalues.
    #[error("the {quantity} has the negative eigenvalue {smallest:.3e}")]
    Negative {
        /// Which matrix.
        quantity: &'static str,
        /// Its smallest eigenvalue.
        smallest: f64,
    },
    /// No mass.
    #[error("the mass per length is {value} kg/m, but must be positive")]
    NoMass {
        /// Its value, kg/m.
        value: f64,
    },
}

impl Section {
    /// Refuses a section that a rod which resists all strains cannot have: the stiffness must be symmetric and positive
    /// definite, damping and rotary inertia symmetric and without negative eigenvalues, the mass positive.
    pub fn check(&self) -> Result<(), SectionError> {
        symmetric("stiffness matrix", &self.stiffness)?;
        symmetric("damping matrix", &self.damping)?;
        symmetric("rotary inertia", &self.inertia)?;
        for (quantity, offset) in [("mass offset", self.mass_offset), ("elastic offset", self.elastic_offset)] {
            if !offset.iter().all(|x| x.is_finite()) {
                return Err(SectionError::NotFinite { quantity });
            }
        }
        if !self.mass.is_finite() {
            return Err(SectionError::NotFinite { quantity: "mass per length" });
        }
        if self.mass <= 0.0 {
            return Err(SectionError::NoMass { value: self.mass });
        }
        self.check_stiffness()?;
        not_negative("damping matrix", self.damping.symmetric_eigenvalues())?;
        not_negative("rotary inertia", self.inertia.symmetric_eigenvalues())
    }

    /// Forces, moments and lengths have different units: definiteness is judged after scaling to a unit diagonal.
    fn check_stiffness(&self) -> Result<(), SectionError> {
        let diagonal = self.stiffness.diagonal();
        if let Some(k) = (0..6).find(|&k| diagonal[k] <= 0.0) {
            return Err(SectionError::NotStiff { strain: STRAINS[k], value: diagonal[k] });
        }
        let scaled = Matrix6::from_fn(|i, j| self.stiffness[(i, j)] / (diagonal[i] * diagonal[j]).sqrt());
        let smallest = scaled.symmetric_eigenvalues().min();
        if smallest > 1e-14 { Ok(()) } else { Err(SectionError::Indefinite { smallest }) }
    }
}

fn symmetric<const N: usize>(quantity: &'static str, matrix: &SMatrix<f64, N, N>) -> Result<(), SectionError> {
    if !matrix.iter().all(|x| x.is_finite()) {
        return Err(SectionError::NotFinite { quantity });
    }
    for i in 0..N {
        for j in 0..i {
            let (above, below) = (matrix[(j, i)], matrix[(i, j)]);
            // Rounding of given digits is forgiven; entries of a stiffness compare with √(Cᵢᵢ Cⱼⱼ).
            let size = (matrix[(i, i)] * matrix[(j, j)]).abs().sqrt().max(above.abs()).max(below.abs());
            if (above - below).abs() > 1e-10 * size {
                return Err(SectionError::NotSymmetric { quantity, row: j + 1, column: i + 1, above, below });
            }
        }
    }
    Ok(())
}

fn not_negative<const N: usize>(quantity: &'static str, eigenvalues: SVector<f64, N>) -> Result<(), SectionError> {
    let smallest = eigenvalues.min();
    match smallest >= -1e-12 * eigenvalues.amax() {
        true => Ok(()),
        false => Err(SectionError::Negative { quantity, smallest }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EA of steel beside EI of a wire: eleven decades between the entries do not matter, a lost sign does.
    #[test]
    fn sections_are_accepted_or_refused_in_words() {
        let good = Section::principal(1e8, [3e7; 2], [1e-3; 2], 8e-4, 1.0, [1e-9, 1e-9, 2e-9]);
        assert_eq!(good.check(), Ok(()));
        assert_eq!(good.with_shear_centre([0.01, 0.02]).with_damping_time(0.1).check(), Ok(()));
        let message = |change: &dyn Fn(&mut Section)| {
            let mut section = good;
            change(&mut section);
            section.check().unwrap_err().to_string()
        };
        assert!(message(&|s| s.stiffness[(4, 4)] = 0.0).starts_with("the stiffness against K2 is 0"));
        assert!(message(&|s| s.stiffness[(0, 5)] = 1.0).contains("not symmetric: entries (1, 6) and (6, 1)"));
        // |C₂₄| above √(C₂₂ C₄₄) = √(3e7 · 1e-3) ≈ 173.
        let coupled = |value: f64| {
            let mut section = good;
            (section.stiffness[(1, 3)], section.stiffness[(3, 1)]) = (value, value);
            section.check()
        };
        assert_eq!(coupled(172.0), Ok(()));
        assert!(matches!(coupled(174.0), Err(SectionError::Indefinite { smallest }) if smallest < 0.0));
        assert!(message(&|s| s.mass = 0.0).contains("mass per length is 0"));
        assert!(message(&|s| s.damping[(2, 2)] = -1.0).contains("negative eigenvalue -1"));
        assert!(message(&|s| s.inertia[(0, 0)] = f64::NAN).contains("rotary inertia is not finite"));
        assert!(message(&|s| s.mass_offset[1] = f64::INFINITY).contains("mass offset is not finite"));
    }
}
