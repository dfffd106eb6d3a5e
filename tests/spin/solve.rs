//! Modes and motions by the tasks, as a problem file would ask for them.

use lariat::mechanism::{Mechanism, Spin};
use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::{ForwardSystem, ModesSpec, Silent, modes, simulation, statics};
use nalgebra::Vector3;

/// The structure in a frame that turns about z at a rate.
pub fn spinning(mechanism: Mechanism, rate: f64) -> Mechanism {
    Mechanism { spin: Some(Spin { axis: Vector3::z(), about: Vector3::zeros(), rates: vec![rate] }), ..mechanism }
}

/// The lowest angular frequencies, rad/s; nothing may grow or decay.
pub fn frequencies(mechanism: &Mechanism, count: usize) -> Vec<f64> {
    let mechanism = mechanism.clone();
    let system = ForwardSystem {
        title: String::new(),
        mechanism,
        histories: lariat::tasks::Histories::default(),
        time: None,
        frames: Vec::new(),
        expect: Vec::new(),
    };
    let outcome = modes::run(&system, &ModesSpec { count, ..ModesSpec::default() }, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    let scalar = |k: usize, what: &str| outcome.report.scalars[&format!("modes.{k}.{what}")];
    for k in 1..=count {
        assert!(scalar(k, "real").abs() <= 1e-8 * scalar(k, "omega").max(1e-3), "mode {k}: {}", scalar(k, "real"));
    }
    (1..=count).map(|k| scalar(k, "omega")).collect()
}

/// The outcome of a problem file of this text, beside the gallery.
pub fn run(text: &str, overrides: &[&str]) -> Outcome {
    let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
    let problem = load("problems/test.toml", text, &overrides).unwrap_or_else(|found| panic!("{found}"));
    let outcome = match &problem.question {
        Question::Statics(system, spec) => statics::run(system, spec, &mut Silent),
        Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
        Question::Modes(system, spec) => modes::run(system, spec, &mut Silent),
        _ => panic!("another question"),
    };
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

/// A gallery problem with changes, without its known answers.
pub fn gallery(name: &str, overrides: &[&str]) -> Outcome {
    let (_, text) = lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap();
    let overrides: Vec<&str> = overrides.iter().copied().chain(["expect={}"]).collect();
    run(text, &overrides)
}
