//! Made-up results for the tests of the plots.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::results::{Iteration, Listing, Outcome, RodField, Table, Tracking, TradeOff};

/// Times of a sample: 241 from 0 to 6.
pub(super) fn times() -> Vec<f64> {
    (0..=240).map(|k| f64::from(k) / 40.0).collect()
}

/// Smooth step from 0 to 1 within [2, 4].
pub(super) fn step(t: f64) -> f64 {
    let tau = ((t - 2.0) / 2.0).clamp(0.0, 1.0);
    tau * tau * tau * (10.0 - 15.0 * tau + 6.0 * tau * tau)
}

/// Smooth pulse of the given centre and width.
fn pulse(t: f64, centre: f64, width: f64) -> f64 {
    (-((t - centre) / width).powi(2)).exp()
}

/// A table of functions of time.
pub(super) fn table(columns: &[(&str, &dyn Fn(f64) -> f64)]) -> Table {
    let t = times();
    let columns = columns.iter().map(|(name, f)| ((*name).to_owned(), t.iter().map(|t| f(*t)).collect())).collect();
    Table { t, columns }
}

/// A rod of 41 nodes whose nodes move by a function (s, t) of position.
pub(super) fn rod<const N: usize>(name: &str, axes: [&str; N], position: impl Fn(f64, f64) -> [f64; N]) -> RodField {
    let s: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
    let t = times();
    let (s_ref, t_ref, place) = (&s, &t, &position);
    let field = |axis: usize| s_ref.iter().flat_map(move |s| t_ref.iter().map(move |t| place(*s, *t)[axis])).collect();
    let fields = (0..N).map(|axis| (axes[axis].to_owned(), field(axis))).collect();
    RodField { rod: name.to_owned(), s, t, fields }
}

/// A beam that turns by a quarter about its start, bending on the way.
pub(super) fn beam() -> Outcome {
    let bend = |s: f64, t: f64| 0.25 * (pulse(t, 3.3, 0.5) - pulse(t, 2.7, 0.5)) * s * (1.0 - s) * 4.0;
    let shift = |t: f64| 0.12 * (pulse(t, 2.4, 0.4) - pulse(t, 3.6, 0.4));
    let place = move |s: f64, t: f64| {
        let angle = FRAC_PI_2 * step(t);
        let across = bend(s, t) + shift(t) * (1.0 - s);
        [s * angle.cos() - across * angle.sin(), s * angle.sin() + across * angle.cos()]
    };
    let kinetic = |t: f64| 0.8 * pulse(t, 3.0, 0.45);
    let strain = |t: f64| 0.3 * (pulse(t, 2.6, 0.3) + pulse(t, 3.4, 0.3));
    let mut outcome = Outcome {
        actuation: table(&[
            ("base.force_x", &|t| 2.1 * (pulse(t, 1.8, 0.3) - 1.4 * pulse(t, 3.0, 0.3) + pulse(t, 4.2, 0.3))),
            ("base.force_y", &|t| 1.3 * (pulse(t, 2.2, 0.4) - pulse(t, 3.8, 0.4))),
            ("base.torque", &|t| 1.2 * (pulse(t, 2.3, 0.35) - pulse(t, 3.7, 0.35))),
        ]),
        rods: vec![rod("beam", ["x", "y"], place)],
        servo: table(&[
            ("tip.x", &|t| (FRAC_PI_2 * step(t)).cos()),
            ("tip.y", &|t| (FRAC_PI_2 * step(t)).sin()),
            ("tip.angle", &|t| FRAC_PI_2 * step(t)),
        ]),
        energy: table(&[
            ("kinetic", &kinetic),
            ("strain", &strain),
            ("gravity", &|_| 0.0),
            ("work", &|t| kinetic(t) + strain(t) - kinetic(0.0) - strain(0.0)),
        ]),
        ..Outcome::default()
    };
    outcome.report.title = "Quarter turn of a planar beam, rest to rest".into();
    outcome.report.servo_interval = Some([2.0, 4.0]);
    for (name, unit) in [("base.force_x", "N"), ("base.force_y", "N"), ("base.torque", "N m")] {
        outcome.report.units.insert(name.into(), unit.into());
    }
    outcome
}

/// The same beam, followed the better the more effort is spent.
pub(super) fn compromises() -> Outcome {
    let mut outcome = beam();
    let point = |k: i32| {
        let weight = 10f64.powi(-k);
        TradeOff { weight, deviation: 0.1 * weight.sqrt(), effort: 1.0 - 0.5 * weight.cbrt() }
    };
    outcome.report.tracking = Some(Tracking { trade_off: (0..5).map(point).collect(), ..Tracking::default() });
    outcome
}

