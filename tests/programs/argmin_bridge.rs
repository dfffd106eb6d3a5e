//! The constrained solver under argmin's executor, and argmin's methods around the constrained solver.

use crate::problems::cops::{steering, steering_with_end_time_at_most};
use crate::problems::hock_schittkowski;
use argmin::core::checkpointing::CheckpointingFrequency;
use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{Error, Executor, KV, State, TerminationReason};
use lariat::nlp::graph::{Graph, Program};
use lariat::nlp::{EvalFailure, Nlp};
use lariat::solver::argmin_bridge::{
    ConstrainedSolver, ConstrainedState, JsonCheckpoint, OuterError, OuterOptions, OuterRecord, minimise_smooth,
    minimise_without_derivatives, termination,
};
use lariat::solver::constrained::{Iterate, IterationRecord, Method, Options, Solution, Status, solve};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Notes every line it is shown, and raises a flag after some of them.
#[derive(Clone, Default)]
struct Notes {
    lines: Arc<Mutex<Vec<IterationRecord>>>,
    ends: Arc<Mutex<usize>>,
    stop: Option<(usize, Arc<AtomicBool>)>,
}

impl Observe<ConstrainedState> for Notes {
    fn observe_init(&mut self, name: &str, state: &ConstrainedState, kv: &KV) -> Result<(), Error> {
        assert!(["interior-point", "sqp"].contains(&name));
        self.observe_iter(state, kv)
    }

    fn observe_iter(&mut self, state: &ConstrainedState, kv: &KV) -> Result<(), Error> {
        let record = state.record.unwrap();
        for (key, value) in [("inf_pr", record.inf_pr), ("inf_du", record.inf_du), ("mu", record.mu)] {
            assert_eq!(kv.get(key).unwrap().get_float(), Some(value));
        }
        let mut lines = self.lines.lock().unwrap();
        lines.push(record);
        if let Some((after, flag)) = &self.stop
            && lines.len() > *after
        {
            flag.store(true, Ordering::SeqCst);
        }
        Ok(())
    }

    fn observe_final(&mut self, _: &ConstrainedState) -> Result<(), Error> {
        *self.ends.lock().unwrap() += 1;
        Ok(())
    }
}

