//! From a system to the report and tables of its motion.

use std::time::Instant;

use super::motion::SystemMotion;
use super::rates::settled;
use super::{MovingSystem, Scheme};
use crate::discretisation::multirate::{Energy, MultirateError};
use crate::discretisation::transcription::{At, ControlProblem, End, Rule};
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph, Program};
use crate::results::{EnergyBalance, Outcome, Report, RunStatus, SCHEMA_VERSION, Table, Timing};
use crate::tasks::Observer;
use crate::tasks::forward::Failure;
use crate::tasks::lines::lines;
use crate::tasks::velocity_name;

/// An energy balance that is missed by more than this share of what is exchanged is warned about.
const DRIFT: f64 = 0.1;

/// Simulates and tells everything about the motion.
pub fn run(system: &MovingSystem, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let report = Report {
        schema: SCHEMA_VERSION,
        program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
        title: system.title.clone(),
        task: "simulate".into(),
        method: system.scheme.name(),
        status: RunStatus::Solved,
        ..Report::default()
    };
    let mut outcome = Outcome { report, ..Outcome::default() };
    if let Err(failure) = simulate(system, observer, &mut outcome) {
        outcome.report.status = failure.status;
        outcome.report.message = Some(failure.message);
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn simulate(system: &MovingSystem, observer: &mut dyn Observer, outcome: &mut Outcome) -> Result<(), Failure> {
    let grid = system.grid;
    let (system, moved) = settled(system)?;
    let system = &system;
    outcome.report.warnings.extend(moved);
    describe(system, &mut outcome.report);
    let problem = problem(system);
    let mut motion = SystemMotion::new(system, &problem).map_err(unstated)?;
    let mut books = Books::new(system);
    books.store(grid.start, &mut motion, grid.dt)?;
    observer.phase("simulation", grid.steps);
    let mut ended = Ok(());
    for k in 1..=grid.steps {
        let end = grid.time(k);
        ended = motion.advance(end, grid.dt);
        if ended.is_ok() && (k % system.every == 0 || k == grid.steps) {
            ended = books.store(end, &mut motion, grid.dt);
        }
        if ended.is_err() {
            break;
        }
        observer.progress(k);
        if observer.interrupted() {
            let message = format!("interrupted at t = {end:.6} s; the motion up to there is stored");
            ended = Err(Failure { status: RunStatus::Interrupted, message });
            break;
        }
    }
    if let Some(iterations) = motion.iterations() {
        outcome.report.scalars.insert("newton_iterations".into(), iterations as f64);
    }
    books.finish(outcome);
    ended
}

/// The system as motions of high order take it.
fn problem(system: &MovingSystem) -> ControlProblem {
    let (start, grid) = (&system.start, system.grid);
    let end = End::moving(&start.0, &start.1);
    let mut problem = ControlProblem::new(system.mechanics.clone(), grid.dt * grid.steps as f64, end.clone(), end);
    if let Scheme::Galerkin { degree } = system.scheme {
        problem.rule = Rule::Galerkin { degree };
    }
    problem
}

pub(super) fn unstated(error: MultirateError) -> Failure {
    let status =
        if matches!(error, MultirateError::Evaluation(_)) { RunStatus::Undefined } else { RunStatus::IllPosed };
    Failure { status, message: error.to_string() }
}

fn describe(system: &MovingSystem, report: &mut Report) {
    let grid = system.grid;
    let coordinates = system.mechanics.coordinates().len();
    report.sizes.insert("coordinates".into(), coordinates as f64);
    let numbers = [("start", grid.start), ("end", grid.end()), ("dt", grid.dt), ("time_steps", grid.steps as f64)];
    report.grid.extend(numbers.map(|(name, value)| (name.to_owned(), value)));
    if let Scheme::Multirate(rates) = &system.scheme {
        let fast = rates.fast.iter().filter(|fast| **fast).count();
        report.sizes.insert("fast_coordinates".into(), fast as f64);
        report.grid.insert("micro_steps".into(), rates.micro as f64);
        report.grid.insert("micro_dt".into(), grid.dt / rates.micro as f64);
        report.method_reason = format!(
            "{} slow coordinates with steps of {:.3e} s, {fast} fast ones with steps of {:.3e} s",
            coordinates - fast,
            grid.dt,
            grid.dt / rates.micro as f64
        );
    }
}

/// What is kept of a motion.
struct Books<'a> {
    system: &'a MovingSystem,
    t: Vec<f64>,
    q: Vec<Vec<f64>>,
    v: Vec<Vec<f64>>,
    observed: Vec<Vec<f64>>,
    observe: Program,
    energy: Vec<f64>,
    potential: Vec<f64>,
    /// Work of forces, by the trapezoidal rule between the instants that are stored.
    work: Vec<f64>,
    power: f64,
}

impl<'a> Books<'a> {
    fn new(system: &'a MovingSystem) -> Self {
        let (t, q, v) = (Vec::new(), Vec::new(), Vec::new());
        let observe = observed(system);
        let [energy, potential, work] = [const { Vec::new() }; 3];
        Self { system, t, q, v, observed: Vec::new(), observe, energy, potential, work, power: 0.0 }
    }

    fn store(&mut self, t: f64, motion: &mut SystemMotion<'_>, dt: f64) -> Result<(), Failure> {
        let (q, v) = motion.state(dt)?;
        let Energy { total: energy, potential, power } = motion.energy(dt)?;
        let mut values = vec![0.0; self.system.observe.len()];
        self.observe.constraints(&[&q[..], &v, &[t]].concat(), &mut values)?;
        let numbers = q.iter().chain(&v).chain(&values).chain([&energy, &potential, &power]);
        if let Some(wrong) = numbers.into_iter().find(|value| !value.is_finite()) {
            let message = format!("the motion has a value that is not finite ({wrong}) at t = {t:.6} s");
            return Err(Failure { status: RunStatus::Undefined, message });
        }
        let before = self.work.last().copied().unwrap_or(0.0);
        let since = self.t.last().map_or(0.0, |last| t - last);
        self.work.push(before + 0.5 * since * (self.power + power));
        self.power = power;
        self.energy.push(energy);
        self.potential.push(potential);
        self.t.push(t);
        self.q.push(q);
        self.v.push(v);
        self.observed.push(values);
        Ok(())
    }

    fn finish(self, outcome: &mut Outcome) {
        let system = self.system;
        let column = |list: &[Vec<f64>], i: usize| list.iter().map(|values| values[i]).collect::<Vec<f64>>();
        let names = system.mechanics.coordinates();
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        columns.extend(names.iter().enumerate().map(|(i, name)| (name.clone(), column(&self.q, i))));
        let joints = system
            .multibody
            .as_ref()
            .and_then(|body| body.joint_motion(&self.t, &self.q, &self.v).ok())
            .unwrap_or_default();
        columns.extend(joints.iter().map(|joint| (joint.name.clone(), joint.values.clone())));
        columns.extend(names.iter().enumerate().map(|(i, name)| (velocity_name(name), column(&self.v, i))));
        columns.extend(joints.into_iter().map(|joint| (velocity_name(&joint.name), joint.rates)));
        let observed = system.observe.iter().enumerate();
        columns.extend(observed.map(|(i, (name, _))| (name.clone(), column(&self.observed, i))));
        for (name, values) in &columns {
            tell(outcome, &format!("motion.{name}"), values, true);
            let unit = system.unit(name);
            if !unit.is_empty() {
                outcome.report.units.insert(name.clone(), unit);
            }
        }
        tell(outcome, "energy.total", &self.energy, false);
        outcome.rods = lines(system.multibody.as_deref(), &self.t, &self.q, false);
        outcome.motion = Table { t: self.t.clone(), columns };
        self.balance(outcome);
    }

    /// Energy, and what is left when the work of forces is taken off.
    fn balance(self, outcome: &mut Outcome) {
        let (Some(first), Some(last)) = (self.energy.first().copied(), self.energy.last().copied()) else { return };
        let worked = self.work.iter().any(|work| *work != 0.0);
        let left = self.energy.iter().zip(&self.work).map(|(energy, work)| (energy - first - work).abs());
        let imbalance = left.fold(0.0, f64::max);
        // What moves about between the forms of energy.
        let change = |values: &[f64]| values.iter().fold(0.0, |m: f64, e| m.max((e - values[0]).abs()));
        let kinetic: Vec<f64> = self.energy.iter().zip(&self.potential).map(|(total, v)| total - v).collect();
        let size = change(&kinetic).max(change(&self.potential)).max(change(&self.work));
        let largest = kinetic.iter().chain(&self.potential).fold(0.0, |m: f64, e| m.max(e.abs()));
        if imbalance > DRIFT * size && imbalance > 1e-9 * largest {
            outcome.report.warnings.push(format!(
                "the energy balance is off by {imbalance:.2e} J while {size:.2e} J are exchanged: shorter time steps are needed"
            ));
        }
        outcome.report.energy = Some(EnergyBalance {
            actuator_work: self.work.last().copied().unwrap_or(0.0),
            energy_change: last - first,
            max_imbalance: imbalance,
            peak: self.energy.iter().fold(0.0, |m: f64, e| m.max((e - first).abs())),
        });
        let parts = [("kinetic", kinetic), ("potential", self.potential), ("total", self.energy)];
        let mut columns: Vec<(String, Vec<f64>)> = parts.map(|(name, values)| (name.to_owned(), values)).into();
        if worked {
            columns.push(("work".to_owned(), self.work));
        }
        columns.iter().for_each(|(name, _)| _ = outcome.report.units.insert(name.clone(), "J".into()));
        outcome.energy = Table { t: self.t, columns };
    }
}

/// First and last value, the largest magnitude and the largest change from the first value.
fn tell(outcome: &mut Outcome, name: &str, values: &[f64], with_largest: bool) {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
    let most = |f: &dyn Fn(f64) -> f64| values.iter().fold(0.0_f64, |m, value| m.max(f(*value)));
    let scalars = &mut outcome.report.scalars;
    scalars.insert(format!("{name}.initial"), *first);
    scalars.insert(format!("{name}.final"), *last);
    scalars.insert(format!("{name}.drift"), most(&|value| (value - first).abs()));
    if with_largest {
        scalars.insert(format!("{name}.max"), most(&f64::abs));
    }
}

/// Variables q, v and t; rows: what is observed.
fn observed(system: &MovingSystem) -> Program {
    let graph = Graph::new();
    let names = system.mechanics.coordinates();
    let input = |mark: &str| -> Vec<Expr<'_>> {
        let one = |name: &String| graph.variable(format!("{name}{mark}"), 0.0, f64::NEG_INFINITY, f64::INFINITY);
        names.iter().map(one).collect()
    };
    let (q, v) = (input(""), input(" rate"));
    let at = At { graph: &graph, q, v, u: Vec::new(), t: graph.parameter("t") };
    system.observe.iter().for_each(|(name, formula)| graph.subject_to(name.clone(), formula(&at), 0.0, 0.0));
    graph.build()
}
