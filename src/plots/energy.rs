//! Energies over time. For inverse dynamics each is counted from its value at the start, so that their sum lies on the
//! actuator work; for a simulation kinetic and strain energy are absolute, and a second panel shows by how much the
//! balance of energy is missed, which for a conservative system is the error of the total.

use super::PlotError;
use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, Shade, load_factor, time};
use super::style::{CURVE, INK, Stroke};
use crate::results::{Outcome, Table};

/// Columns that make up the mechanical energy.
const STORED: [&str; 4] = ["kinetic", "strain", "gravity", "potential"];
/// Columns that are drawn apart from the others.
const SPECIAL: [&str; 3] = ["work", "dissipated", "total"];

/// The drawing of the energies of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<Panels, PlotError> {
    let table = &outcome.energy;
    table.check()?;
    let panels = if outcome.report.task == "simulate" { simulation(table) } else { vec![from_start_on(table)] };
    let interval = Shade::moving(outcome.report.servo_interval);
    let along = if outcome.is_static() { load_factor() } else { time() };
    Ok(Panels {
        title: outcome.report.title.clone(),
        along,
        t: table.t.clone(),
        panels,
        interval,
        changes: Changes::default(),
    })
}

fn from_start(values: &[f64]) -> Vec<f64> {
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().map(|v| v - first).collect()
}

/// Broad and light, so that what should lie on it is seen within it.
fn broad() -> Stroke {
    Stroke::solid((190, 190, 190), 3.0 * CURVE)
}

/// Whether there is nothing to see of a column, such as gravity where there is none.
fn is_zero(values: &[f64]) -> bool {
    values.iter().all(|v| *v == 0.0)
}

/// Change of the sum of the stored energies since the start; `None` if there are none.
fn stored_change(table: &Table) -> Option<Vec<f64>> {
    let stored: Vec<Vec<f64>> = STORED.iter().filter_map(|name| table.column(name)).map(from_start).collect();
    let sum = |k: usize| stored.iter().map(|change| change[k]).sum();
    (!stored.is_empty()).then(|| (0..table.t.len()).map(sum).collect())
}

fn energies(name: &str, curves: Vec<Curve>) -> Panel {
    Panel { quantity: Quantity { name: name.to_owned(), unit: "J".to_owned() }, curves }
}

/// Everything counted from the start.
fn from_start_on(table: &Table) -> Panel {
    let mut curves: Vec<Curve> = Vec::new();
    for (name, values) in table.columns.iter().filter(|(name, _)| name != "work") {
        if name != "gravity" || !is_zero(values) {
            let stroke = Stroke::curve(curves.len());
            curves.push(Curve { name: name.clone(), values: from_start(values), stroke });
        }
    }
    if let Some(total) = stored_change(table).filter(|_| table.column("total").is_none()) {
        curves.insert(0, Curve { name: "total".to_owned(), values: total, stroke: broad() });
    }
    if let Some(work) = table.column("work") {
        let stroke = Stroke { colour: INK, width: CURVE, pattern: Stroke::pattern(4) };
        curves.push(Curve { name: "actuator work".to_owned(), values: from_start(work), stroke });
    }
    energies("energy from start", curves)
}

/// Kinetic and strain energy as they are, gravity from the start, as its zero is arbitrary; work and dissipation where
/// there are; and the error of the balance E(t) − E(0) = W(t) − D(t).
fn simulation(table: &Table) -> Vec<Panel> {
    let mut curves: Vec<Curve> = Vec::new();
    for (name, values) in table.columns.iter().filter(|(name, _)| !SPECIAL.contains(&name.as_str())) {
        let (name, values) = match name.as_str() {
            "gravity" if is_zero(values) => continue,
            "gravity" => ("gravity, 0 at start".to_owned(), from_start(values)),
            name => (name.to_owned(), values.clone()),
        };
        curves.push(Curve { name, values, stroke: Stroke::curve(curves.len()) });
    }
    let change = table.column("total").map(from_start).or_else(|| stored_change(table));
    if let Some(change) = &change {
        let at_start: f64 =
            ["kinetic", "strain", "potential"].iter().filter_map(|name| table.column(name)?.first()).sum();
        let values = change.iter().map(|change| at_start + change).collect();
        curves.insert(0, Curve { name: "total".to_owned(), values, stroke: broad() });
    }
    let exchanged: Vec<(&str, &str, f64, &[f64])> = [("work", "work put in", 1.0), ("dissipated", "dissipated", -1.0)]
        .into_iter()
        .filter_map(|(column, name, sign)| table.column(column).map(|values| (column, name, sign, values)))
        .filter(|(.., values)| !is_zero(values))
        .collect();
    for (i, (_, name, _, values)) in exchanged.iter().enumerate() {
        let stroke = Stroke { colour: INK, width: CURVE, pattern: Stroke::pattern([4, 2][i % 2]) };
        curves.push(Curve { name: (*name).to_owned(), values: from_start(values), stroke });
    }
    let mut panels = vec![energies("energy", curves)];
    if let Some(mut error) = change {
        for (_, _, sign, values) in &exchanged {
            error.iter_mut().zip(from_start(values)).for_each(|(error, value)| *error -= sign * value);
        }
        let name = if exchanged.is_empty() { "error of total" } else { "error of balance" };
        let curve = Curve { name: name.to_owned(), values: error, stroke: Stroke::solid(INK, CURVE) };
        panels.push(energies("energy error", vec![curve]));
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::{forward_sample, sample};

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

    #[test]
    fn a_conservative_simulation_shows_the_error_of_its_total() {
        let mut outcome = forward_sample::swing();
        let drawing = super::drawing(&outcome).unwrap();
        let names: Vec<&str> = drawing.panels[0].curves.iter().map(|curve| curve.name.as_str()).collect();
        assert_eq!(names, ["total", "kinetic", "strain", "gravity, 0 at start"]);
        let error = &drawing.panels[1].curves[0];
        assert_eq!(error.name, "error of total");
        let largest = error.values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        assert!(largest > 1e-7 && largest < 1e-5, "{largest}");
        // The total is the sum of what is drawn.
        let sum: f64 =
            ["kinetic", "strain", "gravity, 0 at start"].map(|name| curve(&drawing, name).unwrap()[50]).iter().sum();
        assert!((curve(&drawing, "total").unwrap()[50] - sum).abs() < 1e-12);
        // The same with a column for the total, counted from another zero.
        let total: Vec<f64> = curve(&drawing, "total").unwrap().iter().map(|v| v + 3.0).collect();
        outcome.energy.columns.push(("total".into(), total));
        let again = super::drawing(&outcome).unwrap();
        let same = |name: &str| {
            curve(&again, name).unwrap().iter().zip(curve(&drawing, name).unwrap()).all(|(a, b)| (a - b).abs() < 1e-12)
        };
        assert!(same("total") && again.panels[0].curves.len() == 4);
    }

    #[test]
    fn work_and_dissipation_enter_the_balance() {
        let drawing = drawing(&forward_sample::damped()).unwrap();
        assert!(curve(&drawing, "work put in").is_some() && curve(&drawing, "dissipated").is_some());
        let error = &drawing.panels[1].curves[0];
        assert_eq!(error.name, "error of balance");
        assert!(error.values.iter().all(|e| e.abs() < 1e-12));
        let change = curve(&drawing, "total").unwrap();
        assert!((change[0] - change[change.len() - 1]).abs() > 1e-2);
    }
}
