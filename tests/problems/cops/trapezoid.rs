//! Quantities on an equidistant grid and the trapezoidal rule between them.

use lariat::nlp::graph::{Expr, Graph};

/// A quantity at the grid points t/T = 0, 1/n, …, 1: its name, bounds, start, and values fixed at the ends.
pub struct Quantity<'a> {
    pub name: &'a str,
    pub lower: f64,
    pub upper: f64,
    pub first: Option<f64>,
    pub last: Option<f64>,
    pub start: &'a dyn Fn(f64) -> f64,
}

impl<'a> Quantity<'a> {
    /// A quantity without bounds.
    pub fn new(name: &'a str, start: &'a dyn Fn(f64) -> f64) -> Self {
        Self { name, lower: f64::NEG_INFINITY, upper: f64::INFINITY, first: None, last: None, start }
    }

    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        (self.lower, self.upper) = (lower, upper);
        self
    }

    pub fn from(mut self, value: f64) -> Self {
        self.first = Some(value);
        self
    }

    pub fn to(mut self, value: f64) -> Self {
        self.last = Some(value);
        self
    }

    /// The variables; a fixed one starts at its value.
    pub fn on<'g>(&self, graph: &'g Graph, n: usize) -> Vec<Expr<'g>> {
        (0..=n)
            .map(|i| {
                let share = i as f64 / n as f64;
                let name = format!("{} at t/T = {share}", self.name);
                let fixed = if i == 0 { self.first } else { self.last.filter(|_| i == n) };
                match fixed {
                    Some(value) => graph.variable(name, value, value, value),
                    None => graph.variable(name, (self.start)(share), self.lower, self.upper),
                }
            })
            .collect()
    }
}

/// The rows y(i+1) = y(i) + (step / 2) (y'(i) + y'(i+1)).
pub fn integrate<'g>(graph: &'g Graph, name: &str, step: Expr<'g>, y: &[Expr<'g>], slope: &[Expr<'g>]) {
    let n = y.len() - 1;
    for i in 0..n {
        let rule = y[i + 1] - y[i] - 0.5 * step * (slope[i] + slope[i + 1]);
        graph.subject_to(format!("{name} up to t/T = {}", (i + 1) as f64 / n as f64), rule, 0.0, 0.0);
    }
}

/// The end time and the step it makes.
pub fn end_time(graph: &Graph, n: usize, upper: f64) -> (Expr<'_>, Expr<'_>) {
    let end = graph.variable("end time", 1.0, 0.0, upper);
    (end, end / n as f64)
}
