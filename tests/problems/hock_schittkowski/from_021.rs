//! Problems 21 to 40.

use super::build::*;
use super::{HockSchittkowski as Hs, program};

fn hs21(g: &Graph) {
    let [x, y] = bounded(g, [-1.0, -1.0], [2.0, -50.0], [50.0, 50.0]);
    at_least(g, "line", 10.0 * x - y - 10.0, 0.0);
    g.minimise(0.01 * x.square() + y.square() - 100.0);
}

fn hs22(g: &Graph) {
    let [x, y] = free(g, [2.0, 2.0]);
    at_most(g, "line", x + y, 2.0);
    at_least(g, "parabola", y - x.square(), 0.0);
    g.minimise((x - 2.0).square() + (y - 1.0).square());
}

fn hs23(g: &Graph) {
    let [x, y] = bounded(g, [3.0, 1.0], [-50.0; 2], [50.0; 2]);
    at_least(g, "line", x + y, 1.0);
    at_least(g, "circle", x.square() + y.square(), 1.0);
    at_least(g, "ellipse", 9.0 * x.square() + y.square(), 9.0);
    at_least(g, "standing parabola", x.square() - y, 0.0);
    at_least(g, "lying parabola", y.square() - x, 0.0);
    g.minimise(x.square() + y.square());
}

fn hs24(g: &Graph) {
    let [x, y] = above(g, [1.0, 0.5], [0.0; 2]);
    let root = 3.0_f64.sqrt();
    at_least(g, "upper side", x / root - y, 0.0);
    at_least(g, "left side", x + root * y, 0.0);
    at_most(g, "right side", x + root * y, 6.0);
    g.minimise(((x - 3.0).square() - 9.0) * y.powi(3) / (27.0 * root));
}

fn hs25(g: &Graph) {
    let [x1, x2, x3] = bounded(g, [100.0, 12.5, 3.0], [0.1, 0.0, 0.0], [100.0, 25.6, 5.0]);
    g.minimise(g.sum((1..100).map(|i| {
        let share = f64::from(i) / 100.0;
        let u = 25.0 + (-50.0 * share.ln()).powf(2.0 / 3.0);
        ((-(u - x2).pow(x3) / x1).exp() - share).square()
    })));
}

fn hs26(g: &Graph) {
    let [x, y, z] = free(g, [-2.6, 2.0, 2.0]);
    equal(g, "surface", (1.0 + y.square()) * x + z.powi(4) - 3.0, 0.0);
    g.minimise((x - y).square() + (y - z).powi(4));
}

fn hs27(g: &Graph) {
    let [x, y, z] = free(g, [2.0; 3]);
    equal(g, "parabola", x + z.square() + 1.0, 0.0);
    g.minimise(0.01 * (x - 1.0).square() + (y - x.square()).square());
}

fn hs28(g: &Graph) {
    let [x, y, z] = free(g, [-4.0, 1.0, 1.0]);
    equal(g, "plane", x + 2.0 * y + 3.0 * z - 1.0, 0.0);
    g.minimise((x + y).square() + (y + z).square());
}

fn hs29(g: &Graph) {
    let [x, y, z] = free(g, [1.0; 3]);
    at_most(g, "ellipsoid", x.square() + 2.0 * y.square() + 4.0 * z.square(), 48.0);
    g.minimise(-x * y * z);
}

fn hs30(g: &Graph) {
    let [x, y, z] = bounded(g, [1.0; 3], [1.0, -10.0, -10.0], [10.0; 3]);
    at_least(g, "cylinder", x.square() + y.square() - 1.0, 0.0);
    g.minimise(x.square() + y.square() + z.square());
}

fn hs31(g: &Graph) {
    let [x, y, z] = bounded(g, [1.0; 3], [-10.0, 1.0, -10.0], [10.0, 10.0, 1.0]);
    at_least(g, "hyperbola", x * y - 1.0, 0.0);
    g.minimise(9.0 * x.square() + y.square() + 9.0 * z.square());
}

fn hs32(g: &Graph) {
    let [x, y, z] = above(g, [0.1, 0.7, 0.2], [0.0; 3]);
    at_least(g, "cubic", 6.0 * y + 4.0 * z - x.powi(3) - 3.0, 0.0);
    equal(g, "simplex", 1.0 - x - y - z, 0.0);
    g.minimise((x + 3.0 * y + z).square() + 4.0 * (x - y).square());
}

fn hs33(g: &Graph) {
    let [x, y, z] = bounded(g, [0.0, 0.0, 3.0], [0.0; 3], [NONE, NONE, 5.0]);
    at_least(g, "cone", z.square() - y.square() - x.square(), 0.0);
    at_least(g, "sphere", x.square() + y.square() + z.square() - 4.0, 0.0);
    g.minimise((x - 1.0) * (x - 2.0) * (x - 3.0) + z);
}

fn hs34(g: &Graph) {
    let [x, y, z] = bounded(g, [0.0, 1.05, 2.9], [0.0; 3], [100.0, 100.0, 10.0]);
    at_least(g, "first exponential", y - x.exp(), 0.0);
    at_least(g, "second exponential", z - y.exp(), 0.0);
    g.minimise(-x);
}

