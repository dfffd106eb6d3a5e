//! States from one mesh to another.
//!
//! Between two known sections at s_a and s_b the rod is where both would carry its reference shape, blended:
//! x(s) = Σ N_i (P_i ∘ R_i⁻¹)(X(s)) with poses P_i, reference poses R_i and linear N_i. An undeformed rod stays undeformed, and a
//! bent one is met to third order.

use std::f64::consts::TAU;

use nalgebra::{Vector3, Vector6};

use crate::discretisation::assembly::{Assembly, Instant};
use crate::discretisation::stepping::{State, momentum_of_velocity};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::cubic;
use crate::mechanism::Mechanism;
use crate::nlp::EvalFailure;
use crate::terms::shape::{lobatto, shape};
use crate::terms::{Attachment, NodeKind};

/// A frame and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Where it is.
    pub pose: Pose,
    /// Its angle, which runs on past half a turn; plane.
    pub angle: f64,
    /// Its velocity, m/s.
    pub velocity: Vector3<f64>,
    /// Its angular velocity in space, rad/s.
    pub spin: Vector3<f64>,
}

/// A mechanism at an instant: sections of its rods by arc length, and its bodies where they are known.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Sections of each rod in the order of their arc length.
    pub rods: Vec<Vec<(f64, Sample)>>,
    /// Bodies; those rigidly joined to a rod need not be told.
    pub bodies: Vec<Option<Sample>>,
    /// Length paid out of each winch and its rate; those that are not told are as in the reference configuration.
    pub winches: Vec<(f64, f64)>,
}

/// Carries states to the nodes of an assembly, and frames back.
pub struct Transfer<'a> {
    /// The mechanism on the mesh of the assembly.
    pub mechanism: &'a Mechanism,
    /// Its nodes.
    pub assembly: &'a Assembly,
}

impl Transfer<'_> {
    /// The state of all nodes for a mechanism at an instant; nodes that nothing is told of stay as they are in the reference
    /// configuration.
    pub fn state(&self, shape: &Shape, t: f64) -> Result<State, EvalFailure> {
        let (layout, assembly) = (&self.assembly.layout, self.assembly);
        let mut q = assembly.reference.clone();
        assembly.prescribe(Instant { t, factor: 1.0 }, &mut q)?;
        let mut known = vec![None; layout.nodes()];
        for (at, sample) in assembly.bodies.iter().zip(&shape.bodies) {
            if let (None, Some(sample)) = (known[at.node], sample) {
                known[at.node] = Some((*at, *sample));
            }
        }
        for ((rod, sections), samples) in self.mechanism.rods.iter().zip(&assembly.sections).zip(&shape.rods) {
            for (s, at) in sections {
                if known[at.node].is_none() && !samples.is_empty() {
                    let sample = match rod.kind.turns() {
                        true => blended(samples, *s, &*rod.reference),
                        false => self.kept_orientation(at, along_string(samples, *s)),
                    };
                    known[at.node] = Some((*at, sample));
                }
            }
        }
        let mut momentum = vec![0.0; layout.freedom_count()];
        let mut rates = vec![0.0; layout.freedom_count()];
        for (winch, (paid_out, rate)) in assembly.winches.iter().zip(&shape.winches) {
            (q[layout.coordinate(winch.node)], rates[layout.freedom(winch.node)]) = (*paid_out, *rate);
        }
        for (node, known) in known.into_iter().enumerate() {
            let Some((at, sample)) = known else { continue };
            let (first, kind) = (layout.coordinate(node), layout.kind(node));
            let arm = at.place(layout, &sample.pose, sample.angle, &mut q);
            // What is held is where its support has it.
            for support in assembly.prescribed.iter().filter(|support| support.node == node) {
                for c in (0..kind.positions()).filter(|c| support.displacement[*c].is_some()) {
                    q[first + c] = assembly.reference[first + c]
                        + support.displacement[c].as_ref().and_then(|f| f.value(t).ok()).unwrap_or(0.0);
                }
            }
            let velocity = sample.velocity - sample.spin.cross(&arm);
            let mut v = Vector6::zeros();
            (0..kind.positions()).for_each(|c| v[c] = velocity[c]);
            match kind {
                NodeKind::PlaneFrame => v[2] = sample.spin[2],
                NodeKind::SpaceFrame => {
                    let spin = layout.orientation(&q, node).to_material(sample.spin);
                    v.fixed_rows_mut::<3>(3).copy_from(&spin);
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => {}
            }
            let p = momentum_of_velocity(layout, node, &q, &v, &assembly.masses[node]);
            let dof = layout.freedom(node);
            momentum[dof..dof + kind.freedoms()].copy_from_slice(&p.as_slice()[..kind.freedoms()]);
            rates[dof..dof + kind.freedoms()].copy_from_slice(&v.as_slice()[..kind.freedoms()]);
        }
        assembly.prescribe(Instant { t, factor: 1.0 }, &mut q)?;
        assembly.add_rope_momenta(&q, &rates, 1.0, 0.0, &mut momentum);
        Ok(State { t, q, momentum })
    }

    /// A string does not say how a body at its end is oriented: as in the reference configuration, unless the body is known.
    fn kept_orientation(&self, at: &Attachment, sample: Sample) -> Sample {
        let (layout, reference) = (&self.assembly.layout, &self.assembly.reference);
        let orientation = at.pose(layout, reference).orientation;
        let angle = match layout.kind(at.node) {
            NodeKind::PlaneFrame => layout.angle(reference, at.node) + at.angle,
            _ => 0.0,
        };
        Sample { pose: Pose { orientation, ..sample.pose }, angle, ..sample }
    }

    /// The sections of the element at an arc length of a rod, with its shape functions there.
    pub fn weights(&self, rod: usize, s: f64) -> Vec<(Attachment, f64)> {
        let (part, sections) = (&self.mechanism.rods[rod], &self.assembly.sections[rod]);
        let element = (0..part.elements).find(|e| s < part.span(*e).0 + part.span(*e).1).unwrap_or(part.elements - 1);
        let (start, length) = part.span(element);
        let weights = shape(&lobatto(part.order), ((s - start) / length).clamp(0.0, 1.0)).n;
        let nodes = &sections[element * part.order..=(element + 1) * part.order];
        nodes.iter().zip(weights).map(|((_, at), weight)| (*at, weight)).collect()
    }

    /// Where the section of a rod at an arc length is in a configuration: by the shape functions of its element.
    pub fn section(&self, rod: usize, s: f64, q: &[f64]) -> (Pose, f64) {
        let layout = &self.assembly.layout;
        let (mut position, mut angle) = (Vector3::zeros(), 0.0);
        let mut turn = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        for (at, weight) in self.weights(rod, s) {
            let pose = at.pose(layout, q);
            position += pose.position * weight;
            turn = turn + pose.orientation * weight;
            if layout.kind(at.node) == NodeKind::PlaneFrame {
                angle += weight * (layout.angle(q, at.node) + at.angle);
            }
        }
        (Pose { position, orientation: turn.normalised() }, angle)
    }
}

