//! The assembly (numbers, hand-written derivatives) and the transcription (expressions of a graph) of the same mechanism agree:
//! generalised forces, damping, kinetic energy, conditions and their derivatives, at random states of random mechanisms.
#![allow(clippy::unwrap_used, clippy::panic)]

mod mechanisms;

use lariat::discretisation::assembly::{Instant, Stream};
use lariat::discretisation::transcription::multibody::Multibody;
use lariat::discretisation::transcription::{At, Mechanics};
use lariat::nlp::Nlp;
use lariat::nlp::graph::{Expr, Graph};
use lariat::problem::{Question, load};
use lariat::terms::{NodeKind, Order};
use mechanisms::{Random, mechanism};
use nalgebra::{Matrix6, Quaternion, Vector3, Vector6};

/// Number of random mechanisms.
const COUNT: u64 = 20;

/// A mechanism at a state, in the words of either engine.
struct Case {
    body: Multibody,
    /// Coordinates of the transcription, and rates.
    q: Vec<f64>,
    v: Vec<f64>,
    t: f64,
    /// Where each coordinate of the transcription is among those of the assembly.
    places: Vec<usize>,
    /// Coordinates of the assembly, and velocities of its freedoms.
    whole: Vec<f64>,
    speeds: Vec<f64>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let text = mechanism(seed);
        let problem = load("x.toml", &text, &[]).unwrap_or_else(|found| panic!("{seed}: {found}\n{text}"));
        let Question::OptimalControl(system) = problem.question else { panic!("{seed}: another question") };
        let body = Multibody::clone(system.multibody.as_ref().unwrap());
        // Supports that move turn back then: they cause no damping forces of their own.
        let (t, mut random) = (std::f64::consts::FRAC_PI_3, Random(1000 + seed));
        let (assembly, reference) = (body.assembly(), body.reference());
        let zero = body.whole(&vec![0.0; reference.len()], t);
        let place = |i: usize| {
            let mut one = vec![0.0; reference.len()];
            one[i] = 7.0;
            let moved = body.whole(&one, t);
            (0..zero.len()).find(|c| moved[*c] != zero[*c]).unwrap()
        };
        let places: Vec<usize> = (0..reference.len()).map(place).collect();
        // Away from the reference by motions of the free nodes; the nodes that supports hold stay.
        let start = body.whole(&reference, t);
        let free = |node: usize| places.contains(&assembly.layout.coordinate(node));
        let mut change = vec![0.0; assembly.layout.freedom_count()];
        let mut speeds = change.clone();
        for node in (0..assembly.layout.nodes()).filter(|node| free(*node)) {
            let first = assembly.layout.freedom(node);
            for freedom in first..first + assembly.layout.kind(node).freedoms() {
                change[freedom] = 0.1 * random.next();
                speeds[freedom] = random.next();
            }
        }
        let mut whole = start.clone();
        assembly.layout.retract(&start, &change, &mut whole);
        let rates = rates(&body, &whole, &speeds);
        let [q, v] = [&whole, &rates].map(|all| places.iter().map(|place| all[*place]).collect());
        Self { q, v, t, places, whole, speeds, body }
    }

    /// Values of expressions at the state; `moving` says whether with rates.
    fn values(&self, moving: bool, formula: impl for<'g> Fn(&Multibody, &At<'g>) -> Vec<Expr<'g>>) -> Vec<f64> {
        let graph = Graph::new();
        let list = |name: &str, count: usize| -> Vec<Expr<'_>> {
            (0..count).map(|i| graph.variable(format!("{name}{i}"), 0.0, f64::NEG_INFINITY, f64::INFINITY)).collect()
        };
        let (q, v) = (list("q", self.q.len()), list("v", self.q.len()));
        let u = vec![graph.constant(0.0); self.body.controls().len()];
        let at = At { graph: &graph, q, v, u, t: graph.constant(self.t) };
        let found = formula(&self.body, &at);
        let count = found.len();
        found.into_iter().for_each(|value| graph.subject_to("value", value, 0.0, 0.0));
        let mut program = graph.build();
        let still = vec![0.0; self.v.len()];
        let x = [self.q.as_slice(), if moving { &self.v } else { &still }].concat();
        let mut rows = vec![0.0; count];
        program.constraints(&x, &mut rows).unwrap();
        rows
    }

    /// A force of the transcription as one on the freedoms of the assembly: by virtual power with the motion of each freedom.
    fn by_freedom(&self, force: &[f64]) -> Vec<f64> {
        let layout = &self.body.assembly().layout;
        let mut all = vec![0.0; layout.coordinate_count()];
        self.places.iter().zip(force).for_each(|(place, force)| all[*place] = *force);
        let direction = |freedom: usize| {
            let mut one = vec![0.0; layout.freedom_count()];
            one[freedom] = 1.0;
            rates(&self.body, &self.whole, &one)
        };
        let power = |freedom: usize| direction(freedom).iter().zip(&all).map(|(rate, force)| rate * force).sum();
        (0..layout.freedom_count()).map(power).collect()
    }

    /// The fluid at the state with these rates.
    fn stream<'a>(&'a self, rates: &'a [f64]) -> Stream<'a> {
        let (current, factor) = self.body.assembly().current(Instant { t: self.t, factor: 1.0 }).unwrap();
        Stream { q: &self.whole, rates, current, factor }
    }

    /// Freedoms of nodes that move.
    fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        let layout = &self.body.assembly().layout;
        (0..layout.freedom_count()).filter(|f| self.places.contains(&layout.coordinate(layout.node_of_freedom(*f).0)))
    }

    #[track_caller]
    fn agree(&self, seed: u64, what: &str, found: &[f64], known: &[f64], tolerance: f64) {
        let size = known.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
        for freedom in self.moving() {
            let off = (found[freedom] - known[freedom]).abs();
            let name = self.body.assembly().freedom_name(freedom);
            assert!(
                off <= tolerance * size,
                "mechanism {seed}, {what} of {name}: {} {}",
                found[freedom],
                known[freedom]
            );
        }
    }
}

