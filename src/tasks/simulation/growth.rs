//! Energy that comes from nowhere.
//!
//! The variational midpoint rule keeps the energy nearly, unless steps are so long that waves which they do not resolve take
//! energy from each other's errors: these grow like exp(λt), and for a while nothing of it is seen in the motion. What tells
//! is the balance within a short time: E − W + D changes by much of what is exchanged in that time, more from one time to the next.

use super::bulk::Inner;
use super::march::Balance;

/// Windows into which a motion is divided.
const WINDOWS: usize = 64;
/// Instants looked at, unless more are stored anyway.
pub const CHECKS: usize = 3 * WINDOWS;
/// Growth within a window that is suspicious, as a part of what is exchanged in it.
const MUCH: f64 = 0.1;
/// That of a motion whose energy is kept.
const CALM: f64 = 0.03;
/// Growth that matters at all, as a part of the kinetic energy about the mass centre.
pub const NOTICEABLE: f64 = 1e-3;
/// Suspicious windows in a row after calm ones, the first of which may still be too small to matter, and without any.
const ROW: [usize; 2] = [3, 8];

/// Energies of an instant, joule.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// Time, second.
    pub t: f64,
    /// Kinetic, strain and gravity.
    pub balance: Balance,
    /// Parts of the kinetic energy.
    pub inner: Inner,
    /// Work done and energy dissipated until then.
    pub spent: [f64; 2],
}

impl Sample {
    /// E − W + D.
    pub fn unaccounted(&self) -> f64 {
        self.balance.total() - self.spent[0] + self.spent[1]
    }

    /// What went from one form of energy to another since an earlier instant, or from one part to another.
    fn exchanged(&self, before: &Self) -> f64 {
        let forms = |sample: &Self| {
            let Balance { kinetic, strain, gravity, .. } = sample.balance;
            [kinetic, strain, gravity, sample.inner.relative, sample.spent[0]]
        };
        forms(self).iter().zip(forms(before)).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    }
}

/// Energy that has grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grown {
    /// When it began, second.
    pub began: f64,
    /// When it was seen, second.
    pub seen: f64,
    /// By how much, joule.
    pub by: f64,
    /// Total energy of the mechanism then, joule.
    pub total: f64,
}

/// A stretch of the motion.
#[derive(Debug, Clone, Copy)]
struct Window {
    growth: f64,
    part: f64,
}

/// Watches a motion.
pub struct Growth {
    /// Instants in a window.
    length: usize,
    /// Energies below this are rounding.
    rounding: f64,
    from: Option<Sample>,
    seen: usize,
    exchanged: f64,
    central: f64,
    last: Option<Window>,
    row: usize,
    began: Sample,
    calm: bool,
}

impl Growth {
    /// Of a motion that is looked at so many times; energies below `rounding`, joule, say nothing.
    pub fn new(checks: usize, rounding: f64) -> Self {
        let length = (checks / WINDOWS).max(1);
        Self {
            length,
            rounding,
            from: None,
            seen: 0,
            exchanged: 0.0,
            central: 0.0,
            last: None,
            row: 0,
            began: Sample::default(),
            calm: false,
        }
    }

    /// Takes the next instant; tells growth when it is sure.
    pub fn look(&mut self, now: &Sample) -> Option<Grown> {
        self.central = self.central.max(now.inner.central);
        let Some(from) = self.from else {
            self.from = Some(*now);
            return None;
        };
        self.exchanged = self.exchanged.max(now.exchanged(&from));
        self.seen += 1;
        if self.seen < self.length {
            return None;
        }
        let growth = now.unaccounted() - from.unaccounted();
        let part = growth / self.exchanged.max(f64::MIN_POSITIVE);
        let last = self.last.replace(Window { growth, part });
        (self.from, self.seen, self.exchanged) = (Some(*now), 0, 0.0);
        self.calm |= part.abs() < CALM;
        let rises = growth > self.rounding && part > MUCH && last.is_none_or(|last| growth > last.growth);
        if !rises {
            self.row = 0;
            return None;
        }
        // A window that is not yet suspicious by itself but leads to those that are counts as the first one.
        if self.row == 0 {
            self.row = usize::from(last.is_some_and(|last| last.growth > 0.0 && last.part <= MUCH));
            self.began = from;
        }
        self.row += 1;
        let enough = if self.calm { ROW[0] } else { ROW[1] };
        let matters = last.is_some_and(|last| last.growth.min(growth) > NOTICEABLE * self.central);
        (self.row >= enough && matters).then(|| Grown {
            began: self.began.t,
            seen: now.t,
            by: now.unaccounted() - self.began.unaccounted(),
            total: now.balance.total(),
        })
    }
}
