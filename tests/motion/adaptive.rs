//! Steps that adapt to a tolerance: what errors they see, and what they cost beside equal ones.

use lariat::discretisation::TimeGrid;
use lariat::discretisation::assembly::build;
use lariat::mechanism::Mechanism;

use crate::marching::*;
use crate::mechanisms::*;
use crate::tasks::simulate;

/// Largest distance of configurations: of nodes over the size of the mechanism, of frames in space the rotation between them.
fn apart(marcher: &lariat::tasks::simulation::march::Marcher, other: &[f64]) -> f64 {
    let (layout, q) = (&marcher.assembly().layout, &marcher.state().q);
    let size = marcher.assembly().size();
    let of_node = |node: usize| {
        let far = (layout.position(q, node) - layout.position(other, node)).norm() / size;
        match layout.kind(node) {
            lariat::discretisation::assembly::NodeKind::SpaceFrame => {
                let turn = layout.orientation(q, node).conjugate() * layout.orientation(other, node);
                far.max(2.0 * turn.im.norm())
            }
            lariat::discretisation::assembly::NodeKind::PlaneFrame => {
                far.max((layout.angle(q, node) - layout.angle(other, node)).abs())
            }
            _ => far,
        }
    };
    (0..layout.nodes()).map(of_node).fold(0.0, f64::max)
}

fn spinning(spin: [f64; 3], inertia: [f64; 3]) -> Mechanism {
    let mut mechanism = empty(3);
    let mut free = body("body", 1.0, inertia, v(0.0, 0.0, 0.0));
    free.spin = v(spin[0], spin[1], spin[2]);
    mechanism.bodies.push(free);
    mechanism
}

/// The error told of a step is the one it has, against 64 steps in its place.
#[test]
fn the_error_of_a_step_is_told() {
    let cases = [
        ("rod in the plane", swinging_rod(2, 0.005, 8, 1), 2e-3, 60),
        ("rod in space", swinging_rod(3, 0.005, 8, 1), 2e-3, 60),
        ("ball at a steady rate", spinning([3.0, 0.0, 4.0], [1.0, 1.0, 1.0]), 5e-3, 8),
        ("tumbling body", spinning([3.0, 0.5, 4.0], [1.0, 2.0, 3.0]), 5e-3, 8),
    ];
    for (name, mechanism, h, steps) in cases {
        let assembly = build(&mechanism);
        let mut marcher = start(&mechanism, &assembly, h);
        let mut ratios = Vec::new();
        for step in 0..steps {
            let before = marcher.mark();
            marcher.advance(h).unwrap();
            let Some(told) = marcher.local_error(assembly.size()) else { continue };
            let after = marcher.mark();
            let q = marcher.state().q.clone();
            if step % 4 != 3 {
                continue;
            }
            marcher.return_to(&before);
            (0..64).for_each(|_| marcher.advance(h / 64.0).unwrap());
            ratios.push(told / apart(&marcher, &q));
            // The steps that the error is told from are made again.
            marcher.return_to(&after);
            (0..2).for_each(|_| marcher.advance(h).unwrap());
        }
        let (least, most) = ratios.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), r| (l.min(*r), m.max(*r)));
        assert!(
            !ratios.is_empty() && least > 0.4 && most < 8.0,
            "{name}: errors told are {least} to {most} of those made"
        );
    }
}

/// Equal steps that are as exact at all instants take no less than half of the Newton iterations of those that adapt.
#[test]
fn adaptive_steps_cost_little_more_than_equal_ones() {
    let rod = || swinging_rod(2, 0.005, 8, 1);
    let instants = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let exact = sampled(&rod(), 0.6, 9600, &instants, |marcher| tip(marcher, 0));
    let run = |steps: usize, tolerance: Option<f64>| {
        let frames = vec![("rod.end".to_owned(), end(0, 8))];
        let outcome = simulate(rod(), frames, TimeGrid::new(0.0, 0.6, steps), tolerance);
        let column = |c: &str| outcome.motion.column(&format!("rod.end.{c}")).unwrap().to_vec();
        let (x, y) = (column("x"), column("y"));
        let error = |(k, exact): (usize, &nalgebra::Vector3<f64>)| {
            let at = (k + 1) * steps / instants.len();
            (v(x[at], y[at], 0.0) - exact).norm()
        };
        let error = exact.iter().enumerate().map(error).fold(0.0, f64::max);
        (error, outcome.report.scalars["newton_iterations"])
    };
    for tolerance in [1e-5, 1e-6] {
        let (error, iterations) = run(6, Some(tolerance));
        let equal = [240, 360, 480, 600, 900, 1200, 1800, 2400, 3600].map(|steps| run(steps, None));
        let as_exact = equal.iter().find(|(equal, _)| *equal <= error).map(|(_, iterations)| *iterations).unwrap();
        assert!(iterations < 2.0 * as_exact, "{iterations} iterations at tolerance {tolerance:.0e}, {as_exact} equal");
    }
}
