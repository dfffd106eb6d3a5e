//! `.nl` models: solved, checked, verified, drawn, and answered as AMPL asks.

use std::fs;

use super::*;
use lariat::nlp::ampl;
use lariat::nlp::graph::Graph;

const HS71: &str = include_str!("../data/nl/hs71.nl");
/// The objective of HS71 at its solution.
const OPTIMUM: f64 = 17.0140172892;
const RESULT: [&str; 8] = [
    "constraints.csv",
    "convergence.png",
    "hs71.col",
    "hs71.nl",
    "hs71.row",
    "hs71.sol",
    "result.json",
    "solution.csv",
];

/// A folder with HS71 and the names of its variables and rows.
fn models() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("hs71.nl", HS71),
        ("hs71.col", include_str!("../data/nl/hs71.col")),
        ("hs71.row", include_str!("../data/nl/hs71.row")),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

/// Writes a model without a feasible point: a disk and a half-plane apart from it.
fn write_infeasible(folder: &TempDir) {
    let g = Graph::new();
    let x = g.variable("x", 0.0, f64::NEG_INFINITY, f64::INFINITY);
    let y = g.variable("y", 0.0, f64::NEG_INFINITY, f64::INFINITY);
    g.subject_to("disk", x.square() + y.square(), f64::NEG_INFINITY, 1.0);
    g.subject_to("half-plane", x + y, 3.0, f64::INFINITY);
    g.maximise(x);
    let written = ampl::write(&g.build()).unwrap();
    fs::write(folder.path().join("apart.nl"), written.nl).unwrap();
    fs::write(folder.path().join("apart.row"), written.row).unwrap();
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_model_is_solved_told_and_stored() {
    let folder = models();
    let run = lariat(folder.path(), &["solve", "hs71.nl"]).exits(0);
    for part in
        ["hs71.nl\n", "  solved by interior-point in ", "  objective                17.014017", "4 variables, 2 rows"]
    {
        assert!(run.out.contains(part), "{part:?} is not in {}", run.out);
    }
    let result = folder.path().join("results/hs71");
    assert_eq!(names(&result), RESULT);
    let report = json(&result.join("result.json"));
    assert_eq!(report["status"], "solved");
    assert_eq!(report["task"], "nonlinear-program");
    assert_eq!(number(&report["sizes"]["degrees_of_freedom"]), 3.0);
    assert!((number(&report["scalars"]["objective"]) - OPTIMUM).abs() < 1e-6);
    assert_eq!(number(&report["scalars"]["iterations"]) as usize + 1, report["iterations"].as_array().unwrap().len());
    let solution = fs::read_to_string(result.join("solution.csv")).unwrap();
    let lines: Vec<&str> = solution.lines().collect();
    assert_eq!(lines[0], "variable,value,lower,upper,multiplier_lower,multiplier_upper");
    assert!(lines.len() == 5 && lines[1].starts_with("x1,1.0,1.0,5.0,1.087871"), "{solution}");
    let rows = fs::read_to_string(result.join("constraints.csv")).unwrap();
    assert!(rows.starts_with("row,value,lower,upper,multiplier\nproduct,2"), "{rows}");
    let sol = fs::read_to_string(result.join("hs71.sol")).unwrap();
    assert!(sol.starts_with("lariat ") && sol.ends_with("objno 0 0\n"), "{sol}");
    assert_eq!(fs::read_to_string(result.join("hs71.nl")).unwrap(), HS71);
}

#[test]
fn the_iterations_are_told_on_request() {
    let folder = models();
    let run = lariat(folder.path(), &["solve", "hs71.nl", "--verbose", "--set", "tolerance=1e-12"]).exits(0);
    let header = "iter    objective     inf_pr     inf_du      ||d||        reg    alpha  ls";
    let rows = json(&folder.path().join("results/hs71/result.json"))["iterations"].as_array().unwrap().len();
    assert!(run.err.contains(header), "{}", run.err);
    assert_eq!(run.err.lines().filter(|line| *line == header).count(), rows.div_ceil(10));
    assert_eq!(run.err.lines().count(), 1 + rows.div_ceil(10) + rows, "{}", run.err);
    assert_eq!(lariat(folder.path(), &["solve", "hs71.nl"]).exits(0).err, "");
}

#[test]
fn json_is_one_object_and_options_are_heeded() {
    let folder = models();
    let args = ["solve", "hs71.nl", "--json", "--set", "method=sqp", "--set", "max_iterations=1", "--no-plots"];
    let run = lariat(folder.path(), &args).exits(1);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["status"], "iteration-limit");
    assert_eq!(
        report["message"],
        "the limit `max-iterations` came first; largest violation 1.62e0 in sphere; largest slope of the Lagrangian 4.96e-1 by x1"
    );
    assert_eq!(report["method"], "sqp");
    assert_eq!(report["problem"]["overrides"].as_array().unwrap().len(), 2);
    let written = folder.path().join("results/hs71");
    assert_eq!(report, json(&written.join("result.json")));
    assert_eq!(names(&written), RESULT.iter().filter(|name| **name != "convergence.png").copied().collect::<Vec<_>>());
}

