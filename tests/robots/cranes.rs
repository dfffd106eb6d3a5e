//! Ropes under a trolley on a rail: one force, one path.

use super::*;

/// Horizontal momentum of a rope of 0.5 kg and a load of 1 kg that move by 1 m from rest to rest: ∫ F dt = 0 and
/// ∫ t F dt = −(m + μL) · 1 m, whatever the rope does on the way.
#[test]
fn a_trolley_on_a_rail_leads_its_load() {
    let found = solved(&gallery("crane-rail"), &[]);
    let name = "trolley.force_x";
    assert!(moment(&found, name, 0).abs() < 1e-6, "{}", moment(&found, name, 0));
    assert!((moment(&found, name, 1) + 1.5).abs() < 1e-5, "{}", moment(&found, name, 1));
    assert!(scalar(&found, "verification.load.x.max_error") < 1e-3);
}

/// A light rope passes on what the load needs, F = m ẍ, however it stretches: the difference vanishes with its mass, by order 1.
#[test]
fn a_light_rope_passes_on_the_force() {
    let text = gallery("crane-rail");
    // rest(t, 2, 8, 8) is an incomplete beta function, with a first derivative in proportion to τ⁷(1 − τ)⁷.
    let wanted = |t: f64| {
        let tau = (t - 2.0) / 6.0;
        let norm: f64 = (0..=20_000).map(|i| (i as f64 / 2e4).powi(7) * (1.0 - i as f64 / 2e4).powi(7) / 2e4).sum();
        7.0 * tau.powi(6) * (1.0 - tau).powi(6) * (1.0 - 2.0 * tau) / norm / 36.0
    };
    let errors = [0.02, 0.01].map(|mass| {
        let found = solved(&text, &[&format!("rod.rope.inertia.mass={mass}"), "rod.rope.elements=8"]);
        [3.6, 4.4, 6.2]
            .map(|t| (control(&found, "trolley.force_x", t) - wanted(t)).abs())
            .into_iter()
            .fold(0.0, f64::max)
    });
    assert!(errors[1] < 0.01, "{errors:?}");
    assert!((1.7..2.3).contains(&(errors[0] / errors[1])), "{errors:?}");
}

/// The same load in three seconds: it swings so far that the rope is stretched, and vibrates along itself ever after, which one
/// force cannot prevent.
#[test]
fn a_load_that_would_bounce_is_refused() {
    let text = gallery("crane-rail").replace("rest(t, 2, 8, 8)", "rest(t, 2, 5, 8)");
    let found = outcome(&text, &[]);
    let message = found.report.message.unwrap();
    assert_eq!(found.report.status, "ill-posed", "{message}");
    assert!(message.contains("payload.y") && message.contains("9.24 rad/s"), "{message}");
}
