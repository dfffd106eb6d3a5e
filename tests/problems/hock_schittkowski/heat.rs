//! Problems 88 to 92: time-optimal heating of a rod to a prescribed temperature profile, with 2 to 6 switching times.

use super::build::*;
use super::{HockSchittkowski as Hs, program};
use std::f64::consts::PI;

/// The j-th positive root of μ tan μ = 1, by bisection of μ sin μ − cos μ in (j π, j π + π / 2), j = 0, 1, …
fn eigenvalue(j: usize) -> f64 {
    let (mut low, mut high) = (PI * j as f64, PI * (j as f64 + 0.5));
    let rising = high * high.sin() - high.cos() > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (middle * middle.sin() - middle.cos() > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// The squared distance to the profile of the first 30 modes must not exceed 1e-4.
fn rod<const N: usize>(g: &Graph) {
    let x: [Expr<'_>; N] = free(g, std::array::from_fn(|i| if i.is_multiple_of(2) { 0.5 } else { -0.5 }));
    // Times that are left after each switch: t_i = x_i² + … + x_n².
    let times: [Expr<'_>; N] = std::array::from_fn(|i| g.sum(x[i..].iter().map(|x| x.square())));
    let distance = g.sum((0..30).map(|j| {
        let mu = eigenvalue(j);
        let (sine, cosine) = mu.sin_cos();
        let amplitude = 2.0 * sine / (mu + sine * cosine);
        let profile = (sine / mu - cosine) / (mu * mu);
        let last = if N.is_multiple_of(2) { 1.0 } else { -1.0 };
        let switches = g.sum(times.iter().enumerate().map(|(i, time)| {
            let factor = match i {
                0 => 1.0,
                _ if i.is_multiple_of(2) => 2.0,
                _ => -2.0,
            };
            factor * (-mu * mu * *time).exp()
        }));
        let rho = -(switches + last) / (mu * mu);
        mu * mu * amplitude * rho * (mu * sine * rho - 2.0 * profile)
    }));
    at_least(g, "distance to the profile", 1e-4 - distance - 2.0 / 15.0, 0.0);
    g.minimise(g.sum(x.iter().map(|x| x.square())));
}

pub fn all() -> Vec<Hs> {
    const OPTIMUM: f64 = 1.362_656_814_89;
    const NOTE: &str = "the optimum is that of two switching times; surplus ones vanish or merge";
    let (a, b) = (1.074318731203, -0.4566137083748);
    vec![
        Hs::new(88, "HS88", program!(rod::<2>), OPTIMUM, &[a, b]).start(0.5),
        Hs::new(89, "HS89", program!(rod::<3>), OPTIMUM, &[a, b, 0.0]).start(0.75).note(NOTE),
        Hs::new(90, "HS90", program!(rod::<4>), OPTIMUM, &[0.9422479205514, 0.0, 0.5160713055681, 0.4566137083748])
            .start(1.0)
            .note(NOTE),
        Hs::new(
            91,
            "HS91",
            program!(rod::<5>),
            OPTIMUM,
            &[0.7018929378884, 0.0, 0.8133308305706, 0.4566137083748, 0.0],
        )
        .start(1.25)
        .note(NOTE),
        Hs::new(
            92,
            "HS92",
            program!(rod::<6>),
            OPTIMUM,
            &[0.494144360278, 0.0, 0.6149506900746, 0.0, 0.7292583466759, -0.4566137083747],
        )
        .start(1.5)
        .note(NOTE),
    ]
}
