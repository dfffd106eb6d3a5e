//! What the README says is true: its commands run, its files load, its keys, options and pictures exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use lariat::problem::{gallery, load, schema, schema_json};
use serde_json::Value;

const README: &str = include_str!("../README.md");
/// Commands that would run the tests inside the tests.
const NOT_RUN: [&str; 1] = ["cargo test --release"];
const LARGEST_PICTURE: u64 = 150_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Info string and lines of every fenced block.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in README.lines() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(info), None) => open = Some((info.trim(), Vec::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

/// Words of a shell line with simple quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, ' ') if word.is_empty() => {}
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// A line with every number replaced, so that the shape is compared and not the digits.
fn shape(line: &str) -> String {
    let word = |w: &str| {
        let bare = w.trim_end_matches([',', ':']);
        if bare.parse::<f64>().is_ok() { w.replacen(bare, "#", 1) } else { w.to_owned() }
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Runs one command of the README in a folder and returns what it prints.
fn run(line: &str, folder: &Path) -> String {
    let words = words(line);
    let bare: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match bare.as_slice() {
        ["cargo", "run", "--release", "--", rest @ ..] | ["lariat", rest @ ..] => rest,
        _ => panic!("`{line}` cannot be tested"),
    };
    let (arguments, file) = match arguments {
        [arguments @ .., ">", file] => (arguments, Some(file)),
        all => (all, None),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_lariat")).args(arguments).current_dir(folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{line}\n{errors}");
    if let Some(file) = file {
        fs::write(folder.join(file), &output.stdout).unwrap();
    }
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn commands_run_and_print_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("problems")).unwrap();
    for (name, text) in gallery() {
        fs::write(folder.path().join(format!("problems/{name}.toml")), text).unwrap();
    }
    fs::create_dir(folder.path().join("problems/data")).unwrap();
    for (name, text) in lariat::problem::gallery_data() {
        fs::write(folder.path().join("problems").join(name), text).unwrap();
    }
    fs::create_dir(folder.path().join("problems/nl")).unwrap();
    for entry in fs::read_dir(root().join("problems/nl")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path().join("problems/nl").join(entry.file_name())).unwrap();
    }
    let mut count = 0;
    for (info, lines) in blocks() {
        match info {
            "sh" => {
                for line in lines.into_iter().filter(|line| !NOT_RUN.contains(line)) {
                    run(line, folder.path());
                    count += 1;
                }
            }
            "console" => {
                let command = lines[0].strip_prefix("$ ").expect("a console block begins with a command");
                let printed: Vec<String> = run(command, folder.path()).lines().map(shape).collect();
                let shown: Vec<String> = lines[1..].iter().map(|line| shape(line)).collect();
                assert_eq!(printed, shown, "{command}");
                count += 1;
            }
            _ => {}
        }
    }
    assert!(count >= 8, "only {count} commands were found");
    let tables = ["result.json", "actuation.csv", "motion.csv", "motion.npz", "profile.csv"];
    for file in tables.into_iter().chain(["actuation.png", "motion.png", "energy.png", "profile.png", "deviation.png"])
    {
        let path = folder.path().join("results/beam-quarter-turn").join(file);
        assert!(fs::metadata(&path).unwrap().len() > 0, "{file}");
        assert!(README.contains(&format!("`{file}`")), "{file} is not explained");
    }
    assert!(folder.path().join("problems/nl/hanging-chain.sol").is_file());
    let written = fs::read_to_string(folder.path().join("lariat.schema.json")).unwrap();
    assert_eq!(written, format!("{}\n", schema_json()));
}

/// `toml` is a complete file; `toml fragment NAME` replaces entries such as `[rod.beam]` of that gallery problem.
#[test]
fn problem_files_load() {
    let (mut complete, mut fragments) = (0, 0);
    for (info, lines) in blocks() {
        let text = lines.join("\n");
        let file = match info.split(' ').collect::<Vec<_>>().as_slice() {
            ["toml"] => {
                complete += 1;
                text
            }
            ["toml", "fragment", base] => {
                fragments += 1;
                let base = gallery().iter().find(|(name, _)| name == base).expect("a gallery problem").1;
                let mut whole: toml::Table = base.parse().unwrap();
                for (table, entries) in text.parse::<toml::Table>().unwrap() {
                    let place = whole.entry(table).or_insert_with(|| toml::Table::new().into());
                    for (name, entry) in entries.as_table().unwrap().clone() {
                        place.as_table_mut().unwrap().insert(name, entry);
                    }
                }
                whole.to_string()
            }
            _ => continue,
        };
        if let Err(mistakes) = load("README.md", &file, &[]) {
            panic!("{}", lariat::error::render(&mistakes, false));
        }
    }
    assert!(complete >= 1 && fragments >= 2);
}

/// Names of keys and texts of choices of the schema.
fn vocabulary(schema: &Value, keys: &mut BTreeSet<String>, choices: &mut BTreeSet<String>) {
    if let Some(object) = schema.as_object() {
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            keys.extend(properties.keys().cloned());
        }
        let listed = object.get("enum").and_then(Value::as_array).into_iter().flatten();
        choices.extend(listed.chain(object.get("const")).filter_map(Value::as_str).map(str::to_owned));
        object.values().for_each(|part| vocabulary(part, keys, choices));
    } else if let Some(list) = schema.as_array() {
        list.iter().for_each(|part| vocabulary(part, keys, choices));
    }
}

#[test]
fn every_key_and_choice_is_explained() {
    let (mut keys, mut choices) = (BTreeSet::new(), BTreeSet::new());
    vocabulary(schema().as_value(), &mut keys, &mut choices);
    choices.remove("ground");
    let (_, guide) = README.split_once("## Problem files").unwrap();
    let (guide, _) = guide.split_once("## Methods").unwrap();
    let rows: Vec<&str> = guide.lines().filter(|line| line.starts_with('|')).collect();
    let table = rows.join("\n");
    let named: BTreeSet<&str> = table.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).collect();
    let missing: Vec<&String> = keys.iter().filter(|key| !named.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "keys without a word: {missing:?}");
    let missing: Vec<&String> = choices.iter().filter(|choice| !table.contains(&format!("\"{choice}\""))).collect();
    assert!(missing.is_empty(), "choices without a word: {missing:?}");
    assert!(keys.contains("bandwidth") && choices.contains("space-march"), "the schema was not read");
}

