//! Hybrid systems: phases with their own potentials, whose durations are found together with the controls.

use std::sync::Arc;

use lariat::discretisation::transcription::{
    At, ControlProblem, Formula, Given, Guess, Mechanics, Phase, PhaseError, PhasedProblem,
};
use lariat::nlp::graph::Expr;
use lariat::solver::constrained::Status;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, PhasedOptimum, solve_phases};

use crate::problems::{double_integrator, rest_to_rest};
use crate::systems::Point;

/// A unit mass on springs: one always, others pushing where it is beyond ±½. V = q²/2 + k (q − c)²/2.
struct Oscillator {
    stiffness: f64,
    centre: f64,
}

impl Mechanics for Oscillator {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into()]
    }

    fn controls(&self) -> Vec<String> {
        vec!["u".into()]
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (q, v) = (at.q[0], at.v[0]);
        0.5 * (v.square() - q.square() - self.stiffness * (q - self.centre).square())
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0]]
    }
}

/// A phase from one place to another in about a share of 5 s.
fn phase(mode: usize, intervals: usize, from: f64, to: f64, duration: f64, until: Option<f64>) -> Phase {
    let (stiffness, centre) = [(0.0, 0.0), (4.0, 0.5), (9.0, -0.5)][mode - 1];
    let bounds = [(-0.5, 0.5), (0.5, f64::INFINITY), (f64::NEG_INFINITY, -0.5)][mode - 1];
    let system = Oscillator { stiffness, centre };
    let problem = ControlProblem {
        duration: Given::Between(1e-3, 5.0),
        guess: Guess::straight(vec![from], vec![to], 1, duration),
        coordinate_bounds: vec![bounds],
        ..rest_to_rest(system, 5.0, &[from], &[to])
    };
    let until = until.map(|place| -> (String, Formula) { ("switch".into(), Arc::new(move |at| at.q[0] - place)) });
    Phase { name: format!("mode {mode}"), intervals, problem, continues: false, until: until.into_iter().collect() }
}

fn sequence(modes: &[(usize, f64)], intervals: usize) -> PhasedProblem {
    let duration = 5.0 / modes.len() as f64;
    let mut from = 1.0;
    let phases = modes.iter().enumerate().map(|(k, &(mode, to))| {
        let until = (k + 1 < modes.len()).then_some(to);
        let phase = phase(mode, intervals, from, to, duration, until);
        from = to;
        phase
    });
    PhasedProblem::new(phases.collect(), Given::Fixed(5.0)).unwrap()
}

fn found(problem: &PhasedProblem, options: &OptimalControlOptions) -> PhasedOptimum {
    let optimum = solve_phases(problem, options, &mut Silent).unwrap();
    assert_eq!(optimum.status, Status::Solved, "{:?}", optimum.solution.message);
    assert!(optimum.solution.violation <= 1e-9, "violation {:.1e}", optimum.solution.violation);
    optimum
}

/// Objectives of an independent implementation, CasADi with IPOPT, with the numbers of steps per phase.
fn check(modes: &[(usize, f64)], wanted: &[(usize, f64)]) {
    for &(intervals, wanted) in wanted {
        let problem = sequence(modes, intervals);
        for continued in [false, true] {
            let optimum = found(&problem, &OptimalControlOptions { continued, ..Default::default() });
            let error = (optimum.objective / wanted - 1.0).abs();
            assert!(error < 1e-6, "{intervals}: {} instead of {wanted}, {error:.1e}", optimum.objective);
            assert!((optimum.switches().last().unwrap() - 5.0).abs() < 1e-8);
            for pair in optimum.trajectories.windows(2) {
                let (end, start) = (pair[0].q.last().unwrap()[0], pair[1].q[0][0]);
                assert!((end - start).abs() < 1e-8 && (start.abs() - 0.5).abs() < 1e-8, "{end} and {start}");
                assert!((pair[0].end_velocity[0] - pair[1].start_velocity[0]).abs() < 1e-8);
            }
        }
    }
}

/// p12c of the reference: modes 2, 1, 3, 1, 2.
#[test]
fn oscillator_through_all_springs() {
    let modes = [(2, 0.5), (1, -0.5), (3, -0.5), (1, 0.5), (2, 1.2)];
    check(&modes, &[(10, 1.00958715), (20, 1.010142768), (40, 1.010267969), (80, 1.010298421), (200, 1.010306886)]);
}

