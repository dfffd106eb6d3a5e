//! Paths relative to the loaded equilibrium: `start` is the value of a coordinate at rest under the loads, with driven frames and
//! joints where the file puts them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::gallery;
use lariat::results::Outcome;
use lariat::{Silent, problem};

fn solved(name: &str, overrides: &[&str]) -> Outcome {
    let outcome = gallery(name, overrides).solve(&mut Silent);
    assert!(outcome.report.status.is_solved(), "{name}: {:?}", outcome.report.message);
    outcome
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    *outcome.report.scalars.get(name).unwrap_or_else(|| panic!("{name} among {:?}", outcome.report.scalars.keys()))
}

/// Tip (x, y, angle) and moment at the tip of a clamped beam of 0.8 m under its weight of 1.962 N, begun with a root moment:
/// r' = γ₃ d₃ + γ₁ d₁, θ' = m/EI, m' = −(γ₃ N₁ − γ₁ N₃) with n(s) known, by Runge-Kutta.
fn shot(root: f64) -> [f64; 4] {
    const STEPS: usize = 800;
    let rate = |s: f64, [_, _, angle, moment]: [f64; 4]| {
        let lift = 0.25 * 9.81 * (s - 0.8);
        let (sin, cos) = angle.sin_cos();
        let (n3, n1) = (lift * sin, lift * cos);
        let (g3, g1) = (1.0 + n3 / 60.0, n1 / 20.0);
        [g3 * cos - g1 * sin, g3 * sin + g1 * cos, moment / 0.6, -(g3 * n1 - g1 * n3)]
    };
    let h = 0.8 / STEPS as f64;
    let along = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let mut y = [0.0, 0.0, 0.0, root];
    for step in 0..STEPS {
        let s = step as f64 * h;
        let a = rate(s, y);
        let b = rate(s + 0.5 * h, along(y, a, 0.5 * h));
        let c = rate(s + 0.5 * h, along(y, b, 0.5 * h));
        let d = rate(s + h, along(y, c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}

/// The root moment for which the tip is free, by the secant method.
fn clamped() -> (f64, [f64; 4]) {
    let (mut a, mut b) = (-0.9, -0.6);
    for _ in 0..50 {
        let (fa, fb) = (shot(a)[3], shot(b)[3]);
        if fb.abs() < 1e-14 || fa == fb {
            break;
        }
        (a, b) = (b, b - fb * (b - a) / (fb - fa));
    }
    (b, shot(b))
}

/// The soft arm of the gallery begins in the equilibrium found by shooting, by the march and by characteristic lines on a coarse grid.
#[test]
fn rows_begin_where_the_clamped_arm_hangs() {
    let (moment, [x, y, angle, _]) = clamped();
    assert!((x - 0.7666022763).abs() < 1e-9 && (moment + 0.7597205634).abs() < 1e-9);
    let checked = |outcome: &Outcome, allowed: f64| {
        let found = ["x", "y", "angle"].map(|c| scalar(outcome, &format!("motion.arm.end.{c}.initial")));
        for (found, wanted) in found.into_iter().zip([x, y, angle]) {
            assert!((found - wanted).abs() < allowed, "{found} {wanted}");
        }
        assert!((scalar(outcome, "actuation.base.torque.initial") + moment).abs() < allowed);
    };
    let outcome = solved("soft-arm-gravity", &[]);
    assert!(outcome.report.expectations.iter().all(|known| known.met), "{:?}", outcome.report.expectations);
    checked(&outcome, 1e-4);
    let coarse = [
        "task.inverse-dynamics.method=characteristics",
        "task.inverse-dynamics.grid=stated",
        "time.steps=300",
        "rod.arm.elements=32",
    ];
    checked(&gallery("soft-arm-gravity", &coarse).solve(&mut Silent), 1e-3);
}

/// ∫ ρ x ds of a rod at an instant, by parabolas through three neighbouring sections.
fn first_moment(outcome: &Outcome, rod: &str, mass: f64, k: usize) -> f64 {
    let field = outcome.rods.iter().find(|field| field.rod == rod).unwrap();
    let (s, x) = (&field.s, field.field("x").unwrap());
    let at = |i: usize| x[i * field.t.len() + k];
    let part = |i: usize| {
        // Newton's form through s₀, s₁, s₂, integrated from s₀ to s₂.
        let (a, b) = (s[i + 1] - s[i], s[i + 2] - s[i + 1]);
        let slope = (at(i + 1) - at(i)) / a;
        let bend = ((at(i + 2) - at(i + 1)) / b - slope) / (a + b);
        let h = a + b;
        h * at(i) + 0.5 * h * h * slope + bend * (h * h * h / 3.0 - 0.5 * a * h * h)
    };
    mass * (0..s.len() / 2).map(|j| part(2 * j)).sum::<f64>()
}

/// Two aluminium links under full gravity: the joints begin at the angles of the file, and the shoulder's torque is the moment of
/// all weights, before and after.
#[test]
fn a_robot_begins_bent_by_its_weight_with_its_joints_where_the_file_puts_them() {
    let overrides = ["gravity=[0.0,-9.81]", "servo.tip.x=start - 0.5*sigma", "servo.tip.y=start + 1.1*sigma"];
    let mut overrides: Vec<&str> = overrides.into();
    overrides.push("expect={}");
    let outcome = solved("two-link-flexible", &overrides);
    for joint in ["bearing", "elbow"] {
        let angle = scalar(&outcome, &format!("motion.{joint}.angle.initial"));
        assert!(angle.abs() < 1e-6, "{joint}: {angle}");
    }
    let last = outcome.actuation.t.len() - 1;
    for (k, when) in [(0, "initial"), (last, "final")] {
        let of_rods = first_moment(&outcome, "upper", 0.324, k) + first_moment(&outcome, "fore", 0.324, k);
        let place = |rod: &str, end: usize| {
            let field = outcome.rods.iter().find(|field| field.rod == rod).unwrap();
            field.field("x").unwrap()[end * (field.s.len() - 1) * field.t.len() + k]
        };
        let moment = 9.81 * (of_rods + 0.5 * place("fore", 0) + 0.1 * place("fore", 1));
        let torque = scalar(&outcome, &format!("actuation.first.torque.{when}"));
        assert!((torque - moment).abs() < 2e-4 * moment.abs(), "{when}: {torque} {moment}");
    }
    // It sags far below the straight links of the file.
    let sag = -0.3 - outcome.servo.column("tip.y").unwrap()[0];
    assert!(sag > 0.1 && sag < 0.5, "{sag}");
}

/// A crane's load hangs below its trolley, which stands where the file puts it: `start + sigma` is `sigma`.
#[test]
fn a_hanging_load_begins_below_its_trolley() {
    let plain = solved("crane-rail", &[]);
    let relative = solved("crane-rail", &["servo.load.x=start + sigma"]);
    let [one, other] = [&plain, &relative].map(|outcome| outcome.actuation.column("trolley.force_x").unwrap());
    let largest = one.iter().fold(0.0_f64, |most, force| most.max(force.abs()));
    let off = one.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(off < 1e-7 * largest, "{off} of {largest}");
}

/// A definition of the file named `start` means what it says.
#[test]
fn a_name_of_the_file_goes_first() {
    let outcome = solved("soft-arm-gravity", &["let.start=0.5", "servo.tip.angle=0.0", "expect={}"]);
    let first = [scalar(&outcome, "motion.arm.end.x.initial"), scalar(&outcome, "motion.arm.end.y.initial")];
    assert!((first[0] - 0.5).abs() < 1e-9 && (first[1] - 0.5).abs() < 1e-9, "{first:?}");
}

/// Where nothing holds a mechanism there is no such equilibrium, and `start = "equilibrium"` says so with its key.
#[test]
fn what_nothing_holds_is_told() {
    let text = r#"
        dimension = 2
        gravity = [0.0, -9.81]
        [time]
        end = 2.0
        steps = 100
        [body.block]
        mass = 1.0
        inertia = 0.1
        position = [0.0, 0.0]
        [actuator.push]
        at = "block"
        acts = ["force_x"]
        [servo.block]
        at = "block"
        x = "start + 0.2*rest(t, 0.5, 1.5, 8)"
        [task.inverse-dynamics]
        method = "sequential"
    "#;
    let found = problem::load("falls.toml", text, &[]).unwrap_err().to_string();
    assert!(
        found.contains("`servo.block.x` mentions `start`") && found.contains("no such equilibrium was found"),
        "{found}"
    );
}
