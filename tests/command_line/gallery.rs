//! `lariat check`, `schema`, `new`, `list` on the gallery.

use std::fs;
use std::path::PathBuf;

use super::*;

/// The problem files of the repository, by name without extension.
fn problems() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let files = names(&folder).into_iter().filter_map(|name| name.strip_suffix(".toml").map(str::to_owned));
    files.map(|name| (name.clone(), folder.join(format!("{name}.toml")))).collect()
}

#[test]
fn every_gallery_file_is_checked_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    assert!(problems().len() >= 25);
    for (name, path) in problems() {
        let run = lariat(folder.path(), &["check", path.to_str().unwrap()]).exits(0);
        let text = fs::read_to_string(&path).unwrap();
        let is = |task: &str| text.contains(&format!("[task.{task}]"));
        let parts: &[&str] = match (is("inverse-dynamics"), is("optimal-control")) {
            (_, true) => &["task optimal-control", "minimised: ", "at the start: ", "at the end: ", "variables"],
            (true, _) if text.contains("method = \"sequential\"") => {
                &["method sequential", "index", "servo outputs", "actuator inputs", "continuous derivatives"]
            }
            (true, _) if text.contains("method = \"boundary-value\"") => {
                &["method boundary-value", "instants at once", " at rest: ", "expected cost", "mobility"]
            }
            (true, _) if text.contains("method = \"optimise\"") => {
                &["method optimise", "servo outputs", "actuator inputs", "a program of", "mobility"]
            }
            (true, _) => {
                &["waves at rest run at", "m/s", "method ", "expected cost", "servo outputs", "actuator inputs"]
            }
            _ if text.contains("method = \"exact\"") => {
                &["task modes", "total mass", "straight members in", "unknowns", "modes lie below", "factorisations"]
            }
            _ if text.contains("multirate") => &[
                "task simulate",
                "variational multirate",
                "slow, steps of",
                "fast, steps of",
                "unknowns in a macro step",
            ],
            _ if is("mobility") => &["task mobility", "  mobility: ", "(infinitesimal ", "finite ", "count by "],
            _ => &["task ", "total mass", "unknowns", "held by supports", "degrees of freedom left"],
        };
        for part in parts {
            assert!(run.out.contains(part), "{name}: {part:?} is not in\n{}", run.out);
        }
        assert_eq!(run.err, "", "{name}");
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn check_tells_what_was_asked() {
    let folder = folder();
    let run =
        lariat(folder.path(), &["check", "quick.toml", "--set", "task.inverse-dynamics.method=galerkin"]).exits(0);
    for part in ["Sideways", "10 elements", "60 steps", "base.torque", "tip.angle", "method galerkin"] {
        assert!(run.out.contains(part), "{part:?} is not in\n{}", run.out);
    }
    // EA = GA = EI = 1 and unit inertia: both waves run at 1 m/s and need 1 s for 1 m.
    assert!(run.out.contains("1.0000 to 1.0000 m/s") && run.out.contains("takes 1.0000 s"), "{}", run.out);
    assert_eq!(names(folder.path()), ["quick.toml"]);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), QUICK.replace("steps = 60", "steps = 0")).unwrap();
    let run = lariat(folder.path(), &["check", "bad.toml", "quick.toml"]).exits(2);
    assert!(run.err.contains("`time.steps` is 0"), "{}", run.err);
    assert!(run.out.starts_with("quick.toml: Sideways"), "{}", run.out);
}

/// Whether the keys of a TOML table are known to a JSON schema.
fn known(root: &serde_json::Value, schema: &serde_json::Value, value: &toml::Value) -> Result<(), String> {
    let schema = match schema.get("$ref").and_then(|r| r.as_str()) {
        Some(target) => return known(root, root.pointer(&target[1..]).unwrap(), value),
        None => schema,
    };
    let variants = schema.get("oneOf").or(schema.get("anyOf")).and_then(|variants| variants.as_array());
    if let (Some(variants), toml::Value::Table(_)) = (variants, value) {
        let tried: Vec<_> = variants.iter().map(|variant| known(root, variant, value)).collect();
        return if tried.iter().any(Result::is_ok) { Ok(()) } else { tried.into_iter().next().unwrap() };
    }
    let toml::Value::Table(table) = value else { return Ok(()) };
    for (key, value) in table {
        let others = schema.get("additionalProperties").filter(|others| others.is_object());
        match schema.get("properties").and_then(|properties| properties.get(key)).or(others) {
            Some(schema) => known(root, schema, value)?,
            None => return Err(key.clone()),
        }
    }
    Ok(())
}

