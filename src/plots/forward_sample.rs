//! Made-up results of simulations, statics and modes for the tests of the plots.

use std::f64::consts::PI;

use super::sample::{rod, table};
use crate::results::{Branch, Campbell, ModeShape, Outcome, PathTable, RodField, ShapeField, Table};

/// Angle of a swing, and its rate.
fn swinging(t: f64) -> [f64; 2] {
    let (amplitude, omega) = (0.6, 0.75 * PI);
    [amplitude * (omega * t).cos(), -amplitude * omega * (omega * t).sin()]
}

fn simulation(title: &str) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.report.task = "simulate".into();
    outcome.report.title = title.into();
    outcome
}

/// A rod that is a helix of three turns, hung at its upper end, and swings about an axis askew.
pub(super) fn helix() -> Outcome {
    let place = |s: f64, t: f64| {
        let ([a, _], [b, _]) = (swinging(t), swinging(0.7 * t + 0.4));
        let (x, y, z) = (0.15 * (6.0 * PI * s).cos() - 0.15, 0.15 * (6.0 * PI * s).sin(), -s);
        let (x, z) = (x * a.cos() - z * a.sin(), x * a.sin() + z * a.cos());
        [x, y * b.cos() - z * b.sin(), y * b.sin() + z * b.cos()]
    };
    Outcome {
        rods: vec![rod("helix", ["x", "y", "z"], place)],
        energy: table(&[
            ("kinetic", &|t| 0.6 * swinging(t)[1].powi(2)),
            ("strain", &|t| 0.1 + 0.1 * (9.0 * t).cos()),
            ("gravity", &|t| 4.9 - 0.6 * swinging(t)[1].powi(2) - 0.1 * (9.0 * t).cos() + 2e-7 * (9.0 * t).sin()),
        ]),
        momentum: table(&[
            ("linear_x", &|t| 1.2 * swinging(t)[1]),
            ("linear_y", &|t| 0.8 * swinging(0.7 * t + 0.4)[1]),
            ("linear_z", &|t| 0.2 * (2.0 * t).sin()),
            ("angular_x", &|t| 0.5 * swinging(0.7 * t + 0.4)[1]),
            ("angular_y", &|t| -0.7 * swinging(t)[1]),
            ("angular_z", &|_| 0.02),
        ]),
        ..simulation("Helical spring swinging about a skew axis")
    }
}

/// A rod in the plane with a bob at its end, swinging.
pub(super) fn swing() -> Outcome {
    let place = |s: f64, t: f64| {
        let angle = swinging(t)[0] + 0.2 * s * s * (7.0 * t).sin();
        [s * angle.sin(), -s * angle.cos()]
    };
    let kinetic = |t: f64| 0.5 * swinging(t)[1].powi(2);
    let strain = |t: f64| 0.05 * (7.0 * t).sin().powi(2);
    Outcome {
        rods: vec![rod("rod", ["x", "y"], place)],
        motion: table(&[
            ("rod.start.x", &|_| 0.0),
            ("rod.start.y", &|_| 0.0),
            ("rod.end.x", &|t| place(1.0, t)[0]),
            ("rod.end.y", &|t| place(1.0, t)[1]),
            ("bob.x", &|t| place(1.0, t)[0]),
            ("bob.y", &|t| place(1.0, t)[1]),
            ("bob.angle", &|t| swinging(t)[0]),
        ]),
        energy: table(&[
            ("kinetic", &kinetic),
            ("strain", &strain),
            ("gravity", &|t| -7.0 - kinetic(t) - strain(t) + 1e-6 * (1.0 - (11.0 * t).cos())),
        ]),
        momentum: table(&[
            ("linear_x", &|t| swinging(t)[1]),
            ("linear_y", &|t| swinging(t)[1] * swinging(t)[0].sin()),
            ("angular", &|t| 0.6 * swinging(t)[1]),
        ]),
        ..simulation("Flexible pendulum with a bob")
    }
}

/// A driven and damped motion whose energies balance.
pub(super) fn damped() -> Outcome {
    let work = |t: f64| 0.3 * (1.0 - (2.0 * t).cos());
    let lost = |t: f64| 0.5 * (1.0 - (-t).exp());
    let strain = |t: f64| 0.1 * (3.0 * t).sin().powi(2);
    Outcome {
        energy: table(&[
            ("kinetic", &|t| 0.8 + work(t) - lost(t) - strain(t)),
            ("strain", &strain),
            ("gravity", &|_| 0.0),
            ("work", &work),
            ("dissipated", &lost),
        ]),
        ..simulation("Driven and damped beam")
    }
}

