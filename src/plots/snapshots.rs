//! Which moments of a motion are shown.

use std::borrow::Cow;

use super::ticks::Range;
use super::views::AXES;
use crate::results::{Outcome, RodField};

/// Number of snapshots of a rod, and of one that is so curled that they would hide each other.
const COUNT: usize = 15;
const LEAST: usize = 6;
/// Share of the moving time shown before and after it.
const PAD: f64 = 0.05;

/// A rod, or a body as a rod of one node.
#[derive(Debug, Clone)]
pub(super) struct Track<'a> {
    /// Positions over time.
    pub field: Cow<'a, RodField>,
    /// Whether it is a body.
    pub body: bool,
    /// Whether it is a line through the joints of a body, which has no direction.
    pub link: bool,
}

/// Costates of optimal control begin so.
pub(super) const COSTATE: &str = "costate.";

/// All rods and bodies of a result that have a position in the plane or in space, at some time. Bodies are the columns
/// `<body>.x`, `<body>.y` and `<body>.z` of the motion, unless a line shows them; places of rods are shown by the rods.
pub(super) fn tracks(outcome: &Outcome) -> Vec<Track<'_>> {
    let placed =
        |rod: &&RodField| rod.field("x").is_some() && rod.field("y").is_some() && !rod.t.is_empty() && rod.s.len() > 1;
    // The places of a rod are columns of the motion; a line through joints has none, or those of its body.
    let has = |name: String| outcome.motion.columns.iter().any(|(column, _)| column.starts_with(&name));
    let is_link = |rod: &RodField| {
        let name = &rod.rod;
        has(format!("{name}.x")) || !(outcome.motion.is_empty() || has(format!("{name}.")) || has(format!("{name}@")))
    };
    let rods = outcome.rods.iter().filter(placed);
    let rods = rods.map(|rod| Track { field: Cow::Borrowed(rod), body: false, link: is_link(rod) });
    let mut bodies: Vec<RodField> = Vec::new();
    for (column, values) in &outcome.motion.columns {
        let Some((name, component)) = column.rsplit_once('.') else { continue };
        let shown = |rod: &RodField| match name.strip_prefix(rod.rod.as_str()) {
            Some(place) => matches!(place, "" | ".start" | ".end") || place.starts_with('@'),
            None => false,
        };
        if !AXES.contains(&component) || column.starts_with(COSTATE) || outcome.rods.iter().any(shown) {
            continue;
        }
        let index = bodies.iter().position(|body| body.rod == name).unwrap_or_else(|| {
            let t = outcome.motion.t.clone();
            bodies.push(RodField { rod: name.to_owned(), s: vec![0.0], t, fields: Vec::new() });
            bodies.len() - 1
        });
        bodies[index].fields.push((component.to_owned(), values.clone()));
    }
    let placed = |body: &RodField| body.field("x").is_some() && body.field("y").is_some() && !body.t.is_empty();
    let bodies =
        bodies.into_iter().filter(placed).map(|body| Track { field: Cow::Owned(body), body: true, link: false });
    rods.chain(bodies).collect()
}

/// Shapes of one rod or body at the moments shown.
#[derive(Debug, Clone)]
pub(super) struct Snapshots {
    /// Name of the rod.
    pub name: String,
    /// Whether it is a body.
    pub body: bool,
    /// Whether it is a line through the joints of a body.
    pub link: bool,
    /// Whether the rod has a third coordinate.
    pub in_space: bool,
    /// Time (load factor in statics) and node positions; the third coordinate is 0 in the plane.
    pub shapes: Vec<(f64, Vec<[f64; 3]>)>,
    /// Node positions without load, where they are known.
    pub reference: Option<Vec<[f64; 3]>>,
}

impl Snapshots {
    /// Snapshots spread evenly over the interval (the first moment only, if nothing moves), each at the time node
    /// nearest to its place.
    pub fn of_motion(track: &Track, interval: Option<Range>, count: usize) -> Self {
        let times = &track.field.t;
        let nodes = match interval {
            None => vec![0],
            Some(range) => (0..count)
                .map(|i| range.low + range.length() * i as f64 / (count - 1).max(1) as f64)
                .map(|t| nearest(times, t))
                .collect(),
        };
        Self::at(track, nodes, None)
    }

