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
fn phases_show_each_coordinate_with_start_and_end() {
    let mut outcome = sample::course();
    checked(Kind::Phase, &outcome, "phase");
    let svg = String::from_utf8(draw(Kind::Phase, Format::Svg, &outcome).unwrap()).unwrap();
    for word in ["x / m", "x_dot / m/s", "theta / rad", "start", "end"] {
        assert!(svg.contains(&format!(">\n{word}\n<")), "{word}\n{svg}");
    }
    // Eight coordinates need two rows, and two of them are left out.
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let values = outcome.motion.columns[1].1.clone();
    let rates = names.iter().map(|name| format!("{name}_dot"));
    let names = names.iter().map(|name| (*name).to_owned()).chain(rates);
    outcome.motion.columns = names.map(|name| (name, values.clone())).collect();
    checked(Kind::Phase, &outcome, "phase-many");
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
fn motions_of_forward_tasks_are_drawn() {
    let (_, _, pixels) = checked(Kind::Motion, &forward_sample::helix(), "motion-helix");
    for colour in [style::time_colour(0.002), style::time_colour(0.998), style::WALL, style::SHADOW] {
        assert!(has_colour(&pixels, colour), "{colour:?}");
    }
    checked(Kind::Motion, &forward_sample::swing(), "motion-swing");
    let (_, _, pixels) = checked(Kind::Motion, &forward_sample::snap_through(), "motion-snap");
    assert!(has_colour(&pixels, style::REFERENCE) && has_colour(&pixels, style::time_colour(0.998)));
    // A single state has no colour bar, but the unloaded state beside it.
    let (_, _, pixels) = checked(Kind::Motion, &forward_sample::bent(), "motion-bent");
    assert!(has_colour(&pixels, style::REFERENCE) && !has_colour(&pixels, style::time_colour(0.998)));
    let mut pair = forward_sample::helix();
    let mut other = pair.rods[0].clone();
    other.rod = "second helix".into();
    other.fields[0].1.iter_mut().for_each(|x| *x += 1.2);
    pair.rods.push(other);
    let t = pair.rods[0].t.clone();
    let columns = ["ball.x", "ball.y", "ball.z"].map(|name| (name.to_owned(), t.iter().map(|t| 0.1 * t).collect()));
    pair.motion = Table { t, columns: columns.to_vec() };
    checked(Kind::Motion, &pair, "motion-pair");
}

#[test]
fn energies_and_momenta_of_simulations_are_drawn() {
    let (_, _, pixels) = checked(Kind::Energy, &forward_sample::swing(), "energy-swing");
    assert!(has_colour(&pixels, (190, 190, 190)) && has_colour(&pixels, style::Stroke::curve(2).colour));
    checked(Kind::Energy, &forward_sample::damped(), "energy-damped");
    checked(Kind::Momentum, &forward_sample::swing(), "momentum-swing");
    let (_, _, pixels) = checked(Kind::Momentum, &forward_sample::helix(), "momentum-helix");
    assert!((0..3).all(|i| has_colour(&pixels, style::Stroke::curve(i).colour)));
}

#[test]
fn rates_and_deflections_are_drawn() {
    let (_, _, pixels) = checked(Kind::Relative, &forward_sample::run_up(), "relative");
    assert!((0..2).all(|i| has_colour(&pixels, style::Stroke::curve(i).colour)));
}

#[test]
fn campbell_diagrams_have_branches_and_lines() {
    let (_, _, pixels) = checked(Kind::Campbell, &forward_sample::rotor(), "campbell");
    for colour in [style::Stroke::curve(0).colour, style::Stroke::curve(1).colour, style::REFERENCE] {
        assert!(has_colour(&pixels, colour), "{colour:?}");
    }
}

#[test]
fn modes_are_drawn_in_plane_and_space() {
    for (outcome, file) in [(forward_sample::plane_modes(), "modes"), (forward_sample::space_modes(), "modes-space")] {
        let (_, _, pixels) = checked(Kind::Modes, &outcome, file);
        for colour in [style::Stroke::curve(0).colour, style::Stroke::curve(1).colour, style::REFERENCE] {
            assert!(has_colour(&pixels, colour), "{file}: {colour:?}");
        }
    }
    let mut complex = forward_sample::plane_modes();
    complex.modes.truncate(2);
    for mode in &mut complex.modes {
        mode.real = -0.3;
        mode.rods[0].shape_imaginary = mode.rods[0].shape.iter().map(|u| u.map(|c| 0.3 * c)).collect();
    }
    assert!(has_colour(&checked(Kind::Modes, &complex, "modes-complex").2, style::Stroke::curve(2).colour));
    let mut one = forward_sample::space_modes();
    one.modes.truncate(1);
    checked(Kind::Modes, &one, "modes-one");
    // An upright frame in the plane.
    let mut upright = forward_sample::plane_modes();
    for rod in upright.modes.iter_mut().flat_map(|mode| &mut mode.rods) {
        for vectors in [&mut rod.rest, &mut rod.shape] {
            vectors.iter_mut().for_each(|v| v.swap(0, 1));
        }
    }
    checked(Kind::Modes, &upright, "modes-upright");
}

#[test]
fn load_paths_are_drawn() {
    let (_, _, pixels) = checked(Kind::Path, &forward_sample::snap_through(), "path");
    assert!((0..2).all(|i| has_colour(&pixels, style::Stroke::curve(i).colour)));
    let mut single = forward_sample::snap_through();
    single.path.columns.truncate(2);
    checked(Kind::Path, &single, "path-single");
}

/// Decodes a film: size, delays in hundredths of a second, and its pictures as indices into the palette.
fn decoded_film(bytes: &[u8]) -> ((u16, u16), Vec<u16>, Vec<Vec<u8>>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(Cursor::new(bytes)).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (decoder.width(), decoder.height());
    let mut screen = vec![0u8; usize::from(width) * usize::from(height)];
    let (mut delays, mut pictures) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (y, row) in frame.buffer.chunks_exact(usize::from(frame.width)).enumerate() {
            for (x, index) in row.iter().enumerate().filter(|(_, index)| frame.transparent != Some(**index)) {
                let place = (usize::from(frame.top) + y) * usize::from(width) + usize::from(frame.left) + x;
                screen[place] = *index;
            }
        }
        delays.push(frame.delay);
        pictures.push(screen.clone());
    }
    ((width, height), delays, pictures)
}

