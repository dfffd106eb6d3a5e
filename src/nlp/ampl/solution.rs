//! The answer to a `.nl` file.

use std::fmt::Write;

use super::Model;
use crate::nlp::graph::shown;

/// How solving ended, as the `solve_result_num` of AMPL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveResult {
    /// Solved to the tolerances.
    Solved = 0,
    /// Solved to looser tolerances.
    Acceptable = 100,
    /// No point satisfies the rows, as far as can be told.
    Infeasible = 200,
    /// The objective has no bound.
    Unbounded = 300,
    /// A limit of time or iterations was met.
    Limit = 400,
    /// Solving failed.
    Failure = 500,
}

/// The contents of the `.sol` file: a message, the multipliers `lambda` (in the sign of [`Nlp`](crate::nlp::Nlp)) and
/// the point `x`.
pub fn solution(model: &Model, message: &str, x: &[f64], lambda: &[f64], result: SolveResult) -> String {
    let mut sol = String::new();
    // An empty line ends the message.
    for line in message.lines() {
        let _ = writeln!(sol, "{}", if line.is_empty() { " " } else { line });
    }
    sol.push_str("\nOptions\n");
    let options: &[i64] = if model.options.is_empty() { &[1, 1, 0] } else { &model.options };
    let _ = writeln!(sol, "{}", options.len());
    options.iter().for_each(|option| {
        let _ = writeln!(sol, "{option}");
    });
    let (rows, variables) = (model.multipliers.len(), model.program.start().len());
    let _ = writeln!(sol, "{rows}\n{}\n{variables}\n{}", lambda.len(), x.len());
    // The format's duals are the rates of the objective with the bounds of the rows.
    let sign = if model.program.is_maximised() { 1.0 } else { -1.0 };
    lambda.iter().map(|multiplier| sign * multiplier).chain(x.iter().copied()).for_each(|value| {
        let _ = writeln!(sol, "{}", shown(value + 0.0));
    });
    let _ = writeln!(sol, "objno 0 {}", result as u16);
    sol
}