    /// States spread evenly over those saved. The unloaded state is that of the fields `reference_x`, `reference_y`,
    /// `reference_z`, or else the first of several states if its load factor is 0.
    pub fn of_statics(track: &Track) -> Self {
        let field = &track.field;
        let given = ["reference_x", "reference_y", "reference_z"];
        let count = field.t.len();
        let (reference, first) = match (field.field(given[0]), field.t.first()) {
            (Some(_), _) => (Some(positions(field, 0, given)), 0),
            (None, Some(0.0)) if count > 1 => (Some(positions(field, 0, AXES)), 1),
            _ => (None, 0),
        };
        let shown = (count - first).clamp(1, COUNT);
        // The last state, which is the answer, is always among them.
        let nodes = (1..=shown).map(|i| first + i * (count - first) / shown - 1).collect();
        Self::at(track, nodes, reference)
    }

    fn at(track: &Track, mut nodes: Vec<usize>, reference: Option<Vec<[f64; 3]>>) -> Self {
        let field = &track.field;
        nodes.dedup();
        let shapes = nodes.into_iter().filter(|k| *k < field.t.len());
        Self {
            name: field.rod.clone(),
            body: track.body,
            link: track.link,
            in_space: field.field("z").is_some(),
            shapes: shapes.map(|k| (field.t[k], positions(field, k, AXES))).collect(),
            reference,
        }
    }

    /// All positions shown.
    pub fn points(&self) -> impl Iterator<Item = &[f64; 3]> {
        self.shapes.iter().flat_map(|(_, points)| points).chain(self.reference.iter().flatten())
    }
}

/// How many snapshots of a motion are shown: the fewer, the longer the rods are against the space that they take.
pub(super) fn count(tracks: &[Track]) -> usize {
    let curl = |track: &Track| {
        let shape = positions(&track.field, 0, AXES);
        let distance = |a: &[f64; 3], b: &[f64; 3]| (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2]);
        let length: f64 = shape.windows(2).map(|pair| distance(&pair[0], &pair[1])).sum();
        let extent = [0, 1, 2].map(|axis| Range::of(shape.iter().map(|p| p[axis])).map_or(0.0, Range::length));
        let size = distance(&extent, &[0.0; 3]);
        if size > 0.0 { length / size } else { 1.0 }
    };
    let most = tracks.iter().filter(|track| !track.body).map(curl).fold(1.0, f64::max);
    ((COUNT as f64 / most).round() as usize).max(LEAST)
}

/// Index of the time nearest to `t`; times increase.
fn nearest(times: &[f64], t: f64) -> usize {
    let after = times.partition_point(|time| *time < t).min(times.len().saturating_sub(1));
    if after > 0 && t - times[after - 1] < times[after] - t { after - 1 } else { after }
}

/// Positions of the nodes at the time number `k`, from fields of these names.
fn positions(rod: &RodField, k: usize, names: [&str; 3]) -> Vec<[f64; 3]> {
    let count = rod.t.len();
    let at = |field: Option<&[f64]>, i: usize| field.and_then(|f| f.get(i * count + k)).copied().unwrap_or(0.0);
    let [x, y, z] = names.map(|name| rod.field(name));
    (0..rod.s.len()).map(|i| [at(x, i), at(y, i), at(z, i)]).collect()
}

/// Positions of the nodes at a time, between saved times on straight lines.
pub(super) fn positions_at(rod: &RodField, t: f64) -> Vec<[f64; 3]> {
    let after = rod.t.partition_point(|time| *time < t).clamp(1, rod.t.len().max(2) - 1);
    let before = positions(rod, after - 1, AXES);
    let (Some(t0), Some(t1)) = (rod.t.get(after - 1), rod.t.get(after)) else { return before };
    let w = ((t - t0) / (t1 - t0)).clamp(0.0, 1.0);
    let mix = |(a, b): (&[f64; 3], &[f64; 3])| [0, 1, 2].map(|axis| (1.0 - w) * a[axis] + w * b[axis]);
    before.iter().zip(&positions(rod, after, AXES)).map(mix).collect()
}

