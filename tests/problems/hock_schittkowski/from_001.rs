//! Problems 1 to 20.

use super::build::*;
use super::{HockSchittkowski as Hs, program};
use std::f64::consts::PI;

fn rosenbrock_above(g: &Graph, lower: f64) {
    let [x, y] = above(g, [-2.0, 1.0], [-NONE, lower]);
    g.minimise(rosenbrock(x, y));
}

fn hs3(g: &Graph) {
    let [x, y] = above(g, [10.0, 1.0], [-NONE, 0.0]);
    g.minimise(y + 1e-5 * (y - x).square());
}

fn hs4(g: &Graph) {
    let [x, y] = above(g, [1.125, 0.125], [1.0, 0.0]);
    g.minimise((x + 1.0).powi(3) / 3.0 + y);
}

fn hs5(g: &Graph) {
    let [x, y] = bounded(g, [0.0, 0.0], [-1.5, -3.0], [4.0, 3.0]);
    g.minimise((x + y).sin() + (x - y).square() - 1.5 * x + 2.5 * y + 1.0);
}

fn hs6(g: &Graph) {
    let [x, y] = free(g, [-1.2, 1.0]);
    equal(g, "valley", 10.0 * (y - x.square()), 0.0);
    g.minimise((1.0 - x).square());
}

fn hs7(g: &Graph) {
    let [x, y] = free(g, [2.0, 2.0]);
    equal(g, "oval", (1.0 + x.square()).square() + y.square(), 4.0);
    g.minimise((1.0 + x.square()).ln() - y);
}

fn hs8(g: &Graph) {
    let [x, y] = free(g, [2.0, 1.0]);
    equal(g, "circle", x.square() + y.square(), 25.0);
    equal(g, "hyperbola", x * y, 9.0);
    g.minimise(g.constant(-1.0));
}

fn hs9(g: &Graph) {
    let [x, y] = free(g, [0.0, 0.0]);
    equal(g, "line", 4.0 * x - 3.0 * y, 0.0);
    g.minimise((PI / 12.0 * x).sin() * (PI / 16.0 * y).cos());
}

fn hs10(g: &Graph) {
    let [x, y] = free(g, [-10.0, 10.0]);
    at_least(g, "ellipse", -3.0 * x.square() + 2.0 * x * y - y.square() + 1.0, 0.0);
    g.minimise(x - y);
}

fn hs11(g: &Graph) {
    let [x, y] = free(g, [4.9, 0.1]);
    at_least(g, "parabola", y - x.square(), 0.0);
    g.minimise((x - 5.0).square() + y.square() - 25.0);
}

fn hs12(g: &Graph) {
    let [x, y] = free(g, [0.0, 0.0]);
    at_least(g, "ellipse", 25.0 - 4.0 * x.square() - y.square(), 0.0);
    g.minimise(0.5 * x.square() + y.square() - x * y - 7.0 * x - 7.0 * y);
}

fn hs13(g: &Graph) {
    let [x, y] = above(g, [-2.0, -2.0], [0.0, 0.0]);
    at_least(g, "cusp", (1.0 - x).powi(3) - y, 0.0);
    g.minimise((x - 2.0).square() + y.square());
}

fn hs14(g: &Graph) {
    let [x, y] = free(g, [2.0, 2.0]);
    at_least(g, "ellipse", 1.0 - 0.25 * x.square() - y.square(), 0.0);
    equal(g, "line", x - 2.0 * y + 1.0, 0.0);
    g.minimise((x - 2.0).square() + (y - 1.0).square());
}

fn hs15(g: &Graph) {
    let [x, y] = bounded(g, [-2.0, 1.0], [-NONE; 2], [0.5, NONE]);
    at_least(g, "hyperbola", x * y - 1.0, 0.0);
    at_least(g, "parabola", x + y.square(), 0.0);
    g.minimise(rosenbrock(x, y));
}

fn hs16(g: &Graph) {
    let [x, y] = bounded(g, [-2.0, 1.0], [-0.5, -NONE], [0.5, 1.0]);
    at_least(g, "lying parabola", x + y.square(), 0.0);
    at_least(g, "standing parabola", x.square() + y, 0.0);
    g.minimise(rosenbrock(x, y));
}

fn hs17(g: &Graph) {
    let [x, y] = bounded(g, [-2.0, 1.0], [-0.5, -NONE], [0.5, 1.0]);
    at_least(g, "lying parabola", y.square() - x, 0.0);
    at_least(g, "standing parabola", x.square() - y, 0.0);
    g.minimise(rosenbrock(x, y));
}

fn hs18(g: &Graph) {
    let [x, y] = bounded(g, [2.0, 2.0], [2.0, 0.0], [50.0, 50.0]);
    at_least(g, "hyperbola", x * y - 25.0, 0.0);
    at_least(g, "circle", x.square() + y.square() - 25.0, 0.0);
    g.minimise(0.01 * x.square() + y.square());
}

fn hs19(g: &Graph) {
    let [x, y] = bounded(g, [20.1, 5.84], [13.0, 0.0], [100.0, 100.0]);
    at_least(g, "inner circle", (x - 5.0).square() + (y - 5.0).square() - 100.0, 0.0);
    at_most(g, "outer circle", (y - 5.0).square() + (x - 6.0).square() - 82.81, 0.0);
    g.minimise((x - 10.0).powi(3) + (y - 20.0).powi(3));
}

