//! Sizes of the numbers that files state, in SI units: products of several of them still have a value.

/// The smallest that is not zero.
pub const LEAST: f64 = 1e-50;
/// The largest.
pub const LARGEST: f64 = 1e50;

/// Whether products of numbers of this size have a value.
pub fn has_size(value: f64) -> bool {
    value == 0.0 || (LEAST..=LARGEST).contains(&value.abs())
}

/// What is expected of a number, in words.
pub fn expected_size() -> String {
    format!("0 or a number from {LEAST:e} to {LARGEST:e} in size")
}
