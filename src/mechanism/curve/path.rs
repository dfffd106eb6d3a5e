//! A path given by expressions, by arc length and with a rotation-minimising frame.
//!
//! For the path r(u) with speed v = |r_u| and unit tangent t = r_u/v, the frame that turns least obeys p_u = ½ ω p with
//! the angular velocity ω = t × t_u = r_u × r_uu/v² in space, and the arc length σ_u = v. Both are integrated piece by
//! piece by collocation at Chebyshev points; the director d₃ is then put on the tangent.

use nalgebra::Vector3;

use super::interpolant::{POINTS, integration, interpolate, pieces, place, points, tail};
use super::{CurveError, directors};
use crate::geometry::{Pose, Quaternion};
use crate::kernel::Profile;

const NAMES: [&str; 3] = ["x", "y", "z"];
/// Speed below which the path stands still, relative to its largest speed.
const STANDSTILL: f64 = 1e-9;

/// What a piece stores at each point: r, p, σ and dσ/dx.
type Values = [[f64; 9]; POINTS];
const SIGMA: usize = 7;
const SLOPE: usize = 8;

#[derive(Debug)]
pub(super) struct Path {
    points: [f64; POINTS],
    /// σ at the start of each piece, and the piece.
    pieces: Vec<(f64, Box<Values>)>,
    length: f64,
}

/// Position and its first two derivatives by the parameter.
struct Point {
    r: Vector3<f64>,
    slope: Vector3<f64>,
    second: Vector3<f64>,
}

impl Point {
    fn at(coordinates: &[Profile; 3], u: f64) -> Result<Point, CurveError> {
        let mut point = Point { r: Vector3::zeros(), slope: Vector3::zeros(), second: Vector3::zeros() };
        for (c, profile) in coordinates.iter().enumerate() {
            let jet = (profile.jet_along(u, 0.0))
                .map_err(|error| CurveError::Evaluation { what: NAMES[c], error: Box::new(error) })?;
            (point.r[c], point.slope[c], point.second[c]) = (jet.value, jet.first, jet.second);
        }
        Ok(point)
    }
}

/// The path at one Chebyshev point, before integration.
#[derive(Clone, Copy)]
struct Sample {
    r: Vector3<f64>,
    tangent: Vector3<f64>,
    speed: f64,
    /// ω per unit of the parameter.
    turning: Vector3<f64>,
}

impl Path {
    pub(super) fn new(
        coordinates: &[Profile; 3],
        range: f64,
        normal: Option<Vector3<f64>>,
    ) -> Result<Self, CurveError> {
        if let Some(c) = (0..3).find(|&c| coordinates[c].varies_in_time()) {
            return Err(CurveError::VariesInTime { what: NAMES[c] });
        }
        let scale = Scale::of(coordinates, range)?;
        let points = points();
        let sample = |a: f64, b: f64| {
            let mut samples = [Sample::NOWHERE; POINTS];
            for (sample, x) in samples.iter_mut().zip(points) {
                *sample = Sample::at(coordinates, place(a, b, x), &scale)?;
            }
            Ok((samples, missed(&samples, b - a, &scale)))
        };
        let samples = pieces(range, sample, |s| CurveError::Corner { s })?;
        let start = directors(samples[0].2[0].tangent, normal)?;
        let mut path = Self { points, pieces: Vec::with_capacity(samples.len()), length: 0.0 };
        path.integrate(&samples, start);
        // A path given by arc length keeps the length it was given.
        if (path.length - range).abs() <= 1e-12 * range {
            path.length = range;
        }
        Ok(path)
    }

    pub(super) fn length(&self) -> f64 {
        self.length
    }

    fn integrate(&mut self, samples: &[(f64, f64, [Sample; POINTS])], start: Quaternion) {
        let integral = integration();
        let (mut p, mut sigma) = (start, 0.0);
        for (a, b, piece) in samples {
            let half = 0.5 * (b - a);
            let frames = frames(p, piece, half, &integral);
            let mut values: Box<Values> = Box::new([[0.0; 9]; POINTS]);
            for (i, value) in values.iter_mut().enumerate() {
                let arc: f64 = (0..POINTS).map(|j| integral[i][j] * piece[j].speed).sum();
                value[..3].copy_from_slice(piece[i].r.as_slice());
                value[3..7].copy_from_slice(&frames[i].to_array());
                value[SIGMA] = sigma + half * arc;
                value[SLOPE] = half * piece[i].speed;
            }
            let begin = sigma;
            (p, sigma) = (frames[POINTS - 1], values[POINTS - 1][SIGMA]);
            self.pieces.push((begin, values));
        }
        self.length = sigma;
    }

    /// Axis and directors at the arc length s; outside the path those of its end.
    pub(super) fn pose(&self, s: f64) -> Pose {
        let after = self.pieces.partition_point(|(begin, _)| *begin <= s);
        let values = &self.pieces[after.saturating_sub(1)].1;
        let value = self.solve(values, s);
        let position = Vector3::new(value[0], value[1], value[2]);
        Pose { position, orientation: Quaternion::from_slice(&value[3..7]).normalised() }
    }