fn direct(mut program: Program, options: &Options) -> Solution {
    let start = Iterate::at(program.start());
    solve(&mut program, &start, options, &mut |_| true).unwrap()
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

#[test]
fn the_executor_gives_the_bits_of_a_direct_solve() {
    for method in Method::ALL {
        let options = Options { method, max_iterations: 300, explain: false, retries: 0, ..Options::default() };
        for problem in hock_schittkowski::all() {
            let expected = direct((problem.build)(), &options);
            let program = (problem.build)();
            let start = Iterate::at(program.start());
            let notes = Notes::default();
            let result = Executor::new(program, ConstrainedSolver::new(&options))
                .configure(|state| state.start(start))
                .add_observer(notes.clone(), ObserverMode::Always)
                .run()
                .unwrap();
            let state = result.state();
            let solution = state.solution.as_ref().unwrap();
            let name = format!("{} by {}", problem.name, method.name());
            assert_eq!(solution.status, expected.status, "{name}");
            assert!(same(solution.objective, expected.objective), "{name}");
            assert!(same(state.get_cost(), expected.objective) && same(state.get_best_cost(), expected.objective));
            let x = state.get_best_param().unwrap();
            assert!(x.iter().zip(&expected.iterate.x).all(|(a, b)| same(*a, *b)), "{name}");
            assert_eq!(solution.iterate, expected.iterate, "{name}");
            assert_eq!(*notes.lines.lock().unwrap(), expected.iterations, "{name}: observed once per iteration");
            assert_eq!(state.get_iter() as usize, expected.iterations.len() - 1, "{name}");
            assert_eq!(*notes.ends.lock().unwrap(), 1);
            let reason = termination(expected.status, expected.message.as_deref());
            assert_eq!(state.get_termination_reason(), Some(&reason), "{name}");
        }
    }
}

#[test]
fn ends_have_their_names_in_argmin() {
    assert_eq!(termination(Status::Solved, None), TerminationReason::SolverConverged);
    assert_eq!(termination(Status::IterationLimit, Some("x")), TerminationReason::MaxItersReached);
    assert_eq!(termination(Status::Interrupted, None), TerminationReason::Interrupt);
    assert_eq!(termination(Status::RestorationFailed, None).text(), "restoration-failed");
    assert_eq!(termination(Status::Stalled, Some("no step")).text(), "stalled: no step");
    // The time is too short: the end names the conflict.
    let program = steering_with_end_time_at_most(20, 0.3);
    let start = Iterate::at(program.start());
    let result = Executor::new(program, ConstrainedSolver::new(&Options::default()))
        .configure(|state| state.start(start))
        .run()
        .unwrap();
    let solution = result.state().solution.clone().unwrap();
    assert_eq!(solution.status, Status::Infeasible);
    assert!(solution.explanation.is_some());
    let text = result.state().get_termination_reason().unwrap().text().to_owned();
    assert!(text.starts_with("infeasible: ") && text.contains("end time"), "{text}");
}

#[test]
fn a_flag_interrupts_the_executor() {
    let flag = Arc::new(AtomicBool::new(false));
    let notes = Notes { stop: Some((4, flag.clone())), ..Notes::default() };
    let program = steering(50);
    let start = Iterate::at(program.start());
    let result = Executor::new(program, ConstrainedSolver::new(&Options::default()).with_interrupt(flag))
        .configure(|state| state.start(start))
        .add_observer(notes.clone(), ObserverMode::Always)
        .run()
        .unwrap();
    let state = result.state();
    assert_eq!(state.get_termination_reason(), Some(&TerminationReason::Interrupt));
    let solution = state.solution.as_ref().unwrap();
    assert_eq!(solution.status, Status::Interrupted);
    assert_eq!(state.get_best_param().unwrap(), &solution.iterate.x);
    let seen = notes.lines.lock().unwrap().len();
    assert_eq!(seen, solution.iterations.len());
    // The solver is one step ahead of what it shows, and sees the flag after the next one.
    assert!((5..=7).contains(&seen), "{seen}");
}

#[test]
fn a_run_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steering.json");
    let options = Options::default();
    let whole = direct(steering(100), &options);
    let needed = whole.iterations.len() - 1;
    let half = needed / 2;
    let checkpoint = |frequency| JsonCheckpoint::new(&path, frequency, &options);
    let run = |program: Program, max_iters: u64| {
        let start = Iterate::at(program.start());
        Executor::new(program, ConstrainedSolver::new(&options))
            .configure(|state| state.start(start).max_iters(max_iters))
            .checkpointing(checkpoint(CheckpointingFrequency::Every(1)))
            .run()
    };
    // Nothing to resume yet: the run begins at its start and writes as it goes.
    let first = run(steering(100), half as u64).unwrap();
    assert_eq!(first.state().get_termination_reason(), Some(&TerminationReason::MaxItersReached));
    assert!(first.state().solution.is_none());
    assert!(path.exists() && !folder.path().join("steering.json.part").exists());
    let resumed = run(steering(100), u64::MAX).unwrap();
    let state = resumed.state();
    let solution = state.solution.as_ref().unwrap();
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.objective - whole.objective).abs() <= 1e-7 * whole.objective, "{}", solution.objective);
    let after = solution.iterations.len() - 1;
    assert_eq!(state.get_iter() as usize, half + after);
    assert!(after < needed - half / 2, "{after} after {half} of {needed}");
    // Another program finds a checkpoint that is not its own.
    let error = run(steering(50), u64::MAX).err().unwrap().to_string();
    assert!(error.contains("variables"), "{error}");
    std::fs::write(&path, "{}").unwrap();
    let error = run(steering(100), u64::MAX).err().unwrap().to_string();
    assert!(error.contains("steering.json"), "{error}");
}

/// The banana-shaped valley of Rosenbrock and its gradient.
fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalFailure> {
    let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    Ok(a * a + 100.0 * b * b)
}

