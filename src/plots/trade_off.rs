//! Deviation from servo paths against effort, one point for each weight of the effort.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Mark, Quantity, Rect};
use super::canvas::{Align, Canvas, Point};
use super::panels::{draw_title, title_room};
use super::picture::Drawing;
use super::style::{HEIGHT, MARGIN, SMALL, Stroke, WIDTH};
use super::ticks::Range;
use crate::results::{Outcome, TradeOff};

/// Least distance of ticks across and up, in pixels.
const SPACING: [f64; 2] = [80.0, 42.0];
/// Where the words of a point begin, from it.
const BESIDE: f64 = 12.0;
/// Share of the picture that is kept free on the right, for the words of the last point.
const ROOM: f64 = 0.12;
/// Deviations that are zero are drawn at this size.
const FLOOR: f64 = 1e-16;

/// The points of a table, those of the least effort first.
#[derive(Debug, Clone)]
pub(super) struct TradeOffDrawing {
    title: String,
    /// Weight, effort and power of ten of the deviation.
    points: Vec<[f64; 3]>,
}

/// Whether several weights were tried.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    outcome.report.tracking.as_ref().is_some_and(|tracking| tracking.trade_off.len() > 1)
}

/// The drawing of the table of a result.
pub(super) fn drawing(outcome: &Outcome) -> TradeOffDrawing {
    let report = &outcome.report;
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    let table = report.tracking.iter().flat_map(|tracking| &tracking.trade_off);
    let point = |row: &TradeOff| [row.weight, row.effort, row.deviation.max(FLOOR).log10()];
    let mut points: Vec<[f64; 3]> = table.map(point).collect();
    points.sort_by(|a, b| a[1].total_cmp(&b[1]));
    TradeOffDrawing { title: title.clone(), points }
}

impl Drawing for TradeOffDrawing {
    fn size(&self) -> (f64, f64) {
        (WIDTH, HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let range = |i: usize| {
            let values = self.points.iter().map(|point| point[i]);
            Range::of(values).unwrap_or(Range { low: 0.0, high: 0.0 }).padded(0.08)
        };
        let (mut across, up) = (range(1), range(2));
        across.high += ROOM * (across.high - across.low);
        let quantity = |name: &str| Quantity { name: name.to_owned(), unit: String::new() };
        let effort = quantity("effort, relative to what the path needs");
        let deviation = quantity("log₁₀ of deviation, relative to the size of the path");
        let axes = |rect: Rect, room: f64| Axes::new(rect, room, [across, up], SPACING, (Some(&effort), &deviation));
        let top = title_room(&self.title);
        let whole = Rect { left: 0.0, top, right: WIDTH - MARGIN, bottom: HEIGHT - BELOW - MARGIN };
        let room = axes(whole, 0.0).needed_room()?;
        let axes = axes(Rect { left: MARGIN + room, ..whole }, room);
        draw_title(canvas, &self.title, MARGIN + room, WIDTH)?;
        axes.grid(canvas)?;
        let places: Vec<Point> =
            self.points.iter().map(|[_, effort, deviation]| axes.at(*effort, *deviation)).collect();
        let stroke = Stroke::curve(0);
        canvas.line(&places, &stroke)?;
        axes.frame(canvas)?;
        for (i, ([weight, ..], (x, y))) in self.points.iter().zip(places).enumerate() {
            Mark::Disc.draw(canvas, (x, y), &stroke)?;
            // Above and below in turn: points of light weights lie close together.
            let beside = if i % 2 == 0 { y - BESIDE } else { y + BESIDE + SMALL };
            canvas.text(&format!("weight {weight:e}"), (x + BESIDE, beside), SMALL, Align::Left)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Tracking;

    #[test]
    fn points_are_sorted_by_their_effort() {
        let mut outcome = Outcome::default();
        let row = |weight: f64, deviation: f64, effort: f64| TradeOff { weight, deviation, effort };
        let table = vec![row(1e-6, 1e-4, 0.9), row(1e-2, 1e-1, 0.3)];
        outcome.report.tracking = Some(Tracking { trade_off: table[..1].to_vec(), ..Tracking::default() });
        assert!(!applicable(&outcome));
        outcome.report.tracking = Some(Tracking { trade_off: table, ..Tracking::default() });
        assert!(applicable(&outcome));
        let points = drawing(&outcome).points;
        assert_eq!((points[0], points[1]), ([1e-2, 0.3, -1.0], [1e-6, 0.9, -4.0]));
    }
}
