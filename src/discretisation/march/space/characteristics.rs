//! Integration along the characteristic lines of rods (Hartree's scheme on layers of all instants), in the frame of the section.
//!
//! With σ = (N, M) and V = (v, ω) in the section, the inertia 𝓜 and the tangent F of the strains (γ, K) by σ, compatibility and
//! the balances of momentum are (Hodges 1990)
//!
//! V' = F σ̇ + a, a = (ω × γ − K × v, ω × K),
//! σ' = 𝓜 V̇ + b, b = (ω × P − K × N − f, ω × Π + v × P − K × M − γ × N − l), (P, Π) = 𝓜 V.
//!
//! For waves F⁻¹w = c² 𝓜 w they combine to one ordinary differential equation on each line dt/ds = ∓1/c:
//!
//! d/ds (w·σ ± c 𝓜w·V) = w·b ± c 𝓜w·a.
//!
//! Each section of the next layer is where all such lines meet; their feet on the known layer are interpolated in time.
//! Coefficients are taken at the mean of foot and section, so the scheme is of order two. A foot may not lie more than one time
//! step away: |ds| ≤ c dt for the slowest wave.

use nalgebra::{DMatrix, SMatrix, SVector, SymmetricEigen, Vector3, Vector6};
use rayon::prelude::*;

use super::feet::{between, solve};
use super::plane::is_simple_section;
use super::section::rest_curvature;
use super::turning::exponential;
use super::{Loading, Piece, SpaceError, SpaceLayer, SpaceSection, SpaceState};
use crate::discretisation::march::SidewaysError;
use crate::geometry::Pose;
use crate::mechanism::{LineLoad, RodPart, StrainError};

/// Passes of the fixed-point iteration per section: the first gives the feet, the second the coefficients to first order, the
/// third both to second order.
const PASSES: usize = 3;

/// Stresses, velocities and loads per length of a section, in its own frame; the components that a motion in `M` dimensions has.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Local<const M: usize> {
    sigma: SVector<f64, M>,
    v: SVector<f64, M>,
    load: SVector<f64, M>,
}

impl<const M: usize> Local<M> {
    fn blend(parts: [(f64, &Self); 4]) -> Self {
        let mut out = Self { sigma: SVector::zeros(), v: SVector::zeros(), load: SVector::zeros() };
        for (weight, part) in parts {
            out.sigma += part.sigma * weight;
            out.v += part.v * weight;
            out.load += part.load * weight;
        }
        out
    }

    fn mean(&self, other: &Self) -> Self {
        let half = |a: &SVector<f64, M>, b: &SVector<f64, M>| (a + b) * 0.5;
        Self { sigma: half(&self.sigma, &other.sigma), v: half(&self.v, &other.v), load: half(&self.load, &other.load) }
    }
}

/// Waves of a section: speeds, and modes w with wᵀ𝓜w = 1.
#[derive(Debug, Clone, Copy)]
struct Waves<const M: usize> {
    speeds: SVector<f64, M>,
    modes: SMatrix<f64, M, M>,
}

/// A march along characteristic lines of motions with `M` components: 3 in the plane, 6 in space; of strings 2 and 3.
pub struct Characteristics<'a, const M: usize> {
    /// The section that was reached.
    pub layer: SpaceLayer,
    /// Which of the six components there are.
    components: [usize; M],
    v: Vec<SVector<f64, M>>,
    dt: f64,
    gravity: Vector3<f64>,
    instant: &'a dyn Fn(usize) -> f64,
    loading: Loading,
    plane: bool,
}

enum Stop {
    TooLong(f64),
    Strain(StrainError),
    NotFinite,
}

/// One step from a layer to the next.
struct Step<'a, const M: usize> {
    components: [usize; M],
    section: &'a SpaceSection,
    inertia: SMatrix<f64, M, M>,
    /// Waves of a law that is linear.
    waves: Option<Waves<M>>,
    /// Unstressed curvature.
    rest: Vector3<f64>,
    length: f64,
    dt: f64,
    /// Waves at rest of a plane rod whose force and moment each have their own strains, about the axis: components d₁, d₃ and the
    /// rotation about d₂.
    flat: Option<Waves<M>>,
}

