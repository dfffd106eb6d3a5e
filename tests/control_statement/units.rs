//! The unit of mass must not decide whether a problem is solved.

use crate::solved;

/// A crane with a hoist, its load carried in 8 s; masses and forces in a unit that makes them so many times smaller.
fn crane(unit: f64, steps: usize) -> String {
    let [trolley, load, push, pull] = [1000.0, 2000.0, 6000.0, 4000.0].map(|size| size / unit);
    format!(
        r#"
[time]
end = 8.0
steps = {steps}
[let]
M = {trolley:e}
m = {load:e}
g = 9.81
[system]
coordinates = ["x", "l", "th"]
controls = ["trolley", "hoist"]
lagrangian = "M/2*x_dot^2 + m/2*((x_dot + l_dot*sin(th) + l*cos(th)*th_dot)^2 + (-l_dot*cos(th) + l*sin(th)*th_dot)^2) + m*g*l*cos(th) - m*g*l"
forces = {{ x = "trolley", l = "hoist" }}
[task.optimal-control]
objective = {{ effort = 1.0 }}
grid = "stated"
start = {{ x = 0.0, l = 6.0, th = 0.0 }}
end = {{ x = 10.0, l = 4.0, th = 0.0 }}
bounds = {{ l = [1.0, 10.0], th = [-0.15, 0.15], trolley = [-{push:e}, {push:e}], hoist = [-{pull:e}, {pull:e}] }}
"#
    )
}

/// In newton the rows of the motion are sums of terms of 1e5 N s, of which rounding leaves more than the tolerances ask for: that is
/// no reason to go on, and none to call the problem infeasible.
#[test]
fn kilogram_and_tonne_give_the_same_motion() {
    for steps in [50, 200, 1000] {
        let cost = |unit: f64| solved(&crane(unit, steps)).report.scalars["objective"] * unit * unit;
        let tonnes = cost(1000.0);
        for unit in [1.0, 10.0, 1e4] {
            let other = cost(unit);
            assert!((other / tonnes - 1.0).abs() < 1e-8, "{steps} steps, unit of {unit} kg: {other} {tonnes}");
        }
    }
}
