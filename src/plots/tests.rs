//! Pictures of made-up results: every plot in both formats, and results that are hard to draw.

use std::io::Cursor;

use super::*;
use crate::results::Table;

/// Decodes a PNG with the reader of the `png` crate: width, height, RGB bytes.
fn decoded(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

/// Draws as PNG and checks what holds for every picture: it has ink, and its outermost pixels are white, so that
/// nothing runs over the edge.
fn checked(kind: Kind, outcome: &Outcome, file: &str) -> (u32, u32, Vec<u8>) {
    let bytes = draw(kind, Format::Png, outcome).unwrap();
    if let Ok(dir) = std::env::var("LARIAT_PLOT_SAMPLES") {
        std::fs::write(std::path::Path::new(&dir).join(format!("{file}.png")), &bytes).unwrap();
        let svg = draw(kind, Format::Svg, outcome).unwrap();
        std::fs::write(std::path::Path::new(&dir).join(format!("{file}.svg")), svg).unwrap();
    }
    let (width, height, pixels) = decoded(&bytes);
    let dark = pixels.chunks_exact(3).filter(|p| p.iter().all(|c| *c < 80)).count();
    assert!(dark > 2000, "{file}: {dark} dark pixels");
    let row = width as usize * 3;
    for (y, line) in pixels.chunks_exact(row).enumerate() {
        let edge = y < 8 || y + 8 >= height as usize;
        let white = |part: &[u8]| part.iter().all(|c| *c == 255);
        assert!(if edge { white(line) } else { white(&line[..24]) && white(&line[row - 24..]) }, "{file}: row {y}");
    }
    (width, height, pixels)
}

/// Whether some pixel has the colour, up to the rounding of blending and averaging.
fn has_colour(pixels: &[u8], (r, g, b): (u8, u8, u8)) -> bool {
    pixels.chunks_exact(3).any(|p| p[0].abs_diff(r) <= 2 && p[1].abs_diff(g) <= 2 && p[2].abs_diff(b) <= 2)
}

#[test]
fn actuation_shows_curves_and_the_servo_interval() {
    let (width, height, pixels) = checked(Kind::Actuation, &sample::beam(), "actuation");
    assert_eq!((width, height), (1200, 800));
    for colour in [style::Stroke::curve(0).colour, style::Stroke::curve(1).colour, style::SHADE] {
        assert!(has_colour(&pixels, colour), "{colour:?}");
    }
    // A place within the interval, beside curves and grid lines, is shaded only if there is an interval.
    let place = |pixels: &[u8]| pixels[3 * (200 * 1200 + 600)..][..3].to_vec();
    assert_eq!(place(&pixels), [style::SHADE.0, style::SHADE.1, style::SHADE.2]);
    let mut calm = sample::beam();
    calm.report.servo_interval = None;
    assert_eq!(place(&checked(Kind::Actuation, &calm, "actuation-calm").2), [255; 3]);
}

#[test]
fn convergence_shows_both_errors() {
    let (width, height, pixels) = checked(Kind::Convergence, &sample::program(), "convergence");
    assert_eq!((width, height), (1200, 800));
    for colour in [style::Stroke::curve(0).colour, style::Stroke::curve(1).colour] {
        assert!(has_colour(&pixels, colour), "{colour:?}");
    }
}

#[test]
fn motion_shows_the_first_and_last_time() {
    let (_, _, pixels) = checked(Kind::Motion, &sample::beam(), "motion");
    // Ends of the colour bar and snapshots near them.
    for colour in [style::time_colour(0.002), style::time_colour(0.998), style::PATH] {
        assert!(has_colour(&pixels, colour), "{colour:?}");
    }
    checked(Kind::Motion, &sample::string(), "motion-space");
}

#[test]
fn energy_is_drawn() {
    assert!(has_colour(&checked(Kind::Energy, &sample::beam(), "energy").2, style::Stroke::curve(0).colour));
}

#[test]
fn hard_actuations_are_drawn() {
    let mut outcome = sample::beam();
    let base = outcome.actuation.clone();
    let mut with = |columns: Vec<(String, Vec<f64>)>, file: &str| {
        outcome.actuation = Table { t: base.t.clone(), columns };
        checked(Kind::Actuation, &outcome, file)
    };
    with(vec![("base.torque".into(), vec![0.0; 241])], "flat");
    let scaled = |scale: f64| base.columns.iter().map(move |(n, v)| (n.clone(), v.iter().map(|v| v * scale).collect()));
    with(scaled(1e6).collect(), "huge");
    with(scaled(1e-9).collect(), "tiny");
    let many = |kind: &str, phase: f64| {
        (0..6)
            .map(|i| {
                let value = |t: &f64| (t + phase + 0.7 * f64::from(i)).sin() * (1.0 + 0.2 * f64::from(i));
                (format!("motor{i}.{kind}"), base.t.iter().map(value).collect())
            })
            .collect::<Vec<(String, Vec<f64>)>>()
    };
    with([many("force_x", 0.0), many("torque_y", 0.3)].concat(), "many");
    with(
        many("force_x", 0.0).into_iter().chain(many("force_y", 1.0)).chain(many("force_z", 2.0)).collect(),
        "eighteen",
    );
    outcome.report.title =
        "A title that goes on and on because somebody had a lot to say about the problem, ".repeat(4);
    outcome.actuation = Table {
        t: base.t.clone(),
        columns: vec![(format!("{}.force_x", "actuator_with_a_long_name_".repeat(5)), base.columns[0].1.clone())],
    };
    checked(Kind::Actuation, &outcome, "long-names");
}

#[test]
fn hard_motions_are_drawn() {
    let with = |rods: Vec<crate::results::RodField>, file: &str| {
        let outcome = Outcome { rods, ..Outcome::default() };
        checked(Kind::Motion, &outcome, file)
    };
    with(vec![sample::rod("still", ["x", "y"], |s, _| [s, 0.0])], "motion-still");
    with(vec![sample::rod("long", ["x", "y"], |s, t| [100.0 * s, sample::step(t)])], "motion-wide");
    with(vec![sample::rod("tall", ["x", "y"], |s, t| [sample::step(t), -30.0 * s])], "motion-tall");
    with(
        vec![sample::rod("tall", ["x", "y", "z"], |s, t| [sample::step(t) * s, s * s * sample::step(t), -4.0 * s])],
        "motion-tall-space",
    );
    let mut two = sample::beam();
    two.rods.push(sample::rod("arm", ["x", "y"], |s, t| [1.4 + 0.3 * s, 1.0 - 0.7 * s * sample::step(t)]));
    checked(Kind::Motion, &two, "motion-two");
}

#[test]
fn pictures_are_the_same_every_time() {
    for kind in Kind::all() {
        let outcome = if kind == Kind::Convergence { sample::program() } else { sample::beam() };
        for format in [Format::Png, Format::Svg] {
            let bytes = draw(kind, format, &outcome).unwrap();
            assert_eq!(bytes, draw(kind, format, &outcome).unwrap());
        }
    }
}

#[test]
fn vector_pictures_carry_their_words() {
    let words_of = |kind, outcome: &Outcome| String::from_utf8(draw(kind, Format::Svg, outcome).unwrap()).unwrap();
    let text = |kind| words_of(kind, &sample::beam());
    let words: [(Kind, &[&str]); 3] = [
        (Kind::Actuation, &["force / N", "torque / N m", "time t / s", "base.force_y", "servo path moves", "−2"]),
        (Kind::Motion, &["x / m", "y / m", "time t / s", "path of tip", "beam"]),
        (Kind::Energy, &["energy from start / J", "kinetic", "strain", "total", "actuator work"]),
    ];
    for (kind, words) in words {
        let svg = text(kind);
        assert!(svg.starts_with("<svg width=\"1200\"") || kind == Kind::Motion);
        assert!(svg.contains("Quarter turn of a planar beam") && svg.trim_end().ends_with("</svg>"));
        for word in words {
            assert!(svg.contains(&format!(">\n{word}\n<")), "{kind}: {word}");
        }
    }
    assert!(!text(Kind::Energy).contains("gravity"));
    let svg = words_of(Kind::Convergence, &sample::program());
    for word in ["hs71.nl", "iteration", "log₁₀ of error", "violation", "optimality", "−8"] {
        assert!(svg.contains(&format!(">\n{word}\n<")), "{word}");
    }
}

#[test]
fn what_is_not_there_is_not_drawn() {
    let empty = Outcome::default();
    for kind in Kind::all() {
        assert!(kind.applicable(&sample::beam()) == (kind != Kind::Convergence) && !kind.applicable(&empty));
        assert_eq!(draw(kind, Format::Png, &empty), Err(PlotError::NotApplicable(kind)));
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert!(!Kind::Actuation.applicable(&sample::string()));
    assert!(Kind::all().into_iter().filter(|kind| kind.applicable(&sample::program())).eq([Kind::Convergence]));
    assert_eq!("svg".parse(), Ok(Format::Svg));
    let error = "forces".parse::<Kind>().unwrap_err().to_string();
    assert!(error.contains("`forces`") && error.contains("actuation"), "{error}");
}

#[test]
fn holes_are_reported() {
    let mut outcome = sample::beam();
    outcome.actuation.columns[1].1[7] = f64::NAN;
    let error = draw(Kind::Actuation, Format::Png, &outcome).unwrap_err();
    assert_eq!(error.to_string(), "column `base.force_y` is NaN at value 7");
}
