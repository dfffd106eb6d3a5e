//! Sideways Störmer-Verlet for rods in space: (n, p) kick, (x, m) drift.
//!
//! With n, m in space, π the angular momentum per length in space and R = R(p):
//!
//! n' = ρA (ẍ − g), p' = ½ p K, K = K⁰ + C_K⁻¹Rᵀm; x' = R γ(Rᵀn), m' = ∂_t π − x' × n.
//!
//! Each half needs only the other half. The kick of p at fixed m is the midpoint rule on the group, iterated to rounding, so
//! the march is symmetric; ∂_t π comes from the discrete Lagrangian of rotations (see [`turning`]). A motion in a plane
//! reduces exactly to the plane scheme.

mod section;
pub mod turning;

pub use section::{SpaceSection, Unfit, disturbances};

use nalgebra::Vector3;

use self::section::rest_curvature;
use self::turning::{exponential, momentum};
use super::{Cut, Lowpass, SidewaysError, TimeDerivative};
use crate::geometry::{Pose, Quaternion};
use crate::models::StrainError;
use crate::models::structure::RodPart;

/// One cross-section at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpaceState {
    /// Position and orientation.
    pub pose: Pose,
    /// Force in space, newton.
    pub n: Vector3<f64>,
    /// Moment in space, newton metre.
    pub m: Vector3<f64>,
}

/// All of time at one cross-section, one contiguous array per component.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceLayer {
    /// Position.
    pub x: [Vec<f64>; 3],
    /// Orientation, unit quaternions.
    pub p: [Vec<f64>; 4],
    /// Force in space.
    pub n: [Vec<f64>; 3],
    /// Moment in space.
    pub m: [Vec<f64>; 3],
}

#[inline]
fn vector(of: &[Vec<f64>; 3], k: usize) -> Vector3<f64> {
    Vector3::new(of[0][k], of[1][k], of[2][k])
}

#[inline]
fn put(of: &mut [Vec<f64>; 3], k: usize, v: Vector3<f64>) {
    of[0][k] = v[0];
    of[1][k] = v[1];
    of[2][k] = v[2];
}

impl SpaceLayer {
    /// From states per instant.
    pub fn new(states: &[SpaceState]) -> Self {
        let split = |of: &dyn Fn(&SpaceState) -> Vector3<f64>| -> [Vec<f64>; 3] {
            std::array::from_fn(|c| states.iter().map(|state| of(state)[c]).collect())
        };
        Self {
            x: split(&|state| state.pose.position),
            p: std::array::from_fn(|c| states.iter().map(|state| state.pose.orientation.to_array()[c]).collect()),
            n: split(&|state| state.n),
            m: split(&|state| state.m),
        }
    }

    /// Number of instants.
    pub fn len(&self) -> usize {
        self.x[0].len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Orientation at instant k.
    #[inline]
    pub fn orientation(&self, k: usize) -> Quaternion {
        Quaternion::new(self.p[0][k], self.p[1][k], self.p[2][k], self.p[3][k])
    }

    /// The state at instant k.
    pub fn state(&self, k: usize) -> SpaceState {
        let pose = Pose { position: vector(&self.x, k), orientation: self.orientation(k) };
        SpaceState { pose, n: vector(&self.n, k), m: vector(&self.m, k) }
    }

    fn first_not_finite(&self) -> usize {
        let parts = || self.x.iter().chain(&self.p).chain(&self.n).chain(&self.m);
        (0..self.len()).find(|&k| parts().any(|component| !component[k].is_finite())).unwrap_or(0)
    }
}

/// Why a march in space stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpaceError {
    /// The rod cannot be marched along at all.
    Unfit(Unfit),
    /// As for other rods.
    Sideways(SidewaysError),
}

impl From<SidewaysError> for SpaceError {
    fn from(error: SidewaysError) -> Self {
        SpaceError::Sideways(error)
    }
}

/// What the iteration for the curvature in the middle of a kick is stopped at, radian; the error is then far smaller.
const CLOSE: f64 = 1e-13;
/// Its iterations at most; they contract by about half the rotation of a step.
const MOST: usize = 20;

struct Marcher {
    layer: SpaceLayer,
    time: TimeDerivative,
    per_dt: f64,
    lowpass: Option<Lowpass>,
    gravity: Vector3<f64>,
    /// Angular momentum of the time steps, then its rate at the instants.
    spin: [Vec<f64>; 3],
}

impl Marcher {
    fn kick(&mut self, step: f64, section: &SpaceSection, rest: Vector3<f64>) {
        let layer = &mut self.layer;
        let mass = step * section.mass;
        for axis in 0..3 {
            let gravity = self.gravity[axis];
            let acceleration = self.time.second(&layer.x[axis]);
            for (n, a) in layer.n[axis].iter_mut().zip(acceleration) {
                *n += mass * (a - gravity);
            }
        }
        for k in 0..layer.len() {
            let p = layer.orientation(k);
            // At fixed m the moment in the section turns back as the section turns: at the middle it is exp(−½ step K) M.
            let moment = p.to_material(vector(&layer.m, k));
            let turned = moment.cross(&(rest + section.bending * moment));
            let mut bend = rest + section.bending * (moment + turned * (0.5 * step));
            let mut half = exponential(bend * (0.5 * step));
            for _ in 0..MOST {
                let next = rest + section.bending * half.to_material(moment);
                let change = (next - bend).amax() * step.abs();
                bend = next;
                half = exponential(bend * (0.5 * step));
                // The negation is true of no number as well.
                if !(change > CLOSE) {
                    break;
                }
            }
            let p = p * (half * half);
            // One step of Newton's method for 1/|p|: products of unit quaternions are off by rounding only.
            let p = p * (1.5 - 0.5 * p.norm_squared());
            layer.p[0][k] = p.re;
            layer.p[1][k] = p.im[0];
            layer.p[2][k] = p.im[1];
            layer.p[3][k] = p.im[2];
        }
    }

