//! From a structure to nodes, elements, masses, loads and constraints.

mod drag;
mod holding;
mod rods;
mod springs;
mod winches;

pub use holding::row_of;
pub use rods::rigid_points;

use std::f64::consts::TAU;

use nalgebra::{Matrix3, Vector3};

use super::Assembly;
use super::spin::TurningFrame;
use crate::geometry::{Pose, Quaternion};
use crate::kernel::Function;
use crate::mechanism::spring::SpringPlace;
use crate::mechanism::{Frame, Mechanism, RodPart, Spin};
use crate::terms::shape::lobatto;
use crate::terms::{Attachment, Layout, Load, LoadSource, NodeKind, NodeMass, plane_angle, plane_orientation};

/// Frames that are joined rigidly, by union and find.
struct Clusters {
    parent: Vec<usize>,
}

impl Clusters {
    fn root(&self, mut item: usize) -> usize {
        while self.parent[item] != item {
            item = self.parent[item];
        }
        item
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
    }
}

/// Numbers of frames: 0 is the ground, then bodies, then the nodes of the rods.
struct Numbers {
    rods: Vec<usize>,
    total: usize,
}

impl Numbers {
    fn new(mechanism: &Mechanism) -> Self {
        let mut next = 1 + mechanism.bodies.len();
        let rods = mechanism
            .rods
            .iter()
            .map(|rod| {
                let first = next;
                next += rod.elements * rod.order + 1;
                first
            })
            .collect();
        Self { rods, total: next }
    }

    fn of(&self, mechanism: &Mechanism, frame: Frame) -> usize {
        match frame {
            Frame::Ground => 0,
            Frame::Body(body) => 1 + body,
            Frame::Section { rod, boundary } => self.rods[rod] + boundary * mechanism.rods[rod].order,
        }
    }
}

/// Arc length of a node of a rod.
fn arc_length(rod: &RodPart, node: usize, points: &[f64]) -> f64 {
    let (element, inside) = (node / rod.order, node % rod.order);
    if rod.mesh.boundaries.is_empty() {
        return rod.length * (element as f64 + points[inside]) / rod.elements as f64;
    }
    if inside == 0 {
        return rod.boundary(element);
    }
    let (start, length) = rod.span(element);
    start + points[inside] * length
}

struct Builder<'a> {
    mechanism: &'a Mechanism,
    numbers: Numbers,
    clusters: Clusters,
    layout: Layout,
    reference: Vec<f64>,
    /// Node and its pose of each cluster root.
    nodes: Vec<Option<(usize, Pose)>>,
    /// Largest distance of a frame from the origin, metre.
    extent: f64,
    /// The node of each winch.
    reels: Vec<usize>,
}

