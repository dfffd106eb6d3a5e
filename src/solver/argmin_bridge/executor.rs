//! The constrained solver as a solver of argmin.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use argmin::core::{Error, KV, Problem, Solver, TerminationReason};
use argmin::kv;

use super::state::ConstrainedState;
use crate::nlp::Nlp;
use crate::solver::constrained::{Constrained, Iterate, IterationRecord, Options, Solution, Status, explain};
use crate::solver::saved::ProgramMarks;

/// The constrained solver for argmin's `Executor`; any [`Nlp`] is its problem.
///
/// One iteration of the `Executor` is one line of the iteration table, those of feasibility restoration included. The
/// solver works one step ahead, so that the last line is known to be the last. There is one start: unlike
/// [`solve`](crate::solver::constrained::solve()), a run that ends at a local minimum of the violation is not tried again.
pub struct ConstrainedSolver {
    options: Options,
    interrupt: Option<Arc<AtomicBool>>,
    /// What a start from a checkpoint must belong to.
    expected: Option<ProgramMarks>,
    marks: Option<ProgramMarks>,
    run: Option<Run>,
}

/// A solve in progress and what it has brought that argmin has not seen.
struct Run {
    solve: Option<Constrained>,
    pending: VecDeque<(IterationRecord, Option<Iterate>)>,
    solution: Option<Solution>,
}

impl ConstrainedSolver {
    /// A solver with the given options.
    pub fn new(options: &Options) -> Self {
        Self { options: options.clone(), interrupt: None, expected: None, marks: None, run: None }
    }

    /// Stops after the iteration in which the flag becomes true.
    #[must_use]
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// A solver that takes up an iterate of the program with these marks, at the barrier parameter it had reached.
    pub(super) fn resuming(options: &Options, expected: ProgramMarks, mu: f64) -> Self {
        let mut solver = Self::new(options);
        solver.options.warm = true;
        if mu > 0.0 {
            solver.options.first_mu = mu;
        }
        solver.expected = Some(expected);
        solver
    }

    /// The marks of the program, once the solve has begun.
    pub(super) fn marks(&self) -> Option<&ProgramMarks> {
        self.marks.as_ref()
    }

    /// Begins from the state's iterate and returns the line of the start.
    fn begin(&mut self, nlp: &mut dyn Nlp, start: &Iterate) -> Result<IterationRecord, Error> {
        if let Some(expected) = &self.expected {
            expected.check(start, nlp)?;
        }
        self.marks = Some(ProgramMarks::of(nlp));
        let solve = Constrained::begin(nlp, start, &self.options)?;
        let first = solve.records().first().copied();
        self.run = Some(Run { solve: Some(solve), pending: VecDeque::new(), solution: None });
        first.ok_or_else(|| Error::msg("the iteration table has no first line"))
    }

    /// Goes on until `ahead` lines are pending or the solve has ended.
    fn work(&mut self, nlp: &mut dyn Nlp, ahead: usize) {
        let Self { run: Some(run), options, interrupt, .. } = self else { return };
        let mut observe =
            |_: &IterationRecord| interrupt.as_ref().is_none_or(|interrupt| !interrupt.load(Ordering::SeqCst));
        while run.pending.len() < ahead
            && let Some(mut solve) = run.solve.take()
        {
            let before = solve.records().len();
            let ended = solve.step(nlp, &mut observe).is_some();
            run.pending.extend(solve.records()[before..].iter().map(|record| (*record, None)));
            // Only the last of several lines of a restoration has a point of the program to it.
            if let Some((_, iterate)) = run.pending.back_mut().filter(|_| solve.records().len() > before) {
                *iterate = Some(solve.iterate());
            }
            if !ended {
                run.solve = Some(solve);
                continue;
            }
            let mut solution = solve.finish(nlp);
            if solution.status == Status::Infeasible && options.explain {
                let explanation = explain(nlp, &solution, options, &mut observe);
                solution.message = Some(explanation.to_string());
                solution.explanation = Some(explanation);
            }
            run.solution = Some(solution);
        }
    }

    /// Hands the result over if no line is pending.
    fn end(&mut self, state: ConstrainedState) -> ConstrainedState {
        let run = self.run.as_mut().filter(|run| run.pending.is_empty());
        match run.and_then(|run| run.solution.take()) {
            Some(solution) => {
                let reason = termination(solution.status, solution.message.as_deref());
                state.ended(solution, reason)
            }
            None => state,
        }
    }
}

impl<O: Nlp> Solver<O, ConstrainedState> for ConstrainedSolver {
    fn name(&self) -> &str {
        self.options.method.name()
    }

    fn init(
        &mut self,
        problem: &mut Problem<O>,
        mut state: ConstrainedState,
    ) -> Result<(ConstrainedState, Option<KV>), Error> {
        let nlp = program(problem)?;
        let first = self.begin(nlp, &state.iterate)?;
        if let Some(Run { solve: Some(solve), .. }) = &self.run {
            state.iterate = solve.iterate();
        }
        state.record = Some(first);
        self.work(nlp, 1);
        Ok((self.end(state), Some(table(&first))))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<O>,
        mut state: ConstrainedState,
    ) -> Result<(ConstrainedState, Option<KV>), Error> {
        let nlp = program(problem)?;
        if self.run.is_none() {
            self.begin(nlp, &state.iterate)?;
        }
        self.work(nlp, 2);
        if let Some((record, iterate)) = self.run.as_mut().and_then(|run| run.pending.pop_front()) {
            state.record = Some(record);
            state.iterate = iterate.unwrap_or(state.iterate);
        }
        let kv = state.record.as_ref().map(table);
        Ok((self.end(state), kv))
    }
}

fn program<O>(problem: &mut Problem<O>) -> Result<&mut O, Error> {
    problem.problem.as_mut().ok_or_else(|| Error::msg("the executor holds no problem"))
}

fn table(record: &IterationRecord) -> KV {
    kv!(
        "inf_pr" => record.inf_pr;
        "inf_du" => record.inf_du;
        "mu" => record.mu;
        "step" => record.step;
        "regularisation" => record.regularisation;
        "alpha_dual" => record.alpha_dual;
        "alpha" => record.alpha;
        "trials" => record.trials as u64;
        "restoration" => record.restoration;
        "corrected" => record.corrected;
    )
}

/// The end of a solve in argmin's words; what argmin has no word for keeps its name, followed by the reason if known.
pub fn termination(status: Status, reason: Option<&str>) -> TerminationReason {
    match status {
        Status::Solved => TerminationReason::SolverConverged,
        Status::IterationLimit => TerminationReason::MaxItersReached,
        Status::Interrupted => TerminationReason::Interrupt,
        other => TerminationReason::SolverExit(match reason {
            Some(reason) => format!("{}: {reason}", other.name()),
            None => other.name().to_owned(),
        }),
    }
}
