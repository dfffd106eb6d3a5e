//! The inverse constitutive law of a rod in space: strains from force and moment.

use nalgebra::{Matrix3, Matrix6, SymmetricEigen, Vector3, Vector6};

use super::relaxation::Relaxation;
use super::turning::logarithm;
use crate::geometry::cross_matrix;
use crate::material::{AxialLaw, Law, RodLaw, Section};
use crate::mechanism::RodPart;
use crate::terms::of_point;

/// What marching needs of a cross-section: strains from Rᵀn and Rᵀm, and inertia, all about the axis of the rod.
///
/// The law holds about the elastic centre e: Γ and K follow from N and M − e × N, and the axis is strained by Γ − K × e.
#[derive(Debug, Clone)]
pub struct SpaceSection {
    /// Mass per length, kg/m.
    pub mass: f64,
    /// Rotary inertia per length about the axis, along d₁, d₂, d₃, kg m.
    pub inertia: Matrix3<f64>,
    /// Mass centre from the axis, in the section, metre.
    pub arm: Vector3<f64>,
    /// ∂Γ/∂N of the quadratic law.
    pub compliance: Matrix3<f64>,
    /// ∂K/∂M.
    pub bending: Matrix3<f64>,
    /// γ = Γ + e₃ of the unstressed state.
    pub rest: Vector3<f64>,
    /// Whether force and moment each have their own strains, linear but for the axial law, about the axis.
    pub apart: bool,
    /// Whether it is one of a string: its force is a tension along it and it has neither moment nor orientation. Its frame is
    /// that of space.
    pub limp: bool,
    /// Axial stiffness, newton.
    axial: f64,
    law: RodLaw,
    stiffness: Matrix6<f64>,
    /// Inverse of the stiffness; nothing shears that cannot.
    flexibility: Matrix6<f64>,
    /// Elastic centre from the axis, in the section, metre.
    elastic: Vector3<f64>,
    /// Unstressed curvature besides that of the reference shape, 1/m.
    bent: Vector3<f64>,
    /// Retardation times of shear along d₁, d₂, stretch, bending about d₁, d₂ and twist, second, if the section is damped.
    times: Option<Vector6<f64>>,
    /// Slowest wave without the axial one if its law is not linear, m/s.
    slowest: f64,
    /// Fastest wave of the same, m/s.
    fastest: f64,
}

/// Why a rod cannot be marched along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Kelvin-Voigt damping that is not proportional to the stiffness of a section that couples its strains.
    Damped,
    /// Kelvin-Voigt damping beside a law that is not linear.
    DampedLaw,
    /// A stiffness is not positive.
    Soft,
    /// A rod without shear whose stiffness couples its strains, or is not linear in bending.
    Unsheared,
    /// A section that is eccentric or couples its strains, but at no boundary or middle of an element.
    Uneven,
}

/// Iterations for the strains of a law that is not linear.
const MOST: usize = 30;

impl SpaceSection {
    /// The section at s of a rod, in the plane or in space.
    pub fn at(rod: &RodPart, s: f64, plane: bool) -> Result<Self, Unfit> {
        Self::of(rod, &(rod.section)(s), &prestrain(rod, s), plane)
    }

