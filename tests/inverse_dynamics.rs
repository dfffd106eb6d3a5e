//! Inverse dynamics against certified references, and the three methods against each other.

mod common;

use common::*;
use lariat::problem::Question;
use lariat::tasks::Method;

/// Gallery problem, its rod and its reference file.
const CASES: [(&str, &str, &str); 6] = [
    ("beam-quarter-turn", "beam", "beam_seed_hyper"),
    ("beam-quarter-turn-quadratic", "beam", "beam_seed_quad"),
    ("beam-tip-mass", "beam", "beam_tipmass"),
    ("beam-stiff", "beam", "beam_stiff"),
    ("string-2d", "rope", "string2d_lin"),
    ("string-3d", "rope", "string3d_lin"),
];

/// dt = 0.0025: every column within 2e-4 of its maximum (references certified to 7-10 digits).
#[test]
fn space_march_is_accurate() {
    for (name, rod, file) in CASES {
        let outcome = run(&gallery_on(name, rod, 2400, 40, "space-march"));
        assert_eq!(outcome.report.status, "solved", "{name}: {:?}", outcome.report.message);
        for (error, (column, _)) in actuation_errors(&outcome, file).iter().zip(&outcome.actuation.columns) {
            assert!(*error <= 2e-4, "{name}: {column} is off by {error:.2e}");
        }
    }
}

/// The same for a beam and a string; on the grid of half as many steps the others, with four times the error.
#[test]
fn characteristics_are_accurate() {
    for (k, (name, rod, file)) in CASES.into_iter().enumerate() {
        let (steps, tolerance) = if k == 0 || k == 5 { (2400, 2e-4) } else { (1200, 8e-4) };
        let outcome = run(&gallery_on(name, rod, steps, 40, "characteristics"));
        assert_eq!(outcome.report.status, "solved", "{name}: {:?}", outcome.report.message);
        for (error, (column, _)) in actuation_errors(&outcome, file).iter().zip(&outcome.actuation.columns) {
            assert!(*error <= tolerance, "{name}: {column} is off by {error:.2e}");
        }
    }
}

/// Second order over four halvings of the grid, each method on its own grids.
#[test]
fn all_methods_are_of_second_order() {
    for (method, grids) in [
        ("space-march", [75, 150, 300, 600, 1200]),
        ("characteristics", [75, 150, 300, 600, 1200]),
        ("galerkin", [150, 300, 600, 1200, 2400]),
    ] {
        let errors = grids.map(|steps| {
            let problem = gallery_on("beam-quarter-turn", "beam", steps, steps / 6, method);
            force_error(&motion(&problem), "beam_seed_hyper")
        });
        let order = overall_order(&errors);
        println!("{method}: errors {errors:?}, orders {:.2?}, overall {order:.2}", orders(&errors));
        assert!(order >= 1.9, "{method}: order {order:.2} from {errors:?}");
    }
}

/// Galerkin on 40 × 240 differs from space-march by its own discretisation error (measured against the reference), and
/// the difference falls at second order.
#[test]
fn galerkin_agrees_with_space_march() {
    let mut differences = Vec::new();
    for (elements, steps) in [(20, 120), (40, 240), (80, 480), (160, 960)] {
        let galerkin = motion(&gallery_on("beam-quarter-turn", "beam", steps, elements, "galerkin"));
        let march = motion(&gallery_on("beam-quarter-turn", "beam", steps, elements, "space-march"));
        let own = force_error(&galerkin, "beam_seed_hyper");
        let mut scale = 0.0_f64;
        let mut largest = 0.0_f64;
        for (a, b) in galerkin.driven.iter().zip(&march.driven) {
            largest = largest.max((a - b).amax());
            scale = scale.max(b.amax());
        }
        assert!(largest / scale <= 1.2 * own, "{elements} × {steps}: {:.2e} against {own:.2e}", largest / scale);
        differences.push(largest);
    }
    assert!(overall_order(&differences) >= 1.9, "{differences:?}");
}

/// The sparse Newton over the whole domain solves the same equations as the sweep layer by layer.
#[test]
fn global_and_layered_galerkin_are_one() {
    for (name, rod) in [("beam-tip-mass", "beam"), ("beam-quarter-turn", "beam")] {
        let base = [
            "time.steps=120".to_owned(),
            format!("rod.{rod}.elements=16"),
            "task.inverse-dynamics.method=galerkin".to_owned(),
        ];
        let solve = |sweep: &str| {
            let sweep = format!("task.inverse-dynamics.sweep={sweep}");
            let overrides: Vec<&str> = base.iter().map(String::as_str).chain([sweep.as_str()]).collect();
            motion(&gallery(name, &overrides))
        };
        let (layers, global) = (solve("layers"), solve("global"));
        let forces = layers.driven.iter().zip(&global.driven).map(|(a, b)| (a - b).amax());
        let places = layers.poses.iter().zip(&global.poses).map(|(a, b)| {
            let turn = (a.orientation * b.orientation.conjugate()).rotation_vector().norm();
            (a.position - b.position).amax().max(turn)
        });
        let difference = forces.chain(places).fold(0.0, f64::max);
        assert!(difference < 1e-7, "{name}: {difference:.2e}");
    }
}

