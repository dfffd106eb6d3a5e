//! Forces that a motion through a fluid needs, where all instants or single ones are solved for.

use crate::{scalar, solved};

/// A float pushed along a line: F = m a + c |v − U|(v − U), in closed form.
fn float(method: &str) -> String {
    format!(
        "dimension = 2\n[time]\nend = 2.0\nsteps = 200\n[let]\nsigma = \"rest(t, 0, 2, 5)\"\n[body.float]\nmass = 2.0\nposition = [0.0, 0.0]\ndrag = {{ linear = 0.4, quadratic = 1.5 }}\n[current]\nvelocity = [0.5, -0.2]\n[actuator.push]\nat = \"float\"\nacts = [\"force_x\", \"force_y\"]\n[servo.way]\nat = \"float\"\nx = \"sigma\"\ny = 0.0\n[task.inverse-dynamics]\n{method}"
    )
}

/// The force at the middle of rest(t, 0, 2, 5), where the acceleration is zero.
fn middle_force() -> [f64; 2] {
    // dσ/dτ = τ⁴(1 − τ)⁴/B(5, 5) with τ = t/2 and B(5, 5) = 1/630.
    let v = 0.5_f64.powi(8) * 630.0 / 2.0;
    let relative = [v - 0.5, 0.2];
    let speed = f64::hypot(relative[0], relative[1]);
    relative.map(|v| (0.4 + 1.5 * speed) * v)
}

#[test]
fn servo_constraints_and_optimisation_need_the_force_of_the_fluid() {
    let [x, y] = middle_force();
    for (method, tolerance) in [("method = \"sequential\"\n", 1e-3), ("method = \"optimise\"\n", 5e-3)] {
        let found = solved(&float(method), &[]);
        let [fx, fy] = ["x", "y"].map(|axis| {
            let column = found.actuation.column(&format!("push.force_{axis}")).unwrap();
            let at = found.actuation.t.iter().position(|t| (t - 1.0).abs() < 1e-9).unwrap();
            column[at]
        });
        assert!((fx - x).abs() < tolerance * x && (fy - y).abs() < tolerance * x, "{method}: {fx} {x}, {fy} {y}");
        assert!(found.report.verification.as_ref().unwrap().passed, "{method}");
    }
}

/// The least effort that keeps a float at its place in a current is its drag.
#[test]
fn a_float_held_in_a_current() {
    let text = "dimension = 2\n[time]\nend = 1.0\nsteps = 20\n[body.float]\nmass = 2.0\nposition = [0.0, 0.0]\ndrag = { quadratic = 1.5 }\n[current]\nvelocity = [2.0, 0.0]\n[support.rail]\nat = \"float\"\nfixes = [\"y\"]\n[actuator.push]\nat = \"float\"\nacts = [\"force_x\"]\n[task.optimal-control]\nobjective = { effort = 1.0 }\nstart = { \"float.x\" = 0.0, \"float.x_dot\" = 0.0 }\nend = { \"float.x\" = 0.0 }\n";
    let found = solved(text, &[]);
    // ½ F² t with F = 1.5 · 2² N.
    let cost = scalar(&found, "objective");
    assert!((cost - 18.0).abs() < 1e-6, "{cost}");
}
