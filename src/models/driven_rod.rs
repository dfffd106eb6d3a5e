//! A rod in space of which one end follows a path and the other is driven.
//!
//! The path prescribes the whole pose of one end, and all forces there are known: loads, and inertia and weight of bodies
//! rigidly joined to it. Force and moment at the other end are to be found.

use nalgebra::{Matrix3, Vector3};

use super::rod::{BadFunction, Side};
use super::structure::{Frame, RodPart, Structure};
use crate::geometry::{Pose, PoseJet, QuaternionJet};
use crate::kernel::{EvalError, Function, Jet};

/// Names of the coordinates of a frame in space: its position, and the rotation vector by which it is turned from its
/// reference orientation.
pub const POSE_COORDINATES: [&str; 6] = ["x", "y", "z", "turn_x", "turn_y", "turn_z"];

/// Force and torque about a point, in space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Couple {
    /// N.
    pub force: Vector3<f64>,
    /// N m.
    pub torque: Vector3<f64>,
}

impl Couple {
    /// Adds a force at `arm` from the point, and a torque.
    pub fn add(&mut self, force: Vector3<f64>, arm: Vector3<f64>, torque: Vector3<f64>) {
        self.force += force;
        self.torque += torque + arm.cross(&force);
    }
}

/// The prescribed motion of a frame.
#[derive(Debug, Clone)]
pub struct PosePath {
    /// Position, metre.
    pub position: [Function; 3],
    /// Rotation vectors in space, radian: the frame is turned from its reference orientation by the last of them first.
    pub turns: Vec<[Function; 3]>,
    /// The frame in the reference configuration.
    pub reference: Pose,
}

impl PosePath {
    /// The frame at time t.
    pub fn at(&self, t: f64) -> Result<PoseJet, BadFunction> {
        let bad = |coordinate: usize| move |error: EvalError| BadFunction { coordinate, is_load: false, error };
        let three = |functions: &[Function; 3], first: usize| -> Result<[Vector3<f64>; 3], BadFunction> {
            let mut out = [Vector3::zeros(); 3];
            for (c, function) in functions.iter().enumerate() {
                let Jet { value, first: rate, second } = function.jet(t).map_err(bad(first + c))?;
                (out[0][c], out[1][c], out[2][c]) = (value, rate, second);
            }
            Ok(out)
        };
        let [position, velocity, acceleration] = three(&self.position, 0)?;
        let mut turn = QuaternionJet::IDENTITY;
        for rotation in &self.turns {
            turn = turn * QuaternionJet::from_rotation_vector(three(rotation, 3)?);
        }
        let orientation = (turn.value * self.reference.orientation).normalised();
        Ok(PoseJet {
            pose: Pose { position, orientation },
            velocity,
            spin: turn.spin(),
            acceleration,
            spin_rate: turn.spin_rate(),
        })
    }
}

/// A body rigidly joined to an end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Place in [`Structure::bodies`].
    pub body: usize,
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre from the end of the rod, in its section frame, metre.
    pub arm: Vector3<f64>,
    /// Inertia about the mass centre in the section frame, kg m².
    pub inertia: Matrix3<f64>,
}

/// A load on an end or on a body joined to it.
#[derive(Debug, Clone)]
struct EndLoad {
    /// Place in [`Structure::loads`].
    load: usize,
    /// Point of attack from the end of the rod, in its section frame, metre.
    arm: Vector3<f64>,
    /// Frame of the load relative to the section frame.
    frame: crate::geometry::Quaternion,
}

/// One end with what is attached to it.
#[derive(Debug, Clone, Default)]
struct Attached {
    bodies: Vec<Carried>,
    loads: Vec<EndLoad>,
}

/// The rod with its path and everything at its ends.
#[derive(Debug, Clone)]
pub struct DrivenRod {
    /// One rod, bodies rigidly joined to its ends, loads on these.
    pub structure: Structure,
    /// The end that follows the path; the other one is driven.
    pub side: Side,
    /// The path.
    pub path: PosePath,
    /// The frames that actuators act on, all joined to the other end, one per component of force and torque.
    pub drives: Vec<Frame>,
    /// The point of the path from that end, in its section frame, metre, and the path's frame relative to the section.
    lever: Pose,
    attached: [Attached; 2],
}

