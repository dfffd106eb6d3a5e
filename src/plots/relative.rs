//! Rates of revolute joints and deflections of rods over time.

use super::PlotError;
use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, time};
use super::style::Stroke;
use crate::results::Outcome;

/// End of the column names, quantity and unit of each panel.
const PANELS: [(&str, &str, &str); 3] = [
    (".rate", "rate of joints", "rad/s"),
    (".deflection_1", "deflection along d₁", "m"),
    (".deflection_2", "deflection along d₂", "m"),
];

/// Curves that reach less than this part of the farthest one are left out.
const NEGLIGIBLE: f64 = 0.02;

/// The drawing of the relative motions of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<Panels, PlotError> {
    let table = &outcome.relative;
    table.check()?;
    let mut panels = Vec::new();
    for (suffix, name, unit) in PANELS {
        let columns: Vec<(&str, &Vec<f64>)> =
            table.columns.iter().filter_map(|(column, values)| Some((column.strip_suffix(suffix)?, values))).collect();
        let reach = |values: &[f64]| values.iter().fold(0.0_f64, |m, value| m.max(value.abs()));
        let largest = columns.iter().map(|(_, values)| reach(values)).fold(0.0, f64::max);
        // What hardly moves would only be a line at zero; it is in relative.csv.
        let curves: Vec<Curve> = columns
            .into_iter()
            .filter(|(_, values)| reach(values) >= NEGLIGIBLE * largest)
            .enumerate()
            .map(|(i, (name, values))| Curve {
                name: name.to_owned(),
                values: values.clone(),
                stroke: Stroke::curve(i),
            })
            .collect();
        if !curves.is_empty() {
            panels.push(Panel { quantity: Quantity { name: name.to_owned(), unit: unit.to_owned() }, curves });
        }
    }
    Ok(Panels {
        title: outcome.report.title.clone(),
        along: time(),
        t: table.t.clone(),
        panels,
        interval: None,
        changes: Changes::default(),
    })
}

/// Whether the result has columns that are drawn.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    let known = |(column, _): &(String, Vec<f64>)| PANELS.iter().any(|(suffix, ..)| column.ends_with(suffix));
    !outcome.relative.is_empty() && outcome.relative.columns.iter().any(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn rates_and_deflections_have_panels_of_their_own() {
        let drawing = drawing(&forward_sample::run_up()).unwrap();
        let shown: Vec<(&str, usize)> =
            drawing.panels.iter().map(|panel| (panel.quantity.name.as_str(), panel.curves.len())).collect();
        assert_eq!(shown, [("rate of joints", 1), ("deflection along d₁", 2), ("deflection along d₂", 2)]);
        assert_eq!(drawing.panels[1].curves[1].name, "two");
    }
}
