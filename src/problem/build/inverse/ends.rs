//! Ends: actuators, servo paths, loads, supports, and whether they determine the motion.

use super::super::Check;
use super::super::functions::Names;
use super::super::list;
use super::super::values::LOADED_FRAME;
use super::bodies::JoinedBody;
use super::rods::Outline;
use crate::kernel::{Expression, Function, OneOrSeveral};
use crate::models::{Coordinate, ForceComponent, Side, SupportSpec, SupportType};
use crate::tasks::{Channel, Output, force_name};

/// Everything attached to the ends of the rod.
#[derive(Default)]
pub struct Parts {
    pub bodies: Vec<JoinedBody>,
    pub channels: Vec<Channel>,
    pub outputs: Vec<Prescription>,
    pub loads: Vec<Prescription>,
    pub held: Vec<(Side, usize)>,
    /// Whether all of this is there and right.
    pub whole: bool,
}

/// A function of time for one coordinate of one end.
pub struct Prescription {
    pub output: Output,
    pub function: Function,
    pub path: Vec<String>,
}

impl Check<'_> {
    pub fn ends(&mut self, rod: &Outline<'_>, names: &Names) -> Parts {
        let before = self.found.errors();
        let mut parts = Parts { bodies: self.bodies(rod), ..Parts::default() };
        self.actuators(rod, &mut parts);
        self.servos(rod, names, &mut parts);
        self.loads(rod, names, &mut parts);
        self.supports(rod, &mut parts);
        let tables = ["body", "joint", "actuator", "servo", "load", "support", "let"];
        parts.whole = names.whole && self.found.errors() == before && tables.iter().all(|table| self.sure(&[table]));
        parts
    }

    fn actuators(&mut self, rod: &Outline<'_>, parts: &mut Parts) {
        if self.spec.actuator.is_empty() && self.sure(&["actuator"]) {
            self.error(
                &["actuator"],
                "there is no actuator, expected a table such as [actuator.base]: what may act on the rod?",
                "no [actuator.*] in this file",
            )
            .help("for example at = \"beam.start\" and acts = [\"force_x\", \"force_y\", \"torque\"]");
        }
        for (name, actuator) in &self.spec.actuator {
            let side = self.frame(rod, &parts.bodies, &["actuator", name, "at"], &actuator.at);
            if actuator.acts.is_empty() && self.sure(&["actuator", name]) {
                self.error(
                    &["actuator", name, "acts"],
                    format!("actuator `{name}` applies nothing: `acts` is empty, expected at least one component"),
                    "no component",
                );
            }
            if actuator.follows {
                self.limited = true;
                let message = format!("actuator `{name}` follows its frame, expected one in the fixed frame");
                self.error(&["actuator", name, "follows"], message, "not for inverse dynamics").help("remove it");
            }
            for (i, component) in actuator.acts.iter().enumerate() {
                let index = i.to_string();
                let path = ["actuator", name.as_str(), "acts", index.as_str()];
                let coordinate = match component {
                    ForceComponent::ForceX => "x",
                    ForceComponent::ForceY => "y",
                    ForceComponent::ForceZ => "z",
                    ForceComponent::Torque => "angle",
                    other => {
                        let message = format!(
                            "`{}` is \"{}\", expected \"force_x\", \"force_y\", \"force_z\" or \"torque\" in inverse dynamics",
                            self.document.path_text(&path),
                            other.name()
                        );
                        self.error(&path, message, "not for inverse dynamics");
                        continue;
                    }
                };
                let (force, _) = force_name(coordinate);
                let Some(c) = self.coordinate(rod, &path, coordinate, true) else { continue };
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

    /// The coordinate of this name; `is_force` if what stands at `path` is the force that belongs to it.
    fn coordinate(&mut self, rod: &Outline<'_>, path: &[&str], coordinate: &str, is_force: bool) -> Option<usize> {
        let coordinates = rod.coordinates?;
        let found = coordinates.iter().position(|&name| name == coordinate);
        if found.is_none() {
            let model = if coordinates.contains(&"angle") { "beam" } else { "string" };
            let space = if coordinates.contains(&"z") { "in space" } else { "in the plane" };
            let here = self.document.path_text(path);
            let (message, known) = if is_force {
                let forces: Vec<&str> = coordinates.iter().map(|name| force_name(name).0).collect();
                let (force, _) = force_name(coordinate);
                (format!("`{here}` is \"{force}\", which cannot act on a {model} {space}"), list(&forces))
            } else {
                (format!("`{here}`: a {model} {space} has no coordinate {coordinate}"), list(coordinates))
            };
            self.error(path, format!("{message}, expected one of {known}"), format!("expected one of {known}"));
        }
        found
    }

    fn servos(&mut self, rod: &Outline<'_>, names: &Names, parts: &mut Parts) {
        if self.spec.servo.is_empty() && self.sure(&["servo"]) {
            self.error(
                &["servo"],
                "there is no servo path, expected a table such as [servo.tip]: which motion is wanted?",
                "no [servo.*] in this file",
            )
            .help("for example at = \"beam.end\", x = \"1 + 0.2*rest(t, 2, 4, 6)\"");
        }
        for (name, servo) in &self.spec.servo {
            let side = self.frame(rod, &parts.bodies, &["servo", name, "at"], &servo.at);
            let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z), ("angle", &servo.angle)];
            self.refuse(servo.turn.is_some(), &["servo", name, "turn"], "`turn` for rods in space");
            self.refuse(servo.rotation.is_some(), &["servo", name, "rotation"], "`rotation` for rods in space");
            if servo.turn.is_some() || servo.rotation.is_some() {
                continue;
            }
            if given.iter().all(|(_, expression)| expression.is_none()) && self.sure(&["servo", name]) {
                let coordinates = rod.coordinates.unwrap_or(&["x", "y", "z", "angle"]);
                self.error(
                    &["servo", name],
                    format!("servo `{name}` prescribes nothing, expected one or more of {}", list(coordinates)),
                    "no path",
                );
            }
            for (key, expression) in given {
                let Some(expression) = expression else { continue };
                let path = ["servo", name.as_str(), key];
                let c = self.coordinate(rod, &path, key, false);
                let function = self.function(&path, expression, names);
                let (Some(side), Some(coordinate), Some(function)) = (side, c, function) else { continue };
                if let Some(other) =
                    parts.outputs.iter().find(|o| (o.output.side, o.output.coordinate) == (side, coordinate))
                {
                    let other = &other.output.name;
                    self.error(
                        &path,
                        format!("the motion of {key} at \"{}\" is prescribed twice (also as `{other}`)", servo.at),
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

    fn loads(&mut self, rod: &Outline<'_>, names: &Names, parts: &mut Parts) {
        let dimension = self.dimension().unwrap_or(0);
        for (name, load) in &self.spec.load {
            let side = match &load.at {
                Some(at) => self.frame(rod, &parts.bodies, &["load", name, "at"], at),
                None => {
                    if load.along.is_none() {
                        self.missing_key(&["load", name, "at"], "a string", LOADED_FRAME);
                    }
                    None
                }
            };
            let mut given: Vec<(usize, Vec<String>, &Expression)> = Vec::new();
            if let Some(force) = &load.force {
                self.length_of_vector(&["load", name, "force"], force.len());
                for (c, expression) in force.iter().enumerate().take(dimension) {
                    given.push((c, ["load", name, "force", &c.to_string()].map(str::to_owned).into(), expression));
                }
            }
            if let Some(OneOrSeveral::One(torque)) = &load.torque {
                let path = ["load", name.as_str(), "torque"];
                if let Some(c) = self.coordinate(rod, &path, "angle", true) {
                    given.push((c, path.map(str::to_owned).into(), torque));
                }
            }
            if load.force.is_none() && load.torque.is_none() && self.sure(&["load", name]) {
                self.error(
                    &["load", name],
                    format!("load `{name}` applies nothing, expected `force` or `torque`"),
                    "no load",
                );
            }
            for (coordinate, path, expression) in given {
                let parts_of: Vec<&str> = path.iter().map(String::as_str).collect();
                let function = self.function(&parts_of, expression, names);
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

    fn supports(&mut self, rod: &Outline<'_>, parts: &mut Parts) {
        for (name, support) in &self.spec.support {
            let side = self.frame(rod, &parts.bodies, &["support", name, "at"], &support.at);
            for (path, key) in self.held(rod, name, support) {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let Some(c) = self.coordinate(rod, &path, key, false) else { continue };
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

    /// Coordinates that a support holds, each with the key path that says so.
    fn held(&mut self, rod: &Outline<'_>, name: &str, support: &SupportSpec) -> Vec<(Vec<String>, &'static str)> {
        if let (Some(kind), None) = (support.r#type, &support.fixes) {
            let coordinates = rod.coordinates.unwrap_or_default().iter().copied();
            let held = coordinates.filter(|coordinate| kind == SupportType::Clamp || *coordinate != "angle");
            return held.map(|key| (["support", name, "type"].map(str::to_owned).into(), key)).collect();
        }
        let fixes = self.fixes(name, support);
        let names = fixes.iter().enumerate().filter_map(|(i, coordinate)| {
            let key = match coordinate {
                Coordinate::X => "x",
                Coordinate::Y => "y",
                Coordinate::Z => "z",
                Coordinate::Angle => "angle",
                // Refused elsewhere.
                Coordinate::Rotation => return None,
            };
            Some((["support", name, "fixes", &i.to_string()].map(str::to_owned).into(), key))
        });
        names.collect()
    }

    /// Whether there are as many unknown forces as prescribed motions.
    pub fn count(&mut self, parts: &Parts) -> bool {
        let (inputs, outputs) = (parts.channels.len(), parts.outputs.len());
        if inputs == outputs {
            return true;
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
        false
    }
}
