//! The way along rods from the frame of a path to the frames of actuators.

use std::sync::Arc;

use nalgebra::Matrix3;

use super::Leg;
use super::branch::{Branch, Components, connections};
use crate::discretisation::assembly::{self, Assembly};
use crate::material::Section;
use crate::mechanism::{Frame, Mechanism, RodPart, Side};

/// A way along rods.
#[derive(Debug, Clone)]
pub struct Route {
    /// Rods in the order of the march.
    pub legs: Vec<Leg>,
    /// The mechanism without the mass and the line loads of rods that deform.
    pub bare: Assembly,
    /// What hangs on sections on the way.
    pub branches: Vec<Branch>,
}

/// Why there is no way along which everything is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Broken {
    /// A joint between two sections on the way, or between one of them and the ground: its forces are not known.
    Joint(String),
    /// A support holds coordinates on the way whose forces are not known.
    Support(String),
    /// A spring between two sections on the way.
    Spring(String),
    /// A part that hangs on several sections of the way.
    Loop(String),
    /// A part that is joined to nothing on the way.
    Loose(String),
    /// A frame of the path that is not an end of a rod nor moves with one.
    Path,
    /// A frame of an actuator, by its place among the drives, that is not where the way ends.
    Drive(usize),
    /// The actuators act where the path is prescribed.
    SamePlace,
    /// No rod that deforms.
    NoRod,
    /// A part that hangs on the rods where the data of no end are complete.
    Hanging(String),
    /// Frames that are not all on one row of rods: the first that is not.
    Apart(Frame),
    /// A string beside rods that bend: nothing is known of their orientation where they meet.
    Limp(String),
}

impl Route {
    /// From a frame to the frames of all drives.
    pub fn find(mechanism: &Mechanism, from: Frame, to: &[Frame]) -> Result<Self, Vec<Broken>> {
        let mut broken = Vec::new();
        let bare = bare(mechanism);
        let node = |frame: Frame| bare.frame(frame).map(|at| at.node);
        let ends = ends(mechanism, &bare);
        if ends.is_empty() {
            return Err(vec![Broken::NoRod]);
        }
        let goal = to.first().and_then(|frame| node(*frame));
        let mut legs = walk(&ends, node(from), goal);
        number(mechanism, &mut legs);
        let end =
            |rod: usize, side: Side| node(Frame::Section { rod, boundary: side.node(mechanism.rods[rod].elements) });
        let here = legs.last().map_or(node(from), |leg| end(leg.rod, leg.side.other()));
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
        let held = mechanism.supports.iter().filter(|support| on_way(mechanism, &bare, &legs, support.at));
        broken.extend(held.map(|support| Broken::Support(support.name.clone())));
        Self::along(mechanism, bare, legs, broken)
    }

