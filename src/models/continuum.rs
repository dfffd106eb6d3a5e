//! What a one-dimensional continuum is to every scheme.

use nalgebra::{SMatrix, SVector};
use thiserror::Error;

use crate::scalar::Real;

/// A vector of `D` components: a configuration, its gradient, or the conjugate stress.
pub type Vector<const D: usize> = SVector<f64, D>;
/// A `D` × `D` matrix.
pub type Matrix<const D: usize> = SMatrix<f64, D, D>;

/// A rod by its Lagrangian density on configurations q ∈ R^D,
///
/// ℓ(q, q', q̇) = ½ q̇ᵀ A q̇ − W(q, q') + b·q,
///
/// so that with the stress n = ∂W/∂q' the motion obeys n' − ∂W/∂q + b = A q̈. The energy is written once, over
/// [`Real`]; its derivatives by hand, because they are the hot code, and tests compare the two.
pub trait Continuum<const D: usize>: Clone + Send + Sync + std::fmt::Debug {
    /// Names of the coordinates: `x`, `y`, `z`, `angle`.
    fn coordinates(&self) -> [&'static str; D];
    /// Diagonal of A: inertia per reference length.
    fn inertia(&self) -> Vector<D>;
    /// b: gravity force per reference length.
    fn body_force(&self) -> Vector<D>;
    /// W(q, p): stored energy per reference length, p = q'.
    fn energy<T: Real>(&self, q: &[T; D], p: &[T; D]) -> T;
    /// First derivatives of W.
    fn stress(&self, q: &Vector<D>, p: &Vector<D>) -> Result<Stress<D>, StrainError>;
    /// First and second derivatives of W.
    fn tangent(&self, q: &Vector<D>, p: &Vector<D>) -> Result<Tangent<D>, StrainError>;
    /// The inverse constitutive law: the gradient p at which the stress is n, ∂W/∂p (q, p) = n.
    fn gradient(&self, q: &Vector<D>, n: &Vector<D>) -> Result<Vector<D>, StrainError>;
    /// Waves of the linearised principal part at a state.
    fn waves(&self, q: &Vector<D>, p: &Vector<D>) -> Result<Waves<D>, StrainError>;
    /// What the characteristic lines through a state (q, v, n) need, in one evaluation.
    fn characteristic(&self, q: &Vector<D>, v: &Vector<D>, n: &Vector<D>) -> Result<Characteristic<D>, StrainError> {
        let p = self.gradient(q, n)?;
        Ok(Characteristic {
            p,
            waves: self.waves(q, &p)?,
            w_q: self.stress(q, &p)?.w_q,
            coupling: self.tangent(q, &p)?.pq * v,
        })
    }
    /// The unstrained straight configuration between two points.
    fn straight(&self, from: &[f64], to: &[f64]) -> Straight<D>;
}

/// First derivatives of the stored energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stress<const D: usize> {
    /// n = ∂W/∂p.
    pub n: Vector<D>,
    /// ∂W/∂q.
    pub w_q: Vector<D>,
}

/// First and second derivatives of the stored energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tangent<const D: usize> {
    /// First derivatives.
    pub stress: Stress<D>,
    /// ∂²W/∂p∂p.
    pub pp: Matrix<D>,
    /// ∂²W/∂p∂q; row = component of p.
    pub pq: Matrix<D>,
    /// ∂²W/∂q∂q.
    pub qq: Matrix<D>,
}

/// Wave speeds and polarisations: ∂²W/∂p∂p w = c² A w, with wᵀ A w = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waves<const D: usize> {
    /// Speeds c ≥ 0, reference length per second.
    pub speeds: [f64; D],
    /// Polarisations as columns.
    pub modes: Matrix<D>,
}

impl<const D: usize> Waves<D> {
    /// The slowest of the speeds.
    pub fn slowest(&self) -> f64 {
        self.speeds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The fastest of the speeds.
    pub fn fastest(&self) -> f64 {
        self.speeds.iter().copied().fold(0.0, f64::max)
    }
}

/// The quasi-linear system at one state, in the directions of its waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Characteristic<const D: usize> {
    /// Gradient p(q, n).
    pub p: Vector<D>,
    /// Wave speeds and polarisations.
    pub waves: Waves<D>,
    /// ∂W/∂q.
    pub w_q: Vector<D>,
    /// ∂²W/∂p∂q v.
    pub coupling: Vector<D>,
}

/// A straight unstrained configuration q(s) = q₀ + s p.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Straight<const D: usize> {
    /// Configuration at s = 0.
    pub q: Vector<D>,
    /// Its gradient.
    pub p: Vector<D>,
    /// Reference length.
    pub length: f64,
}

/// A state at which the energy has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum StrainError {
    /// The rod is compressed to nothing or beyond.
    #[error("the rod is compressed to nothing (stretch {stretch:.3e})")]
    Collapsed {
        /// The stretch found, ≤ 0 or not a number.
        stretch: f64,
    },
    /// A string carries no tension, so its direction is undetermined.
    #[error("the string goes slack (tension {tension:.3e} N)")]
    Slack {
        /// The tension found, newton.
        tension: f64,
    },
}
