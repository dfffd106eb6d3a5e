//! `motion.npz`: the nodal fields and the secondary tables as NumPy arrays.
//!
//! Arrays `t`, `<rod>.s`, `<rod>.<field>` of shape (nodes, times), and for each of the tables `servo`, `resimulated`
//! and `energy` the arrays `<table>.t` and `<table>.<column>`. Fields are the only two-dimensional arrays, which tells
//! a rod called `servo` from the table of that name. The archive carries no time stamps: equal results give equal bytes.

use std::collections::BTreeSet;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use ndarray::{ArrayD, ArrayViewD};
use ndarray_npy::{NpzReader, NpzWriter, ReadDataError, ReadNpzError, ReadableElement, WriteNpzError};
use thiserror::Error;

use super::{Outcome, RodField, Table, TableError};

/// Why `motion.npz` could not be read or written.
#[derive(Debug, Error)]
pub enum NpzError {
    /// The numbers are not fit to be stored.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Rods on different time grids.
    #[error("rods `{0}` and `{1}` do not have the same times")]
    Times(String, String),
    /// An array could not be encoded.
    #[error("cannot write array `{name}`: {source}")]
    Write {
        /// Array name.
        name: String,
        /// Its cause.
        source: WriteNpzError,
    },
    /// The file could not be opened.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its cause.
        source: std::io::Error,
    },
    /// The archive or an array in it could not be decoded.
    #[error("cannot read {what}: {source}")]
    Read {
        /// The archive or array.
        what: String,
        /// Its cause.
        source: ReadNpzError,
    },
    /// The arrays do not fit together.
    #[error("array `{name}`: {problem}")]
    Shape {
        /// Array name.
        name: String,
        /// What is wrong.
        problem: String,
    },
}

/// The part of an [`Outcome`] that `motion.npz` holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredMotion {
    /// Full fields of every rod.
    pub rods: Vec<RodField>,
    /// Prescribed paths.
    pub servo: Table,
    /// The same outputs as re-simulated.
    pub resimulated: Table,
    /// Energies over time.
    pub energy: Table,
}

/// The archive for the fields and tables of `outcome`, or `None` if there are none.
pub fn format(outcome: &Outcome) -> Result<Option<Vec<u8>>, NpzError> {
    let tables = [("servo", &outcome.servo), ("resimulated", &outcome.resimulated), ("energy", &outcome.energy)];
    if outcome.rods.is_empty() && tables.iter().all(|(_, table)| table.is_empty()) {
        return Ok(None);
    }
    let mut archive = Archive::new();
    if let Some(first) = outcome.rods.first() {
        archive.vector("t".to_owned(), &first.t)?;
        for rod in &outcome.rods {
            if outcome.is_static() { rod.check_states() } else { rod.check() }?;
            if rod.t != first.t {
                return Err(NpzError::Times(first.rod.clone(), rod.rod.clone()));
            }
            if rod.fields.is_empty() {
                return Err(shape(&format!("{}.s", rod.rod), "the rod has no fields"));
            }
            archive.vector(format!("{}.s", rod.rod), &rod.s)?;
            for (field, values) in &rod.fields {
                archive.add(format!("{}.{field}", rod.rod), &[rod.s.len(), rod.t.len()], values)?;
            }
        }
    }
    for (prefix, table) in tables.into_iter().filter(|(_, table)| !table.is_empty()) {
        table.check()?;
        archive.vector(format!("{prefix}.t"), &table.t)?;
        for (name, values) in &table.columns {
            archive.vector(format!("{prefix}.{name}"), values)?;
        }
    }
    archive.finish("motion.npz").map(Some)
}

/// An archive that is being written.
pub(super) struct Archive {
    npz: NpzWriter<Cursor<Vec<u8>>>,
    names: BTreeSet<String>,
}

impl Archive {
    /// An empty archive.
    pub fn new() -> Self {
        Self { npz: NpzWriter::new(Cursor::new(Vec::new())), names: BTreeSet::new() }
    }

    fn vector(&mut self, name: String, values: &[f64]) -> Result<(), NpzError> {
        self.add(name, &[values.len()], values)
    }

    /// Adds an array; the last index of `values` runs fastest.
    pub fn add(&mut self, name: String, dimensions: &[usize], values: &[f64]) -> Result<(), NpzError> {
        if !self.names.insert(name.clone()) {
            return Err(TableError::Duplicate(name).into());
        }
        let array = ArrayViewD::from_shape(dimensions, values).map_err(|e| shape(&name, &e.to_string()))?;
        self.npz.add_array(name.clone(), &array).map_err(|source| NpzError::Write { name, source })
    }

    /// Its bytes; `file` is the name used in messages.
    pub fn finish(self, file: &str) -> Result<Vec<u8>, NpzError> {
        let cursor = self.npz.finish().map_err(|source| NpzError::Write { name: file.to_owned(), source })?;
        Ok(cursor.into_inner())
    }
}

