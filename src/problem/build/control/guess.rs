//! Where the search begins: functions of time, a table beside the problem file, or an earlier result.

use super::super::Check;
use super::super::functions::Names;
use super::of_task;
use crate::kernel::magnitude::LARGEST;
use crate::kernel::suggest::nearest;
use crate::tasks::OptimalControlSpec;
use crate::tasks::optimal_control::{GuessSource, Guesses, SampleTable};
use crate::tasks::velocity_name;

/// Instants at which guesses are tried beforehand.
const SAMPLES: usize = 1000;

impl Check<'_> {
    /// What guesses the file states: coordinates, then controls.
    pub(super) fn guesses(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> Option<Guesses> {
        let known: Vec<String> = coordinates.iter().chain(controls).cloned().collect();
        let before = self.found.errors();
        let (mut found, duration) = self.tables(task, coordinates, &known);
        let end = self.spec.time.map_or(1.0, |time| time.end);
        let mut failures = Vec::new();
        for (name, source) in &task.guess.functions {
            let path = of_task(&["guess", name]);
            let place = self.known_name(&path, name, &known, "coordinate or control");
            let Some(function) = self.function(&path, source, names) else { continue };
            let failure =
                (0..=SAMPLES).find_map(|k| function.value_within(end * k as f64 / SAMPLES as f64, LARGEST).err());
            if let (Some(error), true) = (failure, names.whole) {
                failures.push((path.iter().map(|key| (*key).to_owned()).collect(), error));
            }
            if let Some(place) = place {
                found[place] = Some(GuessSource::Function(function));
            }
        }
        self.failures(failures);
        let controls = found.split_off(coordinates.len());
        (self.found.errors() == before).then_some(Guesses { coordinates: found, controls, duration })
    }

    /// Columns of a file or of an earlier result, by coordinates and controls, and the duration they cover.
    fn tables(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        known: &[String],
    ) -> (Vec<Option<GuessSource>>, Option<f64>) {
        let mut found: Vec<Option<GuessSource>> = vec![None; known.len()];
        let mut duration = None;
        let guess = &task.guess;
        if guess.file.is_some() && guess.result.is_some() {
            let message = "`task.optimal-control.guess` has both `file` and `result`, expected one of them";
            self.error(&of_task(&["guess", "result"]), message, "one too many");
            return (found, None);
        }
        let of_result = |folder: &str, name: &str| format!("{}/{name}", folder.trim_end_matches(['/', '\\']));
        let (key, files) = match (&guess.file, &guess.result) {
            (Some(file), _) => ("file", vec![(file.clone(), false)]),
            // Controls that are constant in each step hold from their row to the next.
            (_, Some(folder)) => {
                let steps = of_result(folder, "controls.csv");
                let controls = match (self.read)(&steps) {
                    Ok(_) => (steps, true),
                    Err(_) => (of_result(folder, "actuation.csv"), false),
                };
                ("result", vec![(of_result(folder, "motion.csv"), false), controls])
            }
            _ => return (found, None),
        };
        let path = of_task(&["guess", key]);
        if !self.sure(&path) {
            return (found, None);
        }
        let mut columns = Vec::new();
        for (file, stepped) in &files {
            let Some(text) = self.attachment(&path, file) else { return (found, None) };
            let table = match SampleTable::parse(&text, file, *stepped) {
                Ok(table) => table,
                Err(error) => {
                    self.error(&path, error, "cannot be used");
                    return (found, None);
                }
            };
            duration = Some(table.duration());
            for (name, samples) in table.columns() {
                match known.iter().position(|other| *other == name) {
                    Some(place) => found[place] = Some(GuessSource::Samples(samples)),
                    None => columns.push(name),
                }
            }
        }
        let read = files.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>().join(" and ");
        if found.iter().all(Option::is_none) {
            let message = format!("{read}: no column is named as a coordinate or control of the system");
            self.error(&path, message, "nothing to guess from").help(format!("there are {}", known.join(", ")));
        }
        for name in columns {
            let derived = name.contains('.') || coordinates.iter().any(|coordinate| velocity_name(coordinate) == name);
            if let Some(near) = nearest(&name, known.iter().map(String::as_str)).filter(|_| !derived) {
                let message = format!("{read}: the column `{name}` is not used");
                self.warn(&path, message, "has a column that is not used").help(format!("did you mean `{near}`?"));
            }
        }
        (found, duration)
    }
}
