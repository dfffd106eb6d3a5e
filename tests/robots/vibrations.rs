//! The zero dynamics: what the mechanism does while its outputs are held.

use super::*;
use lariat::discretisation::boundary_value::Zero;
use lariat::problem::Question;
use lariat::tasks::inverse_dynamics::boundary_value::prospects;

fn zeros(text: &str, settings: &[&str]) -> Vec<Zero> {
    match problem(text, settings).question {
        Question::Servo(system) => prospects(&system.problem, system.grid).unwrap().zeros,
        other => panic!("another question: {other:?}"),
    }
}

/// Zeros of the exact transfer function of a Timoshenko beam with a hub and a point mass: real ±11.30, ±63.4, ±168 1/s, imaginary
/// only ±131i, of the axial motion. A rotary inertia at the tip adds the pair ±21.1i.
#[test]
fn zeros_of_a_link_are_those_of_its_transfer_function() {
    let text = gallery("hub-arm-exact");
    let settings = ["rod.link.stiffness.bending=1", "rod.link.order=6"];
    let found = zeros(&text, &settings);
    let growing: Vec<f64> = found.iter().filter(|zero| zero.growth > 0.0).map(|zero| zero.growth).collect();
    for (growth, wanted) in growing.iter().zip([11.30, 63.4, 168.0]) {
        assert!((growth / wanted - 1.0).abs() < 2e-3, "{growing:?}");
    }
    let rings = |found: &[Zero]| found.iter().find(|zero| zero.rings()).unwrap().frequency;
    assert!((rings(&found) - 131.0).abs() < 0.7);
    let found = zeros(&text, &[&settings[..], &["body.load.inertia=0.01"]].concat());
    assert!((rings(&found) - 21.1).abs() < 0.05, "{}", rings(&found));
}

/// A rotary inertia at the tip vibrates for ever at 21.1 rad/s, within the band of the path: no motion from rest to rest follows
/// it. That is told by frequency and name, with what to do instead.
#[test]
fn a_vibration_in_the_band_of_the_path_is_told() {
    let text = gallery("hub-arm-exact");
    let found = outcome(&text, &["rod.link.stiffness.bending=1", "body.load.inertia=0.01"]);
    let message = found.report.message.unwrap();
    assert_eq!(found.report.status, "ill-posed", "{message}");
    for words in ["21.1", "rad/s", "hub.angle", "optimise"] {
        assert!(message.contains(words), "{message}");
    }
}

/// A path that moves beyond the grid has no rest to begin from, and one output too many has no motion.
#[test]
fn paths_must_rest_before_and_after() {
    let text = gallery("hub-arm-exact").replace("0.5*pi*sigma", "0.1*t");
    let found = outcome(&text, &[]);
    assert_eq!(found.report.status, "ill-posed");
    assert!(found.report.message.unwrap().contains("rest(t, start, end, k)"));
    assert!(found.actuation.is_empty());
}
