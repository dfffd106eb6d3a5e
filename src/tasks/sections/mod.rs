//! What the sections of rods carry, and where the most: read off the fields of an answer, whatever the method.
//!
//! In the plane N = n·d₃, Q = n·d₁ and M; in space n and m in the directors d₁, d₂, d₃ of the section, and by which angle the
//! section is twisted against the first one of its rod: seen from there, about its tangent, after the smallest rotation that
//! leads the tangent from where it is in the reference configuration to where it is now. Forces and moments act from the part of
//! larger s on the part of smaller s; those of damping are not among them, unless a march found them all.

mod profile;

use nalgebra::Vector3;

use crate::mechanism::{Frame, Mechanism, Pose, Quaternion, RodPart};
use crate::results::{Outcome, RodField};

use profile::profile;

/// Most quantities that are told of a section.
const MOST: usize = 7;
/// Of a section in space that turns.
const IN_SPACE: [&str; MOST] = ["axial", "shear_1", "shear_2", "torsion", "bending_1", "bending_2", "twist"];
/// Of a section in the plane.
const IN_PLANE: [&str; 3] = ["axial", "shear", "bending"];

/// How far a section is from where it is in the reference configuration.
const DISPLACEMENTS: [&str; 3] = ["displacement_x", "displacement_y", "displacement_z"];

/// Quantities told of the sections of a rod whose fields have these names.
fn told(fields: &[&str]) -> &'static [&'static str] {
    let has = |name| fields.contains(&name);
    match () {
        () if has("moment_x") && has("force_x") => &IN_SPACE,
        () if has("moment_x") => &IN_SPACE[3..],
        () if has("moment") && has("force_x") => &IN_PLANE,
        () if has("moment") => &IN_PLANE[2..],
        () if has("tension") || has("force_x") => &IN_PLANE[..1],
        () => &[],
    }
}

/// Unit of a quantity of sections.
fn unit(quantity: &str) -> &'static str {
    match quantity {
        "twist" => "rad",
        name if name.starts_with("torsion") || name.starts_with("bending") => "N m",
        name if name.starts_with("displacement") => "m",
        _ => "N",
    }
}

/// A rod over space and time.
struct Rod<'a> {
    field: &'a RodField,
    part: &'a RodPart,
    told: &'static [&'static str],
    /// The fields that are needed, in their own order.
    position: Vec<&'a [f64]>,
    turn: Vec<&'a [f64]>,
    force: Vec<&'a [f64]>,
    moment: Vec<&'a [f64]>,
    /// Where the sections are in the reference configuration.
    reference: Vec<Pose>,
}

impl<'a> Rod<'a> {
    /// A rod of an answer; none of what is no rod of the mechanism, is rigid, or is not known everywhere.
    fn new(field: &'a RodField, mechanism: &'a Mechanism) -> Option<Self> {
        let part = mechanism.rods.iter().find(|rod| rod.name == field.rod && !rod.kind.is_rigid())?;
        let full = field.s.len() * field.t.len();
        let of = |names: &[&str]| {
            let found: Vec<&[f64]> = names.iter().filter_map(|name| field.field(name)).collect();
            found.into_iter().filter(|values| values.len() == full).collect::<Vec<_>>()
        };
        let names: Vec<&str> = field.fields.iter().map(|(name, _)| name.as_str()).collect();
        let turn = match mechanism.dimension {
            2 => of(&["angle"]),
            _ => of(&["p0", "p1", "p2", "p3"]),
        };
        Some(Self {
            field,
            part,
            told: told(&names),
            position: of(&["x", "y", "z"]),
            turn,
            force: of(&["force_x", "force_y", "force_z", "tension"]),
            moment: of(&["moment", "moment_x", "moment_y", "moment_z"]),
            reference: field.s.iter().map(|s| (part.reference)(*s)).collect(),
        })
    }

    fn instants(&self) -> usize {
        self.field.t.len()
    }

    fn at(&self, list: &[&[f64]], place: usize) -> Vector3<f64> {
        Vector3::from_fn(|c, _| list.get(c).map_or(0.0, |values| values[place]))
    }

