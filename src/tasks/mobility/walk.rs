//! Finite mobility: random steps in the directions that the conditions allow, each led back to where they hold.
//!
//! At a regular configuration the conditions allow as many finite motions as small ones. At a singular one they allow fewer:
//! where branches meet, or where a framework only shakes. A walk leaves it, and small steps around its end tell in how many
//! directions it can go on: conditions may repeat each other all along a branch.

use nalgebra::{DMatrix, DVector};

use super::rank::{Rank, Undefined, orthonormal, without};
use crate::discretisation::linkage::{Closure, Posture};
use crate::solver::linear::dense::{damped_least_squares, singular_values};

/// Number of walks from the reference configuration, and of steps of each; fewer where a decomposition is dear.
const WALKS: usize = 16;
const STEPS: usize = 5;
/// Lengths of first steps, as fractions of the size of the linkage and in radians.
const LENGTHS: [f64; 4] = [0.4, 0.2, 0.1, 0.05];
/// Times that a step is tried, each half as long as the one before.
const TRIALS: usize = 3;
/// A step that ends nearer than this part of its length to where it began was led back there.
const BACK: f64 = 0.2;
/// A step that ends further away than this multiple of its length leads to another assembly.
const AWAY: f64 = 3.0;
/// The conditions hold if none is violated by more, as a fraction of the size of the linkage and in radians.
const HOLDS: f64 = 1e-12;
/// Operations that walks may cost, some seconds.
const BUDGET: f64 = 5e10;
/// Length of the small steps around the end of a walk.
const SMALL: f64 = 1e-3;
/// Small steps that reach less far than this part of the others in a direction only follow the curve of the branch.
const CURVED: f64 = 0.03;

/// What the walks found.
#[derive(Debug, Clone)]
pub(super) struct Walked {
    /// Number of independent motions on each walk that got away; sorted, none twice.
    pub branches: Vec<usize>,
    /// Configurations that were reached.
    pub reached: usize,
    /// Where each walk found the fewest motions, and these.
    pub ends: Vec<(Posture, DMatrix<f64>)>,
}

/// Walks from the reference configuration.
pub(super) fn walk(closure: &Closure, reference: &Rank) -> Result<Walked, Undefined> {
    let mut walked = Walked { branches: Vec::new(), reached: 0, ends: Vec::new() };
    let mut random = Random(1);
    // Data with few digits close no better than they are dependent.
    let holds = reference.gap.neglected.unwrap_or(0.0).max(HOLDS);
    let (walks, steps) = affordable(closure);
    for number in 0..walks {
        let mut here = closure.reference().clone();
        let mut motions = reference.motions.clone();
        let mut before: Option<DVector<f64>> = None;
        let mut end: Option<(Posture, DMatrix<f64>)> = None;
        for _ in 0..steps {
            let Some(direction) = direction(closure, &here, &motions, before.as_ref(), &mut random) else { break };
            let Some((next, way)) = step(closure, holds, &here, &direction * LENGTHS[number % LENGTHS.len()]) else {
                break;
            };
            let rank = Rank::of(closure, &next)?;
            walked.reached += 1;
            if end.as_ref().is_none_or(|(_, least)| rank.nullity() <= least.ncols()) {
                end = Some((next.clone(), rank.motions.clone()));
            }
            (here, motions, before) = (next, rank.motions, Some(way));
        }
        if let Some(end) = end {
            walked.branches.push(dimension(closure, holds, &end, &mut random));
            walked.ends.push(end);
        }
    }
    walked.branches.sort_unstable();
    walked.branches.dedup();
    Ok(walked)
}

/// Operations of a product of the first derivatives with their transpose.
fn product(closure: &Closure) -> f64 {
    let (m, n) = (closure.rows() as f64, closure.columns() as f64);
    m * n * m.min(n)
}

/// As many walks and steps as can be paid, two at least: a decomposition costs about 20 products.
fn affordable(closure: &Closure) -> (usize, usize) {
    let all = (BUDGET / (20.0 * product(closure))) as usize;
    let walks = (all / STEPS).clamp(2, WALKS);
    (walks, (all / walks).clamp(2, STEPS))
}

