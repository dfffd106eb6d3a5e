//! The motion as a film of rods and bodies: in the plane, or in perspective.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Mark, Rect};
use super::canvas::{Align, Canvas, Point, thinned};
use super::film;
use super::motion;
use super::panels::title_room;
use super::perspective::{Labels, Perspective};
use super::picture::Drawing;
use super::snapshots::{Track, positions_at, tracks};
use super::style::{CURVE, GRID, INK, MARGIN, MEDIUM, SHADOW, SMALL, Stroke, THIN, WALL};
use super::ticks::{Range, nice_step, shortened};
use super::views::{View, equal_axes, shown, views};
use crate::results::Outcome;

/// Width of pictures, and least and largest height of their frame.
const WIDTH: f64 = 640.0;
const HEIGHTS: [f64; 2] = [160.0, 400.0];
/// Pictures per second, and most of all pictures.
const RATE: f64 = 25.0;
const MOST: f64 = 120.0;
/// A motion that takes less than this is slowed down, seconds.
const SHORT: f64 = 1.5;
/// Room for the time above the frame.
const CLOCK: f64 = SMALL + 16.0;

/// Whether something moves in time.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    !outcome.is_static() && tracks(outcome).iter().any(|track| track.field.t.len() > 1)
}

/// The film of the motion of a result, as a file.
pub(super) fn render(outcome: &Outcome) -> Result<Vec<u8>, PlotError> {
    motion::check(outcome)?;
    let scene = Scene::new(outcome)?;
    let frames = scene.times.iter().map(|t| Moment { scene: &scene, t: *t });
    let colours: Vec<_> = [INK, GRID, WALL, SHADOW].into_iter().chain(scene.strokes().map(|s| s.colour)).collect();
    film::encode(frames, &colours, RATE)
}

/// What all pictures have in common.
struct Scene<'a> {
    title: String,
    tracks: Vec<Track<'a>>,
    times: Vec<f64>,
    /// Decimals of the time shown.
    decimals: usize,
    pace: String,
    stage: Stage,
    size: (f64, f64),
}

enum Stage {
    Plane(View, Box<Axes>),
    Space(Box<Perspective>),
}

impl<'a> Scene<'a> {
    fn new(outcome: &'a Outcome) -> Result<Self, PlotError> {
        let tracks = tracks(outcome);
        let times = tracks.iter().flat_map(|track| track.field.t.iter().copied());
        let interval = Range::of(times).unwrap_or(Range { low: 0.0, high: 0.0 });
        let speed = speed(interval.length());
        let count = (interval.length() / speed * RATE).round().clamp(1.0, MOST);
        let times: Vec<f64> =
            (0..=count as usize).map(|i| interval.low + interval.length() * i as f64 / count).collect();
        let decimals = (-(interval.length() / count).log10()).ceil().clamp(0.0, 9.0) as usize;

        let extent = |axis: usize, name: &str| {
            Range::of(tracks.iter().filter_map(|track| track.field.field(name)).flatten().copied())
                .or_else(|| (axis < 2).then_some(Range { low: 0.0, high: 0.0 }))
        };
        let extents = [extent(0, "x"), extent(1, "y"), extent(2, "z")];
        let (ranges, title) = (shown(extents), outcome.report.title.clone());
        let top = title_room(&title) + CLOCK;
        let (stage, bottom) = match *views(extents).as_slice() {
            [view] => {
                let rect = |room: f64, height: f64| Rect {
                    left: MARGIN + room,
                    top,
                    right: WIDTH - MARGIN,
                    bottom: top + height,
                };
                let room = equal_axes(view, ranges, rect(0.0, HEIGHTS[1]), 0.0, true).needed_room()?;
                let width = WIDTH - 2.0 * MARGIN - room;
                let height = width * ranges[view.up].length() / ranges[view.right].length();
                let rect = rect(room, height.clamp(HEIGHTS[0], HEIGHTS[1]));
                (Stage::Plane(view, Box::new(equal_axes(view, ranges, rect, room, true))), rect.bottom + BELOW)
            }
            _ => {
                let height = Perspective::height(ranges, WIDTH - 2.0 * MARGIN, Labels::Numbers)?;
                let bottom = top + height.clamp(HEIGHTS[0], HEIGHTS[1]);
                let rect = Rect { left: MARGIN, top, right: WIDTH - MARGIN, bottom };
                (Stage::Space(Box::new(Perspective::new(ranges, rect, Labels::Numbers)?)), rect.bottom)
            }
        };
        Ok(Self { title, tracks, times, decimals, pace: pace(speed), stage, size: (WIDTH, bottom + MARGIN) })
    }

