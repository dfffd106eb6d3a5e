//! Cross-sections by shape: area, second moments, St-Venant torsion constant and shear factor.

use std::f64::consts::PI;

use thiserror::Error;

use super::{MaterialSpec, Section};

/// A homogeneous cross-section whose principal axes are d₁ and d₂; lengths in metre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Solid circle.
    Circle {
        /// Radius.
        radius: f64,
    },
    /// Tube (annulus).
    Tube {
        /// Outer radius.
        outer: f64,
        /// Inner radius.
        inner: f64,
    },
    /// Rectangle.
    Rectangle {
        /// Extent along d₂: across the plane of a plane rod.
        width: f64,
        /// Extent along d₁: in the plane of a plane rod.
        height: f64,
    },
}

/// A shape or material that no rod can have.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ShapeError {
    /// A dimension, modulus, density or factor outside its range.
    #[error("{quantity} is {value}, but must be {expected}")]
    OutOfRange {
        /// What it is, with its unit.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A tube whose hole is as large as itself.
    #[error("the inner radius {inner} of the tube must be smaller than the outer radius {outer} (metre)")]
    NoWall {
        /// Inner radius, metre.
        inner: f64,
        /// Outer radius, metre.
        outer: f64,
    },
}

/// Refuses what is not positive or not finite.
fn positive(quantity: &'static str, value: f64) -> Result<(), ShapeError> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(ShapeError::OutOfRange { quantity, value, expected: "positive and finite" }),
    }
}

impl Shape {
    /// Whether such a section exists.
    pub fn check(&self) -> Result<(), ShapeError> {
        match *self {
            Shape::Circle { radius } => positive("the radius of the circle (metre)", radius),
            Shape::Tube { outer, inner } => {
                positive("the outer radius of the tube (metre)", outer)?;
                if !(inner >= 0.0) {
                    let quantity = "the inner radius of the tube (metre)";
                    return Err(ShapeError::OutOfRange { quantity, value: inner, expected: "zero or positive" });
                }
                if inner < outer { Ok(()) } else { Err(ShapeError::NoWall { inner, outer }) }
            }
            Shape::Rectangle { width, height } => {
                positive("the width of the rectangle (metre)", width)?;
                positive("the height of the rectangle (metre)", height)
            }
        }
    }

    /// Area A, m².
    pub fn area(&self) -> f64 {
        match *self {
            Shape::Circle { radius } => PI * radius * radius,
            Shape::Tube { outer, inner } => PI * (outer * outer - inner * inner),
            Shape::Rectangle { width, height } => width * height,
        }
    }

    /// Second moments of area about d₁ and d₂, m⁴: I₁ = ∫y₂² dA resists bending about d₁, which moves the rod along d₂.
    pub fn second_moments(&self) -> [f64; 2] {
        match *self {
            Shape::Circle { radius } => [PI * radius.powi(4) / 4.0; 2],
            Shape::Tube { outer, inner } => [PI * (outer.powi(4) - inner.powi(4)) / 4.0; 2],
            Shape::Rectangle { width, height } => [height * width.powi(3) / 12.0, width * height.powi(3) / 12.0],
        }
    }

    /// St-Venant torsion constant J, m⁴: the polar moment for circle and tube, less for the rectangle, which warps.
    pub fn torsion_constant(&self) -> f64 {
        match *self {
            Shape::Circle { .. } | Shape::Tube { .. } => self.second_moments().iter().sum(),
            Shape::Rectangle { width, height } => {
                let (long, short) = (width.max(height), width.min(height));
                long * short.powi(3) * rectangle_torsion(long / short)
            }
        }
    }

