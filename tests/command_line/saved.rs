//! `lariat verify` and `lariat plot`: nothing but the result folder is needed.

use std::fs;

use super::*;

/// The saved actuation with one number passed through a change.
fn change_actuation(folder: &TempDir, row: usize, column: usize, change: impl Fn(&str) -> String) {
    let path = folder.path().join("results/quick/actuation.csv");
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: Vec<Vec<String>> = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    rows[row][column] = change(&rows[row][column]);
    let changed: String = rows.iter().map(|row| row.join(",") + "\n").collect();
    assert_ne!(changed, text);
    fs::write(path, changed).unwrap();
}

#[test]
fn a_fresh_result_is_verified_without_the_problem_file() {
    let folder = solved();
    fs::remove_file(folder.path().join("quick.toml")).unwrap();
    for result in ["results/quick", "results/quick/result.json"] {
        let run = lariat(folder.path(), &["verify", result]).exits(0);
        assert!(run.out.ends_with("  verified\n"), "{}", run.out);
        for output in ["tip.x", "tip.y", "tip.angle"] {
            assert!(run.out.contains(&format!("{output}: largest deviation")), "{}", run.out);
        }
    }
    assert_eq!(names(&folder.path().join("results/quick")), FILES);
}

#[test]
fn a_force_that_is_off_by_two_percent_is_noticed() {
    let folder = solved();
    change_actuation(&folder, 31, 2, |number| format!("{}", number.parse::<f64>().unwrap() * 1.02));
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(1);
    assert!(run.out.contains("actuation.csv is not as it was written with this result"), "{}", run.out);
    assert!(run.out.ends_with("  NOT verified\n"), "{}", run.out);
}

#[test]
fn a_force_that_misses_the_path_is_noticed_whatever_the_files_say() {
    let folder = solved();
    for row in 20..40 {
        change_actuation(&folder, row, 2, |number| format!("{}", number.parse::<f64>().unwrap() + 0.1));
    }
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(1);
    assert!(run.out.contains("tip.y: largest deviation") && run.out.contains("OUTSIDE tolerance"), "{}", run.out);
}

#[test]
fn a_changed_last_digit_is_noticed() {
    let folder = solved();
    let other_digit = |number: &str| {
        let (rest, digit) = number.split_at(number.len() - 1);
        format!("{rest}{}", if digit == "1" { 2 } else { 1 })
    };
    change_actuation(&folder, 31, 3, other_digit);
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(1);
    assert!(run.out.contains("within tolerance") && !run.out.contains("OUTSIDE"), "{}", run.out);
    assert!(run.out.contains("actuation.csv is not as it was written"), "{}", run.out);
}

/// A path that was made easier after the fact is no proof.
#[test]
fn a_changed_problem_text_is_noticed() {
    let folder = solved();
    let path = folder.path().join("results/quick/result.json");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replace("0.1*rest(t, 2, 4, 6)", "0.1*rest(t, 2, 4, 7)");
    assert_ne!(changed, text);
    fs::write(path, changed).unwrap();
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(1);
    assert!(run.out.contains("the problem text in result.json is not the one that was solved"), "{}", run.out);
}

#[test]
fn a_missing_file_is_named() {
    for name in ["motion.csv", "motion.npz", "actuation.csv", "result.json"] {
        let folder = solved();
        fs::remove_file(folder.path().join("results/quick").join(name)).unwrap();
        let run = lariat(folder.path(), &["verify", "results/quick"]).exits(2);
        assert!(run.err.contains(&format!("results/quick/{name}")), "{name}: {}", run.err);
        assert_eq!(run.out, "");
    }
    // Pictures are no part of the proof.
    let folder = solved();
    fs::remove_file(folder.path().join("results/quick/motion.png")).unwrap();
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(0);
    assert!(run.out.contains("motion.png is missing from this result"), "{}", run.out);
}

#[test]
fn a_folder_without_result_and_a_broken_result_are_refused() {
    let folder = folder();
    let run = lariat(folder.path(), &["verify", "."]).exits(2);
    assert!(run.err.contains("result.json"), "{}", run.err);
    lariat(folder.path(), &["plot", "nowhere"]).exits(2);
    fs::write(folder.path().join("result.json"), "{ \"schema\": 1 }").unwrap();
    let run = lariat(folder.path(), &["verify", "."]).exits(2);
    assert!(run.err.contains("is not a result"), "{}", run.err);
    fs::write(folder.path().join("result.json"), "{ \"schema\": 99 }").unwrap();
    let run = lariat(folder.path(), &["verify", "."]).exits(2);
    assert!(run.err.contains("layout 99"), "{}", run.err);
}

#[test]
fn a_run_without_answer_can_be_neither_verified_nor_drawn() {
    let folder = folder();
    let violent = ["--set", "servo.tip.x=1-0.9*rest(t,2,2.6,6)", "--set", "rod.beam.stiffness.axial=0.3"];
    lariat(folder.path(), &[&["solve", "quick.toml", "--quiet"], &violent[..]].concat()).exits(1);
    let run = lariat(folder.path(), &["verify", "results/quick"]).exits(1);
    assert!(run.err.contains("it holds no actuation (status infeasible)"), "{}", run.err);
    let run = lariat(folder.path(), &["plot", "results/quick"]).exits(1);
    assert!(run.err.contains("nothing to draw as png (status: infeasible)"), "{}", run.err);
}

#[test]
fn pictures_are_drawn_again_from_the_folder_alone() {
    let folder = solved();
    let run = lariat(folder.path(), &["plot", "results/quick", "--out", "again"]).exits(0);
    let pictures = ["actuation.png", "deviation.png", "energy.png", "motion.png", "profile.png"];
    assert_eq!(names(&folder.path().join("again")), pictures);
    assert_eq!(run.out.lines().count(), pictures.len());
    for name in names(&folder.path().join("again")) {
        let content = |dir: &str| fs::read(folder.path().join(dir).join(&name)).unwrap();
        assert!(content("again").starts_with(b"\x89PNG"));
        assert!(content("again") == content("results/quick"), "{name} differs from the first drawing");
    }
    lariat(folder.path(), &["plot", "results/quick/result.json", "--format", "svg", "--out", "svg"]).exits(0);
    assert_eq!(names(&folder.path().join("svg")), pictures.map(|name| name.replace("png", "svg")));
    for name in names(&folder.path().join("svg")) {
        let text = fs::read_to_string(folder.path().join("svg").join(&name)).unwrap();
        assert!(text.contains("<svg") && text.trim_end().ends_with("</svg>"), "{name}");
    }
    lariat(folder.path(), &["plot", "results/quick", "--what", "motion", "--out", "one"]).exits(0);
    assert_eq!(names(&folder.path().join("one")), ["motion.png"]);
}

#[test]
fn unknown_pictures_and_formats_are_refused() {
    let folder = solved();
    let run = lariat(folder.path(), &["plot", "results/quick", "--what", "portrait"]).exits(2);
    assert!(run.err.contains("portrait") && run.err.contains("actuation, motion, phase, energy"), "{}", run.err);
    let run = lariat(folder.path(), &["plot", "results/quick", "--format", "jpg"]).exits(2);
    assert!(run.err.contains("png, svg"), "{}", run.err);
    let run = lariat(folder.path(), &["plot", "results/quick", "--out", "quick.toml"]).exits(3);
    assert!(run.err.contains("quick.toml"), "{}", run.err);
}
