//! What the variables and rows of a transcription are in words.

use super::interpolation::Interpolation;
use super::places::{Places, Spot};
use super::reference::Reference;
use super::{ControlProblem, parts};
use crate::nlp::families::Names;

/// Names of all functions and globals, and which of them each variable and row is.
pub(super) struct Directory {
    places: Places,
    variables: Vec<Spot>,
    rows: Vec<Spot>,
    variable_functions: Vec<String>,
    row_functions: Vec<String>,
    variable_globals: Vec<String>,
    row_globals: Vec<String>,
    /// Duration where it is given.
    duration: Option<f64>,
    /// Where the members of each family are.
    members: Vec<Members>,
}

/// Where the members of a family are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Members {
    /// So many in each interval.
    Intervals(usize),
    /// The first is at this node, the others at those after it.
    Nodes(usize),
    /// Everywhere.
    Whole,
}

impl Directory {
    pub fn new(problem: &ControlProblem, places: Places, reference: &Reference, members: Vec<Members>) -> Self {
        let points = Interpolation::new(problem.rule);
        let points = &points.points()[1..=points.inner()];
        let (unknowns, kept) = (parts::unknown_names(problem), &reference.kept);
        let (names, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
        let of = |what: &str, list: &[(usize, f64)]| -> Vec<String> {
            list.iter().map(|(i, _)| format!("{what} {}", controls[*i])).collect()
        };
        let magnitudes = [of("magnitude of", &problem.cost.fuel), of("power spent by", &problem.cost.energy)].concat();
        let peaks = of("peak of", &problem.cost.peak);
        let each = |before: &str, list: &[String], after: &str| -> Vec<String> {
            list.iter().map(|name| format!("{before}{name}{after}")).collect()
        };
        let times = [(places.free_duration, "duration"), (places.free_begin, "beginning")];
        let times = times.into_iter().filter(|(free, _)| *free).map(|(_, name)| name.to_owned());
        let pairs = magnitudes.iter().chain(&peaks).flat_map(|name| [name.clone(), format!("{name}, negative")]);
        let path = problem.path.iter().map(|path| path.name.clone());
        let impulses = match places.impulses {
            0 => Vec::new(),
            _ => each("impulse of ", &parts::constraint_names(problem), " at the start"),
        };
        let servo = problem.servo.iter().map(|(name, _)| name.clone());
        let changes = of("rate of", &problem.rates);
        let stresses = problem.stresses();
        let periodic = problem.periodic.iter().map(|(i, _)| &names[*i]);
        let periodic =
            periodic.flat_map(|name| ["", "rate of "].map(|what| format!("change of {what}{name} over a period")));
        Self {
            places,
            variables: places.variable_spots(points),
            rows: places.row_spots(points, &reference.limits),
            variable_functions: [
                unknowns.clone(),
                each("force of ", kept, ""),
                controls.clone(),
                magnitudes.clone(),
                each("stress of ", &stresses, ""),
            ]
            .concat(),
            row_functions: [
                each("motion of ", &unknowns, ""),
                kept.clone(),
                each("rate of ", &parts::constraint_names(problem), ""),
                each("bound of ", &names, ""),
            ]
            .concat()
            .into_iter()
            .chain(path)
            .chain(pairs)
            .chain(servo)
            .chain(changes)
            .chain(each("strain of ", &stresses, ""))
            .collect(),
            variable_globals: [
                times.collect(),
                peaks.clone(),
                each("rate of ", &names, " at the start"),
                impulses,
                each("rate of ", &names, " at the end"),
            ]
            .concat(),
            row_globals: periodic.collect(),
            duration: problem.duration.value(),
            members,
        }
    }

    fn instant(&self, share: f64) -> String {
        match self.duration {
            Some(duration) => format!("t = {:.6} s", share * duration),
            None => format!("{:.4} % of the duration", 100.0 * share),
        }
    }

    fn name(&self, spot: Spot, functions: &[String], globals: &[String]) -> String {
        match spot {
            Spot::Global(number) => globals.get(number).cloned().unwrap_or_default(),
            Spot::At { function, share, .. } => {
                let name = functions.get(function).map_or("", String::as_str);
                format!("{name} at {}", self.instant(share))
            }
        }
    }
}

impl Names for Directory {
    fn variable(&self, variable: usize) -> String {
        self.name(self.variables[variable], &self.variable_functions, &self.variable_globals)
    }

    fn row(&self, row: usize) -> String {
        self.name(self.rows[row], &self.row_functions, &self.row_globals)
    }

    fn place(&self, family: usize, member: usize) -> String {
        let share = |node: usize| self.instant(self.places.share(node));
        match self.members.get(family) {
            Some(Members::Intervals(each)) => {
                let interval = member / (*each).max(1);
                format!("between {} and {}", share(interval), share(interval + 1))
            }
            Some(Members::Nodes(first)) => format!("at {}", share(first + member)),
            Some(Members::Whole) | None => "of the whole".to_owned(),
        }
    }
}
