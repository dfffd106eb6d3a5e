//! From phases to one nonlinear program, and back.

use super::super::places::{Places, Spot};
use super::super::trajectory::Trajectory;
use super::super::{Given, Transcription};
use super::indifferent::shares;
use super::names::PhasedNames;
use super::programs;
use super::{PhaseError, PhasedProblem};
use crate::nlp::families::{Families, Family, FamilyError, Input};
use crate::nlp::{Bounds, EvalFailure};

/// Phases on meshes: the variables and rows of one phase after the other, then the rows that link them.
pub struct PhasedTranscription<'p> {
    problem: &'p PhasedProblem,
    phases: Vec<Transcription<'p>>,
    /// Phases whose beginning has no effect.
    indifferent: Vec<usize>,
}

impl<'p> PhasedTranscription<'p> {
    /// The problem on the intervals of its phases.
    pub fn new(problem: &'p PhasedProblem) -> Result<Self, PhaseError> {
        let phase = |(k, phase): (usize, &'p super::Phase)| {
            let transcription = Transcription::new(&phase.problem, phase.intervals);
            let transcription =
                transcription.map_err(|error| PhaseError::Phase { phase: phase.name.clone(), error })?;
            Ok(if k > 0 { transcription.continuing() } else { transcription })
        };
        let phases = problem.phases.iter().enumerate().map(phase).collect::<Result<_, _>>()?;
        Ok(Self { problem, phases, indifferent: problem.indifferent() })
    }

    /// The same problem with so many intervals in all, in the proportions of the problem and at least one in each phase.
    pub fn on(&self, intervals: usize) -> Self {
        let whole = self.problem.intervals().max(1);
        let share = |own: usize| (own * intervals).div_ceil(whole).max(1);
        let phases = self.phases.iter().zip(&self.problem.phases).map(|(mesh, phase)| mesh.on(share(phase.intervals)));
        Self { problem: self.problem, phases: phases.collect(), indifferent: self.indifferent.clone() }
    }

    /// Whether something is given of the sum of the durations.
    fn adds_up(&self) -> bool {
        self.problem.total != Given::FREE
    }

    fn places(&self) -> Vec<Places> {
        self.phases.iter().map(Transcription::places).collect()
    }

    /// First variables and first rows of the phases, and behind the last of them.
    fn firsts(&self) -> [Vec<usize>; 2] {
        let sizes = self.places().into_iter().map(|p| [p.variables(), p.rows()]);
        let mut firsts = [vec![0], vec![0]];
        for sizes in sizes {
            for (list, size) in firsts.iter_mut().zip(sizes) {
                list.push(list[list.len() - 1] + size);
            }
        }
        firsts
    }

    /// The program.
    pub fn program(&self) -> Result<Families, FamilyError> {
        let [variables, rows] = self.firsts();
        let mut bounds = Bounds::default();
        let mut families = Vec::new();
        let mut phases = Vec::new();
        for (k, transcription) in self.phases.iter().enumerate() {
            let mut pieces = transcription.pieces();
            self.free_switches(k, &mut pieces.bounds);
            let firsts = [variables[k], rows[k], families.len()];
            bounds.x_lower.extend(pieces.bounds.x_lower);
            bounds.x_upper.extend(pieces.bounds.x_upper);
            bounds.c_lower.extend(pieces.bounds.c_lower);
            bounds.c_upper.extend(pieces.bounds.c_upper);
            families.extend(pieces.families.into_iter().map(|family| moved(family, firsts)));
            phases.push((self.problem.phases[k].name.clone(), pieces.names, firsts));
        }
        let links = [bounds.rows(), families.len()];
        let mut names = PhasedNames { phases, links, rows: Vec::new(), families: Vec::new() };
        self.link(&variables, &mut families, &mut names);
        let zeros = names.rows.len() - usize::from(self.adds_up());
        let (shortest, longest) = self.problem.total.bounds();
        for (list, total) in [(&mut bounds.c_lower, shortest), (&mut bounds.c_upper, longest)] {
            list.extend(std::iter::repeat_n(0.0, zeros));
            list.extend(self.adds_up().then_some(total));
        }
        Families::new(bounds, families, Box::new(names))
    }

