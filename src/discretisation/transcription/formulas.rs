//! Expressions of a system that are asked for again and again.

use std::sync::Arc;

use super::Formula;
use super::multibody::Multibody;

/// Zero.
pub fn nothing() -> Formula {
    Arc::new(|at| at.graph.constant(0.0))
}

/// A coordinate by its number.
pub fn coordinate(place: usize) -> Formula {
    Arc::new(move |at| at.q[place])
}

/// A velocity by the number of its coordinate.
pub fn velocity(place: usize) -> Formula {
    Arc::new(move |at| at.v[place])
}

/// A quantity of a mechanism, such as the angle of a joint, by its number.
pub fn quantity(body: Arc<Multibody>, place: usize) -> Formula {
    Arc::new(move |at| body.quantity_values(at)[place])
}

/// Σ u² over all controls.
pub fn squared_controls() -> Formula {
    Arc::new(|at| at.graph.sum(at.u.iter().map(|u| u.square())))
}

/// (value − reference)².
pub fn squared_deviation(value: Formula, reference: Formula) -> Formula {
    Arc::new(move |at| (value(at) - reference(at)).square())
}
