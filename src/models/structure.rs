//! A mechanism of rods, rigid bodies, joints, supports and loads in plane or space, as checked data.
//!
//! Everything is stated in the reference configuration and in space: a plane mechanism lies in the plane z = 0, and the
//! director d₂ of its rods is the z axis. Discretisations are built from this; nothing here knows one.

mod joints;

use std::f64::consts::TAU;
use std::fmt;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3, Vector6};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::coupling::Coupling;
pub use super::frame::Frame;
use super::spring::Spring;
use crate::geometry::Pose;
use crate::kernel::{Function, Profile};
use crate::material::{RodLaw, Section};

use super::{BadFunction, Mesh};

/// A function of the arc length s ∈ [0, L].
pub type Along<T> = Arc<dyn Fn(f64) -> T + Send + Sync>;

/// A mechanism ready for statics, simulation and modes.
#[derive(Debug, Clone)]
pub struct Structure {
    /// 2 for the plane, 3 for space.
    pub dimension: usize,
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<f64>,
    /// Rods.
    pub rods: Vec<RodPart>,
    /// Rigid bodies.
    pub bodies: Vec<BodyPart>,
    /// Rigid, spherical and revolute joints.
    pub joints: Vec<JointPart>,
    /// Joints that slide, universal joints and those that keep a distance.
    pub couplings: Vec<Coupling>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
    /// Supports.
    pub supports: Vec<SupportPart>,
    /// Loads on frames.
    pub loads: Vec<LoadPart>,
    /// Loads along rods.
    pub line_loads: Vec<LineLoad>,
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

/// Which strains a rod resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RodKind {
    /// Stretch only; its points do not turn.
    String,
    /// Stretch, shear, bending (and twist in space).
    Cosserat,
    /// Stretch and bending; sections stay perpendicular to the axis (no shear). Plane, elements of order 1.
    Kirchhoff,
    /// Everything: it keeps its reference shape and moves as one rigid body.
    Rigid,
}

impl RodKind {
    /// Whether its sections have an orientation.
    pub fn turns(self) -> bool {
        self != RodKind::String
    }
}

/// Where the energy of an element is evaluated: table 1 of Leitz and Leyendecker (2014).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quadrature {
    /// Midpoint in space and time (MP).
    #[default]
    Midpoint,
    /// Trapezoidal in space and time (GT); locks in shear.
    Trapezoidal,
    /// Trapezoidal in time, midpoint in space (MPS).
    MidpointInSpace,
    /// Midpoint in time, trapezoidal in space (MPT); locks in shear.
    MidpointInTime,
}

/// A rod.
#[derive(Clone)]
pub struct RodPart {
    /// Name in the problem file.
    pub name: String,
    /// What it resists.
    pub kind: RodKind,
    /// Reference length L, metre.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Where they meet.
    pub mesh: Mesh,
    /// Polynomial order of an element: 1 (two nodes) or more.
    pub order: usize,
    /// Quadrature of two-node elements.
    pub quadrature: Quadrature,
    /// Reference axis and section directors; d₃ is its tangent. The rod is unstressed there, up to `prestrain`.
    pub reference: Along<Pose>,
    /// Cross-section along the rod.
    pub section: Along<Section>,
    /// Law of the stresses.
    pub law: RodLaw,
    /// Unstressed strains (Γ⁰, K⁰) besides those of the reference shape.
    pub prestrain: Option<Along<Vector6<f64>>>,
    /// Initial velocity of the axis, m/s, and angular velocity in the section frame, rad/s.
    pub velocity: Option<Along<Vector6<f64>>>,
}

impl fmt::Debug for RodPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, length, elements, order, quadrature, law, .. } = self;
        let mut shown = f.debug_struct("RodPart");
        shown.field("name", name).field("kind", kind).field("length", length).field("elements", elements);
        shown.field("order", order).field("quadrature", quadrature).field("law", law).finish_non_exhaustive()
    }
}

impl RodPart {
    /// Arc length where elements meet, metre.
    pub fn boundary(&self, boundary: usize) -> f64 {
        match self.mesh.boundaries.get(boundary) {
            Some(s) => *s,
            None => self.length * boundary as f64 / self.elements as f64,
        }
    }

