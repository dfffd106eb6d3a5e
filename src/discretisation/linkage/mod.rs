//! Links and joints without masses and forces: the geometry that decides what can move.
//!
//! A link is a rigid body, or a point, which has no orientation. Joints, bars and supports are conditions on links and the
//! ground. Everything is stated in the reference configuration, where all conditions hold. Conditions are those of
//! [`JointKind::conditions`], evaluated by [`crate::terms::Constraint`] as in every other task.

mod closure;
mod parts;

use std::fmt;

use nalgebra::Vector3;
use thiserror::Error;

use crate::mechanism::JointKind;
use crate::mechanism::joint::{JointCondition, JointRow, fixed_rotation};
pub use closure::{Closure, Posture};
pub use parts::Rods;

/// A link, or the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link(pub(super) Option<usize>);

impl Link {
    /// What does not move.
    pub const GROUND: Self = Self(None);
}

/// The name of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionName {
    /// Joint, bar or support.
    pub joint: String,
    /// Whether that is a support.
    pub support: bool,
    /// What it holds: `x`, `y`, `z`, `axis`, `rotation`, `angle`, `travel across`, `length`.
    pub what: &'static str,
}

impl fmt::Display for ConditionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.support { "support" } else { "joint" };
        write!(f, "{} of {table} {}", self.what, self.joint)
    }
}

/// Why a joint cannot be one.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LinkageError {
    /// An axis of length zero.
    #[error("joint `{0}` has no direction: an axis is zero")]
    NoDirection(String),
    /// The axes of a universal joint.
    #[error("the axes of joint `{0}` are not perpendicular")]
    NotPerpendicular(String),
    /// A joint of space in the plane.
    #[error("joint `{joint}` is not possible in {dimension} dimensions")]
    Dimension {
        /// The joint.
        joint: String,
        /// 2 or 3.
        dimension: usize,
    },
    /// A direction of a point.
    #[error("joint `{joint}` needs the orientation of `{link}`, which is a point")]
    Point {
        /// The joint.
        joint: String,
        /// The point.
        link: String,
    },
    /// A point held elsewhere.
    #[error("joint `{joint}` is away from the point `{link}`")]
    Away {
        /// The joint.
        joint: String,
        /// The point.
        link: String,
    },
    /// A bar between two points that coincide.
    #[error("`{0}` has length zero")]
    NoLength(String),
}

/// A link by its names: several where rigid bodies are joined rigidly.
#[derive(Debug, Clone)]
struct LinkPart {
    names: Vec<String>,
    /// Of a point, where it is.
    point: Option<Vector3<f64>>,
}

/// What a joint does in short, for the counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Joint(JointKind),
    Support,
}

/// A joint, bar or support with its conditions.
#[derive(Debug, Clone)]
struct Hold {
    name: String,
    kind: Kind,
    sides: [(Link, Vector3<f64>); 2],
    rows: Vec<JointCondition>,
}

/// Links and the joints between them, in plane or space.
#[derive(Debug, Clone)]
pub struct Linkage {
    dimension: usize,
    links: Vec<LinkPart>,
    joints: Vec<Hold>,
    /// Names of what is rigidly joined to the ground.
    grounded: Vec<String>,
}

/// Points nearer than this, in metres and as a fraction of their coordinates, are the same.
const SAME: f64 = 1e-9;

impl Linkage {
    /// Nothing yet, in the plane z = 0.
    pub fn plane() -> Self {
        Self { dimension: 2, links: Vec::new(), joints: Vec::new(), grounded: Vec::new() }
    }

    /// Nothing yet, in space.
    pub fn space() -> Self {
        Self { dimension: 3, ..Self::plane() }
    }

    /// 2 for the plane, 3 for space.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Adds a rigid body.
    pub fn body(&mut self, name: impl Into<String>) -> Link {
        self.add(vec![name.into()], None)
    }

    /// Adds a point.
    pub fn point(&mut self, name: impl Into<String>, at: Vector3<f64>) -> Link {
        self.add(vec![name.into()], Some(at))
    }

