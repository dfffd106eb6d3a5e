#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::nlp::Nlp;
use crate::nlp::graph::{Graph, Program};

mod checking;
mod convergence;
mod explaining;
mod honesty;
mod views;

const NONE: f64 = f64::INFINITY;

fn stated(state: impl Fn(&Graph)) -> Program {
    let graph = Graph::new();
    state(&graph);
    graph.build()
}

fn solved(program: &mut Program, options: &Options) -> Solution {
    let start = Iterate::at(program.start());
    solve(program, &start, options, &mut |_| true).unwrap()
}

/// HS71: bounds, an inequality, an equation.
fn hs71() -> Program {
    stated(|g| {
        let x: Vec<_> =
            [1.0, 5.0, 5.0, 1.0].iter().enumerate().map(|(i, s)| g.variable(format!("x{i}"), *s, 1.0, 5.0)).collect();
        g.minimise(x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]);
        g.subject_to("product", x[0] * x[1] * x[2] * x[3], 25.0, NONE);
        g.subject_to("sphere", g.sum(x.iter().map(|x| x.square())), 40.0, 40.0);
    })
}
