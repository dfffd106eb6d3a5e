//! Problem files that once ended wrongly, each with what it must give.
#![allow(clippy::unwrap_used, clippy::panic)]

use lariat::Outcome;
use lariat::problem::load;

fn outcome(name: &str, text: &str, settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let problem = load(name, text, &settings).unwrap_or_else(|found| panic!("{name}: {found}"));
    lariat::solve(&problem)
}

/// A structure at rest: its equations are so badly conditioned that Newton's steps, made of rounding errors, stay above their limit.
#[test]
fn a_structure_at_rest_stays_there() {
    let found = outcome("at-rest", include_str!("at-rest.toml"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
}

/// Corrections of an arc length path that end in rounding errors.
#[test]
fn a_path_goes_on_where_corrections_are_rounding_errors() {
    let found = outcome("rounded-statics", include_str!("rounded-statics.toml"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    // The same equilibrium when the loads are laid on in one go.
    let halves = outcome("rounded-statics", include_str!("rounded-statics.toml"), &["task.statics.factors=[0.5, 1.0]"]);
    for (name, value) in found.report.scalars.iter().filter(|(name, _)| name.starts_with("equilibrium.")) {
        let other = halves.report.scalars[name];
        assert!((value - other).abs() < 1e-7, "{name}: {value} {other}");
    }
}