#[test]
fn every_option_is_explained() {
    for command in ["solve", "check", "plot", "verify", "schema", "new", "list", "explain", "completions"] {
        let row = README.lines().find(|line| line.starts_with(&format!("| `{command}"))).expect(command);
        let output = Command::new(env!("CARGO_BIN_EXE_lariat")).args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let options = help.split_whitespace().filter(|word| word.starts_with("--") && *word != "--help");
        for option in options {
            assert!(row.contains(option), "`lariat {command} {option}`");
        }
    }
}

#[test]
fn every_option_of_the_solver_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["model.nl", "-AMPL", "no-such-option=1"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_lariat")).args(arguments).current_dir(folder.path()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let (_, options) = told.trim().split_once("options are ").unwrap();
    for option in options.split(", ") {
        let row = |line: &str| line.starts_with("| `") && line.contains(&format!("`{option}`"));
        assert!(README.lines().any(row), "{option}");
    }
}

#[test]
fn files_and_pictures_exist() {
    let links = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    // A link to a heading names no file.
    let links = links.filter(|link| !link.starts_with('#'));
    let images = README.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let code = README
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|t| ["src/", "tests/", "problems/"].iter().any(|p| t.starts_with(p)));
    let named: BTreeSet<&str> = links.chain(images).chain(code).collect();
    for path in &named {
        assert!(root().join(path).is_file(), "{path} does not exist");
    }
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("docs/{}", path.file_name().unwrap().to_string_lossy());
        assert!(named.contains(name.as_str()), "{name} is not shown");
        if name.ends_with(".md") {
            continue;
        }
        let content = fs::read(&path).unwrap();
        assert!(content.starts_with(b"\x89PNG\r\n\x1a\n") && (content.len() as u64) < LARGEST_PICTURE, "{name}");
    }
}

#[test]
fn every_gallery_problem_is_in_the_gallery() {
    for (name, _) in gallery() {
        assert!(README.contains(&format!("[{name}](problems/{name}.toml)")), "{name}");
    }
}

#[test]
fn the_schema_for_editors_is_up_to_date() {
    let committed = fs::read_to_string(root().join("problems/lariat.schema.json")).unwrap();
    assert_eq!(
        committed,
        format!("{}\n", schema_json()),
        "write it again: lariat schema > problems/lariat.schema.json"
    );
}

#[test]
fn the_reader_of_blocks_and_lines_works() {
    assert_eq!(words("lariat solve a --set 'x=\"1 2\"' > b"), ["lariat", "solve", "a", "--set", "x=\"1 2\"", ">", "b"]);
    assert_eq!(shape("  peak 1.5e-3 N, known 1 ± 2"), shape("peak 7 N, known 2.0 ± 1e9"));
    assert_ne!(shape("verified 1"), shape("NOT verified 1"));
}

/// The pages on the code name files that exist.
#[test]
fn pages_on_the_code_name_files_that_exist() {
    for page in ["docs/architecture.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let named = text.split('`').skip(1).step_by(2).filter(|t| t.starts_with("src/") || t.starts_with("tests/"));
        let mut count = 0;
        for path in named.filter(|path| !path.contains('{')) {
            assert!(root().join(path).exists(), "{page}: {path} does not exist");
            count += 1;
        }
        assert!(count >= 10, "{page}: {count}");
    }
}