    /// Beginning and length of an element, metre.
    pub fn span(&self, element: usize) -> (f64, f64) {
        if self.mesh.boundaries.is_empty() {
            let length = self.length / self.elements as f64;
            return (element as f64 * length, length);
        }
        let start = self.boundary(element);
        (start, self.boundary(element + 1) - start)
    }

    /// Angle of the tangent of a plane rod at a boundary of elements. It runs on along the rod, past half a turn; radian.
    pub fn angle(&self, boundary: usize) -> f64 {
        /// Steps of an element in which it turns by less than half a turn.
        const STEPS: usize = 32;
        let direction = |s: f64| {
            let along = (self.reference)(s).orientation.rotate(Vector3::z());
            along[1].atan2(along[0])
        };
        let mut angle = direction(0.0);
        for step in 1..=STEPS * boundary {
            let (start, length) = self.span((step - 1) / STEPS);
            let next = direction(start + length * ((step - 1) % STEPS + 1) as f64 / STEPS as f64);
            angle = next + TAU * ((angle - next) / TAU).round();
        }
        angle
    }
}

/// A rigid body.
#[derive(Debug, Clone)]
pub struct BodyPart {
    /// Name in the problem file.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Rotary inertia about the mass centre in the body frame, kg m²; zero for a point mass, whose orientation has no
    /// meaning unless it is rigidly joined to something that turns.
    pub inertia: Matrix3<f64>,
    /// Mass centre and body frame in the reference configuration.
    pub pose: Pose,
    /// Initial velocity of the mass centre, m/s.
    pub velocity: Vector3<f64>,
    /// Initial angular velocity in the body frame, rad/s.
    pub spin: Vector3<f64>,
}

/// What a joint lets free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Nothing.
    Rigid,
    /// All rotations.
    Spherical,
    /// The rotation about an axis, given in the reference configuration (unit vector).
    Revolute(Vector3<f64>),
}

/// A joint between two frames.
#[derive(Debug, Clone)]
pub struct JointPart {
    /// Name in the problem file.
    pub name: String,
    /// The frames.
    pub between: [Frame; 2],
    /// The point of the joint in the reference configuration, metre.
    pub at: Vector3<f64>,
    /// What it lets free.
    pub kind: JointKind,
}

/// Coordinates of a frame that are held or moved.
#[derive(Debug, Clone)]
pub struct SupportPart {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub at: Frame,
    /// Positions along x, y, z: `None` is free, otherwise the displacement from the reference position, metre.
    pub displacement: [Option<Function>; 3],
    /// `None` leaves all rotations free; otherwise the rotation vector in space by which the frame is turned from its
    /// reference orientation, radian.
    pub rotation: Option<[Function; 3]>,
}

/// Force and torque on a frame.
#[derive(Debug, Clone)]
pub struct LoadPart {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub at: Frame,
    /// Force, N.
    pub force: [Function; 3],
    /// Torque, N m.
    pub torque: [Function; 3],
    /// Whether the components are those in the frame itself (follower load), not those in space (dead load): along the
    /// directors d₁, d₂, d₃ of a section, in the plane as well, or the axes of a body.
    pub follows: bool,
}

/// Force and torque per reference length of a rod.
#[derive(Debug, Clone)]
pub struct LineLoad {
    /// Name in the problem file.
    pub name: String,
    /// Place in [`Structure::rods`].
    pub rod: usize,
    /// Force, N/m.
    pub force: [Profile; 3],
    /// Torque, N m/m.
    pub torque: [Profile; 3],
    /// Whether the components are those in the section frame, not those in space.
    pub follows: bool,
}

impl LineLoad {
    /// Force and torque per length at s and t, as they are given.
    pub fn at(&self, s: f64, t: f64) -> Result<(Vector3<f64>, Vector3<f64>), BadFunction> {
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for c in 0..3 {
            let bad = |offset: usize| move |error| BadFunction { coordinate: offset + c, is_load: true, error };
            force[c] = self.force[c].value(s, t).map_err(bad(0))?;
            torque[c] = self.torque[c].value(s, t).map_err(bad(3))?;
        }
        Ok((force, torque))
    }
}

impl Structure {
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
