//! What holds or moves frames.

use super::frame::Frame;
use crate::kernel::Function;

/// Coordinates of a frame that are held or moved.
#[derive(Debug, Clone)]
pub struct SupportPart {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub at: Frame,
    /// Positions along x, y, z: `None` is free, otherwise the displacement from the reference position, metre.
    pub displacement: [Option<Function>; 3],
    /// `None` leaves all rotations free; otherwise the rotation vector in space by which the frame is turned from its
    /// reference orientation, radian.
    pub rotation: Option<[Function; 3]>,
}

impl SupportPart {
    /// Whether it moves the frame.
    pub fn moves(&self) -> bool {
        let shifts = self.displacement.iter().flatten();
        shifts.chain(self.rotation.iter().flatten()).any(|path| !path.is_constant())
    }
}
