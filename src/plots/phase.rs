//! Velocity over coordinate, a panel for each coordinate, with start and end of the motion marked.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Legend, Mark, Quantity, Rect};
use super::canvas::{Canvas, Point, thinned};
use super::course::states;
use super::panels::{LEGEND_GAP, LEGEND_LIMIT, draw_title, title_room};
use super::picture::Drawing;
use super::snapshots::COSTATE;
use super::style::{HEIGHT, MARGIN, Stroke, WIDTH};
use super::ticks::Range;
use crate::results::Outcome;

/// Least distance of ticks across and up, in pixels.
const SPACING: [f64; 2] = [80.0, 42.0];
/// Most panels; further coordinates are left out.
const MOST: usize = 6;
/// Components of the orientation of a frame.
const QUATERNION: [&str; 4] = [".p0", ".p1", ".p2", ".p3"];
/// Panels side by side.
const ABREAST: usize = 3;
/// Height of a row of panels if there are several.
const ROW: f64 = 380.0;

/// One coordinate.
#[derive(Debug, Clone)]
struct Panel {
    coordinate: (Quantity, Vec<f64>),
    velocity: (Quantity, Vec<f64>),
}

/// The phase plane of each coordinate.
#[derive(Debug, Clone)]
pub(super) struct PhaseDrawing {
    title: String,
    panels: Vec<Panel>,
    legend: Legend,
}

/// Whether there is a coordinate with its velocity.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    super::course::applicable(outcome) && outcome.motion.t.len() > 1
}

/// The drawing of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<PhaseDrawing, PlotError> {
    let table = &outcome.motion;
    table.check()?;
    let quantity = |name: &str| Quantity {
        name: name.to_owned(),
        unit: outcome.report.units.get(name).cloned().unwrap_or_default(),
    };
    let shown = shown(outcome);
    let column = |name: &str| (quantity(name), table.column(name).map_or_else(Vec::new, <[f64]>::to_vec));
    let pairs = shown.iter().take(MOST);
    let panels: Vec<Panel> = pairs.map(|(q, v)| Panel { coordinate: column(q), velocity: column(v) }).collect();
    if panels.is_empty() {
        return Err(PlotError::NotApplicable(super::Kind::Phase));
    }
    let mut legend = Legend::default();
    legend.mark(Mark::Ring, "start");
    legend.mark(Mark::Dot, "end");
    if shown.len() > MOST {
        legend.note(format!("{} more in motion.csv", shown.len() - MOST));
    }
    let title = if outcome.report.title.is_empty() { &outcome.report.problem.file } else { &outcome.report.title };
    Ok(PhaseDrawing { title: title.clone(), panels, legend })
}

/// Of a mechanism the angles and ways of its joints, which stand after the costates, or else places and plane angles of frames;
/// of another system all coordinates.
fn shown(outcome: &Outcome) -> Vec<(&str, &str)> {
    let states = states(&outcome.motion);
    let columns = &outcome.motion.columns;
    let place = |name: &str| columns.iter().position(|(other, _)| other == name);
    let costates = columns.iter().rposition(|(name, _)| name.starts_with(COSTATE));
    let of_joints: Vec<_> = states.iter().copied().filter(|(name, _)| place(name) > costates).collect();
    let is_part = |name: &str| QUATERNION.iter().any(|part| name.ends_with(part));
    let frames: Vec<_> = states.iter().copied().filter(|(name, _)| !is_part(name)).collect();
    [of_joints, frames].into_iter().find(|list| !list.is_empty()).unwrap_or(states)
}

impl PhaseDrawing {
    fn rows(&self) -> usize {
        self.panels.len().div_ceil(ABREAST)
    }
}

impl Drawing for PhaseDrawing {
    fn size(&self) -> (f64, f64) {
        let rows = self.rows() as f64;
        (WIDTH, HEIGHT.max(title_room(&self.title) + rows * (ROW + BELOW) + (rows - 1.0) * LEGEND_GAP + MARGIN))
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let top = title_room(&self.title);
        let beside = self.legend.width(LEGEND_LIMIT)?;
        let count = self.panels.len().min(ABREAST) as f64;
        let height = (self.size().1 - top - MARGIN + LEGEND_GAP) / self.rows() as f64 - BELOW - LEGEND_GAP;
        let axes = |panel: &Panel, rect: Rect, room: f64| {
            let range = |values: &[f64]| {
                Range::of(values.iter().copied()).unwrap_or(Range { low: 0.0, high: 0.0 }).padded(0.06)
            };
            let ranges = [range(&panel.coordinate.1), range(&panel.velocity.1)];
            Axes::new(rect, room, ranges, SPACING, (Some(&panel.coordinate.0), &panel.velocity.0))
        };
        let mut room = 0.0f64;
        for panel in &self.panels {
            let whole = Rect { left: 0.0, top: 0.0, right: WIDTH, bottom: height };
            room = room.max(axes(panel, whole, 0.0).needed_room()?);
        }
        let width = (WIDTH - 2.0 * MARGIN - LEGEND_GAP - beside - count * room - (count - 1.0) * LEGEND_GAP) / count;
        draw_title(canvas, &self.title, MARGIN + room, WIDTH)?;
        for (i, panel) in self.panels.iter().enumerate() {
            let left = MARGIN + room + (i % ABREAST) as f64 * (width + LEGEND_GAP + room);
            let upper = top + (i / ABREAST) as f64 * (height + BELOW + LEGEND_GAP);
            let axes = axes(panel, Rect { left, top: upper, right: left + width, bottom: upper + height }, room);
            axes.grid(canvas)?;
            let states = panel.coordinate.1.iter().zip(&panel.velocity.1);
            let points: Vec<Point> = states.map(|(q, v)| axes.at(*q, *v)).collect();
            let stroke = Stroke::curve(0);
            canvas.line(&thinned(&points, 1.0), &stroke)?;
            axes.frame(canvas)?;
            // A motion that ends where it began has a dot in the ring.
            for (mark, point) in [(Mark::Ring, points.first()), (Mark::Dot, points.last())] {
                if let Some(point) = point {
                    mark.draw(canvas, *point, &stroke)?;
                }
            }
        }
        self.legend.draw(canvas, (WIDTH - MARGIN - beside, top), beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Table;

    #[test]
    fn each_coordinate_is_drawn_over_its_own_velocity() {
        let column = |name: &str, slope: f64| (name.to_owned(), vec![0.0, slope, 3.0 * slope]);
        let columns = vec![
            column("x", 1.0),
            column("a", 2.0),
            column("x_dot", 3.0),
            column("a_dot", 4.0),
            column("costate.x", 9.0),
        ];
        let mut outcome = Outcome { motion: Table { t: vec![0.0, 1.0, 2.0], columns }, ..Outcome::default() };
        assert!(!applicable(&outcome));
        outcome.report.task = "optimal-control".into();
        outcome.report.units.insert("a_dot".into(), "rad/s".into());
        assert!(applicable(&outcome));
        let drawing = drawing(&outcome).unwrap();
        let of = |panel: &Panel| (panel.coordinate.0.name.clone(), panel.velocity.0.name.clone(), panel.velocity.1[1]);
        let shown: Vec<_> = drawing.panels.iter().map(of).collect();
        assert_eq!(shown, [("x".into(), "x_dot".into(), 3.0), ("a".into(), "a_dot".into(), 4.0)]);
        assert_eq!(drawing.panels[1].velocity.0.unit, "rad/s");
    }
}
