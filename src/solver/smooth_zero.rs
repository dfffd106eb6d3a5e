//! The zero of a smooth function that cannot be evaluated well at the zero itself.
//!
//! Next to a bifurcation equations are nearly singular, and where two eigenvalues meet neither keeps its digits. So the function is
//! evaluated at some distance on both sides, and the zero is that of the polynomial through these values.

/// A value and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// f(p).
    pub value: f64,
    /// Its uncertainty.
    pub doubt: f64,
}

/// A zero and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zero {
    /// p with f(p) = 0.
    pub at: f64,
    /// Its uncertainty, by that of the values, by what they scatter and by interpolation.
    pub doubt: f64,
}

/// Distances of the points around a zero, relative to it: the first that works is taken.
const NEAR: [f64; 3] = [5e-3, 5e-4, 5e-5];
/// Where they are, in units of that distance, the nearest first.
pub const AROUND: [f64; 8] = [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0, -4.0, 4.0];
/// So many of them, the nearest, give the zero; the others tell how the values scatter.
const GIVING: usize = 6;
/// The zero moves by as many times the scatter at most, nearly always: its standard deviation is 1.1 times that of the values, and
/// two differences know that to a factor of about two (1.5 times as much is exceeded in 1 of 100 trials).
const SCATTERED: f64 = 6.0;
/// Most evaluations by which a zero is enclosed.
const TRIALS: usize = 40;

/// About where f passes zero between two points (p, f(p)) of opposite sign: by regula falsi, where an end that stays loses half its
/// weight (Illinois; Dowell and Jarratt 1971). Where f has no value what is known by then is told.
pub fn enclosed(mut ends: [(f64, f64); 2], f: &mut dyn FnMut(f64) -> Option<f64>) -> f64 {
    let mut weights = [1.0, 1.0];
    let middle = |ends: &[(f64, f64); 2], weights: &[f64; 2]| {
        let (a, b) = (weights[0] * ends[0].1, weights[1] * ends[1].1);
        ends[0].0 + (ends[1].0 - ends[0].0) * (a / (a - b)).clamp(1e-3, 1.0 - 1e-3)
    };
    let mut p = middle(&ends, &weights);
    for _ in 0..TRIALS {
        let Some(value) = f(p) else { break };
        let side = usize::from(value * ends[0].1 < 0.0);
        ends[side] = (p, value);
        weights[side] = 1.0;
        weights[1 - side] *= 0.5;
        let next = middle(&ends, &weights);
        let moved = (next - p).abs();
        p = next;
        if moved <= 0.1 * NEAR[0] * p.abs() {
            break;
        }
    }
    p
}

/// The zero next to p, from values at [`AROUND`] some distance; `least` is the least size of p that counts. The last values that are
/// asked for are those around the zero.
pub fn interpolated(mut p: f64, least: f64, f: &mut dyn FnMut(f64) -> Option<Value>) -> Option<Zero> {
    NEAR.into_iter().find_map(|near| {
        for _ in 0..3 {
            let h = near * p.abs().max(least);
            let at = AROUND.map(|share| p + share * h);
            let mut values = [0.0; AROUND.len()];
            let mut worst = 0.0_f64;
            for (value, at) in values.iter_mut().zip(at) {
                let found = f(at)?;
                *value = found.value;
                worst = worst.max(found.doubt);
            }
            let slope = (values[1] - values[0]) / (2.0 * h);
            let fine = root(&at[..GIVING], &values[..GIVING], p, slope)?;
            let coarse = root(&at[..4], &values[..4], p, slope)?;
            if (fine - p).abs() <= 1.5 * h {
                let doubt = worst + SCATTERED * scatter(&at, &values);
                // The error of the finer polynomial is far below that of the coarser one.
                return Some(Zero { at: fine, doubt: doubt / slope.abs() + 0.1 * (fine - coarse).abs() });
            }
            p = fine;
        }
        None
    })
}

