//! Between the coordinates of a mechanism and its nodes on another mesh.

use nalgebra::{Vector3, Vector6};

use super::view::View;
use super::{At, Multibody};
use crate::discretisation::assembly::{Assembly, node_rotation};
use crate::discretisation::remesh::{Sample, Shape, Transfer};
use crate::geometry::Quaternion;
use crate::geometry::algebra::times_imaginary;
use crate::nlp::graph::Graph;
use crate::terms::{Attachment, MovingNodes, NodeKind, Nodes};

impl Multibody {
    /// Where all sections and bodies are at a state, and how they move.
    pub fn shape(&self, q: &[f64], v: &[f64], t: f64) -> Shape {
        let (whole, rates) = (self.whole(q, t), self.whole_rates(v, t));
        let moving = MovingNodes { nodes: Nodes { layout: &self.assembly.layout, q: &whole }, v: &rates };
        let sample = |at: &Attachment| sample(&self.assembly, &whole, &moving, at);
        let rods = self.assembly.sections.iter();
        Shape {
            rods: rods.map(|sections| sections.iter().map(|(s, at)| (*s, sample(at))).collect()).collect(),
            bodies: self.assembly.bodies.iter().map(|at| Some(sample(at))).collect(),
            winches: Vec::new(),
        }
    }

    /// Rates of the coordinates of all nodes, those of moving supports included.
    fn whole_rates(&self, v: &[f64], t: f64) -> Vec<f64> {
        let graph = Graph::new();
        let numbers = |list: &[f64]| list.iter().map(|x| graph.constant(*x)).collect::<Vec<_>>();
        let at =
            At { graph: &graph, q: numbers(&self.reference()), v: numbers(v), u: Vec::new(), t: graph.constant(t) };
        let view = View::new(self, &at);
        view.moving().v.iter().map(|rate| rate.number().unwrap_or(0.0)).collect()
    }

    /// The coordinates of shapes of the mechanism on another mesh, one after the other in time; none where a support has no place.
    pub fn carried<'t>(&self, shapes: impl Iterator<Item = (Shape, &'t f64)>) -> Option<Vec<Vec<f64>>> {
        let transfer = Transfer { mechanism: &self.mechanism, assembly: &self.assembly };
        let mut near = self.reference();
        let carry = |(shape, t): (Shape, &f64)| {
            let whole = transfer.state(&shape, *t).ok()?.q;
            let mut q = self.coordinates_of(&whole);
            self.turn_quaternions(&mut q, &near);
            near.clone_from(&q);
            Some(q)
        };
        shapes.map(carry).collect()
    }

    /// Changes the signs of quaternions that are on the other side than those of a configuration nearby: p and −p are the same
    /// rotation.
    fn turn_quaternions(&self, q: &mut [f64], near: &[f64]) {
        let layout = &self.assembly.layout;
        for node in (0..layout.nodes()).filter(|node| layout.kind(*node) == NodeKind::SpaceFrame) {
            let first = layout.coordinate(node) + 3;
            let Some(p) = self.places[first] else { continue };
            if (p..p + 4).map(|i| q[i] * near[i]).sum::<f64>() < 0.0 {
                q[p..p + 4].iter_mut().for_each(|component| *component = -*component);
            }
        }
    }

    /// The coordinates, and their rates, that a state on another mesh has. Quaternions are on the side of those of a
    /// configuration nearby.
    pub fn seen(&self, transfer: &Transfer<'_>, q: &[f64], velocities: &[Vector6<f64>], near: &[f64]) -> [Vec<f64>; 2] {
        let layout = &self.assembly.layout;
        let mut found = [near.to_vec(), vec![0.0; near.len()]];
        let mut known = vec![false; layout.nodes()];
        let sections = self.assembly.sections.iter().enumerate();
        let sections = sections.flat_map(|(rod, list)| list.iter().map(move |(s, at)| (at, Some((rod, *s)))));
        let bodies = self.assembly.bodies.iter().enumerate();
        let frames = bodies.map(|(body, at)| (at, None, Some(body)));
        for (at, section, body) in frames.chain(sections.map(|(at, section)| (at, section, None))) {
            if self.held[at.node] || std::mem::replace(&mut known[at.node], true) {
                continue;
            }
            let seen = match (section, body) {
                (Some((rod, s)), _) => section_sample(transfer, rod, s, q, velocities),
                (None, Some(body)) => frame_sample(transfer, &transfer.assembly.bodies[body], q, velocities),
                (None, None) => continue,
            };
            self.write(at, &seen, near, &mut found);
        }
        found
    }

    /// Writes the coordinates and rates of the node of a frame.
    fn write(&self, at: &Attachment, seen: &Sample, near: &[f64], found: &mut [Vec<f64>; 2]) {
        let layout = &self.assembly.layout;
        let (first, kind) = (layout.coordinate(at.node), layout.kind(at.node));
        let mut give = |coordinate: usize, value: f64, rate: f64| {
            if let Some(place) = self.places[coordinate] {
                (found[0][place], found[1][place]) = (value, rate);
            }
        };
        let arm = match kind {
            NodeKind::SpaceFrame => {
                let mut p = (seen.pose.orientation * at.turn.conjugate()).normalised();
                let old = [0, 1, 2, 3].map(|i| self.places[first + 3 + i].map_or(0.0, |place| near[place]));
                if p.to_array().iter().zip(old).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                    p = p * -1.0;
                }
                let rate = times_imaginary(p.to_array(), p.to_material(seen.spin).into()).map(|x| 0.5 * x);
                (0..4).for_each(|i| give(first + 3 + i, p.to_array()[i], rate[i]));
                p.rotate(at.offset)
            }
            NodeKind::PlaneFrame => {
                let angle = seen.angle - at.angle;
                give(first + 2, angle, seen.spin[2]);
                Quaternion::from_rotation_vector(Vector3::z() * angle).rotate(at.offset)
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
        };
        let (position, velocity) = (seen.pose.position - arm, seen.velocity - seen.spin.cross(&arm));
        (0..kind.positions()).for_each(|c| give(first + c, position[c], velocity[c]));
    }
}

