//! The inverse constitutive law of a rod in space: strains from force and moment.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::turning::logarithm;
use crate::geometry::cross_matrix;
use crate::material::{AxialLaw, Law};
use crate::models::structure::RodPart;

/// What marching needs of a cross-section: Γ from Rᵀn, K from Rᵀm, inertia.
#[derive(Debug, Clone)]
pub struct SpaceSection {
    /// Mass per length, kg/m.
    pub mass: f64,
    /// Rotary inertia per length along d₁, d₂, d₃, kg m.
    pub inertia: Matrix3<f64>,
    /// ∂Γ/∂N of the quadratic law.
    pub compliance: Matrix3<f64>,
    /// ∂K/∂M.
    pub bending: Matrix3<f64>,
    /// Axial stiffness, newton.
    pub axial: f64,
    /// Axial law.
    pub law: Law,
    /// γ = Γ + e₃ of the unstressed state.
    pub rest: Vector3<f64>,
    /// Slowest wave without the axial one if its law is not linear, m/s.
    slowest: f64,
    /// Fastest wave of the same, m/s.
    fastest: f64,
}

/// Why a rod cannot be marched along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Stretch and shear are coupled with bending and twist.
    Coupled,
    /// Kelvin-Voigt damping.
    Damped,
    /// Mass centre or elastic centre off the axis.
    Eccentric,
    /// Bending stiffens with curvature.
    Stiffening,
    /// A stiffness is not positive.
    Soft,
}

impl SpaceSection {
    /// The section at s.
    pub fn at(rod: &RodPart, s: f64) -> Result<Self, Unfit> {
        let section = (rod.section)(s);
        let block = |r, c| section.stiffness.fixed_view::<3, 3>(r, c).into_owned();
        let (stretch, mixed, bend) = (block(0, 0), block(0, 3), block(3, 3));
        let size = section.stiffness.amax();
        let axial_alone = stretch[(0, 2)] == 0.0 && stretch[(1, 2)] == 0.0;
        let linear = matches!(rod.law.axial, Law::Quadratic(_));
        if mixed.amax() > 1e-14 * size || !(linear || axial_alone) {
            return Err(Unfit::Coupled);
        }
        if section.damping.amax() > 0.0 {
            return Err(Unfit::Damped);
        }
        if section.mass_offset != [0.0; 2] || section.elastic_offset != [0.0; 2] {
            return Err(Unfit::Eccentric);
        }
        if rod.law.stiffening != 0.0 {
            return Err(Unfit::Stiffening);
        }
        let (Some(compliance), Some(bending)) = (stretch.try_inverse(), bend.try_inverse()) else {
            return Err(Unfit::Soft);
        };
        // Speeds squared are the eigenvalues of stiffness against inertia; 1/c² those of inertia against stiffness.
        let slowness = |stiffness: Matrix3<f64>, inertia: Matrix3<f64>| -> Result<[f64; 2], Unfit> {
            let root = stiffness.cholesky().ok_or(Unfit::Soft)?.l();
            let inverse = root.try_inverse().ok_or(Unfit::Soft)?;
            let values = SymmetricEigen::new(inverse * inertia * inverse.transpose()).eigenvalues;
            Ok([values.max(), values.min()])
        };
        let mut across = stretch;
        if !linear {
            // The axial wave depends on the stretch and is looked at where that is known.
            across[(2, 2)] = across[(0, 0)];
        }
        let [a, b] =
            [slowness(across, Matrix3::from_diagonal_element(section.mass))?, slowness(bend, section.inertia)?];
        let prestrain = rod.prestrain.as_ref().map(|prestrain| prestrain(s));
        let rest = prestrain.map_or_else(Vector3::zeros, |strain| strain.fixed_rows::<3>(0).into_owned());
        Ok(Self {
            mass: section.mass,
            inertia: section.inertia,
            compliance,
            bending,
            axial: stretch[(2, 2)],
            law: rod.law.axial,
            rest: rest + Vector3::z(),
            slowest: 1.0 / a[0].max(b[0]).sqrt(),
            fastest: 1.0 / a[1].min(b[1]).max(f64::MIN_POSITIVE).sqrt(),
        })
    }

