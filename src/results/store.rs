//! The result folder: `result.json`, tables (`actuation.csv`, `controls.csv`, `motion.csv`, `momentum.csv`, `relative.csv`,
//! `loads.csv`, `profile.csv`, `modes.csv`, `campbell.csv`, `path.csv`), fields (`motion.npz`, `modes.npz`), pictures and other files of a task,
//! written as one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::csv::{self, CsvError};
use super::npz::{self, NpzError};
use super::staging::{self, Failure, Staging};
use super::{FileEntry, Listing, Outcome, PathTable, Report, SCHEMA_VERSION, Table, TableError, modes};

/// Name of the record of the run.
pub const RESULT: &str = "result.json";
const ACTUATION: &str = "actuation.csv";
const CONTROLS: &str = "controls.csv";
const MOTION: &str = "motion.csv";
const MOMENTUM: &str = "momentum.csv";
const FIELDS: &str = "motion.npz";
const MODES: &str = "modes.csv";
const SHAPES: &str = "modes.npz";
const LOAD_PATH: &str = "path.csv";
const CAMPBELL: &str = "campbell.csv";
const RELATIVE: &str = "relative.csv";
const LOADS: &str = "loads.csv";
const PROFILE: &str = "profile.csv";

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
    /// A picture or other file whose name is a path, or is taken.
    #[error("`{0}` cannot be the name of a file of the result")]
    Name(String),
}

