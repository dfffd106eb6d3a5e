use super::super::newton::tests::{Bratu, newton};
use super::*;
use crate::nlp::{EvalFailure, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// Residual, Jacobian by columns and ∂r/∂p.
type Values<const N: usize> = Result<([f64; N], [[f64; N]; N], [f64; N]), EvalFailure>;
type Functions<const N: usize> = fn([f64; N], f64) -> Values<N>;

struct Small<const N: usize> {
    functions: Functions<N>,
    parameter: f64,
    pattern: Pattern,
}

impl<const N: usize> Small<N> {
    fn new(functions: Functions<N>) -> Self {
        let all: Vec<usize> = (0..N).collect();
        let mut builder = PatternBuilder::new(N, N);
        builder.add(&all, &all).unwrap();
        Self { functions, parameter: 0.0, pattern: builder.build().0 }
    }

    fn at(&self, x: &[f64]) -> Values<N> {
        (self.functions)(x.try_into().unwrap(), self.parameter)
    }
}

impl<const N: usize> SquareSystem for Small<N> {
    fn size(&self) -> usize {
        N
    }
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.copy_from_slice(&self.at(x)?.0);
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.copy_from_slice(self.at(x)?.1.as_flattened());
        Ok(())
    }
    fn row_name(&self, row: usize) -> String {
        format!("balance {row}")
    }
    fn unknown_name(&self, col: usize) -> String {
        format!("unknown {col}")
    }
}

impl<const N: usize> ParametricSystem for Small<N> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
    }
}

impl<const N: usize> FollowedSystem for Small<N> {
    fn parameter_derivative(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.copy_from_slice(&self.at(x)?.2);
        Ok(())
    }
    fn parameter_name(&self) -> String {
        "load".into()
    }
}

fn run(system: &mut dyn FollowedSystem, start: &[f64], parameter: f64, options: &ArcLengthOptions) -> Path {
    follow(&mut newton(), system, start, parameter, options, &mut |_| true).unwrap()
}

fn circle() -> Small<1> {
    Small::new(|[x], p| Ok(([x * x + p * p - 1.0], [[2.0 * x]], [2.0 * p])))
}

#[test]
fn a_circle_is_walked_round() {
    let options = ArcLengthOptions { targets: vec![0.6, -0.8], ..ArcLengthOptions::default() };
    let path = run(&mut circle(), &[1.1], 0.0, &options);
    assert_eq!(path.end, PathEnd::Closed { name: "load".into(), parameter: 0.0 });
    let limits: Vec<_> = path.limit_points().map(|point| (point.parameter, point.x[0])).collect();
    assert_eq!(limits.len(), 2);
    assert!((limits[0].0 - 1.0).abs() < 1e-12 && limits[0].1.abs() < 1e-10, "{limits:?}");
    assert!((limits[1].0 + 1.0).abs() < 1e-12 && limits[1].1.abs() < 1e-10, "{limits:?}");
    for point in &path.points {
        assert!((point.x[0].powi(2) + point.parameter.powi(2) - 1.0).abs() < 1e-10);
        // On the unit circle dp/ds is the unknown, as p grows where x is positive.
        assert!((point.rate - point.x[0]).abs() < 1e-9, "{point:?}");
    }
    // Chords of at most 0.3 rad are shorter than their arcs by 0.4 %.
    let round = path.points.last().unwrap().arc / std::f64::consts::TAU;
    assert!((0.995..1.0).contains(&round), "{round}");
    let hits: Vec<_> = path.of_kind(PointKind::Target).map(|point| (point.parameter, point.x[0])).collect();
    for (hit, (p, x)) in hits.iter().zip([(0.6, 0.8), (0.6, -0.8), (-0.8, -0.6), (-0.8, 0.6)]) {
        assert!(hit.0 == p && (hit.1 - x).abs() < 1e-12, "{hits:?}");
    }
    assert_eq!(hits.len(), 4);
}

