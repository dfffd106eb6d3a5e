//! A rope of changing length, which runs over a sheave: a piece of its free part, and the drum with what is stored on it.
//!
//! The free part has the unstressed length ℓ = ℓ₀ ± w, where w is the length paid out since the reference configuration. Its
//! nodes keep their fractions ξ of ℓ, 0 at the sheave and 1 at the other end, and the material runs through them: the material
//! point at the distance σ from that end is at ξ = 1 − σ/ℓ, so it moves with
//!
//! v = ∂x/∂t + (1 − ξ) (ℓ̇/ℓ) ∂x/∂ξ,
//!
//! and the kinetic energy of the free part is ½ ρA ∫ |v|² ℓ dξ (ρA per unstressed length). The rope on the drum moves with the
//! sheave and turns with the drum, ½ ρA (S − w) (|ẋ|² + ẇ²), so that free and stored rope together are a closed system:
//! Hamilton's principle for it contains what the momentum of the rope that runs through the sheave does there. With the stretch
//! ν, its force n = ψ'(ν) and the rate ẇ just below the sheave the free rope pulls there with
//!
//! n t − ρA ẇ (v − ẋ) = (n − ρA ν ẇ²) t on the carrier of the sheave, and nν − ψ − ½ρA (ν² − 1) ẇ² on w
//!
//! (the jump conditions of a moving material boundary: Crellin, Janssens, Poelaert, Steiner, Troger, "On balance and variational
//! formulations of the equation of motion of a body deploying along a cable", J. Appl. Mech. 64, 1997). A drum on which the rope
//! does not slip turns by ν ẇ per radius and lies in the rope's own tension, so that its torque is radius times n; the difference
//! nν − ψ − n, about half the strain times n, is the strain energy that the stored rope keeps: [`ReevedElement::kept`].

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::local::Order;
use super::shape::gauss;
use crate::geometry::algebra::{Vector, add, dot, lifted, scale, sub};
use crate::material::{AxialLaw, Law};
use crate::scalar::Scalar;

/// Derivatives by (x₀, x₁, w).
pub type Slope = SVector<f64, 7>;
/// Second derivatives by (x₀, x₁, w).
pub type Curvature = SMatrix<f64, 7, 7>;

/// Two-node element of the free part of a rope.
#[derive(Debug, Clone)]
pub struct ReevedElement {
    /// ξ of its nodes.
    pub span: [f64; 2],
    /// ℓ₀: unstressed length of the whole free part where w = 0, metre.
    pub free: f64,
    /// 1 of a rope that gets longer as w grows, −1 of one that runs in on the other side of the sheave.
    pub sign: f64,
    /// ρA, kg per metre of unstressed length.
    pub mass: f64,
    /// Stretch of the unstressed state, 1 unless prestrained.
    pub rest: f64,
    /// Axial stiffness EA, newton.
    pub axial: f64,
    /// Axial law.
    pub law: Law,
}

/// A drum or sheave with the rope stored on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reel {
    /// Inertia over the square of the radius, kg.
    pub inertia: f64,
    /// S: length of the stored rope where w = 0, metre.
    pub stored: f64,
    /// ρA of the stored rope, kg/m; zero where what leaves one side comes from the other.
    pub mass: f64,
}

/// A kinetic energy with its derivatives by (x₀, x₁, w; ẋ₀, ẋ₁, ẇ).
#[derive(Debug, Clone)]
pub struct Kinetic {
    /// T, joule.
    pub energy: f64,
    /// Its derivatives.
    pub gradient: SVector<f64, 14>,
    /// Its second derivatives.
    pub hessian: SMatrix<f64, 14, 14>,
}

impl Kinetic {
    fn none() -> Self {
        Self { energy: 0.0, gradient: SVector::zeros(), hessian: SMatrix::zeros() }
    }

    fn vector(&mut self, row: usize, value: &Vector3<f64>) {
        let mut rows = self.gradient.fixed_rows_mut::<3>(row);
        rows += value;
    }

    /// Adds to the block of two vectors.
    fn block(&mut self, row: usize, col: usize, diagonal: f64) {
        (0..3).for_each(|c| self.hessian[(row + c, col + c)] += diagonal);
    }

