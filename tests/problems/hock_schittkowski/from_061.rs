//! Problems 61 to 81 but 68 and 69.

use super::build::*;
use super::{HockSchittkowski as Hs, program};
use std::f64::consts::SQRT_2;

fn hs61(g: &Graph) {
    let [x, y, z] = free(g, [0.0; 3]);
    equal(g, "first parabola", 3.0 * x - 2.0 * y.square() - 7.0, 0.0);
    equal(g, "second parabola", 4.0 * x - z.square() - 11.0, 0.0);
    g.minimise(4.0 * x.square() + 2.0 * y.square() + 2.0 * z.square() - 33.0 * x + 16.0 * y - 24.0 * z);
}

fn hs62(g: &Graph) {
    let [x, y, z] = bounded(g, [0.7, 0.2, 0.1], [0.0; 3], [1.0; 3]);
    equal(g, "simplex", x + y + z - 1.0, 0.0);
    let third = z + 0.03;
    let second = y + third;
    let first = x + second;
    let logs = 255.0 * (first / (0.09 * x + second)).ln()
        + 280.0 * (second / (0.07 * y + third)).ln()
        + 290.0 * (third / (0.13 * z + 0.03)).ln();
    g.minimise(-32.174 * logs);
}

fn hs63(g: &Graph) {
    let [x, y, z] = above(g, [2.0; 3], [0.0; 3]);
    equal(g, "plane", 8.0 * x + 14.0 * y + 7.0 * z - 56.0, 0.0);
    equal(g, "sphere", x.square() + y.square() + z.square() - 25.0, 0.0);
    g.minimise(1000.0 - x.square() - 2.0 * y.square() - z.square() - x * y - x * z);
}

fn hs64(g: &Graph) {
    let [x, y, z] = above(g, [1.0; 3], [1e-5; 3]);
    at_least(g, "cost", 1.0 - 4.0 / x - 32.0 / y - 120.0 / z, 0.0);
    g.minimise(5.0 * x + 5e4 / x + 20.0 * y + 7.2e4 / y + 10.0 * z + 1.44e5 / z);
}

fn hs65(g: &Graph) {
    let [x, y, z] = bounded(g, [-5.0, 5.0, 0.0], [-4.5, -4.5, -5.0], [4.5, 4.5, 5.0]);
    at_most(g, "ball", x.square() + y.square() + z.square(), 48.0);
    g.minimise((x - y).square() + (x + y - 10.0).square() / 9.0 + (z - 5.0).square());
}

fn hs66(g: &Graph) {
    let [x, y, z] = bounded(g, [0.0, 1.05, 2.9], [0.0; 3], [100.0, 100.0, 10.0]);
    at_least(g, "first exponential", y - x.exp(), 0.0);
    at_least(g, "second exponential", z - y.exp(), 0.0);
    g.minimise(0.2 * z - 0.8 * x);
}

/// The alkylation process. Yield and ratio satisfy one quadratic equation, octane number and dilution another; the book
/// iterates on both to 1e-3, here they are solved.
fn hs67(g: &Graph) {
    let [olefin, isobutane, acid] = bounded(g, [1745.0, 1.2e4, 110.0], [1e-5; 3], [2e3, 1.6e4, 120.0]);
    // (r − a) / 1.22 = 1.12 + 0.13167 r − 0.006667 r² with the ratio r and a = x2 / x1 − 1.
    let a = isobutane / olefin - 1.0;
    let p = 1.0 / 1.22 - 0.13167;
    let q = 1.12 + a / 1.22;
    let ratio = ((p * p + 4.0 * 0.006667 * q).sqrt() - p) / (2.0 * 0.006667);
    let alkylate = (ratio - a) * olefin / 1.22;
    let makeup = 1.22 * alkylate - olefin;
    // s (y2 (c − d s) + 1000 x3) = 98000 x3 with the acid strength s.
    let octane_without_acid = 86.35 + 1.098 * ratio - 0.038 * ratio.square() - 0.325 * 89.0;
    let c = 35.82 - 0.222 * (3.0 * octane_without_acid - 133.0);
    let d = 0.222 * 3.0 * 0.325;
    let linear = alkylate * c + 1e3 * acid;
    let discriminant = linear.square() - 4.0 * d * alkylate * 98e3 * acid;
    let strength = 2.0 * 98e3 * acid / (linear + discriminant.sqrt());
    let octane = octane_without_acid + 0.325 * strength;
    let number = 3.0 * octane - 133.0;
    let dilution = 35.82 - 0.222 * number;
    g.subject_to("alkylate yield", alkylate, 0.0, 5e3);
    g.subject_to("isobutane makeup", makeup, 0.0, 2e3);
    g.subject_to("acid strength", strength, 85.0, 93.0);
    g.subject_to("motor octane number", octane, 90.0, 95.0);
    g.subject_to("isobutane to olefin ratio", ratio, 3.0, 12.0);
    g.subject_to("acid dilution factor", dilution, 0.01, 4.0);
    g.subject_to("performance number", number, 145.0, 162.0);
    g.minimise(5.04 * olefin + 3.36 * makeup + 0.035 * isobutane + 10.0 * acid - 0.063 * alkylate * octane);
}

