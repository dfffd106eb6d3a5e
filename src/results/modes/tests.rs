//! Round trips of `modes.csv` and `modes.npz` and what is refused.

use super::*;

fn field(rod: &str, scale: f64) -> ShapeField {
    let vectors = |c: f64| vec![[0.0; 3], [scale * c, 1.0 / 3.0, -0.0], [c, -1e-300, 1.0]];
    ShapeField {
        rod: rod.into(),
        s: vec![0.0, 0.5, 1.0],
        rest: vec![[0.0; 3], [0.5, 0.0, 0.1], [1.0, 0.0, 0.2]],
        shape: vectors(0.7),
        shape_imaginary: Vec::new(),
        turn: vectors(-2.0),
    }
}

fn modes() -> Vec<ModeShape> {
    let mode = |number: usize, real: f64, imaginary: f64| ModeShape {
        number,
        real,
        imaginary,
        rods: vec![field("beam", number as f64), field("my.arm", 3.0)],
        ..ModeShape::default()
    };
    let mut modes = vec![mode(1, 0.0, 1.0 / 3.0), mode(2, -3.0, 4.0), mode(3, -2.0, 0.0)];
    modes[1].rods[0].shape_imaginary = vec![[0.1; 3]; 3];
    modes
}

fn stored(modes: &[ModeShape]) -> Vec<ModeShape> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("modes.npz");
    std::fs::write(&path, archive(modes).unwrap().unwrap()).unwrap();
    let mut back = parse_listing(&listing(modes).unwrap().format(), "modes.csv").unwrap();
    read_shapes(&path, &mut back).unwrap();
    back
}

#[test]
fn round_trip_is_exact_also_where_only_some_modes_are_complex() {
    // Debug output prints every double with its shortest exact digits and tells -0.0 from 0.0.
    assert_eq!(format!("{:?}", stored(&modes())), format!("{:?}", modes()));
    let mut bare = modes();
    bare.iter_mut().for_each(|mode| mode.rods.clear());
    assert!(archive(&bare).unwrap().is_none());
    assert_eq!(parse_listing(&listing(&bare).unwrap().format(), "modes.csv").unwrap(), bare);
}

#[test]
fn frequencies_and_damping_follow_from_the_eigenvalue() {
    let modes = modes();
    // λ = −3 ± 4i: |λ| = 5, ζ = 3/5.
    assert_eq!(modes.iter().map(ModeShape::damping_ratio).collect::<Vec<_>>(), [0.0, 0.6, 1.0]);
    assert!((modes[1].frequency_hz() - std::f64::consts::FRAC_2_PI).abs() < 1e-15);
    assert_eq!(ModeShape::default().damping_ratio(), 0.0);
    let text = listing(&modes).unwrap().format();
    assert!(text.starts_with("number,real,imaginary,frequency_hz,damping_ratio\n1,0.0,0.3333333333333333,"), "{text}");
}

#[test]
fn unfit_modes_are_refused() {
    let mut hole = modes();
    hole[1].rods[1].turn[2][0] = f64::NAN;
    assert_eq!(archive(&hole).unwrap_err().to_string(), "column `my.arm.turn` is NaN at value 6");
    let mut short = modes();
    short[0].rods[0].shape.pop();
    assert_eq!(listing(&short).unwrap_err().to_string(), "column `beam.shape` has 6 values, but 9 are needed");
    let mut moved = modes();
    moved[2].rods[0].rest[1][2] += 1e-3;
    let error = archive(&moved).unwrap_err().to_string();
    assert_eq!(error, "array `rest`: modes 1 and 3 are not about the same equilibrium");
}

#[test]
fn files_that_do_not_fit_together_are_explained() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("modes.npz");
    std::fs::write(&path, archive(&modes()).unwrap().unwrap()).unwrap();
    let mut two = modes()[..2].to_vec();
    let error = read_shapes(&path, &mut two).unwrap_err().to_string();
    assert_eq!(error, "array `beam.shape`: shape [3, 3, 3], expected [2, 3, 3]");
    for (text, wanted) in [
        ("number,real,imaginary\none,0,1\n", "m.csv, line 2: `one` is not the number of a mode"),
        ("number,real,imaginary\n1,0,1\n2,inf,1\n", "m.csv, line 3: column `real` is inf at value 0"),
    ] {
        assert_eq!(parse_listing(text, "m.csv").unwrap_err().to_string(), wanted);
    }
}
