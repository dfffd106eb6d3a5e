//! Text of comma-separated values, of which every mistake has its line.
//!
//! The first line that is neither blank nor a comment (`#`) names the columns, each further line is one row.

use thiserror::Error;

use super::suggest::nearest;

/// A mistake in a table, and where.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("line {line}{}: {message}", column.as_ref().map(|name| format!(", column `{name}`")).unwrap_or_default())]
pub struct LineError {
    /// Line of the text, counted from 1.
    pub line: usize,
    /// Name of the column; `None` if the line itself is wrong.
    pub column: Option<String>,
    /// What is wrong, what was found and what was expected.
    pub message: String,
}

/// The lines that say something, with their numbers from 1.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (text.trim_start_matches('\u{feff}').lines().enumerate())
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The fields of a line without the blanks and quotes around them.
pub fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| field.trim().trim_matches('"').trim())
}

/// Columns of samples at increasing times.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// Name of the column of times.
    pub time: String,
    /// Increasing.
    pub times: Vec<f64>,
    /// The other columns that were asked for, or all, in the order of the text.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// Why there are no samples.
#[derive(Debug, Clone, PartialEq)]
pub enum SamplesError {
    /// There is no such column, but these.
    NoColumn {
        /// Its name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// Mistakes in lines of the text.
    Lines(Vec<LineError>),
}

impl SamplesError {
    /// What to do about a column that does not exist.
    pub fn help(name: &str, known: &[String]) -> String {
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("columns are {}", known.join(", ")),
        }
    }
}

impl Samples {
    /// Reads the column of times, `t` or the first unless named, and the columns of these names, all others if none is named.
    pub fn parse(text: &str, time: Option<&str>, wanted: &[String]) -> Result<Samples, SamplesError> {
        let one = |line, column, message: String| SamplesError::Lines(vec![LineError { line, column, message }]);
        let mut lines = lines(text);
        let Some((header_line, header)) = lines.next() else {
            let message = "the file is empty: expected a line of column names and at least two rows of numbers";
            return Err(one(1, None, message.to_owned()));
        };
        let known: Vec<String> = fields(header).map(str::to_owned).collect();
        let twice = (1..known.len()).find(|i| known[..*i].contains(&known[*i]));
        if let Some(twice) = twice {
            return Err(one(header_line, Some(known[twice].clone()), "the column occurs twice".to_owned()));
        }
        let place = |name: &str| known.iter().position(|other| other == name);
        let missing = |name: &str| SamplesError::NoColumn { name: name.to_owned(), known: known.clone() };
        let time = match time {
            Some(name) => place(name).ok_or_else(|| missing(name))?,
            None => place("t").unwrap_or(0),
        };
        let chosen: Result<Vec<usize>, SamplesError> = match wanted {
            [] => Ok((0..known.len()).filter(|column| *column != time).collect()),
            names => names.iter().map(|name| place(name).ok_or_else(|| missing(name))).collect(),
        };
        let chosen = chosen?;
        if chosen.is_empty() {
            let message = format!("expected a column beside the times `{}`, found none", known[time]);
            return Err(one(header_line, None, message));
        }
        let mut samples = Samples {
            time: known[time].clone(),
            times: Vec::new(),
            columns: chosen.iter().map(|column| (known[*column].clone(), Vec::new())).collect(),
        };
        let mut mistakes = Vec::new();
        for (line, row) in lines {
            samples.row(line, row, known.len(), time, &chosen, &mut mistakes);
        }
        if mistakes.is_empty() { Ok(samples) } else { Err(SamplesError::Lines(mistakes)) }
    }

    /// Adds a row.
    fn row(
        &mut self,
        line: usize,
        row: &str,
        count: usize,
        time: usize,
        chosen: &[usize],
        mistakes: &mut Vec<LineError>,
    ) {
        let found: Vec<&str> = fields(row).collect();
        if found.len() != count {
            let message = format!("expected {count} values as the header has names, found {}", found.len());
            return mistakes.push(LineError { line, column: None, message });
        }
        let mut number = |column: usize, name: &str| match found[column].parse::<f64>() {
            Ok(value) if value.is_finite() => value,
            read => {
                let field = found[column];
                let message = match read {
                    Ok(_) => format!("{field} is not a finite number"),
                    Err(_) => format!("expected a number, found `{field}`"),
                };
                mistakes.push(LineError { line, column: Some(name.to_owned()), message });
                f64::NAN
            }
        };
        let t = number(time, &self.time);
        for ((name, values), column) in self.columns.iter_mut().zip(chosen) {
            values.push(number(*column, name));
        }
        let last = self.times.iter().rev().find(|t| t.is_finite());
        if let Some(last) = last.filter(|last| t <= **last) {
            let message = match t == *last {
                true => format!("the time {t} occurs twice, expected times that increase"),
                false => format!("{t} must be larger than {last} of the row before"),
            };
            mistakes.push(LineError { line, column: Some(self.time.clone()), message });
        }
        self.times.push(t);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "# measured\nx, t, note, y\n1, 0, a, 5\n\n2, 0.5, b, 7\n";
        let found = Samples::parse(text, None, &names(&["y", "x"])).unwrap();
        assert_eq!((found.time.as_str(), found.times), ("t", vec![0.0, 0.5]));
        assert_eq!(found.columns, [("y".to_owned(), vec![5.0, 7.0]), ("x".to_owned(), vec![1.0, 2.0])]);
        let error = Samples::parse(text, None, &names(&["z"])).unwrap_err();
        assert_eq!(error, SamplesError::NoColumn { name: "z".into(), known: names(&["x", "t", "note", "y"]) });
        let all = Samples::parse("time,a,b\n0,1,2\n1,3,4\n", None, &[]).unwrap();
        assert_eq!((all.time.as_str(), all.columns.len()), ("time", 2));
    }

    #[test]
    fn mistakes_have_their_lines() {
        let lines = |text: &str| match Samples::parse(text, None, &[]) {
            Err(SamplesError::Lines(mistakes)) => mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let text = "t,x\n0,1\n0.5,abc\n0.5,2\n0.4,3\n1,inf\n2\n";
        let expected = [
            "line 3, column `x`: expected a number, found `abc`",
            "line 4, column `t`: the time 0.5 occurs twice, expected times that increase",
            "line 5, column `t`: 0.4 must be larger than 0.5 of the row before",
            "line 6, column `x`: inf is not a finite number",
            "line 7: expected 2 values as the header has names, found 1",
        ];
        assert_eq!(lines(text), expected);
        assert!(lines(" \n# nothing\n")[0].starts_with("line 1: the file is empty"));
        assert!(lines("t\n0\n")[0].starts_with("line 1: expected a column beside the times"));
        assert_eq!(lines("t,x,x\n0,1,2\n"), ["line 1, column `x`: the column occurs twice"]);
    }
}