    /// A section of a rod with this prestrain.
    pub fn of(rod: &RodPart, section: &Section, prestrain: &Vector6<f64>, plane: bool) -> Result<Self, Unfit> {
        let section = if plane { &in_plane(section) } else { section };
        let block = |r, c| section.stiffness.fixed_view::<3, 3>(r, c).into_owned();
        let (stretch, mixed, bend) = (block(0, 0), block(0, 3), block(3, 3));
        let size = section.stiffness.amax();
        let axial_alone = stretch[(0, 2)] == 0.0 && stretch[(1, 2)] == 0.0;
        let linear = matches!(rod.law.axial, Law::Quadratic(_));
        if rod.kind.is_limp() {
            return Self::string(rod.law, section, prestrain);
        }
        let [elastic, arm] =
            [section.elastic_offset, section.mass_offset].map(|[first, second]| Vector3::new(first, second, 0.0));
        let separate = mixed.amax() <= 1e-14 * size && (linear || axial_alone) && rod.law.stiffening == 0.0;
        let apart = separate && elastic == Vector3::zeros();
        let (Some(mut compliance), Some(bending)) = (stretch.try_inverse(), bend.try_inverse()) else {
            return Err(Unfit::Soft);
        };
        let mut flexibility = section.stiffness.try_inverse().ok_or(Unfit::Soft)?;
        let times = retardation(rod.law, section, &flexibility)?;
        let sheared = !rod.kind.is_unsheared();
        if !sheared {
            if !apart {
                return Err(Unfit::Unsheared);
            }
            // The force across a section that does not shear follows from the balance alone.
            for c in 0..2 {
                compliance.fill_row(c, 0.0);
                compliance.fill_column(c, 0.0);
                flexibility.fill_row(c, 0.0);
                flexibility.fill_column(c, 0.0);
            }
        }
        let about_axis = section.inertia + of_point(&arm) * section.mass;
        let [slowest, fastest] = {
            // Speeds squared are the eigenvalues of stiffness against inertia; 1/c² those of inertia against stiffness. With
            // T of the strains about the elastic centre, stiffness about the axis is TᵀCT.
            let mut strains = Matrix6::identity();
            strains.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross_matrix(elastic));
            let mut stiffness = strains.transpose() * section.stiffness * strains;
            if !linear {
                // The axial wave depends on the stretch and is looked at where that is known.
                stiffness[(2, 2)] = stiffness[(2, 2)].max(section.stiffness[(0, 0)]);
            }
            let inertia = inertia_matrix(section.mass, arm, &about_axis);
            let root = stiffness.cholesky().ok_or(Unfit::Soft)?.l();
            let inverse = root.try_inverse().ok_or(Unfit::Soft)?;
            let mut slowness = inverse * inertia * inverse.transpose();
            // What does not shear, and what leads out of a plane, are no waves.
            for c in 0..6 {
                if (c < 2 && !sheared) || (plane && c % 2 == 1) {
                    slowness.fill_row(c, 0.0);
                    slowness.fill_column(c, 0.0);
                }
            }
            let values = SymmetricEigen::new(slowness).eigenvalues;
            let least = values.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
            [1.0 / values.max().sqrt(), 1.0 / least.sqrt()]
        };
        let [rest, bent] = [0, 3].map(|row| prestrain.fixed_rows::<3>(row).into_owned());
        Ok(Self {
            mass: section.mass,
            inertia: about_axis,
            arm,
            compliance,
            bending,
            rest: rest + Vector3::z(),
            apart,
            limp: false,
            axial: stretch[(2, 2)],
            law: rod.law,
            stiffness: section.stiffness,
            flexibility,
            elastic,
            bent,
            times,
            slowest,
            fastest,
        })
    }

    /// The section of a string.
    fn string(law: RodLaw, section: &Section, prestrain: &Vector6<f64>) -> Result<Self, Unfit> {
        let axial = section.stiffness[(2, 2)];
        if !(axial > 0.0) {
            return Err(Unfit::Soft);
        }
        let mut along = Matrix6::zeros();
        along[(2, 2)] = 1.0 / axial;
        let times = retardation(law, section, &along)?;
        Ok(Self {
            mass: section.mass,
            inertia: Matrix3::zeros(),
            arm: Vector3::zeros(),
            compliance: Matrix3::zeros(),
            bending: Matrix3::zeros(),
            rest: Vector3::new(0.0, 0.0, 1.0 + prestrain[2]),
            apart: true,
            limp: true,
            axial,
            law,
            stiffness: section.stiffness,
            flexibility: Matrix6::zeros(),
            elastic: Vector3::zeros(),
            bent: Vector3::zeros(),
            times,
            slowest: 0.0,
            fastest: 0.0,
        })
    }

    /// Stretch of the axis under this force along it, where force and moment each have their own strains.
    #[inline]
    pub fn stretch(&self, force: f64) -> f64 {
        self.law.axial.stretch(self.axial, force) + self.rest[2] - 1.0
    }

    /// Axial stiffness N' where the axis is stretched so much, newton.
    #[inline]
    pub fn axial_stiffness(&self, stretch: f64) -> f64 {
        self.law.axial.tangent(self.axial, stretch - self.rest[2] + 1.0)
    }

    /// The filter in time that takes a stress to its elastic part; none of a section that is not damped.
    pub fn relaxation(&self, dt: f64) -> Option<Relaxation> {
        self.times.map(|times| Relaxation::new(&times, self.elastic, dt))
    }

    /// Retardation times of shear along d₁, d₂, stretch, bending about d₁, d₂ and twist, second, if it is damped.
    pub fn retardation_times(&self) -> Option<Vector6<f64>> {
        self.times
    }

    /// The longest retardation time, second; zero of a section that is not damped.
    pub fn retardation(&self) -> f64 {
        self.times.map_or(0.0, |times| times.max())
    }

    /// Momentum per length, about the axis, of velocity and spin in the section.
    pub fn inertia_matrix(&self) -> Matrix6<f64> {
        inertia_matrix(self.mass, self.arm, &self.inertia)
    }

    /// Whether the tangent of its strains is the same in all states.
    pub fn is_constant(&self) -> bool {
        self.law.is_linear() && !self.limp
    }

    /// Whether the mass centre lies off the axis.
    #[inline]
    pub fn is_eccentric(&self) -> bool {
        self.arm != Vector3::zeros()
    }

    /// Whether the axial law is linear.
    #[inline]
    pub fn is_linear(&self) -> bool {
        matches!(self.law.axial, Law::Quadratic(_))
    }

    /// γ = Γ + e₃ that carries the material force N, of a section whose force and moment each have their own strains.
    #[inline]
    pub fn gamma(&self, n: Vector3<f64>) -> Vector3<f64> {
        if self.limp {
            let tension = n.norm();
            return n * (self.stretch(tension) / tension);
        }
        let mut strain = self.compliance * n;
        if !self.is_linear() {
            strain[2] = self.law.axial.stretch(self.axial, n[2]) - 1.0;
        }
        self.rest + strain
    }

    /// γ, and K less the unstressed curvature, that carry N and M.
    #[inline]
    pub fn strains(&self, n: Vector3<f64>, m: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        if self.apart {
            return (self.gamma(n), self.bending * m);
        }
        let strain = self.elastic_strain(n, m);
        let (gamma, k) = (strain.fixed_rows::<3>(0).into_owned(), strain.fixed_rows::<3>(3).into_owned());
        (self.rest + gamma - (k + self.bent).cross(&self.elastic), k)
    }

    /// (Γ, K) about the elastic centre, by Newton's method where the law is not linear.
    fn elastic_strain(&self, n: Vector3<f64>, m: Vector3<f64>) -> Vector6<f64> {
        let moment = m - self.elastic.cross(&n);
        let stress = Vector6::new(n[0], n[1], n[2], moment[0], moment[1], moment[2]);
        let mut strain = self.flexibility * stress;
        if self.law.is_linear() {
            return strain;
        }
        if !self.is_linear() {
            strain[2] = self.law.axial.stretch(self.axial, n[2]) - 1.0;
        }
        for _ in 0..MOST {
            let found = self.law.stresses(&self.stiffness, &strain);
            let Some(change) = found.tangent.lu().solve(&(stress - found.stress)) else { break };
            strain += change;
            if change.amax() <= 1e-14 * (1.0 + strain.amax()) {
                return strain;
            }
        }
        Vector6::repeat(f64::NAN)
    }

    /// ∂(γ, K)/∂(N, M) about the axis, in a state that carries N and M.
    pub fn tangent(&self, n: Vector3<f64>, m: Vector3<f64>) -> Matrix6<f64> {
        let mut flexibility = self.flexibility;
        if self.limp {
            // ∂(ν e)/∂N = e eᵀ/N' + (ν/N) (1 − e eᵀ).
            let tension = n.norm();
            let stretch = self.stretch(tension);
            let stiffness = self.axial_stiffness(stretch);
            let (along, across) = (n * n.transpose() / (tension * tension), stretch / tension);
            let own = Matrix3::from_diagonal_element(across) + along * (1.0 / stiffness - across);
            flexibility.fixed_view_mut::<3, 3>(0, 0).copy_from(&own);
            return flexibility;
        }
        if self.apart && !self.is_linear() {
            let stretch = self.law.axial.stretch(self.axial, n[2]);
            flexibility[(2, 2)] = 1.0 / self.law.axial.tangent(self.axial, stretch);
        } else if !self.law.is_linear() {
            let tangent = self.law.stresses(&self.stiffness, &self.elastic_strain(n, m)).tangent;
            flexibility = tangent.try_inverse().unwrap_or(flexibility);
        }
        if self.elastic == Vector3::zeros() {
            return flexibility;
        }
        let mut about = Matrix6::identity();
        about.fixed_view_mut::<3, 3>(3, 0).copy_from(&-cross_matrix(self.elastic));
        about.transpose() * flexibility * about
    }

    /// Slowest and fastest wave in a state that carries the material N and M, m/s.
    pub fn waves_under(&self, n: Vector3<f64>, m: Vector3<f64>) -> [f64; 2] {
        if self.limp {
            let tension = n.norm();
            let stretch = self.stretch(tension);
            let [along, across] =
                [self.axial_stiffness(stretch), tension / stretch].map(|stiffness| (stiffness / self.mass).sqrt());
            return [along.min(across), along.max(across)];
        }
        let stretch = self.strains(n, m).0[2];
        self.waves(stretch, stretch)
    }

    /// Slowest and fastest wave of a rod that is no string where γ₃ lies between two values, m/s.
    pub fn waves(&self, least: f64, most: f64) -> [f64; 2] {
        if self.is_linear() {
            return [self.slowest, self.fastest];
        }
        // Laws are monotone between the extremes.
        let speed = |g: f64| (self.axial_stiffness(g) / self.mass).sqrt();
        let (a, b) = (speed(least), speed(most));
        [self.slowest.min(a).min(b), self.fastest.max(a).max(b)]
    }
}

