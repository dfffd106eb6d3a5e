//! Supports: coordinates that are held or moved.

use std::f64::consts::TAU;

use super::super::Check;
use super::super::functions::Names;
use super::instants::Instants;
use super::scene::Scene;
use crate::kernel::{Expression, Function};
use crate::mechanism::{Coordinate, Frame, SupportPart, SupportSpec, SupportType};

/// The coordinates of a frame: three positions, and its rotation as a whole.
const ROTATION: usize = 3;

/// A coordinate that is held or moved, and the key path that says so.
struct Claim {
    coordinate: usize,
    path: Vec<String>,
    /// The motion; none if it is held.
    motion: Option<Vec<Expression>>,
}

impl Check<'_> {
    pub fn supports_of(&mut self, scene: &mut Scene<'_>, names: &Names, instants: &Instants) -> Vec<SupportPart> {
        let spec = self.spec;
        let mut held: Vec<(Frame, usize, String)> = Vec::new();
        let mut supports = Vec::new();
        for (name, support) in &spec.support {
            let frame = self.frame_at(scene, &["support", name, "at"], &support.at, false);
            let claims = self.claims(scene, name, support, frame);
            let mut part = SupportPart {
                name: name.clone(),
                at: frame.unwrap_or(Frame::Ground),
                displacement: [None, None, None],
                rotation: None,
            };
            for claim in claims {
                let path: Vec<&str> = claim.path.iter().map(String::as_str).collect();
                let motion = self.motion(&path, &claim, names, instants);
                let Some(frame) = frame else { continue };
                if let Some((_, _, other)) =
                    held.iter().find(|(at, coordinate, _)| (*at, *coordinate) == (frame, claim.coordinate))
                {
                    let what = ["x", "y", "z", "the rotation"][claim.coordinate];
                    let how = if claim.motion.is_some() { "moved here and held" } else { "held twice: here and" };
                    let message = format!("{what} of \"{}\" is {how} by `{other}`, expected one of them", support.at);
                    self.error(&path, message, "held already");
                    continue;
                }
                held.push((frame, claim.coordinate, self.document.path_text(&path)));
                let functions =
                    motion.and_then(|motion| self.from_reference(scene, frame, &claim, motion, names, instants));
                match functions {
                    Some(functions) if claim.coordinate == ROTATION => {
                        part.rotation = <[Function; 3]>::try_from(functions).ok();
                    }
                    Some(functions) => part.displacement[claim.coordinate] = functions.into_iter().next(),
                    None => {}
                }
            }
            if frame.is_some() {
                supports.push(part);
            }
        }
        supports
    }

    /// What a support holds and moves.
    fn claims(&mut self, scene: &Scene<'_>, name: &str, support: &SupportSpec, frame: Option<Frame>) -> Vec<Claim> {
        let Some(dimension) = self.dimension() else { return Vec::new() };
        let turns = frame.and_then(|frame| scene.turns(frame));
        let mut claims = Vec::new();
        let at = |keys: &[&str]| -> Vec<String> { keys.iter().map(|key| (*key).to_owned()).collect() };
        let fixes = self.fixes(name, support);
        if let (Some(kind), None) = (support.r#type, &support.fixes) {
            let path = ["support", name, "type"];
            claims.extend((0..dimension).map(|coordinate| Claim { coordinate, path: at(&path), motion: None }));
            match (kind, turns) {
                (SupportType::Clamp, Some(false)) => self.no_rotation(&path, &support.at, "write type = \"hinge\""),
                (SupportType::Clamp, _) => claims.push(Claim { coordinate: ROTATION, path: at(&path), motion: None }),
                (SupportType::Hinge, _) => {}
            }
        }
        for (i, coordinate) in fixes.iter().enumerate() {
            let path = ["support", name, "fixes", &i.to_string()];
            if let Some(coordinate) = self.supported(&path, *coordinate, dimension, turns, &support.at) {
                claims.push(Claim { coordinate, path: at(&path), motion: None });
            }
        }
        let moved = [
            ("x", Coordinate::X, &support.x),
            ("y", Coordinate::Y, &support.y),
            ("z", Coordinate::Z, &support.z),
            ("angle", Coordinate::Angle, &support.angle),
        ];
        for (key, coordinate, motion) in moved {
            let Some(motion) = motion else { continue };
            let path = ["support", name, key];
            if let Some(coordinate) = self.supported(&path, coordinate, dimension, turns, &support.at) {
                claims.push(Claim { coordinate, path: at(&path), motion: Some(vec![motion.clone()]) });
            }
        }
        if let Some(rotation) = &support.rotation {
            let path = ["support", name, "rotation"];
            let coordinate = self.supported(&path, Coordinate::Rotation, dimension, turns, &support.at);
            if let Some(coordinate) = coordinate.filter(|_| self.length_of_vector(&path, rotation.len())) {
                claims.push(Claim { coordinate, path: at(&path), motion: Some(rotation.clone()) });
            }
        }
        claims
    }

    /// The coordinate, if the frame has it.
    fn supported(
        &mut self,
        path: &[&str],
        coordinate: Coordinate,
        dimension: usize,
        turns: Option<bool>,
        frame: &str,
    ) -> Option<usize> {
        let here = self.document.path_text(path);
        let wrong = match (coordinate, dimension) {
            (Coordinate::X, _) => return Some(0),
            (Coordinate::Y, _) => return Some(1),
            (Coordinate::Z, 3) => return Some(2),
            (Coordinate::Z, _) => Some(("z", "the plane has no z")),
            (Coordinate::Angle, 3) => Some(("angle", "rotations in space are held and moved as \"rotation\"")),
            (Coordinate::Rotation, 2) => Some(("rotation", "rotations in the plane are held and moved as \"angle\"")),
            _ => None,
        };
        if let Some((what, why)) = wrong {
            let message = format!("`{here}` is about {what}, but {why}");
            self.error(path, message, if dimension == 2 { "not in the plane" } else { "not in space" });
            return None;
        }
        if turns == Some(false) {
            self.no_rotation(path, frame, "a string can only be held at its position");
            return None;
        }
        Some(ROTATION)
    }

    fn no_rotation(&mut self, path: &[&str], frame: &str, help: &str) {
        let here = self.document.path_text(path);
        let message = format!("`{here}` holds the rotation of \"{frame}\", but a string has none");
        self.error(path, message, "not for strings").help(help);
    }

    /// The functions of time of a moved coordinate; a held one has none.
    fn motion(&mut self, path: &[&str], claim: &Claim, names: &Names, instants: &Instants) -> Option<Vec<Function>> {
        let Some(expressions) = &claim.motion else { return Some(Vec::new()) };
        let mut functions = Vec::new();
        for (i, expression) in expressions.iter().enumerate() {
            let index = i.to_string();
            let mut here = path.to_vec();
            here.extend((expressions.len() > 1).then_some(index.as_str()));
            let function = self.function(&here, expression, names);
            if let Some(function) = function.filter(|_| names.whole)
                && self.evaluate_at(&here, &function, instants, true)
            {
                functions.push(function);
            }
        }
        (functions.len() == expressions.len()).then_some(functions)
    }

    /// Displacement or rotation from the reference: zero for held coordinates.
    #[allow(clippy::wrong_self_convention)]
    fn from_reference(
        &mut self,
        scene: &Scene<'_>,
        frame: Frame,
        claim: &Claim,
        motion: Vec<Function>,
        names: &Names,
        instants: &Instants,
    ) -> Option<Vec<Function>> {
        let path: Vec<&str> = claim.path.iter().map(String::as_str).collect();
        let rows = if claim.coordinate == ROTATION { 3 } else { 1 };
        let Some(expressions) = &claim.motion else { return Some(vec![Function::constant(0.0); rows]) };
        let first = motion.first()?.value(instants.first()).ok()?;
        let functions = match (claim.coordinate, expressions.as_slice()) {
            // A rotation vector is counted from the reference already.
            (ROTATION, [_, _, _]) => motion,
            (ROTATION, [angle]) => {
                let mut reference = scene.angle(frame)?;
                // A simulation from the reference shape begins with the nearest whole turn; an equilibrium is wound up.
                if instants.from_reference {
                    reference += TAU * ((first - reference) / TAU).round();
                }
                let turned = self.function(&path, &minus(angle, reference), names)?;
                vec![Function::constant(0.0), Function::constant(0.0), turned]
            }
            (coordinate, [position]) => {
                let reference = scene.position(frame)?[coordinate];
                vec![self.function(&path, &minus(position, reference), names)?]
            }
            _ => return None,
        };
        if instants.from_reference {
            let away =
                functions.iter().filter_map(|f| f.value(instants.first()).ok()).fold(0.0_f64, |a, b| a.max(b.abs()));
            if away > 1e-6 * scene.size() {
                let here = self.document.path_text(&path);
                let message = format!(
                    "`{here}` starts {away:.6} away from the reference configuration, where the simulation begins: expect a jerk"
                );
                self.warn(&path, message, "starts elsewhere")
                    .help("set task.simulate.start = \"equilibrium\" to begin at rest there");
            }
        }
        Some(functions)
    }
}

/// An expression minus a number.
fn minus(expression: &Expression, number: f64) -> Expression {
    match expression {
        Expression::Number(value) => Expression::Number(value - number),
        Expression::Text(text) => Expression::Text(format!("({text}) - ({number:?})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Scope;

    #[test]
    fn differences_of_expressions() {
        let value = |e: &Expression| Function::compile(e, &Scope::empty()).unwrap().value(2.0).unwrap();
        assert_eq!(value(&minus(&Expression::Text("1 - t".into()), -0.25)), -0.75);
        assert_eq!(value(&minus(&Expression::Text("t^2".into()), 1e-7)), 4.0 - 1e-7);
        assert_eq!(value(&minus(&Expression::Number(3.0), 1.0)), 2.0);
    }
}
