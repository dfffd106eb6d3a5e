//! Ends of rods, and what can go wrong along them.

use thiserror::Error;

use crate::kernel::EvalError;

/// One of the two ends of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// s = 0.
    Start,
    /// s = L.
    End,
}

impl Side {
    /// Both, in order of s.
    pub const BOTH: [Side; 2] = [Side::Start, Side::End];

    /// 0 for the start, 1 for the end: place in arrays of both.
    pub fn index(self) -> usize {
        match self {
            Side::Start => 0,
            Side::End => 1,
        }
    }

    /// Its node in a rod of `elements` elements.
    pub fn node(self, elements: usize) -> usize {
        match self {
            Side::Start => 0,
            Side::End => elements,
        }
    }

    /// The other end.
    pub fn other(self) -> Side {
        match self {
            Side::Start => Side::End,
            Side::End => Side::Start,
        }
    }

    /// The stress n acts from larger s on smaller s, so the force on the rod's end is −n at s = 0 and +n at s = L.
    pub fn sign(self) -> f64 {
        match self {
            Side::Start => -1.0,
            Side::End => 1.0,
        }
    }

    /// As in the frame names `beam.start`, `beam.end`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Start => "start",
            Side::End => "end",
        }
    }
}

/// A servo path or load that cannot be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct BadFunction {
    /// Coordinate index.
    pub coordinate: usize,
    /// A load (else a servo path).
    pub is_load: bool,
    /// What went wrong, where in the text and at which time.
    pub error: EvalError,
}

/// A state at which the energy has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum StrainError {
    /// The rod is compressed to nothing or beyond.
    #[error("the rod is compressed to nothing (stretch {stretch:.3e})")]
    Collapsed {
        /// The stretch found, ≤ 0 or not a number.
        stretch: f64,
    },
    /// A string carries no tension, so its direction is undetermined.
    #[error("the string goes slack (tension {tension:.3e} N)")]
    Slack {
        /// The tension found, newton.
        tension: f64,
    },
}
