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
mod ends;
mod path;
mod route;
mod station;
#[cfg(test)]
mod tests;
mod traverse;

use nalgebra::Vector3;

pub use branch::Branch;
pub use ends::{DrivePoint, Guide, SectionPlace};
pub use path::{Couple, POSE_COORDINATES, PosePath};
pub use route::{Broken, Route};
pub use station::{Moving, Station};
pub use traverse::{Reached, Reactions, SpaceScheme, Stopped, Traversal, moving};

use super::assembly::Assembly;
use crate::geometry::{Pose, PoseJet, Quaternion};
use crate::mechanism::{BadFunction, Frame, Mechanism, RodLoads, RodPart, Side};

/// A rod on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// SectionPlace in [`Mechanism::rods`].
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

impl Leg {
    /// Arc length of the layer that is reached after `step` of them, with `substeps` for each element of its rod.
    pub fn layer(&self, rod: &RodPart, substeps: usize, step: usize) -> f64 {
        let (element, sub) = (step / substeps, step % substeps);
        let at = |element: usize| rod.boundary(self.boundary(element, rod.elements));
        if sub == 0 {
            return at(element);
        }
        at(element) + (at(element + 1) - at(element)) * sub as f64 / substeps as f64
    }
}

/// A row of rods with its path and everything on it.
#[derive(Debug, Clone)]
pub struct RodChain {
    /// Rods, bodies, rigid joints, springs and loads.
    pub mechanism: Mechanism,
    /// The rods in the order of the march.
    pub legs: Vec<Leg>,
    /// What is prescribed. Where the data are complete, the first is a path of the whole pose of the first section.
    pub guides: Vec<Guide>,
    /// What actuators apply. Where the data are complete, all move with the last section.
    pub drives: Vec<DrivePoint>,
    guide_places: Vec<SectionPlace>,
    drive_places: Vec<SectionPlace>,
    /// What moves with each section, by number; where two rods meet, with the one that is reached first.
    stations: Vec<Option<Station>>,
    /// What hangs on sections on the way.
    pub branches: Vec<Branch>,
    /// The mechanism without the mass and the line loads of the rods on the way.
    bare: Assembly,
}

impl RodChain {
    /// Along a route, guided and driven at frames on it.
    pub fn new(mechanism: Mechanism, route: Route, guides: Vec<Guide>, drives: Vec<DrivePoint>) -> Self {
        let Route { legs, bare, branches } = route;
        let stations = station::along(&mechanism, &legs, &bare);
        let (guide_places, drive_places) = (Vec::new(), Vec::new());
        let mut chain = Self { mechanism, legs, guides, drives, guide_places, drive_places, stations, branches, bare };
        chain.guide_places = chain.guides.iter().map(|guide| chain.place(guide.frame)).collect();
        chain.drive_places = chain.drives.iter().map(|drive| chain.place(drive.frame)).collect();
        chain
    }

    /// The section a frame moves with: the first or the last where several do.
    fn place(&self, frame: Frame) -> SectionPlace {
        let node = self.bare.frame(frame).map(|at| at.node);
        let on = |(leg, boundary): &(&Leg, usize)| {
            self.bare.frame(Frame::Section { rod: leg.rod, boundary: *boundary }).map(|at| at.node) == node
        };
        let ends = self.ends();
        let found = ends.into_iter().find(on).or_else(|| node.and_then(|node| self.section_of(node)));
        let (leg, boundary) = found.unwrap_or(ends[0]);
        SectionPlace { section: leg.first + boundary, lever: self.relative(leg, boundary, frame) }
    }

    /// Whether the whole motion of the first section is prescribed and the last one is driven in all components, so that
    /// everything follows from section to section.
    pub fn is_complete(&self) -> bool {
        let [first, last] = self.ends().map(|(leg, boundary)| leg.first + boundary);
        let count = self.components().len();
        self.guides.len() == 1
            && self.guides[0].holds.len() == count
            && !self.guides[0].is_support
            && self.guide_places[0].section == first
            && self.drives.len() == count
            && self.drive_places.iter().all(|place| place.section == last)
    }

    /// Whether it lies in the plane.
    pub fn is_plane(&self) -> bool {
        self.mechanism.dimension == 2
    }

    /// Whether its rods are strings, whose sections have places but no orientation.
    pub fn is_limp(&self) -> bool {
        self.legs.first().is_some_and(|leg| self.rod(leg).kind.is_limp())
    }

