//! The equations of motion of the rod in three sets of coordinates, and one integrator for all of them.

use crate::elimination::{Band, cholesky};
use crate::rod::{ABSOLUTE, Complex, Entry, PAIR, Rod, times};

/// Equations of motion in some coordinates.
pub trait Formulation {
    /// The state of the straight rod at rest: coordinates, then velocities.
    fn start(&self) -> Vec<f64>;
    /// dy/dt; false if it cannot be computed.
    fn rate(&mut self, y: &[f64], out: &mut [f64]) -> bool;
    /// Absolute coordinates and velocities of a state.
    fn absolute(&self, y: &[f64]) -> [Vec<f64>; 2];
    /// Unknowns of the linear system of one evaluation, and its half bandwidth (none where it is full).
    fn sizes(&self) -> (usize, Option<usize>);
    /// Multiplications in linear algebra so far.
    fn work(&self) -> u64;
}

/// Redundant absolute coordinates p with multipliers: (1) of the study.
pub struct Absolute {
    rod: Rod,
    band: Band,
    entries: Vec<Entry>,
    rhs: Vec<f64>,
}

impl Absolute {
    /// The equations of a rod.
    pub fn new(rod: Rod) -> Self {
        let mut made = Self { rod, band: Band::new(&[], 0, &[]), entries: Vec::new(), rhs: Vec::new() };
        made.assemble(&rod.straight());
        made.band = Band::new(&[ABSOLUTE, PAIR], rod.segments, &made.entries);
        made.rhs = vec![0.0; (ABSOLUTE + PAIR) * rod.segments];
        made
    }

    fn assemble(&mut self, p: &[f64]) {
        self.entries.clear();
        self.rod.masses(&mut self.entries);
        border(&mut self.entries, |out| self.rod.constraints(p, ABSOLUTE * self.rod.segments, out), 1.0);
    }
}

/// Adds rows and, times a sign, their transpose.
fn border(entries: &mut Vec<Entry>, rows: impl Fn(&mut Vec<Entry>), sign: f64) {
    let first = entries.len();
    rows(entries);
    for k in first..entries.len() {
        let (r, c, value) = entries[k];
        entries[k].2 = sign * value;
        entries.push((c, r, sign * value));
    }
}

impl Formulation for Absolute {
    fn start(&self) -> Vec<f64> {
        let mut y = self.rod.straight();
        y.resize(2 * y.len(), 0.0);
        y
    }

    fn rate(&mut self, y: &[f64], out: &mut [f64]) -> bool {
        let half = ABSOLUTE * self.rod.segments;
        let (p, v) = y.split_at(half);
        self.assemble(p);
        let (f, bias) = self.rhs.split_at_mut(half);
        self.rod.forces(p, f);
        self.rod.constraint_bias(v, bias);
        let solved = self.band.solve(&self.entries, &mut self.rhs);
        out[..half].copy_from_slice(v);
        out[half..].copy_from_slice(&self.rhs[..half]);
        solved
    }

    fn absolute(&self, y: &[f64]) -> [Vec<f64>; 2] {
        let (p, v) = y.split_at(y.len() / 2);
        [p.to_vec(), v.to_vec()]
    }

    fn sizes(&self) -> (usize, Option<usize>) {
        (self.rhs.len(), Some(self.band.width()))
    }

    fn work(&self) -> u64 {
        self.band.work
    }
}

/// The state in strains q, and the absolute motion that follows from it along the rod.
struct Recursion {
    p: Vec<f64>,
    v: Vec<f64>,
    /// p̈ for q̈ = 0.
    bias: Vec<f64>,
    /// √(1 − w²).
    cosines: Vec<f64>,
}

/// i a z.
fn turned(z: Complex, a: f64) -> Complex {
    [-a * z[1], a * z[0]]
}