/// The same beam with its bending moments at two instants and a simulation that misses its path.
pub(super) fn carried() -> Outcome {
    let mut outcome = beam();
    outcome.resimulated = outcome.servo.clone();
    for (place, (_, values)) in outcome.resimulated.columns.iter_mut().enumerate() {
        let off = |k: usize| 1e-4 * (1.0 + place as f64) * pulse(k as f64 / 40.0, 3.5, 0.8);
        values.iter_mut().enumerate().for_each(|(k, value)| *value += off(k));
    }
    let names = ["t", "s", "displacement_y", "bending"].into_iter().map(str::to_owned);
    let ends = ["least", "largest"].map(|end| ["displacement_y", "bending"].map(|name| format!("{name}_{end}")));
    let mut profile = Listing { heading: "rod".into(), ..Listing::default() };
    profile.columns = names.chain(ends.concat()).map(|name| (name, Vec::new())).collect();
    for t in [2.5, 3.5] {
        for s in (0..=20).map(|i| f64::from(i) / 20.0) {
            let (moved, moment) = (0.3 * (t - 3.0) * s * s, 4.0 * (t - 3.0) * (1.0 - s));
            let row = [t, s, moved, moment, -0.2 * s * s, -3.0 * (1.0 - s), 0.2 * s * s, 3.0 * (1.0 - s)];
            profile.names.push("beam".into());
            profile.columns.iter_mut().zip(row).for_each(|((_, column), value)| column.push(value));
        }
    }
    outcome.profile = profile;
    for (name, unit) in [("profile.displacement_y", "m"), ("profile.bending", "N m")] {
        outcome.report.units.insert(name.into(), unit.into());
    }
    outcome
}

/// A string in space whose lower end moves along an arc while it swings.
pub(super) fn string() -> Outcome {
    let end = |t: f64| [2.0 * step(t), (PI * step(t)).sin(), 0.3 * step(t)];
    let place = move |s: f64, t: f64| {
        let lag = step(t + 0.35 * (1.0 - s));
        let [x, y, z] = end(t);
        [x + 2.0 * (lag - step(t)), y * s + (PI * lag).sin() * (1.0 - s), z + 1.5 * (1.0 - s)]
    };
    let mut outcome = Outcome {
        rods: vec![rod("string", ["x", "y", "z"], place)],
        servo: table(&[("load.x", &|t| end(t)[0]), ("load.y", &|t| end(t)[1]), ("load.z", &|t| end(t)[2])]),
        ..Outcome::default()
    };
    outcome.report.title = "String in space".into();
    outcome
}

/// A program that converges in nine iterations.
pub(super) fn program() -> Outcome {
    let mut outcome = Outcome::default();
    outcome.report.problem.file = "hs71.nl".to_owned();
    let row = |iter: usize| {
        let (inf_pr, inf_du) = (10f64.powi(1 - iter as i32), 10f64.powi(-(iter as i32)));
        Iteration { iter, inf_pr, inf_du, ..Iteration::default() }
    };
    outcome.report.iterations = (0..10).map(row).collect();
    outcome
}

/// Two coordinates of a system, one of which swings, with their velocities.
pub(super) fn course() -> Outcome {
    let t: Vec<f64> = (0..=100).map(|k| 0.03 * f64::from(k)).collect();
    let column = |name: &str, f: &dyn Fn(f64) -> f64| (name.to_owned(), t.iter().map(|t| f(*t)).collect::<Vec<f64>>());
    let columns = vec![
        column("x", &|t| t * t * (3.0 - t)),
        column("theta", &|t| (3.0 * t).sin() * t),
        column("x_dot", &|t| 3.0 * t * (2.0 - t)),
        column("theta_dot", &|t| (3.0 * t).sin() + 3.0 * t * (3.0 * t).cos()),
    ];
    let mut outcome = Outcome { motion: Table { t: t.clone(), columns }, ..Outcome::default() };
    outcome.report.task = "optimal-control".into();
    outcome.report.title = "A crane and its load".into();
    for (name, unit) in [("x", "m"), ("theta", "rad"), ("x_dot", "m/s"), ("theta_dot", "rad/s")] {
        outcome.report.units.insert(name.into(), unit.into());
    }
    outcome
}

/// A slender rod that amplifies kinks of its path.
pub(super) fn slender() -> Outcome {
    let mut outcome = beam();
    let frequencies: Vec<f64> = (0..=40).map(|i| 10f64.powf(0.1 * f64::from(i))).collect();
    outcome.report.bandwidth = Some(crate::results::Bandwidth {
        growth: frequencies.iter().map(|f| 0.3 * f.sqrt()).collect(),
        path: frequencies.iter().map(|f| -3.0 * f.log10()).collect(),
        frequencies,
        distortion: 0.02,
        useful: Some(100.0),
        corner: None,
    });
    outcome
}
