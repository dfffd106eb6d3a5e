//! The leapfrog along s: half a kick, then drifts and full kicks in turn, half a kick at the end (Störmer-Verlet).

use crate::discretisation::march::SidewaysError;
use crate::mechanism::{RodLoads, RodPart};

use super::{Piece, SpaceError};

/// The two halves of a step. Kicks change what drifts use and the other way round, so that each is explicit.
pub(super) trait Leapfrog {
    /// Changes n and the orientations over a length around s, where the unstressed curvature is that of the span.
    fn kick(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        s: f64,
        length: f64,
        span: [f64; 2],
    ) -> Result<(), SpaceError>;

    /// Changes positions and m by a step around `middle` that ends at `end`; the slowest wave met, no number if the state is
    /// no longer finite.
    fn drift(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        middle: f64,
        step: f64,
        end: f64,
    ) -> Result<f64, SpaceError>;

    /// Distance of the instants, second.
    fn dt(&self) -> f64;

    /// The first instant whose state is not finite.
    fn first_not_finite(&self) -> usize;
}

/// Goes over a piece of a rod under loads along it. Returns the slowest wave met.
pub(super) fn leap(
    march: &mut impl Leapfrog,
    rod: &RodPart,
    loads: &RodLoads<'_>,
    Piece { span: [from, to], substeps }: Piece,
) -> Result<f64, SpaceError> {
    let step = (to - from) / substeps as f64;
    let within = |s: f64| s.clamp(0.0, rod.length);
    let mut slowest = f64::INFINITY;
    for sub in 0..substeps {
        let s = from + step * sub as f64;
        // Kicks of neighbouring steps act on the same layer: one full kick, but for the first and the last.
        let (length, back) = if sub == 0 { (0.5 * step, s) } else { (step, s - 0.5 * step) };
        march.kick(rod, loads, within(s), length, [back, s + 0.5 * step])?;
        let speed = march.drift(rod, loads, within(s + 0.5 * step), step, s + step)?;
        slowest = slowest.min(speed);
        if !(step.abs() <= speed * march.dt() * (1.0 + 1e-9)) {
            return Err(if speed.is_finite() {
                SidewaysError::StepLimit { slowest: speed }.into()
            } else {
                SidewaysError::NotFinite { s: s + step, index: march.first_not_finite() }.into()
            });
        }
    }
    march.kick(rod, loads, within(to), 0.5 * step, [to - 0.5 * step, to])?;
    Ok(slowest)
}
