//! From a structure to nodes, elements, masses, loads and constraints.

use nalgebra::{Matrix3, Vector3, Vector6};

use super::attachment::Attachment;
use super::constraint::{Anchor, Constraint, Row};
use super::element::{Element, Fabric};
use super::layout::{Layout, NodeKind, plane_orientation};
use super::load::{Load, LoadSource};
use super::mass::{MassShares, NodeMass};
use super::plane_rod::PlaneRod;
use super::shape::{gauss, lobatto, shape};
use super::space_rod::{SpacePoint, SpaceRod};
use super::string_rod::StringElement;
use super::{Assembly, Prescribed};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::{Function, Profile};
use crate::models::structure::{Frame, JointKind, Quadrature, RodKind, RodPart, Structure};

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
    fn new(structure: &Structure) -> Self {
        let mut next = 1 + structure.bodies.len();
        let rods = structure
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

    fn of(&self, structure: &Structure, frame: Frame) -> usize {
        match frame {
            Frame::Ground => 0,
            Frame::Body(body) => 1 + body,
            Frame::Section { rod, boundary } => self.rods[rod] + boundary * structure.rods[rod].order,
        }
    }
}

/// Arc length of a node of a rod.
fn arc_length(rod: &RodPart, node: usize, points: &[f64]) -> f64 {
    let (element, inside) = (node / rod.order, node % rod.order);
    rod.length * (element as f64 + points[inside]) / rod.elements as f64
}

struct Builder<'a> {
    structure: &'a Structure,
    numbers: Numbers,
    clusters: Clusters,
    layout: Layout,
    reference: Vec<f64>,
    /// Node and its pose of each cluster root.
    nodes: Vec<Option<(usize, Pose)>>,
}

/// Builds the nodes and elements of a structure.
pub fn build(structure: &Structure) -> Assembly {
    let numbers = Numbers::new(structure);
    let mut clusters = Clusters { parent: (0..numbers.total).collect() };
    for joint in structure.joints.iter().filter(|joint| joint.kind == JointKind::Rigid) {
        let [a, b] = joint.between.map(|frame| numbers.of(structure, frame));
        clusters.join(a, b);
    }
    let nodes = vec![None; numbers.total];
    let mut builder = Builder { structure, numbers, clusters, layout: Layout::new(), reference: Vec::new(), nodes };
    builder.place_nodes();
    let (elements, mut masses, line) = builder.rods();
    builder.body_masses(&mut masses);
    let loads = builder.loads(line);
    let (prescribed, mut constraints) = builder.supports();
    builder.joints(&mut constraints);
    builder.unsheared(&elements, &mut constraints);
    let sections = builder.sections();
    let bodies = (0..structure.bodies.len()).map(|body| builder.attach(Frame::Body(body))).collect();
    let names = builder.names();
    Assembly::new(
        builder.layout,
        builder.reference,
        elements,
        masses,
        structure.gravity,
        loads,
        constraints,
        prescribed,
        sections,
        bodies,
        names,
    )
}

