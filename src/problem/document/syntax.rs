//! Reading TOML past its syntax errors.
//!
//! A parser that stumbles over an unclosed array takes all that follows for its entries. To report each mistake
//! once, and to check the rest of the file in the same run, the entry with the first error is blanked out (offsets
//! stay) and the text is read again.

use std::ops::Range;

use toml::de::{DeTable, Error};

use super::convert::{Mistake, table_from_toml};
use super::{Node, Origin, Value};

/// More broken entries than this are not reported: the file is not TOML.
const MOST_ERRORS: usize = 50;

/// The readable part of `text`, and the mistakes in the rest.
pub(super) fn parse(text: &str) -> (Node, Vec<Mistake>) {
    let mut mistakes = Vec::new();
    let mut readable = text.to_owned();
    for _ in 0..MOST_ERRORS {
        let Some(error) = first_error(&readable) else { break };
        let broken = broken_entry(&readable, &error);
        mistakes.push(broken.mistake);
        blank(&mut readable, broken.span);
    }
    let (table, errors) = DeTable::parse_recoverable(&readable);
    let table = if errors.is_empty() {
        table_from_toml(table.get_ref(), Origin::File, 0, &mut mistakes)
    } else {
        Default::default()
    };
    (Node { value: Value::Table(table), span: 0..0, key_span: None, origin: Origin::File }, mistakes)
}

struct Broken {
    /// What must go for the rest to be readable.
    span: Range<usize>,
    mistake: Mistake,
}

fn first_error(text: &str) -> Option<Error> {
    DeTable::parse_recoverable(text).1.into_iter().min_by_key(|e| e.span().map_or(0, |span| span.start))
}

fn reads(text: &str) -> bool {
    DeTable::parse(text).is_ok()
}

fn broken_entry(text: &str, error: &Error) -> Broken {
    let at = error.span().unwrap_or(0..0);
    let at = at.start.min(text.len())..at.end.min(text.len());
    let line = line_start(text, at.start);
    // All before the first error is in order, so the entry starts at the last line before which the text reads.
    let mut start = line;
    while start > 0 && !reads(&text[..start]) {
        start = line_start(text, start - 1);
    }
    let next_entry_follows = start < line && starts_entry(&text[line..line_end(text, line)]);
    let end = if next_entry_follows { line } else { end_of_entry(text, start, line) };

    let entry = text[start..end].trim_end();
    if start < line && (next_entry_follows || at.start >= start + entry.len()) {
        let inner = DeTable::parse_recoverable(&text[start..end]).1;
        let last = inner.iter().max_by_key(|e| e.span().map_or(0, |span| span.start));
        if let Some(unclosed) = last.filter(|e| e.span().is_some_and(|span| span.start >= entry.len())) {
            let opening = start..start + text[start..line_end(text, start)].trim_end().len();
            let message = format!("syntax error: {}", plain(unclosed.message()));
            return Broken { span: start..end, mistake: (opening, message, "this entry is never closed".to_owned()) };
        }
    }
    Broken { span: start..end, mistake: mistake_at(text, at, error) }
}

fn mistake_at(text: &str, at: Range<usize>, error: &Error) -> Mistake {
    let line = line_start(text, at.start);
    if at.is_empty() && text.get(line..at.start).is_some_and(|before| before.trim_end().ends_with('=')) {
        let message = "syntax error: nothing found after `=`, expected a value".to_owned();
        return (at, message, "value missing".to_owned());
    }
    if error.message() == "duplicate key" {
        let key = quoted(text.get(at.clone()).unwrap_or_default());
        return (at, format!("duplicate key {key}, expected it once"), "written before".to_owned());
    }
    let rest = text.get(at.start..line_end(text, at.start)).unwrap_or_default().trim_end();
    let label = match text.get(at.clone()).unwrap_or_default() {
        "" if rest.is_empty() => "found the end of the line".to_owned(),
        "" => format!("found {}", quoted(rest)),
        found => format!("found {}", quoted(found)),
    };
    (at, format!("syntax error: {}, {label}", plain(error.message())), label)
}

/// The parser's words without what says nothing.
fn plain(message: &str) -> &str {
    message.strip_suffix(", expected nothing").unwrap_or(message)
}

fn quoted(found: &str) -> String {
    let short: String = found.chars().take(30).flat_map(char::escape_debug).collect();
    let dots = if found.chars().count() > 30 { "…" } else { "" };
    format!("`{short}{dots}`")
}

/// End of the entry that starts at `start` and is broken in the line at `line`.
///
/// A broken header takes its section with it: its keys would be taken for those of the section before.
fn end_of_entry(text: &str, start: usize, line: usize) -> usize {
    let is_header = text[start..].trim_start().starts_with('[');
    let mut end = line_end(text, line);
    while end < text.len() {
        let next = &text[end..line_end(text, end)];
        let over = if is_header {
            is_section_header(next)
        } else {
            !has_open_bracket(&text[start..end]) || next.trim().is_empty() || starts_entry(next)
        };
        if over {
            break;
        }
        end = line_end(text, end);
    }
    end
}

/// Whether an entry goes on in the next line; brackets in strings and comments count too, for want of a parse.
fn has_open_bracket(entry: &str) -> bool {
    entry.matches(['[', '{']).count() > entry.matches([']', '}']).count()
}

/// Whether a line by itself begins an entry or a section.
fn starts_entry(line: &str) -> bool {
    if is_section_header(line) || line.trim_start().starts_with('#') {
        return true;
    }
    // A key may be quoted and contain `=`, so each `=` is tried.
    line.match_indices('=').any(|(at, _)| reads(&format!("{} = 0", &line[..at])))
}

fn is_section_header(line: &str) -> bool {
    let name = line.trim_start().trim_start_matches('[');
    line.trim_start().starts_with('[') && name.starts_with(|c: char| c.is_alphabetic() || c == '"') && reads(line)
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

/// Just past the newline of the line that contains `at`.
fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| at + newline + 1)
}

fn blank(text: &mut String, span: Range<usize>) {
    let blanks: String = text[span.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(span, &blanks);
}