/// Retardation times τ = D C⁻¹ by components, if the section is damped.
fn retardation(law: RodLaw, section: &Section, flexibility: &Matrix6<f64>) -> Result<Option<Vector6<f64>>, Unfit> {
    if section.damping.amax() == 0.0 {
        return Ok(None);
    }
    if !law.is_linear() {
        return Err(Unfit::DampedLaw);
    }
    let times = section.damping * flexibility;
    let alone = Matrix6::from_diagonal(&times.diagonal());
    // Columns have the units of the strains they belong to, so each is compared with what it would be of a coupled section.
    let coupled = (times - alone).component_mul(&units(flexibility)).amax();
    if coupled > 1e-12 * alone.amax() { Err(Unfit::Damped) } else { Ok(Some(times.diagonal())) }
}

/// √(f_ii/f_jj): makes D C⁻¹ comparable between forces and moments.
fn units(flexibility: &Matrix6<f64>) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| match flexibility[(i, i)] / flexibility[(j, j)] {
        ratio if ratio.is_finite() && ratio > 0.0 => ratio.sqrt(),
        _ => 0.0,
    })
}

/// The section of a plane rod with waves out of the plane that are as fast as those in it: what rounding leaves there must not
/// grow, whatever the step that the waves of the plane allow.
fn in_plane(section: &Section) -> Section {
    let mut out = *section;
    for c in [1, 3, 5] {
        out.stiffness.fill_row(c, 0.0);
        out.stiffness.fill_column(c, 0.0);
    }
    for c in [1, 3, 5] {
        out.damping.fill_row(c, 0.0);
        out.damping.fill_column(c, 0.0);
    }
    (out.stiffness[(1, 1)], out.stiffness[(3, 3)]) = (section.stiffness[(0, 0)], section.stiffness[(4, 4)]);
    out.stiffness[(5, 5)] = section.stiffness[(4, 4)];
    out.inertia = Matrix3::from_diagonal_element(section.inertia[(1, 1)]);
    out
}

