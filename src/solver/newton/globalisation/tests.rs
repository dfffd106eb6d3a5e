use super::*;
use crate::nlp::{Pattern, PatternBuilder};
use crate::solver::linear::best_general_solver;
use crate::solver::newton::NewtonOptions;
use crate::solver::newton::tests::{Bratu, Scalar};
use crate::solver::{Newton, Reuse, Solution, Status};

/// A clamped chain of links in the plane, bent by a force across its free end.
///
/// Unknowns are the nodes p₁ … pₙ. With dᵢ = pᵢ − pᵢ₋₁, h = 1/n, p₀ = 0 and d₀ = (h, 0) its energy is
/// Σ K/(4 h³) (|dᵢ|² − h²)² + Σ 1/(2 h³) |dᵢ₊₁ − dᵢ|² − F yₙ: axial stiffness K, bending stiffness 1 and length 1.
struct Chain {
    links: usize,
    axial: f64,
    force: f64,
    pattern: Pattern,
}

impl Chain {
    fn new(links: usize, axial: f64, force: f64) -> Self {
        let mut builder = PatternBuilder::new(2 * links, 2 * links);
        for node in 0..links {
            let near: Vec<usize> = (2 * node.saturating_sub(2)..2 * (node + 3).min(links)).collect();
            builder.add(&[2 * node, 2 * node + 1], &near).unwrap();
        }
        Self { links, axial, force, pattern: builder.build().0 }
    }

    fn h(&self) -> f64 {
        1.0 / self.links as f64
    }

    fn straight(&self) -> Vec<f64> {
        (0..2 * self.links).map(|k| if k % 2 == 0 { self.h() * (k / 2 + 1) as f64 } else { 0.0 }).collect()
    }

    /// Position of a node; node 0 and the one before it are the clamp.
    fn node(&self, x: &[f64], node: isize) -> [f64; 2] {
        match usize::try_from(node - 1) {
            Ok(unknown) => [x[2 * unknown], x[2 * unknown + 1]],
            Err(_) => [node as f64 * self.h(), 0.0],
        }
    }

    fn angle_of_end(&self, x: &[f64]) -> f64 {
        let (a, b) = (self.node(x, self.links as isize - 1), self.node(x, self.links as isize));
        (b[1] - a[1]).atan2(b[0] - a[0])
    }
}

impl SquareSystem for Chain {
    fn size(&self) -> usize {
        2 * self.links
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let (h, n) = (self.h(), self.links as isize);
        out.fill(0.0);
        out[x.len() - 1] = -self.force;
        let mut add = |node: isize, k: usize, value: f64| {
            if let Ok(unknown) = usize::try_from(node - 1) {
                out[2 * unknown + k] += value;
            }
        };
        for i in 1..=n {
            let (a, b) = (self.node(x, i - 1), self.node(x, i));
            let d = [b[0] - a[0], b[1] - a[1]];
            let tension = self.axial / h.powi(3) * (d[0] * d[0] + d[1] * d[1] - h * h);
            for (k, d) in d.iter().enumerate() {
                add(i, k, tension * d);
                add(i - 1, k, -tension * d);
            }
        }
        for i in 0..n {
            let (a, b, c) = (self.node(x, i - 1), self.node(x, i), self.node(x, i + 1));
            for k in 0..2 {
                let bend = (a[k] - 2.0 * b[k] + c[k]) / h.powi(3);
                add(i - 1, k, bend);
                add(i, k, -2.0 * bend);
                add(i + 1, k, bend);
            }
        }
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let (h, n) = (self.h(), self.links as isize);
        values.fill(0.0);
        let pattern = &self.pattern;
        let mut add = |row: (isize, usize), col: (isize, usize), value: f64| {
            if let (Ok(row_node), Ok(col_node)) = (usize::try_from(row.0 - 1), usize::try_from(col.0 - 1)) {
                let (row, col) = (2 * row_node + row.1, 2 * col_node + col.1);
                let entry = pattern.column(col).find(|&entry| pattern.row_idx()[entry] == row).unwrap();
                values[entry] += value;
            }
        };
        for i in 1..=n {
            let (a, b) = (self.node(x, i - 1), self.node(x, i));
            let d = [b[0] - a[0], b[1] - a[1]];
            let excess = d[0] * d[0] + d[1] * d[1] - h * h;
            for (k, l) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let unit = if k == l { excess } else { 0.0 };
                let stiffness = self.axial / h.powi(3) * (unit + 2.0 * d[k] * d[l]);
                for (row, col, sign) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
                    add((row, k), (col, l), sign * stiffness);
                }
            }
        }
        for i in 0..n {
            for (p, weight_p) in [(i - 1, 1.0), (i, -2.0), (i + 1, 1.0)] {
                for (q, weight_q) in [(i - 1, 1.0), (i, -2.0), (i + 1, 1.0)] {
                    (0..2).for_each(|k| add((p, k), (q, k), weight_p * weight_q / h.powi(3)));
                }
            }
        }
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("balance {} of node {}", row % 2, row / 2 + 1)
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("coordinate {} of node {}", col % 2, col / 2 + 1)
    }
}

