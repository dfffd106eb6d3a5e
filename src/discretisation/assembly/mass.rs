//! Everything that moves rigidly with a node, as one rigid body.

use nalgebra::{Matrix3, Vector3};

/// Mass, mass centre and inertia of a node in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeMass {
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre from the node, in its frame, metre.
    pub centre: Vector3<f64>,
    /// Rotary inertia about the mass centre, in its frame, kg m². In the plane only the entry (2, 2) counts.
    pub inertia: Matrix3<f64>,
}

impl NodeMass {
    /// Nothing.
    pub const NONE: Self = Self {
        mass: 0.0,
        centre: Vector3::new(0.0, 0.0, 0.0),
        inertia: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Adds a body by Steiner's theorem.
    pub fn add(&mut self, other: &Self) {
        let mass = self.mass + other.mass;
        let centre =
            if mass > 0.0 { (self.centre * self.mass + other.centre * other.mass) / mass } else { self.centre };
        let shifted = |part: &Self| {
            let d = part.centre - centre;
            part.inertia + (Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose()) * part.mass
        };
        let inertia = shifted(self) + shifted(other);
        *self = Self { mass, centre, inertia };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two point masses on a rod: reduced mass times squared distance.
    #[test]
    fn bodies_are_joined_by_steiner() {
        let point = |mass, x| NodeMass { mass, centre: Vector3::new(x, 0.0, 0.0), ..NodeMass::NONE };
        let mut pair = point(1.0, 0.0);
        pair.add(&point(3.0, 2.0));
        assert_eq!((pair.mass, pair.centre[0]), (4.0, 1.5));
        assert!((pair.inertia - Matrix3::from_diagonal(&Vector3::new(0.0, 3.0, 3.0))).norm() < 1e-15);
    }
}
