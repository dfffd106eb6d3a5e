//! The march along all rods of a chain, with the jumps of its stations.

use std::borrow::Cow;

use nalgebra::{Vector3, Vector6};

use super::{Branch, Couple, Leg, Moving, RodChain, Station};
use crate::discretisation::march::space::turning::logarithm;
use crate::discretisation::march::space::{
    Characteristics, Piece, PlaneMarch, SpaceError, SpaceLayer, SpaceMarch, SpaceState, is_simple,
};
use crate::discretisation::march::{Lowpass, SidewaysError};
use crate::geometry::Pose;
use crate::mechanism::{BadFunction, RodLoads, RodPart};

/// Which scheme marches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceScheme {
    /// Störmer-Verlet in s.
    Verlet,
    /// Along characteristic lines.
    Characteristics,
}

/// A march by one of the schemes.
trait Marching {
    /// The section that was reached.
    fn layer(&self) -> Cow<'_, SpaceLayer>;
    /// Goes over a piece of a rod; the slowest wave met.
    fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError>;
    /// Goes on from another section that moves with the one that was reached, or from other stresses.
    fn restart(&mut self, layer: SpaceLayer);
}

impl Marching for SpaceMarch<'_> {
    fn layer(&self) -> Cow<'_, SpaceLayer> {
        Cow::Borrowed(&self.layer)
    }

    fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError> {
        SpaceMarch::advance(self, rod, loads, piece)
    }

    fn restart(&mut self, layer: SpaceLayer) {
        self.layer = layer;
    }
}

impl Marching for PlaneMarch<'_> {
    fn layer(&self) -> Cow<'_, SpaceLayer> {
        Cow::Owned(self.reached())
    }

    fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError> {
        PlaneMarch::advance(self, rod, loads, piece)
    }

    fn restart(&mut self, layer: SpaceLayer) {
        PlaneMarch::restart(self, &layer);
    }
}

impl<const M: usize> Marching for Characteristics<'_, M> {
    fn layer(&self) -> Cow<'_, SpaceLayer> {
        Cow::Borrowed(&self.layer)
    }

    fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError> {
        Characteristics::advance(self, rod, loads, piece)
    }

    fn restart(&mut self, layer: SpaceLayer) {
        Characteristics::restart(self, layer);
    }
}

/// How a chain is marched along.
pub struct Traversal<'a> {
    /// The rods.
    pub chain: &'a RodChain,
    /// The scheme.
    pub scheme: SpaceScheme,
    /// Distance of the instants, second; infinite for a single one.
    pub dt: f64,
    /// Time of each instant.
    pub instant: &'a dyn Fn(usize) -> f64,
    /// Filter of inertia.
    pub lowpass: Option<Lowpass>,
    /// Steps over an element of this length, metre.
    pub substeps: &'a dyn Fn(f64) -> usize,
    /// Force and torque that a section applies to a branch while it moves through poses.
    pub reactions: &'a Reactions<'a>,
}

/// Forces and torques about a section that it applies to a branch while it moves through poses, or why there are none.
pub type Reactions<'a> = dyn Fn(&Branch, &[Pose]) -> Result<Vec<Couple>, String> + 'a;

/// The driven section.
pub struct Reached {
    /// Its motion, and the force and moment that the actuators apply times the sense of the march.
    pub layer: SpaceLayer,
    /// Slowest wave met, m/s.
    pub slowest: f64,
    /// Steps along s in all.
    pub steps: usize,
}

/// Why a march stopped, on the rod of which leg.
pub type Stopped = (usize, SpaceError);

