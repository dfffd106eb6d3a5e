//! Rods and bodies of a mechanism over time: what is drawn, and what the rods carry.

use super::forward::RodFields;
use crate::discretisation::transcription::multibody::{Multibody, Track};
use crate::results::RodField;

/// The fields of all rods, and the lines of bodies with joints beside their mass centre.
/// `midpoint` tells that the motion was found by that rule, in whose steps stresses act in the middle.
pub fn lines(body: Option<&Multibody>, times: &[f64], q: &[Vec<f64>], midpoint: bool) -> Vec<RodField> {
    let Some(body) = body else { return Vec::new() };
    let mut rods = RodFields::new(body.mechanism(), body.assembly());
    let mut before: Option<Vec<f64>> = None;
    for (k, (q_k, t)) in q.iter().zip(times).enumerate() {
        let whole = body.whole(q_k, *t);
        if !midpoint {
            rods.add(*t, &whole);
            continue;
        }
        rods.add_moving(*t, &whole, before.as_deref());
        let next = q.get(k + 1).zip(times.get(k + 1)).map(|(q, t)| body.whole(q, *t));
        before = next.map(|next| body.assembly().layout.between(&whole, &next));
        before.iter().for_each(|after| rods.complete(after));
    }
    let mut found = rods.finish();
    // A rod that is compressed to nothing has no stress there.
    for rod in &mut found {
        rod.fields.retain(|(_, values)| values.iter().all(|value| value.is_finite()));
    }
    let axes = if body.is_plane() { 2 } else { 3 };
    let line = |track: &Track| {
        let shapes: Vec<Vec<[f64; 3]>> = q.iter().zip(times).map(|(q, t)| body.positions(track, q, *t)).collect();
        let along =
            |axis: usize| (0..track.s.len()).flat_map(|i| shapes.iter().map(move |shape| shape[i][axis])).collect();
        let fields = (0..axes).map(|axis| (["x", "y", "z"][axis].to_owned(), along(axis))).collect();
        RodField { rod: track.name.clone(), s: track.s.clone(), t: times.to_vec(), fields }
    };
    found.extend(body.tracks().iter().filter(|track| track.body && track.s.len() > 1).map(line));
    found
}