    /// Whether the axial law is linear.
    #[inline]
    pub fn is_linear(&self) -> bool {
        matches!(self.law, Law::Quadratic(_))
    }

    /// γ = Γ + e₃ that carries the material force N.
    #[inline]
    pub fn gamma(&self, n: Vector3<f64>) -> Vector3<f64> {
        let mut strain = self.compliance * n;
        if !self.is_linear() {
            strain[2] = self.law.stretch(self.axial, n[2]) - 1.0;
        }
        self.rest + strain
    }

    /// ∂γ/∂N at a state with this γ.
    pub fn tangent_compliance(&self, gamma: Vector3<f64>) -> Matrix3<f64> {
        let mut out = self.compliance;
        if !self.is_linear() {
            out[(2, 2)] = 1.0 / self.law.tangent(self.axial, gamma[2] - self.rest[2] + 1.0);
        }
        out
    }

    /// Slowest and fastest wave where γ₃ lies between two values, m/s.
    pub fn waves(&self, least: f64, most: f64) -> [f64; 2] {
        if self.is_linear() {
            return [self.slowest, self.fastest];
        }
        // Laws are monotone between the extremes.
        let speed = |g: f64| (self.law.tangent(self.axial, g - self.rest[2] + 1.0) / self.mass).sqrt();
        let (a, b) = (speed(least), speed(most));
        [self.slowest.min(a).min(b), self.fastest.max(a).max(b)]
    }
}

/// Mean unstressed curvature K⁰ between two places: of the reference shape, and prestrain.
pub fn rest_curvature(rod: &RodPart, from: f64, to: f64) -> Vector3<f64> {
    let [a, b] = [from, to].map(|s| (rod.reference)(s.clamp(0.0, rod.length)).orientation);
    let bent = if from == to { Vector3::zeros() } else { logarithm(a, b) / (to - from) };
    let prestrain = rod.prestrain.as_ref().map(|prestrain| prestrain(0.5 * (from + to)));
    bent + prestrain.map_or_else(Vector3::zeros, |strain| strain.fixed_rows::<3>(3).into_owned())
}