    /// What is told of section i at instant k, in the order of `told`.
    fn values(&self, i: usize, k: usize) -> [f64; MOST] {
        let place = i * self.instants() + k;
        let mut out = [0.0; MOST];
        let force = self.at(&self.force, place);
        match (self.told.len(), self.turn.as_slice()) {
            (count, [p0, p1, p2, p3]) if count > 1 => {
                let p = Quaternion::new(p0[place], p1[place], p2[place], p3[place]);
                let moment = self.at(&self.moment, place);
                let root = Quaternion::new(p0[k], p1[k], p2[k], p3[k]);
                let [own, first] = [i, 0].map(|i| self.reference[i].orientation);
                // The section seen from the first one, against how it was seen in the reference configuration.
                let turned = (first.conjugate() * own).conjugate() * (root.conjugate() * p);
                let [shear, carried] = [p.to_material(force), p.to_material(moment)];
                let all = [shear[2], shear[0], shear[1], carried[2], carried[0], carried[1], twist(turned)];
                // Of rods that do not shear the first three are not known.
                out[..count].copy_from_slice(&all[MOST - count..]);
            }
            (3, [angle]) => {
                let (sin, cos) = angle[place].sin_cos();
                out[0] = force[0] * cos + force[1] * sin;
                out[1] = force[1] * cos - force[0] * sin;
                out[2] = self.moment[0][place];
            }
            (1, _) if self.moment.len() == 1 => out[0] = self.moment[0][place],
            (1, _) if self.force.len() == 1 => out[0] = force[0],
            (1, _) => out[0] = force.dot(&self.tangent(i, k)),
            _ => {}
        }
        out
    }

    /// The direction to the neighbours, of a rope.
    fn tangent(&self, i: usize, k: usize) -> Vector3<f64> {
        let ends = [i.saturating_sub(1), (i + 1).min(self.field.s.len() - 1)];
        let [before, after] = ends.map(|i| self.at(&self.position, i * self.instants() + k));
        (after - before).try_normalize(0.0).unwrap_or_else(Vector3::zeros)
    }

    fn displacement(&self, i: usize, k: usize) -> Vector3<f64> {
        self.at(&self.position, i * self.instants() + k) - self.reference[i].position
    }