    /// A line for each rod.
    fn strokes(&self) -> impl Iterator<Item = Stroke> {
        let rods = self.tracks.iter().filter(|track| !track.body).count();
        (0..rods.min(6)).map(|i| Stroke::solid(Stroke::curve(i).colour, 1.5 * CURVE))
    }
}

/// Seconds of the motion per second of the film: 1 if that is neither too short nor too long, else a round number.
fn speed(duration: f64) -> f64 {
    let longest = MOST / RATE;
    if (SHORT..=longest).contains(&duration) || duration <= 0.0 { 1.0 } else { nice_step(duration / longest) }
}

fn pace(speed: f64) -> String {
    if speed == 1.0 {
        "real time".to_owned()
    } else if speed > 1.0 {
        format!("{} times faster than real", shortened(speed, 2))
    } else {
        format!("{} times slower than real", shortened(1.0 / speed, 2))
    }
}

/// The picture of one instant.
struct Moment<'a> {
    scene: &'a Scene<'a>,
    t: f64,
}

impl Drawing for Moment<'_> {
    fn size(&self) -> (f64, f64) {
        self.scene.size
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let scene = self.scene;
        let top = title_room(&scene.title);
        let title = canvas.fit(&scene.title, MEDIUM, WIDTH - 2.0 * MARGIN);
        canvas.text(&title, (MARGIN, MARGIN + 0.8 * MEDIUM), MEDIUM, Align::Left)?;
        let clock = format!("t = {:.*} s", scene.decimals, self.t).replace('-', "−");
        canvas.text(&clock, (MARGIN, top + SMALL), SMALL, Align::Left)?;
        canvas.text(&scene.pace, (WIDTH - MARGIN, top + SMALL), SMALL, Align::Right)?;
        let shapes: Vec<Vec<[f64; 3]>> = scene.tracks.iter().map(|track| positions_at(&track.field, self.t)).collect();
        match &scene.stage {
            Stage::Plane(view, axes) => {
                axes.grid(canvas)?;
                self.shapes(canvas, &shapes, &|p| axes.at(p[view.right], p[view.up]))?;
                axes.frame(canvas)
            }
            Stage::Space(seen) => {
                seen.draw(canvas, Labels::Numbers)?;
                for shape in &shapes {
                    let shadow: Vec<Point> = shape.iter().map(|p| seen.below(*p)).collect();
                    canvas.line(&thinned(&shadow, 2.0), &Stroke::solid(SHADOW, 2.0 * THIN))?;
                }
                self.shapes(canvas, &shapes, &|p| seen.at(p))
            }
        }
    }
}

impl Moment<'_> {
    fn shapes<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<B>,
        shapes: &[Vec<[f64; 3]>],
        place: &dyn Fn([f64; 3]) -> Point,
    ) -> Result<(), PlotError> {
        let strokes: Vec<Stroke> = self.scene.strokes().collect();
        let mut rod = 0;
        for (track, shape) in self.scene.tracks.iter().zip(shapes) {
            let points: Vec<Point> = shape.iter().map(|p| place(*p)).collect();
            match (track.body, points.first()) {
                (true, Some(at)) => Mark::Disc.draw(canvas, *at, &Stroke::solid(INK, CURVE))?,
                (false, _) if !strokes.is_empty() => {
                    canvas.line(&thinned(&points, 2.0), &strokes[rod % strokes.len()])?;
                    rod += 1;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn films_are_neither_too_long_nor_too_short() {
        for duration in [1e-6, 0.013, 0.4, 1.49, 1.5, 3.0, 4.8, 4.9, 12.0, 3600.0] {
            let seconds = duration / speed(duration);
            assert!((1.4..=MOST / RATE + 1e-9).contains(&seconds), "{duration}: {seconds}");
        }
        assert_eq!(speed(3.0), 1.0);
        assert_eq!(pace(speed(3.0)), "real time");
        assert_eq!(pace(speed(20.0)), "5 times faster than real");
        assert_eq!(pace(speed(0.02)), "200 times slower than real");
    }

    #[test]
    fn the_film_runs_from_the_first_to_the_last_time() {
        let outcome = forward_sample::helix();
        let scene = Scene::new(&outcome).unwrap();
        assert!(matches!(scene.stage, Stage::Space(_)));
        assert_eq!((scene.times[0], scene.times[scene.times.len() - 1]), (0.0, 6.0));
        assert!(scene.times.len() <= 121 && scene.times.len() > 50);
        let outcome = forward_sample::swing();
        assert!(matches!(Scene::new(&outcome).unwrap().stage, Stage::Plane(..)));
    }
}