fn solve(system: &mut dyn SquareSystem, start: &[f64], globalisation: Globalisation, limit: usize) -> Solution {
    let options = NewtonOptions { globalisation, max_iterations: limit, ..NewtonOptions::default() };
    let mut newton = Newton::new(best_general_solver(system.pattern()), options);
    newton.solve(system, start, &mut |_| true).unwrap()
}

/// Three equations A f(x) = 0 with f(x) = (atan(x₀ − x₁²/4), eˣ¹ − 1 + x₂, x₂ + x₂³ + x₀) and the root 0.
///
/// A = I + m (1, 2, 3)(1, 1, 1)ᵀ mixes the equations: for large m all rows are nearly the same.
struct Mixed {
    mixing: f64,
    pattern: Pattern,
}

impl Mixed {
    fn new(mixing: f64) -> Self {
        let mut builder = PatternBuilder::new(3, 3);
        builder.add(&[0, 1, 2], &[0, 1, 2]).unwrap();
        Self { mixing, pattern: builder.build().0 }
    }

    fn mix(&self, f: [f64; 3]) -> [f64; 3] {
        let sum: f64 = f.iter().sum();
        std::array::from_fn(|k| f[k] + self.mixing * (k + 1) as f64 * sum)
    }
}

impl SquareSystem for Mixed {
    fn size(&self) -> usize {
        3
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let f = [(x[0] - 0.25 * x[1] * x[1]).atan(), x[1].exp() - 1.0 + x[2], x[2] + x[2].powi(3) + x[0]];
        out.copy_from_slice(&self.mix(f));
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let slope = 1.0 / (1.0 + (x[0] - 0.25 * x[1] * x[1]).powi(2));
        let columns = [[slope, 0.0, 1.0], [-0.5 * x[1] * slope, x[1].exp(), 0.0], [0.0, 1.0, 1.0 + 3.0 * x[2] * x[2]]];
        for (values, column) in values.chunks_exact_mut(3).zip(columns) {
            values.copy_from_slice(&self.mix(column));
        }
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("equation {row}")
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("unknown {col}")
    }
}

const ALL: [Globalisation; 3] = [Globalisation::Residual, Globalisation::Natural, Globalisation::Watchdog];

fn steps(solution: &Solution) -> usize {
    solution.iterations.len() - 1
}

