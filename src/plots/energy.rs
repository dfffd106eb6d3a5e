//! Energies over time, each counted from its value at the start, so that their sum lies on the actuator work.

use super::PlotError;
use super::axes::Quantity;
use super::panels::{Curve, Panel, Panels, time};
use super::style::{CURVE, INK, Stroke};
use crate::results::Outcome;

/// Columns that make up the mechanical energy.
const STORED: [&str; 3] = ["kinetic", "strain", "gravity"];

/// The drawing of the energies of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<Panels, PlotError> {
    let table = &outcome.energy;
    table.check()?;
    let from_start = |values: &[f64]| -> Vec<f64> {
        let first = values.first().copied().unwrap_or(0.0);
        values.iter().map(|v| v - first).collect()
    };
    let mut total = vec![0.0; table.t.len()];
    let mut curves: Vec<Curve> = Vec::new();
    for (name, values) in table.columns.iter().filter(|(name, _)| name != "work") {
        let change = from_start(values);
        if STORED.contains(&name.as_str()) {
            total.iter_mut().zip(&change).for_each(|(sum, v)| *sum += v);
        }
        // Without gravity there is nothing to see of it.
        if name != "gravity" || values.iter().any(|v| *v != 0.0) {
            curves.push(Curve { name: name.clone(), values: change, stroke: Stroke::curve(curves.len()) });
        }
    }
    if table.columns.iter().any(|(name, _)| STORED.contains(&name.as_str())) {
        // Broad and light, so that the work, which should lie on it, is seen within it.
        let stroke = Stroke::solid((190, 190, 190), 3.0 * CURVE);
        curves.insert(0, Curve { name: "total".to_owned(), values: total, stroke });
    }
    if let Some(work) = table.column("work") {
        let stroke = Stroke { colour: INK, width: CURVE, pattern: Stroke::pattern(4) };
        curves.push(Curve { name: "actuator work".to_owned(), values: from_start(work), stroke });
    }
    let quantity = Quantity { name: "energy from start".to_owned(), unit: "J".to_owned() };
    let panels = vec![Panel { quantity, curves }];
    let interval = outcome.report.servo_interval;
    Ok(Panels { title: outcome.report.title.clone(), along: time(), t: table.t.clone(), panels, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::sample;

    fn curve<'a>(drawing: &'a Panels, name: &str) -> Option<&'a Vec<f64>> {
        drawing.panels[0].curves.iter().find(|curve| curve.name == name).map(|curve| &curve.values)
    }

    #[test]
    fn the_total_from_start_lies_on_the_work() {
        let mut outcome = sample::beam();
        // An offset of the potential must not matter.
        outcome.energy.columns[1].1.iter_mut().for_each(|v| *v += 5.0);
        let drawing = drawing(&outcome).unwrap();
        let (total, work) = (curve(&drawing, "total").unwrap(), curve(&drawing, "actuator work").unwrap());
        assert!(total.iter().zip(work).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!(work.iter().any(|w| *w > 0.1));
        assert_eq!(curve(&drawing, "strain").unwrap()[0], 0.0);
    }

    #[test]
    fn gravity_is_left_out_only_when_there_is_none() {
        let mut outcome = sample::beam();
        assert!(curve(&drawing(&outcome).unwrap(), "gravity").is_none());
        outcome.energy.columns[2].1[3] = 1.0;
        assert!(curve(&drawing(&outcome).unwrap(), "gravity").is_some());
    }
}