/// p = φ(q), ṗ = Φq̇ and Φ̇q̇: with w = sin φ, φ̇ = ẇ/c and φ̈ = ẅ/c + w ẇ²/c³.
fn recursion(y: &[f64]) -> Recursion {
    let segments = y.len() / (2 * PAIR);
    let (q, rate) = y.split_at(PAIR * segments);
    let zeros = || vec![0.0; ABSOLUTE * segments];
    let mut out = Recursion { p: zeros(), v: zeros(), bias: zeros(), cosines: vec![0.0; segments] };
    let (mut z, mut x, mut x_rate, mut x_bias) = ([1.0, 0.0], [0.0; 2], [0.0; 2], [0.0; 2]);
    let (mut spin, mut turn) = (0.0, 0.0);
    for n in 0..segments {
        let (w, xi, w_rate, xi_rate) = (q[2 * n], q[2 * n + 1], rate[2 * n], rate[2 * n + 1]);
        let c = (1.0 - w * w).sqrt();
        out.cosines[n] = c;
        z = times([c, w], z);
        spin += w_rate / c;
        turn += w * w_rate * w_rate / (c * c * c);
        let (z_rate, z_turn) = (turned(z, spin), turned(z, turn));
        for k in 0..2 {
            let z_bias = z_turn[k] - spin * spin * z[k];
            x[k] += xi * z[k];
            x_rate[k] += xi_rate * z[k] + xi * z_rate[k];
            x_bias[k] += 2.0 * xi_rate * z_rate[k] + xi * z_bias;
            let at = 4 * n + k;
            (out.p[at], out.v[at], out.bias[at]) = (z[k], z_rate[k], z_bias);
            (out.p[at + 2], out.v[at + 2], out.bias[at + 2]) = (x[k], x_rate[k], x_bias[k]);
        }
    }
    out
}

fn straight_strains(rod: &Rod) -> Vec<f64> {
    let mut y: Vec<f64> = (0..rod.segments).flat_map(|_| [0.0, rod.spacing()]).collect();
    y.resize(2 * y.len(), 0.0);
    y
}

/// Minimal relative coordinates q with the full mass matrix ΦᵀMΦ: (4) of the study.
pub struct Joint {
    rod: Rod,
    masses: Vec<Entry>,
    forces: Vec<f64>,
    work: u64,
}

impl Joint {
    /// The equations of a rod.
    pub fn new(rod: Rod) -> Self {
        let mut masses = Vec::new();
        rod.masses(&mut masses);
        Self { rod, masses, forces: vec![0.0; ABSOLUTE * rod.segments], work: 0 }
    }

    /// Φ, column by column: ∂zₙ/∂wⱼ = i zₙ/cⱼ, ∂xₙ/∂wⱼ = i (xₙ − x₍ⱼ₋₁₎)/cⱼ, ∂xₙ/∂ξⱼ = zⱼ for j ≤ n.
    fn null_space(&self, at: &Recursion) -> Vec<f64> {
        let segments = self.rod.segments;
        let rows = ABSOLUTE * segments;
        let mut columns = vec![0.0; rows * PAIR * segments];
        for j in 0..segments {
            let (c, root, along) = (at.cosines[j], self.rod.x(&at.p, j), self.rod.z(&at.p, j + 1));
            for n in j..segments {
                let (z, x) = (self.rod.z(&at.p, n + 1), self.rod.x(&at.p, n + 1));
                let z_turn = turned(z, 1.0 / c);
                let x_turn = turned([x[0] - root[0], x[1] - root[1]], 1.0 / c);
                for k in 0..2 {
                    columns[rows * 2 * j + 4 * n + k] = z_turn[k];
                    columns[rows * 2 * j + 4 * n + 2 + k] = x_turn[k];
                    columns[rows * (2 * j + 1) + 4 * n + 2 + k] = along[k];
                }
            }
        }
        columns
    }
}

impl Formulation for Joint {
    fn start(&self) -> Vec<f64> {
        straight_strains(&self.rod)
    }

    fn rate(&mut self, y: &[f64], out: &mut [f64]) -> bool {
        let (n, rows) = (PAIR * self.rod.segments, ABSOLUTE * self.rod.segments);
        let at = recursion(y);
        let columns = self.null_space(&at);
        self.rod.forces(&at.p, &mut self.forces);
        for &(r, c, m) in &self.masses {
            self.forces[r] -= m * at.bias[c];
        }
        let mut mass = vec![0.0; n * n];
        let mut image = vec![0.0; rows];
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for j in 0..n {
            // M times column j, which begins at segment j/2.
            image.fill(0.0);
            for &(r, c, m) in &self.masses {
                image[r] += m * columns[rows * j + c];
            }
            for i in j..n {
                // Column i begins at segment i/2.
                let first = 4 * (i / 2);
                mass[i * n + j] = product(&columns[rows * i + first..rows * (i + 1)], &image[first..]);
                self.work += (rows - first) as u64;
            }
            out[n + j] = product(&columns[rows * j..rows * (j + 1)], &self.forces);
            self.work += (self.masses.len() + rows) as u64;
        }
        out[..n].copy_from_slice(&y[n..]);
        cholesky(&mut mass, &mut out[n..], &mut self.work)
    }

