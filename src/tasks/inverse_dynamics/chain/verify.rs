//! What a march along a chain of rods has to prove: the frame of the path follows it.

use std::f64::consts::TAU;

use nalgebra::{Vector3, Vector6};

use super::at_once::resting;
use super::function;
use super::hanging::rest_of_branches;
use super::tables::path_value;
use crate::discretisation::chain::{Guide, RodChain};
use crate::discretisation::remesh::{Sample, Shape, Transfer};
use crate::discretisation::stepping::State;
use crate::mechanism::{Frame, Pose, Quaternion};
use crate::results::Table;
use crate::tasks::inverse_dynamics::outcome::mechanism;
use crate::tasks::verify::{Judged, Proof, Proved, Rest};
use crate::tasks::{Observer, Output, System, TaskError, VerifySpec};
use crate::terms::plane_angle;

/// Poses of all sections and their velocities (in space) at one instant.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Poses from s = 0 to s = L.
    pub poses: Vec<Pose>,
    /// Velocity and spin.
    pub velocities: Vec<Vector6<f64>>,
}

impl Snapshot {
    /// At rest.
    pub fn resting(poses: Vec<Pose>) -> Self {
        let velocities = vec![Vector6::zeros(); poses.len()];
        Self { poses, velocities }
    }

    /// As sections of the rods.
    pub fn shape(&self, chain: &RodChain) -> Shape {
        let mut rods = vec![Vec::new(); chain.mechanism.rods.len()];
        for leg in &chain.legs {
            let rod = chain.rod(leg);
            let turns = chain.is_plane() && !chain.is_limp();
            let mut angle = if turns { rod.angle(0) } else { 0.0 };
            let sample = |boundary: usize| {
                let (pose, v) = (self.poses[leg.first + boundary], &self.velocities[leg.first + boundary]);
                let [velocity, spin] = [0, 3].map(|first| v.fixed_rows::<3>(first).into_owned());
                if turns {
                    angle = plane_angle(pose.orientation, angle);
                }
                (rod.boundary(boundary), Sample { pose, angle, velocity, spin })
            };
            rods[leg.rod] = (0..=rod.elements).map(sample).collect();
        }
        Shape { rods, ..Shape::default() }
    }
}

/// Where the simulation may take its state from.
pub struct Snapshots<'a> {
    /// The rod is moving at the first instant: begin with the computed state instead of rest.
    pub from_first: bool,
    /// Computed state at an instant of the grid, any number of nodes.
    pub at: &'a dyn Fn(usize) -> Snapshot,
    /// Length of a segment, in steps of the grid, if the motion must be verified piecewise.
    pub segment: usize,
}

/// The rotation vector of a rotation that is nearest to another vector: rotation vectors that differ by a turn are the same
/// rotation.
pub fn rotation_near(turn: Quaternion, near: Vector3<f64>) -> Vector3<f64> {
    let psi = turn.rotation_vector();
    let angle = psi.norm();
    if angle < 1e-12 && near.norm() < 1.0 {
        return psi;
    }
    let axis = if angle < 1e-12 { near.normalize() } else { psi / angle };
    let turns = ((near.dot(&axis) - angle) / TAU).round();
    axis * (angle + turns * TAU)
}

/// A path on the grid: poses of the frame, and the rotation vectors by which it is turned from its reference orientation, which
/// run on past half a turn.
pub type Path = Vec<(Pose, Vector3<f64>)>;

/// The paths of all guides.
pub fn paths(system: &System, chain: &RodChain) -> Result<Vec<Path>, TaskError> {
    let of = |guide: &Guide| {
        let mut near = Vector3::zeros();
        let mut found = Vec::with_capacity(system.grid.steps + 1);
        for k in 0..=system.grid.steps {
            let pose = guide.path.at(system.grid.time(k)).map_err(|bad| function(chain, bad))?.pose;
            near = rotation_near(pose.orientation * guide.path.reference.orientation.conjugate(), near);
            found.push((pose, near));
        }
        Ok(found)
    };
    chain.guides.iter().map(of).collect()
}

