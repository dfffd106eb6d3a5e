//! Files written by hand, files written and read again, and broken files.

mod broken;
mod files;
mod round_trip;

/// The problem 71 of Hock and Schittkowski.
const HS71: &str = include_str!("../../../tests/data/nl/hs71.nl");
/// All segments and the operators that are rarely used.
const PIECEWISE: &str = include_str!("../../../tests/data/nl/piecewise.nl");
