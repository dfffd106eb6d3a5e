//! The order of the layers and of what is in them, where third-party crates may be used, the length of files, and what a change
//! costs, read from the sources.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod change;
mod reading;
mod rings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every layer with the layers it may import, lowest first. `cli` is the top and may use everything.
const LAYERS: [(&str, &[&str]); 16] = [
    ("scalar", &[]),
    ("kernel", &["scalar"]),
    ("geometry", &["scalar", "kernel"]),
    ("material", &["scalar", "kernel"]),
    ("mechanism", &["scalar", "kernel", "geometry", "material"]),
    ("terms", &["scalar", "kernel", "geometry", "material"]),
    ("nlp", &["scalar", "kernel", "geometry"]),
    // The hot loops of the schemes are generic over axial laws, hence `material`.
    ("discretisation", &["scalar", "kernel", "geometry", "material", "mechanism", "terms", "nlp"]),
    ("solver", &["kernel", "nlp"]),
    ("results", &[]),
    ("tasks", &["kernel", "mechanism", "terms", "discretisation", "nlp", "solver", "results"]),
    ("plots", &["results"]),
    // It reads and checks: what is computed is asked of the tasks below.
    ("problem", &["kernel", "geometry", "material", "mechanism", "discretisation", "tasks", "plots"]),
    // It asks again on finer grids, which are problems of their own.
    ("answer", &["problem", "results", "tasks"]),
    ("error", &["problem"]),
    (
        "cli",
        &[
            "scalar",
            "kernel",
            "geometry",
            "material",
            "mechanism",
            "terms",
            "nlp",
            "discretisation",
            "solver",
            "results",
            "tasks",
            "plots",
            "problem",
            "answer",
            "error",
        ],
    ),
];

/// Third-party crates that belong to one place, and that place.
const CONFINED: [(&str, &[&str]); 12] = [
    ("argmin", &["src/solver"]),
    ("argmin_math", &["src/solver"]),
    ("faer", &["src/solver/linear"]),
    ("ndarray", &["src/results"]),
    ("ndarray_npy", &["src/results"]),
    ("plotters", &["src/plots"]),
    ("png", &["src/plots"]),
    ("gif", &["src/plots"]),
    ("dejavu", &["src/plots"]),
    ("clap", &["src/cli"]),
    ("indicatif", &["src/cli"]),
    ("ctrlc", &["src/cli"]),
];
/// Rendered diagnostics: `error` and the command line.
const MIETTE: (&str, &[&str]) = ("miette", &["src/error.rs", "src/error", "src/cli"]);

const LONG: usize = 500;
const TOO_LONG: usize = 700;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a folder of the repository, by their path in it.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{folder} holds no sources");
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Words and signs of a source without comments and literals; `::` is one sign, a literal the sign `"`.
fn tokens(source: &str) -> Vec<String> {
    let c: Vec<char> = source.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let starts = |i: usize, word: &str| word.chars().enumerate().all(|(k, w)| at(i + k) == w);
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < c.len() {
        if starts(i, "//") {
            while i < c.len() && c[i] != '\n' {
                i += 1;
            }
        } else if starts(i, "/*") {
            let mut depth = 0;
            loop {
                if starts(i, "/*") {
                    (depth, i) = (depth + 1, i + 2);
                } else if starts(i, "*/") {
                    (depth, i) = (depth - 1, i + 2);
                } else {
                    i += 1;
                }
                if depth == 0 || i >= c.len() {
                    break;
                }
            }
        } else if let Some(end) = raw_string_end(&c, i) {
            tokens.push("\"".to_owned());
            i = end;
        } else if c[i] == '"' {
            i += 1;
            while i < c.len() && c[i] != '"' {
                i += if c[i] == '\\' { 2 } else { 1 };
            }
            tokens.push("\"".to_owned());
            i += 1;
        } else if c[i] == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            // A character; a lifetime has no closing quote after one character.
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < c.len() && c[i] != '\'' {
                i += 1;
            }
            tokens.push("\"".to_owned());
            i += 1;
        } else if is_word(c[i]) {
            let start = i;
            while i < c.len() && is_word(c[i]) {
                i += 1;
            }
            tokens.push(c[start..i].iter().collect());
        } else if starts(i, "::") {
            tokens.push("::".to_owned());
            i += 2;
        } else {
            if !c[i].is_whitespace() {
                tokens.push(c[i].to_string());
            }
            i += 1;
        }
    }
    tokens
}

/// Where the raw string that begins at `i` ends, if one does.
fn raw_string_end(c: &[char], i: usize) -> Option<usize> {
    let after_word = i > 0 && (c[i - 1].is_alphanumeric() || c[i - 1] == '_');
    let mut j = i + usize::from(c[i] == 'b');
    if after_word || c.get(j) != Some(&'r') {
        return None;
    }
    j += 1;
    let hashes = c[j..].iter().take_while(|&&ch| ch == '#').count();
    j += hashes;
    if c.get(j) != Some(&'"') {
        return None;
    }
    let closes = |k: usize| c[k] == '"' && c[k + 1..].iter().take_while(|&&ch| ch == '#').count() >= hashes;
    (j + 1..c.len()).find(|&k| closes(k)).map(|k| k + 1 + hashes)
}

