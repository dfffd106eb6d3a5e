//! The filter: pairs of violation θ and objective φ that later points must improve on in at least one of the two.

/// Share of θ by which a point must improve on an entry.
pub const VIOLATION_MARGIN: f64 = 1e-5;
/// Share of θ by which φ must improve on an entry.
pub const OBJECTIVE_MARGIN: f64 = 1e-8;

/// A set of pairs (θ, φ), margins already taken off.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    entries: Vec<(f64, f64)>,
    /// Points with a larger violation are never accepted; 0 before the first point is known.
    pub largest_violation: f64,
}

impl Filter {
    /// Forgets all entries but the limit of θ.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether a point improves on every entry.
    pub fn accepts(&self, violation: f64, objective: f64) -> bool {
        violation <= self.largest_violation
            && self.entries.iter().all(|&(v, o)| at_most(violation, v, v) || at_most(objective, o, o))
    }

    /// Forbids the neighbourhood of a point.
    pub fn add(&mut self, violation: f64, objective: f64) {
        let entry = ((1.0 - VIOLATION_MARGIN) * violation, objective - OBJECTIVE_MARGIN * violation);
        self.entries.retain(|old| old.0 < entry.0 || old.1 < entry.1);
        self.entries.push(entry);
    }
}

/// a ≤ b, as far as rounding of numbers of the size of `reference` allows to tell.
pub fn at_most(a: f64, b: f64, reference: f64) -> bool {
    a - b <= 10.0 * f64::EPSILON * reference.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_must_improve_on_every_entry() {
        let mut filter = Filter { largest_violation: 10.0, ..Filter::default() };
        assert!(filter.accepts(10.0, 1e9) && !filter.accepts(10.1, -1e9));
        filter.add(1.0, 5.0);
        filter.add(2.0, 3.0);
        assert!(filter.accepts(0.5, 100.0) && filter.accepts(5.0, 2.0) && filter.accepts(1.5, 4.0));
        assert!(!filter.accepts(1.0, 5.0) && !filter.accepts(2.0, 4.0) && !filter.accepts(1.5, 6.0));
        // An entry dominated by a new one is dropped.
        filter.add(0.5, 1.0);
        assert_eq!(filter.entries.len(), 1);
        filter.clear();
        assert!(filter.accepts(2.0, 4.0));
    }
}
