//! The way along rods from the frame of a path to the frames of actuators.

use std::sync::Arc;

use nalgebra::Matrix3;

use super::Leg;
use crate::discretisation::assembly::{self, Assembly};
use crate::material::Section;
use crate::models::Side;
use crate::models::spring::SpringPlace;
use crate::models::structure::{Frame, JointKind, RodKind, Structure};

/// A way along rods.
#[derive(Debug, Clone)]
pub struct Route {
    /// Rods in the order of the march.
    pub legs: Vec<Leg>,
    /// The mechanism without the mass and the line loads of these rods.
    pub bare: Assembly,
}

/// Why there is no way along which everything is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Broken {
    /// A joint lets two frames move against each other: the forces in it do not follow from the motion of one of them.
    Joint(String),
    /// A support holds coordinates whose forces are not known.
    Support(String),
    /// A spring between two places of the rods, or on a joint.
    Spring(String),
    /// A rod that is not on the way.
    Branch(String),
    /// A body that does not move with any section on the way.
    Loose(String),
    /// A frame of the path that is not an end of a rod nor moves with one.
    Path,
    /// A frame of an actuator, by its place among the drives, that is not where the way ends.
    Drive(usize),
    /// The actuators act where the path is prescribed.
    SamePlace,
    /// No rod that deforms.
    NoRod,
}

impl Route {
    /// From a frame to the frames of all drives.
    pub fn find(structure: &Structure, from: Frame, to: &[Frame]) -> Result<Self, Vec<Broken>> {
        let mut broken = Vec::new();
        let free = structure.joints.iter().filter(|joint| joint.kind != JointKind::Rigid);
        broken.extend(free.map(|joint| Broken::Joint(joint.name.clone())));
        broken.extend(structure.couplings.iter().map(|joint| Broken::Joint(joint.name.clone())));
        broken.extend(structure.supports.iter().map(|support| Broken::Support(support.name.clone())));
        let on_joints = structure.springs.iter().filter(|spring| matches!(spring.place, SpringPlace::Joint(_)));
        broken.extend(on_joints.map(|spring| Broken::Spring(spring.name.clone())));
        if !broken.is_empty() {
            return Err(broken);
        }
        let bare = bare(structure);
        let node = |frame: Frame| bare.frame(frame).map(|at| at.node);
        let deforms = |rod: usize| structure.rods[rod].kind != RodKind::Rigid;
        let end =
            |rod: usize, side: Side| node(Frame::Section { rod, boundary: side.node(structure.rods[rod].elements) });
        let flexible: Vec<usize> = (0..structure.rods.len()).filter(|rod| deforms(*rod)).collect();
        if flexible.is_empty() {
            return Err(vec![Broken::NoRod]);
        }
        // Walk from end to end; where rods fork, those not taken are branches.
        let (mut here, mut legs, mut first) = (node(from), Vec::<Leg>::new(), 0);
        let goal = to.first().and_then(|frame| node(*frame));
        while legs.is_empty() || here != goal {
            let ahead = flexible.iter().copied().filter(|rod| !legs.iter().any(|leg| leg.rod == *rod));
            let next =
                ahead.flat_map(|rod| Side::BOTH.map(|side| (rod, side))).find(|(rod, side)| end(*rod, *side) == here);
            let Some((rod, side)) = next else { break };
            legs.push(Leg { rod, side, first });
            first += structure.rods[rod].elements + 1;
            here = end(rod, side.other());
        }
        if legs.is_empty() {
            return Err(vec![Broken::Path]);
        }
        // One of several components of an actuator at the wrong place says it all.
        let stray = to.iter().enumerate().filter(|(_, frame)| node(**frame) != here);
        let mut places: Vec<(usize, Frame)> = stray.map(|(place, frame)| (place, *frame)).collect();
        places.dedup_by_key(|(_, frame)| *frame);
        for (place, frame) in places {
            broken.push(if node(frame) == node(from) { Broken::SamePlace } else { Broken::Drive(place) });
        }
        let branches = flexible.iter().filter(|rod| !legs.iter().any(|leg| leg.rod == **rod));
        broken.extend(branches.map(|rod| Broken::Branch(structure.rods[*rod].name.clone())));
        let sections = |leg: &Leg| {
            let (rod, elements) = (leg.rod, structure.rods[leg.rod].elements);
            (0..=elements).filter_map(move |boundary| node(Frame::Section { rod, boundary }))
        };
        let on_the_way: Vec<usize> = legs.iter().flat_map(sections).collect();
        let bodies = bare.bodies.iter().zip(&structure.bodies).filter(|(at, _)| !on_the_way.contains(&at.node));
        broken.extend(bodies.map(|(_, body)| Broken::Loose(body.name.clone())));
        let rigid = (0..structure.rods.len()).filter(|rod| !deforms(*rod));
        let rigid = rigid.filter(|rod| end(*rod, Side::Start).is_none_or(|node| !on_the_way.contains(&node)));
        broken.extend(rigid.map(|rod| Broken::Loose(structure.rods[rod].name.clone())));
        for spring in &structure.springs {
            let SpringPlace::Between(frames, _) = spring.place else { continue };
            let [a, b] = frames.map(node);
            if a.is_some() && b.is_some() && a != b {
                broken.push(Broken::Spring(spring.name.clone()));
            }
        }
        if broken.is_empty() { Ok(Self { legs, bare }) } else { Err(broken) }
    }
}

/// The mechanism without the mass and the line loads of rods that deform: what is left moves with single sections.
fn bare(structure: &Structure) -> Assembly {
    let mut bare = structure.clone();
    for rod in bare.rods.iter_mut().filter(|rod| rod.kind != RodKind::Rigid) {
        let section = Arc::clone(&rod.section);
        rod.section = Arc::new(move |s| Section { mass: 0.0, inertia: Matrix3::zeros(), ..section(s) });
        rod.order = 1;
    }
    let rods = &structure.rods;
    bare.line_loads.retain(|load| rods[load.rod].kind == RodKind::Rigid);
    assembly::build(&bare)
}
