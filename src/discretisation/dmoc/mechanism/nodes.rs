//! Nodes: the coordinates of a mechanism. Frames that are rigidly joined share one.

use nalgebra::{Matrix3, Vector3};

use super::MechanismError;
use crate::geometry::{Pose, Quaternion};
use crate::models::Machine;
use crate::models::structure::{Frame, JointKind, RodKind, Structure};

/// A frame of the mechanism by its coordinates: (x, y), (x, y, θ), (x, y, z) or (x, y, z; p₀, p₁, p₂, p₃).
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub name: String,
    /// Place of its first coordinate.
    pub first: usize,
    pub turns: bool,
    /// Reference pose.
    pub pose: Pose,
    /// Reference angle in the plane, radian.
    pub angle: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Σ m ρ over the masses at ρ in the frame, kg m.
    pub moment: Vector3<f64>,
    /// Inertia about the origin of the frame, kg m².
    pub inertia: Matrix3<f64>,
}

impl Node {
    /// Adds a mass at a place of the node, with its own inertia along the axes of the node.
    pub fn add_mass(&mut self, mass: f64, at: Vector3<f64>, inertia: &Matrix3<f64>) {
        self.mass += mass;
        self.moment += at * mass;
        self.inertia += inertia + (Matrix3::from_diagonal_element(at.norm_squared()) - at * at.transpose()) * mass;
    }
}

/// Where a frame is: on a node, or fixed in space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub node: Option<usize>,
    /// Pose in the frame of the node, or in space.
    pub pose: Pose,
    /// Angle from that of the node, or in space; plane.
    pub angle: f64,
}

impl Placed {
    /// A point of space.
    pub fn fixed(position: Vector3<f64>) -> Self {
        Self { node: None, pose: Pose { position, ..Pose::IDENTITY }, angle: 0.0 }
    }

    /// Another point of the same frame, given in its axes.
    pub fn shifted(mut self, by: Vector3<f64>) -> Self {
        self.pose.position = self.pose.point(by);
        self
    }
}

/// Frames numbered: the ground, bodies, boundaries of rods.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    structure: &'a Structure,
    /// Number of the first section of each rod.
    rods: Vec<usize>,
    parent: Vec<usize>,
}

impl<'a> Frames<'a> {
    pub fn new(structure: &'a Structure) -> Self {
        let mut total = 1 + structure.bodies.len();
        let mut rods = Vec::new();
        for rod in &structure.rods {
            rods.push(total);
            total += rod.elements + 1;
        }
        Self { structure, rods, parent: (0..total).collect() }
    }

    pub fn number(&self, frame: Frame) -> usize {
        match frame {
            Frame::Ground => 0,
            Frame::Body(body) => 1 + body,
            Frame::Section { rod, boundary } => self.rods[rod] + boundary,
        }
    }

    fn frame(&self, number: usize) -> Frame {
        match number {
            0 => Frame::Ground,
            body if body <= self.structure.bodies.len() => Frame::Body(body - 1),
            section => {
                let rod = self.rods.partition_point(|first| *first <= section) - 1;
                Frame::Section { rod, boundary: section - self.rods[rod] }
            }
        }
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parent[number] != number {
            number = self.parent[number];
        }
        number
    }

    /// Makes two frames one.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn total(&self) -> usize {
        self.parent.len()
    }
}

/// Whether a frame alone has an orientation: a point mass has none.
fn turns(structure: &Structure, frame: Frame) -> bool {
    match frame {
        Frame::Ground => true,
        Frame::Body(body) => structure.bodies[body].inertia != Matrix3::zeros(),
        Frame::Section { rod, .. } => structure.rods[rod].kind.turns(),
    }
}

/// Reference pose of a frame; in the plane that of a body turned by its angle about z, for sections as well, with the angle
/// run on along a rod.
fn reference(structure: &Structure, frame: Frame) -> (Pose, f64) {
    let pose = structure.reference_pose(frame);
    if structure.dimension == 3 {
        return (pose, 0.0);
    }
    let angle = structure.reference_angle(frame);
    (Pose { orientation: Quaternion::from_rotation_vector(Vector3::z() * angle), ..pose }, angle)
}

