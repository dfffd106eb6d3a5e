//! Simulations of systems and of mechanisms with two step lengths, from problem files.

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::simulation;
use lariat::tasks::{Silent, simulation::lagrangian};

use super::reference;

fn run(text: &str, set: &[&str]) -> Outcome {
    let set: Vec<String> = set.iter().map(|entry| (*entry).to_owned()).collect();
    let problem = load("x.toml", text, &set).unwrap_or_else(|found| panic!("{found}"));
    let outcome = match &problem.question {
        Question::Motion(system) => lagrangian::run(system, &mut Silent),
        Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
        other => panic!("another question: {other:?}"),
    };
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

fn gallery(name: &str) -> &'static str {
    lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap().1
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    *outcome.report.scalars.get(name).unwrap_or_else(|| panic!("no {name}"))
}

/// Motion of a point on the ellipse of Kepler, e = 0.6.
const KEPLER: &str = r#"
[time]
end = 10.0
steps = 2000
[system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 + 1/hypot(x, y)"
[task.simulate]
start = { x = 0.4, y_dot = 2.0 }
observe = { momentum = "x*y_dot - y*x_dot" }
"#;

/// Orders 2, 2 and 6 against the position at t = 10 (3.5e-15 certain); the angular momentum is 0.8.
#[test]
fn rules_have_their_orders_on_the_ellipse_of_kepler() {
    let exact = reference("kepler", 10.0, &["q1", "q2"].map(str::to_owned));
    let rules = [
        ("\"midpoint\"", [2000, 4000], 2.0),
        ("\"trapezoidal\"", [2000, 4000], 2.0),
        ("{ galerkin = { degree = 3 } }", [100, 200], 6.0),
    ];
    for (rule, steps, order) in rules {
        let error = |steps: usize| {
            let outcome = run(KEPLER, &[&format!("task.simulate.rule={rule}"), &format!("time.steps={steps}")]);
            assert!(scalar(&outcome, "motion.momentum.drift") < 1e-10, "{rule}");
            assert!((scalar(&outcome, "motion.momentum.final") - 0.8).abs() < 1e-10, "{rule}");
            (scalar(&outcome, "motion.x.final") - exact[0]).hypot(scalar(&outcome, "motion.y.final") - exact[1])
        };
        let found = (error(steps[0]) / error(steps[1])).log2();
        assert!((found - order).abs() < 0.35, "{rule}: {found}");
    }
}

/// End values (x, y) at t = 10 that independent programs give for the same step lengths, to 13 digits.
const DISCRETE: [(&str, usize, [f64; 2]); 4] = [
    ("\"trapezoidal\"", 1000, [-1.5392110463726, -0.2770817482779]),
    ("\"midpoint\"", 1000, [-1.5297887405915, -0.2926314798626]),
    ("{ galerkin = { degree = 2 } }", 500, [-1.5350218683782, -0.2836734440921]),
    ("{ galerkin = { degree = 3 } }", 200, [-1.5350233605141, -0.2836688857995]),
];

/// The trapezoidal rule is velocity Verlet, polynomials of degree s are Gauss collocation with s stages.
#[test]
fn rules_are_known_integrators() {
    for (rule, steps, known) in DISCRETE {
        let outcome = run(KEPLER, &[&format!("task.simulate.rule={rule}"), &format!("time.steps={steps}")]);
        let found = ["x", "y"].map(|name| scalar(&outcome, &format!("motion.{name}.final")));
        assert!((found[0] - known[0]).abs() + (found[1] - known[1]).abs() < 1e-10, "{rule}: {found:?}");
    }
}

/// A driven, damped oscillator against its closed form, with a control that is a function of time, from t = 1 on.
#[test]
fn controls_and_forces_do_the_work_they_should() {
    let text = r#"
[time]
start = 1.0
end = 4.0
steps = 3000
[system]
coordinates = ["x"]
controls = ["push"]
lagrangian = "x_dot^2/2 - 2*x^2"
forces = { x = "push - x_dot" }
[task.simulate]
start = { x = "1/5*sin(1) - 2/5*cos(1)", x_dot = "1/5*cos(1) + 2/5*sin(1)" }
controls = { push = "a*sin(t) + b*cos(t)" }
[let]
a = "3*1/5 + 2/5"
b = "-3*2/5 + 1/5"
"#;
    // x = sin(t)/5 − 2 cos(t)/5 solves x'' + x' + 4 x = a sin t + b cos t with a = 3/5 + 2/5, b = −6/5 + 1/5.
    let outcome = run(text, &[]);
    let (sin, cos) = 4f64.sin_cos();
    assert!((scalar(&outcome, "motion.x.final") - (sin / 5.0 - 0.4 * cos)).abs() < 1e-6);
    assert!((scalar(&outcome, "motion.x_dot.final") - (cos / 5.0 + 0.4 * sin)).abs() < 1e-6);
    let energy = outcome.report.energy.unwrap();
    assert!(energy.max_imbalance < 1e-5 && energy.peak > 0.05, "{energy:?}");
    assert_eq!(outcome.energy.columns.last().unwrap().0, "work");
}

/// The slow potential is part of the system in every task: with one step length the motion is that of the whole Lagrangian.
#[test]
fn slow_potentials_count_with_one_step_length() {
    let text = |lagrangian: &str, more: &str| {
        format!(
            "[time]\nend = 2.0\nsteps = 200\n[system]\ncoordinates = [\"x\"]\nlagrangian = \"{lagrangian}\"\n{more}\n[task.simulate]\nstart = {{ x = 1.0 }}\n"
        )
    };
    let whole = run(&text("x_dot^2/2 - x^2 - x^4", ""), &[]);
    let parted = run(&text("x_dot^2/2 - x^2", "slow-potential = \"x^4\""), &[]);
    let [a, b] = [&whole, &parted].map(|outcome| scalar(outcome, "motion.x.final"));
    assert!((a - b).abs() < 1e-12 && (a - 1.0).abs() > 0.1);
    let [a, b] = [&whole, &parted].map(|outcome| scalar(outcome, "energy.total.initial"));
    assert!((a - 2.0).abs() < 1e-12 && (b - 2.0).abs() < 1e-12);
}

/// Every scalar that is told can be expected, and the other way round.
#[test]
fn scalars_have_the_names_that_can_be_expected() {
    for name in ["fpu-chain", "triple-pendulum", "rope-load"] {
        let problem = load(name, gallery(name), &[]).unwrap();
        let Question::Motion(system) = &problem.question else { panic!("{name}") };
        let outcome = lagrangian::run(system, &mut Silent);
        let mut known = system.scalar_names();
        known.sort();
        assert_eq!(outcome.report.scalars.keys().cloned().collect::<Vec<_>>(), known, "{name}");
    }
}

/// A load on a rope with two step lengths against the same elements with one, which another scheme for rods and bodies marches:
/// order 2 in the macro step.
#[test]
fn mechanisms_with_two_step_lengths() {
    let text = gallery("rope-load");
    let plain = text.replace("multirate = { fast = [\"rope\"], micro = 10 }", "");
    let exact = run(&plain, &["time.steps=8000", "task.simulate.every=8000", "expect={}"]);
    let error = |steps: usize| {
        let outcome = run(text, &[&format!("time.steps={steps}"), "expect={}"]);
        let off = |name: &str| {
            let name = format!("motion.load.{name}.final");
            (scalar(&outcome, &name) - scalar(&exact, &name)).abs()
        };
        off("x").max(off("y"))
    };
    let [a, b] = [100, 200].map(error);
    assert!(b < 2e-4 && ((a / b).log2() - 2.0).abs() < 0.3, "{a:.2e} {b:.2e}");
}

/// A body pinned to a rod in space: both schemes have the same nodes, masses and energies, so that they differ by the error of
/// their time steps only, whatever the number of elements.
#[test]
fn mechanisms_in_space_agree_on_any_mesh() {
    let text = |elements: usize, multirate: &str| {
        format!(
            r#"
dimension = 3
gravity = [0.0, 0.0, -9.81]
[time]
end = 0.2
steps = 100
[rod.arm]
model = "rod"
from = [0.0, 0.0, 0.0]
to = [0.5, 0.0, 0.0]
elements = {elements}
stiffness = {{ axial = 4000.0, shear = [2000.0, 2000.0], bending = [2.0, 2.0], torsion = 1.5 }}
inertia = {{ mass = 0.2, rotary = [1e-4, 1e-4, 2e-4] }}
[body.block]
mass = 1.0
inertia = [0.01, 0.02, 0.015]
position = [0.7, 0.1, 0.0]
[joint.pin]
between = ["block", "arm.end"]
type = "spherical"
[support.hook]
at = "arm.start"
type = "clamp"
[task.simulate]
{multirate}
"#
        )
    };
    let off = |elements: usize, steps: usize| {
        let plain = run(&text(elements, ""), &["time.steps=4000"]);
        let steps = format!("time.steps={steps}");
        let found = run(&text(elements, "multirate = { fast = [\"arm\"], micro = 5 }"), &[&steps]);
        let names = ["x", "y", "z"].map(|axis| format!("motion.block.{axis}.final"));
        names.iter().map(|name| (scalar(&plain, name) - scalar(&found, name)).abs()).fold(0.0, f64::max)
    };
    for elements in [3, 6] {
        let [coarse, fine] = [200, 400].map(|steps| off(elements, steps));
        assert!(fine < 1e-5 && (coarse / fine).log2() > 1.7, "{elements} elements: {coarse:.2e} {fine:.2e}");
    }
}