    /// Along the row of rods that has all of these frames on it, whatever is known there.
    pub fn through(mechanism: &Mechanism, frames: &[Frame]) -> Result<Self, Vec<Broken>> {
        let bare = bare(mechanism);
        let ends = ends(mechanism, &bare);
        if ends.is_empty() {
            return Err(vec![Broken::NoRod]);
        }
        let mut longest: Vec<Leg> = Vec::new();
        for (_, from) in &ends {
            for (_, to) in &ends {
                for (from, to) in from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to))) {
                    let legs = walk(&ends, from, to);
                    let reached = |frame: &Frame| on_way(mechanism, &bare, &legs, *frame);
                    if legs.len() > longest.len() && frames.iter().all(reached) {
                        longest = legs;
                    }
                }
            }
        }
        if longest.is_empty() {
            let alone = walk(&ends, ends[0].1[0], ends[0].1[1]);
            let off = frames.iter().find(|frame| !on_way(mechanism, &bare, &alone, **frame));
            return Err(vec![off.map_or(Broken::NoRod, |frame| Broken::Apart(*frame))]);
        }
        number(mechanism, &mut longest);
        let route = Self::along(mechanism, bare, longest, Vec::new())?;
        let hanging: Vec<String> = route.branches.iter().flat_map(|branch| branch.names.clone()).collect();
        if hanging.is_empty() { Ok(route) } else { Err(hanging.into_iter().map(Broken::Hanging).collect()) }
    }

    /// What is wrong beside the way, or the route.
    fn along(
        mechanism: &Mechanism,
        bare: Assembly,
        legs: Vec<Leg>,
        mut broken: Vec<Broken>,
    ) -> Result<Self, Vec<Broken>> {
        let is_limp = |leg: &Leg| mechanism.rods[leg.rod].kind.is_limp();
        if legs.iter().any(|leg| !is_limp(leg)) {
            let strings = legs.iter().filter(|leg| is_limp(leg));
            broken.extend(strings.map(|leg| Broken::Limp(mechanism.rods[leg.rod].name.clone())));
        }
        let node = |frame: Frame| bare.frame(frame).map(|at| at.node);
        let way = nodes_of(mechanism, &bare, &legs);
        let on_way = |frame: Frame| node(frame).is_some_and(|node| way.contains(&node));
        let closed = |frames: [Frame; 2]| {
            let [a, b] = frames;
            frames.iter().all(|frame| *frame == Frame::Ground || on_way(*frame)) && node(a) != node(b)
        };
        let free = mechanism.joints.iter().map(|joint| (&joint.name, joint.between));
        broken.extend(free.filter(|(_, frames)| closed(*frames)).map(|(name, _)| Broken::Joint(name.clone())));
        for spring in &mechanism.springs {
            if let Some(frames) = spring.place.frames()
                && closed(frames)
                && !frames.contains(&Frame::Ground)
            {
                broken.push(Broken::Spring(spring.name.clone()));
            }
        }
        let (branches, wrong) = branches(mechanism, &bare, &legs, &way);
        broken.extend(wrong);
        if broken.is_empty() { Ok(Self { legs, bare, branches }) } else { Err(broken) }
    }
}

/// Nodes of all sections on the way.
fn nodes_of(mechanism: &Mechanism, bare: &Assembly, legs: &[Leg]) -> Vec<usize> {
    let sections = |leg: &Leg| {
        let (rod, elements) = (leg.rod, mechanism.rods[leg.rod].elements);
        (0..=elements).filter_map(move |boundary| bare.frame(Frame::Section { rod, boundary }).map(|at| at.node))
    };
    legs.iter().flat_map(sections).collect()
}

fn on_way(mechanism: &Mechanism, bare: &Assembly, legs: &[Leg], frame: Frame) -> bool {
    bare.frame(frame).is_some_and(|at| nodes_of(mechanism, bare, legs).contains(&at.node))
}

/// The nodes at both ends of every rod that deforms.
fn ends(mechanism: &Mechanism, bare: &Assembly) -> Vec<(usize, [Option<usize>; 2])> {
    let deforming = mechanism.rods.iter().enumerate().filter(|(_, rod)| !rod.kind.is_rigid());
    let of = |(rod, part): (usize, &RodPart)| {
        let end = |side: Side| Frame::Section { rod, boundary: side.node(part.elements) };
        (rod, Side::BOTH.map(|side| bare.frame(end(side)).map(|at| at.node)))
    };
    deforming.map(of).collect()
}

/// Numbers the sections of legs.
fn number(mechanism: &Mechanism, legs: &mut [Leg]) {
    let mut first = 0;
    for leg in legs {
        leg.first = first;
        first += mechanism.rods[leg.rod].elements + 1;
    }
}

