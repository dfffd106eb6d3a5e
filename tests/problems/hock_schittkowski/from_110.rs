//! Problems 110 to 119 without 115.

use super::build::*;
use super::from_081::Colville;
use super::{HockSchittkowski as Hs, program};

fn hs110(g: &Graph) {
    let x = bounded(g, [9.0; 10], [2.001; 10], [9.999; 10]);
    let product = x.into_iter().reduce(|a, b| a * b).unwrap();
    let logs = g.sum(x.iter().map(|x| (*x - 2.0).ln().square() + (10.0 - *x).ln().square()));
    g.minimise(logs - product.powf(0.2));
}

/// Free energies of ten compounds at equilibrium.
const ENERGY: [f64; 10] = [-6.089, -17.164, -34.054, -5.914, -24.721, -14.986, -24.1, -10.708, -26.662, -22.179];

/// The balances of three elements among the amounts of ten compounds.
fn balances<'g>(g: &'g Graph, x: &[Expr<'g>; 10]) {
    equal(g, "hydrogen", x[0] + 2.0 * x[1] + 2.0 * x[2] + x[5] + x[9] - 2.0, 0.0);
    equal(g, "nitrogen", x[3] + 2.0 * x[4] + x[5] + x[6] - 1.0, 0.0);
    equal(g, "oxygen", x[2] + x[6] + x[7] + 2.0 * x[8] + x[9] - 1.0, 0.0);
}

/// Chemical equilibrium in the logarithms of the amounts.
fn hs111(g: &Graph) {
    let x = bounded(g, [-2.3; 10], [-100.0; 10], [100.0; 10]);
    let amounts = x.map(|x| x.exp());
    balances(g, &amounts);
    let total = g.sum(amounts).ln();
    g.minimise(g.sum((0..10).map(|j| amounts[j] * (ENERGY[j] + x[j] - total))));
}

/// Chemical equilibrium in the amounts.
fn hs112(g: &Graph) {
    let x = above(g, [0.1; 10], [1e-6; 10]);
    balances(g, &x);
    let total = g.sum(x);
    g.minimise(g.sum((0..10).map(|j| x[j] * (ENERGY[j] + (x[j] / total).ln()))));
}

/// The second problem of Wong.
fn hs113(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9, x10] = free(g, [2.0, 3.0, 5.0, 5.0, 1.0, 2.0, 7.0, 3.0, 6.0, 10.0]);
    at_least(g, "row 1", 105.0 - 4.0 * x1 - 5.0 * x2 + 3.0 * x7 - 9.0 * x8, 0.0);
    at_least(g, "row 2", -10.0 * x1 + 8.0 * x2 + 17.0 * x7 - 2.0 * x8, 0.0);
    at_least(g, "row 3", 8.0 * x1 - 2.0 * x2 - 5.0 * x9 + 2.0 * x10 + 12.0, 0.0);
    let fourth = 3.0 * (x1 - 2.0).square() + 4.0 * (x2 - 3.0).square() + 2.0 * x3.square();
    at_least(g, "row 4", 120.0 - fourth + 7.0 * x4, 0.0);
    at_least(g, "row 5", 40.0 - 5.0 * x1.square() - 8.0 * x2 - (x3 - 6.0).square() + 2.0 * x4, 0.0);
    let sixth = 0.5 * (x1 - 8.0).square() + 2.0 * (x2 - 4.0).square() + 3.0 * x5.square();
    at_least(g, "row 6", 30.0 - sixth + x6, 0.0);
    at_least(g, "row 7", -x1.square() - 2.0 * (x2 - 2.0).square() + 2.0 * x1 * x2 - 14.0 * x5 + 6.0 * x6, 0.0);
    at_least(g, "row 8", 3.0 * x1 - 6.0 * x2 - 12.0 * (x9 - 8.0).square() + 7.0 * x10, 0.0);
    g.minimise(
        x1.square() + x2.square() + x1 * x2 - 14.0 * x1 - 16.0 * x2
            + (x3 - 10.0).square()
            + 4.0 * (x4 - 5.0).square()
            + (x5 - 3.0).square()
            + 2.0 * (x6 - 1.0).square()
            + 5.0 * x7.square()
            + 7.0 * (x8 - 11.0).square()
            + 2.0 * (x9 - 10.0).square()
            + (x10 - 7.0).square()
            + 45.0,
    );
}

