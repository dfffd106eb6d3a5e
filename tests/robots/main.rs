//! Flexible mechanisms with as many actuators as outputs: the bounded motion, against an independent stable inversion (spectral
//! elements, differences of eighth order in time, every output certified to 2e-7 or better), closed forms and balances.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cranes;
mod derivatives;
mod space;
mod vibrations;

use lariat::problem::{Problem, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;

fn problem(text: &str, settings: &[&str]) -> Problem {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    load("x.toml", text, &settings).unwrap_or_else(|found| panic!("{found}"))
}

/// The answer on the grid as it is stated.
fn outcome(text: &str, settings: &[&str]) -> Outcome {
    problem(text, settings).question.task().run(&mut Silent)
}

/// Solved, verified and as its file expects.
fn solved(text: &str, settings: &[&str]) -> Outcome {
    let found = outcome(text, settings);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    assert!(found.report.verification.as_ref().unwrap().passed);
    assert_eq!(found.report.method, "boundary-value");
    found
}

/// A gallery problem without the answers it expects.
fn gallery(name: &str) -> String {
    let text = lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap().1;
    text.split("[expect]").next().unwrap().to_owned()
}

fn scalar(found: &Outcome, name: &str) -> f64 {
    found.report.scalars[name]
}

/// The value of a control at an instant of the grid.
fn control(found: &Outcome, name: &str, t: f64) -> f64 {
    let table = &found.actuation;
    let place = table.t.iter().position(|time| (time - t).abs() < 1e-9).unwrap_or_else(|| panic!("no instant {t}"));
    table.column(name).unwrap()[place]
}

/// ∫ tⁿ u dt by the trapezoidal rule, which is very accurate between rest and rest.
fn moment(found: &Outcome, name: &str, n: i32) -> f64 {
    let (t, u) = (&found.actuation.t, found.actuation.column(name).unwrap());
    t.windows(2).zip(u.windows(2)).map(|(t, u)| 0.5 * (t[1] - t[0]) * (t[0].powi(n) * u[0] + t[1].powi(n) * u[1])).sum()
}

/// Torques before, during and after the path of the tip. On 2 elements of order 4 the largest error is 5e-7 of the peak.
#[test]
fn a_soft_link_is_led_by_its_hub() {
    let found = solved(&gallery("hub-arm-exact"), &[]);
    let torque = |t: f64| control(&found, "motor.torque", t);
    for (t, wanted) in
        [(1.9, 1.948580415046e-3), (2.0, 1.384352707915e-2), (2.4, 1.307064567663), (2.68, 2.657525663569)]
    {
        assert!((torque(t) - wanted).abs() < 5e-6, "{t}: {} against {wanted}", torque(t));
        assert!((torque(6.0 - t) + wanted).abs() < 5e-6, "the way back in time at {t}");
    }
    // Angular momentum about the axis, from rest to rest.
    assert!(moment(&found, "motor.torque", 0).abs() < 1e-9);
    assert!(scalar(&found, "verification.tip.max_error") < 1e-3 * 0.5 * std::f64::consts::PI);
    // Newton's method needs the right derivatives and stresses as unknowns: else it takes dozens of steps, or diverges.
    assert!(found.report.iterations.len() <= 6, "{}", found.report.iterations.len());
}

/// Differences of fourth order: the step is halved, the error falls to a sixteenth.
#[test]
fn the_error_in_time_is_of_fourth_order() {
    let text = gallery("hub-arm-exact");
    let known = [(1.8, 2.732893337673e-4), (2.4, 1.307064567663), (2.52, 2.075651806896), (2.7, 2.653652166285)];
    let errors = [100, 200].map(|steps| {
        let found = outcome(&text, &[&format!("time.steps={steps}"), "rod.link.order=6"]);
        known.map(|(t, wanted)| (control(&found, "motor.torque", t) - wanted).abs()).into_iter().fold(0.0, f64::max)
    });
    let rate = errors[0] / errors[1];
    assert!((10.0..25.0).contains(&rate), "{errors:?}: {rate}");
}

/// A path that begins with the grid and ends with it: the time is extended at both ends by itself, and the torque is the same.
#[test]
fn the_motion_begins_before_the_path_does() {
    let text = gallery("hub-arm-exact").replace("rest(t, 2, 4, 8)", "rest(t, 0, 2, 8)");
    let found = solved(&text, &["time.end=2", "time.steps=200"]);
    assert!(found.actuation.t[0] < -0.5 && *found.actuation.t.last().unwrap() > 2.5);
    assert!((control(&found, "motor.torque", -0.1) - 1.948580415046e-3).abs() < 5e-6);
    assert!((scalar(&found, "actuation.motor.torque.max") - 2.658686482).abs() < 3e-5);
    // It is proved again from the tables alone.
    let proof = problem(&text, &["time.end=2", "time.steps=200"]).question.task().verify(&found, &mut Silent);
    assert!(proof.unwrap().unwrap().passed);
}

/// The largest torques of two links, and angular momentum about the base: ∫ τ₁ dt = 0.
#[test]
fn two_links_are_led_by_shoulder_and_elbow() {
    let found = solved(&gallery("two-link-flexible"), &[]);
    for (name, wanted) in [("first", 5.20186202), ("second", 1.10870659)] {
        let peak = scalar(&found, &format!("actuation.{name}.torque.max"));
        assert!((peak - wanted).abs() < 1e-5 * wanted, "{name}: {peak} against {wanted}");
    }
    assert!(moment(&found, "first.torque", 0).abs() < 1e-7);
    for output in ["tip.x", "tip.y"] {
        assert!(scalar(&found, &format!("verification.{output}.max_error")) < 1e-3 * 0.5);
    }
}

/// The same links soft and heavy, bent by a tenth of a radian.
#[test]
fn soft_links_are_led_by_shoulder_and_elbow() {
    let text = gallery("two-link-flexible")
        .replace("8400000.0", "1e4")
        .replace("2600000.0", "4e3")
        .replace("bending = 11.2", "bending = 10")
        .replace("mass = 0.324, rotary = 4.32e-07", "mass = 0.5, rotary = 1e-3")
        .replace("inertia = 0.01\n", "inertia = 0.1\n")
        .replace("mass = 0.5\ninertia = 0.001", "mass = 0.3\ninertia = 0.05")
        .replace("mass = 0.1\n", "mass = 0.2\n")
        .replace("rest(t, 0.5, 2, 8)", "rest(t, 1.5, 5.5, 8)")
        .replace("1.2 + -0.5*sigma", "1.5 - 0.8*sigma")
        .replace("-0.3 + 1.1*sigma", "-0.4 + 1.5*sigma");
    let (x, y): (f64, f64) = (1.5, -0.4);
    let bent = ((x * x + y * y - 2.0) / 2.0).acos();
    let first = y.atan2(x) - bent.sin().atan2(1.0 + bent.cos());
    let elbow = format!("[{:?}, {:?}]", first.cos(), first.sin());
    let found = solved(
        &text,
        &["time.end=7", &format!("rod.upper.to={elbow}"), &format!("rod.fore.from={elbow}"), "rod.fore.to=[1.5, -0.4]"],
    );
    for (name, wanted) in [("first", 1.98565656), ("second", 0.65109241)] {
        let peak = scalar(&found, &format!("actuation.{name}.torque.max"));
        assert!((peak - wanted).abs() < 1e-5 * wanted, "{name}: {peak} against {wanted}");
    }
}

/// Without a word about the method. Peaks of an aluminium arm: 0.0497 and 0.0671 N m by another program, to 1 %. The largest size of
/// the matrix grows with the steps and no faster.
#[test]
fn an_arm_of_many_elements_needs_no_method() {
    let found = solved(ALUMINIUM, &[]);
    let peak = |name: &str| scalar(&found, &format!("actuation.{name}.torque.max"));
    assert!((peak("first") - 0.0497).abs() < 5e-4 && (peak("second") - 0.0671).abs() < 7e-4);
    let more = outcome(ALUMINIUM, &["time.steps=800"]);
    let size = |found: &Outcome| found.report.sizes["nonzeros"];
    assert!(size(&more) < 5.1 * size(&found));
    assert!(more.report.iterations.len() <= found.report.iterations.len() + 1);
}

/// Under gravity the arm is held by torques at rest: the moments of its weights, but for how it sags.
#[test]
fn an_arm_under_gravity_begins_in_its_equilibrium() {
    let found = solved(ALUMINIUM, &["gravity=[0.0, -9.81]"]);
    let (upper, fore, hand) = (0.405 * 0.5, 0.324 * 0.5, 0.1);
    let wanted = 9.81 * (upper * 0.25 + (fore + hand) * 0.5);
    let first = scalar(&found, "actuation.first.torque.initial");
    assert!((first - wanted).abs() < 1e-3 * wanted, "{first} against {wanted}");
    assert!(scalar(&found, "actuation.second.torque.initial").abs() < 1e-3 * wanted);
}

const ALUMINIUM: &str = r#"
dimension = 2
[time]
end = 4.0
steps = 160
[let]
sigma = "rest(t,1,3,6)"
[rod.upper]
model = "beam"
from = [0.0, 0.0]
to = [0.5, 0.0]
elements = 8
section.rectangle = { width = 0.03, height = 0.005 }
material = { youngs = 70e9, poisson = 0.3, density = 2700.0 }
[rod.fore]
model = "beam"
from = [0.5, 0.0]
to = [0.5, 0.5]
elements = 8
section.rectangle = { width = 0.03, height = 0.004 }
material = { youngs = 70e9, poisson = 0.3, density = 2700.0 }
[body.hand]
mass = 0.1
inertia = 1e-4
[joint.grip]
between = ["hand", "fore.end"]
type = "rigid"
[joint.shoulder]
between = ["ground", "upper.start"]
type = "revolute"
[joint.elbow]
between = ["upper.end", "fore.start"]
type = "revolute"
[actuator.first]
at = "shoulder"
acts = ["torque"]
[actuator.second]
at = "elbow"
acts = ["torque"]
[servo.tip]
at = "hand"
x = "0.5-0.3*sigma"
y = "0.5-0.1*sigma"
[task.inverse-dynamics]
"#;
