//! Paths of frames: positions, and a rotation about an axis, by a rotation vector, or both; in the plane, an angle.

use nalgebra::Vector3;

use super::super::Check;
use super::super::forward::geometry::vector;
use super::super::forward::instants::Instants;
use super::super::forward::scene::Scene;
use super::super::functions::Names;
use crate::discretisation::chain::{Guide, PosePath};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::magnitude::LARGEST;
use crate::kernel::{Expression, Function};
use crate::mechanism::{Frame, ServoSpec, TurnSpec};

impl Check<'_> {
    /// The servo paths, if all of them are right.
    pub(super) fn row_servos(
        &mut self,
        scene: &mut Scene<'_>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Vec<Guide>> {
        let spec = self.spec;
        if spec.servo.is_empty() && self.sure(&["servo"]) {
            let message = "there is no servo path, expected a table such as [servo.tip]: which motion is wanted?";
            let example = match self.dimension() {
                Some(2) => "for example at = \"beam.end\", x = \"1 + 0.2*rest(t, 2, 4, 6)\"",
                _ => {
                    "for example at = \"rod.end\" with x, y, z and turn = { axis = [0, 0, 1], angle = \"rest(t, 1, 2, 3)\" }"
                }
            };
            self.error(&["servo"], message, "no [servo.*] in this file").help(example);
        }
        let found: Vec<Option<Guide>> =
            spec.servo.iter().map(|(name, servo)| self.row_servo(name, servo, scene, names, instants)).collect();
        let failed = std::mem::take(&mut self.failed_paths);
        self.failures(failed);
        found.into_iter().collect::<Option<Vec<Guide>>>().filter(|servos| !servos.is_empty())
    }

    fn row_servo(
        &mut self,
        name: &str,
        servo: &ServoSpec,
        scene: &mut Scene<'_>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Guide> {
        let frame = self.frame_at(scene, &["servo", name, "at"], &servo.at, false);
        let (plane, limp) = (self.dimension() == Some(2), self.is_limp());
        let before = self.found.errors();
        self.refused_coordinates(name, servo, plane, limp);
        let turns = servo.angle.is_some() || servo.turn.is_some() || servo.rotation.is_some();
        let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z)];
        if !turns && given.iter().all(|(_, value)| value.is_none()) && self.sure(&["servo", name]) {
            let known = match (plane, limp) {
                (true, true) => "x, y",
                (false, true) => "x, y, z",
                (true, false) => "x, y, angle",
                (false, false) => "x, y, z, turn, rotation",
            };
            let message = format!("servo `{name}` prescribes nothing, expected one or more of {known}");
            self.error(&["servo", name], message, "no path");
        }
        let position = given.map(|(key, value)| {
            let (path, value) = (["servo", name, key], value.as_ref()?);
            let own = self.names_of_path(&path, value, names, |check| check.start_of(frame, key));
            Some(own.and_then(|own| self.path_function(&path, value, own.as_ref().unwrap_or(names), instants)))
        });
        let turning = match plane {
            true => self.plane_turn(name, servo, frame, scene, names, instants),
            false => self.turns(name, servo, frame, names, instants),
        };
        let frame = frame?;
        let mut reference = self.reference(scene, frame)?;
        if limp {
            reference.orientation = Quaternion::IDENTITY;
        }
        let mut holds = Vec::new();
        let mut functions =
            [reference.position[0], reference.position[1], reference.position[2]].map(Function::constant);
        for (c, (place, function)) in functions.iter_mut().zip(position).enumerate() {
            if let Some(function) = function {
                *place = function?;
                holds.push(c);
            }
        }
        if turns && !limp {
            holds.extend(if plane { 5..6 } else { 3..6 });
        }
        let origin = Vector3::zeros();
        let path = PosePath { origin, position: functions, turns: turning?, reference };
        (self.found.errors() == before).then(|| Guide { name: name.to_owned(), frame, path, holds, is_support: false })
    }

    /// Coordinates that the rods do not have.
    fn refused_coordinates(&mut self, name: &str, servo: &ServoSpec, plane: bool, limp: bool) {
        let given = [
            ("z", servo.z.is_some(), plane),
            ("angle", servo.angle.is_some(), limp || !plane),
            ("turn", servo.turn.is_some(), limp || plane),
            ("rotation", servo.rotation.is_some(), limp || plane),
        ];
        if !self.coordinates_are_known() {
            return;
        }
        for (key, _, _) in given.into_iter().filter(|(_, given, refused)| *given && *refused) {
            let path = ["servo", name, key];
            match (key, limp) {
                ("angle", false) => {
                    let message = format!(
                        "`servo.{name}.angle` is for beams in the plane, expected `turn` or `rotation` in space"
                    );
                    self.error(&path, message, "about which axis?")
                        .help("for example turn = { axis = [0, 0, 1], angle = \"...\" }");
                }
                ("angle" | "turn" | "rotation", true) => {
                    let message = format!("`servo.{name}.{key}` is for rods that bend: points of a string do not turn");
                    self.error(&path, message, "not for strings").help("remove it");
                }
                _ => {
                    let known = if limp { "x and y" } else { "x, y and angle" };
                    let message = format!("`servo.{name}.{key}` is for rods in space, expected {known} in the plane");
                    self.error(&path, message, "not in the plane");
                }
            }
        }
    }

    /// The rotation in the plane from the reference angle of a frame; none where the angle is free.
    fn plane_turn(
        &mut self,
        name: &str,
        servo: &ServoSpec,
        frame: Option<Frame>,
        scene: &mut Scene<'_>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Vec<[Function; 3]>> {
        let Some(angle) = &servo.angle else { return Some(Vec::new()) };
        let path = ["servo", name, "angle"];
        let own = self.names_of_path(&path, angle, names, |check| check.start_of(frame, "angle"))?;
        let names = own.as_ref().unwrap_or(names);
        self.path_function(&path, angle, names, instants)?;
        let offset = match frame? {
            Frame::Body(body) => {
                let pose = scene.bodies.get(body)?.part.as_ref()?.pose;
                let along = pose.orientation.rotate(Vector3::x());
                along[1].atan2(along[0])
            }
            Frame::Section { rod, boundary } => scene.rods.get(rod)?.part.as_ref()?.angle(boundary),
            Frame::Ground => return None,
        };
        let turn = self.function(&path, &less(angle, offset), names)?;
        let zero = || Function::constant(0.0);
        Some(vec![[zero(), zero(), turn]])
    }

    /// A function of time with two derivatives at all instants.
    fn path_function(
        &mut self,
        path: &[&str],
        expression: &Expression,
        names: &Names,
        instants: &Instants,
    ) -> Option<Function> {
        let function = self.function(path, expression, names).filter(|_| names.whole)?;
        let fails = |t: &f64| function.value_within(*t, LARGEST).err().or_else(|| function.jet(*t).err());
        let failure = instants.times.iter().find_map(fails);
        let right = failure.is_none();
        let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
        self.failed_paths.extend(failure.map(|error| (path, error)));
        right.then_some(function)
    }

    pub(super) fn turns(
        &mut self,
        name: &str,
        servo: &ServoSpec,
        frame: Option<Frame>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Vec<[Function; 3]>> {
        let (mut turns, mut right) = (Vec::new(), true);
        if let Some(rotation) = &servo.rotation {
            let path = ["servo", name, "rotation"];
            right &= self.length_of_vector(&path, rotation.len());
            let mut components = Vec::new();
            for (i, expression) in rotation.iter().enumerate() {
                let index = i.to_string();
                let path = ["servo", name, "rotation", &index];
                let own = self.names_of_path(&path, expression, names, |check| check.start_of(frame, &index));
                let function =
                    own.and_then(|own| self.path_function(&path, expression, own.as_ref().unwrap_or(names), instants));
                components.extend(function);
            }
            match <[Function; 3]>::try_from(components) {
                Ok(components) => turns.push(components),
                Err(_) => right = false,
            }
        }
        if let Some(turn) = &servo.turn {
            match self.turn(name, turn, names, instants) {
                Some(turn) => turns.push(turn),
                None => right = false,
            }
        }
        right.then_some(turns)
    }

    fn turn(&mut self, name: &str, turn: &TurnSpec, names: &Names, instants: &Instants) -> Option<[Function; 3]> {
        let path = ["servo", name, "turn", "axis"];
        let angle = ["servo", name, "turn", "angle"];
        let right = self.path_function(&angle, &turn.angle, names, instants).is_some();
        if !self.length_of_vector(&path, turn.axis.len()) || !right {
            return None;
        }
        let axis = vector(&turn.axis);
        if !(axis.norm() > 0.0) {
            let message = format!("the axis of servo `{name}` is zero, expected a direction");
            self.error(&path, message, "no direction");
            return None;
        }
        let axis = axis.normalize();
        let component = |c: usize| times(axis[c], &turn.angle);
        let functions = [component(0), component(1), component(2)].map(|e| self.function(&angle, &e, names));
        let [x, y, z] = functions;
        Some([x?, y?, z?])
    }

    /// A frame in the reference configuration.
    fn reference(&self, scene: &Scene<'_>, frame: Frame) -> Option<Pose> {
        let position = scene.position(frame)?;
        let orientation = match frame {
            Frame::Ground => return None,
            Frame::Body(body) => scene.bodies.get(body)?.part.as_ref()?.pose.orientation,
            Frame::Section { rod, boundary } => {
                let part = scene.rods.get(rod)?.part.as_ref()?;
                (part.reference)(part.boundary(boundary)).orientation
            }
        };
        Some(Pose { position, orientation })
    }
}

/// An expression less a number.
fn less(expression: &Expression, number: f64) -> Expression {
    match expression {
        Expression::Number(value) => Expression::Number(value - number),
        Expression::Text(text) => Expression::Text(format!("({text}) - ({number:?})")),
    }
}

/// A number times an expression.
fn times(number: f64, expression: &Expression) -> Expression {
    match expression {
        Expression::Number(value) => Expression::Number(number * value),
        Expression::Text(text) => Expression::Text(format!("({number:?})*({text})")),
    }
}
