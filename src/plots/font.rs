//! The one font of all plots, DejaVu Sans, built into the program so that plots need no fonts of the system.
//!
//! Widths and side bearings are read from the font file itself (tables `cmap`, `hmtx`): the text drawing of plotters
//! leaves out the left side bearing of each glyph, which makes the spacing uneven, so glyphs are placed one by one.

use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

use super::PlotError;

/// Family name; the rest of the list serves readers of SVG files without DejaVu.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, Arial, sans-serif";

/// Ascent minus descent, the size plotters asks for, in em.
pub(super) const LINE: f64 = 1.164;

/// Height of capitals and digits, in em.
pub(super) const CAPITAL: f64 = 0.729;

/// Horizontal metrics of the font.
pub(super) struct Metrics {
    units_per_em: f64,
    hmtx: &'static [u8],
    long_metrics: usize,
    segments: &'static [u8],
}

/// Advance width and left side bearing of a glyph, in em.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glyph {
    pub advance: f64,
    pub bearing: f64,
}

impl Metrics {
    /// The metrics of the font, which is registered for drawing at the first call.
    pub fn get() -> Result<&'static Self, PlotError> {
        static METRICS: OnceLock<Option<Metrics>> = OnceLock::new();
        let load = || {
            register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).ok()?;
            Self::parse(dejavu::sans::regular())
        };
        METRICS.get_or_init(load).as_ref().ok_or(PlotError::Font)
    }

    fn parse(font: &'static [u8]) -> Option<Self> {
        let table = |tag: &[u8; 4]| -> Option<&'static [u8]> {
            let count = usize::from(u16_at(font, 4)?);
            let record = (0..count).map(|i| 12 + 16 * i).find(|at| font.get(*at..at + 4) == Some(tag))?;
            let (offset, length) = (u32_at(font, record + 8)? as usize, u32_at(font, record + 12)? as usize);
            font.get(offset..offset + length)
        };
        let cmap = table(b"cmap")?;
        let subtables = usize::from(u16_at(cmap, 2)?);
        let segments = (0..subtables).find_map(|i| {
            let subtable = cmap.get(u32_at(cmap, 8 + 8 * i)? as usize..)?;
            (u16_at(subtable, 0)? == 4).then_some(subtable)
        })?;
        Some(Self {
            units_per_em: f64::from(u16_at(table(b"head")?, 18)?),
            hmtx: table(b"hmtx")?,
            long_metrics: usize::from(u16_at(table(b"hhea")?, 34)?),
            segments,
        })
    }

    /// Glyph index from the segment mapping of the basic plane (`cmap` format 4); 0 is the box of unknown characters.
    fn index(&self, c: char) -> usize {
        let lookup = || -> Option<usize> {
            let code = u16::try_from(u32::from(c)).ok()?;
            let doubled = usize::from(u16_at(self.segments, 6)?);
            let at = |array: usize, i: usize| {
                u16_at(self.segments, 14 + array * doubled + 2 * i + 2 * usize::from(array > 0))
            };
            let i = (0..doubled / 2).find(|i| at(0, *i).is_some_and(|end| end >= code))?;
            let (start, delta, range) = (at(1, i)?, at(2, i)?, at(3, i)?);
            if code < start {
                return None;
            }
            if range == 0 {
                return Some(usize::from(code.wrapping_add(delta)));
            }
            let range_at = 14 + 3 * doubled + 2 * i + 2;
            let glyph = u16_at(self.segments, range_at + usize::from(range) + 2 * usize::from(code - start))?;
            (glyph != 0).then(|| usize::from(glyph.wrapping_add(delta)))
        };
        lookup().unwrap_or(0)
    }

    /// Metrics of a character.
    pub fn glyph(&self, c: char) -> Glyph {
        let index = self.index(c);
        let long = index.min(self.long_metrics.saturating_sub(1));
        let advance = u16_at(self.hmtx, 4 * long).unwrap_or(0);
        let bearing = if index < self.long_metrics {
            u16_at(self.hmtx, 4 * index + 2)
        } else {
            u16_at(self.hmtx, 4 * self.long_metrics + 2 * (index - self.long_metrics))
        };
        let bearing = bearing.unwrap_or(0) as i16;
        Glyph { advance: f64::from(advance) / self.units_per_em, bearing: f64::from(bearing) / self.units_per_em }
    }

    /// Width of a line of text, in em.
    pub fn width(&self, text: &str) -> f64 {
        text.chars().map(|c| self.glyph(c).advance).sum()
    }

    /// The text, cut with an ellipsis if it is wider than `width` em.
    pub fn fit(&self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut left = width - self.glyph('…').advance;
        let kept = text.chars().take_while(|c| {
            left -= self.glyph(*c).advance;
            left >= 0.0
        });
        kept.chain(['…']).collect()
    }

    /// The text, with an ellipsis in its middle if it is wider than `width` em: names differ at their ends.
    pub fn fit_middle(&self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let half = 0.5 * (width - self.glyph('…').advance);
        let within = |chars: &mut dyn Iterator<Item = char>| -> usize {
            let mut left = half;
            let fits = |c: &char| {
                left -= self.glyph(*c).advance;
                left >= 0.0
            };
            chars.take_while(fits).count()
        };
        let (head, tail) = (within(&mut text.chars()), within(&mut text.chars().rev()));
        let tail_start = text.chars().count() - tail;
        text.chars().take(head).chain(['…']).chain(text.chars().skip(tail_start)).collect()
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::style::{FontDesc, FontFamily};

    #[test]
    fn widths_agree_with_the_font_reader_of_plotters() {
        let metrics = Metrics::get().unwrap();
        let size = 10_000.0;
        for c in "0123456789.−abcxyzABCMW/_()θ⁻⁹…".chars() {
            let font = FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal);
            let ((left, _), (right, _)) = font.layout_box(&c.to_string()).unwrap();
            let wanted = f64::from(right - left) / size * LINE;
            let found = metrics.glyph(c).advance;
            assert!((found - wanted).abs() < 2e-3, "{c}: {found} {wanted}");
        }
    }

    #[test]
    fn digits_are_of_equal_width_and_have_bearings() {
        let metrics = Metrics::get().unwrap();
        let one = metrics.glyph('1');
        assert_eq!(one.advance, metrics.glyph('8').advance);
        assert!(one.bearing > 0.08 && one.bearing < 0.15, "{one:?}");
        assert_ne!(metrics.index('x'), 0);
        assert_eq!(metrics.index('\u{1F600}'), 0);
    }

    #[test]
    fn long_text_is_cut() {
        let metrics = Metrics::get().unwrap();
        assert_eq!(metrics.fit("short", 10.0), "short");
        let cut = metrics.fit(&"long ".repeat(40), 10.0);
        let name = metrics.fit_middle(&format!("{}.force_x", "motor".repeat(20)), 10.0);
        assert!(name.starts_with("motor") && name.contains('…') && name.ends_with("force_x"), "{name}");
        assert!(metrics.width(&name) <= 10.0 && metrics.width(&name) > 8.0);
        assert!(cut.ends_with('…') && metrics.width(&cut) <= 10.0 && metrics.width(&cut) > 9.0, "{cut}");
    }
}
