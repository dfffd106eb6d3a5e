//! Named things with numbers, such as the variables of a program: one line each in a CSV file.

use std::fmt::Write as _;

use super::csv::{CsvError, cell, cells};

/// Names and numeric columns of equal length. Infinite numbers are allowed (`inf`): a missing bound is one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// Heading of the names.
    pub heading: String,
    /// One name per line.
    pub names: Vec<String>,
    /// Heading and one number per line.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl Listing {
    /// The column of that heading.
    pub fn column(&self, heading: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(name, _)| name == heading).map(|(_, values)| values.as_slice())
    }

    /// As CSV text; numbers have the fewest digits that read back to the identical double, line breaks in names become
    /// spaces. What is not known, NaN, is left empty.
    pub fn format(&self) -> String {
        let mut text = cell(&self.heading).into_owned();
        for (heading, _) in &self.columns {
            text.push(',');
            text.push_str(&cell(heading));
        }
        text.push('\n');
        for (line, name) in self.names.iter().enumerate() {
            text.push_str(&cell(&name.replace(['\n', '\r'], " ")));
            for (_, values) in &self.columns {
                // Writing to a String cannot fail.
                let _ = match values.get(line) {
                    Some(value) if !value.is_nan() => write!(text, ",{value:?}"),
                    _ => write!(text, ","),
                };
            }
            text.push('\n');
        }
        text
    }

    /// Reads CSV text, empty cells as NaN; `file` is the name used in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, CsvError> {
        let fail = |line: usize, problem: String| CsvError::Syntax { file: file.to_owned(), line, problem };
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let (_, header) = lines.next().ok_or_else(|| fail(1, "the file is empty".to_owned()))?;
        let mut headings = cells(header).map_err(|problem| fail(1, problem))?.into_iter();
        let heading = headings.next().unwrap_or_default();
        let mut listing =
            Self { heading, names: Vec::new(), columns: headings.map(|name| (name, Vec::new())).collect() };
        for (line, row) in lines {
            let mut found = cells(row).map_err(|problem| fail(line, problem))?.into_iter();
            let (count, expected) = (found.len(), 1 + listing.columns.len());
            if count != expected {
                return Err(fail(line, format!("{count} values, but the header names {expected} columns")));
            }
            listing.names.extend(found.next());
            for ((name, values), text) in listing.columns.iter_mut().zip(found) {
                let value = if text.trim().is_empty() { Ok(f64::NAN) } else { text.trim().parse() };
                values.push(value.map_err(|_| fail(line, format!("column `{name}`: `{text}` is not a number")))?);
            }
        }
        Ok(listing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let listing = Listing {
            heading: "row".into(),
            names: vec!["energy, at \"rest\"".into(), "x[1,2]".into(), String::new()],
            columns: vec![
                ("value".into(), vec![0.1 + 0.2, -0.0, 5e-324]),
                ("upper".into(), vec![f64::INFINITY, f64::NEG_INFINITY, 1e300]),
            ],
        };
        let text = listing.format();
        assert!(text.starts_with("row,value,upper\n\"energy, at \"\"rest\"\"\",0.30000000000000004,inf\n"), "{text}");
        assert_eq!(Listing::parse(&text, "x").unwrap(), listing);
        assert_eq!(listing.column("upper").unwrap()[1], f64::NEG_INFINITY);
        assert_eq!(listing.column("lower"), None);
    }

    #[test]
    fn line_breaks_in_names_do_not_break_the_file() {
        let listing = Listing { heading: "row".into(), names: vec!["a\r\nb".into()], columns: vec![] };
        assert_eq!(Listing::parse(&listing.format(), "x").unwrap().names, ["a  b"]);
    }

    #[test]
    fn errors_name_file_line_and_finding() {
        for (text, wanted) in [
            ("", "a.csv, line 1: the file is empty"),
            ("row,value\nx\n", "a.csv, line 2: 1 values, but the header names 2 columns"),
            ("row,value\nx,1\ny,two\n", "a.csv, line 3: column `value`: `two` is not a number"),
            ("row,value\n\"x,1\n", "a.csv, line 2: a quoted name is not closed"),
        ] {
            assert_eq!(Listing::parse(text, "a.csv").unwrap_err().to_string(), wanted);
        }
    }
}
