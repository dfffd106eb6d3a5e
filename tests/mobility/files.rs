//! The same from problem files, and what `lariat check` says of mechanisms with other tasks.

use std::fmt::Write;
use std::fs;

use assert_cmd::Command;
use lariat::mechanism::JointKind;
use lariat::problem::{Question, gallery, load};
use lariat::results::{Mobility, Outcome};
use lariat::tasks::mobility::run;
use nalgebra::Vector3;

use super::catalogue::{Case, all, flattened, four_bar};
use super::frameworks::double_banana;
use super::linkages::table;

fn solve(text: &str) -> Outcome {
    let problem = load("problem.toml", text, &[]).unwrap_or_else(|found| panic!("{found}\n{text}"));
    let Question::Mobility(system) = &problem.question else { panic!("another task") };
    let outcome = run(system);
    assert_eq!(outcome.report.status, "solved");
    outcome
}

fn mobility(text: &str) -> Mobility {
    solve(text).report.mobility.unwrap()
}

fn numbers(vector: Vector3<f64>, dimension: usize) -> String {
    let numbers: Vec<String> = vector.iter().take(dimension).map(|x| format!("{x:?}")).collect();
    format!("[{}]", numbers.join(", "))
}

/// A linkage as a problem file, without its task.
fn file(case: &Case, dimension: usize) -> String {
    let mut text = format!("dimension = {dimension}\n");
    for body in 1..=case.bodies {
        let at = numbers(Vector3::new(0.1 * body as f64, -0.3, 0.05 * body as f64), dimension);
        let _ = writeln!(text, "[body.link{body}]\nmass = 1.0\ninertia = 0.1\nposition = {at}");
    }
    for (k, (between, kind, at)) in case.joints.iter().enumerate() {
        let [a, b] = between.map(|body| body.map_or("ground".to_owned(), |body| format!("link{}", body + 1)));
        let kind = match kind {
            JointKind::Revolute(_) if dimension == 2 => "type = \"revolute\"".to_owned(),
            JointKind::Revolute(axis) => format!("type.revolute = {{ axis = {} }}", numbers(*axis, 3)),
            JointKind::Prismatic(axis) => format!("type.prismatic = {{ axis = {} }}", numbers(*axis, dimension)),
            other => panic!("{other:?}"),
        };
        let at = numbers(*at, dimension);
        let _ = writeln!(text, "[joint.j{}]\nbetween = [\"{a}\", \"{b}\"]\n{kind}\nat = {at}", k + 1);
    }
    text
}

#[test]
fn every_linkage_of_the_table_as_a_file() {
    let table = table();
    for (name, case) in all() {
        let (count, plane_count, redundant, infinitesimal, finite) =
            table.iter().find(|(other, _)| *other == name).unwrap().1;
        let found = mobility(&format!("{}[task.mobility]\n", file(&case, 3)));
        assert_eq!(
            (found.count, found.count_in_other_dimension, found.redundant, found.infinitesimal, found.finite),
            (count, plane_count, redundant, infinitesimal, finite),
            "{name}"
        );
        assert!(
            found.clear && found.clusters.iter().any(|cluster| cluster.fixed) == (finite == 0),
            "{name}: {found:?}"
        );
        if let Some(plane_count) = plane_count {
            let found = mobility(&format!("{}[task.mobility]\n", file(&case, 2)));
            assert_eq!(
                (found.count, found.infinitesimal, found.finite),
                (plane_count, infinitesimal, finite),
                "{name}"
            );
        }
    }
}

#[test]
fn frameworks_as_files() {
    let (points, bars) = double_banana();
    let mut text = "dimension = 3\n".to_owned();
    for (k, point) in points.iter().enumerate() {
        let _ = writeln!(text, "[body.p{k}]\nmass = 1.0\nposition = {}", numbers(*point, 3));
    }
    for (a, b) in bars {
        let _ = writeln!(text, "[joint.b{a}{b}]\nbetween = [\"p{a}\", \"p{b}\"]\ntype = \"distance\"");
    }
    let found = mobility(&format!("{text}[task.mobility]\n"));
    assert!(found.framework && found.clear);
    assert_eq!((found.count, found.rigid_motions, found.infinitesimal, found.finite), (6, 6, 7, 7));
    assert_eq!((found.redundant, found.overlaps[0].joints.len()), (1, 18));
    let clusters: Vec<String> = found.clusters.iter().map(|cluster| cluster.parts.join(" ")).collect();
    assert_eq!(clusters, ["p0 p1 p2 p3 p4", "p0 p1 p5 p6 p7"]);
}

