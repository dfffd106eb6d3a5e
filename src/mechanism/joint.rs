//! Joints: what each kind lets free, and the conditions it states.
//!
//! A kind of joint is defined here and nowhere else: the assembly, mobility and the counts take its conditions from
//! [`JointKind::conditions`], springs, actuators and quantities its axes.

use nalgebra::Vector3;

use super::frame::Frame;

/// What a joint lets free; directions are of unit length, along the fixed axes of space in the reference configuration, and carried from
/// there by the frame that each kind names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Nothing.
    Rigid,
    /// All rotations.
    Spherical,
    /// The rotation about an axis; in the plane about its normal.
    Revolute(Vector3<f64>),
    /// Rotations about an axis of the first frame and one of the second, perpendicular to each other; space.
    Universal([Vector3<f64>; 2]),
    /// The translation along an axis of the first frame.
    Prismatic(Vector3<f64>),
    /// Translation along and rotation about an axis of the first frame; space.
    Cylindrical(Vector3<f64>),
    /// Translations across a normal of the first frame and the rotation about it; space.
    Planar(Vector3<f64>),
    /// Everything but the distance of two points.
    Distance,
}

/// A joint between two frames.
#[derive(Debug, Clone)]
pub struct JointPart {
    /// Name in the problem file.
    pub name: String,
    /// The frames.
    pub between: [Frame; 2],
    /// Its point on either frame in the reference configuration, metre; the same but for [`JointKind::Distance`].
    pub at: [Vector3<f64>; 2],
    /// What it lets free.
    pub kind: JointKind,
}

/// One equation of a joint between points y_a, y_b and directions of its frames a and b, in the reference configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointRow {
    /// y_b − y_a along an axis of space, 0 to 2.
    Coordinate(usize),
    /// A direction of the first frame is perpendicular to one of the second.
    Perpendicular(Vector3<f64>, Vector3<f64>),
    /// y_b − y_a along a direction of the first frame.
    Across(Vector3<f64>),
    /// |y_b − y_a| keeps its length.
    Length,
    /// The angle between two plane frames.
    Angle,
}

impl JointRow {
    /// Whether it is about the orientations of both frames.
    pub fn is_of_rotations(&self) -> bool {
        matches!(self, JointRow::Perpendicular(..) | JointRow::Angle)
    }
}

