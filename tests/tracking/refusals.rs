//! Requests that cannot be, in words.

use super::*;

fn mistakes(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    match load("x.toml", text, &overrides) {
        Ok(_) => panic!("accepted"),
        Err(found) => found.to_string(),
    }
}

#[test]
fn unknown_actuators_and_wrong_weights_are_told() {
    let arm = gallery("flexible-arm");
    let unknown = mistakes(arm, &["task.inverse-dynamics.bounds={\"motor.force_x\"=[-1, 1]}"]);
    assert!(unknown.contains("motor.force_x"), "{unknown}");
    let weight = mistakes(arm, &["task.inverse-dynamics.effort=-1.0"]);
    assert!(weight.contains("`task.inverse-dynamics.effort` is -1"), "{weight}");
    let rate = mistakes(arm, &["task.inverse-dynamics.rates={\"motor.torque\"=0.0}"]);
    assert!(rate.contains("`task.inverse-dynamics.rates.motor.torque`") || rate.contains("rates"), "{rate}");
    let exact = mistakes(arm, &["task.inverse-dynamics.following=exact", "task.inverse-dynamics.trade-off=[]"]);
    assert!(exact.contains("2 outputs cannot follow paths of their own by 1 inputs"), "{exact}");
    let turned = "task.inverse-dynamics.method=sequential";
    let orientation = mistakes(gallery("rod-space-turn"), &[turned]);
    assert!(orientation.contains("`servo.tip.turn` prescribes an orientation"), "{orientation}");
    let other = mistakes(arm, &["task.inverse-dynamics.method=\"sequential\""]);
    assert!(other.contains("has no effect here, expected method \"optimise\""), "{other}");
}
