//! From where a motion is looked at, and where the views are placed: all frames have one scale in both directions.

use super::PlotError;
use super::axes::{Axes, BELOW, Quantity, Rect};
use super::panels::LEGEND_GAP;
use super::style::{MARGIN, SMALL, WIDTH};
use super::ticks::Range;

/// Names of the coordinates.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
/// Largest height of all frames together.
const TALLEST: f64 = 700.0;
/// Room between frames for the name of a view.
pub(super) const VIEW_ROOM: f64 = SMALL + 12.0;
/// Least room between the last tick label of a frame and the next frame.
const GUTTER: f64 = 16.0;
/// Least distance of ticks across and up, in pixels; equal, as the scales are.
const SPACING: [f64; 2] = [80.0, 80.0];

/// A look along one axis: the axis shown to the right, the axis shown upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct View {
    pub right: usize,
    pub up: usize,
    pub name: &'static str,
}

const VIEWS: [View; 3] = [
    View { right: 0, up: 2, name: "side view" },
    View { right: 0, up: 1, name: "top view" },
    View { right: 1, up: 2, name: "front view" },
];

/// A frame of the picture.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub view: View,
    pub axes: Axes,
}

/// Views in which both coordinates vary, two at most; the plane of the problem if there is none.
pub(super) fn views(extents: [Option<Range>; 3]) -> Vec<View> {
    let length = |axis: usize| extents[axis].map_or(0.0, Range::length);
    let largest = (0..3).map(length).fold(0.0, f64::max);
    let varies = |axis: usize| length(axis) > 1e-6 * largest;
    let seen: Vec<View> = VIEWS.into_iter().filter(|view| varies(view.right) && varies(view.up)).take(2).collect();
    match (seen.is_empty(), extents[2].is_some()) {
        (false, _) => seen,
        (true, true) => vec![VIEWS[0]],
        (true, false) => vec![VIEWS[1]],
    }
}

/// Places the frames, one above the other or side by side, whichever gives the larger scale. Also returns the size of a
/// picture that holds them with their labels and the column beside them.
pub(super) fn layout(
    views: &[View],
    extents: [Option<Range>; 3],
    top: f64,
    beside: f64,
) -> Result<(Vec<Frame>, (f64, f64)), PlotError> {
    // The ticks decide the room for their labels, and the room decides the ticks: the second pass uses what the first
    // one needed.
    let mut room = 0.0f64;
    let (frames, _) = place(views, extents, top, beside, room);
    for frame in &frames {
        room = room.max(frame.axes.needed_room()?);
    }
    Ok(place(views, extents, top, beside, room))
}

/// What frames show of each coordinate: all of it with some room around, and not too thin a strip.
pub(super) fn shown(extents: [Option<Range>; 3]) -> [Range; 3] {
    let largest = extents.iter().flatten().map(|r| r.length()).fold(0.0, f64::max);
    extents.map(|extent| {
        let range = extent.unwrap_or(Range { low: 0.0, high: 0.0 });
        if largest > 0.0 { range.with_length(1.1 * range.length().max(0.05 * largest)) } else { range.padded(0.1) }
    })
}

/// Axes of a view that fill `rect` with one scale in both directions.
pub(super) fn equal_axes(view: View, shown: [Range; 3], rect: Rect, room: f64, labelled: bool) -> Axes {
    let (x, y) = (shown[view.right], shown[view.up]);
    let (width, height) = (rect.right - rect.left, rect.bottom - rect.top);
    let scale = (width / x.length()).min(height / y.length());
    let ranges = [x.with_length(width / scale), y.with_length(height / scale)];
    let [across, up] = quantities(view);
    Axes::new(rect, room, ranges, SPACING, (labelled.then_some(&across), &up))
}

fn quantities(view: View) -> [Quantity; 2] {
    [view.right, view.up].map(|axis| Quantity { name: AXES[axis].to_owned(), unit: "m".to_owned() })
}

