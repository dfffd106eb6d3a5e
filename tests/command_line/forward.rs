//! Forward tasks: solved, stored, run again.

use std::fs;

use super::*;

const CANTILEVER: &str = r#"title = "Cantilever from a table"
dimension = 2

[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 8
table.file = "data/beam.csv"

[support.root]
at = "beam.start"
type = "clamp"

[load.tip]
at = "beam.end"
force = [0.0, -0.1]

[task.statics]
factors = [0.5, 1.0]
"#;
const TABLE: &str = "s, axial, shear_1, bending_2, mass, inertia_2\n0, 100, 50, 1, 1, 0.01\n1, 100, 50, 1, 1, 0.01\n";

fn solved() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cantilever.toml"), CANTILEVER).unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/beam.csv"), TABLE).unwrap();
    lariat(folder.path(), &["solve", "cantilever.toml", "--quiet", "--no-plots"]).exits(0);
    folder
}

#[test]
fn check_explains_a_mechanism() {
    let folder = solved();
    let run = lariat(folder.path(), &["check", "cantilever.toml"]).exits(0);
    for part in ["task statics", "load factors 0.5, 1", "length 1 m", "8 elements of order 1", "27 unknowns"] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    // √(EA/ρA) = 10 is between √(GA/ρA) and √(EI/ρI) = 10.
    assert!(run.out.contains("waves run at 7.0711 to 10.0000 m/s") && run.out.contains("24 degrees of freedom left"));
}

/// The result is complete in itself: the table is kept with it.
#[test]
fn a_result_is_verified_from_its_folder_alone() {
    let folder = solved();
    fs::remove_dir_all(folder.path().join("data")).unwrap();
    let run = lariat(folder.path(), &["verify", "results/cantilever"]).exits(0);
    assert!(run.out.contains("statics run again") && run.out.contains("  verified"), "{}", run.out);
    assert!(names(&folder.path().join("results/cantilever")).contains(&"input-beam.csv".to_owned()));
}

#[test]
fn every_change_of_a_result_is_noticed() {
    let folder = solved();
    let path = |name: &str| folder.path().join("results/cantilever").join(name);
    for (name, old, new, said) in [
        (
            "result.json",
            "\"equilibrium.beam.end.x\": 0.9",
            "\"equilibrium.beam.end.x\": 0.8",
            "equilibrium.beam.end.x: 0.8",
        ),
        ("motion.csv", "0.9", "0.8", "motion.csv is not as it was written"),
        ("input-beam.csv", "0, 100, 50, 1,", "0, 100, 50, 2,", "input-beam.csv is not as it was written"),
        ("result.json", "force = [0.0, -0.1]", "force = [0.0, -0.2]", "is not the one that was solved"),
    ] {
        let before = fs::read_to_string(path(name)).unwrap();
        assert!(before.contains(old), "{name} has no {old}:\n{before}");
        fs::write(path(name), before.replacen(old, new, 1)).unwrap();
        let run = lariat(folder.path(), &["verify", "results/cantilever"]).exits(1);
        assert!(run.out.contains(said) && run.out.contains("NOT verified"), "{}", run.out);
        fs::write(path(name), before).unwrap();
    }
    lariat(folder.path(), &["verify", "results/cantilever"]).exits(0);
}

/// Exact modes are explained with their cost, certified, stored with shapes and drawings, and verified by a second run.
#[test]
fn exact_modes_from_end_to_end() {
    let folder = tempfile::tempdir().unwrap();
    lariat(folder.path(), &["new", "star-modes", "star.toml"]).exits(0);
    let run = lariat(folder.path(), &["check", "star.toml"]).exits(0);
    for part in ["by exact dynamic stiffness", "4 straight members in", "0 of them at zero", "does not change"] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let run = lariat(folder.path(), &["solve", "star.toml"]).exits(0);
    for part in ["solved by exact dynamic stiffness", "certified: there are no others below the last", "modes.png"] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let result = json(&folder.path().join("results/star/result.json"));
    assert!(result["method_reason"].as_str().unwrap().contains("certified"), "{result}");
    assert_eq!(result["sizes"]["members"], 4.0);
    let rows = fs::read_to_string(folder.path().join("results/star/modes.csv")).unwrap();
    assert_eq!(rows.lines().count(), 9, "{rows}");
    let run = lariat(folder.path(), &["verify", "results/star"]).exits(0);
    assert!(run.out.contains("modes run again") && run.out.contains("  verified"), "{}", run.out);
}
