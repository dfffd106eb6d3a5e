//! What a problem file asks of a system: the problem, how it is solved, and what is told of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::lagrangian::variable_names;
use super::{OptimalControlError, OptimalControlOptions};
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{ControlProblem, PhasedProblem, PhasedTranscription, Transcription};
use crate::tasks::KnownAnswer;
use crate::tasks::velocity_name;

/// An optimal-control problem with its title, its time steps and its known answers.
#[derive(Clone)]
pub struct ControlSystem {
    /// One line about the problem.
    pub title: String,
    /// System, ends, bounds and cost.
    pub problem: ControlProblem,
    /// Its phases, where it has some. System, bounds and duration of the problem itself are then those that the phases change.
    pub phases: Option<PhasedProblem>,
    /// Number of time steps, equal unless there are phases.
    pub intervals: usize,
    /// How it is solved.
    pub options: OptimalControlOptions,
    /// Units of coordinates and controls, where they are stated.
    pub units: BTreeMap<String, String>,
    /// Names of coordinates and velocities of which the problem says where they end; other velocities end at zero.
    pub stated: BTreeSet<String>,
    /// The mechanism, if the system is made of parts.
    pub multibody: Option<Arc<Multibody>>,
    /// Terms of the cost in words.
    pub cost: Vec<String>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

/// Numbers of variables and equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Variables of the program.
    pub variables: usize,
    /// Its equations and path constraints.
    pub rows: usize,
}

impl ControlSystem {
    /// Names of the coordinates.
    pub fn coordinates(&self) -> Vec<String> {
        self.problem.mechanics.coordinates()
    }

    /// Names of the controls.
    pub fn controls(&self) -> Vec<String> {
        self.problem.mechanics.controls()
    }

    /// Problems and numbers of steps of the phases, or of the whole where there are none.
    pub fn legs(&self) -> Vec<(&ControlProblem, usize)> {
        match &self.phases {
            Some(phases) => phases.phases().iter().map(|phase| (&phase.problem, phase.intervals)).collect(),
            None => vec![(&self.problem, self.intervals)],
        }
    }

    /// How large the program is on a mesh; whether the given ends are possible shows here, too.
    pub fn sizes(&self, intervals: usize) -> Result<Sizes, OptimalControlError> {
        if let Some(phases) = &self.phases {
            let mesh = PhasedTranscription::new(phases)?;
            return Ok(Sizes { variables: mesh.variables().len(), rows: mesh.rows().len() });
        }
        let mesh = Transcription::new(&self.problem, intervals)?;
        Ok(Sizes { variables: mesh.variables().len(), rows: mesh.rows().len() })
    }

    /// Unit of a coordinate, velocity or control; empty where none is stated.
    pub fn unit(&self, name: &str) -> String {
        let of_velocity = || {
            let (_, unit) = self.units.iter().find(|(coordinate, _)| velocity_name(coordinate) == name)?;
            Some(format!("{unit}/s"))
        };
        self.units.get(name).cloned().or_else(of_velocity).unwrap_or_default()
    }
}

/// Names of all scalars of a solved problem: what `[expect]` may refer to.
pub fn scalar_names(coordinates: &[String], controls: &[String]) -> Vec<String> {
    let mut names: Vec<String> = ["objective", "duration"].map(str::to_owned).into();
    names.extend(controls.iter().map(|control| format!("controls.{control}.max")));
    for state in variable_names(coordinates, &[]) {
        names.extend(["initial", "final", "max"].map(|what| format!("motion.{state}.{what}")));
    }
    names
}

/// Scalars of phases: the instants at which they end.
pub fn phase_scalars<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.map(|name| format!("phase.{name}.end")).collect()
}

impl fmt::Debug for ControlSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlSystem")
            .field("title", &self.title)
            .field("coordinates", &self.coordinates())
            .field("controls", &self.controls())
            .field("intervals", &self.intervals)
            .finish_non_exhaustive()
    }
}