/// The index after the brace that closes the one at `open`.
fn after_block(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Takes out the inline test modules, and names the test modules that are files.
fn without_tests(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut files) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i..].len() >= marker.len() && tokens[i..].iter().zip(marker).all(|(a, b)| a == b) {
            let item = tokens[i..].iter().position(|t| t == ";" || t == "{").map_or(tokens.len(), |k| i + k);
            let module = tokens[i..item].iter().position(|t| t == "mod").map(|k| tokens[i + k + 1].clone());
            if let (Some(module), Some(";")) = (module, tokens.get(item).map(String::as_str)) {
                files.push(module);
            }
            let inline = tokens.get(item).is_some_and(|t| t == "{");
            i = if inline { after_block(tokens, item) } else { item + 1 };
        } else {
            kept.push(tokens[i].clone());
            i += 1;
        }
    }
    (kept, files)
}

/// The modules of the crate's root that a source names, from a file whose module lies `depth` below the root.
fn imports(tokens: &[String], depth: usize) -> BTreeSet<String> {
    let is = |i: usize, what: &str| tokens.get(i).is_some_and(|t| t == what);
    let mut found = BTreeSet::new();
    // Braces, and whether each opened an inline module.
    let mut open: Vec<bool> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "{" => open.push(i >= 2 && tokens[i - 2] == "mod"),
            "}" => {
                open.pop();
            }
            "crate" if is(i + 1, "::") => heads(tokens, i + 2, &mut found),
            "super" if is(i + 1, "::") => {
                let mut climbed = 0;
                while is(i, "super") && is(i + 1, "::") {
                    (climbed, i) = (climbed + 1, i + 2);
                }
                if climbed >= depth + open.iter().filter(|&&module| module).count() {
                    heads(tokens, i, &mut found);
                }
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// The first names of the path, or of the group of paths, that begins at `i`.
fn heads(tokens: &[String], i: usize, found: &mut BTreeSet<String>) {
    if tokens.get(i).is_none_or(|t| t != "{") {
        found.extend(tokens.get(i).cloned());
        return;
    }
    let mut depth = 0;
    for k in i..after_block(tokens, i) {
        match tokens[k].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," => {}
            name if depth == 1 && (tokens[k - 1] == "," || k == i + 1) => {
                found.insert(name.to_owned());
            }
            _ => {}
        }
    }
}

/// The external crates among `names` that a source names.
fn crates<'n>(tokens: &[String], names: &[&'n str]) -> BTreeSet<&'n str> {
    let mut found = BTreeSet::new();
    for (i, token) in tokens.iter().enumerate() {
        let Some(&name) = names.iter().find(|name| *name == token) else { continue };
        let before = i.checked_sub(1).map(|k| tokens[k].as_str());
        // `::png::` goes to the root of all crates; `plots::png::` is a module of that name.
        let inside = before == Some("::") && i >= 2 && tokens[i - 2].chars().all(|c| c.is_alphanumeric() || c == '_');
        let path = tokens.get(i + 1).is_some_and(|t| t == "::");
        if (path && !inside && before != Some(".")) || before == Some("use") {
            found.insert(name);
        }
    }
    found
}

/// The names of the module of a file: `src/tasks/verify.rs` is `tasks::verify`.
fn module(path: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        path.with_extension("").iter().skip(1).map(|part| part.to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
        names.pop();
    }
    names
}

/// What breaks the order of the layers in `source`, were it the file at `path`.
fn violations(path: &Path, source: &str) -> Vec<String> {
    let module = module(path);
    let Some(layer) = module.first() else { return Vec::new() };
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| name == layer) else {
        return vec![format!("{}: `{layer}` is not one of the layers", path.display())];
    };
    let (code, _) = without_tests(&tokens(source));
    let named = imports(&code, module.len());
    let wrong = named.iter().filter(|name| *name != layer && !allowed.contains(&name.as_str()));
    wrong.map(|name| format!("{}: `{layer}` must not import `{name}`", path.display())).collect()
}

/// Modules that exist in tests only, as paths of modules.
fn test_modules(files: &[PathBuf]) -> Vec<Vec<String>> {
    let of_file = |path: &PathBuf| {
        let (_, names) = without_tests(&tokens(&text(path)));
        let parent = module(path);
        names.into_iter().map(move |name| [parent.clone(), vec![name]].concat())
    };
    files.iter().flat_map(of_file).collect()
}