/// A point of a string between known ones: on cubics where these are equally far apart, else on straight lines.
fn along_string(samples: &[(f64, Sample)], s: f64) -> Sample {
    let (first, last) = (samples[0].0, samples[samples.len() - 1].0);
    let step = (last - first) / samples.len().saturating_sub(1).max(1) as f64;
    let equal = samples.iter().enumerate().all(|(i, (at, _))| (at - first - i as f64 * step).abs() < 1e-9 * step);
    let value = |of: &dyn Fn(&Sample) -> f64| {
        let list: Vec<f64> = samples.iter().map(|(_, sample)| of(sample)).collect();
        if equal && list.len() > 1 {
            return cubic(&list, (s - first) / step);
        }
        let after = samples.partition_point(|(at, _)| *at < s).clamp(1, samples.len().max(2) - 1);
        let (a, b) = (samples[after - 1].0, samples[after].0);
        list[after - 1] + (s - a) / (b - a) * (list[after] - list[after - 1])
    };
    let vector = |of: &dyn Fn(&Sample) -> Vector3<f64>| Vector3::from_fn(|c, _| value(&|sample| of(sample)[c]));
    let pose = Pose { position: vector(&|sample| sample.pose.position), orientation: Quaternion::IDENTITY };
    Sample { pose, angle: 0.0, velocity: vector(&|sample| sample.velocity), spin: Vector3::zeros() }
}

/// The section at s between known ones.
fn blended(samples: &[(f64, Sample)], s: f64, reference: &dyn Fn(f64) -> Pose) -> Sample {
    let after = samples.partition_point(|(other, _)| *other < s).clamp(1, samples.len().max(2) - 1);
    let pair = [&samples[after - 1], &samples[after.min(samples.len() - 1)]];
    let span = pair[1].0 - pair[0].0;
    let share = if span > 0.0 { ((s - pair[0].0) / span).clamp(0.0, 1.0) } else { 0.0 };
    let own = reference(s);
    let mut out = Sample { pose: Pose::IDENTITY, angle: 0.0, velocity: Vector3::zeros(), spin: Vector3::zeros() };
    let (mut turn, mut position) = (Quaternion::new(0.0, 0.0, 0.0, 0.0), Vector3::zeros());
    for ((at, sample), weight) in pair.into_iter().zip([1.0 - share, share]) {
        let there = reference(*at);
        let carried = (sample.pose.orientation * there.orientation.conjugate()) * own.orientation;
        let point = sample.pose.point(there.offset_of(own.position));
        let sign = if turn.to_vector().dot(&carried.to_vector()) < 0.0 { -1.0 } else { 1.0 };
        turn = turn + carried * (sign * weight);
        position += point * weight;
        out.velocity += (sample.velocity + sample.spin.cross(&(point - sample.pose.position))) * weight;
        out.spin += sample.spin * weight;
        // The section turns with its neighbour, and from it as the reference shape does: by less than half a turn.
        let bend = direction(&own) - direction(&there);
        out.angle += weight * (sample.angle + bend - TAU * (bend / TAU).round());
    }
    out.pose = Pose { position, orientation: turn.normalised() };
    out
}

/// Angle of the tangent of a plane section.
fn direction(pose: &Pose) -> f64 {
    let d3 = pose.orientation.rotate(Vector3::z());
    d3[1].atan2(d3[0])
}
