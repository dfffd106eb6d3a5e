//! Reference curves of rods: the unstressed axis with its section directors, by arc length.
//!
//! d₃ is the unit tangent. Straight lines, arcs and helices are curves of constant strain K⁰, in closed form; a path
//! given by expressions is reparametrised by arc length and carries a rotation-minimising (Bishop) frame, K₃⁰ = 0. The
//! quaternion is a continuous function of s: neighbouring values lie on the same half sphere.

mod error;
mod interpolant;
mod path;

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

pub use error::CurveError;
use interpolant::Interpolant;
use path::Path;

use super::Along;
use crate::geometry::{Pose, Quaternion};
use crate::kernel::Profile;

/// The axis and section directors of a rod at rest, for s ∈ [0, L].
///
/// The constructors take a hint `normal` for the director d₁ at s = 0: its part across the tangent. Without a hint
/// d₁ = z × d₃, or x if the tangent is along z; in the plane z = 0 that is d₁ = (−sin θ, cos θ), d₂ = z.
///
/// ```
/// use lariat::mechanism::Curve;
/// use nalgebra::Vector3;
///
/// // A quarter of a circle of radius 2 about the origin, in the plane.
/// let (from, tangent) = (Vector3::new(2.0, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0));
/// let arc = Curve::arc(from, tangent, Vector3::zeros(), std::f64::consts::FRAC_PI_2, None).unwrap();
/// let end = arc.pose(arc.length());
/// assert!((end.position - Vector3::new(0.0, 2.0, 0.0)).norm() < 1e-15);
/// assert!((end.orientation.rotate(Vector3::z()) - Vector3::new(-1.0, 0.0, 0.0)).norm() < 1e-15);
/// ```
#[derive(Debug, Clone)]
pub struct Curve {
    length: f64,
    axis: Axis,
    /// Angle by which the directors are turned about d₃, radian.
    twist: Option<Arc<Interpolant<1>>>,
}

#[derive(Debug, Clone)]
enum Axis {
    /// Material curvature K⁰ constant: the start moved by the exponential of SE(3).
    ConstantStrain {
        start: Pose,
        curvature: Vector3<f64>,
    },
    Path(Arc<Path>),
}

/// A helix about a straight axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helix {
    /// Its first point, metre.
    pub from: Vector3<f64>,
    /// Direction of its axis, of any length; the helix climbs along it.
    pub axis: Vector3<f64>,
    /// Direction from the axis to `from`, of any length; its part across the axis counts. Without it: x, or y if the
    /// axis is along x.
    pub outward: Option<Vector3<f64>>,
    /// Distance from the axis, metre.
    pub radius: f64,
    /// Climb per turn, metre; negative for a left-handed helix, which climbs against the axis; 0 for a circle.
    pub pitch: f64,
    /// Number of turns, not necessarily whole.
    pub turns: f64,
}

impl Curve {
    /// The straight line between two points.
    pub fn straight(from: Vector3<f64>, to: Vector3<f64>, normal: Option<Vector3<f64>>) -> Result<Self, CurveError> {
        finite("a point of the rod", &from)?;
        finite("a point of the rod", &to)?;
        let chord = to - from;
        let length = chord.norm();
        if !(length > 0.0) {
            return Err(CurveError::ZeroLength);
        }
        let start = Pose { position: from, orientation: directors(chord / length, normal)? };
        Ok(Self::constant_strain(start, Vector3::zeros(), length))
    }

