//! Small programs made to be answered wrongly: whatever is called solved is.

use super::*;

/// Name, program, whether `solved` is right, and the objective if so.
type Case = (&'static str, Program, &'static [Status], Option<f64>);

fn cases() -> Vec<Case> {
    use Status::{Infeasible, Solved, Stalled, Unbounded};
    vec![
        (
            "a step away from the maximum cannot be evaluated",
            stated(|g| {
                let x = g.variable("x", 0.0, -NONE, NONE);
                g.minimise(-x.square() + 1e-9 * (1e-6 - x.square()).ln());
            }),
            &[Stalled],
            None,
        ),
        (
            "infinite on the bound it is clamped to",
            stated(|g| {
                let x = g.variable("x", 1.0, 0.0, NONE);
                g.minimise(x + 1e-20 / x);
            }),
            &[Solved],
            Some(0.0),
        ),
        (
            "a steep row",
            stated(|g| {
                let x = g.variable("x", 1.0, -NONE, NONE);
                g.subject_to("row", 1e6 * x, 1.0, NONE);
                g.minimise(100.0 * x);
            }),
            &[Solved],
            Some(1e-4),
        ),
        (
            "a large bound",
            stated(|g| {
                let (x, y) = (g.variable("x", 1.0, -NONE, 1000.0), g.variable("y", 1.0, -NONE, NONE));
                g.subject_to("equal", y - x, 0.0, 0.0);
                g.minimise(-y);
            }),
            &[Solved],
            Some(-1000.0),
        ),
        (
            "a very large bound is still a bound",
            stated(|g| {
                let x = g.variable("x", 1.0, 0.0, 1e8);
                g.minimise(-x);
            }),
            &[Solved],
            Some(-1e8),
        ),
        (
            "infeasible beside an unbounded objective",
            stated(|g| {
                let (x, y) = (g.variable("x", 1.0, -NONE, NONE), g.variable("y", 1.0, -NONE, NONE));
                g.subject_to("negative square", x.square(), -NONE, -1.0);
                g.minimise(-y);
            }),
            &[Infeasible, Stalled, Status::RestorationFailed, Status::IterationLimit],
            None,
        ),
        (
            "a narrow gap between steep rows",
            stated(|g| {
                let x = g.variable("x", 1.0, -NONE, NONE);
                g.subject_to("above", 1e6 * x, 1.0, NONE);
                g.subject_to("below", 1e6 * x, -NONE, 0.9995);
                g.minimise(x);
            }),
            &[Infeasible, Stalled],
            None,
        ),
        (
            "falling through a valley",
            stated(|g| {
                let x = g.variable("x", 1.2, -NONE, NONE);
                g.subject_to("cubic", x.powi(3) - 3.0 * x, -NONE, -3.0);
                g.minimise(x);
            }),
            &[Unbounded, Status::Diverging, Status::IterationLimit],
            None,
        ),
    ]
}

#[test]
fn nothing_is_called_what_it_is_not() {
    for (name, mut program, expected, optimum) in cases() {
        for method in Method::ALL {
            let options = Options { method, ..Options::default() };
            let found = solved(&mut program, &options);
            let told = format!("{name} by {}: {} {}", method.name(), found.status.name(), found.objective);
            assert!(expected.contains(&found.status), "{told}");
            if found.status == Status::Solved {
                let optimum = optimum.unwrap();
                assert!((found.objective - optimum).abs() <= 1e-6 * optimum.abs().max(1.0), "{told}");
                assert!(found.violation <= options.violation, "{told}: {:e}", found.violation);
            }
        }
    }
}

#[test]
fn a_maximiser_whose_curvature_is_infinite_is_not_solved() {
    for method in Method::ALL {
        let mut program = stated(|g| {
            let x = g.variable("x", 0.0, -1.0, 1.0);
            g.minimise(-x.abs().powf(1.5));
        });
        let found = solved(&mut program, &Options { method, ..Options::default() });
        assert!(found.status != Status::Solved || (found.objective + 1.0).abs() < 1e-6, "{method:?}");
    }
}

#[test]
fn multipliers_of_rows_without_bounds_are_ignored() {
    for method in Method::ALL {
        let mut program = stated(|g| {
            let x = g.variable("x", 0.0, -NONE, NONE);
            g.subject_to("free", x, -NONE, NONE);
            g.minimise((x - 1.0).square());
        });
        let start = Iterate { lambda: vec![5.0], z_lower: vec![3.0], z_upper: vec![2.0], ..Iterate::at(&[0.0]) };
        let options = Options { method, warm: true, ..Options::default() };
        let found = solve(&mut program, &start, &options, &mut |_| true).unwrap();
        assert!(found.status == Status::Solved && found.objective < 1e-12, "{method:?}");
    }
}

#[test]
fn rows_that_nothing_can_move_are_no_dependency() {
    let mut program = stated(|g| {
        let (x, y) = (g.variable("x", 1.0, 1.0, 1.0), g.variable("y", 2.0, 2.0, 2.0));
        g.subject_to("sum", x + y, 3.0, 3.0);
        g.subject_to("product", x * y, 2.0, 2.0);
        g.minimise(x);
    });
    let found = solved(&mut program, &Options::default());
    assert_eq!((found.status, found.notes), (Status::Solved, Vec::new()));
}

#[test]
fn further_starts_and_explanations_heed_limits_and_interruption() {
    let mut program = stated(|g| {
        let x = g.variable("x", 1.0, -NONE, NONE);
        g.subject_to("square", x.square(), -NONE, -1.0);
        g.minimise(x);
    });
    let start = Iterate::at(program.start());
    let full = solve(&mut program, &start, &Options::default(), &mut |_| true).unwrap();
    assert_eq!(full.status, Status::Infeasible);
    let mut seen = 0;
    let limited = Options { max_iterations: full.iterations.len() - 1, explain: false, ..Options::default() };
    solve(&mut program, &start, &limited, &mut |record| {
        seen += usize::from(record.iter > 0);
        true
    })
    .unwrap();
    assert!(seen <= limited.max_iterations, "{seen}");
    // Once told to stop, nothing is evaluated that the observer would hear of more than once more.
    for stop in [5, full.iterations.len() + 2] {
        let mut calls = 0;
        let found = solve(&mut program, &start, &Options::default(), &mut |_| {
            calls += 1;
            calls < stop
        })
        .unwrap();
        assert!(calls == stop, "{calls} of {stop}");
        assert_eq!(found.status, Status::Interrupted);
    }
}
