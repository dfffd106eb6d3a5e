//! The discretised control problems against solutions of their equations of motion that are known in closed form.

use crate::problems::cops::{chain, glider, robot, rocket, steering, steering_with_end_time_at_most};
use lariat::nlp::Nlp;
use lariat::nlp::graph::Program;
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// The point whose entries follow from the names of the variables: the quantity and its place t/T.
fn point(program: &Program, value: impl Fn(&str, f64) -> f64) -> Vec<f64> {
    (0..program.bounds().variables())
        .map(|variable| {
            let name = program.variable_name(variable);
            match name.split_once(" at t/T = ") {
                Some((quantity, share)) => value(quantity, share.parse().unwrap()),
                None => value(&name, f64::NAN),
            }
        })
        .collect()
}

fn rows(program: &mut Program, x: &[f64]) -> Vec<f64> {
    let mut rows = vec![0.0; program.bounds().rows()];
    program.constraints(x, &mut rows).unwrap();
    rows
}

fn largest(rows: &[f64]) -> f64 {
    rows.iter().fold(0.0, |largest, row| row.abs().max(largest))
}

#[test]
fn sizes_and_names() {
    let n = 12;
    let programs = [
        (steering(n), 5 * (n + 1) + 1, 4 * n),
        (robot(n), 9 * (n + 1) + 1, 6 * n),
        (rocket(n), 4 * (n + 1) + 1, 3 * n),
        (chain(n), 2 * (n + 1), n + 1),
        (glider(n), 5 * (n + 1) + 1, 4 * n),
    ];
    for (program, variables, count) in programs {
        assert_eq!((program.bounds().variables(), program.bounds().rows()), (variables, count));
        let names: BTreeSet<String> = (0..variables).map(|variable| program.variable_name(variable)).collect();
        assert_eq!(names.len(), variables);
        let names: BTreeSet<String> = (0..count).map(|row| program.row_name(row)).collect();
        assert_eq!(names.len(), count);
    }
    assert_eq!(steering(50).variable_name(21), "control angle at t/T = 0.42");
}

#[test]
fn steering_at_a_constant_angle_is_a_parabola() {
    let (angle, end) = (0.3, 0.7);
    let mut program = steering(20);
    let x = point(&program, |quantity, s| match quantity {
        "control angle" => angle,
        "distance" => 50.0 * f64::cos(angle) * (s * end).powi(2),
        "height" => 50.0 * f64::sin(angle) * (s * end).powi(2),
        "horizontal velocity" => 100.0 * f64::cos(angle) * s * end,
        "vertical velocity" => 100.0 * f64::sin(angle) * s * end,
        "end time" => end,
        _ => panic!("{quantity}"),
    });
    assert!(largest(&rows(&mut program, &x)) < 1e-13);
    assert_eq!(program.objective(&x).unwrap(), end);
}

#[test]
fn a_limit_bounds_the_end_time() {
    let program = steering_with_end_time_at_most(5, 0.5);
    let end = program.bounds().variables() - 1;
    assert_eq!(program.variable_name(end), "end time");
    assert_eq!((program.bounds().x_lower[end], program.bounds().x_upper[end]), (0.0, 0.5));
}

/// At constant reach and tilt the arm turns with the moment of inertia of a rod of length 5 held at 4.5, seen at 45°.
#[test]
fn robot_turns_uniformly_faster() {
    let inertia = (0.5_f64.powi(3) + 4.5_f64.powi(3)) / 3.0;
    let (twist, end) = (0.8, 3.0);
    let mut program = robot(10);
    let turning = |s: f64| twist / (inertia * 0.5) * s * end;
    let x = point(&program, |quantity, s| match quantity {
        "reach" => 4.5,
        "tilt" => PI / 4.0,
        "turn" => 0.5 * turning(s) * s * end,
        "turn rate" => turning(s),
        "twist" => twist,
        "end time" => end,
        _ => 0.0,
    });
    assert!(largest(&rows(&mut program, &x)) < 1e-13);
    // Lifting alone at the same place: the tilt rate grows by lift / inertia.
    let lifted = point(&program, |quantity, s| match quantity {
        "reach" => 4.5,
        "tilt" => PI / 4.0,
        "tilt rate" => 0.5 / inertia * s * end,
        "lift" => 0.5,
        "end time" => end,
        _ => 0.0,
    });
    let rates = rows(&mut program, &lifted);
    assert!(largest(&rates[50..]) < 1e-13);
    // Pushing alone: reach'' = push / 5.
    let pushed = point(&program, |quantity, s| match quantity {
        "reach" => 2.0 + 0.05 * (s * end).powi(2),
        "reach rate" => 0.1 * s * end,
        "push" => 0.5,
        "tilt" => PI / 4.0,
        "end time" => end,
        _ => 0.0,
    });
    assert!(largest(&rows(&mut program, &pushed)) < 1e-13);
}

