//! Servo constraints: which controls make outputs of a discrete mechanism follow given paths?
//!
//! The unknowns y = (q, λ, u) obey the differential-algebraic system
//!
//! | rows | equation |
//! |---|---|
//! | motion | d/dt ∂L/∂q̇ − ∂L/∂q − F(q, q̇, u, t) − Gᵀλ = 0 |
//! | joints | g(q) = 0 |
//! | servo | h(q) − γ(t) = 0 |
//!
//! of any differentiation index. It is taken apart by the structural analysis of Pryce (2001): the highest derivatives that
//! occur give offsets c of the equations and d of the unknowns, and the derivatives of the equations up to these, solved in
//! stages as Taylor series, determine the unknowns and their derivatives (Nedialkov and Pryce 2007). Where no freedom is left
//! (a flat system) every instant is solved on its own, to rounding; otherwise what is left is integrated by its Taylor
//! series.

mod array;
mod equations;
mod explain;
mod internal;
mod march;
mod series;
mod smoothness;
mod stages;
mod structure;

use std::sync::Arc;

use crate::discretisation::transcription::{Formula, Mechanics};

pub use equations::Equations;
pub use explain::ServoError;
pub use internal::Mode;
pub use march::{Instant, Marched, accelerations, march};
pub use smoothness::{Break, breaks, kinks, kinks_of_outputs};
pub use structure::{IndexStructure, Realisation};

/// An output that must follow a path.
#[derive(Clone)]
pub struct Output {
    /// What messages call it.
    pub name: String,
    /// h(q).
    pub output: Formula,
    /// γ(t); depends on nothing but the time.
    pub path: Formula,
}

/// A mechanism whose outputs must follow paths.
#[derive(Clone)]
pub struct ServoProblem {
    /// The mechanism; its controls are the inputs.
    pub mechanics: Arc<dyn Mechanics>,
    /// What must follow what.
    pub outputs: Vec<Output>,
    /// Where the search for the first configuration begins.
    pub reference: Vec<f64>,
}
