//! Laws of springs.

use crate::kernel::Formula;

/// How the force follows from the elongation x, what is measured less its rest, and its rate v.
#[derive(Debug, Clone)]
pub enum SpringLaw {
    /// K x + D v.
    Linear,
    /// U'(x) + D v with the energy U; of one quantity.
    Energy(Formula),
    /// f(x, v); of one quantity. Its energy is that of f(x, 0), the rest is damping.
    Force(Formula),
}
