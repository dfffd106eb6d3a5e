//! What is seen in the frame at rest: a turning blade that is nudged swings with the frequencies of its modes.

use crate::solve::run;

const BLADE: &str = r#"
dimension = 3
[spin]
rate = 3.0
[rod.blade]
model = "rod"
from = [0.2, 0.0, 0.0]
to = [1.2, 0.0, 0.0]
elements = 6
order = 2
stiffness = { axial = 2000.0, shear = 800.0, bending = 1.0, torsion = 0.8 }
inertia = { mass = 1.0, rotary = 1e-3 }
"#;

/// Largest |Σ z(t) sin²(πt/T) e^{−iωt}| near a frequency, by golden section.
fn peak(t: &[f64], z: &[f64], near: f64) -> f64 {
    let span = t[t.len() - 1] - t[0];
    let size = |omega: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (t, z) in t.iter().zip(z) {
            let window = (std::f64::consts::PI * t / span).sin().powi(2);
            re += z * window * (omega * t).cos();
            im += z * window * (omega * t).sin();
        }
        re.hypot(im)
    };
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.97 * near, 1.03 * near);
    while high - low > 1e-9 * near {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if size(a) > size(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}

#[test]
fn a_nudged_blade_swings_with_the_frequencies_of_its_modes() {
    let held = "[support.root]\nat = \"blade.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 2\n";
    let modes = run(&format!("{BLADE}{held}"), &[]);
    let omega = [1, 2].map(|k| modes.report.scalars[&format!("modes.{k}.omega")]);
    // In the frame at rest the root turns; the blade begins in its steady shape, nudged both ways.
    let moving = r#"
[time]
end = 30.0
steps = 3000
[support.root]
at = "blade.start"
x = "0.2*cos(3*t)"
y = "0.2*sin(3*t)"
z = 0.0
rotation = [0.0, 0.0, "3*t"]
[task.simulate]
start = "equilibrium"
"#;
    let nudge = "rod.blade.velocity=[0.0, \"0.02*(s/1.0)^2\", \"0.02*(s/1.0)^2\"]";
    let outcome = run(&format!("{BLADE}{moving}"), &[nudge]);
    let column = |name: &str| outcome.motion.column(name).unwrap().to_vec();
    let (x, y, z) = (column("blade.end.x"), column("blade.end.y"), column("blade.end.z"));
    let t = &outcome.motion.t;
    let lag: Vec<f64> =
        t.iter().zip(x.iter().zip(&y)).map(|(t, (x, y))| y * (3.0 * t).cos() - x * (3.0 * t).sin()).collect();
    // Over 30 s with a window, and with 40 to 60 steps of the midpoint rule in a period, frequencies are good to about 2e-3.
    let flap_of = |near: f64| peak(t, &z, near);
    let lag_of = |near: f64| peak(t, &lag, near);
    let [low, high] = [omega[0].min(omega[1]), omega[0].max(omega[1])];
    assert!((lag_of(low) / low - 1.0).abs() < 2e-3, "lag {} instead of {low}", lag_of(low));
    assert!((flap_of(high) / high - 1.0).abs() < 2e-3, "flap {} instead of {high}", flap_of(high));
    // Flap is stiffened by Ω² more than lag.
    assert!((high * high - low * low - 9.0).abs() < 0.2, "{}", high * high - low * low);
}

/// Without a nudge nothing happens: in the frame at rest the blade goes on turning as it began, up to the error of the
/// midpoint rule, which falls with the square of the step, and the support that turns it does no work.
#[test]
fn a_steadily_turning_blade_stays_as_it_is() {
    let moving = r#"
[time]
end = 2.0
steps = 400
[support.root]
at = "blade.start"
x = "0.2*cos(3*t)"
y = "0.2*sin(3*t)"
z = 0.0
rotation = [0.0, 0.0, "3*t"]
[task.simulate]
start = "equilibrium"
"#;
    let drifts = ["time.steps=400", "time.steps=800"].map(|steps| {
        let outcome = run(&format!("{BLADE}{moving}"), &[steps]);
        let column = |name: &str| outcome.motion.column(name).unwrap().to_vec();
        let (x, y) = (column("blade.end.x"), column("blade.end.y"));
        let radius: Vec<f64> = x.iter().zip(y).map(|(x, y)| x.hypot(y)).collect();
        let scalars = &outcome.report.scalars;
        let energy = scalars["energy.total.initial"];
        assert!(scalars["energy.total.drift"] < 1e-3 * energy, "{}", scalars["energy.total.drift"]);
        assert!(scalars["energy.work"].abs() < 1e-3 * energy, "{}", scalars["energy.work"]);
        radius.iter().map(|r| (r - radius[0]).abs()).fold(0.0, f64::max)
    });
    let order = (drifts[0] / drifts[1]).log2();
    assert!(drifts[1] < 3e-5 && (order - 2.0).abs() < 0.3, "{drifts:?}, order {order}");
}
