//! What can be said of a rod in space before solving: waves, growth of disturbances, method.

use super::sampling::{activity, hanging};
use super::unfit;
use crate::discretisation::TimeGrid;
use crate::discretisation::march::space::{SpaceSection, SpaceState, disturbances};
use crate::discretisation::march::{Growth, Lowpass, growth_of};
use crate::models::DrivenRod;
use crate::tasks::inverse_dynamics::Analysis;
use crate::tasks::inverse_dynamics::analysis::{Subject, amplitudes, choose, condition};
use crate::tasks::{InverseDynamicsSpec, TaskError};

/// A rod in space about an equilibrium.
pub struct SpaceSubject<'a> {
    rod: &'a DrivenRod,
    sections: Vec<(SpaceSection, SpaceState)>,
}

impl<'a> SpaceSubject<'a> {
    /// At rest where the path begins.
    pub fn new(rod: &'a DrivenRod, grid: TimeGrid) -> Result<Self, TaskError> {
        let part = rod.rod();
        let elements = part.elements.min(16);
        let states = hanging(rod, elements, grid.start)?;
        let of = |(i, state): (usize, SpaceState)| {
            let section = SpaceSection::at(part, part.length * i as f64 / elements as f64);
            section.map(|section| (section, state)).map_err(|why| unfit(&part.name, why))
        };
        Ok(Self { rod, sections: states.into_iter().enumerate().map(of).collect::<Result<_, _>>()? })
    }

    /// Slowest and fastest wave, m/s.
    fn speeds(&self) -> [f64; 2] {
        let of = |(section, state): &(SpaceSection, SpaceState)| {
            let stretch = section.gamma(state.pose.orientation.to_material(state.n))[2];
            section.waves(stretch, stretch)
        };
        let waves = self.sections.iter().map(of);
        waves.fold([f64::INFINITY, 0.0], |found, [a, b]| [found[0].min(a), found[1].max(b)])
    }
}

impl Subject for SpaceSubject<'_> {
    fn name(&self) -> &str {
        &self.rod.rod().name
    }

    fn growth(&self, dt: f64, lowpass: Option<&Lowpass>) -> Growth {
        let matrix =
            |(section, state): &(SpaceSection, SpaceState), square: f64| Some(disturbances(section, state, square));
        growth_of(&self.sections, self.rod.rod().length, dt, lowpass, &matrix)
    }

    fn spectrum(&self, grid: TimeGrid, frequencies: &[f64]) -> Result<Vec<f64>, TaskError> {
        let part = self.rod.rod();
        let (mut size, mut samples) = (part.length, Vec::with_capacity(grid.steps + 1));
        for j in 0..=grid.steps {
            let end = self.rod.servo(grid.time(j));
            let end = end.map_err(|bad| TaskError::pose_function(&part.name, self.rod.side, bad))?;
            let (a, turn) = (end.acceleration, end.spin_rate * part.length);
            samples.push([a[0], a[1], a[2], turn[0], turn[1], turn[2]]);
            size = size.max(end.pose.position.amax());
        }
        Ok(amplitudes(&samples, size, grid.dt, frequencies))
    }
}

/// Sizes, speeds, conditioning and the method that follows from them.
pub fn analyse(rod: &DrivenRod, grid: TimeGrid, spec: &InverseDynamicsSpec) -> Result<Analysis, TaskError> {
    let subject = SpaceSubject::new(rod, grid)?;
    let speeds = subject.speeds();
    let (conditioning, bandwidth, filtered) = condition(&subject, grid, spec)?;
    let part = rod.rod();
    let (method, sweep, reason) = choose(&part.name, spec, Some(rod.side), Some(&conditioning));
    let ends = [subject.sections.first(), subject.sections.last()];
    let place = |end: Option<&(SpaceSection, SpaceState)>| {
        end.map_or(Vec::new(), |(_, state)| state.pose.position.iter().copied().collect())
    };
    Ok(Analysis {
        marching_side: Some(rod.side),
        speeds,
        transit: part.length / speeds[0],
        activity: activity(rod, &grid)?,
        conditioning: Some(conditioning),
        bandwidth,
        method,
        sweep,
        reason: format!("{reason}{filtered}"),
        rest_ends: ends.map(place),
    })
}
