//! A steel leaf spring amplifies what is faster than its path by many digits: the finer the steps, the more. `auto` has to find the
//! bandwidth between the motion and the noise.

use lariat::results::Outcome;

use crate::solved;

/// 0.8 m × 30 mm × 2 mm, its tip moved sideways and turned.
fn leaf(steps: usize, task: &str) -> Outcome {
    let text = format!(
        r#"
dimension = 2
[time]
end = 4.0
steps = {steps}
[let]
sigma = "rest(t, 1, 3, 8)"
[rod.leaf]
model = "beam"
from = [0.0, 0.0]
to = [0.8, 0.0]
elements = 40
section.rectangle = {{ width = 0.03, height = 0.002 }}
material = {{ youngs = 210e9, poisson = 0.3, density = 7850.0 }}
[actuator.base]
at = "leaf.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "leaf.end"
x = 0.8
y = "0.3*sigma"
angle = "0.5*sigma"
[task.inverse-dynamics]
{task}
"#
    );
    solved(&text)
}

/// The forces by `auto` at 500 Hz are those of another grid with another bandwidth, and the error told is of the size of the true one.
/// Bandwidths from 100 to 900 rad/s give the same forces to some 1e-7.
#[test]
fn the_bandwidth_of_a_leaf_spring_is_found() {
    let found = leaf(2000, "");
    let known = leaf(4000, "method = \"space-march\"\nbandwidth = 600.0");
    let mut worst = 0.0_f64;
    for (name, force) in &known.actuation.columns {
        let largest = force.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
        let values = found.actuation.column(name).unwrap();
        let off = values.iter().zip(force.iter().step_by(2)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        worst = worst.max(off / largest);
    }
    let told = found.report.residuals["estimated_relative_error"];
    assert!(worst < 1e-5, "{worst:e}");
    assert!((0.3 * worst..10.0 * worst).contains(&told), "told {told:e}, true {worst:e}");
}
