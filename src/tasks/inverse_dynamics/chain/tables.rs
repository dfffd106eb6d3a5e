//! Tables and fields of the answer, and their units.

use nalgebra::Vector3;

use super::hanging::motion as hanging_motion;
use super::verify::{paths, rotation_near};
use super::{SpaceMotion, hung};
use crate::discretisation::chain::{POSE_COORDINATES, RodChain};
use crate::mechanism::{Frame, Pose};
use crate::results::{Outcome, RodField};
use crate::tasks::inverse_dynamics::Answer;
use crate::tasks::{Output, System, TaskError, coordinate_unit, force_name};
use crate::terms::plane_angle;

/// Name of a component of a pose.
pub fn coordinate(chain: &RodChain, component: usize) -> &'static str {
    coordinate_name(chain.is_plane(), component)
}

/// Name of a component of a pose, in the plane or in space.
pub fn coordinate_name(plane: bool, component: usize) -> &'static str {
    if plane && component == 5 { "angle" } else { POSE_COORDINATES[component] }
}

/// Names of the stored fields of a rod: pose, its velocity, force and moment.
pub fn field_names(chain: &RodChain) -> [&'static [&'static str]; 3] {
    match (chain.is_plane(), chain.is_limp()) {
        (true, true) => return [&["x", "y"], &["velocity_x", "velocity_y"], &["force_x", "force_y"]],
        (false, true) => {
            return [&["x", "y", "z"], &["velocity_x", "velocity_y", "velocity_z"], &["force_x", "force_y", "force_z"]];
        }
        _ => {}
    }
    if chain.is_plane() {
        return [
            &["x", "y", "angle"],
            &["velocity_x", "velocity_y", "velocity_angle"],
            &["force_x", "force_y", "moment"],
        ];
    }
    [
        &["x", "y", "z", "p0", "p1", "p2", "p3"],
        &["velocity_x", "velocity_y", "velocity_z", "spin_x", "spin_y", "spin_z"],
        &["force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"],
    ]
}

/// Fills the tables of an outcome.
pub fn tables(system: &System, chain: &RodChain, answer: &Answer, outcome: &mut Outcome) -> Result<(), TaskError> {
    let motion = &answer.motion;
    let t = system.grid.times();
    let units = &mut outcome.report.units;
    units.insert("t".into(), "s".into());
    outcome.actuation.t.clone_from(&t);
    let applied = answer.applied.clone().unwrap_or_else(|| applied(chain, motion));
    for (channel, values) in system.channels.iter().zip(applied) {
        units.insert(channel.name.clone(), force_name(coordinate(chain, channel.coordinate)).1.into());
        outcome.actuation.columns.push((channel.name.clone(), values));
    }
    outcome.motion.t.clone_from(&t);
    for (name, frame, section, relative) in chain.frames() {
        let columns = frame_columns(chain, motion, frame, section, &relative);
        for component in chain.components() {
            let coordinate = coordinate(chain, *component);
            let name = format!("{name}.{coordinate}");
            units.insert(name.clone(), coordinate_unit(coordinate).into());
            outcome.motion.columns.push((name, columns[*component].clone()));
        }
    }
    let mut hanging_rods = Vec::new();
    for branch in &chain.branches {
        let poses: Vec<Pose> = (0..motion.instants).map(|k| motion.poses[motion.at(branch.section, k)]).collect();
        let rod = || chain.rod(chain.ends()[0].0).name.clone();
        let hanging = hanging_motion(chain, branch, &poses, system.grid.start, system.grid.dt);
        let (frames, axes) = hanging.map_err(|reason| hung(rod(), reason))?;
        hanging_rods.extend(axes);
        for (frame, columns) in frames {
            for component in chain.components() {
                let coordinate = coordinate(chain, *component);
                let name = format!("{frame}.{coordinate}");
                units.insert(name.clone(), coordinate_unit(coordinate).into());
                outcome.motion.columns.push((name, columns[*component].clone()));
            }
        }
    }
    outcome.servo.t.clone_from(&t);
    let paths = paths(system, chain)?;
    for output in &system.outputs {
        units.insert(output.name.clone(), coordinate_unit(coordinate(chain, output.coordinate)).into());
        let wanted = paths[output.guide].iter().map(|(pose, psi)| path_value(chain, output, pose, psi));
        outcome.servo.columns.push((output.name.clone(), wanted.collect()));
    }
    fields(chain, motion, &t, outcome);
    outcome.rods.extend(hanging_rods);
    Ok(())
}

