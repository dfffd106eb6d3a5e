//! End data beyond the gallery: either end driven, loads, gravity, bodies at both ends, paths cut by the time window,
//! and motions that do not exist.

#![allow(clippy::panic)]

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
    let advice: f64 = message.split("bandwidth = ").nth(1).unwrap().split('`').next().unwrap().parse().unwrap();
    let limited = format!("task.inverse-dynamics.bandwidth={advice}");
    let mut overrides = slender.to_vec();
    overrides.push(&limited);
    let outcome = run(&gallery("beam-quarter-turn", &overrides));
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.verification.unwrap().max_error.values().all(|e| *e < 1e-3));
    let widest = outcome.report.residuals["estimated_relative_error"];
    // Left to choose, the program takes a bandwidth within its own advice on which the forces depend less, and says so.
    let mut overrides = slender.to_vec();
    overrides.push("task.inverse-dynamics.method=auto");
    let outcome = run(&gallery("beam-quarter-turn", &overrides));
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.method_reason.contains("filtered"), "{}", outcome.report.method_reason);
    assert!(outcome.report.grid["bandwidth"] <= 1.01 * advice);
    assert!(outcome.report.residuals["estimated_relative_error"] < 0.5 * widest);
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
    assert_eq!(outcome.report.status, "infeasible");
    let message = outcome.report.message.unwrap();
    assert!(message.contains("`beam`") && message.contains("s = ") && message.contains("t = "), "{message}");
}

/// A constant torque bends a beam at rest into a circle of radius EI/m = 1 (pure bending, no force): with the tip at (1, 0)
/// and horizontal there, the base lies at (1 − sin 1, 1 − cos 1). Second order for every method.
#[test]
fn pure_bending_is_a_circle_for_every_method() {
    for method in ["space-march", "characteristics", "galerkin"] {
        let errors = [20, 40, 80].map(|elements| {
            let outcome = run(&gallery(
                "beam-quarter-turn",
                &[
                    "let.sigma=0",
                    "load.couple={ at = \"beam.end\", torque = 1.0 }",
                    &format!("rod.beam.elements={elements}"),
                    &format!("time.steps={}", 6 * elements),
                    &format!("task.inverse-dynamics.method={method}"),
                    "expect={}",
                ],
            ));
            assert_eq!(outcome.report.status, "solved", "{method}: {:?}", outcome.report.message);
            let scalar = |name: &str| outcome.report.scalars[name];
            let (x, y) = (scalar("motion.beam.start.x.initial"), scalar("motion.beam.start.y.initial"));
            (x - (1.0 - 1f64.sin())).abs().max((y - (1.0 - 1f64.cos())).abs())
        });
        assert!(errors[2] < 1e-3 && overall_order(&errors) > 1.9, "{method}: {errors:?}");
    }
}

/// A load that is already changing at the first instant: the march extends it backwards, the finite elements refuse.
#[test]
fn loads_may_be_in_motion_at_the_start() {
    let solve = |method: &str| {
        run(&gallery(
            "beam-stiff",
            &[
                "let.sigma=0",
                "load.wave={ at = \"beam.end\", force = [0, \"0.003*sin(3*t)\"] }",
                &format!("task.inverse-dynamics.method={method}"),
                "expect={}",
            ],
        ))
    };
    let (march, lines) = (solve("space-march"), solve("characteristics"));
    assert_eq!(march.report.status, "solved", "{:?}", march.report.message);
    for ((_, a), (_, b)) in march.actuation.columns.iter().zip(&lines.actuation.columns) {
        let difference = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 2e-5, "{difference:.1e}");
    }
    let refused = solve("galerkin");
    assert_eq!(refused.report.status, "not-applicable");
    assert!(refused.report.message.unwrap().contains("load"));
}

/// A standing wave has no velocity at the first instant, but it is not at rest.
#[test]
fn a_standing_wave_is_verified_from_its_own_state() {
    let outcome = run(&gallery(
        "beam-quarter-turn",
        &["servo.tip.x=1 + 0.1*cos(2*t)", "servo.tip.y=0", "servo.tip.angle=0", "time.steps=600", "expect={}"],
    ));
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.verification.unwrap().from_moving_state);
}

/// A beam balanced upright from below is an inverted pendulum: verified in segments, and said to need feedback.
#[test]
fn an_unstable_motion_is_verified_in_segments() {
    let outcome = run(&gallery(
        "beam-stiff",
        &[
            "gravity=[0.0, -9.81]",
            "rod.beam.stiffness.bending=10.0",
            "rod.beam.inertia.rotary=0.1",
            "rod.beam.to=[0.0, 1.0]",
            "servo.tip.x=0.2*sigma",
            "servo.tip.y=1",
            "servo.tip.angle=pi/2",
            "time.end=8",
            "time.steps=800",
            "expect={}",
        ],
    ));
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.verification.unwrap().segments > 1);
    assert!(outcome.report.warnings.iter().any(|w| w.contains("feedback")));
}

/// A string under compression is no solution of a finite element method either.
#[test]
fn galerkin_does_not_push_a_string() {
    let problem = gallery(
        "string-2d",
        &["servo.load.x=0", "servo.load.y=-6*sigma", "task.inverse-dynamics.method=galerkin", "expect={}"],
    );
    assert_eq!(run(&problem).report.status, "infeasible");
}

/// Stiffness so small that the step limit demands an astronomical grid.
#[test]
fn impossible_grids_are_refused() {
    for method in ["space-march", "characteristics", "galerkin"] {
        let method = format!("task.inverse-dynamics.method={method}");
        let outcome = run(&gallery("beam-quarter-turn", &["rod.beam.stiffness.bending=1e-20", &method, "expect={}"]));
        assert!(["too-large", "ill-conditioned"].contains(&outcome.report.status.as_str()), "{:?}", outcome.report);
    }
}

/// The tolerance knows the size of the manoeuvre.
#[test]
fn small_manoeuvres_have_small_tolerances() {
    let outcome = run(&gallery("beam-quarter-turn", &["let.phi=0.004", "expect={}"]));
    let verification = outcome.report.verification.unwrap();
    assert!(verification.passed && verification.tolerance.values().all(|t| *t < 3e-5), "{verification:?}");
}

/// Two damped beams joined rigidly are one row, which `auto` marches along.
#[test]
fn damped_beams_in_a_row_are_marched_along() {
    let beam = |name: &str, from: f64| {
        format!(
            "[rod.{name}]\nmodel = \"beam\"\nfrom = [{from:?}, 0.0]\nto = [{:?}, 0.0]\nelements = 20\nstiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 1.0 }}\ndamping = {{ time = 0.05 }}\n",
            from + 0.5
        )
    };
    let rest = r#"
        [joint.weld]
        between = ["a.end", "b.start"]
        type = "rigid"
        [actuator.base]
        at = "a.start"
        acts = ["force_x", "force_y", "torque"]
        [servo.tip]
        at = "b.end"
        x = "cos(pi/2*rest(t, 3, 9, 12))"
        y = "sin(pi/2*rest(t, 3, 9, 12))"
        angle = "pi/2*rest(t, 3, 9, 12)"
        [task.inverse-dynamics]
    "#;
    let text = format!("dimension = 2\n[time]\nend = 12.0\nsteps = 400\n{}{}{rest}", beam("a", 0.0), beam("b", 0.5));
    let problem = lariat::problem::load("row.toml", &text, &[]).unwrap_or_else(|found| panic!("{found}"));
    let outcome = lariat::solve(&problem);
    assert_eq!(outcome.report.method, "space-march");
    assert!(outcome.report.status.is_solved(), "{:?}", outcome.report.message);
}