/// Unstressed strains besides those of the reference shape.
pub fn prestrain(rod: &RodPart, s: f64) -> Vector6<f64> {
    rod.prestrain.as_ref().map_or_else(Vector6::zeros, |prestrain| prestrain(s))
}

fn inertia_matrix(mass: f64, arm: Vector3<f64>, about_axis: &Matrix3<f64>) -> Matrix6<f64> {
    let mut inertia = Matrix6::zeros();
    inertia.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::from_diagonal_element(mass));
    inertia.fixed_view_mut::<3, 3>(3, 3).copy_from(about_axis);
    let lever = cross_matrix(arm) * mass;
    inertia.fixed_view_mut::<3, 3>(3, 0).copy_from(&lever);
    inertia.fixed_view_mut::<3, 3>(0, 3).copy_from(&lever.transpose());
    inertia
}

/// Mean unstressed curvature K⁰ between two places: of the reference shape, and prestrain.
pub fn rest_curvature(rod: &RodPart, from: f64, to: f64) -> Vector3<f64> {
    if rod.kind.is_limp() {
        return Vector3::zeros();
    }
    let [a, b] = [from, to].map(|s| (rod.reference)(s.clamp(0.0, rod.length)).orientation);
    let bent = if from == to { Vector3::zeros() } else { logarithm(a, b) / (to - from) };
    bent + prestrain(rod, 0.5 * (from + to)).fixed_rows::<3>(3)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::SpaceState;
    use super::super::disturbances::{Oscillation, disturbances};
    use super::*;
    use crate::geometry::{Pose, Quaternion};
    use crate::material::LawSpec;
    use crate::mechanism::{Quadrature, RodKind};

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
        let section = SpaceSection::at(&rod(section), 0.5, false).unwrap();
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
        let matrix = disturbances(&section, &state, Oscillation { omega: 0.0, square: 0.0 }).re;
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
        let inertia = disturbances(&section, &state, Oscillation { omega: 2.0_f64.sqrt(), square: 2.0 }).re - &matrix;
        assert!((inertia[(6, 0)] + 2.0).abs() < 1e-14 && inertia.view((0, 0), (6, 12)).amax() == 0.0);
    }

    /// Waves of the unstressed rod: √(EA/ρA), √(GA/ρA), √(EI/ρI), √(GJ/ρJ); and what cannot be marched along.
    #[test]
    fn waves_and_unfit_sections() {
        let section = Section::principal(4.0, [2.0, 3.0], [1.0, 0.6], 0.8, 1.0, [0.1, 0.2, 0.3]);
        let [slow, fast] = SpaceSection::at(&rod(section), 0.5, false).unwrap().waves(1.0, 1.0);
        assert!((slow - 2f64.sqrt()).abs() < 1e-12, "{slow}");
        assert!((fast - 10f64.sqrt()).abs() < 1e-12, "{fast}");
        // In the plane of d₁ and d₃ there is neither shear along d₂ nor bending about d₁ nor twist.
        let [slow, fast] = SpaceSection::at(&rod(section), 0.5, true).unwrap().waves(1.0, 1.0);
        assert!((slow - 2f64.sqrt()).abs() < 1e-12 && (fast - 2.0).abs() < 1e-12, "{slow} {fast}");
        let unfit = |section: Section| SpaceSection::at(&rod(section), 0.5, false).err();
        assert_eq!(unfit(section.with_damping_time(0.1)), Some(Unfit::DampedLaw));
    }
}
