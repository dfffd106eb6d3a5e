//! Sideways Störmer-Verlet for rods in space: (n, p) kick, (x, m) drift.
//!
//! With n, m in space, π the angular momentum per length about the axis, R = R(p), mass centre c of the section and forces
//! f, l per length:
//!
//! n' = ρA (∂_t² (x + R c) − g) − f, p' = ½ p K(Rᵀn, Rᵀm); x' = R γ(Rᵀn, Rᵀm), m' = ∂_t π + ρA R c × (∂_t² x − g) − x' × n − l.
//!
//! Where force and moment each have their own strains and c = 0, each half needs only the other half. Else each half is
//! split once more into symmetric parts: half of p, n, half of p; half of x, m, half of x. The step of p at fixed n and m is
//! the midpoint rule on the group, iterated to rounding, so the march is symmetric and of order two; ∂_t π comes from the
//! discrete Lagrangian of rotations (see [`turning`]). A motion in a plane reduces exactly to the plane scheme.

mod characteristics;
mod disturbances;
mod feet;
mod layer;
mod leapfrog;
mod limp;
mod lines;
mod loading;
mod plane;
mod relaxation;
mod section;
mod sections;
pub mod turning;

pub use characteristics::Characteristics;
pub use disturbances::{Disturbance, Oscillation, disturbances};
pub use layer::{SpaceLayer, SpaceState};
pub use loading::Loading;
pub use plane::{PlaneMarch, is_simple};
pub use section::{SpaceSection, Unfit};

use nalgebra::Vector3;

use self::layer::{put, vector};
use self::leapfrog::{Leapfrog, leap};
use self::relaxation::Relaxing;
use self::section::rest_curvature;
use self::sections::Sections;
use self::turning::{exponential, momentum};
use super::{Lowpass, SidewaysError, TimeDerivative};
use crate::geometry::Quaternion;
use crate::mechanism::{BadFunction, RodLoads, RodPart, StrainError};

/// Why a march in space stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum SpaceError {
    /// The rod cannot be marched along at all.
    Unfit(Unfit),
    /// A load along the rod cannot be evaluated.
    Load(BadFunction),
    /// What hangs on a section does not move with it, in words.
    Branch(String),
    /// As for other rods.
    Sideways(SidewaysError),
}

impl From<SidewaysError> for SpaceError {
    fn from(error: SidewaysError) -> Self {
        SpaceError::Sideways(error)
    }
}

impl From<Unfit> for SpaceError {
    fn from(why: Unfit) -> Self {
        SpaceError::Unfit(why)
    }
}

/// What the iterations of a step are stopped at, radian or relative; the error is then far smaller.
const CLOSE: f64 = 1e-13;
/// Iterations at most; they contract by about half the rotation of a step.
const MOST: usize = 20;

/// A piece of a rod to be marched over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Where it begins and ends, in the sense of the march, metre.
    pub span: [f64; 2],
    /// Steps over it.
    pub substeps: usize,
}

/// A march along rods: all of time at one section after the other.
pub struct SpaceMarch<'a> {
    /// The section that was reached.
    pub layer: SpaceLayer,
    dt: f64,
    time: TimeDerivative,
    lowpass: Option<Lowpass>,
    gravity: Vector3<f64>,
    instant: &'a dyn Fn(usize) -> f64,
    /// Angular momentum of the time steps, then its rate at the instants.
    spin: [Vec<f64>; 3],
    /// Places of a point of the section over time.
    points: [Vec<f64>; 3],
    loading: Loading,
    plane: bool,
    sections: Sections,
}

impl Leapfrog for SpaceMarch<'_> {
    fn kick(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        s: f64,
        length: f64,
        [back, front]: [f64; 2],
    ) -> Result<(), SpaceError> {
        self.load(loads, s)?;
        let section = self.sections.at(rod, s, self.plane)?;
        self.kick_section(length, &section, rest_curvature(rod, back, front));
        Ok(())
    }

    fn drift(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        middle: f64,
        step: f64,
        end: f64,
    ) -> Result<f64, SpaceError> {
        self.load(loads, middle)?;
        let section = self.sections.at(rod, middle, self.plane)?;
        self.drift_section(step, &section, end)
    }

    fn dt(&self) -> f64 {
        self.dt
    }

    fn first_not_finite(&self) -> usize {
        self.layer.first_not_finite()
    }
}

impl<'a> SpaceMarch<'a> {
    /// From the states of a section at instants `dt` apart, in the plane or in space; `instant` tells the time of each.
    pub fn new(
        states: &[SpaceState],
        plane: bool,
        dt: f64,
        gravity: Vector3<f64>,
        lowpass: Option<Lowpass>,
        instant: &'a dyn Fn(usize) -> f64,
    ) -> Self {
        let count = states.len();
        let blank = || std::array::from_fn(|_| vec![0.0; count]);
        Self {
            layer: SpaceLayer::new(states),
            dt,
            time: TimeDerivative::new(dt, count, lowpass),
            lowpass,
            gravity,
            instant,
            spin: blank(),
            points: blank(),
            loading: Loading::default(),
            plane,
            sections: Sections::default(),
        }
    }

