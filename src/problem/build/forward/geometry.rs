//! Reference shapes of rods.

use nalgebra::Vector3;

use super::super::Check;
use super::super::functions::Names;
use crate::kernel::{Expression, Profile};
use crate::mechanism::{Curve, CurveError, CurveSpec, Helix, RodKind, RodSpec};

impl Check<'_> {
    /// The reference shape of a rod, if all that it follows from is right.
    pub fn reference_shape(
        &mut self,
        name: &str,
        rod: &RodSpec,
        kind: Option<RodKind>,
        names: &Names,
    ) -> Option<Curve> {
        let before = self.found.errors();
        let normal = self.normal(name, rod, kind);
        let curve = match &rod.curve {
            None => self.straight(name, rod, normal),
            Some(curve) => {
                self.ends_beside_curve(name, rod);
                self.curved(name, curve, normal, names)
            }
        };
        let path_twist = match &rod.curve {
            Some(CurveSpec::Path { twist, .. }) => twist.as_ref(),
            _ => None,
        };
        let rod_twist = self.twist(&["rod", name, "twist"], rod.twist.as_ref(), kind, names);
        let path_twist = self.twist(&["rod", name, "curve", "path", "twist"], path_twist, kind, names);
        if rod_twist.is_some() && path_twist.is_some() {
            let message =
                format!("`rod.{name}.twist` and `rod.{name}.curve.path.twist` are given, expected one of them");
            self.error(&["rod", name, "twist"], message, "twist stated in two ways");
        }
        let right = |check: &Self| check.found.errors() == before && check.sure(&["rod", name]) && names.whole;
        let curve = curve.filter(|_| right(self))?;
        let (twist, path): (_, &[&str]) = match (rod_twist, path_twist) {
            (Some(twist), _) => (twist, &["rod", name, "twist"]),
            (None, Some(twist)) => (twist, &["rod", name, "curve", "path", "twist"]),
            (None, None) => return Some(curve),
        };
        match curve.twisted(&twist) {
            Ok(curve) => Some(curve),
            Err(error) => {
                self.curve_error(path, error);
                None
            }
        }
    }

    fn straight(&mut self, name: &str, rod: &RodSpec, normal: Option<Vector3<f64>>) -> Option<Curve> {
        let before = self.found.errors();
        self.straight_ends(name, rod);
        if self.found.errors() > before || self.dimension().is_none() {
            return None;
        }
        let (from, to) = (vector(rod.from.as_ref()?), vector(rod.to.as_ref()?));
        match Curve::straight(from, to, normal) {
            Ok(curve) => Some(curve),
            Err(error @ CurveError::NormalAlongTangent) => {
                self.curve_error(&["rod", name, "normal"], error);
                None
            }
            Err(error) => {
                self.curve_error(&["rod", name, "to"], error);
                None
            }
        }
    }

    /// `from` and `to` are the ends of straight rods.
    fn ends_beside_curve(&mut self, name: &str, rod: &RodSpec) {
        for (key, given) in [("from", rod.from.is_some()), ("to", rod.to.is_some())] {
            if given {
                let message = format!("rod `{name}` has `{key}` and `curve`, expected one or the other");
                self.error(&["rod", name, key], message, "only for straight rods");
            }
        }
    }

    fn curved(&mut self, name: &str, curve: &CurveSpec, normal: Option<Vector3<f64>>, names: &Names) -> Option<Curve> {
        let dimension = self.dimension()?;
        let before = self.found.errors();
        let (tag, made) = match curve {
            CurveSpec::Arc { from, tangent, centre, angle } => {
                let path = |key| ["rod", name, "curve", "arc", key];
                for (key, vector) in [("from", from), ("tangent", tangent), ("centre", centre)] {
                    self.length_of_vector(&path(key), vector.len());
                }
                ("arc", Curve::arc(vector(from), vector(tangent), vector(centre), *angle, normal))
            }
            CurveSpec::Helix { radius, pitch, turns, from, axis, outward } => {
                let path = |key| ["rod", name, "curve", "helix", key];
                if dimension == 2 {
                    let message = format!("rod `{name}` is a helix, which needs `dimension = 3`, found 2");
                    self.error(&["rod", name, "curve", "helix"], message, "not in the plane");
                    return None;
                }
                for (key, vector) in [("from", from), ("axis", axis), ("outward", outward)] {
                    vector.as_ref().map(|vector| self.length_of_vector(&path(key), vector.len()));
                }
                let axis = axis.as_ref().map_or(Vector3::z(), vector);
                let outward = outward.as_ref().map(vector);
                let helix =
                    Helix { from: Vector3::zeros(), axis, outward, radius: *radius, pitch: *pitch, turns: *turns };
                ("helix", helix_from(helix, from.as_ref().map(vector), normal))
            }
            CurveSpec::Path { x, y, z, length, .. } => {
                let coordinates = self.path_coordinates(name, [Some(x), Some(y), z.as_ref()], names, dimension)?;
                ("path", Curve::path(&coordinates, *length, normal))
            }
        };
        if self.found.errors() > before || !self.sure(&["rod", name, "curve"]) {
            return None;
        }
        match made {
            Ok(curve) => Some(curve),
            Err(CurveError::NormalAlongTangent) => {
                self.curve_error(&["rod", name, "normal"], CurveError::NormalAlongTangent);
                None
            }
            Err(error) => {
                let table = ["rod", name, "curve", tag];
                let path: Vec<&str> = table.into_iter().chain(key_of(&error)).collect();
                self.curve_error(&path, error);
                None
            }
        }
    }

    fn path_coordinates(
        &mut self,
        name: &str,
        given: [Option<&Expression>; 3],
        names: &Names,
        dimension: usize,
    ) -> Option<[Profile; 3]> {
        let mut profiles = Vec::new();
        for (i, (key, expression)) in ["x", "y", "z"].into_iter().zip(given).enumerate() {
            let path = ["rod", name, "curve", "path", key];
            match expression {
                Some(_) if i >= dimension => {
                    let message = format!("`rod.{name}.curve.path.{key}` has no meaning in the plane");
                    self.error(&path, message, "not in the plane");
                }
                Some(expression) => profiles.extend(self.along(&path, expression, names)),
                None if i < dimension => {
                    self.missing_key(&path, "a number or a string", "Position along z, metre; space.")
                }
                None => profiles.push(Profile::constant(0.0)),
            }
        }
        profiles.try_into().ok().filter(|_| names.whole)
    }

    /// The hint for the first director at the start.
    fn normal(&mut self, name: &str, rod: &RodSpec, kind: Option<RodKind>) -> Option<Vector3<f64>> {
        let normal = rod.normal.as_ref()?;
        let path = ["rod", name, "normal"];
        if !self.has_directors(&path, kind) || !self.length_of_vector(&path, normal.len()) {
            return None;
        }
        let normal = vector(normal);
        if normal.norm() == 0.0 {
            let message = format!("`rod.{name}.normal` is zero, expected a direction across the rod");
            self.error(&path, message, "no direction");
            return None;
        }
        Some(normal)
    }

    fn twist(
        &mut self,
        path: &[&str],
        twist: Option<&Expression>,
        kind: Option<RodKind>,
        names: &Names,
    ) -> Option<Profile> {
        let twist = twist?;
        if self.has_directors(path, kind) { self.along(path, twist, names) } else { None }
    }

    /// Directors can be chosen for rods in space only.
    fn has_directors(&mut self, path: &[&str], kind: Option<RodKind>) -> bool {
        let here = self.document.path_text(path);
        let (why, label) = match (kind, self.dimension()) {
            (None, _) | (_, None) => return false,
            (Some(kind), _) if kind.is_limp() => ("for a string, which has no directors", "not for strings"),
            (_, Some(2)) => ("in the plane, where the directors follow from the axis", "not in the plane"),
            _ => return true,
        };
        self.error(path, format!("`{here}` has no meaning {why}"), label);
        false
    }

    fn curve_error(&mut self, path: &[&str], error: CurveError) {
        if let CurveError::Evaluation { error, .. } = error {
            let path = path.iter().map(|key| (*key).to_owned()).collect();
            return self.failures(vec![(path, *error)]);
        }
        let here = self.document.path_text(path);
        let label = match &error {
            CurveError::NotPositive { .. } => "must be positive",
            CurveError::NoDirection { .. } => "no direction",
            CurveError::NormalAlongTangent | CurveError::OutwardAlongAxis => "parallel",
            CurveError::CentreNotAcross { .. } => "not on the normal of the start",
            CurveError::Corner { .. } | CurveError::TwistJumps { .. } => "not continuous",
            _ => "not the shape of a rod",
        };
        self.error(path, format!("`{here}`: {error}"), label);
    }
}

