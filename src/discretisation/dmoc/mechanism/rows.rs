//! Joints and supports as equations g(q) = 0 of frames on nodes.

use nalgebra::Vector3;

use super::algebra::{dot, imaginary, norm_squared, relative, sub};
use super::nodes::{Placed, Placement};
use super::view::View;
use super::{MechanismError, is_still};
use crate::geometry::Pose;
use crate::models::machine::{CouplingKind, JointRef};
use crate::models::structure::{Frame, JointKind, SupportPart};
use crate::models::{Machine, Structure};
use crate::nlp::graph::Expr;

/// One equation.
#[derive(Debug, Clone)]
pub(super) enum Row {
    /// ½ (|p|² − 1) of a node.
    Unit(usize),
    /// (r_b − r_a) along an axis of space.
    Coordinate(Placed, Placed, usize),
    /// u·v of a direction of either frame.
    Perpendicular([(Placed, Vector3<f64>); 2]),
    /// Component of Im(p̄_a p_b): both frames, which coincide in the reference configuration, stay parallel; space.
    Parallel(Placed, Placed, usize),
    /// θ_b − θ_a − constant; plane.
    SameAngle(Placed, Placed, f64),
    /// (r_b − r_a)·u with a direction u of the first frame.
    Across(Placed, Placed, Vector3<f64>),
    /// ½ (|r_b − r_a|² − l²)/l.
    Distance(Placed, Placed, f64),
}

impl Row {
    pub fn value<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        match self {
            Row::Unit(node) => 0.5 * (norm_squared(view.quaternion(*node)) - 1.0),
            Row::Coordinate(a, b, axis) => sub(view.point(b), view.point(a))[*axis],
            Row::Perpendicular([(a, u), (b, v)]) => dot(view.direction(a, *u), view.direction(b, *v)),
            Row::Parallel(a, b, axis) => imaginary(relative(view.turn(a), view.turn(b)))[*axis],
            Row::SameAngle(a, b, constant) => view.angle(b) - view.angle(a) - *constant,
            Row::Across(a, b, u) => dot(sub(view.point(b), view.point(a)), view.direction(a, *u)),
            Row::Distance(a, b, length) => {
                let between = sub(view.point(b), view.point(a));
                (dot(between, between) - length * length) * (0.5 / length)
            }
        }
    }
}

/// Two directions perpendicular to an axis and to each other.
pub(super) fn across(axis: Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = axis.cross(&other).normalize();
    [first, axis.cross(&first)]
}

/// All equations with their names: unit quaternions, joints, supports.
pub(super) fn rows(machine: &Machine, places: &Placement) -> Result<Vec<(String, Row)>, MechanismError> {
    let structure = &machine.structure;
    let mut rows: Vec<(String, Row)> = Vec::new();
    for (index, node) in places.nodes.iter().enumerate() {
        if structure.dimension == 3 && node.turns {
            rows.push((format!("length of the quaternion of {}", node.name), Row::Unit(index)));
        }
    }
    for (index, joint) in structure.joints.iter().enumerate() {
        if joint.kind == JointKind::Rigid {
            continue;
        }
        let sides = sides(machine, places, JointRef::Joint(index))?;
        let name = |what: &str| format!("{what} of joint {}", joint.name);
        positions(structure, sides, &name, &mut rows);
        if let (JointKind::Revolute(axis), 3) = (joint.kind, structure.dimension) {
            turning(machine, places, JointRef::Joint(index), sides)?;
            for direction in across(axis) {
                rows.push((name("axis"), Row::Perpendicular([(sides[0], direction), (sides[1], axis)])));
            }
        }
    }
    for index in 0..machine.structure.couplings.len() {
        coupling(machine, places, index, &mut rows)?;
    }
    for support in &structure.supports {
        held(structure, places, support, &mut rows);
    }
    Ok(rows)
}

/// Frames of a joint at its point, with axes along those of space in the reference configuration.
fn sides(machine: &Machine, places: &Placement, joint: JointRef) -> Result<[Placed; 2], MechanismError> {
    let [a, b] = machine.structure.sides(joint).map(|(frame, point)| places.point(frame, point));
    if a.node == b.node {
        return Err(MechanismError::SameBody(machine.structure.joint_name(joint).to_owned()));
    }
    Ok([a, b])
}

/// A joint that holds a direction needs frames that have one.
fn turning(machine: &Machine, places: &Placement, joint: JointRef, sides: [Placed; 2]) -> Result<(), MechanismError> {
    for (side, (frame, _)) in sides.iter().zip(machine.structure.sides(joint)) {
        if side.node.is_some_and(|node| !places.nodes[node].turns) {
            let (joint, frame) = (machine.structure.joint_name(joint).to_owned(), machine.structure.frame_name(frame));
            return Err(MechanismError::NoOrientation { joint, frame });
        }
    }
    Ok(())
}