#[test]
fn the_natural_test_does_not_depend_on_how_equations_are_mixed() {
    for start in [[6.0, 2.0, -3.0], [-9.0, 1.0, 4.0]] {
        let plain = solve(&mut Mixed::new(0.0), &start, Globalisation::Natural, 50);
        assert_eq!(plain.status, Status::Solved);
        assert!(plain.iterations.iter().any(|record| record.trials > 1), "{plain:?}");
        for mixing in [1.0, 1e3, 1e6] {
            let mixed = solve(&mut Mixed::new(mixing), &start, Globalisation::Natural, 50);
            assert_eq!(mixed.status, Status::Solved);
            assert!(mixed.x.iter().all(|x| x.abs() < 1e-12), "{:?}", mixed.x);
            assert_eq!(steps(&mixed), steps(&plain));
            for (mixed, plain) in mixed.iterations.iter().zip(&plain.iterations) {
                assert_eq!(mixed.trials, plain.trials);
                assert!((mixed.alpha - plain.alpha).abs() < 1e-6);
            }
        }
        // The test of residuals sees hardly anything but the sum of the equations.
        let residual = solve(&mut Mixed::new(1e6), &start, Globalisation::Residual, 50);
        assert_ne!(residual.status, Status::Solved);
    }
}

#[test]
fn every_test_tames_the_arc_tangent_and_respects_walls() {
    for globalisation in ALL {
        let mut system = Scalar::new(|x, _| Ok([x.atan(), 1.0 / (1.0 + x * x)]));
        let solution = solve(&mut system, &[20.0], globalisation, 50);
        assert_eq!(solution.status, Status::Solved, "{globalisation:?}: {solution:?}");
        assert!(solution.x[0].abs() < 1e-10);
        assert!(solution.iterations.iter().any(|record| record.alpha > 0.0 && record.alpha < 1.0));

        // ln x = 1 from 20: the full step leads to a negative x.
        let mut system = Scalar::new(|x, _| {
            if x <= 0.0 {
                return Err(EvalFailure { place: "beam".into(), reason: format!("stretch {x} is not positive") });
            }
            Ok([x.ln() - 1.0, 1.0 / x])
        });
        let solution = solve(&mut system, &[20.0], globalisation, 50);
        assert_eq!(solution.status, Status::Solved, "{globalisation:?}: {solution:?}");
        assert!((solution.x[0] - 1f64.exp()).abs() < 1e-10);

        // A wall at x = 1 before the root at 2 is the end, and it is named.
        let mut system = Scalar::new(|x, _| {
            if x >= 1.0 {
                return Err(EvalFailure { place: "wall".into(), reason: "too far".into() });
            }
            Ok([x - 2.0, 1.0])
        });
        let solution = solve(&mut system, &[0.0], globalisation, 500);
        assert_eq!(solution.status, Status::LineSearchFailed, "{globalisation:?}: {solution:?}");
        assert!(solution.x[0] < 1.0 && solution.message.unwrap().contains("wall: too far"));
    }
}

