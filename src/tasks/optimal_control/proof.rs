//! What an optimal motion of a mechanism has to prove: its controls lead to the end wanted, on another mesh in space and with
//! other steps in time.
//!
//! Judged is what the problem states of the end, and all of it where costs depend on the motion; what it leaves open is told.

use nalgebra::Vector6;

use super::judged::Aims;
use super::lagrangian::variable_names;
use super::question::ControlSystem;
use super::resimulation::Limits;
use crate::discretisation::assembly::Assembly;
use crate::discretisation::remesh::Transfer;
use crate::discretisation::stepping::{State, velocity_of};
use crate::discretisation::transcription::Trajectory;
use crate::discretisation::transcription::multibody::Multibody;
use crate::results::{Table, Verification};
use crate::tasks::simulation::Consistent;
use crate::tasks::verify::Proof;
use crate::tasks::{Observer, TaskError};

/// Steps of the simulation for each of the grid, at least.
const REFINE: usize = 2;
/// Largest miss of the end that counts as verified, relative to the range of a coordinate or velocity.
const LIMIT: f64 = 5e-2;

/// A motion with its controls, as it was found or stored.
pub struct JudgedMotion<'a> {
    /// Instants, second.
    pub times: &'a [f64],
    /// Coordinates at the instants.
    pub q: &'a [Vec<f64>],
    /// Velocities at the instants.
    pub v: &'a [Vec<f64>],
    /// Controls of the steps.
    pub u: &'a [Vec<f64>],
}

/// Drives a mechanism by controls that are constant in each step.
pub fn prove(
    system: &ControlSystem,
    body: &Multibody,
    motion: &JudgedMotion<'_>,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let (steps, count) = (motion.u.len(), motion.times.len());
    let last = steps.saturating_sub(1);
    let column = |i: usize| (0..count).map(|k| motion.u[k.min(last)][i]).collect();
    let columns = system.controls().into_iter().enumerate().map(|(i, name)| (name, column(i))).collect();
    let actuation = Table { t: motion.times.to_vec(), columns };
    let end = (&motion.q[count - 1][..], &motion.v[count - 1][..]);
    let names = variable_names(&system.coordinates(), &[]);
    let range = |list: &[Vec<f64>], i: usize| {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        list.iter().for_each(|values| (least, most) = (values[i].min(least), values[i].max(most)));
        most - least
    };
    let coordinates = names.len() / 2;
    let ranges = (0..names.len()).map(|i| match i.checked_sub(coordinates) {
        None => range(motion.q, i),
        Some(i) => range(motion.v, i),
    });
    let units: Vec<String> = names.iter().enumerate().map(|(i, name)| kind(system, name, i >= coordinates)).collect();
    // Components of one unit count by the largest of them, so that axes do not matter.
    let limits = Limits::new(&ranges.collect::<Vec<_>>(), &units, LIMIT, 1.0);
    let (aims, judged) = Aims::new(system, &body.mechanism().rods, &names, end, &limits, count);
    let measure = |transfer: &Transfer<'_>, state: &State, k: usize| -> Vec<f64> {
        if k + 1 < count {
            return vec![f64::NAN; judged.len()];
        }
        let velocities = velocities(transfer.assembly, state);
        aims.measured(&body.seen(transfer, &state.q, &velocities, &motion.q[k]).concat())
    };
    let shape = |k: usize| body.shape(&motion.q[k], &motion.v[k], motion.times[k]);
    let proof = Proof {
        mechanism: body.mechanism(),
        instants: motion.times.to_vec(),
        actuation: &actuation,
        stepped: true,
        jumps: Vec::new(),
        judged: &judged,
        measure: &measure,
        state: &shape,
        rests: None,
        // Only the end is given: there is nothing to compare with on the way.
        segment: steps,
        refine: REFINE,
        unstable: std::cell::Cell::new(false),
    };
    Ok(proof.run(observer)?.verification)
}

/// Unit of a coordinate or rate; components of quaternions have none.
fn kind(system: &ControlSystem, name: &str, rate: bool) -> String {
    let unit = system.unit(name);
    if unit.is_empty() { if rate { "1/s".to_owned() } else { "1".to_owned() } } else { unit }
}

/// Velocities (ẋ, Ω or θ̇) of all nodes, as joints and supports allow them.
fn velocities(assembly: &Assembly, state: &State) -> Vec<Vector6<f64>> {
    let mut momentum = state.momentum.clone();
    if assembly.rows > 0 {
        // Where the joints cannot be evaluated the momenta are as they are.
        let _ = Consistent::new(assembly).momenta(state, &mut momentum);
    }
    let of = |node: usize| velocity_of(&assembly.layout, node, &state.q, &momentum, &assembly.masses[node]);
    (0..assembly.layout.nodes()).map(of).collect()
}

/// The motion of a trajectory; `v` are its velocities at the nodes.
pub fn motion<'a>(found: &'a Trajectory, v: &'a [Vec<f64>]) -> JudgedMotion<'a> {
    JudgedMotion { times: &found.times, q: &found.q, v, u: &found.u }
}
