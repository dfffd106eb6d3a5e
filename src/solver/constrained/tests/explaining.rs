//! Outcomes without a solution say why, by name and number.

use super::*;

#[test]
fn a_conflicting_bound_is_named_with_the_value_it_needs() {
    let mut program = stated(|g| {
        // Rest to rest over one metre with |u| ≤ 1 takes two seconds: two phases of equal length.
        let half = g.variable("end time", 1.0, 0.0, 1.5) / 2.0;
        let first = g.variable("first thrust", 0.5, -1.0, 1.0);
        let second = g.variable("second thrust", -0.5, -1.0, 1.0);
        g.minimise(first.square() + second.square());
        g.subject_to("stop", half * (first + second), 0.0, 0.0);
        g.subject_to("distance", half.square() * (1.5 * first + 0.5 * second), 1.0, 1.0);
    });
    let solution = solved(&mut program, &Options::default());
    assert_eq!(solution.status, Status::Infeasible);
    let explanation = solution.explanation.unwrap();
    let time = explanation.conflicts.iter().find(|c| c.bound == "end time ≤ 1.5").unwrap();
    assert!((time.needed - 2.0).abs() < 1e-6, "{time:?}");
    let distance = explanation.conflicts.iter().find(|c| c.bound == "distance = 1").unwrap();
    // (1.5 / 2)² × (1.5 − 0.5)
    assert!((distance.needed - 0.5625).abs() < 1e-6, "{distance:?}");
    let message = solution.message.unwrap();
    assert!(
        message.contains("`end time ≤ 1.5` conflicts with the other constraints: at least 2.0000 is needed"),
        "{message}"
    );
    assert!(message.contains("distance is 0.5625"), "{message}");
    // Without explanations the point of least violation is still there.
    let plain = solved(&mut program, &Options { explain: false, ..Options::default() });
    assert!(plain.explanation.is_none() && (plain.violation - 0.4375).abs() < 1e-5, "{}", plain.violation);
}

#[test]
fn rows_that_repeat_each_other_are_named() {
    let mut program = stated(|g| {
        let x: Vec<_> = (0..4).map(|i| g.variable(format!("x{i}"), 1.0, -NONE, NONE)).collect();
        g.minimise(g.sum(x.iter().map(|x| x.square())));
        g.subject_to("independent", x[0] - x[3], 1.0, 1.0);
        g.subject_to("sum", x[0] + x[1], 1.0, 1.0);
        g.subject_to("difference", x[1] - x[2], 0.0, 0.0);
        g.subject_to("their sum", x[0] + 2.0 * x[1] - x[2], 1.0, 1.0);
    });
    let solution = solved(&mut program, &Options::default());
    assert_eq!(solution.status, Status::Solved);
    let told = "these rows repeat or contradict each other: sum, difference, their sum";
    assert_eq!(solution.notes, [told]);
}

#[test]
fn falling_objectives_and_runaway_variables_are_told() {
    let mut program = stated(|g| {
        let (x, y) = (g.variable("x", 0.0, -NONE, NONE), g.variable("y", 0.0, 0.0, NONE));
        g.subject_to("strip", x - y, -1.0, 1.0);
        g.minimise(-x - y);
    });
    for method in Method::ALL {
        let solution = solved(&mut program, &Options { method, ..Options::default() });
        assert_eq!(solution.status, Status::Unbounded, "{method:?}");
    }
}

#[test]
fn a_program_without_qualified_constraints_is_not_falsely_solved() {
    // HS13: the minimiser (1, 0) of the distance from (2, 0) has no multipliers.
    let mut program = stated(|g| {
        let (x, y) = (g.variable("x", -2.0, 0.0, NONE), g.variable("y", -2.0, 0.0, NONE));
        g.minimise((x - 2.0).square() + y.square());
        g.subject_to("cusp", (1.0 - x).powi(3) - y, 0.0, NONE);
    });
    for method in Method::ALL {
        let solution = solved(&mut program, &Options { method, ..Options::default() });
        let close = (solution.objective - 1.0).abs() <= 1e-6;
        assert!(
            close || solution.status != Status::Solved,
            "{method:?}: {} at {}",
            solution.status.name(),
            solution.objective
        );
    }
}
