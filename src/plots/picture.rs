//! From a drawing to pixels, by supersampling, or to the bytes of a file: PNG or SVG.

use std::cell::Cell;

use plotters::backend::{BitMapBackend, DrawingBackend, RGBPixel, SVGBackend};

use super::canvas::{Canvas, Medium};
use super::{Format, PlotError};

/// Grid points per pixel and direction. Bitmaps are drawn this much larger and averaged down, which smooths all edges.
const SAMPLES: usize = 3;
/// Grid points per pixel of vector pictures, whose coordinates are whole numbers.
const VECTOR_GRID: usize = 10;

const WHITE: u8 = 255;
/// Pixels of the picture that are looked at together, to see whether anything is drawn on them.
const STRETCH: usize = 32;

thread_local! {
    /// Fine pixels of the last picture: fresh memory for each, and each frame of a film, takes longer than to draw some.
    static FINE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Something that can be drawn on every back end.
pub(super) trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> (f64, f64);
    /// Draws it.
    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError>;
}

/// The bytes of a picture of `drawing`.
pub(super) fn render(drawing: &impl Drawing, format: Format) -> Result<Vec<u8>, PlotError> {
    match format {
        Format::Png => png(drawing),
        Format::Svg => svg(drawing),
        Format::Gif => Err(PlotError::Still),
    }
}

fn whole_size(drawing: &impl Drawing) -> (usize, usize) {
    let (width, height) = drawing.size();
    (width.round() as usize, height.round() as usize)
}

/// Width, height and the pixels of a picture, three bytes each.
pub(super) fn pixels(drawing: &impl Drawing) -> Result<(usize, usize, Vec<u8>), PlotError> {
    let (width, height) = whole_size(drawing);
    let (fine_width, fine_height) = (width * SAMPLES, height * SAMPLES);
    let mut fine = FINE.take();
    fine.clear();
    fine.resize(fine_width * fine_height * 3, WHITE);
    let size = (fine_width as u32, fine_height as u32);
    let backend = BitMapBackend::<RGBPixel>::with_buffer_and_format(&mut fine, size)
        .map_err(|e| PlotError::Drawing(e.to_string()))?;
    let mut canvas = Canvas::new(backend, SAMPLES as f64, Medium::Bitmap)?;
    drawing.draw(&mut canvas)?;
    canvas.finish()?;
    let coarse = averaged(&fine, width, height);
    FINE.set(fine);
    Ok((width, height, coarse))
}

fn png(drawing: &impl Drawing) -> Result<Vec<u8>, PlotError> {
    let (width, height, pixels) = pixels(drawing)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let failed = |e: png::EncodingError| PlotError::Drawing(e.to_string());
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Mean over blocks of `SAMPLES` × `SAMPLES`, rounded. Most of a picture is white, and is only looked at.
fn averaged(fine: &[u8], width: usize, height: usize) -> Vec<u8> {
    let (row, area) = (width * SAMPLES * 3, (SAMPLES * SAMPLES) as u16);
    let mut coarse = vec![WHITE; width * height * 3];
    let mut sums = [0u16; STRETCH * SAMPLES * 3];
    for (band, line) in fine.chunks_exact(row * SAMPLES).zip(coarse.chunks_exact_mut(width * 3)) {
        for (at, stretch) in line.chunks_mut(STRETCH * 3).enumerate() {
            let (first, length) = (at * STRETCH * SAMPLES * 3, stretch.len() * SAMPLES);
            let lines = || (0..SAMPLES).map(|k| &band[k * row + first..][..length]);
            if lines().all(|line| line.iter().fold(WHITE, |all, value| all & value) == WHITE) {
                continue;
            }
            // Lines are summed first: whole lines are added at once, and a third of the values is left for the sums across.
            sums.fill(0);
            lines().for_each(|line| sums.iter_mut().zip(line).for_each(|(sum, value)| *sum += u16::from(*value)));
            for (pixel, block) in stretch.as_chunks_mut::<3>().0.iter_mut().zip(sums.as_chunks::<{ 3 * SAMPLES }>().0) {
                for (channel, mean) in pixel.iter_mut().enumerate() {
                    let sum: u16 = (0..SAMPLES).map(|i| block[3 * i + channel]).sum();
                    *mean = ((sum + area / 2) / area) as u8;
                }
            }
        }
    }
    coarse
}

fn svg(drawing: &impl Drawing) -> Result<Vec<u8>, PlotError> {
    let (width, height) = whole_size(drawing);
    let (fine_width, fine_height) = (width * VECTOR_GRID, height * VECTOR_GRID);
    let mut text = String::new();
    let backend = SVGBackend::with_string(&mut text, (fine_width as u32, fine_height as u32));
    let mut canvas = Canvas::new(backend, VECTOR_GRID as f64, Medium::Vector)?;
    canvas.fill_rect((0.0, 0.0), (width as f64, height as f64), (255, 255, 255))?;
    drawing.draw(&mut canvas)?;
    canvas.finish()?;
    // The drawing keeps its fine grid, the picture gets its size.
    let fine = format!("width=\"{fine_width}\" height=\"{fine_height}\"");
    Ok(text.replacen(&fine, &format!("width=\"{width}\" height=\"{height}\""), 1).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaging_is_the_mean_of_blocks() {
        let (width, height) = (2, 1);
        let mut fine = vec![255u8; 6 * 3 * 3];
        // One black sample of nine in the first pixel: 255 · 8/9 = 226.7; the second pixel stays white.
        fine[..3].fill(0);
        assert_eq!(averaged(&fine, width, height), [227, 227, 227, 255, 255, 255]);
    }

    /// Random samples on part of a picture wider than a stretch, against a mean pixel by pixel.
    #[test]
    fn averaging_leaves_nothing_out() {
        let (width, height) = (2 * STRETCH + 5, 4);
        let mut seed = 12345_u32;
        let mut fine = vec![WHITE; width * height * 3 * SAMPLES * SAMPLES];
        for value in fine.iter_mut().step_by(7) {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 28 == 0 {
                *value = (seed >> 16) as u8;
            }
        }
        let coarse = averaged(&fine, width, height);
        for (place, mean) in coarse.iter().enumerate() {
            let (y, x, channel) = (place / (3 * width), place / 3 % width, place % 3);
            let sample =
                |i: usize, j: usize| fine[((y * SAMPLES + i) * width * SAMPLES + x * SAMPLES + j) * 3 + channel];
            let sum: u32 = (0..9).map(|k| u32::from(sample(k / 3, k % 3))).sum();
            assert_eq!(u32::from(*mean), (sum + 4) / 9, "pixel {x}, {y}");
        }
        assert!(coarse.iter().any(|mean| *mean != WHITE));
    }
}
