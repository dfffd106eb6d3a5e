//! Refuses what cannot fit into memory, before anything is built of it.

use super::Check;
use crate::tasks::Size;
use crate::tasks::cost::{Cost, Sizes, limit};

/// A size in the file: its keys, its value, and what is usual.
pub(super) struct Stated {
    path: Vec<String>,
    value: f64,
    usual: f64,
}

fn stated(path: &[&str], value: usize, usual: f64) -> Stated {
    Stated { path: path.iter().map(|key| (*key).to_owned()).collect(), value: value as f64, usual }
}

impl Check<'_> {
    /// What solving is expected to take, by the cheapest way that the task may be solved by.
    pub(super) fn expected(&self) -> Cost {
        let (sizes, _) = self.sizes();
        let all = self.ways().into_iter().map(|way| Cost::of(way, sizes));
        let cheapest = all.min_by(|a, b| a.bytes.total_cmp(&b.bytes));
        cheapest.unwrap_or(Cost { seconds: 0.0, bytes: 0.0 })
    }

    /// Whether the sizes in the file fit into memory and into the life of a person; refuses the one that is largest against what
    /// is usual if not.
    pub(super) fn fits_memory(&mut self) -> bool {
        let (_, all) = self.sizes();
        let least = self.expected();
        let limit = limit();
        let fits = least.bytes <= limit;
        if fits && least.seconds <= Cost::NEVER {
            return true;
        }
        // A mistaken task is told already, and what it was meant to be decides what is too much.
        if self.task_name().is_none() {
            return false;
        }
        let worst = all.into_iter().max_by(|a, b| (a.value / a.usual).total_cmp(&(b.value / b.usual)));
        let Some(Stated { path, value, .. }) = worst else { return true };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let (here, way) = (self.document.path_text(&path), self.ways()[0].name());
        let (takes, help) = match fits {
            true => (format!("{least}, expected less than a hundred years"), "take a smaller one"),
            false => (
                format!(
                    "about {:.1e} GB of memory, expected at most the {:.1} GB that are free",
                    least.bytes / 1e9,
                    limit / 1e9
                ),
                "take a smaller one, or allow more with --memory",
            ),
        };
        let message = format!("`{here}` is {value}, with which {way} takes {takes}");
        self.error(&path, message, "too large").help(help);
        false
    }

    pub(super) fn sizes(&self) -> (Sizes, Vec<Stated>) {
        let spec = self.spec;
        let mut all = Vec::new();
        let mut nodes = spec.body.len() as f64 + 1.0;
        for (name, rod) in &spec.rod {
            nodes += rod.elements as f64 * rod.order.max(1) as f64;
            all.push(stated(&["rod", name, "elements"], rod.elements, 100.0));
            all.push(stated(&["rod", name, "order"], rod.order, 3.0));
        }
        nodes += spec.system.iter().map(|system| system.coordinates.len() as f64).sum::<f64>();
        let mut steps = 1.0;
        if let Some(time) = spec.time {
            steps = time.steps as f64;
            all.push(stated(&["time", "steps"], time.steps, 1000.0));
        }
        let (mut micro, mut modes, mut runs) = (1.0, 0.0, 1.0);
        for (keys, size, value) in spec.task.sizes() {
            let usual = match size {
                Size::Steps => 1000.0,
                Size::Micro | Size::Modes | Size::Runs => 10.0,
            };
            match size {
                Size::Steps => steps += value as f64,
                Size::Micro => micro = value as f64,
                Size::Modes => modes = value as f64,
                Size::Runs => runs = value as f64,
            }
            let path: Vec<&str> =
                ["task", spec.task.name()].into_iter().chain(keys.iter().map(String::as_str)).collect();
            all.push(stated(&path, value, usual));
        }
        let rates = spec.spin.iter().filter_map(|spin| spin.rates.as_ref()).map(Vec::len).next();
        runs *= rates.unwrap_or(1).max(1) as f64;
        let every = spec.task.simulate().map_or(1.0, |task| task.every.max(1) as f64);
        let coordinates = if spec.dimension == Some(3) { 6.0 } else { 3.0 };
        (Sizes { nodes, steps, micro, modes, runs, every, coordinates }, all)
    }
}
