//! Where a cantilever under a follower force begins to flutter, against its characteristic equation.

use lariat::Outcome;
use lariat::problem::load;
use num_dual::HyperDual64;

const BECK: &str = include_str!("../../problems/beck-column.toml");

/// D(μ, P) of a cantilever of unit length, mass and EI with EA, GA and rotary inertia j that vibrates with ω² = μ under a force −P d₃ at its tip.
///
/// About the straight state with stretch a = 1 − P/EA: v' = aθ + (n + Pθ)/GA, θ' = M, n' = −μv, M' = −a n − P v' − jμθ; v = θ = 0 at the
/// root, n + Pθ = M = 0 at the tip. D is the determinant of the latter over n and M at the root, by Runge-Kutta steps.
fn determinant(mu: HyperDual64, p: HyperDual64, [axial, shear, j]: [f64; 3]) -> HyperDual64 {
    const STEPS: usize = 2000;
    let h = 1.0 / STEPS as f64;
    let stretch = -p / axial + 1.0;
    let slope = |[v, turn, n, m]: [HyperDual64; 4]| {
        let dv = stretch * turn + (n + p * turn) / shear;
        [dv, m, -mu * v, -stretch * n - p * dv - mu * turn * j]
    };
    let moved = |y: [HyperDual64; 4], k: [HyperDual64; 4], h: f64| std::array::from_fn(|i| y[i] + k[i] * h);
    let [first, second] = [2, 3].map(|unknown| {
        let mut y = [HyperDual64::from_re(0.0); 4];
        y[unknown] = HyperDual64::from_re(1.0);
        for _ in 0..STEPS {
            let a = slope(y);
            let b = slope(moved(y, a, 0.5 * h));
            let c = slope(moved(y, b, 0.5 * h));
            let d = slope(moved(y, c, h));
            y = std::array::from_fn(|i| y[i] + (a[i] + (b[i] + c[i]) * 2.0 + d[i]) * (h / 6.0));
        }
        [y[2] + p * y[1], y[3]]
    });
    first[0] * second[1] - first[1] * second[0]
}

/// P and ω at the double root D = ∂D/∂μ = 0 by Newton's method.
fn flutter(stiffness: [f64; 3]) -> [f64; 2] {
    let (mut mu, mut p) = (121.0, 20.0);
    for _ in 0..20 {
        let mixed = determinant(HyperDual64::new(mu, 1.0, 0.0, 0.0), HyperDual64::new(p, 0.0, 1.0, 0.0), stiffness);
        let twice = determinant(HyperDual64::new(mu, 1.0, 1.0, 0.0), HyperDual64::new(p, 0.0, 0.0, 0.0), stiffness);
        let (value, by_mu, by_p, by_both, by_mu_twice) =
            (mixed.re, mixed.eps1, mixed.eps2, mixed.eps1eps2, twice.eps1eps2);
        let det = by_mu * by_both - by_p * by_mu_twice;
        mu -= (value * by_both - by_p * by_mu) / det;
        p -= (by_mu * by_mu - by_mu_twice * value) / det;
    }
    [p, f64::sqrt(mu)]
}

fn outcome(settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let problem = load("beck", BECK, &settings).unwrap_or_else(|found| panic!("{found}"));
    let found = lariat::solve(&problem);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    found
}

fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found} {wanted} {:e}", found / wanted - 1.0);
}

#[test]
fn becks_column_flutters_where_its_frequencies_meet() {
    // Of a beam that neither stretches nor shears: p² + 2ω² + pω sin a sinh b + 2ω² cos a cosh b = 0 (Beck 1952) has a double root there.
    near(flutter([1e12, 1e12, 0.0])[0], 20.050953618973764, 1e-9);
    for (axial, shear, inertia) in [(1e6, 1e6, 1e-7), (1e4, 3e3, 1e-4)] {
        let [load, omega] = flutter([axial, shear, inertia]);
        for elements in [8, 24] {
            let found = outcome(&[
                &format!("rod.column.elements={elements}"),
                &format!("rod.column.stiffness.axial={axial:?}"),
                &format!("rod.column.stiffness.shear={shear:?}"),
                &format!("rod.column.inertia.rotary={inertia:?}"),
            ]);
            near(found.report.scalars["onset.factor"], load, 1e-7);
            near(found.report.scalars["onset.omega"], omega, 1e-6);
        }
    }
}
