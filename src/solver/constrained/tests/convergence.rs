//! How fast, how surely and how reproducibly the methods converge.

use super::*;

#[test]
fn both_methods_find_the_published_solution_and_multipliers() {
    // Hock and Schittkowski 1981, problem 71; the multipliers are IPOPT's (sign: ∇f + Jᵀλ − z_L + z_U = 0).
    for method in Method::ALL {
        for barrier in [BarrierUpdate::Monotone, BarrierUpdate::Adaptive] {
            let solution = solved(&mut hs71(), &Options { method, barrier, ..Options::default() });
            assert_eq!(solution.status, Status::Solved, "{method:?}");
            assert!((solution.objective - 17.014_017_289_156_2).abs() < 1e-6, "{method:?} {}", solution.objective);
            let expected = [1.0, 4.742_999_641, 3.821_149_978, 1.379_408_293];
            let distance = solution.iterate.x.iter().zip(expected).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max);
            assert!(distance < 1e-6, "{method:?} {distance:e}");
            let Iterate { lambda, z_lower, .. } = &solution.iterate;
            assert!((lambda[0] + 0.552_293_66).abs() < 1e-5 && (lambda[1] - 0.161_468_56).abs() < 1e-5, "{lambda:?}");
            assert!((z_lower[0] - 1.087_871_21).abs() < 1e-5, "{z_lower:?}");
        }
    }
}

/// Equality problems make SQP the Lagrange-Newton method: errors square from step to step.
#[test]
fn lagrange_newton_converges_quadratically() {
    let mut program = stated(|g| {
        let (x, y) = (g.variable("x", 1.5, -NONE, NONE), g.variable("y", 0.6, -NONE, NONE));
        g.minimise(x.exp() + (x - 2.0 * y).square() + y.powi(4));
        g.subject_to("curve", x.square() + y.powi(3), 2.0, 2.0);
    });
    let options = Options { method: Method::Sqp, tolerance: 1e-14, ..Options::default() };
    let solution = solved(&mut program, &options);
    let errors: Vec<f64> = solution.iterations.iter().map(|r| r.inf_pr.max(r.inf_du)).collect();
    let fast: Vec<&[f64]> = errors.windows(3).filter(|e| e[0] < 1e-1 && e[2] > 1e-13).collect();
    assert!(!fast.is_empty(), "{errors:?}");
    for e in fast {
        let order = (e[2] / e[1]).ln() / (e[1] / e[0]).ln();
        assert!(order > 1.8, "order {order} in {errors:?}");
    }
    assert!(solution.iterations.iter().all(|r| r.iter == 0 || r.alpha == 1.0));
}

/// Powell's version of the Maratos effect: full steps increase objective and violation near the solution; second-order
/// corrections must let them pass (N. Maratos 1978).
#[test]
fn corrections_keep_steps_full_near_the_solution() {
    for method in Method::ALL {
        let mut program = stated(|g| {
            let angle = 0.3f64;
            let x = g.variable("x", angle.cos(), -NONE, NONE);
            let y = g.variable("y", angle.sin(), -NONE, NONE);
            g.minimise(2.0 * (x.square() + y.square() - 1.0) - x);
            g.subject_to("circle", x.square() + y.square(), 1.0, 1.0);
        });
        let solution = solved(&mut program, &Options { method, ..Options::default() });
        assert_eq!(solution.status, Status::Solved);
        assert!((solution.objective + 1.0).abs() < 1e-8);
        assert!(solution.iterations.iter().skip(1).all(|r| r.alpha == 1.0), "{method:?}");
        assert!(solution.iterations.iter().any(|r| r.corrected), "{method:?}");
    }
}

#[test]
fn maxima_and_saddle_points_are_left() {
    for method in Method::ALL {
        let mut program = stated(|g| {
            let (x, y) = (g.variable("x", 0.0, -2.0, 2.0), g.variable("y", 0.0, -2.0, 2.0));
            // Stationary at 0, with minima −1/4 at x = ±1/√2, y = 0.
            g.minimise(x.powi(4) - x.square() + y.square());
        });
        let solution = solved(&mut program, &Options { method, ..Options::default() });
        assert_eq!(solution.status, Status::Solved);
        assert!((solution.objective + 0.25).abs() < 1e-8, "{method:?} {}", solution.objective);
    }
}

#[test]
fn reruns_agree_to_the_last_bit() {
    for method in Method::ALL {
        let options = Options { method, ..Options::default() };
        let (first, second) = (solved(&mut hs71(), &options), solved(&mut hs71(), &options));
        assert_eq!(first, second);
    }
}

#[test]
fn an_interrupted_solve_returns_its_best_point() {
    let mut program = hs71();
    let start = Iterate::at(program.start());
    let solution = solve(&mut program, &start, &Options::default(), &mut |r| r.iter < 5).unwrap();
    assert_eq!(solution.status, Status::Interrupted);
    assert_eq!(solution.iterations.len(), 6);
    // The error of the point returned is the smallest of all points seen before the last.
    let full = solved(&mut program, &Options::default());
    let seen = full.iterations[..5].iter().map(|r| r.inf_pr.max(r.inf_du)).fold(f64::INFINITY, f64::min);
    assert!(solution.error <= 10.0 * seen && solution.message.is_some());

    let limited = solved(&mut program, &Options { max_iterations: 3, ..Options::default() });
    assert_eq!(limited.status, Status::IterationLimit);
    assert!(limited.message.unwrap().contains("largest violation"));
}

#[test]
fn a_warm_start_saves_iterations() {
    let perturbed = |radius: f64| {
        stated(move |g| {
            let x: Vec<_> = (0..4).map(|i| g.variable(format!("x{i}"), 2.0, 1.0, 5.0)).collect();
            g.minimise(x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]);
            g.subject_to("product", x[0] * x[1] * x[2] * x[3], 25.0, NONE);
            g.subject_to("sphere", g.sum(x.iter().map(|x| x.square())), radius, radius);
        })
    };
    let before = solved(&mut perturbed(40.0), &Options::default());
    for method in Method::ALL {
        let mut program = perturbed(40.1);
        let cold = solved(&mut program, &Options { method, ..Options::default() });
        let options = Options { method, warm: true, first_mu: 1e-6, ..Options::default() };
        let warm = solve(&mut program, &before.iterate, &options, &mut |_| true).unwrap();
        assert_eq!((cold.status, warm.status), (Status::Solved, Status::Solved));
        assert!((warm.objective - cold.objective).abs() < 1e-7);
        let (cold, warm) = (cold.iterations.len(), warm.iterations.len());
        assert!(2 * warm <= cold + 2, "{method:?}: {warm} warm, {cold} cold");
    }
}

/// min x² + y with x = 3 fixed and x + y = 5: the optimum 9 + 2 grows by 6 − 1 with the 3.
#[test]
fn fixed_variables_get_the_rate_of_the_optimum() {
    for method in Method::ALL {
        let mut program = stated(|g| {
            let (x, y) = (g.variable("x", 3.0, 3.0, 3.0), g.variable("y", 0.0, -NONE, NONE));
            g.subject_to("sum", x + y, 5.0, 5.0);
            g.minimise(x.square() + y);
        });
        let solution = solved(&mut program, &Options { method, ..Options::default() });
        assert_eq!((solution.status, solution.objective), (Status::Solved, 11.0));
        assert!((solution.iterate.z_lower[0] - 5.0).abs() < 1e-9 && solution.iterate.z_upper[0] == 0.0);
    }
}
