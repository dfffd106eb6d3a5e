//! The plane shear-flexible geometrically exact beam (Reissner 1972, Simo 1985).

use nalgebra::{matrix, vector};

use super::continuum::{Characteristic, Continuum, Matrix, Straight, StrainError, Stress, Tangent, Vector, Waves};
use crate::geometry::Director;
use crate::material::{AxialLaw, Law, SectionConstants};
use crate::scalar::Real;

/// Configuration (x, y, θ); strains γ₃ = r'·d₃, γ₁ = r'·d₁, κ = θ'; energy density
/// W = ψ(γ₃) + ½ GA γ₁² + ½ EI κ², inertia diag(ρA, ρA, ρI).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam<L = Law> {
    /// Axial law ψ.
    pub law: L,
    /// Stiffnesses and inertia.
    pub section: SectionConstants,
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 2],
    /// 1/√ρA and 1/√ρI.
    scale: [f64; 2],
    /// Shear and bending wave speeds √(GA/ρA), √(EI/ρI), which do not depend on the state.
    constant_speeds: [f64; 2],
}

/// Strains and the forces conjugate to them in the material frame.
#[derive(Debug, Clone, Copy)]
struct Local {
    frame: Director<f64>,
    g3: f64,
    g1: f64,
    n3: f64,
    n1: f64,
}

impl Local {
    fn stress(&self, moment: f64) -> Stress<3> {
        let (nx, ny) = self.frame.to_spatial(self.n3, self.n1);
        Stress { n: vector![nx, ny, moment], w_q: vector![0.0, 0.0, self.n3 * self.g1 - self.n1 * self.g3] }
    }
}

impl<L: AxialLaw> Beam<L> {
    /// A beam of the given cross-section under gravity.
    pub fn new(law: L, section: SectionConstants, gravity: [f64; 2]) -> Self {
        let scale = [1.0 / section.mass.sqrt(), 1.0 / section.rotary.sqrt()];
        let constant_speeds = [section.shear.sqrt() * scale[0], section.bending.sqrt() * scale[1]];
        Self { law, section, gravity, scale, constant_speeds }
    }

    fn local(&self, q: &Vector<3>, p: &Vector<3>) -> Result<Local, StrainError> {
        let frame = Director::at(q[2]);
        let (g3, g1) = frame.to_material(p[0], p[1]);
        if !(g3 > 0.0) {
            return Err(StrainError::Collapsed { stretch: g3 });
        }
        Ok(Local { frame, g3, g1, n3: self.law.force(self.section.axial, g3), n1: self.section.shear * g1 })
    }

    /// Axial c₃ = √(k₃/ρA) along d₃ with k₃ = N₃'(γ₃), shear √(GA/ρA) along d₁, bending √(EI/ρI).
    fn waves_at(&self, frame: &Director<f64>, k3: f64) -> Waves<3> {
        let (c, s) = frame.to_spatial(1.0, 0.0);
        let [a, r] = self.scale;
        let [shear, bending] = self.constant_speeds;
        Waves {
            speeds: [k3.sqrt() * a, shear, bending],
            modes: matrix![c * a, -s * a, 0.0; s * a, c * a, 0.0; 0.0, 0.0, r],
        }
    }
}

impl<L: AxialLaw> Continuum<3> for Beam<L> {
    fn coordinates(&self) -> [&'static str; 3] {
        ["x", "y", "angle"]
    }

    fn inertia(&self) -> Vector<3> {
        vector![self.section.mass, self.section.mass, self.section.rotary]
    }

    fn body_force(&self) -> Vector<3> {
        vector![self.section.mass * self.gravity[0], self.section.mass * self.gravity[1], 0.0]
    }

    fn energy<T: Real>(&self, q: &[T; 3], p: &[T; 3]) -> T {
        let (g3, g1) = Director::at(q[2]).to_material(p[0], p[1]);
        self.law.energy(self.section.axial, g3)
            + g1 * g1 * (0.5 * self.section.shear)
            + p[2] * p[2] * (0.5 * self.section.bending)
    }

