//! Drag: hand-written derivatives by place and by velocity against those of dual numbers, the power it takes, and no preferred direction
//! of space.

use lariat::geometry::algebra::times_imaginary;
use lariat::scalar::Rated;
use lariat::terms::{ByFreedom, Drag, Layout, MovingNodes, NodeKind, Nodes, Works};
use nalgebra::Vector3;

use super::random::Random;
use super::samples::{Sample, drags};
use super::terms::{disturbed, rated, unit};

/// Rates of coordinates at velocities (ẋ, Ω or θ̇), which may have rates of their own: ṗ = ½ p ∘ Ω.
fn rates(layout: &Layout, q: &[Rated<f64>], velocities: &[Rated<f64>]) -> Vec<Rated<f64>> {
    let mut out = vec![Rated::new(0.0, 0.0); q.len()];
    for node in 0..layout.nodes() {
        let (kind, at, first) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
        let additive = kind.coordinates().min(3);
        out[at..at + additive].copy_from_slice(&velocities[first..first + additive]);
        if kind == NodeKind::SpaceFrame {
            let p = [0, 1, 2, 3].map(|i| q[at + 3 + i]);
            let spin = [0, 1, 2].map(|c| velocities[first + 3 + c]);
            let rate = times_imaginary(p, spin).map(|x| x * 0.5);
            out[at + 3..at + 7].copy_from_slice(&rate);
        }
    }
    out
}

const CURRENT: [f64; 3] = [0.4, -0.7, 0.3];

fn current(plane: bool) -> Vector3<f64> {
    let mut current = Vector3::from(CURRENT);
    current[2] *= if plane { 0.0 } else { 1.0 };
    current
}

fn forces(drag: &Drag, layout: &Layout, q: &[Rated<f64>], v: &[Rated<f64>], plane: bool) -> Vec<Rated<f64>> {
    let nodes = Nodes { layout, q };
    let mut out = vec![nodes.number(0.0); layout.freedom_count()];
    let mut take = |freedom: usize, force: Rated<f64>| out[freedom] = out[freedom] + force;
    let mut by_freedom = ByFreedom { layout, take: &mut take };
    let current = current(plane);
    let current = [0, 1, 2].map(|c| nodes.number(current[c]));
    drag.work_over(&MovingNodes { nodes, v }, current, 0.8, &mut Works { nodes, receiver: &mut by_freedom });
    out
}

#[test]
fn drag_has_its_derivatives_and_takes_the_power_of_its_forces() {
    let mut random = Random(12);
    let mut compared = 0;
    for Sample { name, mechanism } in drags() {
        let assembly = lariat::discretisation::assembly::build(&mechanism);
        let (layout, plane) = (&assembly.layout, mechanism.dimension == 2);
        let count = layout.freedom_count();
        assert!(!assembly.drags.is_empty(), "{name}");
        let q = disturbed(&assembly, &mut random);
        let velocities: Vec<f64> = (0..count).map(|_| random.next()).collect();
        let still = vec![0.0; count];
        let speed = |motion: &[f64]| -> Vec<Rated<f64>> {
            velocities.iter().zip(motion).map(|(value, rate)| Rated::new(*value, *rate)).collect()
        };
        let here = rated(layout, &q, &still);
        let v = rates(layout, &here, &speed(&still));
        let numbers: Vec<f64> = v.iter().map(|v| v.value).collect();
        let moving = MovingNodes { nodes: Nodes { layout, q: &q }, v: &numbers };
        for drag in &assembly.drags {
            let known = forces(drag, layout, &here, &v, plane);
            let scale = known.iter().fold(0.0_f64, |most, force| most.max(force.value.abs()));
            assert!(scale > 1e-4, "{name}: no drag");
            let mut found = vec![0.0; count];
            drag.add(&moving, &current(plane), 0.8, &mut found);
            let power: f64 = found.iter().zip(&velocities).map(|(force, v)| force * v).sum();
            let taken = drag.power(&moving, &current(plane), 0.8);
            assert!((power + taken).abs() < 1e-12 * scale, "{name}: {power} {taken}");
            for (found, known) in found.iter().zip(&known) {
                assert!((found - known.value).abs() < 1e-13 * scale, "{name}: {found} {}", known.value);
            }
            // Columns of the derivatives, by hand and by dual numbers.
            let (mut by_place, mut by_rate) = (vec![vec![0.0; count]; count], vec![vec![0.0; count]; count]);
            drag.slopes(&moving, &current(plane), 0.8, &mut |row, col, place, rate| {
                for c in 0..layout.kind(col).freedoms() {
                    for r in 0..layout.kind(row).freedoms() {
                        by_place[layout.freedom(col) + c][layout.freedom(row) + r] += place[(r, c)];
                        by_rate[layout.freedom(col) + c][layout.freedom(row) + r] += rate[(r, c)];
                    }
                }
            });
            for freedom in 0..count {
                let motion = unit(count, freedom);
                let there = rated(layout, &q, &motion);
                let placed = forces(drag, layout, &there, &rates(layout, &there, &speed(&still)), plane);
                let pushed = forces(drag, layout, &here, &rates(layout, &here, &speed(&motion)), plane);
                for row in 0..count {
                    for (found, known) in [(&by_place, &placed), (&by_rate, &pushed)] {
                        let (found, known) = (found[freedom][row], known[row].rate);
                        assert!((found - known).abs() < 1e-11 * scale.max(1.0), "{name}: {found} {known}");
                        compared += usize::from(known != 0.0);
                    }
                }
            }
        }
    }
    assert!(compared > 1500, "only {compared} derivatives");
}

/// At rest the square of the velocity has no force and no derivative, and nothing is not a number.
#[test]
fn quadratic_drag_vanishes_at_rest() {
    let law = lariat::material::DragLaw { normal: [0.0, 2.0], tangential: [0.0, 3.0] };
    let (zero, along) = (Vector3::zeros(), Vector3::new(0.6, 0.0, 0.8));
    for tangent in [None, Some(along)] {
        assert_eq!(law.force(zero, tangent), zero);
        assert!(law.slopes(&zero, tangent.as_ref()).velocity.amax() < 1e-10);
    }
    // In the plane (v₁|v₁|, v₃|v₃|) along the directors.
    let (d1, d3) = (Vector3::new(-0.8, 0.6, 0.0), Vector3::new(0.6, 0.8, 0.0));
    let force = law.force(d1 * -0.7 + d3 * 0.4, Some(d3));
    assert!((force - (d1 * (2.0 * 0.49) - d3 * (3.0 * 0.16))).norm() < 1e-14);
}
