//! Sequential servo constraints: the mechanism is cut into discrete parts first, and every instant is solved in turn.

mod bounded;
mod extrapolation;
mod outcome;
mod power;
mod proof;
mod resimulation;
mod reverify;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::discretisation::TimeGrid;
use crate::discretisation::index::{Equations, IndexStructure, ServoError, ServoProblem};
use crate::discretisation::transcription::multibody::Multibody;
use crate::mechanism::Frame;
use crate::results::Outcome;
use crate::tasks::inverse_dynamics::boundary_value;
use crate::tasks::inverse_dynamics::effort::{self, EFFORT_SCALARS};
use crate::tasks::sections::{self, Told};
use crate::tasks::velocity_name;
use crate::tasks::{KnownAnswer, VerifySpec};

pub use extrapolation::{extrapolated, pieces};
pub use outcome::{answer, run};
pub use power::{Gauge, output_value};
pub use reverify::reverify;

/// Index above which rods are better treated by methods that see space and time at once.
const HIGH_INDEX: usize = 7;

/// A value of a column at an instant, under the name that `[expect]` uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// `actuation.<column>.at(<t>)` or `motion.<column>.at(<t>)`.
    pub name: String,
    /// Whether it is one of the actuation.
    pub actuation: bool,
    /// The column.
    pub column: String,
    /// Number of the instant.
    pub instant: usize,
}

/// How the instants are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solving {
    /// One after the other.
    Instants,
    /// All at once, between rest and rest.
    Bounded,
    /// One after the other, and all at once where that is unstable.
    Either,
}

/// A mechanism whose outputs must follow paths, ready to be solved.
#[derive(Clone)]
pub struct ServoSystem {
    /// One line about the problem.
    pub title: String,
    /// Mechanism, outputs and paths.
    pub problem: ServoProblem,
    /// Time grid of the answer.
    pub grid: TimeGrid,
    /// Units of coordinates and controls, where they are known.
    pub units: BTreeMap<String, String>,
    /// The mechanism, if it is made of parts.
    pub multibody: Option<Arc<Multibody>>,
    /// Degrees of freedom of frames that the outputs are, if all of them are such.
    pub guided: Option<Vec<(Frame, usize)>>,
    /// Why this method.
    pub reason: String,
    /// How.
    pub solving: Solving,
    /// A rod with its number of elements that could be treated by simultaneous methods.
    pub rod: Option<(String, usize)>,
    /// The forward simulation that proves the answer.
    pub verify: VerifySpec,
    /// Instants at which the profile of the rods is told.
    pub profile: Vec<f64>,
    /// Values that are told by themselves.
    pub samples: Vec<Sample>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

impl ServoSystem {
    /// The equations and what their structure tells.
    pub fn analyse(&self) -> Result<(Equations, IndexStructure), ServoError> {
        let mut equations = Equations::new(&self.problem, 2);
        let structure = IndexStructure::new(&self.problem, &mut equations, self.grid.start)?;
        Ok((equations, structure))
    }

    /// Why the paths do not determine the actuation, if that shows in the equations.
    pub fn determined(&self) -> Result<(), String> {
        match self.solving {
            Solving::Bounded => boundary_value::counted(&self.problem).map_err(|error| error.to_string()),
            _ => self.analyse().map(|_| ()).map_err(|error| error.to_string()),
        }
    }

    /// The same on another grid of the same step.
    fn on(&self, grid: TimeGrid) -> Self {
        let later = ((self.grid.start - grid.start) / grid.dt).round() as usize;
        let mut system = Self { grid, ..self.clone() };
        system.samples.iter_mut().for_each(|sample| sample.instant += later);
        system
    }

    /// What a user should know of the structure, in one line.
    pub fn describe(&self, structure: &IndexStructure) -> String {
        let outputs = self.problem.outputs.iter().zip(&structure.relative_degrees);
        let degrees: Vec<String> = outputs.map(|(output, degree)| format!("{} {degree}", output.name)).collect();
        let internal = match structure.freedoms {
            0 => "no internal dynamics (every instant is algebraic)".to_owned(),
            states => format!("internal dynamics of {states} states"),
        };
        format!(
            "index {}, {} realisation, {internal}; relative degrees (derivatives of the paths that are used): {}",
            structure.index,
            structure.realisation().name(),
            degrees.join(", ")
        )
    }

    /// What to do about an index that grows with the elements of a rod.
    pub fn recommendation(&self, index: usize) -> Option<String> {
        let (rod, elements) = self.rod.as_ref().filter(|_| index > HIGH_INDEX)?;
        Some(format!(
            "the index is {index} because rod `{rod}` is cut into {elements} elements before time is: it grows by 2 with every element, and so does the smoothness that the path needs. method = \"space-march\" or \"galerkin\" treat space and time at once and need two derivatives whatever the number of elements"
        ))
    }

    /// Unit of a column; empty where none is known.
    fn unit(&self, name: &str) -> String {
        let of_velocity = || {
            let (_, unit) = self.units.iter().find(|(coordinate, _)| velocity_name(coordinate) == name)?;
            Some(format!("{unit}/s"))
        };
        self.units.get(name).cloned().or_else(of_velocity).unwrap_or_default()
    }

    /// Names of all scalars of a solved problem: what `[expect]` may refer to.
    pub fn scalar_names(&self) -> Vec<String> {
        let fixed = ["actuation.begins", "actuation.ends", "energy.actuator_work", "grid.dt", "structure.index"];
        let mut names: Vec<String> = fixed.map(str::to_owned).into();
        names.push("structure.internal_states".into());
        for control in self.problem.mechanics.controls() {
            names.extend(super::scalars::ACTUATION_SCALARS.map(|what| format!("actuation.{control}.{what}")));
            if self.multibody.is_some() {
                names.extend(EFFORT_SCALARS.map(|what| format!("actuation.{control}.{what}")));
            }
        }
        for output in &self.problem.outputs {
            names.push(format!("verification.{}.max_error", output.name));
            names.push(format!("structure.relative_degree.{}", output.name));
        }
        for column in self.motion_columns() {
            names.extend(["initial", "final"].map(|when| format!("motion.{column}.{when}")));
        }
        names.extend(self.samples.iter().map(|sample| sample.name.clone()));
        if let Some(body) = &self.multibody {
            let (mechanism, dimension) = (body.mechanism(), body.mechanism().dimension);
            names.extend(sections::names(mechanism, body.frames(), false, |rod| rod.kind.stresses(dimension).to_vec()));
        }
        names
    }

    /// What the rods of an answer carry, and what its actuators do.
    pub(super) fn tell_parts(&self, outcome: &mut Outcome) {
        if let Some(body) = &self.multibody {
            effort::tell_of(&self.problem, self.grid.dt, outcome);
            sections::tell(body.mechanism(), body.frames(), Told::Motion(&self.profile), outcome);
        }
    }

    /// Names of the columns of the motion.
    pub fn motion_columns(&self) -> Vec<String> {
        let mut names = self.problem.mechanics.coordinates();
        if let Some(body) = &self.multibody {
            names.extend(body.joint_quantities());
        }
        let rates: Vec<String> = names.iter().map(|name| velocity_name(name)).collect();
        names.extend(rates);
        names
    }
}

impl fmt::Debug for ServoSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServoSystem")
            .field("title", &self.title)
            .field("coordinates", &self.problem.mechanics.coordinates())
            .field("controls", &self.problem.mechanics.controls())
            .finish_non_exhaustive()
    }
}