#[test]
fn layers_import_downwards_only() {
    let files = rust_files("src");
    let tests = test_modules(&files);
    let only_tests = |path: &Path| tests.iter().any(|test| module(path).starts_with(test));
    let wrong: Vec<String> =
        files.iter().filter(|path| !only_tests(path)).flat_map(|path| violations(path, &text(path))).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A layer may only import layers that stand before it, so that the table itself has no ring, and no folder is left out.
#[test]
fn the_table_of_layers_is_an_order_of_what_exists() {
    for (i, (layer, allowed)) in LAYERS.iter().enumerate() {
        let below: Vec<&str> = LAYERS[..i].iter().map(|(name, _)| *name).collect();
        assert!(allowed.iter().all(|name| below.contains(name)), "`{layer}` imports upwards");
    }
    let existing: BTreeSet<String> =
        rust_files("src").iter().filter_map(|path| module(path).into_iter().next()).collect();
    let listed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(existing, listed);
}

#[test]
fn third_party_crates_stay_where_they_belong() {
    let confined: Vec<_> = CONFINED.into_iter().chain([MIETTE]).collect();
    let manifest = text(Path::new("Cargo.toml"));
    for (name, _) in &confined {
        let line = format!("\n{} = ", name.replace('_', "-"));
        assert!(manifest.contains(&line), "`{name}` is no longer a dependency: take it off the list");
    }
    let names: Vec<&str> = confined.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for path in rust_files("src") {
        for name in crates(&tokens(&text(&path)), &names) {
            let places = confined.iter().find(|(n, _)| *n == name).map_or(&[][..], |(_, places)| places);
            if !places.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!("{} uses {name}, which belongs to {}", path.display(), places.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn nothing_is_unsafe() {
    let manifest: toml::Table = text(Path::new("Cargo.toml")).parse().unwrap();
    assert_eq!(manifest["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for path in rust_files("src") {
        assert!(!tokens(&text(&path)).iter().any(|t| t == "unsafe"), "{} is unsafe", path.display());
    }
}

#[test]
fn files_are_short_enough_to_be_read() {
    let mut wrong = Vec::new();
    for path in rust_files("src").into_iter().chain(rust_files("tests")) {
        let lines = text(&path).lines().count();
        if lines > LONG {
            println!("{} has {lines} lines", path.display());
        }
        if lines > TOO_LONG {
            wrong.push(format!("{} has {lines} lines, at most {TOO_LONG} are allowed", path.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The reader of sources finds what it is there to find, and nothing else.
#[test]
fn forbidden_imports_are_found() {
    let at = |path: &str, source: &str| violations(Path::new(path), source);
    let message = "src/kernel/real.rs: `kernel` must not import `tasks`";
    for source in [
        "use crate::tasks::System;",
        "use crate::{kernel::Real, tasks::{System, Method}};",
        "use crate::{tasks, kernel};",
        "fn f() -> crate::tasks::System { todo!() }",
        "use super::super::tasks::System;",
        "mod inner { use super::super::super::tasks::System; }",
        "const QUOTE: char = '\"'; use crate::tasks::System; const END: &str = \"\";",
        "fn f<'a>(x: &'a str) {} use crate::tasks::System;",
        "#[cfg(test)] mod tests { fn f() { {} } } use crate::tasks::System;",
        "#[cfg(test)] use crate::kernel::Real; use crate::tasks::System;",
    ] {
        assert_eq!(at("src/kernel/real.rs", source), [message], "{source}");
    }
    for source in [
        "use crate::kernel::Real; use super::expression::tasks;",
        "// use crate::tasks::System;\n/* crate::tasks /* nested */ crate::tasks */",
        "/// [`System`](crate::tasks::System)\npub(crate) struct A;",
        "const A: &str = \"crate::tasks::A\"; const B: &str = r#\"a \" crate::tasks::B\"#;",
        "#[cfg(test)]\nmod tests { use crate::tasks::System; fn f() { {} } }",
        "mod inner { use super::super::tasks; }",
    ] {
        assert!(at("src/kernel/real.rs", source).is_empty(), "{source}");
    }
    assert_eq!(at("src/kernel/mod.rs", "use super::tasks;").len(), 1);
    assert_eq!(at("src/mechanism/beam.rs", "use crate::{geometry::Director, solver};").len(), 1);
    assert_eq!(at("src/gadgets/mod.rs", ""), ["src/gadgets/mod.rs: `gadgets` is not one of the layers"]);
    let (_, files) = without_tests(&tokens("#[cfg(test)]\npub(crate) mod tests;\n#[cfg(test)] mod more { }"));
    assert_eq!(files, ["tests"]);
}

#[test]
fn confined_crates_are_found() {
    let found = |source: &str| crates(&tokens(source), &["faer", "png"]).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use faer::sparse::SparseColMat;"), ["faer"]);
    assert_eq!(found("use faer;"), ["faer"]);
    assert_eq!(found("fn f(x: ::png::Encoder) { faer::f() }"), ["faer", "png"]);
    assert_eq!(found("#[derive(png::Trait)] struct A;"), ["png"]);
    assert!(found("use super::png::draw; let png = 1; f.png(); // faer::f").is_empty());
}
