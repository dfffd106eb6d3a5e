//! Problem files: read, explained as `lariat check` does, and solved for a moment.

use std::path::Path;
use std::time::Duration;

use super::mutate::{self, Dice};
use super::trial::{Impatient, Mutant, all, nonsense};

/// Memory that a mutant may ask for.
const MEMORY: f64 = 3e8;

/// The gallery and the files with one mistake each, by name.
fn corpus() -> Vec<(String, String)> {
    lariat::tasks::cost::allow(MEMORY);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["problems", "tests/bad", "tests/regressions"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    files
}

fn named(origin: &str) -> String {
    origin.replace('/', "_")
}

/// What `lariat check` would say holds no numbers that are none.
fn checked(name: &str, text: &str) -> Result<&'static str, String> {
    let told = lariat::cli::explain_file(name, text, &[], None);
    if told.exit == lariat::cli::Exit::Internal {
        return Err("exit 3".into());
    }
    if let Some(line) = nonsense(&told.text) {
        return Err(format!("tells nonsense: {}", line.trim().split([':', ',', '(']).next().unwrap_or_default()));
    }
    Ok(match told.exit {
        lariat::cli::Exit::Success => "explained",
        lariat::cli::Exit::Unsolved => "not solvable",
        _ => "refused",
    })
}

/// The run has an outcome with a status, and a solved one no scalars that are no numbers.
fn solved(name: &str, text: &str) -> Result<&'static str, String> {
    let Ok(problem) = lariat::load(name, text, &["expect={}".to_owned()]) else { return Ok("refused") };
    let outcome = lariat::solve_with(&problem, &mut Impatient::after(Duration::from_millis(300)));
    let report = &outcome.report;
    if report.status.is_solved() {
        let json = serde_json::to_string(report).unwrap();
        if let Some((name, _)) = report.scalars.iter().find(|(_, value)| !value.is_finite()) {
            return Err(format!("solved, but `{name}` is no number"));
        }
        let nothing = [":null", ",null", "[null", ":\"NaN\"", ":\"inf\"", ":\"-inf\""];
        if let Some(at) = nothing.iter().find_map(|word| json.find(word)) {
            let before = json[..at].rsplit(['{', ',']).next().unwrap_or_default();
            return Err(format!("solved, but a number is none: {before}"));
        }
        return Ok("solved");
    }
    Ok("not solved")
}

#[test]
fn problem_files_are_explained_or_refused() {
    let corpus = corpus();
    all("check", 1200, |dice: &mut Dice| {
        // Files with a mistake are mostly refused for that one.
        let good = corpus.iter().position(|(name, _)| name.starts_with("tests/bad")).unwrap_or(corpus.len());
        let most = if dice.below(5) == 0 { corpus.len() } else { good };
        let (name, text) = &corpus[dice.below(most)];
        let text = mutate::problem(text, dice);
        let content = text.clone().into_bytes();
        Mutant { origin: named(name), content, run: Box::new(move || checked(name, &text)) }
    });
}

#[test]
fn problem_files_are_solved_or_told_why_not() {
    // What is refused tells nothing about solving.
    let corpus: Vec<_> = corpus().into_iter().filter(|(name, _)| name.starts_with("problems")).collect();
    all("solve", 60, |dice: &mut Dice| {
        let (name, text) = &corpus[dice.below(corpus.len())];
        let text = if dice.below(3) == 0 { mutate::problem(text, dice) } else { mutate::scaled(text, dice) };
        let content = text.clone().into_bytes();
        Mutant { origin: named(name), content, run: Box::new(move || solved(name, &text)) }
    });
}