    /// n = N₃ d₃ + N₁ d₁, m = EI κ, ∂W/∂θ = N₃ γ₁ − N₁ γ₃ (because d₃,θ = d₁ and d₁,θ = −d₃).
    fn stress(&self, q: &Vector<3>, p: &Vector<3>) -> Result<Stress<3>, StrainError> {
        Ok(self.local(q, p)?.stress(self.section.bending * p[2]))
    }

    /// With k₃ = N₃'(γ₃): ∂²W/∂r'∂r' = k₃ d₃d₃ᵀ + GA d₁d₁ᵀ, ∂n/∂θ = (k₃γ₁ − N₁) d₃ + (N₃ − GA γ₃) d₁,
    /// ∂²W/∂θ² = k₃γ₁² − N₁γ₁ + GA γ₃² − N₃γ₃.
    fn tangent(&self, q: &Vector<3>, p: &Vector<3>) -> Result<Tangent<3>, StrainError> {
        let local = self.local(q, p)?;
        let Local { frame, g3, g1, n3, n1 } = local;
        let (k3, ga) = (self.law.tangent(self.section.axial, g3), self.section.shear);
        let (c, s) = frame.to_spatial(1.0, 0.0);
        let (tx, ty) = frame.to_spatial(k3 * g1 - n1, n3 - ga * g3);
        let off = (k3 - ga) * c * s;
        Ok(Tangent {
            stress: local.stress(self.section.bending * p[2]),
            pp: matrix![
                k3 * c * c + ga * s * s, off, 0.0;
                off, k3 * s * s + ga * c * c, 0.0;
                0.0, 0.0, self.section.bending
            ],
            pq: matrix![0.0, 0.0, tx; 0.0, 0.0, ty; 0.0, 0.0, 0.0],
            qq: Matrix::from_diagonal(&vector![0.0, 0.0, k3 * g1 * g1 - n1 * g1 + ga * g3 * g3 - n3 * g3]),
        })
    }

    fn gradient(&self, q: &Vector<3>, n: &Vector<3>) -> Result<Vector<3>, StrainError> {
        let frame = Director::at(q[2]);
        let (n3, n1) = frame.to_material(n[0], n[1]);
        let stretch = self.law.stretch(self.section.axial, n3);
        if !(stretch > 0.0 && stretch.is_finite()) {
            return Err(StrainError::Collapsed { stretch });
        }
        let (px, py) = frame.to_spatial(stretch, n1 / self.section.shear);
        Ok(vector![px, py, n[2] / self.section.bending])
    }

    fn waves(&self, q: &Vector<3>, p: &Vector<3>) -> Result<Waves<3>, StrainError> {
        let Local { frame, g3, .. } = self.local(q, p)?;
        Ok(self.waves_at(&frame, self.law.tangent(self.section.axial, g3)))
    }

    /// The default with one evaluation of sine and cosine instead of four.
    fn characteristic(&self, q: &Vector<3>, v: &Vector<3>, n: &Vector<3>) -> Result<Characteristic<3>, StrainError> {
        let section = &self.section;
        let frame = Director::at(q[2]);
        let (n3, n1) = frame.to_material(n[0], n[1]);
        let (g3, g1) = (self.law.stretch(section.axial, n3), n1 / section.shear);
        if !(g3 > 0.0 && g3.is_finite()) {
            return Err(StrainError::Collapsed { stretch: g3 });
        }
        let (px, py) = frame.to_spatial(g3, g1);
        let k3 = self.law.tangent(section.axial, g3);
        let (tx, ty) = frame.to_spatial(k3 * g1 - n1, n3 - section.shear * g3);
        Ok(Characteristic {
            p: vector![px, py, n[2] / section.bending],
            waves: self.waves_at(&frame, k3),
            w_q: vector![0.0, 0.0, n3 * g1 - n1 * g3],
            coupling: vector![tx * v[2], ty * v[2], 0.0],
        })
    }

    fn straight(&self, from: &[f64], to: &[f64]) -> Straight<3> {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dy);
        Straight { q: vector![from[0], from[1], dy.atan2(dx)], p: vector![dx / length, dy / length, 0.0], length }
    }
}
