//! Statics, simulations and modes of the gallery have their known answers.
#![allow(clippy::unwrap_used, clippy::panic)]

use lariat::problem::{Question, gallery, load};
use lariat::tasks::{Silent, modes, simulation, statics};

#[test]
fn forward_problems_are_solved_as_expected() {
    let mut count = 0;
    for (name, text) in gallery() {
        let problem = load(&format!("problems/{name}.toml"), text, &[]).unwrap_or_else(|found| panic!("{found}"));
        let outcome = match &problem.question {
            Question::Statics(system, spec) => statics::run(system, spec, &mut Silent),
            Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
            Question::Motion(system) => simulation::lagrangian::run(system, &mut Silent),
            Question::Modes(system, spec) => modes::run(system, spec, &mut Silent),
            _ => continue,
        };
        assert_eq!(outcome.report.status, "solved", "{name}: {:?}", outcome.report.message);
        assert!(outcome.report.expectations.len() >= 3, "{name}: too few known answers");
        for expectation in &outcome.report.expectations {
            assert!(expectation.met, "{name}: {expectation:?}");
        }
        count += 1;
    }
    assert!(count >= 15);
}

/// Every scalar a task tells can be expected, so that `[expect]` and the tasks know the same names.
#[test]
fn every_scalar_has_a_name_that_can_be_expected() {
    for (name, text) in gallery() {
        let problem = load(&format!("problems/{name}.toml"), text, &[]).unwrap_or_else(|found| panic!("{found}"));
        let (system, outcome) = match &problem.question {
            Question::Statics(system, spec) => (system, statics::run(system, spec, &mut Silent)),
            Question::Simulate(system, spec) => (system, simulation::run(system, spec, &mut Silent)),
            Question::Modes(system, spec) => (system, modes::run(system, spec, &mut Silent)),
            _ => continue,
        };
        let limit_points = outcome.report.scalars.keys().filter(|key| key.ends_with(".factor")).count();
        let known = lariat::tasks::forward::scalar_names(system, &problem.spec.task, limit_points);
        let told: Vec<&String> = outcome.report.scalars.keys().collect();
        let unknown: Vec<_> = told.iter().filter(|told| !known.contains(told)).collect();
        assert!(unknown.is_empty(), "{name} tells {unknown:?}");
        // There are as many limit and branch points as there are, and loads that let nothing grow have no onset.
        let counted = ["limit_point.", "branch_point.", "linear_buckling.", "onset."];
        // Energy does not decide about stability under follower loads, modes of the stated shape follow no path, and the error
        // of a frequency is estimated for elements, not at zero.
        let conditional = |name: &str| {
            let some = counted.iter().any(|kind| name.starts_with(kind));
            some || name.starts_with("stability.") || name == "path.points" || name.ends_with(".error")
        };
        let missing: Vec<_> = known.iter().filter(|known| !told.contains(known) && !conditional(known)).collect();
        assert!(missing.is_empty(), "{name} does not tell {missing:?}");
    }
}