/// Builds the nodes and elements of a structure; its frame turns at the first rate of its spin.
pub fn build(mechanism: &Mechanism) -> Assembly {
    let numbers = Numbers::new(mechanism);
    let mut clusters = Clusters { parent: (0..numbers.total).collect() };
    for joint in mechanism.joints.iter().filter(|joint| !joint.is_moving()) {
        let [a, b] = joint.between.map(|frame| numbers.of(mechanism, frame));
        clusters.join(a, b);
    }
    // All sections of a rigid rod move as one.
    for (rod, first) in mechanism.rods.iter().zip(&numbers.rods).filter(|(rod, _)| rod.kind.is_rigid()) {
        (1..=rod.elements * rod.order).for_each(|section| clusters.join(*first, first + section));
    }
    let nodes = vec![None; numbers.total];
    let mut builder = Builder {
        mechanism,
        numbers,
        clusters,
        layout: Layout::new(),
        reference: Vec::new(),
        nodes,
        extent: 0.0,
        reels: Vec::new(),
    };
    let far = |number: usize| builder.pose(number).0.position.norm();
    builder.extent = (1..builder.numbers.total).map(far).fold(0.0, f64::max);
    builder.place_nodes();
    builder.place_reels();
    let (mut elements, mut masses, line) = builder.rods();
    builder.body_masses(&mut masses);
    let loads = builder.loads(line);
    let (mut prescribed, mut constraints) = builder.supports();
    prescribed.extend(builder.held_reels());
    builder.joints(&mut constraints);
    builder.unsheared(&elements, &mut constraints);
    elements.extend(builder.springs());
    let (sections, drags) = (builder.sections(), builder.drags());
    let winches = builder.winches(&elements);
    let hauling = builder.hauling(&winches);
    let bodies = (0..mechanism.bodies.len()).map(|body| builder.attach(Frame::Body(body))).collect();
    let names = builder.names();
    let mut assembly = Assembly::new(
        builder.layout,
        builder.reference,
        elements,
        masses,
        mechanism.gravity,
        loads,
        constraints,
        prescribed,
        sections,
        bodies,
        names,
        mechanism.rods.iter().map(|rod| rod.order).collect(),
    );
    (assembly.winches, assembly.drives) = (winches, hauling);
    (assembly.drags, assembly.current) = (drags, mechanism.fluid.current.clone());
    let first = |spin: &Spin| Some(TurningFrame::new(spin, *spin.rates.first()?));
    assembly.turning = mechanism.spin.as_ref().and_then(first);
    assembly
}

