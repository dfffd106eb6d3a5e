//! Work of moving supports and of loads against what energy and damping take.

use crate::solve::{gallery, run};

/// A rod whose base is driven to and fro: all energy comes from the support, and the balance is missed by less and less as
/// steps get shorter, with the square of their length at least.
#[test]
fn a_moving_support_works() {
    let text = |steps: usize| {
        format!(
            r#"
dimension = 2
[time]
end = 2.0
steps = {steps}
[rod.rod]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 4
order = 2
stiffness = {{ axial = 2000.0, shear = 800.0, bending = 5.0 }}
inertia = {{ mass = 1.0, rotary = 1e-3 }}
damping.time = 0.01
[support.base]
at = "rod.start"
x = "0.05*sin(3*t)^2"
y = "0.1*sin(4*t)^2"
angle = "0.5*(1 - cos(2*t))"
[task.simulate]
"#
        )
    };
    let off = [800, 1600, 3200].map(|steps| {
        let outcome = run(&text(steps), &[]);
        let energy = outcome.report.energy.clone().unwrap();
        assert!(energy.peak > 0.1 && outcome.report.warnings.is_empty(), "{:?}", outcome.report.warnings);
        energy.max_imbalance / energy.peak
    });
    assert!(off[2] < 1e-5, "{off:?}");
    for pair in off.windows(2) {
        // At first faster: the quickest motions are not resolved yet.
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 1.8, "order {order}, {off:?}");
    }
}

/// A weight lifted by a support: the work is what it weighs times the way, also where the support holds a point beside the
/// node (a body with a joint of its own).
#[test]
fn a_support_lifts_a_weight() {
    let text = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 1.0
steps = 400
[rod.rope]
model = "beam"
from = [0.0, 1.0]
to = [0.0, 0.0]
elements = 4
stiffness = { axial = 1e6, shear = 1e5, bending = 10.0 }
inertia = { mass = 0.5, rotary = 1e-3 }
[body.weight]
mass = 2.0
inertia = 0.1
position = [0.0, -0.2]
[joint.hook]
between = ["weight", "rope.end"]
type = "rigid"
[support.top]
at = "rope.start"
x = 0.0
y = "1 + 0.5*rest(t, 0, 1, 6)"
angle = -1.5707963267948966
[task.simulate]
start = "equilibrium"
"#;
    let outcome = run(text, &[]);
    let work = outcome.report.scalars["energy.work"];
    assert!((work / (2.5 * 9.81 * 0.5) - 1.0).abs() < 1e-3, "{work}");
    assert!(outcome.report.scalars["energy.imbalance"] < 2e-3 * work, "{}", outcome.report.scalars["energy.imbalance"]);
}

/// The run-up of the turbine over its first 8 s: the work of all loads is what energy and damping take, to 1e-6, and the
/// error falls with the square of the step.
#[test]
fn the_balance_of_the_turbine_closes() {
    let off = [1600, 3200].map(|steps| {
        let steps = format!("time.steps={steps}");
        let outcome = gallery("turbine-run-up", &["time.end=8.0", &steps, "task.simulate.every=40"]);
        let rate = outcome.relative.column("bearing.rate").unwrap();
        assert!(rate.last().unwrap() > &0.2 && rate[0] == 0.0, "{rate:?}");
        outcome.report.scalars["energy.imbalance"] / outcome.report.scalars["energy.work"]
    });
    assert!(off[1] < 1e-6, "{off:?}");
    let order = (off[0] / off[1]).log2();
    assert!((order - 2.0).abs() < 0.5, "{order}, {off:?}");
}

/// Angle and rate of the bearing belong together, and blades see their tips where the frames are.
#[test]
fn relative_motions_belong_together() {
    let outcome = gallery("turbine-run-up", &["time.end=8.0", "time.steps=1600", "task.simulate.every=2"]);
    let (angle, rate) =
        ["angle", "rate"].map(|what| outcome.relative.column(&format!("bearing.{what}")).unwrap()).into();
    let dt = outcome.relative.t[1] - outcome.relative.t[0];
    for k in 1..angle.len() - 1 {
        let slope = (angle[k + 1] - angle[k - 1]) / (2.0 * dt);
        assert!((slope - rate[k]).abs() < 2e-4, "{k}: {slope} {}", rate[k]);
    }
    let deflection = outcome.relative.column("one.deflection_1").unwrap();
    assert!(deflection.last().unwrap() > &3.0, "{:?}", deflection.last());
}
