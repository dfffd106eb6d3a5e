//! Servo paths followed as well as the actuators can: inverse dynamics as an optimisation over the whole motion.
//!
//! With outputs h(q), paths γ(t), sizes s of the paths and forces ū that the paths need, the motion minimises
//!
//! (1/T) ∫ Σ ((h − γ)/s)² + ε Σ (u/ū)² dt + K(T)/(100 K̄)
//!
//! over all motions of the system from rest, within bounds and rates of the controls; K(T) is the kinetic energy at the end
//! and K̄ the largest of the manoeuvre, so that it ends at rest but for vibrations that no actuator can stop. In the exact form h = γ holds at
//! all nodes, the ends of the motion are free, and only the effort is minimised: the bounded solution among those of an
//! unstable internal dynamics, which begins before the path does.

mod guess;
mod limited;
mod outcome;
mod report;
mod rests;
mod reverify;
mod verification;
mod weights;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::discretisation::index::Output;
use crate::discretisation::transcription::{
    At, ControlProblem, Cost, End, Formula, Given, Guess, Reduction, Rule, TranscriptionError, kinetic_energy,
    values_along,
};
use crate::nlp::EvalFailure;
use crate::nlp::graph::Expr;
use crate::results::Outcome;
use crate::tasks::inverse_dynamics::boundary_value;
use crate::tasks::inverse_dynamics::sequential::ServoSystem;
use crate::tasks::optimal_control::{ControlSystem, OptimalControlOptions};

use guess::{Unrested, Way};
pub use outcome::run;
pub use report::Reach;
use report::moving;
pub use reverify::reverify;

/// h(q) − γ(t).
fn deviation(output: &Output) -> Formula {
    let (value, path) = (Arc::clone(&output.output), Arc::clone(&output.path));
    Arc::new(move |at| value(at) - path(at))
}

/// How closely the paths are followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Following {
    /// As well as possible from rest to rest; the number weighs the effort against the deviation.
    Best(f64),
    /// Exactly, with the least effort, where the ends of the motion are free.
    Exact,
}

/// A mechanism with paths of its outputs, and with limits of its actuators.
#[derive(Debug, Clone)]
pub struct TrackingSystem {
    /// Mechanism, outputs and paths; the motion begins at t = 0.
    pub servo: ServoSystem,
    /// Bounds of the controls.
    pub control_bounds: Vec<(f64, f64)>,
    /// Largest rates of controls.
    pub rates: Vec<(usize, f64)>,
    /// How closely the paths are followed.
    pub following: Following,
    /// Whether a compromise is asked for: then paths that are missed for the sake of the effort, or because there are more of them than
    /// actuators, are no failure.
    pub compromise: bool,
    /// Further weights of the effort, whose deviations are told beside; only for [`Following::Best`].
    pub alternatives: Vec<f64>,
    /// Where the search begins, if not at rests along the paths: at an answer on another grid.
    pub begin: Option<Guess>,
}

/// Why there is no problem to solve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrackingError {
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
    /// The user stopped it.
    #[error("interrupted while rests along the paths were sought")]
    Interrupted,
}

/// Most iterations in which the curvature of the equations of motion is left out: until the multipliers are right.
const GAUSS_NEWTON: usize = 30;
/// Factor of the cost, which brings it near one: deviations of a good motion are small.
const SCALE: f64 = 1e3;
/// Weight of the kinetic energy at the end, relative to the largest of the manoeuvre: it stops what can be stopped.
const END: f64 = 1e-2;
/// The same of the start and the end where the paths are followed exactly, for kinetic energy and for the distance from rest,
const RESTING: f64 = 1.0;
/// which counts as a velocity over this share of the duration.
const AWAY: f64 = 0.05;
/// Weight of what alternates from step to step of the controls, in that of the effort: it moves nothing.
const RIPPLE: f64 = 1e-3;
/// Weight of the effort where paths cannot be equations at all instants.
const NEARLY: f64 = 1e-7;
/// Optimality error, relative to the multipliers, that is worth an iteration.
const TOLERANCE: f64 = 1e-4;
/// Share of the duration over which the rate of a path is told,
const NEAR: f64 = 1e-4;
/// and its size, in sizes of the path per duration, that counts as none.
const STILL: f64 = 1e-3;

