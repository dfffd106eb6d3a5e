//! Motion of a mechanism from initial data.

mod adaptive;
mod attempt;
mod bulk;
mod consistent;
mod growth;
pub mod lagrangian;
mod local_error;
pub mod march;
mod past;
mod relative;
mod rigid_velocity;
mod rope_velocity;
mod support_work;
mod tally;

pub use consistent::Consistent;

use std::time::Instant;

use adaptive::Adaptive;
use attempt::{Attempt, Plan};
use march::{StepFailure, initial_state};

use super::forward::{Failure, expect_motion};
use super::sections::{self, Told};
use super::statics::{Wanted, branch, unstable_directions};
use super::{Configuration, ForwardSystem, MotionStart, Observer, SimulateSpec};
use crate::discretisation::assembly::{Assembly, build};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::results::{Outcome, RunStatus, Timing};
use crate::solver::PointKind;

/// Runs the task.
pub fn run(system: &ForwardSystem, spec: &SimulateSpec, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.blank_outcome("simulate");
    outcome.report.method = "variational".into();
    outcome.report.method_reason = "variational midpoint on positions and unit quaternions; momenta are kept".into();
    match simulate(system, spec, observer, &mut outcome) {
        Ok(()) => outcome.report.status = RunStatus::Solved,
        Err(failure) => {
            outcome.report.status = failure.status;
            outcome.report.message = Some(failure.message);
        }
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.judge(&mut outcome);
    outcome
}

fn simulate(
    system: &ForwardSystem,
    spec: &SimulateSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let Some(grid) = system.time else {
        return Err(Failure { status: RunStatus::IllPosed, message: "a simulation needs a time grid".into() });
    };
    let mut assembly = build(&system.mechanism);
    system.act(&mut assembly);
    outcome.report.warnings.extend(assembly.repetition());
    expect_motion(&assembly)?;
    let q = start(system, spec, &assembly, &mut outcome.report.warnings)?;
    let state = initial_state(&system.mechanism, &assembly, q, grid.start)?;
    // From here on all is seen from the frame at rest.
    assembly.turning = None;
    let mass = assembly.masses.iter().map(|node| node.mass).sum::<f64>() + assembly.rope_mass();
    outcome.report.scalars.insert("mass".into(), mass);
    let sizes = &mut outcome.report.sizes;
    sizes.insert("nodes".into(), assembly.layout.nodes() as f64);
    sizes.insert("elements".into(), assembly.elements.len() as f64);
    let free = assembly.fixed.iter().filter(|fixed| !**fixed).count();
    sizes.insert("unknowns".into(), (free + assembly.rows) as f64);
    outcome.report.grid.extend([("time_steps".to_owned(), grid.steps as f64), ("dt".to_owned(), grid.dt)]);

    let plan = Plan { system, spec, assembly: &assembly, grid };
    let (attempt, note) = plan.run(&state, observer)?;
    outcome.report.warnings.extend(note);
    let Attempt { record, tally, adaptive, iterations, parts, rounding, ended, .. } = attempt;
    if parts > 1 {
        outcome.report.grid.insert("parts_of_steps".into(), parts as f64);
    }
    outcome.report.scalars.insert("newton_iterations".into(), iterations as f64);
    if let Some(adaptive) = &adaptive {
        outcome.report.grid.insert("adaptive_steps".into(), adaptive.taken as f64);
        outcome.report.grid.insert("rejected_steps".into(), adaptive.rejected as f64);
        outcome.report.grid.insert("smallest_step".into(), adaptive.smallest);
        outcome.report.grid.insert("largest_step".into(), adaptive.largest);
    }
    record.finish(outcome);
    if !system.mechanism.drives.is_empty() {
        outcome.actuation = system.applied(&outcome.motion.t);
    }
    tell_motion(outcome);
    sections::tell(&system.mechanism, &system.frames, Told::Motion(&spec.profile), outcome);
    tally.finish(rounding, outcome);
    ended
}

/// `motion.FRAME.COORDINATE.` with `initial`, `final` and `max`, the largest magnitude.
fn tell_motion(outcome: &mut Outcome) {
    for (name, values) in &outcome.motion.columns {
        let (Some(first), Some(last)) = (values.first(), values.last()) else { continue };
        let largest = values.iter().fold(0.0_f64, |m, value| m.max(value.abs()));
        for (what, value) in [("initial", *first), ("final", *last), ("max", largest)] {
            outcome.report.scalars.insert(format!("motion.{name}.{what}"), value);
        }
    }
}

/// The first configuration.
fn start(
    system: &ForwardSystem,
    spec: &SimulateSpec,
    assembly: &Assembly,
    warnings: &mut Vec<String>,
) -> Result<Vec<f64>, Failure> {
    let mut q = assembly.reference.clone();
    let t = system.first_instant();
    assembly.prescribe(crate::discretisation::assembly::Instant { t, factor: 1.0 }, &mut q)?;
    if spec.start != MotionStart::Word(Configuration::Equilibrium) {
        return Ok(q);
    }
    let mut equilibrium = Equilibrium::new(assembly, t);
    let no_equilibrium = |reason: String| Failure {
        status: RunStatus::NotConverged,
        message: format!("no equilibrium to start from: {reason}"),
    };
    let path = branch(&mut equilibrium, &Wanted::at(&[1.0]), &mut |_| true)
        .map_err(|error| no_equilibrium(error.to_string()))?;
    let point = path.of_kind(PointKind::Target).next().ok_or_else(|| no_equilibrium(path.end.to_string()))?;
    crate::nlp::ParametricSystem::set_parameter(&mut equilibrium, 1.0);
    let linearised = Linearised::new(&mut equilibrium, &point.x)?;
    if linearised.asymmetry <= 1e-9
        && let Some((unstable @ 1.., _)) = unstable_directions(&linearised)
    {
        warnings.push(format!(
            "the motion begins in an equilibrium that is unstable in {unstable} direction(s); without a disturbance it may stay there"
        ));
    }
    Ok(equilibrium.configuration(&point.x)?)
}

/// What to do about a step that was too long.
fn advice(adaptive: &Option<Adaptive>, dt: f64) -> String {
    match adaptive {
        Some(adaptive) => format!("steps as short as {:.2e} s were tried", adaptive.smallest),
        None => format!(
            "the time step of {dt:.2e} s is too large for this motion: raise time.steps or set a tolerance for adaptive steps"
        ),
    }
}

/// Why the motion ends, with advice for steps that were too long.
fn step_failed(failure: StepFailure, advice: &str) -> Failure {
    match failure {
        StepFailure::NotConverged { .. } => {
            Failure { status: RunStatus::StepFailed, message: format!("{failure}; {advice}") }
        }
        StepFailure::Interrupted { .. } => Failure { status: RunStatus::Interrupted, message: failure.to_string() },
        StepFailure::Evaluation(_) => Failure { status: RunStatus::Undefined, message: failure.to_string() },
        StepFailure::Singular(_) => Failure {
            status: RunStatus::Singular,
            message: format!(
                "the equations of motion are singular (a massless part, or contradictory or redundant joints): {failure}"
            ),
        },
    }
}
