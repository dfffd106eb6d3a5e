//! A mechanism of rods, bodies, joints and supports as a linkage.

use nalgebra::{Matrix3, Vector3};

use super::{Link, Linkage, LinkageError};
use crate::mechanism::{Frame, Mechanism};

/// What elastic rods are to a linkage. Strings hold nothing in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rods {
    /// Rigid links: what can move without strain.
    Rigid,
    /// They let their sections move as they like: what the conditions of a solver are.
    Elastic,
}

impl Linkage {
    /// The linkage of a mechanism. Frames that are rigidly joined make one link. Point masses are points as long as all their
    /// joints are where they are and hold no direction. Supports that move count as they stand.
    pub fn of(mechanism: &Mechanism, rods: Rods) -> Result<Self, LinkageError> {
        let mut frames = Frames::new(mechanism, rods);
        for joint in mechanism.joints.iter().filter(|joint| !joint.is_moving()) {
            frames.join(joint.between);
        }
        let mut linkage = if mechanism.dimension == 2 { Self::plane() } else { Self::space() };
        let links = frames.links(&mut linkage);
        let link = |frame: Frame| links[frames.place(frame)];
        for joint in mechanism.joints.iter().filter(|joint| joint.is_moving()) {
            let sides = joint.sides().map(|(frame, point)| (link(frame), point));
            linkage.hold(joint.name.clone(), joint.kind, sides)?;
        }
        for support in &mechanism.supports {
            let at = mechanism.reference_pose(support.at).position;
            let held = [0, 1, 2].map(|axis| support.displacement[axis].is_some());
            linkage.support(&support.name, (link(support.at), at), held, support.rotation.is_some())?;
        }
        Ok(linkage)
    }
}

/// Frames that joints and supports refer to, and which of them are one.
struct Frames<'a> {
    mechanism: &'a Mechanism,
    rods: Rods,
    /// The ground, all bodies, and sections of rods, or rods where these are rigid.
    list: Vec<Frame>,
    parent: Vec<usize>,
}

impl<'a> Frames<'a> {
    fn new(mechanism: &'a Mechanism, rods: Rods) -> Self {
        let bodies = (0..mechanism.bodies.len()).map(Frame::Body);
        let mut frames = Self { mechanism, rods, list: Vec::new(), parent: Vec::new() };
        let joints = mechanism.joints.iter().flat_map(|joint| joint.between);
        let supports = mechanism.supports.iter().map(|support| support.at);
        let rigid = (0..mechanism.rods.len())
            .filter(|rod| frames.is_rigid(*rod))
            .map(|rod| Frame::Section { rod, boundary: 0 })
            .collect::<Vec<_>>();
        let all = std::iter::once(Frame::Ground).chain(bodies).chain(rigid).chain(joints);
        for frame in all.chain(supports).map(|frame| frames.root_of_rod(frame)).collect::<Vec<_>>() {
            if !frames.list.contains(&frame) {
                frames.list.push(frame);
            }
        }
        frames.parent = (0..frames.list.len()).collect();
        frames
    }

    fn is_rigid(&self, rod: usize) -> bool {
        let part = &self.mechanism.rods[rod];
        part.kind.is_rigid() || self.rods == Rods::Rigid && part.kind.turns()
    }

    /// The frame that stands for all of a rigid rod.
    fn root_of_rod(&self, frame: Frame) -> Frame {
        match frame {
            Frame::Section { rod, .. } if self.is_rigid(rod) => Frame::Section { rod, boundary: 0 },
            other => other,
        }
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn place(&self, frame: Frame) -> usize {
        let frame = self.root_of_rod(frame);
        // Every frame of a joint or support is in the list; the ground stands first.
        self.list.iter().position(|other| *other == frame).unwrap_or(0)
    }

    fn join(&mut self, between: [Frame; 2]) {
        let [a, b] = between.map(|frame| self.root(self.place(frame)));
        self.parent[a.max(b)] = a.min(b);
    }

    fn name(&self, frame: Frame) -> String {
        match frame {
            Frame::Section { rod, .. } if self.is_rigid(rod) => self.mechanism.rods[rod].name.clone(),
            other => self.mechanism.frame_name(other),
        }
    }

    /// Adds the links; returns that of each frame of the list.
    fn links(&self, linkage: &mut Linkage) -> Vec<Link> {
        let mut members: Vec<Vec<Frame>> = vec![Vec::new(); self.list.len()];
        self.list.iter().enumerate().for_each(|(at, frame)| members[self.root(at)].push(*frame));
        let mut links = vec![Link::GROUND; self.list.len()];
        for at in 0..self.list.len() {
            let root = self.root(at);
            if root == 0 {
                continue;
            }
            links[at] = match root == at {
                true => {
                    let names = members[at].iter().map(|frame| self.name(*frame)).collect();
                    linkage.add(names, self.point(&members[at]))
                }
                false => links[root],
            };
        }
        linkage.grounded = members[0].iter().skip(1).map(|frame| self.name(*frame)).collect();
        links
    }

    /// Where a link is, if it is a point.
    fn point(&self, members: &[Frame]) -> Option<Vector3<f64>> {
        let mechanism = self.mechanism;
        let at = mechanism.reference_pose(*members.first()?).position;
        let here = |place: Vector3<f64>| (place - at).norm() <= super::SAME * (1.0 + at.norm());
        let is_point = |frame: &Frame| match frame {
            Frame::Ground => false,
            Frame::Body(body) => mechanism.bodies[*body].inertia == Matrix3::zeros(),
            Frame::Section { rod, .. } => !mechanism.rods[*rod].kind.turns(),
        };
        let together = members.iter().all(|frame| is_point(frame) && here(mechanism.reference_pose(*frame).position));
        let member = |frame: &Frame| members.contains(&self.root_of_rod(*frame));
        let joints = mechanism.joints.iter().all(|joint| {
            let directed = joint.is_moving() && joint.kind.needs_orientation(mechanism.dimension);
            let mut own = joint.sides().into_iter().filter(|(frame, _)| member(frame));
            own.all(|(_, place)| here(place) && !directed)
        });
        let supports = mechanism.supports.iter().all(|support| !member(&support.at) || support.rotation.is_none());
        (together && joints && supports).then_some(at)
    }
}