/// Exact solution of Bratu's problem at x = 1/2: u = 2 ln cosh(θ/4) with λ = θ²/(2 cosh²(θ/4)).
fn bratu_lambda(middle: f64) -> f64 {
    let quarter = (0.5 * middle).exp().acosh();
    8.0 * quarter * quarter / quarter.cosh().powi(2)
}

#[test]
fn the_fold_of_bratu_is_passed_and_converges_with_order_two() {
    let folds = [19, 39, 79].map(|n| {
        let mut system = Bratu::new(n, 1.0);
        let options = ArcLengthOptions { range: [0.5, 10.0], max_limit_points: 2, ..ArcLengthOptions::default() };
        let path = run(&mut system, &vec![0.0; n], 0.5, &options);
        // The upper branch is followed back to where the lower one began.
        assert_eq!(path.end, PathEnd::Range { name: "parameter".into(), bound: 0.5 });
        let last = path.points.last().unwrap();
        assert!(last.parameter == 0.5 && last.x[n / 2] > 4.0);
        let h = system.h();
        for point in &path.points {
            let exact = bratu_lambda(point.x[n / 2]);
            assert!(
                (point.parameter - exact).abs() < 8.0 * h * h * (1.0 + point.x[n / 2]),
                "{exact}: {}",
                point.parameter
            );
        }
        let fold: Vec<_> = path.limit_points().collect();
        assert_eq!(fold.len(), 1);
        assert!(fold[0].rate.abs() < 1e-10);
        fold[0].parameter
    });
    let errors = folds.map(|fold| (fold - 3.513830719125162).abs());
    assert!(errors[2] < 1e-3, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(((pair[0] / pair[1]).log2() - 2.0).abs() < 0.02, "{errors:?}");
    }
}

const SPAN: f64 = 1.0;
const RISE: f64 = 0.3;

/// Force of one bar of unit stiffness EA from the support at (side, 0) on the apex (u, y), and its derivatives.
fn bar(side: f64, u: f64, y: f64) -> ([f64; 2], [[f64; 2]; 2]) {
    let rest = SPAN.hypot(RISE);
    let (dx, length) = (u - side, (u - side).hypot(y));
    let g = 1.0 / rest - 1.0 / length;
    let k = 1.0 / length.powi(3);
    ([g * dx, g * y], [[g + k * dx * dx, k * dx * y], [k * dx * y, g + k * y * y]])
}

/// Load that holds the apex of the truss at the height y: P = 2 EA y (1/L − 1/L₀).
fn truss_load(y: f64) -> f64 {
    2.0 * y * (1.0 / SPAN.hypot(y) - 1.0 / SPAN.hypot(RISE))
}

/// dP/dy = 0 where L³ = a² L₀.
fn truss_limit() -> (f64, f64) {
    let length = (SPAN * SPAN * SPAN.hypot(RISE)).cbrt();
    let y = (length * length - SPAN * SPAN).sqrt();
    (y, truss_load(y))
}

#[test]
fn a_shallow_truss_snaps_through() {
    // Apex (u, y) under the load p downwards; both components are unknown.
    let mut truss = Small::<2>::new(|[u, y], p| {
        let ((left, dl), (right, dr)) = (bar(-SPAN, u, y), bar(SPAN, u, y));
        let jacobian = [[dl[0][0] + dr[0][0], dl[1][0] + dr[1][0]], [dl[0][1] + dr[0][1], dl[1][1] + dr[1][1]]];
        Ok(([left[0] + right[0], left[1] + right[1] + p], jacobian, [0.0, 1.0]))
    });
    let options = ArcLengthOptions {
        parameter_scale: 0.01,
        range: [-1.0, 0.02],
        first_step: 0.01,
        largest_step: 0.1,
        ..ArcLengthOptions::default()
    };
    let path = run(&mut truss, &[0.0, RISE], 0.0, &options);
    assert_eq!(path.end, PathEnd::Range { name: "load".into(), bound: 0.02 });
    let limits: Vec<_> = path.limit_points().collect();
    let (y, load) = truss_limit();
    assert_eq!(limits.len(), 2);
    for (point, sign) in limits.iter().zip([1.0, -1.0]) {
        assert!((point.parameter - sign * load).abs() < 1e-12, "{} {load}", point.parameter);
        assert!((point.x[1] - sign * y).abs() < 1e-8, "{} {y}", point.x[1]);
    }
    assert!(path.points.len() > 30);
    for point in &path.points {
        assert!((point.parameter - truss_load(point.x[1])).abs() < 1e-11 && point.x[0].abs() < 1e-10, "{point:?}");
    }
    assert!(path.points.windows(2).all(|pair| pair[1].x[1] < pair[0].x[1]));
}