fn positions(structure: &Structure, [a, b]: [Placed; 2], name: &dyn Fn(&str) -> String, rows: &mut Vec<(String, Row)>) {
    for axis in 0..structure.dimension {
        rows.push((name(["x", "y", "z"][axis]), Row::Coordinate(a, b, axis)));
    }
}

fn coupling(
    machine: &Machine,
    places: &Placement,
    index: usize,
    rows: &mut Vec<(String, Row)>,
) -> Result<(), MechanismError> {
    let (coupling, structure) = (&machine.structure.couplings[index], &machine.structure);
    let [a, b] = sides(machine, places, JointRef::Coupling(index))?;
    let name = |what: &str| format!("{what} of joint {}", coupling.name);
    if coupling.kind != CouplingKind::Distance {
        turning(machine, places, JointRef::Coupling(index), [a, b])?;
    }
    let mut perpendicular =
        |u: Vector3<f64>, v: Vector3<f64>| rows.push((name("axis"), Row::Perpendicular([(a, u), (b, v)])));
    match coupling.kind {
        CouplingKind::Universal([first, second]) => {
            perpendicular(first, second);
            positions(structure, [a, b], &name, rows);
        }
        CouplingKind::Cylindrical(axis) => {
            across(axis).into_iter().for_each(|direction| perpendicular(direction, axis));
            rows.extend(across(axis).map(|direction| (name("way across"), Row::Across(a, b, direction))));
        }
        CouplingKind::Planar(normal) => {
            across(normal).into_iter().for_each(|direction| perpendicular(direction, normal));
            rows.push((name("way across"), Row::Across(a, b, normal)));
        }
        CouplingKind::Prismatic(axis) if structure.dimension == 2 => {
            let turn = b.angle_in(places) - a.angle_in(places);
            rows.push((name("angle"), Row::SameAngle(a, b, turn)));
            rows.push((name("way across"), Row::Across(a, b, Vector3::z().cross(&axis))));
        }
        CouplingKind::Prismatic(axis) => {
            let b = a.aligned(b, places);
            rows.extend((0..3).map(|i| (name("rotation"), Row::Parallel(a, b, i))));
            rows.extend(across(axis).map(|direction| (name("way across"), Row::Across(a, b, direction))));
        }
        CouplingKind::Distance => {
            let length = (coupling.at[1] - coupling.at[0]).norm();
            rows.push((name("length"), Row::Distance(a, b, length)));
        }
    }
    Ok(())
}

/// Coordinates that a support holds, unless it clamps.
fn held(structure: &Structure, places: &Placement, support: &SupportPart, rows: &mut Vec<(String, Row)>) {
    if clamps(structure, support) {
        return;
    }
    let (here, pose) = (places.of(support.at), structure.reference_pose(support.at));
    if here.node.is_none() {
        return;
    }
    let name = |what: &str| format!("{what} of support {}", support.name);
    for axis in (0..structure.dimension).filter(|axis| support.displacement[*axis].is_some()) {
        rows.push((name(["x", "y", "z"][axis]), Row::Coordinate(Placed::fixed(pose.position), here, axis)));
    }
    if support.rotation.is_some() && structure.dimension == 2 {
        let ground = Placed::fixed(pose.position);
        rows.push((name("angle"), Row::SameAngle(ground, here, structure.reference_angle(support.at))));
    } else if support.rotation.is_some() {
        let ground = Placed { node: None, pose, angle: 0.0 };
        rows.extend((0..3).map(|i| (name("rotation"), Row::Parallel(ground, here, i))));
    }
}

/// Whether a support holds a frame completely and at its place.
pub(super) fn clamps(structure: &Structure, support: &SupportPart) -> bool {
    let positions = (0..structure.dimension).all(|axis| support.displacement[axis].is_some());
    let turns = match support.at {
        Frame::Section { rod, .. } => structure.rods[rod].kind.turns(),
        Frame::Body(body) => structure.bodies[body].inertia != nalgebra::Matrix3::zeros(),
        Frame::Ground => true,
    };
    positions && (support.rotation.is_some() || !turns)
}

/// A support must stand still.
pub(super) fn check_support(support: &SupportPart) -> Result<(), MechanismError> {
    let moved = support.displacement.iter().flatten().chain(support.rotation.iter().flatten()).any(|f| !is_still(f));
    if moved { Err(MechanismError::MovingSupport(support.name.clone())) } else { Ok(()) }
}

impl Placed {
    /// Reference angle; plane.
    pub fn angle_in(&self, places: &Placement) -> f64 {
        self.angle + self.node.map_or(0.0, |node| places.nodes[node].angle)
    }

    /// Another frame with such axes that it is parallel to this one in the reference configuration.
    pub fn aligned(&self, mut other: Placed, places: &Placement) -> Placed {
        let of = |placed: &Placed| placed.node.map_or(Pose::IDENTITY, |node| places.nodes[node].pose).orientation;
        let own = of(self) * self.pose.orientation;
        other.pose.orientation = of(&other).conjugate() * own;
        other
    }
}
