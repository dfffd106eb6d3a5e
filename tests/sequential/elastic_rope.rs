//! A crane with an elastic rope: its limit is the crane with a rope that does not stretch.

use super::*;

/// Torques of the rigid rope, mechanics by flatness (closed form, 14 digits).
const RIGID: [(f64, f64); 5] = [
    (0.5, 115.953263970494),
    (1.0, 144.739775259621),
    (1.5, 92.5752122355563),
    (2.0, 88.5618580182416),
    (2.5, 82.7360233619621),
];

fn torque_error(ea: f64) -> f64 {
    let text = gallery("crane-elastic-rope").replace("EA = 1e6", &format!("EA = {ea:e}"));
    let (text, _) = text.split_once("[expect]").unwrap();
    // Stiffer ropes vibrate faster than a simulation on this grid can tell; the actuation is algebraic at every instant.
    let outcome = outcome(text);
    RIGID.iter().map(|&(t, torque)| (at(&outcome, "torque", t) - torque).abs()).fold(0.0, f64::max)
}

/// The difference of the winch torque is of first order in 1/EA.
#[test]
fn a_stiff_rope_tends_to_one_that_does_not_stretch() {
    solved(gallery("crane-elastic-rope"));
    let errors = [1e4, 1e5, 1e6, 1e7].map(torque_error);
    assert!(errors[3] < 1e-2, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log10();
        assert!((order - 1.0).abs() < 0.05, "{errors:?}");
    }
}
