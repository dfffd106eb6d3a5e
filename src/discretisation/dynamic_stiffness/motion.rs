//! One family of motions of a part of a rod: what its ends feel at one frequency.
//!
//! Let D(λ), λ = ω², be the dynamic stiffness of a part, N_λ its exact shape functions at that frequency and N₀ those of
//! statics. Then with the mass per length m
//!
//!   D(λ) = D(0) − λ ∫ N₀ᵀ m N_λ ds,   −dD/dλ = ∫ N_λᵀ m N_λ ds,
//!
//! the first because N₀ may serve as test function of the equation of N_λ and the other way round, the second because D
//! is stationary in the shapes. Neither loses digits, however small λ is, and D(0) is a square: the stiffness of one
//! deformation. −dD/dλ is positive definite, so all eigenvalues of D fall as λ grows.

/// D(λ) and −dD/dλ of one family in two coordinates of the ends; a family with one coordinate leaves the second at zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MemberMotion {
    /// The deformation is this vector times the coordinates.
    pub deformation: [f64; 2],
    /// D(0) is this number times the square of the deformation.
    pub stiffness: f64,
    /// ∫ N₀ᵀ m N_λ ds: entries (0, 0), (0, 1), (1, 1).
    pub inertia: [f64; 3],
    /// ∫ N_λᵀ m N_λ ds: entries (0, 0), (0, 1), (1, 1).
    pub mass: [f64; 3],
}

/// a A b of a symmetric matrix by its three entries.
#[inline]
fn product(matrix: &[f64; 3], a: [f64; 2], b: [f64; 2]) -> f64 {
    matrix[0] * a[0] * b[0] + matrix[1] * (a[0] * b[1] + a[1] * b[0]) + matrix[2] * a[1] * b[1]
}

impl MemberMotion {
    /// a D(λ) b and −a dD/dλ b.
    #[inline]
    pub fn forms(&self, lambda: f64, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        let strain = |c: [f64; 2]| self.deformation[0] * c[0] + self.deformation[1] * c[1];
        let stiff = self.stiffness * strain(a) * strain(b) - lambda * product(&self.inertia, a, b);
        [stiff, product(&self.mass, a, b)]
    }
}
