//! Joints, springs and sections in plain terms: which directions and which inertias a file has stated.

use std::fmt::Write;

use nalgebra::{Matrix6, Vector3};

use super::forward::{digits, point};
use crate::mechanism::{JointPart, Mechanism, RodPart};
use crate::mechanism::{Spring, SpringLaw, SpringPlace, WinchDrive, WinchPart};

/// Sections, joints and springs of a mechanism, for tasks that tell nothing of them themselves.
pub(super) fn stated(mechanism: &Mechanism) -> String {
    let mut out = String::new();
    for rod in &mechanism.rods {
        let mut told = String::new();
        inertia(mechanism, rod, &mut told);
        if !told.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(out, "  rod {}:\n{told}", rod.name);
        }
    }
    mechanism.joints.iter().for_each(|part| joint(mechanism, part, &mut out));
    mechanism.springs.iter().for_each(|part| spring(mechanism, part, &mut out));
    mechanism.winches.iter().for_each(|part| winch(mechanism, part, &mut out));
    out
}

/// A joint: what it lets free, and between which frames.
pub(super) fn joint(mechanism: &Mechanism, joint: &JointPart, out: &mut String) {
    let [a, b] = joint.between.map(|frame| mechanism.frame_name(frame));
    let (kind, place) = (kind_of(mechanism, joint), point(mechanism, joint.at[0]));
    let _ = writeln!(out, "  joint {}: {kind}, between {a} and {b}, at {place}", joint.name);
}

/// The kind of a joint with its directions, and with which frame they turn; or its length.
fn kind_of(mechanism: &Mechanism, joint: &JointPart) -> String {
    let (name, lies) = joint.kind.words();
    let directions = joint.kind.directions();
    // In the plane all hinges turn about its normal.
    let is_plain = directions.is_empty() || (joint.kind.is_hinge() && mechanism.dimension == 2);
    if joint.kind.is_bar() {
        return format!("{name} {} m", digits(joint.length()));
    }
    if is_plain {
        return name.to_owned();
    }
    let carried = |(axis, frame): (&Vector3<f64>, usize)| {
        format!("{} fixed in {}", point(mechanism, *axis), mechanism.frame_name(joint.between[frame]))
    };
    // Several directions belong to one frame each.
    let words: Vec<String> = directions.iter().zip(0..).map(carried).collect();
    format!("{name} {lies} {}", words.join(" and "))
}

/// A winch: its ropes, its drum and what drives it.
pub(super) fn winch(mechanism: &Mechanism, winch: &WinchPart, out: &mut String) {
    let rod = |rope: usize| &mechanism.rods[rope];
    let (name, free) = (&winch.name, rod(winch.rope));
    let other = match winch.counter {
        Some(counter) => {
            format!("over a sheave, {} m of rope {} on the other side", digits(rod(counter).length), rod(counter).name)
        }
        None => {
            let radius = winch.radius.map_or_else(String::new, |radius| format!(" of radius {} m", digits(radius)));
            format!("from a drum{radius} with {} m on it", digits(winch.stored))
        }
    };
    let driven = match &winch.drive {
        WinchDrive::Length(_) => "its length is given",
        WinchDrive::Force(_) => "driven by a force or torque",
        WinchDrive::Sought => "its drive is sought",
    };
    let at = mechanism.frame_name(winch.at);
    let _ = writeln!(out, "  winch {name}: {} m of rope {} {other}, at {at}; {driven}", digits(free.length), free.name);
}

/// A spring: where it acts, what it resists and how strongly.
pub(super) fn spring(mechanism: &Mechanism, spring: &Spring, out: &mut String) {
    let frames = || spring.place.frames().map(|frames| frames.map(|frame| mechanism.frame_name(frame)));
    let place = match spring.place {
        SpringPlace::Joint(joint) => {
            let what = match mechanism.joints[joint].kind.measures(mechanism.dimension) {
                3 => ", against the rotation vector",
                2 => ", against both angles",
                _ => "",
            };
            format!("on joint {}{what}", mechanism.joints[joint].name)
        }
        SpringPlace::Between(..) => frames().map_or(String::new(), |[a, b]| format!("between {a} and {b}")),
        SpringPlace::Bushing(..) => {
            let words = |[a, b]: [String; 2]| {
                format!("against displacement and rotation of {b} from {a}, along x, y, z carried by {a}")
            };
            frames().map_or(String::new(), words)
        }
    };
    let count = spring.place.measures(mechanism.dimension, &mechanism.joints);
    let strength = match &spring.law {
        SpringLaw::Linear => {
            format!("stiffness {}, damping {}", matrix(&spring.stiffness, count), matrix(&spring.damping, count))
        }
        SpringLaw::Energy(_) => format!("energy by an expression, damping {}", matrix(&spring.damping, count)),
        SpringLaw::Force(_) => "force by an expression".to_owned(),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  spring {}: {strength}, {place}", spring.name);
}

/// A number, the diagonal, or that there is more than the diagonal.
fn matrix(values: &Matrix6<f64>, count: usize) -> String {
    let diagonal: Vec<String> = (0..count).map(|i| digits(values[(i, i)])).collect();
    let coupled = (0..count).any(|i| (0..i).any(|j| values[(i, j)] != 0.0));
    match (count, coupled) {
        (1, _) => diagonal.join(""),
        (_, false) => format!("({})", diagonal.join(", ")),
        (_, true) => format!("({}) and coupled", diagonal.join(", ")),
    }
}

/// Mass and rotary inertia of the section at the start of a rod: where its mass centre is, and about which point the inertia is.
pub(super) fn inertia(mechanism: &Mechanism, rod: &RodPart, out: &mut String) {
    let section = (rod.section)(0.0);
    let (mass, about) = (digits(section.mass), section.inertia);
    if !(section.mass > 0.0) || !rod.kind.turns() {
        return;
    }
    let plane = mechanism.dimension == 2;
    let rotary = match plane {
        true => digits(about[(1, 1)]),
        false => {
            let diagonal = (0..3).map(|i| digits(about[(i, i)])).collect::<Vec<_>>().join(", ");
            let product = match about[(0, 1)] {
                0.0 => String::new(),
                product => format!(" with product I12 = {}", digits(product)),
            };
            format!("({diagonal}) about d1, d2, d3{product}")
        }
    };
    let [first, second] = section.mass_offset;
    let _ = match [first, second] == [0.0; 2] {
        true => writeln!(out, "    section at s = 0: {mass} kg/m on the axis, rotary inertia {rotary} kg m"),
        false => {
            // Steiner's theorem: what the same section has about the axis of the rod.
            let about_axis = match plane {
                true => digits(about[(1, 1)] + section.mass * first * first),
                false => {
                    let squares = [second * second, first * first, first * first + second * second];
                    let shifted = (0..3).map(|i| digits(about[(i, i)] + section.mass * squares[i]));
                    format!("({})", shifted.collect::<Vec<_>>().join(", "))
                }
            };
            let centre = if plane { digits(first) } else { format!("({}, {})", digits(first), digits(second)) };
            writeln!(
                out,
                "    section at s = 0: {mass} kg/m centred {centre} m from the axis along d1{}, rotary inertia {rotary} kg m about the mass centre, {about_axis} kg m about the axis",
                if plane { "" } else { ", d2" }
            )
        }
    };
}
