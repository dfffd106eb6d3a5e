//! [`Table`] as CSV: first column `t`, one row per time, LF line ends. Numbers are written with the fewest digits that
//! read back to the identical double, so nothing is lost between a run and a later `verify` or `plot`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Table, TableError};

/// Why a CSV file could not be read or written.
#[derive(Debug, Error)]
pub enum CsvError {
    /// The file system said no.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its cause.
        source: std::io::Error,
    },
    /// The text is not a table.
    #[error("{file}, line {line}: {problem}")]
    Syntax {
        /// File name as given.
        file: String,
        /// Line number, from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
}

/// The table as CSV text.
pub fn format(table: &Table) -> Result<String, TableError> {
    table.check()?;
    let mut text = String::from("t");
    for (name, _) in &table.columns {
        text.push(',');
        text.push_str(&cell(name));
    }
    text.push('\n');
    for (k, t) in table.t.iter().enumerate() {
        // Writing to a String cannot fail; `{:?}` is the shortest form that parses to the same double.
        let _ = write!(text, "{t:?}");
        for (_, values) in &table.columns {
            let _ = write!(text, ",{:?}", values[k]);
        }
        text.push('\n');
    }
    Ok(text)
}

/// A name as a cell: quoted, with quotes doubled, where it holds a comma or a quote.
pub(super) fn cell(name: &str) -> Cow<'_, str> {
    if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")).into() } else { name.into() }
}

/// Reads a CSV file.
pub fn read(path: &Path) -> Result<Table, CsvError> {
    let text = std::fs::read_to_string(path).map_err(|source| CsvError::Io { path: path.to_owned(), source })?;
    parse(&text, &path.display().to_string())
}

/// Reads CSV text; `file` is the name used in messages. CRLF line ends and a byte order mark, which spreadsheet
/// programs add, are accepted.
pub fn parse(text: &str, file: &str) -> Result<Table, CsvError> {
    let fail = |line: usize, problem: String| CsvError::Syntax { file: file.to_owned(), line, problem };
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(i, line)| (i + 1, line));
    let Some((_, header)) = lines.next().filter(|(_, header)| !header.trim().is_empty()) else {
        return Err(fail(1, "the file is empty; expected a header `t,…`".to_owned()));
    };
    let names = cells(header).map_err(|problem| fail(1, problem))?;
    if names.first().map(String::as_str) != Some("t") {
        let found = names.first().map_or("", String::as_str);
        return Err(fail(1, format!("the first column must be `t`, found `{found}`")));
    }
    let mut table = Table { t: Vec::new(), columns: names.iter().skip(1).map(|n| (n.clone(), Vec::new())).collect() };
    for (line, row) in lines {
        if row.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = row.split(',').collect();
        if cells.len() != names.len() {
            return Err(fail(line, format!("{} values, but the header names {} columns", cells.len(), names.len())));
        }
        let number = |name: &str, cell: &str| -> Result<f64, CsvError> {
            let value: f64 =
                cell.trim().parse().map_err(|_| fail(line, format!("column `{name}`: `{cell}` is not a number")))?;
            if value.is_finite() {
                Ok(value)
            } else {
                Err(fail(line, format!("column `{name}`: `{cell}` is not a finite number")))
            }
        };
        let t = number("t", cells[0])?;
        if let Some(before) = table.t.last().filter(|before| t <= **before) {
            return Err(fail(line, format!("times must increase, but t = {t:?} follows {before:?}")));
        }
        table.t.push(t);
        for ((name, values), cell) in table.columns.iter_mut().zip(&cells[1..]) {
            values.push(number(name, cell)?);
        }
    }
    if table.t.is_empty() {
        return Err(fail(1, "there are no rows below the header".to_owned()));
    }
    table.check().map_err(|error| fail(1, error.to_string()))?;
    Ok(table)
}

/// Splits a line into cells; one with a comma or quote is quoted, with quotes doubled.
pub(super) fn cells(header: &str) -> Result<Vec<String>, String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    let mut chars = header.chars().peekable();
    while let Some(c) = chars.next() {
        let start = names.last().is_none_or(String::is_empty);
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                push(&mut names, '"');
            }
            '"' if quoted || start => quoted = !quoted,
            ',' if !quoted => names.push(String::new()),
            c => push(&mut names, c),
        }
    }
    if quoted { Err("a quoted name is not closed".to_owned()) } else { Ok(names) }
}

