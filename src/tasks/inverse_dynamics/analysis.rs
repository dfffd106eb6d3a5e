//! What can be said of an inverse-dynamics problem before solving it.

use super::TaskError;
use super::activity::Activity;
use crate::discretisation::TimeGrid;
use crate::discretisation::march::{Growth, Lowpass, frequencies};
use crate::results::Bandwidth;
use crate::tasks::{InverseDynamicsSpec, Method, Sweep};

/// Sizes, speeds, conditioning and the method that follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Whether the data of one end are complete, so that the rods can be marched along.
    pub is_complete: bool,
    /// Wave speeds at rest, slowest and fastest over the rod, m/s.
    pub speeds: [f64; 2],
    /// Time the slowest wave takes along the rod, second.
    pub transit: f64,
    /// When the data at the ends change.
    pub activity: Activity,
    /// Growth of disturbances along the rod and what it does to the data (marching only).
    pub conditioning: Option<Conditioning>,
    /// Corner of the low-pass filter of a march, rad/s: the user's, or chosen by `auto` where noise would show.
    pub bandwidth: Option<f64>,
    /// Whether marches with several bandwidths decide which is taken: one is needed and the user states none.
    pub scans: bool,
    /// The longest retardation time of the rods, second.
    pub retardation: f64,
    /// Method that will be used.
    pub method: Method,
    /// How the finite element equations are solved.
    pub sweep: Sweep,
    /// Why this method.
    pub reason: String,
    /// Names of the two ends and where they rest.
    pub rest_ends: [(String, Vec<f64>); 2],
}

/// How marching along the rod treats its data.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditioning {
    /// Growth by frequency.
    pub growth: Growth,
    /// Share of amplified kinks of the path and rounding errors in the answer, and the frequency above which they
    /// dominate it.
    pub distortion: (f64, f64),
    /// Amplitudes of the path's accelerations at the frequencies of the growth, up to a common factor.
    pub amplitudes: Vec<f64>,
}

/// Growth by more digits than this is worth a picture.
const STEEP: f64 = 3.0;

impl Conditioning {
    /// Growth and spectrum over frequency; none where nothing is known.
    pub fn bandwidth(&self, corner: Option<f64>) -> Option<Bandwidth> {
        let largest = self.amplitudes.iter().copied().fold(0.0, f64::max);
        if !(largest > 0.0) || self.growth.frequencies.is_empty() {
            return None;
        }
        let (distortion, frequency) = self.distortion;
        Some(Bandwidth {
            frequencies: self.growth.frequencies.clone(),
            growth: self.growth.exponents.iter().map(|exponent| exponent / std::f64::consts::LN_10).collect(),
            path: self.amplitudes.iter().map(|a| (a / largest).max(f64::MIN_POSITIVE).log10()).collect(),
            distortion,
            useful: (distortion > 0.0).then_some(frequency),
            corner,
        })
    }

    /// Whether the rod amplifies enough for that to be worth a picture.
    pub fn is_steep(&self) -> bool {
        self.growth.digits() > STEEP || self.distortion.0 > 0.0
    }
}

/// Below this distortion nothing is said.
const QUIET: f64 = 1e-3;
/// Below this distortion nothing is filtered unless the user says so: the answer should be good to 1e-4.
const SEEN: f64 = 1e-5;
/// Above this distortion the answer is refused.
const REFUSED: f64 = 0.3;
/// Rounding errors that a march along damped rods may amplify to, relative to forces of the size of inertia.
const NOISE: f64 = 1e-9;

