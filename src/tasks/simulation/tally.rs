//! Energies, work, momenta and support forces along a motion.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::stepping::State;
use crate::mechanism::Mechanism;
use crate::nlp::EvalFailure;
use crate::results::{EnergyBalance, Outcome, Table};
use crate::tasks::loads::LoadTable;

use super::bulk::{Inner, inner};
use super::consistent::Consistent;
use super::growth::{NOTICEABLE, Sample};
use super::march::{Marcher, balance};
use super::relative::Relative;
use super::support_work::SupportWork;

/// Keeps books along a motion.
///
/// Supports act by impulses at the instants; momenta told are those between, half of the impulse taken off. Where there
/// are joints, or rods that cannot shear, they are those of the velocities that these allow.
pub struct Tally<'a> {
    assembly: &'a Assembly,
    dimension: usize,
    work: f64,
    dissipated: f64,
    /// Work and dissipation of steps that may still be rejected.
    pending: [f64; 2],
    supports: Option<SupportWork<'a>>,
    /// Work of moving supports that the next step is expected to bring.
    expected: f64,
    /// Work and dissipation up to the beginning of the last step, all impulses of which are known by now.
    settled: [f64; 2],
    /// Parts of the kinetic energy at the instants that are stored.
    inner: Vec<Inner>,
    relative: Relative<'a>,
    energy: Table,
    momentum: Table,
    loads: LoadTable,
    middle: Vec<f64>,
    consistent: Option<Consistent<'a>>,
    /// Kinetic energy where ropes of changing length couple the nodes, joule.
    kinetic: Option<f64>,
    loaded: bool,
    damped: bool,
    after: After,
}

/// The middle of the first step after an instant that is stored.
#[derive(Default)]
struct After {
    wanted: bool,
    /// Of a step that may still be rejected.
    pending: Option<Vec<f64>>,
    found: Option<Vec<f64>>,
}

impl<'a> Tally<'a> {
    /// Empty books.
    pub fn new(mechanism: &Mechanism, assembly: &'a Assembly) -> Self {
        let table = |names: &[&str]| Table {
            t: Vec::new(),
            columns: names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect(),
        };
        let supports = SupportWork::new(assembly);
        let driven = !assembly.drives.is_empty() || !assembly.winches.is_empty();
        let loaded = !assembly.loads.is_empty() || driven || supports.is_some();
        let damped = assembly.elements.iter().any(|element| element.damped) || !assembly.drags.is_empty();
        let mut names = vec!["kinetic", "strain", "gravity", "total"];
        if loaded {
            names.push("work");
        }
        if damped {
            names.push("dissipated");
        }
        let momenta: &[&str] = match mechanism.dimension {
            2 => &["linear_x", "linear_y", "angular"],
            _ => &["linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z"],
        };
        Self {
            assembly,
            dimension: mechanism.dimension,
            work: 0.0,
            dissipated: 0.0,
            pending: [0.0; 2],
            supports,
            expected: 0.0,
            settled: [0.0; 2],
            inner: Vec::new(),
            relative: Relative::new(mechanism, assembly),
            energy: table(&names),
            momentum: table(momenta),
            loads: LoadTable::new(mechanism),
            middle: vec![0.0; assembly.layout.freedom_count()],
            consistent: (assembly.rows > 0 || !assembly.winches.is_empty()).then(|| Consistent::new(assembly)),
            kinetic: None,
            loaded,
            damped,
            after: After { wanted: true, ..After::default() },
        }
    }

    /// The first instant.
    pub fn begin(&mut self, marcher: &Marcher<'_>) -> Result<(), EvalFailure> {
        let state = marcher.state();
        self.middle.copy_from_slice(&state.momentum);
        if let Some(consistent) = &mut self.consistent {
            self.kinetic = consistent.momenta(state, &mut self.middle)?;
        }
        let sample = self.sample(marcher)?;
        self.push(&sample);
        self.relative.add(state.t, &state.q, &self.middle);
        Ok(())
    }

