//! What is prescribed of a row of rods, and what drives it.

use nalgebra::{Vector3, Vector6};

use super::{PosePath, RodChain};
use crate::geometry::Pose;
use crate::mechanism::Frame;

/// What is prescribed of a frame: by a servo path, or by a support.
#[derive(Debug, Clone)]
pub struct Guide {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub frame: Frame,
    /// Its motion; components that are not prescribed stay as in the reference configuration.
    pub path: PosePath,
    /// The prescribed components: positions 0, 1, 2, rotations 3, 4, 5.
    pub holds: Vec<usize>,
    /// Whether a support holds it, whose forces are to be found as well.
    pub is_support: bool,
}

/// A component of force or torque that is to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrivePoint {
    /// The frame it acts on.
    pub frame: Frame,
    /// Force 0, 1, 2 or torque 3, 4, 5.
    pub component: usize,
    /// Whether it is one along the axes of the frame, which turn with it, instead of those of space.
    pub follows: bool,
}

/// A frame on a row of rods: the section it moves with and where it is relative to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionPlace {
    /// Number of the section.
    pub section: usize,
    /// The frame relative to the section.
    pub lever: Pose,
}

impl RodChain {
    /// Where the frames of guides are.
    pub fn guide_place(&self, guide: usize) -> SectionPlace {
        self.guide_places[guide]
    }

    /// Where a drive acts.
    pub fn drive_place(&self, drive: usize) -> SectionPlace {
        self.drive_places[drive]
    }

    /// The unit of a drive as force and torque about its section, when that is at a pose.
    pub fn unit(&self, drive: usize, section: &Pose) -> Vector6<f64> {
        let (point, place) = (&self.drives[drive], &self.drive_places[drive]);
        let axis = self.axis(point, &place.lever, section);
        match point.component < 3 {
            true => {
                let torque = section.orientation.rotate(place.lever.position).cross(&axis);
                Vector6::new(axis[0], axis[1], axis[2], torque[0], torque[1], torque[2])
            }
            false => Vector6::new(0.0, 0.0, 0.0, axis[0], axis[1], axis[2]),
        }
    }

    /// Direction of a drive in space.
    fn axis(&self, point: &DrivePoint, lever: &Pose, section: &Pose) -> Vector3<f64> {
        let component = point.component % 3;
        if !point.follows {
            return Vector3::ith(component, 1.0);
        }
        // On a section of a plane rod x is across the rod (d₁), y along it (d₃), and its normal is d₂, as for loads.
        let own = match (self.is_plane(), point.frame) {
            (true, Frame::Section { .. }) => [Vector3::x(), Vector3::z(), Vector3::y()][component],
            _ => Vector3::ith(component, 1.0),
        };
        section.orientation.rotate(lever.orientation.rotate(own))
    }
}
