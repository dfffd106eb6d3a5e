//! What can move, in words.

use std::fmt::Write;

use crate::results::{Cluster, Mobility, Overlap};

/// Most clusters, overlaps and names in a row that are told; `result.json` of `[task.mobility]` holds all.
const MOST: usize = 12;

/// Lines about the mobility of a mechanism.
pub fn words(found: &Mobility) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let rods = if found.rigid_rods { ", rods as rigid links" } else { "" };
    let parts = match found.framework {
        true => format!(
            "framework of {}, {}",
            count(found.links, "point"),
            count_of(found.joints, "bar or support", "bars and supports")
        ),
        false => format!("{} besides the ground, {}", count(found.links, "link"), count(found.joints, "joint")),
    };
    let _ = writeln!(out, "  mobility{rods}: {}", motions(found));
    let _ = writeln!(out, "    {parts}; {}", counts(found));
    singular(found, &mut out);
    overlaps(found, &mut out);
    clusters(&found.clusters, &mut out);
    if !found.locked.is_empty() {
        let _ = writeln!(out, "    locked: {} cannot move", some(&found.locked));
    }
    if let Some(smallest) = found.smallest_singular_value {
        let least = match found.neglected_singular_value {
            Some(neglected) => format!(", next {neglected:.1e}"),
            None => String::new(),
        };
        let clear = if found.clear { "" } else { ": NOT CLEAR, give positions and axes with more digits" };
        let _ = writeln!(out, "    smallest singular value that counts {smallest:.1e} of the largest{least}{clear}");
    }
    out
}

/// The verdict in one line.
fn motions(found: &Mobility) -> String {
    let (small, finite, whole) = (found.infinitesimal, found.finite, found.rigid_motions);
    let moves = match finite {
        0 => format!("nothing can move (infinitesimal {small}, finite 0)"),
        _ => format!("{} of freedom (infinitesimal {small}, finite {finite})", count(finite, "degree")),
    };
    let change_it = |number: usize| if number == 1 { "changes its shape" } else { "change its shape" };
    match (whole, finite.saturating_sub(whole), small - whole) {
        (0, ..) => moves,
        // One part alone has three motions as a whole in the plane and six in space.
        (_, 0, 0) if found.framework && whole == 3 * found.dimension.saturating_sub(1) => {
            format!("{moves}, all as a whole: it is rigid")
        }
        (_, 0, 0) => format!("{moves}, {whole} as a whole"),
        (_, change, first) if change == first => {
            format!("{moves}, {whole} as a whole and {change} that {}", change_it(change))
        }
        (_, change, first) => {
            format!(
                "{moves}, {whole} as a whole; at first order {first} more that {}, of which {change} finite",
                change_it(first)
            )
        }
    }
}

fn counts(found: &Mobility) -> String {
    let Mobility { freedoms, conditions, count, .. } = found;
    let name = match (found.framework, found.dimension) {
        (true, _) => "Maxwell",
        (false, 2) => "Grübler",
        (false, _) => "Kutzbach",
    };
    let base = format!("count by {name} {freedoms} - {conditions} = {count}");
    match (found.count_in_other_dimension, found.dimension) {
        (Some(other), 2) => format!("{base}, of the same in space (6 a link) {other}"),
        (Some(other), _) => format!("{base}, as a linkage of the plane (3 a link) {other}"),
        (None, _) if found.framework && found.rigid_motions > 0 => {
            format!("{base}, {} without the motions as a whole", count - found.rigid_motions as i64)
        }
        (None, _) => base,
    }
}

/// Singular configurations.
fn singular(found: &Mobility, out: &mut String) {
    let Mobility { infinitesimal, finite, rigid_motions, branches, configurations, .. } = found;
    if infinitesimal <= finite {
        return;
    }
    let _ = match (finite - rigid_motions, branches.as_slice()) {
        (0, _) => writeln!(out, "    singular configuration: it shakes at first order but does not move"),
        (_, several) => {
            let numbers: Vec<String> = several.iter().map(ToString::to_string).collect();
            writeln!(
                out,
                "    singular configuration: a dead centre or branch point, from which motions with {} of freedom lead away ({configurations} configurations looked at)",
                match several {
                    [1] => "1 degree".to_owned(),
                    _ => format!("{} degrees", numbers.join(" or ")),
                }
            )
        }
    };
}

fn overlaps(found: &Mobility, out: &mut String) {
    if found.redundant == 0 {
        if found.conditions > 0 {
            let _ = writeln!(out, "    no redundant conditions");
        }
        return;
    }
    let what = match found.framework {
        true => count_of(found.redundant, "state of self-stress", "states of self-stress"),
        false => count_of(found.redundant, "redundant condition", "redundant conditions"),
    };
    let _ = writeln!(out, "    {what}:");
    for overlap in found.overlaps.iter().take(MOST) {
        let _ = writeln!(out, "      {}", repeated(overlap));
    }
    if found.overlaps.len() > MOST {
        let _ = writeln!(out, "      ... and {} more groups", found.overlaps.len() - MOST);
    }
    if found.rigid_rods && found.solver_overlaps().is_empty() {
        let _ = writeln!(out, "    these only strain the rods: where rods deform, no condition is redundant");
    }
}

/// `a, b, c: 2 redundant conditions; z of joint c, axis of joint c could be left out`.
pub fn repeated(overlap: &Overlap) -> String {
    let conditions = match overlap.times {
        1 => "1 redundant condition".to_owned(),
        times => format!("{times} redundant conditions"),
    };
    format!("{}: {conditions}; {} could be left out", some(&overlap.joints), some(&merged(&overlap.removable)))
}

/// `axis of joint c` twice becomes `axis of joint c (2)`.
fn merged(names: &[String]) -> Vec<String> {
    let mut merged: Vec<(String, usize)> = Vec::new();
    for name in names {
        match merged.iter_mut().find(|(other, _)| other == name) {
            Some((_, times)) => *times += 1,
            None => merged.push((name.clone(), 1)),
        }
    }
    merged.into_iter().map(|(name, times)| if times == 1 { name } else { format!("{name} ({times})") }).collect()
}

fn clusters(found: &[Cluster], out: &mut String) {
    for cluster in found.iter().take(MOST) {
        let names = some(&cluster.parts);
        let _ = match cluster.fixed {
            true => writeln!(out, "    fixed: {names} cannot move"),
            false => writeln!(out, "    rigid: {names} move as one"),
        };
    }
    if found.len() > MOST {
        let _ = writeln!(out, "    ... and {} more rigid clusters", found.len() - MOST);
    }
}

/// The first names.
fn some(names: &[String]) -> String {
    let first: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    format!("{}{more}", first.join(", "))
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn count_of(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}
