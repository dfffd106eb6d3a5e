use super::*;
use crate::nlp::{FollowedSystem, ParametricSystem, Pattern, PatternBuilder};
use crate::solver::linear::SparseLu;

/// Bratu's problem u'' + λ eᵘ = 0, u(0) = u(1) = 0, by central differences on `n` inner nodes.
///
/// λ = `strength` · parameter. Exact lower solution: u = 2 ln (cosh(θ/4) / cosh(θ (x − ½)/2)), θ = √(2λ) cosh(θ/4).
/// Solutions exist up to λ = 3.513830719 (J. P. Boyd, Applied Mathematics and Computation 143, 2003).
pub(in crate::solver) struct Bratu {
    strength: f64,
    lambda: f64,
    pattern: Pattern,
}

impl Bratu {
    pub(in crate::solver) fn new(n: usize, strength: f64) -> Self {
        let mut builder = PatternBuilder::new(n, n);
        for i in 0..n {
            builder.add(&[i], &(i.saturating_sub(1)..(i + 2).min(n)).collect::<Vec<_>>()).unwrap();
        }
        Self { strength, lambda: strength, pattern: builder.build().0 }
    }

    pub(in crate::solver) fn h(&self) -> f64 {
        1.0 / (self.size() + 1) as f64
    }

    pub(in crate::solver) fn exact(&self) -> Vec<f64> {
        let mut theta = 0.0f64;
        for _ in 0..200 {
            theta = (2.0 * self.lambda).sqrt() * (theta / 4.0).cosh();
        }
        let u = |x: f64| 2.0 * ((theta / 4.0).cosh() / (theta * (x - 0.5) / 2.0).cosh()).ln();
        (1..=self.size()).map(|i| u(i as f64 * self.h())).collect()
    }
}

impl SquareSystem for Bratu {
    fn size(&self) -> usize {
        self.pattern.ncols()
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let u = |i: Option<usize>| i.and_then(|i| x.get(i)).copied().unwrap_or(0.0);
        for i in 0..x.len() {
            let second = u(i.checked_sub(1)) - 2.0 * x[i] + u(Some(i + 1));
            out[i] = second / self.h().powi(2) + self.lambda * x[i].exp();
        }
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        for (col, x) in x.iter().enumerate() {
            for entry in self.pattern.column(col) {
                let diagonal = self.pattern.row_idx()[entry] == col;
                let h2 = self.h().powi(2);
                values[entry] = if diagonal { -2.0 / h2 + self.lambda * x.exp() } else { 1.0 / h2 };
            }
        }
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("balance at node {row}")
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("u at node {col}")
    }
}

impl ParametricSystem for Bratu {
    fn set_parameter(&mut self, parameter: f64) {
        self.lambda = self.strength * parameter;
    }
}

impl FollowedSystem for Bratu {
    fn parameter_derivative(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.iter_mut().zip(x).for_each(|(out, x)| *out = self.strength * x.exp());
        Ok(())
    }
}

type Function = fn(f64, f64) -> Result<[f64; 2], EvalFailure>;

/// One equation f(x; p) = 0; the function returns f and f'.
pub(in crate::solver) struct Scalar {
    function: Function,
    parameter: f64,
    pattern: Pattern,
}

impl Scalar {
    pub(in crate::solver) fn new(function: Function) -> Self {
        let mut builder = PatternBuilder::new(1, 1);
        builder.add(&[0], &[0]).unwrap();
        Self { function, parameter: 1.0, pattern: builder.build().0 }
    }
}

impl SquareSystem for Scalar {
    fn size(&self) -> usize {
        1
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out[0] = (self.function)(x[0], self.parameter)?[0];
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values[0] = (self.function)(x[0], self.parameter)?[1];
        Ok(())
    }
    fn row_name(&self, _: usize) -> String {
        "the equation".into()
    }
    fn unknown_name(&self, _: usize) -> String {
        "the unknown".into()
    }
}

impl ParametricSystem for Scalar {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}

pub(in crate::solver) fn newton() -> Newton {
    Newton::new(Box::new(SparseLu::new()), NewtonOptions::default())
}

fn solve(function: Function, start: f64) -> Result<Solution, NewtonError> {
    newton().solve(&mut Scalar::new(function), &[start], &mut |_| true)
}

#[test]
fn bratu_converges_quadratically_and_with_order_two_in_h() {
    let mut newton = newton();
    let errors = [20, 41, 83].map(|n| {
        let mut system = Bratu::new(n, 2.0);
        let solution = newton.solve(&mut system, &vec![0.0; n], &mut |_| true).unwrap();
        assert_eq!(solution.status, Status::Solved);
        assert_eq!(solution.message, None);
        let table = &solution.iterations;
        assert!(table.iter().skip(1).all(|record| record.alpha == 1.0 && record.trials == 1));
        // Steps measure errors: each is about a constant times the square of the one before.
        let steps: Vec<f64> = table[1..].iter().map(|record| record.step).filter(|step| *step > 1e-12).collect();
        assert!(steps.len() >= 4, "{steps:?}");
        for pair in steps.windows(2).skip(1) {
            let order = pair[1].ln() / pair[0].ln();
            assert!(order > 1.8, "{steps:?}");
        }
        let difference = solution.x.iter().zip(system.exact()).map(|(u, exact)| (u - exact).abs());
        difference.fold(0.0, f64::max)
    });
    assert!(errors[0] < 1e-3, "{errors:?}");
    // n + 1 doubles, so h halves exactly.
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.05, "{errors:?}");
    }
}

