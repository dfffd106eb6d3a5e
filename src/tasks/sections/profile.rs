//! Displacement, twist and section loads over the arc length at some instants, with the least and the largest over all of them.

use super::{DISPLACEMENTS, MOST, Rod, Told};
use crate::results::Listing;

/// Instants that are told of a motion unless the user states them.
const INSTANTS: usize = 5;
/// Sections of a rod that are told at most: those of a long march would make the file unwieldy.
const SECTIONS: usize = 401;

/// One row for each section that is told at each instant that is told, rod by rod.
pub(super) fn profile(rods: &[Rod<'_>], dimension: usize, which: Told<'_>, moving: Option<[f64; 2]>) -> Listing {
    let mut quantities: Vec<&str> = DISPLACEMENTS[..dimension].to_vec();
    for quantity in rods.iter().flat_map(|rod| rod.told) {
        if !quantities.contains(quantity) {
            quantities.push(quantity);
        }
    }
    let at = if matches!(which, Told::Equilibria(_)) { "factor" } else { "t" };
    let mut headings: Vec<String> = [at, "s"].map(str::to_owned).into();
    headings.extend(quantities.iter().map(|name| (*name).to_owned()));
    for end in ["least", "largest"] {
        headings.extend(quantities.iter().map(|name| format!("{name}_{end}")));
    }
    let mut columns: Vec<(String, Vec<f64>)> = headings.into_iter().map(|name| (name, Vec::new())).collect();
    let mut names = Vec::new();
    for rod in rods {
        let places: Vec<Option<usize>> =
            quantities[dimension..].iter().map(|name| rod.told.iter().position(|told| told == name)).collect();
        // NaN, an empty cell, where a rod has no such quantity.
        let value = |i: usize, k: usize| -> Vec<f64> {
            let (moved, values) = (rod.displacement(i, k), rod.values(i, k));
            let told = places.iter().map(|place| place.map_or(f64::NAN, |place| values[place]));
            moved.iter().copied().take(dimension).chain(told).collect()
        };
        let sections = spread(rod.field.s.len(), SECTIONS);
        let envelopes: Vec<[Vec<f64>; 2]> = sections.iter().map(|i| envelope(rod, *i, &value)).collect();
        for k in instants(rod, which, moving) {
            for (i, [least, largest]) in sections.iter().zip(&envelopes) {
                names.push(rod.field.rod.clone());
                let row = [rod.field.t[k], rod.field.s[*i]].into_iter().chain(value(*i, k));
                let row = row.chain(least.iter().copied()).chain(largest.iter().copied());
                columns.iter_mut().zip(row).for_each(|((_, column), value)| column.push(value));
            }
        }
    }
    Listing { heading: "rod".to_owned(), names, columns }
}

/// The least and the largest of all that is told of a section, over all instants.
fn envelope(rod: &Rod<'_>, i: usize, value: &dyn Fn(usize, usize) -> Vec<f64>) -> [Vec<f64>; 2] {
    let first = value(i, 0);
    let mut ends = [first.clone(), first];
    for k in 1..rod.instants() {
        for (place, value) in value(i, k).into_iter().enumerate() {
            ends[0][place] = ends[0][place].min(value);
            ends[1][place] = ends[1][place].max(value);
        }
    }
    debug_assert!(ends[0].len() <= MOST + 3);
    ends
}

/// The instants that are told: of statics all states, of a motion those nearest to what the user states, or some over the time in
/// which it moves.
fn instants(rod: &Rod<'_>, which: Told<'_>, moving: Option<[f64; 2]>) -> Vec<usize> {
    let t = &rod.field.t;
    let nearest = |wanted: f64| {
        let off = |k: &usize| (t[*k] - wanted).abs();
        (0..t.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
    };
    let mut found: Vec<usize> = match which {
        Told::Equilibria(_) => return (0..t.len()).collect(),
        Told::Motion([]) => {
            let [from, to] = moving.unwrap_or([t[0], t[t.len() - 1]]);
            let share = |k: usize| k as f64 / (INSTANTS - 1) as f64;
            (0..INSTANTS).map(|k| nearest(from + (to - from) * share(k))).collect()
        }
        Told::Motion(wanted) => wanted.iter().map(|t| nearest(*t)).collect(),
    };
    found.sort_unstable();
    found.dedup();
    found
}

/// At most so many of `count` places, both ends among them.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|k| k * (count - 1) / (most - 1)).collect()
}
