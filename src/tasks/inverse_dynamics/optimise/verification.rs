//! The proof: another simulation, driven by the computed actuation and nothing else.

use std::cell::RefCell;
use std::sync::Arc;

use nalgebra::Vector6;

use super::outcome::outputs_along;
use super::{Posed, TrackingSystem};
use crate::discretisation::remesh::Transfer;
use crate::discretisation::stepping::State;
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{Continuous, Evaluator, Formula, ForwardError, Trajectory};
use crate::results::{Table, Verification};
use crate::tasks::verify::{Judged, Proof, Proved};
use crate::tasks::{Observer, TaskError};

/// Segments in which a motion is tried that is unstable under given forces.
const SEGMENTS: usize = 20;
/// Share of the deviation of the best motion from its path within which the simulation of it is as good a proof.
const SHARE: f64 = 0.25;

/// Where a simulation begins: an interval with coordinates and velocities.
type Restart = (usize, Vec<f64>, Vec<f64>);

/// Lets the controls drive the system by another integrator. Errors are those against the paths; the motion passes where it agrees
/// with the one found, to the tolerance times the size of the path, or to a share of the distance that the best motion itself has
/// from it. One that does not is tried once more in segments, each
/// begun with a state of the motion found: under given forces some motions are unstable.
pub(super) fn verify(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    match &system.servo.multibody {
        Some(body) => prove(system, posed, body, found, observer),
        None => {
            let incomplete = |error: ForwardError| TaskError::Incomplete { reason: error.to_string() };
            let (verification, outputs) = of_system(system, posed, found).map_err(incomplete)?;
            Ok(Proved { verification, outputs, ..Proved::default() })
        }
    }
}

/// A mechanism made of parts is simulated on another mesh. Its outputs must follow the motion found, which misses the paths by
/// what is told beside.
fn prove(
    system: &TrackingSystem,
    posed: &Posed,
    body: &Multibody,
    found: &Trajectory,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    let evaluated = |failure: crate::nlp::EvalFailure| TaskError::Incomplete { reason: failure.to_string() };
    let along = outputs_along(system, posed, &found.times, &found.q).map_err(evaluated)?;
    let paths = system.paths(&found.times).map_err(evaluated)?;
    let outputs = system.outputs().iter().zip(along).zip(&posed.sizes);
    let judged = outputs.map(|((output, wanted), size)| {
        let allowed = system.servo.verify.tolerance * size;
        Judged { name: output.name.clone(), wanted, allowed, size: *size, open: false }
    });
    let judged: Vec<Judged> = judged.collect();
    let names = posed.control.controls();
    let last = found.u.len().saturating_sub(1);
    let column = |i: usize| (0..found.times.len()).map(|k| found.u[k.min(last)][i]).collect();
    let columns = names.into_iter().enumerate().map(|(i, name)| (name, column(i))).collect();
    let actuation = Table { t: found.times.clone(), columns };
    let grid = system.servo.grid;
    let formulas: Vec<Formula> = system.outputs().iter().map(|output| Arc::clone(&output.output)).collect();
    let gauge = RefCell::new(Evaluator::new(&posed.control.problem, &formulas));
    let measure = |transfer: &Transfer<'_>, state: &State, k: usize| -> Vec<f64> {
        let still = vec![Vector6::zeros(); transfer.assembly.layout.nodes()];
        let [q, v] = body.seen(transfer, &state.q, &still, &found.q[k]);
        gauge.borrow_mut().values(&q, &v, state.t).unwrap_or_else(|_| vec![f64::NAN; judged.len()])
    };
    let velocities = found.velocities(posed.control.problem.rule);
    let shape = |k: usize| body.shape(&found.q[k], &velocities[k], found.times[k]);
    let proof = Proof {
        mechanism: body.mechanism(),
        instants: grid.times(),
        actuation: &actuation,
        stepped: true,
        jumps: Vec::new(),
        judged: &judged,
        measure: &measure,
        state: &shape,
        rests: None,
        segment: grid.steps.div_ceil(SEGMENTS).max(1),
        refine: system.servo.verify.refine,
        unstable: std::cell::Cell::new(false),
    };
    let mut proved = proof.run(observer)?;
    let Proved { verification, outputs, .. } = &mut proved;
    // Errors are told against the paths.
    for ((output, path), judged) in system.outputs().iter().zip(&paths).zip(&judged) {
        let Some(column) = outputs.column(&output.name) else { continue };
        let worst = |list: &[f64]| list.iter().zip(path).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let (miss, best) = (worst(column), worst(&judged.wanted));
        if let Some(allowed) = verification.tolerance.get_mut(&output.name) {
            *allowed += best;
        }
        let own = verification.own_error.get(&output.name).copied().unwrap_or(0.0);
        verification.max_error.insert(output.name.clone(), miss + own);
    }
    Ok(proved)
}

