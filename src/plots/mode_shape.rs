//! What is drawn of a mode: how far it is deflected, and ribs where it twists.

use super::ticks::Range;
use crate::results::{ModeShape, ShapeField};

/// Largest displacement drawn, as a share of the size of the structure.
const AMPLITUDE: f64 = 0.15;
/// Largest twist drawn, radians.
const TWIST: f64 = 0.7;
/// Half the length of a rib, as a share of the size, and about how many there are on a rod.
const RIB: f64 = 0.08;
const RIBS: usize = 16;

/// Phase of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deflection {
    /// The real part of the shape.
    Forth,
    /// Half a period later.
    Back,
    /// A quarter of a period later, where a complex shape does not pass the equilibrium.
    Quarter,
}

/// The lines of a mode, in metres.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// Rods at equilibrium.
    pub rest: Vec<Vec<[f64; 3]>>,
    /// Deflected rods.
    pub lines: Vec<(Deflection, Vec<[f64; 3]>)>,
    /// Lines across the rods that show the twist, if the mode is mostly twist.
    pub ribs: Vec<(Deflection, Vec<[f64; 3]>)>,
}

impl Shown {
    /// The lines of a mode whose numbers have been checked.
    pub fn new(mode: &ModeShape) -> Self {
        let rods: Vec<&ShapeField> = mode.rods.iter().filter(|rod| rod.s.len() > 1).collect();
        let extent = |axis: usize| Range::of(rods.iter().flat_map(|rod| rod.rest.iter().map(|p| p[axis])));
        let size = norm([0, 1, 2].map(|axis| extent(axis).map_or(0.0, Range::length)));
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let displacements = rods.iter().flat_map(|rod| rod.shape.iter().chain(&rod.shape_imaginary));
        let displacement = largest(&mut displacements.map(|v| norm(*v)));
        let twists = rods.iter().flat_map(|rod| (0..rod.turn.len()).map(|i| dot(rod.turn[i], tangent(rod, i)).abs()));
        let twist = largest(&mut twists.into_iter());
        let twisted = twist * RIB * size > displacement;
        let factor = match (twisted, displacement > 0.0) {
            (true, _) => (TWIST / twist).min(AMPLITUDE * size / displacement),
            (false, true) => AMPLITUDE * size / displacement,
            (false, false) => 0.0,
        };
        let mut shown = Self { rest: rods.iter().map(|rod| rod.rest.clone()).collect(), lines: vec![], ribs: vec![] };
        for rod in rods {
            // Re(φ e^{iα}) at α = 0, π, π/2.
            let mut phases = vec![(Deflection::Forth, factor, &rod.shape), (Deflection::Back, -factor, &rod.shape)];
            if !rod.shape_imaginary.is_empty() {
                phases.push((Deflection::Quarter, -factor, &rod.shape_imaginary));
            }
            for (deflection, factor, shape) in phases {
                let line: Vec<[f64; 3]> = rod.rest.iter().zip(shape).map(|(x, u)| plus(*x, factor, *u)).collect();
                if twisted && deflection != Deflection::Quarter && !rod.turn.is_empty() {
                    let ribs = ribs(rod, &line, factor, RIB * size);
                    shown.ribs.extend(ribs.into_iter().map(|rib| (deflection, rib)));
                }
                shown.lines.push((deflection, line));
            }
        }
        shown
    }

    /// All points drawn.
    pub fn points(&self) -> impl Iterator<Item = &[f64; 3]> {
        let moved = self.lines.iter().chain(&self.ribs).flat_map(|(_, line)| line);
        self.rest.iter().flatten().chain(moved)
    }
}

/// Lines of half length `half` across a deflected rod, turned with its cross-sections by the angle of turn about the
/// tangent.
fn ribs(rod: &ShapeField, line: &[[f64; 3]], factor: f64, half: f64) -> Vec<Vec<[f64; 3]>> {
    let (last, count) = (line.len() - 1, RIBS.min(line.len() - 1));
    let rib = |i: usize| {
        let t = tangent(rod, i);
        // Any direction across the rod will do; upright or, for upright rods, along x.
        let aside = if t[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let e = unit(plus(aside, -dot(aside, t), t));
        let angle = factor * dot(rod.turn[i], t);
        let turned = plus(e.map(|c| c * angle.cos()), angle.sin(), cross(t, e));
        vec![plus(line[i], -half, turned), plus(line[i], half, turned)]
    };
    (0..=count).map(|i| rib(i * last / count)).collect()
}

/// Unit tangent of the rod at rest.
fn tangent(rod: &ShapeField, i: usize) -> [f64; 3] {
    let (a, b) = (rod.rest[i.saturating_sub(1)], rod.rest[(i + 1).min(rod.rest.len() - 1)]);
    unit(plus(b, -1.0, a))
}

fn plus(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = norm(a);
    if length > 0.0 { a.map(|c| c / length) } else { [0.0; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn the_largest_displacement_is_a_share_of_the_size() {
        let mode = &forward_sample::plane_modes().modes[1];
        let shown = Shown::new(mode);
        let distance = |(a, b): (&[f64; 3], &[f64; 3])| norm(plus(*a, -1.0, *b));
        for (_, line) in &shown.lines {
            let largest = line.iter().zip(&shown.rest[0]).map(distance).fold(0.0, f64::max);
            assert!((largest - 0.15).abs() < 1e-9, "{largest}");
        }
        assert!(shown.ribs.is_empty() && shown.lines.len() == 2);
    }

    #[test]
    fn pure_twist_is_shown_by_ribs() {
        let modes = forward_sample::space_modes().modes;
        let torsion = modes.iter().find(|mode| mode.rods[0].shape.iter().all(|u| *u == [0.0; 3])).unwrap();
        let shown = Shown::new(torsion);
        assert!(shown.ribs.len() >= 16);
        let length = |rib: &[[f64; 3]]| norm(plus(rib[1], -1.0, rib[0]));
        assert!(shown.ribs.iter().all(|(_, rib)| (length(rib) - 0.16).abs() < 1e-12));
        // The free end, turned about x by 0.7 from upright.
        let (_, end) = shown.ribs.iter().rfind(|(deflection, _)| *deflection == Deflection::Forth).unwrap();
        let angle = (end[0][1] - end[1][1]).atan2(end[1][2] - end[0][2]);
        assert!((angle - TWIST).abs() < 1e-6, "{angle}");
    }

    #[test]
    fn a_complex_shape_is_shown_a_quarter_period_later_too() {
        let mut mode = forward_sample::plane_modes().modes[0].clone();
        mode.rods[0].shape_imaginary = mode.rods[0].shape.iter().map(|u| u.map(|c| 0.5 * c)).collect();
        let shown = Shown::new(&mode);
        let (deflection, line) = &shown.lines[2];
        assert_eq!(*deflection, Deflection::Quarter);
        let (_, forth) = &shown.lines[0];
        assert!((line[40][1] + 0.5 * forth[40][1]).abs() < 1e-12);
    }
}
