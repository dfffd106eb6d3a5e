//! Curves over a common axis, mostly time, in stacked panels, with a legend beside each panel.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, BELOW_BARE, Legend, Quantity, Rect};
use super::canvas::{Align, Canvas};
use super::picture::Drawing;
use super::style::{HEIGHT, LEADING, MARGIN, MEDIUM, REFERENCE, SMALL, Stroke, THIN, WIDTH};
use super::ticks::Range;

/// Widest legend.
pub(super) const LEGEND_LIMIT: f64 = 300.0;
/// Distance of the legend from the frame.
pub(super) const LEGEND_GAP: f64 = 18.0;
/// Least distance of ticks across and up, in pixels.
const SPACING: [f64; 2] = [80.0, 42.0];
/// Least height of a panel, which has room for a label such as `bending 2 / 10⁶ N m`.
const LEAST_HEIGHT: f64 = 180.0;
/// Lines where something changes.
const CHANGE: Stroke = Stroke { colour: REFERENCE, width: 1.2 * THIN, pattern: &[2.0, 4.0] };
/// A part of the axis that is shaded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shade {
    pub from: f64,
    pub to: f64,
    /// Words above it.
    pub words: &'static str,
}

impl Shade {
    /// The time in which a servo path moves.
    pub fn moving(interval: Option<[f64; 2]>) -> Option<Self> {
        interval.map(|[from, to]| Self { from, to, words: "servo path moves" })
    }
}

/// A curve of a panel.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// What the legend says; nothing if it is empty.
    pub name: String,
    pub values: Vec<f64>,
    pub stroke: Stroke,
}

/// Curves of one quantity.
#[derive(Debug, Clone)]
pub(super) struct Panel {
    pub quantity: Quantity,
    pub curves: Vec<Curve>,
}

/// Panels over one axis.
#[derive(Debug, Clone)]
pub(super) struct Panels {
    pub title: String,
    /// What the axis shows.
    pub along: Quantity,
    /// Its values, one per value of each curve.
    pub t: Vec<f64>,
    pub panels: Vec<Panel>,
    /// Shaded interval of the axis.
    pub interval: Option<Shade>,
    /// Places on the axis where something changes.
    pub changes: Changes,
}

/// Places on the axis of panels that are marked by lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    pub at: Vec<f64>,
    /// What the legend says of them.
    pub words: &'static str,
}

impl Panels {
    fn top(&self) -> f64 {
        let caption = if self.interval.is_some() { SMALL + 12.0 } else { 0.0 };
        title_room(&self.title) + caption
    }

    /// Height of each panel: an equal share of the picture, but no less than its legend needs.
    fn heights(&self) -> Vec<f64> {
        let count = self.panels.len() as f64;
        let free = HEIGHT - self.top() - BELOW - MARGIN - BELOW_BARE * (count - 1.0);
        let share = (free / count).max(LEAST_HEIGHT);
        self.panels.iter().map(|panel| share.max(LEADING * panel.curves.len() as f64)).collect()
    }
}

/// The axis of most pictures.
pub(super) fn time() -> Quantity {
    Quantity { name: "time t".to_owned(), unit: "s".to_owned() }
}

/// The axis of pictures of equilibria.
pub(super) fn load_factor() -> Quantity {
    Quantity { name: "load factor".to_owned(), unit: String::new() }
}

/// Room for the margin and the title above everything else.
pub(super) fn title_room(title: &str) -> f64 {
    if title.is_empty() { MARGIN } else { MARGIN + MEDIUM + 16.0 }
}

/// Writes the title over the frames, cut to the width of the picture.
pub(super) fn draw_title<B: DrawingBackend>(
    canvas: &mut Canvas<B>,
    title: &str,
    left: f64,
    width: f64,
) -> Result<(), PlotError> {
    let title = canvas.fit(title, MEDIUM, width - left - MARGIN);
    canvas.text(&title, (left, MARGIN + 0.8 * MEDIUM), MEDIUM, Align::Left)
}

impl Drawing for Panels {
    fn size(&self) -> (f64, f64) {
        let heights: f64 = self.heights().iter().sum();
        let gaps = BELOW_BARE * self.panels.len().saturating_sub(1) as f64;
        (WIDTH, (self.top() + heights + gaps + BELOW + MARGIN).max(HEIGHT))
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let heights = self.heights();
        let ranges: Vec<Range> = self.panels.iter().map(|panel| value_range(&panel.curves)).collect();
        let mut legends: Vec<Legend> = self.panels.iter().map(|panel| legend(&panel.curves)).collect();
        if let (Some(first), false) = (legends.first_mut(), self.changes.at.is_empty()) {
            first.line(CHANGE, self.changes.words);
        }
        let (mut room, mut beside) = (0.0, 0.0);
        let time = Range::of(self.t.iter().copied()).unwrap_or(Range { low: 0.0, high: 1.0 }).padded(0.0);
        let axes = |i: usize, rect: Rect, room: f64| {
            let x_quantity = (i + 1 == self.panels.len()).then_some(&self.along);
            Axes::new(rect, room, [time, ranges[i]], SPACING, (x_quantity, &self.panels[i].quantity))
        };
        for (i, legend) in legends.iter().enumerate() {
            let rect = Rect { left: 0.0, top: 0.0, right: WIDTH, bottom: heights[i] };
            room = axes(i, rect, 0.0).needed_room()?.max(room);
            beside = legend.width(LEGEND_LIMIT)?.max(beside);
        }
        let (left, right) = (MARGIN + room, WIDTH - MARGIN - LEGEND_GAP - beside);

        draw_title(canvas, &self.title, left, WIDTH)?;
        let mut top = self.top();
        for (i, panel) in self.panels.iter().enumerate() {
            let rect = Rect { left, top, right, bottom: top + heights[i] };
            let axes = axes(i, rect, room);
            if let Some(Shade { from, to, words }) = self.interval {
                axes.shade(canvas, [from, to])?;
                if i == 0 {
                    axes.caption(canvas, [from, to], words)?;
                }
            }
            axes.grid(canvas)?;
            for change in &self.changes.at {
                axes.curve(canvas, &[*change; 2], &[ranges[i].low, ranges[i].high], &CHANGE)?;
            }
            for curve in &panel.curves {
                axes.curve(canvas, &self.t, &curve.values, &curve.stroke)?;
            }
            axes.frame(canvas)?;
            legends[i].draw(canvas, (right + LEGEND_GAP, top), beside)?;
            top = rect.bottom + BELOW_BARE;
        }
        Ok(())
    }
}

fn value_range(curves: &[Curve]) -> Range {
    let values = curves.iter().flat_map(|curve| curve.values.iter().copied());
    Range::of(values).unwrap_or(Range { low: 0.0, high: 0.0 }).padded(0.06)
}

fn legend(curves: &[Curve]) -> Legend {
    let mut legend = Legend::default();
    for curve in curves.iter().filter(|curve| !curve.name.is_empty()) {
        legend.line(curve.stroke, &curve.name);
    }
    legend
}