/// The alkylation process of problem 67 with tolerances in place of four equations.
fn hs114(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9, x10] = bounded(
        g,
        [1745.0, 12000.0, 110.0, 3048.0, 1974.0, 89.2, 92.8, 8.0, 3.6, 145.0],
        [1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 85.0, 90.0, 3.0, 1.2, 145.0],
        [2000.0, 16000.0, 120.0, 5000.0, 2000.0, 93.0, 95.0, 12.0, 4.0, 162.0],
    );
    let dilution = 35.82 - 0.222 * x10;
    let number = -133.0 + 3.0 * x7;
    let yields = 1.12 * x1 + 0.13167 * x1 * x8 - 0.00667 * x1 * x8.square();
    let octane = 57.425 + 1.098 * x8 - 0.038 * x8.square() + 0.325 * x6;
    at_least(g, "dilution from below", dilution - 0.9 * x9, 0.0);
    at_least(g, "number from below", number - 0.99 * x10, 0.0);
    at_least(g, "dilution from above", x9 / 0.9 - dilution, 0.0);
    at_least(g, "number from above", x10 / 0.99 - number, 0.0);
    at_least(g, "yield from below", yields - 0.99 * x4, 0.0);
    at_least(g, "octane from below", octane - 0.99 * x7, 0.0);
    at_least(g, "yield from above", x4 / 0.99 - yields, 0.0);
    at_least(g, "octane from above", x7 / 0.99 - octane, 0.0);
    equal(g, "makeup", 1.22 * x4 - x1 - x5, 0.0);
    equal(g, "acid strength", 98000.0 * x3 / (x4 * x9 + 1000.0 * x3) - x6, 0.0);
    equal(g, "ratio", (x2 + x5) / x1 - x8, 0.0);
    g.minimise(5.04 * x1 + 0.035 * x2 + 10.0 * x3 + 3.36 * x5 - 0.063 * x4 * x7);
}

/// A three-stage membrane separation.
fn hs116(g: &Graph) {
    let [x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13] = bounded(
        g,
        [0.5, 0.8, 0.9, 0.1, 0.14, 0.5, 489.0, 80.0, 650.0, 450.0, 150.0, 150.0, 150.0],
        [0.1, 0.1, 0.1, 1e-4, 0.1, 0.1, 0.1, 0.1, 500.0, 0.1, 1.0, 1e-4, 1e-4],
        [1.0, 1.0, 1.0, 0.1, 0.9, 0.9, 1000.0, 1000.0, 1000.0, 500.0, 150.0, 150.0, 150.0],
    );
    at_least(g, "order 2 to 3", x3 - x2, 0.0);
    at_least(g, "order 1 to 2", x2 - x1, 0.0);
    at_least(g, "flow", 1.0 - 0.002 * x7 + 0.002 * x8, 0.0);
    g.subject_to("cost", x11 + x12 + x13, 50.0, 250.0);
    at_least(g, "row 6", x13 - 1.262626 * x10 + 1.231059 * x3 * x10, 0.0);
    at_least(g, "row 7", x5 - 0.03475 * x2 - 0.975 * x2 * x5 + 0.00975 * x2.square(), 0.0);
    at_least(g, "row 8", x6 - 0.03475 * x3 - 0.975 * x3 * x6 + 0.00975 * x3.square(), 0.0);
    at_least(g, "row 9", x5 * x7 - x1 * x8 - x4 * x7 + x4 * x8, 0.0);
    at_least(g, "row 10", 1.0 - 0.002 * (x2 * x9 + x5 * x8 - x1 * x8 - x6 * x9) - x5 - x6, 0.0);
    at_least(g, "row 11", x2 * x9 - x3 * x10 - x6 * x9 - 500.0 * x2 + 500.0 * x6 + x2 * x10, 0.0);
    at_least(g, "row 12", x2 - 0.9 - 0.002 * (x2 * x10 - x3 * x10), 0.0);
    at_least(g, "row 13", x4 - 0.03475 * x1 - 0.975 * x1 * x4 + 0.00975 * x1.square(), 0.0);
    at_least(g, "row 14", x11 - 1.262626 * x8 + 1.231059 * x1 * x8, 0.0);
    at_least(g, "row 15", x12 - 1.262626 * x9 + 1.231059 * x2 * x9, 0.0);
    g.minimise(x11 + x12 + x13);
}

/// The second problem of Colville's study, the dual of problem 86.
fn hs117(g: &Graph) {
    let mut start = [1e-3; 15];
    start[6] = 60.0;
    let x = above(g, start, [0.0; 15]);
    let (multipliers, y) = x.split_at(10);
    let colville = Colville::read();
    for j in 0..5 {
        let column: Vec<f64> = colville.a.iter().map(|row| row[j]).collect();
        let slope = 2.0 * dot(g, &colville.c[j], y) + 3.0 * colville.d[j] * y[j].square() + colville.e[j];
        at_least(g, &format!("row {}", j + 1), slope - dot(g, &column, multipliers), 0.0);
    }
    let quadratic = g.sum((0..5).map(|j| dot(g, &colville.c[j], y) * y[j]));
    let cubic = g.sum((0..5).map(|j| 2.0 * colville.d[j] * y[j].powi(3)));
    g.minimise(quadratic + cubic - dot(g, &colville.b, multipliers));
}

