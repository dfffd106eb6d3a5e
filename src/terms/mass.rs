//! Everything that moves rigidly with a node, as one rigid body.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::layout::NodeKind;
use crate::geometry::cross_matrix;

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
            part.inertia + of_point(&d) * part.mass
        };
        let inertia = shifted(self) + shifted(other);
        *self = Self { mass, centre, inertia };
    }

    /// Rotary inertia about the node, kg m².
    pub fn about_node(&self) -> Matrix3<f64> {
        self.inertia + of_point(&self.centre) * self.mass
    }

    /// Mass matrix over the degrees of freedom of a node of this kind that is turned by `rotation` from its frame to space.
    pub fn matrix(&self, kind: NodeKind, rotation: &Matrix3<f64>) -> Matrix6<f64> {
        let mut block = Matrix6::zeros();
        for c in 0..kind.positions() {
            block[(c, c)] = self.mass;
        }
        match kind {
            NodeKind::SpaceFrame => {
                let c = cross_matrix(self.centre);
                let mixed: Matrix3<f64> = rotation * c * -self.mass;
                block.fixed_view_mut::<3, 3>(0, 3).copy_from(&mixed);
                block.fixed_view_mut::<3, 3>(3, 0).copy_from(&mixed.transpose());
                block.fixed_view_mut::<3, 3>(3, 3).copy_from(&(self.inertia - c * c * self.mass));
            }
            NodeKind::PlaneFrame => {
                let arm = rotation * self.centre;
                for (c, value) in [(0, -arm[1] * self.mass), (1, arm[0] * self.mass)] {
                    (block[(c, 2)], block[(2, c)]) = (value, value);
                }
                block[(2, 2)] = self.inertia[(2, 2)] + self.mass * arm.norm_squared();
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        block
    }
}

/// Mass, first and second moment about the node: unlike bodies these add up with weights of either sign, as shape
/// functions have at quadrature points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassShares {
    mass: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl Default for MassShares {
    fn default() -> Self {
        Self { mass: 0.0, first: Vector3::zeros(), second: Matrix3::zeros() }
    }
}

/// Inertia of a unit mass at c about the origin.
pub fn of_point(c: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(c.norm_squared()) - c * c.transpose()
}

impl MassShares {
    /// Adds a weighted part.
    pub fn add(&mut self, part: &NodeMass, weight: f64) {
        self.mass += weight * part.mass;
        self.first += part.centre * (weight * part.mass);
        self.second += (part.inertia + of_point(&part.centre) * part.mass) * weight;
    }

    /// The sum as one body.
    pub fn body(&self) -> NodeMass {
        if !(self.mass > 0.0) {
            return NodeMass { inertia: self.second, ..NodeMass::NONE };
        }
        let centre = self.first / self.mass;
        NodeMass { mass: self.mass, centre, inertia: self.second - of_point(&centre) * self.mass }
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

    /// Shares with weights −1/6, 4/3, −1/6 of one section are that section, wherever its centre is.
    #[test]
    fn shares_of_either_sign_keep_the_centre() {
        let centre = Vector3::new(0.2, -0.1, 0.0);
        let section = NodeMass { mass: 2.0, centre, inertia: Matrix3::identity() * 1e-3 };
        let mut shares = MassShares::default();
        [-1.0 / 6.0, 4.0 / 3.0, -1.0 / 6.0].into_iter().for_each(|weight| shares.add(&section, weight));
        let body = shares.body();
        assert!((body.mass - 2.0).abs() < 1e-15 && (body.centre - centre).norm() < 1e-15);
        assert!((body.inertia - section.inertia).norm() < 1e-15);
    }
}