fn place(views: &[View], extents: [Option<Range>; 3], top: f64, beside: f64, room: f64) -> (Vec<Frame>, (f64, f64)) {
    let shown = shown(extents);
    let range = |axis: usize| shown[axis];
    let ranges: Vec<(Range, Range)> = views.iter().map(|view| (range(view.right), range(view.up))).collect();
    let caption = if views.len() > 1 { VIEW_ROOM } else { 0.0 };
    let space = WIDTH - 2.0 * MARGIN - LEGEND_GAP - beside;

    let count = views.len() as f64;
    let sum = |f: &dyn Fn(&(Range, Range)) -> f64| ranges.iter().map(f).sum::<f64>();
    let most = |f: &dyn Fn(&(Range, Range)) -> f64| ranges.iter().map(f).fold(0.0, f64::max);
    let (across, up) = (|r: &(Range, Range)| r.0.length(), |r: &(Range, Range)| r.1.length());
    let stacked_height = TALLEST - (count - 1.0) * (BELOW + caption);
    let stacked_scale = ((space - room) / most(&across)).min(stacked_height / sum(&up));
    let row_scale = ((space - count * room - (count - 1.0) * GUTTER) / sum(&across)).min(TALLEST / most(&up));
    let stacked = stacked_scale >= row_scale;
    let scale = stacked_scale.max(row_scale);

    let least = |pixels: f64, minimum: f64| pixels.max(minimum);
    let widths: Vec<f64> = match stacked {
        true => vec![least(most(&across) * scale, 360.0); views.len()],
        false => ranges.iter().map(|r| least(across(r) * scale, 260.0)).collect(),
    };
    let heights: Vec<f64> = match stacked {
        true => ranges.iter().map(|r| least(up(r) * scale, 150.0)).collect(),
        false => vec![least(most(&up) * scale, 300.0); views.len()],
    };
    let (mut left, mut y) = (MARGIN + room, top + caption);
    let (mut right, mut bottom) = (left, y);
    let mut frames = Vec::new();
    for (i, view) in views.iter().enumerate() {
        let rect = Rect { left, top: y, right: left + widths[i], bottom: y + heights[i] };
        (right, bottom) = (rect.right, rect.bottom);
        let [x, up] = quantities(*view);
        let shown = [ranges[i].0.with_length(widths[i] / scale), ranges[i].1.with_length(heights[i] / scale)];
        frames.push(Frame { view: *view, axes: Axes::new(rect, room, shown, SPACING, (Some(&x), &up)) });
        if stacked {
            y = rect.bottom + BELOW + caption;
        } else {
            left = rect.right + GUTTER + room;
        }
    }
    (frames, (right + LEGEND_GAP + beside + MARGIN, bottom + BELOW + MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: f64, high: f64) -> Option<Range> {
        Some(Range { low, high })
    }

    #[test]
    fn views_are_those_in_which_something_is_seen() {
        let names = |extents| views(extents).iter().map(|view| view.name).collect::<Vec<_>>();
        assert_eq!(names([range(0.0, 1.0), range(0.0, 1.0), None]), ["top view"]);
        assert_eq!(names([range(0.0, 1.0), range(0.0, 2.0), range(-1.0, 1.0)]), ["side view", "top view"]);
        assert_eq!(names([range(0.0, 1.0), range(3.0, 3.0), range(-1.0, 1.0)]), ["side view"]);
        assert_eq!(names([range(2.0, 2.0), range(0.0, 1.0), range(-1.0, 1.0)]), ["front view"]);
        assert_eq!(names([range(0.0, 1.0), range(0.0, 0.0), None]), ["top view"]);
    }

    #[test]
    fn scales_are_equal_in_all_frames_and_directions() {
        for extents in [
            [range(0.0, 3.0), range(-1.0, 1.0), None],
            [range(0.0, 0.1), range(-10.0, 1.0), None],
            [range(0.0, 2.0), range(0.0, 1.0), range(0.0, 1.8)],
            [range(0.0, 1.0), range(0.0, 1.0), range(-4.0, 0.0)],
        ] {
            let (frames, (width, height)) = layout(&views(extents), extents, 30.0, 200.0).unwrap();
            let scales: Vec<f64> = frames
                .iter()
                .flat_map(|frame| {
                    let (origin, one) = (frame.axes.at(0.0, 0.0), frame.axes.at(1.0, 1.0));
                    [one.0 - origin.0, origin.1 - one.1]
                })
                .collect();
            assert!(scales.iter().all(|s| *s > 0.0 && (s / scales[0] - 1.0).abs() < 1e-9), "{scales:?}");
            assert!(width <= 1300.0 && height <= 1000.0, "{width} {height}");
            for frame in &frames {
                let rect = frame.axes.rect;
                assert!(rect.left > 0.0 && rect.right < width - 200.0 && rect.bottom < height);
                let corner =
                    frame.axes.at(extents[frame.view.right].unwrap().high, extents[frame.view.up].unwrap().low);
                assert!(corner.0 < rect.right && corner.1 < rect.bottom);
            }
        }
    }
}