    /// Rate of the angular momentum at every interior instant; zero at the two ends, as there is rest outside.
    fn spin_rates(&mut self, section: &SpaceSection) {
        let count = self.layer.len();
        let mut before = Vector3::zeros();
        let mut a = self.layer.orientation(0);
        for k in 0..count {
            let after = if k + 1 < count {
                let b = self.layer.orientation(k + 1);
                let found = momentum(a, b, &section.inertia, self.per_dt);
                a = b;
                found
            } else {
                before
            };
            let rate = if k == 0 { Vector3::zeros() } else { (after - before) * self.per_dt };
            put(&mut self.spin, k, rate);
            before = after;
        }
        if let Some(lowpass) = &self.lowpass {
            self.spin.iter_mut().for_each(|rates| lowpass.apply(rates));
        }
    }

    /// Advances x and m; the slowest wave met.
    fn drift(&mut self, step: f64, section: &SpaceSection, s: f64) -> Result<f64, SpaceError> {
        self.spin_rates(section);
        let layer = &mut self.layer;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut where_least, mut finite) = (0, true);
        for k in 0..layer.len() {
            let (p, n) = (layer.orientation(k), vector(&layer.n, k));
            let gamma = section.gamma(p.to_material(n));
            if gamma[2] < least {
                (least, where_least) = (gamma[2], k);
            }
            most = most.max(gamma[2]);
            let dx = p.rotate(gamma);
            let x = vector(&layer.x, k) + dx * step;
            let m = vector(&layer.m, k) + (vector(&self.spin, k) - dx.cross(&n)) * step;
            finite &= (x[0] + x[1] + x[2] + m[0] + m[1] + m[2]).is_finite();
            put(&mut layer.x, k, x);
            put(&mut layer.m, k, m);
        }
        if !finite {
            return Ok(f64::NAN);
        }
        if !(least > 0.0) {
            let cause = StrainError::Collapsed { stretch: least };
            return Err(SidewaysError::Breakdown { s, index: where_least, cause }.into());
        }
        Ok(section.waves(least, most)[0])
    }
}

/// Complete data at one end on a uniform time grid.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceData {
    /// Time step, second.
    pub dt: f64,
    /// States per instant.
    pub states: Vec<SpaceState>,
}

/// March from the end with complete data to the other end, as [`march`](super::march) does. Returns the slowest wave met.
pub fn march_space(
    rod: &RodPart,
    gravity: Vector3<f64>,
    data: &SpaceData,
    cut: Cut,
    lowpass: Option<Lowpass>,
    sink: &mut dyn FnMut(usize, &SpaceLayer) -> bool,
) -> Result<f64, SpaceError> {
    let count = data.states.len();
    let mut marcher = Marcher {
        layer: SpaceLayer::new(&data.states),
        time: TimeDerivative::new(data.dt, count, lowpass),
        per_dt: 1.0 / data.dt,
        lowpass,
        gravity,
        spin: std::array::from_fn(|_| vec![0.0; count]),
    };
    let step = cut.step();
    let start = if cut.direction < 0.0 { cut.length } else { 0.0 };
    let within = |s: f64| s.clamp(0.0, cut.length);
    let mut slowest = f64::INFINITY;
    if !sink(0, &marcher.layer) {
        return Err(SidewaysError::Interrupted.into());
    }
    for element in 1..=cut.elements {
        for sub in 0..cut.substeps {
            let s = start + step * ((element - 1) * cut.substeps + sub) as f64;
            // Kicks of neighbouring steps act on the same layer: one full kick, but for the reported layers.
            let length = if sub == 0 { 0.5 * step } else { step };
            let from = if sub == 0 { s } else { s - 0.5 * step };
            let here = SpaceSection::at(rod, within(s)).map_err(SpaceError::Unfit)?;
            marcher.kick(length, &here, rest_curvature(rod, from, s + 0.5 * step));
            let middle = SpaceSection::at(rod, within(s + 0.5 * step)).map_err(SpaceError::Unfit)?;
            let speed = marcher.drift(step, &middle, s + step)?;
            slowest = slowest.min(speed);
            if !(step.abs() <= speed * data.dt * (1.0 + 1e-9)) {
                return Err(if speed.is_finite() {
                    SidewaysError::StepLimit { slowest: speed }.into()
                } else {
                    SidewaysError::NotFinite { s: s + step, index: marcher.layer.first_not_finite() }.into()
                });
            }
        }
        let s = start + step * (element * cut.substeps) as f64;
        let here = SpaceSection::at(rod, within(s)).map_err(SpaceError::Unfit)?;
        marcher.kick(0.5 * step, &here, rest_curvature(rod, s - 0.5 * step, s));
        if !sink(element, &marcher.layer) {
            return Err(SidewaysError::Interrupted.into());
        }
    }
    Ok(slowest)
}