/// Rates of coordinates from velocities of freedoms: ẋ = v, θ̇ = ω, ṗ = ½ p Ω.
fn rates(body: &Multibody, q: &[f64], speeds: &[f64]) -> Vec<f64> {
    let layout = &body.assembly().layout;
    let mut rates = vec![0.0; q.len()];
    for node in 0..layout.nodes() {
        let (kind, at, first) = (layout.kind(node), layout.coordinate(node), layout.freedom(node));
        let additive = kind.coordinates().min(3);
        rates[at..at + additive].copy_from_slice(&speeds[first..first + additive]);
        if kind == NodeKind::SpaceFrame {
            let p = Quaternion::new(q[at + 3], q[at + 4], q[at + 5], q[at + 6]);
            let spin = Quaternion::new(0.0, speeds[first + 3], speeds[first + 4], speeds[first + 5]);
            let rate = p * spin * 0.5;
            rates[at + 3..at + 7].copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
        }
    }
    rates
}

#[test]
fn generalised_forces_agree() {
    for seed in 0..COUNT {
        let case = Case::new(seed);
        let assembly = case.body.assembly();
        let mut wrenches = Vec::new();
        assembly.wrenches(Instant { t: case.t, factor: 1.0 }, &mut wrenches).unwrap();
        let mut forces = assembly.forces();
        let loads = Some((wrenches.as_slice(), 1.0));
        assembly.evaluate(&case.whole, Order::Gradient, |_| true, |_| None, &[], loads, &mut forces).unwrap();
        let rest = vec![0.0; case.whole.len()];
        assembly.add_drag(&case.stream(&rest), &mut forces.other);
        let known: Vec<f64> = forces.gradient.iter().zip(&forces.other).map(|(a, b)| -a - b).collect();
        let found = case.values(false, |body, at| {
            let slopes = at.graph.gradient(body.lagrangian(at), &at.q);
            slopes.into_iter().zip(body.forces(at)).map(|(slope, force)| slope + force).collect()
        });
        case.agree(seed, "force", &case.by_freedom(&found), &known, 1e-10);
    }
}

