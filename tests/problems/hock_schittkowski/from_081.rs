//! Problems 83 to 100 but 88 to 92.

use super::build::*;
use super::{HockSchittkowski as Hs, program};

fn hs83(g: &Graph) {
    let [x1, x2, x3, x4, x5] =
        bounded(g, [78.0, 33.0, 27.0, 27.0, 27.0], [78.0, 33.0, 27.0, 27.0, 27.0], [102.0, 45.0, 45.0, 45.0, 45.0]);
    let first = 85.334407 + 5.6858e-3 * x2 * x5 + 6.262e-4 * x1 * x4 - 2.2053e-3 * x3 * x5;
    let second = 80.51249 + 7.1317e-3 * x2 * x5 + 2.9955e-3 * x1 * x2 + 2.1813e-3 * x3.square() - 90.0;
    let third = 9.300961 + 4.7026e-3 * x3 * x5 + 1.2547e-3 * x1 * x3 + 1.9085e-3 * x3 * x4 - 20.0;
    g.subject_to("row 1", first, 0.0, 92.0);
    g.subject_to("row 2", second, 0.0, 20.0);
    g.subject_to("row 3", third, 0.0, 5.0);
    g.minimise(5.3578547 * x3.square() + 0.8356891 * x1 * x5 + 37.293239 * x1 - 40792.141);
}

fn hs84(g: &Graph) {
    let x @ [x1, ..] =
        bounded(g, [2.52, 2.0, 37.5, 9.25, 6.8], [0.0, 1.2, 20.0, 9.0, 6.5], [1000.0, 2.4, 60.0, 9.3, 7.0]);
    let product = |a: [f64; 5]| x1 * (a[0] + dot(g, &a[1..], &x[1..]));
    g.subject_to("row 1", product([-145421.402, 2931.1506, -40.427932, 5106.192, 15711.36]), 0.0, 294e3);
    g.subject_to("row 2", product([-155011.1084, 4360.53352, 12.9492344, 10236.884, 13176.786]), 0.0, 294e3);
    g.subject_to("row 3", product([-326669.5104, 7390.68412, -27.8986976, 16643.076, 30988.146]), 0.0, 277.2e3);
    g.minimise(24345.0 - product([-8720288.849, 150512.5253, -156.6950325, 476470.3222, 729482.8271]));
}

/// A chemical process of 17 quantities y and their bounds.
fn hs85(g: &Graph) {
    let [x1, x2, x3, x4, x5] = bounded(
        g,
        [900.0, 80.0, 115.0, 267.0, 27.0],
        [704.4148, 68.6, 0.0, 193.0, 25.0],
        [906.3855, 288.88, 134.75, 287.0966, 84.1988],
    );
    let y1 = x2 + x3 + 41.6;
    let y2 = 12.5 / (0.024 * x4 - 4.62) + 12.0;
    let y3 = (3.535e-4 * x1.square() + 0.5311 * x1 + 0.08705 * y2 * x1) / (0.052 * x1 + 78.0 + 2.377e-3 * y2 * x1);
    let y4 = 19.0 * y3;
    let rest = x1 - y3;
    let c4 = 0.04782 * rest + 0.1956 * rest.square() / x2 + 0.6376 * y4 + 1.594 * y3;
    let y5 = (rest - y4) * (0.95 - c4 / (100.0 * x2));
    let y6 = rest - y4 - y5;
    let c8 = 0.995 * (y5 + y4);
    let y7 = c8 / y1;
    let y8 = c8 / 3798.0;
    let y9 = 96.82 / (y7 - 0.0663 * y7 / y8 - 0.3153) + 0.321 * y1;
    let y10 = 1.29 * y5 + 1.258 * y4 + 2.29 * y3 + 1.71 * y6;
    let y11 = 1.71 * x1 - 0.452 * y4 + 0.58 * y3;
    let c12 = 0.995 * y10 + 1998.0;
    let y12 = 12.3 / 752.3 * x1 + 1.74125 * y2 * x1 / c12;
    let y13 = c12 - 1.75 * y2;
    let c17 = y9 + x5;
    let y14 = 3623.0 + 64.4 * x2 + 58.4 * x3 + 146312.0 / c17;
    let c13 = 0.995 * y10 + 60.8 * x2 + 48.0 * x4 - 0.1121 * y14 - 5095.0;
    let y15 = y13 / c13;
    let y16 = 148e3 - 331e3 * y15 + 40.0 * y13 - 61.0 * y15 * y13;
    let y17 = 1.413e7 - 1328.0 * y10 - 531.0 * y11 + (2324.0 * y10 - 2.874e7 * y2) / c12;
    let c15 = y13 / y15 - y13 / 0.52;
    let c16 = 1.104 - 0.72 * y15;
    at_least(g, "row 1", 1.5 * x2 - x3, 0.0);
    at_least(g, "row 2", y4 - 0.28 / 0.72 * y5, 0.0);
    at_least(g, "row 3", 21.0 - 3496.0 * y2 / c12, 0.0);
    at_least(g, "row 4", 62212.0 / c17 - 110.6 - y1, 0.0);
    let y = [y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17];
    for (i, (y, bounds)) in y.iter().zip(table(include_str!("../data/hs85.txt"))).enumerate() {
        g.subject_to(format!("quantity {}", i + 1), *y, bounds[0], bounds[1]);
    }
    g.minimise(
        -5.843e-7 * y17
            + 1.17e-4 * y14
            + 0.1365
            + 2.358e-5 * y13
            + 1.502e-6 * y16
            + 0.0321 * y12
            + 4.324e-3 * y5
            + 1e-4 * c15 / c16
            + 37.48 * y2 / c12,
    );
}

