//! C6: axial waves in bars: u(x, t) = f(x − ct) + g(x + ct).

use lariat::discretisation::assembly::build;
use lariat::material::Section;
use lariat::mechanism::{JointKind, Mechanism};
use lariat::tasks::simulation::march::{Marcher, initial_state};

use crate::marching::*;
use crate::mechanisms::*;

/// C6: wave speed √(E/ρ) of steel, E = 210e9, ρ = 7850, m/s.
const SPEED: f64 = 5172.1941530349;
/// Height of the pulse, metre; bars are linear along their axis, so its size does not matter.
const HEIGHT: f64 = 1e-3;
const WIDTH: f64 = 0.04;

fn steel(area: f64) -> Section {
    let (e, rho, i) = (210e9, 7850.0, area * area / 12.0);
    let g = e / 2.6;
    let inertia = [rho * i, rho * i, 2.0 * rho * i];
    Section::principal(e * area, [g * area; 2], [e * i; 2], 2.0 * g * i, rho * area, inertia)
}

/// Collinear bars of 1 m along x with these areas.
fn bars(areas: &[f64], elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(2);
    for (k, &area) in areas.iter().enumerate() {
        let from = v(k as f64, 0.0, 0.0);
        mechanism.rods.push(straight(from, v(k as f64 + 1.0, 0.0, 0.0), steel(area), elements, order));
        if k > 0 {
            mechanism.joints.push(joint("weld", [end(k - 1, elements), end(k, 0)], from, JointKind::Rigid));
        }
    }
    mechanism
}

/// A pulse about x₀.
fn pulse(x: f64, at: f64) -> f64 {
    HEIGHT * (-((x - at) / WIDTH).powi(2)).exp()
}

fn pulse_slope(x: f64, at: f64) -> f64 {
    -2.0 * (x - at) / WIDTH.powi(2) * pulse(x, at)
}

/// Displacements along x of all sections of all bars, with their reference positions.
fn displacements(marcher: &Marcher) -> Vec<(f64, f64)> {
    let assembly = marcher.assembly();
    let of_section = |(s, at): &(f64, lariat::discretisation::assembly::Attachment), rod: usize| {
        let x = rod as f64 + s;
        (x, at.position(&assembly.layout, &marcher.state().q)[0] - x)
    };
    let of_rod = |rod: usize| assembly.sections[rod].iter().map(move |section| of_section(section, rod));
    (0..assembly.sections.len()).flat_map(of_rod).collect()
}

/// Sends a pulse from x₀ to the right and returns the displacements after it has gone a way.
fn send(mut mechanism: Mechanism, from: f64, way: f64, steps: usize) -> Vec<(f64, f64)> {
    for k in 0..mechanism.rods.len() {
        let rod = mechanism.rods[k].clone();
        mechanism.rods[k] = moving(rod, move |s| [-SPEED * pulse_slope(k as f64 + s, from), 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    let assembly = build(&mechanism);
    let mut q = assembly.reference.clone();
    for (rod, sections) in assembly.sections.iter().enumerate() {
        for (s, at) in sections {
            let x = rod as f64 + s;
            q[assembly.layout.coordinate(at.node)] = x + pulse(x, from);
        }
    }
    let h = way / SPEED / steps as f64;
    let mut marcher = Marcher::new(&assembly, initial_state(&mechanism, &assembly, q, 0.0).unwrap(), h);
    (0..steps).for_each(|_| marcher.advance(h).unwrap());
    displacements(&marcher)
}

/// The coefficient of a pulse about x₀ in displacements, and the largest deviation from it within a distance, both in
/// units of the height.
fn found_at(displacements: &[(f64, f64)], at: f64) -> (f64, f64) {
    let near = || displacements.iter().filter(move |(x, _)| (x - at).abs() < 4.0 * WIDTH);
    let product: f64 = near().map(|&(x, u)| u * pulse(x, at)).sum();
    let square: f64 = near().map(|&(x, _)| pulse(x, at).powi(2)).sum();
    let factor = product / square;
    let off = near().map(|&(x, u)| (u - factor * pulse(x, at)).abs()).fold(0.0, f64::max);
    (factor, off / HEIGHT)
}

/// A pulse keeps its shape and travels at √(E/ρ).
#[test]
fn pulse_travels_at_the_wave_speed() {
    let after = send(bars(&[1e-4], 40, 3), 0.3, 0.4, 400);
    let (factor, off) = found_at(&after, 0.7);
    assert!((factor - 1.0).abs() < 1e-3 && off < 4e-3, "{factor} off {off:.1e}");
    let sum = |weight: fn(f64) -> f64| after.iter().map(|(x, u)| weight(*x) * u * u).sum::<f64>();
    let speed = (sum(|x| x) / sum(|_| 1.0) - 0.3) / 0.4 * SPEED;
    assert!((speed / SPEED - 1.0).abs() < 1e-3, "{speed} m/s");
}

/// A fixed end reflects a displacement inverted, a free end upright.
#[test]
fn ends_reflect() {
    for (held, expected) in [(true, -1.0), (false, 1.0)] {
        let mut bar = bars(&[1e-4], 40, 3);
        if held {
            bar.supports.push(clamp(end(0, 40)));
        }
        let (factor, off) = found_at(&send(bar, 0.6, 0.8, 800), 0.6);
        assert!((factor - expected).abs() < 1e-3 && off < 7e-3, "held {held}: {factor} off {off:.1e}");
    }
}

/// Where the area grows by 2 and 4, R = (Z₁ − Z₂)/(Z₁ + Z₂) comes back and T = 2 Z₁/(Z₁ + Z₂) goes on, Z = A √(Eρ).
#[test]
fn junctions_reflect_and_transmit() {
    for (ratio, back, on) in [(2.0, -1.0 / 3.0, 2.0 / 3.0), (4.0, -0.6, 0.4)] {
        let after = send(bars(&[1e-4, ratio * 1e-4], 40, 3), 0.6, 0.8, 800);
        let ((reflected, off), (transmitted, off_2)) = (found_at(&after, 0.6), found_at(&after, 1.4));
        assert!((reflected - back).abs() < 1e-3 && off < 7e-3, "A₂/A₁ = {ratio}: {reflected} comes back");
        assert!((transmitted - on).abs() < 1e-3 && off_2 < 7e-3, "A₂/A₁ = {ratio}: {transmitted} goes on");
    }
}

/// A bar of 1 m that hits a wall is at rest and under uniform pressure after L/c, and as stress-free as before but moving
/// back after 2L/c = 3.8668308667927e-4 s: the time a contact lasts.
#[test]
fn impact_lasts_twice_the_travel_time() {
    let contact = 3.8668308667927e-4;
    let mut bar = bars(&[1e-4], 100, 1);
    bar.supports.push(clamp(end(0, 0)));
    let rod = bar.rods[0].clone();
    bar.rods[0] = moving(rod, |_| [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let seen =
        sampled(&bar, contact, 400, &[0.0, 0.5 * contact, contact], |marcher| (books(marcher), tip(marcher, 0)[0]));
    let start = seen[0].0.kinetic;
    assert!(seen[1].0.kinetic < 0.02 * start, "{} of {start} J still moves", seen[1].0.kinetic);
    assert!(seen[2].0.strain < 0.02 * start, "{} of {start} J is still stored", seen[2].0.strain);
    // The free end has gone in by L/c · 1 m/s and come out again.
    assert!((seen[1].1 - 1.0 + 0.5 * contact).abs() < 0.01 * contact, "{}", seen[1].1);
    assert!((seen[2].1 - 1.0).abs() < 0.02 * contact, "{}", seen[2].1);
}
