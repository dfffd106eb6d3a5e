//! Where the unknowns and equations of a macro step stand.

use super::programs::{Grids, Places};

/// Numbers of unknowns of each kind. Unknown and equation i belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub fast_count: usize,
    pub fast_rows: usize,
    pub slow_count: usize,
    pub slow_rows: usize,
    micro: usize,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Fast coordinate of a micro step.
    Fast { micro: usize, place: usize },
    /// Constraint with fast coordinates, of a micro step.
    FastConstraint { micro: usize, place: usize },
    /// Slow coordinate.
    Slow { place: usize },
    /// Constraint of slow coordinates.
    SlowConstraint { place: usize },
}

impl Layout {
    pub fn new(places: &Places, grids: &Grids, micro: usize) -> Self {
        Self {
            fast_count: places.fast.len(),
            fast_rows: grids.fast.len(),
            slow_count: places.slow.len(),
            slow_rows: grids.slow.len(),
            micro,
        }
    }

    pub fn size(self) -> usize {
        self.slow() + self.slow_count + self.slow_rows
    }

    /// Fast coordinates at the end of a micro step, their equations at its beginning.
    pub fn fast(self, micro: usize) -> usize {
        micro * (self.fast_count + self.fast_rows)
    }

    /// Impulses at the beginning of a micro step, constraints at its end.
    pub fn impulses(self, micro: usize) -> usize {
        self.fast(micro) + self.fast_count
    }

    /// Slow coordinates; impulses and constraints follow.
    pub fn slow(self) -> usize {
        self.fast(self.micro)
    }

    pub fn find(self, place: usize) -> Entry {
        if let Some(place) = place.checked_sub(self.slow()) {
            return match place.checked_sub(self.slow_count) {
                Some(place) => Entry::SlowConstraint { place },
                None => Entry::Slow { place },
            };
        }
        let width = self.fast_count + self.fast_rows;
        let (micro, place) = (place / width, place % width);
        match place.checked_sub(self.fast_count) {
            Some(place) => Entry::FastConstraint { micro, place },
            None => Entry::Fast { micro, place },
        }
    }
}
