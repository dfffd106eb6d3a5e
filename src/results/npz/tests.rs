//! Round trips of `motion.npz` and what is refused.

use super::*;
use ndarray::{Array2, ArrayView1};

fn rod(name: &str, scale: f64) -> RodField {
    let (s, t) = (vec![0.0, 0.5, 1.0], vec![0.0, 1.0 / 3.0]);
    let values = |c: f64| (0..6).map(|i| scale * c / (i as f64 + 3.0)).collect();
    RodField { rod: name.into(), s, t, fields: vec![("x".into(), values(1.0)), ("moment".into(), values(-7.1e-300))] }
}

fn outcome() -> Outcome {
    let table = |names: &[&str]| Table {
        t: vec![0.1, 0.2, 0.7],
        columns: names.iter().map(|n| ((*n).into(), vec![1.0 / 3.0, -0.0, f64::MIN_POSITIVE])).collect(),
    };
    Outcome {
        rods: vec![rod("beam", 1.0), rod("servo", 2.0), rod("my.rod", 3.0)],
        servo: table(&["tip.x", "tip.angle"]),
        energy: table(&["kinetic", "work"]),
        ..Outcome::default()
    }
}

fn parsed(bytes: &[u8]) -> Result<StoredMotion, NpzError> {
    parse(Cursor::new(bytes), "motion.npz")
}

#[test]
fn round_trip_is_exact_even_for_a_rod_named_like_a_table() {
    let outcome = outcome();
    let motion = parsed(&format(&outcome).unwrap().unwrap()).unwrap();
    let wanted = StoredMotion {
        rods: outcome.rods,
        servo: outcome.servo,
        resimulated: outcome.resimulated,
        energy: outcome.energy,
    };
    // Debug output prints every double with its shortest exact digits and tells -0.0 from 0.0.
    assert_eq!(format!("{motion:?}"), format!("{wanted:?}"));
}

#[test]
fn arrays_are_named_and_shaped_as_promised() {
    let bytes = format(&outcome()).unwrap().unwrap();
    let mut npz = NpzReader::new(Cursor::new(bytes)).unwrap();
    assert_eq!(npz.names().unwrap()[..4], ["t", "beam.s", "beam.x", "beam.moment"]);
    assert!(npz.names().unwrap().contains(&"servo.tip.angle".to_owned()));
    let x: Array2<f64> = npz.by_name("beam.x").unwrap();
    assert_eq!((x.dim(), x[(2, 1)]), ((3, 2), 1.0 / 8.0));
}

#[test]
fn bytes_do_not_depend_on_the_clock() {
    let bytes = format(&outcome()).unwrap().unwrap();
    assert_eq!(bytes, format(&outcome()).unwrap().unwrap());
    // Local file header: signature, then the DOS time and date at offset 10; 0x0021 is 1 January 1980.
    assert_eq!(bytes[..4], *b"PK\x03\x04");
    assert_eq!(bytes[10..14], [0, 0, 0x21, 0]);
}

#[test]
fn nothing_gives_no_archive() {
    assert!(format(&Outcome::default()).unwrap().is_none());
}

#[test]
fn unfit_outcomes_are_refused() {
    let mut late = outcome();
    late.rods[1].t[1] = 9.0;
    assert!(matches!(format(&late), Err(NpzError::Times(a, b)) if a == "beam" && b == "servo"));
    let mut hole = outcome();
    hole.rods[0].fields[0].1[4] = f64::NAN;
    assert_eq!(format(&hole).unwrap_err().to_string(), "column `beam.x` is NaN at value 4");
    let mut clash = outcome();
    clash.rods[2].rod = "beam".into();
    assert_eq!(format(&clash).unwrap_err().to_string(), "there are two columns named `beam.s`");
}

#[test]
fn damaged_archives_are_explained() {
    assert!(parsed(b"not a zip").unwrap_err().to_string().starts_with("cannot read motion.npz"));
    let archive = |arrays: &[(&str, &[f64])], field: (&str, Array2<f64>)| {
        let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
        for (name, values) in arrays {
            npz.add_array(*name, &ArrayView1::from(*values)).unwrap();
        }
        npz.add_array(field.0, &field.1).unwrap();
        parsed(npz.finish().unwrap().get_ref()).unwrap_err().to_string()
    };
    let field = || ("beam.x", Array2::zeros((2, 2)));
    assert_eq!(archive(&[], field()), "array `t`: missing");
    assert_eq!(archive(&[("t", &[0.0, 1.0])], field()), "array `beam.s`: missing");
    assert_eq!(
        archive(&[("t", &[0.0, 1.0, 2.0]), ("beam.s", &[0.0, 1.0])], field()),
        "array `beam.x`: shape [2, 2], expected (nodes, times) = [2, 3]"
    );
    assert_eq!(
        archive(&[("t", &[0.0, 1.0]), ("beam.s", &[0.0, 1.0]), ("odd", &[1.0])], field()),
        "array `odd`: belongs to no rod and no table"
    );
}

/// The header of an array claims more numbers than the file could hold: no memory is taken for them.
#[test]
fn a_header_that_claims_too_much_is_refused() {
    let mut bytes = format(&outcome()).unwrap().unwrap();
    let (claimed, longer) = (b"(3,)}          ".as_slice(), b"(99999999999,)}".as_slice());
    let at = bytes.windows(claimed.len()).position(|window| window == claimed).unwrap();
    bytes[at..at + longer.len()].copy_from_slice(longer);
    assert!(matches!(parsed(&bytes), Err(NpzError::Read { .. })));
}
