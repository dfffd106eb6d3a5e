//! A stored result, checked by its actuation alone.

use super::verification::verify;
use super::{Following, TrackingSystem};
use crate::discretisation::transcription::{Given, Trajectory};
use crate::results::{Outcome, Verification};
use crate::tasks::velocity_name;
use crate::tasks::{Silent, TaskError};

/// Lets the stored actuation drive the system from the rest that the problem leads to; where its ends are free, from the stored
/// state at the start.
pub fn reverify(system: &TrackingSystem, stored: &Outcome) -> Result<Verification, TaskError> {
    let missing = |reason: String| TaskError::Incomplete { reason };
    let posed = system.pose(&|| true).map_err(|error| missing(error.to_string()))?;
    let (names, inputs) = (posed.control.coordinates(), posed.control.controls());
    let steps = stored.steps();
    let nodes = steps.t.len();
    if nodes < 2 || stored.motion.t.len() != nodes {
        return Err(missing("controls.csv and motion.csv have no rows for the same two or more instants".into()));
    }
    let columns = |list: &[String], motion: bool| -> Result<Vec<Vec<f64>>, TaskError> {
        let (table, file) = if motion { (&stored.motion, "motion.csv") } else { (steps, "controls.csv") };
        let column = |name: &String| {
            let column = table.column(name).ok_or_else(|| missing(format!("{file} has no column `{name}`")));
            column.map(<[f64]>::to_vec)
        };
        list.iter().map(column).collect()
    };
    let by_node = |columns: &[Vec<f64>], count: usize| -> Vec<Vec<f64>> {
        (0..count).map(|k| columns.iter().map(|column| column[k]).collect()).collect()
    };
    let rates: Vec<String> = names.iter().map(|name| velocity_name(name)).collect();
    let velocities = by_node(&columns(&rates, true)?, nodes);
    let mut found = Trajectory {
        duration: system.duration(),
        times: steps.t.clone(),
        q: by_node(&columns(&names, true)?, nodes),
        u: by_node(&columns(&inputs, false)?, nodes - 1),
        start_velocity: velocities[0].clone(),
        end_velocity: velocities[nodes - 1].clone(),
        ..Trajectory::default()
    };
    if system.following != Following::Exact {
        let start = &posed.control.problem.start;
        let given = |list: &[Given], into: &mut [f64]| {
            list.iter().zip(into).for_each(|(given, value)| *value = given.value().unwrap_or(*value));
        };
        given(&start.position, &mut found.q[0]);
        given(&start.velocity, &mut found.start_velocity);
    }
    let verification = verify(system, &posed, &found, &mut Silent)?.verification;
    Ok(verification)
}
