//! One way through all steps, and what is done about energy that grows by itself: everything again with half the step.

use super::adaptive::Adaptive;
use super::bulk::rounding;
use super::growth::{CHECKS, Grown, Growth, Sample};
use super::march::{Marcher, StepFailure};
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
    /// The part that bends most where it was seen.
    place: Option<String>,
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
        let watched = self.spec.tolerance.is_none();
        let mut before: Option<Grown> = None;
        for halvings in 0..=HALVINGS {
            let parts = 1 << halvings;
            let mut attempt = self.attempt(state, parts, watched, observer)?;
            let h = self.grid.dt / parts as f64;
            let Some(grown) = attempt.grown else {
                let note = before.map(|first| {
                    format!(
                        "each time step was made in {parts} parts of {h:.3e} s: with steps of {:.3e} s the energy grows by itself from t = {:.6} s on",
                        self.grid.dt, first.began
                    )
                });
                return Ok((attempt, note));
            };
            if before.is_some_and(|before| before.is_like(&grown, self.grid)) {
                // Not a matter of the step, but of what the books cannot see; the balance tells of it.
                return Ok((self.attempt(state, 1, false, observer)?, None));
            }
            if halvings == HALVINGS {
                attempt.ended = Err(Failure { status: RunStatus::StepFailed, message: attempt.told(&grown, h) });
                return Ok((attempt, None));
            }
            before = Some(before.unwrap_or(grown));
        }
        Err(Failure { status: RunStatus::StepFailed, message: "no step was short enough".into() })
    }

    /// All steps, each in so many parts, until energy is seen to grow.
    fn attempt(
        &self,
        state: &State,
        parts: usize,
        watched: bool,
        observer: &mut dyn Observer,
    ) -> Result<Attempt<'a>, Failure> {
        let Self { system, spec, assembly, grid } = *self;
        let dt = grid.dt / parts as f64;
        let stored = grid.steps / spec.every.max(1);
        let check = if stored >= CHECKS / 2 { spec.every } else { (grid.steps / CHECKS).max(1) };
        let rounding = rounding(assembly, dt)?;
        let mut watch = watched.then(|| Growth::new(grid.steps / check, rounding));
        let mut marcher = Marcher::new(assembly, state.clone(), dt);
        let mut attempt = Attempt {
            record: Record::new(system, assembly),
            tally: Tally::new(&system.mechanism, assembly),
            adaptive: spec.tolerance.map(|tolerance| Adaptive::new(tolerance, grid.dt, assembly)),
            iterations: 0,
            parts,
            rounding,
            ended: Ok(()),
            grown: None,
            place: None,
        };
        let Attempt { record, tally, adaptive, ended, grown, place, .. } = &mut attempt;
        record.add(grid.start, &marcher.state().q);
        tally.begin(&marcher)?;
        observer.phase("simulation", grid.steps);
        // Energies at an instant whose support forces the next step will tell.
        let mut waiting: Option<Sample> = None;
        for k in 1..=grid.steps {
            let (begin, end) = (marcher.state().t, grid.start + k as f64 * grid.dt);
            let made = match adaptive {
                Some(adaptive) => adaptive.advance_to(&mut marcher, end, tally, &|| observer.interrupted()),
                None => (1..=parts).try_for_each(|part| {
                    let to = if part == parts { end } else { begin + (end - begin) * part as f64 / parts as f64 };
                    marcher.advance(to - marcher.state().t)?;
                    tally.step(&marcher)?;
                    if let (Some(watch), Some(sample)) = (&mut watch, waiting.take()) {
                        let found = watch.look(&Sample { spent: tally.settled(), ..sample });
                        *grown = grown.or(found);
                    }
                    tally.keep();
                    Ok::<(), StepFailure>(())
                }),
            };
            if let Err(failure) = made {
                *ended = Err(step_failed(failure, &advice(adaptive, dt)));
                break;
            }
            if grown.is_some() {
                *place = busiest(assembly, &marcher.state().q);
                break;
            }
            let sample = if k % spec.every == 0 || k == grid.steps {
                record.add(end, &marcher.state().q);
                Some(tally.store(end, &marcher)?)
            } else if watch.is_some() && k % check == 0 {
                Some(tally.look(&marcher)?)
            } else {
                None
            };
            waiting = sample.filter(|_| k % check == 0);
            observer.progress(k);
            if observer.interrupted() {
                let message = format!("interrupted at t = {end:.6} s; the motion up to there is stored");
                *ended = Err(Failure { status: RunStatus::Interrupted, message });
                break;
            }
        }
        attempt.iterations = marcher.iterations;
        Ok(attempt)
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
