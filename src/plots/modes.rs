//! The first mode shapes above frequency zero, each in a small panel: the equilibrium, the shape and the opposite phase.
//! Plane shapes are drawn in their plane, others in perspective, all with one scale.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{BELOW, BELOW_BARE, Legend, Rect};
use super::canvas::{Align, Canvas, Point, thinned};
use super::mode_shape::{Deflection, Shown};
use super::panels::{draw_title, title_room};
use super::perspective::{Labels, Perspective};
use super::picture::Drawing;
use super::style::{CURVE, HEIGHT, LEADING, MARGIN, REFERENCE, SMALL, Stroke, THIN, WIDTH};
use super::ticks::{Range, shortened, significant};
use super::views::{View, equal_axes, shown, views};
use crate::results::{ModeShape, Outcome};

/// Most modes shown.
const COUNT: usize = 6;
/// Most panels side by side.
const COLUMNS: usize = 3;
/// Room above a panel for its title.
const CAPTION: f64 = SMALL + 14.0;
/// Distance of panels side by side.
const GUTTER: f64 = 22.0;
/// Least height of a panel.
const LEAST: f64 = 90.0;

/// The drawing of the modes of a result.
#[derive(Debug, Clone)]
pub(super) struct ModesDrawing {
    title: String,
    panels: Vec<(String, Shown)>,
    extents: [Option<Range>; 3],
    legend: Legend,
    layout: Layout,
}

/// Where the panels are.
#[derive(Debug, Clone, Copy)]
struct Layout {
    columns: usize,
    /// Width and height of a panel.
    panel: (f64, f64),
    /// Room for labels left of and below each panel, and below the last.
    left: f64,
    below: f64,
    last: f64,
}

/// Whether there are modes with shapes.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    outcome.modes.iter().any(|mode| mode.rods.iter().any(|rod| rod.s.len() > 1))
}

/// The drawing of the modes of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<ModesDrawing, PlotError> {
    // Rigid motions show nothing where there are others.
    let vibrates = |mode: &&ModeShape| mode.real != 0.0 || mode.imaginary != 0.0;
    let mut modes: Vec<&ModeShape> = outcome.modes.iter().filter(vibrates).take(COUNT).collect();
    if modes.is_empty() {
        modes = outcome.modes.iter().take(COUNT).collect();
    }
    for mode in &modes {
        mode.check()?;
    }
    let panels: Vec<(String, Shown)> = modes.iter().map(|mode| (caption(mode), Shown::new(mode))).collect();
    let extent = |axis: usize| Range::of(panels.iter().flat_map(|(_, shown)| shown.points()).map(|p| p[axis]));
    let mut extents = [0, 1, 2].map(extent);
    // Shapes in the plane have no third coordinate.
    extents[2] = extents[2].filter(|z| z.low != 0.0 || z.high != 0.0);
    let mut legend = Legend::default();
    legend.line(rest_stroke(), "equilibrium");
    legend.line(stroke(Deflection::Forth), "mode shape, scaled");
    let buckling = modes.iter().any(|mode| mode.load_factor.is_some());
    legend.line(stroke(Deflection::Back), if buckling { "to the other side" } else { "opposite phase" });
    if panels.iter().any(|(_, shown)| shown.lines.iter().any(|(deflection, _)| *deflection == Deflection::Quarter)) {
        legend.line(stroke(Deflection::Quarter), "a quarter period later");
    }
    if plane(extents).is_none() {
        // The boxes are too small for numbers.
        let [x, y, z] = shown(extents).map(|range| shortened(range.length(), 3));
        legend.note(format!("box {x} m × {y} m × {z} m"));
    }
    let title = outcome.report.title.clone();
    let layout = Layout::new(panels.len(), extents, title_room(&title))?;
    Ok(ModesDrawing { title, panels, extents, legend, layout })
}