/// The optimisation problem of a tracking problem, and what it was made from.
#[derive(Clone)]
pub struct Posed {
    /// The problem.
    pub control: ControlSystem,
    /// The same with the paths weighed so that they are followed closely instead of exactly.
    pub nearly: Option<ControlProblem>,
    /// The weight of the effort; none where the paths are followed exactly.
    pub weight: Option<f64>,
    /// Sizes of the paths.
    pub sizes: Vec<f64>,
    /// Scales of the controls.
    pub scales: Vec<f64>,
    /// How large each control has to be for the path, estimated from rests along it.
    pub needed: Vec<f64>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl TrackingSystem {
    /// Poses the problem: a way of rests along the paths tells the ends of the motion, where the search begins and how large
    /// the controls will be. `go` is asked whether to go on.
    pub fn pose(&self, go: &dyn Fn() -> bool) -> Result<Posed, TrackingError> {
        let sizes = self.sizes()?;
        let way = Way::new(self, &sizes, go)?;
        let scales = way.scales(&self.control_bounds);
        let mut warnings = Vec::new();
        warnings.extend(way.unrested.as_ref().map(|unrested| self.unrested(unrested)));
        let rests = self.rests(&sizes)?;
        if rests != [true; 2] {
            warnings.push(
                "the paths move at the first or at the last instant: the motion is free there, instead of at rest"
                    .to_owned(),
            );
        }
        if rests == [true; 2] {
            warnings.extend(self.hurried(&sizes)?);
        }
        let begin = self.begin.clone().unwrap_or_else(|| way.begin(self, go));
        let from = |problem: ControlProblem| ControlProblem { guess: begin.clone(), ..problem };
        let problem = from(match self.following {
            Following::Best(effort) => self.best(&way, &sizes, &scales, effort, rests),
            Following::Exact => self.exact(&way, &scales, rests),
        });
        let exact = self.following == Following::Exact;
        let nearly = exact.then(|| from(self.best(&way, &sizes, &scales, NEARLY, rests)));
        let needed = way.largest();
        let weight = match self.following {
            Following::Best(effort) => Some(effort),
            Following::Exact => None,
        };
        Ok(Posed { nearly, weight, control: self.control(problem), sizes, scales, needed, warnings })
    }

    /// Too little time before or after the paths, where the mechanism moves longer than that.
    fn hurried(&self, sizes: &[f64]) -> Result<Option<String>, EvalFailure> {
        let (grid, tolerance) = (self.servo.grid, self.servo.verify.tolerance);
        let times = grid.times();
        let Some([begins, ends]) = moving(&times, &self.paths(&times)?, sizes, tolerance) else { return Ok(None) };
        let (before, after) = (begins - grid.start, grid.end() - ends);
        let lead = boundary_value::lead(&self.servo.problem, grid, tolerance);
        let words = |lead: f64| {
            format!(
                "while its outputs are held, the mechanism needs {lead:.3} s to fade to the tolerance, but there are {before:.3} s before the paths move and {after:.3} s after they have arrived: they cannot be followed to the tolerance from rest to rest; let them begin later and end earlier"
            )
        };
        Ok(lead.filter(|lead| *lead > before.min(after)).map(words))
    }

    /// Why the mechanism cannot rest at an end of its paths, in words.
    fn unrested(&self, Unrested { time, held_by }: &Unrested) -> String {
        let names = self.servo.problem.mechanics.controls();
        let each = held_by.iter().flatten().zip(&self.control_bounds).zip(&names);
        let beyond = each.filter_map(|((u, (lower, upper)), name)| {
            let limit = if u < lower { lower } else { upper };
            (u < lower || u > upper).then(|| format!("{name} = {u:.4}, beyond its limit {limit}"))
        });
        let beyond: Vec<String> = beyond.collect();
        match beyond.is_empty() {
            true => format!(
                "no equilibrium was found with the outputs where the paths have them at t = {time:.3} s: the motion begins and ends without velocity, but not in balance"
            ),
            false => format!(
                "the actuators cannot hold the mechanism at rest at t = {time:.3} s, which needs {}: the motion begins and ends without velocity, but not in balance",
                beyond.join(", ")
            ),
        }
    }

    fn control(&self, problem: ControlProblem) -> ControlSystem {
        let mut options = OptimalControlOptions {
            estimate: false,
            refine: 0,
            detours: 0,
            // Rests along the path are a better start than motions on a coarse mesh.
            continued: false,
            gauss_newton: if problem.servo.is_empty() { GAUSS_NEWTON } else { 0 },
            ..Default::default()
        };
        options.solver.tolerance = TOLERANCE;
        ControlSystem {
            title: self.servo.title.clone(),
            problem,
            phases: None,
            intervals: self.servo.grid.steps,
            options,
            units: self.servo.units.clone(),
            stated: BTreeSet::new(),
            multibody: self.servo.multibody.clone(),
            cost: Vec::new(),
            expect: Vec::new(),
        }
    }

    /// Begins the search at an answer to the same question on another grid, as far as that is told. Nodes of a string that were not
    /// there hang on its tension alone: put on straight lines between others they whip, and rests along the path are a better start.
    pub fn begin_at(&mut self, other: &Self, answer: &Outcome) {
        let mut rods = self.servo.multibody.iter().flat_map(|body| &body.mechanism().rods);
        if rods.any(|rod| rod.kind.is_limp()) {
            return;
        }
        let mut own = self.control(self.plain());
        if own.begin_at(&other.control(other.plain()), answer) {
            self.begin = Some(own.problem.guess);
        }
    }

    fn outputs(&self) -> &[Output] {
        &self.servo.problem.outputs
    }

    /// Duration, second.
    pub fn duration(&self) -> f64 {
        self.servo.grid.end()
    }

    /// A problem with nothing but the system.
    fn plain(&self) -> ControlProblem {
        let n = self.servo.problem.reference.len();
        let free = || End { position: vec![Given::FREE; n], velocity: vec![Given::FREE; n] };
        let mechanics = Arc::clone(&self.servo.problem.mechanics);
        ControlProblem {
            control_bounds: self.control_bounds.clone(),
            ..ControlProblem::new(mechanics, self.duration(), free(), free())
        }
    }

    /// Values of the paths at instants, output by output.
    fn paths(&self, times: &[f64]) -> Result<Vec<Vec<f64>>, EvalFailure> {
        let paths: Vec<Formula> = self.outputs().iter().map(|output| Arc::clone(&output.path)).collect();
        let places = vec![self.servo.problem.reference.clone(); times.len()];
        values_along(&self.plain(), &paths, times, &places)
    }

    /// Ranges of the paths; outputs of one unit share the largest, and 1 where nothing moves.
    fn sizes(&self) -> Result<Vec<f64>, EvalFailure> {
        let range = |values: &Vec<f64>| {
            let limits = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (v.min(l), v.max(h)));
            // A path that stays where it is to rounding has no range.
            let range = limits.1 - limits.0;
            if range > 1e-12 * limits.0.abs().max(limits.1.abs()) { range } else { 0.0 }
        };
        let ranges: Vec<f64> = self.paths(&self.servo.grid.times())?.iter().map(range).collect();
        let unit = |output: &Output| self.servo.units.get(&output.name);
        let size = |output: &Output| {
            let same = self.outputs().iter().zip(&ranges).filter(|(other, _)| unit(other) == unit(output));
            let size = same.map(|(_, range)| *range).fold(0.0, f64::max);
            if size > 0.0 { size } else { 1.0 }
        };
        Ok(self.outputs().iter().map(size).collect())
    }

