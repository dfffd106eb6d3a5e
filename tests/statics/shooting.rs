//! Critical loads of rods by shooting, independent of finite elements.
//!
//! The Simo-Reissner equations r' = R γ, p' = ½ p κ, n' = 0, m' = −r' × n with γ = e₃ + C⁻¹Rᵀn and κ = κ⁰ + D⁻¹Rᵀm are integrated
//! from a start whose force and moment u are unknown; w(u) = 0 are the conditions at the end. Where the columns of ∂w/∂u, by dual
//! numbers, depend on each other the rod has neighbouring equilibria.

use nalgebra::{DMatrix, DVector};
use num_dual::Dual64;

/// A straight or evenly bent piece; its frame turns by the quaternion `corner` where it begins.
#[derive(Clone, Copy)]
pub struct Piece {
    pub length: f64,
    /// GA, GA, EA.
    pub stretch: [f64; 3],
    /// EI about d₁ and d₂, GJ.
    pub bend: [f64; 3],
    /// Curvatures without stress.
    pub natural: [f64; 3],
    pub corner: [f64; 4],
}

/// Position, quaternion, force and moment in space.
pub type State = [Dual64; 13];

/// Steps of the classical Runge-Kutta method in each piece: its error is far below 1e-10.
const STEPS: usize = 1500;

pub fn product(a: [Dual64; 4], b: [Dual64; 4]) -> [Dual64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

pub fn conjugate(p: [Dual64; 4]) -> [Dual64; 4] {
    [p[0], -p[1], -p[2], -p[3]]
}

fn turned(p: [Dual64; 4], v: [Dual64; 3]) -> [Dual64; 3] {
    let out = product(product(p, [Dual64::from_re(0.0), v[0], v[1], v[2]]), conjugate(p));
    [out[1], out[2], out[3]]
}

fn slope(piece: &Piece, y: &State) -> State {
    let p = [y[3], y[4], y[5], y[6]];
    let (n, m) = ([y[7], y[8], y[9]], [y[10], y[11], y[12]]);
    let (own_n, own_m) = (turned(conjugate(p), n), turned(conjugate(p), m));
    let strain = |i: usize| own_n[i] / piece.stretch[i] + if i == 2 { 1.0 } else { 0.0 };
    let r = turned(p, [strain(0), strain(1), strain(2)]);
    let k = [0, 1, 2].map(|i| own_m[i] / piece.bend[i] + piece.natural[i]);
    let dp = product(p, [Dual64::from_re(0.0), k[0], k[1], k[2]]).map(|v| v * 0.5);
    let zero = Dual64::from_re(0.0);
    let dm = [n[1] * r[2] - n[2] * r[1], n[2] * r[0] - n[0] * r[2], n[0] * r[1] - n[1] * r[0]];
    [r[0], r[1], r[2], dp[0], dp[1], dp[2], dp[3], zero, zero, zero, dm[0], dm[1], dm[2]]
}

/// The states at the ends of the pieces.
pub fn ends(pieces: &[Piece], u: [Dual64; 6]) -> Vec<State> {
    let mut y = [0.0; 13].map(Dual64::from_re);
    y[3] = Dual64::from_re(1.0);
    y[7..].copy_from_slice(&u);
    let mut states = Vec::new();
    for piece in pieces {
        let turn = product([y[3], y[4], y[5], y[6]], piece.corner.map(Dual64::from_re));
        y[3..7].copy_from_slice(&turn);
        let h = piece.length / STEPS as f64;
        let moved = |y: &State, k: &State, h: f64| std::array::from_fn(|i| y[i] + k[i] * h);
        for _ in 0..STEPS {
            let a = slope(piece, &y);
            let b = slope(piece, &moved(&y, &a, 0.5 * h));
            let c = slope(piece, &moved(&y, &b, 0.5 * h));
            let d = slope(piece, &moved(&y, &c, h));
            y = std::array::from_fn(|i| y[i] + (a[i] + (b[i] + c[i]) * 2.0 + d[i]) * (h / 6.0));
        }
        states.push(y);
    }
    states
}

/// The conditions w for a load factor: six, or seven where a motion that costs nothing has to be held.
pub type Conditions<'a> = &'a dyn Fn(&[State], f64) -> Vec<Dual64>;

/// The volume sqrt det JᵀJ, with the sign of det J where that is square, of J = ∂w/∂u at the equilibrium near u, which is replaced.
fn determinant(pieces: &[Piece], conditions: Conditions<'_>, factor: f64, u: &mut [f64; 6]) -> f64 {
    for _ in 0..20 {
        let columns: Vec<Vec<Dual64>> = (0..6)
            .map(|col| {
                let seeded = std::array::from_fn(|i| Dual64::new(u[i], if i == col { 1.0 } else { 0.0 }));
                conditions(&ends(pieces, seeded), factor)
            })
            .collect();
        let value = DVector::from_iterator(columns[0].len(), columns[0].iter().map(|w| w.re));
        let matrix = DMatrix::from_fn(value.len(), 6, |row, col| columns[col][row].eps);
        let step = matrix.clone().svd(true, true).solve(&value, 0.0).unwrap();
        (0..6).for_each(|i| u[i] -= step[i]);
        if step.amax() <= 1e-9 * u.iter().fold(1e-3_f64, |m, u| m.max(u.abs())) {
            return match matrix.is_square() {
                true => matrix.determinant(),
                false => matrix.singular_values().product(),
            };
        }
    }
    panic!("no equilibrium at {factor}");
}

/// The critical factor next to `near`, where the determinant has a zero of this multiplicity: that of the polynomial through its roots
/// of that order at six factors around.
pub fn critical(pieces: &[Piece], conditions: Conditions<'_>, near: f64, multiplicity: i32, start: [f64; 6]) -> f64 {
    let (mut u, steps) = (start, 40);
    for k in 1..=steps {
        determinant(pieces, conditions, 0.98 * near * f64::from(k) / f64::from(steps), &mut u);
    }
    let h = 4e-3 * near;
    let factors: Vec<f64> = [-5.0, -3.0, -1.0, 1.0, 3.0, 5.0].map(|share| near + share * h).to_vec();
    let values: Vec<f64> = factors
        .iter()
        .map(|factor| {
            let value = determinant(pieces, conditions, *factor, &mut u);
            let root = value.abs().powf(1.0 / f64::from(multiplicity));
            if multiplicity == 1 {
                value
            } else if *factor < near {
                root
            } else {
                -root
            }
        })
        .collect();
    let at = |p: f64| -> f64 {
        let share = |i: usize| {
            let others = factors.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, other)| (p - other) / (factors[i] - other)).product::<f64>()
        };
        (0..6).map(|i| share(i) * values[i]).sum()
    };
    let (mut low, mut high) = (factors[0], factors[5]);
    assert!(at(low) * at(high) < 0.0, "no zero near {near}: {values:?}");
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if at(middle) * at(low) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