    /// Goes over a piece of a rod under loads along it. Returns the slowest wave met.
    pub fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError> {
        leap(self, rod, loads, piece)
    }

    fn load(&mut self, loads: &RodLoads<'_>, s: f64) -> Result<(), SpaceError> {
        self.loading.evaluate(loads, s, self.layer.len(), self.instant).map_err(SpaceError::Load)
    }

    /// Advances n and the orientations.
    fn kick_section(&mut self, step: f64, section: &SpaceSection, rest: Vector3<f64>) {
        if section.limp {
            self.push_limp(step, section);
            return;
        }
        if !section.is_eccentric() && !self.loading.follows() && !self.loading.resists() {
            self.push(step, section);
            self.turn(step, section, rest);
            return;
        }
        self.turn(0.5 * step, section, rest);
        self.push(step, section);
        self.turn(0.5 * step, section, rest);
    }

    /// Advances n.
    fn push(&mut self, step: f64, section: &SpaceSection) {
        let mass = step * section.mass;
        if section.is_eccentric() {
            self.place(section.arm);
        }
        let layer = &mut self.layer;
        for axis in 0..3 {
            let gravity = self.gravity[axis];
            let at = if section.is_eccentric() { &self.points[axis] } else { &layer.x[axis] };
            let acceleration = self.time.second(at);
            for (n, a) in layer.n[axis].iter_mut().zip(acceleration) {
                *n += mass * (a - gravity);
            }
        }
        if self.loading.is_there() {
            for k in 0..layer.len() {
                let n = vector(&layer.n, k) - self.loading.force(k, layer.orientation(k)) * step;
                put(&mut layer.n, k, n);
            }
        }
        if self.loading.resists() && !section.limp {
            self.loading.find_velocities(&layer.x, &self.time);
            for k in 0..layer.len() {
                let tangent = layer.orientation(k).rotate(Vector3::z());
                let n = vector(&layer.n, k) - self.loading.drag(k, tangent) * step;
                put(&mut layer.n, k, n);
            }
        }
    }

    /// Where the point `arm` of the section is.
    fn place(&mut self, arm: Vector3<f64>) {
        for k in 0..self.layer.len() {
            let point = vector(&self.layer.x, k) + self.layer.orientation(k).rotate(arm);
            put(&mut self.points, k, point);
        }
    }

