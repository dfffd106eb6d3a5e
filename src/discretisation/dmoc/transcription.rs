//! From an optimal-control problem and a number of intervals to a nonlinear program.

use thiserror::Error;

use super::names::{Directory, Spot};
use super::trajectory::Trajectory;
use super::{ControlProblem, Given, parts};
use crate::nlp::families::{Families, Family, Input};
use crate::nlp::{Bounds, PatternError};

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TranscriptionError {
    /// A list has the wrong length.
    #[error("{what}: {given} given, {expected} expected")]
    Length {
        /// What is listed.
        what: &'static str,
        /// Its length.
        given: usize,
        /// That of the system.
        expected: usize,
    },
    /// There is no interval.
    #[error("at least one interval is needed")]
    NoInterval,
    /// The duration is not positive.
    #[error("the duration must be positive and finite, not {0}")]
    Duration(f64),
    /// Blocks outside of the matrix.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Where the variables of a problem on a mesh are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub intervals: usize,
    pub coordinates: usize,
    pub controls: usize,
    pub constraints: usize,
    /// Controls with a bound of their magnitude.
    pub magnitudes: usize,
    /// Duration, then peaks.
    pub duration: Option<usize>,
    pub peaks: usize,
    pub first: usize,
}

impl Places {
    /// Variables of a node with its interval: q, λ, u, |u|.
    fn stride(self) -> usize {
        self.coordinates + self.constraints + self.controls + self.magnitudes
    }

    pub fn start_velocity(self) -> usize {
        self.first
    }

    pub fn position(self, node: usize) -> usize {
        self.first + self.coordinates + node * self.stride()
    }

    pub fn multiplier(self, node: usize) -> usize {
        self.position(node) + self.coordinates
    }

    pub fn control(self, interval: usize) -> usize {
        self.multiplier(interval) + self.constraints
    }

    fn magnitude(self, interval: usize) -> usize {
        self.control(interval) + self.controls
    }

    pub fn end_velocity(self) -> usize {
        self.multiplier(self.intervals) + self.constraints
    }

    fn total(self) -> usize {
        self.end_velocity() + self.coordinates
    }
}

/// A problem on a mesh.
pub struct Transcription<'p> {
    problem: &'p ControlProblem,
    places: Places,
    constraint_names: Vec<String>,
}

impl<'p> Transcription<'p> {
    /// The problem on equal intervals.
    pub fn new(problem: &'p ControlProblem, intervals: usize) -> Result<Self, TranscriptionError> {
        let (n, m) = (problem.mechanics.coordinates().len(), problem.mechanics.controls().len());
        let lengths = [
            ("start positions", problem.start.position.len(), n),
            ("start velocities", problem.start.velocity.len(), n),
            ("end positions", problem.end.position.len(), n),
            ("end velocities", problem.end.velocity.len(), n),
            ("bounds of coordinates", problem.coordinate_bounds.len(), n),
            ("bounds of controls", problem.control_bounds.len(), m),
            ("guessed coordinates", (problem.guess.position)(0.0).len(), n),
            ("guessed controls", (problem.guess.control)(0.0).len(), m),
        ];
        for (what, given, expected) in lengths {
            if given != expected {
                return Err(TranscriptionError::Length { what, given, expected });
            }
        }
        if intervals == 0 {
            return Err(TranscriptionError::NoInterval);
        }
        let (least, guess) = (problem.duration.bounds().0, problem.guess.duration);
        for duration in [least.max(f64::MIN_POSITIVE), guess] {
            if !(duration > 0.0 && duration.is_finite()) {
                return Err(TranscriptionError::Duration(duration));
            }
        }
        let constraint_names: Vec<String> = parts::constraint_names(problem);
        let free = usize::from(!matches!(problem.duration, Given::Fixed(_)));
        let peaks = problem.cost.peak.len();
        let places = Places {
            intervals,
            coordinates: n,
            controls: m,
            constraints: constraint_names.len(),
            magnitudes: problem.cost.fuel.len(),
            duration: (free == 1).then_some(0),
            peaks,
            first: free + peaks,
        };
        Ok(Self { problem, places, constraint_names })
    }

