//! Functions from files of samples, through the whole program: paths, loads and steps, kinks that are named, and results that hold
//! the files.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use lariat::kernel::{Expression, Function, Scope};
use lariat::results::Outcome;

/// Samples of expressions of t, as the text of a file.
fn csv(columns: &[(&str, &str)], end: f64, count: usize) -> String {
    let compile = |source: &str| Function::compile(&Expression::Text(source.to_owned()), &Scope::empty()).unwrap();
    let functions: Vec<Function> = columns.iter().map(|(_, source)| compile(source)).collect();
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("t,{}\n", names.join(","));
    for k in 0..=count {
        let t = end * k as f64 / count as f64;
        let _ = write!(text, "{t}");
        functions.iter().for_each(|f| _ = write!(text, ",{:?}", f.value(t).unwrap()));
        text.push('\n');
    }
    text
}

fn solve(text: &str, samples: &str) -> Outcome {
    let read = |name: &str| match name {
        "tip.csv" => Ok(samples.as_bytes().to_vec()),
        other => panic!("{other} is not asked for"),
    };
    let problem =
        lariat::problem::load_with("test.toml", text, &[], &read).unwrap_or_else(|found| panic!("{found}\n{text}"));
    assert!(problem.attachments.iter().any(|(name, _)| name == "tip.csv"));
    let outcome = problem.question.task().run(&mut lariat::Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}\n{text}", outcome.report.message);
    outcome
}

fn plain(text: &str) -> Outcome {
    let problem = lariat::load("test.toml", text, &[]).unwrap_or_else(|found| panic!("{found}\n{text}"));
    problem.question.task().run(&mut lariat::Silent)
}

/// Largest difference of the actuation over its maximum.
fn apart(one: &Outcome, other: &Outcome) -> f64 {
    let columns = one.actuation.columns.iter().zip(&other.actuation.columns);
    let off = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let largest = one.actuation.columns.iter().flat_map(|(_, c)| c).fold(0.0_f64, |most, x| most.max(x.abs()));
    columns.map(|((_, a), (_, b))| off((a, b))).fold(0.0, f64::max) / largest
}

const BEAM: &str = r#"
dimension = 2
[time]
end = 6.0
steps = 240
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 20
stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 1.0 }
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
"#;
const TURN: &str = r#"
[servo.tip]
at = "beam.end"
x = "cos(SIGMA)"
y = "sin(SIGMA)"
angle = "SIGMA"
"#;

fn beam(sigma: &str, definitions: &str, method: &str) -> String {
    let task = format!("[task.inverse-dynamics]\nmethod = \"{method}\"\n");
    format!("{BEAM}{definitions}{}{task}", TURN.replace("SIGMA", sigma))
}

/// A path from samples of a profile gives the forces of the profile, whether it stands in [table] or in [let]; by the march, by space-time
/// elements, from any number of columns.
#[test]
fn a_path_from_a_file_gives_the_forces_of_its_expression() {
    let samples = csv(&[("turn", "rest(t, 2, 4, 8)"), ("other", "-t")], 6.0, 120);
    for method in ["space-march", "galerkin"] {
        let known = plain(&beam("rest(t, 2, 4, 8)", "", method));
        for (definitions, sigma) in [
            ("[table.measured]\nfile = \"tip.csv\"\ncolumns = [\"turn\"]\ndegree = 7\n", "measured.turn(t)"),
            ("[let]\nsigma = { file = \"tip.csv\", column = \"turn\", degree = 7 }\n", "sigma"),
            ("[table.measured]\nfile = \"tip.csv\"\ncolumn = \"turn\"\ndegree = 7\n", "measured(2*t - t)"),
        ] {
            let found = solve(&beam(sigma, definitions, method), &samples);
            let off = apart(&known, &found);
            // The second derivative of a spline of degree 7 through samples 0.05 s apart.
            assert!(off < 2e-5, "{method} {sigma}: {off:e}");
        }
    }
}

