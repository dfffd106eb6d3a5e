//! The command line as a new user meets it: what each subcommand prints, writes and returns.

// A helper that fails is a test that fails.
#![allow(clippy::unwrap_used, clippy::panic)]

mod control;
mod faults;
mod forward;
mod gallery;
mod interrupt;
mod models;
mod refusals;
mod saved;
mod solve;
mod usage;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// A small problem that is solved in a moment.
const QUICK: &str = r#"title = "Sideways"
dimension = 2

[time]
end = 6.0
steps = 60

[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 10
stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 1.0 }

[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]

[servo.tip]
at = "beam.end"
x = 1
y = "0.1*rest(t, 2, 4, 6)"
angle = 0

[task.inverse-dynamics]
method = "space-march"
"#;

/// The files of a complete result.
const FILES: [&str; 10] = [
    "actuation.csv",
    "actuation.png",
    "deviation.png",
    "energy.png",
    "motion.csv",
    "motion.npz",
    "motion.png",
    "profile.csv",
    "profile.png",
    "result.json",
];

/// How a run ended.
struct Run {
    code: i32,
    out: String,
    err: String,
}

/// Runs the program in a folder.
fn lariat(dir: &Path, args: &[&str]) -> Run {
    let output = Command::cargo_bin("lariat").unwrap().current_dir(dir).args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Asserts the exit code, and shows all that was said if it is another.
    fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }
}

/// A folder with [`QUICK`] as `quick.toml`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("quick.toml"), QUICK).unwrap();
    folder
}

/// A folder with the result of [`QUICK`] in `results/quick`.
fn solved() -> TempDir {
    let folder = folder();
    lariat(folder.path(), &["solve", "quick.toml", "--quiet"]).exits(0);
    folder
}

/// All names in a folder, hidden ones too, in order.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A JSON file.
fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}
