//! Quantities of a mechanism besides its coordinates: places of other frames, angles and travels of joints.

use super::view::View;
use super::{At, Mechanics, Multibody};
use crate::discretisation::assembly::Assembly;
use crate::mechanism::{Frame, Mechanism};
use crate::nlp::graph::{Expr, Graph};
use crate::nlp::{EvalFailure, Nlp};
use crate::terms::{Attachment, Constraint, NodeKind};

/// A quantity.
#[derive(Debug, Clone)]
pub(super) enum Quantity {
    /// Position of a frame along an axis.
    Position(Attachment, usize),
    /// Angle of a frame; plane.
    Angle(Attachment),
    /// Angle or travel of a joint, by the only row of a condition that nothing enforces.
    Joint(Box<Constraint>),
}

/// Angle or travel of a joint over time.
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
        let nodes = view.nodes();
        match self {
            Quantity::Position(at, axis) => nodes.point(at)[*axis],
            Quantity::Angle(at) => nodes.angle_of(at),
            Quantity::Joint(measure) => measure.value_over(&nodes, nodes.zero(), 0),
        }
    }
}

/// Bodies, ends of rods and places that are mentioned.
pub(super) fn frames(mechanism: &Mechanism, mentioned: &[(String, Frame)]) -> Vec<(String, Frame)> {
    let bodies = (0..mechanism.bodies.len()).map(Frame::Body);
    let ends = mechanism
        .rods
        .iter()
        .enumerate()
        .flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
    let mut frames: Vec<_> = bodies.chain(ends).map(|frame| (mechanism.frame_name(frame), frame)).collect();
    let others = mentioned.iter().filter(|(name, _)| !frames.iter().any(|(known, _)| known == name)).cloned();
    let others: Vec<_> = others.collect();
    frames.extend(others);
    frames
}

/// Whether a node stays where it is.
fn rests(assembly: &Assembly, held: &[bool], node: usize) -> bool {
    held[node] && !assembly.prescribed.iter().any(|support| support.node == node && support.moves())
}

/// All quantities that are not coordinates.
pub(super) fn quantities(
    mechanism: &Mechanism,
    assembly: &Assembly,
    held: &[bool],
    names: &[String],
    frames: &[(String, Frame)],
) -> Vec<(String, Quantity)> {
    let mut found = Vec::new();
    for (name, frame) in frames {
        let Some(at) = assembly.frame(*frame) else { continue };
        // The frame whose name a node has is told by the coordinates.
        if rests(assembly, held, at.node) || (names[at.node] == *name && !held[at.node]) {
            continue;
        }
        for axis in 0..mechanism.dimension {
            found.push((format!("{name}.{}", ["x", "y", "z"][axis]), Quantity::Position(at, axis)));
        }
        if assembly.layout.kind(at.node) == NodeKind::PlaneFrame {
            found.push((format!("{name}.angle"), Quantity::Angle(at)));
        }
    }
    for (joint, part) in mechanism.joints.iter().enumerate() {
        let name = &part.name;
        let angle = assembly.joint_angle(mechanism, joint).map(|measure| (format!("{name}.angle"), measure));
        let travel = assembly.joint_travel(mechanism, joint).map(|measure| (format!("{name}.position"), measure));
        for (name, measure) in angle.into_iter().chain(travel) {
            found.push((name, Quantity::Joint(Box::new(measure))));
        }
    }
    found
}

/// Frames with an orientation in space, by name.
pub(super) fn orientations(
    assembly: &Assembly,
    held: &[bool],
    frames: &[(String, Frame)],
) -> Vec<(String, Attachment)> {
    let placed = frames.iter().filter_map(|(name, frame)| assembly.frame(*frame).map(|at| (name.clone(), at)));
    placed
        .filter(|(_, at)| assembly.layout.kind(at.node) == NodeKind::SpaceFrame && !rests(assembly, held, at.node))
        .collect()
}

