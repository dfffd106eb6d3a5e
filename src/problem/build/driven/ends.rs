//! Start and end of a mechanism's motion: what is stated, what the joints make of it, and the way between them.
//!
//! Without entries the start is the reference configuration. With entries, and at the end, a configuration is found that
//! satisfies them and the joints. Where it is the only one, it is given; otherwise what is not stated is free.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::Check;
use super::super::control::of_task;
use super::super::functions::Names;
use crate::discretisation::transcription::multibody::{Multibody, Wish};
use crate::discretisation::transcription::{End, Given, Mechanics, PathConstraint, formulas};
use crate::geometry::Quaternion;
use crate::kernel::suggest::nearest;
use crate::kernel::{Expression, OneOrSeveral};
use crate::tasks::OptimalControlSpec;
use crate::tasks::optimal_control::{EndData, WayTable};
use crate::tasks::velocity_name;
use nalgebra::Vector3;

/// How a rod without strain is asked for.
const UNDEFORMED: &str = "undeformed";
/// Mechanisms with more coordinates than this take fewer configurations for the way from the start to the end.
const MANY: usize = 100;
/// So many.
const FEW_PARTS: usize = 50;

/// Entries of `start` or `end`.
type Stated = BTreeMap<String, OneOrSeveral<Expression>>;

/// What is stated of an end.
struct Wanted {
    wishes: Vec<Wish>,
    /// Coordinates that are stated, by number.
    positions: BTreeMap<usize, Given>,
    velocity: Vec<Given>,
    /// A wish that is not one of a coordinate, by its key.
    other: Option<String>,
}

