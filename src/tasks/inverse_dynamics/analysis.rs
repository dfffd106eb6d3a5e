//! What can be said of an inverse-dynamics problem before solving it.

use super::TaskError;
use super::sampling::{Activity, activity};
use crate::discretisation::TimeGrid;
use crate::discretisation::sideways::{Growth, Layer, Lowpass, Sideways, growth};
use crate::models::{Rod, Side, Waves};
use crate::tasks::rest::{hanging, rest};
use crate::tasks::{InverseDynamicsSpec, Method, Sweep};

/// Sizes, speeds, conditioning and the method that follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// End with complete data, if the rod can be marched along.
    pub marching_side: Option<Side>,
    /// Wave speeds at rest, slowest and fastest over the rod, m/s.
    pub speeds: [f64; 2],
    /// Time the slowest wave takes along the rod, second.
    pub transit: f64,
    /// When the data at the ends change.
    pub activity: Activity,
    /// Growth of errors along the rod (marching only).
    pub growth: Option<Growth>,
    /// Method that will be used.
    pub method: Method,
    /// How the finite element equations are solved.
    pub sweep: Sweep,
    /// Why this method.
    pub reason: String,
    /// Configuration of the rod's two ends at rest.
    pub rest_ends: [Vec<f64>; 2],
}

/// Below this relative noise in the answer nothing is said.
const QUIET_NOISE: f64 = 1e-6;
/// Above this relative noise the answer is refused.
const REFUSED_NOISE: f64 = 1e-2;
/// Relative size of the rounding errors that are amplified.
const ROUNDING: f64 = 1e-15;

impl Analysis {
    /// Analyse a rod with its data on a grid.
    pub fn new<C: Sideways<D>, const D: usize>(
        rod: &Rod<C, D>,
        grid: TimeGrid,
        spec: &InverseDynamicsSpec,
    ) -> Result<Self, TaskError> {
        let activity = activity(rod, &grid)?;
        let marching_side = rod.marching_side();
        let layers = equilibrium(rod, grid.start)?;
        let mut speeds = [f64::INFINITY, 0.0_f64];
        for (i, layer) in layers.iter().enumerate() {
            let waves = waves(rod, layer).map_err(|cause| TaskError::Breakdown {
                rod: rod.name.clone(),
                s: rod.length * i as f64 / (layers.len() - 1) as f64,
                t: grid.start,
                cause,
            })?;
            speeds = [speeds[0].min(waves.slowest()), speeds[1].max(waves.fastest())];
        }
        let growth = marching_side.map(|_| conditioning(rod, &layers, grid, spec.bandwidth));
        let (method, sweep, reason) = choose(rod, spec, marching_side, growth.as_ref());
        let ends = [layers.first(), layers.last()];
        Ok(Self {
            marching_side,
            speeds,
            transit: rod.length / speeds[0],
            activity,
            growth,
            method,
            sweep,
            reason,
            rest_ends: ends.map(|layer| layer.map_or(Vec::new(), |l| l.q_at(0).iter().copied().collect())),
        })
    }

