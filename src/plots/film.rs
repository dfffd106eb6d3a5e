//! From drawings to the bytes of a GIF that plays for ever. Few colours suffice (those of the drawings, blended with
//! white at edges), and each picture holds only what differs from the one before, so that files stay small.

use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::PlotError;
use super::picture::{Drawing, pixels};
use super::style::Rgb;

/// Steps from a colour to white.
const SHADES: u16 = 8;
/// How long the last picture stays, in hundredths of a second.
const HOLD: u16 = 60;
/// The colour that is none, the first of the palette.
const CLEAR: u8 = 0;

/// The bytes of the film of `drawings`, all of one size, made of blends of `colours` with white, `rate` per second.
pub(super) fn encode<D: Drawing>(
    drawings: impl ExactSizeIterator<Item = D>,
    colours: &[Rgb],
    rate: f64,
) -> Result<Vec<u8>, PlotError> {
    let failed = |e: gif::EncodingError| PlotError::Drawing(e.to_string());
    let mut palette = Palette::new(colours);
    let mut bytes = Vec::new();
    let mut encoder: Option<Encoder<&mut Vec<u8>>> = None;
    let mut before: Vec<u8> = Vec::new();
    let last = drawings.len().saturating_sub(1);
    let mut sink = Some(&mut bytes);
    for (k, drawing) in drawings.enumerate() {
        let (width, height, rgb) = pixels(&drawing)?;
        let size = |pixels: usize| u16::try_from(pixels).map_err(|e| PlotError::Drawing(e.to_string()));
        let now = palette.indices(&rgb);
        if let Some(sink) = sink.take() {
            let mut begun = Encoder::new(sink, size(width)?, size(height)?, &palette.bytes()).map_err(failed)?;
            begun.set_repeat(Repeat::Infinite).map_err(failed)?;
            encoder = Some(begun);
        }
        let change = Change::new(&before, &now, width);
        let frame = Frame {
            left: size(change.left)?,
            top: size(change.top)?,
            width: size(change.width)?,
            height: size(change.height)?,
            buffer: change.indices.into(),
            delay: if k == last { HOLD } else { (100.0 / rate).round() as u16 },
            transparent: Some(CLEAR),
            dispose: DisposalMethod::Keep,
            ..Frame::default()
        };
        if let Some(encoder) = &mut encoder {
            encoder.write_frame(&frame).map_err(failed)?;
        }
        before = now;
    }
    drop(encoder);
    Ok(bytes)
}

/// Colours of all pictures, and which of them is nearest to a colour.
struct Palette {
    colours: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl Palette {
    fn new(bases: &[Rgb]) -> Self {
        let mut colours: Vec<Rgb> = vec![(255, 255, 255); 2];
        for &(r, g, b) in bases {
            for shade in 1..=SHADES {
                let blend = |c: u8| ((u16::from(c) * shade + 255 * (SHADES - shade) + SHADES / 2) / SHADES) as u8;
                let colour = (blend(r), blend(g), blend(b));
                if !colours[1..].contains(&colour) && colours.len() < 256 {
                    colours.push(colour);
                }
            }
        }
        Self { colours, known: HashMap::new() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flat_map(|&(r, g, b)| [r, g, b]).collect()
    }

    /// Indices of all pixels, three bytes each.
    fn indices(&mut self, rgb: &[u8]) -> Vec<u8> {
        // Neighbours mostly have one colour.
        let mut last = ([255; 3], self.index((255, 255, 255)));
        let pick = |pixel: &[u8; 3]| {
            if *pixel != last.0 {
                last = (*pixel, self.index((pixel[0], pixel[1], pixel[2])));
            }
            last.1
        };
        rgb.as_chunks::<3>().0.iter().map(pick).collect()
    }

    /// Index of the nearest colour but the first, which is kept for what does not change.
    fn index(&mut self, colour: Rgb) -> u8 {
        let colours = &self.colours;
        *self.known.entry(colour).or_insert_with(|| {
            let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
            let distance = |c: &Rgb| square(c.0, colour.0) + square(c.1, colour.1) + square(c.2, colour.2);
            let nearest = colours.iter().enumerate().skip(1).min_by_key(|(_, c)| distance(c));
            nearest.map_or(1, |(i, _)| i as u8)
        })
    }
}

/// The rectangle in which two pictures differ; what is equal in it is clear.
#[derive(Debug, PartialEq)]
struct Change {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    indices: Vec<u8>,
}

impl Change {
    /// From the picture `before`, or from none if that is empty.
    fn new(before: &[u8], now: &[u8], width: usize) -> Self {
        if before.len() != now.len() {
            let height = now.len() / width.max(1);
            return Self { left: 0, top: 0, width, height, indices: now.to_vec() };
        }
        let differs = |i: &usize| before[*i] != now[*i];
        let places = || (0..now.len()).filter(differs).map(|i| (i % width, i / width));
        let Some((_, top)) = places().next() else {
            return Self { left: 0, top: 0, width: 1, height: 1, indices: vec![CLEAR] };
        };
        let (mut left, mut right, mut bottom) = (width, 0, top);
        for (x, y) in places() {
            (left, right, bottom) = (left.min(x), right.max(x), bottom.max(y));
        }
        let pick = |i: usize| if before[i] == now[i] { CLEAR } else { now[i] };
        let row = |y: usize| (left..=right).map(move |x| pick(y * width + x));
        let indices = (top..=bottom).flat_map(row).collect();
        Self { left, top, width: right - left + 1, height: bottom - top + 1, indices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_stored() {
        let before = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let mut now = before;
        (now[5], now[10]) = (7, 8);
        let change = Change::new(&before, &now, 4);
        assert_eq!(change, Change { left: 1, top: 1, width: 2, height: 2, indices: vec![7, 0, 0, 8] });
        assert_eq!(Change::new(&before, &before, 4).indices, [CLEAR]);
        assert_eq!(Change::new(&[], &now, 4), Change { left: 0, top: 0, width: 4, height: 3, indices: now.to_vec() });
    }

    #[test]
    fn colours_go_to_the_nearest_of_the_palette() {
        let mut palette = Palette::new(&[(0, 0, 0), (0, 114, 178)]);
        for colour in [(0, 0, 0), (0, 114, 178), (255, 255, 255)] {
            let index = palette.index(colour);
            assert_ne!(index, CLEAR);
            assert_eq!(palette.colours[usize::from(index)], colour);
        }
        let index = palette.index((130, 120, 126));
        assert_eq!(palette.colours[usize::from(index)], (128, 128, 128));
        assert_eq!(palette.colours.len(), 2 + 2 * usize::from(SHADES));
    }
}