fn push(names: &mut [String], c: char) {
    if let Some(name) = names.last_mut() {
        name.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(text: &str) -> String {
        parse(text, "actuation.csv").unwrap_err().to_string()
    }

    #[test]
    fn layout_is_the_contract() {
        let table = Table { t: vec![0.0, 0.25], columns: vec![("base.force_x".into(), vec![-0.0, 1e-9])] };
        assert_eq!(format(&table).unwrap(), "t,base.force_x\n0.0,-0.0\n0.25,1e-9\n");
    }

    #[test]
    fn errors_name_file_line_column_and_finding() {
        for (text, wanted) in [
            ("", "actuation.csv, line 1: the file is empty; expected a header `t,…`"),
            ("t,a\n", "actuation.csv, line 1: there are no rows below the header"),
            ("time,a\n0,1\n", "actuation.csv, line 1: the first column must be `t`, found `time`"),
            ("t,a\n0,1\n1\n", "actuation.csv, line 3: 1 values, but the header names 2 columns"),
            ("t,a\n0,1\n1,x2\n", "actuation.csv, line 3: column `a`: `x2` is not a number"),
            ("t,a\n0,\n", "actuation.csv, line 2: column `a`: `` is not a number"),
            ("t,a\n0,NaN\n", "actuation.csv, line 2: column `a`: `NaN` is not a finite number"),
            ("t,a\ninf,0\n", "actuation.csv, line 2: column `t`: `inf` is not a finite number"),
            ("t,a\n0,1\n0,2\n", "actuation.csv, line 3: times must increase, but t = 0.0 follows 0.0"),
            ("t,a,a\n0,1,2\n", "actuation.csv, line 1: there are two columns named `a`"),
            ("t,\"a\n0,1\n", "actuation.csv, line 1: a quoted name is not closed"),
        ] {
            assert_eq!(message(text), wanted);
        }
    }

    #[test]
    fn spreadsheet_habits_are_accepted() {
        let table = parse("\u{feff}t,a\r\n0, 1e3\r\n\r\n2,-4\r\n", "x").unwrap();
        assert_eq!(table, Table { t: vec![0.0, 2.0], columns: vec![("a".into(), vec![1e3, -4.0])] });
    }

    #[test]
    fn tables_with_holes_are_not_written() {
        let holes = |values: Vec<f64>| Table { t: vec![0.0, 1.0], columns: vec![("a".into(), values)] };
        let error = format(&holes(vec![0.0, f64::NAN])).unwrap_err();
        assert_eq!(error.to_string(), "column `a` is NaN at value 1");
        let error = format(&holes(vec![0.0])).unwrap_err();
        assert_eq!(error, TableError::Length { column: "a".into(), found: 1, expected: 2 });
        let standing = Table { t: vec![0.0, 0.0], columns: vec![] };
        assert!(matches!(format(&standing), Err(TableError::NotIncreasing { index: 1, .. })));
        let newline = Table { t: vec![0.0], columns: vec![("a\nb".into(), vec![0.0])] };
        assert_eq!(format(&newline).unwrap_err(), TableError::Name("a\nb".into()));
    }

    proptest! {
        #[test]
        fn round_trip_is_exact(
            bits in proptest::collection::vec(any::<u64>(), 1..20),
            name in "[a-z][a-z.,\" _]{0,8}[a-z]",
        ) {
            let values: Vec<f64> = bits.iter().map(|b| f64::from_bits(*b)).filter(|v| v.is_finite()).collect();
            prop_assume!(!values.is_empty());
            let t = (0..values.len()).map(|k| k as f64 / 3.0).collect();
            let table = Table { t, columns: vec![(name, values)] };
            let back = parse(&format(&table).unwrap(), "x").unwrap();
            let bits = |table: &Table| -> Vec<u64> {
                table.t.iter().chain(&table.columns[0].1).map(|v| v.to_bits()).collect()
            };
            prop_assert_eq!(bits(&back), bits(&table));
            prop_assert_eq!(&back.columns[0].0, &table.columns[0].0);
        }
    }
}