#[test]
fn films_show_the_motion() {
    for (outcome, file) in [(forward_sample::helix(), "helix"), (forward_sample::swing(), "swing")] {
        let bytes = draw(Kind::Motion, Format::Gif, &outcome).unwrap();
        if let Ok(dir) = std::env::var("LARIAT_PLOT_SAMPLES") {
            std::fs::write(std::path::Path::new(&dir).join(format!("{file}.gif")), &bytes).unwrap();
        }
        assert!(bytes.len() < 2_000_000, "{}", bytes.len());
        assert_eq!(bytes, draw(Kind::Motion, Format::Gif, &outcome).unwrap());
        let ((width, height), delays, pictures) = decoded_film(&bytes);
        assert!((width, height) > (600, 300) && delays.len() > 50 && delays.len() <= 121);
        assert!(delays[..delays.len() - 1].iter().all(|delay| *delay == 4));
        assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]), "{file} stands still");
        // Nothing runs over the edge: the outermost pixels are white, index 1, in every picture.
        let row = usize::from(width);
        for picture in &pictures {
            let edge = picture[..row * 6].iter().chain(&picture[picture.len() - row * 6..]);
            let sides = picture.chunks_exact(row).flat_map(|line| line[..6].iter().chain(&line[row - 6..]));
            assert!(edge.chain(sides).all(|index| *index == 1), "{file}");
        }
    }
}

