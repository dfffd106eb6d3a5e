//! Points along a load path of statics, and their file `path.csv`.

use super::csv::CsvError;
use super::table::check_values;
use super::{Listing, TableError};

/// Heading of the kinds in `path.csv`.
const KIND: &str = "kind";

/// Equilibria along a load path, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathTable {
    /// What each point is: `step`, `limit-point`, `target`, …
    pub kinds: Vec<String>,
    /// Column name and one value per point; the first column is the load factor, the others are displacements etc.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl PathTable {
    /// The column that tells in how many directions an equilibrium is unstable; NaN, an empty cell, where energy does not decide.
    pub const UNSTABLE: &str = "unstable_directions";

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_slice())
    }

    /// Checks what readers rely on: columns of equal length, finite values, unique names.
    pub fn check(&self) -> Result<(), TableError> {
        for (i, (name, values)) in self.columns.iter().enumerate() {
            if name.is_empty() || name == KIND || name.chars().any(char::is_control) {
                return Err(TableError::Name(name.clone()));
            }
            if self.columns[..i].iter().any(|(other, _)| other == name) {
                return Err(TableError::Duplicate(name.clone()));
            }
            match name == Self::UNSTABLE {
                true => {
                    let known: Vec<f64> = values.iter().map(|v| if v.is_nan() { 0.0 } else { *v }).collect();
                    check_values(name, &known, self.kinds.len())?;
                }
                false => check_values(name, values, self.kinds.len())?,
            }
        }
        Ok(())
    }

    /// As CSV text: `kind`, then the columns.
    pub fn format(&self) -> Result<String, TableError> {
        self.check()?;
        let listing = Listing { heading: KIND.to_owned(), names: self.kinds.clone(), columns: self.columns.clone() };
        Ok(listing.format())
    }

    /// Reads CSV text; `file` is the name used in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, CsvError> {
        let Listing { heading, names: kinds, columns } = Listing::parse(text, file)?;
        let fail = |problem: String| CsvError::Syntax { file: file.to_owned(), line: 1, problem };
        if heading != KIND {
            return Err(fail(format!("the first column must be `{KIND}`, found `{heading}`")));
        }
        let table = Self { kinds, columns };
        table.check().map_err(|error| fail(error.to_string()))?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> PathTable {
        PathTable {
            kinds: ["step", "limit-point", "step", "target"].map(String::from).to_vec(),
            columns: vec![
                ("load_factor".into(), vec![0.0, 1.0 / 3.0, 0.1, 1.0]),
                ("crown.y".into(), vec![0.0, -0.2, -0.6, -5e-324]),
            ],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = path().format().unwrap();
        assert!(text.starts_with("kind,load_factor,crown.y\nstep,0.0,0.0\nlimit-point,0.3333333333333333,-0.2\n"));
        assert_eq!(PathTable::parse(&text, "path.csv").unwrap(), path());
        assert_eq!(path().column("crown.y").unwrap()[2], -0.6);
    }

    #[test]
    fn unfit_paths_are_refused() {
        let mut hole = path();
        hole.columns[1].1[2] = f64::NAN;
        assert_eq!(hole.format().unwrap_err().to_string(), "column `crown.y` is NaN at value 2");
        let mut short = path();
        short.kinds.pop();
        assert!(matches!(short.format(), Err(TableError::Length { found: 4, expected: 3, .. })));
        let mut twice = path();
        twice.columns[1].0 = "load_factor".into();
        assert_eq!(twice.format().unwrap_err(), TableError::Duplicate("load_factor".into()));
        let wrong = PathTable::parse("t,load_factor\n0,1\n", "path.csv").unwrap_err().to_string();
        assert_eq!(wrong, "path.csv, line 1: the first column must be `kind`, found `t`");
        let infinite = PathTable::parse("kind,load_factor\nstep,inf\n", "path.csv").unwrap_err().to_string();
        assert_eq!(infinite, "path.csv, line 1: column `load_factor` is inf at value 0");
    }
}