/// Least effort to move a unit mass by one and stop, in a time T that itself costs 1 per unit: with ∫u² = 12/T³ the
/// optimum is T = 36^(1/4). The gradient by T comes from the multiplier of the row that fixes T.
fn effort(time: f64, gradient: &mut [f64]) -> Result<f64, EvalFailure> {
    let place = "effort".to_owned();
    if time <= 0.0 {
        return Err(EvalFailure { place, reason: format!("a time of {time}") });
    }
    const N: usize = 40;
    let g = Graph::new();
    let fixed = |k: usize, last: f64| if k == 0 { Some(0.0) } else { (k == N).then_some(last) };
    let state = |name: &str, last: f64| -> Vec<_> {
        let free = f64::INFINITY;
        let bounds = |k| fixed(k, last).map_or((-free, free), |value| (value, value));
        (0..=N).map(|k| g.variable(format!("{name} {k}"), 0.0, bounds(k).0, bounds(k).1)).collect()
    };
    let (position, velocity) = (state("position", 1.0), state("velocity", 0.0));
    let force: Vec<_> = (0..N).map(|k| g.variable(format!("force {k}"), 0.0, -f64::INFINITY, f64::INFINITY)).collect();
    let end = g.variable("end time", time, 0.0, f64::INFINITY);
    let step = end / N as f64;
    for k in 0..N {
        g.subject_to(format!("v {k}"), velocity[k + 1] - velocity[k] - step * force[k], 0.0, 0.0);
        let mean = 0.5 * (velocity[k] + velocity[k + 1]);
        g.subject_to(format!("x {k}"), position[k + 1] - position[k] - step * mean, 0.0, 0.0);
    }
    g.subject_to("given end time", end, time, time);
    g.minimise(step * g.sum(force.iter().map(|u| u.square())) + end);
    let mut program = g.build();
    let start = Iterate::at(program.start());
    let solution = solve(&mut program, &start, &Options::default(), &mut |_| true)
        .map_err(|error| EvalFailure { place: place.clone(), reason: error.to_string() })?;
    if solution.status != Status::Solved {
        return Err(EvalFailure { place, reason: solution.status.name().to_owned() });
    }
    // dφ/dT = −λ of the row `end = T`, by the sign of ∇f + Jᵀλ = 0.
    if let Some(slope) = gradient.first_mut() {
        *slope = -solution.iterate.lambda[program.bounds().rows() - 1];
    }
    Ok(solution.objective)
}

/// The exact optimum for N steps: velocities are linear in the force, so the effort is 12/T³ · N²/(N² − 1).
fn best_time() -> f64 {
    let n2 = 40.0f64 * 40.0;
    (36.0 * n2 / (n2 - 1.0)).powf(0.25)
}

fn go_on(_: &OuterRecord) -> bool {
    true
}

#[test]
fn a_smooth_outer_problem_is_solved() {
    let options = OuterOptions::default();
    let valley = minimise_smooth(&[-1.2, 1.0], &options, &mut rosenbrock, &mut go_on).unwrap();
    assert_eq!(valley.status, Status::Solved);
    assert!(valley.x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?}", valley.x);
    assert!(valley.evaluations < 80, "{} evaluations", valley.evaluations);
    assert_eq!(valley.evaluations, valley.iterations.last().unwrap().evaluations);

    let mut inner = |x: &[f64], gradient: &mut [f64]| effort(x[0], gradient);
    let moved = minimise_smooth(&[1.0], &options, &mut inner, &mut go_on).unwrap();
    assert_eq!(moved.status, Status::Solved, "{:?}", moved.message);
    assert!((moved.x[0] - best_time()).abs() < 1e-5, "{} for {}", moved.x[0], best_time());
}

#[test]
fn an_outer_problem_without_derivatives_is_solved() {
    let options = OuterOptions { tolerance: 1e-12, max_iterations: 1000, ..OuterOptions::default() };
    let mut valley = |x: &[f64]| rosenbrock(x, &mut [0.0; 2]);
    let valley = minimise_without_derivatives(&[-1.2, 1.0], &options, &mut valley, &mut go_on).unwrap();
    assert_eq!(valley.status, Status::Solved);
    assert!(valley.x.iter().all(|x| (x - 1.0).abs() < 1e-4), "{:?}", valley.x);

    let options = OuterOptions { tolerance: 1e-9, ..OuterOptions::default() };
    let moved = minimise_without_derivatives(&[1.0], &options, &mut |x| effort(x[0], &mut []), &mut go_on).unwrap();
    assert_eq!(moved.status, Status::Solved);
    assert!((moved.x[0] - best_time()).abs() < 1e-3, "{} for {}", moved.x[0], best_time());
}

