//! Optimised tracking where the answer is known.

use super::*;

/// Two masses and a spring, the force on the first, the path of the second; F = k P(D) x₂ by flatness.
const CHAIN: &str = r#"
[time]
end = 6.0
steps = 240
[system]
coordinates = ["x1", "x2"]
controls = ["force"]
lagrangian = "0.5*(x1_dot^2 + x2_dot^2) - 5*(x2 - x1)^2"
forces = { x1 = "force" }
[servo.last]
at = "x2"
path = "rest(t, 1, 5, 8)"
[task.inverse-dynamics]
method = "optimise"
"#;

/// x₂ by its derivatives: ẍ₂ = k (x₁ − x₂), F = ẍ₁ + ẍ₂ with x₁ = x₂ + ẍ₂/k.
fn force(t: f64) -> f64 {
    // The normalised integral of u⁷ (1 − u)⁷ over [1, 5]: derivatives by differences of its density, which is exact.
    let density = |t: f64| {
        let u = (t - 1.0) / 4.0;
        if (0.0..=1.0).contains(&u) { 51480.0 * (u * (1.0 - u)).powi(7) / 4.0 } else { 0.0 }
    };
    let h = 1e-2;
    let second = (density(t + h) - density(t - h)) / (2.0 * h);
    let fourth =
        (density(t + 2.0 * h) - 2.0 * density(t + h) + 2.0 * density(t - h) - density(t - 2.0 * h)) / (2.0 * h.powi(3));
    2.0 * second + fourth / 10.0
}

fn error(steps: usize) -> f64 {
    let outcome = solved(CHAIN, &[&format!("time.steps={steps}")]);
    let (t, found) = (&outcome.actuation.t, outcome.actuation.column("force").unwrap());
    let h = t[1] - t[0];
    // Steps hold their value: it is that of their middle.
    let apart = |(t, u): (&f64, &f64)| (u - force(t + 0.5 * h)).abs();
    t.iter().zip(found).take(found.len() - 1).map(apart).fold(0.0, f64::max)
}

/// A flat system follows its path as well as the weight allows, with the force of its closed form.
#[test]
fn a_flat_system_has_the_force_of_its_closed_form() {
    let found = error(240);
    assert!(found < 0.05, "{found}, where the largest force is about 1");
}

/// An inverted pendulum on a cart, its tip on a path: the internal dynamics is unstable, the motion found is bounded, and its
/// actuation begins before the path.
#[test]
fn an_unstable_inverse_is_bounded() {
    let text = r#"
[time]
end = 8.0
steps = 320
[system]
coordinates = ["x", "a"]
controls = ["force"]
lagrangian = "0.5*x_dot^2 + 0.25*(x_dot^2 - 2*x_dot*a_dot*cos(a) + a_dot^2) - 0.5*9.81*cos(a)"
forces = { x = "force" }
[servo.tip]
at = "x - sin(a)"
path = "rest(t, 3, 5, 6)"
[task.inverse-dynamics]
method = "optimise"
verify = { tolerance = 2e-2, refine = 4 }
"#;
    let outcome = solved(text, &[]);
    let tracking = outcome.report.tracking.as_ref().unwrap();
    assert!(tracking.outputs[0].max_error < 0.01, "{tracking:?}");
    assert!(tracking.begins_before.unwrap() > 0.2, "{tracking:?}");
    let largest = outcome.motion.column("a").unwrap().iter().fold(0.0f64, |most, a| most.max(a.abs()));
    assert!(largest < 0.5, "{largest}");
}
