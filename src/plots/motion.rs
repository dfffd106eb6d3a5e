//! Snapshots of the rods over time, coloured by time, with the prescribed paths. Motions in space are shown from the
//! side and from above; all frames have the same scale in both directions.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Legend, Mark};
use super::canvas::{Align, Canvas, Point, thinned};
use super::panels::{LEGEND_LIMIT, draw_title, title_room};
use super::picture::Drawing;
use super::snapshots::{Snapshots, moving_interval};
use super::style::{CURVE, INK, MARGIN, PATH, SMALL, Stroke, THIN, TICK, time_colour};
use super::ticks::{Range, Ticks};
use super::views::{AXES, Frame, layout, views};
use crate::results::{Outcome, RodField, Table};

/// Colour bar: width and largest height.
const BAR: (f64, f64) = (20.0, 260.0);
/// Room between legend and colour bar for the label of the bar.
const BAR_GAP: f64 = 54.0;

/// A prescribed path with the columns it has.
#[derive(Debug, Clone)]
struct Path {
    name: String,
    columns: [Option<Vec<f64>>; 3],
}

/// The drawing of a motion.
#[derive(Debug, Clone)]
pub(super) struct MotionDrawing {
    title: String,
    rods: Vec<Snapshots>,
    paths: Vec<Path>,
    interval: Option<Range>,
    frames: Vec<Frame>,
    legend: Legend,
    size: (f64, f64),
    beside: f64,
}

/// Whether some rod has a position in the plane or in space, at some time.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    outcome.rods.iter().any(drawable)
}

fn drawable(rod: &RodField) -> bool {
    rod.field("x").is_some() && rod.field("y").is_some() && !rod.t.is_empty() && rod.s.len() > 1
}

/// The drawing of the motion of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<MotionDrawing, PlotError> {
    let fields: Vec<&RodField> = outcome.rods.iter().filter(|rod| drawable(rod)).collect();
    for rod in &fields {
        rod.check()?;
    }
    outcome.servo.check()?;
    let interval = moving_interval(&fields);
    let rods: Vec<Snapshots> = fields.iter().map(|rod| Snapshots::new(rod, interval)).collect();
    let paths = paths(&outcome.servo);
    let extents = [0, 1, 2].map(|axis| extent(&rods, &paths, axis));
    let views = views(extents);
    let legend = legend(&rods, &paths);
    let title = outcome.report.title.clone();
    let bar_width = if interval.is_some() { BAR.0 + 90.0 } else { 0.0 };
    let beside = legend.width(LEGEND_LIMIT)?.max(bar_width);
    let top = title_room(&title);
    let bar_room = if interval.is_some() { BAR_GAP + 0.6 * BAR.1 } else { 0.0 };
    // The column beside the frames holds the legend and the colour bar.
    let column = top + legend.height() + bar_room + 10.0 + MARGIN;
    let (frames, (width, height)) = layout(&views, extents, top, beside)?;
    let size = (width, height.max(column));
    Ok(MotionDrawing { title, rods, paths, interval, frames, legend, size, beside })
}

/// Range of one coordinate over everything shown; `None` if nothing has that coordinate.
fn extent(rods: &[Snapshots], paths: &[Path], axis: usize) -> Option<Range> {
    let shapes = rods.iter().flat_map(|rod| rod.shapes.iter()).flat_map(|(_, points)| points.iter().map(|p| p[axis]));
    let in_space = axis < 2 || rods.iter().any(|rod| rod.in_space);
    let courses = paths.iter().filter_map(|path| path.columns[axis].as_ref()).flatten().copied();
    Range::of(shapes.chain(courses)).filter(|_| in_space)
}

fn paths(servo: &Table) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    for (column, values) in &servo.columns {
        let Some((name, component)) = column.rsplit_once('.') else { continue };
        let Some(axis) = AXES.iter().position(|axis| *axis == component) else { continue };
        let index = paths.iter().position(|path| path.name == name).unwrap_or_else(|| {
            paths.push(Path { name: name.to_owned(), columns: [None, None, None] });
            paths.len() - 1
        });
        paths[index].columns[axis] = Some(values.clone());
    }
    paths
}

