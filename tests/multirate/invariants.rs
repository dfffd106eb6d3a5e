//! What is kept along a motion.

use super::systems::{EXPLICIT, EXPLICIT_SLOW, IMPLICIT, IMPULSES, chain, pendulum, solar};
use lariat::tasks::simulation::lagrangian::MultirateMarcher;

/// The momentum map of rotations about the vertical is kept to rounding, by every scheme and split, and rods keep their length.
#[test]
fn angular_momentum_of_pendulums() {
    for slow in [[true, false, false], [true, true, false]] {
        for scheme in [IMPLICIT, EXPLICIT, IMPULSES, EXPLICIT_SLOW] {
            let (system, (q, v)) = pendulum(&slow, 5, scheme);
            let mut marcher = MultirateMarcher::new(&system, 0.01, 0.0, &q, &v).unwrap();
            // 1 + 4 + 9 kg m²/s.
            for _ in 0..300 {
                marcher.advance().unwrap();
                let state = marcher.state();
                let momentum: f64 =
                    state.q.chunks(3).zip(state.p.chunks(3)).map(|(q, p)| q[0] * p[1] - q[1] * p[0]).sum();
                assert!((momentum - 14.0).abs() < 1e-10, "{slow:?} {scheme:?}: {momentum}");
            }
            let state = marcher.state().clone();
            for i in 0..3 {
                let before = if i == 0 { [0.0; 3] } else { [0, 1, 2].map(|k| state.q[3 * i - 3 + k]) };
                let length: f64 = (0..3).map(|k| (state.q[3 * i + k] - before[k]).powi(2)).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 1e-12, "{length}");
            }
            // Velocities that rods allow have the same momentum.
            let v = marcher.velocities().unwrap();
            let momentum: f64 = state.q.chunks(3).zip(v.chunks(3)).map(|(q, v)| q[0] * v[1] - q[1] * v[0]).sum();
            assert!((momentum - 14.0).abs() < 1e-10, "{momentum}");
        }
    }
}

/// Linear and angular momentum of bodies that attract each other, of which some are slow.
#[test]
fn momenta_of_attracting_bodies() {
    for scheme in [IMPLICIT, EXPLICIT, IMPULSES, EXPLICIT_SLOW] {
        let (system, (q, v)) = solar(10, scheme);
        let mut marcher = MultirateMarcher::new(&system, 0.004, 0.0, &q, &v).unwrap();
        let momenta = |marcher: &MultirateMarcher| {
            let (q, p) = (&marcher.state().q, &marcher.state().p);
            let turning: f64 = q.chunks(2).zip(p.chunks(2)).map(|(q, p)| q[0] * p[1] - q[1] * p[0]).sum();
            [p.iter().step_by(2).sum(), p.iter().skip(1).step_by(2).sum(), turning]
        };
        let first: [f64; 3] = momenta(&marcher);
        for _ in 0..250 {
            marcher.advance().unwrap();
        }
        let last = momenta(&marcher);
        assert!(first.iter().zip(last).all(|(a, b)| (a - b).abs() < 1e-13), "{scheme:?}: {first:?} {last:?}");
    }
}

/// The energy of the chain swings about its value and does not drift: no more in the second half of 200 s than in the first.
#[test]
fn energy_of_chains_does_not_drift() {
    for (scheme, allowed) in [(IMPLICIT, 5e-3), (IMPULSES, 5e-3), (EXPLICIT_SLOW, 5e-3), (EXPLICIT, 0.15)] {
        let (system, (q, v)) = chain(3, 50.0, 5, scheme);
        let mut marcher = MultirateMarcher::new(&system, 0.02, 0.0, &q, &v).unwrap();
        let first = marcher.energy().unwrap().total;
        // Reference: H(0) of the chain.
        assert!((first - 2.00120008).abs() < 1e-12);
        let mut worst = [0.0_f64; 2];
        for k in 0..10_000 {
            marcher.advance().unwrap();
            if k % 7 == 0 {
                let off = (marcher.energy().unwrap().total - first).abs();
                worst[k / 5_000] = worst[k / 5_000].max(off);
            }
        }
        assert!(worst[0] < allowed * first && worst[1] < 1.3 * worst[0], "{scheme:?}: {worst:?}");
    }
}