impl<'a, const M: usize> Characteristics<'a, M> {
    /// From the states of a section at instants `dt` apart and its velocity and spin in space.
    pub fn new(
        states: &[SpaceState],
        velocities: &[Vector6<f64>],
        components: [usize; M],
        dt: f64,
        gravity: Vector3<f64>,
        instant: &'a dyn Fn(usize) -> f64,
    ) -> Self {
        let own = |(state, v): (&SpaceState, &Vector6<f64>)| picked(&components, &in_section(&state.pose, v));
        let v = states.iter().zip(velocities).map(own).collect();
        let layer = SpaceLayer::new(states);
        let plane = !components.contains(&1);
        Self { layer, components, v, dt, gravity, instant, loading: Loading::default(), plane }
    }

    /// Goes on from another section that moves rigidly with the one that was reached, or from other stresses.
    pub fn restart(&mut self, layer: SpaceLayer) {
        for (k, v) in self.v.iter_mut().enumerate() {
            let (old, new) = (self.layer.state(k).pose, layer.state(k).pose);
            let own = spread(&self.components, v);
            let [velocity, spin] = [0, 3].map(|row| old.orientation.rotate(own.fixed_rows::<3>(row).into_owned()));
            let moved = velocity + spin.cross(&(new.position - old.position));
            let both = Vector6::new(moved[0], moved[1], moved[2], spin[0], spin[1], spin[2]);
            *v = picked(&self.components, &in_section(&new, &both));
        }
        self.layer = layer;
    }

    /// Goes over a piece of a rod under loads along it. Returns the slowest wave met.
    pub fn advance(
        &mut self,
        rod: &RodPart,
        loads: &[&LineLoad],
        Piece { span: [from, to], substeps }: Piece,
    ) -> Result<f64, SpaceError> {
        let length = (to - from) / substeps as f64;
        let within = |s: f64| s.clamp(0.0, rod.length);
        let plane = self.plane;
        let mut slowest = f64::INFINITY;
        for sub in 0..substeps {
            let s = from + length * sub as f64;
            let section = SpaceSection::at(rod, within(s + 0.5 * length), plane)?;
            let rest = rest_curvature(rod, s, s + length);
            let step = Step::new(self.components, &section, rest, length, self.dt).ok_or(super::Unfit::Soft)?;
            let known = self.locals(loads, within(s), &section)?;
            self.loading
                .evaluate(loads, within(s + length), self.layer.len(), self.instant)
                .map_err(SpaceError::Load)?;
            let (layer, loading, gravity) = (&self.layer, &self.loading, self.gravity);
            let load = |k: usize, pose: &Pose| load_of(section.mass, section.arm, gravity, loading, k, pose);
            // Sections of a layer do not depend on each other, so threads do not change a digit.
            let found: Result<Vec<(Pose, Local<M>, f64)>, SidewaysError> = (0..known.len())
                .into_par_iter()
                .with_min_len(64)
                .map(|k| {
                    let load = |pose: &Pose| picked(&step.components, &load(k, pose));
                    step.meet(&known, k, layer.state(k).pose, &load).map_err(|stop| match stop {
                        Stop::TooLong(slowest) => SidewaysError::StepLimit { slowest },
                        Stop::Strain(cause) => SidewaysError::Breakdown { s: s + length, index: k, cause },
                        Stop::NotFinite => SidewaysError::NotFinite { s: s + length, index: k },
                    })
                })
                .collect();
            for (k, (pose, local, speed)) in found?.into_iter().enumerate() {
                slowest = slowest.min(speed);
                let stress = spread(&self.components, &local.sigma);
                let [n, m] = [0, 3].map(|row| pose.orientation.rotate(stress.fixed_rows::<3>(row).into_owned()));
                self.layer.set(k, SpaceState { pose, n, m });
                self.v[k] = local.v;
            }
        }
        Ok(slowest)
    }

    /// All sections of the known layer in their own frames.
    fn locals(&mut self, loads: &[&LineLoad], s: f64, section: &SpaceSection) -> Result<Vec<Local<M>>, SpaceError> {
        self.loading.evaluate(loads, s, self.layer.len(), self.instant).map_err(SpaceError::Load)?;
        let local = |k: usize| {
            let SpaceState { pose, n, m } = self.layer.state(k);
            let stress = Vector6::new(n[0], n[1], n[2], m[0], m[1], m[2]);
            let load = load_of(section.mass, section.arm, self.gravity, &self.loading, k, &pose);
            Local {
                sigma: picked(&self.components, &in_section(&pose, &stress)),
                v: self.v[k],
                load: picked(&self.components, &load),
            }
        };
        Ok((0..self.layer.len()).map(local).collect())
    }
}

