//! Snapshots of the rods and bodies over time, coloured by time (in statics by load factor), with the prescribed paths.
//! Motions in space are shown from the side, from above and in perspective; all plane frames have the same scale in
//! both directions.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Legend, Mark, Quantity, Rect};
use super::canvas::{Align, Canvas, Point, thinned};
use super::colour_bar;
use super::panels::{LEGEND_LIMIT, draw_title, load_factor, time, title_room};
use super::perspective::{Labels, Perspective};
use super::picture::Drawing;
use super::snapshots::{Snapshots, count, moving_interval, tracks};
use super::style::{CURVE, MARGIN, PATH, REFERENCE, SHADOW, SMALL, Stroke, THIN, time_colour};
use super::ticks::{Range, shortened};
use super::views::{AXES, Frame, VIEW_ROOM, layout, shown, views};
use crate::results::{Outcome, Table};

/// Room between the perspective view and the legend below it.
const BELOW_VIEW: f64 = 12.0;
/// Room between legend and colour bar for the label of the bar.
const BAR_GAP: f64 = 54.0;
/// Width of the perspective view, and its least and largest height.
const SPATIAL: f64 = 470.0;
const SPATIAL_HEIGHTS: [f64; 2] = [220.0, 560.0];

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
    tracks: Vec<Snapshots>,
    paths: Vec<Path>,
    /// What the colours mean, and their range.
    bar: Option<(Quantity, Range)>,
    frames: Vec<Frame>,
    /// The perspective view and the height of its lower edge.
    spatial: Option<(Perspective, f64)>,
    legend: Legend,
    size: (f64, f64),
    /// Width of the column right of the frames.
    beside: f64,
}

/// Whether some rod or body has a position in the plane or in space, at some time.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    !tracks(outcome).is_empty()
}

/// Checks the numbers that pictures of a motion rely on.
pub(super) fn check(outcome: &Outcome) -> Result<(), PlotError> {
    for rod in &outcome.rods {
        if outcome.is_static() { rod.check_states() } else { rod.check() }?;
    }
    outcome.motion.check()?;
    Ok(outcome.servo.check()?)
}

/// The drawing of the motion of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<MotionDrawing, PlotError> {
    check(outcome)?;
    let found = tracks(outcome);
    let (tracks, bar): (Vec<Snapshots>, _) = if outcome.is_static() {
        let states: Vec<Snapshots> = found.iter().map(Snapshots::of_statics).collect();
        let factors = Range::of(states.iter().flat_map(|track| track.shapes.iter().map(|(factor, _)| *factor)));
        (states, factors.filter(|range| range.length() > 0.0).map(|range| (load_factor(), range)))
    } else {
        let interval = moving_interval(&found);
        let shots = found.iter().map(|track| Snapshots::of_motion(track, interval, count(&found))).collect();
        (shots, interval.map(|interval| (time(), interval)))
    };
    let paths = paths(&outcome.servo);
    let extents = [0, 1, 2].map(|axis| extent(&tracks, &paths, axis));
    let views = views(extents);
    let legend = legend(&tracks, &paths, outcome.is_static() && bar.is_none());
    let title = outcome.report.title.clone();
    let top = title_room(&title);
    // The column beside the frames holds legend and colour bar, one below the other; below a perspective view they
    // stand side by side.
    let bar_size = if bar.is_some() { (colour_bar::WIDTH, BAR_GAP + colour_bar::LEAST) } else { (0.0, 0.0) };
    let legend_size = (legend.width(LEGEND_LIMIT)?, legend.height());
    let (beside, spatial_bottom, column) = if views.len() > 1 {
        let height = Perspective::height(shown(extents), SPATIAL, Labels::Numbers)?;
        let bottom = top + VIEW_ROOM + height.clamp(SPATIAL_HEIGHTS[0], SPATIAL_HEIGHTS[1]);
        (SPATIAL, Some(bottom), bottom + BELOW_VIEW + legend_size.1.max(bar_size.1) + MARGIN)
    } else {
        (legend_size.0.max(bar_size.0), None, top + legend_size.1 + bar_size.1 + 10.0 + MARGIN)
    };
    let (frames, (width, height)) = layout(&views, extents, top, beside)?;
    let size = (width, height.max(column));
    let spatial = match spatial_bottom {
        Some(bottom) => {
            let left = width - MARGIN - beside;
            let rect = Rect { left, top: top + VIEW_ROOM, right: left + SPATIAL, bottom };
            Some((Perspective::new(shown(extents), rect, Labels::Numbers)?, bottom))
        }
        None => None,
    };
    Ok(MotionDrawing { title, tracks, paths, bar, frames, spatial, legend, size, beside })
}

/// Range of one coordinate over everything shown; `None` if nothing has that coordinate.
fn extent(tracks: &[Snapshots], paths: &[Path], axis: usize) -> Option<Range> {
    let shapes = tracks.iter().flat_map(Snapshots::points).map(|p| p[axis]);
    let in_space = axis < 2 || tracks.iter().any(|track| track.in_space);
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
    // One coordinate alone is no line.
    paths.retain(|path| path.columns.iter().flatten().count() > 1);
    paths
}