    /// Adds to the block of a vector and a number, and to its transpose.
    fn mixed(&mut self, row: usize, col: usize, value: &Vector3<f64>) {
        for c in 0..3 {
            self.hessian[(row + c, col)] += value[c];
            self.hessian[(col, row + c)] += value[c];
        }
    }
}

/// Places of w, of the velocities and of ẇ among the fourteen.
const W: usize = 6;
const RATES: usize = 7;
const W_RATE: usize = 13;

impl ReevedElement {
    fn share(&self) -> f64 {
        self.span[1] - self.span[0]
    }

    /// Unstressed length of the element, metre.
    pub fn length_over<T: Scalar>(&self, w: T) -> T {
        (w * self.sign + self.free) * self.share()
    }

    /// ν.
    pub fn stretch_over<T: Scalar>(&self, ends: [Vector<T>; 2], w: T) -> T {
        let chord = sub(ends[1], ends[0]);
        dot(chord, chord).sqrt() / self.length_over(w)
    }

    /// Stored energy, joule.
    pub fn energy_over<T: Scalar>(&self, ends: [Vector<T>; 2], w: T) -> T {
        self.length_over(w) * self.law.energy(self.axial, self.stretch_over(ends, w) + (1.0 - self.rest))
    }

    /// −ρA ∫ g·x ds, joule.
    pub fn weight_over<T: Scalar>(&self, ends: [Vector<T>; 2], w: T, gravity: &Vector3<f64>) -> T {
        let pull = lifted(w, &(gravity * (-0.5 * self.mass)));
        self.length_over(w) * dot(pull, add(ends[0], ends[1]))
    }

    /// ½ ρA ∫ |v|² ds, joule.
    pub fn kinetic_over<T: Scalar>(&self, ends: [Vector<T>; 2], rates: [Vector<T>; 2], w: [T; 2]) -> T {
        let (share, [w, rate]) = (self.share(), w);
        let length = w * self.sign + self.free;
        let along = scale(rate * (self.sign / share) / length, sub(ends[1], ends[0]));
        let point = |(place, weight): (f64, f64)| {
            let inside = add(rates[0].map(|v| v * (1.0 - place)), rates[1].map(|v| v * place));
            let v = add(inside, along.map(|x| x * (1.0 - self.span[0] - place * share)));
            dot(v, v) * (0.5 * self.mass * share * weight)
        };
        length * gauss(2).into_iter().map(point).fold(w.lift(0.0), |sum, part| sum + part)
    }

    /// Energy with its derivatives as far as `order` asks.
    pub fn elastic(&self, ends: [Vector3<f64>; 2], w: f64, order: Order) -> (f64, Slope, Curvature) {
        let (length, chord) = (self.length_over(w), ends[1] - ends[0]);
        let stretch = self.stretch_over(ends.map(Into::into), w);
        let elastic = stretch + (1.0 - self.rest);
        let density = self.law.energy(self.axial, elastic);
        let (mut slope, mut curvature) = (Slope::zeros(), Curvature::zeros());
        if order == Order::Energy {
            return (length * density, slope, curvature);
        }
        let by_w = self.sign * self.share();
        let (force, tangent) = (self.law.force(self.axial, elastic), self.law.tangent(self.axial, elastic));
        let unit = chord / (stretch * length);
        slope.fixed_rows_mut::<3>(0).copy_from(&(unit * -force));
        slope.fixed_rows_mut::<3>(3).copy_from(&(unit * force));
        slope[W] = by_w * (density - force * stretch);
        if order == Order::Hessian {
            let along = unit * unit.transpose();
            let stiffness = along * (tangent / length) + (Matrix3::identity() - along) * (force / (length * stretch));
            let mixed = unit * (-by_w * tangent * stretch / length);
            put(&mut curvature, &stiffness, &mixed);
            curvature[(W, W)] = by_w * by_w * tangent * stretch * stretch / length;
        }
        (length * density, slope, curvature)
    }

    /// Potential of the weight with its derivatives.
    pub fn weight(&self, ends: [Vector3<f64>; 2], w: f64, gravity: &Vector3<f64>) -> (f64, Slope, Curvature) {
        let (length, by_w) = (self.length_over(w), self.sign * self.share());
        let (pull, middle) = (gravity * (-0.5 * self.mass), ends[0] + ends[1]);
        let (mut slope, mut curvature) = (Slope::zeros(), Curvature::zeros());
        for first in [0, 3] {
            slope.fixed_rows_mut::<3>(first).copy_from(&(pull * length));
            for c in 0..3 {
                (curvature[(first + c, W)], curvature[(W, first + c)]) = (pull[c] * by_w, pull[c] * by_w);
            }
        }
        slope[W] = by_w * pull.dot(&middle);
        (length * pull.dot(&middle), slope, curvature)
    }

