//! The blade of the NREL 5-MW turbine: modes and linear deflections are those of the reference collection of the project
//! (transfer matrices, 8 digits; integrals over the table, 9 digits), also with other meshes and factors than in the gallery.

use crate::solve::gallery;

fn hertz(overrides: &[&str]) -> Vec<f64> {
    let outcome = gallery("nrel-blade-modes", overrides);
    (1..=6).map(|k| outcome.report.scalars[&format!("modes.{k}.frequency")]).collect()
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found / wanted - 1.0).abs() < tolerance, "{found} instead of {wanted}");
    }
}

const TWISTED: [f64; 6] = [0.6858185914, 1.0805711844, 1.9467951810, 3.7392958528, 4.3851234601, 5.5759054992];

#[test]
fn modes_are_those_of_the_reference() {
    let heavier = [0.6707774169, 1.0568991063, 1.9041223962, 3.6575846767, 4.2890841709, 5.5759054992];
    assert_close(&hertz(&["rod.blade.table.factors.mass=1.04536"]), &heavier, 1e-6);
    let untwisted = [0.6851568607, 1.0838430438, 1.9419565346, 3.7607733076, 4.3607988113, 5.5759054992];
    assert_close(&hertz(&["rod.blade.twist=0.0"]), &untwisted, 1e-6);
    assert_close(&hertz(&["rod.blade.table.factors.twist_degrees=0.0"]), &untwisted, 1e-6);
    assert_close(&hertz(&["rod.blade.elements=96"]), &TWISTED, 1e-7);
}

/// Elements of equal length straddle kinks of the table and lose their order, but keep mass and a few digits.
#[test]
fn elements_between_stations_are_better() {
    let equal = gallery("nrel-blade-modes", &["rod.blade.grid=equal"]);
    let mass = equal.report.scalars["mass"];
    assert!((mass / 16844.752020967502 - 1.0).abs() < 1e-12, "{mass}");
    let worst = |found: &[f64]| found.iter().zip(TWISTED).map(|(f, w)| (f / w - 1.0).abs()).fold(0.0, f64::max);
    let (equal, stations) = (worst(&hertz(&["rod.blade.grid=equal"])), worst(&hertz(&[])));
    assert!(stations < 1e-6 && equal > 3.0 * stations && equal < 1e-3, "{equal:.1e} {stations:.1e}");
}

/// Elements of order 2 of equal length would leave the tip with a negative inertia (the table falls by a factor of twenty in
/// the last of twelve): the modes are those of the blade all the same, and real.
#[test]
fn steep_tables_leave_no_node_without_inertia() {
    let found = hertz(&["rod.blade.grid=equal", "rod.blade.elements=12", "rod.blade.order=2"]);
    assert_close(&found, &TWISTED, 2e-2);
}

/// The lowest two modes rise with the rate as Southwell's rule says, ω² = ω₀² + cΩ²: with c from the slowest rate the others
/// are met within 1 %. Branches are followed without a gap.
#[test]
fn branches_rise_with_the_square_of_the_rate() {
    let outcome = gallery("nrel-blade-campbell", &["spin.rates=[0.0, 0.5, 1.0, 2.0]", "task.modes.count=4"]);
    let diagram = outcome.report.campbell.as_ref().unwrap();
    assert_eq!(diagram.branches.len(), 4);
    for branch in &diagram.branches {
        assert_eq!((branch.first, branch.omega.len()), (0, 4));
        let rise = |k: usize| (branch.omega[k].powi(2) - branch.omega[0].powi(2)) / diagram.rates[k].powi(2);
        assert!(rise(1) > 0.0 && (rise(3) / rise(1) - 1.0).abs() < 0.05, "{} {}", rise(1), rise(3));
    }
    // Flap rises by more than Ω², the stiffening of a chain; lag by less.
    let rise = |b: usize| (diagram.branches[b].omega[3].powi(2) - diagram.branches[b].omega[0].powi(2)) / 4.0;
    assert!(rise(0) > 1.0 && rise(1) < 1.0, "{} {}", rise(0), rise(1));
    let listed = &outcome.report.scalars;
    assert_eq!(listed["campbell.4.1.omega"], diagram.branches[0].omega[3]);
}
