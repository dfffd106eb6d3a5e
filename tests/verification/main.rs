//! Verification must be able to fail: for each method, an answer on a mesh or a grid too coarse, and an actuation that was
//! changed, end as not verified; and the deviation that is reported is the true one.
#![allow(clippy::unwrap_used, clippy::panic)]

mod adapted;
mod changed;
mod coarse;
mod limits;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A problem that was solved, with its folder of results.
struct Solved {
    folder: TempDir,
    report: Value,
}

impl Solved {
    /// Solves the text of a problem file with overrides.
    fn of(text: &str, set: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.toml"), text).unwrap();
        let mut command = Command::cargo_bin("lariat").unwrap();
        command.current_dir(folder.path()).args(["solve", "x.toml", "--quiet", "--no-plots", "--out", "out"]);
        set.iter().for_each(|set| {
            command.args(["--set", set]);
        });
        let said = command.output().unwrap();
        let report = fs::read_to_string(folder.path().join("out/result.json"));
        let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&said.stderr)));
        Self { folder, report: serde_json::from_str(&report).unwrap() }
    }

    fn status(&self) -> &str {
        self.report["status"].as_str().unwrap()
    }

    fn passed(&self) -> bool {
        self.report["verification"]["passed"].as_bool().unwrap()
    }

    /// The reported deviation of a quantity.
    fn deviation(&self, name: &str) -> f64 {
        self.report["verification"]["max_error"][name].as_f64().unwrap()
    }

    fn results(&self) -> std::path::PathBuf {
        self.folder.path().join("out")
    }
}

/// A problem of the gallery.
fn gallery(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("problems/{name}.toml"))).unwrap()
}

/// A tapered bar on a hinge, turned by a motor with the least effort.
const BAR: &str = r#"
dimension = 2
[time]
end = 2.0
steps = 100
[rod.bar]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 1
stiffness = { axial = "1000*(1 - 0.8*s)^2", shear = "400*(1 - 0.8*s)^2", bending = "1.5*(1 - 0.8*s)^4" }
inertia = { mass = "(1 - 0.8*s)^2", rotary = "0.01*(1 - 0.8*s)^4" }
[support.pivot]
at = "bar.start"
type = "hinge"
[actuator.motor]
at = "bar.start"
acts = ["torque"]
[task.optimal-control]
objective = { effort = 1.0 }
start = {}
end = { "bar.start.angle" = 1.0, bar = "undeformed" }
"#;
