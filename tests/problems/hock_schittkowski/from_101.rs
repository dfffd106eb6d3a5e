//! Problems 101 to 109.

use super::build::*;
use super::{HockSchittkowski as Hs, program};

/// Problems 101 to 103: a geometric program with the exponent `a`.
fn geometric(g: &Graph, a: f64) {
    let mut lower = [0.1; 7];
    lower[6] = 0.01;
    let [x1, x2, x3, x4, x5, x6, x7] = bounded(g, [6.0; 7], lower, [10.0; 7]);
    at_least(
        g,
        "row 1",
        1.0 - 0.5 * x1.sqrt() * x7 / (x3 * x6.square())
            - 0.7 * x1.powi(3) * x2 * x6 * x7.sqrt() / x3.square()
            - 0.2 * x3 * x6.powf(2.0 / 3.0) * x7.powf(0.25) / (x2 * x4.sqrt()),
        0.0,
    );
    at_least(
        g,
        "row 2",
        1.0 - 1.3 * x2 * x6 / (x1.sqrt() * x3 * x5)
            - 0.8 * x3 * x6.square() / (x4 * x5)
            - 3.1 * x2.sqrt() * x6.powf(1.0 / 3.0) / (x1 * x4.square() * x5),
        0.0,
    );
    at_least(
        g,
        "row 3",
        1.0 - 2.0 * x1 * x5 * x7.powf(1.0 / 3.0) / (x3.powf(1.5) * x6)
            - 0.1 * x2 * x5 / (x3.sqrt() * x6 * x7.sqrt())
            - x2 * x3.sqrt() * x5 / x1
            - 0.65 * x3 * x5 * x7 / (x2.square() * x6),
        0.0,
    );
    at_least(
        g,
        "row 4",
        1.0 - 0.2 * x2 * x5.sqrt() * x7.powf(1.0 / 3.0) / (x1.square() * x4)
            - 0.3 * x1.sqrt() * x2.square() * x3 * x4.powf(1.0 / 3.0) * x7.powf(0.25) / x5.powf(2.0 / 3.0)
            - 0.4 * x3 * x5 * x7.powf(0.75) / (x1.powi(3) * x2.square())
            - 0.5 * x4 * x7.sqrt() / x3.square(),
        0.0,
    );
    let cost = 10.0 * x1 * x4.square() * x7.powf(a) / (x2 * x6.powi(3))
        + 15.0 * x3 * x4 / (x1 * x2.square() * x5 * x7.sqrt())
        + 20.0 * x2 * x6 / (x1.square() * x4 * x5.square())
        + 25.0 * x1.square() * x2.square() * x5.sqrt() * x7 / (x3 * x6.square());
    g.subject_to("cost", cost, 100.0, 3000.0);
    g.minimise(cost);
}

/// Design of two reactors.
fn hs104(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8] = bounded(g, [6.0, 3.0, 0.4, 0.2, 6.0, 6.0, 1.0, 0.5], [0.1; 8], [10.0; 8]);
    at_least(g, "row 1", 1.0 - 0.0588 * x5 * x7 - 0.1 * x1, 0.0);
    at_least(g, "row 2", 1.0 - 0.0588 * x6 * x8 - 0.1 * x1 - 0.1 * x2, 0.0);
    at_least(g, "row 3", reaction(x3, x5, x7), 0.0);
    at_least(g, "row 4", reaction(x4, x6, x8), 0.0);
    let cost = 0.4 * (x1 / x7).powf(0.67) + 0.4 * (x2 / x8).powf(0.67) + 10.0 - x1 - x2;
    g.subject_to("cost", cost, 1.0, 4.2);
    g.minimise(cost);
}

fn reaction<'g>(x: Expr<'g>, y: Expr<'g>, z: Expr<'g>) -> Expr<'g> {
    1.0 - 4.0 * x / y - 2.0 * x.powf(-0.71) / y - 0.0588 * x.powf(-1.3) * z
}

/// Maximum likelihood of three normal distributions.
fn hs105(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8] = bounded(
        g,
        [0.1, 0.2, 100.0, 125.0, 175.0, 11.2, 13.2, 15.8],
        [1e-3, 1e-3, 100.0, 130.0, 170.0, 5.0, 5.0, 5.0],
        [0.499, 0.499, 180.0, 210.0, 240.0, 25.0, 25.0, 25.0],
    );
    at_least(g, "shares", 1.0 - x1 - x2, 0.0);
    let observed = table(include_str!("../data/hs105.txt"));
    let root = (2.0 * std::f64::consts::PI).sqrt();
    g.minimise(g.sum(observed.iter().map(|row| {
        let density = x1 / x6 * (-(row[0] - x3).square() / (2.0 * x6.square())).exp()
            + x2 / x7 * (-(row[0] - x4).square() / (2.0 * x7.square())).exp()
            + (1.0 - x1 - x2) / x8 * (-(row[0] - x5).square() / (2.0 * x8.square())).exp();
        -row[1] * (density / root).ln()
    })));
}