    /// Whether all paths are at rest at the start and at the end.
    fn rests(&self, sizes: &[f64]) -> Result<[bool; 2], EvalFailure> {
        let duration = self.duration();
        let near = NEAR * duration;
        let values = self.paths(&[0.0, near, duration - near, duration])?;
        let still = |first: usize| {
            let apart = values.iter().zip(sizes).map(|(values, size)| (values[first + 1] - values[first]).abs() / size);
            apart.fold(0.0, f64::max) <= STILL * NEAR
        };
        Ok([still(0), still(2)])
    }

    /// Least deviation, with a little weight of the effort.
    fn best(&self, way: &Way, sizes: &[f64], scales: &[f64], effort: f64, rests: [bool; 2]) -> ControlProblem {
        let plain = self.plain();
        let share = SCALE / self.duration();
        let mut cost = Cost::default();
        // A few actuators cannot stop all vibrations of a flexible body at one instant, but can leave hardly any.
        if rests[1] && way.kinetic > 0.0 {
            cost.last.push((END * SCALE / way.kinetic, kinetic_energy(&plain)));
        }
        for (output, size) in self.outputs().iter().zip(sizes) {
            let (deviation, size) = (deviation(output), *size);
            let square: Formula = Arc::new(move |at| (deviation(at) / size).square());
            cost.running.push((share, square));
        }
        let start = if rests[0] { End::at_rest(&way.q[0]) } else { plain.start.clone() };
        ControlProblem { start, ..self.weighed(scales, cost, share, effort) }
    }

