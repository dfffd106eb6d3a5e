//! Places of values, and what serde alone can tell.

use serde::Deserialize;

use super::super::document::Document;
use super::super::load::deserialise;
use super::super::overrides;
use super::super::{Diagnostics, Place, read};
use super::VALID;

fn shown<'a>(text: &'a str, place: &'a Place) -> &'a str {
    match place {
        Place::File { span } => &text[span.clone()],
        Place::Override { text, span, .. } => &text[span.clone()],
        Place::Nowhere => "nowhere",
    }
}

#[test]
fn keys_and_values_are_found_by_path() {
    let (_, document) = read("x.toml", VALID, &[]).unwrap();
    let value = |path: &[&str]| shown(VALID, &document.value_place(path)).to_owned();
    let key = |path: &[&str]| shown(VALID, &document.key_place(path)).to_owned();
    assert_eq!(value(&["servo", "tip", "x"]), "\"cos(phi*sigma)\"");
    assert_eq!(key(&["servo", "tip", "x"]), "x");
    assert_eq!(value(&["servo", "tip"]), "[servo.tip]");
    assert_eq!(key(&["servo", "tip"]), "tip");
    assert_eq!(value(&["rod", "beam", "to", "0"]), "1.0");
    assert_eq!(value(&["rod", "beam", "stiffness", "shear"]), "1.0");
    // What does not exist is shown at its nearest ancestor.
    assert_eq!(value(&["servo", "tip", "z"]), "[servo.tip]");
    assert_eq!(key(&["rod", "beam", "stiffness", "torsion"]), "stiffness");
    assert_eq!(document.value_place(&["body", "payload"]), Place::File { span: 0..0 });
}

#[test]
fn paths_are_written_as_in_the_file() {
    let (_, document) = read("x.toml", VALID, &[]).unwrap();
    assert_eq!(document.path_text(&["gravity", "1"]), "gravity[1]");
    assert_eq!(
        document.path_text(&["expect", "actuation.base.torque.max", "rel"]),
        "expect.\"actuation.base.torque.max\".rel"
    );
}

#[test]
fn ranges_of_strings_are_exact_where_the_literal_allows() {
    let text = "a = \"x + é\"\nb = 'x + y'\nc = \"x \\u002B y\"\nd = \"\"\"x + y\"\"\"\ne = 1\n";
    let (mut document, mut found) = Document::parse("x.toml", text);
    overrides::apply(&mut document, &["f=x + y".to_owned(), "g=\"x + y\"".to_owned()], &mut found);
    let part = |key: &str, range| {
        let place = document.place_in_string(&[key], range);
        shown(text, &place).to_owned()
    };
    assert_eq!(part("a", 4..6), "é");
    assert_eq!(part("b", 2..3), "+");
    assert_eq!(part("c", 2..3), "\"x \\u002B y\"");
    assert_eq!(part("d", 2..3), "\"\"\"x + y\"\"\"");
    assert_eq!(part("e", 0..1), "1");
    assert_eq!(part("f", 4..5), "y");
    assert_eq!(part("g", 0..3), "x +");
    assert_eq!(part("b", 3..99), "'x + y'");
    assert!(found.is_empty());
}

#[test]
fn what_only_serde_refuses_is_told_with_its_key() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Kind {
        Small { size: u8 },
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Spec {
        kind: Vec<Kind>,
    }
    let text = "kind = [{ Small = { size = 3 } },\n  { Small = { size = 300 } }]\n";
    let (document, mut found) = Document::parse("x.toml", text);
    assert!(deserialise::<Spec>(&document, &mut found).is_none());
    assert_eq!(found.position(&found.list[0]), Some((2, 22)), "{found}");
    assert_eq!(found.list[0].path.as_deref(), Some("kind[1].Small.size"));
    assert!(found.list[0].message.starts_with("`kind[1].Small.size` is whole number 300: invalid value"), "{found}");
}

#[test]
fn semantic_checks_can_add_errors_and_warnings() {
    let (_, document) = read("x.toml", VALID, &[]).unwrap();
    let mut found = Diagnostics::of(&document);
    found.warning(&document, &["rod", "beam", "elements"], "few elements", "here");
    found.error(&document, &["gravity"], "too strong", "here").help("less");
    found.sort();
    assert_eq!(found.to_string(), "x.toml:3:11: too strong\nx.toml:18:12: few elements\n");
    assert_eq!((found.errors(), found.list.len()), (1, 2));
}