/// `mode 3: 8.558 rad/s (1.362 Hz)`, or the eigenvalue and the damping ratio, or the critical load factor.
fn caption(mode: &ModeShape) -> String {
    let ModeShape { number, real, imaginary, .. } = *mode;
    if let Some(factor) = mode.load_factor {
        return format!("mode {number}: load factor {}", significant(factor, 6));
    }
    let size = real.hypot(imaginary);
    if real.abs() <= 1e-9 * size {
        let hertz = significant(mode.frequency_hz(), 4);
        format!("mode {number}: {} rad/s ({hertz} Hz)", significant(imaginary.abs(), 4))
    } else if imaginary.abs() <= 1e-9 * size {
        format!("mode {number}: {} 1/s, no oscillation", significant(real, 4))
    } else {
        let (real, imaginary) = (significant(real, 3), significant(imaginary.abs(), 4));
        format!("mode {number}: {real} ± {imaginary}i 1/s, ζ = {}", significant(mode.damping_ratio(), 2))
    }
}

fn rest_stroke() -> Stroke {
    Stroke::solid(REFERENCE, THIN)
}

fn stroke(deflection: Deflection) -> Stroke {
    let index = match deflection {
        Deflection::Forth => 0,
        Deflection::Back => 1,
        Deflection::Quarter => 2,
    };
    Stroke { width: 0.85 * CURVE, ..Stroke::curve(index) }
}

/// The plane in which everything is seen, or `None` if it takes a view in space.
fn plane(extents: [Option<Range>; 3]) -> Option<View> {
    match *views(extents).as_slice() {
        [view] => Some(view),
        _ => None,
    }
}

impl Layout {
    /// As many columns as make the panels largest.
    fn new(count: usize, extents: [Option<Range>; 3], top: f64) -> Result<Self, PlotError> {
        let ranges = shown(extents);
        let Some(view) = plane(extents) else {
            let each = |columns: usize| {
                let (width, most) = Self::free(count, columns, [0.0; 3], top);
                let height = Perspective::height(ranges, width, Labels::Names)?;
                let panel = (width, height.min(most));
                Ok((panel.1 / height * width, Self { columns, panel, left: 0.0, below: 0.0, last: 0.0 }))
            };
            return Ok(largest((1..=COLUMNS.min(count)).map(each).collect::<Result<Vec<_>, PlotError>>()?, each(1)?.1));
        };
        let lengths = (ranges[view.right].length(), ranges[view.up].length());
        let fit = |columns: usize, left: f64| {
            let (width, most) = Self::free(count, columns, [left, BELOW_BARE, BELOW], top);
            let scale = (width / lengths.0).min(most / lengths.1);
            let panel = (width, (scale * lengths.1).max(LEAST));
            (scale, Self { columns, panel, left, below: BELOW_BARE, last: BELOW })
        };
        let best =
            |left: f64| largest((1..=COLUMNS.min(count)).map(|columns| fit(columns, left)).collect(), fit(1, left).1);
        // The ticks decide the room for their labels, and the room decides the ticks.
        let mut left = 0.0f64;
        for _ in 0..2 {
            let (width, height) = best(left).panel;
            let rect = Rect { left: 0.0, top: 0.0, right: width, bottom: height };
            left = left.max(equal_axes(view, ranges, rect, 0.0, true).needed_room()?);
        }
        Ok(best(left))
    }

    /// Width of each panel and its largest height, if there is room for labels left of, below and at the end.
    fn free(count: usize, columns: usize, [left, below, last]: [f64; 3], top: f64) -> (f64, f64) {
        let rows = count.div_ceil(columns) as f64;
        let width = (WIDTH - 2.0 * MARGIN - (columns - 1) as f64 * GUTTER) / columns as f64 - left;
        let free = HEIGHT - top - LEADING - last - MARGIN - (rows - 1.0) * below;
        (width, (free / rows - CAPTION).max(LEAST))
    }

    fn rows(&self, count: usize) -> f64 {
        count.div_ceil(self.columns) as f64
    }
}

/// The layout of the largest scale.
fn largest(layouts: Vec<(f64, Layout)>, otherwise: Layout) -> Layout {
    let better = |a: (f64, Layout), b: (f64, Layout)| if b.0 > a.0 { b } else { a };
    layouts.into_iter().reduce(better).map_or(otherwise, |(_, layout)| layout)
}

