//! Finer grids where the stated one is too coarse.

use assert_cmd::Command;

use super::{Solved, gallery};

/// What `lariat verify` says of a result.
pub(super) fn verified_again(solved: &Solved) -> bool {
    let said = Command::cargo_bin("lariat").unwrap().arg("verify").arg(solved.results()).output().unwrap();
    said.status.success()
}

pub(super) fn adapted(solved: &Solved) -> Vec<String> {
    let list = solved.report["adapted"].as_array().cloned().unwrap_or_default();
    list.iter().map(|setting| setting.as_str().unwrap().to_owned()).collect()
}

/// Three elements of order 1 miss the path by 7.9e-2 m (see `coarse.rs`). Of those of order 3 three are enough, the result knows
/// which they were, and a simulation in steps four times as fine finds the deviation that was reported, less
/// than a tenth of that of order 1.
#[test]
fn a_flexible_arm_in_three_elements_gets_better_ones() {
    let set = ["rod.arm.elements=3", "task.inverse-dynamics.trade-off=[]", "task.inverse-dynamics.grid=adapt"];
    let arm = Solved::of(&gallery("flexible-arm"), &set);
    assert_eq!(arm.status(), "solved");
    assert_eq!(adapted(&arm), ["rod.arm.order=3"]);
    let overrides = arm.report["problem"]["overrides"].as_array().unwrap();
    assert_eq!(overrides.last().unwrap(), "rod.arm.order=3");
    assert!(verified_again(&arm));
    let finer = [&set[..], &["task.inverse-dynamics.verify.refine=8"]].concat();
    let finer = Solved::of(&gallery("flexible-arm"), &finer);
    let [told, found] = [&arm, &finer].map(|solved| solved.deviation("tip.x").max(solved.deviation("tip.y")));
    assert!((told / found - 1.0).abs() < 0.2, "{told} {found}");
    assert!(found < 7.9e-3, "{found}");
}

/// Two elements of a soft beam are 24 % off in the largest force, and as many as are needed would need more derivatives than the path
/// has. The forces of 2, 3 and 4 elements give those of many, as the march in space, an independent method, finds them.
#[test]
fn forces_of_few_elements_give_those_of_many() {
    let beam = Solved::of(SOFT, &[]);
    assert_eq!(beam.status(), "solved");
    assert_eq!(adapted(&beam), ["rod.beam.elements=4"]);
    assert!(verified_again(&beam));
    assert_eq!(Solved::of(SOFT, &["task.inverse-dynamics.grid=stated"]).status(), "not-verified");
    forces_are_those_of_a_march(&beam, SOFT);
}

/// Under its weight the beam is bent before it moves, on each mesh in its own way: the simulation begins in the rest of its own
/// mesh, where it began in that of the few elements and swung about its path by 18 times the tolerance.
#[test]
fn a_beam_under_its_weight_begins_at_rest_on_every_mesh() {
    let heavy = SOFT.replace("dimension = 2", "dimension = 2\ngravity = [0.0, -1.0]");
    let beam = Solved::of(&heavy, &[]);
    assert_eq!(beam.status(), "solved");
    assert!(verified_again(&beam));
    forces_are_those_of_a_march(&beam, &heavy);
}

/// Peaks against a march in space, an independent method, on a fine grid.
pub(super) fn forces_are_those_of_a_march(beam: &Solved, text: &str) {
    let march = ["task.inverse-dynamics.method=space-march", "rod.beam.elements=40", "time.steps=640"];
    let march = Solved::of(text, &march);
    for force in ["force_x", "force_y", "torque"] {
        let name = format!("actuation.base.{force}.max");
        let [found, known] = [beam, &march].map(|solved| solved.report["scalars"][&name].as_f64().unwrap());
        assert!((found / known - 1.0).abs() < 1e-3, "{force}: {found} {known}");
    }
}

/// A soft beam whose tip follows half a radian of a circle that is smooth enough for five elements.
pub(super) const SOFT: &str = r#"
dimension = 2
[time]
end = 4.0
steps = 80
[let]
sigma = "rest(t, 0, 4, 12)"
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 2
stiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 0.05 }
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "beam.end"
x = "cos(0.5*sigma)"
y = "sin(0.5*sigma)"
angle = "0.5*sigma"
[task.inverse-dynamics]
method = "sequential"
"#;

/// What is verified stays as it is stated.
#[test]
fn a_good_grid_is_kept() {
    let beam = Solved::of(&gallery("beam-quarter-turn"), &[]);
    assert_eq!(beam.status(), "solved");
    assert!(adapted(&beam).is_empty());
}

/// A beam with a law that forbids negative stretches, turned by a quarter of a circle with the least effort: the search on elements of
/// order 3 begins at the answer of the two elements of order 1, where from a straight line it lost its way for hundreds of
/// iterations.
#[test]
fn a_search_on_finer_elements_begins_at_the_coarse_answer() {
    let beam = Solved::of(TURNED, &[]);
    assert_eq!(beam.status(), "solved");
    assert_eq!(adapted(&beam), ["rod.beam.order=3", "time.steps=80"]);
    let iterations = beam.report["iterations"].as_array().unwrap().len();
    assert!(iterations < 60, "{iterations}");
    assert!(verified_again(&beam));
}

const TURNED: &str = r#"
dimension = 2
[time]
end = 2.0
steps = 40
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 2
stiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 0.05 }
law = "logarithmic"
[body.hub]
mass = 0.5
inertia = 0.1
position = [0.0, 0.0]
[joint.root]
between = ["hub", "beam.start"]
type = "rigid"
[actuator.base]
at = "hub"
acts = ["force_x", "force_y", "torque"]
[task.optimal-control]
objective = { effort = 1.0 }
start = {}
end = { "hub.x" = 0.3, "hub.y" = 0.2, "hub.angle" = 0.5 }
"#;