#[test]
fn bad_options_and_files_are_refused_before_anything_is_solved() {
    let folder = models();
    fs::write(folder.path().join("broken.nl"), HS71.replace("o54", "q54")).unwrap();
    fs::write(folder.path().join("cut.nl"), &HS71[..HS71.len() / 2]).unwrap();
    let line = HS71.lines().position(|line| line.starts_with("o54")).unwrap() + 1;
    let place = format!("broken.nl: line {line}: ");
    for (args, parts) in [
        (vec!["hs71.nl", "--set", "toleranc=1"], vec!["no solver option `toleranc` (did you mean `tolerance`?)"]),
        (vec!["hs71.nl", "--set", "barrier=adaptve"], vec!["(did you mean `adaptive`?), expected one of monotone"]),
        (vec!["hs71.nl", "broken.nl"], vec![&*place, "found `q`", "expected"]),
        (vec!["cut.nl"], vec!["cut.nl: line ", "found ", "expected"]),
        (vec!["absent.nl"], vec!["cannot read absent.nl: "]),
    ] {
        let run = lariat(folder.path(), &[&["solve"], &args[..]].concat()).exits(2);
        parts.iter().for_each(|part| assert!(run.err.contains(part), "{part:?} is not in {}", run.err));
        assert_eq!(run.out, "");
    }
    assert!(!folder.path().join("results").exists());
}

#[test]
fn models_and_problem_files_mix() {
    let folder = models();
    fs::write(folder.path().join("quick.toml"), QUICK).unwrap();
    let sets = ["--set", "time.steps=80", "--set", "max-iterations=500"];
    let run = lariat(folder.path(), &[&["solve", "quick.toml", "hs71.nl", "--json"], &sets[..]].concat()).exits(0);
    let reports: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(reports["results"][0]["problem"]["overrides"][0], "time.steps=80");
    assert_eq!(reports["results"][1]["problem"]["overrides"][0], "max-iterations=500");
    assert_eq!(names(&folder.path().join("results")), ["hs71", "quick"]);
    let run = lariat(folder.path(), &["check", "quick.toml", "hs71.nl"]).exits(0);
    assert!(run.out.contains("hs71.nl: nonlinear program") && run.out.contains("quick.toml: Sideways"), "{}", run.out);
}

#[test]
fn an_infeasible_model_is_explained() {
    let folder = models();
    write_infeasible(&folder);
    let run = lariat(folder.path(), &["solve", "apart.nl"]).exits(1);
    assert!(run.out.contains("  infeasible by interior-point"), "{}", run.out);
    assert!(run.out.contains("`half-plane ≥ 3` conflicts with the other constraints: at most 1.4142"), "{}", run.out);
    let result = folder.path().join("results/apart");
    let report = json(&result.join("result.json"));
    let bounds = report["conflicts"]["bounds"].as_array().unwrap();
    let half_plane = bounds.iter().find(|bound| bound["bound"] == "half-plane ≥ 3").unwrap();
    assert!((number(&half_plane["needed"]) - 2f64.sqrt()).abs() < 1e-6);
    assert!(fs::read_to_string(result.join("apart.sol")).unwrap().ends_with("objno 0 200\n"));
    let run = lariat(folder.path(), &["verify", "results/apart"]).exits(1);
    assert!(run.err.contains("the status is infeasible, so there is nothing to verify"), "{}", run.err);
}

