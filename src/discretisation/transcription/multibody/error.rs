//! Why a mechanism is not one.

use thiserror::Error;

use crate::discretisation::assembly::Assembly;
use crate::mechanism::{Frame, Mechanism};
use crate::terms::NodeKind;

/// Why a mechanism is not one.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MultibodyError {
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
pub(super) fn check_masses(assembly: &Assembly, held: &[bool], names: &[String]) -> Result<(), MultibodyError> {
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
        return Err(MultibodyError::Massless { frame: names[node].clone(), how, what });
    }
    Ok(())
}

/// Joints must connect what can move against each other, and those that hold a direction frames that have one.
pub(super) fn check_joints(mechanism: &Mechanism, assembly: &Assembly) -> Result<(), MultibodyError> {
    for joint in mechanism.joints.iter().filter(|joint| joint.is_moving()) {
        let name = || joint.name.clone();
        let frames = joint.between;
        let nodes = frames.map(|frame| assembly.frame(frame).map(|at| at.node));
        if frames[0] != Frame::Ground && nodes[0].is_some() && nodes[0] == nodes[1] {
            return Err(MultibodyError::SameBody(name()));
        }
        for (frame, node) in frames.into_iter().zip(nodes) {
            if joint.kind.needs_orientation(mechanism.dimension)
                && node.is_some_and(|node| !assembly.layout.kind(node).turns())
            {
                return Err(MultibodyError::NoOrientation { joint: name(), frame: mechanism.frame_name(frame) });
            }
        }
    }
    Ok(())
}
