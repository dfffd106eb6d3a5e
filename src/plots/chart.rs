//! Curves of one's own over a common axis, in the style of all pictures.

use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels};
use super::style::Stroke;
use super::{Format, PlotError, picture};

/// A quantity with its unit, which may be empty, and its curves with their names.
pub type ChartPanel<'a> = ((&'a str, &'a str), Vec<(String, Vec<f64>)>);

/// A picture of panels one below the other; `along` is the common axis: its name, unit and values.
///
/// ```
/// use lariat::plots::{Format, chart};
/// let square = vec![("x²".to_owned(), vec![0.0, 1.0, 4.0])];
/// let picture = chart("A parabola", ("x", "m", &[0.0, 1.0, 2.0]), vec![(("area", "m²"), square)], Format::Png)?;
/// assert!(picture.starts_with(b"\x89PNG"));
/// # Ok::<(), lariat::plots::PlotError>(())
/// ```
pub fn chart(
    title: &str,
    along: (&str, &str, &[f64]),
    panels: Vec<ChartPanel<'_>>,
    format: Format,
) -> Result<Vec<u8>, PlotError> {
    let quantity = |(name, unit): (&str, &str)| Quantity { name: name.to_owned(), unit: unit.to_owned() };
    for (_, curves) in &panels {
        let table = crate::results::Table { t: along.2.to_vec(), columns: curves.clone() };
        table.check()?;
    }
    let panel = |(what, curves): ChartPanel<'_>| Panel {
        quantity: quantity(what),
        curves: curves
            .into_iter()
            .enumerate()
            .map(|(i, (name, values))| Curve { name, values, stroke: Stroke::curve(i) })
            .collect(),
    };
    let drawing = Panels {
        title: title.to_owned(),
        along: quantity((along.0, along.1)),
        t: along.2.to_vec(),
        panels: panels.into_iter().map(panel).collect(),
        interval: None,
        changes: Changes::default(),
    };
    picture::render(&drawing, format)
}
