//! Reports in full.

mod mutations;

use super::render;
use crate::problem::{Diagnostic, Diagnostics, Place, read};

const TEXT: &str = "\
title = \"è\"
dimension = 2

[time]
end = 6.0
stepps = 240

[task.inverse-dynamics]
method = \"spacemarch\"
";

#[test]
fn reports_show_file_line_caret_and_advice() {
    let overrides = ["time.end=soon".to_owned()];
    let found = read("problems/x.toml", TEXT, &overrides).unwrap_err();
    let expected = r#"  × unknown key `stepps` in [time]
   ╭─[problems/x.toml:6:1]
 5 │ end = 6.0
 6 │ stepps = 240
   · ───┬──
   ·    ╰── not a key of [time]
 7 │ 
   ╰────
  help: did you mean `steps`? Keys here: start, end, steps

  × unknown choice "spacemarch" for `task.inverse-dynamics.method`: expected one of "auto",
  │ "space-march", "characteristics", "galerkin", "sequential", "boundary-value", "optimise"
   ╭─[problems/x.toml:9:10]
 8 │ [task.inverse-dynamics]
 9 │ method = "spacemarch"
   ·          ──────┬─────
   ·                ╰── not a choice
   ╰────
  help: did you mean "space-march"?

  × wrong type for `time.end`: found string "soon", expected a number
   ╭─[command line:1:16]
 1 │ --set time.end=soon
   ·                ──┬─
   ·                  ╰── expected a number
   ╰────

problems/x.toml: 3 mistakes, nothing was solved
"#;
    assert_eq!(render(&found, false), expected);
}

#[test]
fn columns_count_characters_and_control_characters_are_not_printed() {
    let text = "a = \"è\u{1b}[31m\" b\nnext";
    let mut found = Diagnostics::new("x.toml", text);
    found.push(Diagnostic::error(Place::File { span: text.len() - 6..text.len() }, "m", "l"));
    let expected = "  × m
   ╭─[x.toml:1:14]
 1 │ a = \"è?[31m\" b
   ·              ┬
   ·              ╰── l
 2 │ next
   ╰────

x.toml: 1 mistake, nothing was solved
";
    assert_eq!(render(&found, false), expected);
}

#[test]
fn colour_is_a_matter_of_the_flag() {
    let found = read("x.toml", TEXT, &[]).unwrap_err();
    assert!(render(&found, true).contains("\u{1b}["));
    assert!(!render(&found, false).contains('\u{1b}'));
}

#[test]
fn warnings_are_counted_apart() {
    let mut found = Diagnostics::new("x.toml", "a = 1\n");
    assert_eq!(render(&found, false), "");
    found.push(Diagnostic::error(Place::Nowhere, "all is wrong", "l")).help("start anew");
    found.list[0].severity = crate::problem::Severity::Warning;
    assert_eq!(render(&found, false), "  ⚠ all is wrong\n  help: start anew\n\nx.toml: 1 warning\n");
    found.push(Diagnostic::error(Place::Nowhere, "m", "l"));
    assert!(render(&found, false).ends_with("x.toml: 1 mistake and 1 warning, nothing was solved\n"));
}
