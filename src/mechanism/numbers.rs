//! Numbers without dimension that tell which effects matter in a net.
//!
//! With lengths in L, forces in EI/L² and times in T = L² √(ρA/EI) the energy of a straight piece of rod per EI/L is
//! ½ ∫ (κ² + γ₃²/Σ + γ₁²/Γ) ds − W ∫ y ds, its kinetic energy ½ ∫ (ṙ² + P θ̇²) ds, with Σ = EI/(EA L²) (stretch),
//! Γ = EI/(GA L²) (shear), P = ρI/(ρA L²) (rotary inertia) and W = ρA g L³/EI (weight). Where one of them is small, the rod
//! does not stretch, does not shear, has no rotary inertia, does not sag. These are the ratios left over by the scaling of
//! Gratus and Tucker (2003), section 5, which measures forces in EA and moments in a free constant.

use super::{Mechanism, RodPart};

/// What bends, stretches, shears and weighs against what, of one rod with its mean section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RodNumbers {
    /// L √(EA/EI): length over radius of gyration, 1/√Σ. Infinite for strings.
    pub slenderness: f64,
    /// 3Γ: what shear adds to the deflection of a cantilever under a tip force, as a part of what bending does. Zero for
    /// strings and rods that cannot shear.
    pub shear: f64,
    /// 3Σ: stretch under a force along the rod as a part of the deflection under the same force across a cantilever.
    pub stretch: f64,
    /// P ∫w'²ds/∫w²ds/2 of the first mode w of a cantilever: part by which rotary inertia lowers its frequency.
    pub rotary: f64,
    /// W/8: deflection of a cantilever under its own weight by linear theory, as a part of its length. Of a string: its
    /// stretch, ρA g L/(2 EA), under its own weight.
    pub weight: f64,
    /// Period of the first mode of a cantilever, 2π T/3.516, second; of a string, of the first axial one with an end free.
    pub period: Option<f64>,
    /// Time the fastest wave of stretch or shear takes along the rod, second.
    pub transit: Option<f64>,
}

/// Numbers of a net.
#[derive(Debug, Clone, PartialEq)]
pub struct NetNumbers {
    /// Those of each rod, in the order of [`Mechanism::rods`]; rigid ones have none.
    pub rods: Vec<Option<RodNumbers>>,
    /// Mass of bodies and rigid rods over that of the other rods; none without the latter.
    pub carried: Option<f64>,
}

/// First eigenvalue (βL)² of a cantilever, and L² ∫w'²ds/∫w²ds of its mode.
const FIRST_MODE: f64 = 3.516_015_268;
const FIRST_SLOPES: f64 = 4.647_778;
/// Sections at which constants are taken for their means.
const SECTIONS: usize = 64;

/// Numbers of a net.
pub fn numbers(mechanism: &Mechanism) -> NetNumbers {
    let gravity = mechanism.gravity.norm();
    let rods: Vec<Option<RodNumbers>> =
        mechanism.rods.iter().map(|rod| of_rod(rod, mechanism.dimension, gravity)).collect();
    let (mut flexible, mut carried) = (0.0, mechanism.bodies.iter().map(|body| body.mass).sum::<f64>());
    for rod in &mechanism.rods {
        let mass = rod.length * mean(rod, |section| section.mass);
        *if rod.kind.is_rigid() { &mut carried } else { &mut flexible } += mass;
    }
    NetNumbers { rods, carried: (flexible > 0.0).then(|| carried / flexible) }
}

/// Mean of a constant of the sections of a rod, by the midpoint rule.
fn mean(rod: &RodPart, of: impl Fn(&crate::material::Section) -> f64) -> f64 {
    let place = |i: usize| rod.length * (i as f64 + 0.5) / SECTIONS as f64;
    (0..SECTIONS).map(|i| of(&(rod.section)(place(i)))).sum::<f64>() / SECTIONS as f64
}

