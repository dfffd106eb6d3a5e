//! Rigid bodies in a turning frame.

use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::{Complex, Matrix2};

use crate::solve::{frequencies, spinning};
use crate::structures::*;

/// A bar on a hinge at distance e from the axis: mass m, mass centre at c from the hinge, inertia (J₁, J₂, J₃) about its long
/// axis, y and z. About y it flaps with ω² = Ω² (m e c + m c² + J₃ − J₁)/(m c² + J₂), about z it lags with ω² = Ω² m e c/(m c² + J₃).
#[test]
fn a_bar_on_a_hinge() {
    let (m, c, [j1, j2, j3], rate) = (3.0, 0.8, [0.05, 0.7, 0.72], 4.0);
    for e in [0.1, 0.5] {
        let hinged = |axis| {
            let mut mechanism: Mechanism = empty(3);
            mechanism.bodies.push(body("bar", m, [j1, j2, j3], v(e + c, 0.0, 0.0)));
            mechanism.joints.push(joint([Frame::Ground, Frame::Body(0)], v(e, 0.0, 0.0), JointKind::Revolute(axis)));
            frequencies(&spinning(mechanism, rate), 1)[0]
        };
        let flap = rate * ((m * e * c + m * c * c + j3 - j1) / (m * c * c + j2)).sqrt();
        let lag = rate * (m * e * c / (m * c * c + j3)).sqrt();
        let (found_flap, found_lag) = (hinged(v(0.0, 1.0, 0.0)), hinged(v(0.0, 0.0, 1.0)));
        assert!((found_flap / flap - 1.0).abs() < 1e-10, "{found_flap} {flap}");
        assert!((found_lag / lag - 1.0).abs() < 1e-10, "{found_lag} {lag}");
    }
}

/// A disc at the end of an almost massless shaft along the axis of rotation (Stodola): with the stiffness matrix of a
/// cantilever, k = EI [[12/L³, −6/L²], [−6/L², 4/L]], and r = x + iy, φ = φ_y − iφ_x in the frame at rest,
/// det(k − ω² diag(m, J) + ω Ω diag(0, J₃)) = 0 has four real roots; in the turning frame they are |ω − Ω|.
#[test]
fn a_disc_whirls_on_its_shaft() {
    let (length, bending, m, j, j3) = (1.0, 50.0, 2.0, 0.08, 0.15);
    for rate in [1.0, 5.0, 12.0] {
        let mut mechanism = empty(3);
        let section = round(1e8, 1e8, bending, 40.0, 1e-6, 1e-9);
        mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(0.0, 0.0, length), section, 4, 3));
        mechanism.supports.push(clamp(end(0, 0)));
        mechanism.bodies.push(body("disc", m, [j, j, j3], v(0.0, 0.0, length)));
        mechanism.joints.push(joint([Frame::Body(0), end(0, 4)], v(0.0, 0.0, length), JointKind::Rigid));
        let k = Matrix2::new(12.0 / length.powi(3), -6.0 / length.powi(2), -6.0 / length.powi(2), 4.0 / length);
        let k = k * bending;
        let condition = |omega: f64| {
            let a = Complex::new(k[(0, 0)] - m * omega * omega, 0.0);
            let d = Complex::new(k[(1, 1)] - j * omega * omega + j3 * rate * omega, 0.0);
            (a * d).re - k[(0, 1)] * k[(1, 0)]
        };
        // Roots by bisection between sign changes on a fine grid.
        let mut wanted = Vec::new();
        let step = 0.01;
        let mut left = -100.0;
        while left < 100.0 {
            let (mut a, mut b) = (left, left + step);
            if (condition(a) > 0.0) != (condition(b) > 0.0) {
                for _ in 0..60 {
                    let middle = 0.5 * (a + b);
                    if (condition(a) > 0.0) == (condition(middle) > 0.0) { a = middle } else { b = middle }
                }
                wanted.push((0.5 * (a + b) - rate).abs());
            }
            left += step;
        }
        wanted.sort_by(f64::total_cmp);
        assert_eq!(wanted.len(), 4);
        // Torsion, √(GJ/(L J₃)), and stretch are modes as well.
        let found = frequencies(&spinning(mechanism, rate), 5);
        for wanted in wanted.iter().filter(|wanted| **wanted < found[4]) {
            let near = found.iter().map(|omega| (omega / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            assert!(near < 2e-5, "Ω = {rate}: {wanted} is not in {found:?}, off by {near:.1e}");
        }
    }
}
