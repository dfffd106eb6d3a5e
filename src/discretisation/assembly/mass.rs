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
        *self = Self { mass, centre, inertia: self.inertia_about(centre) + other.inertia_about(centre) };
    }

    /// Shares of one body together. Single shares may be negative, as weights of shape functions are; their sum is not.
    pub fn together(shares: &[Self]) -> Self {
        let mass: f64 = shares.iter().map(|share| share.mass).sum();
        let first: Vector3<f64> = shares.iter().map(|share| share.centre * share.mass).sum();
        let centre = if mass > 0.0 { first / mass } else { Vector3::zeros() };
        Self { mass, centre, inertia: shares.iter().map(|share| share.inertia_about(centre)).sum() }
    }

    fn inertia_about(&self, point: Vector3<f64>) -> Matrix3<f64> {
        let d = self.centre - point;
        self.inertia + (Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose()) * self.mass
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

    /// Shares of Gauss points at the first node of a quadratic element, one of them negative: N = (1 − x)(1 − 2x)
    /// at x = ½ ± √15/10 and ½. However they are summed, the centre is where all of them have it.
    #[test]
    fn negative_shares_keep_the_centre() {
        let centre = Vector3::new(0.3, -0.2, 0.1);
        let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
        let places = [0.5 + 0.15_f64.sqrt(), 0.5, 0.5 - 0.15_f64.sqrt()];
        let weights = [5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0];
        let shares: Vec<NodeMass> = places
            .iter()
            .zip(weights)
            .map(|(x, weight)| {
                let share = weight * (1.0 - x) * (1.0 - 2.0 * x);
                NodeMass { mass: share, centre, inertia: inertia * share }
            })
            .collect();
        assert!(shares[0].mass < 0.0);
        let whole = NodeMass::together(&shares);
        assert!((whole.mass - 1.0 / 6.0).abs() < 1e-15 && (whole.centre - centre).norm() < 1e-15);
        assert!((whole.inertia - inertia / 6.0).norm() < 1e-15);
    }
}
