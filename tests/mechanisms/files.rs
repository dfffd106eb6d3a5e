//! Mechanisms from problem files.

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::run;

fn solved(text: &str) -> Outcome {
    let problem = load("x.toml", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    let Question::OptimalControl(system) = problem.question else { panic!("another question") };
    let outcome = run(&system, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    assert!(outcome.report.verification.as_ref().unwrap().passed);
    outcome
}

fn cost(text: &str) -> f64 {
    solved(text).report.scalars["objective"]
}

/// A mass of 2 kg on a rail.
fn rail(task: &str) -> String {
    format!(
        "dimension = 2\n[time]\nend = 1\nsteps = 40\n[body.m]\nmass = 2\ninertia = 0.1\nposition = [0, 0]\n[joint.rail]\nbetween = [\"ground\", \"m\"]\ntype.prismatic = {{ axis = [1, 0] }}\n[actuator.a]\nat = \"rail\"\nacts = [\"force\"]\n[task.optimal-control]\nobjective = {{ effort = 1 }}\n{task}\n"
    )
}

/// From rest to rest over 1 m in 1 s the least effort is 6 m²/(1 − 1/N²), wherever the rail is and whatever names the ends.
#[test]
fn a_mass_on_a_rail_costs_what_a_double_integrator_does() {
    let wanted = 24.0 / (1.0 - 1.0 / 1600.0);
    for task in [
        "start = {}\nend = { \"rail.position\" = 1 }",
        "start = {}\nend = { \"m.x\" = 1 }\nbounds = { \"m.x\" = [0, 1], \"rail.position\" = [-0.5, 1.5] }",
        // The start is on its bound: what is stated is not lost in the rounding of the joints.
        "start = { \"m.x\" = 1 }\nend = { \"m.x\" = 2 }\nbounds = { \"m.x\" = [1, 3] }",
        "start = {}\nend = { \"m.x\" = 1 }\nconstraints = \"multipliers\"",
    ] {
        let found = cost(&rail(task));
        assert!((found / wanted - 1.0).abs() < 1e-7, "{task}: {found}");
    }
}

/// With the velocity at the end free the least effort is 3 m² x²/(2 T³).
#[test]
fn a_velocity_that_is_free_frees_the_joint() {
    let found = cost(&rail("start = {}\nend = { \"m.x\" = 1, \"m.x_dot\" = \"free\" }\nmesh = { continue = false }"));
    // u = 3 m (1 − t): cost 3/2 m² = 6, up to 1/N².
    assert!((found / 6.0 - 1.0).abs() < 2e-3, "{found}");
}

/// A body that only stays where it is, against its weight: u = m g throughout.
#[test]
fn what_does_not_move_is_verified() {
    let text = "dimension = 2\ngravity = [0, -9.81]\n[time]\nend = 1\nsteps = 40\n[body.m]\nmass = 2\ninertia = 0.3\nposition = [0, 0]\n[actuator.a]\nat = \"m\"\nacts = [\"force_x\", \"force_y\", \"torque\"]\n[task.optimal-control]\nobjective = { effort = 1 }\nstart = {}\nend = { \"m.x\" = 0, \"m.y\" = 0, \"m.angle\" = 0 }\n";
    let outcome = solved(text);
    let weight: f64 = 2.0 * 9.81;
    assert!((outcome.report.scalars["objective"] - 0.5 * weight * weight).abs() < 1e-6);
    assert!(outcome.report.residuals["largest_step_error"] < 1e-4);
}

/// Angles of joints are told beside the coordinates.
#[test]
fn angles_of_joints_are_columns_of_the_motion() {
    let outcome = solved(&rail("start = {}\nend = { \"rail.position\" = 1 }"));
    let way = outcome.motion.column("rail.position").unwrap();
    assert!((way[40] - 1.0).abs() < 1e-9 && (way[20] - 0.5).abs() < 1e-6);
    let rate = outcome.motion.column("rail.position_dot").unwrap();
    assert!((rate[20] - 1.5).abs() < 2e-2, "{}", rate[20]);
    assert_eq!(outcome.report.units["rail.position_dot"], "m/s");
}
