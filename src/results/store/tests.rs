//! Writing, replacing and reading result folders.

use super::*;
use crate::results::{ModeShape, RodField, RunStatus, ShapeField};

fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn outcome() -> Outcome {
    let table = |name: &str| Table { t: vec![0.0, 0.1], columns: vec![(name.into(), vec![1.0 / 3.0, 2e-17])] };
    let x = ("x".to_owned(), vec![0.0, 0.1, 1.0, 1.1]);
    Outcome {
        report: Report {
            schema: SCHEMA_VERSION,
            title: "two nodes".into(),
            status: RunStatus::Solved,
            ..Default::default()
        },
        actuation: table("base.force_x"),
        motion: table("beam.end.x"),
        rods: vec![RodField { rod: "beam".into(), s: vec![0.0, 1.0], t: vec![0.0, 0.1], fields: vec![x] }],
        servo: table("tip.x"),
        resimulated: table("tip.x"),
        energy: table("work"),
        ..Outcome::default()
    }
}

/// What statics, modes and simulations leave behind.
fn forward() -> Outcome {
    let mut outcome = outcome();
    outcome.report.task = "statics".into();
    // Load factors may go back.
    outcome.rods[0].t = vec![0.5, 0.4];
    let shape = |scale: f64| ShapeField {
        rod: "beam".into(),
        s: vec![0.0, 1.0],
        rest: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        shape: vec![[0.0; 3], [0.0, scale, 0.0]],
        ..ShapeField::default()
    };
    let mode = |number: usize| ModeShape {
        number,
        real: -0.1,
        imaginary: 1.0 / 3.0,
        rods: vec![shape(1.0)],
        ..ModeShape::default()
    };
    outcome.modes = vec![mode(1), mode(2)];
    outcome.path = PathTable {
        kinds: vec!["step".into(), "limit-point".into()],
        columns: vec![("load_factor".into(), vec![0.5, 0.4]), ("beam.end.y".into(), vec![0.0, 1e-3])],
    };
    outcome.momentum = Table { t: vec![0.0, 0.1], columns: vec![("linear_x".into(), vec![0.1, 0.2])] };
    outcome.loads = Table { t: vec![0.0, 0.1], columns: vec![("wall.force_x".into(), vec![1.0, 1.0 / 3.0])] };
    outcome.profile = Listing {
        heading: "rod".into(),
        names: vec!["beam".into(), "beam".into()],
        columns: vec![("s".into(), vec![0.0, 1.0]), ("bending".into(), vec![0.1, -2e-17])],
    };
    outcome
}

fn picture(name: &str) -> (String, Vec<u8>) {
    (name.into(), name.as_bytes().to_vec())
}

#[test]
fn what_is_written_is_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("deep/result");
    let mut written = outcome();
    write(&dir, &mut written, &[picture("actuation.png")]).unwrap();
    assert_eq!(listing(&dir), ["actuation.csv", "actuation.png", "motion.csv", "motion.npz", "result.json"]);
    let names: Vec<_> = written.report.files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["actuation.csv", "motion.csv", "motion.npz", "actuation.png"]);
    assert_eq!(read(&dir).unwrap(), written);
    assert_eq!(read(&dir.join("result.json")).unwrap(), written);
    assert!(changed_files(&dir, &written.report).is_empty());
}

#[test]
fn modes_paths_and_momenta_are_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut written = forward();
    write(dir.path(), &mut written, &[]).unwrap();
    let files = ["momentum.csv", "loads.csv", "motion.npz", "modes.csv", "modes.npz", "path.csv", "profile.csv"];
    assert!(files.iter().all(|name| dir.path().join(name).exists()), "{:?}", listing(dir.path()));
    assert_eq!(read(dir.path()).unwrap(), written);
    // A motion must not go back in time, only equilibria may have falling load factors.
    written.report.task = "simulate".into();
    let error = write(dir.path(), &mut written, &[]).unwrap_err().to_string();
    assert!(error.contains("`t` must increase"), "{error}");
    fs::write(dir.path().join("modes.csv"), "number,real\n1,0\n").unwrap();
    let error = read(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("modes.csv, line 1: there is no column `imaginary`"), "{error}");
}

