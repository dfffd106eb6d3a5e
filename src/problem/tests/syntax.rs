//! Mistakes of syntax do not hide the mistakes in the rest of the file.

use super::{VALID, mistakes, mistakes_with, only_mistake, with};

#[test]
fn an_unclosed_array_is_one_mistake() {
    let (line, column, message, _) = only_mistake("from = [0.0, 0.0]", "from = [0.0, 0.0");
    assert_eq!((line, column, message.as_str()), (16, 1, "syntax error: unclosed array, expected `]`"));
    let (line, _, message, _) = only_mistake("rotary = 1.0 }", "rotary = 1.0");
    assert_eq!((line, message.as_str()), (20, "syntax error: unclosed inline table, expected `}`"));
}

#[test]
fn a_broken_entry_over_several_lines_is_one_mistake() {
    let (line, column, message, _) = only_mistake("to = [1.0, 0.0]", "to = [\n  1.0 0.0,\n  2.0,\n]");
    assert_eq!((line, column), (18, 3), "{message}");
    let all = mistakes(&with("end = 6.0\nsteps = 240", "end 6.0\nsteps 240"));
    assert_eq!(all.iter().map(|m| m.0).collect::<Vec<_>>(), [6, 7]);
}

#[test]
fn values_without_quotes_or_without_anything() {
    let (line, column, message, _) = only_mistake("x = \"cos(phi*sigma)\"", "x = cos(phi*sigma)");
    assert_eq!((line, column), (29, 5));
    assert!(message.ends_with("found `cos(phi*sigma)`"), "{message}");
    let (line, column, message, _) = only_mistake("elements = 40", "elements =");
    assert_eq!((line, column, message.as_str()), (18, 11, "syntax error: nothing found after `=`, expected a value"));
    let (line, column, _, _) = only_mistake("end = 6.0", "end 6.0");
    assert_eq!((line, column), (6, 5));
    let (line, _, _, _) = only_mistake("at = \"beam.end\"", "at = \"beam.end");
    assert_eq!(line, 28);
}

#[test]
fn duplicates_are_told_at_the_second() {
    let (line, column, message, _) = only_mistake("steps = 240", "steps = 240\nend = 7.0");
    assert_eq!((line, column, message.as_str()), (8, 1, "duplicate key `end`, expected it once"));
    let (line, column, message, _) = only_mistake("[expect]", "[rod.beam]\nmodel = \"string\"\n[expect]");
    assert_eq!((line, column, message.as_str()), (36, 6, "duplicate key `beam`, expected it once"));
}

#[test]
fn a_broken_header_takes_only_its_section_along() {
    let text =
        with("[servo.tip]", "[servo.tip").replace("space-march", "spacemarch").replace("end = 6.0", "end = true");
    let found: Vec<usize> = mistakes(&text).iter().map(|m| m.0).collect();
    assert_eq!(found, [6, 27, 34]);
}

#[test]
fn syntax_and_structure_are_told_together() {
    let text = with("from = [0.0, 0.0]", "from = [0.0, 0.0")
        .replace("gravity = [0.0, 0.0]", "gravity = [0.0, nan]")
        .replace("elements = 40", "elements = -1")
        .replace("phi = \"pi/2\"", "phi = pi/2")
        .replace("angle = ", "angel = ");
    let found: Vec<(usize, usize)> = mistakes(&text).iter().map(|m| (m.0, m.1)).collect();
    assert_eq!(found, [(3, 17), (10, 7), (16, 1), (18, 12), (31, 1)]);
}

#[test]
fn a_string_over_many_lines_that_never_ends_is_told_where_it_starts() {
    let all = mistakes(&with("title = \"Quarter", "title = \"\"\"Quarter"));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((all[0].0, all[0].1), (1, 1));
}

#[test]
fn numbers_beyond_the_machine_are_refused() {
    let (line, column, message, _) = only_mistake("elements = 40", "elements = 99999999999999999999");
    assert_eq!((line, column), (18, 12));
    assert!(message.starts_with("`99999999999999999999` cannot be read, expected a whole number between"), "{message}");
    assert_eq!(only_mistake("elements = 40", "elements = 0x").0, 18);
}

#[test]
fn columns_count_characters_and_lines_may_end_with_carriage_returns() {
    let text = with("stiffness = { axial = 1.0,", "stiffness = { \"é\" = 0, axial = true,");
    let found: Vec<(usize, usize)> = mistakes(&text).iter().map(|m| (m.0, m.1)).collect();
    assert_eq!(found, [(19, 15), (19, 32)]);
    let windows = VALID.replace("steps = 240", "steps = 2.5").replace('\n', "\r\n");
    assert_eq!(mistakes_with(&windows, &[])[0].0, (7, 9));
    assert_eq!(mistakes_with(&format!("\u{feff}{}", with("title =", "titel =")), &[])[0].0, (1, 1));
}

#[test]
fn what_is_not_toml_at_all_is_refused_quickly() {
    let all = mistakes(&"no toml here\n".repeat(400));
    assert_eq!(all.len(), 50);
    assert_eq!(all[49].0, 50);
}