    fn absolute(&self, y: &[f64]) -> [Vec<f64>; 2] {
        let at = recursion(y);
        [at.p, at.v]
    }

    fn sizes(&self) -> (usize, Option<usize>) {
        (PAIR * self.rod.segments, None)
    }

    fn work(&self) -> u64 {
        self.work
    }
}

/// Mixed coordinates (p̈, q̈, λ, η) with the state in q: (6) of the study.
pub struct Mixed {
    rod: Rod,
    band: Band,
    entries: Vec<Entry>,
    rhs: Vec<f64>,
    /// Largest artificial multiplier met; zero but for rounding.
    pub artificial: f64,
}

impl Mixed {
    /// The equations of a rod.
    pub fn new(rod: Rod) -> Self {
        let mut made =
            Self { rod, band: Band::new(&[], 0, &[]), entries: Vec::new(), rhs: Vec::new(), artificial: 0.0 };
        made.assemble(&rod.straight());
        made.band = Band::new(&[ABSOLUTE, PAIR, PAIR, PAIR], rod.segments, &made.entries);
        made.rhs = vec![0.0; (ABSOLUTE + 3 * PAIR) * rod.segments];
        made
    }

    /// Where q̈, λ and η begin.
    fn places(&self) -> [usize; 3] {
        [4, 6, 8].map(|k| k * self.rod.segments)
    }

    fn assemble(&mut self, p: &[f64]) {
        let [strains, multipliers, artificial] = self.places();
        self.entries.clear();
        self.rod.masses(&mut self.entries);
        border(&mut self.entries, |out| self.rod.constraints(p, multipliers, out), 1.0);
        border(&mut self.entries, |out| self.rod.strain_matrix(p, artificial, out), -1.0);
        for k in 0..PAIR * self.rod.segments {
            self.entries.push((strains + k, artificial + k, 1.0));
            self.entries.push((artificial + k, strains + k, 1.0));
        }
    }
}

impl Formulation for Mixed {
    fn start(&self) -> Vec<f64> {
        straight_strains(&self.rod)
    }

    fn rate(&mut self, y: &[f64], out: &mut [f64]) -> bool {
        let n = PAIR * self.rod.segments;
        let at = recursion(y);
        self.assemble(&at.p);
        let [strains, multipliers, artificial] = self.places();
        self.rhs.fill(0.0);
        self.rod.forces(&at.p, &mut self.rhs[..strains]);
        self.rod.constraint_bias(&at.v, &mut self.rhs[multipliers..artificial]);
        self.rod.strain_bias(&at.p, &at.v, &mut self.rhs[artificial..]);
        let solved = self.band.solve(&self.entries, &mut self.rhs);
        self.artificial = self.rhs[artificial..].iter().fold(self.artificial, |m, eta| m.max(eta.abs()));
        out[..n].copy_from_slice(&y[n..]);
        out[n..].copy_from_slice(&self.rhs[strains..multipliers]);
        solved
    }

    fn absolute(&self, y: &[f64]) -> [Vec<f64>; 2] {
        let at = recursion(y);
        [at.p, at.v]
    }

    fn sizes(&self) -> (usize, Option<usize>) {
        (self.rhs.len(), Some(self.band.width()))
    }

    fn work(&self) -> u64 {
        self.band.work
    }
}

/// Classical Runge-Kutta steps of fourth order; none if an evaluation fails. `see` is called with each state.
pub fn integrate(of: &mut dyn Formulation, end: f64, steps: usize, mut see: impl FnMut(&[f64])) -> Option<Vec<f64>> {
    let mut y = of.start();
    let h = end / steps as f64;
    let mut slopes = [0; 4].map(|_| vec![0.0; y.len()]);
    let mut stage = y.clone();
    for _ in 0..steps {
        for (k, share) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
            let (done, rest) = slopes.split_at_mut(k);
            for (i, stage) in stage.iter_mut().enumerate() {
                *stage = y[i] + done.last().map_or(0.0, |slope| share * h * slope[i]);
            }
            if !of.rate(&stage, &mut rest[0]) {
                return None;
            }
        }
        for (i, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]);
        }
        see(&y);
    }
    Some(y)
}
