//! What hangs on the rods: forward simulations of branches whose root moves with a section.

use nalgebra::{Vector3, Vector6};

use super::verify::rotation_near;
use crate::discretisation::assembly::{self, Assembly, Attachment, NodeKind};
use crate::discretisation::chain::{Branch, Couple, RodChain};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::march::Lowpass;
use crate::discretisation::remesh::{Sample, Shape};
use crate::discretisation::stepping::State;
use crate::mechanism::Pose;
use crate::nlp::ParametricSystem;
use crate::results::RodField;
use crate::solver::PointKind;
use crate::tasks::simulation::march::Marcher;
use crate::tasks::statics::{Wanted, branch as branch_of_equilibria};

/// Step of the first instant where only rest is asked for, second.
const SHORT: f64 = 1e-2;
/// What moves by less than this part of the size of the mechanism in that step is at rest.
const RESTING: f64 = 1e-8;

/// Force and torque about a section that it applies to a branch while it moves through poses at instants `dt` apart; one pose
/// for rest. The branch begins at rest, in equilibrium if there is one near.
pub fn reactions(
    chain: &RodChain,
    branch: &Branch,
    poses: &[Pose],
    start: f64,
    dt: f64,
    lowpass: Option<&Lowpass>,
) -> Result<Vec<Couple>, String> {
    let mut found = follow(chain, branch, poses, start, dt, &mut |_, _| {})?;
    if let Some(lowpass) = lowpass {
        filter(&mut found, lowpass);
    }
    Ok(found)
}

/// A frame by its name, with six components over time.
pub type FrameColumns = (String, [Vec<f64>; 6]);

/// Position, and rotation vector from the reference orientation (in the plane, the angle as the last), of the frames of a branch
/// while its section moves through poses; and the axes of its rods.
pub fn motion(
    chain: &RodChain,
    branch: &Branch,
    poses: &[Pose],
    start: f64,
    dt: f64,
) -> Result<(Vec<FrameColumns>, Vec<RodField>), String> {
    let frames = branch.frames();
    let mut columns: Vec<[Vec<f64>; 6]> = vec![Default::default(); frames.len()];
    let mut shapes: Vec<Vec<Vec<Vector3<f64>>>> = vec![Vec::new(); branch.mechanism.rods.len()];
    let mut near = vec![Vector3::zeros(); frames.len()];
    follow(chain, branch, poses, start, dt, &mut |assembly, q| {
        for (shape, sections) in shapes.iter_mut().zip(&assembly.sections) {
            shape.push(sections.iter().map(|(_, at)| at.position(&assembly.layout, q)).collect());
        }
        for (i, (_, frame)) in frames.iter().enumerate() {
            let Some(at) = assembly.frame(*frame) else { continue };
            let pose = at.pose(&assembly.layout, q);
            let reference = at.pose(&assembly.layout, &assembly.reference).orientation;
            near[i] = rotation_near(pose.orientation * reference.conjugate(), near[i]);
            let angle = if chain.is_plane() { branch.mechanism.reference_angle(*frame) } else { 0.0 };
            for c in 0..3 {
                columns[i][c].push(pose.position[c]);
                columns[i][3 + c].push(near[i][c] + if c == 2 { angle } else { 0.0 });
            }
        }
    })?;
    let t: Vec<f64> = (0..poses.len()).map(|k| start + k as f64 * dt).collect();
    let rods = branch.mechanism.rods.iter().zip(shapes).filter(|(rod, _)| rod.order == 1).map(|(rod, shape)| {
        let s: Vec<f64> = (0..=rod.elements).map(|boundary| rod.boundary(boundary)).collect();
        let names = if chain.is_plane() { &["x", "y"][..] } else { &["x", "y", "z"] };
        let along = |c: usize| (0..s.len()).flat_map(|i| shape.iter().map(move |points| points[i][c])).collect();
        let fields = names.iter().enumerate().map(|(c, name)| ((*name).to_owned(), along(c))).collect();
        RodField { rod: rod.name.clone(), s, t: t.clone(), fields }
    });
    let rods = rods.collect();
    Ok((frames.into_iter().map(|(name, _)| name).zip(columns).collect(), rods))
}

