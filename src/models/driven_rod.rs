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
    use std::sync::Arc;

    use super::super::structure::{BodyPart, LoadPart, Quadrature, RodKind};
    use super::*;
    use crate::geometry::Quaternion;
    use crate::kernel::{Expression, Scope};
    use crate::material::{RodLaw, Section};

    fn function(text: &str) -> Function {
        Function::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap()
    }

    /// A rod of length 1 along x whose end carries a body 0.5 beyond it; the body turns about z at the origin of its path.
    fn driven(follows: bool) -> DrivenRod {
        let zero = || std::array::from_fn(|_| Function::constant(0.0));
        let orientation = Quaternion::from_rotation_vector(Vector3::y() * std::f64::consts::FRAC_PI_2);
        let rod = RodPart {
            name: "rod".into(),
            kind: RodKind::Cosserat,
            length: 1.0,
            elements: 4,
            mesh: Default::default(),
            order: 1,
            quadrature: Quadrature::Midpoint,
            reference: Arc::new(move |s| Pose { position: Vector3::new(s, 0.0, 0.0), orientation }),
            section: Arc::new(|_| Section::principal(1.0, [1.0; 2], [1.0; 2], 1.0, 1.0, [1.0; 3])),
            law: RodLaw::default(),
            prestrain: None,
            velocity: None,
        };
        let pose = Pose { position: Vector3::new(1.5, 0.0, 0.0), orientation: Quaternion::IDENTITY };
        let body = BodyPart {
            name: "body".into(),
            mass: 2.0,
            inertia: Matrix3::new(0.3, 0.0, 0.1, 0.0, 0.4, 0.0, 0.1, 0.0, 0.5),
            pose,
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        };
        let force = [function("0"), function("3"), function("0")];
        let load = LoadPart { name: "load".into(), at: Frame::Body(0), force, torque: zero(), follows };
        let structure = Structure {
            dimension: 3,
            gravity: Vector3::new(0.0, 0.0, -10.0),
            rods: vec![rod],
            bodies: vec![body],
            joints: Vec::new(),
            supports: Vec::new(),
            loads: vec![load],
            line_loads: Vec::new(),
            couplings: Vec::new(),
            springs: Vec::new(),
            spin: None,
        };
        let turns = vec![[function("0"), function("0"), function("pi/2 + 3*(t - 1)")]];
        let path = PosePath { position: zero(), turns, reference: pose };
        DrivenRod::new(structure, Side::End, path, Frame::Body(0), &[Side::End], &[Side::End], Vec::new())
    }

    /// At t = 1 the body has turned by π/2 at 3 rad/s about its resting mass centre: the rod's end, 0.5 behind it, circles at
    /// 1.5 m/s with 4.5 m/s² towards the centre. The body itself needs no force, but the gyroscopic couple ω × Jω about the
    /// turned axes. Its weight has a lever about the end, and a load that follows has turned with it.
    #[test]
    fn the_end_moves_with_the_body_whose_path_is_given() {
        let rod = driven(false);
        let end = rod.servo(1.0).unwrap();
        let near = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-12, "{a} {b}");
        near(end.pose.position, Vector3::new(0.0, -0.5, 0.0));
        near(end.velocity, Vector3::new(1.5, 0.0, 0.0));
        near(end.acceleration, Vector3::new(0.0, 4.5, 0.0));
        near(end.pose.orientation.rotate(Vector3::z()), Vector3::y());
        let needed = rod.inertia(Side::End, &end);
        near(needed.force, Vector3::zeros());
        // Jω = 3 (0.1, 0, 0.5) in the body, (0, 0.3, 1.5) in space; ω × Jω = (−0.9, 0, 0).
        near(needed.torque, Vector3::new(-0.9, 0.0, 0.0));
        let known = rod.known(Side::End, 1.0, &end.pose).unwrap();
        near(known.force, Vector3::new(0.0, 3.0, -20.0));
        // The arm is (0, 0.5, 0): only the weight has a lever.
        near(known.torque, Vector3::new(-10.0, 0.0, 0.0));
        let follows = driven(true).loads(Side::End, 1.0, &end.pose).unwrap();
        near(follows.force, Vector3::new(-3.0, 0.0, 0.0));
        near(follows.torque, Vector3::new(0.0, 0.0, 1.5));
    }
}
