//! What is written reads back as the same program.

use super::{HS71, PIECEWISE};
use crate::nlp::ampl::{Written, parse, write};
use crate::nlp::graph::{Graph, Program};
use crate::nlp::{Nlp, Pattern};

const FREE: f64 = f64::INFINITY;

/// Every operation, shared parts in rows and objective, and all kinds of variables in no particular order.
pub(super) fn everything() -> Program {
    let g = Graph::new();
    let linear = g.variable("only linear", 0.0, -FREE, FREE);
    let a = g.variable("in the objective", 0.4, 0.0, FREE);
    let b = g.variable("in both", 0.3, -1.0, 1.0);
    let c = g.variable("in rows", 0.7, -FREE, 3.0);
    let shared = (b * 1.5).sin() / (1.0 + b.square());
    let deep = shared.exp() + c.powf(1.7) * shared;
    g.subject_to("linear row", 2.0 * linear - (a - 3.0) / 4.0 + 1.5, 0.0, 2.0);
    g.subject_to("shared row", deep - 3.0 * linear + 0.5 * b, 1.0, 1.0);
    let functions = [
        b.tan(),
        b.asin(),
        b.acos(),
        b.atan(),
        b.sinh(),
        b.cosh(),
        b.tanh(),
        b.asinh(),
        (2.0 + b).acosh(),
        b.atanh(),
        (2.0 + b).ln(),
        (2.0 + b).log10(),
        (2.0 + b).sqrt(),
        (2.0 + b).pow(c),
        b.atan2(c),
        b.min(c),
        b.max(c * c),
        (b - c).abs(),
        -(b * c).cos(),
        g.constant(0.5).pow(c),
        c.powi(-2),
        c.square(),
    ];
    g.subject_to("functions", 2.5 * g.sum(functions) + 4.0, -FREE, 9.0);
    let answer = b.less_than(c).and(c.at_most(b).negation());
    let twice = answer.or(b.equal_to(c));
    g.subject_to("choices", answer.choose(b.exp(), c) + (b - 0.3).choose(b * c, c * c) + twice * c, -FREE, FREE);
    g.subject_to("again", twice.negation() * b + twice.choose(c.sin(), b), 0.0, FREE);
    g.maximise(shared.exp() * a + shared - linear + a.ln() + 7.0);
    g.build()
}

fn dense(pattern: &Pattern, values: &[f64], rows: &[usize], cols: &[usize]) -> Vec<Vec<f64>> {
    let mut out = vec![vec![0.0; cols.len()]; rows.len()];
    for (at, &col) in cols.iter().enumerate() {
        for entry in pattern.column(col) {
            if let Some(row) = rows.iter().position(|&row| row == pattern.row_idx()[entry]) {
                out[row][at] = values[entry];
            }
        }
    }
    out
}

/// Values, derivatives, bounds and names of `again` are those of `program` in the order of the file.
fn assert_same(program: &mut Program, again: &mut Program, written: &Written, x: &[f64]) {
    let Written { variables, rows, .. } = written;
    let there: Vec<f64> = variables.iter().map(|&variable| x[variable]).collect();
    let close = |one: f64, other: f64| (one - other).abs() <= 1e-12 * (1.0 + one.abs()) || one == other;
    assert!(close(program.objective(x).unwrap(), again.objective(&there).unwrap()));
    let (mut ours, mut theirs) = (vec![0.0; rows.len()], vec![0.0; rows.len()]);
    program.constraints(x, &mut ours).unwrap();
    again.constraints(&there, &mut theirs).unwrap();
    for (at, &row) in rows.iter().enumerate() {
        // The constant of a linear row may have moved into its bounds.
        let shift = ours[row] - theirs[at];
        assert!(close(program.bounds().c_lower[row] - shift, again.bounds().c_lower[at]));
        assert!(close(program.bounds().c_upper[row] - shift, again.bounds().c_upper[at]));
        assert!(program.is_linear(row) || close(ours[row], theirs[at]), "row {row}: {} {}", ours[row], theirs[at]);
        assert_eq!(program.row_name(row), again.row_name(at));
    }
    for (at, &variable) in variables.iter().enumerate() {
        assert_eq!(program.variable_name(variable), again.variable_name(at));
        assert_eq!(program.start()[variable], again.start()[at]);
        assert_eq!(program.bounds().x_lower[variable], again.bounds().x_lower[at]);
        assert_eq!(program.bounds().x_upper[variable], again.bounds().x_upper[at]);
    }
    assert_eq!(program.is_maximised(), again.is_maximised());

    let straight: [Vec<usize>; 2] = [(0..rows.len()).collect(), (0..variables.len()).collect()];
    let (mut ours, mut theirs) = (vec![0.0; program.jacobian_pattern().nnz()], Vec::new());
    theirs.resize(again.jacobian_pattern().nnz(), 0.0);
    program.jacobian(x, &mut ours).unwrap();
    again.jacobian(&there, &mut theirs).unwrap();
    let ours = dense(program.jacobian_pattern(), &ours, rows, variables);
    let theirs = dense(again.jacobian_pattern(), &theirs, &straight[0], &straight[1]);
    assert!(ours.iter().flatten().zip(theirs.iter().flatten()).all(|(&one, &other)| close(one, other)));

    let weights: Vec<f64> = (0..rows.len()).map(|row| 0.5 + row as f64).collect();
    let moved: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
    let (mut ours, mut theirs) = (vec![0.0; program.hessian_pattern().nnz()], Vec::new());
    theirs.resize(again.hessian_pattern().nnz(), 0.0);
    program.hessian(x, 2.0, &weights, &mut ours).unwrap();
    again.hessian(&there, 2.0, &moved, &mut theirs).unwrap();
    let ours = dense(program.hessian_pattern(), &ours, variables, variables);
    let theirs = dense(again.hessian_pattern(), &theirs, &straight[1], &straight[1]);
    for i in 0..variables.len() {
        for j in 0..variables.len() {
            assert!(close(ours[i][j] + ours[j][i], theirs[i][j] + theirs[j][i]), "{i} {j}");
        }
    }
}