/// The first problem of Colville's study; problem 117 is its dual.
fn hs86(g: &Graph) {
    let x = above(g, [0.0, 0.0, 0.0, 0.0, 1.0], [0.0; 5]);
    let colville = Colville::read();
    for (i, (row, b)) in colville.a.iter().zip(&colville.b).enumerate() {
        at_least(g, &format!("row {}", i + 1), dot(g, row, &x), *b);
    }
    let quadratic = g.sum((0..5).map(|j| dot(g, &colville.c[j], &x) * x[j]));
    let cubic = g.sum((0..5).map(|j| colville.d[j] * x[j].powi(3)));
    g.minimise(dot(g, &colville.e, &x) + quadratic + cubic);
}

/// The numbers of problems 86 and 117: e·x + xᵀC x + Σ dⱼ xⱼ³ under A x ≥ b.
pub struct Colville {
    pub e: Vec<f64>,
    pub d: Vec<f64>,
    pub c: Vec<Vec<f64>>,
    pub a: Vec<Vec<f64>>,
    pub b: Vec<f64>,
}

impl Colville {
    pub fn read() -> Self {
        let rows = table(include_str!("../data/hs86.txt"));
        let (a, b) = rows[7..].iter().map(|row| (row[..5].to_vec(), row[5])).unzip();
        Self { e: rows[0].clone(), d: rows[1].clone(), c: rows[2..7].to_vec(), a, b }
    }
}

/// Two electric stations. The cost per unit rises with the units beyond 300, and beyond 100 and 200.
#[allow(clippy::approx_constant)]
fn hs87(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6] = bounded(
        g,
        [390.0, 1000.0, 419.5, 340.5, 198.175, 0.5],
        [0.0, 0.0, 340.0, 340.0, -1000.0, 0.0],
        [400.0, 1000.0, 420.0, 420.0, 1000.0, 0.5236],
    );
    const A: f64 = 131.078;
    const B: f64 = 1.48477;
    let (cosine, sine) = (0.90798 / A * 1.47588_f64.cos(), 0.90798 / A * 1.47588_f64.sin());
    let flow = x3 * x4 / A;
    equal(g, "power 1", 300.0 - x1 - flow * (B - x6).cos() + cosine * x3.square(), 0.0);
    equal(g, "power 2", -x2 - flow * (B + x6).cos() + cosine * x4.square(), 0.0);
    equal(g, "reactance 2", -x5 - flow * (B + x6).sin() + sine * x4.square(), 0.0);
    equal(g, "reactance 1", 200.0 - flow * (B - x6).sin() + sine * x3.square(), 0.0);
    g.minimise(30.0 * x1 + over(g, x1, 300.0) + 28.0 * x2 + over(g, x2, 100.0) + over(g, x2, 200.0));
}

