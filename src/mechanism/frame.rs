//! Places of a mechanism to which joints, springs, supports and loads refer.

/// A frame of the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The fixed frame.
    Ground,
    /// A body, by its place in [`super::Mechanism::bodies`].
    Body(usize),
    /// A cross-section between elements of a rod.
    Section {
        /// Place in [`super::Mechanism::rods`].
        rod: usize,
        /// Boundary of elements, from 0 (s = 0) to the number of elements (s = L).
        boundary: usize,
    },
}