fn hs20(g: &Graph) {
    let [x, y] = bounded(g, [-2.0, 1.0], [-0.5, -NONE], [0.5, NONE]);
    at_least(g, "lying parabola", x + y.square(), 0.0);
    at_least(g, "standing parabola", x.square() + y, 0.0);
    at_least(g, "circle", x.square() + y.square() - 1.0, 0.0);
    g.minimise(rosenbrock(x, y));
}

/// Minimiser of Rosenbrock's valley on y = 3/2: the largest root of 200 x³ − 299 x − 1 = 0.
fn hs2_abscissa() -> f64 {
    let w = (598.0_f64 / 1200.0).sqrt();
    2.0 * w * ((2.5e-3 / w.powi(3)).acos() / 3.0).cos()
}

/// Abscissa of the point of the parabola y = x² nearest to (5, 0): the root of 2 x³ + x − 5 = 0.
fn hs11_abscissa() -> f64 {
    let a = 7.5 * 6.0_f64.sqrt();
    let w = ((a * a + 1.0).sqrt() + a).cbrt();
    (w - 1.0 / w) / 6.0_f64.sqrt()
}

pub fn all() -> Vec<Hs> {
    let x2 = hs2_abscissa();
    let x11 = hs11_abscissa();
    let root = (17.280975_f64).sqrt();
    let radius = (25.0 + 301.0_f64.sqrt()) / 2.0;
    vec![
        Hs::new(1, "HS1", program!(|g: &Graph| rosenbrock_above(g, -1.5)), 0.0, &[1.0, 1.0]).start(909.0),
        Hs::new(
            2,
            "HS2",
            program!(|g: &Graph| rosenbrock_above(g, 1.5)),
            100.0 * (1.5 - x2 * x2).powi(2) + (1.0 - x2).powi(2),
            &[x2, 1.5],
        )
        .start(909.0)
        .others(&[4.94123]),
        Hs::new(3, "HS3", program!(hs3), 0.0, &[0.0, 0.0]).start(1.00081),
        Hs::new(4, "HS4", program!(hs4), 8.0 / 3.0, &[1.0, 0.0]).start(3.323_568),
        Hs::new(5, "HS5", program!(hs5), -(3.0_f64.sqrt()) / 2.0 - PI / 3.0, &[0.5 - PI / 3.0, -0.5 - PI / 3.0])
            .start(1.0)
            .others(&[1.22837]),
        Hs::new(6, "HS6", program!(hs6), 0.0, &[1.0, 1.0]).start(4.84),
        Hs::new(7, "HS7", program!(hs7), -(3.0_f64.sqrt()), &[0.0, 3.0_f64.sqrt()]).start(5.0_f64.ln() - 2.0),
        Hs::new(8, "HS8", program!(hs8), -1.0, &[radius.sqrt(), 9.0 / radius.sqrt()])
            .start(-1.0)
            .note("the objective is constant: a system of two equations"),
        Hs::new(9, "HS9", program!(hs9), -0.5, &[-3.0, -4.0])
            .start(0.0)
            .note("every (12 k - 3, 16 k - 4) with an integer k is a minimiser"),
        Hs::new(10, "HS10", program!(hs10), -1.0, &[0.0, 1.0]).start(-20.0),
        Hs::new(11, "HS11", program!(hs11), (x11 - 5.0).powi(2) + x11.powi(4) - 25.0, &[x11, x11 * x11]).start(-24.98),
        Hs::new(12, "HS12", program!(hs12), -30.0, &[2.0, 3.0]).start(0.0),
        Hs::new(13, "HS13", program!(hs13), 1.0, &[1.0, 0.0])
            .start(20.0)
            .no_multipliers()
            .note("the constraint qualification fails at the cusp: no multipliers exist"),
        Hs::new(
            14,
            "HS14",
            program!(hs14),
            9.0 - 23.0 * 7.0_f64.sqrt() / 8.0,
            &[(7.0_f64.sqrt() - 1.0) / 2.0, (7.0_f64.sqrt() + 1.0) / 4.0],
        )
        .start(1.0),
        Hs::new(15, "HS15", program!(hs15), 306.5, &[0.5, 2.0]).start(909.0).others(&[360.38]),
        Hs::new(16, "HS16", program!(hs16), 0.25, &[0.5, 0.25]).start(909.0).others(&[23.1447]),
        Hs::new(17, "HS17", program!(hs17), 1.0, &[0.0, 0.0]).start(909.0),
        Hs::new(18, "HS18", program!(hs18), 5.0, &[250.0_f64.sqrt(), 2.5_f64.sqrt()]).start(4.04),
        Hs::new(19, "HS19", program!(hs19), 4.095_f64.powi(3) - (15.0 + root).powi(3), &[14.095, 5.0 - root])
            .start(-1_808.858_296),
        Hs::new(20, "HS20", program!(hs20), 81.5 - 25.0 * 3.0_f64.sqrt(), &[0.5, 0.75_f64.sqrt()])
            .start(909.0)
            .others(&[40.1987]),
    ]
}
