//! Joints as equations g = 0 of two links, with their first derivatives by the twists of the links.

use std::fmt;

use nalgebra::Vector3;

use super::closure::Posture;
use super::{JointType, Link, Linkage, LinkageError};
use crate::geometry::Pose;

/// Largest scalar product of the unit axes of a universal joint.
const PERPENDICULAR: f64 = 1e-6;

/// One equation of a joint.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    /// Place of the joint.
    pub joint: usize,
    /// What it holds.
    pub what: &'static str,
    pub row: Row,
}

/// The kinds of equations. With the places r_a, r_b of the joint on both links, and directions that turn with them:
#[derive(Debug, Clone, Copy)]
pub(super) enum Row {
    /// (r_b − r_a) along an axis of space.
    Coordinate(usize),
    /// u·v of a direction u of the first link and v of the second.
    Perpendicular(Vector3<f64>, Vector3<f64>),
    /// Component of 2 Im(p̄_a p_b): the links stay parallel.
    Parallel(usize),
    /// (r_b − r_a)·u with a direction u of the first link.
    Across(Vector3<f64>),
    /// ½ (|r_b − r_a|² − l²)/l with the length l of the reference configuration.
    Distance,
}

/// The name of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionName {
    /// Joint, bar or support.
    pub joint: String,
    /// Whether that is a support.
    pub support: bool,
    /// What it holds: `x`, `y`, `z`, `axis`, `rotation`, `angle`, `way across`, `length`.
    pub what: &'static str,
}

impl fmt::Display for ConditionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.support { "support" } else { "joint" };
        write!(f, "{} of {table} {}", self.what, self.joint)
    }
}

/// Conditions that let no rotation free.
pub(super) fn fixed_rotation(dimension: usize) -> Vec<(&'static str, Row)> {
    match dimension {
        2 => vec![("angle", Row::Parallel(2))],
        _ => (0..3).map(|axis| ("rotation", Row::Parallel(axis))).collect(),
    }
}

/// Two directions perpendicular to a unit axis and to each other.
fn across(axis: Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = axis.cross(&other).normalize();
    [first, axis.cross(&first)]
}

impl Linkage {
    /// The equations of a joint.
    pub(super) fn rows(
        &self,
        name: &str,
        between: [Link; 2],
        kind: JointType,
    ) -> Result<Vec<(&'static str, Row)>, LinkageError> {
        let dimension = self.dimension;
        let unit = |axis: Vector3<f64>| match axis.norm() > 0.0 {
            true => Ok(axis.normalize()),
            false => Err(LinkageError::NoDirection(name.to_owned())),
        };
        let positions = || (0..dimension).map(|axis| (["x", "y", "z"][axis], Row::Coordinate(axis)));
        let held = |axis: Vector3<f64>| across(axis).map(|u| ("axis", Row::Perpendicular(u, axis)));
        let ways = |axis: Vector3<f64>| across(axis).map(|u| ("way across", Row::Across(u)));
        let possible = match kind {
            JointType::Rigid | JointType::Spherical | JointType::Prismatic(_) => true,
            JointType::Hinge => dimension == 2,
            _ => dimension == 3,
        };
        if !possible {
            return Err(LinkageError::Dimension { joint: name.to_owned(), dimension });
        }
        if !matches!(kind, JointType::Spherical | JointType::Hinge) {
            between.iter().try_for_each(|link| self.turns(name, *link))?;
        }
        Ok(match kind {
            JointType::Rigid => positions().chain(fixed_rotation(dimension)).collect(),
            JointType::Spherical | JointType::Hinge => positions().collect(),
            JointType::Revolute(axis) => positions().chain(held(unit(axis)?)).collect(),
            JointType::Prismatic(axis) if dimension == 2 => {
                let across = Vector3::z().cross(&unit(axis)?);
                vec![("angle", Row::Parallel(2)), ("way across", Row::Across(across))]
            }
            JointType::Prismatic(axis) => fixed_rotation(3).into_iter().chain(ways(unit(axis)?)).collect(),
            JointType::Cylindrical(axis) => {
                let axis = unit(axis)?;
                held(axis).into_iter().chain(ways(axis)).collect()
            }
            JointType::Planar(normal) => {
                let normal = unit(normal)?;
                held(normal).into_iter().chain([("way across", Row::Across(normal))]).collect()
            }
            JointType::Universal([first, second]) => {
                let (first, second) = (unit(first)?, unit(second)?);
                if first.dot(&second).abs() > PERPENDICULAR {
                    return Err(LinkageError::NotPerpendicular(name.to_owned()));
                }
                positions().chain([("axis", Row::Perpendicular(first, second))]).collect()
            }
        })
    }
}

/// A link at a joint: its pose and the arm from its origin to the place of the joint, in axes of the link.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub link: Option<usize>,
    pub arm: Vector3<f64>,
}

impl Side {
    fn pose(&self, posture: &Posture) -> Pose {
        self.link.map_or(Pose::IDENTITY, |link| posture.poses[link])
    }
}

/// Value of a condition and its derivatives by velocity and angular velocity of either link, in axes of space.
pub(super) struct Evaluated {
    pub value: f64,
    /// By (v, ω) of the first and of the second link.
    pub by: [(Vector3<f64>, Vector3<f64>); 2],
}

impl Row {
    /// Evaluates. With δr = v + ω × Rc of a place Rc from the origin of a link, and δu = ω × u of a direction.
    pub fn evaluate(&self, sides: &[Side; 2], length: f64, posture: &Posture) -> Evaluated {
        let [a, b] = sides.map(|side| side.pose(posture));
        let arms = [a.orientation.rotate(sides[0].arm), b.orientation.rotate(sides[1].arm)];
        let between = (b.position + arms[1]) - (a.position + arms[0]);
        // A row (r_b − r_a)·n with n fixed in space.
        let along = |n: Vector3<f64>| [(-n, -arms[0].cross(&n)), (n, arms[1].cross(&n))];
        match *self {
            Row::Coordinate(axis) => Evaluated { value: between[axis], by: along(Vector3::ith(axis, 1.0)) },
            Row::Perpendicular(u, v) => {
                let (u, v) = (a.orientation.rotate(u), b.orientation.rotate(v));
                let turn = u.cross(&v);
                Evaluated { value: u.dot(&v), by: [(Vector3::zeros(), turn), (Vector3::zeros(), -turn)] }
            }
            Row::Parallel(axis) => {
                // δ(p̄_a p_b) = ½ w (p̄_a p_b) with w = R_aᵀ(ω_b − ω_a), hence δ(2 Im) = w q₀ + w × q.
                let relative = a.orientation.conjugate() * b.orientation;
                let e = Vector3::ith(axis, 1.0);
                let by = a.orientation.rotate(e * relative.re + relative.im.cross(&e));
                Evaluated { value: 2.0 * relative.im[axis], by: [(Vector3::zeros(), -by), (Vector3::zeros(), by)] }
            }
            Row::Across(u) => {
                let u = a.orientation.rotate(u);
                let mut by = along(u);
                by[0].1 += u.cross(&between);
                Evaluated { value: between.dot(&u), by }
            }
            Row::Distance => {
                let value = 0.5 * (between.norm_squared() / length - length);
                Evaluated { value, by: along(between / length) }
            }
        }
    }
}
