//! Vectors of constant length, which constraints or local coordinates keep.

use super::super::Check;
use super::super::functions::Names;
use super::formulas::Allowed;
use crate::discretisation::transcription::{Chart, ChartError, Group, Linear, Manifold};
use crate::kernel::Expression;
use crate::mechanism::SystemSpec;
use crate::tasks::optimal_control::linear;

impl Check<'_> {
    /// The spheres of the system; they must make a chart, whether it is used or not.
    pub(super) fn spheres(
        &mut self,
        spec: &SystemSpec,
        lists: (&[String], &[String]),
        names: &Names,
    ) -> Option<Vec<Group>> {
        let before = self.found.errors();
        let mut groups: Vec<Group> = Vec::new();
        for (name, sphere) in &spec.spheres {
            let path = ["system", "spheres", name.as_str()];
            if spec.constraints.contains_key(name) {
                let message = format!("sphere `{name}` has the name of a constraint in `system.constraints`");
                self.found
                    .error_at_key(self.document, &path, message, "two constraints of one name")
                    .help("a sphere is a constraint already and need not be stated again");
            }
            let mut entries = Vec::new();
            for (k, source) in sphere.of.iter().enumerate() {
                let index = k.to_string();
                entries.push(self.component(&[path[0], path[1], path[2], "of", &index], source, lists, names));
            }
            let Some(entries) = entries.into_iter().collect::<Option<Vec<Linear>>>() else { continue };
            let manifold = Manifold::Sphere(sphere.radius.unwrap_or(1.0));
            let group = Group { name: name.clone(), manifold, entries };
            let tried = groups.iter().cloned().chain([group.clone()]).collect();
            if let Err(error) = Chart::new(lists.0.len(), tried, Vec::new()) {
                self.no_sphere(&path, &error);
                continue;
            }
            groups.push(group);
        }
        (self.found.errors() == before).then_some(groups)
    }

    fn component(
        &mut self,
        path: &[&str],
        source: &Expression,
        lists: (&[String], &[String]),
        names: &Names,
    ) -> Option<Linear> {
        let formula = self.formula_of(path, source, lists, Allowed::Coordinates, names)?;
        let coordinates = lists.0.len();
        let found = linear(&formula, coordinates, 2 * coordinates + lists.1.len());
        if found.is_none() && names.whole {
            let here = self.document.path_text(path);
            let message = format!("`{here}` is not linear in the coordinates, expected a sum of multiples of them");
            self.error(path, message, "not linear").help("for example \"x2 - x1\"");
        }
        found
    }

    fn no_sphere(&mut self, path: &[&str], error: &ChartError) {
        if !self.sure(path) {
            return;
        }
        let here = self.document.path_text(path);
        let (key, message, label) = match error {
            ChartError::Radius { radius, .. } => {
                (Some("radius"), format!("`{here}.radius` is {radius}, expected a positive length"), "not a length")
            }
            ChartError::Count { .. } => {
                (Some("of"), format!("`{here}.of` has fewer than two entries, expected at least two"), "too few")
            }
            ChartError::Dependent { .. } | ChartError::Expression { .. } => (
                Some("of"),
                format!("`{here}.of` follows from itself and the spheres before it, expected expressions of its own"),
                "nothing new",
            ),
        };
        let place: Vec<&str> = path.iter().copied().chain(key).collect();
        let told = self.error(&place, message, label);
        if matches!(error, ChartError::Dependent { .. }) {
            told.help("every sphere needs as many further coordinates as it has components");
        }
    }
}
