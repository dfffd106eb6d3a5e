//! Look of all plots: colours, line patterns, sizes. Lengths are in pixels of the final picture.

/// A colour, 8 bits per channel.
pub(super) type Rgb = (u8, u8, u8);

/// Text and frames.
pub(super) const INK: Rgb = (0, 0, 0);
/// Grid lines.
pub(super) const GRID: Rgb = (226, 226, 226);
/// Outlines of the walls of a box.
pub(super) const WALL: Rgb = (186, 186, 186);
/// Shadows on the floor of a box.
pub(super) const SHADOW: Rgb = (214, 214, 214);
/// Shapes to compare with: the unloaded state, the equilibrium.
pub(super) const REFERENCE: Rgb = (128, 128, 128);
/// Background of the interval in which the servo path moves.
pub(super) const SHADE: Rgb = (240, 240, 240);
/// Prescribed paths.
pub(super) const PATH: Rgb = (60, 60, 60);

/// Width of pictures.
pub(super) const WIDTH: f64 = 1200.0;
/// Height of pictures, unless the aspect of the motion asks for another.
pub(super) const HEIGHT: f64 = 800.0;
/// Free space around everything; at least 20, so that the last tick label is not cut.
pub(super) const MARGIN: f64 = 24.0;

/// Size of tick labels and legends, one em.
pub(super) const SMALL: f64 = 16.0;
/// Size of axis labels and titles, one em.
pub(super) const MEDIUM: f64 = 18.0;

/// Width of frames and ticks.
pub(super) const THIN: f64 = 1.0;
/// Width of curves.
pub(super) const CURVE: f64 = 2.2;
/// Length of ticks.
pub(super) const TICK: f64 = 6.0;
/// Length of the sample of a line in a legend.
pub(super) const SAMPLE: f64 = 46.0;
/// Height of a line of a legend.
pub(super) const LEADING: f64 = 26.0;

/// Colours after Okabe and Ito, told apart by the colour-blind; the yellow, too faint on white, is left out.
const PALETTE: [Rgb; 6] = [(0, 114, 178), (213, 94, 0), (0, 158, 115), (0, 0, 0), (204, 121, 167), (86, 180, 233)];

/// Dash patterns (on, off, …), so that curves can be told apart in grey as well.
const PATTERNS: [&[f64]; 6] =
    [&[], &[11.0, 5.0], &[2.5, 4.0], &[11.0, 4.0, 2.5, 4.0], &[20.0, 5.0], &[11.0, 4.0, 2.5, 4.0, 2.5, 4.0]];

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub colour: Rgb,
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub pattern: &'static [f64],
}

impl Stroke {
    /// A solid line.
    pub const fn solid(colour: Rgb, width: f64) -> Self {
        Self { colour, width, pattern: &[] }
    }

    /// The line of the curve number `index` of a panel. After one round through the palette the patterns shift, so
    /// that 36 curves differ.
    pub fn curve(index: usize) -> Self {
        let colour = PALETTE[index % PALETTE.len()];
        let pattern = PATTERNS[(index + index / PALETTE.len()) % PATTERNS.len()];
        Self { colour, width: CURVE, pattern }
    }

    /// The dash pattern number `index`, without a colour.
    pub fn pattern(index: usize) -> &'static [f64] {
        PATTERNS[index % PATTERNS.len()]
    }
}

/// The viridis map (perceptually uniform) at 0, 1/8, … 6/8; what is brighter would be faint on white.
const VIRIDIS: [Rgb; 7] =
    [(68, 1, 84), (71, 45, 123), (59, 82, 139), (44, 114, 142), (33, 145, 140), (40, 174, 128), (94, 201, 98)];

/// Colour for `u` from 0 to 1; grows brighter all the way, so that it orders in grey as well.
pub(super) fn time_colour(u: f64) -> Rgb {
    let place = u.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let i = (place.floor() as usize).min(VIRIDIS.len() - 2);
    let w = place - i as f64;
    let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - w) + f64::from(b) * w).round() as u8;
    let (a, b) = (VIRIDIS[i], VIRIDIS[i + 1]);
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance((r, g, b): Rgb) -> f64 {
        0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
    }

    #[test]
    fn the_time_map_orders_in_grey_and_stays_visible_on_white() {
        let values: Vec<f64> = (0..=50).map(|i| luminance(time_colour(f64::from(i) / 50.0))).collect();
        assert!(values.windows(2).all(|w| w[1] > w[0]), "{values:?}");
        assert!(values[50] < 200.0);
        assert_eq!(time_colour(-1.0), time_colour(0.0));
    }

    #[test]
    fn thirty_six_curves_differ() {
        for i in 0..36 {
            for j in 0..i {
                assert_ne!(Stroke::curve(i), Stroke::curve(j), "{i} {j}");
            }
        }
    }
}