impl Analysis {
    /// Whether the chosen method may run: a warning, or the reason why not and what to change; `subject` is what is marched along.
    pub fn judge<'a>(
        &self,
        grid: TimeGrid,
        subject: &dyn Fn() -> Result<Box<dyn Subject + 'a>, TaskError>,
    ) -> Result<Option<String>, TaskError> {
        if self.method == Method::Galerkin && !self.activity.rests_before {
            return Err(TaskError::NotApplicable {
                method: "galerkin",
                reason: format!(
                    "starts from rest, but the servo path or a load already changes at t = {}; let it begin later, or use \"space-march\" if one end has complete data",
                    grid.start
                ),
            });
        }
        let global = self.method == Method::Galerkin && self.sweep == Sweep::Global;
        let (Some(conditioning), false) = (&self.conditioning, global) else {
            return Ok(None);
        };
        let (distortion, frequency) = conditioning.distortion;
        if distortion <= QUIET {
            return Ok(None);
        }
        let digits = conditioning.growth.digits();
        let subject = subject()?;
        let name = subject.name();
        if distortion <= REFUSED {
            return Ok(Some(format!(
                "disturbances grow by a factor of up to 10^{digits:.1} along rod `{}`; kinks of the path and rounding errors above {frequency:.4} rad/s make up about {:.1} % of the answer: `method = \"space-march\"` with `bandwidth = {frequency:.0}` would remove them",
                name,
                100.0 * distortion
            )));
        }
        let data = Data::new(&*subject, grid, 2)?;
        let limited = match data.widest_bandwidth(frequency)? {
            Some(widest) => format!("set `method = \"space-march\"` and `bandwidth = {widest:.1}` (rad/s), "),
            None => String::new(),
        };
        // Coarser grids do not carry the frequencies that grow most.
        let mut steps = grid.steps / 2;
        while steps >= 16 {
            let coarse = TimeGrid::new(grid.start, grid.end(), steps);
            if Data::new(&*subject, coarse, 2)?.conditioning(None)?.distortion.0 <= 0.1 * REFUSED {
                break;
            }
            steps /= 2;
        }
        let coarser = if steps >= 16 { format!("set `time.steps = {steps}` or fewer, ") } else { String::new() };
        Err(TaskError::IllConditioned {
            rod: name.to_owned(),
            digits,
            frequency,
            advice: format!("{limited}{coarser}or make the path smoother or slower"),
        })
    }

    /// Whether amplified noise stays below the relative error `promised` on a grid `refine` times finer.
    pub fn permits(
        &self,
        subject: &dyn Subject,
        grid: TimeGrid,
        refine: usize,
        promised: f64,
    ) -> Result<bool, TaskError> {
        let data = Data::new(subject, grid, refine)?;
        Ok(data.conditioning(self.bandwidth)?.distortion.0 <= promised)
    }
}

/// A rod that is marched along, as its conditioning sees it.
pub trait Subject {
    /// Name of the rod.
    fn name(&self) -> &str;
    /// The longest retardation time of its sections, second.
    fn retardation(&self) -> f64;
    /// Time the slowest wave takes along it, second.
    fn transit(&self) -> f64;
    /// Growth of disturbances along it on a grid with time step `dt`, through the optional filter.
    fn growth(&self, dt: f64, lowpass: Option<&Lowpass>) -> Result<Growth, TaskError>;
    /// Amplitudes of the path's accelerations at some frequencies, with the floor that rounding leaves.
    fn spectrum(&self, grid: TimeGrid, frequencies: &[f64]) -> Result<Vec<f64>, TaskError>;
}

/// How a march treats its data, the bandwidth it is given or needs, and what to say of a bandwidth that was chosen.
pub fn condition(
    subject: &dyn Subject,
    grid: TimeGrid,
    spec: &InverseDynamicsSpec,
) -> Result<(Conditioning, Option<f64>, String), TaskError> {
    let data = Data::new(subject, grid, 2)?;
    if subject.retardation() > 0.0 && spec.bandwidth.is_none() {
        let Some(widest) = data.quiet_bandwidth()? else {
            return Ok((data.conditioning(None)?, None, String::new()));
        };
        let filtered = format!(
            "; damping makes disturbances of high frequency grow along the rod, so inertia is filtered out above at most {widest:.1} rad/s"
        );
        return Ok((data.conditioning(Some(widest))?, Some(widest), filtered));
    }
    let plain = data.conditioning(spec.bandwidth)?;
    let widest = match (spec.method, spec.bandwidth) {
        (Method::Auto, None) if plain.distortion.0 > SEEN => data.widest_bandwidth(plain.distortion.1)?,
        _ => None,
    };
    let Some(widest) = widest else { return Ok((plain, spec.bandwidth, String::new())) };
    let filtered = format!(
        "; inertia is filtered out above at most {widest:.1} rad/s, because amplified kinks of the path and rounding errors would be {:.1e} of the answer",
        plain.distortion.0
    );
    Ok((data.conditioning(Some(widest))?, Some(widest), filtered))
}

/// What conditioning depends on: equilibrium, grid, and the spectrum of the path.
struct Data<'a> {
    subject: &'a dyn Subject,
    dt: f64,
    amplitudes: Vec<f64>,
}

