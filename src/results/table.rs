//! Columns over time: the in-memory form of `actuation.csv` and `motion.csv`.

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
}

/// The motion of one rod on its space-time grid, with the stress resultants: the content of `motion.npz`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RodField {
    /// Name of the rod.
    pub rod: String,
    /// Arc lengths of the nodes, metres.
    pub s: Vec<f64>,
    /// Times, seconds.
    pub t: Vec<f64>,
    /// Field name (`x`, `y`, `z`, `angle`, `force_x`, …, `moment`) and values, `values[i * t.len() + k]` at (s_i, t_k).
    pub fields: Vec<(String, Vec<f64>)>,
}

impl RodField {
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
    /// Actuation over time; columns `<actuator>.<component>`, forces applied to the mechanism.
    pub actuation: Table,
    /// Motion of bodies and rod ends; columns `<rod>.start.x`, `<rod>.end.angle`, …
    pub motion: Table,
    /// Full fields of every rod.
    pub rods: Vec<RodField>,
    /// Prescribed paths; columns `<servo>.x`, `<servo>.y`, `<servo>.z`, `<servo>.angle`.
    pub servo: Table,
    /// The same outputs as re-simulated from the actuation (may be empty, may have another time grid).
    pub resimulated: Table,
    /// Energies over time; columns `kinetic`, `strain`, `gravity`, `work` (may be empty).
    pub energy: Table,
}
