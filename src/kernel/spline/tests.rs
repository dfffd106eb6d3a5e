//! Tests of splines.

use num_dual::{Dual2_64, Dual3_64};

use super::*;
use crate::kernel::{Expression, Function, Scope};

fn through(times: &[f64], values: &[f64], degree: usize) -> Spline {
    Spline::fit(times, values, &Fit { degree, ..Fit::default() }).unwrap()
}

/// The language's own profile.
fn rest(source: &str, t: f64) -> f64 {
    Function::compile(&Expression::Text(source.to_owned()), &Scope::empty()).unwrap().value(t).unwrap()
}

/// Samples at unequal distances.
fn uneven(count: usize) -> Vec<f64> {
    (0..count).map(|i| 0.1 * i as f64 + 0.03 * (i as f64 * 1.7).sin()).collect()
}

/// Splines go through their samples, and their derivatives are continuous up to degree − 1; that of the degree jumps.
#[test]
fn splines_go_through_their_samples_smoothly() {
    let times = uneven(40);
    let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin() + 0.2 * (17.0 * t).cos()).collect();
    for degree in [1, 3, 5, 7] {
        let spline = through(&times, &values, degree);
        for (t, y) in times.iter().zip(&values) {
            assert!((spline.derivative(*t, 0) - y).abs() < 1e-12, "degree {degree} at {t}");
        }
        let mut largest = 0.0_f64;
        for knot in &times[1..times.len() - 1] {
            let (mut below, mut above) = ([0.0; 9], [0.0; 9]);
            spline.series(*knot, 0, Side::Below, &mut below);
            spline.series(*knot, 0, Side::Above, &mut above);
            let mut size = 1.0;
            for order in 0..=degree {
                let jump = (below[order] - above[order]).abs();
                match order < degree {
                    true => assert!(jump < 1e-9 * size, "degree {degree}, order {order}: {jump} of {size}"),
                    false => largest = largest.max(jump / size),
                }
                size *= 10.0;
            }
        }
        assert!(largest > 1e-3, "degree {degree}: {largest}");
    }
}

/// The natural cubic spline of |x| through −1, 0, 1 is (3 x² + … )/2: with M = f''(0) = 3 between straight ends (de Boor 2001,
/// chapter IV).
#[test]
fn the_natural_cubic_of_three_points() {
    let spline = through(&[-1.0, 0.0, 1.0], &[1.0, 0.0, 1.0], 3);
    assert!((spline.derivative(0.0, 2) - 3.0).abs() < 1e-13);
    assert!(spline.derivative(-1.0, 2).abs() < 1e-13 && spline.derivative(1.0, 2).abs() < 1e-13);
    assert!((spline.derivative(0.5, 0) - (1.5 * 0.25 - 0.5 * 0.125)).abs() < 1e-14);
}

/// A function that rests at both ends is found with order degree + 1.
#[test]
fn interpolation_converges_with_its_order() {
    let f = |t: f64| rest("rest(t, 0, 1, 9)", t);
    for degree in [3, 5, 7] {
        let error = |n: usize| {
            let times: Vec<f64> = (0..=n).map(|i| i as f64 / n as f64).collect();
            let values: Vec<f64> = times.iter().map(|t| f(*t)).collect();
            let fit = Fit { degree, ends: [Some(Ends::Rest); 2], ..Fit::default() };
            let spline = Spline::fit(&times, &values, &fit).unwrap();
            (0..1000)
                .map(|i| (f64::from(i) + 0.5) / 1000.0)
                .map(|t| (spline.derivative(t, 0) - f(t)).abs())
                .fold(0.0, f64::max)
        };
        let order = (error(20) / error(40)).log2();
        assert!(order > degree as f64 + 0.6, "degree {degree}: order {order}");
    }
}

/// Few samples at rest are gone through, monotonously where there are two.
#[test]
fn few_samples_at_rest() {
    for degree in [3, 5, 7] {
        let fit = Fit { degree, ends: [Some(Ends::Rest); 2], ..Fit::default() };
        for count in degree.div_ceil(2)..9 {
            let times: Vec<f64> = (0..count).map(|i| i as f64).collect();
            let values: Vec<f64> = times.iter().map(|t| (0.7 * t).sin()).collect();
            let spline = Spline::fit(&times, &values, &fit).unwrap_or_else(|error| panic!("{degree} {count}: {error}"));
            for (t, y) in times.iter().zip(&values) {
                assert!((spline.derivative(*t, 0) - y).abs() < 1e-11, "{degree} {count}");
            }
        }
    }
    let fit = Fit { degree: 3, ends: [Some(Ends::Rest); 2], ..Fit::default() };
    let two = Spline::fit(&[0.0, 1.0], &[0.0, 1.0], &fit).unwrap();
    assert!((0..100).map(|i| f64::from(i) / 100.0).all(|t| two.derivative(t, 1) >= -1e-12));
}