/// Production in five periods.
fn hs118(g: &Graph) {
    let pattern = |first: [f64; 3], later: [f64; 3]| {
        let mut all = [0.0; 15];
        for (i, value) in all.iter_mut().enumerate() {
            *value = if i < 3 { first[i] } else { later[i % 3] };
        }
        all
    };
    let x = bounded(
        g,
        pattern([20.0, 55.0, 15.0], [20.0, 60.0, 20.0]),
        pattern([8.0, 43.0, 3.0], [0.0; 3]),
        pattern([21.0, 57.0, 16.0], [90.0, 120.0, 60.0]),
    );
    for period in 1..5 {
        for (plant, rise) in [6.0, 7.0, 6.0].into_iter().enumerate() {
            let i = 3 * period + plant;
            g.subject_to(format!("change {period} of plant {}", plant + 1), x[i] - x[i - 3], -7.0, rise);
        }
    }
    for (period, demand) in [60.0, 50.0, 70.0, 85.0, 100.0].into_iter().enumerate() {
        let made = g.sum(x[3 * period..3 * period + 3].iter().copied());
        at_least(g, &format!("demand {}", period + 1), made, demand);
    }
    let linear = pattern([2.3, 1.7, 2.2], [2.3, 1.7, 2.2]);
    let squares = pattern([1e-4, 1e-4, 1.5e-4], [1e-4, 1e-4, 1.5e-4]);
    g.minimise(g.sum((0..15).map(|i| linear[i] * x[i] + squares[i] * x[i].square())));
}

/// The seventh problem of Colville's study.
fn hs119(g: &Graph) {
    let x = bounded(g, [10.0; 16], [0.0; 16], [5.0; 16]);
    let rows = table(include_str!("../data/hs119.txt"));
    for (i, row) in rows[..8].iter().enumerate() {
        equal(g, &format!("row {}", i + 1), dot(g, &row[..9], &x[..9]) + x[8 + i], row[9]);
    }
    let terms = x.map(|x| x.square() + x + 1.0);
    let diagonal = g.sum(terms.iter().map(|t| t.square()));
    let pairs = g.sum(rows[8..].iter().map(|pair| terms[pair[0] as usize - 1] * terms[pair[1] as usize - 1]));
    g.minimise(diagonal + pairs);
}

pub fn all() -> Vec<Hs> {
    let logs = [
        -3.202311588551,
        -1.912366597081,
        -0.2444267477504,
        -6.561177271658,
        -0.7230979632953,
        -7.274232280188,
        -3.597237422328,
        -4.020316730691,
        -3.28837688136,
        -2.334371739221,
    ];
    vec![
        Hs::new(110, "HS110", program!(hs110), -45.7784697074, &[9.350265833069; 10]).start(-43.134),
        Hs::new(111, "HS111", program!(hs111), -47.7610908594, &logs).start(-21.015),
        Hs::new(112, "HS112", program!(hs112), -47.7610908594, &logs.map(f64::exp)).start(-20.960_28),
        Hs::new(
            113,
            "HS113",
            program!(hs113),
            24.3062090682,
            &[
                2.171996371255,
                2.363682973697,
                8.773925738477,
                5.095984487948,
                0.9906547649638,
                1.430573978936,
                1.321644208162,
                9.828725807886,
                8.280091670098,
                8.375926663921,
            ],
        )
        .start(753.0),
        Hs::new(
            114,
            "HS114",
            program!(hs114),
            -1768.80696372,
            &[
                1698.094765189,
                15818.61492418,
                54.10268233325,
                3031.225217368,
                2000.0,
                90.11542219899,
                95.0,
                10.49329830671,
                1.561636363636,
                153.5353535354,
            ],
        )
        .start(-872.387),
        Hs::new(
            116,
            "HS116",
            program!(hs116),
            97.5875095581,
            &[
                0.8037731573767,
                0.899985800673,
                0.9709824354824,
                0.1,
                0.1908131762155,
                0.4606547828558,
                574.0775735828,
                74.07757358276,
                500.016160169,
                0.1,
                20.23309069737,
                77.34768992731,
                0.006728933395891,
            ],
        )
        .start(450.0)
        .note("the published objective 97.588409 is not minimal"),
        Hs::new(
            117,
            "HS117",
            program!(hs117),
            32.3486789657,
            &[
                0.0,
                0.0,
                5.174040727699,
                0.0,
                3.061108687758,
                11.8395456648,
                0.0,
                0.0,
                0.1038961907716,
                0.0,
                0.3,
                0.3334676065346,
                0.4,
                0.4283101047818,
                0.223964873561,
            ],
        )
        .start(2_400.105_3),
        Hs::new(
            118,
            "HS118",
            program!(hs118),
            664.820_45,
            &[8.0, 49.0, 3.0, 1.0, 56.0, 0.0, 1.0, 63.0, 6.0, 3.0, 70.0, 12.0, 5.0, 77.0, 18.0],
        )
        .start(942.7162),
        Hs::new(
            119,
            "HS119",
            program!(hs119),
            244.899697517,
            &[
                0.03984735141113,
                0.7919831556884,
                0.202870330251,
                0.8443579163657,
                1.269906452867,
                0.9347387078246,
                1.681961969247,
                0.1553008773896,
                1.567870333552,
                0.0,
                0.0,
                0.0,
                0.660204066087,
                0.0,
                0.6742559268683,
                0.0,
            ],
        ),
    ]
}