/// Noise of 1e-3 on the samples makes forces of nothing but noise; smoothed by what is known of it they come near to the true ones.
#[test]
fn a_noisy_path_is_smoothed() {
    let clean = csv(&[("turn", "rest(t, 1, 5, 8)")], 6.0, 240);
    let mut seed = 3u64;
    let noisy: String = clean
        .lines()
        .enumerate()
        .map(|(k, line)| match (k, line.split_once(',')) {
            (1.., Some((t, x))) => {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let noise = ((seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 12f64.sqrt() * 1e-3;
                format!("{t},{:?}\n", x.parse::<f64>().unwrap() + noise)
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let known = plain(&beam("rest(t, 1, 5, 8)", "", "space-march"));
    let table = "[table.tip]\nfile = \"tip.csv\"\ndegree = 7\nends = \"rest\"\nsmoothing = 1e-3\n";
    let found = solve(&beam("tip", table, "space-march"), &noisy);
    let off = apart(&known, &found);
    assert!(off < 0.05, "{off:e}");
}

/// A load from a file moves a beam as its expression does; steps of degree 0 act as `if` does.
#[test]
fn loads_from_files_act_as_their_expressions() {
    let of = |definitions: &str, force: &str| {
        format!(
            r#"
dimension = 2
[time]
end = 2.0
steps = 100
{definitions}
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 6
stiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0 }}
inertia = {{ mass = 1.0, rotary = 1.0 }}
[support.wall]
at = "beam.start"
type = "clamp"
[load.tip]
at = "beam.end"
force = [0.0, "{force}"]
[task.simulate]
"#
        )
    };
    let samples = csv(&[("f", "sin(2*t)"), ("g", "if(t < 0.5, 1, if(t < 1.5, -1, 0))")], 2.0, 40);
    for (column, degree, expression) in [("f", 7, "-0.3*sin(2*t)"), ("g", 0, "-0.3*if(t < 0.5, 1, if(t < 1.5, -1, 0))")]
    {
        let table = format!("[table.gust]\nfile = \"tip.csv\"\ncolumn = \"{column}\"\ndegree = {degree}\n");
        let (known, found) = (plain(&of("", expression)), solve(&of(&table, "-0.3*gust"), &samples));
        let y = |outcome: &Outcome| outcome.report.scalars["motion.beam.end.y.final"];
        assert!((y(&known) - y(&found)).abs() < 1e-7 * y(&known).abs(), "{column}: {} {}", y(&known), y(&found));
    }
}

/// Mechanisms without rods take paths from files by servo constraints and by optimisation; where the path needs more derivatives
/// than the spline has, the one that jumps is named, with its time.
#[test]
fn servo_constraints_take_files_and_name_what_jumps() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/crane-servo.toml");
    let stated = fs::read_to_string(file).unwrap();
    let stated = stated.split_once("[expect]").unwrap().0.replace("steps = 60", "steps = 100");
    let stated = stated.replace("rest(t, 0, 3, 5)", "rest(t, 0, 3, 9)");
    let crane = |degree: usize, method: &str| {
        let table = format!("\n[table.sigma]\nfile = \"tip.csv\"\ndegree = {degree}\nends = \"rest\"\n");
        let text = stated.replace("sigma = \"rest(t, 0, 3, 9)\"", "").replace("sequential", method);
        format!("{text}{table}")
    };
    let samples = csv(&[("sigma", "rest(t, 0, 3, 9)")], 3.0, 60);
    let known = plain(&stated);
    let off = apart(&known, &solve(&crane(7, "sequential"), &samples));
    // The forces depend on the fourth derivative of the path, which a spline of degree 7 finds to third order.
    assert!(off < 1e-4, "{off:e}");
    let read = |_: &str| Ok(samples.as_bytes().to_vec());
    let problem = lariat::problem::load_with("test.toml", &crane(3, "sequential"), &[], &read).unwrap();
    let message = problem.question.task().run(&mut lariat::Silent).report.message.unwrap_or_default();
    assert!(
        message.contains("its derivative of order 3 jumps by") && message.contains("at t = 0.050000 s"),
        "{message}"
    );
}

/// The folder of the result is all that verification needs.
#[test]
fn results_hold_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("problem");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("tip.csv"), csv(&[("turn", "rest(t, 2, 4, 8)")], 6.0, 120)).unwrap();
    let text = beam("tip", "[table.tip]\nfile = \"tip.csv\"\ndegree = 7\n", "space-march");
    fs::write(inside.join("p.toml"), text).unwrap();
    let run = |args: &[&str]| {
        let output = Command::cargo_bin("lariat").unwrap().current_dir(folder.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["solve", "problem/p.toml", "--out", "result", "--no-plots"]);
    assert!(Path::new(&folder.path().join("result/input-tip.csv")).exists());
    fs::remove_dir_all(&inside).unwrap();
    fs::rename(folder.path().join("result"), folder.path().join("moved")).unwrap();
    run(&["verify", "moved"]);
    run(&["plot", "moved", "--what", "actuation"]);
}

/// Kinks and jumps are named with their times, of expressions and of tables; small jumps of high derivatives at samples are not.
#[test]
fn kinks_of_paths_are_named_with_their_times() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tip.csv"), csv(&[("turn", "rest(t, 2, 4, 8)")], 6.0, 60)).unwrap();
    let check = |sigma: &str, definitions: &str| {
        fs::write(folder.path().join("p.toml"), beam(sigma, definitions, "space-march")).unwrap();
        let output =
            Command::cargo_bin("lariat").unwrap().current_dir(folder.path()).args(["check", "p.toml"]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let table = |degree: usize| format!("[table.tip]\nfile = \"tip.csv\"\ndegree = {degree}\n");
    for (sigma, definitions, told) in [
        (
            "clamp(t - 2, 0, 1)",
            String::new(),
            "the velocity of the path of tip.angle jumps by 1.0000e0 at t = 2.000000 s",
        ),
        (
            "abs(t - 3.21) - 3.21",
            String::new(),
            "the velocity of the path of tip.angle jumps by 2.0000e0 at t = 3.210000 s",
        ),
        (
            "if(t < 2.5, 0, 0.1)",
            String::new(),
            "the position of the path of tip.angle jumps by 1.0000e-1 at t = 2.500000 s",
        ),
        (
            "max(0, t - 1)^2",
            String::new(),
            "the acceleration of the path of tip.angle jumps by 2.0000e0 at t = 1.000000 s",
        ),
        ("tip", table(1), "the velocity of the path of tip.angle jumps by"),
    ] {
        let found = check(sigma, &definitions);
        assert!(found.contains(told), "{sigma}: {found}");
    }
    for (sigma, definitions) in [("rest(t, 2, 4, 8)", String::new()), ("tip", table(5)), ("tip", table(7))] {
        let found = check(sigma, &definitions);
        assert!(!found.contains("jumps"), "{sigma}: {found}");
    }
}
