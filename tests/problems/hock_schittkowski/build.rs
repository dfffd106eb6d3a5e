//! Short words for stating small programs.

pub use lariat::nlp::graph::{Expr, Graph};

/// No bound.
pub const NONE: f64 = f64::INFINITY;

/// Variables x1, x2, … without bounds.
pub fn free<const N: usize>(graph: &Graph, start: [f64; N]) -> [Expr<'_>; N] {
    bounded(graph, start, [-NONE; N], [NONE; N])
}

/// Variables x1, x2, … with lower bounds alone.
pub fn above<const N: usize>(graph: &Graph, start: [f64; N], lower: [f64; N]) -> [Expr<'_>; N] {
    bounded(graph, start, lower, [NONE; N])
}

/// Variables x1, x2, … between bounds.
pub fn bounded<const N: usize>(graph: &Graph, start: [f64; N], lower: [f64; N], upper: [f64; N]) -> [Expr<'_>; N] {
    std::array::from_fn(|i| graph.variable(format!("x{}", i + 1), start[i], lower[i], upper[i]))
}

/// The row `left` = `right`.
pub fn equal(graph: &Graph, name: &str, left: Expr<'_>, right: f64) {
    graph.subject_to(name, left, right, right);
}

/// The row `left` ≥ `right`.
pub fn at_least(graph: &Graph, name: &str, left: Expr<'_>, right: f64) {
    graph.subject_to(name, left, right, NONE);
}

/// The row `left` ≤ `right`.
pub fn at_most(graph: &Graph, name: &str, left: Expr<'_>, right: f64) {
    graph.subject_to(name, left, -NONE, right);
}

/// The scalar product of numbers and expressions; zeros are left out.
pub fn dot<'g>(graph: &'g Graph, numbers: &[f64], x: &[Expr<'g>]) -> Expr<'g> {
    graph.sum(numbers.iter().zip(x).filter(|(a, _)| **a != 0.0).map(|(a, x)| *a * *x))
}

/// Rosenbrock's valley 100 (y − x²)² + (1 − x)².
pub fn rosenbrock<'g>(x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
    100.0 * (y - x.square()).square() + (1.0 - x).square()
}

/// The numbers of a text table, line by line; what follows `#` is a remark.
pub fn table(text: &str) -> Vec<Vec<f64>> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split_whitespace().map(|number| number.parse().unwrap()).collect())
        .collect()
}