    /// Shear factor of Cowper (1966) for Poisson's ratio ν, the same along d₁ and d₂: circle 6(1 + ν)/(7 + 6ν),
    /// rectangle 10(1 + ν)/(12 + 11ν), tube of radius ratio m 6(1 + ν)(1 + m²)²/((7 + 6ν)(1 + m²)² + (20 + 12ν)m²).
    pub fn shear_factor(&self, poisson: f64) -> f64 {
        let nu = poisson;
        match *self {
            Shape::Circle { .. } => 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu),
            Shape::Tube { outer, inner } => {
                let m2 = (inner / outer).powi(2);
                let square = (1.0 + m2).powi(2);
                6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2)
            }
            Shape::Rectangle { .. } => 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu),
        }
    }

    /// The section of a rod of this shape, undamped: EA, κGA, E I₁, E I₂, GJ, ρA, ρI₁, ρI₂ and ρ(I₁ + I₂), with
    /// G = E/2(1 + ν). The shear factor κ is Cowper's unless given.
    pub fn section(&self, material: &MaterialSpec, shear_factor: Option<f64>) -> Result<Section, ShapeError> {
        self.check()?;
        check_material(material)?;
        if let Some(factor) = shear_factor {
            positive("the shear factor", factor)?;
        }
        let MaterialSpec { youngs, poisson, density } = *material;
        let shear_modulus = youngs / (2.0 * (1.0 + poisson));
        let area = self.area();
        let shear = shear_factor.unwrap_or_else(|| self.shear_factor(poisson)) * shear_modulus * area;
        let [i1, i2] = self.second_moments();
        Ok(Section::principal(
            youngs * area,
            [shear; 2],
            [youngs * i1, youngs * i2],
            shear_modulus * self.torsion_constant(),
            density * area,
            [density * i1, density * i2, density * (i1 + i2)],
        ))
    }
}

/// Moduli and density a material can have: −1 < ν ≤ ½ makes the elastic energy positive.
fn check_material(material: &MaterialSpec) -> Result<(), ShapeError> {
    positive("Young's modulus (pascal)", material.youngs)?;
    positive("the density (kg/m³)", material.density)?;
    match material.poisson > -1.0 && material.poisson <= 0.5 {
        true => Ok(()),
        false => Err(ShapeError::OutOfRange {
            quantity: "Poisson's ratio",
            value: material.poisson,
            expected: "above -1 and at most 0.5",
        }),
    }
}

