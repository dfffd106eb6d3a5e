//! One step along characteristic lines: waves and sources of a section, and where the lines meet.

use nalgebra::{DMatrix, SMatrix, SVector, SymmetricEigen, Vector3, Vector6};

use super::SpaceSection;
use super::feet::{between, solve};
use super::plane::is_simple_section;
use super::turning::exponential;
use crate::geometry::Pose;
use crate::mechanism::StrainError;

/// Passes of the fixed-point iteration per section: the first gives the feet, the second the coefficients to first order, the
/// third both to second order.
const PASSES: usize = 3;

/// Stresses, velocities and loads per length of a section, in its own frame; the components that a motion in `M` dimensions has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Local<const M: usize> {
    pub sigma: SVector<f64, M>,
    pub v: SVector<f64, M>,
    pub load: SVector<f64, M>,
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

/// Lines that meet in a section, from either side and of each wave: their speeds and their feet on the known layer.
struct Lines<const M: usize> {
    speeds: [SVector<f64, M>; 2],
    shifts: [[f64; M]; 2],
    feet: [[Local<M>; M]; 2],
}

/// Why the lines do not meet.
pub(super) enum Stop {
    TooLong(f64),
    Strain(StrainError),
    NotFinite,
}

/// One step from a layer to the next.
pub(super) struct Step<'a, const M: usize> {
    pub components: [usize; M],
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

pub(super) fn picked<const M: usize>(components: &[usize; M], v: &Vector6<f64>) -> SVector<f64, M> {
    SVector::from_fn(|i, _| v[components[i]])
}

