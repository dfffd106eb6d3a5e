//! Displacement, twist and section loads over the arc length, rod after rod, at some instants and as an envelope over all.

use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels};
use super::style::{CURVE, REFERENCE, Stroke, THIN, time_colour};
use super::ticks::shortened;
use crate::results::{Listing, Outcome};

/// A quantity that stays below this part of the largest of its unit is left out: it is in profile.csv.
const NEGLIGIBLE: f64 = 2e-3;
/// An angle, rad, below this is rounding.
const ROUNDING: f64 = 1e-6;
/// States of statics that are drawn at most.
const STATES: usize = 6;
/// The least and the largest over all instants.
const ENVELOPE: Stroke = Stroke { colour: REFERENCE, width: 1.4 * THIN, pattern: &[5.0, 4.0] };

/// Rows of one rod at one instant or load factor.
struct Piece {
    rod: String,
    at: f64,
    rows: std::ops::Range<usize>,
}

/// Consecutive rows of one rod and instant.
fn pieces(profile: &Listing) -> Vec<Piece> {
    let Some((_, at)) = profile.columns.first() else { return Vec::new() };
    let mut found: Vec<Piece> = Vec::new();
    for (row, (rod, at)) in profile.names.iter().zip(at).enumerate() {
        match found.last_mut() {
            Some(piece) if piece.rod == *rod && piece.at == *at => piece.rows.end = row + 1,
            _ => found.push(Piece { rod: rod.clone(), at: *at, rows: row..row + 1 }),
        }
    }
    found
}

/// Quantities that have an envelope, with the places of their values.
fn quantities(profile: &Listing) -> Vec<&str> {
    let names = profile.columns.iter().skip(2).map(|(name, _)| name.as_str());
    names.filter(|name| profile.column(&format!("{name}_least")).is_some()).collect()
}

/// Whether there is a profile to draw.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    outcome.profile.names.len() > 1 && !quantities(&outcome.profile).is_empty()
}

/// The drawing of the profile of a result, one panel per quantity.
pub(super) fn drawing(outcome: &Outcome) -> Panels {
    let profile = &outcome.profile;
    let pieces = pieces(profile);
    let along = profile.column("s").unwrap_or_default();
    let mut rods: Vec<&str> = Vec::new();
    let mut instants: Vec<f64> = Vec::new();
    for piece in &pieces {
        if !rods.contains(&piece.rod.as_str()) {
            rods.push(&piece.rod);
        }
        if !instants.contains(&piece.at) {
            instants.push(piece.at);
        }
    }
    let of = |rod: &str, at: Option<f64>| pieces.iter().find(|p| p.rod == rod && at.is_none_or(|at| p.at == at));
    // Rods are laid one after the other; a gap without value stands between them.
    let (mut s, mut joints, mut offset) = (Vec::new(), Vec::new(), 0.0);
    for (number, piece) in rods.iter().filter_map(|rod| of(rod, None)).enumerate() {
        if number > 0 {
            joints.push(offset);
            s.push(offset);
        }
        s.extend(along[piece.rows.clone()].iter().map(|s| offset + s));
        offset = s.last().copied().unwrap_or(offset);
    }
    let line = |name: &str, at: Option<f64>| -> Vec<f64> {
        let values = profile.column(name).unwrap_or_default();
        let mut out = Vec::with_capacity(s.len());
        for (number, rod) in rods.iter().enumerate() {
            out.extend((number > 0).then_some(f64::NAN));
            let length = of(rod, None).map_or(0, |piece| piece.rows.len());
            match of(rod, at) {
                Some(piece) => out.extend_from_slice(&values[piece.rows.clone()]),
                None => out.extend(std::iter::repeat_n(f64::NAN, length)),
            }
        }
        out
    };
    let is_static = profile.columns.first().is_some_and(|(name, _)| name == "factor");
    // The unloaded state is where displacements are counted from.
    let loaded: Vec<f64> = instants.iter().copied().filter(|at| !is_static || *at != 0.0).collect();
    let shown = spread(if loaded.is_empty() { &instants } else { &loaded }, STATES);
    let label = |at: f64| match is_static {
        true => format!("factor {}", shortened(at, 4)),
        false => format!("t = {} s", shortened(at, 4)),
    };
    let largest = |values: &[f64]| values.iter().filter(|v| v.is_finite()).fold(0.0_f64, |m, v| m.max(v.abs()));
    let most = |name: &str| {
        largest(&line(&format!("{name}_least"), None)).max(largest(&line(&format!("{name}_largest"), None)))
    };
    let unit = |name: &str| outcome.report.units.get(&format!("profile.{name}")).map_or("", String::as_str);
    let names = quantities(profile);
    let scale = |name: &str| {
        names.iter().filter(|other| unit(other) == unit(name)).map(|other| most(other)).fold(0.0, f64::max)
    };
    let seen = |name: &str| most(name) > NEGLIGIBLE * scale(name) && (unit(name) != "rad" || most(name) > ROUNDING);
    let visible: Vec<&str> = names.iter().copied().filter(|name| seen(name)).collect();
    let mut panels = Vec::new();
    for (number, name) in visible.into_iter().enumerate() {
        let named = |text: String| if number == 0 { text } else { String::new() };
        let mut curves = Vec::new();
        if shown.len() > 1 {
            for (end, text) in [("least", "least and largest"), ("largest", "")] {
                let values = line(&format!("{name}_{end}"), None);
                curves.push(Curve { name: named(text.to_owned()), values, stroke: ENVELOPE });
            }
        }
        for (k, at) in shown.iter().enumerate() {
            let share = if shown.len() > 1 { k as f64 / (shown.len() - 1) as f64 } else { 0.0 };
            let stroke = Stroke { colour: time_colour(share), width: CURVE, pattern: Stroke::pattern(k) };
            curves.push(Curve { name: named(label(*at)), values: line(name, Some(*at)), stroke });
        }
        panels.push(Panel { quantity: Quantity { name: name.replace('_', " "), unit: unit(name).to_owned() }, curves });
    }
    let axis = match rods.as_slice() {
        [rod] => format!("arc length s of {rod}"),
        list => format!("arc length s of {}", list.join(", ")),
    };
    Panels {
        title: outcome.report.title.clone(),
        along: Quantity { name: axis, unit: "m".to_owned() },
        t: s,
        panels,
        interval: None,
        changes: Changes { at: joints, words: "next rod" },
    }
}

