//! The discrete action of an interval, its derivatives and the forces that act in it.

use super::interpolation::Interpolation;
use super::parts::{Inputs, Node};
use super::{At, Rule};
use crate::nlp::graph::Expr;

/// The action and what it is a function of.
pub(super) struct Action<'g> {
    pub h: Expr<'g>,
    /// The state at the middle.
    pub middle: At<'g>,
    /// States at which integrals are evaluated, with weights whose sum is 1.
    pub samples: Vec<(f64, At<'g>)>,
    /// D₁L_d + f⁻ and D₂L_d + f⁺, by the unknowns of the nodes.
    pub sides: [Vec<Expr<'g>>; 2],
    /// The same of the points between, one after the other.
    pub inner: Vec<Expr<'g>>,
    /// ∂L_d/∂σ by the stresses that are unknowns.
    pub strains: Vec<Expr<'g>>,
}

impl<'g> Action<'g> {
    pub fn new(
        inputs: &Inputs<'g, '_>,
        nodes: [&Node<'g>; 2],
        inner: &[Expr<'g>],
        u: &[Expr<'g>],
        h: Expr<'g>,
        t: Expr<'g>,
    ) -> Self {
        Self::mixed(inputs, nodes, [inner, u, &[]], h, t)
    }

    /// The same with points between, controls, and stresses as unknowns.
    pub fn mixed(
        inputs: &Inputs<'g, '_>,
        nodes: [&Node<'g>; 2],
        [inner, u, stresses]: [&[Expr<'g>]; 3],
        h: Expr<'g>,
        t: Expr<'g>,
    ) -> Self {
        match inputs.problem.rule {
            Rule::Galerkin { .. } => Self::galerkin(inputs, nodes, inner, u, h, t),
            Rule::Midpoint | Rule::Trapezoidal => Self::straight(inputs, nodes, [u, stresses], h, t),
        }
    }

    /// Along a straight line between the nodes.
    fn straight(
        inputs: &Inputs<'g, '_>,
        nodes: [&Node<'g>; 2],
        [u, stresses]: [&[Expr<'g>]; 2],
        h: Expr<'g>,
        t: Expr<'g>,
    ) -> Self {
        let (graph, mechanics) = (inputs.graph, &inputs.problem.mechanics);
        let pairs = || nodes[0].q.iter().zip(&nodes[1].q);
        let v: Vec<Expr<'g>> = pairs().map(|(a, b)| (*b - *a) / h).collect();
        let at = |q: &[Expr<'g>]| At { graph, q: q.to_vec(), v: v.clone(), u: u.to_vec(), t };
        let middle = at(&pairs().map(|(a, b)| 0.5 * (*a + *b)).collect::<Vec<_>>());
        let ends = nodes.map(|node| at(&node.q));
        let action = match inputs.problem.rule {
            Rule::Trapezoidal => 0.5 * h * (mechanics.lagrangian(&ends[0]) + mechanics.lagrangian(&ends[1])),
            _ if !stresses.is_empty() => h * mechanics.mixed_lagrangian(&middle, stresses),
            _ => h * mechanics.lagrangian(&middle),
        };
        let strains = graph.gradient(action, stresses);
        let sides = [0, 1].map(|side| {
            let forces = inputs.along(nodes[side], mechanics.forces(&ends[side]));
            let slopes = graph.gradient(action, &nodes[side].unknowns).into_iter().zip(forces);
            slopes.map(|(slope, force)| slope + 0.5 * h * force).collect()
        });
        Self { h, samples: vec![(1.0, middle.clone())], middle, sides, inner: Vec::new(), strains }
    }

    /// Along the polynomial through all points: forces f_i = h Σ w_b l_i(c_b) Q(q(c_b), v(c_b), u).
    fn galerkin(
        inputs: &Inputs<'g, '_>,
        nodes: [&Node<'g>; 2],
        inner: &[Expr<'g>],
        u: &[Expr<'g>],
        h: Expr<'g>,
        t: Expr<'g>,
    ) -> Self {
        let (graph, mechanics) = (inputs.graph, &inputs.problem.mechanics);
        let along = Interpolation::new(inputs.problem.rule);
        let count = nodes[0].q.len();
        let within = inner.chunks_exact(count.max(1));
        let points: Vec<&[Expr<'g>]> = [&nodes[0].q[..]].into_iter().chain(within).chain([&nodes[1].q[..]]).collect();
        let at = |share: f64| {
            let (values, slopes) = along.at(share);
            let mix = |factors: &[f64], i: usize| graph.sum(factors.iter().zip(&points).map(|(l, q)| *l * q[i]));
            At {
                graph,
                q: (0..count).map(|i| mix(&values, i)).collect(),
                v: (0..count).map(|i| mix(&slopes, i) / h).collect(),
                u: u.to_vec(),
                t: t + (share - 0.5) * h,
            }
        };
        let samples: Vec<(f64, At<'g>)> =
            along.quadrature().iter().map(|&(share, weight)| (weight, at(share))).collect();
        let action = h * graph.sum(samples.iter().map(|(weight, at)| *weight * mechanics.lagrangian(at)));
        let forces: Vec<Vec<Expr<'g>>> = samples.iter().map(|(_, at)| mechanics.forces(at)).collect();
        let row = |point: usize| -> Vec<Expr<'g>> {
            let impulse = |i: usize| {
                let shares = along.quadrature().iter().zip(&forces);
                h * graph.sum(shares.map(|((c, weight), force)| weight * along.at(*c).0[point] * force[i]))
            };
            let slopes = graph.gradient(action, points[point]).into_iter().enumerate();
            slopes.map(|(i, slope)| slope + impulse(i)).collect()
        };
        let last = points.len() - 1;
        let inner = (1..last).flat_map(row).collect();
        Self { h, middle: at(0.5), sides: [row(0), row(last)], inner, samples, strains: Vec::new() }
    }
}