    /// Energies with the momenta at hand.
    fn sample(&self, marcher: &Marcher<'_>) -> Result<Sample, EvalFailure> {
        let State { t, q, .. } = marcher.state();
        let mut balance = balance(self.assembly, q, &self.middle)?;
        if let Some(kinetic) = self.kinetic.filter(|_| !self.assembly.winches.is_empty()) {
            balance.kinetic = kinetic;
        }
        let spent = [self.work + self.expected, self.dissipated];
        Ok(Sample { t: *t, balance, inner: inner(self.assembly, q, &balance), spent })
    }

    /// Energies of the present instant.
    pub fn look(&mut self, marcher: &Marcher<'_>) -> Result<Sample, EvalFailure> {
        let state = marcher.state();
        match &mut self.consistent {
            Some(consistent) => self.kinetic = consistent.momenta(state, &mut self.middle)?,
            None => {
                for (dof, middle) in self.middle.iter_mut().enumerate() {
                    *middle = state.momentum[dof] + 0.5 * marcher.joint_impulse(dof);
                }
            }
        }
        self.sample(marcher)
    }

    /// Work and dissipation up to the beginning of the last step: its impulses tell what supports did at that instant.
    pub fn settled(&self) -> [f64; 2] {
        self.settled
    }

    /// Work and dissipation of the last step, until it is kept or forgotten.
    pub fn step(&mut self, marcher: &Marcher<'_>) -> Result<(), EvalFailure> {
        self.settled = [self.work + self.pending[0], self.dissipated + self.pending[1]];
        if self.loaded {
            self.pending[0] += marcher.work();
        }
        if let Some(supports) = &mut self.supports {
            let [work, expected] = supports.last_step(marcher)?;
            self.pending[0] += work;
            self.settled[0] += 0.5 * work;
            self.expected = expected;
        }
        if self.after.wanted && self.after.pending.is_none() {
            self.after.pending = Some(marcher.middle().to_vec());
        }
        if self.damped {
            self.pending[1] += marcher.dissipated();
        }
        Ok(())
    }

    /// The steps since the last call count.
    pub fn keep(&mut self) {
        let [work, dissipated] = std::mem::take(&mut self.pending);
        self.work += work;
        self.dissipated += dissipated;
        if let Some(middle) = self.after.pending.take() {
            self.after = After { found: Some(middle), ..After::default() };
        }
    }

    /// They do not.
    pub fn forget(&mut self) {
        self.pending = [0.0; 2];
        self.after.pending = None;
    }

    /// The middle of the first step after the instant stored last, once it is known.
    pub fn after(&mut self) -> Option<Vec<f64>> {
        self.after.found.take()
    }

    /// Stores the present instant, of which it tells the energies.
    pub fn store(&mut self, t: f64, marcher: &Marcher<'_>) -> Result<Sample, EvalFailure> {
        let sample = Sample { t, ..self.look(marcher)? };
        self.push(&sample);
        self.after.wanted = true;
        let state = marcher.state();
        self.relative.add(t, &state.q, &self.middle);
        // The impulses of the last step are those about its beginning.
        if let Some(State { t, q, .. }) = marcher.before() {
            self.loads.add(self.assembly, *t, q, [&marcher.support_force(), &marcher.joint_forces()]);
        }
        Ok(sample)
    }

    fn push(&mut self, Sample { t, balance, inner, .. }: &Sample) {
        self.inner.push(*inner);
        self.energy.t.push(*t);
        for (name, column) in &mut self.energy.columns {
            column.push(match name.as_str() {
                "kinetic" => balance.kinetic,
                "strain" => balance.strain,
                "gravity" => balance.gravity,
                "total" => balance.total(),
                "work" => self.work + self.expected,
                _ => self.dissipated,
            });
        }
        self.momentum.t.push(*t);
        let [x, y, z] = balance.linear;
        let values = match self.dimension {
            2 => vec![x, y, balance.angular[2]],
            _ => [[x, y, z], balance.angular].concat(),
        };
        self.momentum.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
    }