#[test]
fn the_line_search_tames_the_arc_tangent() {
    // From 20 the full Newton step for atan overshoots ever further.
    let solution = solve(|x, _| Ok([x.atan(), 1.0 / (1.0 + x * x)]), 20.0).unwrap();
    assert_eq!(solution.status, Status::Solved);
    assert!(solution.x[0].abs() < 1e-10);
    assert!(solution.iterations.iter().any(|record| record.alpha < 1.0 && record.trials > 1));
    let residuals: Vec<f64> = solution.iterations.iter().map(|record| record.residual).collect();
    assert_eq!(residuals.len(), solution.iterations.last().unwrap().iter + 1);
}

#[test]
fn steps_are_cut_back_where_the_model_cannot_be_evaluated() {
    // ln x = 1 from 20: the full step leads to a negative x.
    let function: Function = |x, _| {
        if x <= 0.0 {
            return Err(EvalFailure {
                place: "beam at s = 0.5".into(),
                reason: format!("stretch {x} is not positive"),
            });
        }
        Ok([x.ln() - 1.0, 1.0 / x])
    };
    let solution = solve(function, 20.0).unwrap();
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.x[0] - 1f64.exp()).abs() < 1e-10);
    assert!(solution.iterations[1].trials > 1);
    let error = solve(function, -1.0).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("the start") && text.contains("beam at s = 0.5: stretch -1"), "{text}");
}

#[test]
fn an_equation_without_solution_ends_with_a_named_row() {
    let solution = solve(|x, _| Ok([x * x + 1.0, 2.0 * x]), 0.7).unwrap();
    assert_ne!(solution.status, Status::Solved);
    assert!(solution.message.unwrap().contains("the equation"));
    // A wall at x = 1 before the root at 2: every trial beyond it is refused.
    let wall: Function = |x, _| {
        if x >= 1.0 {
            return Err(EvalFailure { place: "wall".into(), reason: "too far".into() });
        }
        Ok([x - 2.0, 1.0])
    };
    let solution = solve(wall, 0.0).unwrap();
    assert_ne!(solution.status, Status::Solved);
    assert!(solution.x[0] < 1.0);
}

#[test]
fn a_singular_matrix_names_the_unknown() {
    let error = solve(|_, _| Ok([1.0, 0.0]), 0.0).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, NewtonError::Singular { .. }));
    assert!(text.contains("do not determine the unknown") && text.contains("the equation"), "{text}");
}

#[test]
fn an_unknown_that_runs_away_is_diverging() {
    // exp(-x) has no root; Newton walks to infinity by unit steps.
    let mut newton = newton();
    newton.options = NewtonOptions { divergence: 30.0, residual: 0.0, ..NewtonOptions::default() };
    let function: Function = |x, _| Ok([(-x).exp(), -(-x).exp()]);
    let solution = newton.solve(&mut Scalar::new(function), &[0.0], &mut |_| true).unwrap();
    assert_eq!(solution.status, Status::Diverging);
    assert!(solution.message.unwrap().contains("the unknown has grown to 3.1"));
    newton.options = NewtonOptions { max_iterations: 7, residual: 0.0, ..NewtonOptions::default() };
    let solution = newton.solve(&mut Scalar::new(function), &[0.0], &mut |_| true).unwrap();
    assert_eq!(solution.status, Status::IterationLimit);
    assert_eq!(solution.iterations.last().unwrap().iter, 7);
}

#[test]
fn the_observer_can_interrupt() {
    let mut seen = 0;
    let mut system = Bratu::new(10, 2.0);
    let solution = newton()
        .solve(&mut system, &[0.0; 10], &mut |record| {
            seen += 1;
            record.iter < 2
        })
        .unwrap();
    assert_eq!(solution.status, Status::Interrupted);
    assert_eq!((seen, solution.iterations.len()), (3, 3));
}

#[test]
fn scaling_makes_the_verdict_independent_of_units() {
    // The same equation in units that differ by 1e9 in the residual takes the same steps.
    let plain = solve(|x, _| Ok([x * x * x - 8.0, 3.0 * x * x]), 5.0).unwrap();
    let scaled = solve(|x, _| Ok([1e9 * (x * x * x - 8.0), 3e9 * x * x]), 5.0).unwrap();
    assert_eq!(plain.status, Status::Solved);
    assert_eq!(plain.iterations.len(), scaled.iterations.len());
    assert!((plain.x[0] - 2.0).abs() < 1e-12);
    assert!((scaled.x[0] - 2.0).abs() < 1e-12);
}

#[test]
fn a_start_of_the_wrong_size_is_refused() {
    let error = newton().solve(&mut Bratu::new(4, 1.0), &[0.0; 3], &mut |_| true).unwrap_err();
    assert!(matches!(error, NewtonError::Linear(LinearError::WrongSize { found: 3, expected: 4, .. })));
}