fn of_system(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
) -> Result<(Verification, Table), ForwardError> {
    let whole = simulate(system, posed, found, &[(0, found.q[0].clone(), found.start_velocity.clone())]);
    if let Ok((verification, table)) = whole {
        if verification.passed {
            return Ok((verification, table));
        }
        let pieces = simulate(system, posed, found, &restarts(posed, found))?;
        return Ok(if pieces.0.passed { pieces } else { (verification, table) });
    }
    let pieces = simulate(system, posed, found, &restarts(posed, found));
    if pieces.is_ok() { pieces } else { whole }
}

fn restarts(posed: &Posed, found: &Trajectory) -> Vec<Restart> {
    let velocities = found.velocities(posed.control.problem.rule);
    let length = found.u.len().div_ceil(SEGMENTS).max(1);
    (0..found.u.len()).step_by(length).map(|k| (k, found.q[k].clone(), velocities[k].clone())).collect()
}

fn simulate(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
    restarts: &[Restart],
) -> Result<(Verification, Table), ForwardError> {
    let problem = &posed.control.problem;
    let mut driven = Continuous::new(problem);
    let count = problem.mechanics.coordinates().len();
    let h = found.step();
    let mut q: Vec<Vec<f64>> = Vec::with_capacity(found.q.len());
    for (piece, (first, position, velocity)) in restarts.iter().enumerate() {
        let last = restarts.get(piece + 1).map_or(found.u.len(), |(next, ..)| *next);
        let begun = *first as f64 * h;
        let controls = &found.u[*first..last];
        let states = driven.course((begun, h * controls.len() as f64), (position, velocity), controls)?;
        let skipped = usize::from(piece + 1 < restarts.len());
        let kept = states.len() - skipped;
        q.extend(states.into_iter().take(kept).map(|state| state[..count].to_vec()));
    }
    let evaluated = |failure| ForwardError::Evaluation { time: 0.0, failure };
    let driven = outputs_along(system, posed, &found.times, &q).map_err(evaluated)?;
    let wanted = outputs_along(system, posed, &found.times, &found.q).map_err(evaluated)?;
    let mut verification = Verification {
        passed: true,
        scheme: "motion under the actuation alone, adaptive method of order 5 (Dormand and Prince)".into(),
        steps: found.u.len(),
        segments: restarts.len(),
        ..Verification::default()
    };
    let paths = system.paths(&found.times).map_err(evaluated)?;
    let columns = system.outputs().iter().zip(driven).zip(wanted).zip(paths).zip(&posed.sizes);
    let mut table = Table { t: found.times.clone(), columns: Vec::new() };
    for ((((output, driven), wanted), path), size) in columns {
        let largest = |apart: &mut dyn Iterator<Item = f64>| apart.fold(0.0f64, |most, apart| most.max(apart.abs()));
        let apart = largest(&mut driven.iter().zip(&wanted).map(|(a, b)| a - b));
        let best = largest(&mut wanted.iter().zip(&path).map(|(value, path)| value - path));
        let tolerance = (system.servo.verify.tolerance * size).max(SHARE * best) / restarts.len() as f64;
        let miss = largest(&mut driven.iter().zip(&path).map(|(value, path)| value - path));
        verification.passed &= apart <= tolerance;
        let own = verification.own_error.get(&output.name).copied().unwrap_or(0.0);
        verification.max_error.insert(output.name.clone(), miss + own);
        verification.tolerance.insert(output.name.clone(), tolerance.max(miss - apart + tolerance));
        table.columns.push((output.name.clone(), driven));
    }
    Ok((verification, table))
}
