//! Damaged files: never a panic, and never a file accepted that serde refuses.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::render;
use crate::problem::tests::VALID;
use crate::problem::{Place, ProblemSpec, read};

/// One damage to a text.
#[derive(Debug, Clone)]
enum Damage {
    Delete { at: usize, count: usize },
    Insert { at: usize, text: String },
    DropLine { line: usize },
    CopyLine { line: usize, to: usize },
    CutLine { line: usize, at: usize },
}

fn damage() -> impl Strategy<Value = Damage> {
    let any = 0..10_000usize;
    let piece = prop_oneof![
        "[\\[\\]{}=.,\"'#\\\\\r\n\t a-z0-9_é-]{1,3}",
        Just("nan".to_owned()),
        Just("\"\"\"".to_owned()),
        Just("[[".to_owned()),
        Just("= {".to_owned()),
        Just("\u{0}".to_owned()),
        Just("-1e400".to_owned()),
    ];
    prop_oneof![
        (any.clone(), 1..20usize).prop_map(|(at, count)| Damage::Delete { at, count }),
        (any.clone(), piece).prop_map(|(at, text)| Damage::Insert { at, text }),
        any.clone().prop_map(|line| Damage::DropLine { line }),
        (any.clone(), any.clone()).prop_map(|(line, to)| Damage::CopyLine { line, to }),
        (any.clone(), any).prop_map(|(line, at)| Damage::CutLine { line, at }),
    ]
}

fn apply(text: &str, damage: &Damage) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let count_lines = lines.len();
    match damage {
        Damage::Delete { at, count } => {
            let at = at % chars.len();
            chars.iter().take(at).chain(chars.iter().skip(at + count)).collect()
        }
        Damage::Insert { at, text } => {
            let at = at % chars.len();
            let (before, after): (String, String) = (chars[..at].iter().collect(), chars[at..].iter().collect());
            format!("{before}{text}{after}")
        }
        Damage::DropLine { line } => {
            lines.remove(line % count_lines);
            lines.concat()
        }
        Damage::CopyLine { line, to } => {
            let copy = lines[line % count_lines].clone();
            lines.insert(to % count_lines, copy);
            lines.concat()
        }
        Damage::CutLine { line, at } => {
            let line = &mut lines[line % count_lines];
            let keep = at % line.chars().count();
            *line = line.chars().take(keep).chain(['\n']).collect();
            lines.concat()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_read_or_refused(damages in prop::collection::vec(damage(), 1..5)) {
        let text = damages.iter().fold(VALID.to_owned(), |text, damage| apply(&text, damage));
        match read("x.toml", &text, &[]) {
            Ok((spec, _)) => prop_assert_eq!(spec, toml::from_str::<ProblemSpec>(&text).unwrap()),
            Err(found) => {
                prop_assert!(found.errors() > 0);
                for d in &found.list {
                    let inside = matches!(&d.place, Place::File { span } if span.end <= text.len());
                    prop_assert!(inside, "{:?}", d);
                }
                let report = render(&found, true);
                prop_assert!(report.contains("nothing was solved"));
                prop_assert!(!report.contains("Failed to read"));
            }
        }
    }

    #[test]
    fn any_override_is_read_or_refused(text in "[a-z.=\"'\\[{ é\\\\0-9]{0,12}") {
        let with_override = read("x.toml", VALID, &[text]);
        if let Err(found) = with_override {
            prop_assert!(render(&found, false).contains("nothing was solved"));
        }
    }
}