/// A component of a pose whose rotation vector from its reference is ψ; in the plane, an angle.
pub fn path_value(chain: &RodChain, output: &Output, pose: &Pose, psi: &Vector3<f64>) -> f64 {
    match output.coordinate.checked_sub(3) {
        None => pose.position[output.coordinate],
        Some(axis) => psi[axis] + chain.guide_angle(output.guide),
    }
}

/// Configurations, velocities and stresses of the rods.
fn fields(chain: &RodChain, motion: &SpaceMotion, t: &[f64], outcome: &mut Outcome) {
    let names = field_names(chain);
    let mut legs: Vec<_> = chain.legs.iter().collect();
    legs.sort_by_key(|leg| leg.rod);
    for leg in legs {
        let rod = chain.rod(leg);
        let s = (0..=rod.elements).map(|boundary| rod.boundary(boundary)).collect();
        let mut field = RodField { rod: rod.name.clone(), s, t: t.to_vec(), fields: Vec::new() };
        let places = motion.at(leg.first, 0)..motion.at(leg.first + rod.elements + 1, 0);
        let poses = &motion.poses[places.clone()];
        for (c, name) in names[0].iter().enumerate() {
            let values = match chain.is_plane() && c == 2 {
                true => angles(poses, motion.instants, rod.angle(0)),
                false => {
                    let value = |pose: &Pose| if c < 3 { pose.position[c] } else { pose.orientation.to_array()[c - 3] };
                    poses.iter().map(value).collect()
                }
            };
            field.fields.push(((*name).to_owned(), values));
        }
        for (names, values) in [(names[1], &motion.v), (names[2], &motion.n)] {
            for (name, component) in names.iter().zip(chain.components()) {
                let values = values[places.clone()].iter().map(|v| v[*component]).collect();
                field.fields.push(((*name).to_owned(), values));
            }
        }
        outcome.rods.push(field);
    }
}

/// Angles of the sections of a plane rod, which run on along it and in time.
fn angles(poses: &[Pose], instants: usize, reference: f64) -> Vec<f64> {
    let mut found = Vec::with_capacity(poses.len());
    for (place, pose) in poses.iter().enumerate() {
        let near = match place {
            0 => reference,
            _ if place % instants == 0 => found[place - instants],
            _ => found[place - 1],
        };
        found.push(plane_angle(pose.orientation, near));
    }
    found
}

/// What each drive applies, from force and torque about the driven section: forces as they are, torques about the frames of the
/// drives, both along the axes of those that follow.
fn applied(chain: &RodChain, motion: &SpaceMotion) -> Vec<Vec<f64>> {
    // Forces first: they have levers, torques do not. The axes are orthogonal.
    let mut order: Vec<usize> = (0..chain.drives.len()).collect();
    order.sort_by_key(|drive| chain.drives[*drive].component > 2);
    let mut columns = vec![Vec::with_capacity(motion.instants); chain.drives.len()];
    for (k, wrench) in motion.driven.iter().enumerate() {
        let mut left = *wrench;
        for drive in &order {
            let unit = chain.unit(*drive, &motion.poses[motion.at(chain.drive_place(*drive).section, k)]);
            let row = if chain.drives[*drive].component > 2 { 3 } else { 0 };
            let value = unit.fixed_rows::<3>(row).dot(&left.fixed_rows::<3>(row));
            columns[*drive].push(value);
            left -= unit * value;
        }
    }
    columns
}

/// Position, and rotation vector from its reference orientation, of a frame over time; in the plane the third is its angle.
fn frame_columns(
    chain: &RodChain,
    motion: &SpaceMotion,
    frame: Frame,
    section: usize,
    relative: &Pose,
) -> [Vec<f64>; 6] {
    let reference = chain.mechanism.reference_pose(frame).orientation;
    let own = (reference * relative.orientation.conjugate()).conjugate();
    let angle = if chain.is_plane() { chain.mechanism.reference_angle(frame) } else { 0.0 };
    let mut near = Vector3::zeros();
    let mut columns: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(motion.instants));
    for k in 0..motion.instants {
        let pose = motion.poses[motion.at(section, k)];
        near = rotation_near(pose.orientation * own, near);
        let position = pose.point(relative.position);
        for c in 0..3 {
            columns[c].push(position[c]);
            columns[3 + c].push(near[c] + if c == 2 { angle } else { 0.0 });
        }
    }
    columns
}