    /// The arc of a circle that starts at `from` along `tangent` and turns by `angle` > 0 (radian, may exceed 2π) about
    /// `centre`. The frame is rotation-minimising.
    pub fn arc(
        from: Vector3<f64>,
        tangent: Vector3<f64>,
        centre: Vector3<f64>,
        angle: f64,
        normal: Option<Vector3<f64>>,
    ) -> Result<Self, CurveError> {
        finite("the start of the arc", &from)?;
        finite("the centre of the arc", &centre)?;
        positive("the angle of the arc (radian)", angle)?;
        let tangent = direction("the tangent of the arc", &tangent)?;
        let outward = from - centre;
        let radius = outward.norm();
        if !(radius > 0.0) {
            return Err(CurveError::CentreAtStart);
        }
        let outward = outward / radius;
        let slant = outward.dot(&tangent);
        if slant.abs() > 1e-6 {
            // slant is the cosine of the angle between the tangent and the direction away from the centre.
            return Err(CurveError::CentreNotAcross { degrees: (-slant).acos().to_degrees() });
        }
        let tangent = (tangent - outward * slant).normalize();
        let orientation = directors(tangent, normal)?;
        let curvature = orientation.to_material(outward.cross(&tangent)) / radius;
        Ok(Self::constant_strain(Pose { position: from, orientation }, curvature, radius * angle))
    }

    /// A helix with directors at rest relative to its axis, so that K⁰ is constant. Without a hint `normal` d₁ points
    /// towards the axis and K⁰ = (0, κ, τ) with κ = R/(R² + h²), τ = h/(R² + h²), 2πh the pitch; with a hint the
    /// directors are turned about d₃ by a constant angle.
    pub fn helix(helix: &Helix, normal: Option<Vector3<f64>>) -> Result<Self, CurveError> {
        finite("the start of the helix", &helix.from)?;
        positive("the radius of the helix (metre)", helix.radius)?;
        positive("the number of turns of the helix", helix.turns)?;
        if !helix.pitch.is_finite() {
            return Err(CurveError::NotFinite { what: "the pitch of the helix" });
        }
        let axis = direction("the axis of the helix", &helix.axis)?;
        let across = |v: Vector3<f64>| v - axis * axis.dot(&v);
        let outward = match helix.outward {
            Some(hint) => {
                let hint = direction("the outward direction of the helix", &hint)?;
                if across(hint).norm() < PARALLEL {
                    return Err(CurveError::OutwardAlongAxis);
                }
                across(hint).normalize()
            }
            None if across(Vector3::x()).norm() < PARALLEL => across(Vector3::y()).normalize(),
            None => across(Vector3::x()).normalize(),
        };
        let climb = helix.pitch / std::f64::consts::TAU;
        let length_per_radian = helix.radius.hypot(climb);
        let tangent = (axis.cross(&outward) * helix.radius + axis * climb) / length_per_radian;
        let orientation = directors(tangent, Some(normal.unwrap_or(-outward)))?;
        let curvature = orientation.to_material(axis) / length_per_radian;
        let length = length_per_radian * std::f64::consts::TAU * helix.turns;
        Ok(Self::constant_strain(Pose { position: helix.from, orientation }, curvature, length))
    }

    /// The curve (x(s), y(s), z(s)) of a parameter s ∈ [0, `range`], metre. Where the parameter is not the arc length
    /// the curve is reparametrised, and its length is not `range`. The frame is rotation-minimising.
    pub fn path(coordinates: &[Profile; 3], range: f64, normal: Option<Vector3<f64>>) -> Result<Self, CurveError> {
        positive("the length of the path (metre)", range)?;
        let path = Path::new(coordinates, range, normal)?;
        Ok(Self { length: path.length(), axis: Axis::Path(Arc::new(path)), twist: None })
    }

    /// The same axis with the directors turned about d₃ by the angle `twist`(s), radian, of the arc length.
    pub fn twisted(self, twist: &Profile) -> Result<Self, CurveError> {
        if twist.varies_in_time() {
            return Err(CurveError::VariesInTime { what: "twist" });
        }
        let angle = |s: f64| match twist.value(s, 0.0) {
            Ok(value) => Ok([value]),
            Err(error) => Err(CurveError::Evaluation { what: "twist", error: Box::new(error) }),
        };
        let angle = Interpolant::new(self.length, angle, |s| CurveError::TwistJumps { s })?;
        Ok(Self { twist: Some(Arc::new(angle)), ..self })
    }

