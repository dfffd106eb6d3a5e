//! Eigenvalues of linearised motions, real or complex, and what is known of them.

use std::borrow::Cow;

use nalgebra::{Complex, DMatrix, SymmetricEigen};

use crate::discretisation::assembly::Assembly;
use crate::discretisation::linearised::Linearised;
use crate::results::Outcome;
use crate::solver::eigen::{
    Accuracy, ComplexMode, EigenError, Modes, Pencil, Still, Wanted, damped_modes, lowest_modes_beside,
};
use crate::tasks::ModesSpec;

/// λ and φ over the free degrees of freedom.
pub struct Mode {
    pub value: Complex<f64>,
    pub shape: Vec<Complex<f64>>,
    /// How far λ can be trusted, 1/s.
    pub accuracy: Accuracy,
}

impl Mode {
    /// How far λ may be off, relative to its size; of a motion without resistance its backward error.
    pub fn error(&self) -> f64 {
        match self.value.norm() {
            0.0 => self.accuracy.backward_error,
            size => self.accuracy.uncertainty / size,
        }
    }
}

/// Modes with the way they were found.
pub struct Spectrum {
    /// By increasing |λ|.
    pub modes: Vec<Mode>,
    method: &'static str,
    reason: &'static str,
    certified: bool,
}

/// The matrices as eigenvalue problem, with this matrix of the rates.
pub fn pencil<'a>(linearised: &'a Linearised, rates: Option<&'a [f64]>) -> Pencil<'a> {
    Pencil {
        pattern: &linearised.pattern,
        stiffness: &linearised.stiffness,
        mass: &linearised.mass,
        damping: rates,
        constraints: (linearised.joints.nrows() > 0)
            .then_some((&linearised.joints, linearised.joint_values.as_slice())),
        compliance: Some(&linearised.compliance),
    }
}

/// Modes of a gyroscopic system below this part of the shift meet no resistance: double roots at zero are known to the
/// root of rounding only.
const STILL: f64 = 1e-3;
/// Least shift relative to the rate of the frame: motions that only the rotation resists have frequencies like it.
const OF_RATE: f64 = 0.3;
/// Most free motions of a rigid body, each a double root.
const DOUBLE: usize = 6;
/// Frequencies nearer to each other than this belong to shapes that may be equal.
const NEAR: f64 = 1e-3;
/// A real part below this part of an eigenvalue is in its last digits.
const LAST_DIGITS: f64 = 1e-12;
/// Motions whose damping is below this part of what the largest entry of the matrix could give them are not damped.
const UNDAMPED: f64 = 1e-12;