    /// The components of a pose that it has.
    pub fn components(&self) -> &'static [usize] {
        match (self.is_plane(), self.is_limp()) {
            (true, true) => &[0, 1],
            (false, true) => &[0, 1, 2],
            (true, false) => &[0, 1, 5],
            (false, false) => &[0, 1, 2, 3, 4, 5],
        }
    }

    /// The rod of a leg.
    pub fn rod(&self, leg: &Leg) -> &RodPart {
        &self.mechanism.rods[leg.rod]
    }

    /// Loads along the rod of a leg.
    pub fn loads_along(&self, leg: &Leg) -> RodLoads<'_> {
        self.mechanism.loads_along(leg.rod)
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

    /// All sections in the reference configuration.
    pub fn reference(&self) -> Vec<Pose> {
        let of = |leg: &Leg| {
            let (rod, limp) = (leg.rod, self.is_limp());
            let pose = move |boundary: usize| self.mechanism.reference_pose(Frame::Section { rod, boundary });
            let turned = move |pose: Pose| if limp { Pose { orientation: Quaternion::IDENTITY, ..pose } } else { pose };
            (0..=self.rod(leg).elements).map(move |boundary| turned(pose(boundary)))
        };
        self.legs.iter().flat_map(of).collect()
    }

    /// A frame relative to a section it moves with, in the reference configuration and always.
    pub fn relative(&self, leg: &Leg, boundary: usize, frame: Frame) -> Pose {
        let mut section = self.mechanism.reference_pose(Frame::Section { rod: leg.rod, boundary });
        let mut pose = self.mechanism.reference_pose(frame);
        if self.is_limp() {
            // Points of strings do not turn: their frame is that of space.
            (section.orientation, pose.orientation) = (Quaternion::IDENTITY, Quaternion::IDENTITY);
        }
        let orientation = section.orientation.conjugate() * pose.orientation;
        Pose { position: section.offset_of(pose.position), orientation }
    }

    /// The first section of a leg relative to the last one of the leg before.
    pub fn passage(&self, before: &Leg, next: &Leg) -> Pose {
        let (last, first) = (self.rod(before).elements, self.rod(next).elements);
        let boundary = next.boundary(0, first);
        self.relative(before, before.boundary(last, last), Frame::Section { rod: next.rod, boundary })
    }

    /// The first section at time t, where the first guide prescribes its whole pose.
    pub fn servo(&self, t: f64) -> Result<PoseJet, BadFunction> {
        let (frame, lever) = (self.guides[0].path.at(t)?, self.guide_places[0].lever);
        let orientation = (frame.pose.orientation * lever.orientation.conjugate()).normalised();
        let arm = -orientation.rotate(lever.position);
        Ok(PoseJet {
            pose: Pose { position: frame.pose.position + arm, orientation },
            velocity: frame.velocity_at(arm),
            acceleration: frame.acceleration_at(arm),
            ..frame
        })
    }

    /// The angle of a guided frame in the reference configuration, which angles of plane paths are measured from.
    pub fn guide_angle(&self, guide: usize) -> f64 {
        if self.is_plane() { self.mechanism.reference_angle(self.guides[guide].frame) } else { 0.0 }
    }

    /// Frames that are reported: ends of rods and bodies, with the section each moves with and where it is relative to it.
    pub fn frames(&self) -> Vec<(String, Frame, usize, Pose)> {
        // Rods of branches have their welded ends among the frames of the branch.
        let hanging = |rod: usize| self.branches.iter().any(|branch| branch.parts[0].contains(&rod));
        let rods = self.mechanism.rods.iter().enumerate().filter(|(rod, _)| !hanging(*rod));
        let ends = rods.flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
        let bodies = (0..self.mechanism.bodies.len()).map(Frame::Body);
        let placed = |frame: Frame| {
            let node = self.bare.frame(frame)?.node;
            let own = self.legs.iter().find_map(|leg| match frame {
                Frame::Section { rod, boundary } if rod == leg.rod => Some((leg, boundary)),
                _ => None,
            });
            // Frames of branches move on their own.
            let (leg, boundary) = own.or_else(|| self.section_of(node))?;
            let name = self.mechanism.frame_name(frame);
            Some((name, frame, leg.first + boundary, self.relative(leg, boundary, frame)))
        };
        ends.chain(bodies).filter_map(placed).collect()
    }

    /// Bodies on the way, each with the section it moves with.
    pub fn bodies(&self) -> Vec<(String, String)> {
        let of_body = |(name, frame, section, _): (String, Frame, usize, Pose)| {
            let (leg, boundary) = self.leg_of(section);
            let place = self.mechanism.frame_name(Frame::Section { rod: leg.rod, boundary });
            matches!(frame, Frame::Body(_)).then_some((name, place))
        };
        self.frames().into_iter().filter_map(of_body).collect()
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

    /// The leg of a section and its boundary of elements.
    pub fn leg_of(&self, section: usize) -> (&Leg, usize) {
        let after = self.legs.iter().rposition(|leg| leg.first <= section).unwrap_or(0);
        (&self.legs[after], section - self.legs[after].first)
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
        station.known(&self.bare, self.mechanism.gravity, t, moving)
    }

    /// Loads alone.
    pub fn loads(&self, station: &Station, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        station.loads(&self.bare, t, moving)
    }

    /// Loads and dampers on a station: what has no potential.
    pub fn without_potential(&self, station: &Station, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        station.without_potential(&self.bare, t, moving)
    }

    /// Forces and torques of line loads at both ends and the middle of every rod, as they are given, and the current if it drags.
    pub fn line_samples(&self, t: f64) -> Result<Vec<Vector3<f64>>, BadFunction> {
        let mut samples = Vec::new();
        for leg in &self.legs {
            let length = self.rod(leg).length;
            let loads = self.loads_along(leg);
            for s in [0.0, 0.5 * length, length] {
                samples.extend(loads.standing(s, t)?.into_iter().chain(loads.following(s, t)?));
            }
        }
        let fluid = &self.mechanism.fluid;
        if fluid.is_there() {
            let bad = |error| BadFunction { coordinate: 0, is_load: true, error };
            samples.push(fluid.current_at(t).map_err(bad)?);
        }
        Ok(samples)
    }
}