#[test]
fn the_gallery_has_its_known_answers() {
    let mut count = 0;
    for (name, text) in gallery() {
        if text.contains("[task.mobility]") {
            let outcome = solve(text);
            assert!(outcome.report.expectations.len() >= 3, "{name}");
            assert!(outcome.report.expectations.iter().all(|known| known.met), "{name}: {:?}", outcome.report);
            count += 1;
        }
    }
    assert_eq!(count, 2);
}

/// What the program says and how it ends.
fn lariat(arguments: &[&str], text: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("problem.toml"), text).unwrap();
    let arguments = arguments.iter().chain(&["problem.toml"]);
    let output = Command::cargo_bin("lariat").unwrap().args(arguments).current_dir(folder.path()).output().unwrap();
    let told = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), told(output.stdout), told(output.stderr))
}

#[track_caller]
fn says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is missing in\n{said}");
    }
}

const SIMULATE: &str = "[time]\nend = 1.0\nsteps = 100\n[task.simulate]\n";

/// A plane loop in space is told to be held too often, whatever the task; solving leaves out what repeats, and says so.
#[test]
fn simulations_of_loops() {
    let text = format!("{}{SIMULATE}", file(&four_bar(), 3));
    let (code, said, _) = lariat(&["check"], &text);
    assert_eq!(code, 0, "{said}");
    says(
        &said,
        &[
            "mobility: 1 degree of freedom",
            "count by Kutzbach 18 - 20 = -2, as a linkage of the plane (3 a link) 1",
            "3 redundant conditions:",
            "j1, j2, j3, j4: 3 redundant conditions; z of joint j4, axis of joint j4 (2) could be left out",
            "redundant conditions are left out",
        ],
    );
    let (code, said, told) = lariat(&["solve", "--no-plots"], &text);
    assert_eq!(code, 0, "{said}{told}");
    says(&format!("{said}{told}"), &["redundant conditions are left out", "joint `j4`"]);
    let (code, said, _) = lariat(&["check"], &format!("{}{SIMULATE}", file(&four_bar(), 2)));
    assert_eq!(code, 0, "{said}");
    says(&said, &["mobility: 1 degree of freedom", "count by Grübler 9 - 8 = 1, of the same in space (6 a link) -2"]);
    assert!(said.contains("no redundant conditions") && !said.contains("NOT SOLVABLE"), "{said}");
}

/// Where crank and coupler of a regular four-bar are in line, the rocker rests for an instant only: it is not fixed.
#[test]
fn turning_points() {
    let text = "dimension = 2\n[body.a]\nmass = 1.0\nposition = [0.5, 0.0]\n[body.b]\nmass = 1.0\nposition = [2.0, 0.0]\n\
                [body.c]\nmass = 1.0\nposition = [3.0, -1.0]\n\
                [joint.p]\nbetween = [\"ground\", \"a\"]\ntype = \"revolute\"\nat = [0.0, 0.0]\n\
                [joint.q]\nbetween = [\"a\", \"b\"]\ntype = \"revolute\"\nat = [1.0, 0.0]\n\
                [joint.r]\nbetween = [\"b\", \"c\"]\ntype = \"revolute\"\nat = [3.0, 0.0]\n\
                [joint.s]\nbetween = [\"c\", \"ground\"]\ntype = \"revolute\"\nat = [3.0, -2.0]\n[task.mobility]\n";
    let (code, said, _) = lariat(&["check"], text);
    assert_eq!(code, 0, "{said}");
    says(&said, &["mobility: 1 degree of freedom (infinitesimal 1, finite 1)"]);
    assert!(!said.contains("fixed:") && !said.contains("locked:"), "{said}");
}

/// At a dead centre small and finite motions differ, and the conditions repeat each other there.
#[test]
fn dead_centres() {
    let (code, said, _) = lariat(&["check"], &format!("{}{SIMULATE}", file(&flattened(), 2)));
    assert_eq!(code, 1, "{said}");
    says(
        &said,
        &[
            "mobility: 1 degree of freedom (infinitesimal 2, finite 1)",
            "singular configuration: a dead centre or branch point",
            "1 redundant condition:",
        ],
    );
}