    fn duration_input(&self) -> Input {
        match self.places.duration {
            Some(variable) => Input::Variable(variable),
            None => Input::Number(self.problem.duration.bounds().0),
        }
    }

    /// Whether the constraints of a node are rows: not where its configuration is given.
    fn is_constrained(&self, node: usize) -> bool {
        let given = (node == 0 && self.problem.start.is_given())
            || (node == self.places.intervals && self.problem.end.is_given());
        self.places.constraints > 0 && !given
    }

    /// The program.
    pub fn program(&self) -> Result<Families, TranscriptionError> {
        let (problem, p) = (self.problem, self.places);
        let (n, steps) = (p.coordinates, p.intervals);
        let mut rows = Rows::default();
        // Rows are numbered node by node, so that the matrices are banded.
        let functions = self.row_functions();
        let first_path = n + p.constraints;
        let first_magnitude = first_path + problem.path.len();
        let mut motion = Vec::with_capacity(steps + 1);
        let (mut constrained, mut path, mut magnitude, mut peak) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for node in 0..=steps {
            let share = node as f64 / steps as f64;
            let middle = (node as f64 + 0.5) / steps as f64;
            motion.push((0..n).map(|i| rows.add(i, share, false, (0.0, 0.0))).collect::<Vec<usize>>());
            if self.is_constrained(node) {
                constrained.push((0..p.constraints).map(|j| rows.add(n + j, share, true, (0.0, 0.0))).collect());
            } else {
                constrained.push(Vec::<usize>::new());
            }
            if node == steps {
                continue;
            }
            let bounds = problem.path.iter().enumerate();
            path.push(bounds.map(|(j, c)| rows.add(first_path + j, middle, true, (c.lower, c.upper))).collect::<Vec<_>>());
            let pair = |rows: &mut Rows, k: usize| {
                let at_least = (0.0, f64::INFINITY);
                vec![rows.add(first_magnitude + 2 * k, middle, true, at_least), rows.add(first_magnitude + 2 * k + 1, middle, true, at_least)]
            };
            magnitude.push((0..p.magnitudes).map(|k| pair(&mut rows, k)).collect::<Vec<_>>());
            peak.push((0..p.peaks).map(|k| pair(&mut rows, p.magnitudes + k)).collect::<Vec<_>>());
        }
        let mut row_globals = Vec::new();
        let names = problem.mechanics.coordinates();
        let mut periodic = Vec::new();
        for &(i, change) in &problem.periodic {
            for (what, change) in [("", change), ("rate of ", 0.0)] {
                periodic.push(rows.add_global(row_globals.len(), (change, change)));
                row_globals.push(format!("change of {what}{} over a period", names[i]));
            }
        }

        let duration = self.duration_input();
        let list = |start: usize, count: usize| (start..start + count).map(Input::Variable);
        let mut families = Vec::new();
        let mut members = Vec::new();
        let spans = |count: usize| -> Vec<(f64, f64)> {
            (0..count).map(|k| (k as f64 / steps as f64, (k + 1) as f64 / steps as f64)).collect()
        };

        let mut interval = Family { program: parts::interval(problem, steps), inputs: Vec::new(), rows: Vec::new() };
        for k in 0..steps {
            let middle = Input::Number((k as f64 + 0.5) / steps as f64);
            let inputs = list(p.position(k), n).chain(list(p.position(k + 1), n)).chain(list(p.control(k), p.controls));
            interval.inputs.push(inputs.chain([duration, middle]).collect());
            interval.rows.push([&motion[k][..], &motion[k + 1][..], &path[k][..]].concat());
        }
        families.push(interval);
        members.push(spans(steps));

        if let Some(programs) = parts::node(problem, steps) {
            let [with, without] = programs;
            for (program, wanted) in [(with, true), (without, false)] {
                let nodes: Vec<usize> = (0..=steps).filter(|&k| self.is_constrained(k) == wanted).collect();
                let mut family = Family { program, inputs: Vec::new(), rows: Vec::new() };
                for &k in &nodes {
                    let weight = Input::Number(if k == 0 || k == steps { 0.5 } else { 1.0 });
                    let inputs = list(p.position(k), n).chain(list(p.multiplier(k), p.constraints));
                    family.inputs.push(inputs.chain([duration, weight]).collect());
                    family.rows.push([&motion[k][..], &constrained[k][..]].concat());
                }
                families.push(family);
                members.push(nodes.iter().map(|&k| (k as f64 / steps as f64, k as f64 / steps as f64)).collect());
            }
        }

        let mut momentum = Family { program: parts::momentum(problem), inputs: Vec::new(), rows: Vec::new() };
        for (node, velocity, sign) in [(0, p.start_velocity(), 1.0), (steps, p.end_velocity(), -1.0)] {
            let t = if node == 0 { Input::Number(0.0) } else { duration };
            let inputs = list(p.position(node), n).chain(list(velocity, n));
            momentum.inputs.push(inputs.chain([t, Input::Number(sign)]).collect());
            momentum.rows.push(motion[node].clone());
        }
        families.push(momentum);
        members.push(vec![(0.0, 0.0), (1.0, 1.0)]);

        let inputs = list(p.position(steps), n).chain(list(p.end_velocity(), n)).chain([duration]).collect();
        families.push(Family { program: parts::last(problem), inputs: vec![inputs], rows: vec![Vec::new()] });
        members.push(vec![(1.0, 1.0)]);

        if p.magnitudes > 0 {
            let mut family = Family { program: parts::magnitude(steps), inputs: Vec::new(), rows: Vec::new() };
            for (k, rows) in magnitude.into_iter().enumerate() {
                for (j, (pair, &(control, weight))) in rows.into_iter().zip(&problem.cost.fuel).enumerate() {
                    let (u, w) = (Input::Variable(p.control(k) + control), Input::Variable(p.magnitude(k) + j));
                    family.inputs.push(vec![u, w, duration, Input::Number(weight)]);
                    family.rows.push(pair);
                }
            }
            members.push(spans(steps).into_iter().flat_map(|span| vec![span; p.magnitudes]).collect());
            families.push(family);
        }
        if p.peaks > 0 {
            let first = usize::from(p.duration.is_some());
            let mut family = Family { program: parts::peak(), inputs: Vec::new(), rows: Vec::new() };
            for (k, rows) in peak.into_iter().enumerate() {
                for (j, (pair, &(control, _))) in rows.into_iter().zip(&problem.cost.peak).enumerate() {
                    family.inputs.push(vec![Input::Variable(p.control(k) + control), Input::Variable(first + j)]);
                    family.rows.push(pair);
                }
            }
            members.push(spans(steps).into_iter().flat_map(|span| vec![span; p.peaks]).collect());
            families.push(family);
            let weights = problem.cost.peak.iter().enumerate();
            let inputs = weights.map(|(j, &(_, weight))| vec![Input::Variable(first + j), Input::Number(weight)]);
            let inputs: Vec<Vec<Input>> = inputs.collect();
            members.push(vec![(0.0, 1.0); inputs.len()]);
            let rows = vec![Vec::new(); inputs.len()];
            families.push(Family { program: parts::weighted(), inputs, rows });
        }
        if !periodic.is_empty() {
            let mut family = Family { program: parts::difference(), inputs: Vec::new(), rows: Vec::new() };
            for (j, row) in periodic.into_iter().enumerate() {
                let i = problem.periodic[j / 2].0;
                let [first, last] = match j % 2 {
                    0 => [p.position(0) + i, p.position(steps) + i],
                    _ => [p.start_velocity() + i, p.end_velocity() + i],
                };
                family.inputs.push(vec![Input::Variable(first), Input::Variable(last)]);
                family.rows.push(vec![row]);
            }
            members.push(vec![(0.0, 1.0); family.rows.len()]);
            families.push(family);
        }

        let (x_lower, x_upper) = self.variable_bounds();
        let (c_lower, c_upper) = rows.bounds.into_iter().unzip();
        let (variables, variable_functions, variable_globals) = self.variables();
        let duration = match problem.duration {
            Given::Fixed(duration) => Some(duration),
            Given::Between(..) => None,
        };
        let directory = Directory {
            variables,
            rows: rows.spots,
            variable_functions,
            row_functions: functions,
            variable_globals,
            row_globals,
            duration,
            members,
        };
        Ok(Families::new(Bounds { x_lower, x_upper, c_lower, c_upper }, families, Box::new(directory))?)
    }

