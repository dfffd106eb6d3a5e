//! Verification of a stored actuation of a rod in space.

use nalgebra::{Vector3, Vector6};

use super::verify::{Snapshot, Snapshots, verify};
use crate::models::{DrivenRod, Pose, Quaternion};
use crate::results::{Outcome, RodField, Verification};
use crate::tasks::inverse_dynamics::reverify::usable;
use crate::tasks::{InverseDynamicsSpec, Observer, System, TaskError};

/// Names of the stored fields: pose, velocity and spin.
pub const POSE_FIELDS: [&str; 7] = ["x", "y", "z", "p0", "p1", "p2", "p3"];
/// See [`POSE_FIELDS`].
pub const VELOCITY_FIELDS: [&str; 6] = ["velocity_x", "velocity_y", "velocity_z", "spin_x", "spin_y", "spin_z"];

/// Simulates from the stored actuation.
pub fn reverify(
    system: &System,
    rod: &DrivenRod,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let wanted = usable(system, outcome)?;
    let recorded = outcome.report.verification.as_ref();
    let from_first = recorded.is_some_and(|v| v.from_moving_state);
    let segments = recorded.map_or(1, |v| v.segments.max(1));
    let part = rod.rod();
    let stored = outcome.rods.iter().find(|field| field.rod == part.name);
    let stored = stored.and_then(|field| Stored::new(field, wanted, part.elements + 1));
    // Only a motion that is already moving, or was found unstable, needs stored states.
    if (from_first || segments > 1) && stored.is_none() {
        let reason = format!("motion.npz lacks poses or velocities of rod `{}` on the problem's grid", part.name);
        return Err(TaskError::Incomplete { reason });
    }
    let at = |k: usize| stored.as_ref().map_or_else(|| Snapshot::resting(Vec::new()), |stored| stored.snapshot(k));
    let states = Snapshots { from_first, at: &at, segment: system.grid.steps.div_ceil(segments) };
    let (verification, _) = verify(system, rod, &outcome.actuation, &states, &spec.verify, observer)?;
    Ok(verification)
}

/// Stored poses and velocities.
struct Stored<'a> {
    nodes: usize,
    instants: usize,
    pose: [&'a [f64]; 7],
    velocity: [&'a [f64]; 6],
}

impl<'a> Stored<'a> {
    /// The fields, if all are there and fit.
    fn new(field: &'a RodField, instants: usize, nodes: usize) -> Option<Self> {
        let right = |name: &str| {
            let values = field.field(name)?;
            (values.len() == instants * nodes && values.iter().all(|x| x.is_finite())).then_some(values)
        };
        let (mut pose, mut velocity) = ([&[][..]; 7], [&[][..]; 6]);
        for (slot, name) in pose.iter_mut().zip(POSE_FIELDS) {
            *slot = right(name)?;
        }
        for (slot, name) in velocity.iter_mut().zip(VELOCITY_FIELDS) {
            *slot = right(name)?;
        }
        Some(Self { nodes, instants, pose, velocity })
    }

    fn snapshot(&self, k: usize) -> Snapshot {
        let place = |i: usize| i * self.instants + k;
        let pose = |i: usize| {
            let at = |c: usize| self.pose[c][place(i)];
            let orientation = Quaternion::new(at(3), at(4), at(5), at(6)).normalised();
            Pose { position: Vector3::new(at(0), at(1), at(2)), orientation }
        };
        let velocity = |i: usize| Vector6::from_fn(|c, _| self.velocity[c][place(i)]);
        Snapshot { poses: (0..self.nodes).map(pose).collect(), velocities: (0..self.nodes).map(velocity).collect() }
    }
}