/// Optimal control leaves redundant conditions out and names them; mechanisms at a dead centre it refuses, and checking tells why
/// without calling the file mistaken.
#[test]
fn optimal_control_of_loops() {
    let task = "[time]\nend = 1.0\nsteps = 20\n[actuator.motor]\nat = \"j1\"\nacts = [\"torque\"]\n\
                [task.optimal-control]\nobjective = { effort = 1.0 }\nstart = {}\nend = { \"j1.angle\" = 0.1 }\n";
    let (code, said, _) = lariat(&["solve"], &format!("{}{task}", file(&four_bar(), 3)));
    assert_eq!(code, 0, "{said}");
    says(&said, &["axis of joint"]);
    let text = format!("{}{task}", file(&flattened(), 2));
    let (code, said, _) = lariat(&["check"], &text);
    assert_eq!(code, 1, "{said}");
    says(&said, &["mobility: 1 degree of freedom", "NOT SOLVABLE as it stands: the mechanism is over-constrained"]);
    let (code, _, told) = lariat(&["solve"], &text);
    assert_eq!(code, 2, "{told}");
    says(&told, &["the mechanism is over-constrained", "dead centre"]);
    // Another mistake in the file is a mistake.
    let (code, _, told) = lariat(&["check"], &text.replace("steps = 20", "steps = -20"));
    assert_eq!(code, 2, "{told}");
    let (code, said, _) = lariat(&["check"], &format!("{}{task}", file(&four_bar(), 2)));
    assert_eq!(code, 0, "{said}");
    says(&said, &["mobility: 1 degree of freedom", "1 control: motor.torque"]);
    let arm = gallery().iter().find(|(name, _)| *name == "hinged-arm").unwrap().1;
    let (code, said, _) = lariat(&["check"], arm);
    assert_eq!(code, 0, "{said}");
    says(&said, &["mobility: 2 degrees of freedom", "rigid: fore, load move as one"]);
}

/// Rods count as rigid links; what these hold too often elastic ones take up.
#[test]
fn rods() {
    let rod = "dimension = 2\n[rod.beam]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 4\n\
               stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }\ninertia = { mass = 1.0, rotary = 1.0 }\n\
               [support.left]\nat = \"beam.start\"\ntype = \"clamp\"\n[task.statics]\n";
    let (code, said, _) = lariat(&["check"], rod);
    assert_eq!(code, 0, "{said}");
    says(&said, &["mobility, rods as rigid links: nothing can move", "fixed: beam cannot move"]);
    assert!(said.contains("no redundant conditions"), "{said}");
    let both = format!("{rod}[support.right]\nat = \"beam.end\"\nfixes = [\"x\", \"y\"]\n");
    let (code, said, _) = lariat(&["check"], &both);
    assert_eq!(code, 0, "{said}");
    says(&said, &["2 redundant conditions:", "left, right: 2 redundant conditions", "these only strain the rods"]);
    // A string holds nothing: the load on it is free.
    let string = "dimension = 2\n[rod.rope]\nmodel = \"string\"\nfrom = [0.0, 1.0]\nto = [0.0, 0.0]\nelements = 4\n\
                  stiffness = { axial = 1.0 }\ninertia = { mass = 1.0 }\n[support.top]\nat = \"rope.start\"\ntype = \"hinge\"\n\
                  [body.load]\nmass = 1.0\n[joint.knot]\nbetween = [\"load\", \"rope.end\"]\ntype = \"rigid\"\n[task.statics]\n";
    let (code, said, _) = lariat(&["check"], string);
    assert_eq!(code, 0, "{said}");
    says(
        &said,
        &[
            "mobility, rods as rigid links: 2 degrees of freedom (infinitesimal 2, finite 2), 2 as a whole",
            "fixed: rope.start cannot move",
        ],
    );
}

/// A result can be stored, drawn and verified as any other; data with few digits are told to be unclear.
#[test]
fn results() {
    let folder = tempfile::tempdir().unwrap();
    let bennett = gallery().iter().find(|(name, _)| *name == "bennett-linkage").unwrap().1;
    fs::write(folder.path().join("b.toml"), bennett).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::cargo_bin("lariat").unwrap().args(arguments).current_dir(folder.path()).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, said) = run(&["solve", "b.toml"]);
    assert_eq!(code, 0, "{said}");
    says(&said, &["solved by singular values", "mobility: 1 degree of freedom", "a, b, c, d: 3 redundant conditions"]);
    let (code, said) = run(&["verify", "results/b"]);
    assert_eq!(code, 0, "{said}");
    let text = fs::read_to_string(folder.path().join("results/b/result.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["mobility"]["finite"], 1);
    assert_eq!(json["scalars"]["mobility.redundant"], 3.0);
    // One micrometre is taken for an exact linkage, a tenth of a millimetre is not; either is told.
    let found = mobility(&bennett.replace("0.453596121425577", "0.453597"));
    assert!(!found.clear && (found.infinitesimal, found.finite) == (1, 1), "{found:?}");
    let found = solve(&bennett.replace("0.453596121425577", "0.4537"));
    assert!(found.report.warnings[0].starts_with("conditions are nearly redundant"), "{:?}", found.report);
    assert_eq!(found.report.scalars["mobility.infinitesimal"], 0.0);
}
