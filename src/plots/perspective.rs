//! A box in space seen from a point before it: farther things look smaller. The same scale holds along all axes.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::Rect;
use super::canvas::{Align, Canvas, Point};
use super::font::{CAPITAL, Metrics};
use super::style::{GRID, INK, SMALL, Stroke, THIN, TICK, WALL};
use super::ticks::{Range, Ticks};
use super::views::AXES;

/// Where the eye is as seen from the box: turned from the x axis about z, and raised; degrees.
const DIRECTION: [f64; 2] = [-60.0, 22.0];
/// Distance of the eye from the centre of the box, in diagonals of the box.
const DISTANCE: f64 = 2.5;
/// Shortest edge that gets numbers, in pixels, and least distance of ticks along an edge.
const SHORTEST: f64 = 36.0;
const SPACING: f64 = 52.0;

/// A box and how it is seen.
#[derive(Debug, Clone)]
pub(super) struct Perspective {
    ranges: [Range; 3],
    /// Units across, upwards and towards the eye.
    basis: [[f64; 3]; 3],
    distance: f64,
    scale: f64,
    origin: Point,
}

/// What is written at the axes of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// Names, units and numbers.
    Numbers,
    /// Names only.
    Names,
}

impl Perspective {
    /// The box of these ranges, as large as fits into `rect` with its labels.
    pub fn new(ranges: [Range; 3], rect: Rect, labels: Labels) -> Result<Self, PlotError> {
        let mut seen = Self::at_origin(ranges);
        let (across, down) = seen.extent();
        let [left, right, top, bottom] = room(ranges, labels)?;
        let (width, height) = (rect.right - rect.left - left - right, rect.bottom - rect.top - top - bottom);
        let scale = (width / across.length()).min(height / down.length());
        let centre = (rect.left + left + 0.5 * width, rect.top + top + 0.5 * height);
        seen.scale = scale;
        seen.origin = (centre.0 - scale * across.centre(), centre.1 - scale * down.centre());
        Ok(seen)
    }

    /// Height of a rectangle of that width which the box fills with its labels.
    pub fn height(ranges: [Range; 3], width: f64, labels: Labels) -> Result<f64, PlotError> {
        let (across, down) = Self::at_origin(ranges).extent();
        let [left, right, top, bottom] = room(ranges, labels)?;
        Ok((width - left - right) * down.length() / across.length() + top + bottom)
    }

    fn at_origin(ranges: [Range; 3]) -> Self {
        let [turn, raise] = DIRECTION.map(f64::to_radians);
        let basis = [
            [-turn.sin(), turn.cos(), 0.0],
            [-raise.sin() * turn.cos(), -raise.sin() * turn.sin(), raise.cos()],
            [raise.cos() * turn.cos(), raise.cos() * turn.sin(), raise.sin()],
        ];
        let diagonal = ranges.iter().map(|r| r.length().powi(2)).sum::<f64>().sqrt();
        Self { ranges, basis, distance: DISTANCE * diagonal, scale: 1.0, origin: (0.0, 0.0) }
    }

    /// Pixels across and down that the box covers.
    fn extent(&self) -> (Range, Range) {
        let corners: Vec<Point> = (0..8).map(|i| self.at(self.corner([i & 1, i >> 1 & 1, i >> 2]))).collect();
        let extent = |of: fn(&Point) -> f64| Range::of(corners.iter().map(of)).unwrap_or(Range { low: 0.0, high: 1.0 });
        (extent(|p| p.0), extent(|p| p.1))
    }

    /// Pixel of a point.
    pub fn at(&self, p: [f64; 3]) -> Point {
        let q = [0, 1, 2].map(|axis| p[axis] - self.ranges[axis].centre());
        let along = |e: &[f64; 3]| e.iter().zip(&q).map(|(e, q)| e * q).sum::<f64>();
        let [across, up, toward] = [0, 1, 2].map(|i| along(&self.basis[i]));
        let shrink = self.scale * self.distance / (self.distance - toward);
        (self.origin.0 + across * shrink, self.origin.1 - up * shrink)
    }

