//! Stretch and twist of a uniform part of a rod, harmonic in time: C u'' + λ m u = 0.

use std::f64::consts::PI;

use super::motion::MemberMotion;
use super::series::{POINTS, Parity, Series, TERMS};

/// What resists and what moves in stretch or twist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bar {
    /// EA, N, or GJ, N m².
    pub stiffness: f64,
    /// ρA, kg/m, or ρI₃, kg m.
    pub mass: f64,
}

/// The shape functions of a part with x = s/h from its middle: even and odd, both 1 at x = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BarShapes(Series);

impl Bar {
    /// ω² of the first motion of a part of this length whose ends are held.
    pub fn first_clamped(&self, length: f64) -> f64 {
        self.stiffness / self.mass * (PI / length).powi(2)
    }

    /// Exact shape functions of a part of half length h.
    pub fn shapes(&self, half: f64, lambda: f64) -> BarShapes {
        // u'' = −a u in x: c_{n+2} = −a c_n / ((n + 1)(n + 2)).
        let a = lambda * self.mass * half * half / self.stiffness;
        let mut c = [1.0; TERMS];
        for n in 2..TERMS {
            c[n] = -a * c[n - 2] / (n * (n - 1)) as f64;
        }
        BarShapes(c)
    }

    /// What the ends of a part of half length h feel: in their mean, and in half their difference.
    pub fn motions(&self, half: f64, shapes: &BarShapes, rule: &[(f64, f64); POINTS]) -> [MemberMotion; 2] {
        [Parity::Even, Parity::Odd].map(|parity| {
            let (mut inertia, mut mass) = (0.0, 0.0);
            for &(x, weight) in rule {
                let u = shapes.value(parity, x);
                let still = if parity == Parity::Even { 1.0 } else { x };
                let weight = 2.0 * half * weight * self.mass;
                inertia += weight * still * u;
                mass += weight * u * u;
            }
            let stiffness = if parity == Parity::Even { 0.0 } else { 2.0 * self.stiffness / half };
            MemberMotion { deformation: [1.0, 0.0], stiffness, inertia: [inertia, 0.0, 0.0], mass: [mass, 0.0, 0.0] }
        })
    }
}

impl BarShapes {
    /// The shape function of one parity at x.
    #[inline]
    pub fn value(&self, parity: Parity, x: f64) -> f64 {
        parity.displacement(&self.0, x) / parity.displacement(&self.0, 1.0)
    }
}
