//! The parts of rods whose elements may be made shorter by themselves.

/// A part of a rod with elements of equal length, between places where something acts or the mesh changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The rod's name.
    pub rod: String,
    /// Where it begins, as a fraction of the rod's length.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Its elements.
    pub elements: usize,
    /// Their order.
    pub order: usize,
}
