//! Equilibrium of a mechanism under its loads: the branch that begins in the unloaded state.

mod branch;
mod critical;
mod doubt;
mod growth;
mod linear_buckling;
mod loaded;
mod route;
mod soft;
mod stability;
mod switch;
mod telling;
mod zero;

use std::time::Instant;

use nalgebra::Complex;

pub use branch::{BranchError, BranchObserver, Seen, Start, Wanted, branch, holding, reactions};
pub use loaded::Loaded;
pub use stability::unstable_directions;

use self::branch::unloaded;
use self::linear_buckling::linear_buckling;
use self::route::{route, stages};
use self::soft::beside_critical;
use self::telling::{Passed, conclude, tell_state, word};
use super::forward::{Failure, Record, shape};
use super::loads::LoadTable;
use super::sections::{self, Told};
use super::{ForwardSystem, Observer, StaticsMethod, StaticsSpec};
use crate::discretisation::assembly::{Assembly, build};
use crate::discretisation::equilibrium::Equilibrium;
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::results::{ModeShape, Outcome, PathTable, RunStatus, Timing};
use crate::solver::{PathPoint, PointKind};

/// Relative error of a critical load factor from which on a user is warned.
const SURE: f64 = 1e-8;

/// Runs the task.
pub fn run(system: &ForwardSystem, spec: &StaticsSpec, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.blank_outcome("statics");
    let linear = spec.method == StaticsMethod::LinearBuckling;
    outcome.report.method = match (linear, spec.needs_arc_length()) {
        (true, _) => "linear-buckling",
        (false, true) => "arc-length",
        (false, false) => "load-steps",
    }
    .into();
    let assembly = build(&system.mechanism);
    let sizes = &mut outcome.report.sizes;
    sizes.insert("unknowns".into(), Equilibrium::new(&assembly, system.first_instant()).size() as f64);
    sizes.insert("nodes".into(), assembly.layout.nodes() as f64);
    sizes.insert("elements".into(), assembly.elements.len() as f64);
    outcome.report.grid.insert("elements".into(), assembly.elements.len() as f64);
    outcome.report.warnings.extend(assembly.repetition());
    let done = match linear {
        true => solve_linear(system, spec, &assembly, &mut outcome),
        false => solve(system, spec, assembly, observer, &mut outcome),
    };
    if let Err(failure) = done {
        outcome.report.status = failure.status;
        outcome.report.message = Some(failure.message);
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.judge(&mut outcome);
    outcome
}

/// Linear buckling of the unloaded state.
fn solve_linear(
    system: &ForwardSystem,
    spec: &StaticsSpec,
    assembly: &Assembly,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut equilibrium = Equilibrium::new(assembly, system.first_instant());
    let none = |reason: String| Failure {
        status: RunStatus::IllPosed,
        message: format!("there are no critical loads of the unloaded state: {reason}"),
    };
    let x = unloaded(&mut equilibrium).ok_or_else(|| none("it is not in equilibrium, or not held".into()))?;
    let count = spec.count.unwrap_or(1);
    let (linearised, modes) = linear_buckling(&mut equilibrium, &x, count).map_err(none)?;
    let q = equilibrium.configuration(&x)?;
    let report = &mut outcome.report;
    report.method_reason = "critical load factors of the unloaded state, from its stiffness and the change of it as the loads begin to grow; changes of shape before buckling count to first order".into();
    for (k, mode) in modes.iter().enumerate() {
        report.scalars.insert(format!("linear_buckling.{}.factor", k + 1), mode.factor);
        let mut told = real_shape(system, assembly, &linearised.free, &q, k + 1, &mode.shape);
        told.load_factor = Some(mode.factor);
        outcome.modes.push(told);
    }
    if modes.len() < count {
        let message = format!("there are {} positive critical load factors, {count} were asked for", modes.len());
        report.warnings.push(message);
    }
    report.status = RunStatus::Solved;
    if modes.is_empty() {
        return Err(none("no motion becomes softer as the loads grow; with their signs turned some may".into()));
    }
    Ok(())
}

/// A motion as that of the rods.
fn real_shape(
    system: &ForwardSystem,
    assembly: &Assembly,
    free: &[usize],
    q: &[f64],
    number: usize,
    motion: &[f64],
) -> ModeShape {
    let motion: Vec<Complex<f64>> = motion.iter().map(|v| Complex::new(*v, 0.0)).collect();
    shape(system, assembly, free, q, number, (Complex::new(0.0, 0.0), &motion))
}

fn solve(
    system: &ForwardSystem,
    spec: &StaticsSpec,
    assembly: Assembly,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let time = system.first_instant();
    let stages = stages(assembly, spec);
    let assembly = &stages[0];
    let legs = route(&stages, time, spec, observer)?;
    let Some(end) = legs.last().map(|leg| leg.path.end.clone()) else {
        return Err(Failure { status: RunStatus::IllPosed, message: "no load factor is asked for".into() });
    };

    let mut record = Record::new(system, assembly);
    let mut loads = LoadTable::new(&system.mechanism);
    let names = record.names();
    let mut table = PathTable { kinds: Vec::new(), columns: vec![("factor".into(), Vec::new())] };
    table.columns.extend(names.iter().map(|name| (name.clone(), Vec::new())));
    let mut stage_of = Vec::new();
    let mut unstable: Vec<f64> = Vec::new();
    let mut missed: Vec<String> = Vec::new();
    let mut limit_points = 0;
    let mut branch_points: Vec<f64> = Vec::new();
    let mut stored: Option<(&PathPoint, usize)> = None;
    for leg in &legs {
        let mut equilibrium = Equilibrium::new(&stages[leg.stage], time);
        missed.extend(leg.missed.iter().map(|[from, to]| {
            format!("between load factors {from:.6} and {to:.6} the number of unstable directions changes, but the branch point could not be located")
        }));
        unstable.extend(leg.unstable.iter().map(|count| count.map_or(f64::NAN, |count| count as f64)));
        for (place, point) in leg.path.points.iter().enumerate() {
            equilibrium.set_parameter(point.parameter);
            let q = equilibrium.configuration(&point.x)?;
            let values = record.coordinates(&q);
            table.kinds.push(word(point.kind).to_owned());
            table.columns[0].1.push(point.parameter);
            table.columns[1..].iter_mut().zip(&values).for_each(|((_, column), value)| column.push(*value));
            stage_of.push((leg.stage + 1) as f64);
            let scalars = &mut outcome.report.scalars;
            let special = match point.kind {
                PointKind::LimitPoint => {
                    limit_points += 1;
                    Some(format!("limit_point.{limit_points}"))
                }
                PointKind::BranchPoint => {
                    branch_points.push(point.parameter);
                    Some(format!("branch_point.{}", branch_points.len()))
                }
                _ => None,
            };
            if let Some(special) = special {
                scalars.insert(format!("{special}.factor"), point.parameter);
                if stages.len() > 1 {
                    scalars.insert(format!("{special}.stage"), (leg.stage + 1) as f64);
                }
                for (name, value) in names.iter().zip(&values) {
                    scalars.insert(format!("{special}.{name}"), *value);
                }
                let at = leg.found.iter().find(|found| point.kind == PointKind::BranchPoint && found.place == place);
                if let Some(found) = at {
                    scalars.insert(format!("{special}.multiplicity"), found.shapes.len() as f64);
                    let error = found.doubt / found.parameter.abs();
                    scalars.insert(format!("{special}.error"), error);
                    if error > SURE {
                        outcome.report.warnings.push(format!(
                            "the critical load factor {:.9} may be off by {error:.0e} of it, by rounding",
                            found.parameter
                        ));
                    }
                    for motion in &found.shapes {
                        let number = outcome.modes.len() + 1;
                        let mut told = real_shape(system, assembly, &found.free, &q, number, motion);
                        told.load_factor = Some(found.parameter);
                        outcome.modes.push(told);
                    }
                }
            }
            // The unloaded state comes first, whether asked for or not.
            if point.kind == PointKind::Start && record.is_empty() {
                record.add(point.parameter, &q);
                let [held, rows] = holding(&stages[leg.stage], &mut equilibrium, &point.x)?;
                loads.add(&stages[leg.stage], point.parameter, &q, [&held, &rows]);
                stored = (leg.last_stage && spec.factors.contains(&0.0)).then_some((point, leg.stage));
            }
            if point.kind == PointKind::Target && leg.last_stage {
                record.add(point.parameter, &q);
                let [held, rows] = holding(&stages[leg.stage], &mut equilibrium, &point.x)?;
                loads.add(&stages[leg.stage], point.parameter, &q, [&held, &rows]);
                // The last factor of the list has the last word; on another branch the state there.
                let last = |(stored, _): (&PathPoint, usize)| Some(&stored.parameter) == spec.factors.last();
                if spec.branch.is_some() || !stored.is_some_and(last) {
                    stored = Some((point, leg.stage));
                }
            }
        }
    }
    // Without a state asked for, the end of the path stands for the answer.
    if let (None, Some(leg)) = (stored, legs.last())
        && let Some(point) = leg.path.points.last()
    {
        let mut equilibrium = Equilibrium::new(&stages[leg.stage], time);
        equilibrium.set_parameter(point.parameter);
        let q = equilibrium.configuration(&point.x)?;
        record.add(point.parameter, &q);
        let [held, rows] = holding(&stages[leg.stage], &mut equilibrium, &point.x)?;
        loads.add(&stages[leg.stage], point.parameter, &q, [&held, &rows]);
        stored = Some((point, leg.stage));
    }
    let reached = |factor: f64| {
        let met = |point: &PathPoint| (point.parameter - factor).abs() <= 1e-12 * factor.abs().max(1.0);
        legs.iter().filter(|leg| leg.last_stage).any(|leg| leg.path.points.iter().any(met))
    };
    let missing: Vec<f64> = spec.factors.iter().copied().filter(|factor| !reached(*factor)).collect();
    let mut held = true;
    if let Some((point, stage)) = stored {
        let mut equilibrium = Equilibrium::new(&stages[stage], time);
        held = tell_state(&stages[stage], &mut equilibrium, point, &mut record, outcome)?;
        // At a branch point what meets no resistance is known.
        let mut at = legs.iter().flat_map(|leg| leg.found.iter().map(move |found| (leg, found)));
        let at = at.rfind(|(_, found)| point.kind == PointKind::BranchPoint && found.x == point.x);
        let limit = point.kind == PointKind::LimitPoint;
        if limit {
            equilibrium.set_parameter(point.parameter);
            let unstable = beside_critical(&mut equilibrium, &point.x)?;
            let scalars = &mut outcome.report.scalars;
            scalars.insert("stability.indifferent_directions".into(), 1.0);
            if let (Some(told), Some(unstable)) = (scalars.get_mut("stability.unstable_directions"), unstable) {
                *told = unstable as f64;
            }
        }
        if let Some((leg, found)) = at {
            let unstable = leg.unstable.get(found.place).copied().flatten().unwrap_or(0);
            let scalars = &mut outcome.report.scalars;
            scalars.insert("stability.unstable_directions".into(), unstable as f64);
            scalars.insert("stability.indifferent_directions".into(), found.shapes.len() as f64);
        }
    }
    outcome.report.scalars.insert("path.points".into(), table.kinds.len() as f64);
    if unstable.iter().any(|count| !count.is_nan()) {
        table.columns.insert(1, (PathTable::UNSTABLE.into(), unstable));
    }
    if stages.len() > 1 {
        table.columns.insert(1, ("stage".into(), stage_of));
    }
    outcome.path = table;
    record.finish(outcome);
    loads.store(outcome);
    if let Some((point, _)) = stored {
        sections::tell(&system.mechanism, &system.frames, Told::Equilibria(point.parameter), outcome);
    }
    // Their numbers would be wrong.
    if let (true, Some(message)) = (spec.branch_points.is_some() || spec.branch.is_some(), missed.first()) {
        return Err(Failure {
            status: RunStatus::NotConverged,
            message: format!(
                "{message}; coarser elements of higher order, or lower axial and shear stiffnesses, leave it more digits"
            ),
        });
    }
    outcome.report.warnings.extend(missed);
    let passed = Passed { end: &end, missing: &missing, limit_points, branch_points: &branch_points, held };
    conclude(spec, &passed, outcome)
}
