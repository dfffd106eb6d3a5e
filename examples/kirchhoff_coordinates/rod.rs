//! A plane Kirchhoff rod of N straight segments: masses, forces, constraints and strains in absolute coordinates.
//!
//! Segment n goes from x₍ₙ₋₁₎ to xₙ along the unit complex number zₙ; x₀ = 0 and z₀ = 1 are held (clamped to the left).
//! Coordinates are p = (z₁, x₁, …, z_N, x_N), four numbers per segment. They obey
//!
//!   ½ (|zₙ|² − 1) = 0 and Im(z̄ₙ (xₙ − x₍ₙ₋₁₎)) = 0 (no shear).
//!
//! Strains are q = (w₁, ξ₁, …): wₙ = Im(z̄₍ₙ₋₁₎ zₙ), the sine of the angle between neighbours, and ξₙ = |xₙ − x₍ₙ₋₁₎|.
//! Energies: ½ Bₙ wₙ² with Bₙ = EI/h (2EI/h at the clamp, half a segment away), ½ EA h (ξₙ/h − 1)², weight; the mass per
//! length moves with x linear along segments (consistent mass), rotary inertia ρI h with each segment.

/// A number of the plane as (real, imaginary).
pub type Complex = [f64; 2];

/// a b.
pub fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Im(ā b).
pub fn cross(a: Complex, b: Complex) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Complex, b: Complex) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: Complex, b: Complex) -> Complex {
    [a[0] - b[0], a[1] - b[1]]
}

/// An entry (row, column, value) of a matrix.
pub type Entry = (usize, usize, f64);

/// Coordinates per segment: z and x.
pub const ABSOLUTE: usize = 4;
/// Strains and constraints per segment.
pub const PAIR: usize = 2;

/// The rod.
#[derive(Debug, Clone, Copy)]
pub struct Rod {
    /// Number of segments.
    pub segments: usize,
    /// Length, metre.
    pub length: f64,
    /// EA, newton.
    pub axial: f64,
    /// EI, newton metre².
    pub bending: f64,
    /// ρA, kg/m.
    pub mass: f64,
    /// ρI, kg m.
    pub rotary: f64,
    /// Acceleration of gravity against y, m/s².
    pub gravity: f64,
}

impl Rod {
    /// Rubber of 1 m and 5 mm radius, E = 5 MPa, ρ = 1100 kg/m³.
    pub fn rubber(segments: usize) -> Self {
        let (radius, youngs, density) = (0.005_f64, 5e6, 1100.0);
        let area = std::f64::consts::PI * radius * radius;
        let moment = 0.25 * area * radius * radius;
        Self {
            segments,
            length: 1.0,
            axial: youngs * area,
            bending: youngs * moment,
            mass: density * area,
            rotary: density * moment,
            gravity: 9.81,
        }
    }

    /// h.
    pub fn spacing(&self) -> f64 {
        self.length / self.segments as f64
    }

    /// Bₙ of the joint at the beginning of a segment.
    fn bend(&self, segment: usize) -> f64 {
        let distance = if segment == 0 { 0.5 } else { 1.0 };
        self.bending / (distance * self.spacing())
    }

    /// zₙ, n from 0 to N (the first is the clamp).
    pub fn z(&self, p: &[f64], n: usize) -> Complex {
        if n == 0 { [1.0, 0.0] } else { [p[4 * n - 4], p[4 * n - 3]] }
    }

    /// xₙ, n from 0 to N.
    pub fn x(&self, p: &[f64], n: usize) -> Complex {
        if n == 0 { [0.0, 0.0] } else { [p[4 * n - 2], p[4 * n - 1]] }
    }

    /// żₙ and ẋₙ, zero at the clamp.
    fn rates(v: &[f64], n: usize) -> [Complex; 2] {
        if n == 0 { [[0.0; 2]; 2] } else { [[v[4 * n - 4], v[4 * n - 3]], [v[4 * n - 2], v[4 * n - 1]]] }
    }

    /// The straight horizontal rod.
    pub fn straight(&self) -> Vec<f64> {
        let h = self.spacing();
        (1..=self.segments).flat_map(|n| [1.0, 0.0, h * n as f64, 0.0]).collect()
    }

    /// M, constant.
    pub fn masses(&self, out: &mut Vec<Entry>) {
        let (h, last) = (self.spacing(), self.segments - 1);
        for n in 0..self.segments {
            let share = self.mass * h / 6.0;
            let own = if n == last { 2.0 * share } else { 4.0 * share };
            for c in 0..2 {
                let (z, x) = (4 * n + c, 4 * n + 2 + c);
                out.push((z, z, self.rotary * h));
                out.push((x, x, own));
                if n > 0 {
                    out.push((x, x - 4, share));
                    out.push((x - 4, x, share));
                }
            }
        }
    }