fn of_rod(rod: &RodPart, dimension: usize, gravity: f64) -> Option<RodNumbers> {
    if rod.kind.is_rigid() {
        return None;
    }
    let square = rod.length * rod.length;
    // Compliances add up along a rod.
    let stiffness = |row: usize| 1.0 / mean(rod, |section| 1.0 / section.stiffness[(row, row)]);
    let (axial, mass) = (stiffness(2), mean(rod, |section| section.mass));
    let moving = mass > 0.0;
    if rod.kind.is_limp() {
        let transit = moving.then(|| rod.length * (mass / axial).sqrt());
        return Some(RodNumbers {
            slenderness: f64::INFINITY,
            shear: 0.0,
            stretch: 0.0,
            rotary: 0.0,
            weight: 0.5 * mass * gravity * rod.length / axial,
            period: transit.map(|transit| 4.0 * transit),
            transit,
        });
    }
    // In the plane sections bend about d₂ and shear along d₁; in space the softer direction and the larger effect count.
    let directions: &[(usize, usize, usize)] = if dimension == 2 { &[(4, 0, 1)] } else { &[(3, 1, 0), (4, 0, 1)] };
    let bending = directions.iter().map(|(k, ..)| stiffness(*k)).fold(f64::INFINITY, f64::min);
    let shear = directions.iter().map(|(k, gamma, _)| 3.0 * stiffness(*k) / (stiffness(*gamma) * square));
    let shear = if rod.kind.is_unsheared() { 0.0 } else { shear.fold(0.0, f64::max) };
    let inertia = |row: usize| mean(rod, |section| section.inertia[(row, row)]);
    let rotary =
        directions.iter().map(|(.., i)| 0.5 * FIRST_SLOPES * inertia(*i) / (mass * square)).fold(0.0, f64::max);
    let fastest = axial.max(if rod.kind.is_unsheared() { 0.0 } else { stiffness(0) });
    Some(RodNumbers {
        slenderness: (axial * square / bending).sqrt(),
        shear,
        stretch: 3.0 * bending / (axial * square),
        rotary: if moving { rotary } else { 0.0 },
        weight: mass * gravity * rod.length * square / (8.0 * bending),
        period: moving.then(|| std::f64::consts::TAU * square * (mass / bending).sqrt() / FIRST_MODE),
        transit: moving.then(|| rod.length * (mass / fastest).sqrt()),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::Vector3;

    use super::*;
    use crate::geometry::Pose;
    use crate::material::{RodLaw, Section};
    use crate::mechanism::RodKind;

    fn net(section: Section, kind: RodKind, dimension: usize) -> NetNumbers {
        let rod = RodPart {
            name: "rod".into(),
            kind,
            length: 2.0,
            elements: 4,
            mesh: Default::default(),
            order: 1,
            quadrature: Default::default(),
            reference: Arc::new(|s| Pose { position: Vector3::x() * s, ..Pose::IDENTITY }),
            section: Arc::new(move |_| section),
            law: RodLaw::default(),
            prestrain: None,
            velocity: None,
        };
        numbers(&Mechanism { gravity: Vector3::y() * -10.0, rods: vec![rod], ..Mechanism::empty(dimension) })
    }

    /// A cantilever of 2 m by the formulas of beam theory: F L³/3EI, F L/GA, F L/EA, q L⁴/8EI, (3.516/L²) √(EI/ρA).
    #[test]
    fn a_cantilever_by_hand() {
        let section = Section::principal(900.0, [400.0, 500.0], [7.0, 3.0], 0.4, 0.5, [0.02, 0.01, 0.03]);
        let plane = net(section, RodKind::Cosserat, 2).rods[0].unwrap();
        let deflection = 8.0 / (3.0 * 3.0);
        assert!((plane.shear - (2.0 / 400.0) / deflection).abs() < 1e-12);
        assert!((plane.stretch - (2.0 / 900.0) / deflection).abs() < 1e-12);
        assert!((plane.weight - 0.5 * 10.0 * 16.0 / (8.0 * 3.0) / 2.0).abs() < 1e-12);
        assert!((plane.slenderness - 2.0 * 300.0_f64.sqrt()).abs() < 1e-10);
        let omega = 3.51601527 / 4.0 * (3.0_f64 / 0.5).sqrt();
        assert!((plane.period.unwrap() * omega / std::f64::consts::TAU - 1.0).abs() < 1e-9);
        assert!((plane.transit.unwrap() - 2.0 / 1800.0_f64.sqrt()).abs() < 1e-12);
        // Rayleigh's quotient: ω² falls by the factor 1/(1 + P L² ∫w'²/∫w²).
        assert!((plane.rotary - 0.5 * 4.6478 * 0.01 / (0.5 * 4.0)).abs() < 1e-5);
        let space = net(section, RodKind::Cosserat, 3).rods[0].unwrap();
        assert!((space.shear - 3.0 * 7.0 / (500.0 * 4.0)).abs() < 1e-12, "bending about d1 shears along d2");
        assert_eq!(space.slenderness, plane.slenderness);
        assert_eq!(net(section, RodKind::Kirchhoff, 2).rods[0].unwrap().shear, 0.0);
        assert_eq!(net(section, RodKind::Rigid, 2), NetNumbers { rods: vec![None], carried: None });
    }

    /// L² ∫w'²/∫w² of the first mode of a cantilever, from the mode itself by Simpson's rule.
    #[test]
    fn slopes_of_the_first_mode() {
        let (beta, n) = (FIRST_MODE.sqrt(), 2000);
        let sigma = (beta.sinh() - beta.sin()) / (beta.cosh() + beta.cos());
        let w = |x: f64| (beta * x).cosh() - (beta * x).cos() - sigma * ((beta * x).sinh() - (beta * x).sin());
        let slope =
            |x: f64| beta * ((beta * x).sinh() + (beta * x).sin() - sigma * ((beta * x).cosh() - (beta * x).cos()));
        let simpson = |f: &dyn Fn(f64) -> f64| {
            let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
            (0..=n).map(|i| weight(i) * f(i as f64 / n as f64).powi(2)).sum::<f64>() / (3 * n) as f64
        };
        assert!((simpson(&slope) / simpson(&w) - FIRST_SLOPES).abs() < 1e-5);
    }
}
