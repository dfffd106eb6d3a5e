//! The discrete action marched along s: explicit, local, all of time at once.
//!
//! In n' = A q̈ + ∂W/∂q − b, q' = p(q, n) the arc length plays the part time plays in a simulation. Half of the
//! variables depend on the other half only (beam: n and θ on r̈ and m; r and m on n, θ and θ̈), so Störmer-Verlet in s
//! is explicit, symmetric and of order two, with the second time derivative by central differences. It is stable for
//! |ds| ≤ c dt with the *slowest* wave speed c met on the way.

mod beam;
mod dispersion;
mod layer;
mod lowpass;
pub mod space;
mod string;

pub use dispersion::{Growth, frequencies, growth, growth_of};
pub use layer::{Cut, EndData, Layer};
pub use lowpass::Lowpass;
use thiserror::Error;

use crate::models::{Continuum, StrainError};

/// A continuum whose sideways equations separate into an explicit kick and drift.
pub trait Sideways<const D: usize>: Continuum<D> {
    /// Advance the variables whose s-derivative needs only the others (n from q̈; θ from m).
    fn kick(&self, step: f64, time: &mut TimeDerivative, layer: &mut Layer<D>);
    /// Advance the rest, and return the slowest wave speed met.
    fn drift(&self, step: f64, time: &mut TimeDerivative, layer: &mut Layer<D>) -> Result<f64, Breakdown>;
}

/// The state has no continuation at one instant of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakdown {
    /// Time index.
    pub index: usize,
    /// What went wrong there.
    pub cause: StrainError,
}

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

/// Second time derivative on the grid: central differences, optionally band-limited.
#[derive(Debug, Clone)]
pub struct TimeDerivative {
    per_dt2: f64,
    lowpass: Option<Lowpass>,
    scratch: Vec<f64>,
}

impl TimeDerivative {
    /// For `count` times at distance `dt`.
    pub fn new(dt: f64, count: usize, lowpass: Option<Lowpass>) -> Self {
        Self { per_dt2: 1.0 / (dt * dt), lowpass, scratch: vec![0.0; count] }
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

/// March from the end with complete data to the other end. `sink` receives the element index counted from the starting
/// end (0 … elements) and the layer there; it returns `false` to interrupt. Returns the slowest wave speed met.
pub fn march<const D: usize, C: Sideways<D>>(
    model: &C,
    data: &EndData<D>,
    cut: Cut,
    lowpass: Option<Lowpass>,
    sink: &mut dyn FnMut(usize, &Layer<D>) -> bool,
) -> Result<f64, SidewaysError> {
    let mut layer = Layer::new(&data.q, &data.n);
    let mut time = TimeDerivative::new(data.dt, layer.len(), lowpass);
    let step = cut.step();
    let mut slowest = f64::INFINITY;
    let start = if cut.direction < 0.0 { cut.length } else { 0.0 };
    if !sink(0, &layer) {
        return Err(SidewaysError::Interrupted);
    }
    for element in 1..=cut.elements {
        for sub in 0..cut.substeps {
            // Kicks of neighbouring steps act on the same layer: one full kick, but for the reported layers.
            model.kick(if sub == 0 { 0.5 * step } else { step }, &mut time, &mut layer);
            let s = start + step * ((element - 1) * cut.substeps + sub + 1) as f64;
            let speed = model.drift(step, &mut time, &mut layer).map_err(|b| SidewaysError::Breakdown {
                s,
                index: b.index,
                cause: b.cause,
            })?;
            slowest = slowest.min(speed);
            if !(step.abs() <= speed * data.dt * (1.0 + 1e-9)) {
                return Err(if speed.is_finite() {
                    SidewaysError::StepLimit { slowest: speed }
                } else {
                    SidewaysError::NotFinite { s, index: first_not_finite(&layer) }
                });
            }
        }
        model.kick(0.5 * step, &mut time, &mut layer);
        if !sink(element, &layer) {
            return Err(SidewaysError::Interrupted);
        }
    }
    Ok(slowest)
}

fn first_not_finite<const D: usize>(layer: &Layer<D>) -> usize {
    (0..layer.len()).find(|&k| layer.q.iter().chain(&layer.n).any(|component| !component[k].is_finite())).unwrap_or(0)
}
