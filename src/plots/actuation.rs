//! Forces and torques of the actuators over time, one panel per unit.

use super::PlotError;
use super::axes::Quantity;
use super::course::{limit, steps};
use super::panels::{Changes, Curve, Panel, Panels, Shade, time};
use super::style::Stroke;
use crate::results::Outcome;

/// The drawing of the actuation of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<Panels, PlotError> {
    outcome.actuation.check()?;
    let table = match outcome.controls.is_empty() {
        true => outcome.actuation.clone(),
        false => steps(&outcome.controls)?,
    };
    let mut panels: Vec<Panel> = Vec::new();
    for (name, values) in &table.columns {
        let quantity = quantity(name, outcome.report.units.get(name).map(String::as_str));
        let index = match panels.iter().position(|panel| panel.quantity == quantity) {
            Some(index) => index,
            None => {
                panels.push(Panel { quantity, curves: Vec::new() });
                panels.len() - 1
            }
        };
        let curves = &mut panels[index].curves;
        curves.push(Curve { name: name.clone(), values: values.clone(), stroke: Stroke::curve(curves.len()) });
    }
    panels.iter_mut().for_each(|panel| limit(panel, &outcome.report.limits));
    let interval = Shade::moving(outcome.report.servo_interval);
    Ok(Panels {
        title: outcome.report.title.clone(),
        along: time(),
        t: table.t,
        panels,
        interval,
        changes: Changes::default(),
    })
}

/// Quantity of a column, from its component (`base.force_x` is a force) and its unit, if the report gives one.
fn quantity(column: &str, unit: Option<&str>) -> Quantity {
    let component = column.rsplit_once('.').map_or(column, |(_, component)| component);
    let (name, usual) = match component.split('_').next() {
        Some("force") => ("force", "N"),
        Some("torque" | "moment") => ("torque", "N m"),
        _ => ("actuation", ""),
    };
    Quantity { name: name.to_owned(), unit: unit.unwrap_or(usual).to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::sample;

    #[test]
    fn columns_are_grouped_by_quantity() {
        let drawing = drawing(&sample::beam()).unwrap();
        let panels: Vec<_> = drawing
            .panels
            .iter()
            .map(|p| (p.quantity.name.as_str(), p.quantity.unit.as_str(), p.curves.len()))
            .collect();
        assert_eq!(panels, [("force", "N", 2), ("torque", "N m", 1)]);
        assert_eq!(drawing.interval, Shade::moving(Some([2.0, 4.0])));
    }

    #[test]
    fn units_default_to_those_of_the_component() {
        assert_eq!(quantity("a.b.torque_x", None), Quantity { name: "torque".into(), unit: "N m".into() });
        assert_eq!(quantity("force", Some("kN")), Quantity { name: "force".into(), unit: "kN".into() });
        assert_eq!(quantity("valve.flow", None), Quantity { name: "actuation".into(), unit: String::new() });
    }
}
