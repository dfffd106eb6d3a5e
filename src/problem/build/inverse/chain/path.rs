//! The path of a pose: three positions, and a rotation about an axis, by a rotation vector, or both.

use super::super::super::Check;
use super::super::super::forward::geometry::vector;
use super::super::super::forward::instants::Instants;
use super::super::super::forward::scene::Scene;
use super::super::super::functions::Names;
use super::super::super::list;
use super::{INCOMPLETE, Servo};
use crate::discretisation::chain::PosePath;
use crate::geometry::Pose;
use crate::kernel::{Expression, Function};
use crate::models::structure::Frame;
use crate::models::{ServoSpec, TurnSpec};

impl Check<'_> {
    /// The one servo path.
    pub(super) fn chain_servo(&mut self, scene: &mut Scene<'_>, names: &Names, instants: &Instants) -> Option<Servo> {
        let spec = self.spec;
        if spec.servo.is_empty() && self.sure(&["servo"]) {
            let message = "there is no servo path, expected a table such as [servo.tip]: which motion is wanted?";
            self.error(&["servo"], message, "no [servo.*] in this file")
                .help("for example at = \"rod.end\" with x, y, z and turn = { axis = [0, 0, 1], angle = \"rest(t, 1, 2, 3)\" }");
        }
        for name in spec.servo.keys().skip(1) {
            let message = format!("servo `{name}` is a second path, expected one with the whole pose of one end");
            self.error(&["servo", name], message, "a second servo").help("put x, y, z and the rotation into one table");
        }
        let (name, servo) = spec.servo.iter().next()?;
        if self.dimension() == Some(2) {
            return self.plane_servo(name, servo, scene, names, instants);
        }
        let frame = self.frame_at(scene, &["servo", name, "at"], &servo.at, false);
        if servo.angle.is_some() {
            let message =
                format!("`servo.{name}.angle` is for beams in the plane, expected `turn` or `rotation` in space");
            self.error(&["servo", name, "angle"], message, "about which axis?")
                .help("for example turn = { axis = [0, 0, 1], angle = \"...\" }");
        }
        let given = [("x", &servo.x), ("y", &servo.y), ("z", &servo.z)];
        let turns = servo.turn.is_some() || servo.rotation.is_some() || servo.angle.is_some();
        let missing: Vec<&str> = given
            .iter()
            .filter_map(|(key, expression)| expression.is_none().then_some(*key))
            .chain((!turns).then_some("the rotation (`turn` or `rotation`)"))
            .collect();
        if !missing.is_empty() && self.sure(&["servo", name]) {
            let message = format!(
                "servo `{name}` does not prescribe {}: the motion of a rod in space follows from one end only if its whole pose is prescribed there",
                list(&missing)
            );
            self.error(&["servo", name], message, "an incomplete pose").help(INCOMPLETE);
        }
        let position = given
            .map(|(key, expression)| self.path_function(&["servo", name, key], expression.as_ref()?, names, instants));
        let turns = self.turns(name, servo, names, instants);
        let [x, y, z] = position;
        let frame = frame?;
        Some(Servo {
            name: name.clone(),
            frame,
            path: PosePath { position: [x?, y?, z?], turns: turns?, reference: self.reference(scene, frame)? },
        })
    }

    /// The path of a frame in the plane: x, y and the angle.
    fn plane_servo(
        &mut self,
        name: &str,
        servo: &ServoSpec,
        scene: &mut Scene<'_>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Servo> {
        let frame = self.frame_at(scene, &["servo", name, "at"], &servo.at, false);
        for (key, given) in
            [("z", servo.z.is_some()), ("turn", servo.turn.is_some()), ("rotation", servo.rotation.is_some())]
        {
            if given {
                let message =
                    format!("`servo.{name}.{key}` is for rods in space, expected x, y and angle in the plane");
                self.error(&["servo", name, key], message, "not in the plane");
            }
        }
        let given = [("x", &servo.x), ("y", &servo.y), ("angle", &servo.angle)];
        let missing: Vec<&str> = given.iter().filter_map(|(key, value)| value.is_none().then_some(*key)).collect();
        if !missing.is_empty() && self.sure(&["servo", name]) {
            let message = format!(
                "servo `{name}` does not prescribe {}: the motion of rods that are not straight, uniform and alone follows from one end only if its whole pose is prescribed there",
                list(&missing)
            );
            self.error(&["servo", name], message, "an incomplete pose").help(INCOMPLETE);
        }
        let functions = given
            .map(|(key, expression)| self.path_function(&["servo", name, key], expression.as_ref()?, names, instants));
        let frame = frame?;
        let reference = self.reference(scene, frame)?;
        let offset = match frame {
            Frame::Body(_) => {
                let along = reference.orientation.rotate(nalgebra::Vector3::x());
                along[1].atan2(along[0])
            }
            Frame::Section { rod, boundary } => scene.rods.get(rod)?.part.as_ref()?.angle(boundary),
            Frame::Ground => return None,
        };
        let [x, y, angle] = functions;
        // What is wrong with the angle has been told.
        angle?;
        let angle = servo.angle.as_ref().map(|angle| less(angle, offset));
        let turn = self.function(&["servo", name, "angle"], &angle?, names)?;
        let zero = || Function::constant(0.0);
        let path = PosePath { position: [x?, y?, zero()], turns: vec![[zero(), zero(), turn]], reference };
        Some(Servo { name: name.to_owned(), frame, path })
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
        self.evaluate_at(path, &function, instants, true).then_some(function)
    }

    fn turns(
        &mut self,
        name: &str,
        servo: &ServoSpec,
        names: &Names,
        instants: &Instants,
    ) -> Option<Vec<[Function; 3]>> {
        let (mut turns, mut right) = (Vec::new(), true);
        if let Some(rotation) = &servo.rotation {
            let path = ["servo", name, "rotation"];
            right &= self.length_of_vector(&path, rotation.len());
            let mut components = Vec::new();
            for (i, expression) in rotation.iter().enumerate() {
                let path = ["servo", name, "rotation", &i.to_string()];
                components.extend(self.path_function(&path, expression, names, instants));
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
