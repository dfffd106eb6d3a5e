//! Settings of the tasks.

use super::super::Check;
use crate::mechanism::SupportSpec;
use crate::tasks::{Configuration, ModesMethod, ModesSpec, SimulateSpec, StaticsMethod, StaticsSpec};

impl Check<'_> {
    pub fn settings(&mut self) {
        if self.task_name().is_none() {
            return;
        }
        if let Some(spec) = self.spec.task.statics() {
            self.statics_settings(spec);
        }
        if let Some(spec) = self.spec.task.modes() {
            self.load_factors_of_modes(spec);
        }
        if let Some(spec) = self.spec.task.simulate() {
            self.simulate_settings(spec);
            if !self.is_motion() {
                self.no_motion_keys(spec);
            }
        }
    }

    /// Modes over the loads: increasing factors, and nothing that leaves the loads out or varies something else.
    fn load_factors_of_modes(&mut self, spec: &ModesSpec) {
        let path = ["task", "modes", "factors"];
        if spec.factors.is_empty() {
            return;
        }
        if let Some(k) = (1..spec.factors.len()).find(|&k| !(spec.factors[k] > spec.factors[k - 1])) {
            let message = format!(
                "`task.modes.factors[{k}]` is {}, expected a number larger than {} before it",
                spec.factors[k],
                spec.factors[k - 1]
            );
            self.error(&path, message, "must increase");
        }
        let reason = match (spec.method, spec.about, &self.spec.spin) {
            (ModesMethod::Exact, ..) => "method \"exact\" knows no loads, expected method \"elements\"",
            (_, Configuration::Reference, _) => "about = \"reference\" leaves the loads out, expected \"equilibrium\"",
            (.., Some(_)) => "with [spin] modes are looked for over its rates, expected one of both",
            _ => return,
        };
        self.error(&path, format!("`task.modes.factors` has no effect: {reason}"), "not used");
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
        self.stages(spec);
        if spec.branch == Some(0) {
            let message =
                "`task.statics.branch` is 0, expected the number of a branch point, negative for its other side";
            self.error(&path("branch"), message, "branch points are numbered from 1");
        }
        if let (Some(branch), Some(most)) = (spec.branch, spec.branch_points)
            && branch.unsigned_abs() as usize > most
        {
            let message =
                format!("`task.statics.branch` is {branch}, expected at most `branch-points`, which is {most}");
            self.error(&path("branch"), message, "the path ends before");
        }
        for (key, zero) in [("branch-points", spec.branch_points == Some(0)), ("count", spec.count == Some(0))] {
            if zero {
                let message = format!("`task.statics.{key}` is 0, expected at least 1");
                self.error(&path(key), message, "must be positive");
            }
        }
        let linear = spec.method == StaticsMethod::LinearBuckling;
        if spec.count.is_some() && !linear && self.sure(&path("method")) {
            let message = "`task.statics.count` has no effect, expected method \"linear-buckling\"";
            self.error(&path("count"), message, "not used by this method");
        }
        if linear && self.sure(&path("method")) {
            for key in ["factors", "range", "limit-points", "branch-points", "branch", "max-steps", "stage"] {
                if self.document.get(&path(key)).is_some() {
                    let message = format!(
                        "`task.statics.{key}` has no effect with method \"linear-buckling\", expected `count` alone"
                    );
                    self.error(&path(key), message, "not used by this method");
                }
            }
            return;
        }
        // A setting without effect would be a silent misunderstanding.
        if spec.method == StaticsMethod::LoadSteps && self.sure(&path("method")) {
            for (key, given) in spec.path_keys() {
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

    /// Stages name loads, supports that move, or gravity.
    fn stages(&mut self, spec: &StaticsSpec) {
        for (i, stage) in spec.stage.iter().enumerate() {
            let index = i.to_string();
            let path = ["task", "statics", "stage", &index, "loads"];
            if stage.loads.is_empty() {
                let message = format!(
                    "`{}` is empty, expected the names of loads and their factors",
                    self.document.path_text(&path)
                );
                self.error(&path, message, "nothing changes in this stage");
            }
            for (name, factor) in &stage.loads {
                let here = ["task", "statics", "stage", &index, "loads", name];
                let known = self.spec.load.contains_key(name)
                    || self.spec.support.contains_key(name)
                    || ["gravity", "current"].contains(&name.as_str());
                if !known {
                    let message = format!(
                        "`{}` names no load and no support, expected `gravity`, `current` or one of {}",
                        self.document.path_text(&here),
                        self.spec.load.keys().chain(self.spec.support.keys()).cloned().collect::<Vec<_>>().join(", ")
                    );
                    self.error(&here, message, "unknown");
                } else if !factor.is_finite() {
                    let message = format!("`{}` is {factor}, expected a number", self.document.path_text(&here));
                    self.error(&here, message, "not a number");
                }
            }
        }
        if spec.stage.is_empty() {
            return;
        }
        // A load that no stage names would be left out without a word.
        let named = |name: &str| spec.stage.iter().any(|stage| stage.loads.contains_key(name));
        let moves = |support: &SupportSpec| {
            [&support.x, &support.y, &support.z, &support.angle].iter().any(|motion| motion.is_some())
                || support.rotation.is_some()
        };
        let loads = self.spec.load.keys().map(|name| vec!["load", name.as_str()]);
        let supports = self.spec.support.iter().filter(|(_, support)| moves(support));
        let supports = supports.map(|(name, _)| vec!["support", name.as_str()]);
        let gravity = self.spec.gravity.iter().map(|_| vec!["gravity"]);
        let current = self.spec.current.iter().map(|_| vec!["current"]);
        let all = loads.chain(supports).chain(gravity).chain(current);
        for path in all.filter(|path| !path.last().is_some_and(|name| named(name))) {
            let here = self.document.path_text(&path);
            let message = format!(
                "`{here}` is in none of the stages, expected its factor in at least one [[task.statics.stage]]"
            );
            self.error(&path, message, "when does it act?").help("give it the factor 0 to leave it out");
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

    /// Instants at which the profile of the rods is told.
    pub(in crate::problem::build) fn profile_instants(&mut self, task: &str, instants: &[f64]) {
        let Some(time) = self.spec.time.filter(|_| self.sure(&["time"])) else { return };
        for (i, t) in instants.iter().enumerate().filter(|(_, t)| !(time.start..=time.end).contains(*t)) {
            let index = i.to_string();
            let path = ["task", task, "profile", &index];
            let message = format!(
                "`{}` is {t}, expected an instant from time.start = {} to time.end = {}",
                self.document.path_text(&path),
                time.start,
                time.end
            );
            self.error(&path, message, "outside of the motion");
        }
    }

    fn simulate_settings(&mut self, spec: &SimulateSpec) {
        self.profile_instants("simulate", &spec.profile);
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
