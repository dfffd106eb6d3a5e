//! Frames: the names by which joints, supports and loads refer to places of the mechanism.

use super::super::{Check, list};
use super::scene::Scene;
use crate::kernel::suggest::nearest;
use crate::mechanism::Frame;

/// Largest distance, in elements, at which a fraction of the length still names a boundary of elements: fractions such
/// as 1/3 are written with few digits.
const NEAR: f64 = 1e-3;

/// What a fraction of a rod's length names.
enum Boundary {
    /// The boundary between elements of this index.
    At(usize),
    /// A place inside an element, so many elements from the start.
    Inside(f64),
    /// A place inside an element between stations, and the fraction of the nearest boundary.
    Between(f64),
    /// Not a number from 0 to 1.
    Outside,
}

impl Check<'_> {
    /// The frame of this name. The fixed frame is one only if `ground` is allowed.
    pub fn frame_at(&mut self, scene: &mut Scene<'_>, path: &[&str], name: &str, ground: bool) -> Option<Frame> {
        if !self.sure(path) {
            return None;
        }
        if ground && name == "ground" {
            return Some(Frame::Ground);
        }
        if let Some(body) = scene.body(name) {
            return Some(Frame::Body(body));
        }
        let (rod, place) = match (name.rsplit_once('.'), name.split_once('@')) {
            (_, Some((rod, fraction))) => (rod, Some(fraction)),
            (Some((rod, "start" | "end")), None) => (rod, None),
            _ => return self.unknown_frame(scene, path, name, ground),
        };
        let Some(index) = scene.rod(rod) else { return self.unknown_frame(scene, path, name, ground) };
        if !name.ends_with(".end") && self.runs_over_winch(rod) {
            let here = self.document.path_text(path);
            let message = format!(
                "`{here}` is \"{name}\", but rod `{rod}` runs over a winch, which joins its start and moves the rest along, expected \"{rod}.end\""
            );
            self.error(path, message, "no fixed place of the rope");
            return None;
        }
        let elements = self.spec.rod.get(rod).map_or(1, |rod| rod.elements.max(1));
        let mesh = scene.rods[index].part.as_ref().map(|part| (&part.mesh.boundaries, part.length));
        let uneven = mesh.filter(|(boundaries, _)| !boundaries.is_empty());
        let found = place.map(|fraction| match uneven {
            Some((boundaries, length)) => boundary_of(fraction, boundaries, length),
            None => boundary(fraction, elements),
        });
        let boundary = match found {
            None if name.ends_with(".start") => 0,
            None => elements,
            Some(Boundary::At(boundary)) => boundary,
            Some(_) if !self.sure(&["rod", rod, "elements"]) => return None,
            // Where stations could not be read, the places are not known.
            Some(_)
                if scene.rods[index].part.is_none()
                    && self.spec.rod.get(rod).is_some_and(|rod| !rod.grid.is_equal()) =>
            {
                return None;
            }
            Some(Boundary::Between(near)) => return self.between_stations(path, name, rod, near),
            Some(Boundary::Inside(from_start)) => return self.inside_element(path, name, rod, elements, from_start),
            Some(Boundary::Outside) => {
                let here = self.document.path_text(path);
                let message =
                    format!("`{here}` is \"{name}\", expected a fraction of the length from 0 to 1 after the @");
                self.error(path, message, "not a place of the rod");
                return None;
            }
        };
        let frame = Frame::Section { rod: index, boundary };
        scene.mention(name, frame);
        Some(frame)
    }

    fn runs_over_winch(&self, rod: &str) -> bool {
        self.spec.winch.values().any(|winch| winch.rope == rod || winch.counter.as_deref() == Some(rod))
    }

    fn between_stations(&mut self, path: &[&str], name: &str, rod: &str, near: f64) -> Option<Frame> {
        let here = self.document.path_text(path);
        let message =
            format!("`{here}` is \"{name}\", which lies inside an element, expected a place where elements meet");
        let near = (near * 1e6).round() / 1e6;
        self.error(path, message, "inside an element")
            .help(format!("with grid = \"stations\" the nearest is \"{rod}@{near}\"; more elements make more of them"));
        None
    }

    fn inside_element(
        &mut self,
        path: &[&str],
        name: &str,
        rod: &str,
        elements: usize,
        from_start: f64,
    ) -> Option<Frame> {
        let here = self.document.path_text(path);
        let fraction = from_start / elements as f64;
        let fits = |count: &usize| near_whole(fraction * *count as f64).is_some();
        let counts: Vec<String> = (1..=1000).filter(fits).take(3).map(|count: usize| count.to_string()).collect();
        let message = format!(
            "`{here}` is \"{name}\", which lies inside an element: {fraction} of {elements} elements is {from_start:.4}, expected a boundary between elements"
        );
        let near = (from_start.round() / elements as f64 * 1e6).round() / 1e6;
        let help = match counts.as_slice() {
            [] => format!("\"{rod}@{near}\" is the nearest boundary"),
            counts => format!("set rod.{rod}.elements to {} or so, or take \"{rod}@{near}\"", counts.join(", ")),
        };
        self.error(path, message, "inside an element").help(help);
        None
    }

    fn unknown_frame(&mut self, scene: &Scene<'_>, path: &[&str], name: &str, ground: bool) -> Option<Frame> {
        let base = name.split(['.', '@']).next().unwrap_or(name);
        // A part that is mistaken as a whole is not in the scene.
        if !self.sure(&["body", name]) || (scene.rod(base).is_none() && !self.sure(&["rod", base])) {
            return None;
        }
        let ends = scene.rods.iter().flat_map(|rod| ["start", "end"].map(|end| format!("{}.{end}", rod.name)));
        let bodies = scene.bodies.iter().map(|body| body.name.to_owned());
        let known: Vec<String> = ends.chain(bodies).chain(ground.then(|| "ground".to_owned())).collect();
        let hint = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean \"{near}\"? "),
            None if name == "ground" => "the ground neither moves nor carries loads. ".to_owned(),
            None => String::new(),
        };
        let inside =
            scene.rods.first().map_or(String::new(), |rod| format!(", places inside rods such as {}@0.5", rod.name));
        let here = self.document.path_text(path);
        let message = format!("`{here}` is \"{name}\", expected a body, a rod end or a place of a rod");
        let help = format!("{hint}Frames here: {}{inside}", list(&known));
        self.error(path, message, "unknown frame").help(help);
        None
    }
}

