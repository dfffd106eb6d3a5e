//! Verification of a stored actuation of a rod in space.

use nalgebra::{Vector3, Vector6};

use super::tables::field_names;
use super::verify::{Snapshot, Snapshots, verify};
use crate::discretisation::chain::RodChain;
use crate::mechanism::{Pose, Quaternion};
use crate::results::{Outcome, RodField, Verification};
use crate::tasks::{InverseDynamicsSpec, Observer, System, TaskError};
use crate::terms::plane_orientation;

/// Simulates from the stored actuation.
pub fn reverify(
    system: &System,
    chain: &RodChain,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let channels: Vec<String> = system.channels.iter().map(|channel| channel.name.clone()).collect();
    let wanted = usable(system, &channels, outcome)?;
    let recorded = outcome.report.verification.as_ref();
    let from_first = recorded.is_some_and(|v| v.from_moving_state);
    let segments = recorded.map_or(1, |v| v.segments.max(1));
    let stored = Stored::new(chain, outcome, wanted);
    // Only a motion that is already moving, or was found unstable, needs stored states.
    if (from_first || segments > 1) && stored.is_none() {
        let reason = format!("motion.npz lacks poses or velocities of `{}` on the problem's grid", chain.name());
        return Err(TaskError::Incomplete { reason });
    }
    let at = |k: usize| stored.as_ref().map_or_else(|| Snapshot::resting(Vec::new()), |stored| stored.snapshot(k));
    let states = Snapshots { from_first, at: &at, segment: system.grid.steps.div_ceil(segments) };
    let verification = verify(system, chain, &outcome.actuation, &states, &spec.verify, observer)?.verification;
    Ok(verification)
}

/// The number of instants of a stored actuation that fits the problem.
pub fn usable(system: &System, channels: &[String], outcome: &Outcome) -> Result<usize, TaskError> {
    let table = &outcome.actuation;
    let incomplete = |reason: String| Err(TaskError::Incomplete { reason });
    if table.t.is_empty() {
        return incomplete(format!("it holds no actuation (status {})", outcome.report.status));
    }
    if let Some(channel) = channels.iter().find(|channel| table.column(channel).is_none()) {
        return incomplete(format!("actuation.csv has no column `{channel}`"));
    }
    let (found, wanted) = (table.t.len(), system.grid.steps + 1);
    if found != wanted {
        return incomplete(format!("actuation.csv has {found} instants, the problem {wanted}"));
    }
    let off = |k: usize| (table.t[k] - system.grid.time(k)).abs() > 1e-6 * system.grid.dt;
    if let Some(k) = (0..wanted).find(|&k| off(k)) {
        let reason =
            format!("row {} of actuation.csv is for t = {}, expected {}", k + 1, table.t[k], system.grid.time(k));
        return incomplete(reason);
    }
    Ok(wanted)
}

/// Stored poses and velocities of all sections: values over time of each component.
struct Stored<'a> {
    plane: bool,
    limp: bool,
    poses: Vec<Vec<&'a [f64]>>,
    velocities: Vec<Vec<&'a [f64]>>,
}

impl<'a> Stored<'a> {
    /// The fields, if all are there and fit.
    fn new(chain: &RodChain, outcome: &'a Outcome, instants: usize) -> Option<Self> {
        let [pose, velocity, _] = field_names(chain);
        let (plane, limp) = (chain.is_plane(), chain.is_limp());
        let mut stored = Self { plane, limp, poses: Vec::new(), velocities: Vec::new() };
        for leg in &chain.legs {
            let rod = chain.rod(leg);
            let field = outcome.rods.iter().find(|field| field.rod == rod.name)?;
            let section = |names: &[&str], i: usize| -> Option<Vec<&'a [f64]>> {
                names.iter().map(|name| of_section(field, name, i, instants, rod.elements + 1)).collect()
            };
            for i in 0..=rod.elements {
                stored.poses.push(section(pose, i)?);
                stored.velocities.push(section(velocity, i)?);
            }
        }
        Some(stored)
    }

    fn snapshot(&self, k: usize) -> Snapshot {
        let pose = |values: &Vec<&[f64]>| {
            let at = |c: usize| values[c][k];
            if self.limp {
                let position = Vector3::from_fn(|c, _| values.get(c).map_or(0.0, |values| values[k]));
                return Pose { position, orientation: Quaternion::IDENTITY };
            }
            if self.plane {
                return Pose { position: Vector3::new(at(0), at(1), 0.0), orientation: plane_orientation(at(2)) };
            }
            let orientation = Quaternion::new(at(3), at(4), at(5), at(6)).normalised();
            Pose { position: Vector3::new(at(0), at(1), at(2)), orientation }
        };
        let velocity = |values: &Vec<&[f64]>| match self.plane && !self.limp {
            true => Vector6::new(values[0][k], values[1][k], 0.0, 0.0, 0.0, values[2][k]),
            false => Vector6::from_fn(|c, _| values.get(c).map_or(0.0, |values| values[k])),
        };
        Snapshot {
            poses: self.poses.iter().map(pose).collect(),
            velocities: self.velocities.iter().map(velocity).collect(),
        }
    }
}

/// A field at one section over time, if it has the right size and is finite.
fn of_section<'a>(field: &'a RodField, name: &str, i: usize, instants: usize, nodes: usize) -> Option<&'a [f64]> {
    let values = field.field(name).filter(|values| values.len() == instants * nodes)?;
    let own = &values[i * instants..(i + 1) * instants];
    own.iter().all(|x| x.is_finite()).then_some(own)
}
