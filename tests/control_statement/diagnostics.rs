//! Hamiltonian, work against energy, and a second look at stored results.

use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{reverify, run};

use crate::{gallery, solved, system};

fn mass(end: f64, steps: usize, task: &str) -> String {
    format!(
        "[time]\nend = {end}\nsteps = {steps}\n[system]\ncoordinates = ['x']\ncontrols = ['u']\nlagrangian = 'x_dot^2/2'\nforces = {{ x = 'u' }}\n[task.optimal-control]\n{task}\n"
    )
}

/// From rest to rest within T the least effort is J = 6/T³, so that H = ∂J/∂T = −18 for T = 1; its error is of second order.
#[test]
fn the_hamiltonian_of_a_mass() {
    let task = "objective = { effort = 1 }\nstart = { x = 0 }\nend = { x = 1 }";
    let of = |steps: usize| solved(&mass(1.0, steps, task)).report.hamiltonian.unwrap();
    let [coarse, fine] = [50, 100].map(of);
    assert!((fine.mean / -18.0 - 1.0).abs() < 1e-3, "{fine:?}");
    assert!(((coarse.mean + 18.0) / (fine.mean + 18.0) - 4.0).abs() < 0.2, "{coarse:?} {fine:?}");
    assert!(fine.spread < 0.3 * coarse.spread + 1e-6 && fine.spread < 0.01, "{coarse:?} {fine:?}");
}

/// The mean over the steps is the derivative of the least cost by the duration, whatever the terms of the cost, the
/// constraints of the system and those along the way; for this discrete problem too.
#[test]
fn the_hamiltonian_is_what_a_longer_time_costs() {
    let text = |end: f64| {
        format!(
            "[time]\nend = {end}\nsteps = 50\n[system]\ncoordinates = ['x', 'y']\ncontrols = ['u']\nlagrangian = '(x_dot^2 + y_dot^2)/2 - 9.81*y'\nforces = {{ x = '-y*u - x_dot/5', y = 'x*u - y_dot/5' }}\nconstraints = {{ rod = '(x^2 + y^2 - 1)/2' }}\n\
             [task.optimal-control]\nobjective = {{ effort = 0.2, fuel = 0.3, energy = 0.4, time = 0.1 }}\nstart = {{ x = 0, y = -1 }}\nend = {{ x = 'sin(1)', y = '-cos(1)' }}\nbounds = {{ x_dot = [-0.1, 1.05] }}\nguess = {{ x = 'sin(t/{end})', y = '-cos(t/{end})' }}\n"
        )
    };
    let [before, at, after] = [0.999, 1.0, 1.001].map(|end| solved(&text(end)).report);
    let slope = (after.scalars["objective"] - before.scalars["objective"]) / 0.002;
    let hamiltonian = at.hamiltonian.unwrap();
    assert!((hamiltonian.mean / slope - 1.0).abs() < 1e-3, "{hamiltonian:?} {slope}");
}

/// A free end time makes it zero; what depends on time has none.
#[test]
fn the_hamiltonian_vanishes_for_a_free_end_time() {
    let outcome = solved(&gallery("robot-arm", &[]));
    let hamiltonian = outcome.report.hamiltonian.unwrap();
    assert!(hamiltonian.mean.abs() < 1e-6, "{hamiltonian:?}");
    let column = outcome.motion.column("step.hamiltonian").unwrap();
    assert_eq!(column.len(), outcome.motion.t.len());
    let task = "objective = { effort = 1, running = 't*u^2' }\nstart = { x = 0 }\nend = { x = 1 }";
    let timed = solved(&mass(1.0, 50, task));
    assert!(timed.report.hamiltonian.is_none() && timed.motion.column("step.hamiltonian").is_none());
}

/// A pendulum of 1 kg and 1 m that is swung up gains 2 m g l; friction takes work that the torque must give in addition.
#[test]
fn work_goes_into_energy() {
    let work = |forces: &str, steps: usize| {
        let text = gallery(
            "pendulum-swing-up",
            &[("steps = 200", &format!("steps = {steps}")), ("forces = { theta = \"torque\" }", forces)],
        );
        solved(&text).report.work.unwrap()
    };
    let free = work("forces = { theta = \"torque\" }", 200);
    assert!((free.energy_change - 2.0 * 9.81).abs() < 1e-9 && free.other_forces.abs() < 1e-12, "{free:?}");
    assert!((free.controls["torque"] - free.energy_change + free.residual).abs() < 1e-9, "{free:?}");
    let rubbed = [100, 200, 400].map(|steps| work("forces = { theta = \"torque - 0.1*theta_dot\" }", steps));
    assert!(rubbed[1].other_forces < -0.5 && rubbed[1].controls["torque"] > free.controls["torque"], "{rubbed:?}");
    let left = rubbed[1].energy_change - rubbed[1].controls["torque"] - rubbed[1].other_forces;
    assert!((left - rubbed[1].residual).abs() < 1e-9, "{rubbed:?}");
    // Switches of the torque between two nodes make the decay uneven.
    assert!(rubbed[2].residual.abs() < 0.15 * rubbed[0].residual.abs(), "{rubbed:?}");
}

/// The stored motion is judged as well: its cost and its bounds.
#[test]
fn stored_results_are_judged_again() {
    let text = gallery(
        "cart-pole",
        &[
            ("effort = 1.0", "effort = 1.0, fuel = 0.1, peak = 0.2, energy = 0.3, end = \"x^2\""),
            (
                "x = [-2.0, 2.0] }",
                "x = [-2.0, 2.0], x_dot = [-5.0, 5.0] }\npath = { tip = { value = \"x + l*sin(theta)\", max = 3.0 } }",
            ),
        ],
    );
    let system = system(&text);
    let outcome = run(&system, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    let again = reverify(&system, &outcome).unwrap();
    let [told, found] = again.objective.unwrap();
    assert!(again.costs_as_told() && (told / found - 1.0).abs() < 1e-7 && again.overruns.is_empty(), "{again:?}");
    let mut cheaper = outcome.clone();
    cheaper.report.scalars.insert("objective".into(), 0.999 * told);
    assert!(!reverify(&system, &cheaper).unwrap().costs_as_told());
    let change = |column: usize, row: usize, value: f64| {
        let mut changed: Outcome = outcome.clone();
        changed.motion.columns[column].1[row] = value;
        reverify(&system, &changed).unwrap().overruns
    };
    let told = change(0, 100, 2.5);
    assert!(told.iter().any(|overrun| overrun == "x is 2.5 at t = 1.000000 s, beyond its bound 2"), "{told:?}");
    assert!(
        told.iter().any(|overrun| overrun.starts_with("x_dot is ") && overrun.ends_with("beyond its bound -5")),
        "{told:?}"
    );
    assert!(!told.iter().any(|overrun| overrun.starts_with("tip")), "{told:?}");
    let mut pushed = outcome.clone();
    pushed.controls.columns[0].1[7] = -21.0;
    let told = reverify(&system, &pushed).unwrap().overruns;
    assert_eq!(told, ["force is -21 at t = 0.075000 s, beyond its bound -20"]);
}