#[test]
fn what_is_written_reads_back_as_the_same_program() {
    let sources = [everything(), parse(HS71.as_bytes(), None, None).unwrap().program];
    for (mut program, x) in sources.into_iter().zip([[0.2, 0.4, 0.3, 0.7], [1.5, 4.5, 3.5, 1.25]]) {
        let written = write(&program).unwrap();
        let mut again = parse(written.nl.as_bytes(), Some(&written.col), Some(&written.row)).unwrap().program;
        assert_same(&mut program, &mut again, &written, &x);
        // A second time nothing moves any more.
        assert_eq!(write(&again).unwrap().rows, (0..written.rows.len()).collect::<Vec<_>>());
        assert_eq!(write(&again).unwrap().variables, (0..written.variables.len()).collect::<Vec<_>>());
    }
    let mut program = parse(PIECEWISE.as_bytes(), None, None).unwrap().program;
    let written = write(&program).unwrap();
    let mut again = parse(written.nl.as_bytes(), Some(&written.col), Some(&written.row)).unwrap().program;
    assert_same(&mut program, &mut again, &written, &[2.25, 0.5, -4.0, -1.0, 0.75]);
}

#[test]
fn variables_and_rows_are_ordered_and_counted_as_the_format_wants() {
    let written = write(&everything()).unwrap();
    assert_eq!(written.col, "in both\nin rows\nin the objective\nonly linear\n");
    assert_eq!(written.row, "shared row\nfunctions\nchoices\nagain\nlinear row\nobjective\n");
    let header: Vec<&str> = written.nl.lines().take(10).map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(header[1..5], [" 4 5 1 1 1", " 4 1", " 0 0", " 2 3 1"]);
    assert!(written.nl.contains("\nJ4 2\n2 -0.25\n3 2\n"), "{}", written.nl);
    assert!(written.nl.contains("\nr\n4 1\n1 9\n3\n2 0\n0 -2.25 -0.25\n"), "{}", written.nl);
    let first = written.nl.lines().position(|line| line.starts_with('k')).unwrap();
    let lengths: Vec<usize> = written.nl.lines().skip(first + 1).take(3).map(|line| line.parse().unwrap()).collect();
    assert_eq!(lengths, [4, 8, 9]);
}

#[test]
fn deep_expressions_are_written_and_read() {
    let g = Graph::new();
    let x = g.variable("x", 0.5, 0.0, 1.0);
    let mut wave = x;
    for _ in 0..200_000 {
        wave = (wave * 0.5).sin() + 0.25;
    }
    g.minimise(wave);
    let mut program = g.build();
    let written = write(&program).unwrap();
    let mut again = parse(written.nl.as_bytes(), None, None).unwrap().program;
    assert_eq!(program.objective(&[0.5]), again.objective(&[0.5]));
}

#[test]
fn sums_shared_over_and_over_are_split_in_linear_time() {
    let g = Graph::new();
    let x = g.variable("x", 0.5, 0.0, 1.0);
    let mut doubled = x + 1.0;
    for _ in 0..60 {
        doubled = doubled + doubled;
    }
    g.minimise(doubled);
    let written = write(&g.build()).unwrap();
    assert!(
        written.nl.contains("G0 1\n0 1152921504606846976\n") || written.nl.contains("G0 1\n0 1.152921504606847e18\n")
    );
}

#[test]
fn what_the_format_cannot_express_is_refused() {
    let (g, other) = (Graph::new(), Graph::new());
    let x = g.variable("x", 0.5, 0.0, 1.0);
    g.subject_to("mixed", x * other.constant(2.0), 0.0, 1.0);
    assert_eq!(write(&g.build()).unwrap_err().place, "mixed");
    let g = Graph::new();
    g.minimise(g.variable("x", f64::NAN, 0.0, 1.0));
    assert_eq!(write(&g.build()).unwrap_err().place, "x");
    let g = Graph::new();
    g.minimise(g.variable("x", 0.0, 0.0, 1.0).sin() * f64::INFINITY);
    assert_eq!(write(&g.build()).unwrap_err().place, "the objective");
}