#[test]
fn mildly_nonlinear_systems_take_the_same_full_steps_with_every_test() {
    let mut system = Bratu::new(40, 2.0);
    let expected = solve(&mut system, &[0.0; 40], Globalisation::Residual, 50);
    for globalisation in ALL {
        let found = solve(&mut system, &[0.0; 40], globalisation, 50);
        assert_eq!(found, expected);
        let options = NewtonOptions { globalisation, reuse: Reuse::while_fast(), ..NewtonOptions::default() };
        let mut newton = Newton::new(best_general_solver(system.pattern()), options);
        let found = newton.solve(&mut system, &[0.0; 40], &mut |_| true).unwrap();
        assert_eq!(found.status, Status::Solved);
        assert!(found.x.iter().zip(&expected.x).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}

#[test]
fn the_derivatives_of_the_chain_are_those_of_its_residual() {
    let mut chain = Chain::new(5, 1e3, 2.0);
    let mut x = chain.straight();
    x.iter_mut().enumerate().for_each(|(k, x)| *x += 0.1 * (k as f64 * 1.7).sin());
    let mut jacobian = vec![0.0; chain.pattern.nnz()];
    chain.jacobian(&x, &mut jacobian).unwrap();
    let (mut ahead, mut behind, step) = ([0.0; 10], [0.0; 10], 1e-6);
    for col in 0..10 {
        let at = x[col];
        x[col] = at + step;
        chain.residual(&x, &mut ahead).unwrap();
        x[col] = at - step;
        chain.residual(&x, &mut behind).unwrap();
        x[col] = at;
        let mut column = [0.0; 10];
        chain.pattern.column(col).for_each(|entry| column[chain.pattern.row_idx()[entry]] = jacobian[entry]);
        for row in 0..10 {
            // Rounding of residuals of size 1e4 limits the difference.
            assert!(((ahead[row] - behind[row]) / (2.0 * step) - column[row]).abs() < 1e-4, "{row}, {col}");
        }
    }
}

#[test]
fn slender_chains_do_not_crawl_under_the_watchdog() {
    // Tip slopes of the inextensible elastica for F L²/EI = 1, 5, 10, by elliptic integrals in 30-digit arithmetic:
    // √a = K(k) − F(φ₁, k), k² = (1 + sin θ)/2, sin φ₁ = 1/(k√2).
    for (force, slope) in [(1.0, 0.46135194971188), (5.0, 1.2153681176117), (10.0, 1.4302855388039)] {
        let errors = [20, 40, 80].map(|links| {
            let mut chain = Chain::new(links, 1e5, force);
            let start = chain.straight();
            let solution = solve(&mut chain, &start, Globalisation::Watchdog, 40);
            assert_eq!(solution.status, Status::Solved, "{links}: {:?}", solution.message);
            (chain.angle_of_end(&solution.x) - slope).abs()
        });
        // The clamp and the last link are known to the length of a link only: first order.
        errors.windows(2).for_each(|pair| assert!((1.7..2.4).contains(&(pair[0] / pair[1])), "{errors:?}"));
    }
    // From EA/EI = 1e2 to 1e7 the number of steps grows slowly.
    for axial in [1e2, 1e3, 1e4, 1e5, 1e6, 1e7] {
        let mut chain = Chain::new(20, axial, 5.0);
        let start = chain.straight();
        assert_eq!(solve(&mut chain, &start, Globalisation::Watchdog, 50).status, Status::Solved);
    }
    // Tests of every single step allow a turn of about √(EI/EA) at a time.
    for globalisation in [Globalisation::Residual, Globalisation::Natural] {
        let mut chain = Chain::new(20, 1e5, 5.0);
        let start = chain.straight();
        let solution = solve(&mut chain, &start, globalisation, 400);
        assert_ne!(solution.status, Status::Solved);
    }
}

#[test]
fn the_watchdog_goes_back_when_steps_lead_nowhere() {
    // x³ − 2x + 2 from 0: full steps go to and fro between 0 and 1. The only real root is −1.7692923542386314.
    let mut system = Scalar::new(|x, _| Ok([x.powi(3) - 2.0 * x + 2.0, 3.0 * x * x - 2.0]));
    let solution = solve(&mut system, &[0.0], Globalisation::Watchdog, 100);
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.x[0] + 1.7692923542386314).abs() < 1e-12);
    assert!(steps(&solution) > 8, "{}", steps(&solution));
    // x³ − 2x² + x − 1 from 0: the full step ends at 1, where the slope vanishes. Its real root is 1.7548776662466927.
    let mut system = Scalar::new(|x, _| Ok([((x - 2.0) * x + 1.0) * x - 1.0, (3.0 * x - 4.0) * x + 1.0]));
    let solution = solve(&mut system, &[0.0], Globalisation::Watchdog, 100);
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.x[0] - 1.7548776662466927).abs() < 1e-12, "{:?}", solution.x);
    assert!(solution.iterations[2].trials > 1);
    // At the start there is nothing to go back to.
    let mut newton = Newton::new(best_general_solver(system.pattern()), NewtonOptions::default());
    newton.options.globalisation = Globalisation::Watchdog;
    assert!(newton.solve(&mut system, &[1.0], &mut |_| true).is_err());
}
