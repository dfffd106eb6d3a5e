//! Rigid bodies and point masses.

use nalgebra::{Matrix3, Vector3};

use crate::geometry::Pose;

/// A rigid body.
#[derive(Debug, Clone)]
pub struct BodyPart {
    /// Name in the problem file.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Rotary inertia about the mass centre in the body frame, kg m²; zero for a point mass, whose orientation has no
    /// meaning unless it is rigidly joined to something that turns.
    pub inertia: Matrix3<f64>,
    /// Mass centre and body frame in the reference configuration.
    pub pose: Pose,
    /// Initial velocity of the mass centre, m/s.
    pub velocity: Vector3<f64>,
    /// Initial angular velocity in the body frame, rad/s.
    pub spin: Vector3<f64>,
}
