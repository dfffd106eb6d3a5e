//! Columns over time: the in-memory form of `actuation.csv` and `motion.csv`.

use std::collections::HashSet;

use thiserror::Error;

use super::{Listing, ModeShape, PathTable};

/// Why numbers cannot be stored: a result with holes must never look like a result.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableError {
    /// A column or field of the wrong length.
    #[error("column `{column}` has {found} values, but {expected} are needed")]
    Length {
        /// Column name.
        column: String,
        /// Values there are.
        found: usize,
        /// Values there should be.
        expected: usize,
    },
    /// NaN or infinity.
    #[error("column `{column}` is {value} at value {index}")]
    NotFinite {
        /// Column name.
        column: String,
        /// Index of the value.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Times that stand still or go back.
    #[error("`{column}` must increase, but value {index} is {after:?} after {before:?}")]
    NotIncreasing {
        /// Name of the column, `t` or `<rod>.s`.
        column: String,
        /// Index of the later value.
        index: usize,
        /// The value before.
        before: f64,
        /// The value that does not exceed it.
        after: f64,
    },
    /// Two columns of one name.
    #[error("there are two columns named `{0}`")]
    Duplicate(String),
    /// A name that a file cannot carry.
    #[error("`{0}` cannot be the name of a column")]
    Name(String),
}

/// Named columns over common times.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Times, in seconds, increasing.
    pub t: Vec<f64>,
    /// Column name (`base.force_x`) and values, one per time.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_slice())
    }

    /// The values of some columns by row; none where a column is missing.
    pub fn rows(&self, names: &[String]) -> Option<Vec<Vec<f64>>> {
        let columns = names.iter().map(|name| self.column(name).filter(|values| values.len() == self.t.len()));
        let columns: Vec<&[f64]> = columns.collect::<Option<_>>()?;
        Some((0..self.t.len()).map(|k| columns.iter().map(|column| column[k]).collect()).collect())
    }

    /// Whether there are no times at all, so that there is nothing to store.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// Checks what readers rely on: increasing times, columns of equal length, finite values, usable and unique names.
    pub fn check(&self) -> Result<(), TableError> {
        check_increasing("t", &self.t)?;
        let mut names = HashSet::from(["t"]);
        for (name, values) in &self.columns {
            if name.is_empty() || name.trim() != name || name.chars().any(char::is_control) {
                return Err(TableError::Name(name.clone()));
            }
            if !names.insert(name) {
                return Err(TableError::Duplicate(name.clone()));
            }
            check_values(name, values, self.t.len())?;
        }
        Ok(())
    }
}

/// The motion of one rod on its space-time grid, with the stress resultants: the content of `motion.npz`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RodField {
    /// Name of the rod.
    pub rod: String,
    /// Arc lengths of the nodes, metres.
    pub s: Vec<f64>,
    /// Times, seconds; for the equilibria of statics their load factors, in the order of the load path.
    pub t: Vec<f64>,
    /// Field name (`x`, `y`, `z`, `angle`, `force_x`, …, `moment`) and values, `values[i * t.len() + k]` at (s_i, t_k).
    pub fields: Vec<(String, Vec<f64>)>,
}

impl RodField {
    /// Checks what readers rely on: increasing arc lengths and times, fields of full size, finite values.
    pub fn check(&self) -> Result<(), TableError> {
        check_increasing("t", &self.t)?;
        self.check_states()
    }

    /// As [`Self::check`], but `t` may go back, as load factors do beyond a limit point.
    pub fn check_states(&self) -> Result<(), TableError> {
        check_values("t", &self.t, self.t.len())?;
        check_increasing(&format!("{}.s", self.rod), &self.s)?;
        let mut names = HashSet::from(["s"]);
        for (field, values) in &self.fields {
            if field.is_empty() || field.contains('.') {
                return Err(TableError::Name(field.clone()));
            }
            if !names.insert(field) {
                return Err(TableError::Duplicate(format!("{}.{field}", self.rod)));
            }
            check_values(&format!("{}.{field}", self.rod), values, self.s.len() * self.t.len())?;
        }
        Ok(())
    }

    /// The field of that name, node-major.
    pub fn field(&self, name: &str) -> Option<&[f64]> {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_slice())
    }
}

/// Everything a result folder holds besides its pictures: what the plots and the writers work from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The record of the run.
    pub report: super::Report,
    /// Actuation over time, values at the instants; columns `<actuator>.<component>`, forces applied to the mechanism.
    pub actuation: Table,
    /// The same where it is constant in each time step: a value holds from its instant to the next, and the last row repeats the
    /// one before (empty where the actuation is a function of time).
    pub controls: Table,
    /// Motion of bodies and rod ends; columns `<rod>.start.x`, `<rod>.end.angle`, …
    pub motion: Table,
    /// Full fields of every rod.
    pub rods: Vec<RodField>,
    /// Prescribed paths; columns `<servo>.x`, `<servo>.y`, `<servo>.z`, `<servo>.angle`.
    pub servo: Table,
    /// The same outputs as re-simulated from the actuation (may be empty, may have another time grid).
    pub resimulated: Table,
    /// Energies over time; columns `kinetic`, `strain`, `gravity`, `work`, `dissipated`, `total` (may be empty).
    pub energy: Table,
    /// Small motions about an equilibrium.
    pub modes: Vec<ModeShape>,
    /// Points along a load path of statics (may be empty).
    pub path: PathTable,
    /// Momenta over time; columns `linear_x`, `linear_y`, `linear_z`, `angular_x`, …, in the plane `angular` (may be
    /// empty).
    pub momentum: Table,
    /// Relative motions over time; columns `<joint>.angle`, `<joint>.rate`, `<rod>.deflection_1`, … (may be empty).
    pub relative: Table,
    /// Reactions of supports and forces of joints over time, of statics over the load factor; columns `<support>.force_x`,
    /// `<joint>.torque_z`, … (may be empty).
    pub loads: Table,
    /// Displacement, twist and section loads along the rods at some instants, with their least and largest values (may be
    /// empty).
    pub profile: Listing,
}

impl Outcome {
    /// The table to drive a system with: steps where there are some. Results of the first layout held steps as their actuation.
    pub fn steps(&self) -> &Table {
        if self.controls.is_empty() { &self.actuation } else { &self.controls }
    }

    /// Whether the states of the rods are equilibria under growing loads instead of a motion in time.
    pub fn is_static(&self) -> bool {
        self.report.task == "statics"
    }
}

pub(super) fn check_values(column: &str, values: &[f64], expected: usize) -> Result<(), TableError> {
    if values.len() != expected {
        return Err(TableError::Length { column: column.to_owned(), found: values.len(), expected });
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(TableError::NotFinite { column: column.to_owned(), index, value: values[index] }),
        None => Ok(()),
    }
}

pub(super) fn check_increasing(column: &str, values: &[f64]) -> Result<(), TableError> {
    check_values(column, values, values.len())?;
    match values.windows(2).position(|w| w[1] <= w[0]) {
        Some(k) => Err(TableError::NotIncreasing {
            column: column.to_owned(),
            index: k + 1,
            before: values[k],
            after: values[k + 1],
        }),
        None => Ok(()),
    }
}
