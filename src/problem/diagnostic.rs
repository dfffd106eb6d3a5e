//! Mistakes in a problem file: what is wrong, where, and what would be right.

use std::fmt;
use std::ops::Range;

use super::document::Document;

/// Whether a mistake stops the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is solved.
    Error,
    /// Reported, and the program goes on.
    Warning,
}

/// Where a mistake stands; spans are byte ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the problem file.
    File {
        /// Range of the file's text.
        span: Range<usize>,
    },
    /// In a `--set` of the command line.
    Override {
        /// Which `--set`, counted from 0.
        index: usize,
        /// The override as typed, with `--set ` in front.
        text: String,
        /// Range of `text`.
        span: Range<usize>,
    },
    /// In the problem as a whole.
    Nowhere,
}

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// What was found and what was expected, in one sentence.
    pub message: String,
    /// A few words for the caret.
    pub label: String,
    /// The key it is about, such as `rod.beam.elements`.
    pub path: Option<String>,
    /// Where the caret goes.
    pub place: Place,
    /// How to mend it.
    pub help: Option<String>,
    /// Whether the file is understood, and it is only that the task cannot be done with such a mechanism.
    pub unsolvable: bool,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(place: Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        let (message, label) = (message.into(), label.into());
        Self { severity: Severity::Error, message, label, path: None, place, help: None, unsolvable: false }
    }

    /// Says how to mend it.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }
}

/// All mistakes of one problem file, with the text they refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    /// Name of the file as the user gave it.
    pub file: String,
    /// Text of the file.
    pub text: String,
    /// The mistakes.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No mistakes yet in this file.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), text: text.into(), list: Vec::new() }
    }

    /// No mistakes yet in this document.
    pub fn of(document: &Document) -> Self {
        Self::new(document.file(), document.text())
    }

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Adds an error about the value at a key path (or, where there is none, about its nearest ancestor).
    ///
    /// Entries of arrays are addressed by their index: `["gravity", "1"]`.
    pub fn error<S: AsRef<str>>(
        &mut self,
        document: &Document,
        path: &[S],
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        self.error_at(document, path, document.value_place(path), message, label)
    }

    /// Adds an error with the caret at the key, not the value.
    pub fn error_at_key<S: AsRef<str>>(
        &mut self,
        document: &Document,
        path: &[S],
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        self.error_at(document, path, document.key_place(path), message, label)
    }

    /// Adds an error about a key path with the caret at a given place, such as [`Document::place_in_string`].
    pub fn error_at<S: AsRef<str>>(
        &mut self,
        document: &Document,
        path: &[S],
        place: Place,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        let path = (!path.is_empty()).then(|| document.path_text(path));
        self.push(Diagnostic { path, ..Diagnostic::error(place, message, label) })
    }

    /// Adds a warning about the value at a key path.
    pub fn warning<S: AsRef<str>>(
        &mut self,
        document: &Document,
        path: &[S],
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        let diagnostic = self.error(document, path, message, label);
        diagnostic.severity = Severity::Warning;
        diagnostic
    }

    /// Whether there is no mistake at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of errors, warnings not counted.
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Orders by position: the file from top to bottom, then the overrides in turn, then the rest.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| match &d.place {
            Place::File { span } => (0, 0, span.start),
            Place::Override { index, span, .. } => (1, *index, span.start),
            Place::Nowhere => (2, 0, 0),
        });
    }

    /// Line and column of a mistake, both counted from 1, columns in characters.
    pub fn position(&self, diagnostic: &Diagnostic) -> Option<(usize, usize)> {
        match &diagnostic.place {
            Place::File { span } => Some(line_and_column(&self.text, span.start)),
            Place::Override { text, span, .. } => Some(line_and_column(text, span.start)),
            Place::Nowhere => None,
        }
    }
}

/// Line and column of a byte offset, both counted from 1; a byte order mark has no column.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.char_indices().take_while(|(i, _)| *i < offset).map(|(_, c)| c);
    before.fold((1, 1), |(line, column), c| match c {
        '\n' => (line + 1, 1),
        '\u{feff}' => (line, column),
        _ => (line, column + 1),
    })
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.list {
            match (&diagnostic.place, self.position(diagnostic)) {
                (Place::Override { text, .. }, _) => write!(f, "{text}: ")?,
                (_, Some((line, column))) => write!(f, "{}:{line}:{column}: ", self.file)?,
                (_, None) => write!(f, "{}: ", self.file)?,
            }
            writeln!(f, "{}", diagnostic.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
