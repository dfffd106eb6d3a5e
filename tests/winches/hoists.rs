//! Inverse dynamics of a trolley with a winch.

use lariat::Outcome;

use super::{outcome, problem, scalar, solved};

const CRANE: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 8.0
steps = 400
[let]
sigma = "rest(t, 1, 7, 8)"
mass = 0.5
[rod.rope]
model = "string"
from = [0.0, 0.0]
to = [0.0, -4.0]
elements = 20
stiffness = { axial = 2e4 }
inertia = { mass = "mass" }
[body.trolley]
mass = 20.0
position = [0.0, 0.0]
[body.load]
mass = 50.0
[joint.hook]
between = ["load", "rope.end"]
type = "rigid"
[support.rail]
at = "trolley"
fixes = ["y"]
[winch.hoist]
rope = "rope"
at = "trolley"
radius = 0.2
inertia = 0.4
stored = 0.5
[actuator.drive]
at = "trolley"
acts = ["force_x"]
[servo.load]
at = "load"
x = "3*sigma"
y = "-4 + 2*sigma"
[task.inverse-dynamics]
"#;

/// rest(t, 1, 7, 8): the integral of u⁷(1 − u)⁷ over that over [0, 1], by its binomials.
fn sigma(t: f64) -> f64 {
    let u = ((t - 1.0) / 6.0).clamp(0.0, 1.0);
    // The mirror image of the second half keeps the digits.
    if u > 0.5 {
        return 1.0 - sigma(8.0 - t);
    }
    let mut binomial = 1.0;
    let mut sum = 0.0;
    for k in 0..=7 {
        sum += binomial * u.powi(8 + k) / f64::from(8 + k);
        binomial *= -f64::from(7 - k) / f64::from(k + 1);
    }
    // ∫ u⁷(1 − u)⁷ = 7! 7!/15!.
    sum / (5040.0 * 5040.0 / 1_307_674_368_000.0)
}

/// Second derivative by differences of order six.
fn second(f: &dyn Fn(f64) -> f64, t: f64) -> f64 {
    let h = 0.02;
    let pair = |k: f64| f(t + k * h) + f(t - k * h) - 2.0 * f(t);
    (270.0 * pair(1.0) - 27.0 * pair(2.0) + 2.0 * pair(3.0)) / (180.0 * h * h)
}

/// Force on the trolley and torque of the winch for a massless elastic rope: it is straight, along the force m (a − g) of the load.
fn massless(t: f64) -> [f64; 2] {
    let (load, trolley, drum, axial) = (50.0, 20.0, 0.4 / 0.04, 2e4);
    let pull = |t: f64| [load * 3.0 * second(&sigma, t), load * (2.0 * second(&sigma, t) + 9.81)];
    let height = |t: f64| 4.0 - 2.0 * sigma(t);
    let sheave = |t: f64| 3.0 * sigma(t) + height(t) * pull(t)[0] / pull(t)[1];
    let tension = |t: f64| pull(t)[0].hypot(pull(t)[1]);
    let length = |t: f64| height(t) * tension(t) / pull(t)[1] / (1.0 + tension(t) / axial);
    let force = trolley * second(&sheave, t) + pull(t)[0];
    [force, 0.2 * (tension(t) - drum * second(&length, t))]
}

/// Largest deviations from the massless rope over the largest values.
fn off(found: &Outcome) -> [f64; 2] {
    let columns = ["drive.force_x", "hoist.torque"].map(|name| found.actuation.column(name).unwrap());
    let mut worst = [0.0_f64; 2];
    let mut size = [0.0_f64; 2];
    for (k, t) in found.actuation.t.iter().enumerate() {
        let wanted = massless(*t);
        for i in 0..2 {
            worst[i] = worst[i].max((columns[i][k] - wanted[i]).abs());
            size[i] = size[i].max((wanted[i] - massless(0.0)[i]).abs());
        }
    }
    [worst[0] / size[0], worst[1] / size[1]]
}

#[test]
fn forces_go_to_those_of_a_massless_rope_with_its_mass() {
    let at = |mass: &str| off(&solved(CRANE, &[mass]));
    let [heavy, light] = [at("let.mass=0.02"), at("let.mass=0.01")];
    for i in 0..2 {
        assert!((heavy[i] / light[i] / 2.0 - 1.0).abs() < 0.05, "order one: {heavy:?} {light:?}");
    }
    let lightest = at("let.mass=1e-4");
    assert!(lightest.iter().all(|off| *off < 3e-4), "{lightest:?}");
}