/// The least-squares problem prints 2 π with five digits.
#[allow(clippy::approx_constant)]
fn hs70(g: &Graph) {
    const OBSERVED: [f64; 19] = [
        0.00189, 0.1038, 0.268, 0.506, 0.577, 0.604, 0.725, 0.898, 0.947, 0.845, 0.702, 0.528, 0.385, 0.257, 0.159,
        0.0869, 0.0453, 0.01509, 0.00189,
    ];
    let [x1, x2, x3, x4] = bounded(g, [2.0, 4.0, 0.04, 2.0], [1e-5; 4], [100.0, 100.0, 1.0, 100.0]);
    let b = x3 + (1.0 - x3) * x4;
    at_least(g, "mixture", b, 0.0);
    let first = x3 * b.pow(x2) * (x2 / 6.2832).sqrt() * stirling(x2);
    let second = (1.0 - x3) * (b / x4).pow(x1) * (x1 / 6.2832).sqrt() * stirling(x1);
    g.minimise(g.sum(OBSERVED.iter().enumerate().map(|(i, observed)| {
        let c = if i == 0 { 0.1 } else { i as f64 } / 7.658;
        let u1 = first * ((x2 - 1.0) * c.ln()).exp() * (x2 * (1.0 - c * b)).exp();
        let u2 = second * ((x1 - 1.0) * c.ln()).exp() * (x1 * (1.0 - c * b / x4)).exp();
        (u1 + u2 - *observed).square()
    })));
}