#[test]
fn hashes_are_sha256() {
    // FIPS 180-2, example B.1.
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn changes_after_the_fact_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let mut written = outcome();
    write(dir.path(), &mut written, &[]).unwrap();
    fs::write(dir.path().join("actuation.csv"), "t,base.force_x\n0,1\n").unwrap();
    fs::remove_file(dir.path().join("motion.csv")).unwrap();
    assert_eq!(changed_files(dir.path(), &written.report), ["actuation.csv", "motion.csv"]);
    let error = read(dir.path()).unwrap_err().to_string();
    assert!(error.contains("motion.csv"), "{error}");
}

#[test]
fn stale_files_go_and_foreign_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    write(dir.path(), &mut outcome(), &[picture("actuation.png"), picture("energy.png")]).unwrap();
    let mut unsolved = Outcome { actuation: Table::default(), motion: Table::default(), ..outcome() };
    (unsolved.rods, unsolved.servo, unsolved.resimulated, unsolved.energy) = Default::default();
    write(dir.path(), &mut unsolved, &[picture("energy.png")]).unwrap();
    assert_eq!(listing(dir.path()), ["energy.png", "notes.txt", "result.json"]);
    assert_eq!(read(dir.path()).unwrap(), unsolved);
}

#[test]
fn a_report_cannot_reach_outside_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("result");
    fs::write(dir.path().join("precious"), "x").unwrap();
    let mut first = outcome();
    write(&inside, &mut first, &[]).unwrap();
    first.report.files.push(FileEntry { name: "../precious".into(), sha256: sha256(b"x") });
    fs::write(inside.join("result.json"), serde_json::to_string(&first.report).unwrap()).unwrap();
    assert_eq!(changed_files(&inside, &first.report), ["../precious"]);
    write(&inside, &mut outcome(), &[]).unwrap();
    assert!(dir.path().join("precious").exists());
    for name in ["../x.png", "a/b.png", "", ".", "..", ".hidden", "result.json", "motion.npz", "/x"] {
        let error = write(&inside, &mut outcome(), &[picture(name)]).unwrap_err();
        assert!(matches!(error, StoreError::Name(n) if n == name), "{name}");
    }
}

#[test]
fn failure_leaves_the_old_result_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let mut old = outcome();
    write(dir.path(), &mut old, &[picture("actuation.png")]).unwrap();
    fs::create_dir(dir.path().join("motion.png")).unwrap();
    let mut new = outcome();
    new.actuation.columns[0].1[0] = 77.0;
    let report = new.report.clone();
    let error = write(dir.path(), &mut new, &[picture("actuation.png"), picture("motion.png")]).unwrap_err();
    assert!(error.to_string().contains("motion.png") && error.to_string().contains("in the way"), "{error}");
    assert_eq!(new.report, report);
    assert_eq!(read(dir.path()).unwrap(), old);
    assert!(changed_files(dir.path(), &old.report).is_empty());
    assert_eq!(listing(dir.path()).len(), 6);

    let mut hole = outcome();
    hole.actuation.columns[0].1[0] = f64::NAN;
    let error = write(dir.path(), &mut hole, &[]).unwrap_err().to_string();
    assert!(error.contains("actuation.csv") && error.contains("base.force_x"), "{error}");
    assert_eq!(read(dir.path()).unwrap(), old);
}

#[test]
fn a_file_where_the_folder_should_be_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("taken");
    fs::write(&file, "x").unwrap();
    let error = write(&file, &mut outcome(), &[]).unwrap_err().to_string();
    assert!(error.starts_with("cannot write") && error.contains("taken"), "{error}");
}

#[test]
fn unreadable_results_are_explained() {
    let dir = tempfile::tempdir().unwrap();
    let missing = read(dir.path()).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read") && missing.contains("result.json"), "{missing}");
    fs::write(dir.path().join(RESULT), "{\"schema\": 1,\n oops").unwrap();
    let broken = read(dir.path()).unwrap_err().to_string();
    assert!(broken.contains("is not a result") && broken.contains("line 2"), "{broken}");
    fs::write(dir.path().join(RESULT), "{\"schema\": 99}").unwrap();
    assert!(matches!(read(dir.path()), Err(StoreError::Schema { found: 99, .. })));
}