impl Traversal<'_> {
    /// From the states of the first section, beyond its station, and its velocity and spin in space. `sink` receives the number of every section that is reached,
    /// with force and moment on its side of the march; it returns `false` to interrupt.
    pub fn run(
        &self,
        first: &[SpaceState],
        velocities: &[Vector6<f64>],
        sink: &mut dyn FnMut(usize, &SpaceLayer) -> bool,
    ) -> Result<Reached, Stopped> {
        let chain = self.chain;
        let mut march = self.begin(first, velocities);
        let (mut slowest, mut steps) = (f64::INFINITY, 0);
        for (index, leg) in chain.legs.iter().enumerate() {
            let stopped = |error: SpaceError| (index, error);
            let interrupted = || stopped(SidewaysError::Interrupted.into());
            let (rod, loads) = (chain.rod(leg), chain.loads_along(leg));
            if index > 0 {
                let states = self.pass(&chain.legs[index - 1], leg, &march.layer());
                march.restart(SpaceLayer::new(&states));
            }
            let begin = leg.first + leg.boundary(0, rod.elements);
            if !sink(begin, &march.layer()) {
                return Err(interrupted());
            }
            for step in 1..=rod.elements {
                let [from, to] = [step - 1, step].map(|step| rod.boundary(leg.boundary(step, rod.elements)));
                let substeps = (self.substeps)((to - from).abs());
                let speed = march.advance(rod, &loads, Piece { span: [from, to], substeps }).map_err(stopped)?;
                slowest = slowest.min(speed);
                steps += substeps;
                let section = leg.first + leg.boundary(step, rod.elements);
                let mut layer = march.layer();
                if !sink(section, &layer) {
                    return Err(interrupted());
                }
                if let Some(station) = chain.station(section) {
                    let jump = self.jump(station, leg.sense(), layer.to_mut());
                    jump.map_err(|bad| stopped(SpaceError::Load(bad)))?;
                }
                for branch in chain.branches.iter().filter(|branch| branch.section == section) {
                    self.hang(branch, leg.sense(), layer.to_mut()).map_err(stopped)?;
                }
                let is_loaded = chain.station(section).is_some() || chain.branches.iter().any(|b| b.section == section);
                if is_loaded {
                    let layer = layer.into_owned();
                    march.restart(layer);
                }
            }
        }
        Ok(Reached { layer: march.layer().into_owned(), slowest, steps })
    }

    fn begin<'a>(&'a self, first: &[SpaceState], velocities: &[Vector6<f64>]) -> Box<dyn Marching + 'a> {
        let (chain, dt, instant) = (self.chain, self.dt, self.instant);
        let (plane, gravity) = (chain.is_plane(), chain.mechanism.gravity);
        let simple = chain.legs.iter().all(|leg| is_simple(chain.rod(leg), &chain.loads_along(leg)));
        match (self.scheme, plane, chain.is_limp()) {
            (SpaceScheme::Verlet, true, false) if simple => {
                Box::new(PlaneMarch::new(first, dt, gravity, self.lowpass, instant))
            }
            (SpaceScheme::Verlet, ..) => Box::new(SpaceMarch::new(first, plane, dt, gravity, self.lowpass, instant)),
            (_, true, false) => Box::new(Characteristics::new(first, velocities, [0, 2, 4], dt, gravity, instant)),
            (_, false, false) => {
                Box::new(Characteristics::new(first, velocities, [0, 1, 2, 3, 4, 5], dt, gravity, instant))
            }
            (_, true, true) => Box::new(Characteristics::new(first, velocities, [0, 1], dt, gravity, instant)),
            (_, false, true) => Box::new(Characteristics::new(first, velocities, [0, 1, 2], dt, gravity, instant)),
        }
    }

    /// Adds the jump of a station to force and moment.
    fn jump(&self, station: &Station, sense: f64, layer: &mut SpaceLayer) -> Result<(), BadFunction> {
        let last = layer.len() - 1;
        let mut needed: [Vec<f64>; 6] = std::array::from_fn(|_| vec![0.0; layer.len()]);
        for k in (1..last).filter(|_| station.is_heavy()) {
            let poses = [k - 1, k, k + 1].map(|k| layer.state(k).pose);
            let inertia = station.inertia_of_steps(poses, self.dt);
            for c in 0..3 {
                needed[c][k] = inertia.force[c];
                needed[3 + c][k] = inertia.torque[c];
            }
        }
        // The last instant has no neighbour: the motion goes on as before.
        if last > 1 {
            needed.iter_mut().for_each(|component| component[last] = component[last - 1]);
        }
        if let Some(lowpass) = &self.lowpass {
            needed.iter_mut().for_each(|component| lowpass.apply(component));
        }
        for k in 0..=last {
            let known = self.chain.known(station, (self.instant)(k), &moving(layer, k, self.dt))?;
            let state = layer.state(k);
            let [force, torque] = [0, 3].map(|row| Vector3::from_fn(|c, _| needed[row + c][k]));
            let n = state.n + (force - known.force) * sense;
            let m = state.m + (torque - known.torque) * sense;
            layer.set_stress(k, n, m);
        }
        Ok(())
    }

    /// Adds what a branch needs to force and moment.
    fn hang(&self, branch: &Branch, sense: f64, layer: &mut SpaceLayer) -> Result<(), SpaceError> {
        let poses: Vec<Pose> = (0..layer.len()).map(|k| layer.state(k).pose).collect();
        let needed = (self.reactions)(branch, &poses).map_err(SpaceError::Branch)?;
        for (k, needed) in needed.iter().enumerate() {
            let state = layer.state(k);
            layer.set_stress(k, state.n + needed.force * sense, state.m + needed.torque * sense);
        }
        Ok(())
    }

    /// The first section of a leg from the last one of the leg before: force and moment about its own point.
    fn pass(&self, before: &Leg, next: &Leg, layer: &SpaceLayer) -> Vec<SpaceState> {
        let passage = self.chain.passage(before, next);
        let turn = before.sense() * next.sense();
        let state = |k: usize| {
            let last = layer.state(k);
            let position = last.pose.point(passage.position);
            let orientation = (last.pose.orientation * passage.orientation).normalised();
            let lever = last.pose.position - position;
            let n = last.n * turn;
            SpaceState { pose: Pose { position, orientation }, n, m: (last.m + lever.cross(&last.n)) * turn }
        };
        (0..layer.len()).map(state).collect()
    }
}

/// A section at instant k with velocities by central differences.
pub fn moving(layer: &SpaceLayer, k: usize, dt: f64) -> Moving {
    let last = layer.len() - 1;
    let [before, after] = [k.saturating_sub(1), (k + 1).min(last)].map(|k| layer.state(k).pose);
    let per_time = if last == 0 { 0.0 } else { 1.0 / (2.0 * dt) };
    // The rotation vector is the same in the frames before and after.
    let spin = before.orientation.rotate(logarithm(before.orientation, after.orientation)) * per_time;
    Moving { pose: layer.state(k).pose, velocity: (after.position - before.position) * per_time, spin }
}