fn hs35(g: &Graph) {
    let [x, y, z] = above(g, [0.5; 3], [0.0; 3]);
    at_least(g, "plane", 3.0 - x - y - 2.0 * z, 0.0);
    g.minimise(
        9.0 - 8.0 * x - 6.0 * y - 4.0 * z
            + 2.0 * x.square()
            + 2.0 * y.square()
            + z.square()
            + 2.0 * x * y
            + 2.0 * x * z,
    );
}

fn hs36(g: &Graph) {
    let [x, y, z] = bounded(g, [10.0; 3], [0.0; 3], [20.0, 11.0, 42.0]);
    at_least(g, "girth", 72.0 - x - 2.0 * y - 2.0 * z, 0.0);
    g.minimise(-x * y * z);
}

fn hs37(g: &Graph) {
    let [x, y, z] = bounded(g, [10.0; 3], [0.0; 3], [42.0; 3]);
    at_least(g, "girth", 72.0 - x - 2.0 * y - 2.0 * z, 0.0);
    at_least(g, "positive girth", x + 2.0 * y + 2.0 * z, 0.0);
    g.minimise(-x * y * z);
}

fn hs38(g: &Graph) {
    let [x1, x2, x3, x4] = bounded(g, [-3.0, -1.0, -3.0, -1.0], [-10.0; 4], [10.0; 4]);
    g.minimise(
        rosenbrock(x1, x2)
            + 90.0 * (x4 - x3.square()).square()
            + (1.0 - x3).square()
            + 10.1 * ((x2 - 1.0).square() + (x4 - 1.0).square())
            + 19.8 * (x2 - 1.0) * (x4 - 1.0),
    );
}

fn hs39(g: &Graph) {
    let [x1, x2, x3, x4] = free(g, [2.0; 4]);
    equal(g, "cubic", x2 - x1.powi(3) - x3.square(), 0.0);
    equal(g, "quadric", x1.square() - x2 - x4.square(), 0.0);
    g.minimise(-x1);
}

fn hs40(g: &Graph) {
    let [x1, x2, x3, x4] = free(g, [0.8; 4]);
    equal(g, "cubic", x1.powi(3) + x2.square() - 1.0, 0.0);
    equal(g, "product", x1.square() * x4 - x3, 0.0);
    equal(g, "square", x4.square() - x2, 0.0);
    g.minimise(-x1 * x2 * x3 * x4);
}

pub fn all() -> Vec<Hs> {
    let (two, three) = (2.0_f64.sqrt(), 3.0_f64.sqrt());
    let log = 10.0_f64.ln();
    vec![
        Hs::new(21, "HS21", program!(hs21), -99.96, &[2.0, 0.0]).start(-98.99),
        Hs::new(22, "HS22", program!(hs22), 1.0, &[1.0, 1.0]).start(1.0),
        Hs::new(23, "HS23", program!(hs23), 2.0, &[1.0, 1.0]).start(10.0).others(&[9.47214]),
        Hs::new(24, "HS24", program!(hs24), -1.0, &[3.0, three]).start(-0.013_364_59),
        Hs::new(25, "HS25", program!(hs25), 0.0, &[50.0, 25.0, 1.5])
            .start(32.835)
            .others(&[32.835])
            .note("the gradient nearly vanishes at the start: many codes stop there"),
        Hs::new(26, "HS26", program!(hs26), 0.0, &[1.0, 1.0, 1.0]).start(21.16),
        Hs::new(27, "HS27", program!(hs27), 0.04, &[-1.0, 1.0, 0.0]).start(4.01),
        Hs::new(28, "HS28", program!(hs28), 0.0, &[0.5, -0.5, 0.5]).start(13.0),
        Hs::new(29, "HS29", program!(hs29), -16.0 * two, &[4.0, 2.0 * two, 2.0]).start(-1.0),
        Hs::new(30, "HS30", program!(hs30), 1.0, &[1.0, 0.0, 0.0]).start(3.0),
        Hs::new(31, "HS31", program!(hs31), 6.0, &[1.0 / three, three, 0.0]).start(19.0),
        Hs::new(32, "HS32", program!(hs32), 1.0, &[0.0, 0.0, 1.0]).start(7.2),
        Hs::new(33, "HS33", program!(hs33), two - 6.0, &[0.0, two, two]).start(-3.0).others(&[-4.0, 2.0]),
        Hs::new(34, "HS34", program!(hs34), -log.ln(), &[log.ln(), log, 10.0]).start(0.0),
        Hs::new(35, "HS35", program!(hs35), 1.0 / 9.0, &[4.0 / 3.0, 7.0 / 9.0, 4.0 / 9.0]).start(2.25),
        Hs::new(36, "HS36", program!(hs36), -3300.0, &[20.0, 11.0, 15.0]).start(-1000.0),
        Hs::new(37, "HS37", program!(hs37), -3456.0, &[24.0, 12.0, 12.0]).start(-1000.0),
        Hs::new(38, "HS38", program!(hs38), 0.0, &[1.0; 4]).start(19192.0),
        Hs::new(39, "HS39", program!(hs39), -1.0, &[1.0, 1.0, 0.0, 0.0]).start(-2.0),
        Hs::new(40, "HS40", program!(hs40), -0.25, &[-1.0 / 3.0, -0.5, -11.0 / 12.0, -0.25].map(f64::exp2))
            .start(-0.4096)
            .others(&[0.0]),
    ]
}
