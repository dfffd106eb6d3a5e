//! From characters to tokens.

use std::ops::Range;

use super::{CompileError, CompileErrorKind};

/// A byte range, copied freely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// From the beginning of one to the end of the other.
    pub(super) fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// An error at this place, not yet attributed to a `[let]`.
    pub(super) fn error(self, kind: CompileErrorKind) -> CompileError {
        CompileError { in_let: None, span: self.range(), kind }
    }
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    pub(super) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    Name,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    Open,
    Close,
    Comma,
    Relation(Relation),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// A letter or `_`; letters of every script, so that `φ` is a name.
fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

/// Whether a `[let]` can have this name.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(continues_name)
}

/// Whether a formula can refer to a variable of this name: a name, or one of a part of a mechanism, as `arm.x` or
/// `beam@0.5.angle`.
pub(super) fn is_variable(name: &str) -> bool {
    name.starts_with(begins_name) && name_length(name) == name.len()
}

/// The length of the name at the beginning of `rest`, which begins one. A dot belongs to it if a name follows, an `@` if a
/// number follows, with its decimals.
fn name_length(rest: &str) -> usize {
    let mut end = run(rest, continues_name);
    loop {
        let after = &rest[end..];
        let digits = |from: usize| run(&after[from..], |c| c.is_ascii_digit());
        if after.starts_with('.') && after[1..].starts_with(begins_name) {
            end += 1 + run(&after[1..], continues_name);
        } else if after.starts_with('@') && digits(1) > 0 {
            let whole = 1 + digits(1);
            let decimals = if after[whole..].starts_with('.') { digits(whole + 1) } else { 0 };
            end += whole + if decimals > 0 { 1 + decimals } else { 0 };
        } else {
            return end;
        }
    }
}

/// The bytes of `rest` before the first character that does not satisfy `accept`.
fn run(rest: &str, accept: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !accept(c)).unwrap_or(rest.len())
}

/// The length of the number at the beginning of `rest`, which begins with a digit or with `.` and a digit.
fn number_length(rest: &str) -> usize {
    let digits = |from: usize| run(&rest[from..], |c| c.is_ascii_digit());
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end += 1;
        end += digits(end);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = end + 1 + usize::from(rest[end + 1..].starts_with(['+', '-']));
        // Without digits the `e` is a name, as in `2e`.
        if digits(sign) > 0 {
            end = sign + digits(sign);
        }
    }
    end
}

/// All tokens of `text`, the last of which is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, CompileError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        let rest = &text[start..];
        let (kind, length) = match c {
            _ if c.is_whitespace() => {
                start += c.len_utf8();
                continue;
            }
            '0'..='9' => number(rest, start)?,
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(rest, start)?,
            '+' => (TokenKind::Plus, 1),
            '-' => (TokenKind::Minus, 1),
            '*' => (TokenKind::Star, 1),
            '/' => (TokenKind::Slash, 1),
            '^' => (TokenKind::Caret, 1),
            '(' => (TokenKind::Open, 1),
            ')' => (TokenKind::Close, 1),
            ',' => (TokenKind::Comma, 1),
            '<' if rest.starts_with("<=") => (TokenKind::Relation(Relation::LessOrEqual), 2),
            '<' => (TokenKind::Relation(Relation::Less), 1),
            '>' if rest.starts_with(">=") => (TokenKind::Relation(Relation::GreaterOrEqual), 2),
            '>' => (TokenKind::Relation(Relation::Greater), 1),
            _ if begins_name(c) => (TokenKind::Name, name_length(rest)),
            character => {
                let span = Span::new(start, start + character.len_utf8());
                return Err(span.error(CompileErrorKind::UnexpectedCharacter { character }));
            }
        };
        tokens.push(Token { kind, span: Span::new(start, start + length) });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: Span::new(text.len(), text.len()) });
    Ok(tokens)
}

/// The numbers that a text states, and where; none of a text that cannot be read.
///
/// ```
/// assert_eq!(lariat::kernel::numbers_in("2.5 - 1e3*s"), [(0..3, 2.5), (6..9, 1e3)]);
/// ```
pub fn numbers_in(text: &str) -> Vec<(Range<usize>, f64)> {
    let stated = |token: Token| match token.kind {
        TokenKind::Number(value) => Some((token.span.range(), value)),
        _ => None,
    };
    tokens(text).unwrap_or_default().into_iter().filter_map(stated).collect()
}

/// The number at the beginning of `rest`, which stands at `start`, and its length.
fn number(rest: &str, start: usize) -> Result<(TokenKind, usize), CompileError> {
    let length = number_length(rest);
    let text = &rest[..length];
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((TokenKind::Number(value), length)),
        _ => Err(Span::new(start, start + length).error(CompileErrorKind::NumberTooLarge { text: text.to_owned() })),
    }
}
