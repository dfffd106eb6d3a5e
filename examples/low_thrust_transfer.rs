//! A satellite climbs from one circular orbit to another in two turns: `cargo run --release --example low_thrust_transfer`.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{At, ControlProblem, Cost, End, Given, Mechanics};
use lariat::nlp::graph::Expr;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlError, OptimalControlOptions, solve};

/// Unit mass in polar coordinates, γM = 4π² (astronomical units and years), circumferential thrust.
struct Satellite;

impl Mechanics for Satellite {
    fn coordinates(&self) -> Vec<String> {
        vec!["r".into(), "phi".into()]
    }
    fn controls(&self) -> Vec<String> {
        vec!["thrust".into()]
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let r = at.q[0];
        0.5 * (at.v[0].square() + r.square() * at.v[1].square()) + 4.0 * PI * PI / r
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.constant(0.0), at.q[0] * at.u[0]]
    }
}

fn main() -> Result<(), OptimalControlError> {
    let start = End::moving(&[1.0, 0.0], &[0.0, 2.0 * PI]);
    let end = End::moving(&[1.5, 4.0 * PI], &[0.0, 2.0 * PI * 1.5f64.powf(-1.5)]);
    let problem = ControlProblem {
        coordinate_bounds: vec![(0.5, 3.0), Given::FREE.bounds()],
        cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
        ..ControlProblem::new(Arc::new(Satellite), 2.6, start, end)
    };
    let found = solve(&problem, 200, &OptimalControlOptions::default(), &mut Silent)?;
    println!("{} in {} iterations, cost {:.8}", found.status.name(), found.iterations, found.objective);
    let balance = found.trajectory.balance;
    println!("energy gained {:.6}, work of the thrust {:.6}", balance.energy, balance.work);
    for (t, q) in found.trajectory.times.iter().zip(&found.trajectory.q).step_by(25) {
        println!("t = {t:5.3}   r = {:.4}   turns = {:.4}", q[0], q[1] / (2.0 * PI));
    }
    Ok(())
}
