//! What cannot be reached: why, and what would help.

use lariat::discretisation::transcription::unreached;
use lariat::problem::load;
use lariat::results::Report;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::run;

use crate::{gallery, solved, system};

fn infeasible(text: &str) -> Report {
    let report = run(&system(text), &mut Silent).report;
    assert_eq!(report.status, "infeasible", "{:?}", report.message);
    report
}

fn needed(report: &Report, bound: &str) -> f64 {
    let bounds = &report.conflicts.as_ref().unwrap().bounds;
    bounds.iter().find(|moved| moved.bound == bound).unwrap_or_else(|| panic!("{bound} is not in {bounds:?}")).needed
}

/// From rest to rest over 1 m within T by at most U: U T² = 4.
#[test]
fn a_mass_needs_more_force_or_more_time() {
    let text = "[time]\nend = 1\nsteps = 80\n[system]\ncoordinates = ['x']\ncontrols = ['u']\nlagrangian = 'x_dot^2/2'\nforces = { x = 'u' }\n\
        [task.optimal-control]\nobjective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { u = [-1, 1] }\n";
    let report = infeasible(text);
    assert!((needed(&report, "|u| ≤ 1") - 4.0).abs() < 1e-3, "{report:?}");
    assert!((needed(&report, "end time ≤ 1") - 2.0).abs() < 1e-3, "{report:?}");
    let message = report.message.unwrap();
    for part in
        ["violated most is motion of x at t = ", "u is at its bound ", "|u| ≤ 4.00", "(now 1)", "an end time of 2.00"]
    {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    // A push only: half of the way is coasted without any brake, so that no force is enough; time does not help either.
    let push = infeasible(&text.replace("[-1, 1]", "[0, 1]"));
    assert!(push.conflicts.unwrap().bounds.is_empty());
    assert!(push.message.unwrap().contains("neither stronger controls, more time nor wider bounds"));
}

/// What is told to be enough is enough.
#[test]
fn the_force_that_a_cart_pole_needs() {
    let with = |force: f64| gallery("cart-pole", &[("force = [-20.0, 20.0]", &format!("force = [-{force}, {force}]"))]);
    let report = infeasible(&with(2.0));
    let iterations = report.iterations.len();
    assert!(iterations < 1300, "{iterations}: {}", report.method_reason);
    let force = needed(&report, "|force| ≤ 2");
    assert!(force > 2.0 && force < 20.0, "{force}");
    let time = needed(&report, "end time ≤ 2");
    assert!(time > 2.0 && time <= 10.0, "{time}");
    let enough = solved(&with(1.02 * force).replace("effort = 1.0 }", "effort = 1.0 }\nstarts = { count = 4 }"));
    assert!(enough.report.scalars["controls.force.max"] > 2.0);
}

/// A pendulum that may not swing back cannot gather momentum; the wall is named.
#[test]
fn walls_that_are_in_the_way_are_named() {
    let report = infeasible(&gallery(
        "pendulum-swing-up",
        &[("torque = [-5.0, 5.0]", "torque = [-5.0, 5.0], theta = [-0.1, 3.2]")],
    ));
    assert!(needed(&report, "theta ≥ -0.1") < -0.5, "{report:?}");
    assert!(
        report.message.as_ref().unwrap().contains("there is one without the bounds of coordinates, which reaches -"),
        "{report:?}"
    );
}

fn two(lagrangian: &str, forces: &str, more: &str) -> String {
    format!(
        "[time]\nend = 1\nsteps = 20\n[system]\ncoordinates = ['x', 'y']\ncontrols = ['u']\nlagrangian = '{lagrangian}'\nforces = {{ {forces} }}\n{more}\n\
         [task.optimal-control]\nobjective = {{ effort = 1 }}\nstart = {{ x = 0, y = 0 }}\nend = {{ x = 1, y = 1 }}\n"
    )
}

/// A coordinate on which nothing acts is told by name, before and after the solve.
#[test]
fn a_coordinate_without_a_control_is_named() {
    let text = two("x_dot^2/2 + y_dot^2/2", "x = 'u'", "");
    let warnings = load("x.toml", &text, &[]).unwrap().warnings;
    let told = "no control acts on `y`, neither directly nor through other coordinates";
    assert!(warnings.list.iter().any(|warning| warning.message.starts_with(told)), "{warnings}");
    assert!(infeasible(&text).message.unwrap().contains(told));
}

const NONE: [usize; 0] = [];

#[test]
fn controls_act_through_energies_forces_and_constraints() {
    let of = |lagrangian: &str, forces: &str, more: &str| unreached(&system(&two(lagrangian, forces, more)).problem);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2", "x = 'u'", ""), [1]);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2 + x_dot*y_dot/2", "x = 'u'", ""), NONE);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2 - x*y", "x = 'u'", ""), NONE);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2", "x = 'u', y = '-y_dot + x'", ""), NONE);
    // The force on x by y does not make y follow x.
    assert_eq!(of("x_dot^2/2 + y_dot^2/2", "x = 'u + y'", ""), [1]);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2", "x = 'u'", "constraints = { line = 'x - y' }"), NONE);
    assert_eq!(of("x_dot^2/2 + y_dot^2/2", "x = 't'", ""), [0, 1]);
}
