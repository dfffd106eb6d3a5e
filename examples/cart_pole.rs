//! A cart swings its pole up while the state stays within bounds: `cargo run --release --example cart_pole`.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{At, ControlProblem, Cost, End, Given, Mechanics};
use lariat::nlp::graph::Expr;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlError, OptimalControlOptions, solve};

/// Cart of 1 kg, pole of 0.3 kg at 0.5 m; angle from hanging, force on the cart.
struct CartPole;

impl Mechanics for CartPole {
    fn coordinates(&self) -> Vec<String> {
        vec!["x".into(), "theta".into()]
    }
    fn controls(&self) -> Vec<String> {
        vec!["force".into()]
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (m, l, cos) = (0.3, 0.5, at.q[1].cos());
        let kinetic = 0.5 * (1.0 + m) * at.v[0].square() + 0.5 * m * l * l * at.v[1].square();
        kinetic + m * l * at.v[0] * at.v[1] * cos + m * 9.81 * l * cos
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0], at.graph.constant(0.0)]
    }
}

fn main() -> Result<(), OptimalControlError> {
    let problem = ControlProblem {
        coordinate_bounds: vec![(-2.0, 2.0), Given::FREE.bounds()],
        control_bounds: vec![(-20.0, 20.0)],
        cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
        ..ControlProblem::new(Arc::new(CartPole), 2.0, End::at_rest(&[0.0, 0.0]), End::at_rest(&[1.0, PI]))
    };
    for intervals in [50, 100, 200, 400] {
        let found = solve(&problem, intervals, &OptimalControlOptions::default(), &mut Silent)?;
        let largest = found.trajectory.u.iter().map(|u| u[0].abs()).fold(0.0, f64::max);
        let (status, cost) = (found.status.name(), found.objective);
        println!("{intervals:4} steps: {status}, cost {cost:.6}, force up to {largest:.3} N");
    }
    Ok(())
}
