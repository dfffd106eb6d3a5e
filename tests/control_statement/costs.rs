//! Costs and bounds, against closed forms.

use crate::solved;

/// A unit mass on a line.
fn mass(end: f64, steps: usize, potential: &str, task: &str) -> String {
    format!(
        "[time]\nend = {end}\nsteps = {steps}\n[system]\ncoordinates = ['x']\ncontrols = ['u']\nlagrangian = 'x_dot^2/2{potential}'\nforces = {{ x = 'u' }}\n[task.optimal-control]\n{task}\n"
    )
}

fn objective(text: &str) -> f64 {
    solved(text).report.scalars["objective"]
}

/// ½ ∫ w (x − c)² + u² dt with x'' = u from rest to rest at 0 within T = 2: x'''' + w (x − c) = 0 has the even solution
/// x = c + A cosh aτ cos aτ + B sinh aτ sin aτ with a⁴ = w/4, τ = t − 1, and integration by parts leaves J = c x'''(τ = 1).
#[test]
fn tracking_has_the_cost_of_its_closed_form() {
    let (w, c): (f64, f64) = (40.0, 0.7);
    let a = (w / 4.0).powf(0.25);
    let (ch, sh, co, si) = (a.cosh(), a.sinh(), a.cos(), a.sin());
    // A p + B r = −c and A p' + B r' = 0 with p = cosh cos, r = sinh sin; p' = a (sinh cos − cosh sin), r' = a (cosh sin + sinh cos).
    let (p, r, dp, dr) = (ch * co, sh * si, a * (sh * co - ch * si), a * (ch * si + sh * co));
    let determinant = p * dr - r * dp;
    let (first, second) = (-c * dr / determinant, c * dp / determinant);
    // p''' = −2 a³ (cosh sin + sinh cos), r''' = 2 a³ (sinh cos − cosh sin).
    let third = 2.0 * a.powi(3) * (-first * (ch * si + sh * co) + second * (sh * co - ch * si));
    let known = c * third;
    let task = format!(
        "objective = {{ effort = 1, tracking = {{ x = {{ weight = {w}, reference = '{c} + 0*t' }} }} }}\nstart = {{ x = 0 }}\nend = {{ x = 0 }}"
    );
    let errors = [50, 100, 200].map(|steps| objective(&mass(2.0, steps, "", &task)) - known);
    assert!(errors[2].abs() < 1e-3 * known.abs(), "{known} {errors:?}");
    let order = ((errors[0] - errors[1]) / (errors[1] - errors[2])).log2();
    assert!((order - 2.0).abs() < 0.1, "{known} {errors:?}: {order}");
}

/// What can be followed is followed, velocities too: nothing is left of the cost.
#[test]
fn a_motion_that_is_possible_is_followed() {
    let task = "objective = { tracking = { x = { reference = '3*t^2 - 2*t^3' }, x_dot = { weight = 0.5, reference = '6*t*(1 - t)' } } }\nstart = { x = 0 }\nend = { x = 1 }";
    let outcome = solved(&mass(1.0, 100, "", task));
    assert!(outcome.report.scalars["objective"] < 1e-6, "{:?}", outcome.report.scalars);
    let apart = outcome.motion.t.iter().zip(outcome.motion.column("x").unwrap());
    let apart = apart.map(|(t, x)| (x - t * t * (3.0 - 2.0 * t)).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-3, "{apart}");
}

/// From rest to rest over 1 m within 3 s by at most 1 N: energy is spent until the speed v is reached, with v (3 − v) = 1, and
/// braking gives nothing back: ½ v², v = (3 − √5)/2.
#[test]
fn spent_energy_is_the_kinetic_one_at_full_speed() {
    let task = "objective = { energy = 2 }\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { u = [-1, 1] }";
    let speed = 0.5 * (3.0 - 5f64.sqrt());
    let errors = [50, 100, 200].map(|steps| objective(&mass(3.0, steps, "", task)) / (speed * speed) - 1.0);
    assert!(errors[2].abs() < 2e-4 && errors[2].abs() < 0.5 * errors[0].abs(), "{errors:?}");
}

/// A mass that is lifted by 2 m and brakes by its weight alone spends m g h and not more.
#[test]
fn lifting_spends_the_weight() {
    let task = "objective = { energy = 1 }\nstart = { x = 0 }\nend = { x = 2 }\nbounds = { u = [-30, 30] }";
    let found = objective(&mass(2.0, 100, " - 9.81*x", task));
    assert!((found / (9.81 * 2.0) - 1.0).abs() < 1e-4, "{found}");
}

/// Least effort over 1 m within 1 s at a speed of at most V = 1.2: the speed is parabolic until τ = 3/2 (1 − 1/V), then V, and
/// J = 4 V²/(3 τ) = 7.68.
#[test]
fn velocities_have_bounds() {
    let task = "objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { x_dot = [-0.1, 1.2] }";
    let outcome = solved(&mass(1.0, 200, "", task));
    let scalars = &outcome.report.scalars;
    assert!((scalars["objective"] / 7.68 - 1.0).abs() < 1e-3, "{scalars:?}");
    assert!((scalars["motion.x_dot.max"] - 1.2).abs() < 1e-6, "{scalars:?}");
    let limits = outcome.report.limits["x_dot"];
    assert_eq!((limits.lower, limits.upper), (Some(-0.1), Some(1.2)));
    // A free end velocity keeps to the bounds as well.
    let task = "objective = { end = '-x_dot' }\nstart = { x = 0 }\nend = { x = 'free', x_dot = 'free' }\nbounds = { x_dot = [-0.1, 1.2], u = [-9, 9] }";
    let fast = solved(&mass(1.0, 50, "", task));
    assert!((fast.report.scalars["motion.x_dot.final"] - 1.2).abs() < 1e-6, "{:?}", fast.report.scalars);
}

/// Weighted terms add up.
#[test]
fn terms_of_the_cost_add_up() {
    let sum = "objective = { effort = 0.5, running = '0.25*u^2', tracking = { x_dot = { weight = 0, reference = 't' } } }\nstart = { x = 0 }\nend = { x = 1 }";
    let alone = "objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }";
    let [sum, alone] = [sum, alone].map(|task| objective(&mass(1.0, 50, "", task)));
    assert!((sum / alone - 1.0).abs() < 1e-9, "{sum} {alone}");
}