    /// ν with its derivatives.
    pub fn stretch(&self, ends: [Vector3<f64>; 2], w: f64) -> (f64, Slope) {
        let (length, chord) = (self.length_over(w), ends[1] - ends[0]);
        let stretch = self.stretch_over(ends.map(Into::into), w);
        let by_end = chord / (stretch * length * length);
        let mut slope = Slope::zeros();
        slope.fixed_rows_mut::<3>(0).copy_from(&-by_end);
        slope.fixed_rows_mut::<3>(3).copy_from(&by_end);
        slope[W] = -stretch / length * self.sign * self.share();
        (stretch, slope)
    }

    /// n, newton, and nν − ψ − n, what the stored rope keeps of its strain energy per length, with the derivative of the latter by ν.
    pub fn kept(&self, stretch: f64) -> [f64; 3] {
        let elastic = stretch + (1.0 - self.rest);
        let (force, tangent) = (self.law.force(self.axial, elastic), self.law.tangent(self.axial, elastic));
        let kept = force * (stretch - 1.0) - self.law.energy(self.axial, elastic);
        [force, kept, tangent * (stretch - 1.0)]
    }

    /// Kinetic energy with its derivatives: T = ½ Σ m |U|²/ℓ at Gauss points, U = ℓ Σ Nᵢ ẋᵢ + (1 − ξ) ℓ̇ ∂x/∂ξ.
    pub fn kinetic(&self, ends: [Vector3<f64>; 2], rates: [Vector3<f64>; 2], w: [f64; 2]) -> Kinetic {
        let (share, sign) = (self.share(), self.sign);
        let (length, length_rate) = (self.free + sign * w[0], sign * w[1]);
        let slope = (ends[1] - ends[0]) / share;
        let mut out = Kinetic::none();
        for (place, weight) in gauss(2) {
            let n = [1.0 - place, place];
            let run = 1.0 - self.span[0] - place * share;
            let d = [-1.0 / share, 1.0 / share];
            let velocity = rates[0] * n[0] + rates[1] * n[1];
            let u = velocity * length + slope * (run * length_rate);
            // m U/ℓ and m/ℓ.
            let m = self.mass * share * weight / length;
            let p = u * m;
            out.energy += 0.5 * p.dot(&u);
            // ∂U by the vectors are multiples of the unit matrix.
            let places = [0, 3, RATES, RATES + 3];
            let by = [run * length_rate * d[0], run * length_rate * d[1], length * n[0], length * n[1]];
            for (i, row) in places.into_iter().enumerate() {
                out.vector(row, &(p * by[i]));
                (0..4).for_each(|j| out.block(row, places[j], m * by[i] * by[j]));
                let with_w = velocity * (m * by[i]) - p * (by[i] / length);
                let with_rate = slope * (m * by[i] * run);
                let turned = if i < 2 { [0.0, run * d[i]] } else { [n[i - 2], 0.0] };
                out.mixed(row, W, &((with_w + p * turned[0]) * sign));
                out.mixed(row, W_RATE, &((with_rate + p * turned[1]) * sign));
            }
            out.gradient[W] += sign * (p.dot(&velocity) - 0.5 * p.dot(&u) / length);
            out.gradient[W_RATE] += sign * run * p.dot(&slope);
            out.hessian[(W, W)] +=
                m * velocity.norm_squared() - 2.0 * p.dot(&velocity) / length + p.dot(&u) / (length * length);
            let mixed = run * (m * velocity.dot(&slope) - p.dot(&slope) / length);
            out.hessian[(W, W_RATE)] += mixed;
            out.hessian[(W_RATE, W)] += mixed;
            out.hessian[(W_RATE, W_RATE)] += m * run * run * slope.norm_squared();
        }
        out
    }
}

