//! Rods in a row, from a section whose pose is prescribed to a section that is driven.
//!
//! The march goes from rod to rod. What moves rigidly with a section on the way is a [`Station`]: bodies, rigid rods, loads and
//! springs to the ground add a jump to the internal force and moment. With the sense d = ±1 of the march along s,
//!
//! n ← n + d (inertia − known forces), m ← m + d (…), about the section,
//!
//! and d (n, m) beyond the last station is what the actuators apply. Force and moment pass from one rod to the next about its
//! first section.

mod branch;
mod path;
mod route;
mod station;
#[cfg(test)]
mod tests;
mod traverse;

use nalgebra::Vector3;

pub use branch::Branch;
pub use path::{Couple, POSE_COORDINATES, PosePath};
pub use route::{Broken, Route};
pub use station::{Moving, Station};
pub use traverse::{Reached, Reactions, SpaceScheme, Stopped, Traversal, moving};

use super::assembly::Assembly;
use crate::geometry::{Pose, PoseJet};
use crate::models::structure::{Frame, LineLoad, RodPart, Structure};
use crate::models::{BadFunction, Side};

/// A rod on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// Place in [`Structure::rods`].
    pub rod: usize,
    /// The end that is reached first.
    pub side: Side,
    /// Number of its section at s = 0 among the sections of the chain.
    pub first: usize,
}

impl Leg {
    /// +1 if the march goes towards larger s, else −1.
    pub fn sense(&self) -> f64 {
        -self.side.sign()
    }

    /// The boundary of elements that is reached after `step` of them.
    pub fn boundary(&self, step: usize, elements: usize) -> usize {
        if self.side == Side::End { elements - step } else { step }
    }
}

/// A row of rods with its path and everything on it.
#[derive(Debug, Clone)]
pub struct RodChain {
    /// Rods, bodies, rigid joints, springs and loads.
    pub structure: Structure,
    /// The rods in the order of the march.
    pub legs: Vec<Leg>,
    /// The prescribed motion.
    pub path: PosePath,
    /// The frames that actuators act on, all moving with the last section, one per component of force and torque, and
    /// whether the component is one along the axes of the frame.
    pub drives: Vec<(Frame, bool)>,
    /// The frame of the path relative to the first section.
    lever: Pose,
    angle: f64,
    /// What moves with each section, by number; where two rods meet, with the one that is reached first.
    stations: Vec<Option<Station>>,
    /// What hangs on sections on the way.
    pub branches: Vec<Branch>,
    /// The mechanism without the mass and the line loads of the rods on the way.
    bare: Assembly,
}

impl RodChain {
    /// Along a route from the frame of the path to those of the drives.
    pub fn new(structure: Structure, route: Route, path: PosePath, frame: Frame, drives: Vec<(Frame, bool)>) -> Self {
        let Route { legs, bare, branches } = route;
        let stations = station::along(&structure, &legs, &bare);
        let angle = if structure.dimension == 2 { structure.reference_angle(frame) } else { 0.0 };
        let mut chain = Self { structure, legs, path, drives, lever: Pose::IDENTITY, angle, stations, branches, bare };
        let (leg, boundary) = chain.ends()[0];
        chain.lever = chain.relative(leg, boundary, frame);
        chain
    }

    /// Whether it lies in the plane.
    pub fn is_plane(&self) -> bool {
        self.structure.dimension == 2
    }

    /// The components of a pose that it has.
    pub fn components(&self) -> &'static [usize] {
        if self.is_plane() { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
    }

    /// The rod of a leg.
    pub fn rod(&self, leg: &Leg) -> &RodPart {
        &self.structure.rods[leg.rod]
    }

    /// Loads along the rod of a leg.
    pub fn line_loads(&self, leg: &Leg) -> Vec<&LineLoad> {
        self.structure.line_loads.iter().filter(|load| load.rod == leg.rod).collect()
    }

    /// Sections in all.
    pub fn sections(&self) -> usize {
        self.legs.iter().map(|leg| self.rod(leg).elements + 1).sum()
    }

    /// Elements in all.
    pub fn elements(&self) -> usize {
        self.sections() - self.legs.len()
    }

    /// Length of all rods, metre.
    pub fn length(&self) -> f64 {
        self.legs.iter().map(|leg| self.rod(leg).length).sum()
    }