/// Drives the rod by the actuation table and compares the frames of the paths with them.
pub fn verify(
    system: &System,
    chain: &RodChain,
    actuation: &Table,
    states: &Snapshots<'_>,
    spec: &VerifySpec,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    let paths = paths(system, chain)?;
    let judged = judged(system, chain, &paths, spec.tolerance);
    let measure = |transfer: &Transfer<'_>, state: &State, k: usize| -> Vec<f64> {
        let value = |output: &Output| {
            let place = chain.guide_place(output.guide);
            let (leg, boundary) = chain.leg_of(place.section);
            let sections = &transfer.assembly.sections[leg.rod];
            // Boundaries of elements stay boundaries on the other mesh.
            let nodes = (sections.len() - 1) / chain.rod(leg).elements;
            let (_, at) = sections[boundary * nodes];
            let section = at.pose(&transfer.assembly.layout, &state.q);
            let position = section.point(place.lever.position);
            let orientation = match chain.is_limp() {
                true => Quaternion::IDENTITY,
                false => section.orientation * place.lever.orientation,
            };
            let (wanted, psi) = &paths[output.guide][k];
            let off = (orientation * wanted.orientation.conjugate()).rotation_vector();
            path_value(chain, output, &Pose { position, orientation }, &(psi + off))
        };
        system.outputs.iter().map(value).collect()
    };
    // Where the motion begins at rest does not follow from the computed motion.
    let rest = match states.from_first {
        true => None,
        false => {
            let states = resting(chain, system.grid.start)?;
            Some(Snapshot::resting(states.into_iter().map(|state| state.pose).collect()))
        }
    };
    let state = |k: usize| match (&rest, k) {
        (Some(rest), 0) => {
            let mut shape = rest.shape(chain);
            rest_of_branches(chain, &rest.poses, system.grid.start, &mut shape);
            shape
        }
        _ => (states.at)(k).shape(chain),
    };
    let held = system.outputs.iter().map(|output| {
        let (leg, boundary) = chain.leg_of(chain.guide_place(output.guide).section);
        let freedom = if chain.is_plane() && output.coordinate == 5 { 2 } else { output.coordinate };
        (Frame::Section { rod: leg.rod, boundary }, freedom)
    });
    let proof = Proof {
        mechanism: mechanism(system)?,
        instants: system.grid.times(),
        actuation,
        stepped: false,
        jumps: Vec::new(),
        judged: &judged,
        measure: &measure,
        state: &state,
        rests: (!states.from_first).then(|| Rest { held: held.collect(), accelerations: None }),
        segment: states.segment,
        refine: spec.refine,
        unstable: std::cell::Cell::new(false),
    };
    proof.run(observer)
}

/// Paths, and tolerances: a fraction of the rods' length or of the size of the manoeuvre, whichever is smaller.
pub fn judged(system: &System, chain: &RodChain, paths: &[Path], fraction: f64) -> Vec<Judged> {
    let length = chain.length();
    let size_of = |path: &Path| {
        let (first, turn) = path.first().map_or((Pose::IDENTITY, Vector3::zeros()), |first| *first);
        let far = |(pose, psi): &(Pose, Vector3<f64>)| {
            (pose.position - first.position).norm().max((psi - turn).norm() * length)
        };
        path.iter().map(far).fold(0.0, f64::max)
    };
    let size = paths.iter().map(size_of).fold(0.0, f64::max);
    // Where nothing is to move, the length is the only scale.
    let scale = if size > 0.0 { size.min(length) } else { length };
    let of = |output: &Output| {
        let per_length = if output.coordinate < 3 { 1.0 } else { length };
        let wanted = paths[output.guide].iter().map(|(pose, psi)| path_value(chain, output, pose, psi));
        Judged {
            name: output.name.clone(),
            wanted: wanted.collect(),
            allowed: fraction * scale / per_length,
            size: length / per_length,
            open: false,
        }
    };
    system.outputs.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rotation vectors run on past half a turn and past a whole one, and through no rotation at all.
    #[test]
    fn rotation_vectors_run_on() {
        let axis = Vector3::new(0.6, 0.0, -0.8);
        let mut near = Vector3::zeros();
        for k in 0..=80 {
            let psi = axis * (0.1 * f64::from(k));
            near = rotation_near(Quaternion::from_rotation_vector(psi), near);
            assert!((near - psi).norm() < 1e-12, "step {k}");
        }
        assert!(rotation_near(Quaternion::IDENTITY, axis * 0.1).norm() < 1e-15);
        assert!((rotation_near(Quaternion::IDENTITY, axis * 6.2) - axis * TAU).norm() < 1e-15);
    }
}
