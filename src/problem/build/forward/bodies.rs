//! Rigid bodies: mass, inertia, where they are and how they begin to move.

use nalgebra::{Matrix3, Vector3};

use super::super::Check;
use super::geometry::vector;
use super::scene::{BodyOutline, PositionSource};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::OneOrSeveral;
use crate::mechanism::{BodyPart, BodySpec, Tensor};

/// By how much of it a principal moment may exceed the sum of the others, for want of digits: that of a flat body is the sum.
const FLAT: f64 = 1e-3;
/// How far from 1 the length of a quaternion may be, for want of digits.
const UNIT: f64 = 1e-3;

impl Check<'_> {
    pub fn body_part<'n>(&mut self, name: &'n str, body: &BodySpec) -> BodyOutline<'n> {
        let before = self.found.errors();
        let path = |key| ["body", name, key];
        if self.needs_mass() {
            self.positive(&path("mass"), body.mass);
        } else {
            self.not_negative(&path("mass"), body.mass);
        }
        let inertia = self.tensor(name, &body.inertia);
        let position = body.position.as_ref();
        let right_length = position.is_none_or(|p| self.length_of_vector(&path("position"), p.len()));
        let orientation = self.orientation(name, body.orientation.as_ref());
        let mut velocity = Vector3::zeros();
        if let Some(given) = &body.velocity {
            self.initial_only(&path("velocity"));
            if self.length_of_vector(&path("velocity"), given.len()) {
                velocity = vector(given);
            }
        }
        let spin = self.spin(name, body.spin.as_ref());
        let right = right_length && self.found.errors() == before && self.sure(&["body", name]);
        let part = match (inertia, orientation, spin) {
            (Some(inertia), Some(orientation), Some(spin)) if right => {
                let pose = Pose { position: position.map_or(Vector3::zeros(), vector), orientation };
                Some(BodyPart { name: name.to_owned(), mass: body.mass, inertia, pose, velocity, spin })
            }
            _ => None,
        };
        let sure = self.sure(&path("position"));
        let place = match (position, sure) {
            (None, true) => PositionSource::FromJoint,
            (Some(_), true) if right_length => PositionSource::Known,
            _ => PositionSource::Unknown,
        };
        BodyOutline { name, part, place }
    }

    /// Whether the task cannot do without mass.
    pub fn needs_mass(&self) -> bool {
        matches!(self.task_name(), Some("simulate" | "modes" | "optimal-control" | "inverse-dynamics"))
            || self.spec.spin.is_some()
    }

    /// Rotary inertia in the body frame; a number stands for the same about every axis.
    fn tensor(&mut self, name: &str, inertia: &Tensor) -> Option<Matrix3<f64>> {
        let path = ["body", name, "inertia"];
        let dimension = self.dimension().filter(|_| self.sure(&path))?;
        if let Tensor::Number(number) = inertia {
            return self.not_negative(&path, *number).then(|| Matrix3::from_diagonal_element(*number));
        }
        if dimension == 2 {
            let message = format!("`body.{name}.inertia` is a list, expected one number in the plane");
            self.error(&path, message, "one number");
            return None;
        }
        if let Some(diagonal) = inertia.row() {
            if diagonal.len() != 3 {
                let message =
                    format!("`body.{name}.inertia` has {} numbers, expected 1, 3 or 3 rows of 3", diagonal.len());
                self.error(&path, message, "wrong number of values");
                return None;
            }
            let right = (0..3).all(|i| self.not_negative(&["body", name, "inertia", &i.to_string()], diagonal[i]));
            let moments = vector(&diagonal);
            if right {
                self.possible_moments(name, moments);
            }
            return right.then(|| Matrix3::from_diagonal(&moments));
        }
        let rows = inertia.rows().filter(|rows| rows.len() == 3 && rows.iter().all(|row| row.len() == 3));
        let Some(rows) = rows else {
            let message = format!("`body.{name}.inertia` is neither a number, nor 3 numbers, nor 3 rows of 3 numbers");
            self.error(&path, message, "three by three");
            return None;
        };
        let matrix = Matrix3::from_fn(|i, j| rows[i][j]);
        if (matrix - matrix.transpose()).amax() > 1e-9 * matrix.amax() {
            let message = format!(
                "`body.{name}.inertia` is not symmetric, expected the same numbers above and below the diagonal"
            );
            self.error(&path, message, "must be symmetric");
            return None;
        }
        let symmetric = (matrix + matrix.transpose()) * 0.5;
        let moments = symmetric.symmetric_eigenvalues();
        let smallest = moments.min();
        if smallest < -1e-12 * symmetric.amax() {
            let message =
                format!("`body.{name}.inertia` has the principal value {smallest:.6}, expected none below zero");
            self.error(&path, message, "must not be negative");
            return None;
        }
        self.possible_moments(name, moments);
        Some(symmetric)
    }

    /// Principal moments J₁ = ∫(y² + z²) dm, … of masses: none is larger than the sum of the others. Others are taken, as those of
    /// motors behind gears may be meant, but told.
    fn possible_moments(&mut self, name: &str, moments: Vector3<f64>) {
        let largest = moments.max();
        let others = moments.sum() - largest;
        if largest <= others * (1.0 + FLAT) {
            return;
        }
        let message = format!(
            "`body.{name}.inertia` has the principal moments {}, but no body has one above the sum of the others: {largest} is expected to be at most {others}",
            moments.map(|moment| moment.to_string()).as_slice().join(", ")
        );
        self.warn(&["body", name, "inertia"], message, "no body has these")
            .help("the moments are about the mass centre; a flat body has the sum, a thin rod two equal ones and 0");
    }

    fn orientation(&mut self, name: &str, given: Option<&OneOrSeveral<f64>>) -> Option<Quaternion> {
        let path = ["body", name, "orientation"];
        let Some(given) = given else { return Some(Quaternion::IDENTITY) };
        match (self.dimension()?, given.as_slice()) {
            (2, [angle]) => Some(Quaternion::from_rotation_vector(Vector3::z() * *angle)),
            (3, [x, y, z]) => Some(Quaternion::from_rotation_vector(Vector3::new(*x, *y, *z))),
            (3, [p0, p1, p2, p3]) => {
                let quaternion = Quaternion::new(*p0, *p1, *p2, *p3);
                let length = quaternion.norm_squared().sqrt();
                if (length - 1.0).abs() <= UNIT {
                    return Some(quaternion.normalised());
                }
                let here = self.document.path_text(&path);
                let message = format!("`{here}` is a quaternion of length {length:.6}, expected length 1");
                self.error(&path, message, "not of unit length")
                    .help("four numbers [p0, p1, p2, p3] with p0 the cosine of half the angle, or three for a rotation vector");
                None
            }
            (2, _) => {
                self.number_of_values(&path, given, 1);
                None
            }
            _ => {
                let here = self.document.path_text(&path);
                let found = match given.as_slice().len() {
                    1 => "1 number".to_owned(),
                    count => format!("{count} numbers"),
                };
                let message =
                    format!("`{here}` has {found}, expected 3 (a rotation vector) or 4 (a unit quaternion) in space");
                self.error(&path, message, "wrong number of values");
                None
            }
        }
    }

    /// Initial angular velocity in the body frame.
    fn spin(&mut self, name: &str, given: Option<&OneOrSeveral<f64>>) -> Option<Vector3<f64>> {
        let path = ["body", name, "spin"];
        let Some(given) = given else { return Some(Vector3::zeros()) };
        self.initial_only(&path);
        let count = if self.dimension()? == 2 { 1 } else { 3 };
        if !self.number_of_values(&path, given, count) {
            return None;
        }
        Some(match given.as_slice() {
            [about_z] => Vector3::z() * *about_z,
            several => Vector3::from_fn(|i, _| several.get(i).copied().unwrap_or(0.0)),
        })
    }
}
