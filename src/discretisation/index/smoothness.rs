//! Where paths have kinks: instants at which an expression takes another branch, and which derivatives jump there.

use super::ServoProblem;
use super::explain::ServoError;
use super::structure::IndexStructure;
use crate::discretisation::transcription::At;
use crate::kernel::Function;
use crate::nlp::graph::{Graph, Program, Side, Taylor};
use crate::nlp::{EvalFailure, Nlp};

/// Jumps smaller than this, relative to the largest magnitude of the same derivative, are rounding.
const JUMP: f64 = 1e-6;
/// Jumps smaller than this part of what a derivative has to be for the path to go its way in the interval are rounding, too.
const NOTHING: f64 = 1e-12;
/// Instants looked at between two of the grid.
const BETWEEN: usize = 4;

/// Times this near to zero, relative to the length of the interval, are told as zero.
const ROUNDED: f64 = 1e-12;
/// Either side of a kink is looked at this near to it, relative to the length of the interval.
const NEAR: f64 = 1e-15;
/// How far outside of the interval, relative to its length, a path is looked at.
const OUTSIDE: f64 = 1e-4;

/// An instant at which a derivative of a path that the controls depend on jumps.
#[derive(Debug, Clone, PartialEq)]
pub struct Break {
    /// When, second.
    pub time: f64,
    /// Number of the output.
    pub output: usize,
    /// Lowest derivative that jumps.
    pub order: usize,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
}

impl Break {
    /// What jumps where and by how much, in words, for a path of this name.
    pub fn words(&self, path: &str) -> String {
        let what = match self.order {
            0 => "position".to_owned(),
            1 => "velocity".to_owned(),
            2 => "acceleration".to_owned(),
            order => format!("derivative {order}"),
        };
        let jump = self.after - self.before;
        format!("the {what} of the path of {path} jumps by {jump:.4e} at t = {:.6} s", self.time)
    }
}

/// The paths as series.
struct Paths {
    program: Program,
    taylor: Taylor,
    degree: usize,
}

