//! Settings of the tasks.

use super::super::Check;
use crate::tasks::{SimulateSpec, StaticsMethod, StaticsSpec};

impl Check<'_> {
    pub fn settings(&mut self) {
        if self.task_name().is_none() {
            return;
        }
        if let Some(spec) = self.spec.task.statics() {
            self.statics_settings(spec);
        }
        if let Some(spec) = self.spec.task.simulate() {
            self.simulate_settings(spec);
            if !self.is_motion() {
                self.no_motion_keys(spec);
            }
        }
    }

    fn statics_settings(&mut self, spec: &StaticsSpec) {
        let path = |key| ["task", "statics", key];
        if spec.factors.is_empty() && self.sure(&path("factors")) {
            let message = "`task.statics.factors` is empty, expected at least one load factor";
            self.error(&path("factors"), message, "no load factor").help("leave it out for the full load alone");
        }
        if spec.max_steps == Some(0) {
            self.error(&path("max-steps"), "`task.statics.max-steps` is 0, expected at least 1", "must be positive");
        }
        // A setting without effect would be a silent misunderstanding.
        if spec.method == StaticsMethod::LoadSteps && self.sure(&path("method")) {
            for (key, given) in [("range", spec.range.is_some()), ("limit-points", spec.limit_points.is_some())] {
                if given {
                    let message = format!(
                        "`task.statics.{key}` has no effect with method \"load-steps\", expected method \"arc-length\""
                    );
                    self.error(&path(key), message, "not used by this method")
                        .help("set method = \"arc-length\" or \"auto\", or remove it");
                }
            }
            return;
        }
        if spec.limit_points == Some(0) {
            let message = "`task.statics.limit-points` is 0, expected at least 1";
            self.error(&path("limit-points"), message, "must be positive");
        }
        if let Some([low, high]) = spec.range.filter(|_| self.sure(&path("range"))) {
            self.load_range(low, high, &spec.factors);
        }
    }

    fn load_range(&mut self, low: f64, high: f64, factors: &[f64]) {
        let path = ["task", "statics", "factors"];
        if low >= high {
            let message =
                format!("`task.statics.range` goes from {low} to {high}, expected a lower and a higher load factor");
            self.error(&["task", "statics", "range"], message, "not a range");
        } else if self.document.get(&path).is_some() && self.sure(&path) {
            let outside = factors.iter().enumerate().filter(|(_, factor)| !(low..=high).contains(*factor));
            for (i, factor) in outside {
                let message = format!(
                    "`task.statics.factors[{i}]` is {factor}, expected a number in `range` from {low} to {high}"
                );
                self.error(&["task", "statics", "factors", &i.to_string()], message, "never reached");
            }
        }
    }

    fn simulate_settings(&mut self, spec: &SimulateSpec) {
        if let Some(tolerance) = spec.tolerance {
            self.positive(&["task", "simulate", "tolerance"], tolerance);
        }
        let steps = self.spec.time.map(|time| time.steps);
        if let Some(steps) = steps.filter(|steps| spec.every > *steps && self.sure(&["time", "steps"])) {
            let message =
                format!("`task.simulate.every` is {}, expected at most {steps}, the number of steps", spec.every);
            self.error(&["task", "simulate", "every"], message, "nothing would be stored");
        }
    }
}
