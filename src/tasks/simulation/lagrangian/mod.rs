//! Motion of a system that is stated by its Lagrangian, or of a mechanism with two step lengths.

mod driven;
mod march;
mod motion;
mod outcome;
mod polynomials;
mod rates;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::discretisation::TimeGrid;
use crate::discretisation::multirate::{Multirate, Quadrature};
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{Formula, Mechanics};
use crate::tasks::KnownAnswer;
use crate::tasks::velocity_name;

pub use driven::Driven;
pub use march::MultirateMarcher;
pub use outcome::run;
pub use rates::owner;

/// How the action of a step is approximated.
#[derive(Clone)]
pub enum Scheme {
    /// The Lagrangian at the middle of each step.
    Midpoint,
    /// The mean of the Lagrangians at its ends.
    Trapezoidal,
    /// Polynomials in each step.
    Galerkin {
        /// Their degree.
        degree: usize,
    },
    /// Two step lengths.
    Multirate(Multirate),
}

impl Scheme {
    /// What reports call it.
    pub fn name(&self) -> String {
        match self {
            Self::Midpoint => "variational midpoint rule".into(),
            Self::Trapezoidal => "variational trapezoidal rule".into(),
            Self::Galerkin { degree } => format!("variational Galerkin rule of degree {degree}"),
            Self::Multirate(rates) => {
                let name = match (rates.slow_quadrature, rates.fast_quadrature) {
                    (Quadrature::Midpoint, Quadrature::Midpoint) => "implicit".to_owned(),
                    (_, Quadrature::Midpoint) => "explicit-slow".to_owned(),
                    (_, Quadrature::Affine(weight)) => format!("explicit, weight {weight}"),
                };
                format!("variational multirate ({name}, {} micro steps)", rates.micro)
            }
        }
    }
}

/// A system in motion, ready to be simulated.
#[derive(Clone)]
pub struct MovingSystem {
    /// One line about the problem.
    pub title: String,
    /// The whole system, without controls.
    pub mechanics: Arc<dyn Mechanics>,
    /// How it is integrated.
    pub scheme: Scheme,
    /// Time grid; of two step lengths that of the slow coordinates.
    pub grid: TimeGrid,
    /// Every how many steps the motion is stored.
    pub every: usize,
    /// First coordinates and velocities.
    pub start: (Vec<f64>, Vec<f64>),
    /// Expressions that are told with the motion.
    pub observe: Vec<(String, Formula)>,
    /// Units of coordinates, where they are known.
    pub units: BTreeMap<String, String>,
    /// The mechanism, if it is made of parts.
    pub multibody: Option<Arc<Multibody>>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

impl MovingSystem {
    /// Names of the columns of the motion: coordinates, velocities, angles and ways of joints, expressions.
    pub fn columns(&self) -> Vec<String> {
        let mut names = self.mechanics.coordinates();
        names.extend(self.multibody.iter().flat_map(|body| body.joint_quantities()));
        let rates: Vec<String> = names.iter().map(|name| velocity_name(name)).collect();
        names.into_iter().chain(rates).chain(self.observe.iter().map(|(name, _)| name.clone())).collect()
    }

    /// Names of all scalars: what `[expect]` may refer to.
    pub fn scalar_names(&self) -> Vec<String> {
        let mut names = vec!["newton_iterations".to_owned()];
        names.extend(["initial", "final", "drift"].map(|what| format!("energy.total.{what}")));
        for column in self.columns() {
            names.extend(["initial", "final", "max", "drift"].map(|what| format!("motion.{column}.{what}")));
        }
        names
    }

    /// Unit of a column; empty where none is known.
    fn unit(&self, name: &str) -> String {
        let of_velocity = || {
            let (_, unit) = self.units.iter().find(|(coordinate, _)| velocity_name(coordinate) == name)?;
            Some(format!("{unit}/s"))
        };
        self.units.get(name).cloned().or_else(of_velocity).unwrap_or_default()
    }
}

impl fmt::Debug for MovingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MovingSystem")
            .field("title", &self.title)
            .field("coordinates", &self.mechanics.coordinates())
            .field("scheme", &self.scheme.name())
            .finish_non_exhaustive()
    }
}
