//! By how much the forward simulation, driven by the computed actuation alone, misses the prescribed paths.

use std::collections::BTreeMap;

use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, Shade, time};
use super::style::{REFERENCE, Stroke, THIN};
use crate::results::Outcome;

/// Instants that differ by less than this part of the whole time are one.
const SAME: f64 = 1e-9;
/// A tolerance is drawn where some deviation reaches this part of it; else it would leave only a line at zero.
const NEAR: f64 = 0.2;
/// Tolerances.
const ALLOWED: Stroke = Stroke { colour: REFERENCE, width: 1.6 * THIN, pattern: &[7.0, 5.0] };

/// Outputs by name with what they are off by.
type Deviations = Vec<(String, Vec<f64>)>;

/// Instants that both tables have, and the differences there.
fn deviations(outcome: &Outcome) -> (Vec<f64>, Deviations) {
    let (wanted, found) = (&outcome.servo, &outcome.resimulated);
    let (Some(first), Some(last)) = (found.t.first(), found.t.last()) else { return Default::default() };
    let same = SAME * (last - first);
    let mut pairs = Vec::new();
    let mut place = 0;
    for (k, t) in found.t.iter().enumerate() {
        while wanted.t.get(place).is_some_and(|other| *other < t - same) {
            place += 1;
        }
        if wanted.t.get(place).is_some_and(|other| (other - t).abs() <= same) {
            pairs.push((k, place));
        }
    }
    let of = |(name, values): &(String, Vec<f64>)| {
        let path = wanted.column(name)?;
        Some((name.clone(), pairs.iter().map(|(k, place)| values[*k] - path[*place]).collect()))
    };
    (pairs.iter().map(|(k, _)| found.t[*k]).collect(), found.columns.iter().filter_map(of).collect())
}

/// Whether a motion was simulated along paths.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    let (t, columns) = deviations(outcome);
    let finite = columns.iter().all(|(_, values)| values.iter().all(|value| value.is_finite()));
    t.len() > 1 && !columns.is_empty() && finite
}

/// The drawing of the deviations of a result, one panel per unit.
pub(super) fn drawing(outcome: &Outcome) -> Panels {
    let (t, columns) = deviations(outcome);
    let report = &outcome.report;
    let mut panels: Vec<Panel> = Vec::new();
    let mut allowed: BTreeMap<usize, f64> = BTreeMap::new();
    for (name, values) in columns {
        let unit = report.units.get(&name).cloned().unwrap_or_default();
        let place = panels.iter().position(|panel| panel.quantity.unit == unit).unwrap_or_else(|| {
            panels.push(Panel { quantity: Quantity { name: "deviation".to_owned(), unit }, curves: Vec::new() });
            panels.len() - 1
        });
        let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let tolerance = report.verification.as_ref().and_then(|proof| proof.tolerance.get(&name).copied());
        if let Some(tolerance) = tolerance.filter(|tolerance| largest >= NEAR * tolerance) {
            let least = allowed.entry(place).or_insert(tolerance);
            *least = least.min(tolerance);
        }
        let curves = &mut panels[place].curves;
        curves.push(Curve { name, values, stroke: Stroke::curve(curves.len()) });
    }
    for (place, tolerance) in allowed {
        let bound =
            |name: &str, value: f64| Curve { name: name.to_owned(), values: vec![value; t.len()], stroke: ALLOWED };
        panels[place].curves.extend([bound("tolerance", tolerance), bound("", -tolerance)]);
    }
    let interval = Shade::moving(report.servo_interval);
    Panels { title: report.title.clone(), along: time(), t, panels, interval, changes: Changes::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::sample;
    use crate::results::Verification;

    /// A simulation on every other instant that leaves the path by a known amount.
    #[test]
    fn deviations_are_taken_at_common_instants() {
        let mut outcome = sample::beam();
        assert!(!applicable(&outcome));
        let every = |values: &[f64]| values.iter().step_by(2).copied().collect::<Vec<f64>>();
        outcome.resimulated.t = every(&outcome.servo.t);
        let off = |(name, values): &(String, Vec<f64>)| {
            (name.clone(), every(values).iter().map(|value| value + 1e-3).collect())
        };
        outcome.resimulated.columns = outcome.servo.columns.iter().map(off).collect();
        outcome.report.units.insert("tip.angle".into(), "rad".into());
        let tolerance = [("tip.x", 2e-3), ("tip.y", 1e-3), ("tip.angle", 1.0)];
        outcome.report.verification = Some(Verification {
            tolerance: tolerance.map(|(name, value)| (name.to_owned(), value)).into(),
            ..Verification::default()
        });
        assert!(applicable(&outcome));
        let drawing = drawing(&outcome);
        assert_eq!(drawing.t.len(), outcome.resimulated.t.len());
        let curves = &drawing.panels[0].curves;
        assert!(curves[1].values.iter().all(|value| (value - 1e-3).abs() < 1e-12));
        // The stricter of two tolerances bounds the panel; the far one of angles is left out.
        assert_eq!((curves[2].name.as_str(), curves[2].values[0], curves[3].values[0]), ("tolerance", 1e-3, -1e-3));
        assert_eq!((drawing.panels[1].quantity.unit.as_str(), drawing.panels[1].curves.len()), ("rad", 1));
    }
}