/// Forward through the winch: the load follows its path on another mesh, driven by the forces alone; by others it does not.
#[test]
fn load_follows_under_the_computed_forces_alone() {
    let problem = problem(CRANE, &[]);
    let found = lariat::solve(&problem);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    for name in ["load.x", "load.y"] {
        let off = scalar(&found, &format!("verification.{name}.max_error"));
        assert!(off < 5e-4, "{name} {off}");
    }
    // At rest: the weight of load and free rope, m g + ρA g ℓ with the unstressed length.
    let length = scalar(&found, "motion.hoist.length.initial");
    let weight = 9.81 * (50.0 + 0.5 * length);
    assert!((scalar(&found, "actuation.hoist.torque.initial") / (0.2 * weight) - 1.0).abs() < 1e-7);
    let task = problem.question.task();
    let mut silent = lariat::Silent;
    let again = task.verify(&found, &mut silent).unwrap().unwrap();
    assert!(again.passed);
    for (column, factor) in [(0, 1.01), (1, 1.002)] {
        let mut wrong = found.clone();
        wrong.actuation.columns[column].1.iter_mut().for_each(|value| *value *= factor);
        assert!(!task.verify(&wrong, &mut silent).unwrap().unwrap().passed, "column {column}");
    }
}

/// Across the plane of a crane in space all is as in the plane.
#[test]
fn crane_in_space_along_a_diagonal_is_the_one_in_the_plane() {
    let space = CRANE
        .replace("dimension = 2", "dimension = 3")
        .replace("[0.0, -9.81]", "[0.0, 0.0, -9.81]")
        .replace("[0.0, 0.0]", "[0.0, 0.0, 0.0]")
        .replace("[0.0, -4.0]", "[0.0, 0.0, -4.0]")
        .replace("fixes = [\"y\"]", "fixes = [\"z\"]")
        .replace("acts = [\"force_x\"]", "acts = [\"force_x\", \"force_y\"]")
        .replace("x = \"3*sigma\"", "x = \"1.8*sigma\"")
        .replace("y = \"-4 + 2*sigma\"", "y = \"2.4*sigma\"\nz = \"-4 + 2*sigma\"");
    let (plane, space) = (solved(CRANE, &[]), solved(&space, &[]));
    let of = |outcome: &Outcome, name: &str| outcome.actuation.column(name).unwrap().to_vec();
    let pairs = [("force_x", 0.6), ("force_y", 0.8)];
    for (name, share) in pairs {
        let (along, found) = (of(&plane, "drive.force_x"), of(&space, &format!("drive.{name}")));
        assert!(along.iter().zip(&found).all(|(a, b)| (a * share - b).abs() < 1e-5), "{name}");
    }
    let (a, b) = (of(&plane, "hoist.torque"), of(&space, "hoist.torque"));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5));
}

/// Led by the paid-out length and the trolley's place that the march found, the load follows its path as well.
#[test]
fn simulation_led_by_length_and_trolley_carries_the_load_along_its_path() {
    let found = solved(CRANE, &[]);
    let folder = tempfile::tempdir().unwrap();
    let columns = ["trolley.x", "hoist.length"].map(|name| found.motion.column(name).unwrap());
    let mut table = "t,x,length\n".to_owned();
    for (k, t) in found.motion.t.iter().enumerate() {
        table.push_str(&format!("{t},{:.15},{:.15}\n", columns[0][k], columns[1][k]));
    }
    std::fs::write(folder.path().join("led.csv"), table).unwrap();
    let begin = CRANE.find("[actuator.drive]").unwrap();
    let text = CRANE[..begin]
        .replace("fixes = [\"y\"]", "x = \"led.x(t)\"\ny = 0")
        .replace("inertia = 0.4", "inertia = 0.4\nlength = \"led.length(t)\"")
        .replace("elements = 20", "elements = 40")
        .replace("steps = 400", "steps = 1600")
        + "[table.led]\nfile = \"led.csv\"\ncolumns = [\"x\", \"length\"]\n[task.simulate]\nstart = \"equilibrium\"\n";
    let file = folder.path().join("led.toml");
    let problem = lariat::problem::load(&file.display().to_string(), &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let led = lariat::solve(&problem);
    assert_eq!(led.report.status, "solved", "{:?}", led.report.message);
    let [x, y] = ["load.x", "load.y"].map(|name| led.motion.column(name).unwrap());
    let mut worst = 0.0_f64;
    for (k, t) in led.motion.t.iter().enumerate() {
        worst = worst.max((x[k] - 3.0 * sigma(*t)).abs()).max((y[k] + 4.0 - 2.0 * sigma(*t)).abs());
    }
    assert!(worst < 2e-4, "{worst}");
}

#[test]
fn rope_that_does_not_reach_the_sheave_is_told_with_what_is_missing() {
    let found = outcome(CRANE, &["winch.hoist.stored=0.0", "servo.load.y=-4 - 0.3*sigma"]);
    let message = found.report.message.unwrap();
    assert_eq!(found.report.status, "not-applicable");
    assert!(message.contains("too short") && message.contains("winch.hoist.stored"), "{message}");
}