    /// The point of the floor below a point, where its shadow falls.
    pub fn below(&self, p: [f64; 3]) -> Point {
        self.at([p[0], p[1], self.ranges[2].low])
    }

    fn corner(&self, ends: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| [self.ranges[axis].low, self.ranges[axis].high][ends[axis]])
    }

    /// Draws the floor and the two walls behind, with the names and numbers of the axes: before everything else.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, labels: Labels) -> Result<(), PlotError> {
        let (grid, wall) = (Stroke::solid(GRID, THIN), Stroke::solid(WALL, THIN));
        let ticks = [0, 1, 2].map(|axis| {
            let [a, b] = self.edge(axis).map(|p| self.at(p));
            let length = (b.0 - a.0).hypot(b.1 - a.1);
            (length >= SHORTEST).then(|| Ticks::new(self.ranges[axis], ((length / SPACING) as usize).clamp(1, 5)))
        });
        for axis in 0..2 {
            for value in ticks[axis].iter().flat_map(|ticks| &ticks.values) {
                let line = [0, 1].map(|end| {
                    let mut p = self.corner([end, end, 0]);
                    p[axis] = *value;
                    self.at(p)
                });
                canvas.line(&line, &grid)?;
            }
        }
        let floor = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]];
        let walls = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 0]];
        for corners in [&floor[..], &walls[..], &[[0, 1, 0], [0, 1, 1]][..]] {
            let line: Vec<Point> = corners.iter().map(|ends| self.at(self.corner(*ends))).collect();
            canvas.line(&line, &wall)?;
        }
        for (axis, ticks) in ticks.iter().enumerate() {
            self.label(canvas, axis, ticks.as_ref(), labels)?;
        }
        Ok(())
    }

    /// The edge that carries the numbers of an axis: below in front, and for the third the one on the left.
    fn edge(&self, axis: usize) -> [[f64; 3]; 2] {
        let ends = [[[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [1, 1, 0]], [[0, 0, 0], [0, 0, 1]]][axis];
        ends.map(|ends| self.corner(ends))
    }

    fn label<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        axis: usize,
        ticks: Option<&Ticks>,
        labels: Labels,
    ) -> Result<(), PlotError> {
        let [a, b] = self.edge(axis);
        let ink = Stroke::solid(INK, THIN);
        canvas.line(&[self.at(a), self.at(b)], &ink)?;
        // Away from the box: left and down, right and down, left; and how texts are set there.
        let (away, align) =
            [((-0.5, 0.87), Align::Right), ((0.8, 0.6), Align::Left), ((-1.0, 0.0), Align::Right)][axis];
        let beside = |p: Point, by: f64| (p.0 + by * away.0, p.1 + by * away.1);
        let mut gap = 12.0f64;
        if let (Some(ticks), Labels::Numbers) = (ticks, labels) {
            let mut written: Option<Point> = None;
            for (value, label) in ticks.values.iter().zip(&ticks.labels) {
                let mut p = a;
                p[axis] = *value;
                let at = self.at(p);
                let width = canvas.text_width(label, SMALL);
                canvas.line(&[at, beside(at, TICK)], &ink)?;
                // A number that would touch the last one is left out.
                if written.is_some_and(|q| f64::abs(at.1 - q.1) < 1.1 * SMALL && f64::abs(at.0 - q.0) < width + 8.0) {
                    continue;
                }
                written = Some(at);
                canvas.text_middle(label, beside(at, TICK + 7.0), SMALL, align)?;
                // Below the numbers of x, beside those of y and z.
                let clear = if axis == 0 { 1.9 * SMALL } else { width + SMALL * away.1 };
                gap = gap.max(TICK + 7.0 + clear);
            }
        }
        let name = match (ticks, labels) {
            (Some(ticks), Labels::Numbers) => ticks.axis_label(AXES[axis], "m"),
            (None, Labels::Numbers) => format!("{} / m", AXES[axis]),
            (_, Labels::Names) => AXES[axis].to_owned(),
        };
        let middle = self.at([0, 1, 2].map(|i| 0.5 * (a[i] + b[i])));
        match axis {
            2 => canvas.text_upwards(&name, (middle.0 - gap - 0.5 * SMALL, middle.1), SMALL),
            _ => canvas.text(&name, beside((middle.0, middle.1 + 0.5 * CAPITAL * SMALL), gap), SMALL, align),
        }
    }
}

