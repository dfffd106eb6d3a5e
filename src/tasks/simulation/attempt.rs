//! One way through all steps, and what is done about energy that grows by itself: everything again with half the step.

use super::adaptive::Adaptive;
use super::bulk::rounding;
use super::growth::{CHECKS, Grown, Growth, Sample};
use super::march::{ACCURACY, Marcher, StepFailure};
use super::tally::Tally;
use super::{advice, step_failed};
use crate::discretisation::TimeGrid;
use crate::discretisation::assembly::{Assembly, Element, Local, Order};
use crate::discretisation::stepping::State;
use crate::results::RunStatus;
use crate::tasks::forward::{Failure, Record};
use crate::tasks::{ForwardSystem, Observer, SimulateSpec};

/// How often the step is halved.
const HALVINGS: u32 = 6;
/// How often a motion begins anew because its steps became short: where so many times more are made than long ones would take,
/// and many at all, with no step longer than a part of the longest. All that was made in vain is then less than what shorter steps
/// are made of.
const RESTARTS: u32 = 8;
const FEW: f64 = 3.0;
const MANY: f64 = 1000.0;
const SHORTER: f64 = 0.25;
/// Error left in the solution of a step over the error that it may make by itself.
const LEFT: f64 = 1e-5;
/// Growth that differs by less than this part of it, and begins at the same time, has nothing to do with the step.
const SAME: f64 = 0.2;

/// A motion with all that is kept of it.
pub struct Attempt<'a> {
    /// Configurations.
    pub record: Record<'a>,
    /// Energies, momenta and forces.
    pub tally: Tally<'a>,
    /// Step lengths, where they adapt.
    pub adaptive: Option<Adaptive>,
    /// Newton iterations.
    pub iterations: usize,
    /// Steps made for each one of the grid.
    pub parts: usize,
    /// Energies below this, joule, are rounding.
    pub rounding: f64,
    /// Why it ended before the last instant.
    pub ended: Result<(), Failure>,
    grown: Option<Grown>,
    /// The longest step, if it made too many short ones.
    unsteady: Option<f64>,
    /// The part that bends most where it was seen.
    place: Option<String>,
}

/// How long steps may be.
#[derive(Clone, Copy)]
struct Lengths {
    /// Parts in which each one of the grid is made.
    parts: usize,
    /// Of steps that adapt, second.
    longest: f64,
    /// How often a motion with steps that adapt may begin anew.
    restarts: u32,
}

/// Looks for energy that grows by itself.
struct Watch {
    growth: Option<Growth>,
    /// Energies at an instant whose support forces the next step will tell.
    waiting: Option<Sample>,
    found: Option<Grown>,
    /// Time between two looks at steps that adapt, second, and when the next one is due.
    every: f64,
    due: f64,
    /// The whole time, second, and whether the motion may begin anew; the longest step, if that made too many short ones.
    whole: f64,
    restarts: bool,
    unsteady: Option<f64>,
}

/// What a motion is made of.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The problem.
    pub system: &'a ForwardSystem,
    /// The task.
    pub spec: &'a SimulateSpec,
    /// The mechanism.
    pub assembly: &'a Assembly,
    /// Instants.
    pub grid: TimeGrid,
}

impl<'a> Plan<'a> {
    /// The motion from a state, by steps in which energy does not grow by itself; a sentence where these are shorter than asked
    /// for.
    pub fn run(&self, state: &State, observer: &mut dyn Observer) -> Result<(Attempt<'a>, Option<String>), Failure> {
        let Self { grid, spec, .. } = *self;
        let mut before: Option<Grown> = None;
        let whole = Lengths { parts: 1, longest: f64::INFINITY, restarts: RESTARTS };
        let mut lengths = whole;
        for halvings in 0..=HALVINGS {
            let mut attempt = self.steadily(state, &mut lengths, observer)?;
            let Lengths { parts, longest, .. } = lengths;
            let Some(grown) = attempt.grown else {
                let note = before.map(|first| match spec.tolerance {
                    None => format!(
                        "each time step was made in {parts} parts of {:.3e} s: with steps of {:.3e} s the energy grows by itself from t = {:.6} s on",
                        grid.dt / parts as f64, grid.dt, first.began
                    ),
                    Some(_) => format!(
                        "steps were kept below {longest:.3e} s: with those that the tolerance asks for the energy grows by itself from t = {:.6} s on",
                        first.began
                    ),
                });
                return Ok((attempt, note));
            };
            if before.is_some_and(|before| before.is_like(&grown, grid)) {
                // Not a matter of the step, but of what the books cannot see; the balance tells of it.
                return Ok((self.attempt(state, Lengths { restarts: 0, ..whole }, false, observer)?, None));
            }
            let mean = |adaptive: &Adaptive| (grown.seen - grid.start) / adaptive.taken as f64;
            let h = attempt.adaptive.as_ref().map_or(grid.dt / parts as f64, |adaptive| longest.min(mean(adaptive)));
            if halvings == HALVINGS {
                attempt.ended = Err(Failure { status: RunStatus::StepFailed, message: attempt.told(&grown, h) });
                return Ok((attempt, None));
            }
            lengths = match spec.tolerance {
                None => Lengths { parts: 2 * parts, ..lengths },
                Some(_) => Lengths { longest: 0.5 * h, ..lengths },
            };
            before = Some(before.unwrap_or(grown));
        }
        Err(Failure { status: RunStatus::StepFailed, message: "no step was short enough".into() })
    }

