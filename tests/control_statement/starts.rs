//! Several starts.

use std::cell::Cell;

use lariat::tasks::Observer;
use lariat::tasks::optimal_control::run;

use crate::{gallery, solved, system};

fn cart_pole(starts: &str) -> String {
    let end = "end = { x = 1.0, theta = \"pi\" }";
    gallery("cart-pole", &[(end, &format!("{end}\nstarts = {starts}"))])
}

/// From the straight line alone the cart-pole ends at 29.4266; the better optimum of the reference (CasADi and IPOPT on the
/// same transcription, best of many starts) is 28.99849947 on 200 steps and 29.39150169 on 50.
#[test]
fn the_better_optimum_of_the_cart_pole_is_found() {
    let outcome = solved(&cart_pole("{ count = 10 }"));
    let report = &outcome.report;
    assert!((report.scalars["objective"] / 28.99849947 - 1.0).abs() < 1e-7, "{:?}", report.scalars);
    let optima = report.optima.as_ref().unwrap();
    assert_eq!((optima.starts, optima.seed, optima.time_steps), (10, 1, 50));
    assert!((optima.found[0].objective / 29.39150169 - 1.0).abs() < 1e-7, "{optima:?}");
    assert!(optima.found[0].continued && !optima.found[1].continued);
    assert!(optima.found.windows(2).all(|pair| pair[0].objective <= pair[1].objective));
    // The guess itself leads to the optimum that the gallery file expects.
    let cold = optima.found.iter().find(|optimum| optimum.first == 1).unwrap();
    assert!((cold.objective / 29.76852747 - 1.0).abs() < 1e-7, "{cold:?}");
    let reached: usize = optima.found.iter().map(|optimum| optimum.reached).sum();
    assert_eq!(reached + optima.failures.values().sum::<usize>(), 10);
}

/// The same seed gives the same bits, whatever the number of threads; another seed gives other starts.
#[test]
fn reruns_are_identical() {
    let text = cart_pole("{ count = 4, seed = 3 }");
    let on = |threads: usize| {
        let pool = rayon_pool(threads);
        pool.install(|| solved(&text))
    };
    let (first, second) = (on(1), on(2));
    assert_eq!(first.report.optima, second.report.optima);
    assert_eq!(first.motion, second.motion);
    assert_eq!(first.actuation, second.actuation);
    let other = solved(&cart_pole("{ count = 4, seed = 4 }")).report.optima.unwrap();
    let iterations = |optima: &lariat::results::Optima| {
        optima.found.iter().map(|o| (o.least_iterations, o.most_iterations, o.reached)).collect::<Vec<_>>()
    };
    assert_ne!(iterations(&first.report.optima.unwrap()), iterations(&other));
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// A linear system with a quadratic cost has one optimum, which every start must reach.
#[test]
fn a_convex_problem_has_one_optimum() {
    let text = gallery("fuel-double-integrator", &[("fuel = 1.0", "effort = 1.0")])
        .replace("end = { x = 1.0 }", "end = { x = 1.0 }\nstarts = { count = 5, spread = 2.0 }");
    let optima = solved(&text).report.optima.unwrap();
    assert_eq!((optima.found.len(), optima.found[0].reached), (1, 5), "{optima:?}");
}

/// Stops after some progress was told.
struct Impatient(Cell<usize>);

impl Observer for Impatient {
    fn progress(&mut self, done: usize) {
        self.0.set(done);
    }

    fn interrupted(&self) -> bool {
        self.0.get() >= 1
    }
}

#[test]
fn an_interruption_ends_all_starts() {
    let outcome = run(&system(&cart_pole("{ count = 200 }")), &mut Impatient(Cell::new(0)));
    assert_eq!(outcome.report.status, "interrupted");
    let optima = outcome.report.optima.as_ref().unwrap();
    assert!(optima.failures["interrupted"] > 100, "{optima:?}");
}
