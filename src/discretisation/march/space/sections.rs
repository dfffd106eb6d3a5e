//! Sections along a rod, each worked out once.

use std::sync::Arc;

use nalgebra::Vector6;

use super::section::{SpaceSection, Unfit, prestrain};
use crate::material::{RodLaw, Section};
use crate::mechanism::{RodKind, RodPart};

/// The last section that was worked out, and from what: most rods are uniform.
#[derive(Debug, Default)]
pub struct Sections {
    seen: Option<(Origin, Arc<SpaceSection>)>,
}

/// What a section follows from: kind and law of the rod, prestrain and stated section.
type Origin = (RodKind, RodLaw, Vector6<f64>, Section);

impl Sections {
    /// The section at s; where it is the same as the last one looked at, it need not be worked out again.
    pub fn at(&mut self, rod: &RodPart, s: f64, plane: bool) -> Result<Arc<SpaceSection>, Unfit> {
        let origin = (rod.kind, rod.law, prestrain(rod, s), (rod.section)(s));
        if let Some((before, known)) = &self.seen
            && *before == origin
        {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(SpaceSection::of(rod, &origin.3, &origin.2, plane)?);
        self.seen = Some((origin, Arc::clone(&made)));
        Ok(made)
    }
}
