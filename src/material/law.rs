//! Axial laws: force over stretch.
//!
//! A law is a stored energy per length ψ(ν) of the stretch ν (1 at rest), scaled by the axial stiffness EA. Adding one
//! means a file like `logarithmic.rs`, a variant of [`LawSpec`] and one line each in [`Law`]; nothing outside this
//! folder changes. A law can also be supplied from outside: the models are generic over [`AxialLaw`].

use super::{LawSpec, Logarithmic, Quadratic};
use crate::scalar::Scalar;

/// Stored energy of stretching and what follows from it.
pub trait AxialLaw: Copy + Send + Sync + std::fmt::Debug {
    /// ψ(ν), joule per metre of reference length, for axial stiffness `ea`.
    fn energy<T: Scalar>(&self, ea: f64, stretch: T) -> T;
    /// N = ψ'(ν), newton.
    fn force(&self, ea: f64, stretch: f64) -> f64;
    /// dN/dν, newton.
    fn tangent(&self, ea: f64, stretch: f64) -> f64;
    /// The stretch that carries the force `N`; not finite or not positive if there is none.
    fn stretch(&self, ea: f64, force: f64) -> f64;
}

/// A law chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// See [`Quadratic`].
    Quadratic(Quadratic),
    /// See [`Logarithmic`].
    Logarithmic(Logarithmic),
}

impl Law {
    /// The law a problem file names.
    pub fn build(spec: LawSpec) -> Self {
        match spec {
            LawSpec::Quadratic => Law::Quadratic(Quadratic),
            LawSpec::Logarithmic => Law::Logarithmic(Logarithmic),
        }
    }

    /// One of each, for tests that must hold for every law.
    pub fn samples() -> Vec<Law> {
        vec![Law::build(LawSpec::Quadratic), Law::build(LawSpec::Logarithmic)]
    }
}

impl AxialLaw for Law {
    #[inline]
    fn energy<T: Scalar>(&self, ea: f64, stretch: T) -> T {
        match self {
            Law::Quadratic(law) => law.energy(ea, stretch),
            Law::Logarithmic(law) => law.energy(ea, stretch),
        }
    }
    #[inline]
    fn force(&self, ea: f64, stretch: f64) -> f64 {
        match self {
            Law::Quadratic(law) => law.force(ea, stretch),
            Law::Logarithmic(law) => law.force(ea, stretch),
        }
    }
    #[inline]
    fn tangent(&self, ea: f64, stretch: f64) -> f64 {
        match self {
            Law::Quadratic(law) => law.tangent(ea, stretch),
            Law::Logarithmic(law) => law.tangent(ea, stretch),
        }
    }
    #[inline]
    fn stretch(&self, ea: f64, force: f64) -> f64 {
        match self {
            Law::Quadratic(law) => law.stretch(ea, force),
            Law::Logarithmic(law) => law.stretch(ea, force),
        }
    }
}
