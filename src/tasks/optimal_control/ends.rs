//! What a problem states of the ends of a motion and of its bounds.

use crate::discretisation::transcription::formulas::velocity;
use crate::discretisation::transcription::{End, Given, PathConstraint};
use crate::tasks::velocity_name;

/// What is known of the motion before it is found.
#[derive(Clone)]
pub struct EndData {
    /// At the start.
    pub start: End,
    /// At the end.
    pub end: End,
    /// Coordinates that return, by number, and by how much they change.
    pub periodic: Vec<(usize, f64)>,
    /// Bounds of each coordinate.
    pub coordinate_bounds: Vec<(f64, f64)>,
    /// Bounds of each velocity.
    pub velocity_bounds: Vec<(f64, f64)>,
    /// Bounds of each control.
    pub control_bounds: Vec<(f64, f64)>,
    /// Bounds of quantities of a mechanism, at the middle of each step.
    pub quantity_bounds: Vec<PathConstraint>,
}

impl EndData {
    /// First and last value of each coordinate for a straight line: what is given, else the nearest thing to it.
    pub fn lines(&self) -> Vec<(f64, f64)> {
        let middle = |given: Given| match given.bounds() {
            (lower, upper) if lower.is_finite() && upper.is_finite() => Some(0.5 * (lower + upper)),
            (lower, _) if lower.is_finite() => Some(lower),
            (_, upper) if upper.is_finite() => Some(upper),
            _ => None,
        };
        let count = self.start.position.len();
        let line = |i: usize| {
            let change = self.periodic.iter().find(|(coordinate, _)| *coordinate == i).map_or(0.0, |(_, by)| *by);
            let (first, last) = (middle(self.start.position[i]), middle(self.end.position[i]));
            let first = first.or(last.map(|last| last - change)).or(middle(self.along(i))).unwrap_or(0.0);
            (first, last.unwrap_or(first + change))
        };
        (0..count).map(line).collect()
    }

    /// Bounds of velocities, as constraints along the way.
    pub fn speed_limits(&self, coordinates: &[String]) -> impl Iterator<Item = PathConstraint> {
        let bounds = coordinates.iter().zip(&self.velocity_bounds).enumerate();
        let bounded = bounds.filter(|(_, (_, (lower, upper)))| lower.is_finite() || upper.is_finite());
        bounded.map(|(i, (name, &(lower, upper)))| PathConstraint {
            name: velocity_name(name),
            formula: velocity(i),
            lower,
            upper,
        })
    }

    fn along(&self, i: usize) -> Given {
        let (lower, upper) = self.coordinate_bounds[i];
        Given::Between(lower, upper)
    }
}