    /// Names of the rods in the user's words.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.legs.iter().map(|leg| self.rod(leg).name.as_str()).collect();
        names.join(", ")
    }

    /// The first and the last section: leg and boundary of elements.
    pub fn ends(&self) -> [(&Leg, usize); 2] {
        let (first, last) = (&self.legs[0], &self.legs[self.legs.len() - 1]);
        let elements = |leg: &Leg| self.rod(leg).elements;
        [(first, first.boundary(0, elements(first))), (last, last.boundary(elements(last), elements(last)))]
    }

    /// A frame relative to a section it moves with, in the reference configuration and always.
    pub fn relative(&self, leg: &Leg, boundary: usize, frame: Frame) -> Pose {
        let section = self.structure.reference_pose(Frame::Section { rod: leg.rod, boundary });
        let pose = self.structure.reference_pose(frame);
        let orientation = section.orientation.conjugate() * pose.orientation;
        Pose { position: section.offset_of(pose.position), orientation }
    }

    /// The first section of a leg relative to the last one of the leg before.
    pub fn passage(&self, before: &Leg, next: &Leg) -> Pose {
        let (last, first) = (self.rod(before).elements, self.rod(next).elements);
        let boundary = next.boundary(0, first);
        self.relative(before, before.boundary(last, last), Frame::Section { rod: next.rod, boundary })
    }

    /// The frame of the path relative to the first section.
    pub fn path_frame(&self) -> Pose {
        self.lever
    }

    /// The first section at time t.
    pub fn servo(&self, t: f64) -> Result<PoseJet, BadFunction> {
        let frame = self.path.at(t)?;
        let orientation = (frame.pose.orientation * self.lever.orientation.conjugate()).normalised();
        let arm = -orientation.rotate(self.lever.position);
        Ok(PoseJet {
            pose: Pose { position: frame.pose.position + arm, orientation },
            velocity: frame.velocity_at(arm),
            acceleration: frame.acceleration_at(arm),
            ..frame
        })
    }

    /// The angle of the frame of the path in the reference configuration, which angles of plane paths are measured from.
    pub fn path_angle(&self) -> f64 {
        self.angle
    }

    /// Frames that are reported: ends of rods and bodies, with the section each moves with and where it is relative to it.
    pub fn frames(&self) -> Vec<(String, Frame, usize, Pose)> {
        // Rods of branches have their welded ends among the frames of the branch.
        let hanging = |rod: usize| self.branches.iter().any(|branch| branch.parts[0].contains(&rod));
        let rods = self.structure.rods.iter().enumerate().filter(|(rod, _)| !hanging(*rod));
        let ends = rods.flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
        let bodies = (0..self.structure.bodies.len()).map(Frame::Body);
        let placed = |frame: Frame| {
            let node = self.bare.frame(frame)?.node;
            let own = self.legs.iter().find_map(|leg| match frame {
                Frame::Section { rod, boundary } if rod == leg.rod => Some((leg, boundary)),
                _ => None,
            });
            // Frames of branches move on their own.
            let (leg, boundary) = own.or_else(|| self.section_of(node))?;
            let name = self.structure.frame_name(frame);
            Some((name, frame, leg.first + boundary, self.relative(leg, boundary, frame)))
        };
        ends.chain(bodies).filter_map(placed).collect()
    }

    /// A section on a node.
    fn section_of(&self, node: usize) -> Option<(&Leg, usize)> {
        self.legs.iter().find_map(|leg| {
            let on = |boundary: &usize| {
                let frame = Frame::Section { rod: leg.rod, boundary: *boundary };
                self.bare.frame(frame).is_some_and(|at| at.node == node)
            };
            (0..=self.rod(leg).elements).find(on).map(|boundary| (leg, boundary))
        })
    }

    /// What moves with a section.
    pub fn station(&self, section: usize) -> Option<&Station> {
        self.stations[section].as_ref()
    }

    /// All stations with the leg and the boundary they are on.
    pub fn stations(&self) -> impl Iterator<Item = (&Leg, usize, &Station)> {
        let of = |leg: &Leg, section: usize| (leg.first..=leg.first + self.rod(leg).elements).contains(&section);
        self.stations.iter().enumerate().filter_map(move |(section, station)| {
            let leg = self.legs.iter().find(|leg| of(leg, section))?;
            Some((leg, section - leg.first, station.as_ref()?))
        })
    }

    /// Loads, weights and springs on a station, about its section.
    pub fn known(&self, station: &Station, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        station.known(&self.bare, self.structure.gravity, t, moving)
    }

    /// Loads alone.
    pub fn loads(&self, station: &Station, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        station.loads(&self.bare, t, moving)
    }

    /// Loads and dampers on a station: what has no potential.
    pub fn without_potential(&self, station: &Station, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        station.without_potential(&self.bare, t, moving)
    }

    /// Forces and torques of line loads at both ends and the middle of every rod, as they are given.
    pub fn line_samples(&self, t: f64) -> Result<Vec<Vector3<f64>>, BadFunction> {
        let mut samples = Vec::new();
        for leg in &self.legs {
            let length = self.rod(leg).length;
            for load in self.line_loads(leg) {
                for s in [0.0, 0.5 * length, length] {
                    let (force, torque) = load.at(s, t)?;
                    samples.extend([force, torque]);
                }
            }
        }
        Ok(samples)
    }
}
