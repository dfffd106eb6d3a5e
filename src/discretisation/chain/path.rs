//! The prescribed motion of a frame, and forces on it.

use nalgebra::Vector3;

use crate::geometry::{Pose, PoseJet, QuaternionJet};
use crate::kernel::{EvalError, Function, Jet};
use crate::mechanism::BadFunction;

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
    /// What positions count from, metre.
    pub origin: Vector3<f64>,
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
            pose: Pose { position: self.origin + position, orientation },
            velocity,
            spin: turn.spin(),
            acceleration,
            spin_rate: turn.spin_rate(),
        })
    }
}