    fn constant_strain(start: Pose, curvature: Vector3<f64>, length: f64) -> Self {
        Self { length, axis: Axis::ConstantStrain { start, curvature }, twist: None }
    }

    /// Length L, metre.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Axis and directors at the arc length s ∈ [0, L], metre.
    pub fn pose(&self, s: f64) -> Pose {
        let pose = match &self.axis {
            Axis::ConstantStrain { start, curvature } => moved(start, curvature, s),
            Axis::Path(path) => path.pose(s),
        };
        match &self.twist {
            None => pose,
            Some(twist) => {
                let [angle] = twist.at(s);
                Pose { orientation: pose.orientation.turned(Vector3::new(0.0, 0.0, angle)), ..pose }
            }
        }
    }

    /// As a function, for [`RodPart::reference`](super::structure::RodPart::reference).
    pub fn along(&self) -> Along<Pose> {
        let curve = self.clone();
        Arc::new(move |s| curve.pose(s))
    }
}

/// Sine of the angle below which two directions count as parallel.
const PARALLEL: f64 = 1e-6;

/// start · exp(s (e₃, K)) in SE(3): the end of a piece of length s whose strain is Γ = 0 and whose curvature is K.
///
/// The position is s e₃ + s² c₁ K×e₃ + s³ c₂ K×(K×e₃) in the frame of the start, θ = |K| s, c₁ = (1 − cos θ)/θ²,
/// c₂ = (θ − sin θ)/θ³.
fn moved(start: &Pose, curvature: &Vector3<f64>, s: f64) -> Pose {
    let theta = curvature.norm() * s;
    let half = 0.5 * theta;
    let sinc = if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
    let c1 = 0.5 * sinc * sinc;
    let c2 = if theta.abs() < 0.5 {
        // Σ (−θ²)ᵏ/(2k + 3)!, to rounding.
        let square = theta * theta;
        (0..7).rev().fold(0.0, |sum, k| (1.0 - square * sum) / f64::from((2 * k + 2) * (2 * k + 3)))
    } else {
        (theta - theta.sin()) / theta.powi(3)
    };
    let across = curvature.cross(&Vector3::z());
    let offset = (Vector3::z() + across * (s * c1) + curvature.cross(&across) * (s * s * c2)) * s;
    Pose { position: start.point(offset), orientation: start.orientation.turned(curvature * s) }
}

/// The orientation with tangent d₃ (of unit length) whose d₁ is the part of the hint across it.
fn directors(d3: Vector3<f64>, normal: Option<Vector3<f64>>) -> Result<Quaternion, CurveError> {
    let across = |v: Vector3<f64>| v - d3 * d3.dot(&v);
    let d1 = match normal {
        Some(hint) => {
            let hint = direction("the normal", &hint)?;
            if across(hint).norm() < PARALLEL {
                return Err(CurveError::NormalAlongTangent);
            }
            across(hint)
        }
        None if Vector3::z().cross(&d3).norm() < PARALLEL => across(Vector3::x()),
        None => Vector3::z().cross(&d3),
    };
    let d1 = d1.normalize();
    Ok(Quaternion::from_directors(&Matrix3::from_columns(&[d1, d3.cross(&d1), d3])))
}

fn finite(what: &'static str, v: &Vector3<f64>) -> Result<(), CurveError> {
    if v.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(CurveError::NotFinite { what }) }
}

fn positive(what: &'static str, value: f64) -> Result<(), CurveError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(CurveError::NotPositive { what, value }) }
}

/// The unit vector along v.
fn direction(what: &'static str, v: &Vector3<f64>) -> Result<Vector3<f64>, CurveError> {
    finite(what, v)?;
    v.try_normalize(0.0).ok_or(CurveError::NoDirection { what })
}

#[cfg(test)]
mod tests;