/// Free motions of a beam in space are cut in two phases of the same system: the search takes no more iterations than that of the
/// whole, and finds its cost. Before the momenta of quaternions were joined up to impulses along them, the rows of the junction
/// repeated each other, and the search took over a hundred iterations to no minimum.
#[test]
fn two_phases_in_space_are_one_motion() {
    let whole = Solved::of(SPACE, &["task.optimal-control.grid=stated"]);
    let phases =
        "task.optimal-control.phase=[{ name = \"first\", duration = 1.0 }, { name = \"second\", duration = 1.0 }]";
    let parts = Solved::of(SPACE, &[phases, "task.optimal-control.grid=stated"]);
    let [whole, parts] = [&whole, &parts].map(|solved| {
        let cost = solved.report["scalars"]["objective"].as_f64().unwrap();
        (cost, solved.report["iterations"].as_array().unwrap().len())
    });
    assert!((parts.0 / whole.0 - 1.0).abs() < 1e-6, "{} {}", parts.0, whole.0);
    assert!(parts.1 < 2 * whole.1, "{} {}", parts.1, whole.1);
}

/// Loads and supports that depend on time do not begin anew with a phase: two phases with durations that are given or to be found are
/// the whole motion.
#[test]
fn loads_and_supports_go_on_from_phase_to_phase() {
    let load = r#"load.tip={ at = "beam.end", force = ["0.3*sin(3*t)", "0.4*t"] }"#;
    let rail = r#"support.rail={ at = "hub", y = "0.1*t^2" }"#;
    let drives = r#"actuator.base.acts=["force_x", "torque"]"#;
    let ends = r#"task.optimal-control.end={ "hub.x" = 0.3, "hub.angle" = 0.5 }"#;
    let stated = "task.optimal-control.grid=stated";
    let phases = |durations: [&str; 2], steps: [usize; 2]| {
        let [first, second] = durations;
        let [few, many] = steps;
        format!(
            "task.optimal-control.phase=[{{ name = \"first\", duration = {first}, steps = {few} }}, {{ name = \"second\", duration = {second}, steps = {many} }}]"
        )
    };
    for parts in [&[load][..], &[load, rail, drives, ends]] {
        let cost = |more: &[&str]| {
            let solved = Solved::of(TURNED, &[parts, &[stated, "rod.beam.law=quadratic"], more].concat());
            assert!(matches!(solved.status(), "solved" | "not-verified"), "{}", solved.report["message"]);
            solved.report["scalars"]["objective"].as_f64().unwrap()
        };
        let whole = cost(&[]);
        for (durations, steps) in [(["0.8", "1.2"], [16, 24]), (["[0.5, 1.5]", "[0.5, 1.5]"], [20, 20])] {
            let found = cost(&[&phases(durations, steps)]);
            assert!((found / whole - 1.0).abs() < 1e-6, "{durations:?}: {found} {whole}");
        }
        // From zero again the load would be another one.
        let again = cost(&[&load.replace("*t", "*(t + 0.5)")]);
        assert!((again / whole - 1.0).abs() > 1e-2, "{again} {whole}");
    }
}

const SPACE: &str = r#"
dimension = 3
[rod.beam]
model = "rod"
from = [0.0, 0.0, 0.0]
to = [1.0, 0.0, 0.0]
elements = 2
order = 3
stiffness = { axial = 100.0, shear = 40.0, bending = [1.0, 1.2], torsion = 0.8 }
inertia = { mass = 1.0, rotary = 0.05 }
[body.hub]
mass = 0.5
inertia = 0.1
position = [0.0, 0.0, 0.0]
[joint.root]
between = ["hub", "beam.start"]
type = "rigid"
[actuator.base]
at = "hub"
acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"]
[time]
end = 2.0
steps = 40
[task.optimal-control]
objective = { effort = 1.0 }
start = {}
end = { "hub.x" = 0.3, "hub.y" = 0.2, "hub.z" = 0.1 }
"#;

/// A beam under its weight on two elements and forty steps: the proof tells that the steps are to blame, and the steps of the
/// next grid are so many more.
#[test]
fn what_is_to_blame_is_refined() {
    let stated = Solved::of(HEAVY, &["rod.beam.order=3", "task.optimal-control.grid=stated"]);
    assert_eq!(stated.status(), "not-verified");
    let due_to = &stated.report["verification"]["due_to"];
    let [steps, elements] = ["steps", "elements"].map(|part| due_to[part].as_f64().unwrap());
    assert!(steps > 3.0 * elements, "{steps} {elements}");
    let message = stated.report["message"].as_str().unwrap();
    assert!(message.contains("raise `time.steps`"), "{message}");
    let beam = Solved::of(HEAVY, &["rod.beam.order=3"]);
    assert_eq!(beam.status(), "solved");
    assert!(adapted(&beam).iter().any(|setting| setting.starts_with("time.steps")), "{:?}", adapted(&beam));
    assert!(verified_again(&beam));
}

const HEAVY: &str = r#"
dimension = 2
gravity = [0.0, -1.0]
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 2
stiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 0.05 }
[body.hub]
mass = 0.5
inertia = 0.1
position = [0.0, 0.0]
[joint.root]
between = ["hub", "beam.start"]
type = "rigid"
[actuator.base]
at = "hub"
acts = ["force_x", "force_y", "torque"]
[time]
end = 2.0
steps = 40
[task.optimal-control]
objective = { effort = 1.0 }
start = {}
end = { "hub.x" = 0.3, "hub.y" = 0.2, "hub.angle" = 0.5 }
"#;
