//! Cost of the symmetric solvers on transcribed control problems, single thread: `cargo bench --bench kkt`.
//!
//! Times are the least of several runs. The cost per interval must not depend on the number of intervals.

#![allow(clippy::expect_used)]

use std::time::Instant;

use lariat::nlp::{Pattern, PatternBuilder};
use lariat::solver::linear::{LinearSolver, SparseLdl, SparseLu, StageRecursion, Stages, SymmetricSolver};

#[path = "../src/solver/linear/saddle_samples.rs"]
#[allow(dead_code, reason = "shared with the tests of the solvers")]
mod saddle_samples;

use saddle_samples::{Numbers, Saddle};

/// LU fills the dense row of the end time; beyond this size that takes minutes.
const LU_LIMIT: usize = 3000;

fn main() {
    println!(
        "{:<16} {:<16} {:>9} {:>10} {:>10} {:>10} {:>12} {:>9}",
        "nx, nu, N", "solver", "unknowns", "analysis", "factor", "solve", "factor/N", "error"
    );
    for (states, controls, intervals) in
        [(4, 1, 100), (4, 1, 400), (4, 1, 4000), (6, 3, 400), (6, 3, 4000), (12, 4, 200), (12, 4, 1000), (12, 4, 5000)]
    {
        let mut numbers = Numbers(1);
        let saddle = Saddle::control(states, controls, intervals, &mut numbers);
        let rhs: Vec<f64> = (0..saddle.size()).map(|_| numbers.next()).collect();
        let shift = saddle.shift(1e-8);
        let (pattern, values) = assemble(&saddle, false);
        let case = format!("{states}, {controls}, {intervals}");

        let analyse = || {
            let stages = Stages::detect(&pattern).expect("the problem is a chain");
            let mut solver = StageRecursion::new(stages);
            solver.analyse(&pattern).expect("the stages fit");
            solver
        };
        let factor = |solver: &mut StageRecursion| {
            solver.factor_shifted(&values, &shift).expect("sizes agree");
        };
        report(&case, "StageRecursion", intervals, &rhs, analyse, factor);

        let analyse = || {
            let mut solver = SparseLdl::new();
            solver.analyse(&pattern).expect("the pattern is a lower triangle");
            solver
        };
        let factor = |solver: &mut SparseLdl| {
            solver.factor_shifted(&values, &shift).expect("sizes agree");
        };
        report(&case, "SparseLdl", intervals, &rhs, analyse, factor);

        if saddle.size() <= LU_LIMIT {
            let (full, full_values) = assemble(&saddle, true);
            let analyse = || {
                let mut solver = SparseLu::new();
                solver.analyse(&full).expect("the pattern is square");
                solver
            };
            let factor = |solver: &mut SparseLu| {
                solver.factor(&full_values).expect("the matrix is regular");
            };
            report(&case, "SparseLu", intervals, &rhs, analyse, factor);
        }
    }
}

fn assemble(saddle: &Saddle, full: bool) -> (Pattern, Vec<f64>) {
    let mut entries = saddle.entries.clone();
    if full {
        let below = saddle.entries.iter().filter(|(row, column, _)| row != column);
        entries.extend(below.map(|&(row, column, value)| (column, row, value)));
    }
    let mut builder = PatternBuilder::new(saddle.size(), saddle.size());
    for (row, column, _) in &entries {
        builder.add(&[*row], &[*column]).expect("indices are in range");
    }
    let (pattern, map) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for (block, (_, _, value)) in entries.iter().enumerate() {
        map.scatter(block, &[*value], &mut values);
    }
    (pattern, values)
}

fn report<S: LinearSolver>(
    case: &str,
    name: &str,
    intervals: usize,
    rhs: &[f64],
    analyse: impl Fn() -> S,
    mut factor: impl FnMut(&mut S),
) {
    let repetitions = (40_000 / intervals).clamp(5, 100);
    let analysis = least(5, || {
        analyse();
    });
    let mut solver = analyse();
    let factorisation = least(repetitions, || factor(&mut solver));
    let mut x = rhs.to_vec();
    let mut error = f64::NAN;
    let solve = least(repetitions, || {
        x.copy_from_slice(rhs);
        error = solver.solve(&mut x).map_or(f64::NAN, |quality| quality.backward_error);
    });
    println!(
        "{case:<16} {name:<16} {:>9} {:>7.2} ms {:>7.3} ms {:>7.3} ms {:>9.2} us {error:>9.0e}",
        rhs.len(),
        1e3 * analysis,
        1e3 * factorisation,
        1e3 * solve,
        1e6 * factorisation / intervals as f64
    );
}

/// The least time of several runs, or their mean processor time if the system tells that and it is less: on a busy
/// machine a long run never has the processor for itself.
fn least(repetitions: usize, mut run: impl FnMut()) -> f64 {
    let before = processor_time();
    let times = (0..repetitions).map(|_| {
        let clock = Instant::now();
        run();
        clock.elapsed().as_secs_f64()
    });
    let least = times.fold(f64::INFINITY, f64::min);
    match (before, processor_time()) {
        (Some(before), Some(after)) if after - before > 0.1 => least.min((after - before) / repetitions as f64),
        _ => least,
    }
}

/// Seconds this thread has been running, from Linux's scheduler statistics.
fn processor_time() -> Option<f64> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = statistics.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}
