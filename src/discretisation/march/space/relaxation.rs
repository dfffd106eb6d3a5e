//! Kelvin-Voigt damping in a march: the strain at a section follows from the stress by a causal filter in time.
//!
//! With σ = C (ε + τ ε̇) the elastic stress σᵉ = C ε obeys σᵉ + τ dσᵉ/dt = σ, component by component. It is integrated exactly for
//! stresses that vary linearly in each time step: with x = Δt/τ, α = exp(−x), φ = (1 − α)/x,
//!
//! σᵉ_k = α σᵉ_{k−1} + (φ − α) σ_{k−1} + (1 − φ) σ_k.
//!
//! At the first instant everything rests, and σᵉ = σ.

use nalgebra::{Vector3, Vector6};

/// The filter of one component.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Decay {
    kept: f64,
    before: f64,
    now: f64,
}

impl Decay {
    fn new(time: f64, dt: f64) -> Self {
        let x = dt / time;
        if !(time > 0.0) || x.is_infinite() {
            return Self { kept: 0.0, before: 0.0, now: 1.0 };
        }
        let (kept, mean) = ((-x).exp(), -(-x).exp_m1() / x);
        Self { kept, before: mean - kept, now: 1.0 - mean }
    }
}

/// The filters of all components of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relaxation {
    decays: [Decay; 6],
    /// Elastic centre from the axis, about which the law holds, metre.
    centre: Vector3<f64>,
}

impl Relaxation {
    /// For retardation times of shear along d₁, d₂, stretch, bending about d₁, d₂ and twist, second, and a time step.
    pub fn new(times: &Vector6<f64>, centre: Vector3<f64>, dt: f64) -> Self {
        Self { decays: std::array::from_fn(|c| Decay::new(times[c], dt)), centre }
    }

    /// The elastic part of one component, instant by instant.
    pub fn component(&self, component: usize) -> Component {
        Component { decay: self.decays[component], last: None }
    }
}

/// One component of the stress on its way through the instants.
#[derive(Debug, Clone, Copy)]
pub struct Component {
    decay: Decay,
    last: Option<[f64; 2]>,
}

impl Component {
    /// The elastic part of the stress at the next instant.
    #[inline]
    pub fn next(&mut self, stress: f64) -> f64 {
        let Decay { kept, before, now } = self.decay;
        let elastic = self.last.map_or(stress, |[elastic, last]| kept * elastic + before * last + now * stress);
        self.last = Some([elastic, stress]);
        elastic
    }
}

/// Force and moment of a section on their way through the instants; without damping they are elastic throughout.
#[derive(Debug, Clone, Copy)]
pub struct Relaxing {
    rule: Option<Relaxation>,
    last: Option<[Vector6<f64>; 2]>,
}

impl Relaxing {
    /// From the first instant on.
    pub fn new(rule: Option<Relaxation>) -> Self {
        Self { rule, last: None }
    }

    /// The elastic part of material force and moment about the axis, were they those of the next instant.
    #[inline]
    pub fn elastic(&self, force: Vector3<f64>, moment: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let (Some(rule), Some([elastic, last])) = (&self.rule, &self.last) else { return (force, moment) };
        let stress = about(rule, force, moment);
        let found = Vector6::from_fn(|c, _| {
            let Decay { kept, before, now } = rule.decays[c];
            kept * elastic[c] + before * last[c] + now * stress[c]
        });
        let force = found.fixed_rows::<3>(0).into_owned();
        (force, found.fixed_rows::<3>(3) + rule.centre.cross(&force))
    }

    /// Goes on to the next instant, whose force and moment are these.
    #[inline]
    pub fn pass(&mut self, force: Vector3<f64>, moment: Vector3<f64>) {
        let Some(rule) = &self.rule else { return };
        let (elastic_force, elastic_moment) = self.elastic(force, moment);
        self.last = Some([about(rule, elastic_force, elastic_moment), about(rule, force, moment)]);
    }
}

/// Force and moment about the elastic centre.
#[inline]
fn about(rule: &Relaxation, force: Vector3<f64>, moment: Vector3<f64>) -> Vector6<f64> {
    let moment = moment - rule.centre.cross(&force);
    Vector6::new(force[0], force[1], force[2], moment[0], moment[1], moment[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stress sin ωt from rest on: σᵉ = (sin ωt − ωτ cos ωt + ωτ exp(−t/τ))/(1 + ω²τ²). The error falls with the square of
    /// the step where that resolves τ; where τ is far shorter it is at most ½ω²τΔt, that of the slope of the stress.
    #[test]
    fn a_sine_is_filtered_with_order_two() {
        for (time, omega) in [(0.3, 2.0), (0.001, 5.0), (40.0, 1.0)] {
            let error = |dt: f64| {
                let rule = Relaxation::new(&Vector6::repeat(time), Vector3::new(0.2, -0.1, 0.0), dt);
                let (mut component, mut whole) = (rule.component(4), Relaxing::new(Some(rule)));
                let mut worst = 0.0_f64;
                for k in 0..=(3.0 / dt) as usize {
                    let t = k as f64 * dt;
                    let (stress, x) = ((omega * t).sin(), omega * time);
                    let exact = (stress - x * (omega * t).cos() + x * (-t / time).exp()) / (1.0 + x * x);
                    let (force, moment) = (Vector3::new(stress, 0.0, 2.0 * stress), Vector3::new(0.0, stress, 0.0));
                    let elastic = whole.elastic(force, moment);
                    whole.pass(force, moment);
                    let found = [component.next(stress), elastic.0[0], 0.5 * elastic.0[2], elastic.1[1]];
                    worst = found.iter().map(|found| (found - exact).abs()).fold(worst, f64::max);
                }
                worst
            };
            let (coarse, fine) = (error(0.02), error(0.01));
            let resolved = time > 0.02 && fine < coarse / 3.5;
            let short = coarse < 0.5 * omega * omega * time * 0.02;
            assert!(coarse < 2e-3 && (resolved || short), "{time}: {coarse:e}, {fine:e}");
        }
        let stiff = Relaxation::new(&Vector6::zeros(), Vector3::zeros(), 0.1);
        assert_eq!([1.0, 2.0].map(|stress| stiff.component(0).next(stress)), [1.0, 2.0]);
    }
}