impl DrivenRod {
    /// From a structure of one rod; `bodies` and `loads` tell the end each of them belongs to, `frame` whose motion the path
    /// is.
    pub fn new(
        structure: Structure,
        side: Side,
        path: PosePath,
        frame: Frame,
        bodies: &[Side],
        loads: &[Side],
        drives: Vec<Frame>,
    ) -> Self {
        let mut attached = [Attached::default(), Attached::default()];
        let elements = structure.rods[0].elements;
        let end = |side: Side| structure.reference_pose(Frame::Section { rod: 0, boundary: side.node(elements) });
        let relative = |side: Side, pose: &Pose| {
            let end = end(side);
            let orientation = end.orientation.conjugate() * pose.orientation;
            Pose { position: end.offset_of(pose.position), orientation }
        };
        for (index, (body, &side)) in structure.bodies.iter().zip(bodies).enumerate() {
            let pose = relative(side, &body.pose);
            let turn = pose.orientation.matrix();
            let inertia = turn * body.inertia * turn.transpose();
            let carried = Carried { body: index, mass: body.mass, arm: pose.position, inertia };
            attached[side.index()].bodies.push(carried);
        }
        for (index, (load, &side)) in structure.loads.iter().zip(loads).enumerate() {
            let pose = relative(side, &structure.reference_pose(load.at));
            let load = EndLoad { load: index, arm: pose.position, frame: pose.orientation };
            attached[side.index()].loads.push(load);
        }
        let lever = relative(side, &structure.reference_pose(frame));
        Self { structure, side, path, drives, lever, attached }
    }

    /// The rod.
    pub fn rod(&self) -> &RodPart {
        &self.structure.rods[0]
    }

    /// Where a frame is relative to the section frame of the end it is joined to, in the reference configuration and always.
    pub fn relative(&self, side: Side, frame: Frame) -> Pose {
        let boundary = side.node(self.rod().elements);
        let end = self.structure.reference_pose(Frame::Section { rod: 0, boundary });
        let pose = self.structure.reference_pose(frame);
        Pose { position: end.offset_of(pose.position), orientation: end.orientation.conjugate() * pose.orientation }
    }

    /// The path's frame relative to the section frame of the end that follows it.
    pub fn path_frame(&self) -> Pose {
        self.lever
    }

    /// The end that follows the path, at time t.
    pub fn servo(&self, t: f64) -> Result<PoseJet, BadFunction> {
        let frame = self.path.at(t)?;
        let orientation = (frame.pose.orientation * self.lever.orientation.conjugate()).normalised();
        let arm = -orientation.rotate(self.lever.position);
        Ok(PoseJet {
            pose: Pose { position: frame.pose.position + arm, orientation },
            velocity: frame.velocity_at(arm),
            acceleration: frame.acceleration_at(arm),
            ..frame
        })
    }

    /// Bodies joined to an end.
    pub fn bodies(&self, side: Side) -> &[Carried] {
        &self.attached[side.index()].bodies
    }

    /// Loads and weights on an end and the bodies there, about the end.
    pub fn known(&self, side: Side, t: f64, end: &Pose) -> Result<Couple, BadFunction> {
        let mut out = self.loads(side, t, end)?;
        for body in self.bodies(side) {
            out.add(self.structure.gravity * body.mass, end.orientation.rotate(body.arm), Vector3::zeros());
        }
        Ok(out)
    }

    /// Loads alone.
    pub fn loads(&self, side: Side, t: f64, end: &Pose) -> Result<Couple, BadFunction> {
        let mut out = Couple::default();
        for attached in &self.attached[side.index()].loads {
            let load = &self.structure.loads[attached.load];
            let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
            for c in 0..3 {
                let bad = |offset: usize| move |error| BadFunction { coordinate: offset + c, is_load: true, error };
                force[c] = load.force[c].value(t).map_err(bad(0))?;
                torque[c] = load.torque[c].value(t).map_err(bad(3))?;
            }
            if load.follows {
                let turn = end.orientation * attached.frame;
                (force, torque) = (turn.rotate(force), turn.rotate(torque));
            }
            out.add(force, end.orientation.rotate(attached.arm), torque);
        }
        Ok(out)
    }

    /// What the bodies on an end need to move with it: m a and J ω̇ + ω × Jω, about the end.
    pub fn inertia(&self, side: Side, end: &PoseJet) -> Couple {
        let mut out = Couple::default();
        for body in self.bodies(side) {
            let p = end.pose.orientation;
            let arm = p.rotate(body.arm);
            let times = |v: Vector3<f64>| p.rotate(body.inertia * p.to_material(v));
            let torque = times(end.spin_rate) + end.spin.cross(&times(end.spin));
            out.add(end.acceleration_at(arm) * body.mass, arm, torque);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point mass on a circle of radius 2 at 3 rad/s needs m ω² r towards the centre; a disc spun up about a skew axis
    /// needs J ω̇, and a steady spin off its principal axes the gyroscopic couple ω × Jω.
    #[test]
    fn forces_of_carried_bodies() {
        let jet = |spin: Vector3<f64>, spin_rate: Vector3<f64>| PoseJet {
            pose: Pose::IDENTITY,
            velocity: Vector3::zeros(),
            spin,
            acceleration: Vector3::zeros(),
            spin_rate,
        };
        let point = jet(Vector3::new(0.0, 0.0, 3.0), Vector3::zeros()).acceleration_at(Vector3::new(2.0, 0.0, 0.0));
        assert_eq!(point, Vector3::new(-18.0, 0.0, 0.0));
        let mut couple = Couple::default();
        couple.add(Vector3::new(0.0, 5.0, 0.0), Vector3::new(2.0, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0));
        assert_eq!(couple.torque, Vector3::new(1.0, 0.0, 10.0));
    }
}