/// Where samples are equal at the ends the function rests exactly. It leaves and reaches its rest with all derivatives where the
/// samples do, and with half of them where they do not: all of them would make a cube that is cut off swing.
#[test]
fn equal_samples_at_the_ends_rest() {
    let times: Vec<f64> = (0..33).map(|i| 0.25 * f64::from(i)).collect();
    let cut: Vec<f64> = times.iter().map(|t| ((t - 2.0) / 2.0).clamp(0.0, 1.0).powi(3)).collect();
    let smooth: Vec<f64> = times.iter().map(|t| rest("rest(t, 2, 4, 9)", *t)).collect();
    for (values, vanishing) in [(&cut, [1, 2, 3]), (&smooth, [2, 4, 6])] {
        for (degree, vanishing) in [3, 5, 7].into_iter().zip(vanishing) {
            let spline = through(&times, values, degree);
            for t in [0.0, 1.9, 2.0, 4.0, 5.5] {
                assert!((spline.derivative(t, 0) - f64::from(t >= 4.0)).abs() < 1e-14, "{t}");
                (1..=vanishing).for_each(|order| {
                    assert!(spline.derivative(t, order).abs() < 1e-10 * 10f64.powi(order as i32), "{t} {order}")
                });
            }
            assert_eq!(spline.domain(), [0.0, 8.0]);
        }
    }
    let sharpest = |ends: [Option<Ends>; 2]| {
        let spline = Spline::fit(&times, &cut, &Fit { degree: 7, ends, ..Fit::default() }).unwrap();
        (0..=800).map(|i| spline.derivative(0.01 * f64::from(i), 2).abs()).fold(0.0, f64::max)
    };
    let (chosen, stated) = (sharpest([None; 2]), sharpest([Some(Ends::Rest); 2]));
    assert!(chosen < 0.5 * stated, "{chosen} {stated}");
    let flat = through(&[0.0, 1.0, 2.0], &[3.0, 3.0, 3.0], 5);
    assert_eq!((flat.derivative(0.7, 0), flat.derivative(0.7, 1), flat.derivative(9.0, 0)), (3.0, 0.0, 3.0));
}

/// Derivatives are those of dual numbers, also beyond the samples.
#[test]
fn derivatives_are_exact() {
    let times = uneven(20);
    let values: Vec<f64> = times.iter().map(|t| (2.0 * t).exp()).collect();
    for degree in [0, 1, 3, 5, 7] {
        let spline = through(&times, &values, degree);
        for t in [-1.0, 0.0, 0.333, 0.8, 1.5, times[19], 9.0] {
            let x = spline.eval(Dual3_64::from_re(t).derivative());
            for (order, witness) in [x.re, x.v1, x.v2, x.v3].into_iter().enumerate() {
                let found = spline.derivative(t, order);
                assert!(
                    (found - witness).abs() <= 1e-12 * witness.abs().max(1.0),
                    "{degree} {t} {order}: {found} {witness}"
                );
            }
            let mut series = [0.0; 4];
            spline.series(t, 0, Side::Above, &mut series);
            if t != times[19] {
                assert!((series[2] * 2.0 - x.v2).abs() <= 1e-12 * x.v2.abs().max(1.0), "{degree} {t}");
            }
        }
    }
}

/// Of the argument 2 t − 1 the chain rule holds.
#[test]
fn arguments_may_be_functions() {
    let times = uneven(20);
    let values: Vec<f64> = times.iter().map(|t| t.sin()).collect();
    let spline = through(&times, &values, 7);
    let inner = Dual2_64::from_re(0.9).derivative() * 2.0 - 1.0;
    let found = spline.eval(inner);
    let expected = [0, 1, 2].map(|order| spline.derivative(0.8, order) * 2f64.powi(order as i32));
    for (found, expected) in [found.re, found.v1, found.v2].iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13 * expected.abs().max(1.0));
    }
}

/// Steps hold from sample to sample, and the last value beyond.
#[test]
fn steps_hold() {
    let spline = through(&[0.0, 1.0, 3.0], &[5.0, 7.0, -2.0], 0);
    let values = [-1.0, 0.0, 0.99, 1.0, 2.9, 3.0, 10.0].map(|t| spline.derivative(t, 0));
    assert_eq!(values, [5.0, 5.0, 5.0, 7.0, 7.0, -2.0, -2.0]);
    assert!(spline.is_steady(1.0) && spline.derivative(1.0, 1) == 0.0);
}