impl Spectrum {
    /// The lowest modes that a task asks for.
    pub fn find(
        linearised: &Linearised,
        spec: &ModesSpec,
        assembly: &Assembly,
        still: Option<Still>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Self, EigenError> {
        let damped = spec.damped.unwrap_or(linearised.damped) && linearised.damped;
        let symmetric = linearised.asymmetry <= 1e-9;
        let turning = !linearised.gyroscopic.is_empty();
        let still = still.unwrap_or(Still::AtMost(usize::MAX));
        if damped || turning || !symmetric {
            let kind = Kind { damped, turning, symmetric };
            return complex(linearised, spec, assembly, kind, still, stop);
        }
        let pencil = pencil(linearised, None);
        let found = lowest_modes_beside(pencil, spec.count.min(pencil.motions()), still, stop)?;
        let certified = found.certified;
        Ok(Self {
            modes: real(found),
            method: "shift-invert Lanczos",
            reason: "the pencil is symmetric; the count is certified by the inertia of the shifted stiffness",
            certified,
        })
    }

    /// Largest relative error of a frequency.
    pub fn worst(&self) -> f64 {
        self.modes.iter().map(Mode::error).fold(0.0, f64::max)
    }

    /// Number of modes at zero.
    pub fn zero(&self) -> usize {
        self.modes.iter().filter(|mode| mode.value.norm() == 0.0).count()
    }

    /// How they were found, and how well.
    pub fn tell(&self, outcome: &mut Outcome) {
        let report = &mut outcome.report;
        report.method = self.method.into();
        report.method_reason = self.reason.into();
        let largest = report.residuals.entry("largest_relative_residual".into()).or_insert(0.0);
        *largest = self.modes.iter().fold(*largest, |m, mode| m.max(mode.accuracy.backward_error));
        if !self.certified {
            report
                .warnings
                .push("the number of modes below the last one could not be certified: one may be missing".into());
        }
    }
}

fn real(found: Modes) -> Vec<Mode> {
    let Modes { values, shapes, accuracies, .. } = found;
    let of = |((value, shape), accuracy): ((f64, Vec<f64>), Accuracy)| {
        let rate = value.abs().sqrt();
        // δω = δμ/2ω; where μ is zero but for its error, ω may be as large as the root of that.
        let uncertainty = match accuracy.uncertainty < value.abs() {
            true => accuracy.uncertainty / (2.0 * rate),
            false => accuracy.uncertainty.sqrt(),
        };
        Mode {
            value: if value < 0.0 { Complex::new(rate, 0.0) } else { Complex::new(0.0, rate) },
            shape: shape.into_iter().map(|s| Complex::new(s, 0.0)).collect(),
            accuracy: Accuracy { uncertainty, ..accuracy },
        }
    };
    values.into_iter().zip(shapes).zip(accuracies).map(of).collect()
}

/// Why eigenvalues are complex.
#[derive(Clone, Copy)]
struct Kind {
    damped: bool,
    turning: bool,
    symmetric: bool,
}

impl Kind {
    /// Damping and gyroscopic matrix together, if there are any.
    fn rates(self, linearised: &Linearised) -> (Option<Cow<'_, [f64]>>, &'static str) {
        let both = || linearised.damping.iter().zip(&linearised.gyroscopic).map(|(c, g)| c + g).collect();
        match (self.damped, self.turning) {
            (true, true) => (Some(Cow::Owned(both())), "damping and the turning frame make the modes complex"),
            (true, false) => (Some(Cow::Borrowed(&linearised.damping)), "damping makes the eigenvalues complex"),
            (false, true) => (Some(Cow::Borrowed(&linearised.gyroscopic)), "gyroscopic forces make the modes complex"),
            (false, false) => (None, "loads without potential make the stiffness unsymmetric"),
        }
    }
}

fn complex(
    linearised: &Linearised,
    spec: &ModesSpec,
    assembly: &Assembly,
    kind: Kind,
    still: Still,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Spectrum, EigenError> {
    let (rates, reason) = kind.rates(linearised);
    let pencil = pencil(linearised, rates.as_deref());
    let there = pencil.motions();
    // Two real rates may take the place of an oscillation.
    let count = spec.count.min(2 * there);
    let conservative = kind.symmetric && !kind.turning;
    let guide = Guide::new(&pencil, count.min(there), still, conservative, stop)?;
    let rate = assembly.turning.map_or(0.0, |frame| frame.omega.norm());
    let pace = guide.pace.max(OF_RATE * rate);
    let mut wanted = Wanted {
        free: &guide.free,
        count: count.saturating_sub(guide.still.len()),
        shift: Complex::new(0.1, 0.5) * pace,
        oscillating: kind.damped && spec.oscillating,
        slow: if kind.turning { STILL * pace } else { 0.0 },
        symmetric: conservative,
        band: guide.band,
    };
    let mut found = match wanted.count {
        0 => Vec::new(),
        _ => damped_modes(pencil, &wanted, stop)?,
    };
    if found.iter().any(|mode| mode.value.norm() < wanted.slow) {
        // Of double roots at zero both halves are found, and one is told.
        wanted.count = (wanted.count + DOUBLE).min(2 * there);
        found = damped_modes(pencil, &wanted, stop)?;
    }
    // Motions that only dampers resist stay where they are put: one root of each is zero, and known.
    let resting = guide.still.len() - guide.free.len();
    let (zero, moving): (Vec<ComplexMode>, Vec<ComplexMode>) =
        found.into_iter().partition(|mode| resting > 0 && mode.value.norm() <= 10.0 * mode.accuracy.uncertainty);
    let surplus = zero.into_iter().skip(resting);
    let found = moving.into_iter().chain(surplus).map(|mode| placed(mode, kind, guide.definite, wanted.slow));
    let mut modes = told_once(linearised, guide.still.iter().map(|shape| resting_mode(shape)).chain(found));
    modes.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    modes.truncate(count);
    Ok(Spectrum { modes, method: "shift-invert Arnoldi", reason, certified: true })
}

/// What the undamped motion tells of the damped one.
struct Guide {
    /// The highest frequency among as many as are wanted, rad/s.
    pace: f64,
    /// Motions without stiffness, of symmetric matrices,
    still: Vec<Vec<f64>>,
    /// and those of them without damping.
    free: Vec<Vec<f64>>,
    /// How many frequencies are nearly equal, at most.
    band: usize,
    /// Whether the stiffness is positive definite: then damping and gyroscopic forces let no motion grow (Thomson and Tait;
    /// Chetaev 1961).
    definite: bool,
}

impl Guide {
    fn new(
        pencil: &Pencil<'_>,
        count: usize,
        still: Still,
        conservative: bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Self, EigenError> {
        let undamped = Pencil { damping: None, ..*pencil };
        // Only sizes count where the matrices are not symmetric, so that failures do not matter.
        let modes = match lowest_modes_beside(undamped, count.max(2).min(pencil.motions()), still, stop) {
            Ok(modes) => modes,
            Err(EigenError::Interrupted) => return Err(EigenError::Interrupted),
            Err(_) => return Ok(Self { pace: 1.0, still: Vec::new(), free: Vec::new(), band: 2, definite: false }),
        };
        let rates: Vec<f64> = modes.values.iter().map(|value| value.abs().sqrt()).filter(|rate| *rate > 0.0).collect();
        let pace = rates.iter().fold(0.0_f64, |m, rate| m.max(*rate));
        let alike = |rate: &f64| rates.iter().filter(|other| (**other - rate).abs() <= NEAR * rate).count();
        let band = rates.iter().map(alike).max().unwrap_or(1).clamp(2, DOUBLE);
        let mut still: Vec<Vec<f64>> = Vec::new();
        if conservative {
            let zero = modes.values.iter().zip(modes.shapes).filter(|(value, _)| **value == 0.0);
            still = zero.map(|(_, shape)| shape).take(count).collect();
        }
        let definite = modes.certified && modes.values.iter().all(|value| *value > 0.0);
        let (free, resting) = without_damping(pencil, &still);
        let still = free.iter().cloned().chain(resting).collect();
        Ok(Self { pace: if pace > 0.0 { pace } else { 1.0 }, still, free, band, definite })
    }
}

/// Combinations of motions that are not damped, and those that are.
fn without_damping(pencil: &Pencil<'_>, shapes: &[Vec<f64>]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let Some(damping) = pencil.damping.filter(|_| !shapes.is_empty()) else { return (shapes.to_vec(), Vec::new()) };
    let n = shapes.len();
    let mut forces = vec![vec![0.0; pencil.size()]; n];
    for (shape, force) in shapes.iter().zip(&mut forces) {
        pencil.pattern.multiply(damping, shape, force);
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let eigen = SymmetricEigen::new(DMatrix::from_fn(n, n, |r, c| dot(&shapes[r], &forces[c])));
    let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, value| m.max(value.abs()));
    let absolute: Vec<f64> = damping.iter().map(|c| c.abs()).collect();
    let terms = |shape: &Vec<f64>| {
        let sizes: Vec<f64> = shape.iter().map(|s| s.abs()).collect();
        let mut terms = vec![0.0; sizes.len()];
        pencil.pattern.multiply(&absolute, &sizes, &mut terms);
        // A motion beside all dampers has terms of rounding only: the largest damper is their measure.
        dot(&sizes, &terms).max(largest(damping) * largest(&sizes).powi(2))
    };
    let most = shapes.iter().map(terms).fold(0.0, f64::max);
    let (mut free, mut damped) = (Vec::new(), Vec::new());
    for (k, rate) in eigen.eigenvalues.iter().enumerate() {
        let mut shape = vec![0.0; pencil.size()];
        for (weight, own) in eigen.eigenvectors.column(k).iter().zip(shapes) {
            shape.iter_mut().zip(own).for_each(|(s, o)| *s += weight * o);
        }
        if *rate <= UNDAMPED * most { free.push(shape) } else { damped.push(shape) }
    }
    (free, damped)
}

/// A motion that stays where it is.
fn resting_mode(shape: &[f64]) -> Mode {
    Mode {
        value: Complex::new(0.0, 0.0),
        shape: shape.iter().map(|s| Complex::new(*s, 0.0)).collect(),
        accuracy: Accuracy { backward_error: 0.0, uncertainty: 0.0 },
    }
}

/// Without damping eigenvalues come as λ and −λ: a real part that may be rounding is none. Nor is one that may be rounding where
/// loads have a potential and the stiffness is definite, or, in a frame at rest, one at the last digits.
fn placed(mode: ComplexMode, kind: Kind, definite: bool, slow: f64) -> Mode {
    let value = mode.value;
    let small = value.re.abs() <= mode.accuracy.uncertainty;
    let last = !kind.turning && value.re.abs() <= LAST_DIGITS * value.norm();
    let passive = kind.symmetric && (definite || last);
    let undamped = small && (!kind.damped || passive);
    let value = match value.norm() < slow {
        true => Complex::new(0.0, 0.0),
        false if undamped => Complex::new(0.0, value.im),
        false => value,
    };
    Mode { value, shape: mode.shape, accuracy: mode.accuracy }
}

/// All modes, but of those at zero each motion once: a double root comes as two roots with one shape. Shapes are compared by
/// aᴴMb: rotations against little inertia are so large that otherwise all look alike.
fn told_once(linearised: &Linearised, modes: impl Iterator<Item = Mode>) -> Vec<Mode> {
    let pattern = &linearised.pattern;
    let product = |a: &Mode, b: &Mode| -> Complex<f64> {
        let column = |(col, b): (usize, &Complex<f64>)| -> Complex<f64> {
            let entries = pattern.column(col);
            entries.map(|e| a.shape[pattern.row_idx()[e]].conj() * linearised.mass[e] * b).sum()
        };
        b.shape.iter().enumerate().map(column).sum()
    };
    let parallel = |a: &Mode, b: &Mode| product(a, b).norm_sqr() > 0.99 * product(a, a).re * product(b, b).re;
    let mut told: Vec<Mode> = Vec::new();
    for mode in modes {
        let zero = |other: &Mode| other.value.norm() == 0.0;
        if !(zero(&mode) && told.iter().any(|other| zero(other) && parallel(other, &mode))) {
            told.push(mode);
        }
    }
    told
}