#[test]
fn the_schema_is_json_and_knows_every_key_of_the_gallery() {
    let folder = tempfile::tempdir().unwrap();
    let run = lariat(folder.path(), &["schema"]).exits(0);
    let schema: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(schema["title"], "Lariat problem file");
    for (name, path) in problems() {
        let file: toml::Value = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(known(&schema, &schema, &file), Ok(()), "{name}");
    }
    let wrong: toml::Value = toml::from_str("rod.beam.stiffness.axiall = 1").unwrap();
    assert_eq!(known(&schema, &schema, &wrong), Err("axiall".to_owned()));
}

#[test]
fn the_list_names_every_problem_with_its_title() {
    let folder = tempfile::tempdir().unwrap();
    let run = lariat(folder.path(), &["list"]).exits(0);
    let indented = |line: &&str| line.starts_with(' ');
    let lines = || run.out.lines().filter(indented);
    let mut listed: Vec<&str> = lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    listed.sort_unstable();
    let mut expected: Vec<String> = problems().into_iter().map(|(name, _)| name).collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);
    assert!(lines().all(|line| line.split_whitespace().count() > 2), "{}", run.out);
    let tasks: Vec<&str> = run.out.lines().filter(|line| !indented(line)).collect();
    assert_eq!(tasks, ["inverse-dynamics", "optimal-control", "statics", "simulate", "modes", "mobility"]);
}

#[test]
fn the_list_is_searched_by_words_and_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let cranes = lariat(folder.path(), &["list", "crane"]).exits(0).out;
    assert!(
        cranes.contains("crane-servo") && cranes.contains("overhead-crane") && !cranes.contains("lee-frame"),
        "{cranes}"
    );
    let modes = lariat(folder.path(), &["list", "--task", "modes", "--json"]).exits(0).out;
    let modes: serde_json::Value = serde_json::from_str(&modes).unwrap();
    let modes = modes.as_array().unwrap();
    assert!(modes.len() > 3 && modes.iter().all(|entry| entry["task"] == "modes"), "{modes:?}");
    let refused = lariat(folder.path(), &["list", "--task", "mode"]).exits(2);
    assert!(refused.err.contains("did you mean `modes`"), "{}", refused.err);
    let refused = lariat(folder.path(), &["list", "zeppelin"]).exits(2);
    assert!(refused.err.contains("zeppelin"), "{}", refused.err);
}

#[test]
fn keys_are_explained_and_shells_completed() {
    let folder = tempfile::tempdir().unwrap();
    let told = lariat(folder.path(), &["explain", "rod.stiffness"]).exits(0).out;
    assert!(told.starts_with("rod.NAME.stiffness") && told.contains("bending"), "{told}");
    let refused = lariat(folder.path(), &["explain", "rod.stifness"]).exits(2);
    assert!(refused.err.contains("did you mean `stiffness`"), "{}", refused.err);
    for shell in ["bash", "zsh", "fish"] {
        let script = lariat(folder.path(), &["completions", shell]).exits(0).out;
        assert!(script.contains("capabilities") && script.contains("time-limit"), "{shell}");
    }
}

#[test]
fn new_writes_a_file_that_check_accepts() {
    let folder = tempfile::tempdir().unwrap();
    for (name, path) in problems() {
        let run = lariat(folder.path(), &["new", &name]).exits(0);
        assert_eq!(run.out, format!("{name}.toml\n"));
        let written = folder.path().join(run.out.trim_end());
        assert_eq!(fs::read_to_string(written).unwrap(), fs::read_to_string(path).unwrap());
        lariat(folder.path(), &["check", run.out.trim_end()]).exits(0);
    }
    lariat(folder.path(), &["new", "string-2d", "crane.toml"]).exits(0);
    lariat(folder.path(), &["check", "crane.toml"]).exits(0);
}

#[test]
fn new_does_not_overwrite() {
    let folder = folder();
    let run = lariat(folder.path(), &["new", "beam-stiff", "quick.toml"]).exits(2);
    assert!(run.err.contains("quick.toml exists and is not overwritten"), "{}", run.err);
    assert_eq!(fs::read_to_string(folder.path().join("quick.toml")).unwrap(), QUICK);
}

#[test]
fn an_unknown_template_suggests_one() {
    let folder = tempfile::tempdir().unwrap();
    let run = lariat(folder.path(), &["new", "beam-quater-turn"]).exits(2);
    assert!(run.err.contains("did you mean `beam-quarter-turn`?"), "{}", run.err);
    let run = lariat(folder.path(), &["new", "pendulum"]).exits(2);
    assert!(run.err.contains("templates: ") && run.err.contains("string-3d"), "{}", run.err);
    let run = lariat(folder.path(), &["new", "beam-stiff", "nowhere/x.toml"]).exits(3);
    assert!(run.err.contains("cannot write nowhere/x.toml"), "{}", run.err);
    assert!(names(folder.path()).is_empty());
}
