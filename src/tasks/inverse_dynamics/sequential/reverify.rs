//! Verification of a saved result from its actuation table.

use super::resimulation::verify;
use super::{ServoSystem, bounded};
use crate::results::{Outcome, Verification};
use crate::tasks::velocity_name;
use crate::tasks::{Observer, TaskError};

/// Simulates with the stored actuation, from the stored state of the first instant (which the paths determine), and for an
/// unstable motion from those at which its segments begin.
pub fn reverify(
    system: &ServoSystem,
    stored: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let system = &bounded::stored(system, stored);
    let states = stored_states(system, stored)?;
    verify(system, &stored.actuation, &states, observer).map(|proved| proved.verification)
}

/// Coordinates and velocities that a result stores, by the number of the instant.
pub(super) fn stored_states<'o>(
    system: &ServoSystem,
    stored: &'o Outcome,
) -> Result<impl Fn(usize) -> (Vec<f64>, Vec<f64>) + 'o, TaskError> {
    let incomplete = |reason: String| TaskError::Incomplete { reason };
    let nodes = system.grid.steps + 1;
    if stored.actuation.t.len() != nodes || stored.motion.t.len() != nodes {
        return Err(incomplete(format!("its tables do not have the {nodes} instants of the problem")));
    }
    for name in system.problem.mechanics.controls() {
        if stored.actuation.column(&name).is_none() {
            return Err(incomplete(format!("actuation.csv has no column `{name}`")));
        }
    }
    let names = system.problem.mechanics.coordinates();
    let velocities: Vec<String> = names.iter().map(|name| velocity_name(name)).collect();
    let columns = |names: &[String]| {
        let column = |name: &String| {
            stored.motion.column(name).ok_or_else(|| incomplete(format!("motion.csv has no column `{name}`")))
        };
        names.iter().map(column).collect::<Result<Vec<&'o [f64]>, TaskError>>()
    };
    let (q, v) = (columns(&names)?, columns(&velocities)?);
    let at = |columns: &[&[f64]], k: usize| columns.iter().map(|column| column[k]).collect::<Vec<f64>>();
    Ok(move |k: usize| (at(&q, k), at(&v, k)))
}
