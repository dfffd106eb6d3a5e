//! Rods and bodies of a mechanism as lines over time, for pictures and films.

use crate::discretisation::transcription::multibody::{Multibody, Track};
use crate::results::RodField;

/// The lines of all rods, and of bodies with joints beside their mass centre.
pub fn lines(body: Option<&Multibody>, times: &[f64], q: &[Vec<f64>]) -> Vec<RodField> {
    let Some(body) = body else { return Vec::new() };
    let axes = if body.is_plane() { 2 } else { 3 };
    let line = |track: &Track| {
        let shapes: Vec<Vec<[f64; 3]>> = q.iter().zip(times).map(|(q, t)| body.positions(track, q, *t)).collect();
        let along =
            |axis: usize| (0..track.s.len()).flat_map(|i| shapes.iter().map(move |shape| shape[i][axis])).collect();
        let fields = (0..axes).map(|axis| (["x", "y", "z"][axis].to_owned(), along(axis))).collect();
        RodField { rod: track.name.clone(), s: track.s.clone(), t: times.to_vec(), fields }
    };
    body.tracks().iter().filter(|track| track.s.len() > 1).map(line).collect()
}
