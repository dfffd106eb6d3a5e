//! Statuses that say too much, numbers that are none, and runs that are announced.

use lariat::problem::gallery;
use lariat::{Observer, RunStatus};

fn file(name: &str) -> &'static str {
    gallery().iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("{name}")).1
}

/// Asks to stop as soon as a phase begins.
struct Until(&'static str, bool);

impl Observer for Until {
    fn phase(&mut self, name: &str, _: usize) {
        self.1 |= name == self.0;
    }

    fn interrupted(&self) -> bool {
        self.1
    }
}

/// The motion asked for was found, but neither its alternatives nor its proof.
#[test]
fn an_interrupted_trade_off_is_not_solved() {
    let text = file("flexible-arm");
    let settings = ["expect={}", "rod.arm.elements=2", "time.steps=60"].map(str::to_owned);
    let problem = lariat::load("flexible-arm", text, &settings).unwrap_or_else(|found| panic!("{found}"));
    for phase in ["other weights of the effort", "verifying"] {
        let outcome = lariat::solve_with(&problem, &mut Until(phase, false));
        assert_eq!(outcome.report.status, RunStatus::Interrupted, "{phase}: {:?}", outcome.report.message);
        assert!(!outcome.actuation.is_empty(), "what was found is kept");
    }
}

/// The guide explains every status, in the words of the program.
#[test]
fn the_guide_explains_every_status() {
    let guide = include_str!("../../README.md");
    for status in RunStatus::ALL.into_iter().filter(|status| *status != RunStatus::Unfinished) {
        let row = format!("| `{status}` | {} |", status.meaning());
        assert!(guide.contains(&row), "the README lacks the row\n{row}");
    }
}

/// What does not exist is left out: no `null`, no `NaN`.
#[test]
fn reports_hold_no_numbers_that_are_none() {
    for (name, settings) in
        [("four-bars", &[][..]), ("beam-quarter-turn", &["time.steps=40", "rod.beam.elements=8"][..])]
    {
        let settings: Vec<String> = settings.iter().copied().chain(["expect={}"]).map(str::to_owned).collect();
        let problem = lariat::load(name, file(name), &settings).unwrap_or_else(|found| panic!("{found}"));
        let report = lariat::solve(&problem).report;
        let text = serde_json::to_string(&report).unwrap();
        assert!(!text.contains("null") && !text.contains("NaN"), "{name}: {text}");
        let back: lariat::Report = serde_json::from_str(&text).unwrap();
        assert_eq!(back, report);
    }
}

/// Sizes are weighed in time as well as in memory.
#[test]
fn what_never_ends_is_refused_and_what_takes_long_is_told() {
    let text = file("swinging-rod");
    let of = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().copied().chain(["expect={}"]).map(str::to_owned).collect();
        lariat::load("swinging-rod", text, &settings)
    };
    let usual = of(&[]).unwrap_or_else(|found| panic!("{found}")).cost;
    let long = of(&["time.steps=50000000", "task.simulate.every=50000"]).unwrap_or_else(|found| panic!("{found}")).cost;
    assert!(usual.seconds < 60.0 && long.seconds > 600.0, "{usual} {long}");
    let found = of(&["time.steps=1000000000000000", "task.simulate.every=1000000000000"]).unwrap_err();
    assert!(found.list.iter().any(|one| one.message.contains("time.steps")), "{found}");
}

/// Numbers whose products have no value are refused at their key; those far apart that have one are not.
#[test]
fn numbers_beyond_all_scales_are_refused() {
    let of = |setting: &str| lariat::load("bend-45", file("bend-45"), &[setting.to_owned(), "expect={}".to_owned()]);
    for value in ["1e308", "-1e60", "5e-324", "1e-300"] {
        let found = of(&format!("load.lift.force=[0.0, 0.0, {value}]")).unwrap_err();
        assert!(found.list.iter().any(|one| one.message.contains("from 1e-50 to 1e50 in size")), "{value}: {found}");
    }
    for value in ["0.0", "-1e-45", "1e45"] {
        let taken = of(&format!("load.lift.force=[0.0, 0.0, {value}]"));
        assert!(taken.is_ok(), "{value}: {}", taken.unwrap_err());
    }
}

