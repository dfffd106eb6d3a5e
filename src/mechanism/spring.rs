//! Springs and dampers between points or on joints, and bushings between frames.

use nalgebra::{Matrix6, Vector3, Vector6};

use super::frame::Frame;
use super::joint::JointPart;
use crate::material::SpringLaw;

/// Where a spring acts, and so what it measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpringPlace {
    /// Along the line between two points, given in the reference configuration: their distance.
    Between([Frame; 2], [Vector3<f64>; 2]),
    /// On all relative motions of two frames at two points, given in the reference configuration: the displacement and the
    /// rotation vector of the second against the first, along directions that turn with the first.
    Bushing([Frame; 2], [Vector3<f64>; 2]),
    /// On a joint, by its place in [`super::Mechanism::joints`]: the travel of one that slides, the angle of one that turns, the two
    /// angles of a universal and the rotation vector of a spherical one.
    Joint(usize),
}

impl SpringPlace {
    /// The frames it connects and its points on them, unless it acts on a joint.
    pub fn sides(&self) -> Option<[(Frame, Vector3<f64>); 2]> {
        match *self {
            SpringPlace::Between([a, b], [at_a, at_b]) | SpringPlace::Bushing([a, b], [at_a, at_b]) => {
                Some([(a, at_a), (b, at_b)])
            }
            SpringPlace::Joint(_) => None,
        }
    }

    /// The frames it connects, unless it acts on a joint.
    pub fn frames(&self) -> Option<[Frame; 2]> {
        self.sides().map(|sides| sides.map(|(frame, _)| frame))
    }

    /// The same between other frames.
    pub fn between(self, frames: [Frame; 2]) -> Self {
        match self {
            SpringPlace::Between(_, points) => SpringPlace::Between(frames, points),
            SpringPlace::Bushing(_, points) => SpringPlace::Bushing(frames, points),
            SpringPlace::Joint(_) => self,
        }
    }

    /// Whether the frames it connects must have orientations.
    pub fn needs_orientation(&self) -> bool {
        matches!(self, SpringPlace::Bushing(..))
    }

    /// Number of quantities that it measures.
    pub fn measures(&self, dimension: usize, joints: &[JointPart]) -> usize {
        match *self {
            SpringPlace::Between(..) => 1,
            SpringPlace::Bushing(..) => 3 * (dimension - 1),
            SpringPlace::Joint(joint) => joints.get(joint).map_or(1, |joint| joint.kind.measures(dimension)),
        }
    }
}

/// A spring with a damper beside it. Matrices are of the quantities that it measures, in their order.
#[derive(Debug, Clone)]
pub struct Spring {
    /// Name in the problem file.
    pub name: String,
    /// Where it acts.
    pub place: SpringPlace,
    /// Stiffness, N/m or N m/rad.
    pub stiffness: Matrix6<f64>,
    /// Damping, N s/m or N m s/rad.
    pub damping: Matrix6<f64>,
    /// How its force follows.
    pub law: SpringLaw,
    /// Length, travel or angles without force; those of the reference configuration unless stated.
    pub rest: Option<Vector6<f64>>,
}

impl Spring {
    /// A linear spring of one quantity.
    pub fn linear(name: impl Into<String>, place: SpringPlace, stiffness: f64, damping: f64) -> Self {
        let only = |value: f64| Matrix6::from_fn(|i, j| if i == 0 && j == 0 { value } else { 0.0 });
        let (stiffness, damping) = (only(stiffness), only(damping));
        Self { name: name.into(), place, stiffness, damping, law: SpringLaw::Linear, rest: None }
    }

    /// Whether it resists where it stands, and not only motion.
    pub fn is_elastic(&self) -> bool {
        match &self.law {
            SpringLaw::Linear => self.stiffness.amax() > 0.0,
            SpringLaw::Energy(_) => true,
            SpringLaw::Force(force) => force.mentions(0),
        }
    }

    /// Whether its force depends on rates.
    pub fn is_damped(&self) -> bool {
        self.damping.amax() > 0.0 || matches!(&self.law, SpringLaw::Force(force) if force.mentions(1))
    }
}

/// Why a matrix is none of a spring or damper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPassive {
    /// It is not symmetric.
    Unsymmetric,
    /// It has a negative eigenvalue.
    Negative,
}

/// How far from symmetric and from not negative rounding in a file may be, against the largest entry.
const ROUNDED: f64 = 1e-9;

/// The symmetric part of a stiffness or damping, which must not make energy out of nothing.
pub fn passive(matrix: &Matrix6<f64>) -> Result<Matrix6<f64>, NotPassive> {
    let size = matrix.amax();
    if (matrix - matrix.transpose()).amax() > ROUNDED * size {
        return Err(NotPassive::Unsymmetric);
    }
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    match symmetric.symmetric_eigenvalues().min() >= -ROUNDED * size {
        true => Ok(symmetric),
        false => Err(NotPassive::Negative),
    }
}