/// `single` says that there is one loaded state, whose load factor is told here as no colour bar tells it.
fn legend(tracks: &[Snapshots], paths: &[Path], single: bool) -> Legend {
    let mut legend = Legend::default();
    let rods = || tracks.iter().filter(|track| !track.body);
    for (i, rod) in rods().enumerate() {
        legend.line(rod_stroke(i, 0.4), &rod.name);
    }
    if single && let Some((factor, _)) = tracks.first().and_then(|track| track.shapes.first()) {
        legend.note(format!("at load factor {}", shortened(*factor, 4)));
    }
    if tracks.iter().any(|track| track.reference.is_some()) {
        legend.line(reference_stroke(), "without load");
    }
    match rods().filter(|rod| !rod.link).count() {
        0 => {}
        1 => legend.mark(Mark::Dot, "rod start, s = 0"),
        _ => legend.mark(Mark::Dot, "start of each rod, s = 0"),
    }
    for body in tracks.iter().filter(|track| track.body) {
        legend.mark(Mark::Disc, &body.name);
    }
    for path in paths {
        legend.line(path_stroke(), format!("path of {}", path.name));
    }
    if !paths.is_empty() {
        legend.mark(Mark::Ring, "start of path");
        legend.mark(Mark::Square, "end of path");
    }
    legend
}

fn reference_stroke() -> Stroke {
    Stroke { colour: REFERENCE, width: 1.6, pattern: &[9.0, 5.0] }
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
            self.snapshots(canvas, &|p| frame.axes.at(p[frame.view.right], p[frame.view.up]))?;
            self.courses(canvas, frame)?;
            frame.axes.frame(canvas)?;
        }
        let (x, y) = (self.size.0 - MARGIN - self.beside, title_room(&self.title));
        let (legend_at, bar_at) = match &self.spatial {
            Some((spatial, bottom)) => {
                let inner = x + 20.0;
                self.in_space(canvas, spatial, (inner, y + VIEW_ROOM - 8.0))?;
                let legend_at = (inner, bottom + BELOW_VIEW);
                (legend_at, (inner + self.legend.width(LEGEND_LIMIT)? + 40.0, legend_at.1 + BAR_GAP - 20.0))
            }
            None => ((x, y), (x, y + self.legend.height() + BAR_GAP)),
        };
        self.legend.draw(canvas, legend_at, self.beside.min(LEGEND_LIMIT))?;
        match &self.bar {
            Some((quantity, range)) => colour_bar::draw(canvas, quantity, *range, bar_at, self.size.1 - MARGIN - 10.0),
            None => Ok(()),
        }
    }
}

impl MotionDrawing {
    /// Everything but the paths, each point placed by `place`.
    fn snapshots<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        place: &dyn Fn([f64; 3]) -> Point,
    ) -> Result<(), PlotError> {
        let line = |shape: &[[f64; 3]]| shape.iter().map(|p| place(*p)).collect::<Vec<Point>>();
        for reference in self.tracks.iter().filter_map(|track| track.reference.as_ref()) {
            canvas.line(&thinned(&line(reference), 2.0), &reference_stroke())?;
        }
        let rods = self.tracks.iter().filter(|track| !track.body).enumerate();
        let bodies = self.tracks.iter().filter(|track| track.body).map(|body| (0, body));
        for (i, track) in rods.chain(bodies) {
            for (t, shape) in &track.shapes {
                let u = self.bar.as_ref().map_or(0.4, |(_, range)| (t - range.low) / range.length());
                let stroke = rod_stroke(i, u);
                let points = line(shape);
                canvas.line(&thinned(&points, 2.0), &stroke)?;
                let mark = if track.body { Mark::Disc } else { Mark::Dot };
                let marked = if track.link { points.len() } else { 1 };
                for point in points.iter().take(marked) {
                    mark.draw(canvas, *point, &stroke)?;
                }
            }
        }
        Ok(())
    }

    fn in_space<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        spatial: &Perspective,
        name_at: Point,
    ) -> Result<(), PlotError> {
        canvas.text("perspective, shadow below", name_at, SMALL, Align::Left)?;
        spatial.draw(canvas, Labels::Numbers)?;
        for (_, shape) in self.tracks.iter().flat_map(|track| &track.shapes) {
            let shadow: Vec<Point> = shape.iter().map(|p| spatial.below(*p)).collect();
            canvas.line(&thinned(&shadow, 2.0), &Stroke::solid(SHADOW, THIN))?;
        }
        self.snapshots(canvas, &|p| spatial.at(p))?;
        for path in &self.paths {
            if let [Some(x), Some(y), Some(z)] = &path.columns {
                let course = x.iter().zip(y).zip(z).map(|((x, y), z)| spatial.at([*x, *y, *z]));
                draw_course(canvas, &course.collect::<Vec<Point>>())?;
            }
        }
        Ok(())
    }

    /// Prescribed paths, as far as both coordinates of the view are prescribed.
    fn courses<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, frame: &Frame) -> Result<(), PlotError> {
        for path in &self.paths {
            let (Some(x), Some(y)) = (&path.columns[frame.view.right], &path.columns[frame.view.up]) else { continue };
            let points: Vec<Point> = x.iter().zip(y).map(|(x, y)| frame.axes.at(*x, *y)).collect();
            draw_course(canvas, &points)?;
        }
        Ok(())
    }
}

/// A prescribed path with its ends.
fn draw_course<B: DrawingBackend>(canvas: &mut Canvas<B>, points: &[Point]) -> Result<(), PlotError> {
    canvas.line(&thinned(points, 2.0), &path_stroke())?;
    let marker = Stroke::solid(PATH, CURVE);
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        Mark::Square.draw(canvas, *last, &marker)?;
        Mark::Ring.draw(canvas, *first, &marker)?;
    }
    Ok(())
}