#[test]
fn a_soft_spring_makes_the_truss_snap_back() {
    // The load acts on the apex through a spring so soft that the loaded point moves back while the apex falls: neither
    // load nor displacement grows along the path.
    const SPRING: f64 = 0.02;
    let mut system = Small::<2>::new(|[y, d], p| {
        let rest = SPAN.hypot(RISE);
        let slope = 2.0 * (SPAN * SPAN / SPAN.hypot(y).powi(3) - 1.0 / rest);
        let pull = SPRING * (d - RISE + y);
        Ok(([pull - truss_load(y), p - pull], [[SPRING - slope, -SPRING], [SPRING, -SPRING]], [0.0, 1.0]))
    });
    let options = ArcLengthOptions {
        parameter_scale: 0.01,
        range: [-1.0, 0.02],
        first_step: 0.01,
        largest_step: 0.1,
        ..ArcLengthOptions::default()
    };
    let path = run(&mut system, &[RISE, 0.0], 0.0, &options);
    assert_eq!(path.end, PathEnd::Range { name: "load".into(), bound: 0.02 });
    let (y, load) = truss_limit();
    let limits: Vec<_> = path.limit_points().collect();
    assert_eq!(limits.len(), 2);
    for (point, sign) in limits.iter().zip([1.0, -1.0]) {
        assert!((point.parameter - sign * load).abs() < 1e-12 && (point.x[0] - sign * y).abs() < 1e-8);
    }
    for point in &path.points {
        let (y, d) = (point.x[0], point.x[1]);
        assert!((point.parameter - truss_load(y)).abs() < 1e-11, "{point:?}");
        assert!((d - (RISE - y + truss_load(y) / SPRING)).abs() < 1e-8, "{point:?}");
    }
    let moves: Vec<f64> = path.points.windows(2).map(|pair| pair[1].x[1] - pair[0].x[1]).collect();
    let turns = moves.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
    assert_eq!(turns, 2, "{moves:?}");
}

#[test]
fn large_steps_do_not_jump_to_another_branch() {
    // p = x³ − 3x turns back at x = ∓1, p = ±2.
    let cubic = || Small::<1>::new(|[x], p| Ok(([x * x * x - 3.0 * x - p], [[3.0 * x * x - 3.0]], [-1.0])));
    let bold = ArcLengthOptions {
        range: [-20.0, 20.0],
        first_step: 8.0,
        largest_step: 8.0,
        largest_turn: std::f64::consts::TAU,
        max_corrections: 30,
        slowest: f64::INFINITY,
        ..ArcLengthOptions::default()
    };
    let jumped = run(&mut cubic(), &[-2.2], -4.0, &bold);
    assert_eq!(jumped.limit_points().count(), 0, "{:?}", jumped.points);
    assert!(jumped.points.last().unwrap().x[0] > 0.0);
    let careful = ArcLengthOptions { largest_turn: 0.3, ..bold };
    let path = run(&mut cubic(), &[-2.2], -4.0, &careful);
    assert_eq!(path.end, PathEnd::Range { name: "load".into(), bound: 20.0 });
    let limits: Vec<_> = path.limit_points().map(|point| [point.parameter, point.x[0]]).collect();
    assert_eq!(limits.len(), 2);
    for (found, expected) in limits.iter().zip([[2.0, -1.0], [-2.0, 1.0]]) {
        assert!((found[0] - expected[0]).abs() < 1e-11 && (found[1] - expected[1]).abs() < 1e-8, "{limits:?}");
    }
    assert!(path.points.windows(2).all(|pair| pair[1].x[0] > pair[0].x[0]));
    assert!(path.rejected > 0);
}

