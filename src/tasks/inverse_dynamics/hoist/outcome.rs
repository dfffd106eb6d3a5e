//! From the march to trolley, winch, and what a user sees of them.

use std::time::Instant;

use nalgebra::Vector3;

use super::HoistSystem;
use super::cut::{Crossing, Rope, rates, too_short};
use super::proof::{Motion, verify};
use crate::results::{Outcome, RodField, Timing};
use crate::tasks::inverse_dynamics::chain::{coordinate, path_value, paths};
use crate::tasks::inverse_dynamics::outcome::{blank, conclude, describe, segment};
use crate::tasks::inverse_dynamics::scalars::table_scalars;
use crate::tasks::inverse_dynamics::{Answer, SpaceMotion, chain, effort};
use crate::tasks::{Method, Observer, TaskError, coordinate_unit};

/// Solve, cut, verify and report. The outcome always has a status; what was found before a failure is in it.
pub fn run(hoist: &HoistSystem, observer: &mut dyn Observer) -> Outcome {
    let mut outcome = blank(&hoist.system);
    if let Err(error) = fill(hoist, observer, &mut outcome) {
        outcome.report.status = error.status();
        outcome.report.message = Some(error.to_string());
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = hoist.system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn fill(hoist: &HoistSystem, observer: &mut dyn Observer, outcome: &mut Outcome) -> Result<(), TaskError> {
    let clock = Instant::now();
    let system = &hoist.system;
    let analysis = chain::analyse(&system.chain, system.grid, &hoist.spec)?;
    describe(system, [system.chain.elements() as f64, system.chain.length()], &analysis, &mut outcome.report);
    if analysis.method != Method::SpaceMarch {
        let reason = "is not how ropes over winches are followed; use \"space-march\"".to_owned();
        return Err(TaskError::NotApplicable { method: outcome_method(analysis.method), reason });
    }
    let Answer { motion, grid, sizes, residuals, warnings, .. } =
        chain::solve(system, &system.chain, &analysis, observer)?;
    let report = &mut outcome.report;
    report.grid.extend(grid.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.sizes.extend(sizes.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.residuals.extend(residuals.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.warnings.extend(warnings);
    let found = motion_of(hoist, &motion)?;
    tables(hoist, &found, outcome)?;
    table_scalars(system.grid.dt, outcome);
    effort::tell(&speeds(hoist, &found), system.grid.dt, outcome);
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });

    let clock = Instant::now();
    let moves = found.begins_moving();
    if let Some(speed) = moves {
        let rope = &hoist.mechanism.rods[hoist.winch().rope].name;
        outcome.report.warnings.push(super::super::outcome::moving(rope, system.grid.start, speed));
    }
    let states = Some(&found).filter(|_| moves.is_some());
    let restarts = |k: usize| found.shape(hoist, k);
    let proved = verify(hoist, &outcome.actuation, states.is_some(), &restarts, segment(system, &analysis), observer)?;
    conclude(proved, clock, outcome);
    Ok(())
}

fn outcome_method(method: Method) -> &'static str {
    match method {
        Method::Characteristics => "characteristics",
        _ => "galerkin",
    }
}

/// Cuts the rope at all instants.
fn motion_of(hoist: &HoistSystem, motion: &SpaceMotion) -> Result<Motion, TaskError> {
    let grid = hoist.system.grid;
    let positions = |i: usize| (0..motion.instants).map(|k| motion.poses[motion.at(i, k)].position).collect::<Vec<_>>();
    let accelerations: Vec<Vec<Vector3<f64>>> = (0..motion.sections).map(|i| rates(&positions(i), grid.dt).1).collect();
    let rod = &hoist.mechanism.rods[hoist.winch().rope];
    let whole = hoist.system.chain.length();
    let (mut crossings, mut nodes, mut forces) = (Vec::new(), Vec::new(), Vec::new());
    let mut shortest: Option<(f64, f64)> = None;
    for k in 0..motion.instants {
        let rope = Rope::moving(hoist, motion, &accelerations, k);
        let cut = match rope.crossing() {
            Ok(cut) => cut,
            Err(missing) => {
                let worst = shortest.filter(|(_, other)| *other >= missing);
                shortest = worst.or(Some((grid.time(k), missing)));
                continue;
            }
        };
        let place = |i: usize| cut.s + (whole - cut.s) * i as f64 / rod.elements as f64;
        let (x, n): (Vec<Vector3<f64>>, Vec<Vector3<f64>>) = (0..=rod.elements).map(|i| rope.at(place(i))).unzip();
        crossings.push(cut);
        nodes.push(x);
        forces.push(n);
    }
    if let Some((t, missing)) = shortest {
        return Err(too_short(hoist, t, missing));
    }
    Ok(Motion::new(crossings, nodes, forces, grid.dt))
}

/// Forces on the trolley and of the winch.
fn actuation(hoist: &HoistSystem, found: &Motion) -> Vec<Vec<f64>> {
    let (mass, winch) = (hoist.line_mass(), hoist.winch());
    let trolley = hoist.mechanism.bodies[hoist.trolley].mass;
    let on_trolley = |axis: usize| {
        let force = |(k, cut): (usize, &Crossing)| {
            let along = cut.n * (cut.stretch / cut.n.norm());
            let carried = trolley + mass * cut.s;
            carried * found.sheave_acceleration[k][axis] - cut.n[axis] + mass * found.rate[k].powi(2) * along[axis]
        };
        found.crossings.iter().enumerate().map(force).collect::<Vec<f64>>()
    };
    let hauling = |(k, cut): (usize, &Crossing)| {
        let turned = winch.mass() + mass * cut.s;
        let force = cut.n.norm() + turned * found.rate_change[k]
            - 0.5 * mass * found.rate[k].powi(2) * (cut.stretch.powi(2) - 1.0);
        winch.radius.map_or(force, |radius| force * radius)
    };
    let level = (0..hoist.channels.len() - 1).map(on_trolley);
    level.chain([found.crossings.iter().enumerate().map(hauling).collect()]).collect()
}

/// Velocities along which trolley and winch act: of the trolley, and of the rope hauled in, or of the drum in radian per second.
fn speeds(hoist: &HoistSystem, found: &Motion) -> Vec<Vec<f64>> {
    let along = |axis: usize| {
        let places: Vec<f64> = found.crossings.iter().map(|cut| cut.x[axis]).collect();
        rates(&places, hoist.system.grid.dt).0
    };
    let radius = hoist.winch().radius.unwrap_or(1.0);
    let hauling = found.rate.iter().map(|rate| rate / radius).collect();
    (0..hoist.channels.len() - 1).map(along).chain([hauling]).collect()
}

fn tables(hoist: &HoistSystem, found: &Motion, outcome: &mut Outcome) -> Result<(), TaskError> {
    let (system, chain) = (&hoist.system, &hoist.system.chain);
    let t = system.grid.times();
    let units = &mut outcome.report.units;
    units.insert("t".into(), "s".into());
    for table in [&mut outcome.actuation, &mut outcome.motion, &mut outcome.servo] {
        table.t.clone_from(&t);
    }
    for (name, values) in hoist.channels.iter().zip(actuation(hoist, found)) {
        let unit = if name.ends_with(".torque") { "N m" } else { "N" };
        units.insert(name.clone(), unit.into());
        outcome.actuation.columns.push((name.clone(), values));
    }
    let paths = paths(system, chain)?;
    let axes = chain.components();
    let of_sheave =
        axes.iter().map(|axis| found.crossings.iter().map(|cut| cut.x[*axis] + hoist.offset()[*axis]).collect());
    let of_load = axes.iter().map(|axis| paths[0].iter().map(|(pose, _)| pose.position[*axis]).collect());
    let length = found.crossings.iter().map(|cut| chain.length() - cut.s).collect();
    let tension = found.crossings.iter().map(|cut| cut.n.norm()).collect();
    let values: Vec<Vec<f64>> = of_sheave.chain(of_load).chain([length, tension]).collect();
    for (name, values) in hoist.columns().into_iter().zip(values) {
        let unit = coordinate_unit(name.rsplit('.').next().unwrap_or_default());
        units.insert(name.clone(), unit.into());
        outcome.motion.columns.push((name, values));
    }
    for output in &system.outputs {
        units.insert(output.name.clone(), coordinate_unit(coordinate(chain, output.coordinate)).into());
        let wanted = paths[output.guide].iter().map(|(pose, psi)| path_value(chain, output, pose, psi));
        outcome.servo.columns.push((output.name.clone(), wanted.collect()));
    }
    let rod = &hoist.mechanism.rods[hoist.winch().rope];
    let s = (0..=rod.elements).map(|i| rod.boundary(i)).collect();
    let mut field = RodField { rod: rod.name.clone(), s, t, fields: Vec::new() };
    for (prefix, values) in [("", &found.nodes), ("force_", &found.forces)] {
        for axis in axes {
            let by_section = (0..=rod.elements).flat_map(|i| values.iter().map(move |nodes| nodes[i][*axis]));
            field.fields.push((format!("{prefix}{}", coordinate(chain, *axis)), by_section.collect()));
        }
    }
    outcome.rods.push(field);
    Ok(())
}

impl HoistSystem {
    /// From the sheave to the trolley's own position.
    pub(super) fn offset(&self) -> Vector3<f64> {
        let rod = &self.mechanism.rods[self.winch().rope];
        self.mechanism.bodies[self.trolley].pose.position - (rod.reference)(0.0).position
    }
}
