//! The reference points of all nodes of a mesh, and which coordinates are rows because a chart hides them.

use std::sync::Arc;

use super::{Chart, ControlProblem, End, Given, parts};
use crate::kernel::linear;

/// Configurations at equal shares of the duration that reference points are taken from.
type Path = Arc<Vec<Vec<f64>>>;

/// What a chart makes of a problem on a mesh; without a chart, nothing.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub chart: Option<Chart>,
    /// Names of the constraints that have multipliers.
    pub kept: Vec<String>,
    /// Coordinates whose bounds are rows: at the start, between the ends, at the end.
    pub limits: [Vec<usize>; 3],
    /// Groups whose coordinates are given completely, at the start and at the end.
    pub known: [Vec<bool>; 2],
    /// Numbers of the nodes.
    pub numbers: Vec<Vec<f64>>,
    path: Option<Path>,
}

impl Reference {
    pub fn new(problem: &ControlProblem, intervals: usize) -> Self {
        let chart = problem.chart();
        let none = Self {
            kept: parts::kept_names(problem),
            limits: Default::default(),
            known: Default::default(),
            numbers: vec![Vec::new(); intervals + 1],
            path: None,
            chart,
        };
        let Some(chart) = &none.chart else { return none };
        let known = [&problem.start, &problem.end].map(|end| {
            let given = |i: &usize| matches!(end.position[*i], Given::Fixed(_));
            let count = end.position.len();
            chart.groups().iter().map(|group| (0..count).filter(|i| group.mentions(*i)).all(|i| given(&i))).collect()
        });
        let limited = |end: Option<(&End, &Vec<bool>)>| -> Vec<usize> {
            let along = |i: usize| problem.coordinate_bounds[i];
            let finite = |(lower, upper): (f64, f64)| lower.is_finite() || upper.is_finite();
            let bounded = |i: &usize| match end {
                None => finite(along(*i)),
                Some((end, known)) => {
                    let settled = chart.behind(*i).iter().all(|group| known[*group]);
                    !settled && (finite(along(*i)) || finite(end.position[*i].bounds()))
                }
            };
            (0..problem.coordinate_bounds.len()).filter(|i| chart.place(*i).is_none()).filter(bounded).collect()
        };
        let limits =
            [limited(Some((&problem.start, &known[0]))), limited(None), limited(Some((&problem.end, &known[1])))];
        Self { limits, known, ..none }.on(problem, intervals)
    }

    /// Coordinates whose bounds are rows at a node.
    pub fn limits_of(&self, node: usize) -> &[usize] {
        let last = self.numbers.len() - 1;
        &self.limits[if node == 0 {
            0
        } else if node == last {
            2
        } else {
            1
        }]
    }

    /// The same on another mesh.
    pub fn on(mut self, problem: &ControlProblem, intervals: usize) -> Self {
        self.numbers = vec![Vec::new(); intervals + 1];
        let Some(chart) = &self.chart else { return self };
        for node in 0..=intervals {
            let q = self.position(problem, node, intervals);
            let (done, rest) = self.numbers.split_at_mut(node);
            rest[0] = chart.reference(&q, done.last().map(Vec::as_slice));
        }
        self
    }

    /// The same with reference points along a path, given at equal shares of the duration; the guess is left alone.
    pub fn along(self, problem: &ControlProblem, path: Vec<Vec<f64>>) -> Self {
        let intervals = self.numbers.len() - 1;
        Self { path: Some(Arc::new(path)), ..self }.on(problem, intervals)
    }

    /// The configuration that the reference point of a node is nearest to: that of the path or guess, and at the ends what
    /// is given.
    fn position(&self, problem: &ControlProblem, node: usize, intervals: usize) -> Vec<f64> {
        let share = node as f64 / intervals as f64;
        let mut q = match &self.path {
            Some(path) => linear(path, share),
            None => (problem.guess.position)(share),
        };
        let end = match node {
            0 => Some(&problem.start),
            node if node == intervals => Some(&problem.end),
            _ => None,
        };
        for (q, given) in q.iter_mut().zip(end.into_iter().flat_map(|end| &end.position)) {
            if let Given::Fixed(value) = given {
                *q = *value;
            }
        }
        q
    }

    /// Configuration of the mesh as local coordinates: where the reference points are, and free coordinates as they are.
    pub fn local(&self, q: Vec<f64>) -> Vec<f64> {
        let Some(chart) = &self.chart else { return q };
        let turning = std::iter::repeat_n(0.0, chart.turning());
        turning.chain(chart.free().iter().map(|i| q[*i])).collect()
    }
}