/// Writes the second derivatives by x₁ (and by x₀, of which only x₁ − x₀ counts) and their mixed part with w.
fn put(out: &mut Curvature, stiffness: &Matrix3<f64>, mixed: &Vector3<f64>) {
    for (row, sign) in [(0, -1.0), (3, 1.0)] {
        for (col, other) in [(0, -1.0), (3, 1.0)] {
            out.fixed_view_mut::<3, 3>(row, col).copy_from(&(stiffness * (sign * other)));
        }
        for c in 0..3 {
            (out[(row + c, W)], out[(W, row + c)]) = (sign * mixed[c], sign * mixed[c]);
        }
    }
}

impl Reel {
    /// ½ ρA (S − w) (|ẋ|² + ẇ²) + ½ (J/R²) ẇ², joule.
    pub fn kinetic_over<T: Scalar>(&self, rate: Vector<T>, w: [T; 2]) -> T {
        let stored = (w[0] * -1.0 + self.stored) * self.mass;
        (stored * (dot(rate, rate) + w[1].square()) + w[1].square() * self.inertia) * 0.5
    }

    /// −ρA (S − w) g·x, joule.
    pub fn weight_over<T: Scalar>(&self, x: Vector<T>, w: T, gravity: &Vector3<f64>) -> T {
        (w - self.stored) * dot(lifted(w, &(gravity * self.mass)), x)
    }

    /// Kinetic energy with its derivatives; those by x₁ and ẋ₁ vanish.
    pub fn kinetic(&self, rate: Vector3<f64>, w: [f64; 2]) -> Kinetic {
        let stored = (self.stored - w[0]) * self.mass;
        let squares = rate.norm_squared() + w[1] * w[1];
        let mut out = Kinetic::none();
        out.energy = 0.5 * (stored * squares + self.inertia * w[1] * w[1]);
        out.vector(RATES, &(rate * stored));
        out.gradient[W] = -0.5 * self.mass * squares;
        out.gradient[W_RATE] = (stored + self.inertia) * w[1];
        out.block(RATES, RATES, stored);
        out.mixed(RATES, W, &(rate * -self.mass));
        out.hessian[(W_RATE, W_RATE)] = stored + self.inertia;
        out.hessian[(W, W_RATE)] = -self.mass * w[1];
        out.hessian[(W_RATE, W)] = -self.mass * w[1];
        out
    }

    /// Potential of the weight with its derivatives.
    pub fn weight(&self, x: Vector3<f64>, w: f64, gravity: &Vector3<f64>) -> (f64, Slope, Curvature) {
        let pull = gravity * self.mass;
        let (mut slope, mut curvature) = (Slope::zeros(), Curvature::zeros());
        slope.fixed_rows_mut::<3>(0).copy_from(&(pull * (w - self.stored)));
        slope[W] = pull.dot(&x);
        for c in 0..3 {
            (curvature[(c, W)], curvature[(W, c)]) = (pull[c], pull[c]);
        }
        ((w - self.stored) * pull.dot(&x), slope, curvature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::derivative::second_order;
    use crate::material::LawSpec;

    fn element(law: LawSpec) -> ReevedElement {
        let law = Law::build(law);
        ReevedElement { span: [0.3, 0.55], free: 2.0, sign: -1.0, mass: 0.7, rest: 0.98, axial: 5.0, law }
    }

    const AT: [f64; 7] = [0.1, -0.2, 0.3, 0.35, -0.6, 0.55, 0.2];
    const RATE: [f64; 7] = [0.4, 0.7, -0.3, 0.2, -0.5, 0.9, 1.1];

    fn vectors(x: &[f64; 7]) -> [Vector3<f64>; 2] {
        [Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5])]
    }

    fn ends<T: Copy>(x: &[T]) -> [Vector<T>; 2] {
        [[x[0], x[1], x[2]], [x[3], x[4], x[5]]]
    }

    fn close<const N: usize>(own: &SVector<f64, N>, other: &SVector<f64, N>) {
        assert!((own - other).amax() < 1e-12 * (1.0 + other.amax()), "{own} {other}");
    }

    fn alike<const N: usize>(own: &SMatrix<f64, N, N>, other: &SMatrix<f64, N, N>) {
        assert!((own - other).amax() < 1e-11 * (1.0 + other.amax()), "{own} {other}");
    }

