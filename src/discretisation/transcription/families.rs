//! The program of a problem on a mesh, assembled from its parts.

use super::names::{Directory, Members};
use super::places::Places;
use super::reference::Reference;
use super::{ControlProblem, parts};
use crate::nlp::Bounds;
use crate::nlp::families::{Families, Family, FamilyError, Input};

/// Families with the places of their members.
#[derive(Default)]
struct Collection {
    families: Vec<Family>,
    members: Vec<Members>,
}

impl Collection {
    fn push(&mut self, family: Family, members: Members) {
        if !family.inputs.is_empty() {
            self.families.push(family);
            self.members.push(members);
        }
    }
}

/// The variables that begin at a place.
fn list(start: usize, count: usize) -> impl Iterator<Item = Input> {
    (start..start + count).map(Input::Variable)
}

/// The unknowns of a node, and the numbers of its reference point.
fn node<'r>(p: Places, reference: &'r Reference, k: usize) -> impl Iterator<Item = Input> + 'r {
    list(p.position(k), p.coordinates).chain(reference.numbers[k].iter().copied().map(Input::Number))
}

/// The duration and the beginning, where they are unknown.
fn times(p: Places) -> impl Iterator<Item = Input> {
    p.duration().into_iter().chain(p.begins()).map(Input::Variable)
}

/// What a program is made of.
pub(super) struct Pieces {
    pub bounds: Bounds,
    pub families: Vec<Family>,
    pub names: Directory,
}

impl Pieces {
    /// The program of these alone.
    pub fn assemble(self) -> Result<Families, FamilyError> {
        Families::new(self.bounds, self.families, Box::new(self.names))
    }
}

/// The pieces of the whole program. `limits` are the bounds of the coordinates at a node.
pub(super) fn pieces(
    problem: &ControlProblem,
    p: Places,
    reference: &Reference,
    variables: (Vec<f64>, Vec<f64>),
    limits: impl Fn(usize, usize) -> (f64, f64),
) -> Pieces {
    let mut all = Collection::default();
    intervals(problem, p, reference, &mut all);
    nodes(problem, p, reference, &mut all);
    ends(problem, p, reference, &mut all);
    limited(problem, p, reference, &mut all);
    servos(problem, p, reference, &mut all);
    changes(problem, p, &mut all);
    ripples(problem, p, &mut all);
    magnitudes(problem, p, &mut all);
    works(problem, p, reference, &mut all);
    peaks(problem, p, &mut all);
    periods(problem, p, reference, &mut all);
    let mut bounds = Bounds::free(p.variables(), p.rows());
    (bounds.x_lower, bounds.x_upper) = variables;
    for interval in 0..p.intervals {
        for (j, path) in problem.path.iter().enumerate() {
            (bounds.c_lower[p.path_row(interval) + j], bounds.c_upper[p.path_row(interval) + j]) =
                (path.lower, path.upper);
        }
        let first = p.magnitude_row(interval);
        bounds.c_upper[first..first + 2 * (p.magnitudes + p.peaks)].fill(f64::INFINITY);
    }
    for k in 0..=p.intervals {
        for (j, &i) in reference.limits_of(k).iter().enumerate() {
            (bounds.c_lower[p.limit(k) + j], bounds.c_upper[p.limit(k) + j]) = limits(k, i);
        }
    }
    for k in 1..p.intervals {
        for (j, &(_, rate)) in problem.rates.iter().enumerate() {
            (bounds.c_lower[p.change_row(k) + j], bounds.c_upper[p.change_row(k) + j]) = (-rate, rate);
        }
    }
    for (j, &(_, change)) in problem.periodic.iter().enumerate() {
        let row = p.periodic_row() + 2 * j;
        (bounds.c_lower[row], bounds.c_upper[row]) = (change, change);
    }
    let names = Directory::new(problem, p, reference, all.members);
    Pieces { bounds, families: all.families, names }
}

