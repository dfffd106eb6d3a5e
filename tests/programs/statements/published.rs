//! The Hock-Schittkowski collection against published objectives, solutions and values at the start.

use super::first_order::first_order;
use crate::problems::hock_schittkowski::all;
use lariat::nlp::Nlp;
use std::collections::BTreeSet;

#[test]
fn the_collection_is_complete() {
    let numbers: Vec<usize> = all().iter().map(|problem| problem.number).collect();
    let expected: Vec<usize> = (1..120).filter(|number| ![82, 94, 115].contains(number)).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn names_are_unique_and_sizes_agree() {
    let mut names = BTreeSet::new();
    for problem in all() {
        assert_eq!(problem.name, format!("HS{}", problem.number));
        assert!(names.insert(problem.name));
        let program = (problem.build)();
        let bounds = program.bounds();
        assert_eq!(program.start().len(), bounds.variables(), "{}", problem.name);
        let solution = problem.solution.unwrap();
        assert_eq!(solution.len(), bounds.variables(), "{}", problem.name);
        let rows: BTreeSet<String> = (0..bounds.rows()).map(|row| program.row_name(row)).collect();
        assert_eq!(rows.len(), bounds.rows(), "{}: rows with one name", problem.name);
    }
}

#[test]
fn the_start_has_the_published_objective() {
    let mut wrong = Vec::new();
    for problem in all() {
        let Some(published) = problem.at_start else { continue };
        let mut program = (problem.build)();
        let start = program.start().to_vec();
        let objective = program.objective(&start).unwrap();
        if !((objective - published).abs() <= 5e-5 * published.abs().max(1e-3)) {
            wrong.push(format!("{}: {objective} at the start instead of {published}", problem.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_solution_has_the_published_objective() {
    let mut wrong = Vec::new();
    for problem in all() {
        let mut program = (problem.build)();
        let objective = program.objective(&problem.solution.unwrap()).unwrap();
        let error = (objective - problem.optimum).abs() / problem.optimum.abs().max(1e-3);
        if !(error <= problem.digits) {
            wrong.push(format!("{}: {objective} instead of {} ({error:e})", problem.name, problem.optimum));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn optima_agree_with_published_digits() {
    let problems = all();
    let text = include_str!("../../problems/data/published_optima.txt");
    let lines = text.lines().map(|line| line.split('#').next().unwrap()).filter(|line| !line.is_empty());
    for line in lines {
        let row: Vec<f64> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let problem = problems.iter().find(|problem| problem.number as f64 == row[0]).unwrap();
        let error = (problem.optimum - row[1]).abs() / row[1].abs();
        assert!(error <= row[2], "{}: {} instead of {} ({error:e})", problem.name, problem.optimum, row[1]);
    }
}

#[test]
fn the_solution_satisfies_first_order_conditions() {
    let mut wrong = Vec::new();
    for problem in all() {
        let mut program = (problem.build)();
        let left = first_order(&mut program, &problem.solution.unwrap(), problem.digits);
        let stationary = left.gradient <= 1e3 * problem.digits;
        if !(left.violation <= problem.digits) || stationary != problem.multipliers {
            wrong.push(format!("{}: violation {:e}, gradient {:e}", problem.name, left.violation, left.gradient));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
