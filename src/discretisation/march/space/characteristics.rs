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

use nalgebra::{SVector, Vector3, Vector6};
use rayon::prelude::*;

use super::lines::{Local, Step, Stop, picked, spread};
use super::section::rest_curvature;
use super::{Loading, Piece, SpaceError, SpaceLayer, SpaceSection, SpaceState};
use crate::discretisation::march::SidewaysError;
use crate::geometry::Pose;
use crate::mechanism::{RodLoads, RodPart};

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
        loads: &RodLoads<'_>,
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
    fn locals(&mut self, loads: &RodLoads<'_>, s: f64, section: &SpaceSection) -> Result<Vec<Local<M>>, SpaceError> {
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