fn legend(rods: &[Snapshots], paths: &[Path]) -> Legend {
    let mut legend = Legend::default();
    for (i, rod) in rods.iter().enumerate() {
        legend.line(rod_stroke(i, 0.4), &rod.name);
    }
    legend.mark(Mark::Dot, if rods.len() > 1 { "start of each rod, s = 0" } else { "rod start, s = 0" });
    for path in paths {
        legend.line(path_stroke(), format!("path of {}", path.name));
    }
    if !paths.is_empty() {
        legend.mark(Mark::Ring, "start of path");
        legend.mark(Mark::Square, "end of path");
    }
    legend
}

/// Line of a snapshot at share `u` of the time shown; rods differ by pattern, since the colour is taken.
fn rod_stroke(rod: usize, u: f64) -> Stroke {
    let pattern = Stroke::pattern([0, 4, 3, 5][rod % 4]);
    Stroke { colour: time_colour(u), width: CURVE, pattern }
}

fn path_stroke() -> Stroke {
    Stroke { colour: PATH, width: 1.6, pattern: &[6.0, 4.0] }
}

impl Drawing for MotionDrawing {
    fn size(&self) -> (f64, f64) {
        self.size
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let left = self.frames.first().map_or(MARGIN, |frame| frame.axes.rect.left);
        draw_title(canvas, &self.title, left, self.size.0)?;
        for frame in &self.frames {
            let rect = frame.axes.rect;
            if self.frames.len() > 1 {
                canvas.text(frame.view.name, (rect.left, rect.top - 8.0), SMALL, Align::Left)?;
            }
            frame.axes.grid(canvas)?;
            self.snapshots(canvas, frame)?;
            self.courses(canvas, frame)?;
            frame.axes.frame(canvas)?;
        }
        let at = (self.size.0 - MARGIN - self.beside, title_room(&self.title));
        self.legend.draw(canvas, at, self.beside)?;
        match self.interval {
            Some(interval) => self.colour_bar(canvas, interval, (at.0, at.1 + self.legend.height() + BAR_GAP)),
            None => Ok(()),
        }
    }
}

impl MotionDrawing {
    fn snapshots<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Result<(), PlotError> {
        for (i, rod) in self.rods.iter().enumerate() {
            for (t, shape) in &rod.shapes {
                let u = self.interval.map_or(0.4, |r| (t - r.low) / r.length());
                let stroke = rod_stroke(i, u);
                let points: Vec<Point> =
                    shape.iter().map(|p| frame.axes.at(p[frame.view.right], p[frame.view.up])).collect();
                canvas.line(&thinned(&points, 2.0), &stroke)?;
                if let Some(start) = points.first() {
                    Mark::Dot.draw(canvas, *start, &stroke)?;
                }
            }
        }
        Ok(())
    }

    /// Prescribed paths, as far as both coordinates of the view are prescribed.
    fn courses<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Result<(), PlotError> {
        for path in &self.paths {
            let (Some(x), Some(y)) = (&path.columns[frame.view.right], &path.columns[frame.view.up]) else { continue };
            let points: Vec<Point> = x.iter().zip(y).map(|(x, y)| frame.axes.at(*x, *y)).collect();
            canvas.line(&thinned(&points, 2.0), &path_stroke())?;
            let marker = Stroke::solid(PATH, CURVE);
            if let (Some(first), Some(last)) = (points.first(), points.last()) {
                Mark::Square.draw(canvas, *last, &marker)?;
                Mark::Ring.draw(canvas, *first, &marker)?;
            }
        }
        Ok(())
    }

    fn colour_bar<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, time: Range, at: Point) -> Result<(), PlotError> {
        let height = BAR.1.min(self.size.1 - MARGIN - at.1 - 10.0);
        let ticks = Ticks::new(time, ((height / 45.0) as usize).max(2));
        canvas.text(&ticks.axis_label("time t", "s"), (at.0, at.1 - 14.0), SMALL, Align::Left)?;
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
            let y = at.1 + (time.high - value) / time.length() * height;
            canvas.line(&[(right, y), (right + TICK, y)], &ink)?;
            canvas.text_middle(label, (right + TICK + 6.0, y), SMALL, Align::Left)?;
        }
        Ok(())
    }
}
