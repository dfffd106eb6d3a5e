//! Result folders: read, drawn and verified again.

use std::fs;
use std::path::Path;

use super::mutate::{self, Dice};
use super::trial::{Mutant, all};
use lariat::plots::{Format, Kind, draw};
use lariat::results::store;

/// Small problems of the gallery, one of each shape of result.
const SOLVED: [(&str, &[&str]); 7] = [
    ("beam-quarter-turn", &["time.steps=40", "rod.beam.elements=8"]),
    ("swinging-rod", &["time.end=0.02", "time.steps=8", "task.simulate.every=2"]),
    ("cantilever-modes", &[]),
    ("lee-frame", &["task.statics.factors=[0.2, 0.4]"]),
    ("double-integrator", &["time.steps=10"]),
    ("four-bars", &[]),
    ("crane-servo", &["time.steps=40"]),
];

/// Files of a result by name.
type Folder = Vec<(String, Vec<u8>)>;

fn folders() -> Vec<(String, Folder)> {
    let gallery = lariat::problem::gallery();
    SOLVED
        .iter()
        .map(|(name, settings)| {
            let text = gallery.iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("{name}")).1;
            let mut settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
            settings.push("expect={}".into());
            let problem = lariat::load(name, text, &settings).unwrap_or_else(|found| panic!("{name}: {found}"));
            let mut outcome = lariat::solve(&problem);
            outcome.report.problem.text = text.to_owned();
            outcome.report.problem.file = format!("{name}.toml");
            outcome.report.problem.overrides = settings;
            let folder = tempfile::tempdir().unwrap();
            store::write(folder.path(), &mut outcome, &[]).unwrap();
            let mut files: Folder = fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
                .collect();
            files.sort();
            ((*name).to_owned(), files)
        })
        .collect()
}

/// One entry of a JSON text becomes another value.
fn entry(content: &[u8], dice: &mut Dice) -> Vec<u8> {
    fn visit(value: &mut serde_json::Value, target: &mut usize, other: &serde_json::Value) {
        if *target == 0 {
            *value = other.clone();
        }
        *target = target.wrapping_sub(1);
        match value {
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| visit(item, target, other)),
            serde_json::Value::Object(map) => map.values_mut().for_each(|item| visit(item, target, other)),
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_slice::<serde_json::Value>(content) else { return content.to_vec() };
    let others = [
        "null",
        "-1",
        "0",
        "1e308",
        "1000000000000000000",
        "18446744073709551615",
        "\"NaN\"",
        "\"inf\"",
        "\"\"",
        "[]",
        "{}",
        "true",
        "[1e308, -1e308]",
        "[0, 0, 0]",
        "\"../../x\"",
        "1e-320",
        "\"solved\"",
    ];
    let other = serde_json::from_str(dice.pick(&others)).unwrap();
    visit(&mut value, &mut dice.below(400), &other);
    serde_json::to_vec(&value).unwrap()
}

fn tried(folder: &Path, files: &Folder, format: Format, verify: bool) -> Result<&'static str, String> {
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    let outcome = match store::read(folder) {
        Ok(outcome) => outcome,
        Err(_) => return Ok("refused"),
    };
    let _ = store::changed_files(folder, &outcome.report);
    let mut word = "read";
    for kind in Kind::all().into_iter().filter(|kind| kind.available(format, &outcome)) {
        word = if draw(kind, format, &outcome).is_ok() { "drawn" } else { "not drawn" };
    }
    let source = &outcome.report.problem;
    if verify && let Ok(problem) = lariat::load(&source.file, &source.text, &source.overrides) {
        word = match lariat::verify(&problem, &outcome) {
            None => "drawn",
            Some(Ok(_)) => "verified",
            Some(Err(_)) => "not verified",
        };
    }
    Ok(word)
}

#[test]
fn result_folders_are_read_or_refused() {
    let sources = folders();
    let home = tempfile::tempdir().unwrap();
    all("results", 300, |dice: &mut Dice| {
        let (name, files) = &sources[dice.below(sources.len())];
        let mut files = files.clone();
        let at = dice.below(files.len());
        let content = match (dice.below(3), files[at].0.rsplit('.').next()) {
            (0 | 1, Some("json")) => entry(&files[at].1, dice),
            (0, Some("csv")) => mutate::tokens(&files[at].1, dice),
            _ => mutate::bytes(&files[at].1, dice),
        };
        let origin = format!("{name}-{}", files[at].0);
        files[at].1.clone_from(&content);
        let format = [Format::Png, Format::Svg, Format::Svg, Format::Svg][dice.below(4)];
        let verify = dice.below(8) == 0;
        let folder = home.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        Mutant { origin, content, run: Box::new(move || tried(&folder, &files, format, verify)) }
    });
}