impl<'a> Data<'a> {
    /// On a grid `refine` times finer than the user's; a march always runs at half the user's step too.
    fn new(subject: &'a dyn Subject, grid: TimeGrid, refine: usize) -> Result<Self, TaskError> {
        let fine = TimeGrid { dt: grid.dt / refine as f64, steps: grid.steps * refine, ..grid };
        let amplitudes = subject.spectrum(fine, &frequencies(fine.dt))?;
        Ok(Self { subject, dt: fine.dt, amplitudes })
    }

    /// The largest bandwidth that keeps noise quiet, by bisection on a logarithmic scale around the frequency above which it
    /// dominates.
    fn widest_bandwidth(&self, around: f64) -> Result<Option<f64>, TaskError> {
        let works = |bandwidth: f64| -> Result<bool, TaskError> {
            Ok(self.conditioning(Some(bandwidth))?.distortion.0 <= SEEN)
        };
        let (mut low, mut high) = (0.3 * around, 10.0 * around);
        for _ in 0..10 {
            let middle = (low * high).sqrt();
            if works(middle)? { low = middle } else { high = middle }
        }
        Ok(works(low)?.then_some(low))
    }

    /// The largest frequency at which amplified rounding errors stay small: ε ω T G(ω) ≤ [`NOISE`] with the transit time T of
    /// waves. None if all frequencies of the grid do.
    fn quiet_bandwidth(&self) -> Result<Option<f64>, TaskError> {
        let growth = self.subject.growth(self.dt, None)?;
        let noise = |omega: f64, exponent: f64| f64::EPSILON * omega * self.subject.transit() * exponent.exp();
        let loud = growth.frequencies.iter().zip(&growth.exponents).position(|(omega, e)| noise(*omega, *e) > NOISE);
        Ok(loud.map(|loud| growth.frequencies[loud.saturating_sub(1)]))
    }

    fn conditioning(&self, bandwidth: Option<f64>) -> Result<Conditioning, TaskError> {
        let lowpass = bandwidth.and_then(|corner| Lowpass::new(corner, self.dt));
        let growth = self.subject.growth(self.dt, lowpass.as_ref())?;
        let distortion = growth.distortion(&self.amplitudes);
        Ok(Conditioning { growth, distortion, amplitudes: self.amplitudes.clone() })
    }
}

/// Fourier amplitudes of accelerations that are sampled `dt` apart, of a motion of that size.
pub fn amplitudes<const D: usize>(samples: &[[f64; D]], size: f64, dt: f64, frequencies: &[f64]) -> Vec<f64> {
    let amplitude = |&omega: &f64| {
        // One rotation per sample instead of a sine and cosine each.
        let (sin, cos) = (omega * dt).sin_cos();
        let (mut x, mut y) = (1.0_f64, 0.0_f64);
        let mut sums = [[0.0; 2]; D];
        for sample in samples {
            for (sum, a) in sums.iter_mut().zip(sample) {
                sum[0] += a * x;
                sum[1] += a * y;
            }
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
        }
        let found = sums.iter().map(|[a, b]| a.hypot(*b)).fold(0.0, f64::max) * dt;
        let rounding = f64::EPSILON * size * omega * omega * (samples.len() as f64).sqrt() * dt;
        found + rounding
    };
    frequencies.iter().map(amplitude).collect()
}

/// The method of a rod of this name, and why; `ends` are the end with complete data and the driven one.
pub fn choose(
    rod: &str,
    spec: &InverseDynamicsSpec,
    ends: Option<&[String; 2]>,
    conditioning: Option<&Conditioning>,
) -> (Method, Sweep, String) {
    let sweep = match (spec.sweep, ends) {
        (Sweep::Auto, Some(_)) => Sweep::Layers,
        (Sweep::Auto, None) => Sweep::Global,
        (chosen, _) => chosen,
    };
    match (spec.method, ends) {
        (Method::Auto, Some([known, driven])) => (
            Method::SpaceMarch,
            sweep,
            format!(
                "auto: motion and forces at {known} are known and {driven} is fully actuated, so the rod can be marched along in one explicit pass; disturbances grow by 10^{:.1} on the way",
                conditioning.map_or(0.0, |c| c.growth.digits())
            ),
        ),
        (Method::Auto, None) => (
            Method::Galerkin,
            sweep,
            format!(
                "auto: neither end of {rod} has complete data, so all of space and time is solved at once by finite elements"
            ),
        ),
        (chosen, _) => (chosen, sweep, "chosen in the problem file".to_owned()),
    }
}