/// Loads and weight per length in the frame of the section, about the axis.
fn load_of(
    mass: f64,
    arm: Vector3<f64>,
    gravity: Vector3<f64>,
    loading: &Loading,
    k: usize,
    pose: &Pose,
) -> Vector6<f64> {
    let p = pose.orientation;
    let weight = p.to_material(gravity) * mass;
    let (mut force, mut torque) = (weight, arm.cross(&weight));
    if loading.is_there() {
        force += p.to_material(loading.force(k, p));
        torque += p.to_material(loading.torque(k, p));
    }
    Vector6::new(force[0], force[1], force[2], torque[0], torque[1], torque[2])
}

/// Two vectors of space in the frame of a section.
fn in_section(pose: &Pose, v: &Vector6<f64>) -> Vector6<f64> {
    let [a, b] = [0, 3].map(|row| pose.orientation.to_material(v.fixed_rows::<3>(row).into_owned()));
    Vector6::new(a[0], a[1], a[2], b[0], b[1], b[2])
}

fn picked<const M: usize>(components: &[usize; M], v: &Vector6<f64>) -> SVector<f64, M> {
    SVector::from_fn(|i, _| v[components[i]])
}

fn spread<const M: usize>(components: &[usize; M], v: &SVector<f64, M>) -> Vector6<f64> {
    let mut out = Vector6::zeros();
    for (component, value) in components.iter().zip(v.iter()) {
        out[*component] = *value;
    }
    out
}

/// The first and the last three components.
fn halves(v: &Vector6<f64>) -> [Vector3<f64>; 2] {
    [0, 3].map(|row| v.fixed_rows::<3>(row).into_owned())
}

impl<'a, const M: usize> Step<'a, M> {
    fn new(
        components: [usize; M],
        section: &'a SpaceSection,
        rest: Vector3<f64>,
        length: f64,
        dt: f64,
    ) -> Option<Self> {
        let whole = section.inertia_matrix();
        let inertia = SMatrix::from_fn(|i, j| whole[(components[i], components[j])]);
        let is_flat = components[..] == [0, 2, 4] && is_simple_section(section);
        let flat = is_flat.then(|| Self::flat_base(section, &inertia));
        let mut step = Self { components, section, inertia, waves: None, rest, length, dt, flat };
        if section.is_constant() {
            step.waves = Some(step.waves(&Vector6::zeros())?);
        }
        Some(step)
    }

    /// Waves in a state with this stress: with 𝓜 = L Lᵀ and F the eigenvalues of LᵀFL are 1/c².
    fn waves(&self, stress: &Vector6<f64>) -> Option<Waves<M>> {
        let [n, m] = halves(stress);
        if self.section.limp {
            return self.waves_of_string(n);
        }
        if let Some(base) = &self.flat {
            return self.flat_waves(base, n[2]);
        }
        let tangent = self.section.tangent(n, m);
        let flexibility = SMatrix::<f64, M, M>::from_fn(|i, j| tangent[(self.components[i], self.components[j])]);
        let alone = |matrix: &SMatrix<f64, M, M>| (0..M * M).all(|i| i % (M + 1) == 0 || matrix[i] == 0.0);
        if alone(&flexibility) && alone(&self.inertia) {
            // Each component has a wave of its own.
            let inertia = self.inertia.diagonal();
            let speeds = inertia.zip_map(&flexibility.diagonal(), |mass, soft| 1.0 / (mass * soft).sqrt());
            let modes = SMatrix::from_diagonal(&inertia.map(|mass| 1.0 / mass.sqrt()));
            return speeds.iter().all(|c| c.is_finite()).then_some(Waves { speeds, modes });
        }
        let root = self.inertia.cholesky()?.l();
        let product = root.transpose() * flexibility * root;
        let eigen = SymmetricEigen::new(DMatrix::from_fn(M, M, |i, j| product[(i, j)]));
        let speeds = SVector::<f64, M>::from_fn(|i, _| 1.0 / eigen.eigenvalues[i].sqrt());
        let vectors = SMatrix::<f64, M, M>::from_fn(|i, j| eigen.eigenvectors[(i, j)]);
        let modes = root.transpose().try_inverse()? * vectors;
        speeds.iter().all(|c| c.is_finite()).then_some(Waves { speeds, modes })
    }

    /// √(GA/ρA), √(N'/ρA) and √(EI/ρI) of a plane rod, each along its own component; only the second depends on the state.
    fn flat_waves(&self, base: &Waves<M>, axial: f64) -> Option<Waves<M>> {
        let mut waves = *base;
        let stiffness = self.section.axial_stiffness(self.section.stretch(axial));
        waves.speeds[1] = stiffness.sqrt() * base.modes[(1, 1)];
        waves.speeds[1].is_finite().then_some(waves)
    }