/// In how many directions a configuration at the end of a walk can go on, with the motions of free parts as a whole.
fn dimension(closure: &Closure, holds: f64, (here, motions): &(Posture, DMatrix<f64>), random: &mut Random) -> usize {
    let whole = orthonormal(&closure.rigid_motions(here));
    let flexes = without(motions, &whole);
    // Small steps that tell the directions apart, each corrected some five times with two products each.
    let steps = 3 * flexes.ncols();
    // It came here by a motion, so that one is left.
    if flexes.ncols() <= 1 || steps as f64 * 10.0 * product(closure) > BUDGET {
        return motions.ncols();
    }
    let mut ways: Vec<DVector<f64>> = Vec::new();
    for _ in 0..steps {
        let direction = &flexes * DVector::from_fn(flexes.ncols(), |_, _| random.even());
        let begun = &direction * (SMALL / direction.amax().max(f64::MIN_POSITIVE));
        if let Some((_, correction)) = correct(closure, holds, closure.moved(here, begun.as_slice())) {
            ways.push(begun + correction);
        }
    }
    if ways.is_empty() {
        return motions.ncols();
    }
    let Some(found) = singular_values(&DMatrix::from_columns(&ways)) else { return motions.ncols() };
    let largest = found.values.first().copied().unwrap_or(0.0);
    // Steps that all return leave nothing but rounding errors.
    let far = found.values.iter().filter(|value| **value > (CURVED * largest).max(CURVED * SMALL)).count();
    whole.ncols() + far
}

/// A random direction that the conditions allow and that is no motion of a free part as a whole; its largest component is 1. It goes
/// on in the direction from before.
fn direction(
    closure: &Closure,
    here: &Posture,
    motions: &DMatrix<f64>,
    before: Option<&DVector<f64>>,
    random: &mut Random,
) -> Option<DVector<f64>> {
    let flexes = without(motions, &orthonormal(&closure.rigid_motions(here)));
    if flexes.ncols() == 0 {
        return None;
    }
    let weights = DVector::from_fn(flexes.ncols(), |_, _| random.even());
    let mut direction = &flexes * weights;
    if let Some(way) = before {
        // Mostly straight on, so that the walk gets away.
        let (straight, aside) = (&flexes * flexes.tr_mul(way), direction.norm());
        if straight.norm() > 0.0 && aside > 0.0 {
            direction = direction * (0.5 / aside) + &straight / straight.norm();
        }
    }
    let largest = direction.amax();
    (largest > 0.0).then(|| direction / largest)
}

/// A step, shortened until it can be led back to where the conditions hold without returning to where it began; with its way.
fn step(closure: &Closure, holds: f64, here: &Posture, mut begun: DVector<f64>) -> Option<(Posture, DVector<f64>)> {
    for _ in 0..TRIALS {
        let trial = closure.moved(here, begun.as_slice());
        if let Some((corrected, correction)) = correct(closure, holds, trial) {
            let (way, length) = (&begun + correction, begun.amax());
            if (BACK * length..AWAY * length).contains(&way.amax()) {
                return Some((corrected, way));
            }
        }
        begun *= 0.5;
    }
    None
}

/// The nearest configuration in which the conditions hold, by Levenberg's and Marquardt's method: conditions may repeat each
/// other. With the damping |g|² it converges quadratically wherever the configurations are those of a smooth branch.
fn correct(closure: &Closure, holds: f64, mut posture: Posture) -> Option<(Posture, DVector<f64>)> {
    const ITERATIONS: usize = 60;
    /// Least damping, for the rounding errors of the normal equations.
    const LEAST: f64 = 1e-13;
    let mut way = DVector::zeros(closure.columns());
    for _ in 0..ITERATIONS {
        let (values, slopes) = closure.evaluate(&posture);
        if values.amax() < holds {
            return Some((posture, way));
        }
        let mut damping = values.norm_squared().max(LEAST);
        let change = loop {
            if let Some(change) = damped_least_squares(&slopes, &values, damping) {
                break -change;
            }
            damping *= 10.0;
            if damping > 1.0 {
                return None;
            }
        };
        posture = closure.moved(&posture, change.as_slice());
        way += change;
        if way.amax() > 2.0 {
            return None;
        }
    }
    None
}

/// Random numbers by splitmix64 (Steele, Lea and Flood 2014): the same in every run.
#[derive(Debug)]
pub(super) struct Random(pub u64);

impl Random {
    /// Evenly from −1 to 1.
    pub fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
