//! What the colours of snapshots mean: a bar with numbers.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::Quantity;
use super::canvas::{Align, Canvas, Point};
use super::style::{INK, SMALL, Stroke, THIN, TICK, time_colour};
use super::ticks::{Range, Ticks};

/// Width and largest height of the bar.
const BAR: (f64, f64) = (20.0, 260.0);
/// Least height, and width with the numbers.
pub(super) const LEAST: f64 = 0.6 * BAR.1;
pub(super) const WIDTH: f64 = BAR.0 + 90.0;

/// Draws the bar of a range with its upper left corner at `at`, no lower than `bottom`; the label stands above it.
pub(super) fn draw<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    quantity: &Quantity,
    range: Range,
    at: Point,
    bottom: f64,
) -> Result<(), PlotError> {
    let height = BAR.1.min(bottom - at.1);
    let ticks = Ticks::new(range, ((height / 45.0) as usize).max(2));
    canvas.text(&ticks.axis_label(&quantity.name, &quantity.unit), (at.0, at.1 - 14.0), SMALL, Align::Left)?;
    let (left, right) = (at.0, at.0 + BAR.0);
    let bands = height.round() as usize;
    for i in 0..bands {
        let u = (i as f64 + 0.5) / bands as f64;
        let (low, high) = (i as f64 / bands as f64, (i + 1) as f64 / bands as f64);
        let y = |u: f64| at.1 + (1.0 - u) * height;
        canvas.fill_rect((left, y(high)), (right, y(low)), time_colour(u))?;
    }
    let ink = Stroke::solid(INK, THIN);
    let corners = [(left, at.1), (right, at.1), (right, at.1 + height), (left, at.1 + height), (left, at.1)];
    canvas.line(&corners, &ink)?;
    for (value, label) in ticks.values.iter().zip(&ticks.labels) {
        let y = at.1 + (range.high - value) / range.length() * height;
        canvas.line(&[(right, y), (right + TICK, y)], &ink)?;
        canvas.text_middle(label, (right + TICK + 6.0, y), SMALL, Align::Left)?;
    }
    Ok(())
}