/// An equation with the word for what it holds.
pub type JointCondition = (&'static str, JointRow);

/// Two directions perpendicular to a unit axis and to each other.
fn across(axis: Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = axis.cross(&other).normalize();
    [first, axis.cross(&first)]
}

/// Positions along the axes of space.
fn positions(dimension: usize) -> impl Iterator<Item = JointCondition> {
    (0..dimension).map(|axis| (["x", "y", "z"][axis], JointRow::Coordinate(axis)))
}

/// Conditions that let no rotation free. In space e₁·e₂', e₂·e₃' and e₃·e₁' are the components of a small relative rotation.
pub fn fixed_rotation(dimension: usize, along: Vector3<f64>) -> Vec<JointCondition> {
    if dimension == 2 {
        return vec![("angle", JointRow::Angle)];
    }
    let [second, third] = across(along);
    let pairs = [(along, second), (second, third), (third, along)];
    pairs.map(|(u, v)| ("rotation", JointRow::Perpendicular(u, v))).to_vec()
}

impl JointKind {
    /// Its equations, 2 or 3 for `dimension`.
    pub fn conditions(self, dimension: usize) -> Vec<JointCondition> {
        let held = |u: Vector3<f64>| ("travel across", JointRow::Across(u));
        let axis_of = |u: Vector3<f64>, v: Vector3<f64>| ("axis", JointRow::Perpendicular(u, v));
        match self {
            JointKind::Rigid => positions(dimension).chain(fixed_rotation(dimension, Vector3::x())).collect(),
            JointKind::Spherical => positions(dimension).collect(),
            JointKind::Revolute(_) if dimension == 2 => positions(dimension).collect(),
            JointKind::Revolute(axis) => positions(3).chain(across(axis).map(|u| axis_of(axis, u))).collect(),
            JointKind::Universal([first, second]) => positions(3).chain([axis_of(first, second)]).collect(),
            JointKind::Prismatic(axis) if dimension == 2 => {
                fixed_rotation(2, axis).into_iter().chain([held(Vector3::z().cross(&axis))]).collect()
            }
            JointKind::Prismatic(axis) => fixed_rotation(3, axis).into_iter().chain(across(axis).map(held)).collect(),
            JointKind::Cylindrical(axis) => {
                across(axis).map(|u| axis_of(u, axis)).into_iter().chain(across(axis).map(held)).collect()
            }
            JointKind::Planar(normal) => {
                across(normal).map(|u| axis_of(u, normal)).into_iter().chain([held(normal)]).collect()
            }
            JointKind::Distance => vec![("length", JointRow::Length)],
        }
    }

    /// Whether its frames must have orientations.
    pub fn needs_orientation(self, dimension: usize) -> bool {
        let is_of_points = |row: JointRow| matches!(row, JointRow::Coordinate(_) | JointRow::Length);
        self.conditions(dimension).into_iter().any(|(_, row)| !is_of_points(row))
    }

    /// Whether it lets no rotation free.
    pub fn holds_rotation(self) -> bool {
        matches!(self, JointKind::Rigid | JointKind::Prismatic(_))
    }

    /// Whether it is a hinge.
    pub fn is_hinge(self) -> bool {
        matches!(self, JointKind::Revolute(_))
    }

    /// Whether it only keeps a distance.
    pub fn is_bar(self) -> bool {
        self == JointKind::Distance
    }

    /// Whether its directions lie to each other as they must.
    pub fn is_square(self) -> bool {
        /// Largest scalar product of unit axes that are perpendicular.
        const PERPENDICULAR: f64 = 1e-6;
        !matches!(self, JointKind::Universal([first, second]) if first.dot(&second).abs() > PERPENDICULAR)
    }

    /// Whether it lets several rotations free, so that torques on it have components in space and not one axis.
    pub fn is_ball(self) -> bool {
        matches!(self, JointKind::Spherical | JointKind::Universal(_))
    }

    /// The axis about which it turns, if there is one.
    pub fn turning_axis(self, dimension: usize) -> Option<Vector3<f64>> {
        match self {
            JointKind::Revolute(axis) | JointKind::Cylindrical(axis) | JointKind::Planar(axis) => Some(axis),
            JointKind::Spherical if dimension == 2 => Some(Vector3::z()),
            _ => None,
        }
    }

    /// The axis along which it slides, if there is one.
    pub fn sliding_axis(self) -> Option<Vector3<f64>> {
        match self {
            JointKind::Prismatic(axis) | JointKind::Cylindrical(axis) => Some(axis),
            _ => None,
        }
    }

    /// The axes of the angles that a universal joint lets free.
    pub fn universal_axes(self) -> Option<[Vector3<f64>; 2]> {
        match self {
            JointKind::Universal(axes) => Some(axes),
            _ => None,
        }
    }

    /// Number of angles or travels that a spring on it resists: of a spherical joint in space the rotation vector, of a
    /// universal one its two angles, of others the travel or the angle; 0 if there is none.
    pub fn measures(self, dimension: usize) -> usize {
        match self {
            JointKind::Spherical if dimension == 3 => 3,
            JointKind::Universal(_) => 2,
            _ => usize::from(self.turning_axis(dimension).is_some() || self.sliding_axis().is_some()),
        }
    }

    /// Its directions.
    pub fn directions(self) -> Vec<Vector3<f64>> {
        match self {
            JointKind::Rigid | JointKind::Spherical | JointKind::Distance => Vec::new(),
            JointKind::Universal(axes) => axes.to_vec(),
            JointKind::Revolute(axis)
            | JointKind::Prismatic(axis)
            | JointKind::Cylindrical(axis)
            | JointKind::Planar(axis) => vec![axis],
        }
    }

    /// The kind with other directions.
    pub fn turned(self, to: impl Fn(Vector3<f64>) -> Vector3<f64>) -> Self {
        match self {
            JointKind::Rigid | JointKind::Spherical | JointKind::Distance => self,
            JointKind::Revolute(axis) => JointKind::Revolute(to(axis)),
            JointKind::Universal(axes) => JointKind::Universal(axes.map(to)),
            JointKind::Prismatic(axis) => JointKind::Prismatic(to(axis)),
            JointKind::Cylindrical(axis) => JointKind::Cylindrical(to(axis)),
            JointKind::Planar(normal) => JointKind::Planar(to(normal)),
        }
    }

    /// Its name, and how it lies to its directions.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            JointKind::Rigid => ("rigid", ""),
            JointKind::Spherical => ("spherical", ""),
            JointKind::Revolute(_) => ("revolute", "about"),
            JointKind::Universal(_) => ("universal", "about"),
            JointKind::Prismatic(_) => ("prismatic", "along"),
            JointKind::Cylindrical(_) => ("cylindrical", "along"),
            JointKind::Planar(_) => ("planar", "with normal"),
            JointKind::Distance => ("distance", ""),
        }
    }

    /// Whether it exists in space only.
    pub fn is_spatial(self) -> bool {
        matches!(self, JointKind::Universal(_) | JointKind::Cylindrical(_) | JointKind::Planar(_))
    }

    /// One of each kind.
    pub fn samples() -> Vec<Self> {
        let axis = Vector3::new(1.0, 2.0, -2.0) / 3.0;
        let [second, _] = across(axis);
        vec![
            JointKind::Rigid,
            JointKind::Spherical,
            JointKind::Revolute(axis),
            JointKind::Universal([axis, second]),
            JointKind::Prismatic(axis),
            JointKind::Cylindrical(axis),
            JointKind::Planar(axis),
            JointKind::Distance,
        ]
    }
}

impl JointPart {
    /// One that holds a point and lets all rotations free.
    pub fn pinned(name: &str, between: [Frame; 2], at: Vector3<f64>) -> Self {
        Self::at_point(name, between, at, JointKind::Spherical)
    }

    /// A joint whose point is the same on both frames.
    pub fn at_point(name: impl Into<String>, between: [Frame; 2], at: Vector3<f64>, kind: JointKind) -> Self {
        Self { name: name.into(), between, at: [at, at], kind }
    }

    /// Two points that keep their distance.
    pub fn bar(name: impl Into<String>, between: [Frame; 2], at: [Vector3<f64>; 2]) -> Self {
        Self { name: name.into(), between, at, kind: JointKind::Distance }
    }

    /// Frames that move as one.
    pub fn rigid(name: impl Into<String>, between: [Frame; 2], at: Vector3<f64>) -> Self {
        Self::at_point(name, between, at, JointKind::Rigid)
    }

    /// Frames and its point on each of them.
    pub fn sides(&self) -> [(Frame, Vector3<f64>); 2] {
        [0, 1].map(|side| (self.between[side], self.at[side]))
    }

    /// Whether it lets anything free.
    pub fn is_moving(&self) -> bool {
        self.kind != JointKind::Rigid
    }

    /// Distance of its points, metre.
    pub fn length(&self) -> f64 {
        (self.at[1] - self.at[0]).norm()
    }
}
