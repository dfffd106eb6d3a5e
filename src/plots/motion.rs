//! Snapshots of the rods over time, coloured by time, with the prescribed paths. Motions in space are shown from the
//! side and from above; all frames have the same scale in both directions.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Legend, Mark, Quantity, Rect};
use super::canvas::{Align, Canvas, Point, thinned};
use super::panels::{LEGEND_GAP, LEGEND_LIMIT, draw_title, title_room};
use super::picture::Drawing;
use super::snapshots::{Snapshots, moving_interval};
use super::style::{CURVE, INK, MARGIN, PATH, SMALL, Stroke, THIN, TICK, WIDTH, time_colour};
use super::ticks::{Range, Ticks};
use crate::results::{Outcome, RodField, Table};

const AXES: [&str; 3] = ["x", "y", "z"];
/// Largest height of all frames together.
const TALLEST: f64 = 700.0;
/// Room between frames for the name of a view.
const VIEW_ROOM: f64 = SMALL + 12.0;
/// Least room between the last tick label of a frame and the next frame.
const GUTTER: f64 = 16.0;
/// Colour bar: width and largest height.
const BAR: (f64, f64) = (20.0, 260.0);
/// Room between legend and colour bar for the label of the bar.
const BAR_GAP: f64 = 54.0;

/// A look along one axis: the axis shown to the right, the axis shown upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
struct View {
    right: usize,
    up: usize,
    name: &'static str,
}

const VIEWS: [View; 3] = [
    View { right: 0, up: 2, name: "side view" },
    View { right: 0, up: 1, name: "top view" },
    View { right: 1, up: 2, name: "front view" },
];

/// A prescribed path with the columns it has.
#[derive(Debug, Clone)]
struct Path {
    name: String,
    columns: [Option<Vec<f64>>; 3],
}

/// A frame of the picture.
#[derive(Debug, Clone)]
struct Frame {
    view: View,
    axes: Axes,
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
    let (frames, size) = layout(&views, extents, title_room(&title), beside, legend.height())?;
    Ok(MotionDrawing { title, rods, paths, interval, frames, legend, size, beside })
}

/// Range of one coordinate over everything shown; `None` if nothing has that coordinate.
fn extent(rods: &[Snapshots], paths: &[Path], axis: usize) -> Option<Range> {
    let shapes = rods.iter().flat_map(|rod| rod.shapes.iter()).flat_map(|(_, points)| points.iter().map(|p| p[axis]));
    let in_space = axis < 2 || rods.iter().any(|rod| rod.in_space);
    let courses = paths.iter().filter_map(|path| path.columns[axis].as_ref()).flatten().copied();
    Range::of(shapes.chain(courses)).filter(|_| in_space)
}

/// Views in which both coordinates vary, two at most; the plane of the problem if there is none.
fn views(extents: [Option<Range>; 3]) -> Vec<View> {
    let length = |axis: usize| extents[axis].map_or(0.0, Range::length);
    let largest = (0..3).map(length).fold(0.0, f64::max);
    let varies = |axis: usize| length(axis) > 1e-6 * largest;
    let seen: Vec<View> = VIEWS.into_iter().filter(|view| varies(view.right) && varies(view.up)).take(2).collect();
    match (seen.is_empty(), extents[2].is_some()) {
        (false, _) => seen,
        (true, true) => vec![VIEWS[0]],
        (true, false) => vec![VIEWS[1]],
    }
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

/// Places the frames, one above the other or side by side, whichever gives the larger scale, and finds the size of the
/// picture.
fn layout(
    views: &[View],
    extents: [Option<Range>; 3],
    top: f64,
    beside: f64,
    legend_height: f64,
) -> Result<(Vec<Frame>, (f64, f64)), PlotError> {
    let largest = extents.iter().flatten().map(|r| r.length()).fold(0.0, f64::max);
    let range = |axis: usize| {
        let range = extents[axis].unwrap_or(Range { low: 0.0, high: 0.0 });
        if largest > 0.0 { range.with_length(1.1 * range.length().max(0.05 * largest)) } else { range.padded(0.1) }
    };
    let ranges: Vec<(Range, Range)> = views.iter().map(|view| (range(view.right), range(view.up))).collect();
    let rooms = ranges.iter().map(|(_, up)| Axes::room_left(*up, 400.0)).collect::<Result<Vec<f64>, _>>()?;
    let room = rooms.iter().copied().fold(0.0, f64::max);
    let caption = if views.len() > 1 { VIEW_ROOM } else { 0.0 };
    let space = WIDTH - 2.0 * MARGIN - LEGEND_GAP - beside;

    let count = views.len() as f64;
    let sum = |f: &dyn Fn(&(Range, Range)) -> f64| ranges.iter().map(f).sum::<f64>();
    let most = |f: &dyn Fn(&(Range, Range)) -> f64| ranges.iter().map(f).fold(0.0, f64::max);
    let (across, up) = (|r: &(Range, Range)| r.0.length(), |r: &(Range, Range)| r.1.length());
    let stacked_height = TALLEST - (count - 1.0) * (BELOW + caption);
    let stacked_scale = ((space - room) / most(&across)).min(stacked_height / sum(&up));
    let row_scale = ((space - count * room - (count - 1.0) * GUTTER) / sum(&across)).min(TALLEST / most(&up));
    let stacked = stacked_scale >= row_scale;
    let scale = stacked_scale.max(row_scale);

    let least = |pixels: f64, minimum: f64| pixels.max(minimum);
    let widths: Vec<f64> = match stacked {
        true => vec![least(most(&across) * scale, 360.0); views.len()],
        false => ranges.iter().map(|r| least(across(r) * scale, 260.0)).collect(),
    };
    let heights: Vec<f64> = match stacked {
        true => ranges.iter().map(|r| least(up(r) * scale, 150.0)).collect(),
        false => vec![least(most(&up) * scale, 300.0); views.len()],
    };
    let (mut left, mut y) = (MARGIN + room, top + caption);
    let (mut right, mut bottom) = (left, y);
    let mut frames = Vec::new();
    for (i, view) in views.iter().enumerate() {
        let rect = Rect { left, top: y, right: left + widths[i], bottom: y + heights[i] };
        (right, bottom) = (rect.right, rect.bottom);
        let [x, up] = [view.right, view.up].map(|a| Quantity { name: AXES[a].to_owned(), unit: "m".to_owned() });
        let (x_range, y_range) =
            (ranges[i].0.with_length(widths[i] / scale), ranges[i].1.with_length(heights[i] / scale));
        frames.push(Frame { view: *view, axes: Axes::new(rect, x_range, y_range, Some(&x), &up) });
        if stacked {
            y = rect.bottom + BELOW + caption;
        } else {
            left = rect.right + GUTTER + room;
        }
    }
    // The column beside the frames holds the legend and the colour bar.
    let needed = top + legend_height + BAR_GAP + 0.6 * BAR.1 + 10.0 + MARGIN;
    let size = (right + LEGEND_GAP + beside + MARGIN, (bottom + BELOW + MARGIN).max(needed));
    Ok((frames, size))
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