impl Drawing for ModesDrawing {
    fn size(&self) -> (f64, f64) {
        let Layout { columns, panel, left, below, last } = self.layout;
        let rows = self.layout.rows(self.panels.len());
        let width = columns as f64 * (panel.0 + left) + (columns - 1) as f64 * GUTTER + 2.0 * MARGIN;
        let height = rows * (CAPTION + panel.1) + (rows - 1.0) * below + last;
        (width, title_room(&self.title) + LEADING + height + MARGIN)
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let Layout { columns, panel: (width, height), left, below, .. } = self.layout;
        let top = title_room(&self.title);
        draw_title(canvas, &self.title, MARGIN + left, self.size().0)?;
        self.legend.draw_row(canvas, (MARGIN + left, top + 0.3 * LEADING))?;
        for (i, (caption, shapes)) in self.panels.iter().enumerate() {
            let (row, column) = ((i / columns) as f64, (i % columns) as f64);
            let x = MARGIN + left + column * (width + left + GUTTER);
            let y = top + LEADING + CAPTION + row * (CAPTION + height + below);
            let caption = canvas.fit(caption, SMALL, width + 0.5 * GUTTER);
            canvas.text(&caption, (x, y - 8.0), SMALL, Align::Left)?;
            let rect = Rect { left: x, top: y, right: x + width, bottom: y + height };
            match plane(self.extents) {
                Some(view) => {
                    let lowest = i + columns >= self.panels.len();
                    let axes = equal_axes(view, shown(self.extents), rect, left, lowest);
                    axes.grid(canvas)?;
                    draw_shapes(canvas, shapes, &|p| axes.at(p[view.right], p[view.up]))?;
                    axes.frame(canvas)?;
                }
                None => {
                    let seen = Perspective::new(shown(self.extents), rect, Labels::Names)?;
                    seen.draw(canvas, Labels::Names)?;
                    draw_shapes(canvas, shapes, &|p| seen.at(p))?;
                }
            }
        }
        Ok(())
    }
}

fn draw_shapes<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    shown: &Shown,
    place: &dyn Fn([f64; 3]) -> Point,
) -> Result<(), PlotError> {
    let points = |line: &[[f64; 3]]| thinned(&line.iter().map(|p| place(*p)).collect::<Vec<Point>>(), 1.5);
    for line in &shown.rest {
        canvas.line(&points(line), &rest_stroke())?;
    }
    for (deflection, line) in &shown.ribs {
        canvas.line(&points(line), &Stroke::solid(stroke(*deflection).colour, THIN))?;
    }
    for (deflection, line) in shown.lines.iter().rev() {
        canvas.line(&points(line), &stroke(*deflection))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    fn mode(real: f64, imaginary: f64) -> ModeShape {
        ModeShape { number: 3, real, imaginary, ..ModeShape::default() }
    }

    #[test]
    fn captions_tell_frequency_or_eigenvalue() {
        for ((real, imaginary), wanted) in [
            ((0.0, 8.5578), "mode 3: 8.558 rad/s (1.362 Hz)"),
            ((1e-12, 8.5578), "mode 3: 8.558 rad/s (1.362 Hz)"),
            ((-0.7341, 8.5264), "mode 3: −0.734 ± 8.526i 1/s, ζ = 0.086"),
            ((-3.0, 0.0), "mode 3: −3.000 1/s, no oscillation"),
            ((0.0, 0.0), "mode 3: 0 rad/s (0 Hz)"),
        ] {
            assert_eq!(caption(&mode(real, imaginary)), wanted);
        }
    }

    #[test]
    fn panels_are_in_the_plane_if_the_shapes_are() {
        let flat = drawing(&forward_sample::plane_modes()).unwrap();
        assert!(plane(flat.extents).is_some_and(|view| (view.right, view.up) == (0, 1)));
        let spatial = drawing(&forward_sample::space_modes()).unwrap();
        assert!(plane(spatial.extents).is_none());
        assert_eq!((flat.panels.len(), spatial.panels.len()), (6, 6));
        for drawing in [flat, spatial] {
            let (width, height) = drawing.size();
            assert!(width <= WIDTH + 1e-9 && height <= 1.1 * HEIGHT, "{width} {height}");
        }
    }
}