/// An attached frame of a configuration with rates.
fn sample(assembly: &Assembly, q: &[f64], moving: &MovingNodes<'_, f64>, at: &Attachment) -> Sample {
    let layout = &assembly.layout;
    let rotation = node_rotation(layout, q, at.node);
    let spin = rotation * Vector3::from(moving.spin(at.node));
    let velocity = Vector3::from(moving.velocity(at.node)) + spin.cross(&(rotation * at.offset));
    Sample { pose: at.pose(layout, q), angle: angle(assembly, q, at), velocity, spin }
}

fn angle(assembly: &Assembly, q: &[f64], at: &Attachment) -> f64 {
    match assembly.layout.kind(at.node) {
        NodeKind::PlaneFrame => assembly.layout.angle(q, at.node) + at.angle,
        _ => 0.0,
    }
}

/// An attached frame on another mesh, with velocities (ẋ, Ω or θ̇) of its nodes.
fn frame_sample(transfer: &Transfer<'_>, at: &Attachment, q: &[f64], velocities: &[Vector6<f64>]) -> Sample {
    let (assembly, v) = (transfer.assembly, &velocities[at.node]);
    let layout = &assembly.layout;
    let rotation = node_rotation(layout, q, at.node);
    let positions = layout.kind(at.node).positions();
    let linear = Vector3::from_fn(|c, _| if c < positions { v[c] } else { 0.0 });
    let spin = match layout.kind(at.node) {
        NodeKind::SpaceFrame => rotation * v.fixed_rows::<3>(3),
        NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, v[2]),
        NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
    };
    let velocity = linear + spin.cross(&(rotation * at.offset));
    Sample { pose: at.pose(layout, q), angle: angle(assembly, q, at), velocity, spin }
}

/// The section of a rod at an arc length on another mesh.
fn section_sample(transfer: &Transfer<'_>, rod: usize, s: f64, q: &[f64], velocities: &[Vector6<f64>]) -> Sample {
    let (pose, angle) = transfer.section(rod, s, q);
    let mut out = Sample { pose, angle, velocity: Vector3::zeros(), spin: Vector3::zeros() };
    for (at, weight) in transfer.weights(rod, s) {
        let own = frame_sample(transfer, &at, q, velocities);
        out.velocity += own.velocity * weight;
        out.spin += own.spin * weight;
    }
    out
}