/// max(x − units, 0).
fn over<'g>(g: &'g Graph, x: Expr<'g>, units: f64) -> Expr<'g> {
    (x - units).max(g.constant(0.0))
}

/// Design of a transformer.
fn hs93(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6] = above(g, [5.54, 4.4, 12.02, 11.82, 0.702, 0.852], [0.0; 6]);
    at_least(g, "rating", 1e-3 * x1 * x2 * x3 * x4 * x5 * x6 - 2.07, 0.0);
    let iron = x1 * x4 * (x1 + x2 + x3);
    let copper = x2 * x3 * (x1 + 1.57 * x2 + x4);
    at_least(g, "losses", 1.0 - 6.2e-4 * iron * x5.square() - 5.8e-4 * copper * x6.square(), 0.0);
    g.minimise(0.0204 * iron + 0.0187 * copper + 0.0607 * iron * x5.square() + 0.0437 * copper * x6.square());
}

/// Problems 95 to 98: one cost under four requirements.
fn requirements(g: &Graph, b: [f64; 4]) {
    let x @ [x1, _, x3, x4, x5, x6] = bounded(g, [0.0; 6], [0.0; 6], [0.31, 0.046, 0.068, 0.042, 0.028, 0.0134]);
    let first = dot(g, &[17.1, 38.2, 204.2, 212.3, 623.4, 1495.5], &x)
        - 169.0 * x1 * x3
        - 3580.0 * x3 * x5
        - 3810.0 * x4 * x5
        - 18500.0 * x4 * x6
        - 24300.0 * x5 * x6;
    let second = dot(g, &[17.9, 36.8, 113.9, 169.7, 337.8, 1385.2], &x)
        - 139.0 * x1 * x3
        - 2450.0 * x4 * x5
        - 16600.0 * x4 * x6
        - 17200.0 * x5 * x6;
    let third = dot(g, &[0.0, -273.0, 0.0, -70.0, -819.0, 0.0], &x) + 26000.0 * x4 * x5;
    let fourth = dot(g, &[159.9, -311.0, 0.0, 587.0, 391.0, 2198.0], &x) - 14000.0 * x1 * x6;
    for (i, (row, b)) in [first, second, third, fourth].into_iter().zip(b).enumerate() {
        at_least(g, &format!("requirement {}", i + 1), row, b);
    }
    g.minimise(dot(g, &[4.3, 31.8, 63.3, 15.8, 68.5, 4.7], &x));
}

/// Steering a rocket by seven angles: horizontal velocity with height and climb prescribed at the end.
fn hs99(g: &Graph) {
    const ACCELERATION: [f64; 7] = [50.0, 50.0, 75.0, 75.0, 75.0, 100.0, 100.0];
    const TIME: [f64; 8] = [0.0, 25.0, 50.0, 100.0, 150.0, 200.0, 290.0, 380.0];
    let angles = bounded(g, [0.5; 7], [0.0; 7], [1.58; 7]);
    let zero = g.constant(0.0);
    let (mut height, mut climb, mut velocity) = (zero, zero, zero);
    for (i, angle) in angles.into_iter().enumerate() {
        let step = TIME[i + 1] - TIME[i];
        let lift = ACCELERATION[i] * angle.sin() - 32.0;
        height = height + step * climb + 0.5 * step * step * lift;
        climb = climb + step * lift;
        velocity = velocity + step * ACCELERATION[i] * angle.cos();
    }
    equal(g, "height", height, 1e5);
    equal(g, "climb", climb, 1e3);
    g.minimise(-velocity.square());
}

