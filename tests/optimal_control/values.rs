//! Objectives of an independent implementation of the same transcription: CasADi 3.8.2 with IPOPT 3.14, exact Hessians,
//! tolerance 1e-8, the lowest optimum of ten random starts polished to 1e-12 where possible (`best`) or the one reached from
//! the guess (`cold`). Variables, equations and start are the same, so the numbers agree to the digits of the tolerance.

use lariat::discretisation::transcription::ControlProblem;
use lariat::solver::constrained::Status;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};

use crate::problems::*;

/// Without coarser meshes, as the reference was computed.
fn cold() -> OptimalControlOptions {
    OptimalControlOptions { continued: false, ..Default::default() }
}

fn found(problem: &ControlProblem, intervals: usize, options: &OptimalControlOptions) -> Optimum {
    let optimum = solve(problem, intervals, options, &mut Silent).unwrap();
    assert_eq!(optimum.status, Status::Solved, "{intervals}: {:?}", optimum.solution.message);
    assert!(optimum.solution.violation <= 1e-9, "{intervals}: violation {:.1e}", optimum.solution.violation);
    // The controls move the system as the solution says, up to what the motion makes of rounding errors.
    let same = optimum.verification.as_ref().unwrap().same.as_ref().unwrap();
    assert!(same.along < 1e-6, "{intervals}: {same:?}");
    optimum
}

/// Objectives on meshes of 50, 100, … intervals, from the guess and by continuation.
fn check(name: &str, problem: &ControlProblem, wanted: &[f64], tolerance: f64) {
    for (k, wanted) in wanted.iter().enumerate() {
        let intervals = 50 << k;
        for options in [cold(), OptimalControlOptions::default()] {
            let objective = found(problem, intervals, &options).objective;
            let error = (objective / wanted - 1.0).abs();
            assert!(error < tolerance, "{name}, {intervals} intervals: {objective} instead of {wanted}, {error:.1e}");
        }
    }
}

/// Of the double integrator the optimum is known: J = 6/(1 − 1/N²).
#[test]
fn double_integrator_in_closed_form() {
    for intervals in [1, 2, 3, 7, 50, 100, 1000] {
        let problem = double_integrator();
        if intervals == 1 {
            // One interval has no control that brings the mass to rest.
            assert_ne!(solve(&problem, 1, &cold(), &mut Silent).map(|found| found.status), Ok(Status::Solved));
            continue;
        }
        let wanted = 6.0 / (1.0 - (intervals as f64).powi(-2));
        let found = found(&problem, intervals, &cold());
        // Rows are met to 1e-9 each; a thousand of them with multipliers around 6 leave this of the objective.
        let tolerance = if intervals <= 100 { 1e-8 } else { 1e-7 };
        assert!((found.objective / wanted - 1.0).abs() < tolerance, "{intervals}: {}", found.objective);
        // A quadratic program takes one step, and on fine meshes another one for rounding errors.
        let steps = if intervals <= 100 { 1 } else { 2 };
        assert!(found.iterations <= steps, "{intervals}: {} iterations", found.iterations);
    }
}

#[test]
fn pendulum_swings_up() {
    check("p02a best", &pendulum(3.0, 5.0), &[18.68330253, 18.59095496, 18.56795205], 1e-7);
    check("p02b best", &pendulum(4.0, 3.0), &[15.11868237, 14.82543416, 14.75847257], 1e-7);
}

/// From the straight line IPOPT ends at a local minimum of the violation for these meshes; detours find the way.
#[test]
fn pendulum_swings_up_where_the_guess_leads_nowhere() {
    check("p02c best", &pendulum(4.0, 4.0), &[12.7396067, 12.62156312, 12.59205569], 1e-7);
    let stubborn = OptimalControlOptions { detours: 0, ..cold() };
    let lost = solve(&pendulum(4.0, 4.0), 50, &stubborn, &mut Silent).unwrap();
    assert_eq!(lost.status, Status::Infeasible);
    assert!(lost.solution.message.as_ref().unwrap().contains("motion of angle at t = "), "{:?}", lost.solution.message);
}