    /// Refuse a march that would return noise; the advice names what to change and to which value.
    pub fn guard<C: Sideways<D>, const D: usize>(
        &self,
        rod: &Rod<C, D>,
        grid: TimeGrid,
    ) -> Result<Option<String>, TaskError> {
        let Some(growth) = self.growth else { return Ok(None) };
        let noise = ROUNDING * growth.exponent.exp();
        if noise <= QUIET_NOISE {
            return Ok(None);
        }
        if noise <= REFUSED_NOISE {
            return Ok(Some(format!(
                "errors grow by a factor of 10^{:.1} along rod `{}` (worst at {:.4} rad/s): expect relative noise of about {noise:.0e} in the forces",
                growth.digits_lost(),
                rod.name,
                growth.frequency
            )));
        }
        let layers = equilibrium(rod, grid.start)?;
        let tolerable = |bandwidth: f64| {
            let limited = conditioning(rod, &layers, grid, Some(bandwidth));
            ROUNDING * limited.exponent.exp() <= 1e-3 * REFUSED_NOISE
        };
        // Bisection on a logarithmic scale for the largest bandwidth that keeps the noise well below the limit.
        let (mut low, mut high) = (1e-3 * growth.frequency, growth.frequency);
        for _ in 0..20 {
            let middle = (low * high).sqrt();
            if tolerable(middle) { low = middle } else { high = middle }
        }
        let coarser = std::f64::consts::PI / low;
        Err(TaskError::IllConditioned {
            rod: rod.name.clone(),
            digits: growth.digits_lost(),
            frequency: growth.frequency,
            advice: format!(
                "Set task.inverse-dynamics.bandwidth to about {low:.3} rad/s or less (the path must lie well below it: make it slower or smoother if it does not), or take time steps of {coarser:.2e} s or more"
            ),
        })
    }
}

/// Equilibrium layers from s = 0 to s = L, one time each.
fn equilibrium<C: Sideways<D>, const D: usize>(rod: &Rod<C, D>, t: f64) -> Result<Vec<Layer<D>>, TaskError> {
    let elements = rod.elements.min(16);
    match rod.marching_side() {
        Some(side) => hanging(rod, side, elements, t),
        None => {
            let rest = rest(rod, elements, t)?;
            let ds = rod.length / elements as f64;
            let layer = |i: usize| {
                let (a, b) = (i.saturating_sub(1), (i + 1).min(elements));
                let p = (rest.q[b] - rest.q[a]) / (ds * (b - a) as f64);
                rod.model
                    .stress(&rest.q[i], &p)
                    .map(|stress| Layer::new(&[rest.q[i]], &[stress.n]))
                    .map_err(|cause| TaskError::Breakdown { rod: rod.name.clone(), s: ds * i as f64, t, cause })
            };
            (0..=elements).map(layer).collect()
        }
    }
}

fn waves<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    layer: &Layer<D>,
) -> Result<Waves<D>, crate::models::StrainError> {
    let (q, n) = (layer.q_at(0), layer.n_at(0));
    rod.model.waves(&q, &rod.model.gradient(&q, &n)?)
}

fn conditioning<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    layers: &[Layer<D>],
    grid: TimeGrid,
    bandwidth: Option<f64>,
) -> Growth {
    // The march always runs at half the user's step too.
    let dt = 0.5 * grid.dt;
    let lowpass = bandwidth.and_then(|corner| Lowpass::new(corner, dt));
    growth(&rod.model, layers, rod.length, dt, lowpass.as_ref())
        .unwrap_or(Growth { exponent: f64::INFINITY, frequency: std::f64::consts::PI / dt })
}

fn choose<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    spec: &InverseDynamicsSpec,
    side: Option<Side>,
    growth: Option<&Growth>,
) -> (Method, Sweep, String) {
    let sweep = match (spec.sweep, side) {
        (Sweep::Auto, Some(_)) => Sweep::Layers,
        (Sweep::Auto, None) => Sweep::Global,
        (chosen, _) => chosen,
    };
    match (spec.method, side) {
        (Method::Auto, Some(side)) => (
            Method::SpaceMarch,
            sweep,
            format!(
                "auto: motion and forces at {}.{} are known and {}.{} is fully actuated, so the rod can be marched along in one explicit pass; errors grow by 10^{:.1} on the way",
                rod.name,
                side.name(),
                rod.name,
                side.other().name(),
                growth.map_or(0.0, Growth::digits_lost)
            ),
        ),
        (Method::Auto, None) => (
            Method::Galerkin,
            sweep,
            format!(
                "auto: neither end of {} has complete data, so all of space and time is solved at once by finite elements",
                rod.name
            ),
        ),
        (chosen, _) => (chosen, sweep, "chosen in the problem file".to_owned()),
    }
}