/// Stirling's correction 1 / (1 + 1 / (12 x)).
fn stirling(x: Expr<'_>) -> Expr<'_> {
    12.0 * x / (12.0 * x + 1.0)
}

fn hs71(g: &Graph) {
    let [x1, x2, x3, x4] = bounded(g, [1.0, 5.0, 5.0, 1.0], [1.0; 4], [5.0; 4]);
    at_least(g, "product", x1 * x2 * x3 * x4, 25.0);
    equal(g, "sphere", x1.square() + x2.square() + x3.square() + x4.square(), 40.0);
    g.minimise(x1 * x4 * (x1 + x2 + x3) + x3);
}

fn hs72(g: &Graph) {
    let [x1, x2, x3, x4] = bounded(g, [1.0; 4], [1e-3; 4], [4e5, 3e5, 2e5, 1e5]);
    at_most(g, "first variance", 4.0 / x1 + 2.25 / x2 + 1.0 / x3 + 0.25 / x4, 0.0401);
    at_most(g, "second variance", 0.16 / x1 + 0.36 / x2 + 0.64 / x3 + 0.64 / x4, 0.010085);
    g.minimise(1.0 + x1 + x2 + x3 + x4);
}

/// Cattle feed.
fn hs73(g: &Graph) {
    let x @ [x1, x2, x3, x4] = above(g, [1.0; 4], [0.0; 4]);
    at_least(g, "oil", dot(g, &[2.3, 5.6, 11.1, 1.3], &x), 5.0);
    let spread = (0.28 * x1.square() + 0.19 * x2.square() + 20.5 * x3.square() + 0.62 * x4.square()).sqrt();
    at_least(g, "protein", dot(g, &[12.0, 11.9, 41.8, 52.1], &x) - 1.645 * spread, 21.0);
    equal(g, "shares", x1 + x2 + x3 + x4, 1.0);
    g.minimise(dot(g, &[24.55, 26.75, 39.0, 40.5], &x));
}

/// Problems 74 and 75: two generators, with phase angles of at most `a`.
fn generators(g: &Graph, a: f64) {
    let [x1, x2, x3, x4] = bounded(g, [0.0; 4], [0.0, 0.0, -a, -a], [1200.0, 1200.0, a, a]);
    at_least(g, "angle 4 over 3", x4 - x3 + a, 0.0);
    at_least(g, "angle 3 over 4", x3 - x4 + a, 0.0);
    equal(g, "bus 1", 1e3 * (-x3 - 0.25).sin() + 1e3 * (-x4 - 0.25).sin() + 894.8 - x1, 0.0);
    equal(g, "bus 2", 1e3 * (x3 - 0.25).sin() + 1e3 * (x3 - x4 - 0.25).sin() + 894.8 - x2, 0.0);
    equal(g, "bus 3", 1e3 * (x4 - 0.25).sin() + 1e3 * (x4 - x3 - 0.25).sin() + 1294.8, 0.0);
    g.minimise(3.0 * x1 + 1e-6 * x1.powi(3) + 2.0 * x2 + 2e-6 / 3.0 * x2.powi(3));
}

fn hs76(g: &Graph) {
    let [x1, x2, x3, x4] = above(g, [0.5; 4], [0.0; 4]);
    at_most(g, "row 1", x1 + 2.0 * x2 + x3 + x4, 5.0);
    at_most(g, "row 2", 3.0 * x1 + x2 + 2.0 * x3 - x4, 4.0);
    at_least(g, "row 3", x2 + 4.0 * x3, 1.5);
    g.minimise(
        x1.square() + 0.5 * x2.square() + x3.square() + 0.5 * x4.square() - x1 * x3 + x3 * x4 - x1 - 3.0 * x2 + x3 - x4,
    );
}

fn hs77(g: &Graph) {
    let [x1, x2, x3, x4, x5] = free(g, [2.0; 5]);
    equal(g, "row 1", x1.square() * x4 + (x4 - x5).sin() - 2.0 * SQRT_2, 0.0);
    equal(g, "row 2", x2 + x3.powi(4) * x4.square() - 8.0 - SQRT_2, 0.0);
    g.minimise(
        (x1 - 1.0).square() + (x1 - x2).square() + (x3 - 1.0).square() + (x4 - 1.0).powi(4) + (x5 - 1.0).powi(6),
    );
}

fn hs79(g: &Graph) {
    let [x1, x2, x3, x4, x5] = free(g, [2.0; 5]);
    equal(g, "row 1", x1 + x2.square() + x3.powi(3) - 2.0 - 3.0 * SQRT_2, 0.0);
    equal(g, "row 2", x2 - x3.square() + x4 + 2.0 - 2.0 * SQRT_2, 0.0);
    equal(g, "row 3", x1 * x5 - 2.0, 0.0);
    g.minimise((x1 - 1.0).square() + (x1 - x2).square() + (x2 - x3).square() + (x3 - x4).powi(4) + (x4 - x5).powi(4));
}

/// The equations of problems 78, 80 and 81; returns the product x1 x2 x3 x4 x5 and the cubic x1³ + x2³ + 1.
fn powell<'g>(g: &'g Graph, [x1, x2, x3, x4, x5]: [Expr<'g>; 5]) -> [Expr<'g>; 2] {
    equal(g, "sphere", x1.square() + x2.square() + x3.square() + x4.square() + x5.square() - 10.0, 0.0);
    equal(g, "products", x2 * x3 - 5.0 * x4 * x5, 0.0);
    let cubic = x1.powi(3) + x2.powi(3) + 1.0;
    equal(g, "cubic", cubic, 0.0);
    [x1 * x2 * x3 * x4 * x5, cubic]
}

fn hs78(g: &Graph) {
    let [product, _] = powell(g, free(g, [-2.0, 1.5, 2.0, -1.0, -1.0]));
    g.minimise(product);
}

fn powell_box(g: &Graph) -> [Expr<'_>; 5] {
    let bounds = [2.3, 2.3, 3.2, 3.2, 3.2];
    bounded(g, [-2.0, 2.0, 2.0, -1.0, -1.0], bounds.map(|b: f64| -b), bounds)
}

fn hs80(g: &Graph) {
    let [product, _] = powell(g, powell_box(g));
    g.minimise(product.exp());
}

fn hs81(g: &Graph) {
    let [product, cubic] = powell(g, powell_box(g));
    g.minimise(product.exp() - 0.5 * cubic.square());
}

pub fn all() -> Vec<Hs> {
    let powell = [-1.717143570394, 1.595709690184, 1.827245752927, -0.7636430781841, -0.7636430781841];
    vec![
        Hs::new(61, "HS61", program!(hs61), -143.646142198, &[5.326770135564, -2.118998632219, 3.210464225351])
            .start(0.0)
            .others(&[-81.9191]),
        Hs::new(62, "HS62", program!(hs62), -26272.5144873, &[0.6178126908127, 0.3282022231197, 0.05398508606764])
            .start(-25_698.3),
        Hs::new(63, "HS63", program!(hs63), 961.71517213, &[3.512121341875, 0.2169879415152, 3.552171154827])
            .start(976.0),
        Hs::new(64, "HS64", program!(hs64), 6299.84242792, &[108.7347049109, 85.12621279089, 204.3245966126])
            .start(266_035.0),
        Hs::new(65, "HS65", program!(hs65), 0.953528856805, &[3.650461725213, 3.650461725213, 4.62041755532])
            .start(1225.0 / 9.0),
        Hs::new(66, "HS66", program!(hs66), 0.518163274182, &[0.1841264879231, 1.202167873198, 3.327322322601])
            .start(0.58),
        Hs::new(67, "HS67", program!(hs67), -1162.02698006, &[1728.371443241, 16000.0, 98.13617652301]).note(
            "two implicit equations are solved exactly; the published -1162.0365 stems from an iteration to 1e-3",
        ),
        Hs::new(
            70,
            "HS70",
            program!(hs70),
            0.00749846357443,
            &[12.27697912762, 4.631748162869, 0.3128646302247, 2.029282825345],
        )
        .others(&[0.186349])
        .note("0.186349 is a strict local minimum on the bound x4 = 100, where the Hessian is positive definite"),
        Hs::new(71, "HS71", program!(hs71), 17.0140172892, &[1.0, 4.742999637264, 3.821149984185, 1.379408293173])
            .start(16.0)
            .others(&[27.1464]),
        Hs::new(
            72,
            "HS72",
            program!(hs72),
            727.679357714,
            &[193.4074272918, 179.5470760241, 185.0180633197, 168.7067910785],
        )
        .start(5.0),
        Hs::new(73, "HS73", program!(hs73), 29.8943781591, &[0.6355215686346, 0.0, 0.3127018807514, 0.0517765506135])
            .start(130.8),
        Hs::new(
            74,
            "HS74",
            program!(|g: &Graph| generators(g, 0.55)),
            5126.49810959,
            &[679.9453198512, 1026.06713261, 0.1188763644931, -0.3962335532032],
        )
        .start(0.0),
        Hs::new(
            75,
            "HS75",
            program!(|g: &Graph| generators(g, 0.48)),
            5174.41269538,
            &[776.1590265861, 925.1951384691, 0.05110892853835, -0.4288910714616],
        )
        .start(0.0),
        Hs::new(76, "HS76", program!(hs76), -103.0 / 22.0, &[3.0 / 11.0, 23.0 / 11.0, 0.0, 6.0 / 11.0]).start(-1.25),
        Hs::new(
            77,
            "HS77",
            program!(hs77),
            0.24150512879,
            &[1.166172189709, 1.182111388803, 1.380257043145, 1.506036273623, 0.6109201960431],
        )
        .start(4.0)
        .others(&[4.60256, 5.53336]),
        Hs::new(78, "HS78", program!(hs78), -2.91970040896, &powell).start(-6.0).others(&[-0.823595]),
        Hs::new(
            79,
            "HS79",
            program!(hs79),
            0.0787768208711,
            &[1.191127456311, 1.362603164962, 1.472817931512, 1.635016619168, 1.679081436166],
        )
        .start(1.0)
        .others(&[13.9668, 27.522, 86.5275]),
        Hs::new(80, "HS80", program!(hs80), 0.0539498477703, &powell).start((-8.0_f64).exp()).others(&[0.438851, 1.0]),
        Hs::new(81, "HS81", program!(hs81), 0.0539498477703, &powell)
            .start((-8.0_f64).exp() - 0.5)
            .others(&[0.438851, 1.0]),
    ]
}
