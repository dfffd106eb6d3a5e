//! Names of variables and rows.

/// The names in a `.col` or `.row` file; where there is none, `x[1]` or `c[1]`.
pub(super) struct Names<'a> {
    lines: Vec<&'a str>,
    letter: char,
}

impl<'a> Names<'a> {
    pub(super) fn new(file: Option<&'a str>, letter: char) -> Self {
        Self { lines: file.unwrap_or_default().lines().map(str::trim_end).collect(), letter }
    }

    pub(super) fn get(&self, index: usize) -> String {
        match self.lines.get(index) {
            Some(name) if !name.is_empty() => (*name).to_string(),
            _ => format!("{}[{}]", self.letter, index + 1),
        }
    }
}
