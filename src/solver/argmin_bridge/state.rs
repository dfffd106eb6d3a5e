//! The state of a constrained solve as argmin sees it.

use std::collections::HashMap;
use std::time::Duration;

use argmin::core::{Problem, State, TerminationReason, TerminationStatus};

use crate::solver::constrained::{Iterate, IterationRecord, Solution};

/// What argmin, its observers and its checkpoints know of a constrained solve.
///
/// The cost is the objective. The best point is the one with the smallest of max(inf_pr, inf_du, μ), and at the end the
/// point the solver returns: an objective alone says nothing where rows are violated.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstrainedState {
    /// Variables and multipliers; before the first step the start. Inside feasibility restoration they stay where it began.
    pub iterate: Iterate,
    /// The line of the iteration table that belongs to them.
    pub record: Option<IterationRecord>,
    /// The result, once the solver has ended.
    pub solution: Option<Solution>,
    best: Option<Best>,
    iter: u64,
    last_best_iter: u64,
    max_iters: u64,
    counts: HashMap<String, u64>,
    time: Option<Duration>,
    termination: TerminationStatus,
}

#[derive(Debug, Clone, PartialEq)]
struct Best {
    x: Vec<f64>,
    cost: f64,
    error: f64,
}

impl ConstrainedState {
    /// Sets the start.
    #[must_use]
    pub fn start(mut self, iterate: Iterate) -> Self {
        self.iterate = iterate;
        self
    }

    /// Sets the number of iterations after which argmin ends the run; the solver's own limit holds besides.
    #[must_use]
    pub fn max_iters(mut self, max_iters: u64) -> Self {
        self.max_iters = max_iters;
        self
    }

    /// A state some iterations into a run.
    pub(super) fn resumed(iterate: Iterate, record: IterationRecord, iter: u64) -> Self {
        Self { iterate, record: Some(record), iter, ..Self::new() }
    }

    /// Ends with the solver's result.
    pub(super) fn ended(mut self, solution: Solution, reason: TerminationReason) -> Self {
        self.iterate = solution.iterate.clone();
        self.best = Some(Best { x: solution.iterate.x.clone(), cost: solution.objective, error: 0.0 });
        self.last_best_iter = self.iter;
        self.solution = Some(solution);
        self.terminate_with(reason)
    }
}

impl State for ConstrainedState {
    type Param = Vec<f64>;
    type Float = f64;

    fn new() -> Self {
        Self {
            iterate: Iterate::default(),
            record: None,
            solution: None,
            best: None,
            iter: 0,
            last_best_iter: 0,
            max_iters: u64::MAX,
            counts: HashMap::new(),
            time: None,
            termination: TerminationStatus::NotTerminated,
        }
    }

    fn update(&mut self) {
        let Some(record) = self.record.filter(|_| self.solution.is_none()) else { return };
        let error = record.inf_pr.max(record.inf_du).max(record.mu);
        if self.best.as_ref().is_none_or(|best| error <= best.error) {
            self.best = Some(Best { x: self.iterate.x.clone(), cost: record.objective, error });
            self.last_best_iter = self.iter;
        }
    }

    fn get_param(&self) -> Option<&Vec<f64>> {
        (!self.iterate.x.is_empty()).then_some(&self.iterate.x)
    }

    fn get_best_param(&self) -> Option<&Vec<f64>> {
        self.best.as_ref().map(|best| &best.x)
    }

    fn get_max_iters(&self) -> u64 {
        self.max_iters
    }

    fn increment_iter(&mut self) {
        self.iter += 1;
    }

    fn get_iter(&self) -> u64 {
        self.iter
    }

    fn get_cost(&self) -> f64 {
        match (&self.solution, &self.record) {
            (Some(solution), _) => solution.objective,
            (None, Some(record)) => record.objective,
            (None, None) => f64::INFINITY,
        }
    }

    fn get_best_cost(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| best.cost)
    }

    /// There is none: an objective may be reached long before the rows are met.
    fn get_target_cost(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn func_counts<O>(&mut self, problem: &Problem<O>) {
        for (name, count) in &problem.counts {
            self.counts.insert((*name).to_owned(), *count);
        }
    }

    fn get_func_counts(&self) -> &HashMap<String, u64> {
        &self.counts
    }

    fn time(&mut self, time: Option<Duration>) -> &mut Self {
        self.time = time;
        self
    }

    fn get_time(&self) -> Option<Duration> {
        self.time
    }

    fn get_last_best_iter(&self) -> u64 {
        self.last_best_iter
    }

    fn is_best(&self) -> bool {
        self.last_best_iter == self.iter
    }

    fn terminate_with(mut self, reason: TerminationReason) -> Self {
        self.termination = TerminationStatus::Terminated(reason);
        self
    }

    fn get_termination_status(&self) -> &TerminationStatus {
        &self.termination
    }

    fn get_termination_reason(&self) -> Option<&TerminationReason> {
        match &self.termination {
            TerminationStatus::Terminated(reason) => Some(reason),
            TerminationStatus::NotTerminated => None,
        }
    }
}
