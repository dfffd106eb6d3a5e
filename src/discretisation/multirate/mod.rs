//! Variational integration with two step lengths: slow coordinates on a macro grid, fast ones on a micro grid.
//!
//! A macro step of length H has p micro steps of length h = H/p. Slow coordinates go on a straight line through it,
//! q^s(t_k + m h) = q^s_k + m/p (q^s_{k+1} − q^s_k); fast ones have nodes q^{f,0} … q^{f,p} of their own. The discrete action of a
//! macro step (Leyendecker and Ober-Blöbaum 2013, "A variational approach to multirate integration for constrained systems") is
//!
//! L_d = Σ_m h L_m − H V̄
//!
//! with the Lagrangian T − W of kinetic energy and fast potential in each micro step and the slow potential V(q), which is
//! evaluated on the macro grid only; see [`Quadrature`]. Constraints that depend on fast coordinates hold at all micro nodes,
//! with impulses μ_m there, the others at the macro nodes:
//!
//! | node | equation |
//! |---|---|
//! | slow, k | p^s_k + ∂L_d/∂q^s_k − Σ_m (1 − m/p) (∂g/∂q^s)ᵀμ_m = 0 |
//! | fast, micro node 0 | p^f_k + ∂L_d/∂q^{f,0} − (∂g/∂q^f)ᵀμ_0 = 0 |
//! | fast, micro node m | ∂L_d/∂q^{f,m} − (∂g/∂q^f)ᵀμ_m = 0 |
//! | macro node k + 1 | p_{k+1} = ∂L_d/∂q_{k+1}, for slow ones less Σ_m m/p (∂g/∂q^s)ᵀμ_m |
//!
//! Momentum maps of linear symmetries are kept, because the straight line commutes with them. The unknowns of a macro step are
//! a chain of micro nodes with a border of slow coordinates.
//!
//! Energies and forces that are functions of slow coordinates alone count on the macro grid as well, where they are separate
//! terms: multirate pays off where what remains for a micro step is cheap.

mod layout;
mod legendre;
mod macro_step;
mod programs;
mod stamps;
mod stated;
mod stiff;

use std::sync::Arc;

use thiserror::Error;

use super::transcription::{Formula, Mechanics};
use crate::nlp::EvalFailure;

pub use legendre::{Energy, Legendre, Violation};
pub use macro_step::MacroStep;
pub use stiff::{Stiff, Stiffness};

/// Where the potential of a step is evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quadrature {
    /// At the middle: implicit, order 2.
    Midpoint,
    /// α at the beginning and 1 − α at the end of the step: explicit where nothing else couples the unknowns; order 2 for α = ½
    /// (trapezoidal rule), 1 otherwise.
    Affine(f64),
}

impl Quadrature {
    /// Shares of generalised forces at the beginning and at the end.
    fn shares(self) -> [f64; 2] {
        match self {
            Self::Midpoint => [0.5, 0.5],
            Self::Affine(alpha) => [alpha, 1.0 - alpha],
        }
    }

    /// Order of the motions.
    pub fn order(self) -> usize {
        if self == Self::Midpoint || self == Self::Affine(0.5) { 2 } else { 1 }
    }
}

/// A system with slow and fast coordinates.
#[derive(Clone)]
pub struct Multirate {
    /// Coordinates, constraints, forces, and the Lagrangian without the slow potential.
    pub mechanics: Arc<dyn Mechanics>,
    /// Potential energy V of coordinates and time, which is evaluated once in a macro step.
    pub slow_potential: Option<Formula>,
    /// Whether a coordinate is fast.
    pub fast: Vec<bool>,
    /// Number of micro steps p of a macro step.
    pub micro: usize,
    /// Quadrature on the macro grid.
    pub slow_quadrature: Quadrature,
    /// Quadrature on the micro grid.
    pub fast_quadrature: Quadrature,
}

impl Multirate {
    /// All coordinates on one grid.
    pub fn uniform(mechanics: Arc<dyn Mechanics>, quadrature: Quadrature) -> Self {
        let fast = vec![true; mechanics.coordinates().len()];
        Self {
            mechanics,
            slow_potential: None,
            fast,
            micro: 1,
            slow_quadrature: quadrature,
            fast_quadrature: quadrature,
        }
    }
}

/// Coordinates and momenta at a macro node.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time, second.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Momenta ∂L/∂v, before the impulse of constraints at the node.
    pub p: Vec<f64>,
}

/// Why the equations of a macro step cannot be stated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MultirateError {
    /// A list has the wrong length.
    #[error("{what}: {given} given, {expected} expected")]
    Length {
        /// What is listed.
        what: &'static str,
        /// Its length.
        given: usize,
        /// That of the system.
        expected: usize,
    },
    /// No micro steps, or no coordinates for them.
    #[error("there are {micro} micro steps and {fast} fast coordinates, at least one of each is needed")]
    Nothing {
        /// Number of micro steps.
        micro: usize,
        /// Number of fast coordinates.
        fast: usize,
    },
    /// The step has no length.
    #[error("a macro step must have a positive length; it is {0} s")]
    Step(f64),
    /// Constraints leave the fast coordinates no freedom at the micro nodes.
    #[error(
        "{constraints} constraints depend on fast coordinates, but there are only {fast} of these: at the micro nodes, where \
         slow coordinates are given by their straight line, they cannot all hold; let more coordinates be fast"
    )]
    Overdetermined {
        /// Number of constraints.
        constraints: usize,
        /// Number of fast coordinates.
        fast: usize,
    },
    /// The system has no value.
    #[error(transparent)]
    Evaluation(#[from] EvalFailure),
}
