//! What makes a problem impossible before it is solved.

use thiserror::Error;

use super::chart::Evaluated;
use super::interpolation::MAX_DEGREE;
use super::{ControlProblem, Given, Reduction, Rule, parts};
use crate::nlp::families::FamilyError;
use crate::nlp::{EvalFailure, Nlp};

/// Largest violation of a constraint by a configuration or velocity that is given.
const GIVEN_VIOLATION: f64 = 1e-8;

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TranscriptionError {
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
    /// A coordinate or control that does not exist.
    #[error("{what} names {kind} number {number}, but there are {count}, counted from 0")]
    Missing {
        /// Where it is named.
        what: &'static str,
        /// `coordinate` or `control`.
        kind: &'static str,
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no interval.
    #[error("at least one interval is needed")]
    NoInterval,
    /// The duration is not positive.
    #[error("the duration, its bounds and its guess must be positive, not {0}")]
    Duration(f64),
    /// A given value is not within the bounds.
    #[error("{name} at the {end} is {value}, outside of its bounds {lower} and {upper}")]
    Outside {
        /// Coordinate.
        name: String,
        /// `start` or `end`.
        end: &'static str,
        /// Its value.
        value: f64,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// A given end violates a constraint.
    #[error("the {end} violates the constraint `{name}` by {value:.3e}")]
    Violated {
        /// `start` or `end`.
        end: &'static str,
        /// Constraint, or its rate.
        name: String,
        /// Its value, which should be zero.
        value: f64,
    },
    /// There are no local coordinates.
    #[error("the null-space form needs a chart, but the system states none")]
    NoChart,
    /// A constraint that a chart is said to satisfy.
    #[error("the chart does not satisfy the constraint `{name}`: it is {value:.3e} near the guess")]
    NotSatisfied {
        /// Constraint.
        name: String,
        /// Its value.
        value: f64,
    },
    /// A periodic coordinate on a manifold.
    #[error("{name} is periodic, which the null-space form allows of coordinates in no group only")]
    PeriodicOnManifold {
        /// Coordinate.
        name: String,
    },
    /// Not a degree.
    #[error("the degree of the Galerkin rule is {degree}, expected 1 to {most}")]
    Degree {
        /// Given.
        degree: usize,
        /// Highest.
        most: usize,
    },
    /// The rule knows no constraints.
    #[error("the Galerkin rule is for systems without constraints, but there is the constraint `{name}`")]
    ConstrainedGalerkin {
        /// Its first constraint.
        name: String,
    },
    /// The constraints cannot be evaluated.
    #[error("the constraints cannot be evaluated: {0}")]
    Evaluation(#[from] EvalFailure),
    /// Blocks outside of the matrix.
    #[error(transparent)]
    Family(#[from] FamilyError),
}

/// Refuses what cannot be transcribed.
pub(super) fn check(problem: &ControlProblem, intervals: usize) -> Result<(), TranscriptionError> {
    let (n, m) = (problem.mechanics.coordinates().len(), problem.mechanics.controls().len());
    let lengths = [
        ("start positions", problem.start.position.len(), n),
        ("start velocities", problem.start.velocity.len(), n),
        ("end positions", problem.end.position.len(), n),
        ("end velocities", problem.end.velocity.len(), n),
        ("bounds of coordinates", problem.coordinate_bounds.len(), n),
        ("bounds of controls", problem.control_bounds.len(), m),
        ("guessed coordinates", (problem.guess.position)(0.0).len(), n),
        ("guessed controls", (problem.guess.control)(0.0).len(), m),
        ("generalised forces", parts::force_count(problem), n),
    ];
    for (what, given, expected) in lengths {
        if given != expected {
            return Err(TranscriptionError::Length { what, given, expected });
        }
    }
    let lists = [
        ("the cost of magnitudes", "control", &problem.cost.fuel, m),
        ("the cost of energy", "control", &problem.cost.energy, m),
        ("the cost of peaks", "control", &problem.cost.peak, m),
        ("periodicity", "coordinate", &problem.periodic, n),
    ];
    for (what, kind, list, count) in lists {
        if let Some(&(number, _)) = list.iter().find(|(number, _)| *number >= count) {
            return Err(TranscriptionError::Missing { what, kind, number, count });
        }
    }
    if intervals == 0 {
        return Err(TranscriptionError::NoInterval);
    }
    let (least, most) = problem.duration.bounds();
    let guess = problem.duration.value().unwrap_or(problem.guess.duration);
    if let Some(&wrong) = [least, most, guess].iter().find(|duration| !(**duration > 0.0)) {
        return Err(TranscriptionError::Duration(wrong));
    }
    if !guess.is_finite() {
        return Err(TranscriptionError::Duration(guess));
    }
    ends(problem)?;
    rule(problem)?;
    chart(problem)
}

/// The Galerkin rule has limits.
fn rule(problem: &ControlProblem) -> Result<(), TranscriptionError> {
    let Rule::Galerkin { degree } = problem.rule else { return Ok(()) };
    if !(1..=MAX_DEGREE).contains(&degree) {
        return Err(TranscriptionError::Degree { degree, most: MAX_DEGREE });
    }
    match parts::constraint_names(problem).into_iter().next() {
        Some(name) => Err(TranscriptionError::ConstrainedGalerkin { name }),
        None => Ok(()),
    }
}

/// A chart must satisfy what it is said to, here at points around the guess, and leave periodic coordinates alone.
fn chart(problem: &ControlProblem) -> Result<(), TranscriptionError> {
    if problem.reduction == Reduction::Multipliers {
        return Ok(());
    }
    let chart = problem.chart().ok_or(TranscriptionError::NoChart)?;
    if let Some((i, _)) = problem.periodic.iter().find(|(i, _)| chart.place(*i).is_none()) {
        return Err(TranscriptionError::PeriodicOnManifold { name: problem.mechanics.coordinates()[*i].clone() });
    }
    let mut program = parts::constraints(problem);
    let (mut values, mut evaluated) = (vec![0.0; program.bounds().rows()], Evaluated::new(&chart));
    for (k, share) in [0.0, 0.5, 1.0].into_iter().enumerate() {
        let guess = (problem.guess.position)(share);
        let numbers = chart.reference(&guess, None);
        let turns = (0..chart.turning()).map(|i| 0.3 * (1.0 + i as f64 + k as f64).sin());
        let f: Vec<f64> = turns.chain(chart.free().iter().map(|i| guess[*i])).collect();
        let mut at = evaluated.configuration(&f, &numbers)?.to_vec();
        at.resize(2 * guess.len(), 0.0);
        at.extend([share * problem.guess.duration, 0.0]);
        program.constraints(&at, &mut values)?;
        let wrong = |row: &&usize| !values.get(**row).is_some_and(|value| value.abs() <= GIVEN_VIOLATION);
        if let Some(&row) = chart.satisfied().iter().find(wrong) {
            let value = values.get(row).copied().unwrap_or(f64::NAN);
            return Err(TranscriptionError::NotSatisfied { name: program.row_name(row), value });
        }
    }
    Ok(())
}

/// Given ends must be possible.
fn ends(problem: &ControlProblem) -> Result<(), TranscriptionError> {
    let names = problem.mechanics.coordinates();
    let mut program = parts::constraints(problem);
    let count = program.bounds().rows() / 2;
    let last = problem.duration.value().unwrap_or(problem.guess.duration);
    for (end, state, t) in [("start", &problem.start, 0.0), ("end", &problem.end, last)] {
        for ((given, &(lower, upper)), name) in state.position.iter().zip(&problem.coordinate_bounds).zip(&names) {
            if let Given::Fixed(value) = *given
                && !(lower <= value && value <= upper)
            {
                return Err(TranscriptionError::Outside { name: name.clone(), end, value, lower, upper });
            }
        }
        let Some(q) = state.given_position() else { continue };
        let v = state.given_velocity();
        // Without a given velocity only the positions can be judged.
        let judged = if v.is_some() { 2 * count } else { count };
        let at = [&q[..], &v.unwrap_or_else(|| vec![0.0; q.len()]), &[t, 0.0]].concat();
        let mut values = vec![0.0; 2 * count];
        program.constraints(&at, &mut values)?;
        if let Some(row) = (0..judged).find(|&row| !(values[row].abs() <= GIVEN_VIOLATION)) {
            return Err(TranscriptionError::Violated { end, name: program.row_name(row), value: values[row] });
        }
    }
    Ok(())
}