#[test]
fn cart_pole_swings_up() {
    check("p03 cold", &cart_pole(), &[29.76852747, 29.49493722, 29.42660499], 1e-7);
}

#[test]
fn cranes_and_chains_come_to_rest() {
    check("p08a", &crane(), &[2.356598859, 2.358937141, 2.359482876], 1e-7);
    check("p09a_n4", &chain(4), &[0.9684221881, 0.9663649393], 1e-7);
}

#[test]
fn two_link_arm() {
    check("p04a", &arm(), &[18.17174321, 18.14894349, 18.14327758], 1e-7);
}

/// Minimum time, with six digits in the reference.
#[test]
fn robot_arm_in_minimum_time() {
    check("p05c best", &robot(), &[7.846355085, 7.845246566, 7.844874262], 1e-5);
}

#[test]
fn satellites_change_their_orbit() {
    check("p07a", &satellite(false), &[0.2681313476, 0.2680056566, 0.2679770906], 1e-7);
    check("p07b", &satellite(true), &[0.2648480312, 0.2647547328, 0.2647337671], 1e-7);
}

#[test]
fn spherical_double_pendulum_with_constraints() {
    check("p10a", &spherical_pendulum(), &[62.13804073, 62.03360906], 1e-7);
}

#[test]
fn beam_on_a_driven_hub() {
    check("p11a", &beam(8), &[2.450421397, 2.385940618], 1e-7);
}

/// Quaternion and directors describe one body, and their discrete optima are equal. IPOPT takes 5 iterations for each.
#[test]
fn rigid_body_turns_by_quaternion_and_by_directors() {
    for (intervals, wanted) in [(50, 20.36049018), (100, 20.37938897), (200, 20.38411434)] {
        let [quaternion, directors] = [quaternion(), directors()].map(|problem| found(&problem, intervals, &cold()));
        for (name, optimum) in [("p06a", &quaternion), ("p06c", &directors)] {
            assert!((optimum.objective / wanted - 1.0).abs() < 1e-7, "{name}, {intervals}: {}", optimum.objective);
            assert!((4..=6).contains(&optimum.iterations), "{name}, {intervals}: {} iterations", optimum.iterations);
        }
        for (a, b) in quaternion.trajectory.u.iter().flatten().zip(directors.trajectory.u.iter().flatten()) {
            assert!((a - b).abs() < 1e-6, "{intervals}: torque {a} and {b}");
        }
    }
}

/// The limit is 3 − √5. Both ways to state |u| are the same program in other variables.
#[test]
fn least_fuel_by_two_controls_and_by_magnitudes() {
    let limit = 3.0 - 5f64.sqrt();
    let mut before = f64::INFINITY;
    for intervals in [50, 100, 200] {
        let [pushed, pulled] =
            [least_fuel(), least_magnitude()].map(|problem| found(&problem, intervals, &cold()).objective);
        assert!((pushed - pulled).abs() < 1e-6, "{intervals}: {pushed} and {pulled}");
        let error = pulled - limit;
        assert!(0.0 < error && error < 0.5 * before, "{intervals}: {error:.2e} after {before:.2e}");
        before = error;
    }
    assert!(before < 1e-4, "{before:.1e}");
}

/// Rounding errors of the motion grow with the fineness of a mesh; rows that keep their units stay clear of them. The limit is
/// 29.40383 by extrapolation of the reference on 400 and 1000 intervals with order 2.
#[test]
fn very_fine_meshes_are_solved_too() {
    let limit = 29.40474452 + (29.40474452 - 29.40952625) / (2.5f64.powi(2) - 1.0);
    let options = OptimalControlOptions { refine: 0, ..Default::default() };
    let optimum = solve(&cart_pole(), 10_000, &options, &mut Silent).unwrap();
    assert_eq!(optimum.status, Status::Solved, "{:?}", optimum.solution.message);
    assert!(optimum.solution.violation <= 1e-9, "violation {:.1e}", optimum.solution.violation);
    assert!((optimum.objective / limit - 1.0).abs() < 1e-6, "{} instead of {limit}", optimum.objective);
}
