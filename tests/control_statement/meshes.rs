//! Errors of the steps, and meshes that are refined until these are small.

use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, local_errors, solve};

use crate::{gallery, solved, system};

/// A mass on a spring under constant force moves as x = u + (x₀ − u) cos h + v₀ sin h: the estimate is the true error of each step.
#[test]
fn estimates_are_the_errors_of_an_oscillator() {
    let text = "[time]\nend = 4\nsteps = 60\n[system]\ncoordinates = ['x']\ncontrols = ['u']\nlagrangian = 'x_dot^2/2 - x^2/2'\nforces = { x = 'u' }\n\
        [task.optimal-control]\nobjective = { effort = 1 }\nstart = { x = 1, x_dot = 2 }\nend = { x = -3 }\n";
    let problem = system(text).problem;
    let found = solve(&problem, 60, &OptimalControlOptions::default(), &mut Silent).unwrap();
    let errors = local_errors(&problem, &found.trajectory).unwrap();
    assert_eq!(errors, found.errors);
    let motion = &found.trajectory;
    let range = |values: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = (0..=60).map(values).collect();
        values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min)
    };
    // Momentum and velocity of a unit mass are the same.
    let ranges = [range(&|k| motion.q[k][0]), range(&|k| motion.momenta[k][0])];
    let (sin, cos) = motion.step().sin_cos();
    for k in 0..60 {
        let (x, v, u) = (motion.q[k][0], motion.momenta[k][0], motion.u[k][0]);
        let exact = [u + (x - u) * cos + v * sin, v * cos - (x - u) * sin];
        let off = [exact[0] - motion.q[k + 1][0], exact[1] - motion.momenta[k + 1][0]];
        let error = (off[0] / ranges[0]).abs().max((off[1] / ranges[1]).abs());
        assert!((errors[k] / error - 1.0).abs() < 0.02, "{k}: {} {error}", errors[k]);
    }
}

/// Local errors are of third order; the mesh is doubled until they are small enough.
#[test]
fn meshes_are_doubled_until_the_tolerance_is_met() {
    let text = gallery(
        "two-link-arm",
        &[
            ("steps = 200", "steps = 50"),
            ("[task.optimal-control]", "[task.optimal-control]\nmesh = { tolerance = 1e-6 }"),
        ],
    );
    let outcome = solved(&text);
    let meshes = &outcome.report.refinement;
    assert!(meshes.len() >= 3 && meshes[0].time_steps == 50, "{meshes:?}");
    for pair in meshes.windows(2) {
        assert!(pair[1].time_steps == 2 * pair[0].time_steps && pair[0].error > 1e-6, "{meshes:?}");
        let order = (pair[0].error / pair[1].error).log2();
        assert!((order - 3.0).abs() < 0.3, "{meshes:?}: {order}");
    }
    let last = meshes.last().unwrap();
    assert!(last.error <= 1e-6 && outcome.report.warnings.is_empty(), "{:?}", outcome.report.warnings);
    assert_eq!(outcome.actuation.t.len(), last.time_steps + 1);
    assert_eq!(
        (last.objective, last.error),
        (outcome.report.scalars["objective"], outcome.report.residuals["largest_step_error"])
    );
    let column = outcome.motion.column("step.error").unwrap();
    assert_eq!(column.iter().copied().fold(0.0, f64::max), last.error);
}

#[test]
fn a_tolerance_out_of_reach_is_told() {
    let text = gallery(
        "two-link-arm",
        &[
            ("steps = 200", "steps = 50"),
            ("[task.optimal-control]", "[task.optimal-control]\nmesh = { tolerance = 1e-12, most = 150 }"),
        ],
    );
    let report = solved(&text).report;
    assert_eq!(report.refinement.iter().map(|mesh| mesh.time_steps).collect::<Vec<_>>(), [50, 100]);
    assert!(
        report.warnings.iter().any(|w| w.contains("with 100 steps, above `mesh.tolerance` = 1.0e-12")),
        "{report:?}"
    );
}