    /// Where a condition ends a phase it takes the place of the bounds of the coordinates, which would leave no room beside it
    /// if they are the same.
    fn free_switches(&self, k: usize, bounds: &mut Bounds) {
        let (places, phases) = (self.phases[k].places(), &self.problem.phases);
        let switches = |k: usize| phases.get(k).is_some_and(|phase| !phase.until.is_empty());
        let start = (k > 0 && switches(k - 1)).then_some(0);
        let end = (k + 1 < phases.len() && switches(k)).then_some(places.intervals);
        for node in start.into_iter().chain(end) {
            let coordinates = places.position(node)..places.position(node) + places.coordinates;
            bounds.x_lower[coordinates.clone()].fill(f64::NEG_INFINITY);
            bounds.x_upper[coordinates].fill(f64::INFINITY);
        }
    }

    /// Adds what ends each phase, what two phases share where they meet, and the sum of the durations.
    fn link(&self, variables: &[usize], families: &mut Vec<Family>, names: &mut PhasedNames) {
        let places = self.places();
        let duration = |k: usize| {
            let free = places[k].duration().map(|place| Input::Variable(variables[k] + place));
            let fixed = self.problem.phases[k].problem.duration.value().map(Input::Number);
            (free, free.or(fixed))
        };
        let begins = |k: usize| places[k].begins().map(|place| Input::Variable(variables[k] + place));
        let state = |k: usize, node: usize, velocity: usize| {
            let (first, n) = (variables[k], places[k].coordinates);
            let position = places[k].position(node);
            let list = (position..position + n).chain(velocity..velocity + n);
            list.map(move |place| Input::Variable(first + place)).chain(duration(k).0)
        };
        let end = |k: usize| state(k, places[k].intervals, places[k].end_velocity());
        let mut add = |family: &mut Vec<Family>, program, inputs: Vec<Input>, rows: Vec<String>, place: String| {
            let first = names.links[0] + names.rows.len();
            let mut one = Family::new(program);
            one.add(inputs, first..first + rows.len());
            names.rows.extend(rows);
            names.families.push(place);
            family.push(one);
        };
        for (k, phase) in self.problem.phases.iter().enumerate() {
            let at = format!("at the end of phase `{}`", phase.name);
            if !phase.until.is_empty() {
                let program = programs::switching(&phase.problem, &phase.until);
                let rows = phase.until.iter().map(|(name, _)| format!("`{name}` {at}"));
                add(families, program, end(k).collect(), rows.collect(), at.clone());
            }
            if let Some(next) = self.problem.phases.get(k + 1) {
                let program = programs::junction(&phase.problem, &next.problem);
                let impulses = (0..places[k + 1].impulses).map(|i| places[k + 1].impulse() + i);
                let impulses = impulses.map(|place| Input::Variable(variables[k + 1] + place));
                let start = state(k + 1, 0, places[k + 1].start_velocity()).chain(begins(k + 1));
                let inputs = end(k).chain(begins(k)).chain(start).chain(impulses);
                let coordinates = phase.problem.mechanics.coordinates();
                let rows = ["", "the momentum of "]
                    .into_iter()
                    .flat_map(|what| coordinates.iter().map(move |name| format!("continuity of {what}{name}")));
                let rows = rows.map(|row| format!("{row} {at}")).collect();
                add(families, program, inputs.collect(), rows, at);
            }
        }
        for k in self.successions() {
            let before = begins(k - 1).or(self.problem.phases[k - 1].problem.begins.value().map(Input::Number));
            let inputs = [begins(k), before, duration(k - 1).1].into_iter().flatten().collect();
            let at = format!("at the end of phase `{}`", self.problem.phases[k - 1].name);
            add(families, programs::succession(), inputs, vec![format!("succession {at}")], at);
        }
        for &k in &self.indifferent {
            let inputs = [k - 1, k].into_iter().filter_map(|k| duration(k).0).collect();
            let at = format!("at the end of phase `{}`", self.problem.phases[k - 1].name);
            add(
                families,
                shares(&self.problem.phases[k - 1..=k]),
                inputs,
                vec![format!("shares of durations {at}")],
                at,
            );
        }
        if self.adds_up() {
            let inputs: Vec<Input> = (0..self.phases.len()).filter_map(|k| duration(k).1).collect();
            let program = programs::sum_of_durations(inputs.len());
            add(families, program, inputs, vec!["whole duration".to_owned()], "of the whole".to_owned());
        }
    }

