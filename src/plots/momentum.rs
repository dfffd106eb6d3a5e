//! Linear and angular momentum over time.

use super::PlotError;
use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, Shade, time};
use super::style::Stroke;
use crate::results::Outcome;

/// Beginning of the column names, quantity and unit of each panel.
const PANELS: [(&str, &str, &str); 2] =
    [("linear", "linear momentum", "N s"), ("angular", "angular momentum", "N m s")];

/// The drawing of the momenta of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<Panels, PlotError> {
    let table = &outcome.momentum;
    table.check()?;
    let mut panels = Vec::new();
    for (prefix, name, usual) in PANELS {
        let columns: Vec<_> = table.columns.iter().filter(|(column, _)| column.starts_with(prefix)).collect();
        let Some((first, _)) = columns.first() else { continue };
        let unit = outcome.report.units.get(first).map_or(usual, String::as_str);
        let curve = |(i, (column, values)): (usize, &&(String, Vec<f64>))| {
            let axis = column.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
            Curve { name: axis.unwrap_or(column).to_owned(), values: values.clone(), stroke: Stroke::curve(i) }
        };
        panels.push(Panel {
            quantity: Quantity { name: name.to_owned(), unit: unit.to_owned() },
            curves: columns.iter().enumerate().map(curve).collect(),
        });
    }
    let title = outcome.report.title.clone();
    Ok(Panels {
        title,
        along: time(),
        t: table.t.clone(),
        panels,
        interval: Shade::moving(outcome.report.servo_interval),
        changes: Changes::default(),
    })
}

/// Whether the result has columns that are drawn.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    let table = &outcome.momentum;
    let known = |(column, _): &(String, Vec<f64>)| PANELS.iter().any(|(prefix, ..)| column.starts_with(prefix));
    !table.is_empty() && table.columns.iter().any(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn linear_and_angular_momentum_have_panels_of_their_own() {
        let panels = |outcome: &Outcome| -> Vec<(String, String, Vec<String>)> {
            let drawing = drawing(outcome).unwrap();
            let names = |panel: &Panel| panel.curves.iter().map(|curve| curve.name.clone()).collect();
            drawing.panels.iter().map(|p| (p.quantity.name.clone(), p.quantity.unit.clone(), names(p))).collect()
        };
        let found = panels(&forward_sample::helix());
        assert_eq!(found[0], ("linear momentum".into(), "N s".into(), vec!["x".into(), "y".into(), "z".into()]));
        assert_eq!(found[1].1, "N m s");
        assert_eq!(panels(&forward_sample::swing())[1].2, ["angular"]);
    }
}
