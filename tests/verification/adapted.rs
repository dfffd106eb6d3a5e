//! Finer grids where the stated one is too coarse.

use assert_cmd::Command;

use super::{BAR, Solved, gallery};

/// What `lariat verify` says of a result.
fn verified_again(solved: &Solved) -> bool {
    let said = Command::cargo_bin("lariat").unwrap().arg("verify").arg(solved.results()).output().unwrap();
    said.status.success()
}

fn adapted(solved: &Solved) -> Vec<String> {
    let list = solved.report["adapted"].as_array().cloned().unwrap_or_default();
    list.iter().map(|setting| setting.as_str().unwrap().to_owned()).collect()
}

/// Three elements of order 1 miss the path by 7.9e-2 m (see `coarse.rs`), twenty by 2.8e-3 m. Of those of order 3 three are enough, and
/// the result knows which they were.
#[test]
fn a_flexible_arm_in_three_elements_gets_better_ones() {
    let set = ["rod.arm.elements=3", "task.inverse-dynamics.trade-off=[]", "task.inverse-dynamics.grid=adapt"];
    let arm = Solved::of(&gallery("flexible-arm"), &set);
    assert_eq!(arm.status(), "solved");
    assert_eq!(adapted(&arm), ["rod.arm.order=3"]);
    let overrides = arm.report["problem"]["overrides"].as_array().unwrap();
    assert_eq!(overrides.last().unwrap(), "rod.arm.order=3");
    let told = arm.deviation("tip.x").max(arm.deviation("tip.y"));
    assert!((told / 2.8e-3 - 1.0).abs() < 0.2, "{told}");
    assert!(verified_again(&arm));
}

/// The effort that turns a tapered bar is that of a fine mesh, to the share by which the end may be missed.
#[test]
fn a_tapered_bar_in_one_element_gets_better_ones() {
    let bar = Solved::of(BAR, &[]);
    assert_eq!(bar.status(), "solved");
    assert!(!adapted(&bar).is_empty());
    assert!(verified_again(&bar));
    let stated = "task.optimal-control.grid=stated";
    let fine = Solved::of(BAR, &["rod.bar.elements=4", "rod.bar.order=4", "time.steps=400", stated]);
    assert_eq!(fine.status(), "solved");
    let [coarse, fine] = [&bar, &fine].map(|solved| solved.report["scalars"]["objective"].as_f64().unwrap());
    assert!((coarse / fine - 1.0).abs() < 0.02, "{coarse} {fine}");
}

/// What is verified stays as it is stated.
#[test]
fn a_good_grid_is_kept() {
    let beam = Solved::of(&gallery("beam-quarter-turn"), &[]);
    assert_eq!(beam.status(), "solved");
    assert!(adapted(&beam).is_empty());
}