    /// The paths as equations, and the least effort. Where they rest the mechanism does, but for what the bounded motion has left there:
    /// without a price, energy that is there at the start would do the work of the actuators.
    fn exact(&self, way: &Way, scales: &[f64], rests: [bool; 2]) -> ControlProblem {
        let plain = self.plain();
        let share = SCALE / self.duration();
        let mut cost = Cost::default();
        let weight = RESTING * SCALE / way.kinetic;
        let ends = [(0, &mut cost.first), (way.q.len() - 1, &mut cost.last)];
        for ((node, terms), _) in ends.into_iter().zip(rests).filter(|(_, rests)| *rests && way.kinetic > 0.0) {
            let (kinetic, rest) = (kinetic_energy(&plain), way.q[node].clone());
            let tau = AWAY * self.duration();
            terms.push((weight, Arc::clone(&kinetic)));
            terms.push((
                weight,
                Arc::new(move |at| {
                    let v = at.q.iter().zip(&rest).map(|(q, rest)| (*q - *rest) / tau).collect();
                    kinetic(&At { v, q: at.q.clone(), u: at.u.clone(), ..*at })
                }),
            ));
        }
        let servo = self.outputs().iter().map(|output| (format!("path of {}", output.name), deviation(output)));
        ControlProblem { servo: servo.collect(), ..self.weighed(scales, cost, share, 1.0) }
    }

    /// With the weight of the effort, and with what alternates of the controls weighed so that it vanishes.
    fn weighed(&self, scales: &[f64], mut cost: Cost, share: f64, effort: f64) -> ControlProblem {
        let ripple = effort.max(RIPPLE);
        cost.ripple = scales.iter().enumerate().map(|(i, scale)| (i, share * ripple / (scale * scale))).collect();
        let scales = scales.to_vec();
        let efforts: Formula = Arc::new(move |at| {
            let squares = at.u.iter().zip(&scales).map(|(u, scale)| (*u / *scale).square());
            at.graph.sum(squares.collect::<Vec<Expr<'_>>>())
        });
        cost.running.push((share * effort, efforts));
        ControlProblem {
            cost,
            rates: self.rates.clone(),
            rule: Rule::Midpoint,
            reduction: Reduction::Multipliers,
            mixed: true,
            ..self.plain()
        }
    }
}
