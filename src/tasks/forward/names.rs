//! Names of the scalars that a forward task tells: what `[expect]` may refer to.

use super::ForwardSystem;
use crate::mechanism::{Frame, Mechanism, WinchDrive, WinchPart};
use crate::tasks::loads::joint_columns;
use crate::tasks::{TaskSpec, mobility, sections};

/// Coordinates told of a frame: position, and the angle in the plane or the rotation vector from the reference
/// orientation in space; points of strings do not turn.
pub fn coordinates(mechanism: &Mechanism, frame: Frame) -> &'static [&'static str] {
    let turns = match frame {
        Frame::Section { rod, .. } => mechanism.rods[rod].kind.turns(),
        Frame::Body(_) | Frame::Ground => true,
    };
    match (mechanism.dimension, turns) {
        (2, true) => &["x", "y", "angle"],
        (2, false) => &["x", "y"],
        (_, true) => &["x", "y", "z", "turn_x", "turn_y", "turn_z"],
        (_, false) => &["x", "y", "z"],
    }
}

/// Names of all scalars of a finished task. Limit and branch points are not known before: there are names for `limit_points`
/// of each.
pub fn scalar_names(system: &ForwardSystem, task: &TaskSpec, limit_points: usize) -> Vec<String> {
    match task {
        TaskSpec::Statics(_) => statics(system, limit_points),
        TaskSpec::Simulate(_) => simulate(system),
        TaskSpec::Modes(spec) => modes(system, spec.count, spec.factors.len()),
        TaskSpec::Mobility(_) => mobility::SCALARS.map(str::to_owned).into(),
        TaskSpec::InverseDynamics(_) | TaskSpec::OptimalControl(_) => Vec::new(),
    }
}

/// What is told of winches: the free unstressed length, and the tension of the rope just below the sheave.
pub fn winch_columns(mechanism: &Mechanism) -> Vec<String> {
    let of_winch = |winch: &WinchPart| ["length", "tension"].map(|what| format!("{}.{what}", winch.name));
    mechanism.winches.iter().flat_map(of_winch).collect()
}

/// `FRAME.COORDINATE` for all frames, and what winches tell.
fn frame_coordinates(system: &ForwardSystem) -> Vec<String> {
    let of_frame = |(name, frame): &(String, Frame)| {
        let name = name.clone();
        coordinates(&system.mechanism, *frame).iter().map(move |coordinate| format!("{name}.{coordinate}"))
    };
    system.frames.iter().flat_map(of_frame).chain(winch_columns(&system.mechanism)).collect()
}

fn statics(system: &ForwardSystem, limit_points: usize) -> Vec<String> {
    let frames = frame_coordinates(system);
    let mut names: Vec<String> =
        ["stability.unstable_directions", "stability.indifferent_directions", "path.points"].map(str::to_owned).into();
    names.extend(frames.iter().map(|frame| format!("equilibrium.{frame}")));
    names.extend(reactions(system).map(|reaction| format!("reaction.{reaction}")));
    names.extend(joint_columns(&system.mechanism).into_iter().map(|column| format!("joint.{column}")));
    for k in 1..=limit_points {
        for point in ["limit_point", "branch_point"] {
            names.extend(["factor", "stage"].map(|what| format!("{point}.{k}.{what}")));
            names.extend(frames.iter().map(|frame| format!("{point}.{k}.{frame}")));
        }
        names.extend(["multiplicity", "error"].map(|what| format!("branch_point.{k}.{what}")));
        names.push(format!("linear_buckling.{k}.factor"));
    }
    names.extend(section_names(system, true));
    names
}

/// `SUPPORT.force_x`, …: the forces and torques by which supports hold.
fn reactions(system: &ForwardSystem) -> impl Iterator<Item = String> {
    let plane = system.mechanism.dimension == 2;
    let of_supports = system.mechanism.supports.iter().flat_map(move |support| {
        let held = ["x", "y", "z"].into_iter().zip(&support.displacement).filter(|(_, held)| held.is_some());
        let torques: &[&str] = match (&support.rotation, plane) {
            (None, _) => &[],
            (Some(_), true) => &["z"],
            (Some(_), false) => &["x", "y", "z"],
        };
        let forces = held.map(|(axis, _)| format!("{}.force_{axis}", support.name));
        forces.chain(torques.iter().map(|axis| format!("{}.torque_{axis}", support.name)))
    });
    let driven = system.mechanism.winches.iter().filter(|winch| matches!(winch.drive, WinchDrive::Length(_)));
    of_supports.chain(driven.map(|winch| format!("{}.force", winch.name)))
}