/// p12d of the reference: modes 2, 1, 2.
#[test]
fn oscillator_that_turns_early() {
    let modes = [(2, 0.5), (1, 0.5), (2, 1.2)];
    check(&modes, &[(10, 1.077418285), (20, 1.07434783), (40, 1.072496577), (80, 1.072210531), (200, 1.072016555)]);
}

/// Two phases of one system are the system itself: half of the intervals each, equal durations.
#[test]
fn phases_of_one_system_change_nothing() {
    let half = |name: &str| Phase {
        name: name.into(),
        intervals: 25,
        problem: ControlProblem { duration: Given::Fixed(0.5), ..double_integrator() },
        continues: false,
        until: Vec::new(),
    };
    let problem = PhasedProblem::new(vec![half("first"), half("second")], Given::FREE).unwrap();
    let optimum = found(&problem, &OptimalControlOptions::default());
    let wanted = 6.0 / (1.0 - 50f64.powi(-2));
    assert!((optimum.objective / wanted - 1.0).abs() < 1e-9, "{}", optimum.objective);
}

/// Where the instant between two phases of one system is free, and has no effect, it divides what is open in equal shares; the
/// answer is that of the whole, in as few iterations. A cost that depends on time makes it matter.
#[test]
fn instants_without_effect_are_held() {
    let half = |name: &str, (low, high): (f64, f64)| Phase {
        name: name.into(),
        intervals: 25,
        problem: ControlProblem { duration: Given::Between(low, high), ..double_integrator() },
        continues: name == "second",
        until: Vec::new(),
    };
    let phases = || vec![half("first", (0.2, 0.6)), half("second", (0.4, 0.8))];
    let problem = PhasedProblem::new(phases(), Given::Fixed(1.0)).unwrap();
    assert_eq!(problem.indifferent(), [1]);
    let optimum = found(&problem, &OptimalControlOptions::default());
    let durations: Vec<f64> = optimum.trajectories.iter().map(|phase| phase.duration).collect();
    assert!((durations[0] - 0.4).abs() < 1e-9 && (durations[1] - 0.6).abs() < 1e-9, "{durations:?}");
    // ∫u²/2 = 6 (2nd order in the steps) for the double integrator.
    assert!((optimum.objective / 6.0 - 1.0).abs() < 1e-3, "{}", optimum.objective);
    // No valley along which the search could wander: a few steps of Newton's method, however many intervals.
    assert!(optimum.iterations < 10, "{}", optimum.iterations);
    assert!(problem.remarks()[0].contains("`first`"), "{:?}", problem.remarks());
    let mut timed = phases();
    for phase in &mut timed {
        phase.problem.cost.running.push((1.0, Arc::new(|at: &At<'_>| at.t * at.u[0].square())));
    }
    assert!(PhasedProblem::new(timed, Given::Fixed(1.0)).unwrap().indifferent().is_empty());
    let mut ended = phases();
    ended[1].continues = false;
    assert!(PhasedProblem::new(ended, Given::Fixed(1.0)).unwrap().indifferent().is_empty());
}

#[test]
fn phases_that_do_not_fit_are_refused() {
    let phase = |controls: Vec<f64>, duration: Given| Phase {
        name: "second".into(),
        intervals: 5,
        problem: ControlProblem { duration, ..rest_to_rest(Point(controls), 1.0, &[0.0], &[1.0]) },
        continues: false,
        until: Vec::new(),
    };
    let one = || phase(vec![1.0], Given::Fixed(1.0));
    let refusal = |phases: Vec<Phase>, total: Given| PhasedProblem::new(phases, total).err();
    assert_eq!(refusal(Vec::new(), Given::FREE), Some(PhaseError::None));
    let other = phase(vec![1.0, 1.0], Given::Fixed(1.0));
    let different = PhaseError::Different { phase: "second".into(), what: "controls" };
    assert_eq!(refusal(vec![one(), other], Given::FREE), Some(different));
    let total = refusal(vec![one(), phase(vec![1.0], Given::Between(0.5, 2.0))], Given::Fixed(4.0)).unwrap();
    let words = "the phases last 1.5 s to 3 s together, but the whole duration is 4 s";
    assert_eq!(total.to_string(), words);
    let mut periodic = one();
    periodic.problem.periodic = vec![(0, 0.0)];
    let words = "phase `second` has periodic coordinates, which has no meaning for a phase";
    assert_eq!(refusal(vec![periodic], Given::FREE).unwrap().to_string(), words);
}
