//! Which moments of a motion are shown.

use super::ticks::Range;
use crate::results::RodField;

/// Number of snapshots of a rod.
const COUNT: usize = 15;
/// Share of the moving time shown before and after it.
const PAD: f64 = 0.05;

/// Shapes of one rod at the moments shown.
#[derive(Debug, Clone)]
pub(super) struct Snapshots {
    /// Name of the rod.
    pub name: String,
    /// Whether the rod has a third coordinate.
    pub in_space: bool,
    /// Time and node positions; the third coordinate is 0 in the plane.
    pub shapes: Vec<(f64, Vec<[f64; 3]>)>,
}

impl Snapshots {
    /// Snapshots spread evenly over the interval (the first moment only, if nothing moves), each at the time node
    /// nearest to its place.
    pub fn new(rod: &RodField, interval: Option<Range>) -> Self {
        let mut nodes: Vec<usize> = match interval {
            None => vec![0],
            Some(range) => (0..COUNT)
                .map(|i| range.low + range.length() * i as f64 / (COUNT - 1) as f64)
                .map(|t| nearest(&rod.t, t))
                .collect(),
        };
        nodes.dedup();
        let shapes = nodes.into_iter().filter(|k| *k < rod.t.len()).map(|k| (rod.t[k], shape(rod, k))).collect();
        Self { name: rod.rod.clone(), in_space: rod.field("z").is_some(), shapes }
    }
}

/// Index of the time nearest to `t`; times increase.
fn nearest(times: &[f64], t: f64) -> usize {
    let after = times.partition_point(|time| *time < t).min(times.len().saturating_sub(1));
    if after > 0 && t - times[after - 1] < times[after] - t { after - 1 } else { after }
}

fn shape(rod: &RodField, k: usize) -> Vec<[f64; 3]> {
    let count = rod.t.len();
    let at = |field: Option<&[f64]>, i: usize| field.and_then(|f| f.get(i * count + k)).copied().unwrap_or(0.0);
    let [x, y, z] = ["x", "y", "z"].map(|name| rod.field(name));
    (0..rod.s.len()).map(|i| [at(x, i), at(y, i), at(z, i)]).collect()
}

/// The time in which some node of some rod is faster than a thousandth of the highest speed, a little widened; `None`
/// if nothing moves noticeably against the size of the motion.
pub(super) fn moving_interval(rods: &[&RodField]) -> Option<Range> {
    let mut speeds: Vec<(f64, f64, f64)> = Vec::new();
    let mut size = 0.0f64;
    let mut travel = 0.0f64;
    for rod in rods {
        let mut before = shape(rod, 0);
        for axis in 0..3 {
            size = size.max(Range::of(before.iter().map(|p| p[axis])).map_or(0.0, Range::length));
        }
        for k in 1..rod.t.len() {
            let now = shape(rod, k);
            let distance = |(a, b): (&[f64; 3], &[f64; 3])| (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2]);
            let step = before.iter().zip(&now).map(distance).fold(0.0, f64::max);
            travel = travel.max(step);
            speeds.push((rod.t[k - 1], rod.t[k], step / (rod.t[k] - rod.t[k - 1])));
            before = now;
        }
    }
    let fastest = speeds.iter().map(|s| s.2).fold(0.0, f64::max);
    if travel <= 1e-9 * size || fastest == 0.0 {
        return None;
    }
    let moving = || speeds.iter().filter(|s| s.2 > 1e-3 * fastest);
    let active = Range::of(moving().flat_map(|s| [s.0, s.1]))?;
    let whole = Range::of(rods.iter().flat_map(|rod| rod.t.iter().copied()))?;
    let padded = active.padded(PAD);
    Some(Range { low: padded.low.max(whole.low), high: padded.high.min(whole.high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::sample;

    #[test]
    fn snapshots_cover_the_moving_time() {
        let rod = sample::rod("r", ["x", "y"], |s, t| [s, s * sample::step(t)]);
        let interval = moving_interval(&[&rod]).unwrap();
        assert!((interval.low - 1.95).abs() < 0.1 && (interval.high - 4.05).abs() < 0.1, "{interval:?}");
        let shots = Snapshots::new(&rod, Some(interval));
        assert_eq!(shots.shapes.len(), COUNT);
        let (t, shape) = &shots.shapes[7];
        assert!((t - 3.0).abs() < 0.06);
        assert_eq!(shape[40], [1.0, sample::step(*t), 0.0]);
        let gaps: Vec<f64> = shots.shapes.windows(2).map(|w| w[1].0 - w[0].0).collect();
        assert!(gaps.iter().all(|g| (g - interval.length() / 14.0).abs() < 0.03), "{gaps:?}");
    }

    #[test]
    fn a_rod_at_rest_is_shown_once() {
        let rod = sample::rod("r", ["x", "y", "z"], |s, t| [s, 1.0, 1e-14 * t]);
        assert_eq!(moving_interval(&[&rod]), None);
        let shots = Snapshots::new(&rod, None);
        assert_eq!((shots.shapes.len(), shots.in_space), (1, true));
    }

    #[test]
    fn the_nearest_time_is_found() {
        let times = [0.0, 1.0, 2.0];
        assert_eq!([-1.0, 0.4, 0.6, 1.9, 5.0].map(|t| nearest(&times, t)), [0, 0, 1, 2, 2]);
    }
}
