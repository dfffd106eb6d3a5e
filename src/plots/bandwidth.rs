//! Growth along a rod, the spectrum of a path, and what the rod makes of it, over frequency on logarithmic scales.

use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, Shade};
use super::style::Stroke;
use crate::results::{Bandwidth, Outcome};

/// Spectra are drawn down to this power of ten below the largest value.
const DEPTH: f64 = 18.0;

/// The drawing of the bandwidth of a result.
pub(super) fn drawing(outcome: &Outcome, found: &Bandwidth) -> Panels {
    let amplified: Vec<f64> = found.path.iter().zip(&found.growth).map(|(path, growth)| path + growth).collect();
    let top = amplified.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let curve = |name: &str, values: Vec<f64>, number: usize| Curve {
        name: name.to_owned(),
        values: values.into_iter().map(|value| value.max(top - DEPTH)).collect(),
        stroke: Stroke::curve(number),
    };
    let spectra =
        vec![curve("path", found.path.clone(), 0), curve("path, amplified along the rod", amplified.clone(), 1)];
    let growth = Curve { name: "growth".to_owned(), values: found.growth.clone(), stroke: Stroke::curve(2) };
    let t: Vec<f64> = found.frequencies.iter().map(|frequency| frequency.log10()).collect();
    let last = t.last().copied().unwrap_or(0.0);
    let shade = |from: f64, words: &'static str| Shade { from: from.log10(), to: last, words };
    let interval = match (found.corner, found.useful) {
        (Some(corner), _) => Some(shade(corner, "filtered out")),
        (None, Some(useful)) => Some(shade(useful, "kinks and rounding")),
        (None, None) => None,
    };
    let plain = |name: &str| Quantity { name: name.to_owned(), unit: String::new() };
    let report = &outcome.report;
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    Panels {
        title: title.clone(),
        along: plain("log₁₀ of frequency ω in rad/s"),
        t,
        panels: vec![
            Panel { quantity: plain("log₁₀ of acceleration"), curves: spectra },
            Panel { quantity: plain("log₁₀ of growth"), curves: vec![growth] },
        ],
        interval,
        changes: Changes::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amplified_path_is_the_product_and_what_is_not_the_path_is_shaded() {
        let found = Bandwidth {
            frequencies: vec![1.0, 10.0, 100.0],
            growth: vec![0.0, 2.0, 6.0],
            path: vec![0.0, -9.0, -40.0],
            distortion: 0.1,
            useful: Some(10.0),
            corner: None,
        };
        let drawing = drawing(&Outcome::default(), &found);
        assert_eq!(drawing.t, [0.0, 1.0, 2.0]);
        assert_eq!(drawing.panels[0].curves[1].values, [0.0, -7.0, -18.0]);
        assert_eq!(drawing.interval, Some(Shade { from: 1.0, to: 2.0, words: "kinks and rounding" }));
    }
}
