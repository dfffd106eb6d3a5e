//! From an answer to the report and tables a user sees.

use std::time::Instant;

use nalgebra::{Vector3, Vector6};

use super::at_once::resting;
use super::tables::tables;
use super::verify::{Snapshot, Snapshots, verify};
use super::{SpaceMotion, analyse, damped, function, solve};
use crate::discretisation::assembly;
use crate::discretisation::chain::{Moving, RodChain};
use crate::discretisation::march::space::SpaceState;
use crate::discretisation::remesh::Transfer;
use crate::mechanism::{Pose, RodPart};
use crate::results::{EnergyBalance, Outcome, Table, Timing};
use crate::tasks::inverse_dynamics::outcome::{blank, conclude, describe, segment};
use crate::tasks::inverse_dynamics::scalars::{actuation_scalars, sections_of};
use crate::tasks::inverse_dynamics::{Analysis, Answer, effort};
use crate::tasks::sections::{self, Told};
use crate::tasks::simulation::march::balance;
use crate::tasks::{InverseDynamicsSpec, Observer, System, TaskError};

/// Solve, verify, and put everything into an outcome.
pub fn build(system: &System, chain: &RodChain, spec: &InverseDynamicsSpec, observer: &mut dyn Observer) -> Outcome {
    let mut outcome = blank(system);
    if let Err(error) = fill(system, chain, spec, observer, &mut outcome) {
        outcome.report.status = error.status();
        outcome.report.message = Some(error.to_string());
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn fill(
    system: &System,
    chain: &RodChain,
    spec: &InverseDynamicsSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), TaskError> {
    let clock = Instant::now();
    let analysis = analyse(chain, system.grid, spec)?;
    describe(system, [chain.elements() as f64, chain.length()], &analysis, &mut outcome.report);
    let answer = solve(system, chain, &analysis, observer)?;
    tables(system, chain, &answer, outcome)?;
    let Answer { motion, iterations, grid, sizes, residuals, warnings, .. } = answer;
    let report = &mut outcome.report;
    report.iterations = iterations;
    report.grid.extend(grid.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.sizes.extend(sizes.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.residuals.extend(residuals.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.warnings.extend(warnings);
    report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    let speeds = drive_speeds(chain, &motion);
    energies(system, chain, (&motion, &speeds), outcome)?;
    actuation_scalars(system, outcome);
    effort::tell(&speeds, system.grid.dt, outcome);
    sections::tell(&chain.mechanism, &sections_of(chain), Told::Motion(&spec.profile), outcome);

    let clock = Instant::now();
    let states = Snapshots {
        from_first: starts_moving(system, chain, &analysis, &motion, &mut outcome.report.warnings)?,
        at: &|k| Snapshot { poses: motion.snapshot(k), velocities: motion.velocities(k) },
        segment: segment(system, &analysis),
    };
    let proved = verify(system, chain, &outcome.actuation, &states, &spec.verify, observer)?;
    conclude(proved, clock, outcome);
    Ok(())
}

/// Kinetic, strain and gravity energy of the mechanism at every instant, the work done on it, and how they balance.
fn energies(
    system: &System,
    chain: &RodChain,
    (motion, speeds): (&SpaceMotion, &[Vec<f64>]),
    outcome: &mut Outcome,
) -> Result<(), TaskError> {
    // What hangs on the rods moves on its own: its energy is not known here. Neither is what damping takes.
    if !chain.branches.is_empty() || damped(chain).is_some() {
        return Ok(());
    }
    let grid = system.grid;
    let assembly = assembly::build(&chain.mechanism);
    let transfer = Transfer { mechanism: &chain.mechanism, assembly: &assembly };
    let [mut kinetic, mut strain, mut gravity, mut work] = [const { Vec::new() }; 4];
    let (mut actuator_work, mut load_work, mut before) = (0.0, 0.0, [0.0; 2]);
    for k in 0..motion.instants {
        let t = grid.time(k);
        let snapshot = Snapshot { poses: motion.snapshot(k), velocities: motion.velocities(k) };
        // Without forces at some instant there is no energy to tell of.
        let Ok(state) = transfer.state(&snapshot.shape(chain), t) else { return Ok(()) };
        let Ok(found) = balance(&assembly, &state.q, &state.momentum) else { return Ok(()) };
        kinetic.push(found.kinetic);
        strain.push(found.strain);
        gravity.push(found.gravity);
        let drives = outcome.actuation.columns.iter().zip(speeds).map(|((_, values), speed)| speed[k] * values[k]);
        let power = [drives.sum::<f64>(), load_power(chain, &snapshot, t)?];
        if k > 0 {
            actuator_work += 0.5 * grid.dt * (before[0] + power[0]);
            load_work += 0.5 * grid.dt * (before[1] + power[1]);
        }
        before = power;
        work.push(actuator_work + load_work);
    }
    let change = |k: usize| kinetic[k] + strain[k] + gravity[k] - kinetic[0] - strain[0] - gravity[0];
    let instants = 0..motion.instants;
    let balance = EnergyBalance {
        actuator_work,
        energy_change: change(motion.instants - 1),
        max_imbalance: instants.clone().map(|k| (change(k) - work[k]).abs()).fold(0.0, f64::max),
        peak: instants.map(|k| change(k).abs()).fold(0.0, f64::max),
    };
    let report = &mut outcome.report;
    report.scalars.insert("energy.actuator_work".into(), balance.actuator_work);
    report.energy = Some(balance);
    let columns = [("kinetic", kinetic), ("strain", strain), ("gravity", gravity), ("work", work)];
    let energy = Table { t: grid.times(), columns: columns.map(|(name, values)| (name.to_owned(), values)).into() };
    if energy.columns.iter().all(|(_, values)| values.iter().all(|v| v.is_finite())) {
        outcome.energy = energy;
    }
    Ok(())
}

/// The velocity of each driven section along what its actuator applies, over time.
fn drive_speeds(chain: &RodChain, motion: &SpaceMotion) -> Vec<Vec<f64>> {
    let of = |drive: usize| {
        let section = chain.drive_place(drive).section;
        let at = |k: usize| motion.at(section, k);
        (0..motion.instants).map(|k| chain.unit(drive, &motion.poses[at(k)]).dot(&motion.v[at(k)])).collect()
    };
    (0..chain.drives.len()).map(of).collect()
}

/// Power of loads, dampers and springs on stations, and of loads along the rods by the trapezoidal rule.
fn load_power(chain: &RodChain, snapshot: &Snapshot, t: f64) -> Result<f64, TaskError> {
    let bad = |bad| function(chain, bad);
    let split = |v: &Vector6<f64>| [0, 3].map(|row| v.fixed_rows::<3>(row).into_owned());
    let mut power = 0.0;
    for (leg, boundary, station) in chain.stations() {
        let section = leg.first + boundary;
        let [velocity, spin] = split(&snapshot.velocities[section]);
        let moving = Moving { pose: snapshot.poses[section], velocity, spin };
        let loads = chain.without_potential(station, t, &moving).map_err(bad)?;
        power += loads.force.dot(&velocity) + loads.torque.dot(&spin);
    }
    for leg in &chain.legs {
        let (rod, loads) = (chain.rod(leg), chain.loads_along(leg));
        for boundary in (0..=rod.elements).filter(|_| !loads.is_empty() || loads.drag().is_some()) {
            let near = [boundary.saturating_sub(1), (boundary + 1).min(rod.elements)].map(|b| rod.boundary(b));
            let share = 0.5 * (near[1] - near[0]);
            let section = leg.first + boundary;
            let orientation = snapshot.poses[section].orientation;
            let [force, torque] = loads.in_space(rod.boundary(boundary), t, orientation).map_err(bad)?;
            let [velocity, spin] = split(&snapshot.velocities[section]);
            power += share * (force.dot(&velocity) + torque.dot(&spin));
            if let Some(drag) = loads.drag() {
                let s = rod.boundary(boundary);
                let law = drag.law(s).map_err(bad)?;
                let relative = velocity - drag.current(t).map_err(bad)?;
                let tangent = tangent(snapshot, leg.first, boundary, rod);
                power += share * law.force(relative, Some(tangent)).dot(&velocity);
            }
        }
    }
    Ok(power)
}

/// The unit tangent of a rod at a boundary: d₃, of a string the direction to its neighbours.
fn tangent(snapshot: &Snapshot, first: usize, boundary: usize, rod: &RodPart) -> Vector3<f64> {
    if !rod.kind.is_limp() {
        return snapshot.poses[first + boundary].orientation.rotate(Vector3::z());
    }
    let ends = [boundary.saturating_sub(1), (boundary + 1).min(rod.elements)];
    let [before, after] = ends.map(|boundary| snapshot.poses[first + boundary].position);
    (after - before).normalize()
}

/// Whether the rod is not at rest at the first instant, because actuation would have to begin earlier.
fn starts_moving(
    system: &System,
    chain: &RodChain,
    analysis: &Analysis,
    motion: &SpaceMotion,
    warnings: &mut Vec<String>,
) -> Result<bool, TaskError> {
    let first = analysis.activity.interval.map_or(f64::INFINITY, |[first, _]| first);
    if !chain.is_complete() || analysis.activity.rests_before && first - 1.5 * analysis.transit >= system.grid.start {
        return Ok(false);
    }
    let fastest = motion.v.iter().map(|v| v.amax()).fold(0.0, f64::max);
    let speed = motion.velocities(0).iter().map(|v| v.amax()).fold(0.0, f64::max);
    let rest = resting(chain, system.grid.start)?;
    let distance = |(pose, rest): (Pose, &SpaceState)| (pose.position - rest.pose.position).norm();
    let away = motion.snapshot(0).into_iter().zip(&rest).map(distance).fold(0.0, f64::max);
    // What crosses the rod in a million times the duration rests, however slow everything else is.
    let still = speed <= (1e-6 * fastest).max(1e-6 * chain.length() / (system.grid.end() - system.grid.start));
    let near = away <= 1e-4 * chain.length();
    if still && near {
        return Ok(false);
    }
    warnings.push(match still {
        true => super::super::outcome::displaced(&chain.name(), system.grid.start, away),
        false => super::super::outcome::moving(&chain.name(), system.grid.start, speed),
    });
    Ok(true)
}