    /// The values where σ = s: Newton's method, kept in a bracket.
    fn solve(&self, values: &Values, s: f64) -> [f64; 9] {
        let (first, last) = (values[0][SIGMA], values[POINTS - 1][SIGMA]);
        let (mut low, mut high) = (-1.0, 1.0);
        let mut x = (2.0 * (s - first) / (last - first) - 1.0).clamp(-1.0, 1.0);
        let mut value = interpolate(&self.points, values, x);
        for _ in 0..60 {
            let excess = value[SIGMA] - s;
            if excess.abs() <= 2.0 * f64::EPSILON * self.length {
                break;
            }
            if excess > 0.0 {
                high = x
            } else {
                low = x
            }
            let newton = x - excess / value[SLOPE];
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if next == x {
                break;
            }
            x = next;
            value = interpolate(&self.points, values, x);
        }
        value
    }
}

/// Sizes that errors are relative to.
struct Scale {
    /// Largest distance from the origin, and at least the range times the speed: metre.
    size: f64,
    /// Largest speed.
    speed: f64,
}

impl Scale {
    fn of(coordinates: &[Profile; 3], range: f64) -> Result<Scale, CurveError> {
        let (mut size, mut speed) = (0.0_f64, 0.0_f64);
        for k in 0..=256 {
            let point = Point::at(coordinates, range * f64::from(k) / 256.0)?;
            (size, speed) = (size.max(point.r.norm()), speed.max(point.slope.norm()));
        }
        if speed == 0.0 { Err(CurveError::ZeroLength) } else { Ok(Scale { size: size.max(speed * range), speed }) }
    }
}

impl Sample {
    const NOWHERE: Sample = Sample {
        r: Vector3::new(0.0, 0.0, 0.0),
        tangent: Vector3::new(0.0, 0.0, 0.0),
        speed: 0.0,
        turning: Vector3::new(0.0, 0.0, 0.0),
    };

    fn at(coordinates: &[Profile; 3], u: f64, scale: &Scale) -> Result<Sample, CurveError> {
        let Point { r, slope, second } = Point::at(coordinates, u)?;
        let speed = slope.norm();
        if !(speed > STANDSTILL * scale.speed) {
            return Err(CurveError::TangentVanishes { s: u });
        }
        let tangent = slope / speed;
        Ok(Sample { r, tangent, speed, turning: tangent.cross(&second) / speed })
    }
}

/// What the polynomials through the samples miss: of position and arc length relative to the size, of angles in radian.
fn missed(samples: &[Sample; POINTS], width: f64, scale: &Scale) -> f64 {
    let integrated = 0.5 * width / POINTS as f64;
    let mut most = integrated * tail(&samples.map(|s| s.speed)) / scale.size;
    for c in 0..3 {
        let position = tail(&samples.map(|s| s.r[c])) / scale.size;
        let tangent = tail(&samples.map(|s| s.tangent[c]));
        let turning = integrated * tail(&samples.map(|s| s.turning[c]));
        most = most.max(position).max(tangent).max(turning);
    }
    // Picard's iteration needs turns below about one radian.
    let turn = samples.iter().fold(0.0, |turn: f64, s| turn.max(s.turning.norm())) * width;
    if turn > 1.0 { most.max(turn) } else { most }
}

/// p_u = ½ ω p over a piece, by Picard's iteration of p(x) = p(−1) + ½ ∫ω p, whose error falls like turnᵏ/k!.
fn frames(
    start: Quaternion,
    piece: &[Sample; POINTS],
    half: f64,
    integral: &[[f64; POINTS]; POINTS],
) -> [Quaternion; POINTS] {
    let mut p = [start; POINTS];
    for _ in 0..40 {
        let rates: [Quaternion; POINTS] =
            std::array::from_fn(|j| Quaternion { re: 0.0, im: piece[j].turning * (0.5 * half) } * p[j]);
        let next: [Quaternion; POINTS] =
            std::array::from_fn(|i| (0..POINTS).fold(start, |sum, j| sum + rates[j] * integral[i][j]));
        let change = (0..POINTS).fold(0.0, |most: f64, j| most.max((next[j] + p[j] * -1.0).norm_squared()));
        p = next;
        if change <= 1e-34 {
            break;
        }
    }
    std::array::from_fn(|j| onto(p[j].normalised(), piece[j].tangent))
}

/// Turned by the smallest rotation that puts d₃ on the tangent, which is close to it.
fn onto(p: Quaternion, tangent: Vector3<f64>) -> Quaternion {
    let d3 = p.rotate(Vector3::z());
    let turn = Quaternion { re: 1.0 + d3.dot(&tangent), im: d3.cross(&tangent) };
    turn.normalised() * p
}
