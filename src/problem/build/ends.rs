//! Ends: frames, bodies, joints, actuators, servo paths, loads, supports, and whether they determine the motion.

use super::Check;
use super::rods::CheckedRod;
use crate::kernel::suggest::nearest;
use crate::kernel::{Expression, Function, Scope};
use crate::models::{Coordinate, ForceComponent, Side};
use crate::tasks::{Channel, Output, force_name};

/// Everything attached to the ends of the rod.
#[derive(Default)]
pub struct Parts {
    pub bodies: Vec<JoinedBody>,
    pub channels: Vec<Channel>,
    pub outputs: Vec<Prescription>,
    pub loads: Vec<Prescription>,
    pub held: Vec<(Side, usize)>,
}

/// A body and the end it moves with.
pub struct JoinedBody {
    pub name: String,
    pub side: Side,
    pub mass: f64,
    pub inertia: f64,
}

/// A function of time for one coordinate of one end.
pub struct Prescription {
    pub output: Output,
    pub function: Function,
    pub path: Vec<String>,
}

impl Check<'_> {
    pub fn ends(&mut self, rod: &CheckedRod<'_>, scope: Option<&Scope>) -> Option<Parts> {
        let before = self.found.errors();
        let mut parts = Parts { bodies: self.bodies(rod), ..Parts::default() };
        self.actuators(rod, &mut parts);
        self.servos(rod, scope, &mut parts);
        self.loads(rod, scope, &mut parts);
        self.supports(rod, &mut parts);
        if self.found.errors() == before {
            self.count(&parts);
        }
        (self.found.errors() == before).then_some(parts)
    }

    /// Bodies, each joined to one end by a rigid joint.
    fn bodies(&mut self, rod: &CheckedRod<'_>) -> Vec<JoinedBody> {
        let mut joined: Vec<JoinedBody> = Vec::new();
        for (name, joint) in &self.spec.joint {
            let path = ["joint", name.as_str(), "between"];
            let [a, b] = &joint.between;
            let (body, frame) = match (self.spec.body.get_key_value(a), self.spec.body.get_key_value(b)) {
                (Some(body), None) => (body, b),
                (None, Some(body)) => (body, a),
                (both, _) => {
                    let what = if both.is_some() { "two bodies" } else { "no body" };
                    let names: Vec<&str> = self.spec.body.keys().map(String::as_str).collect();
                    self.error(
                        &path,
                        format!(
                            "joint `{name}` connects {what} ([\"{a}\", \"{b}\"]), expected a body and an end of the rod"
                        ),
                        "a body and a rod end",
                    )
                    .help(format!(
                        "bodies here: {}; rod ends: {}",
                        list(&names),
                        list(&rod_ends(rod))
                    ));
                    continue;
                }
            };
            let Some(side) = self.rod_end(rod, &path, frame) else { continue };
            if joined.iter().any(|other| other.name == *body.0) {
                self.error(&path, format!("body `{}` is joined twice", body.0), "already joined");
                continue;
            }
            joined.push(JoinedBody { name: body.0.clone(), side, mass: body.1.mass, inertia: body.1.inertia });
        }
        for (name, body) in &self.spec.body {
            self.not_negative(&["body", name, "mass"], body.mass);
            self.not_negative(&["body", name, "inertia"], body.inertia);
            if body.inertia > 0.0 && !rod.coordinates().contains(&"angle") {
                self.error(
                    &["body", name, "inertia"],
                    format!("body `{name}` has rotary inertia {}, but a string does not turn it", body.inertia),
                    "without effect on a string",
                )
                .help("remove it; a point mass has only `mass`");
            }
            let mentioned = self.spec.joint.values().any(|joint| joint.between.contains(name));
            if !mentioned {
                self.error(&["body", name], format!("body `{name}` is joined to nothing"), "not part of the mechanism")
                    .help(format!(
                        "add [joint.{name}] with between = [\"{name}\", \"{}.end\"] and type = \"rigid\"",
                        rod.name
                    ));
            }
        }
        joined
    }

    /// The end a frame name means: a rod end, or a body joined to one.
    fn frame(&mut self, rod: &CheckedRod<'_>, bodies: &[JoinedBody], path: &[&str], frame: &str) -> Option<Side> {
        match bodies.iter().find(|body| body.name == frame) {
            Some(body) => Some(body.side),
            None if self.spec.body.contains_key(frame) => None,
            None => self.rod_end(rod, path, frame),
        }
    }

    fn rod_end(&mut self, rod: &CheckedRod<'_>, path: &[&str], frame: &str) -> Option<Side> {
        let ends = rod_ends(rod);
        if let Some(index) = ends.iter().position(|end| end == frame) {
            return Some(Side::BOTH[index]);
        }
        let bodies = self.spec.body.keys().map(String::as_str);
        let known: Vec<&str> = ends.iter().map(String::as_str).chain(bodies).collect();
        let (label, help) = if frame.contains('@') {
            ("not an end of the rod", "points inside a rod cannot be used here yet; ".to_owned())
        } else if frame == "ground" {
            ("cannot be used here", "use a support to hold a coordinate; ".to_owned())
        } else {
            let near = nearest(frame, known.iter().copied());
            ("unknown frame", near.map_or(String::new(), |near| format!("did you mean \"{near}\"? ")))
        };
        let help = format!("{help}Frames here: {}", list(&known));
        self.error(path, format!("there is no frame \"{frame}\", expected an end of the rod or a body on it"), label)
            .help(help);
        None
    }

    fn actuators(&mut self, rod: &CheckedRod<'_>, parts: &mut Parts) {
        if self.spec.actuator.is_empty() {
            self.error(
                &["actuator"],
                "there is no actuator, expected a table such as [actuator.base]: what may act on the rod?",
                "no [actuator.*] in this file",
            );
        }
        for (name, actuator) in &self.spec.actuator {
            let side = self.frame(rod, &parts.bodies, &["actuator", name, "at"], &actuator.at);
            if actuator.acts.is_empty() {
                self.error(
                    &["actuator", name, "acts"],
                    format!("actuator `{name}` applies nothing: `acts` is empty"),
                    "expected at least one component",
                );
            }
            for (i, component) in actuator.acts.iter().enumerate() {
                let index = i.to_string();
                let path = ["actuator", name.as_str(), "acts", index.as_str()];
                let coordinate = match component {
                    ForceComponent::ForceX => "x",
                    ForceComponent::ForceY => "y",
                    ForceComponent::ForceZ => "z",
                    ForceComponent::Torque => "angle",
                };
                let (force, _) = force_name(coordinate);
                let Some(c) = self.coordinate(rod, &path, coordinate, force) else { continue };
                let Some(side) = side else { continue };
                if let Some(other) = parts.channels.iter().find(|ch| (ch.side, ch.coordinate) == (side, c)) {
                    let other = other.name.clone();
                    self.error(
                        &path,
                        format!("\"{force}\" at \"{}\" is applied twice (also as `{other}`)", actuator.at),
                        "applied already",
                    );
                    continue;
                }
                parts.channels.push(Channel { name: format!("{name}.{force}"), side, coordinate: c });
            }
        }
    }

    fn coordinate(&mut self, rod: &CheckedRod<'_>, path: &[&str], coordinate: &str, what: &str) -> Option<usize> {
        let found = rod.coordinates().iter().position(|&name| name == coordinate);
        if found.is_none() {
            let model = if rod.coordinates().contains(&"angle") { "a plane beam" } else { "a string" };
            let dimension = self.spec.dimension;
            self.error(
                path,
                format!("{model} with `dimension` = {dimension} has no \"{what}\""),
                format!("expected one of the coordinates {}", list(rod.coordinates())),
            );
        }
        found
    }

    fn servos(&mut self, rod: &CheckedRod<'_>, scope: Option<&Scope>, parts: &mut Parts) {
        if self.spec.servo.is_empty() {
            self.error(
                &["servo"],
                "there is no servo path, expected a table such as [servo.tip]: which motion is wanted?",
                "no [servo.*] in this file",
            );
        }
        for (name, servo) in &self.spec.servo {
            let side = self.frame(rod, &parts.bodies, &["servo", name, "at"], &servo.at);
            let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z), ("angle", &servo.angle)];
            if given.iter().all(|(_, expression)| expression.is_none()) {
                self.error(
                    &["servo", name],
                    format!("servo `{name}` prescribes nothing, expected one or more of {}", list(rod.coordinates())),
                    "no path",
                );
            }
            for (key, expression) in given {
                let Some(expression) = expression else { continue };
                let path = ["servo", name.as_str(), key];
                let c = self.coordinate(rod, &path, key, key);
                let function = self.function(&path, expression, scope);
                let (Some(side), Some(coordinate), Some(function)) = (side, c, function) else { continue };
                if parts.outputs.iter().any(|o| (o.output.side, o.output.coordinate) == (side, coordinate)) {
                    self.error(
                        &path,
                        format!("the motion of {key} at \"{}\" is prescribed twice", servo.at),
                        "prescribed already",
                    );
                    continue;
                }
                parts.outputs.push(Prescription {
                    output: Output { name: format!("{name}.{key}"), side, coordinate },
                    function,
                    path: path.map(str::to_owned).into(),
                });
            }
        }
    }

    fn loads(&mut self, rod: &CheckedRod<'_>, scope: Option<&Scope>, parts: &mut Parts) {
        let dimension = self.spec.dimension;
        for (name, load) in &self.spec.load {
            let side = self.frame(rod, &parts.bodies, &["load", name, "at"], &load.at);
            let mut given: Vec<(usize, Vec<String>, &Expression)> = Vec::new();
            if let Some(force) = &load.force {
                if force.len() != dimension {
                    let count = force.len();
                    self.error(
                        &["load", name, "force"],
                        format!("`load.{name}.force` has {count} components, expected {dimension} because `dimension` is {dimension}"),
                        "wrong length",
                    );
                }
                for (c, expression) in force.iter().enumerate().take(dimension) {
                    given.push((c, ["load", name, "force", &c.to_string()].map(str::to_owned).into(), expression));
                }
            }
            if let Some(torque) = &load.torque {
                let path = ["load", name.as_str(), "torque"];
                if let Some(c) = self.coordinate(rod, &path, "angle", "torque") {
                    given.push((c, path.map(str::to_owned).into(), torque));
                }
            }
            if load.force.is_none() && load.torque.is_none() {
                self.error(
                    &["load", name],
                    format!("load `{name}` applies nothing, expected `force` or `torque`"),
                    "no load",
                );
            }
            for (coordinate, path, expression) in given {
                let parts_of: Vec<&str> = path.iter().map(String::as_str).collect();
                let function = self.function(&parts_of, expression, scope);
                let (Some(side), Some(function)) = (side, function) else { continue };
                let output = Output { name: self.document.path_text(&path), side, coordinate };
                if let Some(other) =
                    parts.loads.iter().find(|o| (o.output.side, o.output.coordinate) == (side, coordinate))
                {
                    let message = format!(
                        "`{}` acts where `{}` acts already; add them in one expression",
                        output.name, other.output.name
                    );
                    self.error(&parts_of, message, "a second load here");
                    continue;
                }
                parts.loads.push(Prescription { output, function, path });
            }
        }
    }

    fn supports(&mut self, rod: &CheckedRod<'_>, parts: &mut Parts) {
        for (name, support) in &self.spec.support {
            let side = self.frame(rod, &parts.bodies, &["support", name, "at"], &support.at);
            for (i, coordinate) in support.fixes.iter().enumerate() {
                let index = i.to_string();
                let path = ["support", name.as_str(), "fixes", index.as_str()];
                let key = match coordinate {
                    Coordinate::X => "x",
                    Coordinate::Y => "y",
                    Coordinate::Z => "z",
                    Coordinate::Angle => "angle",
                };
                let Some(c) = self.coordinate(rod, &path, key, key) else { continue };
                let Some(side) = side else { continue };
                let clash = if parts.held.contains(&(side, c)) {
                    Some("another support holds it".to_owned())
                } else if let Some(o) = parts.outputs.iter().find(|o| (o.output.side, o.output.coordinate) == (side, c))
                {
                    Some(format!("servo `{}` moves it", o.output.name))
                } else {
                    let channel = parts.channels.iter().find(|ch| (ch.side, ch.coordinate) == (side, c));
                    channel.map(|channel| format!("actuator `{}` acts on it", channel.name))
                };
                match clash {
                    Some(why) => self
                        .error(&path, format!("{key} at \"{}\" cannot be held: {why}", support.at), "contradiction")
                        .help("a coordinate is held, moved or actuated, not two of these"),
                    None => parts.held.push((side, c)),
                }
            }
        }
    }

    /// As many unknown forces as prescribed motions.
    fn count(&mut self, parts: &Parts) {
        let (inputs, outputs) = (parts.channels.len(), parts.outputs.len());
        if inputs == outputs {
            return;
        }
        let channels: Vec<&str> = parts.channels.iter().map(|c| c.name.as_str()).collect();
        let servos: Vec<&str> = parts.outputs.iter().map(|o| o.output.name.as_str()).collect();
        let message = format!(
            "{outputs} servo outputs ({}) but {inputs} actuator inputs ({}), expected as many inputs as outputs",
            list(&servos),
            list(&channels)
        );
        let help = if outputs > inputs {
            "give the actuator more components in `acts`, or prescribe fewer coordinates"
        } else {
            "prescribe more coordinates, or take components out of `acts`: they would be undetermined"
        };
        let name = self.spec.actuator.keys().next().map_or("", String::as_str);
        self.error(&["actuator", name, "acts"], message, "inputs and outputs do not match").help(help);
    }
}

fn rod_ends(rod: &CheckedRod<'_>) -> [String; 2] {
    Side::BOTH.map(|side| format!("{}.{}", rod.name, side.name()))
}

fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