    /// f: forces of weight, stretch and bending.
    pub fn forces(&self, p: &[f64], f: &mut [f64]) {
        let (h, weight) = (self.spacing(), self.mass * self.gravity * self.spacing());
        f.fill(0.0);
        for n in 1..=self.segments {
            let at = 4 * (n - 1);
            f[at + 3] -= if n == self.segments { 0.5 * weight } else { weight };
            let chord = minus(self.x(p, n), self.x(p, n - 1));
            let xi = dot(chord, chord).sqrt();
            let pull = self.axial * (xi / h - 1.0) / xi;
            let (before, here) = (self.z(p, n - 1), self.z(p, n));
            let moment = self.bend(n - 1) * cross(before, here);
            // ∂w/∂zₙ = i z₍ₙ₋₁₎ and ∂w/∂z₍ₙ₋₁₎ = −i zₙ as vectors of the plane.
            let turned = |z: Complex| [-z[1], z[0]];
            for c in 0..2 {
                f[at + 2 + c] -= pull * chord[c];
                f[at + c] -= moment * turned(before)[c];
                if n > 1 {
                    f[at - 2 + c] += pull * chord[c];
                    f[at - 4 + c] += moment * turned(here)[c];
                }
            }
        }
    }

    /// G, rows from `row` on.
    pub fn constraints(&self, p: &[f64], row: usize, out: &mut Vec<Entry>) {
        for n in 1..=self.segments {
            let (at, row) = (4 * (n - 1), row + 2 * (n - 1));
            let (z, chord) = (self.z(p, n), minus(self.x(p, n), self.x(p, n - 1)));
            // Im(z̄ Δ) = z_r Δ_i − z_i Δ_r.
            let by_z = [chord[1], -chord[0]];
            let by_x = [-z[1], z[0]];
            for c in 0..2 {
                out.push((row, at + c, z[c]));
                out.push((row + 1, at + c, by_z[c]));
                out.push((row + 1, at + 2 + c, by_x[c]));
                if n > 1 {
                    out.push((row + 1, at - 2 + c, -by_x[c]));
                }
            }
        }
    }

    /// −Ġṗ.
    pub fn constraint_bias(&self, v: &[f64], out: &mut [f64]) {
        for n in 1..=self.segments {
            let ([z, x], [_, before]) = (Self::rates(v, n), Self::rates(v, n - 1));
            out[2 * n - 2] = -dot(z, z);
            out[2 * n - 1] = -2.0 * cross(z, minus(x, before));
        }
    }

    /// Ψ = ∂q/∂p, rows from `row` on.
    pub fn strain_matrix(&self, p: &[f64], row: usize, out: &mut Vec<Entry>) {
        for n in 1..=self.segments {
            let (at, row) = (4 * (n - 1), row + 2 * (n - 1));
            let (before, here) = (self.z(p, n - 1), self.z(p, n));
            let chord = minus(self.x(p, n), self.x(p, n - 1));
            let xi = dot(chord, chord).sqrt();
            let (by_z, by_earlier) = ([-before[1], before[0]], [here[1], -here[0]]);
            for c in 0..2 {
                out.push((row, at + c, by_z[c]));
                out.push((row + 1, at + 2 + c, chord[c] / xi));
                if n > 1 {
                    out.push((row, at - 4 + c, by_earlier[c]));
                    out.push((row + 1, at - 2 + c, -chord[c] / xi));
                }
            }
        }
    }

    /// Ψ̇ṗ.
    pub fn strain_bias(&self, p: &[f64], v: &[f64], out: &mut [f64]) {
        for n in 1..=self.segments {
            let ([z, x], [z_before, x_before]) = (Self::rates(v, n), Self::rates(v, n - 1));
            let (chord, rate) = (minus(self.x(p, n), self.x(p, n - 1)), minus(x, x_before));
            let xi = dot(chord, chord).sqrt();
            let stretch_rate = dot(chord, rate) / xi;
            out[2 * n - 2] = 2.0 * cross(z_before, z);
            out[2 * n - 1] = (dot(rate, rate) - stretch_rate * stretch_rate) / xi;
        }
    }

    /// Kinetic and potential energy, joule.
    pub fn energy(&self, p: &[f64], v: &[f64]) -> f64 {
        let (h, mut masses) = (self.spacing(), Vec::new());
        self.masses(&mut masses);
        let mut sum: f64 = masses.iter().map(|(r, c, m)| 0.5 * m * v[*r] * v[*c]).sum();
        for n in 1..=self.segments {
            let share = if n == self.segments { 0.5 } else { 1.0 };
            sum += share * self.mass * self.gravity * h * self.x(p, n)[1];
            let chord = minus(self.x(p, n), self.x(p, n - 1));
            let stretch = dot(chord, chord).sqrt() / h - 1.0;
            let w = cross(self.z(p, n - 1), self.z(p, n));
            sum += 0.5 * self.axial * h * stretch * stretch + 0.5 * self.bend(n - 1) * w * w;
        }
        sum
    }

    /// Largest violation of the constraints, the shear one divided by h.
    pub fn violation(&self, p: &[f64]) -> f64 {
        (1..=self.segments).fold(0.0, |worst: f64, n| {
            let (z, chord) = (self.z(p, n), minus(self.x(p, n), self.x(p, n - 1)));
            worst.max((0.5 * (dot(z, z) - 1.0)).abs()).max((cross(z, chord) / self.spacing()).abs())
        })
    }
}
