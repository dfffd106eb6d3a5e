//! Functions along a rod: of arc length and time.

use super::{EvalError, Function};

/// A function of the arc length `s` (metre) and the time `t` (second). Cheap to clone.
#[derive(Debug, Clone)]
pub struct Profile {
    function: Function,
}

impl Profile {
    /// The profile that is always `v`.
    pub fn constant(v: f64) -> Profile {
        Profile { function: Function::constant(v) }
    }

    /// The value.
    pub fn value(&self, _s: f64, t: f64) -> Result<f64, EvalError> {
        self.function.value(t)
    }
}
