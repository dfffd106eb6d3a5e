//! Names of the scalars that a forward task tells: what `[expect]` may refer to.

use super::ForwardSystem;
use crate::models::Structure;
use crate::models::structure::Frame;
use crate::tasks::TaskSpec;

/// Coordinates told of a frame: position, and the angle in the plane or the rotation vector from the reference
/// orientation in space; points of strings do not turn.
pub fn coordinates(structure: &Structure, frame: Frame) -> &'static [&'static str] {
    let turns = match frame {
        Frame::Section { rod, .. } => structure.rods[rod].kind.turns(),
        Frame::Body(_) | Frame::Ground => true,
    };
    match (structure.dimension, turns) {
        (2, true) => &["x", "y", "angle"],
        (2, false) => &["x", "y"],
        (_, true) => &["x", "y", "z", "turn_x", "turn_y", "turn_z"],
        (_, false) => &["x", "y", "z"],
    }
}

/// Names of all scalars of a finished task. Limit points are not known before: there are names for `limit_points` of
/// them.
pub fn scalar_names(system: &ForwardSystem, task: &TaskSpec, limit_points: usize) -> Vec<String> {
    match task {
        TaskSpec::Statics(_) => statics(system, limit_points),
        TaskSpec::Simulate(_) => simulate(system),
        TaskSpec::Modes(spec) => modes(spec.count),
        TaskSpec::InverseDynamics(_) => Vec::new(),
    }
}

/// `FRAME.COORDINATE` for all frames.
fn frame_coordinates(system: &ForwardSystem) -> Vec<String> {
    let of_frame = |(name, frame): &(String, Frame)| {
        let name = name.clone();
        coordinates(&system.structure, *frame).iter().map(move |coordinate| format!("{name}.{coordinate}"))
    };
    system.frames.iter().flat_map(of_frame).collect()
}

fn statics(system: &ForwardSystem, limit_points: usize) -> Vec<String> {
    let frames = frame_coordinates(system);
    let mut names = vec!["stability.unstable_directions".to_owned()];
    names.extend(frames.iter().map(|frame| format!("equilibrium.{frame}")));
    let axes: &[&str] = if system.structure.dimension == 2 { &["x", "y"] } else { &["x", "y", "z"] };
    for support in &system.structure.supports {
        for (axis, _) in axes.iter().zip(&support.displacement).filter(|(_, held)| held.is_some()) {
            names.push(format!("reaction.{}.force_{axis}", support.name));
        }
        if support.rotation.is_some() {
            let axes: &[&str] = if system.structure.dimension == 2 { &["z"] } else { axes };
            names.extend(axes.iter().map(|axis| format!("reaction.{}.torque_{axis}", support.name)));
        }
    }
    for k in 1..=limit_points {
        names.push(format!("limit_point.{k}.factor"));
        names.extend(frames.iter().map(|frame| format!("limit_point.{k}.{frame}")));
    }
    names
}

fn simulate(system: &ForwardSystem) -> Vec<String> {
    let mut names: Vec<String> = ["initial", "final", "drift"].map(|what| format!("energy.total.{what}")).into();
    let (linear, angular): (&[&str], &[&str]) = match system.structure.dimension {
        2 => (&["x", "y"], &["z"]),
        _ => (&["x", "y", "z"], &["x", "y", "z"]),
    };
    for (kind, axes) in [("linear", linear), ("angular", angular)] {
        for axis in axes {
            names.extend(["initial", "final", "drift"].map(|what| format!("momentum.{kind}_{axis}.{what}")));
        }
    }
    for frame in frame_coordinates(system) {
        names.extend(["initial", "final", "max"].map(|what| format!("motion.{frame}.{what}")));
    }
    names
}

fn modes(count: usize) -> Vec<String> {
    let of_mode = |k: usize| ["omega", "frequency", "real", "damping_ratio"].map(|what| format!("modes.{k}.{what}"));
    std::iter::once("modes.zero".to_owned()).chain((1..=count).flat_map(of_mode)).collect()
}