    /// An attempt without long steps where these lead to many short ones. They make waves that they do not resolve and that grow by
    /// them; once they are there, only steps that resolve them keep the tolerance, to the end of the motion.
    fn steadily(
        &self,
        state: &State,
        lengths: &mut Lengths,
        observer: &mut dyn Observer,
    ) -> Result<Attempt<'a>, Failure> {
        loop {
            let attempt = self.attempt(state, *lengths, true, observer)?;
            let Some(longest) = attempt.unsteady else { return Ok(attempt) };
            lengths.longest = SHORTER * longest;
            lengths.restarts -= 1;
        }
    }

    /// All steps until energy is seen to grow.
    fn attempt(
        &self,
        state: &State,
        Lengths { parts, longest, restarts }: Lengths,
        watched: bool,
        observer: &mut dyn Observer,
    ) -> Result<Attempt<'a>, Failure> {
        let Self { system, spec, assembly, grid } = *self;
        let dt = grid.dt / parts as f64;
        let stored = grid.steps / spec.every.max(1);
        let check = if stored >= CHECKS / 2 { spec.every } else { (grid.steps / CHECKS).max(1) };
        let accuracy = accuracy(spec);
        let rounding = rounding(assembly, dt, accuracy)?;
        // Of steps that adapt more can be seen than is stored.
        let between = spec.tolerance.is_some() && grid.steps < CHECKS;
        let checks = if between { CHECKS } else { grid.steps / check };
        let every = if between { (grid.end() - grid.start) / CHECKS as f64 } else { f64::INFINITY };
        let growth = watched.then(|| Growth::new(checks, rounding));
        let mut watch = Watch {
            growth,
            waiting: None,
            found: None,
            every,
            due: grid.start + every,
            whole: grid.end() - grid.start,
            restarts: restarts > 0,
            unsteady: None,
        };
        let mut marcher = Marcher::new(assembly, state.clone(), dt).solved_to(accuracy);
        let mut attempt = Attempt {
            record: Record::new(system, assembly),
            tally: Tally::new(&system.mechanism, assembly),
            adaptive: spec.tolerance.map(|tolerance| Adaptive::new(tolerance, grid.dt, longest, assembly)),
            iterations: 0,
            parts,
            rounding,
            ended: Ok(()),
            grown: None,
            unsteady: None,
            place: None,
        };
        let Attempt { record, tally, adaptive, ended, place, .. } = &mut attempt;
        record.add_moving(grid.start, &marcher.state().q, None);
        tally.begin(&marcher)?;
        observer.phase("simulation", grid.steps);
        for k in 1..=grid.steps {
            let end = grid.start + k as f64 * grid.dt;
            let mut stop = || observer.interrupted();
            let made = match adaptive {
                Some(adaptive) => watch.adaptive_steps(&mut marcher, adaptive, end, tally, &mut stop),
                None => watch.equal_steps(&mut marcher, parts, end, tally),
            };
            if let Err(failure) = made {
                *ended = Err(step_failed(failure, &advice(adaptive, dt)));
                break;
            }
            if watch.unsteady.is_some() {
                break;
            }
            if watch.found.is_some() {
                *place = busiest(assembly, &marcher.state().q);
                break;
            }
            if let Some(after) = tally.after() {
                record.complete(&after);
            }
            let sample = if k % spec.every == 0 || k == grid.steps {
                record.add_moving(end, &marcher.state().q, Some(marcher.middle()));
                Some(tally.store(end, &marcher)?)
            } else if watched && k % check == 0 {
                Some(tally.look(&marcher)?)
            } else {
                None
            };
            watch.waiting = sample.filter(|_| k % check == 0);
            observer.progress(k);
            if observer.interrupted() {
                let message = format!("interrupted at t = {end:.6} s; the motion up to there is stored");
                *ended = Err(Failure { status: RunStatus::Interrupted, message });
                break;
            }
        }
        (attempt.grown, attempt.unsteady) = (watch.found, watch.unsteady);
        attempt.iterations = marcher.iterations;
        Ok(attempt)
    }
}

