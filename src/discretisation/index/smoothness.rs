//! Where paths have kinks: instants at which an expression takes another branch, and which derivatives jump there.

use super::ServoProblem;
use super::explain::ServoError;
use super::structure::IndexStructure;
use crate::discretisation::transcription::At;
use crate::nlp::Nlp;
use crate::nlp::graph::{Graph, Program, Side, Taylor};

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

/// The paths as series.
struct Paths {
    program: Program,
    taylor: Taylor,
    degree: usize,
}

impl Paths {
    fn new(problem: &ServoProblem, degree: usize) -> Self {
        let graph = Graph::new();
        let constants = |count: usize| vec![graph.constant(0.0); count];
        let coordinates = problem.mechanics.coordinates().len();
        let t = graph.variable("t", 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let (q, v, u) = (constants(coordinates), constants(coordinates), constants(problem.mechanics.controls().len()));
        let at = At { graph: &graph, q, v, u, t };
        problem.outputs.iter().for_each(|output| graph.subject_to(output.name.clone(), (output.path)(&at), 0.0, 0.0));
        let program = graph.build();
        let taylor = Taylor::new(&program, degree);
        Self { program, taylor, degree }
    }

    /// The branches taken just after t; the series are up to date afterwards.
    fn branches(&mut self, t: f64) -> Vec<bool> {
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

    /// Whether the derivatives that the controls depend on have a value at the instant evaluated last.
    fn are_finite(&self, problem: &ServoProblem, structure: &IndexStructure, time: f64) -> Result<(), ServoError> {
        for (output, needed) in structure.relative_degrees.iter().copied().enumerate() {
            let found = self.derivatives(output);
            if let Some(order) = found.iter().take(needed + 1).position(|x| !x.is_finite()) {
                let output = problem.outputs[output].name.clone();
                return Err(ServoError::NoDerivative { output, order, time, needed });
            }
        }
        Ok(())
    }
}

/// All instants at which a derivative that the controls depend on jumps, in the order of time, and all instants at which some
/// path changes its expression.
pub fn breaks(
    problem: &ServoProblem,
    structure: &IndexStructure,
    times: &[f64],
) -> Result<(Vec<Break>, Vec<f64>), ServoError> {
    let degree = structure.relative_degrees.iter().copied().max().unwrap_or(0);
    let outputs = problem.outputs.len();
    let mut paths = Paths::new(problem, degree);
    let mut largest = vec![vec![0.0f64; degree + 1]; outputs];
    let span = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    // Either side of every change of branches.
    let mut changes: Vec<(f64, f64)> = Vec::new();
    let mut last: Option<(f64, Vec<bool>)> = None;
    let mut values = vec![0.0; outputs];
    for (t, inside) in samples(times) {
        if let Err(failure) = paths.program.constraints(&[t], &mut values) {
            match inside {
                true => return Err(ServoError::Evaluation { time: t, failure }),
                false => continue,
            }
        }
        let now = paths.branches(t);
        if inside {
            paths.are_finite(problem, structure, t)?;
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
        paths.are_finite(problem, structure, low)?;
        let before: Vec<Vec<f64>> = (0..outputs).map(|output| paths.derivatives(output)).collect();
        paths.branches(high);
        paths.are_finite(problem, structure, high)?;
        for (output, before) in before.into_iter().enumerate() {
            let after = paths.derivatives(output);
            let sizes = &largest[output];
            let jumps = |order: &usize| {
                // A derivative of order n has the size of one of order k over the span^(n − k).
                let scaled = sizes.iter().enumerate().map(|(k, size)| size * span.powi(k as i32 - *order as i32));
                let least = (JUMP * sizes[*order]).max(NOTHING * scaled.fold(0.0, f64::max));
                !((after[*order] - before[*order]).abs() <= least)
            };
            if let Some(order) = (0..=structure.relative_degrees[output]).find(jumps) {
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
