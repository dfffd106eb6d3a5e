//! Inverse dynamics of a trolley on a rail with a winch: the rope is marched along as material, from the load upwards and past the
//! rail, and cut at every instant where it passes the sheave.
//!
//! With the stored length s₀ (the arc length of the cut), the position x of the sheave, n, ν and r' = ν t of the rope there, the mass
//! M of the trolley, ρA of the rope and the inertia J/R² of the drum the jump conditions of `terms::reeved` give
//!
//! force on the trolley (M + ρA s₀) ẍ − n t + ρA ṡ₀² r',  force that hauls in n + (J/R² + ρA s₀) s̈₀ − ½ρA ṡ₀² (ν² − 1).

mod cut;
mod outcome;
mod proof;

pub use cut::{Crossing, prospects};
pub use outcome::run;
pub use proof::reverify;

use crate::mechanism::{Frame, Mechanism, WinchPart};
use crate::tasks::inverse_dynamics::chain::coordinate;
use crate::tasks::inverse_dynamics::scalars::ACTUATION_SCALARS;
use crate::tasks::{InverseDynamicsSpec, System};

/// A load on a rope, a winch and a trolley on a level rail.
#[derive(Debug, Clone)]
pub struct HoistSystem {
    /// The rope as material with its load: all of it, free and stored, from the drum to the load.
    pub system: System,
    /// What is asked.
    pub spec: InverseDynamicsSpec,
    /// The mechanism as it moves: with rail, trolley and winch.
    pub mechanism: Mechanism,
    /// The body that carries the sheave.
    pub trolley: usize,
    /// The frame that follows the path, in the mechanism.
    pub load: Frame,
    /// The coordinate of the rail that is constant, and its value at the sheave, metre.
    pub rail: (usize, f64),
    /// Names of the forces on the trolley, along x and y, and of the force or torque of the winch.
    pub channels: Vec<String>,
}

impl HoistSystem {
    /// The winch.
    pub fn winch(&self) -> &WinchPart {
        &self.mechanism.winches[0]
    }

    /// ρA, kg/m.
    fn line_mass(&self) -> f64 {
        (self.mechanism.rods[self.winch().rope].section)(0.0).mass
    }

    /// What is told of the motion: trolley, load and winch.
    fn columns(&self) -> Vec<String> {
        let chain = &self.system.chain;
        let coordinates = || chain.components().iter().map(|component| coordinate(chain, *component));
        let load = self.mechanism.frame_name(self.load);
        let trolley = &self.mechanism.bodies[self.trolley].name;
        let frames =
            [trolley, &load].map(|frame| coordinates().map(move |c| format!("{frame}.{c}")).collect::<Vec<_>>());
        let winch = ["length", "tension"].map(|what| format!("{}.{what}", self.winch().name));
        frames.into_iter().flatten().chain(winch).collect()
    }

    /// Names of all scalars a solved system has: what `[expect]` may refer to.
    pub fn scalar_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            ["actuation.begins", "actuation.ends", "estimated_relative_error", "grid.dt"].map(str::to_owned).into();
        for channel in &self.channels {
            names.extend(ACTUATION_SCALARS.map(|what| format!("actuation.{channel}.{what}")));
        }
        names.extend(self.system.outputs.iter().map(|output| format!("verification.{}.max_error", output.name)));
        for column in self.columns() {
            names.extend(["initial", "final"].map(|when| format!("motion.{column}.{when}")));
        }
        names
    }
}
