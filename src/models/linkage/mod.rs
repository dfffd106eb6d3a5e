//! Links and joints without masses and forces: the geometry that decides what can move.
//!
//! A link is a rigid body, or a point, which has no orientation. Joints, bars and supports are conditions on links and the
//! ground. Everything is stated in the reference configuration, where all conditions hold.

mod closure;
mod conditions;
mod parts;

use nalgebra::Vector3;
use thiserror::Error;

pub use closure::{Closure, Posture};
pub use conditions::ConditionName;
use conditions::{Condition, Row};
pub use parts::Rods;

/// A link, or the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link(pub(super) Option<usize>);

impl Link {
    /// What does not move.
    pub const GROUND: Self = Self(None);
}

/// What a joint lets free; directions are those of the reference configuration, of any length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointType {
    /// Nothing.
    Rigid,
    /// All rotations; in the plane the same as [`JointType::Hinge`].
    Spherical,
    /// The rotation in the plane.
    Hinge,
    /// The rotation about an axis; space.
    Revolute(Vector3<f64>),
    /// The translation along an axis.
    Prismatic(Vector3<f64>),
    /// Translation along and rotation about an axis; space.
    Cylindrical(Vector3<f64>),
    /// Translations across a normal and the rotation about it; space.
    Planar(Vector3<f64>),
    /// Rotations about an axis of the first link and one of the second, perpendicular to each other; space.
    Universal([Vector3<f64>; 2]),
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
    /// A joint of space in the plane, or the reverse.
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
    Joint(JointType),
    Bar,
    Support,
}

#[derive(Debug, Clone)]
struct JointPart {
    name: String,
    kind: Kind,
    sides: [(Link, Vector3<f64>); 2],
}

/// Links and the joints between them, in plane or space.
#[derive(Debug, Clone)]
pub struct Linkage {
    dimension: usize,
    links: Vec<LinkPart>,
    joints: Vec<JointPart>,
    conditions: Vec<Condition>,
    /// Names of what is rigidly joined to the ground.
    grounded: Vec<String>,
}

/// Points nearer than this, in metres and as a fraction of their coordinates, are the same.
const SAME: f64 = 1e-9;

impl Linkage {
    /// Nothing yet, in the plane z = 0.
    pub fn plane() -> Self {
        Self { dimension: 2, links: Vec::new(), joints: Vec::new(), conditions: Vec::new(), grounded: Vec::new() }
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

    /// Adds a joint at a place of the reference configuration, metre.
    pub fn joint(
        &mut self,
        name: impl Into<String>,
        between: [Link; 2],
        kind: JointType,
        at: Vector3<f64>,
    ) -> Result<(), LinkageError> {
        let name = name.into();
        let rows = self.rows(&name, between, kind)?;
        self.push(name, Kind::Joint(kind), [(between[0], at), (between[1], at)], rows)
    }

    /// Adds a bar between two points, or between places of bodies.
    pub fn bar(&mut self, name: impl Into<String>, ends: [(Link, Vector3<f64>); 2]) -> Result<(), LinkageError> {
        let name = name.into();
        if ends[0].1 == ends[1].1 {
            return Err(LinkageError::NoLength(name));
        }
        self.push(name, Kind::Bar, ends, vec![("length", Row::Distance)])
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
        let mut rows: Vec<(&'static str, Row)> =
            axes.map(|axis| (["x", "y", "z"][axis], Row::Coordinate(axis))).collect();
        if rotation {
            self.turns(&name, link)?;
            rows.extend(conditions::fixed_rotation(self.dimension));
        }
        self.push(name, Kind::Support, [(Link::GROUND, at), (link, at)], rows)
    }

    fn push(
        &mut self,
        name: String,
        kind: Kind,
        sides: [(Link, Vector3<f64>); 2],
        rows: Vec<(&'static str, Row)>,
    ) -> Result<(), LinkageError> {
        for (link, at) in sides {
            let Some(part) = link.0.map(|link| &self.links[link]) else { continue };
            if part.point.is_some_and(|point| (point - at).norm() > SAME * (1.0 + point.norm())) {
                return Err(LinkageError::Away { joint: name, link: part.names.join(" and ") });
            }
        }
        let joint = self.joints.len();
        self.conditions.extend(rows.into_iter().map(|(what, row)| Condition { joint, what, row }));
        self.joints.push(JointPart { name, kind, sides });
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
        let lets_free = |joint: &&JointPart| matches!(joint.kind, Kind::Joint(kind) if kind != JointType::Rigid);
        self.joints.iter().filter(lets_free).map(|joint| (joint.name.as_str(), joint.sides.map(|(Link(link), _)| link)))
    }

    /// Number of conditions that joints, bars and supports state.
    pub fn conditions(&self) -> usize {
        self.conditions.len()
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
        let bars = self.joints.iter().filter(|joint| joint.kind == Kind::Bar).count();
        bars > 0
            && self.links.iter().all(|link| link.point.is_some())
            && self.joints.iter().all(|joint| !matches!(joint.kind, Kind::Joint(_)))
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
    pub fn condition_name(&self, condition: usize) -> ConditionName {
        let Condition { joint, what, .. } = self.conditions[condition];
        ConditionName {
            joint: self.joints[joint].name.clone(),
            support: self.joints[joint].kind == Kind::Support,
            what,
        }
    }

    /// Kutzbach's count: freedoms of all links less the conditions, 6 for a body of space, 3 for one of the plane.
    pub fn count(&self) -> i64 {
        let freedoms: usize = (0..self.links.len()).map(|link| self.freedoms(link)).sum();
        freedoms as i64 - self.conditions.len() as i64
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
            match joint.kind {
                Kind::Joint(JointType::Revolute(axis)) => {
                    let (axis, first) = (axis.normalize(), normal.unwrap_or(axis.normalize()));
                    if axis.cross(&first).norm() > 1e-6 {
                        return None;
                    }
                    normal = Some(first);
                }
                Kind::Joint(JointType::Prismatic(axis)) => slides.push(axis.normalize()),
                Kind::Joint(JointType::Hinge) => {}
                Kind::Joint(JointType::Spherical) if self.dimension == 2 => {}
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
