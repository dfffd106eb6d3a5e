//! The null-space form of constraints against the one with multipliers: same equations, same optima, other unknowns.

use std::sync::Arc;

use lariat::discretisation::transcription::{
    At, Chart, ControlProblem, End, Given, Group, Linear, Manifold, Mechanics, Reduction, Transcription,
};
use lariat::nlp::Nlp;
use lariat::nlp::graph::Expr;
use lariat::solver::constrained::{Status, test_derivatives};
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};

use crate::problems::*;
use crate::redundant::{Quaternion, SphericalPendulum};

fn cold() -> OptimalControlOptions {
    OptimalControlOptions { continued: false, ..Default::default() }
}

/// So near to the optimum that forms can be compared.
fn sharp() -> OptimalControlOptions {
    let mut options = cold();
    options.solver.tolerance = 1e-10;
    options
}

fn found(problem: &ControlProblem, intervals: usize, options: &OptimalControlOptions) -> Optimum {
    let optimum = solve(problem, intervals, options, &mut Silent).unwrap();
    assert_eq!(optimum.status, Status::Solved, "{intervals}: {:?}", optimum.solution.message);
    let same = optimum.verification.as_ref().unwrap().same.as_ref().unwrap();
    assert!(same.along < 1e-6, "{intervals}: {same:?}");
    optimum
}