impl Check<'_> {
    /// Both ends, and the way between them.
    pub(in crate::problem::build) fn machine_ends(
        &mut self,
        task: &OptimalControlSpec,
        body: &Multibody,
        names: &Names,
    ) -> Option<(EndData, WayTable)> {
        let before = self.found.errors();
        let coordinates = body.coordinates();
        let mut periodic = Vec::new();
        for (name, source) in &task.periodic {
            let path = of_task(&["periodic", name]);
            let place = self.known_name(&path, name, &coordinates, "coordinate");
            if let (Some(place), Some(change)) = (place, self.fixed_number(&path, source, names)) {
                periodic.push((place, change));
            }
        }
        let quantities = body.quantity_names();
        let (of_quantities, others): (Stated, Stated) =
            task.bounds.clone().into_iter().partition(|(name, _)| quantities.contains(name));
        let [coordinate_bounds, velocity_bounds, control_bounds] =
            self.bounds(&of_task(&["bounds"]), &others, &coordinates, &body.controls(), names);
        let quantity_bounds = self.quantity_bounds(&of_quantities, names);
        let start = self.wanted("start", &task.start, body, &periodic, names);
        let end = self.wanted("end", &task.end, body, &periodic, names);
        if self.found.errors() > before || !self.sure(&of_task(&[])) {
            return None;
        }
        let reference = body.reference();
        let last = self.spec.time.map_or(0.0, |time| time.end);
        let (q0, start_position) = match task.start.keys().any(|key| !is_velocity(key)) {
            true => self.placed("start", body, &reference, &start, [0.0; 2])?,
            false => {
                let fixed = |(i, q): (usize, &f64)| match periodic.iter().any(|(place, _)| *place == i) {
                    true => Given::FREE,
                    false => Given::Fixed(*q),
                };
                (reference.clone(), reference.iter().enumerate().map(fixed).collect())
            }
        };
        let (q1, end_position) = self.placed("end", body, &q0, &end, [0.0, last])?;
        let steps = self.spec.time.map_or(FEW_PARTS, |time| time.steps.max(1));
        let parts = if q0.len() > MANY { steps.min(FEW_PARTS) } else { steps };
        let times = [0.0, last];
        let way =
            body.way(&q0, &end.wishes, times, parts).unwrap_or_else(|_| body.straight_way(&q0, &q1, times, parts));
        let start = End { position: start_position, velocity: start.velocity };
        let end = End { position: end_position, velocity: end.velocity };
        let ends =
            EndData { start, end, periodic, coordinate_bounds, velocity_bounds, control_bounds, quantity_bounds };
        for (key, state) in [("start", &ends.start), ("end", &ends.end)] {
            for ((given, bounds), name) in state.position.iter().zip(&ends.coordinate_bounds).zip(&coordinates) {
                self.within(key, name, *given, *bounds);
            }
        }
        for (key, state, q, t) in [("start", &ends.start, &q0, 0.0), ("end", &ends.end, &q1, last)] {
            if state.position.iter().all(|given| given.value().is_some()) {
                self.quantities_within(key, body, (q, t), &ends.quantity_bounds);
            }
        }
        (self.found.errors() == before).then_some((ends, Arc::new(way)))
    }

    /// A given end must respect the bounds of joint angles and other quantities.
    fn quantities_within(&mut self, key: &str, body: &Multibody, (q, t): (&[f64], f64), bounds: &[PathConstraint]) {
        let Ok(values) = body.quantities_at(q, t) else { return };
        for (name, value) in body.quantity_names().iter().zip(values) {
            let Some(bound) = bounds.iter().find(|bound| bound.name == *name) else { continue };
            let near = 1e-9 * (1.0 + value.abs());
            if value < bound.lower - near || value > bound.upper + near {
                let stated = of_task(&[key, name]);
                let path = if self.document.get(&stated).is_some() { stated } else { of_task(&[key]) };
                let message = format!(
                    "`{name}` at the {key} is {}, outside of its bounds [{}, {}]",
                    (value * 1e9).round() / 1e9,
                    bound.lower,
                    bound.upper
                );
                self.error(&path, message, "out of bounds");
            }
        }
    }

    /// Bounds of joint angles and other quantities, as constraints along the way.
    fn quantity_bounds(&mut self, stated: &Stated, names: &Names) -> Vec<PathConstraint> {
        let mut found = Vec::new();
        for (name, value) in stated {
            let range = self.range(&of_task(&["bounds", name]), value, names);
            let body = self.parts.clone();
            let place = body.as_ref().and_then(|body| body.quantity_names().iter().position(|known| known == name));
            if let (Some((lower, upper)), Some(body), Some(place)) = (range, body, place) {
                let formula = formulas::quantity(body, place);
                found.push(PathConstraint { name: name.clone(), formula, lower, upper });
            }
        }
        found
    }

    /// The configuration of an end, and what is given of it.
    fn placed(
        &mut self,
        key: &str,
        body: &Multibody,
        from: &[f64],
        wanted: &Wanted,
        times: [f64; 2],
    ) -> Option<(Vec<f64>, Vec<Given>)> {
        let found = match body.configure(from, &wanted.wishes, times) {
            Ok(found) => found,
            Err(error) => {
                let path = of_task(&[key]);
                let message = format!("`{}`: {error}", self.document.path_text(&path));
                self.error(&path, message, "not possible").help(
                    "the way there leads in small steps from the reference configuration (from the start, for the end); check that the joints let the parts go there",
                );
                return None;
            }
        };
        if found.determined && wanted.positions.values().all(|given| given.value().is_some()) {
            // What is stated is kept to the last digit.
            let stated = |i: usize| wanted.positions.get(&i).copied().and_then(Given::value);
            let q: Vec<f64> = found.q.iter().enumerate().map(|(i, q)| stated(i).unwrap_or(*q)).collect();
            let given = q.iter().map(|q| Given::Fixed(*q)).collect();
            return Some((q, given));
        }
        if let Some(entry) = &wanted.other {
            let path = of_task(&[key, entry]);
            let coordinates = body.coordinates();
            let message = format!(
                "`{}` and the joints do not determine the {key}, expected more entries, or coordinates only",
                self.document.path_text(&path)
            );
            self.error(&path, message, "leaves something open").help(format!(
                "state what is still free, or the coordinates themselves: {}",
                super::super::list(&coordinates)
            ));
            return None;
        }
        let given = |i: usize| wanted.positions.get(&i).copied().unwrap_or(Given::FREE);
        let given = (0..found.q.len()).map(given).collect();
        Some((found.q, given))
    }

    /// Reads the entries of an end.
    fn wanted(
        &mut self,
        key: &str,
        stated: &Stated,
        body: &Multibody,
        periodic: &[(usize, f64)],
        names: &Names,
    ) -> Wanted {
        let coordinates = body.coordinates();
        let (quantities, rods, oriented) = (body.quantity_names(), body.rod_names(), body.oriented());
        let velocities: Vec<String> = coordinates.iter().map(|name| velocity_name(name)).collect();
        let repeats = |i: usize| periodic.iter().any(|(place, _)| *place == i);
        // Where a velocity is stated and there are joints, the others are what these make of it.
        let follows = body.has_joints() && stated.keys().any(|key| velocities.contains(key));
        let open = |i: usize| repeats(i) || follows;
        let mut wanted = Wanted {
            wishes: Vec::new(),
            positions: BTreeMap::new(),
            velocity: (0..coordinates.len()).map(|i| if open(i) { Given::FREE } else { Given::Fixed(0.0) }).collect(),
            other: None,
        };
        for (name, value) in stated {
            let path = of_task(&[key, name]);
            let place = |list: &[String]| list.iter().position(|known| known == name);
            if let Some(index) = place(&coordinates) {
                let given = self.given(&path, value, names);
                wanted.wishes.extend(given.value().map(|value| Wish::Coordinate(index, value)));
                wanted.positions.insert(index, given);
            } else if let Some(index) = place(&velocities) {
                wanted.velocity[index] = self.given(&path, value, names);
            } else if let Some(index) = place(&quantities) {
                if let Given::Fixed(value) = self.given(&path, value, names) {
                    wanted.wishes.push(Wish::Quantity(index, value));
                    wanted.other = Some(name.clone());
                } else if self.sure(&path) {
                    let message = format!("`{}` is a range, expected a value", self.document.path_text(&path));
                    self.error(&path, message, "not a coordinate").help("only coordinates can be given by a range");
                }
            } else if let Some(index) = place(&rods) {
                match value {
                    OneOrSeveral::One(Expression::Text(text)) if text.trim() == UNDEFORMED => {
                        wanted.wishes.push(Wish::Undeformed(index));
                        wanted.other = Some(name.clone());
                    }
                    _ => {
                        let message =
                            format!("`{}`: expected \"{UNDEFORMED}\" for a rod", self.document.path_text(&path));
                        self.error(&path, message, "the shape of a rod");
                    }
                }
            } else if let Some(index) =
                name.strip_suffix(".orientation").and_then(|frame| oriented.iter().position(|known| known == frame))
            {
                if let Some(orientation) = self.orientation_of(&path, value, names) {
                    wanted.wishes.push(Wish::Orientation(index, orientation));
                    wanted.other = Some(name.clone());
                }
            } else {
                let orientations = oriented.iter().map(|frame| format!("{frame}.orientation"));
                let known: Vec<String> = coordinates
                    .iter()
                    .chain(&velocities)
                    .chain(&quantities)
                    .chain(&rods)
                    .cloned()
                    .chain(orientations)
                    .collect();
                let help = match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", super::super::list(&known)),
                };
                let table = self.document.path_text(&of_task(&[key]));
                let message =
                    format!("`{name}` in `{table}` is not a coordinate, velocity, joint angle or rod of the mechanism");
                self.error(&path, message, "unknown name").help(help);
            }
        }
        wanted
    }

    /// A rotation vector or a unit quaternion.
    fn orientation_of(&mut self, path: &[&str], value: &OneOrSeveral<Expression>, names: &Names) -> Option<Quaternion> {
        let mut numbers = Vec::new();
        for (i, source) in value.as_slice().iter().enumerate() {
            let index = i.to_string();
            let place: Vec<&str> = path.iter().copied().chain([index.as_str()]).collect();
            numbers.push(self.fixed_number(&place, source, names)?);
        }
        match numbers[..] {
            [x, y, z] => Some(Quaternion::from_rotation_vector(Vector3::new(x, y, z))),
            [p0, p1, p2, p3] if (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3 - 1.0).abs() < 2e-3 => {
                Some(Quaternion::new(p0, p1, p2, p3).normalised())
            }
            _ => {
                let here = self.document.path_text(path);
                let message =
                    format!("`{here}`: expected 3 numbers (a rotation vector) or 4 (a quaternion of length 1)");
                self.error(path, message, "not an orientation");
                None
            }
        }
    }
}

fn is_velocity(key: &str) -> bool {
    key.ends_with("_dot")
}
