//! A flexible arm driven by a torque at its hub.

use super::*;

/// Few elements, of second order: as many of first order are not verified.
const COARSE: [&str; 5] = [
    "rod.arm.elements=4",
    "rod.arm.order=2",
    "time.steps=120",
    "task.inverse-dynamics.trade-off=[]",
    "rod.arm.material.youngs=2e8",
];

fn torques(outcome: &Outcome) -> &[f64] {
    outcome.controls.column("motor.torque").unwrap()
}

fn with(limit: &str) -> Vec<&str> {
    COARSE.iter().copied().chain([limit]).collect()
}

/// One torque, two outputs: followed within 1 % of the path, with bounded bending, by an actuation that begins before the path
/// and ends after it. The stored forces alone reproduce it.
#[test]
fn the_tip_follows_a_quarter_turn() {
    let outcome = solved(gallery("flexible-arm"), &COARSE);
    let tracking = outcome.report.tracking.as_ref().unwrap();
    assert!(tracking.outputs.iter().all(|output| output.max_error < 0.01 * output.size), "{tracking:?}");
    assert!(tracking.begins_before.unwrap() > 0.04 && tracking.ends_after.unwrap() > 0.04, "{tracking:?}");
    // The manoeuvre is the same forwards and backwards in time: so is the torque, with the opposite sign.
    let torques = torques(&outcome);
    let count = torques.len() - 1;
    let peak = torques.iter().fold(0.0f64, |most, torque| most.max(torque.abs()));
    for k in 0..count {
        assert!((torques[k] + torques[count - 1 - k]).abs() < 0.02 * peak, "step {k}");
    }
    assert!(outcome.motion.column("hub.angle_dot").unwrap().last().unwrap().abs() < 1e-2);
    let again = reverify(&system(gallery("flexible-arm"), &COARSE), &outcome).unwrap();
    assert!(again.passed);
    // Other forces do not reproduce the motion, neither at once nor in segments.
    let mut changed = outcome.clone();
    changed.controls.columns.iter_mut().for_each(|(_, values)| values.iter_mut().for_each(|value| *value *= 1.5));
    assert!(!reverify(&system(gallery("flexible-arm"), &COARSE), &changed).unwrap().passed);
    let first = outcome.report.verification.as_ref().unwrap();
    for (name, error) in &first.max_error {
        assert!((again.max_error[name] - error).abs() < 1e-9, "{name}");
    }
}

/// A motor 20 % weaker than the peak: the best motion within the limit is found and proved, but it is not what was asked for. Who is at
/// which limit, and how much more it needs, is told.
#[test]
fn a_weak_motor_misses_the_path_and_says_by_how_much() {
    let free = solved(gallery("flexible-arm"), &COARSE);
    let peak = torques(&free).iter().fold(0.0f64, |most, torque| most.max(torque.abs()));
    let limit = 0.8 * peak;
    let bounds = format!("task.inverse-dynamics.bounds={{\"motor.torque\"=[-{limit}, {limit}]}}");
    let open = "expect={}";
    let finer = "time.steps=240";
    let overrides: Vec<&str> = with(&bounds).into_iter().chain([open, finer]).collect();
    let limited = run(&system(gallery("flexible-arm"), &overrides), &mut Silent);
    assert_eq!(limited.report.status, "path-missed", "{:?}", limited.report.message);
    assert!(!limited.report.status.is_solved() && limited.report.verification.as_ref().unwrap().passed);
    assert!(torques(&limited).iter().all(|torque| torque.abs() <= limit * (1.0 + 1e-6)));
    let deviation = |outcome: &Outcome| outcome.report.tracking.as_ref().unwrap().deviation;
    assert!(deviation(&limited) > 2.0 * deviation(&free), "{} {}", deviation(&limited), deviation(&free));
    let message = limited.report.message.as_ref().unwrap();
    assert!(message.contains("motor.torque is at its limit") && message.contains("to follow the path"), "{message}");
    let tracking = limited.report.tracking.as_ref().unwrap();
    assert_eq!(tracking.limited.len(), 2);
    for control in &tracking.limited {
        let needed = control.needed.unwrap();
        assert!((needed.abs() - peak).abs() < 0.05 * peak && needed * control.limit > 0.0, "{needed} {peak}");
        assert!(control.first > 1.0 && control.first < 3.5 && control.share > 0.0, "{control:?}");
    }
    assert!(
        tracking.missed_without_limits.unwrap() < 0.3 * tracking.outputs[1].max_error,
        "{:?}",
        tracking.missed_without_limits
    );
}

/// A motor whose torque changes slowly.
#[test]
fn rates_are_kept() {
    let rate = 0.6;
    let rates = format!("task.inverse-dynamics.rates={{\"motor.torque\"={rate}}}");
    let overrides: Vec<&str> = with(&rates).into_iter().chain(["expect={}", "time.steps=240"]).collect();
    let outcome = run(&system(gallery("flexible-arm"), &overrides), &mut Silent);
    assert_eq!(outcome.report.status, "path-missed", "{:?}", outcome.report.message);
    let limited = &outcome.report.tracking.as_ref().unwrap().limited;
    assert!(limited.len() == 1 && limited[0].rate && limited[0].needed.unwrap() > 1.5 * rate, "{limited:?}");
    let h = outcome.actuation.t[1] - outcome.actuation.t[0];
    let fastest = torques(&outcome).windows(2).map(|u| (u[1] - u[0]).abs() / h).fold(0.0, f64::max);
    assert!(fastest <= rate * (1.0 + 1e-6) && fastest > 0.9 * rate, "{fastest}");
}

/// The weight trades deviation against effort, monotonically.
#[test]
fn effort_is_weighed_against_deviation() {
    let weights = "task.inverse-dynamics.trade-off=[1e-2, 1e-1]";
    let overrides: Vec<&str> = with(weights);
    let outcome = solved(gallery("flexible-arm"), &overrides);
    let table = &outcome.report.tracking.as_ref().unwrap().trade_off;
    assert_eq!(table.len(), 3);
    assert!(table.windows(2).all(|pair| pair[0].weight < pair[1].weight));
    assert!(table.windows(2).all(|pair| pair[0].deviation < pair[1].deviation && pair[0].effort > pair[1].effort));
}
