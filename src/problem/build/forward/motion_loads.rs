//! Loads whose components are expressions of the velocities of their own frame: `force = ["-0.1*beam.end.x_dot", 0.0]`.

use std::sync::Arc;

use super::super::Check;
use super::super::functions::Names;
use super::loads::Directions;
use super::scene::Scene;
use crate::kernel::{Expression, Formula};
use crate::mechanism::{Frame, LoadSpec, MotionLoad};

/// Velocities and angular velocities in space by name; in the plane the last is that of the angle.
const MOTIONS: [&str; 6] = ["x_dot", "y_dot", "z_dot", "spin_x", "spin_y", "spin_z"];

/// The names of the velocities of a frame.
fn motions(frame: &str, dimension: usize) -> [String; 6] {
    MOTIONS.map(|name| format!("{frame}.{}", if dimension == 2 && name == "spin_z" { "angle_dot" } else { name }))
}

impl Check<'_> {
    /// The load, if it depends on velocities of its frame: then nothing, if it is mistaken.
    pub(super) fn motion_load(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        load: &LoadSpec,
        frame: Option<Frame>,
        names: &Names,
    ) -> Option<Option<MotionLoad>> {
        let (at, dimension) = (load.at.as_deref()?, self.dimension()?);
        let velocities = motions(at, dimension);
        let components = load.force.iter().flatten().chain(load.torque.iter().flat_map(|torque| torque.as_slice()));
        components.into_iter().find_map(|component| Self::formula_that_mentions(component, names, &velocities))?;
        let turns = frame.and_then(|frame| scene.turns(frame)).unwrap_or(true);
        if load.follows {
            let message =
                format!("load `{name}` depends on velocities, which are those in space, expected no `follows`");
            self.error(&["load", name, "follows"], message, "not with velocities")
                .help("`drag` of a rod acts along and across it");
            return Some(None);
        }
        let nothing = self.formula(&["load", name], &Expression::Number(0.0), names, &velocities)?;
        let mut law: [Formula; 6] = std::array::from_fn(|_| nothing.clone());
        let mut right = true;
        for (kind, into, path, expression) in
            self.load_components(name, load, &Directions::new(dimension, false, turns))
        {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            match self.formula(&keys, &expression, names, &velocities) {
                Some(formula) => {
                    right &= self.of_motion_alone(&keys, &formula);
                    law[3 * kind + into] = formula;
                }
                None => right = false,
            }
        }
        let frame = frame.filter(|_| right);
        Some(frame.map(|at| MotionLoad { name: name.to_owned(), at, law: Arc::new(law) }))
    }

    /// Whether it depends on velocities only, and vanishes at rest.
    fn of_motion_alone(&mut self, path: &[&str], formula: &Formula) -> bool {
        let here = self.document.path_text(path);
        if formula.depends_on_time() {
            let message = format!("`{here}` depends on velocities and on `t`, expected velocities alone");
            self.error(path, message, "of velocities and of time").help("state what depends on `t` as another load");
            return false;
        }
        match formula.eval(&[0.0; 6], 0.0) {
            Ok(0.0) => true,
            Ok(rest) => {
                let message = format!("`{here}` is {rest} at rest, expected 0 of a load that depends on velocities");
                self.error(path, message, "acts at rest").help("state what acts at rest as another load");
                false
            }
            Err(error) => {
                self.failures(vec![(path.iter().map(|key| (*key).to_owned()).collect(), error)]);
                false
            }
        }
    }
}
