//! Start, end, bounds and periodicity.

use super::super::Check;
use super::super::functions::Names;
use super::of_task;
use crate::discretisation::transcription::{End, Given};
use crate::kernel::magnitude::LARGEST;
use crate::kernel::suggest::nearest;
use crate::kernel::{Expression, OneOrSeveral};
use crate::tasks::OptimalControlSpec;
use crate::tasks::optimal_control::{EndData, variable_names};
use crate::tasks::velocity_name;

fn is_free(source: &Expression) -> bool {
    matches!(source, Expression::Text(text) if text.trim() == "free")
}

impl Check<'_> {
    pub(super) fn ends_of_motion(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> Option<EndData> {
        let before = self.found.errors();
        let mut periodic = Vec::new();
        for (name, source) in &task.periodic {
            let path = of_task(&["periodic", name]);
            let place = self.known_name(&path, name, coordinates, "coordinate");
            if let (Some(place), Some(change)) = (place, self.fixed_number(&path, source, names)) {
                periodic.push((place, change));
            }
        }
        let [coordinate_bounds, velocity_bounds, control_bounds] =
            self.bounds(&of_task(&["bounds"]), &task.bounds, coordinates, controls, names);
        let repeats: Vec<bool> = coordinates.iter().map(|name| task.periodic.contains_key(name)).collect();
        let mut start = self.state("start", &task.start, coordinates, &repeats, names);
        let mut end = self.state("end", &task.end, coordinates, &repeats, names);
        if self.found.errors() > before || !self.sure(&of_task(&[])) {
            return None;
        }
        for (key, state) in [("start", &mut start), ("end", &mut end)] {
            for ((given, bounds), name) in state.position.iter().zip(&coordinate_bounds).zip(coordinates) {
                self.within(key, name, *given, *bounds);
            }
            for ((given, name), &(lower, upper)) in state.velocity.iter_mut().zip(coordinates).zip(&velocity_bounds) {
                self.within(key, &velocity_name(name), *given, (lower, upper));
                if let Given::Between(low, high) = *given {
                    *given = Given::Between(low.max(lower), high.min(upper));
                }
            }
        }
        let ends = EndData {
            start,
            end,
            periodic,
            coordinate_bounds,
            velocity_bounds,
            control_bounds,
            quantity_bounds: Vec::new(),
        };
        (self.found.errors() == before).then_some(ends)
    }

    /// Positions and velocities at an end.
    fn state(
        &mut self,
        key: &str,
        stated: &std::collections::BTreeMap<String, OneOrSeveral<Expression>>,
        coordinates: &[String],
        repeats: &[bool],
        names: &Names,
    ) -> End {
        let known = variable_names(coordinates, &[]);
        let sure = self.sure(&of_task(&[key]));
        // What a misspelt name was probably meant to be is not missing as well.
        let mut meant = Vec::new();
        for name in stated.keys() {
            if self.known_name(&of_task(&[key, name]), name, &known, "coordinate or velocity").is_none() {
                meant.extend(nearest(name, known.iter().map(String::as_str)));
            }
        }
        let mut end = End { position: Vec::new(), velocity: Vec::new() };
        for (name, repeats) in coordinates.iter().zip(repeats) {
            let position = match stated.get(name) {
                Some(value) => self.given(&of_task(&[key, name]), value, names),
                None => {
                    // The end of a periodic coordinate follows from its start.
                    let follows = (*repeats && key == "end") || meant.contains(&name.as_str());
                    if sure && !follows && names.usable(name).is_ok() {
                        let path = of_task(&[key]);
                        let here = self.document.path_text(&path);
                        let message = format!(
                            "`{here}` has no `{name}`, expected a number, an expression, [low, high] or \"free\""
                        );
                        self.error(&path, message, format!("`{name}` is missing"));
                    }
                    Given::FREE
                }
            };
            let velocity = velocity_name(name);
            end.position.push(position);
            end.velocity.push(match stated.get(&velocity) {
                Some(value) => self.given(&of_task(&[key, &velocity]), value, names),
                None if *repeats => Given::FREE,
                None => Given::Fixed(0.0),
            });
        }
        end
    }

    /// A value, a range or nothing.
    pub(in crate::problem::build) fn given(
        &mut self,
        path: &[&str],
        value: &OneOrSeveral<Expression>,
        names: &Names,
    ) -> Given {
        match value {
            OneOrSeveral::One(source) if is_free(source) => Given::FREE,
            OneOrSeveral::One(source) => self.fixed_number(path, source, names).map_or(Given::FREE, Given::Fixed),
            OneOrSeveral::Several(_) => match self.range(path, value, names) {
                Some((lower, upper)) if lower == upper => Given::Fixed(lower),
                Some((lower, upper)) => Given::Between(lower, upper),
                None => Given::FREE,
            },
        }
    }

    /// `[low, high]`, either of which may be "free".
    pub(in crate::problem::build) fn range(
        &mut self,
        path: &[&str],
        value: &OneOrSeveral<Expression>,
        names: &Names,
    ) -> Option<(f64, f64)> {
        let here = self.document.path_text(path);
        let [low, high] = value.as_slice() else {
            self.error(path, format!("`{here}` is not a range, expected [low, high]"), "expected two values")
                .help("a side without a bound is \"free\": [0.0, \"free\"]");
            return None;
        };
        let mut side = |index: &str, source: &Expression, free: f64| {
            let path: Vec<&str> = path.iter().copied().chain([index]).collect();
            if is_free(source) { Some(free) } else { self.fixed_number(&path, source, names) }
        };
        let (low, high) = (side("0", low, f64::NEG_INFINITY), side("1", high, f64::INFINITY));
        let (low, high) = (low?, high?);
        if low > high {
            let message = format!("`{here}` goes from {low} to {high}, expected the lower value first");
            self.error(path, message, "lower above upper");
            return None;
        }
        Some((low, high))
    }

    /// Bounds of coordinates, of velocities and of controls.
    pub(in crate::problem::build) fn bounds(
        &mut self,
        table: &[&str],
        stated: &std::collections::BTreeMap<String, OneOrSeveral<Expression>>,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> [Vec<(f64, f64)>; 3] {
        let known = variable_names(coordinates, controls);
        let mut bounds = vec![Given::FREE.bounds(); known.len()];
        for (name, value) in stated {
            let path: Vec<&str> = table.iter().copied().chain([name.as_str()]).collect();
            let place = self.known_name(&path, name, &known, "coordinate, velocity or control");
            if let (Some(place), Some(range)) = (place, self.range(&path, value, names)) {
                bounds[place] = range;
            }
        }
        let controls = bounds.split_off(2 * coordinates.len());
        let velocities = bounds.split_off(coordinates.len());
        [bounds, velocities, controls]
    }

    /// A given end must respect the bounds of its coordinate.
    pub(in crate::problem::build) fn within(
        &mut self,
        key: &str,
        name: &str,
        given: Given,
        (lower, upper): (f64, f64),
    ) {
        let (low, high) = given.bounds();
        let near = |bound: f64| 1e-9 * (1.0 + bound.abs());
        if low <= upper + near(upper) && high >= lower - near(lower) {
            return;
        }
        let path = of_task(&[key, name]);
        let here = self.document.path_text(&path);
        let shown = given.value().map_or(format!("[{low}, {high}]"), |value| value.to_string());
        let message = format!("`{here}` is {shown}, outside of the bounds [{lower}, {upper}] of `{name}`");
        self.error(&path, message, "out of bounds");
    }

    /// The value of a number or of an expression without `t`.
    pub(in crate::problem::build) fn fixed_number(
        &mut self,
        path: &[&str],
        source: &Expression,
        names: &Names,
    ) -> Option<f64> {
        let function = self.function(path, source, names)?;
        let here = self.document.path_text(path);
        if !function.is_constant() {
            if names.whole {
                let message = format!("`{here}` depends on `t`, expected a number or an expression without `t`");
                self.error(path, message, "must not depend on time");
            }
            return None;
        }
        match function.value_within(0.0, LARGEST) {
            Ok(value) => Some(value),
            Err(error) if names.whole => {
                self.failures(vec![(path.iter().map(|key| (*key).to_owned()).collect(), error)]);
                None
            }
            Err(_) => None,
        }
    }
}