/// Smoothing meets the deviation it is given and beats the noise: samples of a known function with noise of 1e-3.
#[test]
fn smoothing_meets_its_deviation() {
    let f = |t: f64| (2.0 * t).sin();
    let mut seed = 1u64;
    let mut noise = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 12f64.sqrt() * 1e-3
    };
    let times: Vec<f64> = (0..=400).map(|i| 0.01 * f64::from(i)).collect();
    let values: Vec<f64> = times.iter().map(|t| f(*t) + noise()).collect();
    for degree in [3, 5, 7] {
        let spline = Spline::fit(&times, &values, &Fit { degree, smoothing: 1e-3, ..Fit::default() }).unwrap();
        let square = |(t, y): (&f64, &f64)| (spline.derivative(*t, 0) - y).powi(2);
        let rms = (times.iter().zip(&values).map(square).sum::<f64>() / 401.0).sqrt();
        assert!((rms / 1e-3 - 1.0).abs() < 1e-4, "degree {degree}: {rms}");
        let errors = |order: usize, exact: &dyn Fn(f64) -> f64| {
            (100..300)
                .map(|i| 0.01 * f64::from(i))
                .map(|t| (spline.derivative(t, order) - exact(t)).abs())
                .fold(0.0, f64::max)
        };
        // Through the noise itself the second derivative would be off by some 10 per unit.
        assert!(errors(0, &f) < 1e-3 && errors(1, &|t| 2.0 * (2.0 * t).cos()) < 0.02, "degree {degree}");
        assert!(errors(2, &|t| -4.0 * (2.0 * t).sin()) < 0.5, "degree {degree}");
    }
    // As smooth as can be: a straight line for degree 3.
    let line = Spline::fit(&times, &values, &Fit { degree: 3, smoothing: 10.0, ..Fit::default() }).unwrap();
    assert!((1..4).all(|t| line.derivative(f64::from(t), 2).abs() < 1e-6));
}

/// Pieces are found whatever the distances, at the knots and between.
#[test]
fn pieces_are_found() {
    let times: Vec<f64> = (0..200).map(|i| f64::from(i).powi(3)).collect();
    let values: Vec<f64> = times.iter().map(|t| 2.0 * t - 1.0).collect();
    let spline = through(&times, &values, 1);
    for t in times.iter().flat_map(|t| [t.next_down(), *t, t + 0.4]) {
        let clamped = t.clamp(0.0, times[199]);
        assert!((spline.derivative(t, 0) - (2.0 * clamped - 1.0)).abs() <= 1e-14 * clamped.max(1.0), "{t}");
    }
}

#[test]
fn what_is_no_spline() {
    let times = [0.0, 1.0, 2.0, 3.0];
    let fit = |times: &[f64], values: &[f64], fit: Fit| Spline::fit(times, values, &fit).unwrap_err();
    let plain = Fit { degree: 3, ..Fit::default() };
    assert_eq!(fit(&times, &times, Fit { degree: 4, ..plain }), FitError::Degree(4));
    assert_eq!(fit(&times, &times, Fit { degree: 9, ..plain }), FitError::Degree(9));
    let few = FitError::TooFew { degree: 7, needed: 4, found: 3 };
    assert_eq!(fit(&times[..3], &times[..3], Fit { degree: 7, ..plain }), few);
    assert_eq!(fit(&[0.0, 1.0, 1.0], &[0.0; 3], plain), FitError::Sample(2));
    assert_eq!(fit(&[0.0, 2.0, 1.0], &[0.0; 3], plain), FitError::Sample(2));
    assert_eq!(fit(&times, &[0.0, f64::NAN, 1.0, 2.0], plain), FitError::Sample(1));
    assert_eq!(fit(&times, &times, Fit { smoothing: -1.0, ..plain }), FitError::Smoothing(-1.0));
    assert_eq!(fit(&times, &times, Fit { smoothing: 1.0, degree: 0, ..plain }), FitError::Smoothing(1.0));
    let held = through(&times, &times, 3);
    assert!(held.holds(-1.0) && held.derivative(-1.0, 0).abs() < 1e-14);
    let bounded = Spline::fit(&times, &times, &Fit { outside: Outside::Error, ..plain }).unwrap();
    assert!(!bounded.holds(-1e-9) && bounded.holds(0.0) && bounded.holds(3.0) && !bounded.holds(3.1));
    assert!(bounded.derivative(-1.0, 0).is_nan() && bounded.derivative(3.0, 1) > 0.9);
}