/// 40 × 240 in at most 8 Newton iterations, layer by layer and at once.
#[test]
fn galerkin_converges_fast() {
    for sweep in ["layers", "global"] {
        let sweep = format!("task.inverse-dynamics.sweep={sweep}");
        let problem = gallery(
            "beam-quarter-turn",
            &["time.steps=240", "rod.beam.elements=40", "task.inverse-dynamics.method=galerkin", &sweep],
        );
        let outcome = run(&problem);
        assert_eq!(outcome.report.status, "solved");
        // Row 0 of the sparse Newton's table is the start.
        let count = outcome.report.iterations.len();
        assert!(count <= 9, "{sweep}: {count} rows");
    }
}

/// Waves of speed 1 on a rod of length 1: nothing acts before t = 1 and after t = 5, and something acts right after.
#[test]
fn actuation_begins_one_transit_before_the_path() {
    for method in ["space-march", "characteristics"] {
        let outcome = run(&gallery_on("beam-quarter-turn", "beam", 2400, 40, method));
        for (name, values) in &outcome.actuation.columns {
            let largest = values.iter().map(|v| v.abs()).fold(0.0, f64::max);
            for (t, value) in outcome.actuation.t.iter().zip(values) {
                if *t <= 1.0 || *t >= 5.0 {
                    assert!(value.abs() <= 1e-6 * largest.max(1.0), "{method}: {name} is {value:.1e} at t = {t}");
                }
            }
        }
        let scalars = &outcome.report.scalars;
        assert!((scalars["actuation.begins"] - 1.0).abs() < 0.02 && (scalars["actuation.ends"] - 5.0).abs() < 0.02);
    }
}

/// The re-simulated tip approaches the path. On fine grids the error of the simulation joins, which is refined until it is a
/// small share of the tolerance and not beyond: the deviation falls with order 1 at least.
#[test]
fn verification_converges() {
    for (name, rod) in [("beam-quarter-turn", "beam"), ("string-2d", "rope")] {
        let errors = [100, 200, 400].map(|steps| {
            let outcome = run(&gallery_on(name, rod, steps, steps / 8, "space-march"));
            let verification = outcome.report.verification.unwrap();
            // Elements of third order, or four times as many of a string.
            let finer = if rod == "rope" { 4 * (steps / 8) } else { steps / 8 };
            assert_eq!(verification.elements, finer, "{name}: repeated on another mesh");
            // Without what the simulation itself may be off by, which is refined to a share of the tolerance only.
            let own = &verification.own_error;
            verification.max_error.iter().map(|(name, error)| error - own[name]).fold(0.0, f64::max)
        });
        assert!(overall_order(&errors) >= 1.0, "{name}: {errors:?}");
    }
}

/// Every gallery problem of inverse dynamics solves on its own grid, keeps its tolerances, meets its known answers and is verified to 1e-3.
#[test]
fn gallery_is_solved_and_verified() {
    for (name, _) in lariat::problem::gallery() {
        let problem = gallery(name, &[]);
        if !matches!(problem.question, Question::InverseDynamics(..)) {
            continue;
        }
        let outcome = run(&problem);
        let report = &outcome.report;
        assert_eq!(report.status, "solved", "{name}: {:?}", report.message);
        for expectation in &report.expectations {
            assert!(expectation.met, "{name}: {expectation:?}");
        }
        let verification = report.verification.as_ref().unwrap();
        for (output, error) in &verification.max_error {
            assert!(*error <= 1e-3, "{name}: {output} misses the path by {error:.2e}");
        }
        assert_eq!(verification.halved_steps, 0, "{name}");
        // Damping takes energy, and that of what hangs on rods is not stored.
        if !["damped-beam", "rod-space-damped", "y-net"].contains(name) {
            let energy = report.energy.as_ref().unwrap();
            assert!(energy.max_imbalance <= 2e-3 * energy.peak, "{name}: {energy:?}");
        }
    }
}

/// The error estimate is honest: within a factor of three of the true error on a smooth problem.
#[test]
fn error_estimate_is_honest() {
    let outcome = run(&gallery_on("beam-quarter-turn", "beam", 300, 50, "space-march"));
    let estimate = outcome.report.residuals["estimated_relative_error"];
    let truth = actuation_errors(&outcome, "beam_seed_hyper").into_iter().fold(0.0, f64::max);
    assert!(truth <= 3.0 * estimate && estimate <= 3.0 * truth, "estimate {estimate:.2e}, true {truth:.2e}");
}

/// `auto` marches where the end data are complete and solves at once where they are not, and says why.
#[test]
fn auto_chooses_and_says_why() {
    let complete = gallery("string-2d", &[]);
    let mixed = gallery("beam-hinged-tip", &[]);
    for (problem, method, word) in [(&complete, Method::SpaceMarch, "marched"), (&mixed, Method::Galerkin, "at once")] {
        let (system, spec) = common::inverse(problem);
        let analysis = lariat::tasks::inverse_dynamics::analyse(system, spec).unwrap();
        assert_eq!(analysis.method, method);
        assert!(analysis.reason.contains(word), "{}", analysis.reason);
    }
}
