//! The result folder: `result.json`, `actuation.csv`, `motion.csv`, `motion.npz` and pictures, written as one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::csv::{self, CsvError};
use super::npz::{self, NpzError};
use super::staging::{Failure, Staging};
use super::{FileEntry, Outcome, Report, SCHEMA_VERSION, Table, TableError};

/// Name of the record of the run.
pub const RESULT: &str = "result.json";
const ACTUATION: &str = "actuation.csv";
const MOTION: &str = "motion.csv";
const FIELDS: &str = "motion.npz";

/// Why a result could not be written or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system said no.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// `write` or `read`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Its cause.
        source: std::io::Error,
    },
    /// A table is not fit to be stored.
    #[error("cannot write {}: {source}", path.display())]
    Table {
        /// The file it was meant for.
        path: PathBuf,
        /// What is wrong with it.
        source: TableError,
    },
    /// The nodal fields could not be stored or read.
    #[error("{}: {source}", path.display())]
    Fields {
        /// The file.
        path: PathBuf,
        /// Its cause.
        source: NpzError,
    },
    /// A CSV file could not be read.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// `result.json` is not a report.
    #[error("{} is not a result: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Its cause, with line and column.
        source: serde_json::Error,
    },
    /// Written by a later version.
    #[error("{} has layout {found}, but this program knows layouts up to {SCHEMA_VERSION}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// Its layout version.
        found: u32,
    },
    /// A picture whose name is a path, or is taken.
    #[error("`{0}` cannot be the name of a file of the result")]
    Name(String),
}

/// Writes the result into `dir`, all or nothing, and fills `outcome.report.files`. An older result in that folder is
/// replaced: files that it lists and the new one does not write are removed, files that it does not list stay.
/// Empty tables give no file.
pub fn write(dir: &Path, outcome: &mut Outcome, pictures: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    for (name, table) in [(ACTUATION, &outcome.actuation), (MOTION, &outcome.motion)] {
        if !table.is_empty() {
            let text = csv::format(table).map_err(|source| StoreError::Table { path: dir.join(name), source })?;
            files.push((name, text.into_bytes()));
        }
    }
    if let Some(archive) =
        npz::format(outcome).map_err(|source| StoreError::Fields { path: dir.join(FIELDS), source })?
    {
        files.push((FIELDS, archive));
    }
    let mut taken = BTreeSet::from([RESULT, ACTUATION, MOTION, FIELDS]);
    for (name, content) in pictures {
        if !is_plain(name) || !taken.insert(name) {
            return Err(StoreError::Name(name.clone()));
        }
        files.push((name, content.clone()));
    }

    let entries: Vec<FileEntry> =
        files.iter().map(|(name, content)| FileEntry { name: (*name).to_owned(), sha256: sha256(content) }).collect();
    let report = Report { files: entries, ..outcome.report.clone() };
    let path = dir.join(RESULT);
    let mut json = serde_json::to_string_pretty(&report).map_err(|source| StoreError::Json { path, source })?;
    json.push('\n');

    // An older result that cannot be understood lists nothing that could be called stale.
    let stale = read_report(dir).map(|old| old.files.into_iter().map(|f| f.name).filter(|n| is_plain(n)).collect());
    let stale: Vec<String> = stale.unwrap_or_default();

    let mut staging = Staging::new(dir).map_err(cannot_write)?;
    for (name, content) in &files {
        staging.add(name, content).map_err(cannot_write)?;
    }
    staging.add(RESULT, json.as_bytes()).map_err(cannot_write)?;
    staging.commit(&stale).map_err(cannot_write)?;
    outcome.report = report;
    Ok(())
}

/// Reads a result, given its folder or its `result.json`. Only files that the report lists are read.
pub fn read(dir_or_result_json: &Path) -> Result<Outcome, StoreError> {
    let dir = folder(dir_or_result_json);
    let report = read_report(dir)?;
    let listed = |name: &str| report.files.iter().any(|file| file.name == name);
    let table = |name: &str| if listed(name) { csv::read(&dir.join(name)) } else { Ok(Table::default()) };
    let (actuation, motion) = (table(ACTUATION)?, table(MOTION)?);
    let fields = if listed(FIELDS) {
        let path = dir.join(FIELDS);
        npz::read(&path).map_err(|source| StoreError::Fields { path, source })?
    } else {
        npz::Motion::default()
    };
    let npz::Motion { rods, servo, resimulated, energy } = fields;
    Ok(Outcome { report, actuation, motion, rods, servo, resimulated, energy })
}

/// Names of the files in the report that are missing or no longer have the recorded SHA-256.
pub fn changed_files(dir: &Path, report: &Report) -> Vec<String> {
    let unchanged = |file: &FileEntry| {
        is_plain(&file.name) && fs::read(dir.join(&file.name)).is_ok_and(|content| sha256(&content) == file.sha256)
    };
    report.files.iter().filter(|file| !unchanged(file)).map(|file| file.name.clone()).collect()
}

/// SHA-256 in hexadecimal.
pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder of a result, given the folder itself or its `result.json`.
fn folder(path: &Path) -> &Path {
    if path.is_dir() || path.file_name().is_none_or(|name| name != RESULT) {
        return path;
    }
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn read_report(dir: &Path) -> Result<Report, StoreError> {
    let path = dir.join(RESULT);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(StoreError::Io { action: "read", path, source }),
    };
    // The layout is looked at first: a report of a later layout need not have the fields of this one.
    #[derive(serde::Deserialize)]
    struct Layout {
        schema: u32,
    }
    match serde_json::from_str::<Layout>(&text) {
        Ok(Layout { schema }) if schema > SCHEMA_VERSION => Err(StoreError::Schema { path, found: schema }),
        _ => serde_json::from_str(&text).map_err(|source| StoreError::Json { path, source }),
    }
}

/// Whether a name is a file name and nothing else: a report must not make the program touch files elsewhere.
fn is_plain(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(part)), None) if part == name)
        && !name.starts_with('.')
        && !name.contains(['/', '\\'])
}

fn cannot_write((path, source): Failure) -> StoreError {
    StoreError::Io { action: "write", path, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::RodField;

    fn listing(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
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
                status: "solved".into(),
                ..Default::default()
            },
            actuation: table("base.force_x"),
            motion: table("beam.end.x"),
            rods: vec![RodField { rod: "beam".into(), s: vec![0.0, 1.0], t: vec![0.0, 0.1], fields: vec![x] }],
            servo: table("tip.x"),
            resimulated: table("tip.x"),
            energy: table("work"),
        }
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
}