/// Room left, right, above and below for the labels: names stand beside and below the box, numbers between.
fn room(ranges: [Range; 3], labels: Labels) -> Result<[f64; 4], PlotError> {
    if labels == Labels::Names {
        return Ok([SMALL + 12.0, SMALL + 12.0, 8.0, SMALL + 12.0]);
    }
    let metrics = Metrics::get()?;
    let widest = Ticks::new(ranges[2], 4).labels.iter().map(|l| metrics.width(l)).fold(0.0, f64::max);
    let left = (widest + 1.2) * SMALL + TICK + 22.0;
    Ok([left.max(60.0), 64.0, 16.0, 2.6 * SMALL + 20.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect { left: 100.0, top: 50.0, right: 500.0, bottom: 450.0 };

    fn seen(lengths: [f64; 3]) -> Perspective {
        Perspective::new(lengths.map(|high| Range { low: 0.0, high }), RECT, Labels::Numbers).unwrap()
    }

    #[test]
    fn boxes_of_all_forms_fill_their_rectangle_and_stay_in_it() {
        for lengths in [[1.0, 1.0, 1.0], [5.0, 0.25, 0.25], [0.1, 0.1, 20.0], [1e-6, 2e-6, 3e-6]] {
            let seen = seen(lengths);
            let corners: Vec<Point> = (0..8).map(|i| seen.at(seen.corner([i & 1, i >> 1 & 1, i >> 2]))).collect();
            let within = |p: &Point| (RECT.left..RECT.right).contains(&p.0) && (RECT.top..RECT.bottom).contains(&p.1);
            assert!(corners.iter().all(within), "{corners:?}");
            let across = Range::of(corners.iter().map(|p| p.0)).unwrap().length();
            let down = Range::of(corners.iter().map(|p| p.1)).unwrap().length();
            assert!(across > 240.0 || down > 280.0, "{across} {down}");
        }
    }

    #[test]
    fn straight_lines_stay_straight_and_farther_ones_look_shorter() {
        let seen = seen([1.0, 1.0, 1.0]);
        let line: Vec<Point> = [0.0, 0.3, 1.0].map(|u| seen.at([u, 0.2 + 0.5 * u, 1.0 - u])).to_vec();
        let cross =
            (line[1].0 - line[0].0) * (line[2].1 - line[0].1) - (line[1].1 - line[0].1) * (line[2].0 - line[0].0);
        assert!(cross.abs() < 1e-9, "{cross}");
        let length = |y: f64| {
            let (a, b) = (seen.at([0.0, y, 0.0]), seen.at([0.0, y, 1.0]));
            (b.0 - a.0).hypot(b.1 - a.1)
        };
        // The eye is on the side of small y.
        assert!(length(1.0) < 0.9 * length(0.0));
        assert_eq!(seen.below([0.3, 0.4, 0.9]), seen.at([0.3, 0.4, 0.0]));
    }

    #[test]
    fn up_is_up_and_x_and_y_go_to_the_right() {
        let seen = seen([1.0, 1.0, 1.0]);
        let middle = seen.at([0.5; 3]);
        assert!(seen.at([0.5, 0.5, 0.9]).1 < middle.1);
        assert!(seen.at([0.9, 0.5, 0.5]).0 > middle.0 && seen.at([0.5, 0.9, 0.5]).0 > middle.0);
    }
}