#[test]
fn a_model_that_cannot_be_begun_leaves_a_result_that_says_why() {
    let folder = models();
    // The second bound of the first variable below the first.
    let crossed = HS71.replacen("0 1 5", "0 5 1", 1);
    assert_ne!(crossed, HS71);
    fs::write(folder.path().join("hs71.nl"), crossed).unwrap();
    let run = lariat(folder.path(), &["solve", "hs71.nl"]).exits(1);
    assert!(run.out.contains("x1: no value lies between the lower bound 5 and the upper bound 1"), "{}", run.out);
    let result = folder.path().join("results/hs71");
    assert_eq!(json(&result.join("result.json"))["status"], "infeasible");
    assert_eq!(names(&result), ["hs71.col", "hs71.nl", "hs71.row", "hs71.sol", "result.json"]);
    let run = lariat(folder.path(), &["check", "hs71.nl"]).exits(1);
    assert!(run.out.contains("NOT SOLVABLE as it stands: x1: no value"), "{}", run.out);
    let run = lariat(folder.path(), &["plot", "results/hs71"]).exits(1);
    assert!(run.err.contains("nothing to draw as png (status: infeasible)"), "{}", run.err);
}

#[test]
fn check_explains_without_solving() {
    let folder = models();
    let run = lariat(folder.path(), &["check", "hs71.nl"]).exits(0);
    for part in [
        "4 variables: 0 fixed, 4 with bounds, 0 without",
        "2 rows: 1 equations, 1 inequalities; 0 linear, 2 nonlinear",
        "3 degrees of freedom",
        "objective to be minimised, at the start 1.6",
        "row sphere is violated most, by 1.200e1",
        "derivatives agree with differences",
    ] {
        assert!(run.out.contains(part), "{part:?} is not in {}", run.out);
    }
    assert!(!folder.path().join("results").exists());
}

