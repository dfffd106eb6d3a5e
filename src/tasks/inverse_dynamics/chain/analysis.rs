//! What can be said of a chain of rods before solving: waves, growth of disturbances, method.

use super::at_once::{affordable, resting};
use super::sampling::activity;
use super::{function, unfit};
use crate::discretisation::TimeGrid;
use crate::discretisation::chain::{Leg, RodChain};
use crate::discretisation::march::space::{Oscillation, SpaceSection, SpaceState, disturbances};
use crate::discretisation::march::{Growth, Lowpass, growth_of};
use crate::mechanism::Frame;
use crate::tasks::inverse_dynamics::Analysis;
use crate::tasks::inverse_dynamics::analysis::{Subject, amplitudes, choose, condition};
use crate::tasks::{InverseDynamicsSpec, Method, Sweep, TaskError};
use crate::terms::plane_angle;

/// Sections of a rod at which growth is looked at, at most.
const LOOKED_AT: usize = 16;

/// A chain about an equilibrium.
pub struct ChainSubject<'a> {
    chain: &'a RodChain,
    name: String,
    /// Sections, and the length each of them stands for, metre.
    sections: Vec<((SpaceSection, SpaceState), f64)>,
    /// Where the first and the last section rest.
    ends: [SpaceState; 2],
}

impl<'a> ChainSubject<'a> {
    /// At rest where the path begins.
    pub fn new(chain: &'a RodChain, grid: TimeGrid) -> Result<Self, TaskError> {
        let states = resting(chain, grid.start)?;
        let mut sections = Vec::new();
        for leg in &chain.legs {
            let rod = chain.rod(leg);
            let stride = rod.elements.div_ceil(LOOKED_AT);
            let places: Vec<usize> = (0..=rod.elements).step_by(stride).collect();
            let length = rod.length / places.len() as f64;
            for boundary in places {
                let section = SpaceSection::at(rod, rod.boundary(boundary), chain.is_plane());
                let section = section.map_err(|why| unfit(&rod.name, why))?;
                sections.push(((section, states[leg.first + boundary]), length));
            }
        }
        let ends = chain.ends().map(|(leg, boundary)| states[leg.first + boundary]);
        Ok(Self { chain, name: chain.name(), sections, ends })
    }

    /// Slowest and fastest wave, m/s.
    fn speeds(&self) -> [f64; 2] {
        let of = |((section, state), _): &((SpaceSection, SpaceState), f64)| {
            let p = state.pose.orientation;
            section.waves_under(p.to_material(state.n), p.to_material(state.m))
        };
        let waves = self.sections.iter().map(of);
        waves.fold([f64::INFINITY, 0.0], |found, [a, b]| [found[0].min(a), found[1].max(b)])
    }
}

impl Subject for ChainSubject<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn retardation(&self) -> f64 {
        self.sections.iter().map(|((section, _), _)| section.retardation()).fold(0.0, f64::max)
    }

    fn transit(&self) -> f64 {
        self.chain.length() / self.speeds()[0]
    }

    fn growth(&self, dt: f64, lowpass: Option<&Lowpass>) -> Result<Growth, TaskError> {
        // Motions in the plane are disturbed in it, and strings do not turn.
        let components = self.chain.components();
        let kept: Vec<usize> = components.iter().copied().chain(components.iter().map(|c| 6 + c)).collect();
        let matrix = |(section, state): &(SpaceSection, SpaceState), at: Oscillation| {
            let all = disturbances(section, state, at);
            if kept.len() < 12 { all.of(&kept) } else { all }
        };
        growth_of(&self.sections, dt, lowpass, &matrix).ok_or_else(|| TaskError::Overflow { rod: self.name.clone() })
    }

    fn spectrum(&self, grid: TimeGrid, frequencies: &[f64]) -> Result<Vec<f64>, TaskError> {
        let length = self.chain.length();
        let (mut size, mut samples) = (length, Vec::with_capacity(grid.steps + 1));
        for j in 0..=grid.steps {
            let end = self.chain.servo(grid.time(j)).map_err(|bad| function(self.chain, bad))?;
            let (a, turn) = (end.acceleration, end.spin_rate * length);
            samples.push([a[0], a[1], a[2], turn[0], turn[1], turn[2]]);
            size = size.max(end.pose.position.amax());
        }
        Ok(amplitudes(&samples, size, grid.dt, frequencies))
    }
}

/// Sizes, speeds, conditioning and the method that follows from them.
pub fn analyse(chain: &RodChain, grid: TimeGrid, spec: &InverseDynamicsSpec) -> Result<Analysis, TaskError> {
    let complete = chain.is_complete();
    if !complete {
        affordable(chain, grid.steps)?;
    }
    let subject = ChainSubject::new(chain, grid)?;
    let speeds = subject.speeds();
    let (conditioning, bandwidth, filtered) = match complete {
        true => {
            let (conditioning, bandwidth, filtered) = condition(&subject, grid, spec)?;
            (Some(conditioning), bandwidth, filtered)
        }
        false => (None, spec.bandwidth, String::new()),
    };
    let name = |(leg, boundary): (&Leg, usize)| chain.mechanism.frame_name(Frame::Section { rod: leg.rod, boundary });
    let names = chain.ends().map(name);
    let ends = complete.then_some(&names);
    let (method, mut sweep, mut reason) = choose(&subject.name, spec, ends, conditioning.as_ref());
    if method == Method::Galerkin && sweep == Sweep::Global && !chain.branches.is_empty() {
        sweep = Sweep::Layers;
        reason.push_str("; what hangs on the rods is simulated on the way, so the equations are solved layer by layer");
    }
    let place = |state: &SpaceState| {
        let positions = if chain.is_plane() { 2 } else { 3 };
        let mut found: Vec<f64> = state.pose.position.iter().take(positions).copied().collect();
        if chain.is_plane() && !chain.is_limp() {
            found.push(plane_angle(state.pose.orientation, 0.0));
        }
        found
    };
    let [known, driven] = names;
    let rest_ends = [(driven, place(&subject.ends[1])), (known, place(&subject.ends[0]))];
    Ok(Analysis {
        is_complete: complete,
        speeds,
        transit: chain.length() / speeds[0],
        activity: activity(chain, &grid)?,
        conditioning,
        bandwidth,
        scans: complete && bandwidth.is_some() && spec.bandwidth.is_none(),
        retardation: subject.retardation(),
        method,
        sweep,
        reason: format!("{reason}{filtered}"),
        rest_ends,
    })
}