    fn row_functions(&self) -> Vec<String> {
        let problem = self.problem;
        let controls = problem.mechanics.controls();
        let motion = problem.mechanics.coordinates().into_iter().map(|name| format!("motion of {name}"));
        let path = problem.path.iter().map(|path| path.name.clone());
        let magnitudes = problem.cost.fuel.iter().map(|(i, _)| format!("magnitude of {}", controls[*i]));
        let peaks = problem.cost.peak.iter().map(|(i, _)| format!("peak of {}", controls[*i]));
        let bounds = magnitudes.chain(peaks).flat_map(|name| [name.clone(), format!("{name}, negative")]);
        motion.chain(self.constraint_names.iter().cloned()).chain(path).chain(bounds).collect()
    }

    /// What the variables are, with the names of functions and globals.
    fn variables(&self) -> (Vec<Spot>, Vec<String>, Vec<String>) {
        let (problem, p) = (self.problem, self.places);
        let (names, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
        let mut globals: Vec<String> = Vec::new();
        let mut spots = Vec::with_capacity(p.total());
        let mut global = |spots: &mut Vec<Spot>, name: String| {
            spots.push(Spot::Global(globals.len()));
            globals.push(name);
        };
        if p.duration.is_some() {
            global(&mut spots, "duration".into());
        }
        for (i, _) in &problem.cost.peak {
            global(&mut spots, format!("largest magnitude of {}", controls[*i]));
        }
        names.iter().for_each(|name| global(&mut spots, format!("rate of {name} at the start")));
        let steps = p.intervals as f64;
        for node in 0..=p.intervals {
            let mut functions = 0;
            let mut sample = |spots: &mut Vec<Spot>, count: usize, share: f64| {
                spots.extend((0..count).map(|i| Spot::At { function: functions + i, share, instant: false }));
                functions += count;
            };
            sample(&mut spots, p.coordinates + p.constraints, node as f64 / steps);
            if node < p.intervals {
                sample(&mut spots, p.controls + p.magnitudes, (node as f64 + 0.5) / steps);
            }
        }
        names.iter().for_each(|name| global(&mut spots, format!("rate of {name} at the end")));
        let mut functions = names;
        functions.extend(self.constraint_names.iter().map(|name| format!("force of {name}")));
        functions.extend(controls.iter().cloned());
        functions.extend(problem.cost.fuel.iter().map(|(i, _)| format!("magnitude of {}", controls[*i])));
        (spots, functions, globals)
    }

    /// Where variables and rows are on the mesh.
    pub fn spots(&self) -> Result<(Vec<Spot>, Vec<Spot>), TranscriptionError> {
        let p = self.places;
        let mut rows = Rows::default();
        let problem = self.problem;
        for node in 0..=p.intervals {
            let share = node as f64 / p.intervals as f64;
            let middle = (node as f64 + 0.5) / p.intervals as f64;
            (0..p.coordinates).for_each(|i| drop(rows.add(i, share, false, (0.0, 0.0))));
            if self.is_constrained(node) {
                (0..p.constraints).for_each(|j| drop(rows.add(p.coordinates + j, share, true, (0.0, 0.0))));
            }
            if node < p.intervals {
                let first = p.coordinates + p.constraints;
                let count = problem.path.len() + 2 * (p.magnitudes + p.peaks);
                (0..count).for_each(|j| drop(rows.add(first + j, middle, true, (0.0, 0.0))));
            }
        }
        (0..2 * problem.periodic.len()).for_each(|k| drop(rows.add_global(k, (0.0, 0.0))));
        Ok((self.variables().0, rows.spots))
    }

    fn variable_bounds(&self) -> (Vec<f64>, Vec<f64>) {
        let (problem, p) = (self.problem, self.places);
        let any = (f64::NEG_INFINITY, f64::INFINITY);
        let mut bounds = vec![any; p.total()];
        if let Some(place) = p.duration {
            bounds[place] = problem.duration.bounds();
        }
        for i in 0..p.coordinates {
            bounds[p.start_velocity() + i] = problem.start.velocity[i].bounds();
            bounds[p.end_velocity() + i] = problem.end.velocity[i].bounds();
            for node in 0..=p.intervals {
                let along = problem.coordinate_bounds[i];
                let own = match node {
                    0 => problem.start.position[i],
                    node if node == p.intervals => problem.end.position[i],
                    _ => Given::FREE,
                };
                bounds[p.position(node) + i] = match own {
                    Given::Fixed(value) => (value, value),
                    Given::Between(lower, upper) => (lower.max(along.0), upper.min(along.1)),
                };
            }
        }
        for interval in 0..p.intervals {
            for i in 0..p.controls {
                bounds[p.control(interval) + i] = problem.control_bounds[i];
            }
        }
        bounds.into_iter().unzip()
    }

    /// The start of the search.
    pub fn start(&self) -> Vec<f64> {
        let (problem, p) = (self.problem, self.places);
        let (lower, upper) = self.variable_bounds();
        let mut x = vec![0.0; lower.len()];
        if let Some(place) = p.duration {
            x[place] = problem.guess.duration;
        }
        let steps = p.intervals as f64;
        for node in 0..=p.intervals {
            let q = (problem.guess.position)(node as f64 / steps);
            x[p.position(node)..p.position(node) + p.coordinates].copy_from_slice(&q);
            if node < p.intervals {
                let u = (problem.guess.control)((node as f64 + 0.5) / steps);
                x[p.control(node)..p.control(node) + p.controls].copy_from_slice(&u);
                for (j, (i, _)) in problem.cost.fuel.iter().enumerate() {
                    x[p.magnitude(node) + j] = u[*i].abs();
                }
            }
        }
        // What is given is not guessed.
        for ((x, lower), upper) in x.iter_mut().zip(&lower).zip(&upper) {
            if lower == upper {
                *x = *lower;
            }
        }
        x
    }

    /// Motion and controls of a point of the program, with the multipliers of its rows.
    pub fn trajectory(&self, x: &[f64], row_multipliers: &[f64]) -> Trajectory {
        Trajectory::new(self.problem, self.places, x, row_multipliers, |node| self.is_constrained(node))
    }
}

/// Rows as they are numbered.
#[derive(Default)]
struct Rows {
    spots: Vec<Spot>,
    bounds: Vec<(f64, f64)>,
}

impl Rows {
    fn add(&mut self, function: usize, share: f64, instant: bool, bounds: (f64, f64)) -> usize {
        self.spots.push(Spot::At { function, share, instant });
        self.bounds.push(bounds);
        self.spots.len() - 1
    }

    fn add_global(&mut self, number: usize, bounds: (f64, f64)) -> usize {
        self.spots.push(Spot::Global(number));
        self.bounds.push(bounds);
        self.spots.len() - 1
    }
}