/// A helix from a point, or about an axis through the origin.
fn helix_from(helix: Helix, from: Option<Vector3<f64>>, normal: Option<Vector3<f64>>) -> Result<Curve, CurveError> {
    let from = match from {
        Some(from) => from,
        // Without a hint the first director points from the start to the axis.
        None => Curve::helix(&helix, None)?.pose(0.0).orientation.rotate(-Vector3::x()) * helix.radius,
    };
    Curve::helix(&Helix { from, ..helix }, normal)
}

/// The key of a curve's table that an error is about.
fn key_of(error: &CurveError) -> Option<&'static str> {
    let named = |what: &str| {
        ["radius", "turns", "pitch", "axis", "outward", "angle", "tangent", "length"]
            .into_iter()
            .find(|key| what.contains(key))
            .or_else(|| what.contains("start").then_some("from"))
    };
    match error {
        CurveError::NotPositive { what, .. } | CurveError::NotFinite { what } | CurveError::NoDirection { what } => {
            // "the outward direction of the helix", "the number of turns of the helix".
            named(what)
        }
        CurveError::OutwardAlongAxis => Some("outward"),
        CurveError::CentreAtStart | CurveError::CentreNotAcross { .. } => Some("centre"),
        CurveError::Evaluation { what, .. } | CurveError::VariesInTime { what } => Some(what),
        _ => None,
    }
}

/// A vector of the plane or of space.
#[allow(clippy::ptr_arg)]
pub fn vector(components: &Vec<f64>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| components.get(i).copied().unwrap_or(0.0))
}
