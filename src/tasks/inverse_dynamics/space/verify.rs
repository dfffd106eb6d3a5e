//! The proof for a rod in space: a forward simulation of the mechanism driven by the computed actuation and nothing else.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use nalgebra::Vector3;

use super::forward::{Snapshot, driven, simulate};
use super::sampling::hanging;
use crate::models::{DrivenRod, Pose, Quaternion};
use crate::results::{Table, Verification};
use crate::tasks::verify::{CHEAP, FINEST, LEAST_SHARE, NUDGE, UNSTABLE};
use crate::tasks::{Observer, SimulationError, System, TaskError, VerifySpec};

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

/// The path on the grid: poses of the frame, and the rotation vectors by which it is turned from its reference orientation,
/// which run on past half a turn.
pub fn path(system: &System, rod: &DrivenRod) -> Result<Vec<(Pose, Vector3<f64>)>, TaskError> {
    let mut near = Vector3::zeros();
    let mut found = Vec::with_capacity(system.grid.steps + 1);
    for k in 0..=system.grid.steps {
        let jet = rod.path.at(system.grid.time(k));
        let pose = jet.map_err(|bad| TaskError::pose_function(&rod.rod().name, rod.side, bad))?.pose;
        near = rotation_near(pose.orientation * rod.path.reference.orientation.conjugate(), near);
        found.push((pose, near));
    }
    Ok(found)
}

/// Drives the rod by the actuation table on a grid finer than the system's in space and time and compares with the path,
/// as [`verify`](crate::tasks::verify) does for other rods.
pub fn verify(
    system: &System,
    rod: &DrivenRod,
    actuation: &Table,
    states: &Snapshots<'_>,
    spec: &VerifySpec,
    observer: &mut dyn Observer,
) -> Result<(Verification, Table), TaskError> {
    let path = path(system, rod)?;
    let mut refine = spec.refine;
    let elements = rod.rod().elements;
    loop {
        let run = Run { system, rod, actuation, path: &path, refine, elements: elements * refine };
        let tolerance = run.tolerance(spec.tolerance);
        let (found, table) = run.once(states, &tolerance, observer)?;
        refine *= 2;
        if found.passed || refine > FINEST * spec.refine || elements * system.grid.steps * refine * refine > CHEAP {
            return Ok((found, table));
        }
        observer.note(&format!("the simulation misses the path: trying one {refine} times finer than the grid"));
    }
}

struct Run<'a> {
    system: &'a System,
    rod: &'a DrivenRod,
    actuation: &'a Table,
    path: &'a [(Pose, Vector3<f64>)],
    refine: usize,
    elements: usize,
}