fn simulate(system: &ForwardSystem) -> Vec<String> {
    let momenta: &[&str] = match system.mechanism.dimension {
        2 => &["linear_x", "linear_y", "angular_z"],
        _ => &["linear_x", "linear_y", "linear_z", "angular_x", "angular_y", "angular_z"],
    };
    let mut names: Vec<String> =
        ["newton_iterations", "mass", "energy.imbalance", "energy.work"].map(str::to_owned).into();
    let kept = std::iter::once("energy.total".to_owned()).chain(momenta.iter().map(|name| format!("momentum.{name}")));
    for name in kept {
        names.extend(["initial", "final", "drift"].map(|what| format!("{name}.{what}")));
    }
    names.extend(reactions(system).map(|reaction| format!("reaction.{reaction}.max")));
    names.extend(joint_columns(&system.mechanism).into_iter().map(|column| format!("joint.{column}.max")));
    for column in relative_names(&system.mechanism) {
        names.extend(["initial", "final", "max"].map(|what| format!("relative.{column}.{what}")));
    }
    for frame in frame_coordinates(system) {
        names.extend(["initial", "final", "max"].map(|what| format!("motion.{frame}.{what}")));
    }
    names.extend(section_names(system, false));
    names
}

/// What the sections of the rods carry.
fn section_names(system: &ForwardSystem, is_static: bool) -> Vec<String> {
    let mechanism = &system.mechanism;
    sections::names(mechanism, &system.frames, is_static, |rod| rod.kind.stresses(mechanism.dimension).to_vec())
}

/// Columns of relative motions: of mechanisms with revolute joints.
pub fn relative_names(mechanism: &Mechanism) -> Vec<String> {
    let hinges = mechanism.joints.iter().filter(|joint| joint.kind.is_hinge());
    let mut names: Vec<String> =
        hinges.flat_map(|joint| ["angle", "rate"].map(|what| format!("{}.{what}", joint.name))).collect();
    if names.is_empty() {
        return names;
    }
    let axes: &[&str] = if mechanism.dimension == 2 { &["1", "3"] } else { &["1", "2", "3"] };
    for rod in mechanism.rods.iter().filter(|rod| rod.kind.turns()) {
        names.extend(axes.iter().map(|axis| format!("{}.deflection_{axis}", rod.name)));
    }
    names
}

fn modes(system: &ForwardSystem, count: usize, loads: usize) -> Vec<String> {
    let of_mode = |k: usize| {
        ["omega", "frequency", "real", "damping_ratio", "backward_error", "error"]
            .map(|what| format!("modes.{k}.{what}"))
    };
    let rates =
        system.mechanism.spin.as_ref().map_or(0, |spin| if spin.rates.len() > 1 { spin.rates.len() } else { 0 });
    let of_rate =
        |i: usize| (1..=count).flat_map(move |k| ["omega", "frequency"].map(|what| format!("campbell.{i}.{k}.{what}")));
    let of_load = |i: usize| {
        let of_modes =
            (1..=count).flat_map(move |k| ["omega", "real"].map(|what| format!("load.{i}.modes.{k}.{what}")));
        std::iter::once(format!("load.{i}.factor")).chain(of_modes)
    };
    let fixed = ["modes.zero", "path.points", "mass"].map(str::to_owned).into_iter();
    let onset = ["factor", "omega", "error"].map(|what| format!("onset.{what}"));
    let onset = onset.into_iter().take(if loads > 1 { 3 } else { 0 });
    let modes = fixed.chain((1..=count).flat_map(of_mode)).chain((1..=rates).flat_map(of_rate));
    modes.chain((1..=loads).flat_map(of_load)).chain(onset).collect()
}
