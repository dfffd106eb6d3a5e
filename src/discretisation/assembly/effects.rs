//! Actuators of a machine on the nodes of its assembly.

use nalgebra::Vector3;

use super::Assembly;
use crate::mechanism::{Component, Drive, DrivePlace, Frame, Mechanism, WinchDrive};
use crate::terms::{Anchor, Effect, NodeKind};

/// What all components of all actuators do, and winches whose drive is sought, by name.
pub fn effects(mechanism: &Mechanism, assembly: &Assembly) -> Vec<(String, Effect)> {
    let of_drive = |drive: &Drive| {
        let on = match drive.place {
            DrivePlace::Frame(frame) => [assembly.anchor(Frame::Ground, Vector3::zeros()), assembly.anchor_of(frame)],
            DrivePlace::Joint(joint) => {
                mechanism.joints[joint].sides().map(|(frame, point)| assembly.anchor(frame, point))
            }
        };
        let effect = |(name, component): &(String, Component)| {
            let (direction, carrier) = direction(mechanism, assembly, drive, *component, &on);
            let torque = matches!(component, Component::Torque(_) | Component::AboutAxis);
            (format!("{}.{name}", drive.name), Effect { on: on.clone(), torque, direction, carrier })
        };
        drive.components.iter().map(effect).collect::<Vec<_>>()
    };
    let sought = mechanism.winches.iter().zip(&assembly.winches);
    let sought = sought.filter(|(winch, _)| matches!(winch.drive, WinchDrive::Sought));
    let hauling = sought.map(|(part, winch)| (part.channel(), winch.hauling(part.radius)));
    mechanism.drives.iter().flat_map(of_drive).chain(hauling).collect()
}

/// The direction of a component, and the side whose frame carries it.
fn direction(
    mechanism: &Mechanism,
    assembly: &Assembly,
    drive: &Drive,
    component: Component,
    on: &[Anchor; 2],
) -> (Vector3<f64>, Option<usize>) {
    let unit = |axis: usize| Vector3::from_fn(|i, _| if i == axis { 1.0 } else { 0.0 });
    match (component, drive.place) {
        (Component::AlongAxis | Component::AboutAxis, DrivePlace::Joint(joint)) => {
            let axis = match component {
                Component::AlongAxis => mechanism.joints[joint].kind.sliding_axis(),
                _ => mechanism.joints[joint].kind.turning_axis(mechanism.dimension),
            };
            (assembly.in_frame(&on[0], axis.unwrap_or_else(Vector3::z)), Some(0))
        }
        (Component::AlongAxis | Component::AboutAxis, DrivePlace::Frame(_)) => (Vector3::z(), None),
        (Component::Force(axis) | Component::Torque(axis), _) if !drive.follows => (unit(axis), None),
        (Component::Force(axis) | Component::Torque(axis), DrivePlace::Frame(frame)) => {
            (own_axis(assembly, frame, &on[1], axis), Some(1))
        }
        (Component::Force(axis) | Component::Torque(axis), DrivePlace::Joint(_)) => {
            // Axes of space in the reference configuration, carried by the first frame that moves.
            let side = usize::from(on[0].node().is_none());
            (assembly.in_frame(&on[side], unit(axis)), Some(side))
        }
    }
}

/// An axis of a frame in the frame of its node. For sections of plane rods x is across the rod (d₁) and y along it (d₃), as for
/// loads.
fn own_axis(assembly: &Assembly, frame: Frame, anchor: &Anchor, axis: usize) -> Vector3<f64> {
    let unit = Vector3::from_fn(|i, _| if i == axis { 1.0 } else { 0.0 });
    let Anchor::Node(at) = anchor else { return unit };
    match assembly.layout.kind(at.node) {
        NodeKind::SpaceFrame => at.turn.rotate(unit),
        NodeKind::PlaneFrame => {
            let section = matches!(frame, Frame::Section { .. });
            let unit = if section { Vector3::new(unit[1], unit[0], unit[2]) } else { unit };
            let (sin, cos) = at.angle.sin_cos();
            Vector3::new(cos * unit[0] - sin * unit[1], sin * unit[0] + cos * unit[1], unit[2])
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => unit,
    }
}