impl Builder<'_> {
    /// Pose of a numbered frame in the reference configuration, and whether it can turn.
    fn pose(&self, number: usize) -> (Pose, bool) {
        if number == 0 {
            return (Pose::IDENTITY, true);
        }
        if let Some(body) = self.mechanism.bodies.get(number - 1) {
            let mut pose = body.pose;
            if self.mechanism.dimension == 2 {
                // A plane body is turned by its angle about z; frames of plane nodes have their first axis there.
                let x = pose.orientation.rotate(Vector3::x());
                pose.orientation = plane_orientation(x[1].atan2(x[0]));
            }
            return (pose, self.body_turns(number - 1));
        }
        let index = self.numbers.rods.partition_point(|&first| first <= number) - 1;
        let rod = &self.mechanism.rods[index];
        let s = arc_length(rod, number - self.numbers.rods[index], &lobatto(rod.order));
        ((rod.reference)(s), rod.kind.turns())
    }

    /// Whether a body can be told to turn: a point mass that nothing turns is a point.
    fn body_turns(&self, index: usize) -> bool {
        let body = &self.mechanism.bodies[index];
        let frame = Frame::Body(index);
        let away = |point: Vector3<f64>| (point - body.pose.position).norm() > 1e-9 * (1.0 + body.pose.position.norm());
        let zero = |functions: &[Function; 3]| functions.iter().all(|f| f.is_constant() && f.value(0.0) == Ok(0.0));
        body.inertia != Matrix3::zeros()
            || body.spin != Vector3::zeros()
            || self.mechanism.joints.iter().filter(|joint| joint.between.contains(&frame)).any(|joint| {
                match joint.is_moving() {
                    false => {
                        let others = joint.between.iter().filter(|other| **other != frame);
                        others.into_iter().any(|other| away(self.mechanism.reference_pose(*other).position))
                    }
                    true => {
                        let mut own = joint.sides().into_iter().filter(|(side, _)| *side == frame);
                        joint.kind.needs_orientation(self.mechanism.dimension) || own.any(|(_, point)| away(point))
                    }
                }
            })
            || self.mechanism.springs.iter().any(|spring| {
                let held = |point: Vector3<f64>| spring.place.needs_orientation() || away(point);
                spring.place.sides().into_iter().flatten().any(|(side, point)| side == frame && held(point))
            }) || self.mechanism.springs.iter().any(|spring| {
            // Several angles of a joint are measured only between frames that turn.
            matches!(spring.place, SpringPlace::Joint(joint) if self.mechanism.joints[joint].between.contains(&frame)
                    && self.mechanism.joints[joint].kind.measures(self.mechanism.dimension) > 1)
        }) || self.mechanism.supports.iter().any(|support| support.at == frame && support.rotation.is_some())
            || self.mechanism.loads.iter().any(|load| load.at == frame && (load.follows || !zero(&load.torque)))
    }

    fn place_nodes(&mut self) {
        // A node is the first of its frames, bodies before sections; where its cluster is supported, the frame that is, so
        // that supports hold coordinates of nodes.
        let total = self.numbers.total;
        let mut turns = vec![false; total];
        let mut pose: Vec<Option<Pose>> = vec![None; total];
        for number in 1..total {
            let root = self.clusters.root(number);
            let (own, can_turn) = self.pose(number);
            pose[root].get_or_insert(own);
            turns[root] |= can_turn;
        }
        for support in &self.mechanism.supports {
            let number = self.numbers.of(self.mechanism, support.at);
            let own = self.pose(number).0;
            let pose = &mut pose[self.clusters.root(number)];
            if let Some(pose) = pose.as_mut().filter(|pose| (pose.position - own.position).norm() > 1e-9 * self.extent)
            {
                *pose = own;
            }
        }
        let angles = if self.mechanism.dimension == 2 { self.running_angles() } else { vec![0.0; total] };
        // Rods first, so that neighbours get neighbouring numbers.
        let rods = 1 + self.mechanism.bodies.len()..total;
        for number in rods.chain(0..1 + self.mechanism.bodies.len()) {
            let root = self.clusters.root(number);
            let alone = root == 0 && (0..total).all(|other| other == 0 || self.clusters.root(other) != 0);
            if self.nodes[root].is_some() || alone {
                continue;
            }
            let Some(pose) = pose[root] else { continue };
            let kind = match (self.mechanism.dimension, turns[root]) {
                (2, true) => NodeKind::PlaneFrame,
                (2, false) => NodeKind::PlanePoint,
                (_, true) => NodeKind::SpaceFrame,
                (_, false) => NodeKind::SpacePoint,
            };
            let node = self.layout.push(kind);
            let start = self.reference.len();
            self.reference.resize(start + kind.coordinates(), 0.0);
            self.layout.set_pose(&mut self.reference, node, &pose, angles[number]);
            self.nodes[root] = Some((node, pose));
        }
    }

    /// Angles of the tangents of all frames in the plane; they run on along each rod, past half a turn.
    fn running_angles(&self) -> Vec<f64> {
        let mut angles = vec![0.0; self.numbers.total];
        for (rod, first) in self.mechanism.rods.iter().zip(&self.numbers.rods) {
            let mut near = 0.0;
            for number in *first..=first + rod.elements * rod.order {
                near = plane_angle(self.pose(number).0.orientation, near);
                angles[number] = near;
            }
        }
        angles
    }

    fn attach_number(&self, number: usize) -> Attachment {
        self.attach_pose(number, &self.pose(number).0)
    }

    /// A frame with this pose in the reference configuration that moves with a numbered one.
    fn attach_pose(&self, number: usize, part: &Pose) -> Attachment {
        let root = self.clusters.root(number);
        match &self.nodes[root] {
            Some((node, pose)) => {
                let mut attachment = Attachment::new(*node, self.layout.kind(*node), pose, part);
                if self.layout.kind(*node) == NodeKind::PlaneFrame {
                    // Angles along a rod run on past π; the attachment keeps the difference next to zero.
                    let whole = attachment.angle / TAU;
                    attachment.angle -= TAU * whole.round();
                    if attachment.angle.abs() < 1e-14 {
                        attachment.angle = 0.0;
                    }
                    if attachment.offset == Vector3::zeros() && attachment.angle == 0.0 {
                        attachment.plain = true;
                    }
                }
                attachment
            }
            // Only a ground to which nothing is joined has no node, and nothing refers to it.
            None => Attachment { node: 0, offset: part.position, turn: Quaternion::IDENTITY, angle: 0.0, plain: false },
        }
    }

    fn attach(&self, frame: Frame) -> Attachment {
        self.attach_number(self.numbers.of(self.mechanism, frame))
    }

    fn body_masses(&self, masses: &mut [NodeMass]) {
        for (index, body) in self.mechanism.bodies.iter().enumerate() {
            let at = self.attach(Frame::Body(index));
            let inertia = match self.layout.kind(at.node) {
                NodeKind::SpaceFrame => {
                    let turn = at.turn.matrix();
                    turn * body.inertia * turn.transpose()
                }
                _ => Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, body.inertia[(2, 2)])),
            };
            masses[at.node].add(&NodeMass { mass: body.mass, centre: at.offset, inertia });
        }
    }

    fn loads(&self, line: Vec<Load>) -> Vec<Load> {
        let frames = self.mechanism.loads.iter().map(|load| {
            let in_section = load.follows && matches!(load.at, Frame::Section { .. });
            let turned = |components: &[Function; 3]| self.in_plane_axes(components, in_section);
            Load {
                name: load.name.clone(),
                at: self.attach(load.at),
                source: LoadSource::Frame(turned(&load.force), turned(&load.torque)),
                follows: load.follows,
            }
        });
        frames.chain(line).collect()
    }

    /// Components along (d₁, d₂, d₃) of a plane section as those along the axes of its node, which are (d₃, d₁, d₂).
    fn in_plane_axes<T: Clone>(&self, components: &[T; 3], in_section: bool) -> [T; 3] {
        let [first, second, third] = components.clone();
        if in_section && self.mechanism.dimension == 2 { [third, first, second] } else { [first, second, third] }
    }

    /// Largest extent of the reference positions, metre.
    fn size(&self) -> f64 {
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for node in (0..self.layout.nodes()).filter(|node| !self.reels.contains(node)) {
            let x = self.layout.position(&self.reference, node);
            (low, high) = (low.inf(&x), high.sup(&x));
        }
        (high - low).norm()
    }

    /// Every node of every rod, with its arc length. In the plane the reference angles of the sections run on along the rod.
    fn sections(&self) -> Vec<Vec<(f64, Attachment)>> {
        let of_rod = |(index, rod): (usize, &RodPart)| {
            let points = lobatto(rod.order);
            let mut near = 0.0;
            let node = |i: usize| {
                let mut at = self.attach_number(self.numbers.rods[index] + i);
                if self.layout.kind(at.node) == NodeKind::PlaneFrame {
                    let angle = self.layout.angle(&self.reference, at.node) + at.angle;
                    at.angle += TAU * ((near - angle) / TAU).round();
                    near = self.layout.angle(&self.reference, at.node) + at.angle;
                }
                (arc_length(rod, i, &points), at)
            };
            (0..=rod.elements * rod.order).map(node).collect()
        };
        self.mechanism.rods.iter().enumerate().map(of_rod).collect()
    }

    /// A name for every node.
    fn names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.layout.nodes()];
        let mut give = |node: usize, name: String| {
            if names[node].is_empty() {
                names[node] = name;
            }
        };
        for (winch, node) in self.mechanism.winches.iter().zip(&self.reels) {
            give(*node, winch.name.clone());
        }
        for (index, body) in self.mechanism.bodies.iter().enumerate() {
            give(self.attach(Frame::Body(index)).node, body.name.clone());
        }
        for (rod, sections) in self.mechanism.rods.iter().zip(self.sections()) {
            for (s, at) in &sections {
                let fraction = s / rod.length;
                let name = match fraction {
                    0.0 => format!("{}.start", rod.name),
                    _ if *s == rod.length => format!("{}.end", rod.name),
                    _ => format!("{}@{fraction:.4}", rod.name),
                };
                give(at.node, name);
            }
        }
        names
    }
}