impl Builder<'_> {
    /// Pose of a numbered frame in the reference configuration, and whether it can turn.
    fn pose(&self, number: usize) -> (Pose, bool) {
        if number == 0 {
            return (Pose::IDENTITY, true);
        }
        if let Some(body) = self.structure.bodies.get(number - 1) {
            let mut pose = body.pose;
            if self.structure.dimension == 2 {
                // A plane body is turned by its angle about z; frames of plane nodes have their first axis there.
                let x = pose.orientation.rotate(Vector3::x());
                pose.orientation = plane_orientation(x[1].atan2(x[0]));
            }
            return (pose, self.body_turns(number - 1));
        }
        let index = self.numbers.rods.partition_point(|&first| first <= number) - 1;
        let rod = &self.structure.rods[index];
        let s = arc_length(rod, number - self.numbers.rods[index], &lobatto(rod.order));
        ((rod.reference)(s), rod.kind.turns())
    }

    /// Whether a body can be told to turn: a point mass that nothing turns is a point.
    fn body_turns(&self, index: usize) -> bool {
        let body = &self.structure.bodies[index];
        let frame = Frame::Body(index);
        let away = |point: Vector3<f64>| (point - body.pose.position).norm() > 1e-9 * (1.0 + body.pose.position.norm());
        let zero = |functions: &[Function; 3]| functions.iter().all(|f| f.is_constant() && f.value(0.0) == Ok(0.0));
        body.inertia != Matrix3::zeros()
            || body.spin != Vector3::zeros()
            || self.structure.joints.iter().any(|joint| {
                joint.between.contains(&frame)
                    && match joint.kind {
                        JointKind::Revolute(_) => self.structure.dimension == 3,
                        JointKind::Spherical => away(joint.at),
                        JointKind::Rigid => joint
                            .between
                            .iter()
                            .any(|other| *other != frame && away(self.structure.reference_pose(*other).position)),
                    }
                    || joint.between.contains(&frame)
                        && self.structure.dimension == 2
                        && joint.kind != JointKind::Rigid
                        && away(joint.at)
            })
            || self.structure.supports.iter().any(|support| support.at == frame && support.rotation.is_some())
            || self.structure.loads.iter().any(|load| load.at == frame && (load.follows || !zero(&load.torque)))
    }

    fn place_nodes(&mut self) {
        // A node stands where its cluster is supported, so that supports hold coordinates of nodes; it has the
        // orientation of its first frame that has one.
        let total = self.numbers.total;
        let mut turns = vec![false; total];
        let mut pose: Vec<Option<Pose>> = vec![None; total];
        for number in 0..total {
            let root = self.clusters.root(number);
            let (own, can_turn) = self.pose(number);
            if (can_turn && !turns[root] && number > 0) || pose[root].is_none() {
                pose[root] = Some(own);
            }
            turns[root] |= can_turn && number > 0;
        }
        for support in &self.structure.supports {
            let number = self.numbers.of(self.structure, support.at);
            let position = self.pose(number).0.position;
            if let Some(pose) = &mut pose[self.clusters.root(number)] {
                pose.position = position;
            }
        }
        // Rods first, so that neighbours get neighbouring numbers.
        let rods = 1 + self.structure.bodies.len()..total;
        for number in rods.chain(0..1 + self.structure.bodies.len()) {
            let root = self.clusters.root(number);
            let alone = root == 0 && (0..total).all(|other| other == 0 || self.clusters.root(other) != 0);
            if self.nodes[root].is_some() || alone {
                continue;
            }
            let Some(pose) = pose[root] else { continue };
            let kind = match (self.structure.dimension, turns[root]) {
                (2, true) => NodeKind::PlaneFrame,
                (2, false) => NodeKind::PlanePoint,
                (_, true) => NodeKind::SpaceFrame,
                (_, false) => NodeKind::SpacePoint,
            };
            let node = self.layout.push(kind);
            let start = self.reference.len();
            self.reference.resize(start + kind.coordinates(), 0.0);
            let near = self.near_angle(number);
            self.layout.set_pose(&mut self.reference, node, &pose, near);
            self.nodes[root] = Some((node, pose));
        }
    }

    /// Angle next to which the plane angle of a rod node is taken, so that angles run on along a rod.
    fn near_angle(&self, number: usize) -> f64 {
        let in_rod = number > self.structure.bodies.len() && !self.numbers.rods.contains(&number);
        let previous = number.checked_sub(1).filter(|_| in_rod);
        let node = previous.and_then(|previous| self.nodes[self.clusters.root(previous)]);
        match node {
            Some((node, _)) if self.layout.kind(node) == NodeKind::PlaneFrame => {
                self.layout.angle(&self.reference, node)
            }
            _ => 0.0,
        }
    }

    fn attach_number(&self, number: usize) -> Attachment {
        let root = self.clusters.root(number);
        let (part, _) = self.pose(number);
        match &self.nodes[root] {
            Some((node, pose)) => {
                let mut attachment = Attachment::new(*node, self.layout.kind(*node), pose, &part);
                if self.layout.kind(*node) == NodeKind::PlaneFrame {
                    // Angles along a rod run on past π; the attachment keeps the difference next to zero.
                    let whole = attachment.angle / std::f64::consts::TAU;
                    attachment.angle -= std::f64::consts::TAU * whole.round();
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
        self.attach_number(self.numbers.of(self.structure, frame))
    }

    /// Elements, masses of the nodes, and loads along the rods.
    fn rods(&self) -> (Vec<Element>, Vec<NodeMass>, Vec<Load>) {
        let mut elements = Vec::new();
        let mut masses = vec![NodeMass::NONE; self.layout.nodes()];
        let mut line = Vec::new();
        for (index, rod) in self.structure.rods.iter().enumerate() {
            let points = lobatto(rod.order);
            let length = rod.length / rod.elements as f64;
            let loads: Vec<_> = self.structure.line_loads.iter().filter(|load| load.rod == index).collect();
            for element in 0..rod.elements {
                let start = element as f64 * length;
                let numbers = (0..=rod.order).map(|i| self.numbers.rods[index] + element * rod.order + i);
                let mut sections: Vec<Attachment> = numbers.map(|number| self.attach_number(number)).collect();
                self.straighten_angles(&mut sections);
                let made = self.element(index, rod, start, length, &points, &sections);
                // Consistent shares of mass and load: ∫ N_i (…) ds.
                for (i, at) in sections.iter().enumerate() {
                    let mut share = Vec::new();
                    let mut shares = MassShares::default();
                    for (place, weight) in gauss(rod.order + 1) {
                        let (s, weight) = (start + place * length, weight * length * shape(&points, place).n[i]);
                        share.push((weight, s));
                        let section = (rod.section)(s);
                        shares.add(&self.mass_of_section(at, &section, 1.0), weight);
                    }
                    masses[at.node].add(&shares.body());
                    for load in &loads {
                        let turned = |components: &[Profile; 3]| self.in_plane_axes(components, load.follows);
                        let source = LoadSource::Line(share.clone(), turned(&load.force), turned(&load.torque));
                        line.push(Load { name: load.name.clone(), at: *at, source, follows: load.follows });
                    }
                }
                elements.push(made);
            }
        }
        (elements, masses, line)
    }

    /// In the plane, neighbouring sections of an element differ by less than half a turn.
    fn straighten_angles(&self, sections: &mut [Attachment]) {
        let of = |at: &Attachment| self.layout.angle(&self.reference, at.node) + at.angle;
        for i in 1..sections.len() {
            let both = [i - 1, i].map(|k| self.layout.kind(sections[k].node));
            if both == [NodeKind::PlaneFrame; 2] {
                let turns = (of(&sections[i]) - of(&sections[i - 1])) / std::f64::consts::TAU;
                sections[i].angle -= std::f64::consts::TAU * turns.round();
                sections[i].plain &= sections[i].angle == 0.0;
            }
        }
    }

    fn mass_of_section(&self, at: &Attachment, section: &crate::material::Section, weight: f64) -> NodeMass {
        let kind = self.layout.kind(at.node);
        let centre = at.shifted(kind, section.mass_offset).offset;
        let inertia = match kind {
            NodeKind::SpaceFrame => {
                let turn = at.turn.matrix();
                turn * section.inertia * turn.transpose()
            }
            // About z, which is d₂.
            _ => Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, section.inertia[(1, 1)])),
        };
        NodeMass { mass: section.mass * weight, centre, inertia: inertia * weight }
    }

    fn element(
        &self,
        index: usize,
        rod: &RodPart,
        start: f64,
        length: f64,
        points: &[f64],
        sections: &[Attachment],
    ) -> Element {
        let ends: Vec<Attachment> = sections
            .iter()
            .enumerate()
            .map(|(i, at)| {
                let offset = (rod.section)(start + points[i] * length).elastic_offset;
                at.shifted(self.layout.kind(at.node), offset)
            })
            .collect();
        let middle = start + 0.5 * length;
        let at_instants =
            rod.order == 1 && matches!(rod.quadrature, Quadrature::Trapezoidal | Quadrature::MidpointInSpace);
        let mut element = Element {
            rod: index,
            middle,
            ends,
            fabric: Fabric::String(StringElement { length, rest: 1.0, axial: 0.0, damping: 0.0, law: rod.law.axial }),
            damped: false,
            at_instants,
        };
        if rod.kind == RodKind::String {
            let section = (rod.section)(middle);
            let chord = (element.ends[1].position(&self.layout, &self.reference)
                - element.ends[0].position(&self.layout, &self.reference))
            .norm();
            let prestrain = rod.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(middle)[2]);
            element.fabric = Fabric::String(StringElement {
                length,
                rest: chord / length + prestrain,
                axial: section.stiffness[(2, 2)],
                damping: section.damping[(2, 2)],
                law: rod.law.axial,
            });
            element.damped = section.damping[(2, 2)] != 0.0;
            return element;
        }
        let trapezoidal =
            rod.order == 1 && matches!(rod.quadrature, Quadrature::Trapezoidal | Quadrature::MidpointInTime);
        let rule = if trapezoidal { vec![(0.0, 0.5), (1.0, 0.5)] } else { gauss(rod.order) };
        let quadrature: Vec<SpacePoint> = rule
            .into_iter()
            .map(|(place, weight)| {
                let shape = shape(points, place);
                let mut section = (rod.section)(start + place * length);
                if rod.kind == RodKind::Kirchhoff {
                    // The force across a section that cannot shear is a multiplier, not a stress.
                    for matrix in [&mut section.stiffness, &mut section.damping] {
                        matrix.fill_row(0, 0.0);
                        matrix.fill_column(0, 0.0);
                    }
                }
                SpacePoint {
                    weight: weight * length,
                    n: shape.n,
                    dn: shape.dn.map(|slope| slope / length),
                    stiffness: section.stiffness,
                    damping: section.damping,
                    rest: Vector6::zeros(),
                }
            })
            .collect();
        element.damped = quadrature.iter().any(|point| point.damping.iter().any(|&d| d != 0.0));
        let places: Vec<f64> = quadrature
            .iter()
            .map(|point| {
                let inside: f64 = points.iter().zip(&point.n).map(|(x, n)| x * n).sum();
                start + inside * length
            })
            .collect();
        let nodes = rod.order + 1;
        element.fabric = if self.structure.dimension == 2 {
            Fabric::Plane(PlaneRod { nodes, law: rod.law, points: quadrature })
        } else {
            let geodesic = (rod.order == 1 && !trapezoidal).then_some(length);
            Fabric::Space(SpaceRod { nodes, geodesic, law: rod.law, points: quadrature })
        };
        // The reference shape is unstressed: its strains, as this element measures them, are the rest strains.
        let rest: Vec<Vector6<f64>> = (0..places.len())
            .map(|point| {
                let extra = rod.prestrain.as_ref().map_or_else(Vector6::zeros, |prestrain| prestrain(places[point]));
                element.strain(&self.layout, &self.reference, point) + extra
            })
            .collect();
        if let Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) = &mut element.fabric {
            points.iter_mut().zip(rest).for_each(|(point, rest)| point.rest = rest);
        }
        element
    }

    fn body_masses(&self, masses: &mut [NodeMass]) {
        for (index, body) in self.structure.bodies.iter().enumerate() {
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
        let frames = self.structure.loads.iter().map(|load| {
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
        if in_section && self.structure.dimension == 2 { [third, first, second] } else { [first, second, third] }
    }

    /// Prescribed coordinates of nodes, and supports that hold a point beside its node.
    fn supports(&self) -> (Vec<Prescribed>, Vec<Constraint>) {
        let zero = || Function::constant(0.0);
        let mut prescribed = Vec::new();
        let mut constraints = Vec::new();
        if let Some((node, _)) = self.nodes[0] {
            prescribed.push(Prescribed {
                name: "ground".into(),
                node,
                displacement: std::array::from_fn(|_| Some(zero())),
                rotation: Some(std::array::from_fn(|_| zero())),
            });
        }
        for support in &self.structure.supports {
            let at = self.attach(support.at);
            let rows: Vec<usize> =
                (0..self.structure.dimension).filter(|&c| support.displacement[c].is_some()).collect();
            // Points that are joined may differ by rounding of what the user wrote.
            let beside = at.offset.norm() > 1e-6 * self.size();
            let held = |p: &Prescribed| {
                let all = p.displacement.iter().take(self.structure.dimension).all(Option::is_some);
                p.node == at.node && all && p.rotation.is_some()
            };
            if beside && prescribed.iter().any(held) {
                // The node is held already; its points are where it puts them.
                continue;
            }
            let displacement = if beside { std::array::from_fn(|_| None) } else { support.displacement.clone() };
            prescribed.push(Prescribed {
                name: support.name.clone(),
                node: at.node,
                displacement,
                rotation: support.rotation.clone(),
            });
            if beside {
                let ground = Anchor::Ground(at.position(&self.layout, &self.reference), support.displacement.clone());
                constraints.push(Constraint {
                    name: support.name.clone(),
                    sides: [ground, Anchor::Node(at)],
                    rows: rows.into_iter().map(Row::Coordinate).collect(),
                });
            }
        }
        (prescribed, constraints)
    }

    /// Largest extent of the reference positions, metre.
    fn size(&self) -> f64 {
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for node in 0..self.layout.nodes() {
            let x = self.layout.position(&self.reference, node);
            (low, high) = (low.inf(&x), high.sup(&x));
        }
        (high - low).norm()
    }

    fn joints(&self, constraints: &mut Vec<Constraint>) {
        for joint in &self.structure.joints {
            let axis = match joint.kind {
                JointKind::Rigid => continue,
                JointKind::Spherical => None,
                JointKind::Revolute(axis) => Some(axis),
            };
            let sides = joint.between.map(|frame| match frame {
                Frame::Ground => Anchor::Ground(joint.at, [None, None, None]),
                frame => {
                    let mut at = self.attach(frame);
                    at.offset = self.offset_of(at.node, joint.at);
                    at.plain = false;
                    Anchor::Node(at)
                }
            });
            let mut rows: Vec<Row> = (0..self.structure.dimension).map(Row::Coordinate).collect();
            if let (Some(axis), 3) = (axis, self.structure.dimension) {
                // The axis of the one stays perpendicular to two directions of the other.
                let across = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
                let first = axis.cross(&across).normalize();
                for direction in [first, axis.cross(&first)] {
                    let [u, v] = [(0, axis), (1, direction)].map(|(side, vector)| self.in_frame(&sides[side], vector));
                    rows.push(Row::Perpendicular(u, v));
                }
            }
            constraints.push(Constraint { name: joint.name.clone(), sides, rows });
        }
    }

    /// Elements of Kirchhoff rods do not shear.
    fn unsheared(&self, elements: &[Element], constraints: &mut Vec<Constraint>) {
        for element in elements {
            let rod = &self.structure.rods[element.rod];
            if rod.kind == RodKind::Kirchhoff {
                constraints.push(Constraint::unsheared(&rod.name, element, &self.layout, &self.reference));
            }
        }
    }

    /// A vector of the reference configuration in the frame of a side.
    fn in_frame(&self, side: &Anchor, vector: Vector3<f64>) -> Vector3<f64> {
        match side.node() {
            Some(node) => super::attachment::node_rotation(&self.layout, &self.reference, node).tr_mul(&vector),
            None => vector,
        }
    }

    fn offset_of(&self, node: usize, point: Vector3<f64>) -> Vector3<f64> {
        let away = point - self.layout.position(&self.reference, node);
        super::attachment::node_rotation(&self.layout, &self.reference, node).tr_mul(&away)
    }

    /// Every node of every rod, with its arc length.
    fn sections(&self) -> Vec<Vec<(f64, Attachment)>> {
        let of_rod = |(index, rod): (usize, &RodPart)| {
            let points = lobatto(rod.order);
            let node = |i: usize| (arc_length(rod, i, &points), self.attach_number(self.numbers.rods[index] + i));
            (0..=rod.elements * rod.order).map(node).collect()
        };
        self.structure.rods.iter().enumerate().map(of_rod).collect()
    }

    /// A name for every node.
    fn names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.layout.nodes()];
        let mut give = |node: usize, name: String| {
            if names[node].is_empty() {
                names[node] = name;
            }
        };
        for (index, body) in self.structure.bodies.iter().enumerate() {
            give(self.attach(Frame::Body(index)).node, body.name.clone());
        }
        for (rod, sections) in self.structure.rods.iter().zip(self.sections()) {
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