impl Run<'_> {
    fn once(
        &self,
        states: &Snapshots<'_>,
        tolerance: &BTreeMap<String, f64>,
        observer: &mut dyn Observer,
    ) -> Result<(Verification, Table), TaskError> {
        let start = match states.from_first {
            true => (states.at)(0).resampled(self.elements),
            false => {
                let rest = hanging(self.rod, self.elements, self.system.grid.start)?;
                Snapshot::resting(rest.into_iter().map(|state| state.pose).collect())
            }
        };
        let begun = if states.from_first { "from the computed initial state" } else { "from rest" };
        let failure = match self.simulate(&[(0, start.clone())], 1.0, observer) {
            Ok((poses, halved)) => {
                let found = self.judge(&poses, tolerance, 1.0, states.from_first, begun, halved);
                if found.passed || !self.is_unstable(&poses, start, observer)? {
                    return Ok((found, self.table(&poses)));
                }
                None
            }
            Err(TaskError::Simulation(error @ SimulationError::NoConvergence { .. })) => Some(error),
            Err(other) => return Err(other),
        };
        let instants = (0..self.system.grid.steps).step_by(states.segment.max(1));
        let restarts: Vec<(usize, Snapshot)> = instants.map(|k| (k, (states.at)(k).resampled(self.elements))).collect();
        let (poses, halved) = match self.simulate(&restarts, 1.0, observer) {
            Ok(found) => found,
            // What failed first is the better explanation.
            Err(TaskError::Simulation(second)) => return Err(TaskError::Simulation(failure.unwrap_or(second))),
            Err(other) => return Err(other),
        };
        let share = (1.0 / restarts.len() as f64).max(LEAST_SHARE);
        let begun = format!(
            "in {} segments from computed states, because the motion is unstable under given forces",
            restarts.len()
        );
        let mut verification = self.judge(&poses, tolerance, share, states.from_first, &begun, halved);
        verification.segments = restarts.len();
        Ok((verification, self.table(&poses)))
    }

    /// Poses of the path's frame on the grid, simulated from restart to restart with the forces scaled by `factor`; and the
    /// number of halved steps.
    fn simulate(
        &self,
        restarts: &[(usize, Snapshot)],
        factor: f64,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<Pose>, usize), TaskError> {
        let (grid, rod, refine) = (self.system.grid, self.rod, self.refine);
        let assembly = driven(rod, self.elements, &self.system.channels, self.actuation, grid, factor);
        let node = rod.side.node(self.elements);
        let end = |q: &[f64]| assembly.sections[0][node].1.pose(&assembly.layout, q);
        let frame = rod.path_frame();
        let of =
            |end: Pose| Pose { position: end.point(frame.position), orientation: end.orientation * frame.orientation };
        let mut poses = vec![Pose::IDENTITY; grid.steps + 1];
        let mut halved = 0;
        observer.phase("forward simulation", grid.steps * refine);
        for (i, (first, snapshot)) in restarts.iter().enumerate() {
            let last = restarts.get(i + 1).map_or(grid.steps, |(next, _)| *next);
            let state = snapshot.state(&assembly, grid.time(*first));
            if i == 0 {
                poses[0] = of(end(&state.q));
            }
            let h = grid.dt / refine as f64;
            halved += simulate(&assembly, state, h, (last - first) * refine, observer, &mut |k, q| {
                if k % refine == 0 {
                    poses[first + k / refine] = of(end(q));
                }
            })?;
            observer.progress(last * refine);
        }
        Ok((poses, halved))
    }

    /// Whether a nudge of the forces shows magnified in the motion.
    fn is_unstable(&self, poses: &[Pose], start: Snapshot, observer: &mut dyn Observer) -> Result<bool, TaskError> {
        let nudged = match self.simulate(&[(0, start)], 1.0 + NUDGE, observer) {
            Ok((nudged, _)) => nudged,
            Err(TaskError::Simulation(SimulationError::NoConvergence { .. })) => return Ok(true),
            Err(other) => return Err(other),
        };
        let length = self.rod.rod().length;
        let change = |(a, b): (&Pose, &Pose)| {
            let turn = (a.orientation * b.orientation.conjugate()).rotation_vector().norm() * length;
            (a.position - b.position).norm().max(turn)
        };
        let largest = poses.iter().zip(&nudged).map(change).fold(0.0, f64::max);
        Ok(largest > UNSTABLE * NUDGE * length)
    }

    /// Tolerance of each output: a fraction of the rod's length or of the size of the manoeuvre, whichever is smaller.
    fn tolerance(&self, fraction: f64) -> BTreeMap<String, f64> {
        let length = self.rod.rod().length;
        let (first, turn) = self.path.first().map_or((Pose::IDENTITY, Vector3::zeros()), |first| *first);
        let far = |(pose, psi): &(Pose, Vector3<f64>)| {
            (pose.position - first.position).norm().max((psi - turn).norm() * length)
        };
        let size = self.path.iter().map(far).fold(0.0, f64::max);
        // Where nothing is to move, the length is the only scale.
        let scale = if size > 0.0 { size.min(length) } else { length };
        let of = |coordinate: usize| fraction * scale / if coordinate < 3 { 1.0 } else { length };
        self.system.outputs.iter().map(|output| (output.name.clone(), of(output.coordinate))).collect()
    }

    fn judge(
        &self,
        poses: &[Pose],
        tolerance: &BTreeMap<String, f64>,
        share: f64,
        from_moving_state: bool,
        begun: &str,
        halved: usize,
    ) -> Verification {
        let refine = self.refine;
        let mut verification = Verification {
            passed: true,
            scheme: format!(
                "variational midpoint on positions and unit quaternions, midpoint-quadrature elements in space, {refine} times finer, {begun}"
            ),
            elements: self.elements,
            steps: self.system.grid.steps * refine,
            halved_steps: halved,
            from_moving_state,
            segments: 1,
            ..Verification::default()
        };
        for output in &self.system.outputs {
            let mut worst = 0.0_f64;
            for (found, (wanted, _)) in poses.iter().zip(self.path) {
                let c = output.coordinate;
                let deviation = match c.checked_sub(3) {
                    None => found.position[c] - wanted.position[c],
                    Some(axis) => (found.orientation * wanted.orientation.conjugate()).rotation_vector()[axis],
                };
                worst = if deviation.is_nan() { f64::NAN } else { worst.max(deviation.abs()) };
            }
            let allowed = tolerance.get(&output.name).copied().unwrap_or(0.0) * share;
            verification.passed &= worst <= allowed;
            verification.max_error.insert(output.name.clone(), worst);
            verification.tolerance.insert(output.name.clone(), allowed);
        }
        verification
    }

    fn table(&self, poses: &[Pose]) -> Table {
        let reference = self.rod.path.reference.orientation.conjugate();
        let columns = self.system.outputs.iter().map(|output| {
            let value = |(pose, (_, near)): (&Pose, &(Pose, Vector3<f64>))| match output.coordinate.checked_sub(3) {
                None => pose.position[output.coordinate],
                Some(axis) => rotation_near(pose.orientation * reference, *near)[axis],
            };
            (output.name.clone(), poses.iter().zip(self.path).map(value).collect())
        });
        Table { t: self.system.grid.times(), columns: columns.collect() }
    }
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