fn intervals(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    let n = p.coordinates;
    let mut family = Family::new(parts::interval(problem, p.intervals));
    for k in 0..p.intervals {
        let states = node(p, reference, k).chain(node(p, reference, k + 1));
        let states = states.chain(list(p.point(k), p.within())).chain(list(p.control(k), p.controls));
        let states = states.chain(list(p.stress(k), p.stresses));
        let time = times(p).chain([Input::Number(p.middle(k))]);
        let motion = (p.motion(k)..p.motion(k) + n).chain(p.motion(k + 1)..p.motion(k + 1) + n);
        let motion = motion.chain(p.point_row(k)..p.point_row(k) + p.within() + p.stresses);
        family.add(states.chain(time), motion.chain(p.path_row(k)..p.path_row(k) + p.path));
    }
    all.push(family, Members::Intervals(1));
}

/// Constraint forces and constraints: at the start, between the ends, at the end.
fn nodes(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    if p.constraints == 0 {
        return;
    }
    for (range, weight) in [(0..1, 0.5), (1..p.intervals, 1.0), (p.intervals..p.intervals + 1, 0.5)] {
        let (first, constrained) = (range.start, p.is_constrained(range.start));
        let mut family = Family::new(parts::node(problem, p.intervals, weight, constrained));
        for k in range {
            let inputs = node(p, reference, k).chain(list(p.multiplier(k), p.constraints));
            let count = p.coordinates + if constrained { p.constraints } else { 0 };
            let time = times(p).chain([Input::Number(p.share(k))]);
            family.add(inputs.chain(time), p.motion(k)..p.motion(k) + count);
        }
        all.push(family, Members::Nodes(first));
    }
}

/// Momenta at both ends and the cost of the states there.
fn ends(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    let n = p.coordinates;
    let state = |end: usize, velocity: usize| node(p, reference, end).chain(list(velocity, p.rates));
    for (node, velocity, share, sign) in [(0, p.start_velocity(), 0.0, 1.0), (p.intervals, p.end_velocity(), 1.0, -1.0)]
    {
        let constrained = p.constrains_velocity(node);
        let mut family = Family::new(parts::momentum(problem, share, sign, constrained));
        let first = p.velocity_constraint(node);
        let rates = first..first + if constrained { p.velocity_constraints } else { 0 };
        let shift = constrained.then_some(Input::Number(0.0));
        family
            .add(state(node, velocity).chain(times(p)).chain(shift), (p.motion(node)..p.motion(node) + n).chain(rates));
        all.push(family, Members::Nodes(node));
    }
    if !problem.cost.first.is_empty() {
        let mut family = Family::new(parts::first(problem));
        family.add(state(0, p.start_velocity()), []);
        all.push(family, Members::Nodes(0));
    }
    let mut family = Family::new(parts::last(problem));
    family.add(state(p.intervals, p.end_velocity()).chain(p.duration().map(Input::Variable)), []);
    all.push(family, Members::Nodes(p.intervals));
}

/// Bounds of coordinates that are functions of local ones: at the start, between the ends, at the end.
fn limited(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    for range in [0..1, 1..p.intervals, p.intervals..p.intervals + 1] {
        let coordinates = reference.limits_of(range.start);
        if coordinates.is_empty() || range.is_empty() {
            continue;
        }
        let first = range.start;
        let mut family = Family::new(parts::limits(problem, coordinates));
        range.for_each(|k| family.add(node(p, reference, k), p.limit(k)..p.limit(k) + coordinates.len()));
        all.push(family, Members::Nodes(first));
    }
}

/// Servo constraints at the nodes between the ends.
fn servos(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    if problem.servo.is_empty() {
        return;
    }
    let mut family = Family::new(parts::servo(problem));
    for k in 1..p.intervals {
        let time = p.duration().map(Input::Variable).into_iter().chain([Input::Number(p.share(k))]);
        family.add(node(p, reference, k).chain(time), p.servo_row(k)..p.servo_row(k) + p.servo);
    }
    all.push(family, Members::Nodes(1));
}

