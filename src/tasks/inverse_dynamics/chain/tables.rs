//! Tables and fields of the answer, and their units.

use nalgebra::Vector3;

use super::hanging::motion as hanging_motion;
use super::verify::{path, rotation_near};
use super::{SpaceMotion, hung};
use crate::discretisation::chain::{POSE_COORDINATES, RodChain};
use crate::models::Pose;
use crate::models::structure::Frame;
use crate::results::{Outcome, RodField};
use crate::tasks::{System, TaskError, coordinate_unit, force_name};
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
pub fn tables(system: &System, chain: &RodChain, motion: &SpaceMotion, outcome: &mut Outcome) -> Result<(), TaskError> {
    let t = system.grid.times();
    let units = &mut outcome.report.units;
    units.insert("t".into(), "s".into());
    outcome.actuation.t.clone_from(&t);
    for (channel, values) in system.channels.iter().zip(applied(system, chain, motion)) {
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
        let poses: Vec<Pose> = (0..motion.instants).map(|k| motion.q[motion.at(branch.section, k)]).collect();
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
    let path = path(system, chain)?;
    for output in &system.outputs {
        units.insert(output.name.clone(), coordinate_unit(coordinate(chain, output.coordinate)).into());
        let wanted = path.iter().map(|(pose, psi)| path_value(chain, output.coordinate, pose, psi));
        outcome.servo.columns.push((output.name.clone(), wanted.collect()));
    }
    fields(chain, motion, &t, outcome);
    outcome.rods.extend(hanging_rods);
    Ok(())
}

/// A component of a pose whose rotation vector from its reference is ψ; in the plane, an angle.
pub fn path_value(chain: &RodChain, component: usize, pose: &Pose, psi: &Vector3<f64>) -> f64 {
    match component.checked_sub(3) {
        None => pose.position[component],
        Some(axis) => psi[axis] + chain.path_angle(),
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
        let poses = &motion.q[places.clone()];
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

/// What each channel applies: forces as found, torques about the frames the actuators act on instead of about the section, and
/// both along the axes of the frames of actuators that follow.
fn applied(system: &System, chain: &RodChain, motion: &SpaceMotion) -> Vec<Vec<f64>> {
    let (leg, boundary) = chain.ends()[1];
    let relative: Vec<Pose> = chain.drives.iter().map(|(frame, _)| chain.relative(leg, boundary, *frame)).collect();
    let axes: Vec<[Vector3<f64>; 3]> = chain
        .drives
        .iter()
        .zip(&relative)
        .map(|((frame, _), pose)| {
            // On a section of a plane rod x is across the rod (d₁) and y along it (d₃), as for loads.
            let turn = pose.orientation;
            match (chain.is_plane(), frame) {
                (true, Frame::Section { .. }) => {
                    [Vector3::x(), Vector3::z(), Vector3::y()].map(|axis| turn.rotate(axis))
                }
                _ => [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| turn.rotate(axis)),
            }
        })
        .collect();
    let mut columns = vec![Vec::with_capacity(motion.instants); system.channels.len()];
    for (k, wrench) in motion.forces[0].iter().enumerate() {
        let orientation = motion.q[motion.at(leg.first + boundary, k)].orientation;
        let [force, mut torque] = [0, 3].map(|row| wrench.fixed_rows::<3>(row).into_owned());
        let along = |channel: usize, component: usize| match chain.drives[channel].1 {
            true => orientation.rotate(axes[channel][component]),
            false => Vector3::ith(component, 1.0),
        };
        let parts: Vec<f64> = system
            .channels
            .iter()
            .enumerate()
            .map(|(i, channel)| if channel.coordinate < 3 { along(i, channel.coordinate).dot(&force) } else { 0.0 })
            .collect();
        for (i, channel) in system.channels.iter().enumerate().filter(|(_, channel)| channel.coordinate < 3) {
            let lever = orientation.rotate(relative[i].position);
            torque -= lever.cross(&(along(i, channel.coordinate) * parts[i]));
        }
        for (i, (channel, column)) in system.channels.iter().zip(&mut columns).enumerate() {
            let c = channel.coordinate;
            column.push(if c < 3 { parts[i] } else { along(i, c - 3).dot(&torque) });
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
    let reference = chain.structure.reference_pose(frame).orientation;
    let own = (reference * relative.orientation.conjugate()).conjugate();
    let angle = if chain.is_plane() { chain.structure.reference_angle(frame) } else { 0.0 };
    let mut near = Vector3::zeros();
    let mut columns: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(motion.instants));
    for k in 0..motion.instants {
        let pose = motion.q[motion.at(section, k)];
        near = rotation_near(pose.orientation * own, near);
        let position = pose.point(relative.position);
        for c in 0..3 {
            columns[c].push(position[c]);
            columns[3 + c].push(near[c] + if c == 2 { angle } else { 0.0 });
        }
    }
    columns
}