/// A fraction, `0.25` or `1/4`; NaN if it is none.
fn fraction_of(fraction: &str) -> f64 {
    match fraction.split_once('/') {
        Some((above, below)) => match (above.trim().parse::<f64>(), below.trim().parse::<f64>()) {
            (Ok(above), Ok(below)) => above / below,
            _ => f64::NAN,
        },
        None => fraction.trim().parse().unwrap_or(f64::NAN),
    }
}

/// What a fraction of a rod names whose elements meet at these arc lengths.
fn boundary_of(fraction: &str, boundaries: &[f64], length: f64) -> Boundary {
    let value = fraction_of(fraction);
    if !(0.0..=1.0).contains(&value) {
        return Boundary::Outside;
    }
    let s = value * length;
    let after = boundaries.partition_point(|boundary| *boundary < s).clamp(1, boundaries.len() - 1);
    let (left, right) = (boundaries[after - 1], boundaries[after]);
    let near = if s - left < right - s { after - 1 } else { after };
    let off = (s - boundaries[near]).abs();
    if off < NEAR * (right - left) { Boundary::At(near) } else { Boundary::Between(boundaries[near] / length) }
}

/// What a fraction of a rod of so many elements names.
fn boundary(fraction: &str, elements: usize) -> Boundary {
    let value = fraction_of(fraction);
    if !(0.0..=1.0).contains(&value) {
        return Boundary::Outside;
    }
    let from_start = value * elements as f64;
    near_whole(from_start).map_or(Boundary::Inside(from_start), Boundary::At)
}

fn near_whole(value: f64) -> Option<usize> {
    ((value - value.round()).abs() < NEAR).then(|| value.round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_name_boundaries() {
        let at = |fraction: &str, elements| match boundary(fraction, elements) {
            Boundary::At(boundary) => Some(boundary),
            _ => None,
        };
        assert_eq!([at("0.3", 10), at("0", 10), at("1", 10), at("1/3", 9)], [Some(3), Some(0), Some(10), Some(3)]);
        assert_eq!(
            [at("0.3333", 3), at("0.3", 7), at("1.1", 10), at("x", 10), at("1/0", 10)],
            [Some(1), None, None, None, None]
        );
        assert!(matches!(boundary("0.3", 7), Boundary::Inside(place) if (place - 2.1).abs() < 1e-12));
    }
}