pub(super) fn spread<const M: usize>(components: &[usize; M], v: &SVector<f64, M>) -> Vector6<f64> {
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
    pub fn new(
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
        if !speed.is_finite() {
            return Err(Stop::NotFinite);
        }
        let shift = sign * self.length / (speed * self.dt);
        if shift.abs() <= 1.0 + 1e-9 { Ok(shift.clamp(-1.0, 1.0)) } else { Err(Stop::TooLong(speed)) }
    }

    /// Finds the foot of a line, from either side and of each wave.
    #[inline]
    fn find_foot(
        &self,
        (known, k, still): (&[Local<M>], usize, bool),
        lines: &mut Lines<M>,
        (side, sign, mode): (usize, f64, usize),
    ) -> Result<(), Stop> {
        let shift = self.shift(sign, lines.speeds[side][mode])?;
        // Lines of constant speed keep their feet.
        if !still && shift != lines.shifts[side][mode] {
            lines.shifts[side][mode] = shift;
            lines.feet[side][mode] = interpolate(known, k, shift);
        }
        Ok(())
    }

    /// Where the lines meet: stress and velocity.
    fn cross(
        &self,
        (known, k, still): (&[Local<M>], usize, bool),
        lines: &mut Lines<M>,
        node: &Local<M>,
        slowest: &mut f64,
    ) -> Result<(SVector<f64, M>, SVector<f64, M>), Stop> {
        let mut rows = [SMatrix::<f64, M, M>::zeros(); 2];
        let mut impedance = [SMatrix::<f64, M, M>::zeros(); 2];
        let mut right = [SVector::<f64, M>::zeros(); 2];
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            for mode in 0..M {
                self.find_foot((known, k, still), lines, (side, sign, mode))?;
                let foot = &lines.feet[side][mode];
                let mean = foot.mean(node);
                let waves = match &self.waves {
                    Some(waves) => *waves,
                    None => self.waves(&spread(&self.components, &mean.sigma)).ok_or_else(|| self.no_waves(&mean))?,
                };
                let (c, w) = (waves.speeds[mode], waves.modes.column(mode).into_owned());
                *slowest = slowest.min(c);
                lines.speeds[side][mode] = c;
                let momentum = self.inertia * w * (sign * c);
                let [a, b] = self.sources(&mean);
                right[side][mode] =
                    w.dot(&foot.sigma) + momentum.dot(&foot.v) + self.length * (w.dot(&b) + momentum.dot(&a));
                rows[side].set_row(mode, &w.transpose());
                impedance[side].set_row(mode, &momentum.transpose());
            }
        }
        solve(rows, impedance, right).ok_or(Stop::NotFinite)
    }

    /// The same of the waves of a plane rod, which have one component each: the lines of that component alone determine it.
    fn cross_alone(
        &self,
        (known, k, still): (&[Local<M>], usize, bool),
        base: &Waves<M>,
        lines: &mut Lines<M>,
        node: &Local<M>,
        slowest: &mut f64,
    ) -> Result<(SVector<f64, M>, SVector<f64, M>), Stop> {
        let (mut sigma, mut v) = (SVector::zeros(), SVector::zeros());
        for mode in 0..M {
            // σ + z V = r on either line, with the impedance z = ±c 𝓜.
            let (mut z, mut r) = ([0.0; 2], [0.0; 2]);
            for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                self.find_foot((known, k, still), lines, (side, sign, mode))?;
                let foot = &lines.feet[side][mode];
                let (c, [a, b]) = self.flat_wave(base, foot, node, mode);
                *slowest = slowest.min(c);
                lines.speeds[side][mode] = c;
                z[side] = sign * c * self.inertia[(mode, mode)];
                r[side] = foot.sigma[mode] + z[side] * foot.v[mode] + self.length * (b + z[side] * a);
            }
            v[mode] = (r[0] - r[1]) / (z[0] - z[1]);
            sigma[mode] = r[0] - z[0] * v[mode];
        }
        Ok((sigma, v))
    }

    /// Speed of a wave of a plane rod at the mean of two states, and its own component of the sources: with κ and ω about d₂,
    /// a = (ωγ₃ − κv₃, κv₁ − ωγ₁, 0), b = (ωρAv₃ − κN₃, κN₁ − ωρAv₁, γ₁N₃ − γ₃N₁).
    #[inline]
    fn flat_wave(&self, base: &Waves<M>, foot: &Local<M>, node: &Local<M>, mode: usize) -> (f64, [f64; 2]) {
        let section = self.section;
        let sigma = |c: usize| 0.5 * (foot.sigma[c] + node.sigma[c]);
        let v = |c: usize| 0.5 * (foot.v[c] + node.v[c]);
        let (n1, n3, spin) = (sigma(0), sigma(1), v(2));
        let bend = self.rest[1] + section.bending[(1, 1)] * sigma(2);
        let across = || section.rest[0] + section.compliance[(0, 0)] * n1;
        let (c, a, b) = match mode {
            0 => {
                let g3 = section.stretch(n3);
                (base.speeds[0], spin * g3 - bend * v(1), spin * section.mass * v(1) - bend * n3)
            }
            1 => {
                // Only this speed depends on the state.
                let c = section.axial_stiffness(section.stretch(n3)).sqrt() * base.modes[(1, 1)];
                (c, bend * v(0) - spin * across(), bend * n1 - spin * section.mass * v(0))
            }
            _ => (base.speeds[mode], 0.0, across() * n3 - section.stretch(n3) * n1),
        };
        (c, [a, b - 0.5 * (foot.load[mode] + node.load[mode])])
    }

    /// The section of the next layer at instant k, and the slowest wave met.
    pub fn meet(
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
        let mut lines = Lines { speeds: [first.speeds; 2], shifts: [[f64::NAN; M]; 2], feet: [[old; M]; 2] };
        let (mut node, mut pose, mut slowest) = (old, from, f64::INFINITY);
        for _ in 0..PASSES {
            let (sigma, v) = match &self.flat {
                Some(base) => self.cross_alone((known, k, still), base, &mut lines, &node, &mut slowest)?,
                None => self.cross((known, k, still), &mut lines, &node, &mut slowest)?,
            };
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
