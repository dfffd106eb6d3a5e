//! Servo paths followed as well as the actuators can: inverse dynamics as an optimisation over the whole motion.
//!
//! With outputs h(q), paths γ(t), sizes s of the paths and forces ū that the paths need, the motion minimises
//!
//! (1/T) ∫ Σ ((h − γ)/s)² + ε Σ (u/ū)² dt
//!
//! over all motions of the system from rest to rest, within bounds and rates of the controls. In the exact form h = γ holds at
//! all nodes, the ends of the motion are free, and only the effort is minimised: the bounded solution among those of an
//! unstable internal dynamics, which begins before the path does.

mod guess;
mod limited;
mod outcome;
mod report;
mod reverify;
mod verification;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::discretisation::dmoc::mechanism::Multibody;
use crate::discretisation::dmoc::{
    ControlProblem, Cost, End, Formula, Given, Mechanics, Reduction, Rule, TranscriptionError,
};
use crate::kernel::{EvalError, Function};
use crate::nlp::EvalFailure;
use crate::nlp::graph::Expr;
use crate::tasks::optimal_control::{ControlSystem, OptimalControlOptions};
use crate::tasks::{KnownAnswer, VerifySpec};

use guess::Way;
pub use outcome::{run, scalar_names};
pub use report::Reach;
pub use reverify::reverify;

/// An output with its path.
#[derive(Clone)]
pub struct ServoOutput {
    /// What reports call it: servo and coordinate.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The output h(q).
    pub value: Formula,
    /// Its path γ(t).
    pub path: Function,
}

impl ServoOutput {
    /// h(q) − γ(t).
    pub fn deviation(&self) -> Formula {
        let (value, path) = (Arc::clone(&self.value), self.path.clone());
        Arc::new(move |at| value(at) - path.lower(at.graph, at.t))
    }
}

/// How closely the paths are followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Following {
    /// As well as possible from rest to rest; the number weighs the effort against the deviation.
    Best(f64),
    /// Exactly, with the least effort, where the ends of the motion are free.
    Exact,
}