/// A rocket of constant height that carries its weight burns m = exp(−2 t); the rule errs by O(step³).
#[test]
fn rocket_hovers() {
    let end = 0.2;
    let at = |n: usize| {
        let mut program = rocket(n);
        let x = point(&program, |quantity, s| match quantity {
            "height" => 1.0,
            "velocity" => 0.0,
            "mass" | "thrust" => f64::exp(-2.0 * s * end),
            "end time" => end,
            _ => panic!("{quantity}"),
        });
        largest(&rows(&mut program, &x))
    };
    assert!((at(20) / at(40) - 8.0).abs() < 0.2, "{} {}", at(20), at(40));
    assert!(at(40) < 1e-6);
}

/// At a velocity of 0.1 and a height of 1.01 the drag is 310 · 0.01 · exp(−5) and the gravity 1 / 1.0201.
#[test]
fn rocket_meets_drag() {
    let mut program = rocket(1);
    let x = point(&program, |quantity, _| match quantity {
        "height" => 1.01,
        "velocity" => 0.1,
        "mass" => 0.8,
        "thrust" => 2.0,
        "end time" => 1.0,
        _ => panic!("{quantity}"),
    });
    let acceleration = (2.0 - 3.1 * f64::exp(-5.0)) / 0.8 - 1.0 / 1.0201;
    let found = rows(&mut program, &x);
    assert!((found[0] + 0.1).abs() < 1e-14);
    assert!((found[1] + acceleration).abs() < 1e-13);
    assert!((found[2] - 4.0).abs() < 1e-14);
    assert_eq!(program.objective(&x).unwrap(), -1.01);
}

/// A chain hangs in a catenary: y = c cosh((x − a) / c) + b with length 4 and a rise of 2, and its energy is
/// ∫ y ds = 5.0685 in the limit.
#[test]
fn chain_hangs_in_a_catenary() {
    // √(4² − 2²) = 2 c sinh(1 / (2 c)) by bisection, since the right side falls with c.
    let (mut low, mut high) = (0.05, 1.0);
    for _ in 0..200 {
        let c: f64 = 0.5 * (low + high);
        if 2.0 * c * (0.5 / c).sinh() > 12.0_f64.sqrt() { low = c } else { high = c }
    }
    let c: f64 = low;
    let a = 0.5 - c * (2.0_f64 / 4.0).atanh();
    let b = 1.0 - c * (a / c).cosh();
    let at = |n: usize| {
        let mut program = chain(n);
        let x = point(&program, |quantity, s| match quantity {
            "height" => c * ((s - a) / c).cosh() + b,
            "slope" => ((s - a) / c).sinh(),
            _ => panic!("{quantity}"),
        });
        let found = rows(&mut program, &x);
        assert!((x[n] - 3.0).abs() < 1e-12);
        (largest(&found[..n]), (found[n] - 4.0).abs(), program.objective(&x).unwrap())
    };
    let ((coarse, short, _), (fine, long, energy)) = (at(400), at(800));
    assert!((coarse / fine - 8.0).abs() < 0.2, "{coarse} {fine}");
    assert!((short / long - 4.0).abs() < 0.05 && long < 1e-3, "{short} {long}");
    assert!((energy - 5.0685).abs() < 2e-3, "{energy}");
}

/// In still air the glider sinks steadily where lift and drag carry its weight.
#[test]
fn glider_sinks_steadily() {
    let (lift, drag) = (0.9, 0.034 + 0.069662 * 0.9 * 0.9);
    let force = f64::hypot(lift, drag);
    let v = (2.0 * 100.0 * 9.81 / (1.13 * 14.0 * force)).sqrt();
    let (vx, vy) = (v * lift / force, -v * drag / force);
    let end = 20.0;
    let mut program = glider(10);
    let x = point(&program, |quantity, s| match quantity {
        "distance" => 3000.0 + vx * s * end,
        "altitude" => 1000.0 + vy * s * end,
        "horizontal velocity" => vx,
        "vertical velocity" => vy,
        "lift coefficient" => lift,
        "end time" => end,
        _ => panic!("{quantity}"),
    });
    assert!(largest(&rows(&mut program, &x)) < 1e-12 * 3000.0);
    assert_eq!(program.objective(&x).unwrap(), -(3000.0 + vx * end));
}

/// In the middle of the updraft, at 250 m, the air rises by 2.5 m/s: the same steady state, carried upwards.
#[test]
fn glider_rises_in_the_updraft() {
    let mut program = glider(1);
    let (lift, drag) = (0.9, 0.034 + 0.069662 * 0.9 * 0.9);
    let force = f64::hypot(lift, drag);
    let v = (2.0 * 100.0 * 9.81 / (1.13 * 14.0 * force)).sqrt();
    let x = point(&program, |quantity, _| match quantity {
        "distance" => 250.0,
        "horizontal velocity" => v * lift / force,
        "vertical velocity" => 2.5 - v * drag / force,
        "lift coefficient" => lift,
        "end time" => 1.0,
        _ => 0.0,
    });
    assert!(largest(&rows(&mut program, &x)[2..]) < 1e-12);
}
