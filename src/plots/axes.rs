//! A frame with two axes: maps values to pixels, draws grid, ticks and labels, the shaded interval and a legend.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::canvas::{Align, Canvas, Point, reduced};
use super::font::{CAPITAL, Metrics};
use super::style::{CURVE, GRID, INK, LEADING, MEDIUM, SAMPLE, SHADE, SMALL, Stroke, THIN, TICK};
use super::ticks::{Range, Ticks};

/// Room below a frame for tick labels and axis label.
pub(super) const BELOW: f64 = TICK + 8.0 + SMALL + 12.0 + MEDIUM;
/// Room below a frame for tick labels without axis label, or for none at all.
pub(super) const BELOW_BARE: f64 = 26.0;

/// A rectangle in pixels, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// Quantity and unit of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    pub name: String,
    pub unit: String,
}

/// A frame with its ranges and ticks.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    pub rect: Rect,
    x: Range,
    y: Range,
    x_ticks: Ticks,
    y_ticks: Ticks,
    x_label: Option<String>,
    y_label: String,
    room: f64,
}

impl Axes {
    /// Axes in `rect` with `room` left of it for the labels of the y axis; `x_quantity` is `None` if the axis is
    /// labelled at another panel below. `across` and `up` are the least distances of ticks, in pixels.
    pub fn new(
        rect: Rect,
        room: f64,
        [x, y]: [Range; 2],
        [across, up]: [f64; 2],
        (x_quantity, y_quantity): (Option<&Quantity>, &Quantity),
    ) -> Self {
        let ticks = |range, pixels: f64, each: f64| Ticks::new(range, ((pixels / each) as usize).clamp(2, 12));
        let x_ticks = ticks(x, rect.right - rect.left, across);
        let y_ticks = ticks(y, rect.bottom - rect.top, up);
        let x_label = x_quantity.map(|q| x_ticks.axis_label(&q.name, &q.unit));
        let y_label = y_ticks.axis_label(&y_quantity.name, &y_quantity.unit);
        Self { rect, x, y, x_ticks, y_ticks, x_label, y_label, room }
    }

    /// Room needed left of the frame for the labels of the y axis.
    pub fn needed_room(&self) -> Result<f64, PlotError> {
        let metrics = Metrics::get()?;
        let widest = self.y_ticks.labels.iter().map(|l| metrics.width(l)).fold(0.0, f64::max);
        Ok(widest * SMALL + TICK + 6.0 + 14.0 + MEDIUM)
    }

    /// Pixel of a pair of values.
    pub fn at(&self, x: f64, y: f64) -> Point {
        let r = &self.rect;
        (
            r.left + (x - self.x.low) / self.x.length() * (r.right - r.left),
            r.bottom - (y - self.y.low) / self.y.length() * (r.bottom - r.top),
        )
    }

    /// Shades an interval of the x axis.
    pub fn shade<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, interval: [f64; 2]) -> Result<(), PlotError> {
        match self.clipped(interval) {
            Some([a, b]) => canvas.fill_rect((a, self.rect.top), (b, self.rect.bottom), SHADE),
            None => Ok(()),
        }
    }

    /// Writes a text above the frame over the middle of an interval, moved sideways to stay over the frame.
    pub fn caption<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        interval: [f64; 2],
        text: &str,
    ) -> Result<(), PlotError> {
        let Some([a, b]) = self.clipped(interval) else { return Ok(()) };
        let half = 0.5 * canvas.text_width(text, SMALL);
        let (low, high) = (self.rect.left + half, self.rect.right - half);
        let x = if low <= high { (0.5 * (a + b)).clamp(low, high) } else { 0.5 * (low + high) };
        canvas.text(text, (x, self.rect.top - 7.0), SMALL, Align::Centre)
    }

    fn clipped(&self, [a, b]: [f64; 2]) -> Option<[f64; 2]> {
        let (a, b) = (a.max(self.x.low), b.min(self.x.high));
        (a < b).then(|| [self.at(a, self.y.low).0, self.at(b, self.y.low).0])
    }

    /// Draws grid lines; to be called before the curves.
    pub fn grid<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let stroke = Stroke::solid(GRID, THIN);
        for x in self.x_ticks.values.iter().map(|v| self.at(*v, self.y.low).0) {
            canvas.line(&[(x, self.rect.top), (x, self.rect.bottom)], &stroke)?;
        }
        for y in self.y_ticks.values.iter().map(|v| self.at(self.x.low, *v).1) {
            canvas.line(&[(self.rect.left, y), (self.rect.right, y)], &stroke)?;
        }
        Ok(())
    }

    /// Draws the graph of samples over x.
    pub fn curve<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        x: &[f64],
        y: &[f64],
        stroke: &Stroke,
    ) -> Result<(), PlotError> {
        let points: Vec<Point> = x.iter().zip(y).map(|(x, y)| self.at(*x, *y)).collect();
        // Where there is no value the graph has a gap.
        points.split(|point| !point.1.is_finite()).try_for_each(|part| match part {
            [] => Ok(()),
            _ => canvas.line(&reduced(part, 0.5), stroke),
        })
    }

    /// Draws frame, ticks and labels; to be called after the curves.
    pub fn frame<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let r = self.rect;
        let ink = Stroke::solid(INK, THIN);
        for (a, b) in [
            ((r.left, r.top), (r.right, r.top)),
            ((r.left, r.bottom), (r.right, r.bottom)),
            ((r.left, r.top), (r.left, r.bottom)),
            ((r.right, r.top), (r.right, r.bottom)),
        ] {
            canvas.line(&[a, b], &ink)?;
        }
        let baseline = r.bottom + TICK + 8.0 + CAPITAL * SMALL;
        for (value, label) in self.x_ticks.values.iter().zip(&self.x_ticks.labels) {
            let x = self.at(*value, self.y.low).0;
            canvas.line(&[(x, r.bottom), (x, r.bottom + TICK)], &ink)?;
            if self.x_label.is_some() {
                canvas.text(label, (x, baseline), SMALL, Align::Centre)?;
            }
        }
        for (value, label) in self.y_ticks.values.iter().zip(&self.y_ticks.labels) {
            let y = self.at(self.x.low, *value).1;
            canvas.line(&[(r.left - TICK, y), (r.left, y)], &ink)?;
            canvas.text_middle(label, (r.left - TICK - 6.0, y), SMALL, Align::Right)?;
        }
        if let Some(label) = &self.x_label {
            canvas.text(label, (0.5 * (r.left + r.right), r.bottom + BELOW - 6.0), MEDIUM, Align::Centre)?;
        }
        let x = r.left - self.room + 0.8 * MEDIUM;
        let label = canvas.fit(&self.y_label, MEDIUM, (r.bottom - r.top) * 1.1);
        canvas.text_upwards(&label, (x, 0.5 * (r.top + r.bottom)), MEDIUM)
    }
}

