//! The hanging chain: the shape of least potential energy between two posts, with its length prescribed.

use super::trapezoid::{Quantity, integrate};
use lariat::nlp::graph::{Graph, Program};

/// Height of the left post.
const LEFT: f64 = 1.0;
/// Height of the right post.
const RIGHT: f64 = 3.0;
/// Length of the chain; the posts are one unit apart.
const LENGTH: f64 = 4.0;
/// Where the start has its lowest point.
const LOWEST: f64 = 0.25;

/// Minimises the potential energy; the optimum is 5.0722615, 5.0689173, 5.0686217 with 50, 200, 400 steps.
pub fn chain(n: usize) -> Program {
    let g = Graph::new();
    let rise = 4.0 * (RIGHT - LEFT);
    let height = Quantity::new("height", &|s| rise * s * (0.5 * s - LOWEST) + LEFT).from(LEFT).to(RIGHT).on(&g, n);
    let slope = Quantity::new("slope", &|s| rise * (s - LOWEST)).on(&g, n);
    let step = 1.0 / n as f64;
    integrate(&g, "height", g.constant(step), &height, &slope);
    let stretch: Vec<_> = slope.iter().map(|u| (1.0 + u.square()).sqrt()).collect();
    let weight = |i: usize| if i == 0 || i == n { 0.5 * step } else { step };
    g.subject_to("length of the chain", g.sum((0..=n).map(|i| weight(i) * stretch[i])), LENGTH, LENGTH);
    g.minimise(g.sum((0..=n).map(|i| weight(i) * height[i] * stretch[i])));
    g.build()
}
