//! The controls found drive the system forward in time, on the mesh of the solution and on a finer one.

use crate::discretisation::transcription::{ControlProblem, Forward, ForwardError, SteppedMotion, Trajectory};

/// How far a motion is from the one that was found, in the units of the coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// Largest difference of a coordinate at a node.
    pub along: f64,
    /// Largest difference of a coordinate at the end.
    pub end_position: f64,
    /// Largest difference of a velocity at the end.
    pub end_velocity: f64,
}

/// What the controls found produce.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// Steps per interval of the finer motion.
    pub refine: usize,
    /// The motion with the steps of the solution: what is left of the equations, as far as the motion amplifies it.
    pub same: Result<Deviation, ForwardError>,
    /// The motion with finer steps: the error of the discretisation, as far as the motion amplifies it.
    pub finer: Result<Deviation, ForwardError>,
}

/// Lets the controls of a trajectory drive the system from its start.
pub fn verify(problem: &ControlProblem, trajectory: &Trajectory, refine: usize) -> Verification {
    let mut forward = Forward::new(problem);
    let mut deviation = |refine: usize| {
        let start = (&trajectory.q[0][..], &trajectory.start_velocity[..]);
        let motion = forward.march(trajectory.duration, start, &trajectory.u, refine)?;
        Ok(compare(trajectory, &motion, refine))
    };
    Verification { refine, same: deviation(1), finer: deviation(refine) }
}

fn compare(trajectory: &Trajectory, motion: &SteppedMotion, refine: usize) -> Deviation {
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let nodes = trajectory.q.iter().zip(motion.q.iter().step_by(refine.max(1)));
    let along = nodes.map(|(found, driven)| apart(found, driven)).fold(0.0, f64::max);
    let ends = [&trajectory.q, &motion.q].map(|q| q.last().map_or(&[][..], Vec::as_slice));
    Deviation {
        along,
        end_position: apart(ends[0], ends[1]),
        end_velocity: apart(&trajectory.end_velocity, &motion.end_velocity),
    }
}
