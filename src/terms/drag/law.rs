//! The force of a fluid on something that moves through it, from the velocity and the direction of the axis.

use nalgebra::{Matrix3, Vector3};

use crate::geometry::algebra::{Vector, add, dot, scale, sub};
use crate::material::DragLaw;
use crate::scalar::Scalar;

/// Rounds off |v| at rest, m/s, so that it has derivatives everywhere: |v| = √(v·v + this²).
const STILL: f64 = 1e-12;

/// Derivatives of the force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragSlopes {
    /// By the velocity.
    pub velocity: Matrix3<f64>,
    /// By the tangent; zero without an axis.
    pub tangent: Matrix3<f64>,
}

impl DragLaw {
    /// The force at a velocity v relative to the fluid, with the unit tangent of the axis if there is one.
    pub fn force_over<T: Scalar>(&self, v: Vector<T>, tangent: Option<Vector<T>>) -> Vector<T> {
        let Some(tangent) = tangent else { return resistance(self.normal, v) };
        let along = scale(dot(v, tangent), tangent);
        add(resistance(self.normal, sub(v, along)), resistance(self.tangential, along))
    }

    /// The same of plain numbers.
    pub fn force(&self, v: Vector3<f64>, tangent: Option<Vector3<f64>>) -> Vector3<f64> {
        self.force_over::<f64>(v.into(), tangent.map(Into::into)).into()
    }

    /// Derivatives of the force. With D_n = −∂f/∂v_n and D_t = −∂f/∂v_t they are −D_n (I − ttᵀ) − D_t ttᵀ by v and
    /// (D_n − D_t)(t vᵀ + (v·t) I) by t.
    pub fn slopes(&self, v: &Vector3<f64>, tangent: Option<&Vector3<f64>>) -> DragSlopes {
        let Some(t) = tangent else {
            return DragSlopes { velocity: -stiffness(self.normal, v), tangent: Matrix3::zeros() };
        };
        let speed = v.dot(t);
        let across = stiffness(self.normal, &(v - t * speed));
        let along = stiffness(self.tangential, &(t * speed));
        let projector = t * t.transpose();
        let velocity = -across * (Matrix3::identity() - projector) - along * projector;
        let turned = t * v.transpose() + Matrix3::from_diagonal_element(speed);
        DragSlopes { velocity, tangent: (across - along) * turned }
    }
}

/// −(c + c₂|v|) v.
fn resistance<T: Scalar>([linear, quadratic]: [f64; 2], v: Vector<T>) -> Vector<T> {
    if quadratic == 0.0 {
        return v.map(|v| v * -linear);
    }
    let speed = (dot(v, v) + STILL * STILL).sqrt();
    scale(-(speed * quadratic + linear), v)
}

/// (c + c₂|v|) I + c₂ v vᵀ/|v|.
fn stiffness([linear, quadratic]: [f64; 2], v: &Vector3<f64>) -> Matrix3<f64> {
    let speed = (v.norm_squared() + STILL * STILL).sqrt();
    Matrix3::from_diagonal_element(linear + quadratic * speed) + v * v.transpose() * (quadratic / speed)
}
