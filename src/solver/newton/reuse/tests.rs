use super::super::tests::{Bratu, newton};
use super::*;
use crate::nlp::{EvalFailure, PatternBuilder};
use crate::solver::linear::SparseLu;
use crate::solver::{NewtonOptions, Solution, Status};

/// One implicit Euler step of a chain of unit masses between walls, joined by hardening springs f(e) = e + 30 e³.
struct ChainStep {
    dt: f64,
    position: Vec<f64>,
    velocity: Vec<f64>,
    pattern: Pattern,
    /// Number of evaluations.
    jacobians: usize,
}

impl ChainStep {
    fn new(n: usize, dt: f64) -> Self {
        let mut builder = PatternBuilder::new(n, n);
        for i in 0..n {
            builder.add(&[i], &(i.saturating_sub(1)..(i + 2).min(n)).collect::<Vec<_>>()).unwrap();
        }
        let wave = |i: usize| (3.0 * i as f64 / n as f64).sin();
        let (position, velocity) = (vec![0.0; n], (0..n).map(wave).collect());
        Self { dt, position, velocity, pattern: builder.build().0, jacobians: 0 }
    }

    fn advance(&mut self, x: &[f64]) {
        for ((velocity, position), x) in self.velocity.iter_mut().zip(&mut self.position).zip(x) {
            *velocity = (x - *position) / self.dt;
            *position = *x;
        }
    }

    fn predicted(&self) -> Vec<f64> {
        self.position.iter().zip(&self.velocity).map(|(x, v)| x + self.dt * v).collect()
    }
}

fn at(x: &[f64], i: Option<usize>) -> f64 {
    i.and_then(|i| x.get(i)).copied().unwrap_or(0.0)
}

impl SquareSystem for ChainStep {
    fn size(&self) -> usize {
        self.position.len()
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let spring = |e: f64| e + 30.0 * e.powi(3);
        for i in 0..x.len() {
            let inertia = (x[i] - self.position[i] - self.dt * self.velocity[i]) / self.dt.powi(2);
            out[i] = inertia + spring(x[i] - at(x, i.checked_sub(1))) - spring(at(x, Some(i + 1)) - x[i]);
        }
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.jacobians += 1;
        let stiffness = |e: f64| 1.0 + 90.0 * e * e;
        for col in 0..x.len() {
            let left = stiffness(x[col] - at(x, col.checked_sub(1)));
            let right = stiffness(at(x, Some(col + 1)) - x[col]);
            for entry in self.pattern.column(col) {
                values[entry] = match self.pattern.row_idx()[entry] {
                    row if row < col => -left,
                    row if row > col => -right,
                    _ => self.dt.powi(-2) + left + right,
                };
            }
        }
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("momentum of mass {row}")
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("position of mass {col}")
    }
}

fn with(reuse: Reuse) -> Newton {
    Newton::new(Box::new(SparseLu::new()), NewtonOptions { reuse, ..NewtonOptions::default() })
}

fn factorisations(solution: &Solution) -> usize {
    solution.iterations.iter().filter(|record| record.factorised).count()
}

#[test]
fn time_steps_need_fewer_factorisations_and_agree() {
    let run = |reuse: Reuse| {
        let mut newton = with(reuse);
        let mut chain = ChainStep::new(40, 0.4);
        let (mut count, mut states) = (0, Vec::new());
        for _ in 0..100 {
            let start = chain.predicted();
            let solution = newton.solve(&mut chain, &start, &mut |_| true).unwrap();
            assert_eq!(solution.status, Status::Solved);
            count += factorisations(&solution);
            chain.advance(&solution.x);
            states.push(solution.x);
        }
        (count, chain.jacobians, states)
    };
    let (full, _, expected) = run(Reuse::Never);
    for alike in [false, true] {
        let (few, jacobians, found) = run(Reuse::WhileFast { slowest: 0.2, remaining: 5, error: 1e-11, alike });
        // The springs stiffen so much that some factors have to be replaced.
        assert!(4 * few <= full && few > 10, "{few} of {full}");
        // Each step is looked at once more, unless all are known to be alike.
        assert!(if alike { jacobians == few } else { jacobians > few + 50 }, "{jacobians} Jacobians, {few} factors");
        // Errors of 1e-11 per step, carried on by the velocity, add up over the run.
        let pairs = expected.iter().flatten().zip(found.iter().flatten());
        let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{worst:.1e}");
    }
    assert!(expected[99].iter().any(|x| x.abs() > 0.1));
}