/// What stands before the text of a legend entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Key {
    /// A line.
    Line(Stroke),
    /// A marker.
    Mark(Mark),
    /// Nothing: the text goes on from the entry above.
    Blank,
}

/// Marker of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// A small disc: the start of a rod.
    Dot,
    /// A ring: where a path starts.
    Ring,
    /// A square: where a path ends.
    Square,
    /// A large disc: a body.
    Disc,
}

impl Mark {
    /// Draws the marker.
    pub fn draw<B: DrawingBackend>(self, canvas: &mut Canvas<B>, at: Point, stroke: &Stroke) -> Result<(), PlotError> {
        let (x, y) = at;
        match self {
            Self::Dot => canvas.disc(at, 3.4, stroke.colour),
            Self::Disc => canvas.disc(at, 6.5, stroke.colour),
            Self::Ring => {
                canvas.disc(at, 6.5, stroke.colour)?;
                canvas.disc(at, 4.3, (255, 255, 255))
            }
            Self::Square => canvas.fill_rect((x - 5.5, y - 5.5), (x + 5.5, y + 5.5), stroke.colour),
        }
    }
}

/// Entries of a legend, one below the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Legend {
    pub entries: Vec<(Key, String)>,
}

impl Legend {
    /// Adds a line.
    pub fn line(&mut self, stroke: Stroke, text: impl Into<String>) {
        self.entries.push((Key::Line(stroke), text.into()));
    }

    /// Adds a marker.
    pub fn mark(&mut self, mark: Mark, text: impl Into<String>) {
        self.entries.push((Key::Mark(mark), text.into()));
    }

    /// Adds a text without line or marker.
    pub fn note(&mut self, text: impl Into<String>) {
        self.entries.push((Key::Blank, text.into()));
    }

    /// Width in pixels, at most `limit`.
    pub fn width(&self, limit: f64) -> Result<f64, PlotError> {
        let metrics = Metrics::get()?;
        let widest = self.entries.iter().map(|(_, text)| metrics.width(text)).fold(0.0, f64::max);
        Ok((SAMPLE + 10.0 + widest * SMALL + 1.0).min(limit))
    }

    /// Height in pixels.
    pub fn height(&self) -> f64 {
        LEADING * self.entries.len() as f64
    }

    /// Draws the legend with its upper left corner at `at`; longer texts than `width` allows are shortened.
    pub fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, at: Point, width: f64) -> Result<(), PlotError> {
        for (i, entry) in self.entries.iter().enumerate() {
            draw_entry(canvas, entry, (at.0, at.1 + (i as f64 + 0.5) * LEADING), width)?;
        }
        Ok(())
    }

    /// Draws the entries side by side, from `at` on the middle of their height.
    pub fn draw_row<B: DrawingBackend>(&self, canvas: &mut Canvas<B>, at: Point) -> Result<(), PlotError> {
        let mut x = at.0;
        for entry in &self.entries {
            let width = SAMPLE + 10.0 + canvas.text_width(&entry.1, SMALL) + 1.0;
            if entry.0 == Key::Blank {
                x -= SAMPLE;
            }
            draw_entry(canvas, entry, (x, at.1), width)?;
            x += width + 28.0;
        }
        Ok(())
    }
}

fn draw_entry<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    (key, text): &(Key, String),
    (x, y): Point,
    width: f64,
) -> Result<(), PlotError> {
    match key {
        Key::Line(stroke) => canvas.line(&[(x, y), (x + SAMPLE, y)], stroke)?,
        Key::Mark(mark) => mark.draw(canvas, (x + 0.5 * SAMPLE, y), &Stroke::solid(super::style::PATH, CURVE))?,
        Key::Blank => {}
    }
    let text = canvas.fit_name(text, SMALL, width - SAMPLE - 10.0);
    canvas.text_middle(&text, (x + SAMPLE + 10.0, y), SMALL, Align::Left)
}
