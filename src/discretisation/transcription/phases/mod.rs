//! Motions in phases: one system after another, each for a time of its own.
//!
//! Each phase is an optimal-control problem without given ends of its own, transcribed as one. Where phase j meets phase j + 1
//! the coordinates and the momenta are the same,
//!
//! q⁺ = q⁻,   ∂L⁺/∂v(q⁺, v⁺) + G⁺ᵀμ = ∂L⁻/∂v(q⁻, v⁻),   G⁺v⁺ + ∂g⁺/∂t = 0,
//!
//! with impulses μ of the constraints g⁺ of the next phase. Where mass and constraints stay, μ = 0; without it the momenta of
//! redundant coordinates without inertia of their own, as the length of a quaternion, would be a row too many.
//!
//! and the conditions that end the phase hold there, s(q⁻, v⁻, T_j) = 0. Durations are fixed or free; their sum may be given.
//! In all expressions of a phase time counts from its beginning. Loads and supports of a mechanism go on: where these depend on time
//! a phase knows the instant at which it begins, T₀ + … + T_{j−1}.

mod guess;
mod indifferent;
mod names;
mod programs;
mod transcription;

use thiserror::Error;

use super::{ControlProblem, End, Formula, Given, Guess, TranscriptionError, dependence, parts};
pub use guess::nearest_switch;
pub use transcription::PhasedTranscription;

/// A phase of a motion.
#[derive(Clone)]
pub struct Phase {
    /// What messages call it.
    pub name: String,
    /// Number of equal intervals.
    pub intervals: usize,
    /// System, duration, bounds, cost, path constraints, rule and guess. Of the first phase the start counts, of the last one
    /// the end and its cost.
    pub problem: ControlProblem,
    /// Whether it has the equations, bounds and costs of the phase before it, which no condition ends.
    pub continues: bool,
    /// Expressions of the state, with names, that are zero at its end.
    pub until: Vec<(String, Formula)>,
}

/// Phases one after the other.
#[derive(Clone)]
pub struct PhasedProblem {
    phases: Vec<Phase>,
    total: Given,
}

/// Why phases do not make a problem.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PhaseError {
    /// There is none.
    #[error("at least one phase is needed")]
    None,
    /// Systems that cannot follow each other.
    #[error("phase `{phase}` has other {what} than the phase before it")]
    Different {
        /// The phase.
        phase: String,
        /// `coordinates`, `controls` or `constraints`.
        what: &'static str,
    },
    /// What phases cannot have.
    #[error("phase `{phase}` has {what}, which has no meaning for a phase")]
    Meaningless {
        /// The phase.
        phase: String,
        /// What it has.
        what: &'static str,
    },
    /// The durations cannot add up.
    #[error("the phases last {least} s to {most} s together, but the whole duration is {}", in_words(*.total))]
    Total {
        /// Sum of the shortest durations, second.
        least: f64,
        /// Sum of the longest ones.
        most: f64,
        /// What is given of their sum.
        total: Given,
    },
    /// A phase is ill posed by itself.
    #[error("phase `{phase}`: {error}")]
    Phase {
        /// The phase.
        phase: String,
        /// Why.
        error: TranscriptionError,
    },
}

impl PhasedProblem {
    /// Phases in this order; `total` is what is given of the sum of their durations. Ends of phases where others follow or
    /// precede are freed.
    pub fn new(mut phases: Vec<Phase>, total: Given) -> Result<Self, PhaseError> {
        let last = phases.len().checked_sub(1).ok_or(PhaseError::None)?;
        for k in 0..=last {
            let meaningless = |what| Err(PhaseError::Meaningless { phase: phases[k].name.clone(), what });
            let problem = &phases[k].problem;
            if !problem.periodic.is_empty() {
                return meaningless("periodic coordinates");
            }
            if !problem.cost.peak.is_empty() {
                return meaningless("a cost of largest magnitudes");
            }
            if k > 0
                && let Some(what) = difference(&phases[k - 1].problem, problem)
            {
                return Err(PhaseError::Different { phase: phases[k].name.clone(), what });
            }
        }
        let sum = |side: fn((f64, f64)) -> f64| phases.iter().map(|phase| side(phase.problem.duration.bounds())).sum();
        let (least, most): (f64, f64) = (sum(|bounds| bounds.0), sum(|bounds| bounds.1));
        let (shortest, longest) = total.bounds();
        let slack = ROUNDING * most.min(longest).abs();
        if !(least <= longest + slack && shortest - slack <= most) {
            return Err(PhaseError::Total { least, most, total });
        }
        let mut begins = (0.0, 0.0);
        for (k, phase) in phases.iter_mut().enumerate() {
            let problem = &mut phase.problem;
            if problem.begins != Given::Fixed(0.0) {
                let goes_on = k > 0 && dependence::moves_by_time(problem);
                problem.begins = match begins {
                    _ if !goes_on => Given::Fixed(0.0),
                    (least, most) if least == most => Given::Fixed(least),
                    (least, most) => Given::Between(least, most),
                };
            }
            let (least, most) = problem.duration.bounds();
            begins = (begins.0 + least, begins.1 + most);
            let free = || vec![Given::FREE; phase.problem.coordinate_bounds.len()];
            let open = || End { position: free(), velocity: free() };
            if k > 0 {
                phase.problem.start = open();
            }
            if k < last {
                phase.problem.end = open();
                phase.problem.cost.last.clear();
            }
        }
        Ok(Self { phases, total })
    }

    /// Begins the search of each phase elsewhere, within the bounds of its duration.
    pub fn begin_at(&mut self, guesses: impl Iterator<Item = Guess>) {
        for (phase, guess) in self.phases.iter_mut().zip(guesses) {
            let (least, most) = phase.problem.duration.bounds();
            phase.problem.guess = Guess { duration: guess.duration.max(least).min(most), ..guess };
        }
    }

    /// The phases.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// What is given of the sum of all durations.
    pub fn total(&self) -> Given {
        self.total
    }

    /// Number of intervals of all phases.
    pub fn intervals(&self) -> usize {
        self.phases.iter().map(|phase| phase.intervals).sum()
    }
}

/// Share of a duration that rounding may take.
const ROUNDING: f64 = 1e-9;

fn in_words(total: Given) -> String {
    match total {
        Given::Fixed(total) => format!("{total} s"),
        Given::Between(least, most) => format!("between {least} s and {most} s"),
    }
}

/// What two systems that follow each other do not share.
fn difference(before: &ControlProblem, after: &ControlProblem) -> Option<&'static str> {
    let (a, b) = (&before.mechanics, &after.mechanics);
    if a.coordinates() != b.coordinates() {
        return Some("coordinates");
    }
    if a.controls() != b.controls() {
        return Some("controls");
    }
    (parts::constraint_names(before) != parts::constraint_names(after)).then_some("constraints")
}
