//! Bending of a uniform part of a rod in one plane with shear and rotary inertia (Timoshenko), harmonic in time.
//!
//! With λ = ω², displacement w, rotation φ, moment M and shear force Q
//!
//!   w' = φ + Q/GA,  φ' = M/EI,  M' = −Q − λρI φ,  Q' = −λρA w.
//!
//! About the middle of a part of half length h, with x = s/h, w = h ŵ, M = EI M̂/h and Q = EI Q̂/h², the coefficients are
//! ε = EI/(GA h²), r = λρI h²/EI and p = λρA h⁴/EI. Solutions are power series in x, even in ŵ and M̂ and odd in φ and Q̂ or
//! the other way round. Since parts are shorter than half a wave, the series are short and lose no digits: below, at and above
//! the cut-off frequency √(GA/ρI), for beams that do not shear (ε = 0) and for short stubs alike.

use std::f64::consts::PI;

use super::motion::MemberMotion;
use super::series::{POINTS, Parity, Series, TERMS};

/// What resists and what moves in bending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bending {
    /// EI, N m².
    pub flexural: f64,
    /// 1/GA, 1/N; 0 for beams that do not shear.
    pub shear_compliance: f64,
    /// ρA, kg/m.
    pub mass: f64,
    /// ρI, kg m.
    pub rotary: f64,
}

/// A solution: series of ŵ, φ, M̂.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Wave {
    w: Series,
    phi: Series,
    moment: Series,
}

/// Two solutions of one parity with their values of ŵ and φ at x = 1, and the determinant of these.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    parity: Parity,
    waves: [Wave; 2],
    /// (ŵ, φ) of each at x = 1.
    ends: [[f64; 2]; 2],
    determinant: f64,
}

/// The shape functions of a part: for each parity by the values of w and φ at the end x = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BendingShapes {
    half: f64,
    pairs: [Pair; 2],
}

/// Half waves after which a part is far too long whatever else it does.
const MOST_WAVES: usize = 1000;

impl Bending {
    /// ε of a part.
    fn softness(&self, half: f64) -> f64 {
        self.flexural * self.shear_compliance / (half * half)
    }

    fn pair(&self, half: f64, lambda: f64, parity: Parity) -> Pair {
        let epsilon = self.softness(half);
        let r = lambda * self.rotary * half * half / self.flexural;
        let p = lambda * self.mass * half.powi(4) / self.flexural;
        let wave = |[w, phi, moment, force]: [f64; 4]| {
            let mut wave = Wave { w: [0.0; TERMS], phi: [0.0; TERMS], moment: [0.0; TERMS] };
            let mut q = force;
            (wave.w[0], wave.phi[0], wave.moment[0]) = (w, phi, moment);
            for n in 1..TERMS {
                let (before, n_th) = (n - 1, 1.0 / n as f64);
                wave.w[n] = (wave.phi[before] + epsilon * q) * n_th;
                wave.phi[n] = wave.moment[before] * n_th;
                wave.moment[n] = (-q - r * wave.phi[before]) * n_th;
                q = -p * wave.w[before] * n_th;
            }
            wave
        };
        let waves = match parity {
            Parity::Even => [wave([1.0, 0.0, 0.0, 0.0]), wave([0.0, 0.0, 1.0, 0.0])],
            Parity::Odd => [wave([0.0, 1.0, 0.0, 0.0]), wave([0.0, 0.0, 0.0, 1.0])],
        };
        let ends = [0, 1].map(|k: usize| [parity.displacement(&waves[k].w, 1.0), parity.rotation(&waves[k].phi, 1.0)]);
        Pair { parity, waves, ends, determinant: ends[0][0] * ends[1][1] - ends[1][0] * ends[0][1] }
    }

    /// Exact shape functions of a part of half length h.
    pub fn shapes(&self, half: f64, lambda: f64) -> BendingShapes {
        BendingShapes { half, pairs: [Parity::Even, Parity::Odd].map(|parity| self.pair(half, lambda, parity)) }
    }

    /// A length of which a part with both ends held can hardly vibrate slower than √λ: the least of those of a beam that
    /// only bends (βℓ = 4.73), only shears, and only turns.
    pub fn longest(&self, lambda: f64) -> f64 {
        let bends = 4.73 * (self.flexural / (lambda * self.mass)).powf(0.25);
        let shears = PI / (lambda * self.mass * self.shear_compliance).sqrt();
        let turns = PI * (self.flexural / (lambda * self.rotary)).sqrt();
        bends.min(shears).min(turns)
    }

