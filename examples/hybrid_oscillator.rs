//! A mass that meets further springs on both sides, in phases: `cargo run --release --example hybrid_oscillator`.

use std::sync::Arc;

use lariat::discretisation::transcription::{
    At, ControlProblem, Cost, End, Formula, Given, Mechanics, Phase, PhasedProblem,
};
use lariat::nlp::graph::Expr;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlError, OptimalControlOptions, solve_phases};

/// Unit mass on a spring of stiffness 1 about 0, and one of this stiffness about this place.
struct Springs(f64, f64);

impl Mechanics for Springs {
    fn coordinates(&self) -> Vec<String> {
        vec!["q".into()]
    }
    fn controls(&self) -> Vec<String> {
        vec!["u".into()]
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        0.5 * (at.v[0].square() - at.q[0].square() - self.0 * (at.q[0] - self.1).square())
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0]]
    }
}

fn main() -> Result<(), OptimalControlError> {
    let phase = |(name, springs, from, to): (&str, Springs, f64, f64)| {
        let problem = ControlProblem {
            duration: Given::Between(0.01, 5.0),
            cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
            ..ControlProblem::new(Arc::new(springs), 1.0, End::at_rest(&[from]), End::at_rest(&[to]))
        };
        let switch: Formula = Arc::new(move |at| at.q[0] - to);
        let until = vec![(format!("q = {to}"), switch)];
        Phase { name: name.into(), intervals: 40, problem, continues: false, until }
    };
    let (right, middle, left) = (|| Springs(4.0, 0.5), || Springs(0.0, 0.0), Springs(9.0, -0.5));
    let way = [("right", right(), 1.0, 0.5), ("over", middle(), 0.5, -0.5), ("left", left, -0.5, -0.5)];
    let back = [("back", middle(), -0.5, 0.5), ("right again", right(), 0.5, 1.2)];
    let mut phases: Vec<Phase> = way.into_iter().chain(back).map(phase).collect();
    phases[4].until.clear();
    let problem = PhasedProblem::new(phases, Given::Fixed(5.0))?;
    let found = solve_phases(&problem, &OptimalControlOptions::default(), &mut Silent)?;
    println!("{} in {} iterations, cost {:.8}", found.status.name(), found.iterations, found.objective);
    problem.phases().iter().zip(found.switches()).for_each(|(phase, t)| println!("{} ends at {t:.6} s", phase.name));
    Ok(())
}
