//! Winches: ropes of changing length.

use super::frame::Frame;
use crate::kernel::Function;

/// A rope that runs over a sheave or drum at its start.
#[derive(Debug, Clone)]
pub struct WinchPart {
    /// Name in the problem file.
    pub name: String,
    /// The rod that is the free rope in the reference configuration, from the sheave on.
    pub rope: usize,
    /// The rod on the other side of the sheave, which gets shorter as the first gets longer; without one the rope comes from a drum.
    pub counter: Option<usize>,
    /// What carries the sheave.
    pub at: Frame,
    /// Unstressed length of rope on the drum in the reference configuration, metre.
    pub stored: f64,
    /// Radius of the drum, metre, where it is stated.
    pub radius: Option<f64>,
    /// Inertia of the drum, kg m².
    pub inertia: f64,
    /// What drives it.
    pub drive: WinchDrive,
}

/// What drives a winch.
#[derive(Debug, Clone)]
pub enum WinchDrive {
    /// Unstressed length paid out since the reference configuration, metre, as a function of time.
    Length(Function),
    /// Force by which the drum hauls the rope in, newton: its torque over its radius.
    Force(Function),
    /// It is sought.
    Sought,
}

impl WinchPart {
    /// The rods that run over its sheave, with the sign by which their free length grows as rope is paid out.
    pub fn ropes(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        std::iter::once((self.rope, 1.0)).chain(self.counter.map(|rope| (rope, -1.0)))
    }

    /// Name of what drives it: a torque where its radius is known, else a force.
    pub fn channel(&self) -> String {
        let what = if self.radius.is_some() { "torque" } else { "force" };
        format!("{}.{what}", self.name)
    }

    /// Inertia over the square of the radius, kg.
    pub fn mass(&self) -> f64 {
        self.radius.map_or(0.0, |radius| self.inertia / (radius * radius))
    }
}