    /// The same of the unstressed rod.
    fn flat_base(section: &SpaceSection, inertia: &SMatrix<f64, M, M>) -> Waves<M> {
        let inertia = inertia.diagonal();
        let flexibility = [section.compliance[(0, 0)], section.compliance[(2, 2)], section.bending[(1, 1)]];
        Waves {
            speeds: SVector::from_fn(|c, _| 1.0 / (flexibility[c] * inertia[c]).sqrt()),
            modes: SMatrix::from_diagonal(&inertia.map(|mass| 1.0 / mass.sqrt())),
        }
    }

    /// The sources of a plane rod: with κ and ω about d₂,
    /// a = (ωγ₃ − κv₃, κv₁ − ωγ₁, 0), b = (ωρAv₃ − κN₃, κN₁ − ωρAv₁, γ₁N₃ − γ₃N₁).
    fn flat_sources(&self, at: &Local<M>) -> [SVector<f64, M>; 2] {
        let section = self.section;
        let (n1, n3, m) = (at.sigma[0], at.sigma[1], at.sigma[2]);
        let (v1, v3, spin) = (at.v[0], at.v[1], at.v[2]);
        let (g1, g3) = (section.rest[0] + section.compliance[(0, 0)] * n1, section.stretch(n3));
        let bend = self.rest[1] + section.bending[(1, 1)] * m;
        let mass = section.mass;
        let a = [spin * g3 - bend * v3, bend * v1 - spin * g1, 0.0];
        let b = [spin * mass * v3 - bend * n3, bend * n1 - spin * mass * v1, g1 * n3 - g3 * n1];
        [SVector::from_fn(|c, _| a[c]), SVector::from_fn(|c, _| b[c]) - at.load]
    }

    /// Axial √(N'/ρA) along a string, transverse √(N/(ν ρA)) across it.
    fn waves_of_string(&self, n: Vector3<f64>) -> Option<Waves<M>> {
        let tension = n.norm();
        let stretch = self.section.stretch(tension);
        let stiffness = self.section.axial_stiffness(stretch);
        let scale = 1.0 / self.section.mass.sqrt();
        let mut speeds = SVector::<f64, M>::repeat((tension / stretch).sqrt() * scale);
        speeds[0] = stiffness.sqrt() * scale;
        // Householder's reflection that takes the first axis to ±e: orthonormal, its first column along the string.
        let mut u = SVector::<f64, M>::from_fn(|i, _| n[self.components[i]] / tension);
        u[0] += if u[0] < 0.0 { -1.0 } else { 1.0 };
        let modes = (SMatrix::identity() - u * u.transpose() * (2.0 / u.norm_squared())) * scale;
        speeds.iter().all(|c| c.is_finite()).then_some(Waves { speeds, modes })
    }

    /// Why a state has no waves.
    fn no_waves(&self, at: &Local<M>) -> Stop {
        let tension = at.sigma.norm();
        match self.section.limp && tension.is_finite() {
            true => Stop::Strain(StrainError::Slack { tension }),
            false => Stop::NotFinite,
        }
    }

    /// (γ, K) of a stress.
    fn strains(&self, stress: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
        if self.flat.is_some() {
            let section = self.section;
            let across = section.rest[0] + section.compliance[(0, 0)] * stress[0];
            let bend = self.rest[1] + section.bending[(1, 1)] * stress[4];
            return (Vector3::new(across, 0.0, section.stretch(stress[2])), Vector3::new(0.0, bend, 0.0));
        }
        let [n, m] = halves(stress);
        let (gamma, k) = self.section.strains(n, m);
        (gamma, self.rest + k)
    }

    /// a and b.
    fn sources(&self, at: &Local<M>) -> [SVector<f64, M>; 2] {
        if self.flat.is_some() {
            return self.flat_sources(at);
        }
        let stress = spread(&self.components, &at.sigma);
        let (gamma, k) = self.strains(&stress);
        let ([n, m], [v, omega]) = (halves(&stress), halves(&spread(&self.components, &at.v)));
        let [p, pi] = halves(&spread(&self.components, &(self.inertia * at.v)));
        let join = |a: Vector3<f64>, b: Vector3<f64>| Vector6::new(a[0], a[1], a[2], b[0], b[1], b[2]);
        let a = join(omega.cross(&gamma) - k.cross(&v), omega.cross(&k));
        let b = join(omega.cross(&p) - k.cross(&n), omega.cross(&pi) + v.cross(&p) - k.cross(&m) - gamma.cross(&n));
        [picked(&self.components, &a), picked(&self.components, &b) - at.load]
    }