/// A mechanism with paths of its outputs.
#[derive(Clone)]
pub struct TrackingSystem {
    /// One line about the problem.
    pub title: String,
    /// The system.
    pub mechanics: Arc<dyn Mechanics>,
    /// The mechanism, if the system is made of parts.
    pub machine: Option<Arc<Multibody>>,
    /// Configuration from which the state of rest is sought.
    pub reference: Vec<f64>,
    /// Outputs and paths.
    pub outputs: Vec<ServoOutput>,
    /// Duration, second; motions begin at t = 0.
    pub duration: f64,
    /// Number of time steps.
    pub intervals: usize,
    /// Bounds of the controls.
    pub control_bounds: Vec<(f64, f64)>,
    /// Largest rates of controls.
    pub rates: Vec<(usize, f64)>,
    /// How closely the paths are followed.
    pub following: Following,
    /// Further weights of the effort, whose deviations are told beside; only for [`Following::Best`].
    pub alternatives: Vec<f64>,
    /// How the result is checked.
    pub verify: VerifySpec,
    /// Units of coordinates and controls.
    pub units: BTreeMap<String, String>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

/// Why there is no problem to solve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrackingError {
    /// A path has no value.
    #[error("the path of {output} has no value at t = {time:.6} s: {error}")]
    Path {
        /// The output.
        output: String,
        /// When, second.
        time: f64,
        /// Why.
        error: EvalError,
    },
    /// The system has no value.
    #[error("the system cannot be evaluated: {0}")]
    Evaluation(#[from] EvalFailure),
    /// No configuration near the reference satisfies the joints.
    #[error("no configuration with the outputs where the paths have them at t = {time:.6} s was found: {reason}")]
    NoConfiguration {
        /// When, second.
        time: f64,
        /// What the solver says.
        reason: String,
    },
    /// The problem is not one.
    #[error(transparent)]
    Transcription(#[from] TranscriptionError),
}

/// The optimisation problem of a tracking problem, and what it was made from.
pub struct Posed {
    /// The problem.
    pub control: ControlSystem,
    /// Sizes of the paths.
    pub sizes: Vec<f64>,
    /// Scales of the controls.
    pub scales: Vec<f64>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl TrackingSystem {
    /// Poses the problem: a way of rests along the paths tells the ends of the motion, where the search begins and how large
    /// the controls will be.
    pub fn pose(&self) -> Result<Posed, TrackingError> {
        let sizes = self.sizes()?;
        let way = Way::new(self, &sizes)?;
        let scales = way.scales(&self.control_bounds);
        let mut warnings = Vec::new();
        if let Some(time) = way.unbalanced {
            warnings.push(format!(
                "the actuators cannot hold the mechanism at rest at t = {time:.3} s within their bounds: the motion begins and ends without velocity, but not in balance"
            ));
        }
        let Following::Best(effort) = self.following else {
            let problem = self.problem(&way, &sizes, &scales, 1.0, true);
            return Ok(Posed { control: self.control(problem), sizes, scales, warnings });
        };
        let problem = self.problem(&way, &sizes, &scales, effort, false);
        Ok(Posed { control: self.control(problem), sizes, scales, warnings })
    }

    fn control(&self, problem: ControlProblem) -> ControlSystem {
        ControlSystem {
            title: self.title.clone(),
            problem,
            phases: None,
            intervals: self.intervals,
            options: OptimalControlOptions { estimate: false, refine: 0, detours: 0, ..Default::default() },
            units: self.units.clone(),
            machine: self.machine.clone(),
            cost: Vec::new(),
            expect: Vec::new(),
        }
    }

    /// Ranges of the paths; outputs of one unit share the largest, and 1 where nothing moves.
    fn sizes(&self) -> Result<Vec<f64>, TrackingError> {
        let mut ranges = Vec::with_capacity(self.outputs.len());
        for output in &self.outputs {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..=self.intervals {
                let time = self.time(k);
                let value = output.path.value(time).map_err(|error| TrackingError::Path {
                    output: output.name.clone(),
                    time,
                    error,
                })?;
                (least, most) = (least.min(value), most.max(value));
            }
            ranges.push(most - least);
        }
        let of_unit = |unit: &str| {
            let same = self.outputs.iter().zip(&ranges).filter(|(output, _)| output.unit == unit);
            same.map(|(_, range)| *range).fold(0.0, f64::max)
        };
        let sizes = self.outputs.iter().map(|output| of_unit(&output.unit));
        Ok(sizes.map(|size| if size > 0.0 { size } else { 1.0 }).collect())
    }

    /// Time of a node.
    fn time(&self, node: usize) -> f64 {
        self.duration * node as f64 / self.intervals.max(1) as f64
    }

    /// Whether all paths are at rest at an instant.
    fn rests(&self, time: f64, sizes: &[f64]) -> bool {
        let still = |(output, size): (&ServoOutput, &f64)| {
            output.path.jet(time).is_ok_and(|jet| jet.first.abs() * self.duration <= 1e-6 * size)
        };
        self.outputs.iter().zip(sizes).all(still)
    }

    fn problem(&self, way: &Way, sizes: &[f64], scales: &[f64], effort: f64, exact: bool) -> ControlProblem {
        let n = way.q.first().map_or(0, Vec::len);
        let free = || End { position: vec![Given::FREE; n], velocity: vec![Given::FREE; n] };
        let end = |time: f64, q: &[f64]| match self.rests(time, sizes) && !exact {
            true => End::at_rest(q),
            false => free(),
        };
        let (first, last) = (&way.q[0], &way.q[way.q.len() - 1]);
        let (start, end) = (end(0.0, first), end(self.duration, last));
        let mut cost = Cost::default();
        let share = 1.0 / self.duration;
        if !exact {
            for (output, size) in self.outputs.iter().zip(sizes) {
                let (deviation, size) = (output.deviation(), *size);
                let square: Formula = Arc::new(move |at| (deviation(at) / size).square());
                cost.running.push((share, square));
            }
        }
        let scales = scales.to_vec();
        let efforts: Formula = Arc::new(move |at| {
            let squares = at.u.iter().zip(&scales).map(|(u, scale)| (*u / *scale).square());
            at.graph.sum(squares.collect::<Vec<Expr<'_>>>())
        });
        cost.running.push((share * effort, efforts));
        let servo = self.outputs.iter().map(|output| (format!("path of {}", output.name), output.deviation()));
        ControlProblem {
            control_bounds: self.control_bounds.clone(),
            cost,
            rates: self.rates.clone(),
            servo: if exact { servo.collect() } else { Vec::new() },
            rule: Rule::Midpoint,
            reduction: Reduction::Multipliers,
            guess: way.guess(self.duration),
            ..ControlProblem::new(Arc::clone(&self.mechanics), self.duration, start, end)
        }
    }
}
