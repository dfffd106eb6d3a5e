//! From an answer for a rod in space to the report and tables a user sees.

use std::time::Instant;

use nalgebra::Vector3;

use super::reverify::{POSE_FIELDS, VELOCITY_FIELDS};
use super::sampling::hanging;
use super::verify::{Snapshot, Snapshots, path, rotation_near, verify};
use super::{SpaceMotion, analyse, solve};
use crate::discretisation::assembly;
use crate::discretisation::remesh::Transfer;
use crate::models::{DrivenRod, POSE_COORDINATES, Pose, Side};
use crate::results::{EnergyBalance, Outcome, RodField, Table, Timing};
use crate::tasks::inverse_dynamics::outcome::{blank, conclude, describe, segment};
use crate::tasks::inverse_dynamics::scalars::actuation_scalars;
use crate::tasks::inverse_dynamics::{Analysis, Answer};
use crate::tasks::simulation::march::balance;
use crate::tasks::{InverseDynamicsSpec, Observer, System, TaskError, coordinate_unit, force_name};

/// Solve, verify, and put everything into an outcome.
pub fn build(system: &System, rod: &DrivenRod, spec: &InverseDynamicsSpec, observer: &mut dyn Observer) -> Outcome {
    let mut outcome = blank(system);
    if let Err(error) = fill(system, rod, spec, observer, &mut outcome) {
        outcome.report.status = error.status().into();
        outcome.report.message = Some(error.to_string());
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn fill(
    system: &System,
    rod: &DrivenRod,
    spec: &InverseDynamicsSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), TaskError> {
    let clock = Instant::now();
    let part = rod.rod();
    let analysis = analyse(rod, system.grid, spec)?;
    describe(system, [part.elements as f64, part.length], &analysis, &mut outcome.report);
    let answer = solve(system, rod, &analysis, observer)?;
    tables(system, rod, &answer.motion, outcome)?;
    let Answer { motion, iterations, grid, sizes, residuals, warnings } = answer;
    let report = &mut outcome.report;
    report.iterations = iterations;
    report.grid.extend(grid.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.sizes.extend(sizes.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.residuals.extend(residuals.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.warnings.extend(warnings);
    report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    energies(system, rod, &motion, outcome)?;
    actuation_scalars(system, outcome);

    let clock = Instant::now();
    let states = Snapshots {
        from_first: starts_moving(system, rod, &analysis, &motion, &mut outcome.report.warnings)?,
        at: &|k| Snapshot { poses: motion.snapshot(k), velocities: motion.velocities(k) },
        segment: segment(system, &analysis),
    };
    let (verification, resimulated) = verify(system, rod, &outcome.actuation, &states, &spec.verify, observer)?;
    conclude(verification, resimulated, clock, outcome);
    Ok(())
}

/// Tables and fields of the answer, and their units.
fn tables(system: &System, rod: &DrivenRod, motion: &SpaceMotion, outcome: &mut Outcome) -> Result<(), TaskError> {
    let t = system.grid.times();
    let part = rod.rod();
    let units = &mut outcome.report.units;
    units.insert("t".into(), "s".into());
    outcome.actuation.t = t.clone();
    for (channel, values) in system.channels.iter().zip(applied(system, rod, motion)) {
        units.insert(channel.name.clone(), force_name(POSE_COORDINATES[channel.coordinate]).1.into());
        outcome.actuation.columns.push((channel.name.clone(), values));
    }
    outcome.motion.t = t.clone();
    let ends = Side::BOTH.map(|side| (format!("{}.{}", part.name, side.name()), side, Vector3::zeros()));
    let bodies = system.bodies.iter().filter_map(|(name, side)| {
        let of = |carried: &&crate::models::Carried| rod.structure.bodies[carried.body].name == *name;
        rod.bodies(*side).iter().find(of).map(|carried| (name.clone(), *side, carried.arm))
    });
    for (frame, side, arm) in ends.into_iter().chain(bodies) {
        let columns = frame_columns(rod, motion, side, arm);
        for (coordinate, values) in POSE_COORDINATES.into_iter().zip(columns) {
            let name = format!("{frame}.{coordinate}");
            units.insert(name.clone(), coordinate_unit(coordinate).into());
            outcome.motion.columns.push((name, values));
        }
    }
    outcome.servo.t = t.clone();
    let path = path(system, rod)?;
    for output in &system.outputs {
        let value = |(pose, psi): &(Pose, Vector3<f64>)| match output.coordinate.checked_sub(3) {
            None => pose.position[output.coordinate],
            Some(axis) => psi[axis],
        };
        units.insert(output.name.clone(), coordinate_unit(POSE_COORDINATES[output.coordinate]).into());
        outcome.servo.columns.push((output.name.clone(), path.iter().map(value).collect()));
    }
    let s = (0..=part.elements).map(|i| part.length * i as f64 / part.elements as f64).collect();
    let mut field = RodField { rod: part.name.clone(), s, t, fields: Vec::new() };
    for (c, name) in POSE_FIELDS.into_iter().enumerate() {
        let value = |pose: &Pose| if c < 3 { pose.position[c] } else { pose.orientation.to_array()[c - 3] };
        field.fields.push((name.into(), motion.q.iter().map(value).collect()));
    }
    let stresses = ["force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"];
    for (names, values) in [(VELOCITY_FIELDS, &motion.v), (stresses, &motion.n)] {
        for (c, name) in names.into_iter().enumerate() {
            field.fields.push((name.into(), values.iter().map(|v| v[c]).collect()));
        }
    }
    outcome.rods.push(field);
    Ok(())
}

/// What each channel applies: forces as found, torques about the frames the actuators act on instead of about the end.
fn applied(system: &System, rod: &DrivenRod, motion: &SpaceMotion) -> Vec<Vec<f64>> {
    let side = rod.side.other();
    let node = side.node(rod.rod().elements);
    let mut columns = vec![Vec::with_capacity(motion.instants); system.channels.len()];
    for (k, wrench) in motion.forces[side.index()].iter().enumerate() {
        let orientation = motion.q[motion.at(node, k)].orientation;
        let mut torque = wrench.fixed_rows::<3>(3).into_owned();
        for (channel, frame) in system.channels.iter().zip(&rod.drives).filter(|(channel, _)| channel.coordinate < 3) {
            let mut force = Vector3::zeros();
            force[channel.coordinate] = wrench[channel.coordinate];
            torque -= orientation.rotate(rod.relative(side, *frame).position).cross(&force);
        }
        for (channel, column) in system.channels.iter().zip(&mut columns) {
            let c = channel.coordinate;
            column.push(if c < 3 { wrench[c] } else { torque[c - 3] });
        }
    }
    columns
}

/// Position and rotation vector of the frame at `arm` from an end over time.
fn frame_columns(rod: &DrivenRod, motion: &SpaceMotion, side: Side, arm: Vector3<f64>) -> [Vec<f64>; 6] {
    let part = rod.rod();
    let node = side.node(part.elements);
    let reference = (part.reference)(if side == Side::Start { 0.0 } else { part.length }).orientation.conjugate();
    let mut near = Vector3::zeros();
    let mut columns: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(motion.instants));
    for k in 0..motion.instants {
        let pose = motion.q[motion.at(node, k)];
        near = rotation_near(pose.orientation * reference, near);
        let position = pose.point(arm);
        for c in 0..3 {
            columns[c].push(position[c]);
            columns[3 + c].push(near[c]);
        }
    }
    columns
}

/// Kinetic, strain and gravity energy of the mechanism at every instant, the work done on it, and how they balance.
fn energies(system: &System, rod: &DrivenRod, motion: &SpaceMotion, outcome: &mut Outcome) -> Result<(), TaskError> {
    let (grid, part) = (system.grid, rod.rod());
    let assembly = assembly::build(&rod.structure);
    let transfer = Transfer { structure: &rod.structure, assembly: &assembly };
    let [mut kinetic, mut strain, mut gravity, mut work] = [const { Vec::new() }; 4];
    let (mut actuator_work, mut load_work, mut before) = (0.0, 0.0, [0.0; 2]);
    for k in 0..motion.instants {
        let t = grid.time(k);
        let snapshot = Snapshot { poses: motion.snapshot(k), velocities: motion.velocities(k) };
        // Without forces at some instant there is no energy to tell of.
        let Ok(state) = transfer.state(&snapshot.shape(part.length), t) else { return Ok(()) };
        let Ok(found) = balance(&assembly, &state.q, &state.momentum) else { return Ok(()) };
        kinetic.push(found.kinetic);
        strain.push(found.strain);
        gravity.push(found.gravity);
        let mut power = [0.0; 2];
        for side in Side::BOTH {
            let node = side.node(part.elements);
            let v = snapshot.velocities[node];
            power[0] += motion.forces[side.index()][k].dot(&v);
            let loads = rod.loads(side, t, &snapshot.poses[node]);
            let loads = loads.map_err(|bad| TaskError::pose_function(&part.name, side, bad))?;
            power[1] += loads.force.dot(&v.fixed_rows::<3>(0)) + loads.torque.dot(&v.fixed_rows::<3>(3));
        }
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

/// Whether the rod is not at rest at the first instant, because actuation would have to begin earlier.
fn starts_moving(
    system: &System,
    rod: &DrivenRod,
    analysis: &Analysis,
    motion: &SpaceMotion,
    warnings: &mut Vec<String>,
) -> Result<bool, TaskError> {
    let first = analysis.activity.interval.map_or(f64::INFINITY, |[first, _]| first);
    if analysis.activity.rests_before && first - 1.5 * analysis.transit >= system.grid.start {
        return Ok(false);
    }
    let part = rod.rod();
    let fastest = motion.v.iter().map(|v| v.amax()).fold(0.0, f64::max);
    let speed = motion.velocities(0).iter().map(|v| v.amax()).fold(0.0, f64::max);
    let rest = hanging(rod, part.elements, system.grid.start)?;
    let distance = |(pose, rest): (Pose, &crate::discretisation::march::space::SpaceState)| {
        (pose.position - rest.pose.position).norm()
    };
    let away = motion.snapshot(0).into_iter().zip(&rest).map(distance).fold(0.0, f64::max);
    if speed <= 1e-6 * fastest && away <= 1e-4 * part.length {
        return Ok(false);
    }
    warnings.push(super::super::outcome::moving(&part.name, system.grid.start, speed));
    Ok(true)
}