/// Design of a heat exchanger.
fn hs106(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8] = bounded(
        g,
        [5000.0, 5000.0, 5000.0, 200.0, 350.0, 150.0, 225.0, 425.0],
        [100.0, 1000.0, 1000.0, 10.0, 10.0, 10.0, 10.0, 10.0],
        [1e4, 1e4, 1e4, 1e3, 1e3, 1e3, 1e3, 1e3],
    );
    at_least(g, "row 1", 1.0 - 0.0025 * (x4 + x6), 0.0);
    at_least(g, "row 2", 1.0 - 0.0025 * (x5 + x7 - x4), 0.0);
    at_least(g, "row 3", 1.0 - 0.01 * (x8 - x5), 0.0);
    at_least(g, "row 4", x1 * x6 - 833.33252 * x4 - 100.0 * x1 + 83333.333, 0.0);
    at_least(g, "row 5", x2 * x7 - 1250.0 * x5 - x2 * x4 + 1250.0 * x4, 0.0);
    at_least(g, "row 6", x3 * x8 - 1.25e6 - x3 * x5 + 2500.0 * x5, 0.0);
    g.minimise(x1 + x2 + x3);
}

/// Static power scheduling.
fn hs107(g: &Graph) {
    let (low, high) = (0.90909, 1.0909);
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9] = bounded(
        g,
        [0.8, 0.8, 0.2, 0.2, 1.0454, 1.0454, 1.0454, 0.0, 0.0],
        [0.0, 0.0, -NONE, -NONE, low, low, low, -NONE, -NONE],
        [NONE, NONE, NONE, NONE, high, high, high, NONE, NONE],
    );
    let scale = 48.4 / 50.176;
    let (c, d) = (scale * 0.25_f64.sin(), scale * 0.25_f64.cos());
    let (y1, y2, y3, y4) = (x8.sin(), x8.cos(), x9.sin(), x9.cos());
    let (y5, y6) = ((x8 - x9).sin(), (x8 - x9).cos());
    let (x56, x57, x67) = (x5 * x6, x5 * x7, x6 * x7);
    equal(g, "active 1", 0.4 - x1 + 2.0 * c * x5.square() - x56 * (d * y1 + c * y2) - x57 * (d * y3 + c * y4), 0.0);
    equal(g, "active 2", 0.4 - x2 + 2.0 * c * x6.square() + x56 * (d * y1 - c * y2) + x67 * (d * y5 - c * y6), 0.0);
    equal(g, "active 3", 0.8 + 2.0 * c * x7.square() + x57 * (d * y3 - c * y4) - x67 * (d * y5 + c * y6), 0.0);
    equal(g, "reactive 1", 0.2 - x3 + 2.0 * d * x5.square() + x56 * (c * y1 - d * y2) + x57 * (c * y3 - d * y4), 0.0);
    equal(g, "reactive 2", 0.2 - x4 + 2.0 * d * x6.square() - x56 * (c * y1 + d * y2) - x67 * (c * y5 + d * y6), 0.0);
    equal(g, "reactive 3", -0.337 + 2.0 * d * x7.square() - x57 * (c * y3 + d * y4) + x67 * (c * y5 - d * y6), 0.0);
    g.minimise(3000.0 * x1 + 1000.0 * x1.powi(3) + 2000.0 * x2 + 2000.0 / 3.0 * x2.powi(3));
}

/// The largest hexagon of diameter one.
fn hs108(g: &Graph) {
    let mut lower = [-NONE; 9];
    lower[8] = 0.0;
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9] = above(g, [1.0; 9], lower);
    let distances = [
        (x3, x4),
        (x5, x6),
        (x1, x2 - x9),
        (x1 - x5, x2 - x6),
        (x1 - x7, x2 - x8),
        (x3 - x5, x4 - x6),
        (x3 - x7, x4 - x8),
        (x7, x8 - x9),
    ];
    for (i, (a, b)) in distances.into_iter().enumerate() {
        at_most(g, &format!("distance {}", i + 1), a.square() + b.square(), 1.0);
    }
    at_most(g, "distance 9", x9.square(), 1.0);
    let areas = [x1 * x4 - x2 * x3, x3 * x9, -x5 * x9, x5 * x8 - x6 * x7];
    for (i, area) in areas.into_iter().enumerate() {
        at_least(g, &format!("area {}", i + 1), area, 0.0);
    }
    g.minimise(-0.5 * g.sum(areas));
}

