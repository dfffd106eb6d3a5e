//! Nonlinear programs with known answers through the constrained solver: what is found, how fast, and how it ends.

mod control;
mod degenerate;
mod hock_schittkowski;

use lariat::nlp::graph::Program;
use lariat::solver::constrained::{Iterate, Options, Solution, SolveError, solve};

/// Solves a program from its own start.
fn solved(program: &mut Program, options: &Options) -> Result<Solution, SolveError> {
    let start = Iterate::at(program.start());
    solve(program, &start, options, &mut |_| true)
}

/// All numbers of a solution, bit by bit.
fn bits(solution: &Solution) -> Vec<u64> {
    let Solution { iterate, objective, rows, violation, error, iterations, .. } = solution;
    let table = iterations.iter().flat_map(|row| {
        [row.objective, row.inf_pr, row.inf_du, row.mu, row.step, row.regularisation, row.alpha_dual, row.alpha]
    });
    let point = iterate.x.iter().chain(&iterate.lambda).chain(&iterate.z_lower).chain(&iterate.z_upper);
    let numbers = point.chain(rows).copied().chain([*objective, *violation, *error]).chain(table);
    numbers.map(f64::to_bits).collect()
}