fn hs100(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7] = free(g, [1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0]);
    at_least(g, "row 1", 127.0 - 2.0 * x1.square() - 3.0 * x2.powi(4) - x3 - 4.0 * x4.square() - 5.0 * x5, 0.0);
    at_least(g, "row 2", 282.0 - 7.0 * x1 - 3.0 * x2 - 10.0 * x3.square() - x4 + x5, 0.0);
    at_least(g, "row 3", 196.0 - 23.0 * x1 - x2.square() - 6.0 * x6.square() + 8.0 * x7, 0.0);
    at_least(
        g,
        "row 4",
        -4.0 * x1.square() - x2.square() + 3.0 * x1 * x2 - 2.0 * x3.square() - 5.0 * x6 + 11.0 * x7,
        0.0,
    );
    g.minimise(
        (x1 - 10.0).square()
            + 5.0 * (x2 - 12.0).square()
            + x3.powi(4)
            + 3.0 * (x4 - 11.0).square()
            + 10.0 * x5.powi(6)
            + 7.0 * x6.square()
            + x7.powi(4)
            - 4.0 * x6 * x7
            - 10.0 * x6
            - 8.0 * x7,
    );
}

pub fn all() -> Vec<Hs> {
    // One requirement and the bounds of x5 and x6 are active in 97 and 98, one requirement alone in 95 and 96.
    let x6 = 4.97 / 1495.5;
    let x1 = (32.97 - 623.4 * 0.028 - 1495.5 * 0.0134 + 24300.0 * 0.028 * 0.0134) / 17.1;
    let (cheap, dear) = ([0.0, 0.0, 0.0, 0.0, 0.0, x6], [x1, 0.0, 0.0, 0.0, 0.028, 0.0134]);
    let dear_cost = 4.3 * x1 + 68.5 * 0.028 + 4.7 * 0.0134;
    vec![
        Hs::new(83, "HS83", program!(hs83), -30665.5386718, &[78.0, 33.0, 29.99525602568, 45.0, 36.77581290579]),
        Hs::new(84, "HS84", program!(hs84), -5280335.13321, &[4.537430974655, 2.4, 60.0, 9.3, 7.0]),
        Hs::new(
            85,
            "HS85",
            program!(hs85),
            -1.90515525854,
            &[705.174537067, 68.6, 102.9, 282.3249315941, 37.5841164249],
        ),
        Hs::new(
            86,
            "HS86",
            program!(hs86),
            -32.3486789657,
            &[0.3000000000007, 0.3334676065344, 0.4000000000004, 0.4283101047812, 0.2239648735611],
        )
        .start(20.0),
        Hs::new(
            87,
            "HS87",
            program!(hs87),
            8827.5977355,
            &[107.8119108435, 196.3186348343, 373.8307251782, 420.0, 21.30714199731, 0.1532919773451],
        )
        .note("the book's cost jumps by 100 at x2 = 100; here it is continuous, so that the optimum is 100 less"),
        Hs::new(
            93,
            "HS93",
            program!(hs93),
            135.075962829,
            &[5.332666335529, 4.656744059172, 10.43299194047, 12.08230634006, 0.7526074362238, 0.8786508746591],
        )
        .start(137.066),
        Hs::new(95, "HS95", program!(|g: &Graph| requirements(g, [4.97, -1.88, -29.08, -78.02])), 4.7 * x6, &cheap)
            .start(0.0),
        Hs::new(96, "HS96", program!(|g: &Graph| requirements(g, [4.97, -1.88, -69.08, -118.02])), 4.7 * x6, &cheap)
            .start(0.0),
        Hs::new(97, "HS97", program!(|g: &Graph| requirements(g, [32.97, 25.12, -29.08, -78.02])), dear_cost, &dear)
            .start(0.0)
            .others(&[4.07125]),
        Hs::new(98, "HS98", program!(|g: &Graph| requirements(g, [32.97, 25.12, -124.08, -173.02])), dear_cost, &dear)
            .start(0.0)
            .others(&[4.07125]),
        Hs::new(
            99,
            "HS99",
            program!(hs99),
            -831079891.51,
            &[
                0.5424678162123,
                0.529021424202,
                0.5084491553164,
                0.4802688509618,
                0.4512363497966,
                0.409183082421,
                0.3527878917811,
            ],
        ),
        Hs::new(
            100,
            "HS100",
            program!(hs100),
            680.630057374,
            &[
                2.33049937288,
                1.951372372897,
                -0.4775413923889,
                4.365726233656,
                -0.6244869705268,
                1.038131018608,
                1.594226711612,
            ],
        )
        .start(714.0),
    ]
}