    /// How many motions of a part of half length h with both ends held have ω² below λ.
    ///
    /// A part on hinges vibrates as w = sin(nπs/ℓ), φ ∝ cos(nπs/ℓ), with two frequencies for n ≥ 1 and one for n = 0; the
    /// count of Wittrick and Williams of a part whose ends can only turn is J(hinged) = J(held) + s(D of the rotations).
    /// Right for parts of up to some waves, for which the series hold; of parts with very many motions not all are counted.
    pub fn clamped_below(&self, half: f64, lambda: f64) -> usize {
        let mut hinged = 0;
        if self.shear_compliance > 0.0 && lambda * self.rotary * self.shear_compliance > 1.0 {
            hinged += 1;
        }
        for n in 1.. {
            let k = n as f64 * PI / (2.0 * half);
            let count = self.harmonics_below(k, lambda);
            hinged += count;
            if count == 0 || n == MOST_WAVES {
                break;
            }
        }
        let soft = [Parity::Even, Parity::Odd].iter().filter(|parity| {
            // Moment by rotation of the end x = 1 where ŵ = 0 there.
            let Pair { waves, ends, determinant, .. } = self.pair(half, lambda, **parity);
            let moment = |k: usize| parity.displacement(&waves[k].moment, 1.0);
            (moment(0) * ends[1][0] - moment(1) * ends[0][0]) / -determinant < 0.0
        });
        hinged - soft.count().min(hinged)
    }

    /// How many of the two motions w = W sin ks, φ = Φ cos ks have ω² below λ: negative eigenvalues of
    /// [[GA k² − λρA, −GA k], [−GA k, EI k² + GA − λρI]]; of EI k⁴ − λ(ρA + ρI k²) without shear.
    fn harmonics_below(&self, k: f64, lambda: f64) -> usize {
        let c = self.shear_compliance;
        // The first pivot is that of the rotation, times 1/GA; the second the rest of the displacement.
        let turn = 1.0 + c * (self.flexural * k * k - lambda * self.rotary);
        let stiff = self.flexural * k * k - lambda * self.rotary;
        // GA k² − GA² k²/(EI k² + GA − λρI) = k² (EI k² − λρI)/turn.
        usize::from(turn < 0.0) + usize::from(k * k * stiff / turn < lambda * self.mass)
    }

    /// What the ends of a part of half length h feel. Coordinates are (w, φ) of the end x = 1 of motions that are even in w
    /// and odd in φ, then of those that are odd in w and even in φ.
    pub fn motions(&self, half: f64, shapes: &BendingShapes, rule: &[(f64, f64); POINTS]) -> [MemberMotion; 2] {
        let epsilon = self.softness(half);
        let c = 1.5 / (1.0 + 3.0 * epsilon);
        [Parity::Even, Parity::Odd].map(|parity| {
            let (mut inertia, mut mass) = ([0.0; 3], [0.0; 3]);
            for &(x, weight) in rule {
                let [by_w, by_phi] = shapes.values(parity, x);
                // Shape functions of statics: rigid motions and, in the odd ones, the deformation φ − w/h.
                let [still_w, still_phi] = match parity {
                    Parity::Even => [[1.0, 0.0], [0.5 * half * (x * x - 1.0), x]],
                    Parity::Odd => {
                        let bent = [half * c * (x * x * x - x) / 3.0, c * (2.0 * epsilon - 1.0 / 3.0 + x * x)];
                        [[x - bent[0] / half, (1.0 - bent[1]) / half], bent]
                    }
                };
                let weight = 2.0 * half * weight;
                let product = |a: [f64; 2], b: [f64; 2]| weight * (self.mass * a[0] * b[0] + self.rotary * a[1] * b[1]);
                let mixed = 0.5 * (product(still_w, by_phi) + product(still_phi, by_w));
                let terms = [product(still_w, by_w), mixed, product(still_phi, by_phi)];
                let squares = [product(by_w, by_w), product(by_w, by_phi), product(by_phi, by_phi)];
                for i in 0..3 {
                    inertia[i] += terms[i];
                    mass[i] += squares[i];
                }
            }
            let (deformation, stiffness) = match parity {
                // Constant curvature φ/h.
                Parity::Even => ([0.0, 1.0], 2.0 * self.flexural / half),
                // Equal rotations of the ends against the chord: 12 EI/(ℓ (1 + Φ)) with Φ = 12 EI/(GA ℓ²) = 3ε.
                Parity::Odd => ([-1.0 / half, 1.0], 4.0 * c * self.flexural / half),
            };
            MemberMotion { deformation, stiffness, inertia, mass }
        })
    }
}

impl BendingShapes {
    /// (w, φ) at x of the shape functions of one parity: of unit w and of unit φ at x = 1.
    #[inline]
    pub fn values(&self, parity: Parity, x: f64) -> [[f64; 2]; 2] {
        let Pair { parity, waves, ends, determinant } = &self.pairs[usize::from(parity == Parity::Odd)];
        let at = [0, 1].map(|k: usize| [parity.displacement(&waves[k].w, x), parity.rotation(&waves[k].phi, x)]);
        let combine = |a: f64, b: f64| [self.half * (a * at[0][0] + b * at[1][0]), a * at[0][1] + b * at[1][1]];
        let (by_w, by_phi) = (self.half * determinant, *determinant);
        [combine(ends[1][1] / by_w, -ends[0][1] / by_w), combine(-ends[1][0] / by_phi, ends[0][0] / by_phi)]
    }
}
