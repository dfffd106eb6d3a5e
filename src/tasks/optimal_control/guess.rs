//! Where the search for a motion begins: functions of time, columns of a table, or a way between the ends.

use std::sync::Arc;

use super::{ControlSystem, EndData, Samples};
use crate::discretisation::transcription::{Given, Guess};
use crate::kernel::{Function, linear};

/// Where the guess of a coordinate or control comes from.
#[derive(Debug, Clone)]
pub enum GuessSource {
    /// A function of time.
    Function(Function),
    /// A column of a table.
    Samples(Samples),
}

impl GuessSource {
    /// At a share of a duration, second.
    fn value(&self, share: f64, duration: f64) -> Option<f64> {
        match self {
            GuessSource::Function(function) => function.value(share * duration).ok(),
            GuessSource::Samples(samples) => Some(samples.at(share)),
        }
    }
}

/// The way from the start to the end: coordinates at equal shares of the duration.
pub type WayTable = Arc<Vec<Vec<f64>>>;

/// Guessed coordinates and controls, where they are stated, and the duration of the table they come from.
#[derive(Debug, Clone)]
pub struct Guesses {
    /// One for each coordinate.
    pub coordinates: Vec<Option<GuessSource>>,
    /// One for each control.
    pub controls: Vec<Option<GuessSource>>,
    /// Of the table, second.
    pub duration: Option<f64>,
}

impl Guesses {
    /// The way of a mechanism, or straight lines between the ends, and no controls, where nothing else is guessed; `end` is
    /// the duration that is guessed otherwise.
    pub fn complete(self, ends: &EndData, way: Option<WayTable>, duration: Given, end: f64) -> Guess {
        let Guesses { coordinates, controls, duration: covered } = self;
        let lines = ends.lines();
        let (least, most) = duration.bounds();
        // A free duration begins with that of the table, if it may.
        let duration = covered.filter(|covered| (least..=most).contains(covered)).unwrap_or(end);
        let position = move |share: f64| -> Vec<f64> {
            let unguided: Vec<f64> = match &way {
                Some(way) => linear(way, share),
                None => lines.iter().map(|line| line.0 + share * (line.1 - line.0)).collect(),
            };
            let of = |(unguided, guess): (f64, &Option<GuessSource>)| {
                guess.as_ref().and_then(|guess| guess.value(share, end)).unwrap_or(unguided)
            };
            unguided.into_iter().zip(&coordinates).map(of).collect()
        };
        let control = move |share: f64| -> Vec<f64> {
            let of =
                |guess: &Option<GuessSource>| guess.as_ref().and_then(|guess| guess.value(share, end)).unwrap_or(0.0);
            controls.iter().map(of).collect()
        };
        Guess { position: Arc::new(position), control: Arc::new(control), duration }
    }
}

impl ControlSystem {
    /// Coordinates, velocities and controls of the guess in a step, at its middle or at its start, and the time.
    pub fn guessed(&self, step: usize, at_node: bool) -> (Vec<f64>, f64) {
        let (guess, count) = (&self.problem.guess, self.intervals as f64);
        let share = |k: usize| k as f64 / count;
        let (before, after) = ((guess.position)(share(step)), (guess.position)(share(step + 1)));
        let duration = self.problem.duration.value().unwrap_or(guess.duration);
        let middle = (step as f64 + 0.5) / count;
        let velocities = before.iter().zip(&after).map(|(a, b)| (b - a) * count / duration).collect::<Vec<f64>>();
        let position = match at_node {
            true => before,
            false => before.iter().zip(&after).map(|(a, b)| 0.5 * (a + b)).collect(),
        };
        ([position, velocities, (guess.control)(middle)].concat(), middle * duration)
    }
}
