//! Where on the mesh the variables and rows of a program live.

use thiserror::Error;

/// The place of a variable or row on the mesh.
///
/// Values of one family are samples of one function of time; families are numbered alike on all meshes, variables and rows
/// each on their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshPlace {
    /// One value on every mesh, for example the end time.
    Global {
        /// Number of the family.
        family: usize,
    },
    /// The value of a function at a node or inside an interval.
    At {
        /// Number of the family.
        family: usize,
        /// Share of the time span, 0 to 1.
        time: f64,
    },
}

impl MeshPlace {
    /// Number of the family.
    pub fn family(self) -> usize {
        match self {
            Self::Global { family } | Self::At { family, .. } => family,
        }
    }

    /// Share of the time span; a global value belongs to all times.
    pub fn time(self) -> f64 {
        match self {
            Self::Global { .. } => 0.0,
            Self::At { time, .. } => time,
        }
    }
}

/// How the multiplier of a row changes with the length h of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Not at all: rows that integrate over an interval, such as y(k+1) − y(k) − (h/2)(…), whose multipliers approximate
    /// the costates, and rows that occur once.
    Independent,
    /// Like h: rows that hold at a time, such as path constraints, and defects divided by h.
    Step,
}

/// A row on the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowPlace {
    /// Where the multiplier is a sample; for the trapezoidal rule the middle of the interval.
    pub place: MeshPlace,
    /// How the multiplier changes with the mesh.
    pub weight: Weight,
}

/// Places of all variables and rows of a program, in its order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshLayout {
    /// Places of the variables.
    pub variables: Vec<MeshPlace>,
    /// Places of the rows.
    pub rows: Vec<RowPlace>,
}

/// Why a layout does not describe its program.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LayoutError {
    /// Numbers of places and of what is placed differ.
    #[error(
        "on {intervals} intervals the layout has {given} {what} but the program has {expected}: every one needs its place"
    )]
    Count {
        /// Number of intervals.
        intervals: usize,
        /// `variables`, `rows` or `starting values`.
        what: &'static str,
        /// Number in the layout.
        given: usize,
        /// Number in the program.
        expected: usize,
    },
    /// A time outside 0 to 1.
    #[error("on {intervals} intervals the place of {name} is at {time} of the time span, outside 0 to 1")]
    Time {
        /// Number of intervals.
        intervals: usize,
        /// Variable or row.
        name: String,
        /// The time given.
        time: f64,
    },
    /// A family of the finer mesh that the coarser one lacks.
    #[error("{name} belongs to family {family}, of which the mesh of {intervals} intervals has no member")]
    Family {
        /// Number of intervals of the coarser mesh.
        intervals: usize,
        /// Variable or row of the finer mesh.
        name: String,
        /// The family.
        family: usize,
    },
}
