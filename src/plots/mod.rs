//! Pictures of a saved result. Every plot is a function of an [`Outcome`] alone, and equal outcomes give equal bytes.

mod actuation;
mod animation;
mod axes;
mod bandwidth;
mod campbell;
mod canvas;
mod chart;
mod colour_bar;
mod convergence;
mod course;
mod deviation;
mod energy;
mod film;
mod font;
#[cfg(test)]
mod forward_sample;
mod load_path;
mod mode_shape;
mod modes;
mod momentum;
mod motion;
mod panels;
mod perspective;
mod phase;
mod picture;
mod profile;
mod relative;
#[cfg(test)]
mod sample;
mod snapshots;
mod style;
mod ticks;
mod trade_off;
mod views;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::results::{Outcome, TableError};

pub use chart::{ChartPanel, chart};

/// What a plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Forces and torques of the actuators over time.
    Actuation,
    /// Snapshots of the rods and bodies, with the prescribed paths; in statics states under growing loads.
    Motion,
    /// Velocities over coordinates.
    Phase,
    /// Energies and work over time.
    Energy,
    /// Linear and angular momentum over time.
    Momentum,
    /// Rates of revolute joints and deflections of rods over time.
    Relative,
    /// Shapes of small motions about an equilibrium.
    Modes,
    /// Frequencies of small motions over the rate of rotation.
    Campbell,
    /// Load factor over displacements along a load path.
    Path,
    /// Violation and optimality error of a nonlinear program over the iterations.
    Convergence,
    /// What a rod does to the frequencies of a path that is prescribed at its end.
    Bandwidth,
    /// Displacement, twist and section loads over the arc length of rods.
    Profile,
    /// By how much the forward simulation misses the paths, over time.
    Deviation,
    /// Deviation from servo paths against effort.
    TradeOff,
}

impl Kind {
    /// All kinds, in the order in which they are drawn.
    pub const fn all() -> [Self; 14] {
        [
            Self::Actuation,
            Self::Motion,
            Self::Phase,
            Self::Energy,
            Self::Momentum,
            Self::Relative,
            Self::Modes,
            Self::Campbell,
            Self::Path,
            Self::Convergence,
            Self::Bandwidth,
            Self::Profile,
            Self::Deviation,
            Self::TradeOff,
        ]
    }

    /// Name on the command line and stem of the file name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Actuation => "actuation",
            Self::Motion => "motion",
            Self::Phase => "phase",
            Self::Energy => "energy",
            Self::Momentum => "momentum",
            Self::Relative => "relative",
            Self::Modes => "modes",
            Self::Campbell => "campbell",
            Self::Path => "path",
            Self::Convergence => "convergence",
            Self::Bandwidth => "bandwidth",
            Self::Profile => "profile",
            Self::Deviation => "deviation",
            Self::TradeOff => "trade-off",
        }
    }

    /// Whether the result holds what this plot shows.
    pub fn applicable(self, outcome: &Outcome) -> bool {
        match self {
            Self::Actuation => !outcome.actuation.is_empty() && !outcome.actuation.columns.is_empty(),
            Self::Motion if course::applicable(outcome) => !outcome.motion.is_empty(),
            Self::Motion => motion::applicable(outcome),
            Self::Phase => phase::applicable(outcome),
            Self::Energy => !outcome.energy.is_empty() && !outcome.energy.columns.is_empty(),
            Self::Momentum => momentum::applicable(outcome),
            Self::Relative => relative::applicable(outcome),
            Self::Modes => modes::applicable(outcome),
            Self::Campbell => outcome.report.campbell.is_some(),
            Self::Path => load_path::applicable(outcome),
            Self::Convergence => convergence::applicable(outcome),
            Self::Bandwidth => outcome.report.bandwidth.is_some(),
            Self::Profile => profile::applicable(outcome),
            Self::Deviation => deviation::applicable(outcome),
            Self::TradeOff => trade_off::applicable(outcome),
        }
    }

    /// Whether the result holds what this plot shows in that format: only motions in time are films.
    pub fn available(self, format: Format, outcome: &Outcome) -> bool {
        match (format, self) {
            // Coordinates of a system are no places.
            (Format::Gif, Self::Motion) => !course::is_abstract(outcome) && animation::applicable(outcome),
            (Format::Gif, _) => false,
            _ => self.applicable(outcome),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = PlotError;

    fn from_str(name: &str) -> Result<Self, PlotError> {
        let kind = Self::all().into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| PlotError::UnknownKind(name.to_owned()))
    }
}