/// Relative error that is left in the solution of each step: where steps adapt, little of what they are off by themselves.
fn accuracy(spec: &SimulateSpec) -> f64 {
    spec.accuracy.or(spec.tolerance.map(|tolerance| (LEFT * tolerance).max(ACCURACY))).unwrap_or(ACCURACY)
}

impl Watch {
    /// The next instant of the grid, in so many steps.
    fn equal_steps(
        &mut self,
        marcher: &mut Marcher<'_>,
        parts: usize,
        end: f64,
        tally: &mut Tally<'_>,
    ) -> Result<(), StepFailure> {
        let begin = marcher.state().t;
        for part in 1..=parts {
            let to = if part == parts { end } else { begin + (end - begin) * part as f64 / parts as f64 };
            marcher.advance(to - marcher.state().t)?;
            tally.step(marcher)?;
            self.keep(tally);
        }
        Ok(())
    }

    /// The next instant of the grid, in as many steps as it takes.
    fn adaptive_steps(
        &mut self,
        marcher: &mut Marcher<'_>,
        adaptive: &mut Adaptive,
        end: f64,
        tally: &mut Tally<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepFailure> {
        loop {
            let arrived = adaptive.advance(marcher, end, tally, stop)?;
            self.keep(tally);
            self.unsteady = (self.restarts && adaptive.taken as f64 > MANY.max(FEW * self.whole / adaptive.largest))
                .then_some(adaptive.largest);
            if arrived || self.found.is_some() || self.unsteady.is_some() {
                return Ok(());
            }
            let t = marcher.state().t;
            if self.growth.is_some() && t >= self.due {
                self.waiting = Some(tally.look(marcher)?);
                self.due = t + self.every;
            }
            if stop() {
                return Err(StepFailure::Interrupted { t });
            }
        }
    }

    /// A step counts, and tells what supports did at the instant before it.
    fn keep(&mut self, tally: &mut Tally<'_>) {
        if let (Some(growth), Some(sample)) = (&mut self.growth, self.waiting.take()) {
            let found = growth.look(&Sample { spent: tally.settled(), ..sample });
            self.found = self.found.or(found);
        }
        tally.keep();
    }
}

impl Grown {
    /// Whether halving the step has changed nothing.
    fn is_like(&self, finer: &Self, grid: TimeGrid) -> bool {
        let near = (grid.end() - grid.start) / CHECKS as f64;
        (self.began - finer.began).abs() < near && (self.by - finer.by).abs() < SAME * self.by.abs()
    }
}

impl Attempt<'_> {
    fn told(&self, grown: &Grown, h: f64) -> String {
        let place = self.place.as_ref().map_or_else(String::new, |place| format!(", most of it about {place}"));
        format!(
            "from t = {:.6} s on the energy grows by itself: by {:.3e} J until t = {:.6} s, where it is {:.3e} J{place}. Steps down to {h:.2e} s do not end that: raise time.steps, set a tolerance for adaptive steps, or give the rods damping",
            grown.began, grown.by, grown.seen, grown.total
        )
    }
}

/// Where most energy of strain is.
fn busiest(assembly: &Assembly, q: &[f64]) -> Option<String> {
    let mut local = Local::default();
    let mut energy = |element: &Element| {
        element.evaluate(&assembly.layout, q, None, Order::Energy, &mut local);
        local.energy
    };
    let list = assembly.elements.iter().map(|element| (energy(element), element));
    let (_, element) = list.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    assembly.names.get(element.ends.first()?.node).cloned()
}
