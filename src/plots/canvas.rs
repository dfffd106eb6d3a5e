//! Drawing in pixels of the final picture, on any plotters back end.
//!
//! Back ends take whole numbers, so the canvas works on a grid `scale` times finer. On bitmaps, strokes are made of
//! quadrilaterals and round joints (plotters' own wide strokes leave holes where they overlap themselves) and text is
//! placed glyph by glyph; vector formats get polylines and whole strings.

use plotters::backend::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle};

use super::PlotError;
use super::font::{CAPITAL, FAMILY, LINE, Metrics};
use super::style::{Rgb, Stroke};

/// A point in pixels, y downwards.
pub(super) type Point = (f64, f64);

/// What kind of back end the canvas draws on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// Pixels.
    Bitmap,
    /// Shapes and strings.
    Vector,
}

/// Horizontal place of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// A back end with its scale.
pub(super) struct Canvas<B: DrawingBackend> {
    backend: B,
    scale: f64,
    medium: Medium,
    metrics: &'static Metrics,
}

impl<B: DrawingBackend> Canvas<B> {
    /// A canvas on a back end whose size is `scale` times that of the picture.
    pub fn new(backend: B, scale: f64, medium: Medium) -> Result<Self, PlotError> {
        Ok(Self { backend, scale, medium, metrics: Metrics::get()? })
    }

    /// Ends the drawing.
    pub fn finish(mut self) -> Result<(), PlotError> {
        self.backend.present().map_err(failed)
    }

    /// Width of a line of text of size `em`, in pixels.
    pub fn text_width(&self, text: &str, em: f64) -> f64 {
        self.metrics.width(text) * em
    }

    /// The text, cut with an ellipsis to fit into `width` pixels.
    pub fn fit(&self, text: &str, em: f64, width: f64) -> String {
        self.metrics.fit(text, width / em)
    }

    /// The name, shortened in its middle to fit into `width` pixels.
    pub fn fit_name(&self, name: &str, em: f64, width: f64) -> String {
        self.metrics.fit_middle(name, width / em)
    }

    /// A filled rectangle between two corners.
    pub fn fill_rect(&mut self, a: Point, b: Point, colour: Rgb) -> Result<(), PlotError> {
        let (a, b) = (self.grid(a), self.grid(b));
        self.backend.draw_rect(a, b, &shape(colour, 1), true).map_err(failed)
    }

    /// A filled disc.
    pub fn disc(&mut self, centre: Point, radius: f64, colour: Rgb) -> Result<(), PlotError> {
        let centre = self.grid(centre);
        let radius = (radius * self.scale).round().max(1.0) as u32;
        self.backend.draw_circle(centre, radius, &shape(colour, 1), true).map_err(failed)
    }

    /// A line through points, dashed if the stroke says so.
    pub fn line(&mut self, points: &[Point], stroke: &Stroke) -> Result<(), PlotError> {
        if stroke.pattern.is_empty() {
            return self.solid(points, stroke);
        }
        for dash in dashes(points, stroke.pattern) {
            self.solid(&dash, stroke)?;
        }
        Ok(())
    }

    fn solid(&mut self, points: &[Point], stroke: &Stroke) -> Result<(), PlotError> {
        let width = stroke.width * self.scale;
        if self.medium == Medium::Vector {
            let style = shape(stroke.colour, width.round().max(1.0) as u32);
            let path: Vec<_> = points.iter().map(|p| self.grid(*p)).collect();
            return self.backend.draw_path(path, &style).map_err(failed);
        }
        let style = shape(stroke.colour, 1);
        for (k, pair) in points.windows(2).enumerate() {
            let (a, b) = (scaled(pair[0], self.scale), scaled(pair[1], self.scale));
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = dx.hypot(dy);
            if length > 0.0 {
                let (nx, ny) = (-dy / length * width / 2.0, dx / length * width / 2.0);
                let corners = [(a.0 + nx, a.1 + ny), (b.0 + nx, b.1 + ny), (b.0 - nx, b.1 - ny), (a.0 - nx, a.1 - ny)];
                self.backend.fill_polygon(corners.map(whole), &style).map_err(failed)?;
            }
            if k > 0 {
                let radius = (width / 2.0).floor() as u32;
                self.backend.draw_circle(whole(a), radius, &style, true).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// A line of text; `at` is on the baseline.
    pub fn text(&mut self, text: &str, at: Point, em: f64, align: Align) -> Result<(), PlotError> {
        self.write(text, at, em, align, false)
    }

    /// A line of text whose capitals are centred at the height of `at`.
    pub fn text_middle(&mut self, text: &str, at: Point, em: f64, align: Align) -> Result<(), PlotError> {
        self.write(text, (at.0, at.1 + 0.5 * CAPITAL * em), em, align, false)
    }

    /// A line of text running upwards, centred at `at`, which is on the baseline.
    pub fn text_upwards(&mut self, text: &str, at: Point, em: f64) -> Result<(), PlotError> {
        self.write(text, at, em, Align::Centre, true)
    }

    fn write(&mut self, text: &str, at: Point, em: f64, align: Align, upwards: bool) -> Result<(), PlotError> {
        // Size that plotters wants for one em, and where it puts the baseline below the anchor, for each medium.
        let (size, drop) = match self.medium {
            Medium::Bitmap => (em * LINE * self.scale, 0.5 * em * LINE),
            Medium::Vector => (em * 1.24 * self.scale, 0.76 * em),
        };
        let mut font = FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal);
        if upwards {
            font = font.transform(FontTransform::Rotate270);
        }
        let share = match align {
            Align::Left => 0.0,
            Align::Centre => 0.5,
            Align::Right => 1.0,
        };
        let style = |h_pos| -> TextStyle { font.color(&BLACK).pos(Pos::new(h_pos, VPos::Top)) };
        let anchor = if upwards { (at.0 - drop, at.1) } else { (at.0, at.1 - drop) };
        if self.medium == Medium::Vector {
            let h_pos = [HPos::Left, HPos::Center, HPos::Right][(2.0 * share) as usize];
            let anchor = self.grid(anchor);
            return self.backend.draw_text(text, &style(h_pos), anchor).map_err(failed);
        }
        let style = style(HPos::Left);
        let mut pen = -share * self.text_width(text, em) * self.scale;
        let (x, y) = scaled(anchor, self.scale);
        for c in text.chars() {
            let glyph = self.metrics.glyph(c);
            let left = pen.round() + (glyph.bearing * em * self.scale).floor();
            let place = if upwards { (x, y - left) } else { (x + left, y) };
            self.backend.draw_text(c.encode_utf8(&mut [0; 4]), &style, whole(place)).map_err(failed)?;
            pen += glyph.advance * em * self.scale;
        }
        Ok(())
    }

    fn grid(&self, point: Point) -> (i32, i32) {
        whole(scaled(point, self.scale))
    }
}

fn scaled((x, y): Point, scale: f64) -> Point {
    (x * scale, y * scale)
}

fn whole((x, y): Point) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

fn shape((r, g, b): Rgb, stroke_width: u32) -> ShapeStyle {
    ShapeStyle { color: RGBColor(r, g, b).into(), filled: true, stroke_width }
}

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError::Drawing(error.to_string())
}

/// Cuts a line into dashes by arc length, following the bends of the line.
fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let mut result = Vec::new();
    let (mut slot, mut left, mut on) = (0, pattern[0], true);
    let mut dash: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (mut a, b) = (pair[0], pair[1]);
        loop {
            let length = (b.0 - a.0).hypot(b.1 - a.1);
            if length <= left {
                left -= length;
                if on {
                    dash.push(b);
                }
                break;
            }
            let w = left / length;
            a = (a.0 + w * (b.0 - a.0), a.1 + w * (b.1 - a.1));
            if on {
                dash.push(a);
                result.push(std::mem::take(&mut dash));
            } else {
                dash = vec![a];
            }
            on = !on;
            slot = (slot + 1) % pattern.len();
            left = pattern[slot];
        }
    }
    if on && dash.len() > 1 {
        result.push(dash);
    }
    result
}