impl Multibody {
    /// Names of the quantities that are not coordinates.
    pub fn quantity_names(&self) -> Vec<String> {
        self.quantities.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Names of the angles and travels of the joints.
    pub fn joint_quantities(&self) -> Vec<String> {
        let is_joint = |(_, quantity): &&(String, Quantity)| matches!(quantity, Quantity::Joint(_));
        self.quantities.iter().filter(is_joint).map(|(name, _)| name.clone()).collect()
    }

    /// The quantities at a state.
    pub fn quantity_values<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let view = View::new(self, at);
        self.quantities.iter().map(|(_, quantity)| quantity.value(&view)).collect()
    }

    /// The quantities in a configuration at a time.
    pub fn quantities_at(&self, q: &[f64], t: f64) -> Result<Vec<f64>, EvalFailure> {
        self.evaluate(q, t, |view| self.quantities.iter().map(|(_, quantity)| quantity.value(view)).collect())
    }

    /// Angles and travels of the joints in configurations, with their rates for velocities.
    pub fn joint_motion(&self, times: &[f64], q: &[Vec<f64>], v: &[Vec<f64>]) -> Result<Vec<JointMotion>, EvalFailure> {
        let is_joint = |(_, quantity): &&(String, Quantity)| matches!(quantity, Quantity::Joint(_));
        let joints: Vec<&(String, Quantity)> = self.quantities.iter().filter(is_joint).collect();
        let graph = Graph::new();
        let input = |name: &String| graph.variable(name.clone(), 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let names = self.coordinates();
        let (at_q, at_v): (Vec<Expr<'_>>, Vec<Expr<'_>>) =
            (names.iter().map(input).collect(), names.iter().map(input).collect());
        let (t, shift) = (graph.parameter("t"), graph.parameter("shift"));
        // The rate is the derivative by a shift s, which is zero, of the value at q + s v and t + s.
        let along = at_q.iter().zip(&at_v).map(|(q, v)| *q + shift * *v).collect();
        let u = vec![graph.constant(0.0); self.controls.len()];
        let at = At { graph: &graph, q: along, v: at_v, u, t: t + shift };
        let view = View::new(self, &at);
        for (name, quantity) in &joints {
            let value = quantity.value(&view);
            graph.subject_to(name.clone(), value, 0.0, 0.0);
            graph.subject_to(name.clone(), graph.gradient(value, &[shift])[0], 0.0, 0.0);
        }
        let mut program = graph.build();
        let mut rows = vec![0.0; 2 * joints.len()];
        let still = |name: &String| JointMotion { name: name.clone(), values: Vec::new(), rates: Vec::new() };
        let mut found: Vec<JointMotion> = joints.iter().map(|(name, _)| still(name)).collect();
        for ((q, v), t) in q.iter().zip(v).zip(times) {
            program.constraints(&[&q[..], v, &[*t, 0.0]].concat(), &mut rows)?;
            for (joint, pair) in found.iter_mut().zip(rows.chunks_exact(2)) {
                joint.values.push(pair[0]);
                joint.rates.push(pair[1]);
            }
        }
        Ok(found)
    }

    /// The frame and the degree of freedom that a name such as `arm.end.x` stands for; none of joints and components of
    /// quaternions.
    pub fn freedom_of(&self, name: &str) -> Option<(Frame, usize)> {
        let (of, component) = name.rsplit_once('.')?;
        let (_, frame) = self.frames.iter().find(|(known, _)| known == of)?;
        let freedom = match component {
            "x" => 0,
            "y" => 1,
            "z" if self.dimension == 3 => 2,
            "angle" if self.dimension == 2 => 2,
            _ => return None,
        };
        Some((*frame, freedom))
    }

    /// Names of the frames with an orientation in space.
    pub fn oriented(&self) -> Vec<String> {
        self.orientations.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Names of the rods.
    pub fn rod_names(&self) -> Vec<String> {
        self.rods.clone()
    }
}
