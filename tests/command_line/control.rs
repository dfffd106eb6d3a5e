//! Optimal control: solved, stored, explained, drawn, driven again.

use std::fs;

use super::*;

const MASS: &str = r#"title = "A mass"

[time]
end = 1.0
steps = 40

[system]
coordinates = ["x"]
controls = ["force"]
lagrangian = "x_dot^2/2"
forces = { x = "force" }
units = { x = "m", force = "N" }

[task.optimal-control]
objective = { effort = 1.0 }
start = { x = 0.0 }
end = { x = 1.0 }
bounds = { force = [-8.0, 8.0] }

[expect]
"objective" = { value = 6.0, rel = 1e-3, source = "continuous time" }
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mass.toml"), MASS).unwrap();
    folder
}

#[test]
fn a_problem_is_explained_solved_drawn_and_verified() {
    let folder = folder();
    let check = lariat(folder.path(), &["check", "mass.toml"]).exits(0);
    for part in
        ["minimised: half the integral", "1 coordinate: x", "force from -8 to 8", "x = 1, at rest", "83 variables"]
    {
        assert!(check.out.contains(part), "{part:?} is not in\n{}", check.out);
    }
    let solve = lariat(folder.path(), &["solve", "mass.toml"]).exits(0);
    for part in
        ["solved by discrete mechanics", "objective", "verified: motion under the controls alone", "as expected"]
    {
        assert!(solve.out.contains(part), "{part:?} is not in\n{}", solve.out);
    }
    let result = folder.path().join("results/mass");
    let written = names(&result);
    for file in ["actuation.csv", "actuation.png", "motion.csv", "motion.png", "phase.png", "result.json"] {
        assert!(written.iter().any(|name| name == file), "{file} is not among {written:?}");
    }
    let actuation = fs::read_to_string(result.join("actuation.csv")).unwrap();
    assert!(actuation.starts_with("t,force\n") && actuation.lines().count() == 42, "{actuation}");
    assert!(
        fs::read_to_string(result.join("motion.csv"))
            .unwrap()
            .starts_with("t,x,x_dot,costate.x,step.error,step.hamiltonian\n")
    );
    let verify = lariat(folder.path(), &["verify", "results/mass"]).exits(0);
    assert!(verify.out.contains("  verified") && verify.out.contains(", as stored"), "{}", verify.out);
    lariat(folder.path(), &["plot", "results/mass", "--what", "actuation", "--format", "svg"]).exits(0);
    assert!(fs::read_to_string(result.join("actuation.svg")).unwrap().contains("bounds"));
}

#[test]
fn changed_controls_are_noticed() {
    let folder = folder();
    lariat(folder.path(), &["solve", "mass.toml", "--no-plots", "--quiet"]).exits(0);
    let file = folder.path().join("results/mass/controls.csv");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\n0.0,", "\n0.0,9", 1)).unwrap();
    let run = lariat(folder.path(), &["verify", "results/mass"]).exits(1);
    for part in
        ["OUTSIDE", "beyond its bound", "NOT as stored", "controls.csv is not as it was written", "NOT verified"]
    {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
}

#[test]
fn what_is_impossible_is_told_in_the_names_of_the_file() {
    let folder = folder();
    let set = "task.optimal-control.bounds.force=[-1.0, 1.0]";
    let run = lariat(folder.path(), &["solve", "mass.toml", "--no-plots", "--set", set]).exits(1);
    for part in
        ["infeasible", "violated most is motion of x", "there is one with |force| ≤ ", "(now 1)", "end time of "]
    {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    let result = fs::read_to_string(folder.path().join("results/mass/result.json")).unwrap();
    assert!(result.contains("\"status\": \"infeasible\""), "{result}");
}

/// A result is a guess for another problem, kept with its result so that this can be verified alone.
#[test]
fn an_earlier_result_is_a_guess() {
    let folder = folder();
    lariat(folder.path(), &["solve", "mass.toml", "--no-plots", "--quiet"]).exits(0);
    let again =
        MASS.replace("bounds =", "guess = { result = \"results/mass\" }\nbounds =").replace("steps = 40", "steps = 60");
    fs::write(folder.path().join("again.toml"), again).unwrap();
    lariat(folder.path(), &["solve", "again.toml", "--no-plots", "--quiet"]).exits(0);
    let written = names(&folder.path().join("results/again"));
    assert!(["input-motion.csv", "input-controls.csv"].iter().all(|file| written.iter().any(|name| name == file)));
    fs::remove_dir_all(folder.path().join("results/mass")).unwrap();
    lariat(folder.path(), &["verify", "results/again"]).exits(0);
}
