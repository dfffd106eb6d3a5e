//! End data beyond the gallery: either end driven, loads, gravity, bodies at both ends, paths cut by the time window,
//! and motions that do not exist.

mod common;

use common::*;

/// The beam turned around: servo at s = 0, actuator at s = L. By symmetry the forces are those of the reference with the
/// rod reflected: a beam along −x whose far end follows the same path.
#[test]
fn the_other_end_can_be_driven() {
    let problem = gallery(
        "beam-quarter-turn",
        &[
            "time.steps=600",
            "rod.beam.from=[1.0, 0.0]",
            "rod.beam.to=[0.0, 0.0]",
            "actuator.base.at=beam.end",
            "servo.tip.at=beam.start",
            "servo.tip.angle=phi*sigma + pi",
        ],
    );
    let outcome = run(&problem);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    for error in actuation_errors(&outcome, "beam_seed_hyper") {
        assert!(error < 1e-3, "{error:.2e}");
    }
}

/// A path that moves when the window opens: the actuation inside the window is the same as that of the whole manoeuvre.
#[test]
fn a_window_may_cut_the_manoeuvre() {
    for method in ["space-march", "characteristics"] {
        let problem = gallery(
            "beam-quarter-turn",
            &[
                "time.start=2.4",
                "time.end=3.6",
                "time.steps=120",
                "rod.beam.elements=20",
                "expect={}",
                &format!("task.inverse-dynamics.method={method}"),
            ],
        );
        let outcome = run(&problem);
        assert_eq!(outcome.report.status, "solved", "{method}: {:?}", outcome.report.message);
        assert!(outcome.report.warnings.iter().any(|w| w.contains("already be moving")));
        assert!(outcome.report.verification.as_ref().unwrap().from_moving_state);
        for error in actuation_errors(&outcome, "beam_seed_hyper") {
            assert!(error < 1e-3, "{method}: {error:.2e}");
        }
    }
}

/// A trolley of mass m at the driven end adds m (ẍ − g) to the forces and changes nothing else.
#[test]
fn a_body_at_the_driven_end_adds_its_inertia() {
    let plain = run(&gallery("string-2d", &["time.steps=1200"]));
    let heavy = run(&gallery(
        "string-2d",
        &[
            "time.steps=1200",
            "body.trolley={ mass = 2.0 }",
            "joint.axle={ between = [\"rope.start\", \"trolley\"], type = \"rigid\" }",
            "expect={}",
        ],
    ));
    assert_eq!(heavy.report.status, "solved", "{:?}", heavy.report.message);
    let dt = plain.actuation.t[1];
    for (axis, gravity) in [("x", 0.0), ("y", -9.81)] {
        let position = plain.motion.column(&format!("rope.start.{axis}")).unwrap();
        let name = format!("trolley.force_{axis}");
        let (a, b) = (plain.actuation.column(&name).unwrap(), heavy.actuation.column(&name).unwrap());
        for k in 1..position.len() - 1 {
            let acceleration = (position[k - 1] - 2.0 * position[k] + position[k + 1]) / (dt * dt);
            assert!((b[k] - a[k] - 2.0 * (acceleration - gravity)).abs() < 2e-3, "{name} at {k}");
        }
    }
}

/// A dead load at the tip and gravity on a beam at rest: equilibrium demands −(F + ρA g L) and the moment about the base.
#[test]
fn loads_and_gravity_are_carried_at_rest() {
    let problem = gallery(
        "beam-stiff",
        &[
            "gravity=[0.0, -0.2]",
            "load.wind={ at = \"beam.end\", force = [0.05, \"0.1\"], torque = 0.02 }",
            "let.sigma=0",
            "time.steps=60",
            "expect={}",
        ],
    );
    let outcome = run(&problem);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    let scalar = |name: &str| outcome.report.scalars[name];
    assert!((scalar("actuation.base.force_x.final") + 0.05).abs() < 1e-9);
    assert!((scalar("actuation.base.force_y.final") - (0.2 - 0.1)).abs() < 1e-9);
    // Moments about the base, positions from the result: tip at (1, 0); weight at the mean of the nodes (trapezoidal).
    let rod = &outcome.rods[0];
    let (x, y) = (rod.field("x").unwrap(), rod.field("y").unwrap());
    let instants = rod.t.len();
    let last = rod.s.len() - 1;
    let (bx, by) = (x[instants - 1], y[instants - 1]);
    let (tx, ty) = (x[(last + 1) * instants - 1], y[(last + 1) * instants - 1]);
    let centre: f64 =
        (0..=last).map(|i| x[(i + 1) * instants - 1] * if i == 0 || i == last { 0.5 } else { 1.0 } / last as f64).sum();
    let moment = (tx - bx) * 0.1 - (ty - by) * 0.05 + 0.02 - (centre - bx) * 0.2;
    let torque = scalar("actuation.base.torque.final");
    assert!((torque + moment).abs() < 1e-4, "torque {torque}, load moment {moment}");
}

/// A payload accelerated downwards faster than gravity leaves its string slack: an explanation, not numbers.
#[test]
fn a_slack_string_is_explained() {
    let outcome = run(&gallery("string-2d", &["servo.load.x=0", "servo.load.y=-6*sigma", "expect={}"]));
    assert_eq!(outcome.report.status, "infeasible", "{:?}", outcome.report.message);
    let message = outcome.report.message.unwrap();
    assert!(message.contains("rope") && message.contains("slack"), "{message}");
    assert!(outcome.actuation.columns.is_empty());
}

/// A slender beam amplifies what the path hardly contains; the advice given makes the problem solvable.
#[test]
fn ill_conditioning_is_refused_with_advice_that_works() {
    let slender = [
        "rod.beam.stiffness={ axial = 1e4, shear = 1e4, bending = 1.0 }",
        "rod.beam.inertia={ mass = 1.0, rotary = 1e-4 }",
        "let.tau=clamp((t - 1)/4, 0, 1)",
        "time.steps=1200",
        "rod.beam.elements=40",
        "expect={}",
    ];
    let refused = run(&gallery("beam-quarter-turn", &slender));
    assert_eq!(refused.report.status, "ill-conditioned");
    let message = refused.report.message.unwrap();
    let advice: f64 = message.split("bandwidth to about ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let limited = format!("task.inverse-dynamics.bandwidth={advice}");
    let mut overrides = slender.to_vec();
    overrides.push(&limited);
    let outcome = run(&gallery("beam-quarter-turn", &overrides));
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.verification.unwrap().max_error.values().all(|e| *e < 1e-3));
}

/// A bandwidth far above the path leaves the answer alone.
#[test]
fn bandwidth_does_not_change_a_smooth_answer() {
    let plain = run(&gallery("beam-stiff", &[]));
    let limited = run(&gallery("beam-stiff", &["task.inverse-dynamics.bandwidth=150"]));
    for ((_, a), (_, b)) in plain.actuation.columns.iter().zip(&limited.actuation.columns) {
        let difference = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 2e-4, "{difference:.1e}");
    }
}

/// The quadratic law lets a beam be compressed to nothing by a violent path: the place and time are named.
#[test]
fn a_crushed_beam_is_explained() {
    let outcome = run(&gallery(
        "beam-quarter-turn-quadratic",
        &["let.phi=4*pi", "let.tau=clamp((t - 2)/1, 0, 1)", "rod.beam.stiffness.axial=0.3", "expect={}"],
    ));
    assert_ne!(outcome.report.status, "solved");
    let message = outcome.report.message.unwrap();
    assert!(message.contains("`beam`") && message.contains("s = ") && message.contains("t = "), "{message}");
}
