//! Mistakes in problem files as the user sees them: file, line, the line itself, a caret, and advice.

use std::fmt;
use std::ops::Range;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use crate::problem::{Diagnostic, Diagnostics, Place, Severity};

/// Width in columns to which messages are wrapped.
const WIDTH: usize = 100;

/// Renders all diagnostics, one report each, and a last line that counts them.
pub fn render(diagnostics: &Diagnostics, color: bool) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_context_lines(1)
        .with_links(false)
        .without_syntax_highlighting();
    let file = Source::new(&diagnostics.file, &diagnostics.text);
    let mut out = String::new();
    for diagnostic in &diagnostics.list {
        let report = match &diagnostic.place {
            Place::File { span } => Report { diagnostic, source: Some((file.clone(), span.clone())) },
            Place::Override { text, span, .. } => {
                Report { diagnostic, source: Some((Source::new("command line", text), span.clone())) }
            }
            Place::Nowhere => Report { diagnostic, source: None },
        };
        if handler.render_report(&mut out, &report).is_err() {
            out.push_str(&diagnostic.message);
        }
        out.push('\n');
    }
    out.push_str(&summary(diagnostics));
    out
}

/// `problems/x.toml: 3 mistakes, nothing was solved`.
fn summary(diagnostics: &Diagnostics) -> String {
    let errors = diagnostics.errors();
    let warnings = diagnostics.list.len() - errors;
    let counted = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let counts = match (errors, warnings) {
        (0, 0) => return String::new(),
        (0, _) => counted(warnings, "warning"),
        (_, 0) => format!("{}, nothing was solved", counted(errors, "mistake")),
        _ => format!("{} and {}, nothing was solved", counted(errors, "mistake"), counted(warnings, "warning")),
    };
    format!("{}: {counts}\n", diagnostics.file)
}

/// One diagnostic in the form the renderer takes.
#[derive(Debug)]
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    source: Option<(Source<'a>, Range<usize>)>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|(source, _)| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (source, span) = self.source.as_ref()?;
        let span = source.within_line(span);
        let label = LabeledSpan::new(Some(self.diagnostic.label.clone()), span.start, span.len());
        Some(Box::new(std::iter::once(label)))
    }
}

/// A text with lines ended by `\n`, columns counted in characters, and no control characters for the terminal.
#[derive(Debug, Clone)]
struct Source<'a> {
    name: &'a str,
    text: String,
}

impl<'a> Source<'a> {
    fn new(name: &'a str, text: &str) -> Self {
        let visible =
            |c: char| if c.is_control() && !"\n\r\t".contains(c) { "?".repeat(c.len_utf8()) } else { c.into() };
        // A carriage return is part of a line end or nothing that can be shown.
        let mut text = text.chars().map(visible).collect::<String>().replace("\r\n", " \n").replace('\r', "?");
        // The renderer draws no caret behind the last character of a text without a final line end.
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Self { name, text }
    }

    /// The part of a span that lies in its first line, at most up to the end of the text.
    fn within_line(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.boundary(span.start.min(self.text.len().saturating_sub(1)));
        let line = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        start..self.boundary(span.end).clamp(start, line)
    }

    /// The last character boundary not after `at`.
    fn boundary(&self, at: usize) -> usize {
        (0..=at.min(self.text.len())).rev().find(|i| self.text.is_char_boundary(*i)).unwrap_or(0)
    }
}

impl SourceCode for Source<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let (first, last) = (span.offset(), span.offset() + span.len());
        let (Some(before), Some(after)) = (self.text.get(..first), self.text.get(last..)) else {
            return Err(MietteError::OutOfBounds);
        };
        // The renderer asks for no context to learn the column, and for context to show whole lines.
        let whole_lines = lines_before + lines_after > 0;
        let start = match before.rmatch_indices('\n').nth(lines_before) {
            _ if !whole_lines => first,
            Some((newline, _)) => newline + 1,
            None => 0,
        };
        let end = match after.match_indices('\n').nth(lines_after) {
            _ if !whole_lines => last,
            Some((newline, _)) => last + newline + 1,
            None => self.text.len(),
        };
        let line = self.text[..start].matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().filter(|c| *c != '\u{feff}').count();
        let data = &self.text.as_bytes()[start..end];
        let range = SourceSpan::from((start, end - start));
        let column = if whole_lines { 0 } else { column };
        let lines = self.text.matches('\n').count();
        Ok(Box::new(MietteSpanContents::new_named(self.name.to_owned(), data, range, line, column, lines)))
    }
}

#[cfg(test)]
mod tests;