    /// Phases whose beginning is an unknown.
    fn successions(&self) -> impl Iterator<Item = usize> {
        self.places().into_iter().enumerate().filter(|(_, places)| places.begins().is_some()).map(|(k, _)| k)
    }

    /// The start of the search.
    pub fn start(&self) -> Vec<f64> {
        let mut begins = 0.0;
        let of = |(transcription, phase): (&Transcription<'_>, &super::Phase)| {
            let mut x = transcription.start();
            if let Some(place) = transcription.places().begins() {
                x[place] = begins;
            }
            begins += phase.problem.duration.value().unwrap_or(phase.problem.guess.duration);
            x
        };
        self.phases.iter().zip(&self.problem.phases).flat_map(of).collect()
    }

    /// What the variables are in time.
    pub fn variables(&self) -> Vec<Spot> {
        chained(self.phases.iter().map(Transcription::variables), 0)
    }

    /// What the rows are in time.
    pub fn rows(&self) -> Vec<Spot> {
        let n = self.phases.first().map_or(0, Transcription::coordinates);
        let until: usize = self.problem.phases.iter().map(|phase| phase.until.len()).sum();
        let junctions = 2 * n * self.phases.len().saturating_sub(1);
        let links =
            until + junctions + self.successions().count() + self.indifferent.len() + usize::from(self.adds_up());
        chained(self.phases.iter().map(Transcription::rows), links)
    }

    /// Motion and controls of each phase, time counted from its beginning.
    pub fn trajectories(&self, x: &[f64], row_multipliers: &[f64]) -> Result<Vec<Trajectory>, EvalFailure> {
        let [variables, rows] = self.firsts();
        let part = |list: &[f64], firsts: &[usize], k: usize| {
            list.get(firsts[k]..firsts[k + 1]).map_or(Vec::new(), <[f64]>::to_vec)
        };
        let of = |(k, phase): (usize, &Transcription<'_>)| {
            phase.trajectory(&part(x, &variables, k), &part(row_multipliers, &rows, k))
        };
        self.phases.iter().enumerate().map(of).collect()
    }
}

/// A family whose variables and rows begin elsewhere.
fn moved(family: Family, [variable, row, _]: [usize; 3]) -> Family {
    let inputs = family.inputs.into_iter().map(|input| match input {
        Input::Variable(place) => Input::Variable(variable + place),
        number => number,
    });
    Family {
        program: family.program,
        inputs: inputs.collect(),
        rows: family.rows.into_iter().map(|place| row + place).collect(),
    }
}

/// Spots of the phases with numbers of their own, and behind them globals.
fn chained(phases: impl Iterator<Item = Vec<Spot>>, more: usize) -> Vec<Spot> {
    let (mut all, mut functions, mut globals) = (Vec::new(), 0, 0);
    for spots in phases {
        let (mut most, mut wholes) = (0, 0);
        for spot in spots {
            all.push(match spot {
                Spot::Global(number) => {
                    wholes = wholes.max(number + 1);
                    Spot::Global(globals + number)
                }
                Spot::At { function, share, instant } => {
                    most = most.max(function + 1);
                    Spot::At { function: functions + function, share, instant }
                }
            });
        }
        (functions, globals) = (functions + most, globals + wholes);
    }
    all.extend((globals..globals + more).map(Spot::Global));
    all
}