/// File format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Pixels.
    Png,
    /// Vector graphics.
    Svg,
    /// A film.
    Gif,
}

impl Format {
    /// File name extension, and name on the command line.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Gif => "gif",
        }
    }
}

impl FromStr for Format {
    type Err = PlotError;

    fn from_str(name: &str) -> Result<Self, PlotError> {
        let format = [Self::Png, Self::Svg, Self::Gif].into_iter().find(|format| format.extension() == name);
        format.ok_or_else(|| PlotError::UnknownFormat(name.to_owned()))
    }
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PlotError {
    /// No plot of that name.
    #[error("there is no plot `{0}`; plots are {names}", names = Kind::all().map(Kind::name).join(", "))]
    UnknownKind(String),
    /// No format of that name.
    #[error("there is no picture format `{0}`; formats are png, svg, gif")]
    UnknownFormat(String),
    /// The result lacks what the plot shows.
    #[error("the result holds nothing for the plot `{0}`")]
    NotApplicable(Kind),
    /// A film was wanted of what stands still.
    #[error("gif is for motions in time only")]
    Still,
    /// The numbers are not fit to be drawn.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The built-in font could not be read.
    #[error("the built-in font could not be read")]
    Font,
    /// The back end failed.
    #[error("drawing failed: {0}")]
    Drawing(String),
}

/// Draws a plot and returns the content of the picture file.
pub fn draw(kind: Kind, format: Format, outcome: &Outcome) -> Result<Vec<u8>, PlotError> {
    if !kind.applicable(outcome) {
        return Err(PlotError::NotApplicable(kind));
    }
    if format == Format::Gif {
        return if kind.available(format, outcome) { animation::render(outcome) } else { Err(PlotError::Still) };
    }
    match kind {
        Kind::Actuation if course::applicable(outcome) => picture::render(&course::controls(outcome)?, format),
        Kind::Motion if course::is_abstract(outcome) => picture::render(&course::motion(outcome)?, format),
        Kind::Actuation => picture::render(&actuation::drawing(outcome)?, format),
        Kind::Motion => picture::render(&motion::drawing(outcome)?, format),
        Kind::Phase => picture::render(&phase::drawing(outcome)?, format),
        Kind::Energy => picture::render(&energy::drawing(outcome)?, format),
        Kind::Momentum => picture::render(&momentum::drawing(outcome)?, format),
        Kind::Relative => picture::render(&relative::drawing(outcome)?, format),
        Kind::Modes => picture::render(&modes::drawing(outcome)?, format),
        Kind::Campbell => match &outcome.report.campbell {
            Some(diagram) => picture::render(&campbell::drawing(outcome, diagram), format),
            None => Err(PlotError::NotApplicable(kind)),
        },
        Kind::Path => picture::render(&load_path::drawing(outcome)?, format),
        Kind::Convergence => picture::render(&convergence::drawing(outcome), format),
        Kind::Bandwidth => match &outcome.report.bandwidth {
            Some(found) => picture::render(&bandwidth::drawing(outcome, found), format),
            None => Err(PlotError::NotApplicable(kind)),
        },
        Kind::Profile => picture::render(&profile::drawing(outcome), format),
        Kind::Deviation => picture::render(&deviation::drawing(outcome), format),
        Kind::TradeOff => picture::render(&trade_off::drawing(outcome), format),
    }
}

#[cfg(test)]
mod tests;
