//! Campbell diagram: frequencies over the rate of rotation, with the lines of its multiples.

use std::f64::consts::TAU;

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Legend, Mark, Quantity, Rect};
use super::canvas::{Align, Canvas};
use super::panels::{LEGEND_GAP, LEGEND_LIMIT, draw_title, title_room};
use super::picture::Drawing;
use super::style::{HEIGHT, MARGIN, REFERENCE, SMALL, Stroke, THIN, WIDTH};
use super::ticks::Range;
use crate::results::{Campbell, Outcome};

/// Least distance of ticks across and up, in pixels.
const SPACING: [f64; 2] = [80.0, 42.0];
/// Lines of multiples of the rate.
const ORDER: Stroke = Stroke { colour: REFERENCE, width: 1.4 * THIN, pattern: &[7.0, 5.0] };

/// The drawing of a Campbell diagram. Rates are in revolutions per minute, frequencies in hertz.
#[derive(Debug, Clone)]
pub(super) struct CampbellDrawing {
    title: String,
    /// First and last rate.
    across: Range,
    /// Up to a little above the highest frequency.
    up: Range,
    /// Rates and frequencies of each branch.
    branches: Vec<(Vec<f64>, Vec<f64>)>,
    /// Names of the lines and where they enter and leave the frame.
    orders: Vec<(String, [(f64, f64); 2])>,
    /// Resonances.
    crossings: Vec<(usize, (f64, f64))>,
    legend: Legend,
}

/// Revolutions per minute of rad/s.
fn rpm(rate: f64) -> f64 {
    rate * 60.0 / TAU
}

/// The drawing of the diagram of a result.
pub(super) fn drawing(outcome: &Outcome, diagram: &Campbell) -> CampbellDrawing {
    let rates: Vec<f64> = diagram.rates.iter().map(|rate| rpm(*rate)).collect();
    let across = Range::of(rates.iter().copied()).unwrap_or(Range { low: 0.0, high: 1.0 }).padded(0.0);
    let hertz = |omega: &f64| omega.abs() / TAU;
    let highest = diagram.branches.iter().flat_map(|branch| &branch.omega).map(hertz).fold(0.0, f64::max);
    let up = Range { low: 0.0, high: if highest > 0.0 { 1.06 * highest } else { 1.0 } };
    let mut legend = Legend::default();
    let mut branches = Vec::new();
    for (i, branch) in diagram.branches.iter().enumerate() {
        legend.line(Stroke::curve(i), format!("mode {}", i + 1));
        let of = rates[branch.first..].iter().copied().take(branch.omega.len());
        branches.push((of.collect(), branch.omega.iter().map(hertz).collect()));
    }
    let orders: Vec<_> =
        diagram.orders.iter().filter_map(|&order| Some((format!("{order}P"), visible(order, across, up)?))).collect();
    if !orders.is_empty() {
        legend.line(ORDER, "multiples of the rate");
    }
    let crossing = |c: &crate::results::Crossing| (c.branch - 1, (rpm(c.rate), c.order * c.rate.abs() / TAU));
    let crossings: Vec<_> = diagram.crossings.iter().map(crossing).collect();
    if !crossings.is_empty() {
        legend.mark(Mark::Ring, "resonance");
    }
    let report = &outcome.report;
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    CampbellDrawing { title: title.clone(), across, up, branches, orders, crossings, legend }
}

/// The part of the line f = order · |rpm|/60 inside the frame; of rates of both signs the side of the larger one.
fn visible(order: f64, across: Range, up: Range) -> Option<[(f64, f64); 2]> {
    let frequency = |rpm: f64| order * rpm.abs() / 60.0;
    if !(order > 0.0) {
        return None;
    }
    let reach = up.high * 60.0 / order;
    let (near, far) = if across.high >= -across.low {
        (across.low.max(0.0), across.high.min(reach))
    } else {
        (across.high.min(0.0), across.low.max(-reach))
    };
    (frequency(near) < up.high && near != far).then(|| [(near, frequency(near)), (far, frequency(far))])
}

impl Drawing for CampbellDrawing {
    fn size(&self) -> (f64, f64) {
        let column = title_room(&self.title) + self.legend.height() + MARGIN;
        (WIDTH, HEIGHT.max(column))
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let across = Quantity { name: "rate of rotation".to_owned(), unit: "rpm".to_owned() };
        let up = Quantity { name: "frequency".to_owned(), unit: "Hz".to_owned() };
        let top = title_room(&self.title);
        let bottom = self.size().1 - BELOW - MARGIN;
        let beside = self.legend.width(LEGEND_LIMIT)?;
        let axes = |left: f64, right: f64, room: f64| {
            let rect = Rect { left, top, right, bottom };
            Axes::new(rect, room, [self.across, self.up], SPACING, (Some(&across), &up))
        };
        let room = axes(0.0, WIDTH, 0.0).needed_room()?;
        let (left, right) = (MARGIN + room, WIDTH - MARGIN - LEGEND_GAP - beside);
        draw_title(canvas, &self.title, left, WIDTH)?;
        let axes = axes(left, right, room);
        axes.grid(canvas)?;
        for (_, [from, to]) in &self.orders {
            canvas.line(&[axes.at(from.0, from.1), axes.at(to.0, to.1)], &ORDER)?;
        }
        for (i, (rates, frequencies)) in self.branches.iter().enumerate() {
            axes.curve(canvas, rates, frequencies, &Stroke::curve(i))?;
        }
        for (name, [from, to]) in &self.orders {
            // On the line, a little before it leaves the frame.
            let (x, y) = axes.at(from.0 + 0.93 * (to.0 - from.0), from.1 + 0.93 * (to.1 - from.1));
            let half = 0.5 * canvas.text_width(name, SMALL) + 3.0;
            canvas.fill_rect((x - half, y - 0.5 * SMALL), (x + half, y + 0.5 * SMALL), (255, 255, 255))?;
            canvas.text_middle(name, (x, y), SMALL, Align::Centre)?;
        }
        for (branch, (rate, frequency)) in &self.crossings {
            Mark::Ring.draw(canvas, axes.at(*rate, *frequency), &Stroke::curve(*branch))?;
        }
        axes.frame(canvas)?;
        self.legend.draw(canvas, (right + LEGEND_GAP, top), beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn lines_of_multiples_end_at_the_frame() {
        let outcome = forward_sample::rotor();
        let drawing = drawing(&outcome, outcome.report.campbell.as_ref().unwrap());
        assert!(drawing.across.low == 0.0 && (drawing.across.high - 30.0).abs() < 1e-12);
        for (name, [from, to]) in &drawing.orders {
            assert_eq!(*from, (0.0, 0.0), "{name}");
            assert!(to.1 <= drawing.up.high * (1.0 + 1e-12) && to.0 <= 30.0 * (1.0 + 1e-12), "{name}");
            let order: f64 = name.trim_end_matches('P').parse().unwrap();
            assert!((to.1 - order * to.0 / 60.0).abs() < 1e-12, "{name}");
        }
        assert_eq!(drawing.orders.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["1P", "3P"]);
        assert!(!drawing.crossings.is_empty());
    }
}
