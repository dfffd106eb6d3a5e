//! A pendulum swings up by a torque too weak to lift it: `cargo run --release --example pendulum_swing_up`.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{At, ControlProblem, Cost, End, Mechanics};
use lariat::nlp::graph::Expr;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlError, OptimalControlOptions, solve};

/// Unit mass and length, angle from hanging, torque at the joint.
struct Pendulum;

impl Mechanics for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        vec!["theta".into()]
    }
    fn controls(&self) -> Vec<String> {
        vec!["torque".into()]
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        0.5 * at.v[0].square() + 9.81 * at.q[0].cos()
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0]]
    }
}

fn main() -> Result<(), OptimalControlError> {
    let problem = ControlProblem {
        control_bounds: vec![(-5.0, 5.0)],
        cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
        ..ControlProblem::new(Arc::new(Pendulum), 3.0, End::at_rest(&[0.0]), End::at_rest(&[PI]))
    };
    let found = solve(&problem, 200, &OptimalControlOptions::default(), &mut Silent)?;
    println!("{} in {} iterations, cost {:.6}", found.status.name(), found.iterations, found.objective);
    for (k, u) in found.trajectory.u.iter().enumerate().step_by(20) {
        let (t, theta) = (found.trajectory.times[k], found.trajectory.q[k][0]);
        println!("t = {t:4.2} s   theta = {theta:7.4} rad   torque = {:7.4} N m", u[0]);
    }
    if let Some(Ok(driven)) = found.verification.map(|verification| verification.same) {
        println!("driven by the torque alone it ends {:.1e} rad beside the top", driven.end_position);
    }
    Ok(())
}
