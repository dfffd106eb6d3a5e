//! The discrete action marched along s: explicit, local, all of time at once.
//!
//! In n' = A q̈ + ∂W/∂q − b, q' = p(q, n) the arc length plays the part time plays in a simulation. Half of the
//! variables depend on the other half only (plane: n and θ on r̈ and m; r and m on n, θ and θ̈), so Störmer-Verlet in s
//! is explicit, symmetric and of order two, with the second time derivative by central differences. It is stable for
//! |ds| ≤ c dt with the *slowest* wave speed c met on the way.

mod dispersion;
mod lowpass;
pub mod space;

pub use dispersion::{Growth, frequencies, growth_of};
pub use lowpass::Lowpass;
use thiserror::Error;

use crate::mechanism::StrainError;

/// Why a march along s stopped.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SidewaysError {
    /// The step along s is longer than the slowest wave travels in one time step.
    #[error("the step along s is too long: the slowest wave there runs at {slowest:.6e} m/s")]
    StepLimit {
        /// Slowest wave speed met, m/s.
        slowest: f64,
    },
    /// The constitutive law has no answer.
    #[error("{cause} at s = {s:.4}, time index {index}")]
    Breakdown {
        /// Arc length, metre.
        s: f64,
        /// Time index on the marching grid.
        index: usize,
        /// What went wrong there.
        cause: StrainError,
    },
    /// A value is no longer finite.
    #[error("the state is no longer finite at s = {s:.4}, time index {index}")]
    NotFinite {
        /// Arc length, metre.
        s: f64,
        /// Time index on the marching grid.
        index: usize,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Time derivatives on the grid: central differences, optionally band-limited.
#[derive(Debug, Clone)]
pub struct TimeDerivative {
    dt: f64,
    per_dt2: f64,
    lowpass: Option<Lowpass>,
    scratch: Vec<f64>,
}

impl TimeDerivative {
    /// For `count` times at distance `dt`.
    pub fn new(dt: f64, count: usize, lowpass: Option<Lowpass>) -> Self {
        Self { dt, per_dt2: 1.0 / (dt * dt), lowpass, scratch: vec![0.0; count] }
    }

    /// (x_{k+1} − x_{k−1})/(2 dt), at the two ends differences to the only neighbour.
    pub fn first(&self, x: &[f64], out: &mut [f64]) {
        let last = x.len().saturating_sub(1);
        for (k, out) in out.iter_mut().enumerate() {
            let (before, after) = (k.saturating_sub(1), (k + 1).min(last));
            *out = if after > before { (x[after] - x[before]) / ((after - before) as f64 * self.dt) } else { 0.0 };
        }
        if let Some(lowpass) = &self.lowpass {
            lowpass.apply(out);
        }
    }

    /// (x_{k−1} − 2 x_k + x_{k+1}) / dt² at every interior time; zero at the two ends (rest outside the grid).
    pub fn second(&mut self, x: &[f64]) -> &[f64] {
        if let Some((first, rest)) = self.scratch.split_first_mut() {
            *first = 0.0;
            let scale = self.per_dt2;
            for (out, w) in rest.iter_mut().zip(x.windows(3)) {
                *out = (w[0] - 2.0 * w[1] + w[2]) * scale;
            }
        }
        if let Some(last) = self.scratch.last_mut() {
            *last = 0.0;
        }
        if let Some(lowpass) = &self.lowpass {
            lowpass.apply(&mut self.scratch);
        }
        &self.scratch
    }
}
