//! From the solution on one mesh to the start on another.

use super::layout::{MeshLayout, MeshPlace, Weight};
use crate::nlp::Bounds;
use crate::solver::constrained::Iterate;

/// Samples of the functions of all families on one mesh.
struct Samples {
    /// Indices of the members of each family in the order of time.
    families: Vec<Vec<usize>>,
    times: Vec<f64>,
}

impl Samples {
    fn new(places: impl Iterator<Item = MeshPlace>) -> Self {
        let mut families: Vec<Vec<usize>> = Vec::new();
        let mut times = Vec::new();
        for (index, place) in places.enumerate() {
            if families.len() <= place.family() {
                families.resize(place.family() + 1, Vec::new());
            }
            families[place.family()].push(index);
            times.push(place.time());
        }
        for members in &mut families {
            members.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        }
        Self { families, times }
    }

    /// The members around a place and the share of the later one; `None` if the family is empty.
    fn around(&self, place: MeshPlace) -> Option<(usize, usize, f64)> {
        let members = self.families.get(place.family())?;
        let after = members.partition_point(|&member| self.times[member] <= place.time());
        let first = *members.get(after.saturating_sub(1))?;
        let second = members.get(after).copied().unwrap_or(first);
        let (t0, t1) = (self.times[first], self.times[second]);
        let share = if t1 > t0 { ((place.time() - t0) / (t1 - t0)).max(0.0) } else { 0.0 };
        Some((first, second, share))
    }

    fn value(&self, values: &[f64], place: MeshPlace) -> Option<f64> {
        let (first, second, share) = self.around(place)?;
        let (first, second) = (values.get(first)?, values.get(second)?);
        Some(first + share * (second - first))
    }
}

/// A variable or row whose family has no member on the old mesh.
pub(super) enum Missing {
    Variable(usize),
    Row(usize),
}

/// The iterate of the mesh `old` on the mesh `new`, with multipliers in its proportions.
pub(super) fn transfer(
    iterate: &Iterate,
    old: (&MeshLayout, usize),
    new: (&MeshLayout, usize),
) -> Result<Iterate, Missing> {
    let ratio = old.1 as f64 / new.1 as f64;
    let variables = Samples::new(old.0.variables.iter().copied());
    let rows = Samples::new(old.0.rows.iter().map(|row| row.place));
    let mut out = Iterate::default();
    for (j, &place) in new.0.variables.iter().enumerate() {
        // The multiplier of a bound that holds at every time is the integral of its density over one step.
        let weight = if matches!(place, MeshPlace::At { .. }) { ratio } else { 1.0 };
        let at = |values: &[f64]| variables.value(values, place).ok_or(Missing::Variable(j));
        out.x.push(at(&iterate.x)?);
        out.z_lower.push(weight * at(&iterate.z_lower)?);
        out.z_upper.push(weight * at(&iterate.z_upper)?);
    }
    for (i, row) in new.0.rows.iter().enumerate() {
        let weight = if row.weight == Weight::Step { ratio } else { 1.0 };
        out.lambda.push(weight * rows.value(&iterate.lambda, row.place).ok_or(Missing::Row(i))?);
    }
    Ok(out)
}

/// Moves variables off their bounds, and raises the multipliers of these, until no product of both is below μ.
///
/// A large multiplier says that its bound is active, a large distance that it is not; the other one gives way, and where
/// both are small both become √μ. Products above μ stay: they are what the mesh has left to solve.
pub(super) fn centre(iterate: &mut Iterate, bounds: &Bounds, mu: f64) {
    let raise = |distance: f64, z: f64| distance.max(mu.sqrt().min(mu / z.max(f64::MIN_POSITIVE)));
    for (j, x) in iterate.x.iter_mut().enumerate() {
        let (lower, upper) = (bounds.x_lower[j], bounds.x_upper[j]);
        if lower == upper {
            *x = lower;
            continue;
        }
        let (z_lower, z_upper) = (&mut iterate.z_lower[j], &mut iterate.z_upper[j]);
        let middle = 0.5 * (lower + upper);
        if lower.is_finite() {
            let moved = lower + raise(*x - lower, *z_lower);
            *x = if upper.is_finite() { moved.min(middle.max(*x)) } else { moved };
        }
        if upper.is_finite() {
            let moved = upper - raise(upper - *x, *z_upper);
            *x = if lower.is_finite() { moved.max(middle.min(*x)) } else { moved };
        }
        if lower.is_finite() {
            *z_lower = z_lower.max(mu / (*x - lower));
        }
        if upper.is_finite() {
            *z_upper = z_upper.max(mu / (upper - *x));
        }
    }
}
