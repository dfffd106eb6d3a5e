//! `lariat solve`: files, summary, options, exit codes.

use std::fs;

use super::*;

#[test]
fn the_promised_files_and_no_others_are_written() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quick.toml"]).exits(0);
    assert_eq!(names(folder.path()), ["quick.toml", "results"]);
    assert_eq!(names(&folder.path().join("results")), ["quick"]);
    let result = folder.path().join("results/quick");
    assert_eq!(names(&result), FILES);
    for said in ["Sideways", "solved by space-march", "base.torque", "verified by forward simulation", "results/quick"]
    {
        assert!(run.out.contains(said), "{said:?} is not in\n{}", run.out);
    }
    assert_eq!(run.err, "");
    let report = json(&result.join("result.json"));
    let listed: Vec<&str> = report["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(listed.len(), FILES.len() - 1);
    assert!(FILES.iter().all(|name| *name == "result.json" || listed.contains(name)), "{listed:?}");
    assert_eq!(report["problem"]["text"], QUICK);
    let csv = fs::read_to_string(result.join("actuation.csv")).unwrap();
    assert_eq!(csv.lines().next().unwrap(), "t,base.force_x,base.force_y,base.torque");
    assert_eq!(csv.lines().count(), 1 + 61);
}

#[test]
fn a_path_to_the_file_does_not_move_the_results() {
    let folder = folder();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    lariat(&folder.path().join("elsewhere"), &["solve", "../quick.toml", "--no-plots"]).exits(0);
    let result = folder.path().join("elsewhere/results/quick");
    assert_eq!(names(&result), ["actuation.csv", "motion.csv", "motion.npz", "profile.csv", "result.json"]);
    assert_eq!(names(folder.path()), ["elsewhere", "quick.toml"]);
}

#[test]
fn out_and_set() {
    let folder = folder();
    let args =
        ["solve", "quick.toml", "--out", "a/b", "--set", "time.steps=80", "--set", "servo.tip.y=0.2*rest(t,2,4,6)"];
    lariat(folder.path(), &args).exits(0);
    assert_eq!(names(&folder.path().join("a/b")), FILES);
    assert!(!folder.path().join("results").exists());
    let report = json(&folder.path().join("a/b/result.json"));
    assert_eq!(report["problem"]["overrides"], serde_json::json!(["time.steps=80", "servo.tip.y=0.2*rest(t,2,4,6)"]));
    assert_eq!(report["grid"]["time_steps"], 80.0);
    let end = report["scalars"]["motion.beam.end.y.final"].as_f64().unwrap();
    assert!((end - 0.2).abs() < 1e-12, "{end}");
    // A saved result carries its overrides: it is verified without them being repeated.
    lariat(folder.path(), &["verify", "a/b"]).exits(0);
}

#[test]
fn json_is_one_object_and_says_what_the_file_says() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quick.toml", "--json"]).exits(0);
    let printed: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let written = json(&folder.path().join("results/quick/result.json"));
    assert!(printed.is_object());
    assert_eq!(printed["status"], "solved");
    assert_eq!(printed["verification"]["passed"], true);
    for key in ["status", "verification", "scalars", "files", "problem", "expectations", "energy"] {
        assert!(written.get(key).is_some() && printed[key] == written[key], "{key}: {}", printed[key]);
    }
    assert_eq!(printed["files"].as_array().unwrap().len(), FILES.len() - 1);
}

#[test]
fn json_of_several_files_is_one_object_too() {
    let folder = folder();
    fs::copy(folder.path().join("quick.toml"), folder.path().join("again.toml")).unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml", "again.toml", "--json", "--no-plots"]).exits(0);
    let printed: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let files: Vec<_> = printed["results"].as_array().unwrap().iter().map(|r| r["problem"]["file"].clone()).collect();
    assert_eq!(files, ["quick.toml", "again.toml"]);
}

#[test]
fn quiet_says_nothing_unless_something_is_wrong() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quick.toml", "--quiet"]).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    let missed = "expect.\"actuation.base.torque.max\"={ value = 5, rel = 1e-3 }";
    let run = lariat(folder.path(), &["solve", "quick.toml", "--quiet", "--set", missed]).exits(1);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with("lariat: quick.toml: solved, but not as expected: actuation.base.torque.max = 0."));
    assert_eq!(run.err.lines().count(), 1);
}