    /// Moves everything into an outcome, with the scalars that `[expect]` knows; energies below `rounding`, joule, say nothing.
    pub fn finish(self, rounding: f64, outcome: &mut Outcome) {
        let drift = |values: &[f64]| {
            let first = values.first().copied().unwrap_or(0.0);
            values.iter().fold(0.0_f64, |m, value| m.max((value - first).abs()))
        };
        let scalars = &mut outcome.report.scalars;
        let mut tell = |name: String, values: &[f64]| {
            if let (Some(first), Some(last)) = (values.first(), values.last()) {
                scalars.insert(format!("{name}.initial"), *first);
                scalars.insert(format!("{name}.final"), *last);
                scalars.insert(format!("{name}.drift"), drift(values));
            }
        };
        if let Some(total) = self.energy.column("total") {
            tell("energy.total".into(), total);
        }
        for (name, values) in &self.momentum.columns {
            let name = if name == "angular" { "angular_z" } else { name };
            tell(format!("momentum.{name}"), values);
        }
        for (name, _) in &self.energy.columns {
            outcome.report.units.insert(name.clone(), "J".into());
        }
        for (name, _) in &self.momentum.columns {
            let unit = if name.starts_with("angular") { "N m s" } else { "N s" };
            outcome.report.units.insert(name.clone(), unit.into());
        }
        if let Some(total) = self.energy.column("total") {
            let first = total.first().copied().unwrap_or(0.0);
            let at = |column: &str, k: usize| self.energy.column(column).map_or(0.0, |values| values[k]);
            let off = |k: usize| total[k] - first - at("work", k) + at("dissipated", k);
            let imbalance = (0..total.len()).fold(0.0, |m: f64, k| m.max(off(k).abs()));
            // What moves about between the forms of energy, and between parts that move relative to each other.
            let parts =
                ["kinetic", "strain", "gravity", "work"].map(|part| self.energy.column(part).map_or(0.0, drift));
            let relative = drift(&self.inner.iter().map(|inner| inner.relative).collect::<Vec<f64>>());
            let exchanged = parts.into_iter().fold(relative, f64::max);
            let largest =
                self.energy.columns.iter().flat_map(|(_, values)| values).fold(0.0, |m: f64, e| m.max(e.abs()));
            let central = self.inner.iter().fold(0.0, |m: f64, inner| m.max(inner.central));
            let noticeable = (1e-9 * largest).max(NOTICEABLE * central).max(rounding);
            if imbalance > 0.1 * exchanged && imbalance > noticeable {
                outcome.report.warnings.push(format!(
                    "the energy balance is off by {imbalance:.2e} J while {exchanged:.2e} J are exchanged: shorter time steps or a tolerance are needed"
                ));
            }
            outcome.report.scalars.insert("energy.imbalance".into(), imbalance);
            outcome.report.scalars.insert("energy.work".into(), self.work + self.expected);
            outcome.report.energy = Some(EnergyBalance {
                actuator_work: self.work + self.expected,
                energy_change: total.last().map_or(0.0, |last| last - first),
                max_imbalance: imbalance,
                peak: total.iter().fold(0.0, |m: f64, e| m.max((e - first).abs())),
            });
        }
        self.loads.finish(outcome);
        for (name, values) in &self.relative.table.columns {
            let (Some(first), Some(last)) = (values.first(), values.last()) else { continue };
            let largest = values.iter().fold(0.0_f64, |m, value| m.max(value.abs()));
            for (what, value) in [("initial", *first), ("final", *last), ("max", largest)] {
                outcome.report.scalars.insert(format!("relative.{name}.{what}"), value);
            }
        }
        outcome.relative = self.relative.table;
        outcome.energy = self.energy;
        outcome.momentum = self.momentum;
    }
}
