//! A motion in progress, whatever its scheme.

use super::super::march::StepFailure;
use super::super::step_failed;
use super::polynomials::Polynomials;
use super::{MovingSystem, MultirateMarcher, Scheme};
use crate::discretisation::multirate::{Energy, Multirate, MultirateError, Quadrature};
use crate::discretisation::transcription::{ControlProblem, ForwardError};
use crate::results::RunStatus;
use crate::tasks::forward::Failure;

/// The scheme with its state.
pub(super) enum SystemMotion<'p> {
    Rates(Box<MultirateMarcher>),
    Polynomials(Box<Polynomials<'p>>),
}

impl<'p> SystemMotion<'p> {
    /// At the first instant. Of `problem` only system and rule matter.
    pub fn new(system: &MovingSystem, problem: &'p ControlProblem) -> Result<Self, MultirateError> {
        let (step, t, (q, v)) = (system.grid.dt, system.grid.start, &system.start);
        let uniform = |quadrature| Multirate::uniform(system.mechanics.clone(), quadrature);
        let rates = |multirate: &Multirate| {
            MultirateMarcher::new(multirate, step, t, q, v).map(|marcher| Self::Rates(Box::new(marcher)))
        };
        match &system.scheme {
            Scheme::Midpoint => rates(&uniform(Quadrature::Midpoint)),
            Scheme::Trapezoidal => rates(&uniform(Quadrature::Affine(0.5))),
            Scheme::Multirate(multirate) => rates(multirate),
            Scheme::Galerkin { .. } => {
                let stated = uniform(Quadrature::Midpoint);
                Polynomials::new(problem, &stated, step, t, (q, v)).map(|motion| Self::Polynomials(Box::new(motion)))
            }
        }
    }

    /// Makes a step that ends at a time.
    pub fn advance(&mut self, end: f64, dt: f64) -> Result<(), Failure> {
        match self {
            Self::Rates(marcher) => {
                marcher.advance().map_err(|failure| failed(failure, dt))?;
                marcher.arrive(end);
            }
            Self::Polynomials(motion) => {
                motion.advance().map_err(not_continued)?;
                motion.t = end;
            }
        }
        Ok(())
    }

    /// Coordinates and velocities.
    pub fn state(&mut self, dt: f64) -> Result<(Vec<f64>, Vec<f64>), Failure> {
        Ok(match self {
            Self::Rates(marcher) => {
                let v = marcher.velocities().map_err(|failure| failed(failure, dt))?.to_vec();
                (marcher.state().q.clone(), v)
            }
            Self::Polynomials(motion) => (motion.q.clone(), motion.v.clone()),
        })
    }

    /// Energies.
    pub fn energy(&mut self, dt: f64) -> Result<Energy, Failure> {
        match self {
            Self::Rates(marcher) => marcher.energy().map_err(|failure| failed(failure, dt)),
            Self::Polynomials(motion) => motion.energy().map_err(not_continued),
        }
    }

    /// Newton iterations, where they are counted.
    pub fn iterations(&self) -> Option<usize> {
        match self {
            Self::Rates(marcher) => Some(marcher.iterations),
            Self::Polynomials(_) => None,
        }
    }
}

fn failed(failure: StepFailure, dt: f64) -> Failure {
    let advice = format!("the time step of {dt:.2e} s is too large for this motion: raise time.steps");
    step_failed(failure, &advice)
}

fn not_continued(error: ForwardError) -> Failure {
    let status = match error {
        ForwardError::Singular { .. } => RunStatus::Singular,
        ForwardError::NotConverged { .. } => RunStatus::StepFailed,
        ForwardError::Evaluation { .. } => RunStatus::Undefined,
        ForwardError::Length { .. } | ForwardError::Duration(_) => RunStatus::IllPosed,
    };
    Failure { status, message: error.to_string() }
}