/// How far values scatter about a smooth function: equilibria are known to the last digits of their coordinates, and stresses,
/// which are stiffness times strain, to fewer. A difference of order 6 of seven neighbours leaves of a smooth function the sixth
/// power of their distance, and of scatter σ with the weights w of the difference σ |w|.
fn scatter(at: &[f64; AROUND.len()], values: &[f64; AROUND.len()]) -> f64 {
    let mut points: Vec<(f64, f64)> = at.iter().copied().zip(values.iter().copied()).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of = |window: &[(f64, f64)]| {
        let weight = |(p, _): &(f64, f64)| -> f64 {
            window.iter().filter(|(other, _)| other != p).map(|(other, _)| 1.0 / (p - other)).product()
        };
        let weights: Vec<f64> = window.iter().map(weight).collect();
        let difference: f64 = weights.iter().zip(window).map(|(w, (_, value))| w * value).sum();
        difference.abs() / weights.iter().map(|w| w * w).sum::<f64>().sqrt()
    };
    points.windows(GIVING + 1).map(of).fold(0.0, f64::max)
}

/// Shares of points in the value of Lagrange's polynomial through them, at p.
pub fn shares(points: &[f64], p: f64) -> Vec<f64> {
    let others = |i: usize| points.iter().enumerate().filter(move |(j, _)| *j != i).map(|(_, other)| *other);
    (0..points.len()).map(|i| others(i).map(|other| (p - other) / (points[i] - other)).product()).collect()
}

/// The zero near p of the polynomial through points, whose slope is about `slope`.
fn root(at: &[f64], values: &[f64], mut p: f64, slope: f64) -> Option<f64> {
    let reach = 2.0 * at.iter().map(|at| (at - p).abs()).fold(0.0, f64::max);
    let start = p;
    for _ in 0..60 {
        let value: f64 = shares(at, p).iter().zip(values).map(|(share, value)| share * value).sum();
        let step = value / slope;
        p -= step;
        if !((p - start).abs() <= reach) {
            return None;
        }
        if step.abs() <= 1e-15 * p.abs() {
            break;
        }
    }
    Some(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 − tan(p)/2 without values within 1e-4 of its zero atan 2.
    #[test]
    fn a_zero_is_found_without_values_next_to_it() {
        let wanted = 2.0_f64.atan();
        let f = |p: f64| ((p - wanted).abs() > 1e-4).then(|| 1.0 - 0.5 * p.tan());
        let near = enclosed([(0.5, f(0.5).unwrap()), (1.4, f(1.4).unwrap())], &mut |p| f(p));
        assert!((near - wanted).abs() < 1e-2);
        let found = interpolated(near, 1e-3, &mut |p| f(p).map(|value| Value { value, doubt: 1e-16 })).unwrap();
        assert!((found.at - wanted).abs() <= 1e-10 && found.doubt < 1e-8, "{found:?} {wanted}");
    }

    /// Of values that scatter by 1e-9 the zero of sin p + noise at π is known to about as much, and no worse than is told.
    #[test]
    fn scatter_of_the_values_is_told() {
        let mut beyond = 0;
        for seed in 1..=200 {
            let noise = |p: f64| {
                let mixed = p.to_bits().wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                1e-9 * (2.0 * (mixed >> 11) as f64 / (1u64 << 53) as f64 - 1.0)
            };
            let f = |p: f64| Some(Value { value: p.sin() + noise(p), doubt: 1e-16 });
            let found = interpolated(3.1, 1e-3, &mut |p| f(p)).unwrap();
            let off = (found.at - std::f64::consts::PI).abs();
            assert!(found.doubt < 2e-8, "{seed}: off {off:e}, told {:e}", found.doubt);
            beyond += usize::from(off > 1.5 * found.doubt);
        }
        assert!(beyond <= 2, "{beyond} of 200");
        let smooth = interpolated(3.1, 1e-3, &mut |p| Some(Value { value: p.sin(), doubt: 0.0 })).unwrap();
        assert!(smooth.doubt < 1e-9, "{smooth:?}");
    }

    #[test]
    fn what_has_no_values_has_no_zero() {
        assert_eq!(interpolated(1.0, 1e-3, &mut |_| None), None);
    }
}