/// The time in which some node of some rod is faster than a thousandth of the highest speed, a little widened; `None`
/// if nothing moves noticeably against the size of the motion.
pub(super) fn moving_interval(tracks: &[Track]) -> Option<Range> {
    let mut speeds: Vec<(f64, f64, f64)> = Vec::new();
    let mut size = 0.0f64;
    let mut travel = 0.0f64;
    for rod in tracks.iter().map(|track| &track.field) {
        let mut before = positions(rod, 0, AXES);
        for axis in 0..3 {
            size = size.max(Range::of(before.iter().map(|p| p[axis])).map_or(0.0, Range::length));
        }
        for k in 1..rod.t.len() {
            let now = positions(rod, k, AXES);
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
    let whole = Range::of(tracks.iter().flat_map(|track| track.field.t.iter().copied()))?;
    let padded = active.padded(PAD);
    Some(Range { low: padded.low.max(whole.low), high: padded.high.min(whole.high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::{forward_sample, sample};

    fn track(field: RodField) -> Track<'static> {
        Track { field: Cow::Owned(field), body: false, link: false }
    }

    #[test]
    fn snapshots_cover_the_moving_time() {
        let rod = track(sample::rod("r", ["x", "y"], |s, t| [s, s * sample::step(t)]));
        let interval = moving_interval(std::slice::from_ref(&rod)).unwrap();
        assert!((interval.low - 1.95).abs() < 0.1 && (interval.high - 4.05).abs() < 0.1, "{interval:?}");
        let shots = Snapshots::of_motion(&rod, Some(interval), count(std::slice::from_ref(&rod)));
        assert_eq!(shots.shapes.len(), COUNT);
        let (t, shape) = &shots.shapes[7];
        assert!((t - 3.0).abs() < 0.06);
        assert_eq!(shape[40], [1.0, sample::step(*t), 0.0]);
        let gaps: Vec<f64> = shots.shapes.windows(2).map(|w| w[1].0 - w[0].0).collect();
        assert!(gaps.iter().all(|g| (g - interval.length() / 14.0).abs() < 0.03), "{gaps:?}");
    }

    #[test]
    fn a_rod_at_rest_is_shown_once() {
        let rod = track(sample::rod("r", ["x", "y", "z"], |s, t| [s, 1.0, 1e-14 * t]));
        assert_eq!(moving_interval(std::slice::from_ref(&rod)), None);
        let shots = Snapshots::of_motion(&rod, None, COUNT);
        assert_eq!((shots.shapes.len(), shots.in_space), (1, true));
    }

    #[test]
    fn the_nearest_time_is_found() {
        let times = [0.0, 1.0, 2.0];
        assert_eq!([-1.0, 0.4, 0.6, 1.9, 5.0].map(|t| nearest(&times, t)), [0, 0, 1, 2, 2]);
    }

    #[test]
    fn curled_rods_are_shown_less_often() {
        assert_eq!(count(&tracks(&forward_sample::swing())), COUNT);
        assert_eq!(count(&tracks(&forward_sample::helix())), LEAST);
    }

    #[test]
    fn bodies_are_found_among_the_columns_of_the_motion() {
        let outcome = forward_sample::swing();
        let tracks = tracks(&outcome);
        let found: Vec<_> = tracks.iter().map(|track| (track.field.rod.as_str(), track.body)).collect();
        assert_eq!(found, [("rod", false), ("bob", true)]);
        assert_eq!(positions(&tracks[0].field, 7, AXES)[40], positions(&tracks[1].field, 7, AXES)[0]);
    }

    #[test]
    fn between_saved_times_positions_lie_on_straight_lines() {
        let rod = sample::rod("r", ["x", "y"], |s, t| [s, t]);
        for t in [-1.0, 0.0, 0.0125, 3.33, 6.0, 7.0] {
            let y = positions_at(&rod, t)[3][1];
            assert!((y - t.clamp(0.0, 6.0)).abs() < 1e-12, "{t}: {y}");
        }
        let single = RodField { t: vec![2.0], fields: vec![("x".into(), vec![1.0; 41])], ..rod };
        assert_eq!(positions_at(&single, 5.0)[0], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn static_states_are_shown_with_the_unloaded_one() {
        let states = |t: Vec<f64>, fields: &[&str]| {
            let values = |i: usize| t.iter().map(|t| t + i as f64).collect::<Vec<f64>>();
            let fields = fields.iter().enumerate().map(|(i, name)| ((*name).to_owned(), values(i))).collect();
            let count = t.len();
            let shots = Snapshots::of_statics(&track(RodField { rod: "r".into(), s: vec![0.0], t, fields }));
            let factors: Vec<f64> = shots.shapes.iter().map(|(t, _)| *t).collect();
            assert!(factors.len() <= COUNT.min(count));
            (factors, shots.reference.map(|reference| reference[0]))
        };
        assert_eq!(states(vec![2.0], &["x", "y"]), (vec![2.0], None));
        assert_eq!(states(vec![0.0, 2.0], &["x", "y"]), (vec![2.0], Some([0.0, 1.0, 0.0])));
        assert_eq!(states(vec![2.0], &["reference_x", "reference_y", "x", "y"]), (vec![2.0], Some([2.0, 3.0, 0.0])));
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        let (shown, _) = states(many, &["x", "y"]);
        assert_eq!((shown.len(), shown[COUNT - 1]), (COUNT, 99.0));
    }
}