    /// Advances the orientations at fixed n and m: in the section these turn back as it turns.
    fn turn(&mut self, step: f64, section: &SpaceSection, rest: Vector3<f64>) {
        let layer = &mut self.layer;
        let rule = section.relaxation(self.dt);
        let mut relaxing = Relaxing::new(rule);
        for k in 0..layer.len() {
            let p = layer.orientation(k);
            let moment = p.to_material(vector(&layer.m, k));
            let force = p.to_material(vector(&layer.n, k));
            let bend_of = |half: Option<&Quaternion>| {
                let turned = |v: Vector3<f64>| half.map_or(v, |half| half.to_material(v));
                let k = if section.apart && rule.is_none() {
                    section.bending * turned(moment)
                } else {
                    let (force, moment) = relaxing.elastic(turned(force), turned(moment));
                    section.strains(force, moment).1
                };
                rest + k
            };
            let mut bend = if section.apart && rule.is_none() {
                let turned = moment.cross(&(rest + section.bending * moment));
                rest + section.bending * (moment + turned * (0.5 * step))
            } else {
                bend_of(None)
            };
            let mut half = exponential(bend * (0.5 * step));
            for _ in 0..MOST {
                let next = bend_of(Some(&half));
                let change = (next - bend).amax() * step.abs();
                bend = next;
                half = exponential(bend * (0.5 * step));
                // The negation is true of no number as well.
                if !(change > CLOSE) {
                    break;
                }
            }
            if rule.is_some() {
                relaxing.pass(half.to_material(force), half.to_material(moment));
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
        let per_dt = 1.0 / self.dt;
        let mut before = Vector3::zeros();
        let mut a = self.layer.orientation(0);
        for k in 0..count {
            let after = if k + 1 < count {
                let b = self.layer.orientation(k + 1);
                let found = momentum(a, b, &section.inertia, per_dt);
                a = b;
                found
            } else {
                before
            };
            let rate = if k == 0 { Vector3::zeros() } else { (after - before) * per_dt };
            put(&mut self.spin, k, rate);
            before = after;
        }
        if let Some(lowpass) = &self.lowpass {
            self.spin.iter_mut().for_each(|rates| lowpass.apply(rates));
        }
    }

    /// Adds ρA R c × (∂_t² x − g) to the rates of angular momentum: the mass centre carries the weight.
    fn add_levers(&mut self, section: &SpaceSection) {
        for axis in 0..3 {
            let acceleration = self.time.second(&self.layer.x[axis]);
            self.points[axis].copy_from_slice(acceleration);
        }
        for k in 0..self.layer.len() {
            let arm = self.layer.orientation(k).rotate(section.arm) * section.mass;
            let rate = vector(&self.spin, k) + arm.cross(&(vector(&self.points, k) - self.gravity));
            put(&mut self.spin, k, rate);
        }
    }

    /// Advances x and m; the slowest wave met.
    fn drift_section(&mut self, step: f64, section: &SpaceSection, s: f64) -> Result<f64, SpaceError> {
        if section.limp {
            return self.drift_limp(step, section, s);
        }
        self.spin_rates(section);
        let range = if section.apart && !section.is_eccentric() {
            self.drift_apart(step, section)
        } else {
            self.shift(0.5 * step, section);
            if section.is_eccentric() {
                self.add_levers(section);
            }
            self.bend(step, section);
            self.shift(0.5 * step, section)
        };
        if !range.finite {
            return Ok(f64::NAN);
        }
        if !(range.least > 0.0) {
            let cause = StrainError::Collapsed { stretch: range.least };
            return Err(SidewaysError::Breakdown { s, index: range.at, cause }.into());
        }
        Ok(section.waves(range.least, range.most)[0])
    }

    /// x and m of a section whose force and moment each have their own strains.
    fn drift_apart(&mut self, step: f64, section: &SpaceSection) -> Stretches {
        let layer = &mut self.layer;
        let mut range = Stretches::default();
        let rule = section.relaxation(self.dt);
        let mut relaxing = Relaxing::new(rule);
        for k in 0..layer.len() {
            let (p, n) = (layer.orientation(k), vector(&layer.n, k));
            let mut force = p.to_material(n);
            if rule.is_some() {
                let whole = force;
                force = relaxing.elastic(whole, Vector3::zeros()).0;
                relaxing.pass(whole, Vector3::zeros());
            }
            let gamma = section.gamma(force);
            let dx = p.rotate(gamma);
            let x = vector(&layer.x, k) + dx * step;
            let mut rate = vector(&self.spin, k) - dx.cross(&n);
            if self.loading.is_there() {
                rate -= self.loading.torque(k, p);
            }
            let m = vector(&layer.m, k) + rate * step;
            range.meet(k, gamma[2], x[0] + x[1] + x[2] + m[0] + m[1] + m[2]);
            put(&mut layer.x, k, x);
            put(&mut layer.m, k, m);
        }
        range
    }

    /// Advances x at fixed n, p and m.
    fn shift(&mut self, step: f64, section: &SpaceSection) -> Stretches {
        let layer = &mut self.layer;
        let mut range = Stretches::default();
        let mut relaxing = Relaxing::new(section.relaxation(self.dt));
        for k in 0..layer.len() {
            let p = layer.orientation(k);
            let (force, moment) = (p.to_material(vector(&layer.n, k)), p.to_material(vector(&layer.m, k)));
            let elastic = relaxing.elastic(force, moment);
            relaxing.pass(force, moment);
            let gamma = section.strains(elastic.0, elastic.1).0;
            let x = vector(&layer.x, k) + p.rotate(gamma) * step;
            range.meet(k, gamma[2], x[0] + x[1] + x[2] + layer.m[0][k] + layer.m[1][k] + layer.m[2][k]);
            put(&mut layer.x, k, x);
        }
        range
    }

    /// Advances m at fixed n, p and x by the midpoint rule: x' depends on m where the strains are coupled.
    fn bend(&mut self, step: f64, section: &SpaceSection) {
        let layer = &mut self.layer;
        let mut relaxing = Relaxing::new(section.relaxation(self.dt));
        for k in 0..layer.len() {
            let (p, n, m) = (layer.orientation(k), vector(&layer.n, k), vector(&layer.m, k));
            let force = p.to_material(n);
            let own = vector(&self.spin, k) - self.loading.torque(k, p);
            let mut middle = m;
            for _ in 0..MOST {
                let elastic = relaxing.elastic(force, p.to_material(middle));
                let dx = p.rotate(section.strains(elastic.0, elastic.1).0);
                let next = m + (own - dx.cross(&n)) * (0.5 * step);
                let change = (next - middle).amax();
                middle = next;
                if section.apart || !(change > CLOSE * (1.0 + middle.amax())) {
                    break;
                }
            }
            relaxing.pass(force, p.to_material(middle));
            put(&mut layer.m, k, middle * 2.0 - m);
        }
    }
}

/// The range of γ₃ over a layer.
struct Stretches {
    least: f64,
    most: f64,
    /// Instant of the least.
    at: usize,
    finite: bool,
}

impl Default for Stretches {
    fn default() -> Self {
        Self { least: f64::INFINITY, most: f64::NEG_INFINITY, at: 0, finite: true }
    }
}

impl Stretches {
    #[inline]
    fn meet(&mut self, k: usize, stretch: f64, sum: f64) {
        if stretch < self.least {
            (self.least, self.at) = (stretch, k);
        }
        self.most = self.most.max(stretch);
        self.finite &= sum.is_finite();
    }
}
