//! Where servo paths start, and whether they and the loads can be evaluated over the whole time grid: no solver ever
//! meets a bad value.

use super::super::Check;
use super::ends::{Parts, Prescription};
use super::rods::CheckedRod;
use crate::discretisation::TimeGrid;
use crate::models::{RodModel, Side};

impl Check<'_> {
    /// A beam without gravity and loads rests straight, so a path that begins elsewhere than the rod's end is suspicious;
    /// it is solved all the same, with the rod where the path begins.
    pub fn path_starts(&mut self, rod: &CheckedRod<'_>, parts: &Parts, grid: TimeGrid) {
        let (from, to) = (rod.from, rod.to);
        let loaded = !parts.loads.is_empty() || self.spec.gravity.iter().flatten().any(|g| *g != 0.0);
        if rod.spec.model != RodModel::Beam || loaded {
            return;
        }
        let length = from.iter().zip(to).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
        for servo in &parts.outputs {
            let (key, point) = if servo.output.side == Side::Start { ("from", from) } else { ("to", to) };
            let (Some(reference), Ok(start)) = (point.get(servo.output.coordinate), servo.function.jet(grid.start))
            else {
                continue;
            };
            if start.first == 0.0 && (start.value - reference).abs() > 1e-6 * length {
                let message = format!(
                    "`{}` starts at {:.6}, but `rod.{}.{key}` puts that end at {reference}: the rod is taken to rest where the path starts",
                    self.document.path_text(&servo.path),
                    start.value,
                    rod.name
                );
                self.found.warning(self.document, &servo.path, message, "starts elsewhere");
            }
        }
    }

    /// Values of loads and values and derivatives of servo paths at all instants and halfway between.
    pub fn evaluate(&mut self, parts: &Parts, grid: TimeGrid) {
        let failure = |prescription: &Prescription, needs_derivatives: bool| {
            let instants = (0..=2 * grid.steps).map(|j| grid.start + 0.5 * j as f64 * grid.dt);
            let fails = |t| match needs_derivatives {
                true => prescription.function.jet(t).err(),
                false => prescription.function.value(t).err(),
            };
            instants.into_iter().find_map(fails).map(|error| (prescription.path.clone(), error))
        };
        let paths = parts.outputs.iter().filter_map(|output| failure(output, true));
        let loads = parts.loads.iter().filter_map(|load| failure(load, false));
        let failures = paths.chain(loads).collect();
        self.failures(failures);
    }
}
