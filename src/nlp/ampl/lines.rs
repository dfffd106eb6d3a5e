//! The lines of a `.nl` file and the fields in them.

use std::str::FromStr;

use super::NlError;

/// Reads line after line and remembers where it is.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    rest: std::slice::Split<'a, u8, fn(&u8) -> bool>,
    number: usize,
}

/// One line without its comment.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    /// The first letter of the line; the fields follow it directly.
    pub(super) letter: char,
    fields: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.split(|&byte| byte == b'\n'), number: 0 }
    }

    /// The next line that is not empty, or nothing at the end of the file.
    fn text(&mut self) -> Result<Option<&'a str>, NlError> {
        for bytes in self.rest.by_ref() {
            self.number += 1;
            let text = std::str::from_utf8(bytes).map_err(|_| NlError::Syntax {
                line: self.number,
                found: "bytes that are not UTF-8".to_string(),
                expected: "text".to_string(),
            })?;
            let text = text.split_once('#').map_or(text, |(before, _)| before).trim();
            if !text.is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// The next line, split after its first letter; nothing at the end of the file.
    pub(super) fn lettered(&mut self) -> Result<Option<Line<'a>>, NlError> {
        let Some(text) = self.text()? else { return Ok(None) };
        let mut rest = text.chars();
        let letter = rest.next().unwrap_or(' ');
        Ok(Some(Line { number: self.number, letter, fields: rest.as_str().split_ascii_whitespace() }))
    }

    /// The next line, which holds numbers only.
    pub(super) fn numbers(&mut self, expected: &str) -> Result<Line<'a>, NlError> {
        match self.text()? {
            Some(text) => Ok(Line { number: self.number, letter: ' ', fields: text.split_ascii_whitespace() }),
            None => Err(self.ended(expected)),
        }
    }

    /// The file ended where something was expected.
    pub(super) fn ended(&self, expected: &str) -> NlError {
        let (found, expected) = ("the end of the file".to_string(), expected.to_string());
        NlError::Syntax { line: self.number, found, expected }
    }
}

impl Line<'_> {
    /// The next field of the line.
    pub(super) fn field<T: FromStr>(&mut self, expected: &str) -> Result<T, NlError> {
        match self.fields.next() {
            Some(text) => text.parse().map_err(|_| self.wrong(format!("`{text}`"), expected)),
            None => Err(self.wrong("the end of the line".to_string(), expected)),
        }
    }

    /// The next field as a number of things.
    pub(super) fn count(&mut self, expected: &str) -> Result<usize, NlError> {
        self.field(expected)
    }

    /// The next field, or the default if the line has ended.
    pub(super) fn optional<T: FromStr + Default>(&mut self, expected: &str) -> Result<T, NlError> {
        if self.fields.clone().next().is_none() { Ok(T::default()) } else { self.field(expected) }
    }

    /// The next field as a number that is not NaN.
    pub(super) fn real(&mut self, expected: &str) -> Result<f64, NlError> {
        let value: f64 = self.field(expected)?;
        if value.is_nan() { Err(self.wrong("a number that is none (NaN)".to_string(), expected)) } else { Ok(value) }
    }

    /// The next field as an index below `bound`.
    pub(super) fn index(&mut self, bound: usize, expected: &str) -> Result<usize, NlError> {
        let index: usize = self.field(expected)?;
        if index < bound {
            return Ok(index);
        }
        Err(self.wrong(format!("{index}"), &format!("{expected} below {bound}")))
    }

    pub(super) fn wrong(&self, found: String, expected: &str) -> NlError {
        NlError::Syntax { line: self.number, found, expected: expected.to_string() }
    }

    pub(super) fn unsupported(&self, what: String) -> NlError {
        NlError::Unsupported { line: self.number, what }
    }
}
