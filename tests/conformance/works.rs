//! Loads and masses: hand-written forces and matrices against the definitions over other scalars, momenta of rigid motions; and the
//! energies and conditions of all samples as expressions of a graph.

use lariat::discretisation::assembly::Assembly;
use lariat::nlp::Nlp;
use lariat::nlp::graph::{Expr, Graph};
use lariat::scalar::Rated;
use lariat::terms::{ByFreedom, Load, MovingNodes, Nodes, Works, inertia};
use nalgebra::Vector6;

use super::random::Random;
use super::samples::{joints, loads, rods, ropes, springs};
use super::terms::{disturbed, gradient, rated, rigid_motions, unit};

/// Generalised forces of a load at a time, by degree of freedom.
fn forces(load: &Load, assembly: &Assembly, q: &[Rated<f64>], t: f64) -> Vec<Rated<f64>> {
    let nodes = Nodes { layout: &assembly.layout, q };
    let mut out = vec![nodes.number(0.0); assembly.layout.freedom_count()];
    let wrench = load.wrench(t).unwrap();
    let [force, torque] = [wrench.force, wrench.torque].map(|w| [0, 1, 2].map(|c| nodes.number(w[c])));
    let mut take = |freedom: usize, force: Rated<f64>| out[freedom] = out[freedom] + force;
    let mut by_freedom = ByFreedom { layout: &assembly.layout, take: &mut take };
    load.work_over(&mut Works { nodes, receiver: &mut by_freedom }, force, torque);
    out
}

#[test]
fn loads_have_the_forces_of_their_work_and_followers_its_derivatives() {
    let mut random = Random(11);
    for sample in loads() {
        let assembly = sample.assembly();
        let (layout, q) = (&assembly.layout, disturbed(&assembly, &mut random));
        let count = layout.freedom_count();
        assert!(!assembly.loads.is_empty(), "{}", sample.name);
        for load in &assembly.loads {
            let (wrench, t) = (load.wrench(0.3).unwrap(), 0.3);
            let (node, size) = (load.at.node, layout.kind(load.at.node).freedoms());
            let [mut conservative, mut other, mut block] = [vec![0.0; count], vec![0.0; count], vec![0.0; size * size]];
            load.add(layout, &q, &wrench, &mut conservative, &mut other, Some(&mut block));
            let still = vec![0.0; count];
            let known = forces(load, &assembly, &rated(layout, &q, &still), t);
            let scale = known.iter().fold(0.0_f64, |most, force| most.max(force.value.abs()));
            assert!(scale > 1e-3, "{}: no load", sample.name);
            for (freedom, known) in known.iter().enumerate() {
                let found = -(conservative[freedom] + other[freedom]);
                assert!((found - known.value).abs() < 1e-13 * scale, "{}: {found} {}", sample.name, known.value);
            }
            // The derivative of a force with a potential is kept in its symmetric form, that of followers as it is.
            for freedom in (0..size).filter(|_| load.follows) {
                let motion = unit(count, layout.freedom(node) + freedom);
                let rates = forces(load, &assembly, &rated(layout, &q, &motion), t);
                for row in 0..size {
                    let (found, known) = (-block[row + size * freedom], rates[layout.freedom(node) + row].rate);
                    assert!((found - known).abs() < 1e-12 * scale, "{}: {found} {known}", sample.name);
                }
            }
        }
    }
}