/// Clamped-free bending shape number `n` at s of a beam of length 1, largest value 1; βL after Blevins, Formulas for
/// Natural Frequency and Mode Shape, table 8-1.
fn bending(n: usize, s: f64) -> f64 {
    let beta = BETA[n];
    let sigma = (beta.sinh() - beta.sin()) / (beta.cosh() + beta.cos());
    0.5 * ((beta * s).cosh() - (beta * s).cos() - sigma * ((beta * s).sinh() - (beta * s).sin()))
}

const BETA: [f64; 6] = [1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839, 17.27875953];

fn cantilever(displacement: impl Fn(f64) -> [f64; 3], turn: Option<&dyn Fn(f64) -> [f64; 3]>) -> ShapeField {
    let s: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
    ShapeField {
        rod: "beam".into(),
        rest: s.iter().map(|s| [*s, 0.0, 0.0]).collect(),
        shape: s.iter().map(|s| displacement(*s)).collect(),
        shape_imaginary: Vec::new(),
        turn: turn.map_or_else(Vec::new, |turn| s.iter().map(|s| turn(*s)).collect()),
        s,
    }
}

/// Six modes of a cantilever in the plane.
pub(super) fn plane_modes() -> Outcome {
    let mode = |n: usize| ModeShape {
        number: n + 1,
        real: 0.0,
        imaginary: 2.0 * BETA[n].powi(2),
        rods: vec![cantilever(|s| [0.0, bending(n, s), 0.0], None)],
        ..ModeShape::default()
    };
    let mut outcome = Outcome { modes: (0..6).map(mode).collect(), ..Outcome::default() };
    outcome.report.title = "Modes of a cantilever".into();
    outcome.report.task = "modes".into();
    outcome
}

/// Six modes of a damped cantilever in space: bending both ways, and a twist.
pub(super) fn space_modes() -> Outcome {
    let mode = |(i, (axis, n)): (usize, (usize, usize))| {
        let bend = |s: f64| [0, 1, 2].map(|k| if k == axis { bending(n, s) } else { 0.0 });
        let twist = |s: f64| [(0.5 * PI * s).sin(), 0.0, 0.0];
        let frequency = [2.0, 3.0, 1.0][axis % 3] * BETA[n].powi(2);
        let rods = match axis {
            0 => vec![cantilever(|_| [0.0; 3], Some(&twist))],
            _ => vec![cantilever(bend, None)],
        };
        ModeShape { number: i + 1, real: -0.02 * frequency, imaginary: frequency, rods, ..ModeShape::default() }
    };
    let kinds = [(1, 0), (2, 0), (1, 1), (2, 1), (0, 0), (1, 2)];
    let mut outcome = Outcome { modes: kinds.into_iter().enumerate().map(mode).collect(), ..Outcome::default() };
    outcome.report.title = "Modes of a damped cantilever with a rectangular cross-section".into();
    outcome.report.task = "modes".into();
    outcome
}

