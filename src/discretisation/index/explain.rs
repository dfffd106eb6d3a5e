//! Why there is no actuation, in words.

use thiserror::Error;

use super::equations::{Equations, Kind};
use crate::kernel::LARGEST_REST;
use crate::nlp::EvalFailure;

/// Why a servo problem has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ServoError {
    /// More outputs than inputs.
    #[error(
        "the servo paths are over-determined: {} servo outputs ({}) but {} actuator inputs ({}); prescribe fewer outputs, or let the actuators act in more components",
        outputs.len(), outputs.join(", "), inputs.len(), inputs.join(", ")
    )]
    OverDetermined {
        /// Servo outputs.
        outputs: Vec<String>,
        /// Actuator inputs.
        inputs: Vec<String>,
    },
    /// More inputs than outputs.
    #[error(
        "the actuation is under-determined: {} actuator inputs ({}) for {} servo outputs ({}), so that many actuations follow the paths; prescribe more outputs, take components away, or let method = \"optimise\" or [task.optimal-control] choose",
        inputs.len(), inputs.join(", "), outputs.len(), outputs.join(", ")
    )]
    UnderDetermined {
        /// Servo outputs.
        outputs: Vec<String>,
        /// Actuator inputs.
        inputs: Vec<String>,
    },
    /// No assignment of unknowns to equations.
    #[error("the servo paths do not determine the actuation: {0}")]
    NoAssignment(String),
    /// The system's Jacobian is singular wherever it is looked at.
    #[error(
        "the servo paths do not determine the actuation: the equations seem to have index {index}, but their matrix is singular (smallest relative singular value {smallest:.1e}) also beside this configuration; it leaves {unknowns} open. The inputs may reach the outputs only through a hidden dependence: state the system in coordinates in which the servo outputs are coordinates themselves, with constraints (joints) between them, or take method = \"boundary-value\" (rods that deform) or \"optimise\""
    )]
    Singular {
        /// Structural index.
        index: usize,
        /// Smallest singular value relative to the largest.
        smallest: f64,
        /// Unknowns that stay open.
        unknowns: String,
    },
    /// It is singular at an instant.
    #[error(
        "the inputs lose their effect on the servo outputs at t = {time:.6} s: the matrix of the system is singular there (relative singular value {smallest:.1e}), which leaves {unknowns} open; the path leads through a singular configuration, such as a stretched arm or a slack rope"
    )]
    SingularAt {
        /// When, second.
        time: f64,
        /// Smallest singular value relative to the largest.
        smallest: f64,
        /// Unknowns that stay open.
        unknowns: String,
    },
    /// Newton's method did not converge.
    #[error(
        "no motion was found that follows the servo paths at t = {time:.6} s: {row} (derivative {derivative}) is still violated by {left:.1e} of its terms; the path may leave what the mechanism can reach"
    )]
    NotConverged {
        /// When, second.
        time: f64,
        /// The equation that is violated most.
        row: String,
        /// Its derivative.
        derivative: usize,
        /// Violation relative to the size of its terms.
        left: f64,
    },
    /// The equations have no value.
    #[error("the equations have no value at t = {time:.6} s: {failure}")]
    Evaluation {
        /// When, second.
        time: f64,
        /// Where and why.
        failure: EvalFailure,
    },
    /// A path that is so steep that numbers do not hold its derivative.
    #[error(
        "the derivative of order {order} of the path of servo output {output} has no finite value at t = {time:.6} s, and the actuation depends on those up to order {needed}; make the path slower or smoother"
    )]
    NoDerivative {
        /// The output.
        output: String,
        /// The derivative.
        order: usize,
        /// When, second.
        time: f64,
        /// Highest derivative that the controls depend on.
        needed: usize,
    },
    /// A path that is not smooth enough.
    #[error(
        "the path of servo output {output} is not smooth enough: its derivative of order {order} jumps by {jump:.4e} (from {before:.4e} to {after:.4e}) at t = {time:.6} s. The system has index {index}: the actuation depends on the derivatives of this path up to order {needed}, so those up to {} must be continuous; a jump in a lower one would need infinite forces. Take a smoother path, for example {}",
        needed - 1, smooth_path(*needed)
    )]
    NotSmooth {
        /// The output.
        output: String,
        /// The derivative that jumps.
        order: usize,
        /// By how much.
        jump: f64,
        /// Its value before.
        before: f64,
        /// Its value after.
        after: f64,
        /// When, second.
        time: f64,
        /// Index of the system.
        index: usize,
        /// Highest derivative that the controls depend on.
        needed: usize,
    },
    /// The internal dynamics grows.
    #[error(
        "the internal dynamics is unstable: while the outputs follow their paths, the rest of the mechanism ({freedoms} states) leaves it with the time constant {time_constant:.4} s, within {duration} s by a factor of {growth:.1e}. Exact inversion forward in time is impossible; use method = \"optimise\", which lets the actuation begin before the path does"
    )]
    Unstable {
        /// States of the internal dynamics.
        freedoms: usize,
        /// Time in which it grows by e, second.
        time_constant: f64,
        /// Duration, second.
        duration: f64,
        /// Growth over the duration.
        growth: f64,
    },
    /// The integration of the internal dynamics does not get on.
    #[error(
        "the internal dynamics cannot be integrated beyond t = {time:.6} s: steps became shorter than {step:.1e} s"
    )]
    Stuck {
        /// Where, second.
        time: f64,
        /// Step, second.
        step: f64,
    },
    /// The user asked to stop.
    #[error("stopped at t = {time:.6} s")]
    Interrupted {
        /// Where, second.
        time: f64,
    },
}