    fn add(&mut self, names: Vec<String>, point: Option<Vector3<f64>>) -> Link {
        self.links.push(LinkPart { names, point });
        Link(Some(self.links.len() - 1))
    }

    /// Adds a joint at a place of the reference configuration, metre. Its directions may have any length.
    pub fn joint(
        &mut self,
        name: impl Into<String>,
        between: [Link; 2],
        kind: JointKind,
        at: Vector3<f64>,
    ) -> Result<(), LinkageError> {
        self.hold(name.into(), kind, between.map(|link| (link, at)))
    }

    /// Adds a bar between two points, or between places of bodies.
    pub fn bar(&mut self, name: impl Into<String>, ends: [(Link, Vector3<f64>); 2]) -> Result<(), LinkageError> {
        self.hold(name.into(), JointKind::Distance, ends)
    }

    fn hold(&mut self, name: String, kind: JointKind, sides: [(Link, Vector3<f64>); 2]) -> Result<(), LinkageError> {
        if kind.is_spatial() && self.dimension == 2 {
            return Err(LinkageError::Dimension { joint: name, dimension: self.dimension });
        }
        if kind.directions().iter().any(|direction| direction.norm() == 0.0) {
            return Err(LinkageError::NoDirection(name));
        }
        let kind = kind.turned(|direction| direction.normalize());
        if !kind.is_square() {
            return Err(LinkageError::NotPerpendicular(name));
        }
        if kind.is_bar() && sides[0].1 == sides[1].1 {
            return Err(LinkageError::NoLength(name));
        }
        if kind.needs_orientation(self.dimension) {
            sides.iter().try_for_each(|(link, _)| self.turns(&name, *link))?;
        }
        self.push(name, Kind::Joint(kind), sides, kind.conditions(self.dimension))
    }

    /// Adds a bar between two points of the linkage.
    pub fn bar_of_points(&mut self, name: impl Into<String>, ends: [Link; 2]) -> Result<(), LinkageError> {
        let name = name.into();
        let place = |link: Link| link.0.and_then(|link| self.links[link].point);
        match ends.map(place) {
            [Some(a), Some(b)] => self.bar(name, [(ends[0], a), (ends[1], b)]),
            _ => Err(LinkageError::NoLength(name)),
        }
    }

    /// Holds coordinates of a place of a link, and its rotation.
    pub fn support(
        &mut self,
        name: impl Into<String>,
        (link, at): (Link, Vector3<f64>),
        positions: [bool; 3],
        rotation: bool,
    ) -> Result<(), LinkageError> {
        let name = name.into();
        let axes = (0..self.dimension).filter(|axis| positions[*axis]);
        let mut rows: Vec<JointCondition> =
            axes.map(|axis| (["x", "y", "z"][axis], JointRow::Coordinate(axis))).collect();
        if rotation {
            self.turns(&name, link)?;
            rows.extend(fixed_rotation(self.dimension, Vector3::x()));
        }
        self.push(name, Kind::Support, [(Link::GROUND, at), (link, at)], rows)
    }

    fn push(
        &mut self,
        name: String,
        kind: Kind,
        sides: [(Link, Vector3<f64>); 2],
        rows: Vec<JointCondition>,
    ) -> Result<(), LinkageError> {
        for (link, at) in sides {
            let Some(part) = link.0.map(|link| &self.links[link]) else { continue };
            if part.point.is_some_and(|point| (point - at).norm() > SAME * (1.0 + point.norm())) {
                return Err(LinkageError::Away { joint: name, link: part.names.join(" and ") });
            }
        }
        self.joints.push(Hold { name, kind, sides, rows });
        Ok(())
    }

    /// Refuses points where an orientation is needed.
    fn turns(&self, joint: &str, link: Link) -> Result<(), LinkageError> {
        let Some(part) = link.0.map(|link| &self.links[link]) else { return Ok(()) };
        match part.point {
            None => Ok(()),
            Some(_) => Err(LinkageError::Point { joint: joint.to_owned(), link: part.names.join(" and ") }),
        }
    }

