//! A mechanism in plane or space, as checked data.
//!
//! Everything is stated in the reference configuration and in space: a plane mechanism lies in the plane z = 0, and the
//! director d₂ of its rods is the z axis. Discretisations are built from this; nothing here knows one.

use nalgebra::Vector3;

use super::spring::Spring;
use super::{BodyPart, Drive, Fluid, Frame, JointPart, LineLoad, LoadPart, RodPart, SupportPart, WinchPart};
use crate::geometry::Pose;

/// A mechanism: what every task is asked of.
#[derive(Debug, Clone)]
pub struct Mechanism {
    /// 2 for the plane, 3 for space.
    pub dimension: usize,
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<f64>,
    /// Rods.
    pub rods: Vec<RodPart>,
    /// Rigid bodies.
    pub bodies: Vec<BodyPart>,
    /// Joints.
    pub joints: Vec<JointPart>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
    /// Supports.
    pub supports: Vec<SupportPart>,
    /// Loads on frames.
    pub loads: Vec<LoadPart>,
    /// Loads along rods.
    pub line_loads: Vec<LineLoad>,
    /// The fluid around it all.
    pub fluid: Fluid,
    /// Actuators.
    pub drives: Vec<Drive>,
    /// Ropes of changing length.
    pub winches: Vec<WinchPart>,
    /// The steady rotation of the frame in which all this is stated; in simulations of the mechanism as it begins to move.
    pub spin: Option<Spin>,
}

/// A steady rotation about a fixed axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Spin {
    /// Direction of the axis, of unit length.
    pub axis: Vector3<f64>,
    /// A point of the axis, metre.
    pub about: Vector3<f64>,
    /// Rates about the axis, rad/s: one, or for modes over the rate several.
    pub rates: Vec<f64>,
}

impl Mechanism {
    /// Nothing yet, in the plane (2) or in space (3).
    pub fn empty(dimension: usize) -> Self {
        Self {
            dimension,
            gravity: Vector3::zeros(),
            rods: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            supports: Vec::new(),
            loads: Vec::new(),
            line_loads: Vec::new(),
            fluid: Fluid::default(),
            drives: Vec::new(),
            winches: Vec::new(),
            spin: None,
        }
    }

    /// Names of all components of all actuators, `motor.torque`.
    pub fn control_names(&self) -> Vec<String> {
        let components = |drive: &Drive| {
            let name = |(component, _): &(String, _)| format!("{}.{component}", drive.name);
            drive.components.iter().map(name).collect::<Vec<_>>()
        };
        self.drives.iter().flat_map(components).collect()
    }

    /// Whether rods that deform are bent at rest: by loads, their weight or strains of their own.
    pub fn is_bent_at_rest(&self) -> bool {
        let loaded = self.gravity != Vector3::zeros() || !self.loads.is_empty() || !self.line_loads.is_empty();
        self.rods.iter().filter(|rod| !rod.kind.is_rigid()).any(|rod| loaded || rod.prestrain.is_some())
    }

    /// The place of the joint of this name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The name of a frame in problem files.
    pub fn frame_name(&self, frame: Frame) -> String {
        match frame {
            Frame::Ground => "ground".to_owned(),
            Frame::Body(body) => self.bodies[body].name.clone(),
            Frame::Section { rod, boundary } => {
                let part @ RodPart { name, elements, .. } = &self.rods[rod];
                match boundary {
                    0 => format!("{name}.start"),
                    _ if boundary == *elements => format!("{name}.end"),
                    _ if part.mesh.boundaries.is_empty() => format!("{name}@{}", boundary as f64 / *elements as f64),
                    _ => format!("{name}@{}", part.boundary(boundary) / part.length),
                }
            }
        }
    }

    /// Angle of a frame of a plane mechanism in the reference configuration: of the first axis of a body, of the tangent of a
    /// rod, along which it runs on past half a turn; radian.
    pub fn reference_angle(&self, frame: Frame) -> f64 {
        match frame {
            Frame::Ground => 0.0,
            Frame::Body(body) => {
                let along = self.bodies[body].pose.orientation.rotate(Vector3::x());
                along[1].atan2(along[0])
            }
            Frame::Section { rod, boundary } => self.rods[rod].angle(boundary),
        }
    }

    /// A frame in the reference configuration.
    pub fn reference_pose(&self, frame: Frame) -> Pose {
        match frame {
            Frame::Ground => Pose::IDENTITY,
            Frame::Body(body) => self.bodies[body].pose,
            Frame::Section { rod, boundary } => {
                let part = &self.rods[rod];
                (part.reference)(part.boundary(boundary))
            }
        }
    }
}
