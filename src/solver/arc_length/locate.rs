//! Finding the point of a stretch of the curve where some quantity vanishes.

use super::curve::{Accuracy, Curve, Pair, Station};

/// Largest number of points tried.
const MAX_TRIALS: usize = 80;
/// Halvings by which a parameter is found on a cubic.
const BISECTIONS: usize = 30;
/// Largest distance from the cubic through the ends of a stretch, relative to its length.
const STRAYED: f64 = 0.1;
/// Share of the stretch below which the place no longer changes.
const NARROW: f64 = 1e-15;

/// The point between two stations of a smooth stretch where `quantity`, of opposite signs at the ends, is at most
/// `tolerance`.
///
/// The stretch is parametrised by the distance along the first tangent, which stays regular at limit points. The root is
/// enclosed by the false position, halving the value at an end that stays put (Illinois variant).
pub(super) fn locate(
    curve: &mut Curve,
    from: &Station,
    to: &Station,
    quantity: &dyn Fn(&Station) -> f64,
    tolerance: f64,
) -> Result<Station, String> {
    let chord = to.at.plus(-1.0, &from.at);
    let reach = curve.dot(&from.tangent, &chord);
    let length = curve.length(&chord);
    let (mut low, mut high) = ((0.0, quantity(from)), (1.0, quantity(to)));
    let mut best: Option<(f64, Station)> = None;
    let mut stayed = 0;
    for _ in 0..MAX_TRIALS {
        let mut share: f64 = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        if !(share > low.0 && share < high.0) {
            share = 0.5 * (low.0 + high.0);
        }
        let mut guess = between(from, to, length, share);
        // Into the plane that stands at this share of the reach.
        let along = curve.dot(&from.tangent, &guess.plus(-1.0, &from.at));
        guess = guess.plus(share * reach - along, &from.tangent);
        let station = curve.station(guess, &from.tangent, &from.tangent, length, Accuracy::Squared)?;
        let value = quantity(&station);
        let found = value.abs() <= tolerance;
        if best.as_ref().is_none_or(|(least, _)| value.abs() < *least) {
            best = Some((value.abs(), station));
        }
        if found || high.0 - low.0 <= NARROW {
            break;
        }
        if (value > 0.0) == (low.1 > 0.0) {
            low = (share, value);
            if stayed > 0 {
                high.1 *= 0.5;
            }
            stayed = 1;
        } else {
            high = (share, value);
            if stayed < 0 {
                low.1 *= 0.5;
            }
            stayed = -1;
        }
    }
    best.map(|(_, station)| station).ok_or_else(|| "nothing was tried".to_owned())
}

/// The point of a stretch on which the parameter only grows or only falls where it has this value.
///
/// Looked for at fixed parameter from the cubic through the ends. Next to a limit point that is ill posed; then, and if it
/// leads away from the stretch, the error tells so.
pub(super) fn cross(curve: &mut Curve, from: &Station, to: &Station, parameter: f64) -> Result<Station, String> {
    let chord = to.at.plus(-1.0, &from.at);
    let length = curve.length(&chord);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        let p = cubic(middle, length, [from.at.p, to.at.p], [from.tangent.p, to.tangent.p]);
        if (p < parameter) == (from.at.p < to.at.p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut guess = between(from, to, length, 0.5 * (low + high));
    guess.p = parameter;
    let mut at = guess.clone();
    let axis = curve.parameter_axis(1.0);
    let iterations = curve.correct(&mut at, &axis, length, Accuracy::Squared)?;
    at.p = parameter;
    let tangent = curve.tangent(&at, &from.tangent)?;
    let moved = curve.length(&at.plus(-1.0, &guess));
    if moved > STRAYED * length || tangent.p * from.tangent.p <= 0.0 || tangent.p * to.tangent.p <= 0.0 {
        return Err("it leads to another part of the path".into());
    }
    Ok(Station { at, tangent, iterations })
}

/// The cubic through two stations with their tangents.
fn between(from: &Station, to: &Station, length: f64, share: f64) -> Pair {
    let ends = from.at.x.iter().zip(&to.at.x).map(|(a, b)| [*a, *b]);
    let slopes = from.tangent.x.iter().zip(&to.tangent.x).map(|(a, b)| [*a, *b]);
    let x = ends.zip(slopes).map(|(ends, slopes)| cubic(share, length, ends, slopes)).collect();
    Pair { x, p: cubic(share, length, [from.at.p, to.at.p], [from.tangent.p, to.tangent.p]) }
}

/// Hermite's cubic at a share of its length, by its values and slopes at both ends.
fn cubic(share: f64, length: f64, [a, b]: [f64; 2], [da, db]: [f64; 2]) -> f64 {
    let (u, v) = (share, 1.0 - share);
    a + u * u * (3.0 - 2.0 * u) * (b - a) + length * u * v * (v * da - u * db)
}
