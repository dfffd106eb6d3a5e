//! Quantities of a mechanism besides its coordinates: places of other frames, angles and ways of joints.

use super::forces::Measure;
use super::nodes::{Placed, Placement};
use super::view::View;
use super::{At, Mechanics, Multibody};
use crate::models::Machine;
use crate::models::machine::JointRef;
use crate::models::structure::{Frame, JointKind};
use crate::nlp::graph::{Expr, Graph};
use crate::nlp::{EvalFailure, Nlp};

/// A quantity.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quantity {
    /// Position of a frame along an axis.
    Position(Placed, usize),
    /// Angle of a frame; plane.
    Angle(Placed),
    /// Angle or way of a joint.
    Joint(Measure),
}

/// Angle or way of a joint over time.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMotion {
    /// Its name, `elbow.angle` or `rail.position`.
    pub name: String,
    /// Radian or metre.
    pub values: Vec<f64>,
    /// Their rates, per second.
    pub rates: Vec<f64>,
}

impl Quantity {
    pub fn value<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        match self {
            Quantity::Position(placed, axis) => view.point(placed)[*axis],
            Quantity::Angle(placed) => view.angle(placed),
            Quantity::Joint(measure) => measure.value(view),
        }
    }
}

/// Bodies, ends of rods and places that are mentioned.
fn frames(machine: &Machine, mentioned: &[(String, Frame)]) -> Vec<(String, Frame)> {
    let structure = &machine.structure;
    let bodies = (0..structure.bodies.len()).map(Frame::Body);
    let ends = structure
        .rods
        .iter()
        .enumerate()
        .flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
    let mut frames: Vec<_> = bodies.chain(ends).map(|frame| (structure.frame_name(frame), frame)).collect();
    let others = mentioned.iter().filter(|(name, _)| !frames.iter().any(|(known, _)| known == name)).cloned();
    let others: Vec<_> = others.collect();
    frames.extend(others);
    frames
}

/// All quantities that are not coordinates.
pub(super) fn quantities(
    machine: &Machine,
    places: &Placement,
    mentioned: &[(String, Frame)],
) -> Vec<(String, Quantity)> {
    let dimension = machine.structure.dimension;
    let mut found = Vec::new();
    for (name, frame) in frames(machine, mentioned) {
        let placed = places.of(frame);
        // The frame whose name a node has is told by the coordinates.
        if placed.node.is_none_or(|node| places.nodes[node].name == name) {
            continue;
        }
        for axis in 0..dimension {
            found.push((format!("{name}.{}", ["x", "y", "z"][axis]), Quantity::Position(placed, axis)));
        }
        if dimension == 2 && placed.node.is_some_and(|node| places.nodes[node].turns) {
            found.push((format!("{name}.angle"), Quantity::Angle(placed)));
        }
    }
    let joints = machine.structure.joints.iter().enumerate();
    let joints = joints.filter(|(_, joint)| joint.kind != JointKind::Rigid).map(|(index, _)| JointRef::Joint(index));
    for joint in joints.chain((0..machine.structure.couplings.len()).map(JointRef::Coupling)) {
        let [a, b] = machine.structure.sides(joint).map(|(frame, point)| places.point(frame, point));
        let turns = |placed: &Placed| placed.node.is_none_or(|node| places.nodes[node].turns);
        let name = machine.structure.joint_name(joint);
        if let Some(axis) = machine.structure.turning_axis(joint).filter(|_| turns(&a) && turns(&b)) {
            found.push((format!("{name}.angle"), Quantity::Joint(Measure::Angle(a, b, axis))));
        }
        if let Some(axis) = machine.structure.sliding_axis(joint) {
            found.push((format!("{name}.position"), Quantity::Joint(Measure::Way(a, b, axis))));
        }
    }
    found
}

/// Frames with an orientation in space, by name.
pub(super) fn orientations(
    machine: &Machine,
    places: &Placement,
    mentioned: &[(String, Frame)],
) -> Vec<(String, Placed)> {
    if machine.structure.dimension == 2 {
        return Vec::new();
    }
    let frames = frames(machine, mentioned).into_iter().map(|(name, frame)| (name, places.of(frame)));
    frames.filter(|(_, placed)| placed.node.is_some_and(|node| places.nodes[node].turns)).collect()
}

impl Multibody {
    /// Names of the quantities that are not coordinates.
    pub fn quantity_names(&self) -> Vec<String> {
        self.quantities.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Names of the angles and ways of the joints.
    pub fn joint_quantities(&self) -> Vec<String> {
        let is_joint = |(_, quantity): &&(String, Quantity)| matches!(quantity, Quantity::Joint(_));
        self.quantities.iter().filter(is_joint).map(|(name, _)| name.clone()).collect()
    }

    /// The quantities at a state.
    pub fn quantity_values<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let view = View { body: self, at };
        self.quantities.iter().map(|(_, quantity)| quantity.value(&view)).collect()
    }

    /// The quantities in a configuration.
    pub fn quantities_at(&self, q: &[f64]) -> Result<Vec<f64>, EvalFailure> {
        self.evaluate(q, |view| self.quantities.iter().map(|(_, quantity)| quantity.value(view)).collect())
    }

    /// Angles and ways of the joints in configurations, with their rates for velocities.
    pub fn joint_motion(&self, q: &[Vec<f64>], v: &[Vec<f64>]) -> Result<Vec<JointMotion>, EvalFailure> {
        let is_joint = |(_, quantity): &&(String, Quantity)| matches!(quantity, Quantity::Joint(_));
        let joints: Vec<&(String, Quantity)> = self.quantities.iter().filter(is_joint).collect();
        let graph = Graph::new();
        let input = |name: &String| graph.variable(name.clone(), 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let names = self.coordinates();
        let (at_q, at_v): (Vec<Expr<'_>>, Vec<Expr<'_>>) =
            (names.iter().map(input).collect(), names.iter().map(input).collect());
        let zeros = vec![graph.constant(0.0); self.controls.len()];
        let at = At { graph: &graph, q: at_q, v: at_v, u: zeros, t: graph.constant(0.0) };
        let view = View { body: self, at: &at };
        for (name, quantity) in &joints {
            let value = quantity.value(&view);
            let slopes = graph.gradient(value, &at.q).into_iter().zip(&at.v);
            let rate = graph.sum(slopes.map(|(slope, v)| slope * *v).collect::<Vec<_>>());
            graph.subject_to(name.clone(), value, 0.0, 0.0);
            graph.subject_to(name.clone(), rate, 0.0, 0.0);
        }
        let mut program = graph.build();
        let mut rows = vec![0.0; 2 * joints.len()];
        let still = |name: &String| JointMotion { name: name.clone(), values: Vec::new(), rates: Vec::new() };
        let mut found: Vec<JointMotion> = joints.iter().map(|(name, _)| still(name)).collect();
        for (q, v) in q.iter().zip(v) {
            program.constraints(&[&q[..], v].concat(), &mut rows)?;
            for (joint, pair) in found.iter_mut().zip(rows.chunks_exact(2)) {
                joint.values.push(pair[0]);
                joint.rates.push(pair[1]);
            }
        }
        Ok(found)
    }

    /// Names of the frames with an orientation in space.
    pub fn oriented(&self) -> Vec<String> {
        self.orientations.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Names of the rods.
    pub fn rod_names(&self) -> Vec<String> {
        self.rods.iter().map(|(name, _)| name.clone()).collect()
    }
}