/// Two corners of equal value on both sides of the minimum look like rest.
#[test]
fn a_symmetric_simplex_is_not_taken_for_a_minimum() {
    let mut parabola = |x: &[f64]| Ok((x[0] - 0.5) * (x[0] - 0.5));
    let options = OuterOptions { edge: 1.0, tolerance: 1e-10, ..OuterOptions::default() };
    let found = minimise_without_derivatives(&[0.0], &options, &mut parabola, &mut go_on).unwrap();
    assert_eq!(found.status, Status::Solved);
    assert!((found.x[0] - 0.5).abs() < 1e-4, "{}", found.x[0]);
}

#[test]
fn interrupted_outer_problems_keep_their_best_point() {
    let options = OuterOptions::default();
    let mut seen = Vec::new();
    let mut stop = |record: &OuterRecord| {
        seen.push(record.value);
        seen.len() < 6
    };
    let smooth = minimise_smooth(&[-1.2, 1.0], &options, &mut rosenbrock, &mut stop).unwrap();
    assert_eq!(smooth.status, Status::Interrupted);
    assert_eq!((seen.len(), smooth.iterations.len()), (6, 6));
    assert_eq!(smooth.value, rosenbrock(&smooth.x, &mut [0.0; 2]).unwrap());
    assert!(seen.iter().all(|value| smooth.value <= *value) && smooth.value < 24.2);

    let mut seen = Vec::new();
    let mut stop = |record: &OuterRecord| {
        seen.push(record.value);
        seen.len() < 12
    };
    let mut values = |x: &[f64]| rosenbrock(x, &mut [0.0; 2]);
    let simplex = minimise_without_derivatives(&[-1.2, 1.0], &options, &mut values, &mut stop).unwrap();
    assert_eq!(simplex.status, Status::Interrupted);
    assert_eq!(seen.len(), 12);
    assert_eq!(simplex.value, rosenbrock(&simplex.x, &mut [0.0; 2]).unwrap());
    assert!(seen.iter().all(|value| simplex.value <= *value) && simplex.value < 24.2);
}

#[test]
fn outer_problems_that_make_no_sense_are_refused() {
    let options = OuterOptions::default();
    let empty = minimise_smooth(&[], &options, &mut rosenbrock, &mut go_on);
    assert_eq!(empty, Err(OuterError::NoVariable));
    let failed = minimise_without_derivatives(&[-1.0], &options, &mut |x| effort(x[0], &mut []), &mut go_on);
    assert!(failed.unwrap_err().to_string().contains("a time of -1"));
    let option = OuterOptions { tolerance: 0.0, ..options };
    let refused = minimise_smooth(&[1.0, 1.0], &option, &mut rosenbrock, &mut go_on);
    assert_eq!(refused.unwrap_err().to_string(), "the tolerance is 0, it has to be positive and finite");
    let limited = OuterOptions { max_iterations: 3, ..options };
    let limited = minimise_smooth(&[-1.2, 1.0], &limited, &mut rosenbrock, &mut go_on).unwrap();
    assert_eq!((limited.status, limited.iterations.len()), (Status::IterationLimit, 4));
    let mut falling = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -(x[0].exp());
        Ok(-(x[0].exp()))
    };
    let falling = minimise_smooth(&[0.0], &options, &mut falling, &mut go_on).unwrap();
    assert_eq!(falling.status, Status::Unbounded);
    // A gradient of the wrong sign: no step helps, and the start remains the best point.
    let mut wrong = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -2.0 * x[0];
        Ok(x[0] * x[0])
    };
    let wrong = minimise_smooth(&[3.0], &options, &mut wrong, &mut go_on).unwrap();
    assert_eq!((wrong.status, wrong.x[0], wrong.value), (Status::Stalled, 3.0, 9.0));
    assert!(wrong.message.unwrap().contains("lowers the value as its slope promises"));
}