/// Drops points of a line that lie closer than `distance` to the last one kept; the ends are kept.
pub(super) fn thinned(points: &[Point], distance: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (k, p) in points.iter().enumerate() {
        let near = kept.last().is_some_and(|q| (p.0 - q.0).hypot(p.1 - q.1) < distance);
        if near && k + 1 == points.len() && kept.len() > 1 {
            kept.pop();
        }
        if !near || k + 1 == points.len() {
            kept.push(*p);
        }
    }
    kept
}

/// Reduces the graph of a function (x not decreasing) to first, lowest, highest and last point per column of width
/// `column`: the picture is the same, however many samples there are.
pub(super) fn reduced(points: &[Point], column: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for group in points.chunk_by(|a, b| (a.0 / column).floor() == (b.0 / column).floor()) {
        let last = group.len() - 1;
        let by_height = |a: &usize, b: &usize| group[*a].1.total_cmp(&group[*b].1);
        let low = (0..=last).min_by(by_height).unwrap_or(0);
        let high = (0..=last).max_by(by_height).unwrap_or(0);
        let mut chosen = [0, low, high, last];
        chosen.sort_unstable();
        for (i, index) in chosen.iter().enumerate() {
            if i == 0 || chosen[i - 1] != *index {
                kept.push(group[*index]);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_follow_the_pattern_round_corners() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let parts = dashes(&line, &[6.0, 2.0]);
        assert_eq!(
            parts,
            [vec![(0.0, 0.0), (6.0, 0.0)], vec![(8.0, 0.0), (10.0, 0.0), (10.0, 4.0)], vec![(10.0, 6.0), (10.0, 10.0)]]
        );
        assert!(dashes(&[(1.0, 1.0)], &[2.0, 2.0]).is_empty());
        assert!(dashes(&[], &[2.0, 2.0]).is_empty());
    }

    #[test]
    fn reduction_keeps_extremes_and_ends() {
        let points: Vec<Point> = (0..100_000).map(|i| (f64::from(i) * 1e-3, f64::from(i).sin())).collect();
        let kept = reduced(&points, 0.5);
        assert!(kept.len() <= 4 * 201);
        assert!(kept.windows(2).all(|w| w[1].0 > w[0].0));
        let highest = |p: &[Point]| p.iter().map(|p| p.1).fold(f64::MIN, f64::max);
        assert_eq!(highest(&kept), highest(&points));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[points.len() - 1]));
        let sparse = [(0.0, 1.0), (3.0, 2.0)];
        assert_eq!(reduced(&sparse, 0.5), sparse);
    }

    #[test]
    fn thinning_keeps_the_ends() {
        let points: Vec<Point> = (0..=100).map(|i| (f64::from(i) * 0.1, 0.0)).collect();
        let kept = thinned(&points, 1.0);
        assert_eq!((kept[0], kept[kept.len() - 1]), ((0.0, 0.0), (10.0, 0.0)));
        assert!(kept.len() <= 12 && kept.windows(2).all(|w| w[1].0 - w[0].0 > 0.9));
        assert_eq!(thinned(&[(1.0, 1.0), (1.0, 1.0)], 1.0), [(1.0, 1.0), (1.0, 1.0)]);
    }
}
