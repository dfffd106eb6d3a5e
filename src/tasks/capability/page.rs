//! The table as text: what `lariat capabilities` prints and the guide shows.

use std::fmt::Write;

use super::{Ability, Feature, Way};

/// Heads of the columns.
fn code(way: Way) -> &'static str {
    match way {
        Way::Statics => "ST",
        Way::Simulate => "SI",
        Way::Multirate => "S2",
        Way::Modes => "MO",
        Way::ExactModes => "MX",
        Way::Mobility => "MB",
        Way::SpaceMarch => "SM",
        Way::Characteristics => "CH",
        Way::Layers => "GL",
        Way::Global => "GG",
        Way::Sequential => "SQ",
        Way::BoundaryValue => "BV",
        Way::Optimise => "OP",
        Way::OptimalControl => "OC",
        Way::Phases => "PH",
    }
}

/// Which part each way of solving takes, and why not where it does not, in Markdown.
pub fn page() -> String {
    let mut out = String::from("# What each way of solving takes\n\n");
    out.push_str("`x` taken, `.` without meaning, `o` not built. What is in no row is taken by all.\n\n");
    let width = Feature::ALL.iter().map(|feature| feature.name().len()).max().unwrap_or(0);
    let line = |name: &str, cells: &[&str]| format!("| {name:width$} | {} |\n", cells.join(" | "));
    let heads: Vec<&str> = Way::ALL.into_iter().map(code).collect();
    out.push_str(&line("", &heads));
    out.push_str(&line(&"-".repeat(width), &vec!["--"; heads.len()]));
    for feature in Feature::ALL {
        let mark = |way: Way| match feature.ability(way) {
            Ability::Takes => "x ",
            Ability::Meaningless(_) => ". ",
            Ability::Missing(_) => "o ",
        };
        out.push_str(&line(feature.name(), &Way::ALL.map(mark)));
    }
    out.push('\n');
    for way in Way::ALL {
        let _ = writeln!(out, "- {}: {}", code(way), way.name());
    }
    out.push_str("\n## Reasons\n\n");
    for feature in Feature::ALL {
        for (ways, ability) in feature.exceptions() {
            let (word, why) = match ability {
                Ability::Takes => continue,
                Ability::Meaningless(why) => ("without meaning", why),
                Ability::Missing(why) => ("not built", why),
            };
            let ways: Vec<&str> = ways.iter().map(|way| code(*way)).collect();
            let _ = writeln!(out, "- {}, {} ({word}): {why}.", feature.name(), ways.join(" "));
        }
    }
    out
}