/// Rates of controls at the nodes between the ends.
fn changes(problem: &ControlProblem, p: Places, all: &mut Collection) {
    let mut family = Family::new(parts::change(problem, p.intervals));
    for k in 1..p.intervals {
        for (j, &(control, _)) in problem.rates.iter().enumerate() {
            let pair = [p.control(k - 1) + control, p.control(k) + control].map(Input::Variable);
            family.add(pair.into_iter().chain(p.duration().map(Input::Variable)), [p.change_row(k) + j]);
        }
    }
    all.push(family, Members::Intervals(problem.rates.len()));
}

/// What alternates in the controls of five steps in a row.
fn ripples(problem: &ControlProblem, p: Places, all: &mut Collection) {
    let mut family = Family::new(parts::ripple(problem, p.intervals));
    for k in 2..p.intervals.saturating_sub(2) {
        for &(control, weight) in &problem.cost.ripple {
            let steps = (k - 2..=k + 2).map(|step| Input::Variable(p.control(step) + control));
            let inputs = steps.chain([Input::Number(weight)]);
            family.add(inputs.chain(p.duration().map(Input::Variable)), []);
        }
    }
    all.push(family, Members::Intervals(problem.cost.ripple.len()));
}

fn magnitudes(problem: &ControlProblem, p: Places, all: &mut Collection) {
    let mut family = Family::new(parts::magnitude(problem, p.intervals));
    for k in 0..p.intervals {
        for (j, &(control, weight)) in problem.cost.fuel.iter().enumerate() {
            let inputs =
                [Input::Variable(p.control(k) + control), Input::Variable(p.magnitude(k) + j), Input::Number(weight)];
            let row = p.magnitude_row(k) + 2 * j;
            family.add(inputs.into_iter().chain(p.duration().map(Input::Variable)), [row, row + 1]);
        }
    }
    all.push(family, Members::Intervals(problem.cost.fuel.len()));
}

/// The power that controls spend.
fn works(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    for (j, &(control, weight)) in problem.cost.energy.iter().enumerate() {
        let mut family = Family::new(parts::work(problem, p.intervals, control, weight));
        let slack = problem.cost.fuel.len() + j;
        for k in 0..p.intervals {
            let states = node(p, reference, k).chain(node(p, reference, k + 1));
            let states = states.chain(list(p.point(k), p.within())).chain(list(p.control(k), p.controls));
            let spent = [Input::Variable(p.magnitude(k) + slack)];
            let time = times(p).chain([Input::Number(p.middle(k))]);
            let row = p.magnitude_row(k) + 2 * slack;
            family.add(states.chain(spent).chain(time), [row, row + 1]);
        }
        all.push(family, Members::Intervals(1));
    }
}

fn peaks(problem: &ControlProblem, p: Places, all: &mut Collection) {
    let mut family = Family::new(parts::peak(problem));
    let mut cost = Family::new(parts::weighted(problem));
    for k in 0..p.intervals {
        for (j, &(control, _)) in problem.cost.peak.iter().enumerate() {
            let row = p.peak_row(k) + 2 * j;
            family.add([Input::Variable(p.control(k) + control), Input::Variable(p.peak(j))], [row, row + 1]);
        }
    }
    for (j, &(_, weight)) in problem.cost.peak.iter().enumerate() {
        cost.add([Input::Variable(p.peak(j)), Input::Number(weight)], []);
    }
    all.push(family, Members::Intervals(p.peaks));
    all.push(cost, Members::Whole);
}

fn periods(problem: &ControlProblem, p: Places, reference: &Reference, all: &mut Collection) {
    let mut family = Family::new(parts::difference(problem));
    for (j, &(i, _)) in problem.periodic.iter().enumerate() {
        let row = p.periodic_row() + 2 * j;
        // Coordinates on a manifold are refused as periodic ones.
        let place = reference.chart.as_ref().map_or(Some(i), |chart| chart.place(i)).unwrap_or(0);
        let positions = [p.position(0), p.position(p.intervals)].map(|first| first + place);
        let velocities = [p.start_velocity(), p.end_velocity()].map(|first| first + i);
        for (row, pair) in [row, row + 1].into_iter().zip([positions, velocities]) {
            family.add(pair.map(Input::Variable), [row]);
        }
    }
    all.push(family, Members::Whole);
}
