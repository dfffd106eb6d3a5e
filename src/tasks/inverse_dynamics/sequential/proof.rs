//! What a discrete mechanism made of parts has to prove: its outputs follow their paths on another mesh, too.

use nalgebra::Vector6;

use super::power::Gauge;
use super::resimulation::{States, cuts, tolerance, wanted};
use super::{ServoSystem, Solving};
use crate::discretisation::index;
use crate::discretisation::remesh::Transfer;
use crate::discretisation::stepping::State;
use crate::discretisation::transcription::multibody::Multibody;
use crate::results::Table;
use crate::tasks::verify::{Judged, Proof, Proved, Rest};
use crate::tasks::{Observer, TaskError};

/// Segments in which an unstable motion is verified.
const SEGMENTS: usize = 20;
/// Speed that is rest but for rounding, relative to the sizes of the paths by the duration.
const STILL: f64 = 1e-9;

/// Drives the mechanism by the actuation table and compares its outputs with their paths.
pub fn verify(
    system: &ServoSystem,
    body: &Multibody,
    actuation: &Table,
    states: States<'_>,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    let gauge = std::cell::RefCell::new(Gauge::new(&system.problem));
    let controls = body.mechanism().drives.iter().map(|drive| drive.components.len()).sum();
    let wanted = wanted(system, &mut gauge.borrow_mut(), &states(0).0, controls)?;
    let allowed = tolerance(system, &wanted);
    let judged: Vec<Judged> = system
        .problem
        .outputs
        .iter()
        .zip(wanted.into_iter().zip(allowed))
        .map(|(output, (wanted, allowed))| Judged {
            name: output.name.clone(),
            size: (allowed / system.verify.tolerance).max(f64::MIN_POSITIVE),
            wanted,
            allowed,
            open: false,
        })
        .collect();
    let duration = system.grid.end() - system.grid.start;
    let fastest = judged.iter().map(|judged| judged.size / duration).fold(0.0, f64::max);
    let measure = |transfer: &Transfer<'_>, state: &State, k: usize| -> Vec<f64> {
        let still = vec![Vector6::zeros(); transfer.assembly.layout.nodes()];
        let [q, _] = body.seen(transfer, &state.q, &still, &states(k).0);
        let found = gauge.borrow_mut().outputs(&q, controls, system.grid.time(k));
        found.map_or_else(|_| vec![f64::NAN; judged.len()], |list| list.into_iter().map(|[value, _]| value).collect())
    };
    let shape = |k: usize| {
        let (q, v) = states(k);
        body.shape(&q, &v, system.grid.time(k))
    };
    let moving = states(0).1.iter().any(|v| v.abs() > STILL * fastest);
    let proof = Proof {
        mechanism: body.mechanism(),
        instants: system.grid.times(),
        actuation,
        stepped: false,
        jumps: cuts(system),
        judged: &judged,
        measure: &measure,
        state: &shape,
        // What is bent where it stands still is bent otherwise on another mesh.
        rests: system.guided.clone().filter(|_| !moving).map(|held| {
            let accelerations = accelerations(system).map(|a| body.shape(&states(0).0, &a, system.grid.start));
            Rest { held, accelerations }
        }),
        segment: system.grid.steps.div_ceil(SEGMENTS).max(1),
        refine: system.verify.refine,
        unstable: std::cell::Cell::new(false),
    };
    let mut proved = proof.run(observer)?;
    proved.verification.from_moving_state = moving;
    Ok(proved)
}

/// Accelerations with which the motion sets off where every instant is determined by the paths; what is free begins in equilibrium.
fn accelerations(system: &ServoSystem) -> Option<Vec<f64>> {
    if system.solving == Solving::Bounded {
        return None;
    }
    let (mut equations, structure) = system.analyse().ok().filter(|(_, structure)| structure.freedoms == 0)?;
    index::accelerations(&system.problem, &mut equations, &structure, &system.grid.times()).ok()
}