/// The nodes of a machine, and where its frames are on them.
pub(super) struct Placement {
    pub nodes: Vec<Node>,
    pub bodies: Vec<Placed>,
    /// Sections of each rod.
    pub sections: Vec<Vec<Placed>>,
}

impl Placement {
    pub fn new(machine: &Machine, clamped: &[Frame]) -> Result<Self, MechanismError> {
        let structure = &machine.structure;
        let mut frames = Frames::new(structure);
        for joint in structure.joints.iter().filter(|joint| joint.kind == JointKind::Rigid) {
            let [a, b] = joint.between.map(|frame| frames.number(frame));
            frames.join(a, b);
        }
        for (index, rod) in structure.rods.iter().enumerate().filter(|(_, rod)| rod.kind == RodKind::Rigid) {
            let first = frames.number(Frame::Section { rod: index, boundary: 0 });
            (1..=rod.elements).for_each(|section| frames.join(first, first + section));
        }
        clamped.iter().for_each(|frame| {
            let number = frames.number(*frame);
            frames.join(0, number);
        });
        let mut of_root: Vec<Option<usize>> = vec![None; frames.total()];
        let mut nodes: Vec<Node> = Vec::new();
        let mut placed: Vec<Placed> = Vec::with_capacity(frames.total());
        let mut first = 0;
        for number in 0..frames.total() {
            let (frame, root) = (frames.frame(number), frames.root(number));
            let (pose, angle) = reference(structure, frame);
            // Sections keep their directors; their angle in the plane is that of the tangent.
            let own = structure.reference_pose(frame);
            if root == 0 {
                placed.push(Placed { node: None, pose: own, angle });
                continue;
            }
            let index = *of_root[root].get_or_insert_with(|| {
                let members = (number..frames.total()).filter(|other| frames.root(*other) == root);
                let poses = members.map(|other| (frames.frame(other), structure.reference_pose(frames.frame(other))));
                let turning = |(other, place): (Frame, Pose)| {
                    turns(structure, other)
                        || (place.position - pose.position).norm() > 1e-12 * (1.0 + pose.position.norm())
                };
                let turns = poses.collect::<Vec<_>>().into_iter().any(turning);
                let name = structure.frame_name(frame);
                let (mass, moment, inertia) = (0.0, Vector3::zeros(), Matrix3::zeros());
                // What does not turn has the axes of space.
                let pose = if turns { pose } else { Pose { position: pose.position, ..Pose::IDENTITY } };
                let angle = if turns { angle } else { 0.0 };
                nodes.push(Node { name, first, turns, pose, angle, mass, moment, inertia });
                first += if structure.dimension == 2 { 2 + usize::from(turns) } else { 3 + 4 * usize::from(turns) };
                nodes.len() - 1
            });
            let node = &nodes[index];
            let orientation = node.pose.orientation.conjugate() * own.orientation;
            let offset = Pose { position: node.pose.offset_of(own.position), orientation };
            placed.push(Placed { node: Some(index), pose: offset, angle: angle - node.angle });
        }
        if nodes.is_empty() {
            return Err(MechanismError::NothingMoves);
        }
        let mut rest = placed.split_off(1 + structure.bodies.len());
        let bodies = placed.split_off(1);
        let sections = structure.rods.iter().map(|rod| rest.drain(..=rod.elements).collect()).collect();
        Ok(Self { nodes, bodies, sections })
    }

    pub fn of(&self, frame: Frame) -> Placed {
        match frame {
            Frame::Ground => Placed { node: None, pose: Pose::IDENTITY, angle: 0.0 },
            Frame::Body(body) => self.bodies[body],
            Frame::Section { rod, boundary } => self.sections[rod][boundary],
        }
    }

    /// A point of the reference configuration as a place of a frame, with axes along those of space there.
    pub fn point(&self, frame: Frame, point: Vector3<f64>) -> Placed {
        let mut placed = self.of(frame);
        match placed.node {
            Some(node) => {
                let pose = self.nodes[node].pose;
                placed.pose.position = pose.offset_of(point);
                placed.pose.orientation = pose.orientation.conjugate();
            }
            None => placed.pose = Pose { position: point, ..Pose::IDENTITY },
        }
        placed
    }
}
