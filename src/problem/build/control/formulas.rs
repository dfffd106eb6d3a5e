//! `[system]`: names, Lagrangian, forces and constraints.

use super::super::Check;
use super::super::functions::Names;
use super::Built;
use crate::discretisation::transcription;
use crate::kernel::{Expression, Formula};
use crate::mechanism::SystemSpec;
use crate::tasks::optimal_control::{LagrangianSystem, formula, formula_of_parts, quantity_names, variable_names};
use crate::tasks::velocity_name;

/// What a formula must not depend on, besides what it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::problem::build) enum Allowed {
    /// Coordinates, velocities, controls and time.
    All,
    /// Coordinates, velocities and time.
    State,
    /// Coordinates and time.
    Configuration,
    /// Coordinates.
    Coordinates,
    /// Time.
    Time,
}

impl Check<'_> {
    /// The system; `None` inside if something in it is wrong.
    pub(super) fn lagrangian_system(&mut self, spec: &SystemSpec, names: &Names) -> Option<Built> {
        let before = self.found.errors();
        for (key, list, what) in
            [("coordinates", &spec.coordinates, "coordinate"), ("controls", &spec.controls, "control")]
        {
            let optional = key == "controls" && matches!(self.task_name(), Some("simulate" | "statics" | "modes"));
            if list.is_empty() && !optional && self.sure(&["system", key]) {
                let message = format!("`system.{key}` is empty, expected at least one {what}");
                self.error(&["system", key], message, format!("no {what}"));
            }
        }
        if !self.sure(&["system", "coordinates"]) || !self.sure(&["system", "controls"]) {
            return None;
        }
        self.system_names(spec, names);
        let (coordinates, controls) = (&spec.coordinates, &spec.controls);
        let lists = (&coordinates[..], &controls[..]);
        let lagrangian = self.formula_of(&["system", "lagrangian"], &spec.lagrangian, lists, Allowed::State, names);
        let slow_potential = spec
            .slow_potential
            .as_ref()
            .map(|source| self.formula_of(&["system", "slow-potential"], source, lists, Allowed::Configuration, names));
        let mut forces: Vec<Option<Formula>> = coordinates.iter().map(|_| Some(Formula::constant(0.0))).collect();
        for (name, source) in &spec.forces {
            let path = ["system", "forces", name.as_str()];
            let place = self.known_name(&path, name, coordinates, "coordinate");
            let force = self.formula_of(&path, source, lists, Allowed::All, names);
            if let Some(place) = place {
                forces[place] = force;
            }
        }
        let mut constraints = Vec::new();
        for (name, source) in &spec.constraints {
            let path = ["system", "constraints", name.as_str()];
            let constraint = self.formula_of(&path, source, lists, Allowed::Coordinates, names);
            constraints.push(constraint.map(|constraint| (name.clone(), constraint)));
        }
        let spheres = self.spheres(spec, lists, names);
        let known: Vec<String> = coordinates.iter().chain(controls).cloned().collect();
        for name in spec.units.keys() {
            self.known_name(&["system", "units", name], name, &known, "coordinate or control");
        }
        let forces = forces.into_iter().collect::<Option<Vec<_>>>();
        let constraints = constraints.into_iter().collect::<Option<Vec<_>>>();
        if self.found.errors() == before && names.whole {
            self.idle_controls(spec, forces.as_deref().unwrap_or_default());
        }
        let (coordinates, controls) = (coordinates.clone(), controls.clone());
        let parts = lagrangian.zip(forces).zip(constraints.zip(spheres)).filter(|_| self.found.errors() == before);
        Some(parts.map(|((lagrangian, forces), (constraints, spheres))| LagrangianSystem {
            coordinates,
            controls,
            lagrangian,
            slow_potential: slow_potential.flatten(),
            forces,
            constraints,
            spheres,
        }))
    }

    /// Names must be usable in formulas, and differ from each other.
    fn system_names(&mut self, spec: &SystemSpec, names: &Names) {
        let mut taken: Vec<String> = Vec::new();
        for (key, list) in [("coordinates", &spec.coordinates), ("controls", &spec.controls)] {
            for (i, name) in list.iter().enumerate() {
                let index = i.to_string();
                let path = ["system", key, index.as_str()];
                let velocity = (key == "coordinates").then(|| velocity_name(name));
                for (own, name) in [(true, Some(name.clone())), (false, velocity)] {
                    let Some(name) = name else { continue };
                    let wrong = match names.usable(&name) {
                        Err(kind) => kind.to_string(),
                        Ok(()) if name.contains(['.', '@']) => {
                            format!("`{name}` is not a name, expected letters, digits and `_`")
                        }
                        Ok(()) if taken.contains(&name) => format!("two variables have the name `{name}`"),
                        Ok(()) => {
                            taken.push(name);
                            continue;
                        }
                    };
                    let whose = if own { String::new() } else { " (its velocity)".to_owned() };
                    let here = self.document.path_text(&path);
                    self.error(&path, format!("`{here}`{whose}: {wrong}"), "cannot be used");
                    break;
                }
            }
        }
    }

    /// Compiles a formula of the system at a key path.
    pub(in crate::problem::build) fn formula_of(
        &mut self,
        path: &[&str],
        source: &Expression,
        (coordinates, controls): (&[String], &[String]),
        allowed: Allowed,
        names: &Names,
    ) -> Option<Formula> {
        let variables = variable_names(coordinates, controls);
        let quantities = self.parts.as_ref().map_or_else(Vec::new, |body| quantity_names(body));
        let known: Vec<String> = variables.iter().cloned().chain(quantities).collect();
        let formula = self.formula(path, source, names, &known)?;
        let (n, here) = (coordinates.len(), self.document.path_text(path));
        let mut refuse = |reason: String| {
            self.error(path, format!("`{here}` {reason}"), "depends on too much");
            None
        };
        let first = match allowed {
            Allowed::All => variables.len(),
            Allowed::State => 2 * n,
            Allowed::Configuration | Allowed::Coordinates => n,
            Allowed::Time => 0,
        };
        let may = match allowed {
            Allowed::State => "coordinates, velocities and `t`",
            Allowed::Configuration => "coordinates and `t`",
            Allowed::Time => "`t`",
            _ => "coordinates",
        };
        if let Some(wrong) = (first..variables.len()).find(|index| formula.mentions(*index)) {
            return refuse(format!("depends on `{}`, expected an expression of {may} only", variables[wrong]));
        }
        if allowed == Allowed::Coordinates && formula.depends_on_time() {
            return refuse("depends on `t`, expected an expression of coordinates only".to_owned());
        }
        Some(formula)
    }

    /// A formula as an expression of the system.
    pub(in crate::problem::build) fn lowered(&self, compiled: Formula) -> transcription::Formula {
        match &self.parts {
            Some(body) => formula_of_parts(compiled, body.clone()),
            None => formula(compiled),
        }
    }

    /// Warns of controls without an effect on the motion.
    fn idle_controls(&mut self, spec: &SystemSpec, forces: &[Formula]) {
        for (i, name) in spec.controls.iter().enumerate() {
            let index = 2 * spec.coordinates.len() + i;
            if !forces.iter().any(|force| force.mentions(index)) {
                let message = format!("control `{name}` acts on nothing: no entry of `system.forces` depends on it");
                self.warn(&["system", "controls", &i.to_string()], message, "without effect")
                    .help("for example forces = { x = \"force\" }");
            }
        }
    }
}