fn apart(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The same problem, begun at a motion.
fn begun_at(problem: ControlProblem, optimum: &Optimum) -> ControlProblem {
    let (q, u) = (optimum.trajectory.q.clone(), optimum.trajectory.u.clone());
    let mut problem = problem;
    let pick = |list: Vec<Vec<f64>>, offset: f64| {
        let count = optimum.trajectory.u.len() as f64;
        let last = list.len() - 1;
        move |share: f64| list[((share * count - offset).round() as usize).min(last)].clone()
    };
    problem.guess.position = Arc::new(pick(q, 0.0));
    problem.guess.control = Arc::new(pick(u, 0.5));
    problem
}

/// p06b and p06d of the reference (CasADi and IPOPT, exact Hessians): the optima of p06a and p06c. IPOPT takes 4 or 5
/// iterations.
#[test]
fn rigid_body_turns_in_local_coordinates() {
    for (intervals, wanted) in [(50, 20.36049018), (100, 20.37938897), (200, 20.38411434)] {
        for (name, problem) in [("p06b", quaternion()), ("p06d", directors())] {
            let local = found(&reduced(problem.clone()), intervals, &cold());
            assert!((local.objective / wanted - 1.0).abs() < 2e-9, "{name}, {intervals}: {}", local.objective);
            assert!((4..=6).contains(&local.iterations), "{name}, {intervals}: {} iterations", local.iterations);
        }
    }
    for problem in [quaternion(), directors()] {
        let [local, full] = [reduced(problem.clone()), problem].map(|problem| found(&problem, 50, &sharp()));
        assert!((local.objective / full.objective - 1.0).abs() < 1e-9, "{} {}", local.objective, full.objective);
        assert!(apart(&local.trajectory.q, &full.trajectory.q) < 1e-8);
        assert!(apart(&local.trajectory.u, &full.trajectory.u) < 1e-7);
        assert!(apart(&local.trajectory.momenta, &full.trajectory.momenta) < 1e-7);
        // Impulses across the manifold change nothing, so that costates lie in its tangent space and are the same, too.
        assert!(apart(&local.trajectory.costates, &full.trajectory.costates) < 1e-6);
        assert!(local.trajectory.multipliers.iter().all(Vec::is_empty));
    }
    // 51 nodes with 3 local coordinates, 50 intervals with 3 controls, 4 velocities at both ends.
    let problem = reduced(quaternion());
    assert_eq!(Transcription::new(&problem, 50).unwrap().variables().len(), 303 + 8);
}

/// p10a and p10b have more than one optimum, and which of them is found is a matter of the way there. Each form keeps the
/// optimum that the other one found: 62.138…, 62.034…, 62.007…, the best known, and the one that IPOPT finds for p10a on 200
/// intervals, 63.81086356.
#[test]
fn spherical_double_pendulum_in_local_coordinates() {
    let known: [(usize, &[f64]); 3] = [(50, &[62.13804073]), (100, &[62.03360906]), (200, &[62.00746532, 63.81086356])];
    for (intervals, known) in known {
        let nearest = |found: f64| known.iter().map(|known| (found / known - 1.0).abs()).fold(1.0, f64::min);
        let full = found(&spherical_pendulum(), intervals, &sharp());
        assert!(nearest(full.objective) < 1e-8, "{intervals}: {}", full.objective);
        let local = found(&begun_at(reduced(spherical_pendulum()), &full), intervals, &sharp());
        assert!((local.objective / full.objective - 1.0).abs() < 1e-9, "{intervals}: {}", local.objective);
        assert!(apart(&local.trajectory.q, &full.trajectory.q) < 1e-6);
        let other = found(&reduced(spherical_pendulum()), intervals, &sharp());
        let back = found(&begun_at(spherical_pendulum(), &other), intervals, &sharp());
        assert!((back.objective / other.objective - 1.0).abs() < 1e-9, "{intervals}: {}", back.objective);
        assert!(other.iterations <= 40, "{intervals}: {} iterations", other.iterations);
        if intervals == 200 {
            assert!(nearest(other.objective) < 1e-8, "{}", other.objective);
        }
    }
}

/// Reference points follow the motion from mesh to mesh, and costates are carried along with them.
#[test]
fn meshes_continue_each_other() {
    for problem in [quaternion(), directors(), spherical_pendulum()] {
        let problem = reduced(problem);
        let direct = found(&problem, 50, &OptimalControlOptions::default());
        let continued = found(&problem, 400, &OptimalControlOptions::default());
        let intervals: Vec<usize> = continued.meshes.iter().map(|mesh| mesh.intervals).collect();
        assert_eq!(intervals, [100, 400]);
        for mesh in &continued.meshes[1..] {
            assert!(mesh.continued && mesh.iterations <= 4, "{mesh:?}");
        }
        assert!((continued.objective / direct.objective - 1.0).abs() < 5e-3, "the same optimum, up to order 2");
    }
}

/// A chart of the first rod only: the second keeps its constraint and multiplier.
struct HalfReduced;

impl Mechanics for HalfReduced {
    fn coordinates(&self) -> Vec<String> {
        SphericalPendulum.coordinates()
    }

    fn controls(&self) -> Vec<String> {
        SphericalPendulum.controls()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        SphericalPendulum.lagrangian(at)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        SphericalPendulum.forces(at)
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        SphericalPendulum.constraints(at)
    }

    fn chart(&self) -> Option<Chart> {
        let entries = (0..3).map(Linear::coordinate).collect();
        let group = Group { name: "rod 1".to_owned(), manifold: Manifold::Sphere(1.0), entries };
        Chart::new(6, vec![group], vec![0]).ok()
    }
}

/// A part of the way in a short time, in which inertia outweighs gravity and there is one optimum.
fn first_part() -> ControlProblem {
    let mut problem = spherical_pendulum();
    let whole = problem.guess.position.clone();
    problem.end = End::at_rest(&whole(0.3));
    problem.guess.position = Arc::new(move |share| whole(0.3 * share));
    (problem.duration, problem.guess.duration) = (Given::Fixed(0.5), 0.5);
    problem
}

fn half_reduced() -> ControlProblem {
    ControlProblem { mechanics: Arc::new(HalfReduced), ..reduced(first_part()) }
}

#[test]
fn other_constraints_keep_their_multipliers() {
    let [full, half] = [first_part(), half_reduced()].map(|problem| found(&problem, 50, &sharp()));
    assert!((half.objective / full.objective - 1.0).abs() < 1e-9, "{} {}", half.objective, full.objective);
    assert!(half.trajectory.multipliers.iter().all(|list| list.len() == 1));
    let second: Vec<Vec<f64>> = full.trajectory.multipliers.iter().map(|list| vec![list[1]]).collect();
    assert!(apart(&half.trajectory.multipliers[1..50], &second[1..50]) < 1e-4);
}

/// Bounds of coordinates, ends that are given in part and ends with any velocity.
fn bounded() -> ControlProblem {
    let mut problem = quaternion();
    problem.coordinate_bounds[1] = (-0.2, 0.5);
    problem.end.position = vec![Given::Fixed(0.0), Given::Between(0.1, 0.45), Given::FREE, Given::FREE];
    problem.end.velocity = vec![Given::FREE; 4];
    problem.cost.last = vec![(0.3, Arc::new(|at| at.v[2].square() + (at.v[3] - 0.2).square() + at.q[2]))];
    problem
}

#[test]
fn bounds_of_coordinates_are_rows() {
    let mut along = quaternion();
    along.coordinate_bounds[1] = (f64::NEG_INFINITY, 0.58);
    along.coordinate_bounds[2] = (-0.01, 0.579);
    along.cost.running.push((40.0, Arc::new(|at| -at.q[2])));
    for problem in [bounded(), along] {
        let [local, full] = [reduced(problem.clone()), problem].map(|problem| found(&problem, 40, &sharp()));
        assert!((local.objective / full.objective - 1.0).abs() < 1e-8, "{} {}", local.objective, full.objective);
        assert!(apart(&local.trajectory.q, &full.trajectory.q) < 1e-4);
        assert!(apart(&[local.trajectory.end_velocity], &[full.trajectory.end_velocity]) < 1e-4);
    }
    let largest = |found: &Optimum| found.trajectory.q.iter().map(|q| q[1]).fold(0.0, f64::max);
    let found = found(&reduced(bounded()), 40, &sharp());
    assert!(largest(&found) < 0.5 + 1e-7, "{}", largest(&found));
}

#[test]
fn derivatives_agree_with_differences() {
    let problems = [reduced(bounded()), reduced(directors()), half_reduced(), reduced(spherical_pendulum())];
    for (number, problem) in problems.iter().enumerate() {
        let transcription = Transcription::new(problem, 4).unwrap();
        let mut program = transcription.program().unwrap();
        let x: Vec<f64> =
            transcription.start().iter().enumerate().map(|(i, x)| x + 0.3 * (1.7 * i as f64 + 0.4).sin()).collect();
        for seed in 1..4 {
            let wrong = test_derivatives(&mut program, &x, seed).err();
            assert!(wrong.is_none(), "problem {number}: {}", wrong.unwrap());
        }
    }
}

#[test]
fn variables_and_rows_are_named() {
    let problem = reduced(bounded());
    let transcription = Transcription::new(&problem, 4).unwrap();
    let program = transcription.program().unwrap();
    let variables: Vec<String> = (0..program.bounds().variables()).map(|i| program.variable_name(i)).collect();
    let rows: Vec<String> = (0..program.bounds().rows()).map(|i| program.row_name(i)).collect();
    assert_eq!((variables.len(), rows.len()), (transcription.variables().len(), transcription.rows().len()));
    assert_eq!(variables[3], "rate of p3 at the start");
    assert_eq!(variables[4], "turn 1 of attitude at t = 0.000000 s");
    assert_eq!(rows[2], "motion of turn 3 of attitude at t = 0.000000 s");
    // The start is given, so that its bounds are no rows; those of the next node are.
    assert_eq!(rows[6], "bound of p1 at t = 0.500000 s");
    let last: Vec<&String> = rows.iter().rev().take(3).collect();
    assert_eq!(
        last,
        ["bound of p1 at t = 2.000000 s", "bound of p0 at t = 2.000000 s", "rate of norm at t = 2.000000 s"]
    );
}

/// The norm is said to follow from a sphere that is too large.
struct Wrong;

impl Mechanics for Wrong {
    fn coordinates(&self) -> Vec<String> {
        Quaternion.coordinates()
    }

    fn controls(&self) -> Vec<String> {
        Quaternion.controls()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        Quaternion.lagrangian(at)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        Quaternion.forces(at)
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        Quaternion.constraints(at)
    }

    fn chart(&self) -> Option<Chart> {
        let entries = (0..4).map(Linear::coordinate).collect();
        let group = Group { name: "attitude".to_owned(), manifold: Manifold::Sphere(2.0), entries };
        Chart::new(4, vec![group], vec![0]).ok()
    }
}

#[test]
fn impossible_charts_are_refused_in_words() {
    let refused = |problem: &ControlProblem| match Transcription::new(problem, 5) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("not refused"),
    };
    assert_eq!(refused(&reduced(arm())), "the null-space form needs a chart, but the system states none");
    let mut repeated = reduced(quaternion());
    repeated.periodic = vec![(2, 0.0)];
    assert_eq!(refused(&repeated), "p2 is periodic, which the null-space form allows of coordinates in no group only");
    let wrong = ControlProblem { mechanics: Arc::new(Wrong), reduction: Reduction::NullSpace, ..quaternion() };
    assert_eq!(refused(&wrong), "the chart does not satisfy the constraint `norm`: it is 1.500e0 near the guess");
    let sphere = |name: &str, radius: f64, entries: Vec<Linear>| Group {
        name: name.to_owned(),
        manifold: Manifold::Sphere(radius),
        entries,
    };
    let message = |groups: Vec<Group>| Chart::new(3, groups, Vec::new()).unwrap_err().to_string();
    let pair = || vec![Linear::coordinate(0), Linear::coordinate(1)];
    assert_eq!(message(vec![sphere("a", -1.0, pair())]), "a has the radius -1, which is not positive and finite");
    assert_eq!(message(vec![sphere("a", 1.0, pair()[..1].to_vec())]), "a has 1 expressions, at least two are needed");
    let far = vec![Linear::coordinate(0), Linear::coordinate(3)];
    assert_eq!(message(vec![sphere("a", 1.0, far)]), "a has an expression that is not one of the 3 coordinates");
    let again = vec![Linear::difference(0, 1), Linear::coordinate(2)];
    assert_eq!(
        message(vec![sphere("a", 1.0, pair()), sphere("b", 1.0, again)]),
        "b has expressions that follow from its others and from those of the groups before it"
    );
}
