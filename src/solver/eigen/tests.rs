//! Closed forms, multiplicities, constraints, damping.

use super::*;
use crate::nlp::{Pattern, PatternBuilder};

/// A chain of n masses 1 and springs 1, its first mass held by a spring if `held`: K, M on one pattern.
fn chain(n: usize, held: bool) -> (Pattern, Vec<f64>, Vec<f64>) {
    let mut builder = PatternBuilder::new(n, n);
    for i in 0..n {
        let low = i.saturating_sub(1);
        let rows: Vec<usize> = (low..(i + 2).min(n)).collect();
        builder.add(&rows, &[i]).unwrap();
    }
    let pattern = builder.build().0;
    let (mut k, mut m) = (Vec::new(), Vec::new());
    for col in 0..n {
        for entry in pattern.column(col) {
            let row = pattern.row_idx()[entry];
            let springs = usize::from(col > 0 || held) + usize::from(col + 1 < n);
            k.push(if row == col { springs as f64 } else { -1.0 });
            m.push(if row == col { 1.0 } else { 0.0 });
        }
    }
    (pattern, k, m)
}

fn pencil<'a>(pattern: &'a Pattern, k: &'a [f64], m: &'a [f64]) -> Pencil<'a> {
    Pencil { pattern, stiffness: k, mass: m, damping: None, constraints: None, compliance: None }
}

/// Fixed-free chain: ω = 2 sin((2j − 1)π/(4n + 2)); free-free: 2 sin(jπ/2n).
#[test]
fn chains_have_their_closed_spectra() {
    let n = 2000;
    for held in [true, false] {
        let (pattern, k, m) = chain(n, held);
        let modes = lowest_modes(pencil(&pattern, &k, &m), 8, &mut || false).unwrap();
        assert!(modes.certified);
        for (j, value) in modes.values.iter().enumerate() {
            let angle = match held {
                true => (2 * j + 1) as f64 * std::f64::consts::PI / (4 * n + 2) as f64,
                false => j as f64 * std::f64::consts::PI / (2 * n) as f64,
            };
            let exact = (2.0 * angle.sin()).powi(2);
            assert!((value - exact).abs() < 1e-10 * exact + 1e-14, "{held} mode {j}: {value} against {exact}");
        }
        assert!(modes.accuracies.iter().all(|a| a.backward_error < 1e-12), "{:?}", modes.accuracies);
    }
}

/// Equal chains side by side: K, M on one pattern.
fn side_by_side(copies: usize, n: usize, held: bool) -> (Pattern, Vec<f64>, Vec<f64>) {
    let (one, k1, m1) = chain(n, held);
    let mut builder = PatternBuilder::new(copies * n, copies * n);
    let (mut k, mut m) = (Vec::new(), Vec::new());
    for copy in 0..copies {
        for col in 0..n {
            let rows: Vec<usize> = one.column(col).map(|e| copy * n + one.row_idx()[e]).collect();
            k.extend(one.column(col).map(|e| k1[e]));
            m.extend(one.column(col).map(|e| m1[e]));
            builder.add(&rows, &[copy * n + col]).unwrap();
        }
    }
    (builder.build().0, k, m)
}

/// Two equal chains: every eigenvalue twice.
#[test]
fn double_eigenvalues_are_found_twice() {
    let (pattern, k, m) = side_by_side(2, 300, true);
    let modes = lowest_modes(pencil(&pattern, &k, &m), 6, &mut || false).unwrap();
    for pair in modes.values.chunks(2) {
        assert!((pair[0] - pair[1]).abs() < 1e-10 * pair[0], "{:?}", modes.values);
    }
    assert!(modes.certified);
}

/// Nine free chains, more than there are start vectors: nine eigenvalues 0, then each of 4 sin²(jπ/2n) nine times,
/// whether the last wanted one ends a group or not.
#[test]
fn many_equal_eigenvalues_are_all_found() {
    let n = 40;
    let (pattern, k, m) = side_by_side(9, n, false);
    for count in [1, 8, 9, 10, 18, 20] {
        let modes = lowest_modes(pencil(&pattern, &k, &m), count, &mut || false).unwrap();
        assert!(modes.certified, "{count}");
        for (index, value) in modes.values.iter().enumerate() {
            let exact = 4.0 * ((index / 9) as f64 * std::f64::consts::PI / (2 * n) as f64).sin().powi(2);
            assert!((value - exact).abs() <= 1e-11 * exact, "{count}, {index}: {value} instead of {exact}");
        }
    }
}