/// A shallow arch that snaps through: the load factor is a cubic of the deflection w of its crown, λ = 4(w³ − 3w² +
/// 2.4w), with limit points where 3w² − 6w + 2.4 = 0.
pub(super) fn snap_through() -> Outcome {
    let load = |w: f64| 4.0 * (w * w * w - 3.0 * w * w + 2.4 * w);
    let limits = [1.0 - 0.2f64.sqrt(), 1.0 + 0.2f64.sqrt()];
    let mut points: Vec<(f64, &str)> = (0..=50).map(|i| (0.045 * f64::from(i), "step")).collect();
    points.extend(limits.map(|w| (w, "limit-point")));
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.push((2.3, "target"));
    let column = |f: &dyn Fn(f64) -> f64| points.iter().map(|(w, _)| f(*w)).collect::<Vec<f64>>();
    let states: Vec<f64> = (0..=12).map(|i| 2.3 * f64::from(i) / 12.0).collect();
    let s: Vec<f64> = (0..=40).map(|i| f64::from(i) / 20.0).collect();
    let height = |s: f64, w: f64| 0.2 * (1.0 - w) * (0.5 * PI * s).sin();
    let field = |f: &dyn Fn(f64, f64) -> f64| s.iter().flat_map(|s| states.iter().map(|w| f(*s, *w))).collect();
    let fields = vec![("x".to_owned(), field(&|s, _| s)), ("y".to_owned(), field(&height))];
    let t = states.iter().map(|w| load(*w)).collect();
    let mut outcome = Outcome {
        rods: vec![RodField { rod: "arch".into(), s: s.clone(), t, fields }],
        path: PathTable {
            kinds: points.iter().map(|(_, kind)| (*kind).to_owned()).collect(),
            columns: vec![
                ("load_factor".into(), column(&load)),
                ("crown.y".into(), column(&|w| -0.2 * w)),
                ("quarter.angle".into(), column(&|w| -0.1 * PI * w * (0.25 * PI).cos())),
            ],
        },
        ..Outcome::default()
    };
    outcome.report.title = "Snap-through of a shallow arch".into();
    outcome.report.task = "statics".into();
    outcome
}

/// A rod along x that a force bends up and aside: the unloaded and the loaded state.
pub(super) fn bent() -> Outcome {
    let s: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
    let place = |s: f64, load: f64| {
        let a = 0.8 * load * s;
        [s * (1.0 - 0.3 * a), 0.3 * load * s * s, 0.6 * s * a]
    };
    let field = |axis: usize| s.iter().flat_map(|s| [0.0, 1.0].map(|load| place(*s, load)[axis])).collect();
    let fields = ["x", "y", "z"].iter().enumerate().map(|(axis, name)| ((*name).to_owned(), field(axis))).collect();
    let rods = vec![RodField { rod: "bend".into(), s: s.clone(), t: vec![0.0, 1.0], fields }];
    let mut outcome = Outcome { rods, ..Outcome::default() };
    outcome.report.title = "Rod bent in space".into();
    outcome.report.task = "statics".into();
    outcome
}

/// A blade whose two branches rise with the rate from 0 to 30 rpm, ω² = ω₀² + 1.2 Ω² and ω² = ω₁² + 0.2 Ω².
pub(super) fn rotor() -> Outcome {
    let rates: Vec<f64> = (0..=10).map(|k| PI * f64::from(k) / 10.0).collect();
    let branch = |omega: f64, slope: f64| Branch {
        first: 0,
        omega: rates.iter().map(|rate| (omega * omega + slope * rate * rate).sqrt()).collect(),
        real: vec![0.0; rates.len()],
    };
    let mut diagram = Campbell {
        branches: vec![branch(4.3, 1.2), branch(6.8, 0.2)],
        rates: rates.clone(),
        orders: vec![1.0, 3.0],
        crossings: Vec::new(),
    };
    diagram.find_crossings();
    let mut outcome = Outcome::default();
    outcome.report.title = "Frequencies of a blade over the speed of its rotor".into();
    outcome.report.task = "modes".into();
    outcome.report.campbell = Some(diagram);
    outcome
}

/// A rotor of two blades that is driven up to speed while gravity bends its blades to and fro.
pub(super) fn run_up() -> Outcome {
    let t: Vec<f64> = (0..=200).map(|k| 0.1 * f64::from(k)).collect();
    let rate = |t: f64| 1.2 * (1.0 - (-0.2 * t).exp());
    let angle = |t: f64| 1.2 * (t - 5.0 * (1.0 - (-0.2 * t).exp()));
    let column = |name: &str, f: &dyn Fn(f64) -> f64| (name.to_owned(), t.iter().map(|t| f(*t)).collect::<Vec<f64>>());
    let columns = vec![
        column("bearing.angle", &angle),
        column("bearing.rate", &rate),
        column("one.deflection_1", &|t| 3.0 * rate(t)),
        column("one.deflection_2", &|t| 0.3 * angle(t).sin()),
        column("two.deflection_1", &|t| 3.0 * rate(t) + 0.1 * angle(t).cos()),
        column("two.deflection_2", &|t| -0.3 * angle(t).sin()),
    ];
    let mut outcome = simulation("Run-up of a rotor");
    outcome.relative = Table { t: t.clone(), columns };
    outcome
}
