//! What a change costs: in how many files of `src` a kind of joint, rod, load, plot or task is named.

use std::path::{Path, PathBuf};

use super::{module, rust_files, test_modules, text, tokens, without_tests};

/// A choice of the user: the types whose variants it is, a list of these, and in how many files one may be named.
struct Choice {
    what: &'static str,
    types: &'static [&'static str],
    listed_in: (&'static str, &'static str),
    most: usize,
}

const CHOICES: [Choice; 5] = [
    Choice {
        what: "kind of joint",
        types: &["JointKind", "JointTable", "JointWord"],
        listed_in: ("src/mechanism/joint.rs", "JointKind"),
        most: 3,
    },
    Choice {
        what: "model of rods",
        types: &["RodKind", "RodModel"],
        listed_in: ("src/mechanism/rod.rs", "RodKind"),
        most: 4,
    },
    Choice { what: "plot", types: &["Kind"], listed_in: ("src/plots/mod.rs", "Kind"), most: 2 },
    Choice { what: "task", types: &["TaskSpec"], listed_in: ("src/tasks/spec/mod.rs", "TaskSpec"), most: 4 },
    Choice { what: "kind of load", types: &["LoadSource"], listed_in: ("src/terms/load.rs", "LoadSource"), most: 3 },
];

/// Variants of an enum in a source.
fn variants(source: &str, name: &str) -> Vec<String> {
    let tokens = tokens(source);
    let begins = |w: &[String]| w[0] == "enum" && w[1] == name;
    let Some(start) = tokens.windows(2).position(begins) else { return Vec::new() };
    let mut depth = 0;
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate().skip(start + 2) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            word if depth == 1
                && word.starts_with(char::is_uppercase)
                && ["{", ",", "]"].contains(&tokens[i - 1].as_str()) =>
            {
                found.push(word.to_owned());
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Whether code names a variant of one of the types: `Type::Variant`.
fn names(code: &[String], types: &[&str], variant: &str) -> bool {
    code.windows(3).any(|w| types.contains(&w[0].as_str()) && w[1] == "::" && w[2] == variant)
}

fn sources() -> Vec<(PathBuf, Vec<String>)> {
    let files = rust_files("src");
    let tests = test_modules(&files);
    let only_tests = |path: &Path| tests.iter().any(|test| module(path).starts_with(test));
    let code = |path: PathBuf| (path.clone(), without_tests(&tokens(&text(&path))).0);
    files.into_iter().filter(|path| !only_tests(path)).map(code).collect()
}

#[test]
fn a_choice_is_named_in_few_files() {
    let sources = sources();
    let mut wrong = Vec::new();
    for Choice { what, types, listed_in: (file, list), most } in CHOICES {
        let kinds = variants(&text(Path::new(file)), list);
        assert!(kinds.len() > 2, "{file} has no enum `{list}`");
        for kind in kinds {
            // Plots have a folder of their own, in which `Kind` is theirs.
            let ours = |path: &Path| what != "plot" || path.starts_with("src/plots") || path.starts_with("src/cli");
            let found = sources.iter().filter(|(path, code)| ours(path) && names(code, types, &kind));
            let found: Vec<String> = found.map(|(path, _)| path.display().to_string()).collect();
            if found.len() > most {
                wrong.push(format!(
                    "{what} `{kind}` is named in {} files, at most {most}: {}",
                    found.len(),
                    found.join(", ")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn variants_and_their_names_are_found() {
    let source = "/// A.\npub enum Kind { /// b\n First, #[default]\n Second(Vector3<f64>), Third { axis: Vec<f64> }, } enum Other { X }";
    assert_eq!(variants(source, "Kind"), ["First", "Second", "Third"]);
    assert!(names(&tokens("let x = Kind::Second(v);"), &["Kind"], "Second"));
    assert!(!names(&tokens("// Kind::Second\nlet x = Other::Second;"), &["Kind"], "Second"));
}
