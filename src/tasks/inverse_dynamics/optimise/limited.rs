//! Actuators at their limits.

use std::fmt;

use crate::discretisation::transcription::{ControlProblem, Trajectory};

/// A control within this share of its limit counts as being there.
const NEAR: f64 = 1e-4;

/// A control that is at a limit for a part of the time.
pub(super) struct Limited {
    /// The control, or its rate.
    name: String,
    /// The limit.
    limit: f64,
    /// Share of the time.
    share: f64,
}

impl Limited {
    /// All controls that reach their bounds or rates.
    pub fn all(problem: &ControlProblem, found: &Trajectory) -> Vec<Self> {
        let (names, h) = (problem.mechanics.controls(), found.step());
        let mut all = Vec::new();
        let mut see = |name: String, limit: f64, values: &mut dyn Iterator<Item = f64>, sign: f64| {
            let mut count = (0u32, 0u32);
            for value in values {
                count.1 += 1;
                count.0 += u32::from(sign * value >= sign * limit - NEAR * (limit.abs() + f64::MIN_POSITIVE));
            }
            if limit.is_finite() && count.0 > 0 {
                all.push(Self { name, limit, share: f64::from(count.0) / f64::from(count.1.max(1)) });
            }
        };
        for (i, (name, (lower, upper))) in names.iter().zip(&problem.control_bounds).enumerate() {
            see(name.clone(), *upper, &mut found.u.iter().map(|u| u[i]), 1.0);
            see(name.clone(), *lower, &mut found.u.iter().map(|u| u[i]), -1.0);
        }
        for &(i, rate) in &problem.rates {
            let name = format!("the rate of {}", names[i]);
            see(name, rate, &mut found.u.windows(2).map(|u| (u[1][i] - u[0][i]).abs() / h), 1.0);
        }
        all
    }
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is at its limit {} for {:.1} % of the time", self.name, self.limit, 100.0 * self.share)
    }
}