/// The exact method cut a rod that hardly resists into parts without end.
#[test]
fn a_rod_with_too_many_modes_of_its_own_is_named() {
    let settings = ["rod.deck3.inertia.rotary=[1e12, 2.826e-3, 3.14e-3]", "rod.deck2.stiffness.shear=1e-40"];
    for setting in settings {
        let told = lariat::cli::explain_file("bridge-modes", file("bridge-modes"), &[setting.to_owned()], None);
        assert!(told.text.contains("rod `deck"), "{setting}: {} {:?}", told.text, told.mistakes);
    }
}

/// Whether all of space and time can be solved at once is known before it is tried, in a time that does not grow by the square.
#[test]
fn large_systems_are_looked_at_in_good_time() {
    let settings = ["time.steps=400", "expect={}"].map(str::to_owned);
    let problem =
        lariat::load("beam-hinged-tip", file("beam-hinged-tip"), &settings).unwrap_or_else(|found| panic!("{found}"));
    let report = lariat::solve(&problem).report;
    assert_eq!(report.status, "solved", "{:?}", report.message);
}

/// Numbers inside expressions, and the values of expressions, have the sizes of numbers that stand by themselves.
#[test]
fn expressions_beyond_all_scales_are_refused() {
    let mistakes = |name: &str, setting: &str| {
        let found = lariat::load(name, file(name), &[setting.to_owned()]).expect_err(setting);
        found.list.into_iter().map(|one| (one.message, one.path.unwrap_or_default())).collect::<Vec<_>>()
    };
    for (name, path, text, number) in [
        ("two-segment-arm", "rod.upper.inertia.rotary", "1e308 - 0.3*s", "1e308"),
        ("crane-elastic-rope", "servo.load_x.path", "-1e308*sigma", "1e308"),
        ("crane-elastic-rope", "let.sigma", "rest(t, 0, 5e-324, 5)", "5e-324"),
        ("crane-elastic-rope", "system.lagrangian", "2e60*x_dot^2", "2e60"),
    ] {
        let found = mistakes(name, &format!("{path}={text:?}"));
        let wanted = format!("`{path}` holds {number}, expected 0 or a number from 1e-50 to 1e50 in size");
        assert!(found.contains(&(wanted, path.to_owned())), "{found:?}");
    }
    for (name, path, text) in [
        ("two-segment-arm", "rod.upper.inertia.rotary", "1e30*1e30 - 0.3*s"),
        ("two-segment-arm", "servo.tool.angle", "1e40*1e40*sigma"),
        ("crane-elastic-rope", "servo.load_x.path", "1e40*1e40*sigma"),
        ("bend-45", "load.lift.force", "[0.0, 0.0, \"1e49*1e49\"]"),
    ] {
        let value = if text.starts_with('[') { text.to_owned() } else { format!("{text:?}") };
        let found = mistakes(name, &format!("{path}={value}"));
        let told = |(message, at): &(String, String)| at.starts_with(path) && message.contains("exceeds 1e50");
        assert!(found.iter().any(told), "{text}: {found:?}");
    }
    // Small values are those of smooth functions.
    let smooth = ["servo.load_x.path=\"5*sigma + 1e-40*1e-40\"".to_owned(), "expect={}".to_owned()];
    assert!(lariat::load("crane-elastic-rope", file("crane-elastic-rope"), &smooth).is_ok());
}

/// A path may be too steep for numbers although all that it is made of is not.
#[test]
fn derivatives_without_a_value_are_named() {
    let settings = ["let.sigma=\"rest(t, 0, 1e-40*1e-40, 5)\"".to_owned(), "expect={}".to_owned()];
    let told = lariat::cli::explain_file("crane", file("crane-elastic-rope"), &settings, None);
    assert_eq!(told.exit, lariat::cli::Exit::Unsolved);
    assert!(told.text.contains("the path of servo output load_x has no finite value at t = 0"), "{}", told.text);
    assert!(!told.text.contains("NaN") && !told.text.contains("inf"), "{}", told.text);
    let problem =
        lariat::load("crane", file("crane-elastic-rope"), &settings).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(lariat::solve(&problem).report.status, RunStatus::NotSmooth);
}

/// A rope of 5e7 m: the vibration of its zero dynamics is told without shares of its energy, where rounding leaves none.
#[test]
fn vibrations_without_a_shape_are_told_without_it() {
    let settings = ["rod.rope.from=[0.0, 50000000]".to_owned(), "expect={}".to_owned()];
    let told = lariat::cli::explain_file("crane", file("crane-rail"), &settings, None);
    assert!(told.text.contains("vibrates undamped") && !told.text.contains("NaN"), "{}", told.text);
}