/// T = ½ vᵀMv with the hand-written matrix of each node, and of a mechanism that moves as one rigid body ∂T/∂v along each such
/// motion is its momentum: mass times the velocity of the mass centre for translations.
#[test]
fn masses_have_the_energy_of_their_matrix_and_the_momenta_of_rigid_motions() {
    let mut random = Random(12);
    for sample in rods().into_iter().chain(joints()) {
        let assembly = sample.assembly();
        let (layout, q) = (&assembly.layout, disturbed(&assembly, &mut random));
        let count = layout.freedom_count();
        let energy = |speeds: &[f64]| -> f64 {
            let moving = rated(layout, &q, speeds);
            let v: Vec<f64> = moving.iter().map(|x| x.rate).collect();
            let moving = MovingNodes { nodes: Nodes { layout, q: &q }, v: &v };
            assembly.masses.iter().enumerate().map(|(node, mass)| inertia::kinetic(&moving, node, mass)).sum()
        };
        let by_matrix = |a: &[f64], b: &[f64]| -> f64 {
            let of_node = |node: usize| {
                let (kind, first) = (layout.kind(node), layout.freedom(node));
                let part =
                    |list: &[f64]| Vector6::from_fn(|i, _| if i < kind.freedoms() { list[first + i] } else { 0.0 });
                let rotation = lariat::discretisation::assembly::node_rotation(layout, &q, node);
                part(a).dot(&(assembly.masses[node].matrix(kind, &rotation) * part(b)))
            };
            (0..layout.nodes()).map(of_node).sum()
        };
        let speeds: Vec<f64> = (0..count).map(|_| random.next()).collect();
        let (found, known) = (energy(&speeds), 0.5 * by_matrix(&speeds, &speeds));
        assert!((found - known).abs() < 1e-12 * known, "{}: {found} {known}", sample.name);
        let mass: f64 = assembly.masses.iter().map(|mass| mass.mass).sum();
        let rigid = rigid_motions(&sample, &assembly, &q);
        for (k, along) in rigid.iter().enumerate().take(sample.mechanism.dimension) {
            for (j, motion) in rigid.iter().enumerate().take(sample.mechanism.dimension) {
                let momentum = by_matrix(along, motion);
                let known = if j == k { mass } else { 0.0 };
                assert!((momentum - known).abs() < 1e-12 * mass, "{}: {momentum} {known}", sample.name);
            }
        }
    }
}

/// Values of expressions of the coordinates.
fn values(q: &[f64], formula: impl for<'g> Fn(&'g Graph, &[Expr<'g>]) -> Vec<Expr<'g>>) -> Vec<f64> {
    let graph = Graph::new();
    let free = |i: usize| graph.variable(format!("q{i}"), 0.0, f64::NEG_INFINITY, f64::INFINITY);
    let variables: Vec<Expr<'_>> = (0..q.len()).map(free).collect();
    let found = formula(&graph, &variables);
    let mut out = vec![0.0; found.len()];
    found.into_iter().for_each(|expression| graph.subject_to("value", expression, 0.0, 0.0));
    graph.build().constraints(q, &mut out).unwrap();
    out
}

/// A gradient over the coordinates along a motion of the freedoms.
fn along(assembly: &Assembly, q: &[f64], slopes: &[f64], freedom: usize) -> f64 {
    let motion = unit(assembly.layout.freedom_count(), freedom);
    rated(&assembly.layout, q, &motion).iter().zip(slopes).map(|(q, slope)| q.rate * slope).sum()
}

#[test]
fn energies_as_expressions_have_the_same_forces() {
    let mut random = Random(13);
    for sample in rods().into_iter().chain(springs()).chain(ropes()) {
        let assembly = sample.assembly();
        let q = disturbed(&assembly, &mut random);
        let (energy, forces) = gradient(&assembly, &q);
        let size = forces.iter().fold(energy.abs(), |most, force| most.max(force.abs()));
        let found = values(&q, |graph, q| {
            let nodes = Nodes { layout: &assembly.layout, q };
            let energy = graph.sum(assembly.elements.iter().map(|element| element.energy_over(&nodes)));
            std::iter::once(energy).chain(graph.gradient(energy, q)).collect()
        });
        assert!((found[0] - energy).abs() < 1e-11 * size, "{}: {} {energy}", sample.name, found[0]);
        for (freedom, force) in forces.iter().enumerate() {
            let slope = along(&assembly, &q, &found[1..], freedom);
            assert!((slope - force).abs() < 1e-10 * size, "{}: {slope} {force}", sample.name);
        }
    }
}

#[test]
fn conditions_as_expressions_have_the_same_derivatives() {
    let mut random = Random(14);
    for sample in joints() {
        let assembly = sample.assembly();
        let (layout, q) = (&assembly.layout, disturbed(&assembly, &mut random));
        for joint in &assembly.constraints {
            for row in 0..joint.rows.len() {
                let derivative = joint.derivative(layout, &q, row);
                let slopes = values(&q, |graph, q| {
                    let nodes = Nodes { layout, q };
                    let value = joint.value_over(&nodes, [nodes.number(0.0); 3], row);
                    graph.gradient(value, q)
                });
                for freedom in 0..layout.freedom_count() {
                    let (node, which) = layout.node_of_freedom(freedom);
                    let sides = joint.sides.iter().zip(&derivative).filter(|(side, _)| side.node() == Some(node));
                    let known: f64 = sides.map(|(_, derivative)| derivative[which]).sum();
                    let found = along(&assembly, &q, &slopes, freedom);
                    assert!((found - known).abs() < 1e-12, "{}, row {row}: {found} {known}", sample.name);
                }
            }
        }
    }
}