/// An array of an archive; the last index of the values runs fastest.
pub(super) struct Array {
    pub name: String,
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

/// A number of an archive, for which memory is taken as the data come in: the header of a damaged file may claim any length.
#[derive(Debug, Clone, Copy)]
struct Stored(f64);

impl ReadableElement for Stored {
    fn read_to_end_exact_vec<R: Read>(
        reader: R,
        type_desc: &py_literal::Value,
        len: usize,
    ) -> Result<Vec<Self>, ReadDataError> {
        let expected = (len as u64).saturating_mul(8);
        let mut bytes = Vec::new();
        reader.take(expected.saturating_add(1)).read_to_end(&mut bytes)?;
        match (bytes.len() as u64).cmp(&expected) {
            std::cmp::Ordering::Less => Err(ReadDataError::MissingData),
            std::cmp::Ordering::Greater => Err(ReadDataError::ExtraBytes(1)),
            std::cmp::Ordering::Equal => {
                let values = f64::read_to_end_exact_vec(bytes.as_slice(), type_desc, len)?;
                Ok(values.into_iter().map(Stored).collect())
            }
        }
    }
}

/// All arrays of an archive, in its order; `file` is the name used in messages.
pub(super) fn arrays(archive: impl Read + Seek, file: &str) -> Result<Vec<Array>, NpzError> {
    let bad = |what: &str| {
        let what = what.to_owned();
        move |source| NpzError::Read { what, source }
    };
    let mut npz = NpzReader::new(archive).map_err(bad(file))?;
    let mut found = Vec::new();
    for (index, name) in npz.names().map_err(bad(file))?.into_iter().enumerate() {
        let array: ArrayD<Stored> = npz.by_index(index).map_err(bad(&format!("{file}, array `{name}`")))?;
        found.push(Array {
            name,
            shape: array.shape().to_vec(),
            values: array.iter().map(|stored| stored.0).collect(),
        });
    }
    Ok(found)
}

/// Reads `motion.npz`.
pub fn read(path: &Path) -> Result<StoredMotion, NpzError> {
    let file = std::fs::File::open(path).map_err(|source| NpzError::Io { path: path.to_owned(), source })?;
    parse(std::io::BufReader::new(file), &path.display().to_string())
}

/// Reads an archive; `file` is the name used in messages.
pub fn parse(archive: impl Read + Seek, file: &str) -> Result<StoredMotion, NpzError> {
    let mut vectors: Vec<(String, Vec<f64>)> = Vec::new();
    let mut fields: Vec<(String, [usize; 2], Vec<f64>)> = Vec::new();
    for Array { name, shape: dimensions, values } in arrays(archive, file)? {
        match *dimensions {
            [_] => vectors.push((name, values)),
            [nodes, times] => fields.push((name, [nodes, times], values)),
            _ => return Err(shape(&name, &format!("{} dimensions, expected 1 or 2", dimensions.len()))),
        }
    }
    let mut motion = StoredMotion { rods: rods(&mut vectors, fields)?, ..StoredMotion::default() };
    for (prefix, table) in
        [("servo", &mut motion.servo), ("resimulated", &mut motion.resimulated), ("energy", &mut motion.energy)]
    {
        if let Some(t) = take(&mut vectors, &format!("{prefix}.t")) {
            table.t = t;
            let columns = vectors.extract_if(.., |(name, _)| name.strip_prefix(prefix).is_some_and(is_member));
            table.columns = columns.map(|(name, values)| (name[prefix.len() + 1..].to_owned(), values)).collect();
            table.check()?;
        }
    }
    match vectors.first() {
        None => Ok(motion),
        Some((name, _)) => Err(shape(name, "belongs to no rod and no table")),
    }
}

fn is_member(rest: &str) -> bool {
    rest.starts_with('.')
}

/// Collects the two-dimensional arrays into rods, in the order of the archive, and takes their vectors.
fn rods(
    vectors: &mut Vec<(String, Vec<f64>)>,
    fields: Vec<(String, [usize; 2], Vec<f64>)>,
) -> Result<Vec<RodField>, NpzError> {
    let mut rods: Vec<RodField> = Vec::new();
    if fields.is_empty() {
        return Ok(rods);
    }
    let t = take(vectors, "t").ok_or_else(|| shape("t", "missing"))?;
    for (name, [nodes, times], values) in fields {
        let Some((rod, field)) = name.rsplit_once('.') else {
            return Err(shape(&name, "two-dimensional arrays must be named `<rod>.<field>`"));
        };
        let index = match rods.iter().position(|r| r.rod == rod) {
            Some(index) => index,
            None => {
                let s_name = format!("{rod}.s");
                let s = take(vectors, &s_name).ok_or_else(|| shape(&s_name, "missing"))?;
                rods.push(RodField { rod: rod.to_owned(), s, t: t.clone(), fields: Vec::new() });
                rods.len() - 1
            }
        };
        let expected = [rods[index].s.len(), t.len()];
        if [nodes, times] != expected {
            return Err(shape(&name, &format!("shape {:?}, expected (nodes, times) = {expected:?}", [nodes, times])));
        }
        rods[index].fields.push((field.to_owned(), values));
    }
    for rod in &rods {
        rod.check_states()?;
    }
    Ok(rods)
}

fn take(vectors: &mut Vec<(String, Vec<f64>)>, name: &str) -> Option<Vec<f64>> {
    vectors.iter().position(|(n, _)| n == name).map(|index| vectors.remove(index).1)
}

pub(super) fn shape(name: &str, problem: &str) -> NpzError {
    NpzError::Shape { name: name.to_owned(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests;