impl Paths {
    fn of_outputs(problem: &ServoProblem, degree: usize) -> Self {
        let graph = Graph::new();
        let constants = |count: usize| vec![graph.constant(0.0); count];
        let coordinates = problem.mechanics.coordinates().len();
        let t = graph.variable("t", 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let (q, v, u) = (constants(coordinates), constants(coordinates), constants(problem.mechanics.controls().len()));
        let at = At { graph: &graph, q, v, u, t };
        problem.outputs.iter().for_each(|output| graph.subject_to(output.name.clone(), (output.path)(&at), 0.0, 0.0));
        Self::new(&graph, degree)
    }

    fn of_functions(functions: &[&Function], degree: usize) -> Self {
        let graph = Graph::new();
        let t = graph.variable("t", 0.0, f64::NEG_INFINITY, f64::INFINITY);
        functions.iter().for_each(|function| graph.subject_to("path", function.lower(&graph, t), 0.0, 0.0));
        Self::new(&graph, degree)
    }

    /// The rows of a graph whose only variable is the time.
    fn new(graph: &Graph, degree: usize) -> Self {
        let program = graph.build();
        let taylor = Taylor::new(&program, degree);
        Self { program, taylor, degree }
    }

    /// The branches taken just after t; the series are up to date afterwards.
    fn branches(&mut self, t: f64) -> Vec<u32> {
        let time = self.taylor.variable(0);
        time.fill(0.0);
        time[0] = t;
        if self.degree > 0 {
            time[1] = 1.0;
        }
        self.taylor.evaluate(self.degree, Side::After);
        self.taylor.branches().to_vec()
    }

    /// Derivatives of a path at the instant evaluated last.
    fn derivatives(&self, output: usize) -> Vec<f64> {
        let mut factorial = 1.0;
        let coefficients = self.taylor.row(output).iter().enumerate();
        coefficients
            .map(|(k, x)| {
                factorial *= k.max(1) as f64;
                x * factorial
            })
            .collect()
    }

    /// Whether the derivatives up to the orders that are asked for have a value at the instant evaluated last.
    fn are_finite(&self, orders: &[usize], time: f64) -> Result<(), NoValue> {
        for (output, needed) in orders.iter().copied().enumerate() {
            let found = self.derivatives(output);
            if let Some(order) = found.iter().take(needed + 1).position(|x| !x.is_finite()) {
                return Err(NoValue::Derivative { output, order, time, needed });
            }
        }
        Ok(())
    }
}

/// What has no value.
enum NoValue {
    /// A path at a time.
    Path(f64, EvalFailure),
    /// A derivative that is needed.
    Derivative { output: usize, order: usize, time: f64, needed: usize },
}

/// All instants at which a derivative that the controls depend on jumps, in the order of time, and all instants at which some
/// path changes its expression.
pub fn breaks(
    problem: &ServoProblem,
    structure: &IndexStructure,
    times: &[f64],
) -> Result<(Vec<Break>, Vec<f64>), ServoError> {
    let degree = structure.relative_degrees.iter().copied().max().unwrap_or(0);
    let paths = Paths::of_outputs(problem, degree);
    search(paths, &structure.relative_degrees, times).map_err(|found| match found {
        NoValue::Path(time, failure) => ServoError::Evaluation { time, failure },
        NoValue::Derivative { output, order, time, needed } => {
            ServoError::NoDerivative { output: problem.outputs[output].name.clone(), order, time, needed }
        }
    })
}

/// The instants at which a derivative of one of these functions of time jumps, up to this order, in the order of time. Where a
/// function has no value nothing is found.
pub fn kinks(functions: &[&Function], order: usize, times: &[f64]) -> Vec<Break> {
    let found = search(Paths::of_functions(functions, order), &vec![order; functions.len()], times);
    found.map(|(breaks, _)| breaks).unwrap_or_default()
}

/// The same of the paths of outputs, all up to this order.
pub fn kinks_of_outputs(problem: &ServoProblem, order: usize, times: &[f64]) -> Vec<Break> {
    let found = search(Paths::of_outputs(problem, order), &vec![order; problem.outputs.len()], times);
    found.map(|(breaks, _)| breaks).unwrap_or_default()
}

/// The jumps of the derivatives up to the orders that are asked for of each path, and all instants at which some path changes
/// its expression; or where a path or one of these derivatives has no value.
fn search(mut paths: Paths, orders: &[usize], times: &[f64]) -> Result<(Vec<Break>, Vec<f64>), NoValue> {
    let (degree, outputs) = (paths.degree, orders.len());
    let mut largest = vec![vec![0.0f64; degree + 1]; outputs];
    let span = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    // Either side of every change of branches.
    let mut changes: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<(f64, Vec<u32>)> = None;
    let mut values = vec![0.0; outputs];
    for (t, inside) in samples(times) {
        if let Err(failure) = paths.program.constraints(&[t], &mut values) {
            match inside {
                true => return Err(NoValue::Path(t, failure)),
                false => continue,
            }
        }
        let now = paths.branches(t);
        if inside {
            paths.are_finite(orders, t)?;
        }
        for (output, largest) in largest.iter_mut().enumerate() {
            let found = paths.derivatives(output).into_iter().filter(|x| x.is_finite());
            largest.iter_mut().zip(found).for_each(|(most, x)| *most = most.max(x.abs()));
        }
        if let Some((mut from, mut known)) = last.take() {
            while known != now {
                let (mut low, mut high) = (from, t);
                while let middle = 0.5 * (low + high)
                    && middle > low
                    && middle < high
                    && high - low > NEAR * span
                {
                    if paths.branches(middle) == known { low = middle } else { high = middle }
                }
                changes.push((low, high));
                (from, known) = (high, paths.branches(high));
                if from >= t {
                    break;
                }
            }
        }
        last = Some((t, now));
    }
    let mut found = Vec::new();
    for &(low, high) in &changes {
        paths.branches(low);
        paths.are_finite(orders, low)?;
        let before: Vec<Vec<f64>> = (0..outputs).map(|output| paths.derivatives(output)).collect();
        paths.branches(high);
        paths.are_finite(orders, high)?;
        for (output, before) in before.into_iter().enumerate() {
            let after = paths.derivatives(output);
            let sizes = &largest[output];
            let jumps = |order: &usize| {
                // A derivative of order n has the size of one of order k over the span^(n − k).
                let scaled = sizes.iter().enumerate().map(|(k, size)| size * span.powi(k as i32 - *order as i32));
                let least = (JUMP * sizes[*order]).max(NOTHING * scaled.fold(0.0, f64::max));
                !((after[*order] - before[*order]).abs() <= least)
            };
            if let Some(order) = (0..=orders[output]).find(jumps) {
                let time = if high.abs() < ROUNDED * span { 0.0 } else { high };
                found.push(Break { time, output, order, before: before[order], after: after[order] });
            }
        }
    }
    Ok((found, changes.into_iter().map(|(_, high)| high).collect()))
}

/// Instants to look at. Just before the first and just after the last a path rests, or goes on as it does inside.
fn samples(times: &[f64]) -> Vec<(f64, bool)> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let outside = OUTSIDE * (last - first);
    let mut found = vec![(first - outside, false)];
    for (begin, end) in times.iter().zip(times.iter().skip(1)) {
        found.extend((0..BETWEEN).map(|part| (begin + (end - begin) * part as f64 / BETWEEN as f64, true)));
    }
    found.extend([(*last, true), (last + outside, false)]);
    found
}

/// Refuses paths that are not smooth enough; what remains makes the controls jump.
pub(super) fn refuse(problem: &ServoProblem, structure: &IndexStructure, breaks: &[Break]) -> Result<(), ServoError> {
    let degree = |found: &&Break| structure.relative_degrees[found.output];
    // The worst is the one that lacks most derivatives; of several the first.
    let worst = breaks
        .iter()
        .filter(|found| found.order < degree(found))
        .min_by_key(|found| (found.order as isize) - degree(found) as isize);
    let Some(found) = worst else { return Ok(()) };
    Err(ServoError::NotSmooth {
        output: problem.outputs[found.output].name.clone(),
        order: found.order,
        jump: found.after - found.before,
        before: found.before,
        after: found.after,
        time: found.time,
        index: structure.index,
        needed: degree(&found),
    })
}
