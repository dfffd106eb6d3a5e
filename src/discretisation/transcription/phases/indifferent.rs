//! Instants between phases that nothing depends on.
//!
//! Where one phase follows another with the same equations, bounds and costs, none of which depends on the time in its phase, and no condition says when
//! it does, the motion is the same wherever the instant between them is put: the least cost is a constant function of it, and the
//! errors of the mesh alone would decide. Their durations then have one unknown in common, the share σ of what is open,
//!
//! T_j = l_j + σ (u_j − l_j),
//!
//! which leaves every sum of them possible.

use super::super::{ControlProblem, Given, dependence};
use super::{Phase, PhasedProblem};
use crate::nlp::graph::{Graph, Program};

impl PhasedProblem {
    /// The phases k whose beginning has no effect on the motion.
    pub fn indifferent(&self) -> Vec<usize> {
        let free = |phase: &Phase| phase.problem.duration.value().is_none();
        let alike = |(k, pair): (usize, &[Phase])| match pair {
            [before, after] => (after.continues && free(before) && free(after)).then_some(k + 1),
            _ => None,
        };
        let pairs = self.phases.windows(2).enumerate().filter_map(alike);
        // Equations that depend on the time since zero are the same wherever a phase begins.
        let own_time =
            |problem: &ControlProblem| problem.begins == Given::Fixed(0.0) && dependence::moves_by_time(problem);
        let timed = |problem: &ControlProblem| own_time(problem) || dependence::is_judged_by_time(problem);
        pairs.filter(|&k| !timed(&self.phases[k].problem)).collect()
    }

    /// What is to be said of them.
    pub fn remarks(&self) -> Vec<String> {
        let of = |k: usize| {
            let [before, after] = [k - 1, k].map(|k| &self.phases[k].name);
            format!(
                "nothing depends on when phase `{before}` ends and `{after}` begins: they are alike, so their durations are equal shares of what they may be"
            )
        };
        self.indifferent().into_iter().map(of).collect()
    }
}

/// Inputs: two durations. Row: difference of their shares in what is open, (T₀ − l₀)(u₁ − l₁) − (T₁ − l₁)(u₀ − l₀).
pub(super) fn shares(pair: &[Phase]) -> Program {
    let graph = Graph::new();
    let bounds: Vec<(f64, f64)> = pair.iter().map(|phase| phase.problem.duration.bounds()).collect();
    let share = |(k, &(low, _)): (usize, &(f64, f64))| {
        graph.variable(format!("duration {k}"), 0.0, f64::NEG_INFINITY, f64::INFINITY) - low
    };
    let above: Vec<_> = bounds.iter().enumerate().map(share).collect();
    if let ([first, second], [(l0, u0), (l1, u1)]) = (&above[..], &bounds[..]) {
        let most = (u0 - l0).max(u1 - l1);
        graph.subject_to("share", *first * ((u1 - l1) / most) - *second * ((u0 - l0) / most), 0.0, 0.0);
    }
    graph.build()
}