/// J/(a b³) of a rectangle of sides a ≥ b (St-Venant; Timoshenko and Goodier, Theory of Elasticity, art. 109):
/// 1/3 − 64/π⁵ (b/a) Σ tanh(nπa/2b)/n⁵ over odd n. The sum is 31/32 ζ(5) − Σ 2/(n⁵(exp(nπa/b) + 1)), whose terms fall
/// like exp(−nπ) or faster: seven reach rounding.
fn rectangle_torsion(ratio: f64) -> f64 {
    /// Riemann's ζ(5), OEIS A013663.
    const ZETA_5: f64 = 1.036_927_755_143_37;
    let rest: f64 =
        (0..7).map(|k| f64::from(2 * k + 1)).map(|n| 2.0 / (n.powi(5) * ((n * PI * ratio).exp() + 1.0))).sum();
    1.0 / 3.0 - 64.0 / PI.powi(5) / ratio * (31.0 / 32.0 * ZETA_5 - rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::SectionConstants;

    const STEEL: MaterialSpec = MaterialSpec { youngs: 210e9, poisson: 0.3, density: 7850.0 };

    /// Timoshenko and Goodier, table of k₁ (three or four digits), and the plain series with a million terms.
    #[test]
    fn torsion_of_rectangles() {
        let table = [(1.0, 0.1406), (1.2, 0.166), (1.5, 0.196), (2.0, 0.229), (2.5, 0.249), (3.0, 0.263), (4.0, 0.281)];
        for (ratio, k) in table.into_iter().chain([(5.0, 0.291), (10.0, 0.312), (1e6, 0.333)]) {
            let rounding = if k == 0.1406 { 0.5e-4 } else { 0.5e-3 };
            assert!((rectangle_torsion(ratio) - k).abs() <= rounding * 1.01, "{ratio}: {}", rectangle_torsion(ratio));
        }
        for ratio in [1.0, 1.3, 7.0] {
            let sum: f64 = (0..1_000_000)
                .rev()
                .map(|k| f64::from(2 * k + 1))
                .map(|n: f64| (0.5 * n * PI * ratio).tanh() / n.powi(5))
                .sum();
            let plain = 1.0 / 3.0 - 64.0 / PI.powi(5) / ratio * sum;
            assert!((rectangle_torsion(ratio) - plain).abs() < 1e-15, "{ratio}");
        }
    }

    /// The sides may be exchanged: the section turns by a right angle, its torsion stays.
    #[test]
    fn rectangles_bend_most_easily_across_their_thin_side() {
        let lying = Shape::Rectangle { width: 0.04, height: 0.01 };
        let standing = Shape::Rectangle { width: 0.01, height: 0.04 };
        let [a, b] = [lying, standing].map(|shape| shape.section(&STEEL, None).unwrap());
        // Bending about d₁ moves along d₂, where the lying section is 0.04 wide: E 0.01 0.04³/12.
        assert!((a.stiffness[(3, 3)] / (210e9 * 0.01 * 0.04_f64.powi(3) / 12.0) - 1.0).abs() < 1e-15);
        assert!((a.stiffness[(4, 4)] / (210e9 * 0.04 * 0.01_f64.powi(3) / 12.0) - 1.0).abs() < 1e-15);
        assert_eq!(a.stiffness[(3, 3)], b.stiffness[(4, 4)]);
        assert_eq!(a.stiffness[(5, 5)], b.stiffness[(5, 5)]);
        assert_eq!(a.inertia[(0, 0)], b.inertia[(1, 1)]);
        assert!((a.inertia[(2, 2)] - a.inertia[(0, 0)] - a.inertia[(1, 1)]).abs() < 1e-18);
        // G k₁ a b³ with k₁ = 0.281 for sides 4 : 1.
        assert!((a.stiffness[(5, 5)] / (210e9 / 2.6 * 0.281 * 0.04 * 1e-6) - 1.0).abs() < 2e-3);
    }

    /// The plane constants are those of the section in space that remain in the plane: Γ₁, Γ₃, K₂.
    #[test]
    fn plane_and_space_agree() {
        let shapes = [
            Shape::Circle { radius: 0.01 },
            Shape::Tube { outer: 0.02, inner: 0.015 },
            Shape::Rectangle { width: 0.01, height: 0.03 },
        ];
        for shape in shapes {
            let plane = SectionConstants::of_shape(&shape, &STEEL);
            let space = shape.section(&STEEL, None).unwrap();
            let pairs = [
                (plane.shear, space.stiffness[(0, 0)]),
                (plane.axial, space.stiffness[(2, 2)]),
                (plane.bending, space.stiffness[(4, 4)]),
                (plane.mass, space.mass),
                (plane.rotary, space.inertia[(1, 1)]),
            ];
            assert!(pairs.iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-14), "{shape:?}");
        }
    }

    /// A round bar: GJ/EI = 1/(1 + ν); the shear factor can be chosen.
    #[test]
    fn circles_and_the_shear_factor() {
        let circle = Shape::Circle { radius: 0.01 };
        let section = circle.section(&STEEL, Some(1.0)).unwrap();
        assert!((section.stiffness[(5, 5)] / section.stiffness[(3, 3)] - 1.0 / 1.3).abs() < 1e-15);
        assert!((section.stiffness[(0, 0)] / section.stiffness[(2, 2)] - 1.0 / 2.6).abs() < 1e-15);
        let cowper = circle.section(&STEEL, None).unwrap();
        assert!((cowper.stiffness[(1, 1)] / section.stiffness[(1, 1)] - 7.8 / 8.8).abs() < 1e-15);
    }

    #[test]
    fn impossible_sections_are_refused_in_words() {
        let message = |shape: Shape| shape.section(&STEEL, None).unwrap_err().to_string();
        assert_eq!(
            message(Shape::Circle { radius: -0.1 }),
            "the radius of the circle (metre) is -0.1, but must be positive and finite"
        );
        assert_eq!(
            message(Shape::Tube { outer: 0.1, inner: 0.1 }),
            "the inner radius 0.1 of the tube must be smaller than the outer radius 0.1 (metre)"
        );
        assert!(message(Shape::Tube { outer: 0.1, inner: f64::NAN }).contains("NaN"));
        assert!(message(Shape::Rectangle { width: f64::INFINITY, height: 1.0 }).contains("width"));
        let circle = Shape::Circle { radius: 0.1 };
        let error = circle.section(&MaterialSpec { poisson: 0.6, ..STEEL }, None).unwrap_err();
        assert_eq!(error.to_string(), "Poisson's ratio is 0.6, but must be above -1 and at most 0.5");
        assert!(circle.section(&STEEL, Some(0.0)).unwrap_err().to_string().contains("shear factor"));
    }
}
