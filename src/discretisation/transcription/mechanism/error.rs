//! Why a mechanism is not one.

use thiserror::Error;

use crate::discretisation::assembly::Assembly;
use crate::models::Machine;
use crate::models::machine::{CouplingKind, JointRef};
use crate::models::structure::{Frame, JointKind};
use crate::terms::NodeKind;

/// Why a mechanism is not one.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MechanismError {
    /// No part is free.
    #[error("nothing can move: every body and rod is fixed to the ground")]
    NothingMoves,
    /// A joint within one rigid body.
    #[error("joint `{0}` connects frames that are rigidly joined to each other already")]
    SameBody(String),
    /// A joint that needs an orientation.
    #[error("joint `{joint}` holds directions, but \"{frame}\" is a point without orientation")]
    NoOrientation {
        /// The joint.
        joint: String,
        /// The frame.
        frame: String,
    },
    /// A node that moves without mass.
    #[error("\"{frame}\" can {how}, but has no {what} there")]
    Massless {
        /// The frame.
        frame: String,
        /// `move` or `turn`.
        how: &'static str,
        /// `mass` or `inertia`.
        what: &'static str,
    },
    /// An equation that follows from others in the reference configuration only.
    #[error(
        "the mechanism is over-constrained: the condition \"{row}\" already follows from the other joints and supports"
    )]
    Redundant {
        /// The equation.
        row: String,
        /// Name of the joint or support.
        part: String,
    },
    /// As many equations as coordinates.
    #[error("the joints and supports leave nothing that can move")]
    Rigid,
    /// It cannot be evaluated.
    #[error("the joints cannot be evaluated: {0}")]
    Evaluation(String),
}

/// What moves must have mass, what turns inertia.
pub(super) fn check_masses(assembly: &Assembly, held: &[bool], names: &[String]) -> Result<(), MechanismError> {
    for (node, mass) in assembly.masses.iter().enumerate().filter(|(node, _)| !held[*node]) {
        let least = match assembly.layout.kind(node) {
            NodeKind::SpaceFrame => mass.about_node().symmetric_eigenvalues().min(),
            NodeKind::PlaneFrame => mass.about_node()[(2, 2)],
            NodeKind::PlanePoint | NodeKind::SpacePoint => f64::INFINITY,
        };
        let (how, what) = match (mass.mass > 0.0, least > 0.0) {
            (false, _) => ("move", "mass"),
            (true, false) => ("turn", "inertia"),
            (true, true) => continue,
        };
        return Err(MechanismError::Massless { frame: names[node].clone(), how, what });
    }
    Ok(())
}

/// Joints must connect what can move against each other, and those that hold a direction frames that have one.
pub(super) fn check_joints(machine: &Machine, assembly: &Assembly) -> Result<(), MechanismError> {
    let structure = &machine.structure;
    let moving = |joint: &JointRef| match joint {
        JointRef::Joint(index) => structure.joints[*index].kind != JointKind::Rigid,
        JointRef::Coupling(_) => true,
    };
    let holds_direction = |joint: &JointRef| match joint {
        JointRef::Joint(index) => {
            structure.dimension == 3 && matches!(structure.joints[*index].kind, JointKind::Revolute(_))
        }
        JointRef::Coupling(index) => structure.couplings[*index].kind != CouplingKind::Distance,
    };
    for joint in structure.all_joints().filter(moving) {
        let name = || structure.joint_name(joint).to_owned();
        let frames = structure.sides(joint).map(|(frame, _)| frame);
        let nodes = frames.map(|frame| assembly.frame(frame).map(|at| at.node));
        if frames[0] != Frame::Ground && nodes[0].is_some() && nodes[0] == nodes[1] {
            return Err(MechanismError::SameBody(name()));
        }
        for (frame, node) in frames.into_iter().zip(nodes) {
            if holds_direction(&joint) && node.is_some_and(|node| !assembly.layout.kind(node).turns()) {
                return Err(MechanismError::NoOrientation { joint: name(), frame: structure.frame_name(frame) });
            }
        }
    }
    Ok(())
}