/// The rods from one node to another, from end to end: the shortest row of them. Where none leads there, the first one.
fn walk(ends: &[(usize, [Option<usize>; 2])], from: Option<usize>, goal: Option<usize>) -> Vec<Leg> {
    let Some(from) = from else { return Vec::new() };
    // Nodes that were reached, with the place of the one before and the rod in between.
    let mut reached: Vec<(usize, Option<(usize, Leg)>)> = vec![(from, None)];
    let mut next = 0;
    let mut arrived = None;
    while let (Some((here, _)), None) = (reached.get(next).copied(), arrived) {
        for (rod, nodes) in ends {
            for side in Side::BOTH.into_iter().filter(|side| nodes[side.index()] == Some(here)) {
                let Some(there) = nodes[side.other().index()] else { continue };
                if reached.iter().all(|(node, _)| *node != there) {
                    reached.push((there, Some((next, Leg { rod: *rod, side, first: 0 }))));
                    if Some(there) == goal {
                        arrived = Some(reached.len() - 1);
                    }
                }
            }
        }
        next += 1;
    }
    let mut row = Vec::new();
    let mut place = arrived.unwrap_or_else(|| 1.min(reached.len() - 1));
    while let Some((before, leg)) = reached[place].1 {
        row.push(leg);
        place = before;
    }
    row.reverse();
    row
}

/// Everything off the way, each part with the section it hangs on; and parts that hang on none or on several.
fn branches(mechanism: &Mechanism, bare: &Assembly, legs: &[Leg], way: &[usize]) -> (Vec<Branch>, Vec<Broken>) {
    let components = Components::new(mechanism, bare, way, legs);
    let pairs = connections(mechanism, bare, legs);
    let bodies = mechanism.bodies.iter().enumerate().map(|(index, body)| (body.name.clone(), Frame::Body(index)));
    let ends = mechanism.rods.iter().enumerate().flat_map(|(rod, part)| {
        [0, part.elements].map(|boundary| (part.name.clone(), Frame::Section { rod, boundary }))
    });
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    let mut seen: Vec<usize> = Vec::new();
    for (name, frame) in bodies.chain(ends) {
        let Some(node) = bare.frame(frame).map(|at| at.node).filter(|node| !way.contains(node)) else { continue };
        let component = components.of(node);
        if seen.contains(&component) {
            continue;
        }
        seen.push(component);
        let touching =
            pairs.iter().filter_map(|[a, b]| match (components.has(component, *a), components.has(component, *b)) {
                (true, false) => Some(*b),
                (false, true) => Some(*a),
                _ => None,
            });
        let mut roots: Vec<usize> = touching.collect();
        roots.sort_unstable();
        roots.dedup();
        match roots.as_slice() {
            [] => broken.push(Broken::Loose(name)),
            [root] => {
                let place = legs.iter().find_map(|leg| {
                    let at = |boundary: &usize| {
                        let section = Frame::Section { rod: leg.rod, boundary: *boundary };
                        bare.frame(section).is_some_and(|at| at.node == *root)
                    };
                    (0..=mechanism.rods[leg.rod].elements).find(at).map(|boundary| (leg, boundary))
                });
                let belongs = |node: usize| components.has(component, node);
                found.extend(place.map(|place| Branch::new(mechanism, bare, legs, &belongs, place)));
            }
            _ => broken.push(Broken::Loop(name)),
        }
    }
    (found, broken)
}

/// The mechanism without the mass, the line loads and the drag of rods that deform: what is left moves with single sections.
fn bare(mechanism: &Mechanism) -> Assembly {
    let mut bare = mechanism.clone();
    for rod in bare.rods.iter_mut().filter(|rod| !rod.kind.is_rigid()) {
        let section = Arc::clone(&rod.section);
        rod.section = Arc::new(move |s| Section { mass: 0.0, inertia: Matrix3::zeros(), ..section(s) });
        rod.order = 1;
    }
    let rods = &mechanism.rods;
    bare.line_loads.retain(|load| rods[load.rod].kind.is_rigid());
    bare.fluid.rods.retain(|drag| rods[drag.rod].kind.is_rigid());
    assembly::build(&bare)
}
