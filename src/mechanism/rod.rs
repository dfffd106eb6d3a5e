//! Rods: which strains they resist, their mesh, axis, cross-section and law.

use std::f64::consts::TAU;
use std::fmt;
use std::sync::Arc;

use nalgebra::{Vector3, Vector6};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Mesh;
use crate::geometry::Pose;
use crate::material::{AxialLaw, RodLaw, Section};

/// A function of the arc length s ∈ [0, L].
pub type Along<T> = Arc<dyn Fn(f64) -> T + Send + Sync>;

/// Which strains a rod resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RodKind {
    /// Stretch only; its points do not turn.
    String,
    /// Stretch, shear, bending (and twist in space).
    #[default]
    Cosserat,
    /// Stretch and bending; sections stay perpendicular to the axis (no shear). Elements of order 1.
    Kirchhoff,
    /// Everything: it keeps its reference shape and moves as one rigid body.
    Rigid,
}

impl RodKind {
    /// Whether its sections have an orientation.
    pub fn turns(self) -> bool {
        !self.is_limp()
    }

    /// Whether it only stretches.
    pub fn is_limp(self) -> bool {
        self == RodKind::String
    }

    /// Whether its sections stay perpendicular to its axis although it bends.
    pub fn is_unsheared(self) -> bool {
        self == RodKind::Kirchhoff
    }

    /// Whether it keeps its shape.
    pub fn is_rigid(self) -> bool {
        self == RodKind::Rigid
    }

    /// Whether its elements may have orders above 1.
    pub fn has_orders(self) -> bool {
        self == RodKind::Cosserat
    }

    /// Which of (Γ₁, Γ₂, Γ₃, K₁, K₂, K₃) it can have, in plane or space.
    pub fn strains(self, dimension: usize) -> &'static [usize] {
        match (self, dimension) {
            (RodKind::String, _) => &[2],
            (RodKind::Kirchhoff, 2) => &[2, 4],
            (RodKind::Kirchhoff, _) => &[2, 3, 4, 5],
            (RodKind::Cosserat | RodKind::Rigid, 2) => &[0, 2, 4],
            (RodKind::Cosserat | RodKind::Rigid, _) => &[0, 1, 2, 3, 4, 5],
        }
    }

    /// Names of the internal forces that are known of it.
    pub fn stresses(self, dimension: usize) -> &'static [&'static str] {
        match (self, dimension) {
            // What a rigid rod carries inside does not follow from its motion alone where it is held in several ways.
            (RodKind::Rigid, _) => &[],
            (RodKind::String, _) => &["tension"],
            // The shear force of a rod that cannot shear is not a stress of its elements.
            (RodKind::Kirchhoff, 2) => &["moment"],
            (RodKind::Kirchhoff, _) => &["moment_x", "moment_y", "moment_z"],
            (RodKind::Cosserat, 2) => &["force_x", "force_y", "moment"],
            (RodKind::Cosserat, _) => &["force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z"],
        }
    }

    /// In words.
    pub fn name(self, dimension: usize) -> &'static str {
        match (self, dimension) {
            (RodKind::Rigid, _) => "rigid part",
            (RodKind::String, 2) => "plane string",
            (RodKind::String, _) => "string in space",
            (RodKind::Kirchhoff, 2) => "plane shear-rigid (Kirchhoff) rod",
            (RodKind::Kirchhoff, _) => "shear-rigid (Kirchhoff) rod in space",
            (RodKind::Cosserat, 2) => "plane shear-flexible beam",
            (RodKind::Cosserat, _) => "shear-flexible rod in space",
        }
    }
}

/// Where the energy of an element is evaluated: table 1 of Leitz and Leyendecker (2014).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quadrature {
    /// Midpoint in space and time (MP).
    #[default]
    Midpoint,
    /// Trapezoidal in space and time (GT); locks in shear.
    Trapezoidal,
    /// Trapezoidal in time, midpoint in space (MPS).
    MidpointInSpace,
    /// Midpoint in time, trapezoidal in space (MPT); locks in shear.
    MidpointInTime,
}

/// A rod.
#[derive(Clone)]
pub struct RodPart {
    /// Name in the problem file.
    pub name: String,
    /// What it resists.
    pub kind: RodKind,
    /// Reference length L, metre.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Where they meet.
    pub mesh: Mesh,
    /// Polynomial order of an element: 1 (two nodes) or more.
    pub order: usize,
    /// Quadrature of two-node elements.
    pub quadrature: Quadrature,
    /// Reference axis and section directors; d₃ is its tangent. The rod is unstressed there, up to `prestrain`.
    pub reference: Along<Pose>,
    /// Cross-section along the rod.
    pub section: Along<Section>,
    /// Law of the stresses.
    pub law: RodLaw,
    /// Unstressed strains (Γ⁰, K⁰) besides those of the reference shape.
    pub prestrain: Option<Along<Vector6<f64>>>,
    /// Initial velocity of the axis, m/s, and angular velocity in the section frame, rad/s.
    pub velocity: Option<Along<Vector6<f64>>>,
}

impl fmt::Debug for RodPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, length, elements, order, quadrature, law, .. } = self;
        let mut shown = f.debug_struct("RodPart");
        shown.field("name", name).field("kind", kind).field("length", length).field("elements", elements);
        shown.field("order", order).field("quadrature", quadrature).field("law", law).finish_non_exhaustive()
    }
}

impl RodPart {
    /// Stretch of a string at s under a tension, newton.
    pub fn stretch(&self, s: f64, tension: f64) -> f64 {
        let natural = self.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(s)[2]);
        self.law.axial.stretch((self.section)(s).stiffness[(2, 2)], tension) + natural
    }

    /// Arc length where elements meet, metre.
    pub fn boundary(&self, boundary: usize) -> f64 {
        match self.mesh.boundaries.get(boundary) {
            Some(s) => *s,
            None => self.length * boundary as f64 / self.elements as f64,
        }
    }

    /// Beginning and length of an element, metre.
    pub fn span(&self, element: usize) -> (f64, f64) {
        if self.mesh.boundaries.is_empty() {
            let length = self.length / self.elements as f64;
            return (element as f64 * length, length);
        }
        let start = self.boundary(element);
        (start, self.boundary(element + 1) - start)
    }

    /// Angle of the tangent of a plane rod at a boundary of elements. It runs on along the rod, past half a turn; radian.
    pub fn angle(&self, boundary: usize) -> f64 {
        /// Steps of an element in which it turns by less than half a turn.
        const STEPS: usize = 32;
        let direction = |s: f64| {
            let along = (self.reference)(s).orientation.rotate(Vector3::z());
            along[1].atan2(along[0])
        };
        let mut angle = direction(0.0);
        for step in 1..=STEPS * boundary {
            let (start, length) = self.span((step - 1) / STEPS);
            let next = direction(start + length * ((step - 1) % STEPS + 1) as f64 / STEPS as f64);
            angle = next + TAU * ((angle - next) / TAU).round();
        }
        angle
    }
}
