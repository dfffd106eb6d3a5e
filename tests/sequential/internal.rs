//! Internal dynamics: what the paths leave free.

use super::*;

/// A cart of 1 kg with a pendulum of 0.5 kg and 1 m; `start` is its angle, `damping` that of its bearing.
fn cart(output: &str, start: f64, damping: f64) -> String {
    format!(
        "[time]\nend = 4\nsteps = 80\n[system]\ncoordinates = [\"x\", \"theta\"]\ncontrols = [\"force\"]\nlagrangian = \"0.75*x_dot^2 + 0.5*x_dot*theta_dot*cos(theta) + 0.25*theta_dot^2 + 0.5*9.81*cos(theta)\"\nforces = {{ x = \"force\", theta = \"-{damping}*theta_dot\" }}\n[servo.out]\nat = \"{output}\"\npath = \"rest(t, 0, 2, 5)\"\n[task.inverse-dynamics]\nstart = {{ theta = {start} }}\n"
    )
}

/// Second derivative of the step of degree 9 in 2 s.
fn acceleration(t: f64) -> f64 {
    let u = t / 2.0;
    let second = 126.0 * 20.0 * u.powi(3) - 420.0 * 30.0 * u.powi(4) + 540.0 * 42.0 * u.powi(5)
        - 315.0 * 56.0 * u.powi(6)
        + 70.0 * 72.0 * u.powi(7);
    if (0.0..=2.0).contains(&t) { second / 4.0 } else { 0.0 }
}

/// The pendulum under the cart swings as a separate integration says: θ̈ = −(ẍ cos θ + g sin θ) − 2 d θ̇.
#[test]
fn a_hanging_pendulum_swings_while_the_cart_follows() {
    for damping in [0.0, 0.1] {
        let text = cart("x", 0.0, damping);
        assert_eq!(mechanism(&text), (3, 2, vec![2], "orthogonal"));
        let outcome = solved(&text);
        let warned = outcome.report.warnings.join("; ");
        let word = if damping == 0.0 { "neither grows nor decays (frequencies up to 3.1321" } else { "it decays" };
        assert!(warned.contains(word) && warned.contains("2 states of internal dynamics"), "{warned}");
        let slope = |t: f64, [angle, rate]: [f64; 2]| {
            [rate, -(acceleration(t) * angle.cos() + 9.81 * angle.sin()) - 2.0 * damping * rate]
        };
        let (mut state, h) = ([0.0f64; 2], 5e-4);
        for k in 0..8000 {
            let t = h * f64::from(k);
            if k % 100 == 0 {
                let error = (at(&outcome, "theta", t) - state[0]).abs();
                // The classical Runge-Kutta rule leaves about h⁴.
                assert!(error < 1e-10, "t = {t}: {error:.1e}");
                let turned = slope(t, state)[1];
                let force = 1.5 * acceleration(t) + 0.5 * (turned * state[0].cos() - state[1].powi(2) * state[0].sin());
                assert!((at(&outcome, "force", t) - force).abs() < 1e-9);
            }
            let plus = |a: [f64; 2], b: [f64; 2], f: f64| [a[0] + f * b[0], a[1] + f * b[1]];
            let k1 = slope(t, state);
            let k2 = slope(t + 0.5 * h, plus(state, k1, 0.5 * h));
            let k3 = slope(t + 0.5 * h, plus(state, k2, 0.5 * h));
            let k4 = slope(t + h, plus(state, k3, h));
            for i in 0..2 {
                state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
    }
}

/// Upright, the pendulum falls: exp(√g t), time constant 1/√9.81. So it does where a point beyond the pendulum's mass is held,
/// which needs the cart to run away.
#[test]
fn unstable_internal_dynamics_is_refused() {
    let sequential = |text: String| text.replace("dynamics]\n", "dynamics]\nmethod = \"sequential\"\n");
    let told = refused(&sequential(cart("x", std::f64::consts::PI, 0.0)), "unstable");
    for part in ["internal dynamics is unstable", "time constant 0.3193 s", "method = \"optimise\"", "2 states"] {
        assert!(told.contains(part), "{part} is not in: {told}");
    }
    // x + 2 sin θ held: linearised θ̈ (1 − 2) + g θ = 0.
    let beyond = cart("x + 2*sin(theta)", 0.0, 0.0);
    let told = refused(&sequential(beyond.clone()), "unstable");
    assert!(told.contains("time constant 0.3193 s"), "{told}");
    // Where the method is open, the bounded motion is found, which begins before the path.
    let found = solved(&beyond);
    assert_eq!(found.report.method, "boundary-value");
    assert!(found.actuation.t[0] < -3.0 && found.report.method_reason.contains("0.3193 s"));
}

/// A pendulum held upright by a torque alone needs feedback: exp(√9.81 · 12 s) is 2e16. It is verified piece by piece, from the
/// states of the answer.
#[test]
fn motions_that_need_feedback_are_verified_in_segments() {
    let text = "[time]\nend = 12\nsteps = 480\n[system]\ncoordinates = [\"angle\"]\ncontrols = [\"torque\"]\nlagrangian = \"angle_dot^2/2 - 9.81*cos(angle)\"\nforces = { angle = \"torque\" }\n[servo.tilt]\nat = \"angle\"\npath = \"0.3*rest(t, 1, 3, 5)\"\n[task.inverse-dynamics]\n";
    let outcome = solved(text);
    assert!(outcome.report.verification.as_ref().unwrap().segments > 1);
    assert!(outcome.report.warnings.iter().any(|warning| warning.contains("it needs feedback")));
    // At rest the torque carries the weight: −9.81 sin 0.3.
    assert!((at(&outcome, "torque", 12.0) + 9.81 * 0.3f64.sin()).abs() < 1e-12);
}

/// The stored forces give the same verdict again, and another one where they are changed.
#[test]
fn stored_forces_are_verified_again() {
    for name in ["crane-servo", "mass-spring-chain", "flexible-joint"] {
        let system = system(gallery(name));
        let mut outcome = run(&system, &mut Silent);
        let again = reverify(&system, &outcome, &mut Silent).unwrap();
        assert_eq!(Some(&again), outcome.report.verification.as_ref(), "{name}");
        let names: Vec<&String> = outcome.report.scalars.keys().collect();
        let mut known = system.scalar_names();
        known.sort();
        assert_eq!(names, known.iter().collect::<Vec<_>>(), "{name}");
        outcome.actuation.columns[0].1.iter_mut().take(40).for_each(|u| *u = 0.8 * *u + 0.1);
        assert!(!reverify(&system, &outcome, &mut Silent).unwrap().passed, "{name}: a change is not noticed");
        outcome.actuation.columns.clear();
        let told = reverify(&system, &outcome, &mut Silent).unwrap_err().to_string();
        assert!(told.contains("actuation.csv has no column"), "{told}");
    }
}
