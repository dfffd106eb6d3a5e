//! Structures by chance, each stated in several ways: turned and moved, its rods drawn backwards or cut in two, its elements
//! halved. The equilibrium is the same to rounding, and under small loads that of an independent linear frame code. None is
//! refused, none is called unstable or a mechanism. `LARIAT_STRUCTURES=1000 cargo test --release --test structures` tries a thousand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checks;
mod file;
mod generate;
mod linear;
#[path = "../common/random.rs"]
mod random;
mod structure;
mod vector;

use checks::Solved;

/// Structures that are tried unless more are asked for.
const FEW: u64 = 60;

fn solve(text: &str) -> Solved {
    let problem = lariat::problem::load("structure", text, &[]).unwrap_or_else(|found| panic!("{found}\n{text}"));
    let report = lariat::solve(&problem).report;
    let values = report.scalars.into_iter().collect();
    Solved { status: report.status.to_string(), message: report.message.unwrap_or_default(), values }
}

#[test]
fn equilibria_do_not_depend_on_how_a_structure_is_stated() {
    let count = std::env::var("LARIAT_STRUCTURES").ok().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    let mut bad = Vec::new();
    for seed in 0..count {
        let structure = generate::structure(seed);
        bad.extend(checks::complaints(&structure, &solve).into_iter().map(|found| format!("{seed}: {found}")));
    }
    assert!(bad.is_empty(), "{} complaints:\n{}", bad.len(), bad.join("\n"));
}

/// The linear code itself: a cantilever with a force at its tip, F L³/3EI + F L/GA and F L²/2EI.
#[test]
fn the_linear_frame_code_meets_the_closed_form() {
    let mut structure = generate::structure(1);
    structure.rods.truncate(1);
    structure.joints.clear();
    structure.springs.clear();
    structure.lines.clear();
    structure.supports.truncate(1);
    let rod = &mut structure.rods[0];
    rod.model = structure::Model::Beam;
    rod.shape = structure::Shape::Straight { from: [0.0; 3], to: [2.0, 0.0, 0.0] };
    (rod.axial, rod.shear, rod.bending) = (300.0, [40.0; 2], [5.0; 2]);
    structure.space = false;
    structure.loads = vec![structure::Load { at: (0, 1), force: [3.0, 0.5, 0.0], torque: [0.0; 3], follows: false }];
    let tip = linear::displacements(&structure)[0][1];
    let wanted = [3.0 * 2.0 / 300.0, 0.5 * (8.0 / 15.0 + 2.0 / 40.0), 0.5 * 4.0 / 10.0];
    let found = [tip.0[0], tip.0[1], tip.1[2]];
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?} {wanted:?}");
}