/// A very soft spring is none that is missing: a chain of n masses on a spring c ≪ 1 has the eigenvalue c/n.
#[test]
fn a_soft_motion_is_not_called_free() {
    let n = 30;
    let (pattern, mut k, m) = chain(n, false);
    let soft = 1e-9;
    k[0] += soft;
    let modes = lowest_modes(pencil(&pattern, &k, &m), 4, &mut || false).unwrap();
    assert!((modes.values[0] * n as f64 / soft - 1.0).abs() < 1e-4, "{:?}", modes.values);
    k[0] -= soft;
    let modes = lowest_modes(pencil(&pattern, &k, &m), 4, &mut || false).unwrap();
    assert_eq!(modes.values[0], 0.0);
}

/// Holding the first mass by a constraint row is holding it by leaving it out.
#[test]
fn constraints_take_motions_away() {
    let n = 120;
    let (pattern, k, m) = chain(n, false);
    let mut builder = PatternBuilder::new(1, n);
    builder.add(&[0], &[0]).unwrap();
    let g = builder.build().0;
    let with = Pencil { constraints: Some((&g, &[1.0])), ..pencil(&pattern, &k, &m) };
    let modes = lowest_modes(with, 4, &mut || false).unwrap();
    for (j, value) in modes.values.iter().enumerate() {
        let angle = (2 * j + 1) as f64 * std::f64::consts::PI / (4 * (n - 1) + 2) as f64;
        let exact = (2.0 * angle.sin()).powi(2);
        assert!((value - exact).abs() < 1e-10 * exact, "{j}: {value} {exact}");
        assert!(modes.shapes[j][0].abs() < 1e-9);
    }
}

fn wanted<'a>(count: usize) -> Wanted<'a> {
    let shift = nalgebra::Complex::new(0.02, 0.1);
    Wanted { free: &[], count, shift, oscillating: false, slow: 0.0, symmetric: true, band: 2 }
}

/// C = τK: λ² + τω²λ + ω² = 0, underdamped and overdamped.
#[test]
fn damping_in_proportion_to_stiffness() {
    let n = 60;
    let (pattern, k, m) = chain(n, true);
    for tau in [0.5, 30.0] {
        let c: Vec<f64> = k.iter().map(|k| tau * k).collect();
        let damped = Pencil { damping: Some(&c), ..pencil(&pattern, &k, &m) };
        let modes = damped_modes(damped, &wanted(5), &mut || false).unwrap();
        let mut exact: Vec<(f64, f64)> = Vec::new();
        for j in 0..n {
            let w2 = (2.0 * ((2 * j + 1) as f64 * std::f64::consts::PI / (4 * n + 2) as f64).sin()).powi(2);
            let half = 0.5 * tau * w2;
            match half * half - w2 {
                root if root < 0.0 => exact.push((-half, (-root).sqrt())),
                root => {
                    exact.push((-half - root.sqrt(), 0.0));
                    exact.push((-w2 / (half + root.sqrt()), 0.0));
                }
            }
        }
        exact.sort_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
        for (mode, (re, im)) in modes.iter().zip(&exact) {
            let error = (mode.value.re - re).hypot(mode.value.im - im) / re.hypot(*im);
            assert!(error < 1e-10, "tau {tau}: {} against {re} {im}", mode.value);
        }
    }
}

/// An indefinite stiffness has its negative eigenvalue first.
#[test]
fn unstable_directions_come_first() {
    let n = 50;
    let (pattern, mut k, m) = chain(n, true);
    let last = pattern.column(n - 1).end - 1;
    k[last] -= 3.0;
    let modes = lowest_modes(pencil(&pattern, &k, &m), 3, &mut || false).unwrap();
    assert!(modes.values[0] < 0.0 && modes.values[1] > 0.0 && modes.certified, "{:?}", modes.values);
}