/// Simulates a branch; `sink` sees its configuration at every instant. Returns force and torque about the section.
fn follow(
    chain: &RodChain,
    branch: &Branch,
    poses: &[Pose],
    start: f64,
    dt: f64,
    sink: &mut dyn FnMut(&Assembly, &[f64]),
) -> Result<Vec<Couple>, String> {
    let reference = branch.mechanism.reference_pose(branch.root());
    let [mut displacement, mut rotation]: [[Vec<f64>; 3]; 2] = Default::default();
    let mut near = Vector3::zeros();
    for pose in poses {
        near = rotation_near(pose.orientation * reference.orientation.conjugate(), near);
        for c in 0..3 {
            displacement[c].push(pose.position[c] - reference.position[c]);
            rotation[c].push(near[c]);
        }
    }
    let h = if poses.len() > 1 { dt } else { SHORT };
    let assembly = assembly::build(&branch.moved(start, h, displacement, rotation));
    let failed = |reason: String| format!("the motion of {} on {}: {reason}", list(&branch.names), chain.name());
    let at = assembly.frame(branch.root()).ok_or_else(|| failed("it has no root".into()))?;
    let q = settled(branch, &poses[0], start);
    let momentum = vec![0.0; assembly.layout.freedom_count()];
    let mut marcher = Marcher::new(&assembly, State { t: start, q, momentum }, h);
    let mut found: Vec<Couple> = Vec::with_capacity(poses.len());
    let (first, freedoms) = (assembly.layout.freedom(at.node), assembly.layout.kind(at.node).freedoms());
    for k in 0..poses.len().saturating_sub(1).max(1) {
        let before = marcher.state().q.clone();
        sink(&assembly, &before);
        marcher.advance(h).map_err(|failure| failed(failure.to_string()))?;
        marcher.arrive(start + (k + 1) as f64 * h);
        if poses.len() == 1 {
            let moved = before.iter().zip(&marcher.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if moved > RESTING * (chain.length() + assembly.size()) {
                return Err(failed("it does not rest where the path begins; state it in its equilibrium".into()));
            }
        }
        let all = marcher.support_force();
        let forces = Vector6::from_fn(|c, _| if c < freedoms { all[first + c] } else { 0.0 });
        let wrench = at.wrench_of(&assembly.layout, &before, &forces);
        found.push(Couple { force: wrench.force, torque: wrench.torque });
    }
    if let Some(last) = found.last().copied().filter(|_| found.len() < poses.len()) {
        sink(&assembly, &marcher.state().q);
        found.push(last);
    }
    Ok(found)
}

/// Filters what changes since the first instant.
fn filter(couples: &mut [Couple], lowpass: &Lowpass) {
    let Some(first) = couples.first().copied() else { return };
    for c in 0..3 {
        let mut force: Vec<f64> = couples.iter().map(|couple| couple.force[c] - first.force[c]).collect();
        let mut torque: Vec<f64> = couples.iter().map(|couple| couple.torque[c] - first.torque[c]).collect();
        lowpass.apply(&mut force);
        lowpass.apply(&mut torque);
        for (couple, (force, torque)) in couples.iter_mut().zip(force.into_iter().zip(torque)) {
            couple.force[c] = first.force[c] + force;
            couple.torque[c] = first.torque[c] + torque;
        }
    }
}

/// The branch carried along rigidly by its root, and from there to the equilibrium that its loads lead to, if it is near.
fn settled(branch: &Branch, root: &Pose, t: f64) -> Vec<f64> {
    let mut assembly = assembly::build(&branch.mechanism);
    carry(&mut assembly, &branch.mechanism.reference_pose(branch.root()), root);
    let carried = assembly.reference.clone();
    let mut equilibrium = Equilibrium::new(&assembly, t);
    let wanted = Wanted { indifferent: true, ..Wanted::at(&[1.0]) };
    let Ok(path) = branch_of_equilibria(&mut equilibrium, &wanted, &mut |_| true) else { return carried };
    let target = path.of_kind(PointKind::Target).next();
    equilibrium.set_parameter(1.0);
    match target.map(|point| equilibrium.configuration(&point.x)) {
        Some(Ok(q)) => {
            // Another equilibrium far away is not where the motion begins.
            let far = q.iter().zip(&carried).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if far <= 0.1 * assembly.size() { q } else { carried }
        }
        _ => carried,
    }
}

/// Adds what hangs on the sections, at rest with them, to the shape of the rods on the way.
pub fn rest_of_branches(chain: &RodChain, poses: &[Pose], t: f64, shape: &mut Shape) {
    shape.bodies.resize(chain.mechanism.bodies.len(), None);
    for branch in &chain.branches {
        let assembly = assembly::build(&branch.mechanism);
        let q = settled(branch, &poses[branch.section], t);
        let sample = |at: &Attachment| {
            let angle = match assembly.layout.kind(at.node) {
                NodeKind::PlaneFrame => assembly.layout.angle(&q, at.node) + at.angle,
                _ => 0.0,
            };
            let pose = at.pose(&assembly.layout, &q);
            Sample { pose, angle, velocity: Vector3::zeros(), spin: Vector3::zeros() }
        };
        let [rods, bodies] = &branch.parts;
        for (rod, sections) in rods.iter().zip(&assembly.sections) {
            shape.rods[*rod] = sections.iter().map(|(s, at)| (*s, sample(at))).collect();
        }
        for (body, at) in bodies.iter().zip(&assembly.bodies) {
            shape.bodies[*body] = Some(sample(at));
        }
    }
}

/// Moves all nodes rigidly so that a frame goes from one pose to another.
fn carry(assembly: &mut Assembly, from: &Pose, to: &Pose) {
    let turn = to.orientation * from.orientation.conjugate();
    let angle = turn.rotation_vector()[2];
    let layout = assembly.layout.clone();
    for node in 0..layout.nodes() {
        let at = layout.coordinate(node);
        let position = to.position + turn.rotate(layout.position(&assembly.reference, node) - from.position);
        for c in 0..layout.kind(node).positions() {
            assembly.reference[at + c] = position[c];
        }
        match layout.kind(node) {
            NodeKind::PlaneFrame => assembly.reference[at + 2] += angle,
            NodeKind::SpaceFrame => {
                let p = (turn * layout.orientation(&assembly.reference, node)).normalised();
                assembly.reference[at + 3..at + 7].copy_from_slice(&p.to_array());
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }
}

fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
