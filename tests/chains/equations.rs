//! The equations over all of space and time: their derivatives against differences of their residuals.

use lariat::discretisation::at_once::{AtOnce, Course, Net};
use lariat::discretisation::galerkin::TimeElements;
use lariat::nlp::SquareSystem;
use lariat::problem::{self, Question};

use crate::mixed;

#[path = "../common/random.rs"]
mod random;

use random::Random;

/// Against central differences of width 1e-6, whose own error is about 1e-9.
#[test]
fn jacobians_are_derivatives() {
    for text in [mixed::plane_halves(), mixed::space()] {
        let problem = problem::load("test.toml", &text, &[]).unwrap();
        let Question::InverseDynamics(system, _) = &problem.question else { panic!("not inverse dynamics") };
        let net = Net::new(&system.chain, 1).unwrap();
        let (steps, dt) = (4, 0.1);
        let time = TimeElements { dt, steps };
        let rest: Vec<_> = {
            let sections = system.chain.reference();
            net.nodes.iter().map(|node| sections[node.section.unwrap()]).collect()
        };
        let targets: Vec<Vec<_>> = system
            .chain
            .guides
            .iter()
            .map(|guide| (0..=steps).map(|k| guide.path.at(3.0 + k as f64 * dt).unwrap().pose).collect())
            .collect();
        let guess: Vec<_> = rest.iter().flat_map(|pose| vec![*pose; steps + 1]).collect();
        let forces = vec![0.1; net.forces.len()];
        let course = Course { start: 0.0, targets, rest, forces };
        let mut system = AtOnce::new(&net, time, course, guess.clone());
        let mut random = Random(3);
        let numbers = *system.numbers();
        let mut x = vec![0.0; system.size()];
        for i in 0..numbers.nodes {
            for k in 1..=steps {
                for (c, component) in net.components.iter().enumerate() {
                    let base = if *component < 3 { guess[i * (steps + 1)].position[*component] } else { 0.0 };
                    x[numbers.place(i, k, c)] = base + 1e-3 * random.next();
                    x[numbers.rate(i, k, c)] = 1e-2 * random.next();
                }
            }
        }
        let size = system.size();
        let pattern = system.pattern().clone();
        let mut values = vec![0.0; pattern.nnz()];
        system.jacobian(&x, &mut values).unwrap();
        let (mut worst, mut place) = (0.0_f64, (0, 0));
        let scale = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
        for column in 0..size {
            let mut at = |h: f64| {
                let mut moved = x.clone();
                moved[column] += h;
                let mut out = vec![0.0; size];
                system.residual(&moved, &mut out).unwrap();
                out
            };
            let (after, before) = (at(1e-6), at(-1e-6));
            let mut dense = vec![0.0; size];
            for entry in pattern.column(column) {
                dense[pattern.row_idx()[entry]] = values[entry];
            }
            for row in 0..size {
                let off = (dense[row] - (after[row] - before[row]) / 2e-6).abs();
                if off > worst {
                    (worst, place) = (off, (row, column));
                }
            }
        }
        let (row, column) = (system.row_name(place.0), system.unknown_name(place.1));
        assert!(worst < 1e-8 * scale, "{worst:e} of {scale:e}: {row} by {column}\n{text}");
    }
}
