//! What `lariat solve` refuses before it starts, and what it cannot write.

use std::fs;

use super::*;

#[test]
fn a_bad_second_file_means_that_nothing_is_solved() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), QUICK.replace("elements", "elemnts")).unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml", "bad.toml"]).exits(2);
    assert!(run.err.contains("did you mean `elements`?"), "{}", run.err);
    assert_eq!(run.out, "");
    assert_eq!(names(folder.path()), ["bad.toml", "quick.toml"]);
}

#[test]
fn a_missing_or_unreadable_file_is_named() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quik.toml", "--json"]).exits(2);
    assert!(run.err.starts_with("lariat: cannot read quik.toml: "), "{}", run.err);
    assert_eq!(run.out, "");
    fs::write(folder.path().join("latin.toml"), b"title = \"\xe9\"\n").unwrap();
    let run = lariat(folder.path(), &["solve", "latin.toml"]).exits(2);
    assert_eq!(run.err, "lariat: latin.toml is not UTF-8 text (byte 9)\n");
    lariat(folder.path(), &["solve", "."]).exits(2);
}

#[test]
fn a_bad_override_is_shown_with_its_place() {
    let folder = folder();
    let run = lariat(folder.path(), &["solve", "quick.toml", "--set", "rod.beam.elments=3"]).exits(2);
    for part in ["unknown key `elments` in [rod.beam]", "[command line:1:16]", "did you mean `elements`?"] {
        assert!(run.err.contains(part), "{part:?} is not in {}", run.err);
    }
    for (set, part) in [
        ("time.steps", "expected `key.path=value`"),
        ("time.steps=many", "wrong type for `time.steps`: found string \"many\""),
        ("time.end=-1", "`time.end` is -1, expected a time after `time.start` = 0"),
        ("servo.tip.y=sinn(t)", "unknown function `sinn`"),
    ] {
        let run = lariat(folder.path(), &["solve", "quick.toml", "--set", set]).exits(2);
        assert!(run.err.contains(part) && run.err.contains("command line:1:"), "{part:?} is not in {}", run.err);
    }
    assert_eq!(names(folder.path()), ["quick.toml"]);
}

#[test]
fn two_files_cannot_share_a_folder() {
    let folder = folder();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::copy(folder.path().join("quick.toml"), folder.path().join("other/quick.toml")).unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml", "other/quick.toml"]).exits(2);
    assert!(run.err.contains("quick.toml and other/quick.toml would both write to results/quick"), "{}", run.err);
    assert!(!folder.path().join("results").exists());
}

#[test]
fn a_file_in_the_way_of_the_result_folder_is_told_before_solving() {
    let folder = folder();
    fs::write(folder.path().join("results"), "mine").unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml"]).exits(3);
    assert_eq!(run.err, "lariat: cannot make the folder results/quick: results is a file\n");
    assert_eq!(run.out, "");
    assert_eq!(names(folder.path()), ["quick.toml", "results"]);
    assert_eq!(fs::read_to_string(folder.path().join("results")).unwrap(), "mine");
}

/// A folder with the name of a result file cannot be replaced: the older result stays as it was, whole.
#[test]
fn a_result_that_cannot_be_written_leaves_the_older_one() {
    let folder = solved();
    let result = folder.path().join("results/quick");
    fs::remove_file(result.join("energy.png")).unwrap();
    fs::create_dir(result.join("energy.png")).unwrap();
    let before = fs::read(result.join("result.json")).unwrap();
    let run = lariat(folder.path(), &["solve", "quick.toml", "--set", "time.steps=80"]).exits(3);
    assert!(run.err.contains("the result could not be written") && run.err.contains("energy.png"), "{}", run.err);
    assert!(!run.out.contains("results/quick: result.json"), "{}", run.out);
    assert_eq!(names(&result), FILES);
    assert!(fs::read(result.join("result.json")).unwrap() == before);
}
