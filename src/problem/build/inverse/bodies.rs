//! Frames: the ends of the rod, and bodies joined to them.

use super::super::Check;
use super::super::list;
use super::rods::Outline;
use crate::kernel::suggest::nearest;
use crate::models::{BodySpec, Side, Tensor};

/// A body and the end it moves with.
pub struct JoinedBody {
    pub name: String,
    pub side: Side,
    pub mass: f64,
    pub inertia: f64,
}

impl Check<'_> {
    /// Bodies, each joined to one end by a rigid joint.
    pub fn bodies(&mut self, rod: &Outline<'_>) -> Vec<JoinedBody> {
        let before = self.found.errors();
        let mut joined: Vec<JoinedBody> = Vec::new();
        for (name, joint) in &self.spec.joint {
            let path = ["joint", name.as_str(), "between"];
            let [a, b] = &joint.between;
            let (body, frame, index) = match (self.spec.body.get_key_value(a), self.spec.body.get_key_value(b)) {
                (Some(body), None) => (body, b, "1"),
                (None, Some(body)) => (body, a, "0"),
                (both, _) => {
                    self.joint_without_body(rod, name, [a, b], both.is_some());
                    continue;
                }
            };
            let Some(side) = self.rod_end(rod, &[path[0], path[1], path[2], index], frame) else { continue };
            if joined.iter().any(|other| other.name == *body.0) {
                self.error(&path, format!("body `{}` is joined twice", body.0), "already joined");
                continue;
            }
            let inertia = plane_inertia(body.1);
            joined.push(JoinedBody { name: body.0.clone(), side, mass: body.1.mass, inertia });
        }
        let joints_are_right = self.found.errors() == before && self.sure(&["joint"]);
        for (name, body) in &self.spec.body {
            self.not_negative(&["body", name, "mass"], body.mass);
            let inertia = plane_inertia(body);
            self.not_negative(&["body", name, "inertia"], inertia);
            if inertia > 0.0 && rod.coordinates.is_some_and(|coordinates| !coordinates.contains(&"angle")) {
                let message = format!("`body.{name}.inertia` is {inertia}, but a string does not turn a body");
                self.error(&["body", name, "inertia"], message, "without effect on a string")
                    .help("remove it; a point mass has only `mass`");
            }
            let mentioned = self.spec.joint.values().any(|joint| joint.between.contains(name));
            if !mentioned && joints_are_right {
                let end = format!("{}.end", rod.name.unwrap_or("rod"));
                let message = format!("body `{name}` is joined to nothing, expected a joint with an end of the rod");
                self.error(&["body", name], message, "not part of the mechanism")
                    .help(format!("add [joint.{name}] with between = [\"{name}\", \"{end}\"] and type = \"rigid\""));
            }
        }
        joined
    }

    /// A joint between two bodies, or between two things of which none is a body.
    fn joint_without_body(&mut self, rod: &Outline<'_>, name: &str, [a, b]: [&str; 2], two_bodies: bool) {
        let ends = rod_ends(rod);
        if !self.sure(&["body"]) || ends.is_empty() {
            return;
        }
        let what = if two_bodies { "two bodies" } else { "no body" };
        self.limited |= two_bodies;
        let names: Vec<&str> = self.spec.body.keys().map(String::as_str).collect();
        let is_end = |frame: &str| ends.iter().any(|end| end == frame);
        // If one of the two is an end, the other must have been meant as the body.
        let (index, hint) = match (two_bodies, is_end(a), is_end(b)) {
            (false, true, false) => (Some("1"), nearest(b, names.iter().copied())),
            (false, false, true) => (Some("0"), nearest(a, names.iter().copied())),
            _ => (None, None),
        };
        let hint = hint.map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
        let help = format!("{hint}Bodies here: {}; rod ends: {}", list(&names), list(&ends));
        let message =
            format!("joint `{name}` connects {what} ([\"{a}\", \"{b}\"]), expected a body and an end of the rod");
        let path: Vec<&str> = ["joint", name, "between"].into_iter().chain(index).collect();
        self.error(&path, message, if index.is_some() { "not a body" } else { "a body and a rod end" }).help(help);
    }

    /// The end a frame name means: a rod end, or a body joined to one.
    pub fn frame(&mut self, rod: &Outline<'_>, bodies: &[JoinedBody], path: &[&str], frame: &str) -> Option<Side> {
        match bodies.iter().find(|body| body.name == frame) {
            Some(body) => Some(body.side),
            None if self.spec.body.contains_key(frame) => None,
            None => self.rod_end(rod, path, frame),
        }
    }

    fn rod_end(&mut self, rod: &Outline<'_>, path: &[&str], frame: &str) -> Option<Side> {
        let ends = rod_ends(rod);
        if let Some(index) = ends.iter().position(|end| end == frame) {
            return Side::BOTH.get(index).copied();
        }
        if ends.is_empty() || !self.sure(&["body", frame]) {
            return None;
        }
        let bodies = self.spec.body.keys().map(String::as_str);
        let known: Vec<&str> = ends.iter().map(String::as_str).chain(bodies).collect();
        let (label, help) = if frame.contains('@') {
            self.limited = true;
            ("not an end of the rod", "points inside a rod cannot be used here yet. ".to_owned())
        } else if frame == "ground" {
            ("cannot be used here", "use a support to hold a coordinate. ".to_owned())
        } else {
            let near = nearest(frame, known.iter().copied());
            ("unknown frame", near.map_or(String::new(), |near| format!("did you mean \"{near}\"? ")))
        };
        let help = format!("{help}Frames here: {}", list(&known));
        let here = self.document.path_text(path);
        let message = format!("`{here}` is \"{frame}\", expected an end of the rod or a body on it");
        self.error(path, message, label).help(help);
        None
    }
}

/// The one number that is the rotary inertia in the plane; others are refused elsewhere.
fn plane_inertia(body: &BodySpec) -> f64 {
    match body.inertia {
        Tensor::Number(inertia) => inertia,
        Tensor::List(_) => 0.0,
    }
}

/// The frames of a rod whose name is known.
fn rod_ends(rod: &Outline<'_>) -> Vec<String> {
    rod.name.into_iter().flat_map(|name| Side::BOTH.map(|side| format!("{name}.{}", side.name()))).collect()
}
