//! Finding the point of a stretch of the curve where some quantity vanishes.

use super::curve::{Curve, Pair, Station};

/// Largest number of points tried.
const MAX_TRIALS: usize = 80;
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
        let station = curve.station(guess, &from.tangent, &from.tangent, length)?;
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

/// The cubic through two stations with their tangents.
fn between(from: &Station, to: &Station, length: f64, share: f64) -> Pair {
    let (u, v) = (share, 1.0 - share);
    let ends = from.at.plus(u * u * (3.0 - 2.0 * u), &to.at.plus(-1.0, &from.at));
    ends.plus(length * u * v * v, &from.tangent).plus(-length * u * u * v, &to.tangent)
}