#[test]
fn what_stands_still_is_no_film() {
    for (kind, outcome) in [
        (Kind::Energy, forward_sample::swing()),
        (Kind::Motion, forward_sample::snap_through()),
        (Kind::Modes, forward_sample::plane_modes()),
    ] {
        assert!(kind.applicable(&outcome) && !kind.available(Format::Gif, &outcome));
        assert_eq!(draw(kind, Format::Gif, &outcome), Err(PlotError::Still));
    }
    assert!(Kind::Motion.available(Format::Gif, &forward_sample::swing()));
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
fn profiles_and_deviations_are_drawn() {
    let outcome = sample::carried();
    let (width, height, pixels) = checked(Kind::Profile, &outcome, "profile");
    assert_eq!((width, height), (1200, 800));
    assert!(has_colour(&pixels, style::time_colour(0.0)) && has_colour(&pixels, style::time_colour(1.0)));
    let (_, _, pixels) = checked(Kind::Deviation, &outcome, "deviation");
    assert!((0..2).all(|i| has_colour(&pixels, style::Stroke::curve(i).colour)));
    // Of a path that was not simulated there is no deviation, of rods that were not told no profile.
    assert!(!Kind::Deviation.applicable(&sample::beam()) && !Kind::Profile.applicable(&sample::beam()));
}

#[test]
fn pictures_are_the_same_every_time() {
    for kind in Kind::all() {
        let outcome = match kind {
            Kind::Actuation | Kind::Motion | Kind::Energy => sample::beam(),
            Kind::Momentum => forward_sample::helix(),
            Kind::Modes => forward_sample::space_modes(),
            Kind::Campbell => forward_sample::rotor(),
            Kind::Relative => forward_sample::run_up(),
            Kind::Path => forward_sample::snap_through(),
            Kind::Convergence => sample::program(),
            Kind::Phase => sample::course(),
            Kind::Bandwidth => sample::slender(),
            Kind::Profile | Kind::Deviation => sample::carried(),
            Kind::TradeOff => sample::compromises(),
        };
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
fn pictures_of_forward_tasks_carry_their_words() {
    let cases: [(Kind, Outcome, &[&str]); 7] = [
        (
            Kind::Motion,
            forward_sample::helix(),
            &["x / m", "y / m", "z / m", "time t / s", "perspective, shadow below"],
        ),
        (Kind::Motion, forward_sample::swing(), &["bob", "rod start, s = 0"]),
        (Kind::Motion, forward_sample::snap_through(), &["load factor", "without load"]),
        (Kind::Motion, forward_sample::bent(), &["at load factor 1", "without load"]),
        (Kind::Momentum, forward_sample::helix(), &["linear momentum / N s", "angular momentum / N m s"]),
        (Kind::Modes, forward_sample::plane_modes(), &["mode 1: 7.032 rad/s (1.119 Hz)", "equilibrium", "x / m"]),
        (Kind::Path, forward_sample::snap_through(), &["load factor", "crown.y / m", "limit point", "target"]),
    ];
    for (kind, outcome, words) in cases {
        let svg = String::from_utf8(draw(kind, Format::Svg, &outcome).unwrap()).unwrap();
        for word in words {
            assert!(svg.contains(&format!(">\n{word}\n<")), "{kind}: {word}");
        }
    }
}

#[test]
fn what_is_not_there_is_not_drawn() {
    let empty = Outcome::default();
    let of_beam = [Kind::Actuation, Kind::Motion, Kind::Energy];
    for kind in Kind::all() {
        assert!(kind.applicable(&sample::beam()) == of_beam.contains(&kind) && !kind.applicable(&empty));
        assert_eq!(draw(kind, Format::Png, &empty), Err(PlotError::NotApplicable(kind)));
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert!(!Kind::Actuation.applicable(&sample::string()));
    assert!(Kind::all().into_iter().filter(|kind| kind.applicable(&sample::program())).eq([Kind::Convergence]));
    let of = |outcome: &Outcome| Kind::all().into_iter().filter(|kind| kind.applicable(outcome)).collect::<Vec<_>>();
    assert_eq!(of(&forward_sample::swing()), [Kind::Motion, Kind::Energy, Kind::Momentum]);
    assert_eq!(of(&forward_sample::space_modes()), [Kind::Modes]);
    assert_eq!(of(&forward_sample::rotor()), [Kind::Campbell]);
    assert_eq!(of(&forward_sample::snap_through()), [Kind::Motion, Kind::Path]);
    assert_eq!(("svg".parse(), "gif".parse()), (Ok(Format::Svg), Ok(Format::Gif)));
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