/// Writes the result into `dir`, all or nothing, and fills `outcome.report.files`. An older result in that folder is
/// replaced: files that it lists and the new one does not write are removed, files that it does not list stay.
/// Empty tables give no file; `others` are pictures and whatever else belongs to the result, by name.
pub fn write(dir: &Path, outcome: &mut Outcome, others: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
    let mut files = tables_and_fields(dir, outcome)?;
    let mut taken = BTreeSet::from([
        RESULT, ACTUATION, CONTROLS, MOTION, MOMENTUM, FIELDS, MODES, SHAPES, LOAD_PATH, CAMPBELL, RELATIVE, LOADS,
        PROFILE,
    ]);
    for (name, content) in others {
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

    let mut staging = Staging::new(dir).map_err(cannot_write)?;
    // An older result that cannot be understood lists nothing that could be called stale.
    let stale = read_report(dir).map(|old| old.files.into_iter().map(|f| f.name).filter(|n| is_plain(n)).collect());
    let stale: Vec<String> = stale.unwrap_or_default();
    for (name, content) in &files {
        staging.add(name, content).map_err(cannot_write)?;
    }
    staging.add(RESULT, json.as_bytes()).map_err(cannot_write)?;
    staging.commit(&stale).map_err(cannot_write)?;
    outcome.report = report;
    Ok(())
}

/// Names and contents of the files of the tables and fields that are not empty.
fn tables_and_fields(dir: &Path, outcome: &Outcome) -> Result<Vec<(&'static str, Vec<u8>)>, StoreError> {
    let unfit = |name: &str| {
        let path = dir.join(name);
        |source| StoreError::Table { path, source }
    };
    let unstored = |name: &str| {
        let path = dir.join(name);
        |source| StoreError::Fields { path, source }
    };
    let mut files = Vec::new();
    let tables = [
        (ACTUATION, &outcome.actuation),
        (CONTROLS, &outcome.controls),
        (MOTION, &outcome.motion),
        (MOMENTUM, &outcome.momentum),
        (RELATIVE, &outcome.relative),
        (LOADS, &outcome.loads),
    ];
    for (name, table) in tables {
        if !table.is_empty() {
            files.push((name, csv::format(table).map_err(unfit(name))?.into_bytes()));
        }
    }
    if let Some(archive) = npz::format(outcome).map_err(unstored(FIELDS))? {
        files.push((FIELDS, archive));
    }
    if !outcome.modes.is_empty() {
        files.push((MODES, modes::listing(&outcome.modes).map_err(unfit(MODES))?.format().into_bytes()));
    }
    if let Some(archive) = modes::archive(&outcome.modes).map_err(unstored(SHAPES))? {
        files.push((SHAPES, archive));
    }
    if let Some(campbell) = &outcome.report.campbell {
        files.push((CAMPBELL, campbell.listing().format().into_bytes()));
    }
    if !outcome.profile.names.is_empty() {
        files.push((PROFILE, outcome.profile.format().into_bytes()));
    }
    if !outcome.path.is_empty() {
        files.push((LOAD_PATH, outcome.path.format().map_err(unfit(LOAD_PATH))?.into_bytes()));
    }
    Ok(files)
}

/// Reads a result, given its folder or its `result.json`. Only files that the report lists are read.
pub fn read(dir_or_result_json: &Path) -> Result<Outcome, StoreError> {
    let dir = folder(dir_or_result_json);
    // Where nothing can be written or locked, what is there is read as it is.
    let _ = staging::settle(dir);
    let _lock = staging::lock(dir, true);
    let report = read_report(dir)?;
    let listed = |name: &str| report.files.iter().any(|file| file.name == name);
    let table = |name: &str| if listed(name) { csv::read(&dir.join(name)) } else { Ok(Table::default()) };
    let text = |name: &str| {
        let path = dir.join(name);
        fs::read_to_string(&path).map(|text| (text, path.display().to_string())).map_err(|source| StoreError::Io {
            action: "read",
            path,
            source,
        })
    };
    let (actuation, controls, motion, momentum) =
        (table(ACTUATION)?, table(CONTROLS)?, table(MOTION)?, table(MOMENTUM)?);
    let fields = if listed(FIELDS) {
        let path = dir.join(FIELDS);
        npz::read(&path).map_err(|source| StoreError::Fields { path, source })?
    } else {
        npz::StoredMotion::default()
    };
    let npz::StoredMotion { rods, servo, resimulated, energy } = fields;
    let mut modes = Vec::new();
    if listed(MODES) {
        let (text, file) = text(MODES)?;
        modes = modes::parse_listing(&text, &file)?;
    }
    if listed(SHAPES) {
        let path = dir.join(SHAPES);
        modes::read_shapes(&path, &mut modes).map_err(|source| StoreError::Fields { path, source })?;
    }
    let mut load_path = PathTable::default();
    if listed(LOAD_PATH) {
        let (text, file) = text(LOAD_PATH)?;
        load_path = PathTable::parse(&text, &file)?;
    }
    let mut profile = Listing::default();
    if listed(PROFILE) {
        let (text, file) = text(PROFILE)?;
        profile = Listing::parse(&text, &file)?;
    }
    let (relative, loads) = (table(RELATIVE)?, table(LOADS)?);
    let path = load_path;
    Ok(Outcome {
        report,
        actuation,
        controls,
        motion,
        rods,
        servo,
        resimulated,
        energy,
        modes,
        path,
        momentum,
        relative,
        loads,
        profile,
    })
}

/// Names of the files in the report that are missing or no longer have the recorded SHA-256.
pub fn changed_files(dir: &Path, report: &Report) -> Vec<String> {
    let unchanged = |file: &FileEntry| {
        is_plain(&file.name) && fs::read(dir.join(&file.name)).is_ok_and(|content| sha256(&content) == file.sha256)
    };
    report.files.iter().filter(|file| !unchanged(file)).map(|file| file.name.clone()).collect()
}

/// Reads a file that belongs to a result.
pub fn read_file(dir: &Path, name: &str) -> Result<Vec<u8>, StoreError> {
    let path = dir.join(name);
    fs::read(&path).map_err(|source| StoreError::Io { action: "read", path, source })
}

/// SHA-256 in hexadecimal.
pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes one file into a folder, whole or not at all.
pub fn write_file(dir: &Path, name: &str, content: &[u8]) -> Result<(), StoreError> {
    let mut staging = Staging::new(dir).map_err(cannot_write)?;
    staging.add(name, content).map_err(cannot_write)?;
    staging.commit(&[]).map_err(cannot_write)
}

/// The folder of a result, given the folder itself or its `result.json`.
pub fn folder(path: &Path) -> &Path {
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
mod tests;