    /// The section at a boundary of elements.
    fn section(&self, boundary: usize) -> usize {
        let s = self.part.boundary(boundary);
        let off = |i: &usize| (self.field.s[*i] - s).abs();
        (0..self.field.s.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
    }
}

/// The angle about d₃ of a rotation that is one about d₃ and then one about an axis across it: its quaternion is the product
/// (cos ψ/2; sin ψ/2 a)(cos φ/2; sin φ/2 e₃) with a·e₃ = 0, so that p₀ = cos ψ/2 cos φ/2 and p₃ = cos ψ/2 sin φ/2.
fn twist(turned: Quaternion) -> f64 {
    let sign = if turned.re < 0.0 { -1.0 } else { 1.0 };
    2.0 * (sign * turned.im[2]).atan2(sign * turned.re)
}

/// Which instants of an answer are told.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// The states of statics; the answer is the one of this load factor.
    Equilibria(f64),
    /// A motion; its profiles at these instants, second, or at some over the time in which it moves.
    Motion(&'a [f64]),
}

/// Fills the scalars `section.…` and the profile of an answer from the fields of its rods; `frames` are told by themselves.
pub fn tell(mechanism: &Mechanism, frames: &[(String, Frame)], which: Told<'_>, outcome: &mut Outcome) {
    let rods = std::mem::take(&mut outcome.rods);
    let known: Vec<Rod<'_>> = rods.iter().filter_map(|field| Rod::new(field, mechanism)).collect();
    let known: Vec<Rod<'_>> = known.into_iter().filter(|rod| rod.instants() > 0 && !rod.field.s.is_empty()).collect();
    let scalars = &mut outcome.report.scalars;
    for rod in &known {
        let answer = match which {
            Told::Equilibria(factor) => rod.field.t.iter().rposition(|t| *t == factor),
            Told::Motion(_) => None,
        };
        let instants = answer.map_or(0..rod.instants(), |k| k..k + 1);
        let mut largest = [(-1.0, 0, 0); MOST];
        for i in 0..rod.field.s.len() {
            for k in instants.clone() {
                for (most, value) in largest.iter_mut().zip(rod.values(i, k)) {
                    if value.abs() > most.0 {
                        *most = (value.abs(), i, k);
                    }
                }
            }
        }
        for (quantity, (value, i, k)) in rod.told.iter().zip(largest) {
            let name = format!("section.{}.{quantity}", rod.field.rod);
            outcome.report.units.insert(name.clone(), unit(quantity).to_owned());
            scalars.insert(format!("{name}.max"), value.max(0.0));
            scalars.insert(format!("{name}.s"), rod.field.s[i]);
            if answer.is_none() {
                scalars.insert(format!("{name}.t"), rod.field.t[k]);
            }
        }
        let own = frames.iter().filter_map(|(name, frame)| match frame {
            Frame::Section { rod: index, boundary } if mechanism.rods[*index].name == rod.field.rod => {
                Some((name, rod.section(*boundary)))
            }
            _ => None,
        });
        for (frame, i) in own {
            for (place, quantity) in rod.told.iter().enumerate() {
                let name = format!("section.{frame}.{quantity}");
                let value = |k: usize| rod.values(i, k)[place];
                if let Some(k) = answer {
                    scalars.insert(name, value(k));
                    continue;
                }
                let most = (0..rod.instants()).map(|k| value(k).abs()).fold(0.0, f64::max);
                let ends = [("initial", value(0)), ("final", value(rod.instants() - 1)), ("max", most)];
                scalars.extend(ends.map(|(when, value)| (format!("{name}.{when}"), value)));
            }
        }
    }
    for rod in &known {
        let told = rod.told.iter().chain(&DISPLACEMENTS[..mechanism.dimension]);
        outcome.report.units.extend(told.map(|name| (format!("profile.{name}"), unit(name).to_owned())));
    }
    outcome.profile = profile(&known, mechanism.dimension, which, outcome.report.servo_interval);
    drop(known);
    outcome.rods = rods;
}

/// Names of the scalars that [`tell`] fills, of a mechanism whose rods have fields with these names.
pub fn names(
    mechanism: &Mechanism,
    frames: &[(String, Frame)],
    is_static: bool,
    fields: impl Fn(&RodPart) -> Vec<&'static str>,
) -> Vec<String> {
    let mut names = Vec::new();
    let at: &[&str] = if is_static { &["max", "s"] } else { &["max", "s", "t"] };
    let whens: &[&str] = if is_static { &[""] } else { &[".initial", ".final", ".max"] };
    for (index, rod) in mechanism.rods.iter().enumerate().filter(|(_, rod)| !rod.kind.is_rigid()) {
        let own = |frame: &Frame| matches!(frame, Frame::Section { rod, .. } if *rod == index);
        for quantity in told(&fields(rod)) {
            names.extend(at.iter().map(|what| format!("section.{}.{quantity}.{what}", rod.name)));
            for (frame, _) in frames.iter().filter(|(_, frame)| own(frame)) {
                names.extend(whens.iter().map(|when| format!("section.{frame}.{quantity}{when}")));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section that is twisted first and then bent, about any axis across it, is twisted by what it was twisted.
    #[test]
    fn bending_after_it_does_not_change_a_twist() {
        for angle in [-3.0, -0.4, 0.0, 1e-9, 1.3, 2.9] {
            for (bend, across) in [(0.0, 0.0), (0.7, 0.3), (2.5, -2.0)] {
                let about = Quaternion::from_rotation_vector(Vector3::z() * angle);
                let axis = Vector3::new(f64::cos(across), f64::sin(across), 0.0);
                let turned = Quaternion::from_rotation_vector(axis * bend) * about;
                for sign in [1.0, -1.0] {
                    assert!((twist(turned * sign) - angle).abs() < 1e-14, "{angle} {bend} {across}");
                }
            }
        }
    }

    #[test]
    fn what_is_told_follows_from_what_is_known() {
        assert_eq!(told(&["x", "y", "angle", "force_x", "force_y", "moment"]), ["axial", "shear", "bending"]);
        assert_eq!(told(&["x", "y", "angle", "moment"]), ["bending"]);
        assert_eq!(told(&["p0", "moment_x"]), ["torsion", "bending_1", "bending_2", "twist"]);
        assert_eq!(told(&["x", "y", "z", "tension"]), ["axial"]);
        assert_eq!(told(&["x", "y"]), [""; 0]);
        assert_eq!(told(&["p0", "force_x", "moment_x"]).last(), Some(&"twist"));
    }
}