    /// Number of links besides the ground.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Number of joints, bars and supports.
    pub fn joints(&self) -> usize {
        self.joints.len()
    }

    /// Joints that let something free, by name, with the links they connect; the ground is none.
    pub fn moving_joints(&self) -> impl Iterator<Item = (&str, [Option<usize>; 2])> {
        let free = |kind: JointKind| {
            kind.turning_axis(self.dimension).is_some() || kind.is_ball() || kind.sliding_axis().is_some()
        };
        let lets_free = move |joint: &&Hold| matches!(joint.kind, Kind::Joint(kind) if free(kind));
        self.joints.iter().filter(lets_free).map(|joint| (joint.name.as_str(), joint.sides.map(|(Link(link), _)| link)))
    }

    /// Number of conditions that joints, bars and supports state.
    pub fn conditions(&self) -> usize {
        self.joints.iter().map(|joint| joint.rows.len()).sum()
    }

    /// Names of a link: several where bodies are joined rigidly.
    pub fn names(&self, link: usize) -> &[String] {
        &self.links[link].names
    }

    /// Names of what is rigidly joined to the ground.
    pub fn grounded(&self) -> &[String] {
        &self.grounded
    }

    /// Whether a link is a point.
    pub fn is_point(&self, link: usize) -> bool {
        self.links[link].point.is_some()
    }

    /// Whether it is a framework: points and bars, held by supports or not.
    pub fn is_framework(&self) -> bool {
        let is_bar = |joint: &Hold| matches!(joint.kind, Kind::Joint(kind) if kind.is_bar());
        self.joints.iter().any(is_bar)
            && self.links.iter().all(|link| link.point.is_some())
            && self.joints.iter().all(|joint| is_bar(joint) || joint.kind == Kind::Support)
    }

    /// Degrees of freedom of a link without joints.
    pub fn freedoms(&self, link: usize) -> usize {
        match (self.dimension, self.is_point(link)) {
            (2, true) => 2,
            (_, true) | (2, false) => 3,
            _ => 6,
        }
    }

    /// Name of a condition.
    pub fn condition_name(&self, condition: usize) -> Option<ConditionName> {
        let all = self.joints.iter().flat_map(|joint| joint.rows.iter().map(move |(what, _)| (joint, *what)));
        let (joint, what) = all.into_iter().nth(condition)?;
        Some(ConditionName { joint: joint.name.clone(), support: joint.kind == Kind::Support, what })
    }

    /// Kutzbach's count: freedoms of all links less the conditions, 6 for a body of space, 3 for one of the plane.
    pub fn count(&self) -> i64 {
        let freedoms: usize = (0..self.links.len()).map(|link| self.freedoms(link)).sum();
        freedoms as i64 - self.conditions() as i64
    }

    /// Grübler's count of the same links and joints in the other dimension: of a linkage of space as one of the plane, if all its
    /// hinges are parallel and it slides across them only; of bodies of the plane as if they were in space.
    pub fn count_in_other_dimension(&self) -> Option<i64> {
        if self.joints.is_empty() || self.links.iter().any(|link| link.point.is_some()) {
            return None;
        }
        let mut normal: Option<Vector3<f64>> = None;
        let mut slides: Vec<Vector3<f64>> = Vec::new();
        for joint in &self.joints {
            let Kind::Joint(kind) = joint.kind else { return None };
            match (kind.turning_axis(self.dimension), kind.sliding_axis()) {
                (Some(axis), None) if kind.is_hinge() || self.dimension == 2 => {
                    let first = normal.unwrap_or(axis);
                    if axis.cross(&first).norm() > 1e-6 {
                        return None;
                    }
                    normal = Some(first);
                }
                (None, Some(axis)) => slides.push(axis),
                _ => return None,
            }
        }
        let (links, joints) = (self.links.len() as i64, self.joints.len() as i64);
        if self.dimension == 2 {
            return Some(6 * links - 5 * joints);
        }
        let normal = normal?;
        slides.iter().all(|axis| axis.dot(&normal).abs() < 1e-6).then_some(3 * links - 2 * joints)
    }
}

#[cfg(test)]
mod tests;