/// A path from rest to rest with this many continuous derivatives, as a problem file states it.
fn smooth_path(needed: usize) -> String {
    match needed < LARGEST_REST as usize {
        true => format!("rest(t, start, end, {})", needed + 1),
        false => "(1 + erf((t - middle)/width))/2, which has all derivatives".to_owned(),
    }
}

impl ServoError {
    /// Different numbers of inputs and outputs.
    pub(super) fn counts(equations: &Equations) -> Self {
        let [n, m, p] = equations.sizes();
        let inputs: Vec<String> = (0..p).map(|j| equations.unknown_name(n + m + j).to_owned()).collect();
        let outputs: Vec<String> = (0..equations.outputs())
            .map(|h| equations.row_name(n + m + h).trim_start_matches("servo output ").to_owned())
            .collect();
        match outputs.len() > inputs.len() {
            true => Self::OverDetermined { outputs, inputs },
            false => Self::UnderDetermined { outputs, inputs },
        }
    }

    /// No assignment: tells which outputs contradict each other and which inputs have no effect on them. A row without a
    /// partner in a largest matching, and all rows that could have lost theirs instead, have fewer unknowns than equations.
    pub(super) fn no_assignment(equations: &Equations, sigma: &[Vec<Option<usize>>]) -> Self {
        let n = sigma.len();
        let there = |i: usize, j: usize| sigma[i][j].is_some();
        let matched = matching(n, &there);
        let mut column_of = vec![None; n];
        matched.iter().enumerate().for_each(|(j, row)| {
            if let Some(row) = row {
                column_of[*row] = Some(j);
            }
        });
        let mut rows: Vec<usize> = (0..n).filter(|i| column_of[*i].is_none()).collect();
        let mut columns: Vec<usize> = (0..n).filter(|j| matched[*j].is_none()).collect();
        let mut at = 0;
        while at < rows.len() {
            let row = rows[at];
            for other in (0..n).filter(|j| there(row, *j)).filter_map(|j| matched[j]) {
                if !rows.contains(&other) {
                    rows.push(other);
                }
            }
            at += 1;
        }
        at = 0;
        while at < columns.len() {
            let column = columns[at];
            for other in (0..n).filter(|i| there(*i, column)).filter_map(|i| column_of[i]) {
                if !columns.contains(&other) {
                    columns.push(other);
                }
            }
            at += 1;
        }
        rows.sort_unstable();
        columns.sort_unstable();
        let [coordinates, joints, _] = equations.sizes();
        let is_servo = |row: &&usize| matches!(equations.kind(**row), Kind::Servo(_));
        let mut outputs: Vec<&str> = rows.iter().filter(is_servo).map(|row| equations.row_name(*row)).collect();
        let mut inputs: Vec<&str> =
            columns.iter().filter(|j| **j >= coordinates + joints).map(|j| equations.unknown_name(*j)).collect();
        if outputs.is_empty() {
            outputs = rows.iter().map(|row| equations.row_name(*row)).collect();
        }
        if inputs.is_empty() {
            inputs = columns.iter().map(|j| equations.unknown_name(*j)).collect();
        }
        Self::NoAssignment(format!(
            "no actuator can influence {} independently of the others, while {} would stay open; move the actuator or the servo so that each input reaches an output of its own",
            outputs.join(", "),
            inputs.join(", ")
        ))
    }
}

/// A largest matching: the row of each column.
fn matching(n: usize, there: &dyn Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    fn augment(
        row: usize,
        n: usize,
        there: &dyn Fn(usize, usize) -> bool,
        seen: &mut [bool],
        matched: &mut [Option<usize>],
    ) -> bool {
        for j in 0..n {
            if !there(row, j) || seen[j] {
                continue;
            }
            seen[j] = true;
            let free = match matched[j] {
                None => true,
                Some(other) => augment(other, n, there, seen, matched),
            };
            if free {
                matched[j] = Some(row);
                return true;
            }
        }
        false
    }
    let mut matched = vec![None; n];
    for row in 0..n {
        augment(row, n, there, &mut vec![false; n], &mut matched);
    }
    matched
}