    /// Against second-order dual numbers of what is written over any scalar.
    #[test]
    fn derivatives_by_hand_are_those_of_dual_numbers() {
        let gravity = Vector3::new(0.3, -9.0, 2.0);
        for law in [LawSpec::Quadratic, LawSpec::Logarithmic] {
            let element = element(law);
            let (energy, slope, curvature) = element.elastic(vectors(&AT), AT[6], Order::Hessian);
            let (e, g, h) = second_order(|x: [_; 7]| element.energy_over(ends(&x), x[6]), AT);
            assert!((energy - e).abs() < 1e-14);
            close(&slope, &g);
            alike(&curvature, &h);
            let (energy, slope, curvature) = element.weight(vectors(&AT), AT[6], &gravity);
            let (e, g, h) = second_order(|x: [_; 7]| element.weight_over(ends(&x), x[6], &gravity), AT);
            assert!((energy - e).abs() < 1e-13);
            close(&slope, &g);
            alike(&curvature, &h);
            let (stretch, slope) = element.stretch(vectors(&AT), AT[6]);
            let (value, g, _) = second_order(|x: [_; 7]| element.stretch_over(ends(&x), x[6]), AT);
            assert!((stretch - value).abs() < 1e-14);
            close(&slope, &g);
            // n and nν − ψ − n from the derivatives of the energy by x₁ and the unstressed length.
            let (_, slope, _) = element.elastic(vectors(&AT), AT[6], Order::Gradient);
            let [force, kept, by_stretch] = element.kept(stretch);
            assert!((force - slope.fixed_rows::<3>(3).norm()).abs() < 1e-12);
            assert!((kept + force + slope[W] / (element.sign * element.share())).abs() < 1e-12);
            let [above, below] = [1e-6, -1e-6].map(|step| element.kept(stretch + step)[1]);
            assert!((by_stretch - (above - below) / 2e-6).abs() < 1e-7);
        }
    }

    #[test]
    fn kinetic_energies_have_the_derivatives_of_dual_numbers() {
        let element = element(LawSpec::Quadratic);
        let all: [f64; 14] = std::array::from_fn(|i| if i < 7 { AT[i] } else { RATE[i - 7] });
        let own = element.kinetic(vectors(&AT), vectors(&RATE), [AT[6], RATE[6]]);
        let of = |x: [_; 14]| element.kinetic_over(ends(&x[..6]), ends(&x[7..13]), [x[6], x[13]]);
        let (e, g, h) = second_order(of, all);
        assert!((own.energy - e).abs() < 1e-14);
        close(&own.gradient, &g);
        alike(&own.hessian, &h);
        let reel = Reel { inertia: 2.0, stored: 1.5, mass: 0.4 };
        let own = reel.kinetic(vectors(&RATE)[0], [AT[6], RATE[6]]);
        let (e, g, h) = second_order(|x: [_; 14]| reel.kinetic_over([x[7], x[8], x[9]], [x[6], x[13]]), all);
        assert!((own.energy - e).abs() < 1e-14);
        close(&own.gradient, &g);
        alike(&own.hessian, &h);
        let gravity = Vector3::new(0.3, -9.0, 2.0);
        let (energy, slope, curvature) = reel.weight(vectors(&AT)[0], AT[6], &gravity);
        let (e, g, h) = second_order(|x: [_; 7]| reel.weight_over([x[0], x[1], x[2]], x[6], &gravity), AT);
        assert!((energy - e).abs() < 1e-14);
        close(&slope, &g);
        alike(&curvature, &h);
    }

    /// A straight rope that runs out along itself at the rate c moves as a whole with c: ½ ρA ℓ c².
    #[test]
    fn rope_that_runs_out_straight_moves_as_a_whole() {
        let part = |span: [f64; 2]| ReevedElement { span, sign: 1.0, rest: 1.0, ..element(LawSpec::Quadratic) };
        let (c, w) = (0.8, 0.5);
        let x = |xi: f64| Vector3::new(0.0, 0.6, -0.8) * (xi * (2.0 + w));
        let v = |xi: f64| Vector3::new(0.0, 0.6, -0.8) * (xi * c);
        let sum: f64 = [[0.0, 0.2], [0.2, 0.7], [0.7, 1.0]]
            .into_iter()
            .map(|span| part(span).kinetic(span.map(x), span.map(v), [w, c]).energy)
            .sum();
        assert!((sum - 0.5 * 0.7 * 2.5 * c * c).abs() < 1e-15);
    }
}