#[test]
fn a_saved_solution_is_verified_and_drawn_from_its_folder_alone() {
    let folder = models();
    lariat(folder.path(), &["solve", "hs71.nl", "--quiet"]).exits(0);
    for file in ["hs71.nl", "hs71.col", "hs71.row"] {
        fs::remove_file(folder.path().join(file)).unwrap();
    }
    let run = lariat(folder.path(), &["verify", "results/hs71"]).exits(0);
    assert!(run.out.contains("objective 17.014017") && run.out.ends_with("  verified\n"), "{}", run.out);
    let run = lariat(folder.path(), &["plot", "results/hs71/result.json", "--format", "svg", "--out", "."]).exits(0);
    assert_eq!(run.out, "./convergence.svg\n");
    let run = lariat(folder.path(), &["plot", "results/hs71", "--what", "motion"]).exits(1);
    assert!(run.err.contains("nothing for the plot `motion`"), "{}", run.err);

    let path = folder.path().join("results/hs71/solution.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("x1,1.0,", "x1,1.1,", 1)).unwrap();
    let run = lariat(folder.path(), &["verify", "results/hs71"]).exits(1);
    assert!(run.out.contains("OUTSIDE tolerance") && run.out.ends_with("  NOT verified\n"), "{}", run.out);
    assert!(run.out.contains("solution.csv is not as it was written with this result"), "{}", run.out);
}

#[test]
fn wrong_multipliers_are_noticed_whatever_the_files_say() {
    let folder = models();
    lariat(folder.path(), &["solve", "hs71.nl", "--quiet"]).exits(0);
    let path = folder.path().join("results/hs71/constraints.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen(",-0.5522", ",-0.6522", 1)).unwrap();
    let run = lariat(folder.path(), &["verify", "results/hs71"]).exits(1);
    let lines: Vec<&str> = run.out.lines().filter(|line| line.contains("OUTSIDE")).collect();
    assert!(lines.len() == 1 && lines[0].contains("gradient of the Lagrangian"), "{}", run.out);
}

#[test]
fn modelling_languages_get_their_answer_beside_the_model() {
    let folder = models();
    for stub in ["hs71", "hs71.nl"] {
        let run = lariat(folder.path(), &[stub, "-AMPL", "tolerance=1e-9"]).exits(0);
        assert_eq!(run.out.lines().count(), 1);
        assert!(run.out.starts_with("lariat ") && run.out.contains(": solved; objective 17.014017"), "{}", run.out);
        let sol = fs::read_to_string(folder.path().join("hs71.sol")).unwrap();
        assert_eq!(sol.lines().next(), run.out.lines().next());
        fs::remove_file(folder.path().join("hs71.sol")).unwrap();
    }
    assert_eq!(names(folder.path()), ["hs71.col", "hs71.nl", "hs71.row"]);
    write_infeasible(&folder);
    // The status is in the file: the caller takes another exit code for a crash.
    let run = lariat(folder.path(), &["apart", "-AMPL"]).exits(0);
    assert!(run.out.contains(": infeasible; ") && run.out.contains("conflicts"), "{}", run.out);
    assert!(fs::read_to_string(folder.path().join("apart.sol")).unwrap().ends_with("objno 0 200\n"));
    let run = lariat(folder.path(), &["absent", "-AMPL"]).exits(2);
    assert!(run.err.contains("cannot read absent.nl"), "{}", run.err);
    lariat(folder.path(), &["hs71", "-AMPL", "outlev=1"]).exits(2);
    assert_eq!(lariat(folder.path(), &["-v"]).exits(0).out, format!("lariat {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn options_of_modelling_languages_come_from_the_environment_too() {
    let folder = models();
    let mut command = Command::cargo_bin("lariat").unwrap();
    let command = command.current_dir(folder.path()).args(["hs71", "-AMPL"]);
    let output = command.env("lariat_options", "method=sqp max_iterations=1").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains(": iteration-limit; ") && out.contains(", 1 iteration;"), "{out}");
    assert!(fs::read_to_string(folder.path().join("hs71.sol")).unwrap().ends_with("objno 0 400\n"));
}

#[test]
fn the_model_is_never_cleared_away_with_a_result() {
    let folder = models();
    let run = lariat(folder.path(), &["solve", "hs71.nl", "--out", "."]).exits(2);
    assert!(run.err.contains("hs71.nl lies in the folder for its result"), "{}", run.err);
    assert!(folder.path().join("hs71.nl").exists() && !folder.path().join("result.json").exists());
}

#[test]
fn any_change_of_a_saved_answer_is_noticed() {
    let folder = models();
    lariat(folder.path(), &["solve", "hs71.nl", "--no-plots"]).exits(0);
    let saved = folder.path().join("results/hs71");
    let (sol, result) = (saved.join("hs71.sol"), saved.join("result.json"));
    let [sol_text, result_text] = [&sol, &result].map(|path| fs::read_to_string(path).unwrap());
    fs::write(&sol, format!("{sol_text} ")).unwrap();
    let run = lariat(folder.path(), &["verify", "results/hs71"]).exits(1);
    assert!(run.out.contains("hs71.sol is not as it was written"), "{}", run.out);
    fs::write(&sol, sol_text).unwrap();
    let scalars = result_text.find("\"scalars\"").unwrap();
    let (before, after) = result_text.split_at(scalars);
    fs::write(&result, format!("{before}{}", after.replacen(": 17.0140", ": 16.0140", 1))).unwrap();
    let run = lariat(folder.path(), &["verify", "results/hs71"]).exits(1);
    assert!(run.out.contains("result.json tells another objective, 16.0140"), "{}", run.out);
}
