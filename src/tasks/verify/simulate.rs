//! Steps of the forward simulation, halved where they are too long.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::stepping::State;
use crate::tasks::simulation::march::{Marcher, StepFailure};
use crate::tasks::{Observer, SimulationError, TaskError};

/// Halvings of one step before giving up.
const MAX_HALVINGS: u32 = 6;

/// Simulates `steps` steps of length `h`; `sink` sees the motion after every step. Returns how often a step was halved.
pub fn simulate(
    assembly: &Assembly,
    from: State,
    h: f64,
    steps: usize,
    observer: &mut dyn Observer,
    sink: &mut dyn FnMut(usize, &Marcher<'_>),
) -> Result<usize, TaskError> {
    let start = from.t;
    let mut marcher = Marcher::new(assembly, from, h);
    let mut halved = 0;
    for k in 1..=steps {
        let end = start + k as f64 * h;
        let rest = end - marcher.state().t;
        advance(&mut marcher, rest, 0, &mut halved)?;
        marcher.arrive(end);
        sink(k, &marcher);
        if observer.interrupted() {
            return Err(SimulationError::Interrupted.into());
        }
    }
    Ok(halved)
}

fn advance(marcher: &mut Marcher<'_>, h: f64, depth: u32, halved: &mut usize) -> Result<(), TaskError> {
    match marcher.advance(h) {
        Ok(()) => Ok(()),
        Err(StepFailure::NotConverged { .. }) if depth < MAX_HALVINGS => {
            *halved += 1;
            advance(marcher, 0.5 * h, depth + 1, halved)?;
            advance(marcher, 0.5 * h, depth + 1, halved)
        }
        Err(StepFailure::Interrupted { .. }) => Err(SimulationError::Interrupted.into()),
        Err(failure) => {
            let t = marcher.state().t;
            Err(SimulationError::NoConvergence { t, step: h, reason: failure.to_string() }.into())
        }
    }
}
