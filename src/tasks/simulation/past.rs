//! The last steps of a motion: what velocities go on from, and how they bend.
//!
//! A half step over its length is a velocity in the middle of the step, for rotations in space ¼ of the angular one.

/// Steps that are remembered: three to go on from, and one more in case the last is taken back.
const MEMORY: usize = 4;
/// Largest ratio of the lengths of two steps that count as alike: rows weigh m/h against h times stiffnesses.
pub const ALIKE: f64 = 2.0;

/// Half steps of all degrees of freedom with the lengths of their steps, the last one first.
pub struct Past {
    steps: [(Vec<f64>, f64); MEMORY],
    known: usize,
}

impl Past {
    /// Nothing is known yet of so many degrees of freedom.
    pub fn new(freedoms: usize) -> Self {
        Self { steps: [(); MEMORY].map(|()| (vec![0.0; freedoms], 1.0)), known: 0 }
    }

    /// Number of steps known.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Another motion begins.
    pub fn forget(&mut self) {
        self.known = 0;
    }

    /// A step was made.
    pub fn add(&mut self, half: &[f64], h: f64) {
        self.steps.rotate_right(1);
        self.steps[0].0.copy_from_slice(half);
        self.steps[0].1 = h;
        self.known = (self.known + 1).min(MEMORY);
    }

    /// The last step was not made.
    pub fn take_back(&mut self) {
        self.steps.rotate_left(1);
        self.known = self.known.saturating_sub(1);
    }

    /// Length of the last step, second.
    pub fn last_length(&self) -> Option<f64> {
        (self.known > 0).then_some(self.steps[0].1)
    }

    /// Length of the step before the last, second; `unknown` where that is not remembered.
    pub fn length_before(&self, unknown: f64) -> f64 {
        if self.known > 1 { self.steps[1].1 } else { unknown }
    }

    /// The half step of a degree of freedom in the last step.
    pub fn last(&self, dof: usize) -> f64 {
        self.steps[0].0[dof]
    }

    /// Guesses the half steps of a step of length h: velocities go on along the line through those of two steps, along the
    /// parabola through three that are `curved` and of about this length.
    pub fn go_on(&self, h: f64, curved: bool, guess: &mut [f64]) {
        let [(last, last_h), (before, before_h), (early, early_h), _] = &self.steps;
        let alike = [last_h, before_h, early_h].into_iter().all(|other| other.max(h) <= ALIKE * other.min(h));
        // Middles of the last steps, seen from that of the next one.
        let [d1, d2] = [0.5 * (h + last_h), 0.5 * (last_h + before_h)];
        let [near, far] = [d1, d1 + d2];
        let farthest = far + 0.5 * (before_h + early_h);
        let weights = match self.known {
            3.. if alike && curved => {
                let weight = |x: f64, y: f64, z: f64| y * z / ((y - x) * (z - x));
                [weight(near, far, farthest), weight(far, near, farthest), weight(farthest, near, far)]
            }
            2.. => [1.0 + d1 / d2, -d1 / d2, 0.0],
            _ => [1.0, 0.0, 0.0],
        };
        let [last_weight, before_weight, early_weight] =
            [weights[0] * h / last_h, weights[1] * h / before_h, weights[2] * h / early_h];
        for (place, guess) in guess.iter_mut().enumerate() {
            *guess = last_weight * last[place] + before_weight * before[place] + early_weight * early[place];
        }
    }

    /// Second derivatives by time of the velocities through the last three steps, by degree of freedom.
    pub fn bend(&self) -> Option<impl Fn(usize) -> f64> {
        let [(last, last_h), (before, before_h), (early, early_h), ..] = &self.steps;
        let [late, soon] = [0.5 * (last_h + before_h), 0.5 * (before_h + early_h)];
        let bend = move |dof: usize| {
            let [a, b, c] = [last[dof] / last_h, before[dof] / before_h, early[dof] / early_h];
            2.0 * ((a - b) / late - (b - c) / soon) / (late + soon)
        };
        (self.known >= 3).then_some(bend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Velocities v = 2 + 3 t − 5 t² at the middles of unequal steps: the parabola goes on exactly, and bends by −10.
    #[test]
    fn parabolas_are_followed_and_measured() {
        let velocity = |t: f64| 2.0 + 3.0 * t - 5.0 * t * t;
        let mut past = Past::new(1);
        let mut t = 0.0;
        for h in [0.1, 0.15, 0.08, 0.12] {
            past.add(&[velocity(t + 0.5 * h) * h], h);
            t += h;
        }
        let mut guess = [0.0];
        past.go_on(0.1, true, &mut guess);
        assert!((guess[0] - 0.1 * velocity(t + 0.05)).abs() < 1e-14, "{guess:?}");
        let bend = past.bend().map(|bend| bend(0)).unwrap();
        assert!((bend + 10.0).abs() < 1e-11, "{bend}");
        // One step taken back, the next is guessed from those before it.
        past.take_back();
        past.go_on(0.12, true, &mut guess);
        assert!((guess[0] - 0.12 * velocity(t - 0.06)).abs() < 1e-14, "{guess:?}");
        past.take_back();
        assert!(past.bend().is_none());
    }

    /// Steps of very different lengths are followed along a line at most.
    #[test]
    fn a_much_shorter_step_is_guessed_from_two() {
        let velocity = |t: f64| 2.0 + 3.0 * t;
        let mut past = Past::new(1);
        for k in 0..4 {
            past.add(&[0.1 * velocity(0.1 * (f64::from(k) + 0.5))], 0.1);
        }
        let mut guess = [0.0];
        past.go_on(0.01, true, &mut guess);
        assert!((guess[0] - 0.01 * velocity(0.405)).abs() < 1e-15, "{guess:?}");
        past.forget();
        assert!(past.bend().is_none() && past.last_length().is_none());
    }
}
