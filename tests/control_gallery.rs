//! Optimal control from problem files: known answers, verification, and the pieces that a file can state.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use lariat::problem::{Question, gallery, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{ControlSystem, phase_scalars, reverify, run, scalar_names};

fn system(name: &str, text: &str) -> ControlSystem {
    let problem = load(name, text, &[]).unwrap_or_else(|found| panic!("{found}"));
    match problem.question {
        Question::OptimalControl(system) => *system,
        other => panic!("{name} is another question: {other:?}"),
    }
}

fn solved(text: &str) -> Outcome {
    let outcome = run(&system("x.toml", text), &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

#[test]
fn control_problems_of_the_gallery_are_solved_as_expected() {
    let mut count = 0;
    for (name, text) in gallery() {
        if !text.contains("[task.optimal-control]") {
            continue;
        }
        let system = system(name, text);
        let outcome = run(&system, &mut Silent);
        let report = &outcome.report;
        assert_eq!(report.status, "solved", "{name}: {:?}", report.message);
        assert!(report.expectations.len() >= 3, "{name}: too few known answers");
        for expectation in &report.expectations {
            assert!(expectation.met, "{name}: {expectation:?}");
        }
        assert!(report.verification.as_ref().unwrap().passed, "{name}");
        let (told, mut known) = (report.scalars.keys(), scalar_names(&system.coordinates(), &system.controls()));
        let phases = system.phases.iter().flat_map(|phases| phases.phases());
        known.extend(phase_scalars(phases.map(|phase| &phase.name)));
        let mut known: Vec<&String> = known.iter().collect();
        known.sort();
        assert_eq!(told.collect::<Vec<_>>(), known, "{name}");
        assert!(report.iterations.windows(2).all(|rows| rows[1].iter > rows[0].iter), "{name}");
        assert_eq!(outcome.actuation.t.len(), system.intervals + 1, "{name}");
        // The same verdict from the controls alone; another one where they are changed.
        let again = reverify(&system, &outcome).unwrap();
        assert!(again.verification.passed && again.overruns.is_empty(), "{name}: {again:?}");
        let mut changed = outcome.clone();
        changed.controls.columns[0].1.iter_mut().take(system.intervals / 2).for_each(|u| *u *= 0.5);
        assert!(!reverify(&system, &changed).unwrap().verification.passed, "{name}: a change is not noticed");
        count += 1;
    }
    assert!(count >= 8);
}

/// A mass on a line, with room for what is tried.
fn mass(task: &str, forces: &str) -> String {
    format!(
        "[time]\nend = 1\nsteps = 50\n[system]\ncoordinates = [\"x\"]\ncontrols = [\"u\"]\nlagrangian = \"x_dot^2/2\"\nforces = {{ x = \"{forces}\" }}\n[task.optimal-control]\n{task}\n"
    )
}

/// J = 6/(1 − 1/N²) from rest to rest; 3/2 for a free end velocity and half of it is the cost of 1.5 (1 − t) in continuous
/// time; a start in a range takes the end of the range that is nearer.
#[test]
fn free_ends_and_ranges() {
    let rest = solved(&mass("objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }", "u"));
    assert!((rest.report.scalars["objective"] * (1.0 - 1.0 / 2500.0) / 6.0 - 1.0).abs() < 1e-8);
    let free = solved(&mass("objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1, x_dot = 'free' }", "u"));
    // u = 3 (1 − t), J = ½ ∫ 9 (1 − t)² = 3/2; the steps add a term of order 1/N².
    assert!((free.report.scalars["objective"] - 1.5).abs() < 2e-3, "{:?}", free.report.scalars);
    assert!((free.report.scalars["motion.x_dot.final"] - 1.5).abs() < 2e-3);
    let range = "objective = { effort = 1 }\nstart = { x = [-1, 0.5] }\nend = { x = 1 }";
    let range = solved(&mass(range, "u"));
    assert!((range.report.scalars["motion.x.initial"] - 0.5).abs() < 1e-6);
    assert!((range.report.scalars["objective"] / rest.report.scalars["objective"] - 0.25).abs() < 1e-6);
}

/// A running cost written as a formula is the effort; a cost of the end pulls as far as it pays.
#[test]
fn costs_written_as_formulas() {
    let effort = solved(&mass("objective = { effort = 2 }\nstart = { x = 0 }\nend = { x = 1 }", "u"));
    let written = solved(&mass("objective = { running = 'u^2' }\nstart = { x = 0 }\nend = { x = 1 }", "u"));
    let objectives = [&effort, &written].map(|outcome| outcome.report.scalars["objective"]);
    assert!((objectives[0] / objectives[1] - 1.0).abs() < 1e-9, "{objectives:?}");
    // min over x of 6 x²/(1 − 1/N²) − x: x = (1 − 1/N²)/12.
    let pulled = "objective = { effort = 1, end = '-x' }\nstart = { x = 0 }\nend = { x = 'free' }";
    let pulled = solved(&mass(pulled, "u"));
    let wanted = (1.0 - 1.0 / 2500.0) / 12.0;
    assert!((pulled.report.scalars["motion.x.final"] / wanted - 1.0).abs() < 1e-6, "{:?}", pulled.report.scalars);
}

/// From 0 to 1 with |u| ≤ 4 in minimum time: T = 2 √(1/4) = 1; the smallest peak for T = 1 is the same 4.
#[test]
fn minimum_time_and_smallest_peak() {
    let task = "objective = { time = 1 }\nfree-end-time = [0.1, 5]\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { u = [-4, 4] }";
    let fast = solved(&mass(task, "u"));
    assert!((fast.report.scalars["duration"] - 1.0).abs() < 1e-4, "{:?}", fast.report.scalars);
    let gentle = solved(&mass("objective = { peak = 1 }\nstart = { x = 0 }\nend = { x = 1 }", "u"));
    assert!((gentle.report.scalars["objective"] - 4.0).abs() < 1e-4, "{:?}", gentle.report.scalars);
    assert!((gentle.report.scalars["controls.u.max"] - 4.0).abs() < 1e-4);
}

/// A speed limit along the way is respected, and holds where the free motion would break it (1.5 m/s).
#[test]
fn constraints_along_the_way() {
    let task = "objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }\npath = { speed = { value = 'x_dot', max = 1.2 } }";
    let slow = solved(&mass(task, "u"));
    assert!((slow.report.scalars["motion.x_dot.max"] - 1.2).abs() < 1e-6, "{:?}", slow.report.scalars);
}

/// A pendulum in Cartesian coordinates with the rod as a constraint does what the angle does.
#[test]
fn constraints_of_the_system() {
    let common = "[time]\nend = 1\nsteps = 100\n[let]\ng = 9.81\n[task.optimal-control]\nobjective = { effort = 1 }\n";
    let angle = format!(
        "{common}start = {{ a = 0 }}\nend = {{ a = 1 }}\n[system]\ncoordinates = ['a']\ncontrols = ['u']\nlagrangian = 'a_dot^2/2 + g*cos(a)'\nforces = {{ a = 'u' }}\n"
    );
    let point = format!(
        "{common}start = {{ x = 0, y = -1 }}\nend = {{ x = 'sin(1)', y = '-cos(1)' }}\nguess = {{ x = 'sin(t)', y = '-cos(t)' }}\n[system]\ncoordinates = ['x', 'y']\ncontrols = ['u']\nlagrangian = '(x_dot^2 + y_dot^2)/2 - g*y'\nforces = {{ x = '-y*u', y = 'x*u' }}\nconstraints = {{ rod = '(x^2 + y^2 - 1)/2' }}\n"
    );
    let [angle, point] = [angle, point].map(|text| solved(&text).report.scalars["objective"]);
    assert!((angle / point - 1.0).abs() < 1e-3, "{angle} {point}");
}

/// A rotor that is the same every turn: its velocity repeats, and its angle is one turn further.
#[test]
fn periodic_motions_repeat() {
    let task = "objective = { effort = 1 }\nstart = { x = 0 }\nend = {}\nperiodic = { x = '2*pi' }";
    let outcome = solved(&mass(task, "u - 9.81*sin(x) - x_dot/5"));
    let scalar = |name: &str| outcome.report.scalars[name];
    assert!((scalar("motion.x.final") - 2.0 * std::f64::consts::PI).abs() < 1e-9);
    let [first, last] = ["initial", "final"].map(|end| scalar(&format!("motion.x_dot.{end}")));
    assert!((first - last).abs() < 1e-8 && first > 6.0, "{first} {last}");
}

/// What the costates are: the change of the least cost by an impulse, here that of the start velocity of a unit mass.
#[test]
fn costates_tell_what_an_impulse_costs() {
    let objective = |speed: f64| {
        let task = format!("objective = {{ effort = 1 }}\nstart = {{ x = 0, x_dot = {speed} }}\nend = {{ x = 1 }}");
        solved(&mass(&task, "u"))
    };
    let (before, at, after) = (objective(0.49), objective(0.5), objective(0.51));
    let [before, after] = [before, after].map(|outcome| outcome.report.scalars["objective"]);
    // The objective is a quadratic function of the start velocity, so that the difference is exact.
    let (slope, costate) = ((after - before) / 0.02, at.motion.column("costate.x").unwrap()[0]);
    assert!((slope / costate - 1.0).abs() < 1e-6, "{slope} {costate}");
}

/// What cannot be reached is explained in the names of the file.
#[test]
fn impossible_problems_are_explained() {
    let task = "objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { u = [-1, 1] }";
    let outcome = run(&system("x.toml", &mass(task, "u")), &mut Silent);
    assert_eq!(outcome.report.status, "infeasible");
    let message = outcome.report.message.as_ref().unwrap();
    assert!(message.contains("motion of x") || message.contains("u at"), "{message}");
    assert!(!outcome.motion.is_empty() && outcome.report.verification.is_none());
}

/// Spheres of a file are constraints, whether multipliers or local coordinates keep them.
#[test]
fn spheres_are_kept_in_both_ways() {
    let (_, text) = gallery().iter().find(|(name, _)| *name == "reorientation").unwrap();
    let [local, full] = ["null-space", "multipliers"]
        .map(|form| solved(&text.replace("constraints = \"null-space\"", &format!("constraints = \"{form}\""))));
    let objective = |outcome: &Outcome| outcome.report.scalars["objective"];
    assert!((objective(&local) / objective(&full) - 1.0).abs() < 1e-8);
    // Three unknowns at each of 201 nodes instead of four and a multiplier.
    let variables = |outcome: &Outcome| outcome.report.sizes["variables"];
    assert_eq!(variables(&full) - variables(&local), 402.0);
    for k in 0..=200 {
        let length: f64 = ["p0", "p1", "p2", "p3"].iter().map(|p| local.motion.column(p).unwrap()[k].powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-12, "{k}: {length}");
    }
}
