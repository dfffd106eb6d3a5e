//! The equations of a boundary value problem in time: motion, joints and outputs of a mechanism at all instants, between rest and
//! rest.
//!
//! Unknowns are (q, λ, u) at the instants; velocities and accelerations are central differences of fourth order. Before the first
//! and after the last instant the mechanism rests in the equilibria there. These are as many equations as unknowns, in a band of
//! five instants. Controls stand at the instants, where the outputs are prescribed, so that none of them is free to alternate from
//! step to step.

mod horizon;
mod local;
mod zeros;

pub use horizon::{Differences, Horizon};
pub use local::{Brake, Local, Sizes, State};
pub use zeros::{Zero, zeros};
