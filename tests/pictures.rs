//! `lariat plot` draws the results of forward tasks from their folders alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use lariat::results::{ModeShape, Outcome, PathTable, RodField, SCHEMA_VERSION, ShapeField, Table, store};

fn plot(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lariat")).arg("plot").arg(folder).args(arguments).output().unwrap()
}

fn outcome(task: &str) -> Outcome {
    let mut outcome = Outcome::default();
    (outcome.report.schema, outcome.report.task) = (SCHEMA_VERSION, task.into());
    outcome
}

/// A rod of two nodes that turns about its start in the plane for two seconds.
fn turning() -> Outcome {
    let t: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
    let field = |name: &str, f: fn(f64) -> f64| {
        (name.to_owned(), [0.0, 1.0].map(|s| t.iter().map(move |t| s * f(*t)).collect::<Vec<_>>()).concat())
    };
    let fields = vec![field("x", f64::cos), field("y", f64::sin)];
    let ones = vec![1.0; t.len()];
    Outcome {
        rods: vec![RodField { rod: "rod".into(), s: vec![0.0, 1.0], t: t.clone(), fields }],
        energy: Table { t: t.clone(), columns: vec![("kinetic".into(), ones.clone())] },
        momentum: Table { t, columns: vec![("angular".into(), ones)] },
        ..outcome("simulate")
    }
}

#[test]
fn a_motion_becomes_pictures_and_a_film() {
    let folder = tempfile::tempdir().unwrap();
    store::write(folder.path(), &mut turning(), &[]).unwrap();
    let output = plot(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for file in ["motion.png", "energy.png", "momentum.png"] {
        assert!(fs::read(folder.path().join(file)).unwrap().starts_with(b"\x89PNG"), "{file}");
    }
    for arguments in [&["--what", "motion", "--format", "gif"][..], &["--format", "gif"][..]] {
        let output = plot(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let film = folder.path().join("motion.gif");
        assert!(fs::read(&film).unwrap().starts_with(b"GIF89a"));
        fs::remove_file(film).unwrap();
    }
    let output = plot(folder.path(), &["--what", "energy", "--format", "gif"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("gif is for motions in time only"), "{output:?}");
}

#[test]
fn modes_and_load_paths_become_pictures() {
    let shape = ShapeField {
        rod: "beam".into(),
        s: vec![0.0, 1.0],
        rest: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        shape: vec![[0.0; 3], [0.0, 1.0, 0.0]],
        ..ShapeField::default()
    };
    let modes = Outcome {
        modes: vec![ModeShape { number: 1, real: 0.0, imaginary: 2.0, rods: vec![shape], ..ModeShape::default() }],
        ..outcome("modes")
    };
    let path = PathTable {
        kinds: ["step", "limit-point", "step"].map(String::from).to_vec(),
        columns: vec![("load_factor".into(), vec![0.0, 1.0, 0.5]), ("tip.y".into(), vec![0.0, 0.1, 0.3])],
    };
    for (mut outcome, file) in [(modes, "modes.svg"), (Outcome { path, ..outcome("statics") }, "path.svg")] {
        let folder = tempfile::tempdir().unwrap();
        store::write(folder.path(), &mut outcome, &[]).unwrap();
        assert_eq!(plot(folder.path(), &["--format", "svg"]).status.code(), Some(0));
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains("mode 1: 2.000 rad/s (0.3183 Hz)") || text.contains("limit point"), "{file}");
        let output = plot(folder.path(), &["--format", "gif"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("nothing to draw as gif"), "{output:?}");
    }
}
