//! Energies and conditions: hand-written derivatives against those of dual numbers; what does not change when everything is moved.

use lariat::discretisation::assembly::{Assembly, GroundTravel};
use lariat::geometry::Quaternion;
use lariat::scalar::Rated;
use lariat::terms::{ConditionRow, Layout, NodeKind, Nodes, Order};
use nalgebra::Vector3;

use super::random::Random;
use super::samples::{Sample, joints, rods, ropes, springs};

/// A configuration away from the reference.
pub fn disturbed(assembly: &Assembly, random: &mut Random) -> Vec<f64> {
    let change: Vec<f64> = (0..assembly.layout.freedom_count()).map(|_| 0.15 * random.next()).collect();
    let mut q = assembly.reference.clone();
    assembly.layout.retract(&assembly.reference, &change, &mut q);
    q
}

/// Coordinates with their rates along a motion of the freedoms: ẋ = v, θ̇ = ω, ṗ = ½ p Ω.
pub fn rated(layout: &Layout, q: &[f64], motion: &[f64]) -> Vec<Rated<f64>> {
    let mut out: Vec<Rated<f64>> = q.iter().map(|value| Rated::new(*value, 0.0)).collect();
    for node in 0..layout.nodes() {
        let (kind, at, first) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
        for c in 0..kind.coordinates().min(3) {
            out[at + c].rate = motion[first + c];
        }
        if kind == NodeKind::SpaceFrame {
            let spin = Vector3::new(motion[first + 3], motion[first + 4], motion[first + 5]);
            let rate = layout.orientation(q, node) * Quaternion { re: 0.0, im: spin } * 0.5;
            for (c, value) in rate.to_array().into_iter().enumerate() {
                out[at + 3 + c].rate = value;
            }
        }
    }
    out
}

pub fn unit(count: usize, place: usize) -> Vec<f64> {
    (0..count).map(|i| if i == place { 1.0 } else { 0.0 }).collect()
}

