//! Motions known to many digits.

use super::systems::{IMPLICIT, IMPULSES, chain, pendulum, solar};
use super::{distance, end_state, extrapolated, reference};

/// All coordinates of the chain at 1 s, 10 s and 50 s, and the energies of its stiff springs, from motions with 10 micro steps that
/// are extrapolated to steps of no length.
#[test]
fn chain_of_fermi_pasta_and_ulam() {
    let problem = chain(3, 50.0, 10, IMPULSES);
    let names = problem.0.mechanics.coordinates();
    for (t, steps, levels, allowed) in [(1.0, 50, 6, 1e-11), (10.0, 500, 6, 1e-9)] {
        let found = extrapolated(&problem, t, steps, levels);
        let off = distance(&found, &reference("fpu", t, &names));
        assert!(off < allowed, "t = {t}: {off:.2e}");
        let spring = |i: usize| 0.5 * (found[9 + i].powi(2) + 2500.0 * found[3 + i].powi(2));
        let energies: Vec<f64> = (0..3).map(spring).collect();
        let known = reference("fpu", t, &["I1", "I2", "I3"].map(str::to_owned));
        let off = distance(&energies, &known);
        assert!(off < 100.0 * allowed, "t = {t}: {off:.2e}");
    }
}

/// The implicit scheme has the same limit.
#[test]
fn chain_by_the_implicit_scheme() {
    let problem = chain(3, 50.0, 5, IMPLICIT);
    let names = problem.0.mechanics.coordinates();
    let off = distance(&extrapolated(&problem, 1.0, 100, 5), &reference("fpu", 1.0, &names));
    assert!(off < 1e-9, "{off:.2e}");
}

/// All coordinates of the triple spherical pendulum at 1 s and 3 s, the last 1.9e-11 certain.
#[test]
fn triple_spherical_pendulum() {
    let problem = pendulum(&[true, false, false], 5, IMPLICIT);
    let names = problem.0.mechanics.coordinates();
    for (t, steps, levels, allowed) in [(1.0, 100, 5, 1e-10), (2.0, 200, 5, 1e-9), (3.0, 300, 5, 1e-8)] {
        let off = distance(&extrapolated(&problem, t, steps, levels), &reference("triple", t, &names));
        assert!(off < allowed, "t = {t}: {off:.2e}");
    }
}

/// Sun, planets and satellite at 1 s, where the satellite has made 16 turns; planet and satellite are fast.
#[test]
fn modified_solar_system() {
    let problem = solar(10, IMPULSES);
    let names: Vec<String> = (1..=4).flat_map(|i| ["x", "y"].map(|axis| format!("q{i}{axis}"))).collect();
    let exact = reference("solar", 1.0, &names);
    let off = distance(&extrapolated(&problem, 1.0, 100, 6), &exact);
    assert!(off < 1e-9, "{off:.2e}");
    assert!(distance(&end_state(&problem, 1.0, 800), &exact) > 1e-7, "the extrapolation has nothing to do");
}