#[test]
fn an_end_of_the_path_is_explained() {
    // x = p up to a wall.
    let mut system = Small::<1>::new(|[x], p| {
        if x > 0.7 {
            return Err(EvalFailure { place: "beam at s = 0.5".into(), reason: format!("stretch {x:.3} too large") });
        }
        Ok(([x - p], [[1.0]], [-1.0]))
    });
    let path = run(&mut system, &[0.0], 0.0, &ArcLengthOptions::default());
    let text = path.end.to_string();
    assert!(matches!(path.end, PathEnd::Stuck { .. }), "{text}");
    assert!(text.contains("beyond load = 0.69999") && text.contains("beam at s = 0.5: stretch 0.700 too"), "{text}");
    // The system is left where the path ended.
    assert_eq!(system.parameter, path.points.last().unwrap().parameter);
    // A limit point gives no direction to start in.
    let error = follow(&mut newton(), &mut circle(), &[0.0], 1.0, &ArcLengthOptions::default(), &mut |_| true);
    let text = error.unwrap_err().to_string();
    assert!(text.starts_with("the path cannot start at load = 1: the solutions nearby are not"), "{text}");
    assert!(text.contains("do not determine unknown 0"), "{text}");
    let outside = ArcLengthOptions { range: [0.0, 0.5], ..ArcLengthOptions::default() };
    let error = follow(&mut newton(), &mut circle(), &[1.0], 0.6, &outside, &mut |_| true).unwrap_err();
    assert_eq!(error.to_string(), "the path cannot start at load = 0.6: it lies outside the range from 0 to 0.5");
    let senseless = ArcLengthOptions { first_step: f64::NAN, ..ArcLengthOptions::default() };
    let error = follow(&mut newton(), &mut circle(), &[1.0], 0.6, &senseless, &mut |_| true).unwrap_err();
    assert_eq!(error.to_string(), "the first step of a path must be positive, not NaN");
}

#[test]
fn paths_end_where_asked() {
    let few = ArcLengthOptions { max_steps: 3, ..ArcLengthOptions::default() };
    let path = run(&mut circle(), &[1.0], 0.0, &few);
    assert!(matches!(path.end, PathEnd::StepLimit { steps: 3, .. }) && path.points.len() == 4);
    let one = ArcLengthOptions { max_limit_points: 1, increasing: false, ..ArcLengthOptions::default() };
    let path = run(&mut circle(), &[1.0], 0.0, &one);
    assert!(matches!(path.end, PathEnd::LimitPoints { count: 1, parameter, .. } if (parameter + 1.0).abs() < 1e-12));
    assert_eq!(path.points.last().unwrap().kind, PointKind::LimitPoint);
    let mut seen = 0;
    let mut observe = |_: &PathPoint| {
        seen += 1;
        seen < 5
    };
    let options = ArcLengthOptions::default();
    let path = follow(&mut newton(), &mut circle(), &[1.0], 0.0, &options, &mut observe).unwrap();
    assert!(matches!(path.end, PathEnd::Interrupted { .. }) && path.points.len() == 5);
    // On the bound and heading outwards.
    let edge = ArcLengthOptions { range: [-0.5, 0.0], ..ArcLengthOptions::default() };
    let path = run(&mut circle(), &[1.0], 0.0, &edge);
    assert_eq!(path.end, PathEnd::Range { name: "load".into(), bound: 0.0 });
    assert!((path.points.last().unwrap().x[0] - 1.0).abs() < 1e-12);
}
