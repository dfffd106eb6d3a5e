//! Two step lengths: which coordinates are fast, and how energies are integrated.

use super::super::control::Known;
use super::super::{Check, list};
use super::of_task;
use crate::discretisation::multirate::Quadrature;
use crate::kernel::suggest::nearest;
use crate::tasks::simulation::lagrangian::owner;
use crate::tasks::{MultirateScheme, SimulateSpec};

impl Check<'_> {
    /// Which coordinates are fast; all where there is only one step length.
    pub(super) fn fast_coordinates(&mut self, task: &SimulateSpec, known: &Known) -> Option<Vec<bool>> {
        let count = known.coordinates.len();
        let Some(rates) = &task.multirate else { return Some(vec![true; count]) };
        let before = self.found.errors();
        if task.rule.is_some() {
            let message = "`task.simulate.rule` stands beside `multirate`, expected one of them";
            self.error(&of_task(&["rule"]), message, "said by `multirate.scheme`").help("remove it");
        }
        let (fast, slow) = (rates.fast.as_deref(), rates.slow.as_deref());
        let table = of_task(&["multirate"]);
        let marks = match (fast, slow) {
            (None, None) => {
                if self.sure(&table) {
                    let message = "`task.simulate.multirate` has neither `fast` nor `slow`, expected one of them";
                    self.error(&table, message, "which coordinates are fast?")
                        .help(format!("there are {}", list(&named(known))));
                }
                return None;
            }
            (Some(_), Some(_)) => {
                let message =
                    "`task.simulate.multirate` has `fast` and `slow`, expected one of them: the others follow";
                self.error(&of_task(&["multirate", "slow"]), message, "said by `fast`");
                return None;
            }
            (Some(names), None) => self.marked("fast", names, known),
            (None, Some(names)) => self.marked("slow", names, known).into_iter().map(|slow| !slow).collect(),
        };
        if self.found.errors() > before || !self.sure(&table) {
            return None;
        }
        let key = if fast.is_some() { "fast" } else { "slow" };
        if marks.iter().all(|fast| *fast) || !marks.iter().any(|fast| *fast) {
            let which = if marks.iter().all(|fast| *fast) { "fast" } else { "slow" };
            let message =
                format!("`task.simulate.multirate.{key}` makes all coordinates {which}, expected some of either kind");
            self.error(&of_task(&["multirate", key]), message, "nothing is left")
                .help("leave `multirate` out for one step length");
            return None;
        }
        Some(marks)
    }

    /// Marks coordinates by their names, or by those of the rods and bodies they belong to.
    fn marked(&mut self, key: &str, names: &[String], known: &Known) -> Vec<bool> {
        let mut marks = vec![false; known.coordinates.len()];
        for (i, name) in names.iter().enumerate() {
            let index = i.to_string();
            let belongs = |coordinate: &String| match known.multibody {
                None => coordinate == name,
                Some(_) => coordinate
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '@'])),
            };
            let found: Vec<usize> = (0..marks.len()).filter(|&i| belongs(&known.coordinates[i])).collect();
            if found.is_empty() {
                let all = named(known);
                let path = of_task(&["multirate", key, &index]);
                let what = if known.multibody.is_some() {
                    "rod or body that moves by itself"
                } else {
                    "coordinate of the system"
                };
                let message = format!("`{}` is \"{name}\", expected a {what}", self.document.path_text(&path));
                let help = match nearest(name, all.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("there are {}", list(&all)),
                };
                self.error(&path, message, "not known").help(help);
            }
            found.into_iter().for_each(|i| marks[i] = true);
        }
        marks
    }

    /// Quadratures on the macro and on the micro grid.
    pub(super) fn quadratures(&mut self, task: &SimulateSpec) -> Option<[Quadrature; 2]> {
        let rates = task.multirate.as_ref()?;
        let path = of_task(&["multirate", "weight"]);
        let weight = rates.weight.unwrap_or(1.0);
        if rates.weight.is_some() && rates.scheme != MultirateScheme::Explicit {
            let message =
                "`task.simulate.multirate.weight` has no effect with this scheme, expected scheme = \"explicit\"";
            self.error(&path, message, "not used").help("remove it");
            return None;
        }
        if !(0.0..=1.0).contains(&weight) {
            let message = format!("`task.simulate.multirate.weight` is {weight}, expected a number from 0 to 1");
            self.error(&path, message, "out of range");
            return None;
        }
        Some(match rates.scheme {
            MultirateScheme::Implicit => [Quadrature::Midpoint; 2],
            MultirateScheme::ExplicitSlow => [Quadrature::Affine(0.5), Quadrature::Midpoint],
            MultirateScheme::Explicit => [Quadrature::Affine(weight); 2],
        })
    }
}

/// What can be fast or slow: coordinates, of a mechanism rods and bodies.
fn named(known: &Known) -> Vec<String> {
    if known.multibody.is_none() {
        return known.coordinates.clone();
    }
    let mut names: Vec<String> = Vec::new();
    for coordinate in &known.coordinates {
        let owner = owner(coordinate, true).to_owned();
        if !names.contains(&owner) {
            names.push(owner);
        }
    }
    names
}