#[test]
fn the_error_estimate_bounds_the_error() {
    for error in [1e-4, 1e-6, 1e-8, 1e-10] {
        let mut loose = with(Reuse::WhileFast { slowest: 0.5, remaining: 30, error, alike: false });
        loose.options.residual = 1.0;
        loose.options.step = 0.0;
        let mut system = Bratu::new(60, 2.0);
        let exact = newton().solve(&mut system, &[0.0; 60], &mut |_| true).unwrap().x;
        let solution = loose.solve(&mut system, &[0.0; 60], &mut |_| true).unwrap();
        assert_eq!(solution.status, Status::Solved);
        assert!(factorisations(&solution) < solution.iterations.len() - 1);
        let distance = solution.x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(distance <= error, "{distance:.1e} > {error:.1e}");
    }
}

#[test]
fn factors_of_another_system_do_no_harm() {
    let mut newton = with(Reuse::while_fast());
    let mut stiff = ChainStep::new(30, 1e-6);
    assert_eq!(newton.solve(&mut stiff, &[1e-3; 30], &mut |_| true).unwrap().status, Status::Solved);
    // The same pattern, a matrix 1e12 times smaller: steps with the old factors hardly move.
    let mut system = Bratu::new(30, 1.0);
    let solution = newton.solve(&mut system, &[0.0; 30], &mut |_| true).unwrap();
    assert_eq!(solution.status, Status::Solved);
    assert!(factorisations(&solution) > 0);
    let error = solution.x.iter().zip(system.exact()).map(|(u, exact)| (u - exact).abs()).fold(0.0, f64::max);
    assert!(error < 1e-3, "{error:.1e}");
    // Another pattern altogether.
    let mut system = Bratu::new(31, 1.0);
    let solution = newton.solve(&mut system, &[0.0; 31], &mut |_| true).unwrap();
    assert!(solution.status == Status::Solved && solution.iterations[1].factorised);
}

/// x₀ + x₀²/100 = 1 and k (x₁ − 1) = 0.
struct Pair {
    stiffness: f64,
    pattern: Pattern,
}

impl SquareSystem for Pair {
    fn size(&self) -> usize {
        2
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.copy_from_slice(&[x[0] + 0.01 * x[0] * x[0] - 1.0, self.stiffness * (x[1] - 1.0)]);
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.copy_from_slice(&[1.0 + 0.02 * x[0], self.stiffness]);
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("row {row}")
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("unknown {col}")
    }
}

#[test]
fn a_row_that_weighed_more_before_is_not_overlooked() {
    let mut builder = PatternBuilder::new(2, 2);
    builder.add(&[0], &[0]).unwrap();
    builder.add(&[1], &[1]).unwrap();
    let mut system = Pair { stiffness: 1e14, pattern: builder.build().0 };
    let mut newton = with(Reuse::while_fast());
    newton.solve(&mut system, &[0.0; 2], &mut |_| true).unwrap();
    // With the old factors x₁ hardly moves, while x₀ converges quickly.
    system.stiffness = 1.0;
    let solution = newton.solve(&mut system, &[0.0; 2], &mut |_| true).unwrap();
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.x[1] - 1.0).abs() < 1e-10, "{:?}", solution);
    assert!(!solution.iterations[1].factorised && factorisations(&solution) > 0);
}

#[test]
fn without_reuse_nothing_is_kept() {
    let mut kept = newton();
    let mut chain = ChainStep::new(20, 0.1);
    for _ in 0..5 {
        let start = chain.predicted();
        let solution = kept.solve(&mut chain, &start, &mut |_| true).unwrap();
        assert_eq!(solution, newton().solve(&mut chain, &start, &mut |_| true).unwrap());
        assert!(solution.iterations.iter().skip(1).all(|record| record.factorised));
        assert!(kept.held.is_none());
        chain.advance(&solution.x);
    }
}

#[test]
fn a_poor_guess_falls_back_to_the_line_search() {
    let mut newton = with(Reuse::while_fast());
    let mut chain = ChainStep::new(20, 1.0);
    let start: Vec<f64> = (0..20).map(|i| if i % 2 == 0 { 3.0 } else { -3.0 }).collect();
    let solution = newton.solve(&mut chain, &start, &mut |_| true).unwrap();
    let expected = with(Reuse::Never).solve(&mut chain, &start, &mut |_| true).unwrap();
    assert_eq!(solution.status, Status::Solved);
    let worst = solution.x.iter().zip(&expected.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst:.1e}");
}