/// All coordinates turned about the origin and shifted.
fn moved(assembly: &Assembly, q: &[f64], turn: Quaternion, shift: Vector3<f64>) -> Vec<f64> {
    let layout = &assembly.layout;
    let mut out = q.to_vec();
    for node in (0..layout.nodes()).filter(|node| !assembly.is_reel(*node)) {
        let (kind, at) = (layout.kind(node), layout.coordinate(node));
        let position = turn.rotate(layout.position(q, node)) + shift;
        (0..kind.positions()).for_each(|c| out[at + c] = position[c]);
        match kind {
            NodeKind::PlaneFrame => out[at + 2] += turn.rotation_vector()[2],
            NodeKind::SpaceFrame => {
                out[at + 3..at + 7].copy_from_slice(&(turn * layout.orientation(q, node)).to_array());
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }
    out
}

/// A rotation that keeps the plane if there is one, and a shift.
fn rigid(sample: &Sample) -> (Quaternion, Vector3<f64>) {
    match sample.mechanism.dimension {
        2 => (Quaternion::from_rotation_vector(Vector3::z() * 0.7), Vector3::new(0.3, -2.0, 0.0)),
        _ => (Quaternion::from_rotation_vector(Vector3::new(0.4, -0.7, 1.1)), Vector3::new(0.3, -2.0, 1.5)),
    }
}

/// Motions of everything as one rigid body about the origin, as freedoms of the nodes.
pub fn rigid_motions(sample: &Sample, assembly: &Assembly, q: &[f64]) -> Vec<Vec<f64>> {
    let components: &[usize] = if sample.mechanism.dimension == 2 { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
    let layout = &assembly.layout;
    let motion = |component: &usize| {
        let mut out = vec![0.0; layout.freedom_count()];
        for node in (0..layout.nodes()).filter(|node| !assembly.is_reel(*node)) {
            let (kind, first) = (layout.kind(node), layout.freedom(node));
            let axis = Vector3::ith(component % 3, 1.0);
            let v = if *component < 3 { axis } else { axis.cross(&layout.position(q, node)) };
            (0..kind.positions()).for_each(|c| out[first + c] = v[c]);
            match kind {
                NodeKind::PlaneFrame if *component == 5 => out[first + 2] = 1.0,
                NodeKind::SpaceFrame if *component > 2 => {
                    let own = layout.orientation(q, node).to_material(axis);
                    (0..3).for_each(|c| out[first + 3 + c] = own[c]);
                }
                _ => {}
            }
        }
        out
    };
    components.iter().map(motion).collect()
}

pub fn gradient(assembly: &Assembly, q: &[f64]) -> (f64, Vec<f64>) {
    let mut forces = assembly.forces();
    assembly.evaluate(q, Order::Gradient, |_| true, |_| None, &[], None, &mut forces).unwrap();
    (forces.energy, forces.gradient)
}

#[test]
fn energies_have_the_forces_of_dual_numbers_and_do_not_notice_rigid_motions() {
    let mut random = Random(7);
    for sample in rods().into_iter().chain(springs()).chain(ropes()) {
        let assembly = sample.assembly();
        let q = disturbed(&assembly, &mut random);
        let (energy, forces) = gradient(&assembly, &q);
        let count = assembly.layout.freedom_count();
        let size = forces.iter().fold(energy.abs(), |most, force| most.max(force.abs()));
        assert!(energy > 1e-6, "{}: nothing is strained", sample.name);
        for freedom in 0..count {
            let q = rated(&assembly.layout, &q, &unit(count, freedom));
            let nodes = Nodes { layout: &assembly.layout, q: &q };
            let values: Vec<Rated<f64>> = assembly.elements.iter().map(|element| element.energy_over(&nodes)).collect();
            let rate: f64 = values.iter().map(|value| value.rate).sum();
            let off = (rate - forces[freedom]).abs();
            assert!(off < 1e-11 * size, "{}: {} {rate}", sample.name, forces[freedom]);
        }
        // Internal forces are in balance, and so are their moments.
        for motion in rigid_motions(&sample, &assembly, &q) {
            let power: f64 = motion.iter().zip(&forces).map(|(v, force)| v * force).sum();
            assert!(power.abs() < 1e-10 * size, "{}: {power}", sample.name);
        }
        let (turn, shift) = rigid(&sample);
        let (elsewhere, _) = gradient(&assembly, &moved(&assembly, &q, turn, shift));
        assert!((elsewhere - energy).abs() < 1e-11 * size, "{}: {elsewhere} {energy}", sample.name);
    }
}

#[test]
fn conditions_have_the_derivatives_of_dual_numbers() {
    let mut random = Random(8);
    for sample in joints() {
        let assembly = sample.assembly();
        let (layout, q) = (&assembly.layout, disturbed(&assembly, &mut random));
        let count = layout.freedom_count();
        for joint in &assembly.constraints {
            for row in 0..joint.rows.len() {
                let derivative = joint.derivative(layout, &q, row);
                for freedom in 0..count {
                    let (node, which) = layout.node_of_freedom(freedom);
                    let sides = joint.sides.iter().zip(&derivative).filter(|(side, _)| side.node() == Some(node));
                    let known: f64 = sides.map(|(_, derivative)| derivative[which]).sum();
                    let rated = rated(layout, &q, &unit(count, freedom));
                    let nodes = Nodes { layout, q: &rated };
                    let found = joint.value_over(&nodes, [nodes.number(0.0); 3], row).rate;
                    assert!((found - known).abs() < 1e-12, "{}, row {row}: {found} {known}", sample.name);
                }
            }
        }
    }
}

/// Between two free bodies a joint holds as much wherever they are together: positions as a vector, all else row by row.
#[test]
fn conditions_do_not_notice_rigid_motions() {
    let mut random = Random(9);
    for sample in joints() {
        let assembly = sample.assembly();
        let q = disturbed(&assembly, &mut random);
        let (turn, shift) = rigid(&sample);
        let there = moved(&assembly, &q, turn, shift);
        let still = GroundTravel(Vector3::zeros());
        for joint in &assembly.constraints {
            let [mut here, mut elsewhere] = [Vector3::zeros(); 2];
            for (row, kind) in joint.rows.iter().enumerate() {
                let [a, b] = [&q, &there].map(|q| joint.value(&assembly.layout, q, &still, row));
                match kind {
                    ConditionRow::Coordinate(axis) => (here[*axis], elsewhere[*axis]) = (a, b),
                    _ => assert!((a - b).abs() < 1e-12, "{}, row {row}: {a} {b}", sample.name),
                }
            }
            assert!((turn.rotate(here) - elsewhere).norm() < 1e-12, "{}", sample.name);
        }
    }
}
