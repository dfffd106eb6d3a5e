//! Patterns, linear rows, long chains and the amount of work.

use super::{gradient, hessian, jacobian};
use crate::nlp::Nlp;
use crate::nlp::graph::Graph;

const FREE: f64 = f64::INFINITY;

/// Entries (row, column) of a pattern.
fn entries(pattern: &crate::nlp::Pattern) -> Vec<(usize, usize)> {
    let columns = (0..pattern.ncols()).flat_map(|col| pattern.column(col).map(move |entry| (entry, col)));
    columns.map(|(entry, col)| (pattern.row_idx()[entry], col)).collect()
}

#[test]
fn patterns_hold_what_may_differ_from_zero_and_nothing_else() {
    let g = Graph::new();
    let [x, y, z, unused] = ["x", "y", "z", "unused"].map(|name| g.variable(name, 0.0, -FREE, FREE));
    g.minimise(x * y + z);
    g.subject_to("linear", 2.0 * x - z / 4.0 + 1.0, 0.0, 0.0);
    g.subject_to("bilinear", (x + y) * z, 0.0, 1.0);
    g.subject_to("constant", g.constant(3.0), 0.0, 5.0);
    g.subject_to("variable", unused, 0.0, 5.0);
    let mut program = g.build();
    assert_eq!(entries(program.jacobian_pattern()), [(0, 0), (1, 0), (1, 1), (0, 2), (1, 2), (3, 3)]);
    assert_eq!(entries(program.hessian_pattern()), [(1, 0), (2, 0), (2, 1)]);
    let linear: Vec<bool> = (0..5).map(|row| program.is_linear(row)).collect();
    assert_eq!(linear, [true, false, true, true, false]);
    let jacobian = jacobian(&mut program, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(jacobian.row(0).iter().copied().collect::<Vec<_>>(), [2.0, 0.0, -0.25, 0.0]);
    assert_eq!(jacobian.row(1).iter().copied().collect::<Vec<_>>(), [3.0, 3.0, 3.0, 0.0]);
    assert_eq!(jacobian[(3, 3)], 1.0);
    assert_eq!(program.bounds().c_upper, [0.0, 1.0, 5.0, 5.0]);
    assert_eq!((program.row_name(1), program.variable_name(3)), ("bilinear".to_string(), "unused".to_string()));
}

#[test]
fn linear_programs_need_no_multiplications() {
    let g = Graph::new();
    let x: Vec<_> = (0..50).map(|i| g.variable(format!("x{i}"), 0.0, -FREE, FREE)).collect();
    g.minimise(g.sum(x.iter().enumerate().map(|(i, &x)| i as f64 * x)));
    for pair in x.windows(2) {
        g.subject_to("step", -(pair[1] - pair[0]) / 3.0 + 0.5 * (pair[0] - 2.0 * (pair[1] + 4.0)), 0.0, 0.0);
    }
    let mut program = g.build();
    let [_, gradient_work, jacobian_work, hessian_work] = program.work();
    assert_eq!([gradient_work, jacobian_work, hessian_work], [0; 3]);
    assert_eq!(program.hessian_pattern().nnz(), 0);
    assert_eq!(gradient(&mut program, &[0.0; 50])[7], 7.0);
    assert!((jacobian(&mut program, &[0.0; 50])[(3, 4)] + 4.0 / 3.0).abs() < 1e-15);
}

#[test]
fn a_maximised_objective_is_negated_and_the_last_one_counts() {
    let g = Graph::new();
    let x = g.variable("x", 3.0, 0.0, 1.0);
    g.minimise(x);
    g.maximise(x * x);
    let mut program = g.build();
    assert!(program.is_maximised());
    assert_eq!(program.objective(&[3.0]), Ok(-9.0));
    assert_eq!(gradient(&mut program, &[3.0])[0], -6.0);
    assert_eq!(hessian(&mut program, &[3.0], 2.0, &[])[(0, 0)], -4.0);
    g.minimise(x);
    assert!(!g.build().is_maximised());
    assert_eq!(program.start(), [3.0]);
    assert_eq!(Graph::new().build().objective(&[]), Ok(0.0));
}

#[test]
fn equal_expressions_are_evaluated_once() {
    let g = Graph::new();
    let (x, y) = (g.variable("x", 0.0, 0.0, 1.0), g.variable("y", 0.0, 0.0, 1.0));
    g.minimise((x * y).sin() + (y * x).sin().square() + (2.0 * g.constant(3.0) - 6.0) * x.exp());
    assert_eq!(g.build().work()[0], 6);
}

#[test]
fn chains_of_a_million_nodes_neither_overflow_nor_slow_down() {
    let length = 1_000_000;
    let g = Graph::new();
    let x = g.variable("x", 0.5, -FREE, FREE);
    let y = g.variable("y", 0.5, -FREE, FREE);
    let (mut total, mut wave) = (x * y, y);
    for k in 0..length {
        total = total + f64::from(k % 3) * x;
        if k % 4 == 0 {
            wave = (wave * 0.5).sin() + 0.25;
        }
    }
    g.minimise(total);
    g.subject_to("wave", wave, 0.0, 0.0);
    g.subject_to("wave again", wave * x, 0.0, 0.0);
    let mut program = g.build();
    let slope = gradient(&mut program, &[0.5, 0.25]);
    assert_eq!(slope[0], 0.25 + f64::from(length - 1));
    // The chain of sines forgets where it started: its derivative is zero long before its end.
    assert_eq!(jacobian(&mut program, &[0.5, 0.25])[(0, 1)], 0.0);
    assert_eq!(hessian(&mut program, &[0.5, 0.25], 2.0, &[1.0, 1.0])[(1, 0)], 2.0);
    let work = program.work();
    assert!(work[1] + work[2] + work[3] < 12 * work[0], "{work:?}");
}

/// Rows at every step of a long recursion depend on all steps before; with few variables this must stay linear.
#[test]
fn work_grows_linearly_with_the_number_of_steps() {
    let work = |steps: usize| {
        let g = Graph::new();
        let mut state: Vec<_> = (0..4).map(|i| g.variable(format!("s{i}"), 0.1, -FREE, FREE)).collect();
        for step in 0..steps {
            let u = g.variable(format!("u{step}"), 0.1, -FREE, FREE);
            let shared = (state[0] * state[1]).sin() / (1.0 + state[2].square());
            let rate = [state[1] * shared, u - shared.exp(), state[3] * u.cos(), (shared + u).square()];
            let next: Vec<_> = (0..4).map(|i| g.variable(format!("s{step},{i}"), 0.1, -FREE, FREE)).collect();
            for i in 0..4 {
                g.subject_to(format!("step {step}"), next[i] - state[i] - 0.1 * rate[i], 0.0, 0.0);
            }
            state = next;
        }
        g.minimise(g.sum(state.iter().map(|s| s.square())));
        g.build().work()
    };
    let (short, long) = (work(50), work(100));
    for i in 0..4 {
        assert!(long[i] <= 2 * short[i] + 10, "{short:?} {long:?}");
    }
    // Preaccumulation: the shared part is differentiated once, not once per row.
    assert!(short[2] <= 50 * 40, "{short:?}");
}

/// A parameter is a number that may change between evaluations: values follow it, and so do derivatives by the variables,
/// but it has no column and costs nothing.
#[test]
fn no_derivative_is_taken_by_parameters() {
    let program = |parametric: bool| {
        let g = Graph::new();
        let x = g.variable("x", 0.0, -FREE, FREE);
        let p = if parametric { g.parameter("p") } else { g.variable("p", 0.0, -FREE, FREE) };
        let y = g.variable("y", 0.0, -FREE, FREE);
        g.minimise((x * p).sin() * y + p.exp());
        g.subject_to("row", x.square() * p.square() + p.sin() * y, 0.0, 0.0);
        g.subject_to("linear but for the parameter", p * x, 0.0, 0.0);
        g.build()
    };
    let (mut with, mut without) = (program(true), program(false));
    assert!(with.is_parameter(1) && !with.is_parameter(0) && !without.is_parameter(1));
    assert!(with.bounds().variables() == 3 && with.jacobian_pattern().ncols() == 3);
    assert!(entries(with.jacobian_pattern()).iter().all(|&(_, col)| col != 1));
    assert!(entries(with.hessian_pattern()).iter().all(|&(row, col)| row != 1 && col != 1));
    assert!(!with.is_linear(1));
    for at in [[0.3, 0.7, -0.4], [1.2, -0.5, 0.9]] {
        assert_eq!(with.objective(&at), without.objective(&at));
        let [mine, all] = [&mut with, &mut without].map(|program| (jacobian(program, &at), gradient(program, &at)));
        for col in [0, 2] {
            assert_eq!(mine.0.column(col), all.0.column(col));
            assert_eq!(mine.1[col], all.1[col]);
        }
        assert_eq!(mine.1[1], 0.0);
        let [mine, all] = [&mut with, &mut without].map(|program| hessian(program, &at, 1.0, &[0.8, 1.0]));
        for (row, col) in [(0, 0), (2, 0), (2, 2)] {
            assert!((mine[(row, col)] - all[(row, col)]).abs() < 1e-15, "{row}, {col}");
        }
    }
    assert!(with.work().iter().zip(without.work()).all(|(with, without)| *with <= without));
}
