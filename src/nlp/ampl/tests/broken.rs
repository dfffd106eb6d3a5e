//! Broken files are refused in words and never break the reader.

use super::{HS71, PIECEWISE};
use crate::nlp::Nlp;
use crate::nlp::ampl::{parse, write};
use proptest::prelude::*;

/// The complaint about HS71 with one replacement made.
fn complaint(from: &str, to: &str) -> String {
    let text = HS71.replacen(from, to, 1);
    assert_ne!(text, HS71);
    parse(text.as_bytes(), None, None).unwrap_err().to_string()
}

#[test]
fn complaints_name_the_line_and_what_was_expected() {
    let cases = [
        ("g3 1 1 0", "b3 1 1 0", "this is a binary .nl file; please write it as text"),
        ("g3 1 1 0", "x3 1 1 0", "line 1: found `x` where `g`, the mark of a .nl file in text form was expected"),
        (" 4 2 1 0 1", " four 2 1 0 1", "line 2: found `four` where the number of variables was expected"),
        (" 4 2 1 0 1", " 99999999 2 1", "line 2: found 99999999 where the number of variables in a file of"),
        (" 4 2 1 0 1", " 4 2 1 0 1 3", "line 2: the program has 3 logical constraints"),
        (" 2 1\t", " 2 1 1 1\t", "line 3: the program has 2 complementarity constraints"),
        (" 0 0 0 1\t", " 0 2 0 1\t", "line 6: the program uses 2 imported functions"),
        (" 0 0 0 0 0\t", " 1 2 0 0 0\t", "line 7: 3 variables are integer; only continuous ones are solved"),
        ("C0\t", "C2\t", "line 11: found 2 where the index of a row below 2 was expected"),
        ("C0\t", "L0\t", "line 11: logical constraints are not supported"),
        ("C0\t", "Q0\t", "line 11: found `Q` where a segment: one of"),
        ("o2\t", "o13\t", "line 12: operator o13 (floor) is not supported"),
        ("o2\t", "o99\t", "line 12: found o99 where the number of an operator, 0 to 78 was expected"),
        ("o2\t", "f0 2\t", "line 12: imported functions are not supported"),
        ("v0\t", "v4\t", "line 15: found v4 where one of 4 variables or a defined variable read before was expected"),
        ("n2\n", "nan\n", "line 24: found `an` where a number was expected"),
        ("n2\n", "nNaN\n", "line 24: found a number that is none (NaN) where a number was expected"),
        ("2 25\t", "5 1 2\t", "line 53: a complementarity condition on a row is not supported"),
        ("2 25\t", "7 25\t", "line 53: found 7 where the kind of bounds below 6 was expected"),
        ("0 1 5\t#x1", "0 1\t#x1", "line 56: found the end of the line where the upper bound was expected"),
        ("2 1\n3 0\n", "2 1\n", "line 78: found the end of the file where a linear term was expected"),
    ];
    for (from, to, expected) in cases {
        let complaint = complaint(from, to);
        assert!(complaint.starts_with(expected), "{complaint}");
    }
    assert!(parse(b"", None, None).is_err());
    assert!(parse(b"g3 1 1 0\n\xff", None, None).unwrap_err().to_string().contains("UTF-8"));
}

#[test]
fn a_missing_file_is_named() {
    let error = crate::nlp::ampl::read(std::path::Path::new("no such file.nl")).unwrap_err();
    assert!(error.to_string().starts_with("no such file.nl: "));
}

/// Reads what may be broken; what can be read can also be evaluated and written.
fn survive(bytes: &[u8]) {
    if let Ok(mut model) = parse(bytes, None, None) {
        let program = &mut model.program;
        let start = program.start().to_vec();
        let lambda = vec![1.0; program.bounds().rows()];
        let mut jacobian = vec![0.0; program.jacobian_pattern().nnz()];
        let mut hessian = vec![0.0; program.hessian_pattern().nnz()];
        let _ = program.objective(&start);
        let _ = program.jacobian(&start, &mut jacobian);
        let _ = program.hessian(&start, 1.0, &lambda, &mut hessian);
        if let Ok(written) = write(program) {
            parse(written.nl.as_bytes(), None, None).unwrap();
        }
    }
}

#[test]
fn truncated_files_never_break_the_reader() {
    for file in [HS71, PIECEWISE] {
        (0..file.len()).for_each(|end| survive(&file.as_bytes()[..end]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_bytes_never_break_the_reader(
        second in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0123456789-.e novCJGVOSxbrdkK\n\t#\xff".to_vec())), 1..6),
    ) {
        let mut bytes = if second { PIECEWISE } else { HS71 }.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        survive(&bytes);
    }
}
