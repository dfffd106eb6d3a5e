//! Small problem files with closed answers: corners of statics, simulation and modes.
#![allow(clippy::unwrap_used, clippy::panic)]

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::{Silent, modes, simulation, statics};

fn run(text: &str) -> Outcome {
    let problem = load("small", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    match &problem.question {
        Question::Statics(system, spec) => statics::run(system, spec, &mut Silent),
        Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
        Question::Modes(system, spec) => modes::run(system, spec, &mut Silent),
        _ => {
            panic!("not a forward task")
        }
    }
}

fn solved(text: &str) -> Outcome {
    let outcome = run(text);
    assert_eq!(outcome.report.status, "solved", "{text}\n{:?}", outcome.report.message);
    outcome
}

fn assert_scalars(outcome: &Outcome, wanted: &[(&str, f64)], tolerance: f64) {
    for (name, wanted) in wanted {
        let found = outcome.report.scalars[*name];
        assert!((found - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{name} is {found} instead of {wanted}");
    }
}

/// A unit beam along x with more lines.
fn beam(stiffness: f64, elements: usize, order: usize, more: &str) -> String {
    format!(
        "dimension = 2\n[rod.r]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = {elements}\norder = {order}\n\
         stiffness = {{ axial = {stiffness:e}, shear = {stiffness:e}, bending = 1.0 }}\n\
         inertia = {{ mass = 1.0, rotary = 1e-6 }}\n{more}"
    )
}

const CLAMP: &str = "[support.root]\nat = \"r.start\"\ntype = \"clamp\"\n";

/// A follower force across the end (Beck's column loaded sideways stays unsymmetric however stiff the rod is): frequencies
/// do not depend on EA and GA.
#[test]
fn small_follower_loads_are_no_less_unsymmetric() {
    let of = |stiffness: f64| {
        let load = "[load.f]\nat = \"r.end\"\nforce = [0.0, -2.0]\nfollows = true\n[task.modes]\ncount = 2\n";
        let outcome = solved(&beam(stiffness, 40, 3, &format!("{CLAMP}{load}")));
        assert!(outcome.report.method.contains("Arnoldi"));
        ["modes.1.omega", "modes.2.omega"].map(|name| outcome.report.scalars[name])
    };
    let (soft, stiff) = (of(1e6), of(1e8));
    for (soft, stiff) in soft.into_iter().zip(stiff) {
        assert!((soft / stiff - 1.0).abs() < 1e-3, "{soft} {stiff}");
    }
}

/// An end turned by 2π, or by 4 rad, makes a circle or an arc: M = EI θ/L.
#[test]
fn prescribed_angles_are_not_taken_modulo_a_turn() {
    for angle in [std::f64::consts::TAU, 4.0, -5.0_f64] {
        let hand = format!("{CLAMP}[support.hand]\nat = \"r.end\"\nangle = {angle:?}\n[task.statics]\n");
        let outcome = solved(&beam(1e6, 10, 3, &hand));
        let (x, y) = (angle.sin() / angle, (1.0 - angle.cos()) / angle);
        let wanted = [("equilibrium.r.end.x", x), ("equilibrium.r.end.y", y), ("reaction.hand.torque_z", angle)];
        assert_scalars(&outcome, &wanted, 1e-5);
    }
}

/// The last load factor of the list tells the state, in whatever order they stand.
#[test]
fn the_last_factor_is_the_state_told() {
    for factors in ["[1.0, 0.5]", "[-1.0, 0.5]", "[0.25, 0.5]"] {
        let load =
            format!("{CLAMP}[load.f]\nat = \"r.end\"\nforce = [1.0, 0.0]\n[task.statics]\nfactors = {factors}\n");
        let outcome = solved(&beam(100.0, 2, 1, &load));
        assert_scalars(&outcome, &[("equilibrium.r.end.x", 1.005), ("reaction.root.force_x", -0.5)], 1e-9);
    }
}

/// A body on a hinge and a roller cannot move: its reactions are those of the lever.
#[test]
fn mechanisms_without_freedom_have_reactions_and_no_modes() {
    let text = |task: &str| {
        format!(
            "dimension = 2\ngravity = [0.0, -9.81]\n[body.a]\nmass = 1.0\ninertia = 1.0\nposition = [1.0, 0.0]\n\
             [joint.j]\nbetween = [\"ground\", \"a\"]\ntype = \"revolute\"\nat = [0.0, 0.0]\n\
             [support.s]\nat = \"a\"\nfixes = [\"y\"]\n[task.{task}]\n"
        )
    };
    assert_scalars(&solved(&text("statics")), &[("reaction.s.force_y", 9.81)], 1e-12);
    let outcome = solved(&text("modes"));
    assert!(outcome.modes.is_empty() && outcome.report.warnings[0].contains("only 0 modes"));
}

/// Free rods of every order have their rigid motions, however many modes are asked for, damped or not; none grows.
#[test]
fn free_rods_have_their_rigid_motions() {
    for dimension in [2, 3] {
        let (model, more, rigid) = if dimension == 2 { ("beam", "", 3) } else { ("rod", ", torsion = 1.0", 6) };
        let zero = if dimension == 2 { "" } else { ", 0.0" };
        for order in [1, 2, 4, 6] {
            for damping in ["", "damping = { time = 0.02 }\n"] {
                for count in [1, rigid, rigid + 1, 20] {
                    if !damping.is_empty() && count == 20 && dimension == 3 {
                        continue;
                    }
                    let outcome = solved(&format!(
                        "dimension = {dimension}\n[rod.r]\nmodel = \"{model}\"\nfrom = [0.0, 0.0{zero}]\nto = [1.0, 0.0{zero}]\n\
                         elements = 6\norder = {order}\nstiffness = {{ axial = 1e6, shear = 1e6, bending = 1.0{more} }}\n\
                         inertia = {{ mass = 1.0, rotary = 1e-6 }}\n{damping}[task.modes]\ncount = {count}\noscillating = false\n"
                    ));
                    let what = format!("{dimension}D, order {order}, {count} modes, {damping}");
                    assert_eq!(outcome.report.scalars["modes.zero"], rigid.min(count) as f64, "{what}");
                    assert_eq!(outcome.report.warnings, Vec::<String>::new(), "{what}");
                }
            }
        }
    }
}

/// All six real rates of one element, of which the slow three alone come first: λ² + τω²λ + ω² = 0.
#[test]
fn overdamped_motions_have_two_rates() {
    let text = format!(
        "dimension = 2\n[rod.r]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 1\n\
         stiffness = {{ axial = 100.0, shear = 100.0, bending = 100.0 }}\ninertia = {{ mass = 1.0, rotary = 1.0 }}\n{CLAMP}"
    );
    let undamped = solved(&format!("{text}[task.modes]\n"));
    let mut rates = Vec::new();
    for k in 1..=3 {
        let square = undamped.report.scalars[&format!("modes.{k}.omega")].powi(2);
        let half = 0.1 * square;
        let root = (half * half - square).sqrt();
        rates.extend([-half - root, -square / (half + root)]);
    }
    rates.sort_by(|a, b| b.total_cmp(a));
    let task = "[task.modes]\noscillating = false\n";
    let damped = solved(&format!("{}{task}", text.replace("[support", "damping = { time = 0.2 }\n[support")));
    for (k, rate) in rates.iter().enumerate() {
        assert_scalars(&damped, &[(&format!("modes.{}.real", k + 1), *rate)], 1e-8);
    }
    assert!(damped.report.warnings[0].contains("only 6 modes"), "{:?}", damped.report.warnings);
}

/// Prestrained by a curvature, a slender rod is an arc without stress.
#[test]
fn prestrain_bends_slender_rods() {
    for curvature in [0.01, 0.5, 6.0] {
        let more = format!("prestrain = {{ strain = [0.0, 0.0], curvature = {curvature} }}\n{CLAMP}[task.statics]\n");
        let outcome = solved(&beam(1e6, 20, 1, &more));
        let wanted = [("equilibrium.r.end.angle", curvature), ("reaction.root.torque_z", 0.0)];
        assert_scalars(&outcome, &wanted, 1e-7);
    }
}

/// A shallow truss of two bars snaps through to its mirror image and beyond: 2 EA (ℓ/L − 1) sin α balances the load.
#[test]
fn a_shallow_truss_is_followed_beyond_its_mirror_image() {
    let text = "dimension = 2\n[rod.a]\nmodel = \"beam\"\nfrom = [-1.0, 0.0]\nto = [0.0, 0.1]\nelements = 1\n\
        stiffness = { axial = 1000.0, shear = 1000.0, bending = 1000.0 }\n[rod.b]\nmodel = \"beam\"\nfrom = [0.0, 0.1]\n\
        to = [1.0, 0.0]\nelements = 1\nstiffness = { axial = 1000.0, shear = 1000.0, bending = 1000.0 }\n[joint.j]\n\
        between = [\"a.end\", \"b.start\"]\ntype = \"revolute\"\n[support.p]\nat = \"a.start\"\ntype = \"hinge\"\n\
        [support.q]\nat = \"b.end\"\ntype = \"hinge\"\n[load.f]\nat = \"a.end\"\nforce = [0.0, -0.4001]\n[task.statics]\n";
    let y = solved(text).report.scalars["equilibrium.a.end.y"];
    let (length, rest) = ((1.0 + y * y).sqrt(), 1.01_f64.sqrt());
    let force = 2.0 * 1000.0 * (length / rest - 1.0) * y / length;
    assert!(y < -0.1 && (force + 0.4001).abs() < 1e-6, "{y}: {force}");
}

/// Adaptive steps see a load that is switched off between two outputs: 3 N for 0.33 s move 1 kg.
#[test]
fn a_load_switched_within_a_step_is_seen() {
    let text = "dimension = 2\n[time]\nend = 1.0\nsteps = 10\n[body.a]\nmass = 1.0\ninertia = 1.0\nposition = [0.0, 0.0]\n\
        [load.f]\nat = \"a\"\nforce = [\"if(t < 0.33, 3, 0)\", 0.0]\n[task.simulate]\ntolerance = 1e-9\n";
    let wanted = [("momentum.linear_x.final", 0.99), ("motion.a.x.final", 0.82665)];
    assert_scalars(&solved(text), &wanted, 3e-5);
}

/// A body hanging on a ball joint: ω² = m g l/(I + m l²) about two axes, and nothing about the third.
#[test]
fn a_spherical_pendulum_has_a_free_spin() {
    let text = "dimension = 3\ngravity = [0.0, 0.0, -9.81]\n[body.a]\nmass = 2.0\ninertia = [1.0, 2.0, 3.0]\n\
        position = [0.0, 0.0, -1.0]\n[joint.j]\nbetween = [\"ground\", \"a\"]\ntype = \"spherical\"\nat = [0.0, 0.0, 0.0]\n";
    let omega = |inertia: f64| (2.0 * 9.81 / (inertia + 2.0)).sqrt();
    let wanted = [("modes.1.omega", 0.0), ("modes.2.omega", omega(2.0)), ("modes.3.omega", omega(1.0))];
    assert_scalars(&solved(&format!("{text}[task.modes]\ncount = 3\n")), &wanted, 1e-9);
    let refused = run(&format!("{text}[task.statics]\n"));
    assert_eq!(refused.report.status, "mechanism");
    let message = refused.report.message.unwrap();
    assert!(message.contains("rotation about d3 of a there"), "{message}");
}

/// One freedom and a follower force F across the arm l of a pendulum: I ω² = −m g l sin θ where F l = m g l cos θ.
#[test]
fn a_pendulum_with_a_follower_force() {
    let text = "dimension = 2\ngravity = [0.0, -9.81]\n[body.a]\nmass = 1.0\ninertia = 0.1\nposition = [0.25, 0.0]\n\
        [joint.j]\nbetween = [\"ground\", \"a\"]\ntype = \"revolute\"\nat = [0.0, 0.0]\n\
        [load.f]\nat = \"a\"\nforce = [0.0, 2.0]\nfollows = true\n[task.modes]\ncount = 1\n";
    let theta = -(2.0_f64 / 9.81).acos();
    let omega = (-9.81 * 0.25 * theta.sin() / (0.1 + 0.0625)).sqrt();
    assert_scalars(&solved(text), &[("modes.1.omega", omega), ("modes.1.real", 0.0)], 1e-8);
}

/// A rod pressed to less than nothing is solved, but not without a word.
#[test]
fn crushed_rods_are_named() {
    let load = format!("{CLAMP}[load.f]\nat = \"r.end\"\nforce = [-2.0, 0.0]\n[task.statics]\n");
    let text = beam(1.0, 2, 1, &load).replace("bending = 1.0", "bending = 100.0");
    let warnings = run(&text).report.warnings;
    assert!(warnings.iter().any(|warning| warning.contains("rod `r` has an inverted element")), "{warnings:?}");
}

/// A clamped star of rods in a coordinate plane is solved for every order, as is the same star turned out of it: zeros of its
/// matrix are rounding errors, which must not spoil the scaling.
#[test]
fn stars_are_solved_whatever_their_axes() {
    let tips = [[0.4115, 0.8085, 0.0], [0.6927, -0.9516, 0.0], [1.9502, 0.3115, 0.0]];
    for order in [1, 2, 3] {
        for turn in [0.0, 0.37] {
            let (sin, cos) = f64::sin_cos(turn);
            let place =
                |p: [f64; 3]| format!("[{:?}, {:?}, {:?}]", p[0], cos * p[1] - sin * p[2], sin * p[1] + cos * p[2]);
            let mut text = "dimension = 3\n".to_owned();
            for (i, tip) in tips.iter().enumerate() {
                text += &format!("[joint.j{i}]\nbetween = [\"r.end\", \"r{i}.start\"]\ntype = \"rigid\"\n");
                text += &format!(
                    "[rod.r{i}]\nmodel = \"rod\"\nfrom = [1.0, 0.0, 0.0]\nto = {}\nelements = 4\norder = {order}\nstiffness = {{ axial = 1e4, shear = 5e3, bending = 1.0, torsion = 1.0 }}\n",
                    place(*tip)
                );
            }
            text += &format!(
                "[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 4\norder = {order}\nstiffness = {{ axial = 1e4, shear = 5e3, bending = 1.0, torsion = 1.0 }}\n[support.root]\nat = \"r.start\"\ntype = \"clamp\"\n[load.f]\nat = \"r0.end\"\nforce = {}\n[task.statics]\n",
                place([0.01, 0.02, 0.03])
            );
            solved(&text);
        }
    }
}