/// The matrix of small disturbances of frequency ω about an equilibrium, d/ds (δx, δφ, δn, δm) = S (δx, δφ, δn, δm), all
/// in space, δφ the rotation; `square` is ω² as the grid sees it:
///
/// δx' = δφ × x' + R ∂γ/∂N Rᵀ(δn − δφ × n), δφ' = R ∂K/∂M Rᵀ(δm − δφ × m),
/// δn' = −ω² ρA δx, δm' = −ω² R J Rᵀδφ − δx' × n − x' × δn.
pub fn disturbances(section: &SpaceSection, state: &super::SpaceState, square: f64) -> nalgebra::DMatrix<f64> {
    let r = state.pose.orientation.matrix();
    let (n, m) = (state.n, state.m);
    let gamma = section.gamma(r.tr_mul(&n));
    let dx = r * gamma;
    let stretch = r * section.tangent_compliance(gamma) * r.transpose();
    let bend = r * section.bending * r.transpose();
    let mut out = nalgebra::DMatrix::zeros(12, 12);
    let mut put = |row: usize, column: usize, block: Matrix3<f64>| {
        out.view_mut((3 * row, 3 * column), (3, 3)).copy_from(&block);
    };
    // δφ × a = −[a]× δφ.
    let by_turn = stretch * cross_matrix(n) - cross_matrix(dx);
    put(0, 1, by_turn);
    put(0, 2, stretch);
    put(1, 1, bend * cross_matrix(m));
    put(1, 3, bend);
    put(2, 0, Matrix3::from_diagonal_element(-square * section.mass));
    // −δx' × n = [n]× δx'.
    put(3, 1, cross_matrix(n) * by_turn - r * section.inertia * r.transpose() * square);
    put(3, 2, cross_matrix(n) * stretch - cross_matrix(dx));
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::SpaceState;
    use super::*;
    use crate::geometry::{Pose, Quaternion};
    use crate::material::{LawSpec, RodLaw, Section};
    use crate::models::structure::{Quadrature, RodKind};

    fn rod(section: Section) -> RodPart {
        RodPart {
            name: "rod".into(),
            kind: RodKind::Cosserat,
            length: 1.0,
            elements: 4,
            mesh: Default::default(),
            order: 1,
            quadrature: Quadrature::Midpoint,
            reference: Arc::new(|s| Pose { position: Vector3::new(0.0, 0.0, s), orientation: Quaternion::IDENTITY }),
            section: Arc::new(move |_| section),
            law: RodLaw { axial: Law::build(LawSpec::Logarithmic), stiffening: 0.0 },
            prestrain: None,
            velocity: None,
        }
    }

    /// The matrix of disturbances at rest against central differences of the equations of equilibrium, width 1e-5, whose own
    /// error is about 1e-9. The rotation φ of the frame obeys φ' = δu − φ × u with the curvature u = R K in space.
    #[test]
    fn disturbances_are_derivatives_of_the_equations_along_s() {
        let section = Section::principal(4.0, [2.0, 3.0], [1.0, 0.6], 0.8, 1.0, [0.1, 0.2, 0.3]);
        let section = SpaceSection::at(&rod(section), 0.5).unwrap();
        let orientation = Quaternion::from_rotation_vector(Vector3::new(0.4, -0.7, 0.5));
        let state = SpaceState {
            pose: Pose { position: Vector3::new(1.0, 2.0, 3.0), orientation },
            n: Vector3::new(0.3, -0.5, 0.4),
            m: Vector3::new(-0.2, 0.6, 0.1),
        };
        let slopes = |state: &SpaceState| {
            let p = state.pose.orientation;
            let dx = p.rotate(section.gamma(p.to_material(state.n)));
            [dx, p.rotate(section.bending * p.to_material(state.m)), Vector3::zeros(), -dx.cross(&state.n)]
        };
        let matrix = disturbances(&section, &state, 0.0);
        let u = slopes(&state)[1];
        for c in 0..12 {
            let moved = |h: f64| {
                let mut v = Vector3::zeros();
                v[c % 3] = h;
                let mut moved = state;
                match c / 3 {
                    0 => moved.pose.position += v,
                    1 => moved.pose.orientation = Quaternion::from_rotation_vector(v) * orientation,
                    2 => moved.n += v,
                    _ => moved.m += v,
                }
                slopes(&moved)
            };
            let (after, before) = (moved(1e-5), moved(-1e-5));
            for row in 0..4 {
                let mut slope = (after[row] - before[row]) / 2e-5;
                if row == 1 && c / 3 == 1 {
                    let mut phi = Vector3::zeros();
                    phi[c % 3] = 1.0;
                    slope -= phi.cross(&u);
                }
                for r in 0..3 {
                    assert!((matrix[(3 * row + r, c)] - slope[r]).abs() < 1e-8, "row {row}.{r}, column {c}");
                }
            }
        }
        // Inertia enters with −ω².
        let inertia = disturbances(&section, &state, 2.0) - &matrix;
        assert!((inertia[(6, 0)] + 2.0).abs() < 1e-14 && inertia.view((0, 0), (6, 12)).amax() == 0.0);
    }

    /// Waves of the unstressed rod: √(EA/ρA), √(GA/ρA), √(EI/ρI), √(GJ/ρJ); and what cannot be marched along.
    #[test]
    fn waves_and_unfit_sections() {
        let section = Section::principal(4.0, [2.0, 3.0], [1.0, 0.6], 0.8, 1.0, [0.1, 0.2, 0.3]);
        let [slow, fast] = SpaceSection::at(&rod(section), 0.5).unwrap().waves(1.0, 1.0);
        assert!((slow - 2f64.sqrt()).abs() < 1e-12, "{slow}");
        assert!((fast - 10f64.sqrt()).abs() < 1e-12, "{fast}");
        let unfit = |section: Section| SpaceSection::at(&rod(section), 0.5).err();
        assert_eq!(unfit(section.with_damping_time(0.1)), Some(Unfit::Damped));
        assert_eq!(unfit(section.with_shear_centre([0.1, 0.0])), Some(Unfit::Coupled));
        assert_eq!(unfit(Section { mass_offset: [0.1, 0.0], ..section }), Some(Unfit::Eccentric));
    }
}