#[test]
fn damping_agrees() {
    let (mut damped, mut in_fluid) = (0, 0);
    for seed in 0..COUNT {
        let case = Case::new(seed);
        let assembly = case.body.assembly();
        let layout = &assembly.layout;
        let mut known = vec![0.0; layout.freedom_count()];
        let mut b = [Matrix6::zeros(); 7];
        for element in assembly.elements.iter().filter(|element| element.damped) {
            damped += 1;
            for point in 0..element.points() {
                element.strain_matrices(layout, &case.whole, point, &mut b);
                let mut rate = Vector6::zeros();
                for (b, end) in b.iter().zip(&element.ends) {
                    let (first, count) = (layout.freedom(end.node), layout.kind(end.node).freedoms());
                    rate += b * Vector6::from_fn(|i, _| if i < count { case.speeds[first + i] } else { 0.0 });
                }
                let strain = element.strain(layout, &case.whole, point);
                let stress = element.viscous(point, &strain, &rate) * element.weight(point);
                for (b, end) in b.iter().zip(&element.ends) {
                    let force = b.tr_mul(&stress);
                    let first = layout.freedom(end.node);
                    (0..layout.kind(end.node).freedoms()).for_each(|i| known[first + i] -= force[i]);
                }
            }
        }
        let (rest, moved) = (vec![0.0; case.whole.len()], rates(&case.body, &case.whole, &case.speeds));
        let [mut with, mut without] = [vec![0.0; known.len()], vec![0.0; known.len()]];
        assembly.add_drag(&case.stream(&moved), &mut with);
        assembly.add_drag(&case.stream(&rest), &mut without);
        known.iter_mut().zip(with.iter().zip(&without)).for_each(|(known, (with, without))| *known -= with - without);
        in_fluid += assembly.drags.len();
        let forces = |moving: bool| case.values(moving, |body, at| body.forces(at));
        let found: Vec<f64> = forces(true).iter().zip(forces(false)).map(|(with, without)| with - without).collect();
        case.agree(seed, "damping", &case.by_freedom(&found), &known, 1e-10);
    }
    assert!(damped > 20, "only {damped} damped elements");
    assert!(in_fluid > 40, "only {in_fluid} points in a fluid");
}

/// Kinetic energy Σ ½ m |v + R(Ω × c)|² + ½ Ω·JΩ of the nodes, in plain vectors.
#[test]
fn kinetic_energies_agree() {
    for seed in 0..COUNT {
        let case = Case::new(seed);
        let assembly = case.body.assembly();
        let layout = &assembly.layout;
        let mut known = 0.0;
        for (node, mass) in assembly.masses.iter().enumerate() {
            let first = layout.freedom(node);
            let (speed, kind) = (&case.speeds[first..first + layout.kind(node).freedoms()], layout.kind(node));
            let mut v = Vector3::new(speed[0], speed[1], if kind.positions() == 3 { speed[2] } else { 0.0 });
            let spin = match kind {
                NodeKind::SpaceFrame => Vector3::new(speed[3], speed[4], speed[5]),
                NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, speed[2]),
                NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
            };
            let arm = spin.cross(&mass.centre);
            v += match kind {
                NodeKind::SpaceFrame => layout.orientation(&case.whole, node).rotate(arm),
                NodeKind::PlaneFrame => {
                    let (sin, cos) = layout.angle(&case.whole, node).sin_cos();
                    Vector3::new(cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1], 0.0)
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
            };
            known += 0.5 * mass.mass * v.norm_squared() + 0.5 * spin.dot(&(mass.inertia * spin));
        }
        let found = case.values(true, |body, at| {
            let momenta = at.graph.gradient(body.lagrangian(at), &at.v);
            vec![at.graph.sum(momenta.into_iter().zip(&at.v).map(|(p, v)| 0.5 * p * *v))]
        });
        assert!((found[0] - known).abs() <= 1e-12 * known, "mechanism {seed}: {} {known}", found[0]);
    }
}

/// Derivatives of the conditions of joints: hand-written rows against the graph.
#[test]
fn derivatives_of_conditions_agree() {
    let mut compared = 0;
    for seed in 0..COUNT {
        let case = Case::new(seed);
        let assembly = case.body.assembly();
        let layout = &assembly.layout;
        for (index, joint) in assembly.constraints.iter().enumerate() {
            for row in 0..joint.rows.len() {
                let [a, b] = joint.derivative(layout, &case.whole, row);
                let mut known = vec![0.0; layout.freedom_count()];
                for (slope, side) in [a, b].iter().zip(&joint.sides) {
                    let Some(node) = side.node() else { continue };
                    let first = layout.freedom(node);
                    (0..layout.kind(node).freedoms()).for_each(|i| known[first + i] += slope[i]);
                }
                let found = case.values(false, |body, at| {
                    let joint = &body.assembly().constraints[index];
                    let mut whole: Vec<Expr<'_>> = case.whole.iter().map(|value| at.graph.constant(*value)).collect();
                    case.places.iter().zip(&at.q).for_each(|(place, q)| whole[*place] = *q);
                    let nodes = lariat::terms::Nodes { layout: &body.assembly().layout, q: &whole };
                    at.graph.gradient(joint.value_over(&nodes, nodes.zero(), row), &at.q)
                });
                case.agree(seed, &joint.row_name(row), &case.by_freedom(&found), &known, 1e-12);
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} conditions");
}
