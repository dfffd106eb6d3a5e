//! Refuses what cannot fit into memory, before anything is built of it.

use super::Check;
use crate::tasks::Size;
use crate::tasks::cost::{Sizes, limit, memory};

/// A size in the file: its keys, its value, and what is usual.
struct Stated {
    path: Vec<String>,
    value: f64,
    usual: f64,
}

fn stated(path: &[&str], value: usize, usual: f64) -> Stated {
    Stated { path: path.iter().map(|key| (*key).to_owned()).collect(), value: value as f64, usual }
}

impl Check<'_> {
    /// Whether the sizes in the file fit into memory; refuses the one that is largest against what is usual if not.
    pub(super) fn fits_memory(&mut self) -> bool {
        let (sizes, all) = self.sizes();
        let ways = self.ways();
        let least = ways.iter().map(|way| memory(*way, sizes)).fold(f64::INFINITY, f64::min);
        let limit = limit();
        if self.task_name().is_none() || least <= limit {
            return true;
        }
        let worst = all.into_iter().max_by(|a, b| (a.value / a.usual).total_cmp(&(b.value / b.usual)));
        let Some(Stated { path, value, .. }) = worst else { return true };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let here = self.document.path_text(&path);
        let message = format!(
            "`{here}` is {value}, with which {} takes about {:.1e} GB of memory, expected at most the {:.1} GB that are free",
            ways[0].name(),
            least / 1e9,
            limit / 1e9
        );
        self.error(&path, message, "too large").help("take a smaller one, or allow more with --memory");
        false
    }

    fn sizes(&self) -> (Sizes, Vec<Stated>) {
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
        let (mut micro, mut modes) = (1.0, 0.0);
        for (keys, size, value) in spec.task.sizes() {
            let usual = match size {
                Size::Steps => 1000.0,
                Size::Micro | Size::Modes => 10.0,
            };
            match size {
                Size::Steps => steps += value as f64,
                Size::Micro => micro = value as f64,
                Size::Modes => modes = value as f64,
            }
            let path: Vec<&str> =
                ["task", spec.task.name()].into_iter().chain(keys.iter().map(String::as_str)).collect();
            all.push(stated(&path, value, usual));
        }
        (Sizes { nodes, steps, micro, modes }, all)
    }
}
