//! A zero-phase low-pass filter along time.

/// Fourth-order Butterworth filter run forwards and backwards: no phase shift, gain 1/(1 + (Ω/Ω_c)⁸) with
/// Ω = tan(ω dt/2), so 1 far below the corner and falling by 160 dB per decade above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lowpass {
    sections: [Section; 2],
    corner: f64,
    dt: f64,
}

/// One second-order section in direct form II transposed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

impl Lowpass {
    /// Corner at angular frequency `corner` (rad/s) for samples `dt` apart; `None` if the corner lies at or above the
    /// highest frequency the grid carries, π/dt, where there is nothing to filter.
    pub fn new(corner: f64, dt: f64) -> Option<Self> {
        if corner * dt >= std::f64::consts::PI {
            return None;
        }
        let warped = (0.5 * corner * dt).tan();
        // Butterworth poles of order four: damping 2 cos(π/8), 2 cos(3π/8).
        let section = |angle: f64| {
            let damping = 2.0 * angle.cos();
            let norm = 1.0 / (1.0 + damping * warped + warped * warped);
            let gain = warped * warped * norm;
            Section {
                b: [gain, 2.0 * gain, gain],
                a: [2.0 * (warped * warped - 1.0) * norm, (1.0 - damping * warped + warped * warped) * norm],
            }
        };
        use std::f64::consts::PI;
        Some(Self { sections: [section(PI / 8.0), section(3.0 * PI / 8.0)], corner, dt })
    }

    /// Gain at angular frequency `omega`.
    pub fn gain(&self, omega: f64) -> f64 {
        let ratio = (0.5 * omega * self.dt).tan() / (0.5 * self.corner * self.dt).tan();
        1.0 / (1.0 + ratio.powi(8))
    }

    /// Filter a signal that is zero outside its samples.
    pub fn apply(&self, signal: &mut [f64]) {
        for section in &self.sections {
            section.run(signal.iter_mut());
            section.run(signal.iter_mut().rev());
        }
    }
}

impl Section {
    fn run<'a>(&self, signal: impl Iterator<Item = &'a mut f64>) {
        let (mut z1, mut z2) = (0.0, 0.0);
        for x in signal {
            let y = self.b[0] * *x + z1;
            z1 = self.b[1] * *x - self.a[0] * y + z2;
            z2 = self.b[2] * *x - self.a[1] * y;
            *x = y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lowpass;

    /// A long windowed sine comes out with the gain of the formula and without delay.
    #[test]
    fn gain_and_phase() {
        let (dt, corner) = (0.01, 20.0);
        let filter = Lowpass::new(corner, dt).unwrap();
        for omega in [4.0, 16.0, 20.0, 30.0] {
            let n = 20_000;
            let sample = |k: usize| (omega * dt * (k as f64 - n as f64 / 2.0)).cos();
            let mut signal: Vec<f64> = (0..n).map(sample).collect();
            filter.apply(&mut signal);
            for (k, found) in signal.iter().enumerate().skip(n / 2 - 50).take(100) {
                assert!((found - filter.gain(omega) * sample(k)).abs() < 1e-9, "omega {omega}");
            }
        }
        assert!((filter.gain(corner) - 0.5).abs() < 1e-12);
        assert!(Lowpass::new(400.0, dt).is_none());
    }
}
