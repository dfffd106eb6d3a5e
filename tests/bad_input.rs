//! Every mistake a user can make has a message that says what, where and what instead.
//!
//! `tests/bad/NAME.toml` is a problem file with mistakes and `tests/bad/NAME.txt` all that the program says about it;
//! `tests/bad/NAME.csv` is a table it refers to.
//! A new pair needs no new test. `LARIAT_BLESS=1 cargo test --test bad_input` rewrites the expected texts: read each
//! change as the user would before it is committed.

// A helper that fails is a test that fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// All problem files in `tests/bad`, by name.
fn bad_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension() == Some(OsStr::new("toml")));
    files.sort();
    files
}

/// What a subcommand says about a file that lies alone in an empty folder; it must refuse it and write nothing.
fn complaint(subcommand: &str, file: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let name = file.file_name().unwrap();
    fs::copy(file, folder.path().join(name)).unwrap();
    let table = file.with_extension("csv");
    if table.exists() {
        fs::copy(&table, folder.path().join(table.file_name().unwrap())).unwrap();
    }
    let names =
        || -> BTreeSet<_> { fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect() };
    let before = names();
    let output =
        Command::cargo_bin("lariat").unwrap().current_dir(folder.path()).arg(subcommand).arg(name).output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let left = names();
    match output.status.code() {
        Some(2) if stdout.is_empty() && left == before => Ok(stderr),
        code => Err(format!("exit {code:?}, files {left:?}\nstdout: {stdout}\nstderr: {stderr}")),
    }
}

#[test]
fn every_bad_file_is_refused_with_its_message() {
    let bless = std::env::var_os("LARIAT_BLESS").is_some_and(|value| value == "1");
    let files = bad_files();
    assert!(files.len() >= 32, "only {} bad problem files found", files.len());
    let mut failures = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        let expected_file = file.with_extension("txt");
        match complaint("solve", file) {
            Err(why) => failures.push(format!("{name}: {why}")),
            Ok(found) if bless => fs::write(expected_file, found).unwrap(),
            Ok(found) => match fs::read_to_string(&expected_file) {
                Ok(expected) if expected == found => {}
                Ok(expected) => failures.push(format!("{name}: expected\n{expected}\nfound\n{found}")),
                Err(error) => failures.push(format!("{name}: {}: {error}", expected_file.display())),
            },
        }
    }
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn checking_says_the_same_as_solving() {
    for file in bad_files() {
        let name = file.file_name().unwrap();
        if UNSOLVABLE.iter().any(|unsolvable| OsStr::new(unsolvable) == name) {
            let checked = Command::cargo_bin("lariat").unwrap().arg("check").arg(&file).output().unwrap();
            let said = String::from_utf8(checked.stdout).unwrap();
            assert_eq!(checked.status.code(), Some(1), "{said}");
            assert!(said.contains("  mobility: ") && said.contains("  NOT SOLVABLE as it stands: "), "{said}");
            continue;
        }
        assert_eq!(complaint("check", &file).unwrap(), complaint("solve", &file).unwrap(), "{}", file.display());
    }
}

/// Files that are understood: only their mechanism is none that can be solved. Checking tells what can move in it.
const UNSOLVABLE: [&str; 1] = ["machine-over-constrained.toml"];

/// Whatever the mistake, its message points at the file, a line and a column, and the last line counts the mistakes.
#[test]
fn every_message_points_at_its_place() {
    for file in bad_files() {
        let said = complaint("solve", &file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        let places = said.lines().filter(|line| line.contains(&format!("[{name}:"))).count();
        let counted = said.lines().last().unwrap().strip_prefix(&format!("{name}: ")).unwrap();
        let number: usize = counted.split(' ').next().unwrap().parse().unwrap();
        assert!(number > 0 && number == places, "{name}: {number} mistakes at {places} places\n{said}");
    }
}

#[test]
fn every_expected_text_belongs_to_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.with_extension("toml").exists() && path.with_extension("txt").exists(), "{}", path.display());
    }
}

/// Whatever line of a gallery file is lost, the answer is a problem or a list of mistakes, each with a place of its own.
#[test]
fn lost_lines_never_end_in_a_panic_or_a_repeated_message() {
    for (name, text) in lariat::problem::gallery() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for lost in 0..lines.len() {
            let rest: String = lines.iter().enumerate().filter(|(i, _)| *i != lost).map(|(_, line)| *line).collect();
            let Err(found) = lariat::problem::load(&format!("problems/{name}.toml"), &rest, &[]) else { continue };
            assert!(found.errors() > 0, "{name} without line {}: refused without a mistake", lost + 1);
            let mut messages: Vec<&str> = found.list.iter().map(|mistake| mistake.message.as_str()).collect();
            messages.sort_unstable();
            messages.dedup();
            assert_eq!(messages.len(), found.list.len(), "{name} without line {}:\n{found}", lost + 1);
        }
    }
}