#[test]
fn verbose_tells_the_phases_on_stderr() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quick.toml", "--verbose", "--no-plots"]).exits(0);
    assert!(run.err.lines().count() >= 2, "{}", run.err);
    lariat(folder.path(), &["solve", "quick.toml", "--verbose", "--quiet"]).exits(2);
}

#[test]
fn several_files_have_a_folder_each() {
    let folder = folder();
    fs::copy(folder.path().join("quick.toml"), folder.path().join("again.toml")).unwrap();
    lariat(folder.path(), &["solve", "quick.toml", "again.toml", "--no-plots"]).exits(0);
    assert_eq!(names(&folder.path().join("results")), ["again", "quick"]);
    lariat(folder.path(), &["solve", "quick.toml", "again.toml", "--no-plots", "--out", "here"]).exits(0);
    assert_eq!(names(&folder.path().join("here")), ["again", "quick"]);
}

#[test]
fn a_missed_expectation_is_told_and_the_result_is_still_written() {
    let folder = folder();
    let text = format!("{QUICK}\n[expect]\n\"actuation.base.force_y.max\" = {{ value = 5.0, rel = 1e-3 }}\n");
    fs::write(folder.path().join("quick.toml"), text).unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml"]).exits(1);
    assert!(run.out.contains("NOT AS EXPECTED: actuation.base.force_y.max = 0.0"), "{}", run.out);
    assert!(run.out.contains("known 5 ± 5.0e-3"), "{}", run.out);
    assert_eq!(names(&folder.path().join("results/quick")), FILES);
    let report = json(&folder.path().join("results/quick/result.json"));
    assert_eq!((&report["status"], &report["expectations"][0]["met"]), (&"solved".into(), &false.into()));
}

#[test]
fn a_met_expectation_is_told_too() {
    let folder = folder();
    let met = "expect.\"actuation.base.force_y.max\"={ value = 0.0665, abs = 1e-3, source = \"an earlier run\" }";
    let run = lariat(folder.path(), &["solve", "quick.toml", "--no-plots", "--set", met]).exits(0);
    assert!(run.out.contains("as expected: actuation.base.force_y.max"), "{}", run.out);
}

/// The quadratic law lets itself be compressed to nothing; a violent pull does it.
#[test]
fn a_path_that_no_rod_can_follow_has_no_solution() {
    let folder = folder();
    let violent = ["servo.tip.x=1-0.9*rest(t,2,2.6,6)", "rod.beam.law=quadratic", "rod.beam.stiffness.axial=0.3"];
    let [path, law, soft] = violent;
    let args = ["solve", "quick.toml", "--set", path, "--set", law, "--set", soft];
    let run = lariat(folder.path(), &args).exits(1);
    assert_eq!(names(&folder.path().join("results/quick")), ["result.json"]);
    let report = json(&folder.path().join("results/quick/result.json"));
    assert_eq!(report["status"], "infeasible");
    let message = report["message"].as_str().unwrap();
    for part in ["rod `beam`", "compressed to nothing", "s = 0.", "t = 2.", "slower or smoother"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
    assert!(run.out.contains(message), "{}", run.out);
    assert!(!run.out.contains(" verified"), "{}", run.out);
    // An older result in the folder would be a lie now.
    lariat(folder.path(), &["solve", "quick.toml", "--quiet"]).exits(0);
    lariat(folder.path(), &args).exits(1);
    assert_eq!(names(&folder.path().join("results/quick")), ["result.json"]);
}

#[test]
fn a_rerun_is_bit_identical_except_for_timings() {
    let folder = folder();
    let report = |out: &str, threads: &str| {
        lariat(folder.path(), &["solve", "quick.toml", "--quiet", "--out", out, "--threads", threads]).exits(0);
        let mut report = json(&folder.path().join(out).join("result.json"));
        assert!(report["timings"].as_array_mut().is_some_and(|timings| !timings.is_empty()));
        report["timings"].take();
        report
    };
    assert_eq!(report("one", "1"), report("two", "2"));
    for name in FILES.iter().filter(|name| **name != "result.json") {
        let content = |out: &str| fs::read(folder.path().join(out).join(name)).unwrap();
        assert!(content("one") == content("two"), "{name} differs");
    }
}