/// Optimal dispatch of two generators.
fn hs109(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9] = bounded(
        g,
        [0.0; 9],
        [0.0, 0.0, -0.55, -0.55, 196.0, 196.0, 196.0, -400.0, -400.0],
        [NONE, NONE, 0.55, 0.55, 252.0, 252.0, 252.0, 800.0, 800.0],
    );
    at_least(g, "angle 4 over 3", x4 - x3 + 0.55, 0.0);
    at_least(g, "angle 3 over 4", x3 - x4 + 0.55, 0.0);
    at_least(g, "rating 1", 2.25e6 - x1.square() - x8.square(), 0.0);
    at_least(g, "rating 2", 2.25e6 - x2.square() - x9.square(), 0.0);
    let (b, c) = (0.25_f64.sin(), 0.25_f64.cos());
    let (x56, x57, x67) = (x5 * x6, x5 * x7, x6 * x7);
    let sines = [
        x56 * (-x3 - 0.25).sin() + x57 * (-x4 - 0.25).sin() + 2.0 * b * x5.square(),
        x56 * (x3 - 0.25).sin() + x67 * (x3 - x4 - 0.25).sin() + 2.0 * b * x6.square(),
        x57 * (x4 - 0.25).sin() + x67 * (x4 - x3 - 0.25).sin() + 2.0 * b * x7.square(),
    ];
    let cosines = [
        x56 * (-x3 - 0.25).cos() + x57 * (-x4 - 0.25).cos() - 2.0 * c * x5.square(),
        x56 * (x3 - 0.25).cos() + x67 * (x3 - x4 - 0.25).cos() - 2.0 * c * x6.square(),
        x57 * (x4 - 0.25).cos() + x67 * (x4 - x3 - 0.25).cos() - 2.0 * c * x7.square(),
    ];
    equal(g, "active 1", sines[0] / 50.176 + 400.0 - x1, 0.0);
    equal(g, "active 2", sines[1] / 50.176 + 400.0 - x2, 0.0);
    equal(g, "active 3", sines[2] / 50.176 + 881.779, 0.0);
    equal(g, "reactive 1", x8 + cosines[0] / 50.176 + 0.7533e-3 * x5.square() - 200.0, 0.0);
    equal(g, "reactive 2", x9 + cosines[1] / 50.176 + 0.7533e-3 * x6.square() - 200.0, 0.0);
    equal(g, "reactive 3", cosines[2] / 50.176 + 0.7533e-3 * x7.square() - 22.938, 0.0);
    g.minimise(3.0 * x1 + 1e-6 * x1.powi(3) + 2.0 * x2 + 0.522074e-6 * x2.powi(3));
}

pub fn all() -> Vec<Hs> {
    vec![
        Hs::new(
            101,
            "HS101",
            program!(|g: &Graph| geometric(g, -0.25)),
            1809.76476557,
            &[
                2.856158555755,
                0.6108230308035,
                2.150812562164,
                4.712873709241,
                0.9994875408575,
                1.347507504828,
                0.03165276650277,
            ],
        ),
        Hs::new(
            102,
            "HS102",
            program!(|g: &Graph| geometric(g, 0.125)),
            911.88057143,
            &[
                3.89625319107,
                0.8093587601054,
                2.664385993775,
                4.300912874793,
                0.8535549352486,
                1.095287444576,
                0.02731045965772,
            ],
        ),
        Hs::new(
            103,
            "HS103",
            program!(|g: &Graph| geometric(g, 0.5)),
            543.667958466,
            &[
                4.394104510526,
                0.8544687387974,
                2.843230313951,
                3.399978667686,
                0.7229261330073,
                0.8704063818044,
                0.02463882632723,
            ],
        ),
        Hs::new(
            104,
            "HS104",
            program!(hs104),
            3.9511634401,
            &[
                6.465114028368,
                2.232708647986,
                0.6673974912867,
                0.5957564229005,
                5.932675677911,
                5.527234564978,
                1.013322008903,
                0.4006682291257,
            ],
        ),
        Hs::new(
            105,
            "HS105",
            program!(hs105),
            1138.41066367,
            &[
                0.3971113207488,
                0.4270396426386,
                130.8964826043,
                163.8948025235,
                218.684615323,
                12.15906620774,
                16.61630167696,
                20.01920206542,
            ],
        )
        .others(&[1139.55])
        .note("the published point, with the objective 1138.41624, is not stationary"),
        Hs::new(
            106,
            "HS106",
            program!(hs106),
            7049.24802053,
            &[
                579.3066844254,
                1359.970668052,
                5109.970668052,
                182.0176995811,
                295.6011732779,
                217.9823004189,
                286.4165263032,
                395.6011732779,
            ],
        )
        .start(15_000.0),
        Hs::new(
            107,
            "HS107",
            program!(hs107),
            5055.01144732,
            &[
                0.6670126523405,
                1.02238483359,
                0.2282871712835,
                0.1848217552233,
                1.0909,
                1.0909,
                1.069036000751,
                0.1066106906424,
                -0.3387875866298,
            ],
        )
        .start(4_853.335),
        Hs::new(
            108,
            "HS108",
            program!(hs108),
            -(0.75_f64.sqrt()),
            &[
                0.884_129_216_724,
                0.467_242_472_598,
                0.037_420_757_367_7,
                0.999_299_598_210,
                0.884_129_216_724,
                0.467_242_472_594,
                0.037_420_757_361_8,
                0.999_299_598_210,
                0.0,
            ],
        )
        .start(0.0)
        .others(&[-0.674981, -0.5]),
        Hs::new(
            109,
            "HS109",
            program!(hs109),
            5362.06918111,
            &[
                675.0253392597,
                1134.021089715,
                0.1334850509183,
                -0.3711902626478,
                252.0,
                252.0,
                201.4658577338,
                426.6190056621,
                368.4881990875,
            ],
        )
        .start(0.0),
    ]
}