    /// The line dt/ds = ∓1/c through the new section has its foot at t ± ds/c; in units of the time step.
    fn shift(&self, sign: f64, speed: f64) -> Result<f64, Stop> {
        let shift = sign * self.length / (speed * self.dt);
        if shift.abs() <= 1.0 + 1e-9 { Ok(shift.clamp(-1.0, 1.0)) } else { Err(Stop::TooLong(speed)) }
    }

    /// The section of the next layer at instant k, and the slowest wave met.
    fn meet(
        &self,
        known: &[Local<M>],
        k: usize,
        from: Pose,
        load: &dyn Fn(&Pose) -> SVector<f64, M>,
    ) -> Result<(Pose, Local<M>, f64), Stop> {
        let old = known[k];
        let still = at_rest(known, k);
        let (gamma_old, k_old) = self.strains(&spread(&self.components, &old.sigma));
        let first = match &self.waves {
            Some(waves) => *waves,
            None => self.waves(&spread(&self.components, &old.sigma)).ok_or_else(|| self.no_waves(&old))?,
        };
        let mut speeds = [first.speeds; 2];
        let (mut node, mut pose, mut slowest) = (old, from, f64::INFINITY);
        for _ in 0..PASSES {
            let mut rows = [SMatrix::<f64, M, M>::zeros(); 2];
            let mut impedance = [SMatrix::<f64, M, M>::zeros(); 2];
            let mut right = [SVector::<f64, M>::zeros(); 2];
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                for mode in 0..M {
                    let shift = self.shift(sign, speeds[side][mode])?;
                    let foot = if still { old } else { interpolate(known, k, shift) };
                    let mean = foot.mean(&node);
                    let waves = match &self.waves {
                        Some(waves) => *waves,
                        None => {
                            self.waves(&spread(&self.components, &mean.sigma)).ok_or_else(|| self.no_waves(&mean))?
                        }
                    };
                    let (c, w) = (waves.speeds[mode], waves.modes.column(mode).into_owned());
                    slowest = slowest.min(c);
                    speeds[side][mode] = c;
                    let momentum = self.inertia * w * (sign * c);
                    let [a, b] = self.sources(&mean);
                    right[side][mode] =
                        w.dot(&foot.sigma) + momentum.dot(&foot.v) + self.length * (w.dot(&b) + momentum.dot(&a));
                    rows[side].set_row(mode, &w.transpose());
                    impedance[side].set_row(mode, &momentum.transpose());
                }
            }
            let (sigma, v) = solve(rows, impedance, right).ok_or(Stop::NotFinite)?;
            let (gamma, bend) = self.strains(&spread(&self.components, &sigma));
            let stretch = if self.section.limp { gamma.norm() } else { gamma[2] };
            if !(stretch > 0.0) && stretch.is_finite() {
                return Err(Stop::Strain(StrainError::Collapsed { stretch }));
            }
            // The midpoint rule on the group along s.
            let half = exponential((k_old + bend) * (0.25 * self.length));
            let middle = from.orientation * half;
            pose = Pose {
                position: from.position + middle.rotate((gamma_old + gamma) * 0.5) * self.length,
                orientation: (middle * half).normalised(),
            };
            node = Local { sigma, v, load: load(&pose) };
        }
        let finite = node.sigma.iter().chain(node.v.iter()).chain(pose.position.iter()).all(|x| x.is_finite());
        if finite { Ok((pose, node, slowest)) } else { Err(Stop::NotFinite) }
    }
}

/// Whether the sections that interpolation around instant k can reach are all the same and do not move.
fn at_rest<const M: usize>(known: &[Local<M>], k: usize) -> bool {
    let reach = &known[k.saturating_sub(2)..(k + 3).min(known.len())];
    known[k].v == SVector::<f64, M>::zeros() && reach.iter().all(|local| *local == known[k])
}

/// The layer at instant k + `shift`, |shift| ≤ 1, by the cubic through the four instants around it; constant beyond the ends.
fn interpolate<const M: usize>(layer: &[Local<M>], k: usize, shift: f64) -> Local<M> {
    Local::blend(between(layer.len(), k, shift).map(|(weight, index)| (weight, &layer[index])))
}