/// At most so many of some values, both ends among them.
fn spread(values: &[f64], most: usize) -> Vec<f64> {
    match values.len() <= most {
        true => values.to_vec(),
        false => (0..most).map(|k| values[k * (values.len() - 1) / (most - 1)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rods at two instants, the second a rope that knows no bending.
    fn outcome() -> Outcome {
        let mut profile = Listing { heading: "rod".into(), ..Listing::default() };
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for name in ["t", "s", "displacement_y", "bending", "displacement_y_least", "bending_least"] {
            columns.push((name.into(), Vec::new()));
        }
        for name in ["displacement_y_largest", "bending_largest"] {
            columns.push((name.into(), Vec::new()));
        }
        for (rod, bending) in [("beam", 3.0), ("rope", f64::NAN)] {
            for t in [0.0, 2.0] {
                for s in [0.0, 0.5, 1.0] {
                    profile.names.push(rod.into());
                    let row = [t, s, 0.1 * t * s, bending * t * s, 0.0, 0.0 * bending, 0.2 * s, 2.0 * bending * s];
                    columns.iter_mut().zip(row).for_each(|((_, column), value)| column.push(value));
                }
            }
        }
        profile.columns = columns;
        Outcome { profile, ..Outcome::default() }
    }

    #[test]
    fn rods_stand_one_after_the_other_with_gaps_where_nothing_is_known() {
        let outcome = outcome();
        assert!(applicable(&outcome));
        let drawing = drawing(&outcome);
        assert_eq!(drawing.t, [0.0, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0]);
        assert_eq!(
            (drawing.changes.at.as_slice(), drawing.along.name.as_str()),
            (&[1.0][..], "arc length s of beam, rope")
        );
        let names: Vec<&str> = drawing.panels.iter().map(|panel| panel.quantity.name.as_str()).collect();
        assert_eq!(names, ["displacement y", "bending"]);
        let last = &drawing.panels[1].curves[3].values;
        assert_eq!(last[..3], [0.0, 3.0, 6.0]);
        assert!(last[3..].iter().all(|value| value.is_nan()));
        let legend: Vec<&str> = drawing.panels[0].curves.iter().map(|curve| curve.name.as_str()).collect();
        assert_eq!(legend, ["least and largest", "", "t = 0 s", "t = 2 s"]);
    }
}
