//! The mechanism while its file is read.

use nalgebra::Vector3;

use crate::mechanism::{BodyPart, Frame, RodKind, RodPart};

/// What is known of the mechanism while the file is read; parts that are mistaken are there without their data, so that
/// what refers to them is understood.
pub struct Scene<'a> {
    pub rods: Vec<RodOutline<'a>>,
    pub bodies: Vec<BodyOutline<'a>>,
    /// Frames inside rods that are mentioned, with the names used.
    pub mentioned: Vec<(String, Frame)>,
}

/// A rod.
pub struct RodOutline<'a> {
    pub name: &'a str,
    pub kind: Option<RodKind>,
    pub part: Option<RodPart>,
}

/// A body.
pub struct BodyOutline<'a> {
    pub name: &'a str,
    pub part: Option<BodyPart>,
    pub place: PositionSource,
}

/// Where the position of a body comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionSource {
    /// From the file, or already from a rod.
    Known,
    /// From a rod it is rigidly joined to.
    FromJoint,
    /// From something that is mistaken.
    Unknown,
}

impl Scene<'_> {
    pub fn rod(&self, name: &str) -> Option<usize> {
        self.rods.iter().position(|rod| rod.name == name)
    }

    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// Remembers a frame inside a rod, under the first name used for it.
    pub fn mention(&mut self, name: &str, frame: Frame) {
        if !self.mentioned.iter().any(|(_, other)| *other == frame) {
            self.mentioned.push((name.to_owned(), frame));
        }
    }

    /// Whether a frame has an orientation, if that is known.
    pub fn turns(&self, frame: Frame) -> Option<bool> {
        match frame {
            Frame::Ground | Frame::Body(_) => Some(true),
            Frame::Section { rod, .. } => self.rods.get(rod)?.kind.map(RodKind::turns),
        }
    }

    /// Where a frame is in the reference configuration, if that is known.
    pub fn position(&self, frame: Frame) -> Option<Vector3<f64>> {
        match frame {
            Frame::Ground => None,
            Frame::Body(body) => {
                let body = self.bodies.get(body)?;
                body.part.as_ref().filter(|_| body.place == PositionSource::Known).map(|part| part.pose.position)
            }
            Frame::Section { rod, boundary } => {
                let part = self.rods.get(rod)?.part.as_ref()?;
                Some((part.reference)(part.boundary(boundary)).position)
            }
        }
    }

    /// Puts a body that has no position of its own where the rod is that it is rigidly joined to.
    pub fn place(&mut self, body: Frame, rod: Frame) {
        let (Frame::Body(index), Frame::Section { .. }) = (body, rod) else { return };
        let position = self.position(rod);
        let Some(body) = self.bodies.get_mut(index).filter(|body| body.place == PositionSource::FromJoint) else {
            return;
        };
        match (position, &mut body.part) {
            (Some(position), Some(part)) => {
                part.pose.position = position;
                body.place = PositionSource::Known;
            }
            _ => {
                body.part = None;
                body.place = PositionSource::Unknown;
            }
        }
    }

    /// Largest length in the mechanism, metre: what distances are compared with.
    pub fn size(&self) -> f64 {
        let lengths = self.rods.iter().filter_map(|rod| rod.part.as_ref()).map(|part| part.length);
        let known =
            self.bodies.iter().filter(|body| body.place == PositionSource::Known).filter_map(|body| body.part.as_ref());
        let distances = known.map(|part| part.pose.position.norm());
        lengths.chain(distances).fold(0.0, f64::max)
    }

    /// The angle of a frame in the plane, in the reference configuration.
    pub fn angle(&self, frame: Frame) -> Option<f64> {
        match frame {
            Frame::Ground => None,
            Frame::Body(body) => {
                let along = self.bodies.get(body)?.part.as_ref()?.pose.orientation.rotate(Vector3::x());
                Some(along[1].atan2(along[0]))
            }
            Frame::Section { rod, boundary } => Some(self.rods.get(rod)?.part.as_ref()?.angle(boundary)),
        }
    }
}
