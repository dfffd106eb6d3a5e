//! A problem of optimal control as mesh continuation sees it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::starts::perturb;
use crate::discretisation::transcription::{ControlProblem, Spot, Trajectory, Transcription};
use crate::nlp::graph::Graph;
use crate::nlp::{GaussNewton, Nlp};
use crate::solver::constrained::Iterate;
use crate::solver::mesh::{MeshLayout, MeshPlace, OnMesh, RowPlace, Weight};

/// Sines of a detour.
const ORDERS: usize = 3;
/// The golden ratio less one.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// Where a search begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Beginning {
    /// At the guess.
    Guess,
    /// At a detour from it, by its number.
    Detour(usize),
    /// At a random change of it: the state of the random numbers, and its size.
    Random(u64, f64),
}

/// The problem on any mesh, with the time its statement took.
pub(super) struct Meshes<'p> {
    pub problem: &'p ControlProblem,
    pub transcription: Transcription<'p>,
    pub beginning: Beginning,
    /// Number of iterations in which the curvature of the rows is left out.
    pub gauss_newton: usize,
    elapsed: Cell<Duration>,
    /// Motion on a coarser mesh along which the next ones have their reference points.
    followed: RefCell<Option<Trajectory>>,
    /// Along what the last program on each mesh has them.
    stated: RefCell<BTreeMap<usize, Vec<Vec<f64>>>>,
}

impl<'p> Meshes<'p> {
    pub fn new(problem: &'p ControlProblem, transcription: Transcription<'p>, beginning: Beginning) -> Self {
        Self {
            problem,
            transcription,
            beginning,
            gauss_newton: 0,
            elapsed: Cell::default(),
            followed: RefCell::default(),
            stated: RefCell::default(),
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.elapsed.get()
    }

    /// The problem on a mesh as its last program was stated.
    pub fn stated(&self, intervals: usize) -> Transcription<'p> {
        let mesh = self.transcription.on(intervals);
        match self.stated.borrow().get(&intervals) {
            Some(path) => mesh.along(path.clone()),
            None => mesh,
        }
    }

    fn timed<T>(&self, work: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let done = work();
        self.elapsed.set(self.elapsed.get() + clock.elapsed());
        done
    }
}

/// Adds to the positions of a start, between its ends, sines of the first three orders. Their amplitudes are up to the change
/// of the coordinate along the guess, spread evenly over all signs by the golden ratio.
fn take_detour(x: &mut [f64], spots: &[Spot], coordinates: usize, detour: usize) {
    let along = |i: usize| {
        let of = move |(k, spot): (usize, &Spot)| match *spot {
            Spot::At { function, share, .. } if function == i => Some((k, share)),
            _ => None,
        };
        spots.iter().enumerate().filter_map(of)
    };
    let change = |i: usize| {
        let limits =
            along(i).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (k, _)| (x[k].min(low), x[k].max(high)));
        limits.1 - limits.0
    };
    let changes: Vec<f64> = (0..coordinates).map(change).collect();
    let largest = changes.iter().fold(0.0f64, |largest, change| largest.max(*change));
    let largest = if largest > 0.0 { largest } else { 1.0 };
    for (i, change) in changes.into_iter().enumerate() {
        let reach = if change > 0.0 { change } else { largest };
        for order in 1..=ORDERS {
            let number = (detour * coordinates + i) * ORDERS + order;
            let amplitude = reach * (2.0 * (number as f64 * GOLDEN).fract() - 1.0);
            for (k, share) in along(i) {
                x[k] += amplitude * (order as f64 * std::f64::consts::PI * share).sin();
            }
        }
    }
}

/// Functions keep their numbers, globals follow them.
fn place(spot: Spot, functions: usize) -> MeshPlace {
    match spot {
        Spot::Global(number) => MeshPlace::Global { family: functions + number },
        Spot::At { function, share, .. } => MeshPlace::At { family: function, time: share },
    }
}

fn functions(spots: &[Spot]) -> usize {
    let number = |spot: &Spot| if let Spot::At { function, .. } = spot { function + 1 } else { 0 };
    spots.iter().map(number).max().unwrap_or(0)
}

/// Where variables and rows lie.
pub(super) fn layout(variables: Vec<Spot>, rows: Vec<Spot>) -> MeshLayout {
    let (of_variables, of_rows) = (functions(&variables), functions(&rows));
    let row = |spot: Spot| RowPlace {
        place: place(spot, of_rows),
        weight: match spot {
            Spot::At { instant: true, .. } => Weight::Step,
            _ => Weight::Independent,
        },
    };
    MeshLayout {
        variables: variables.into_iter().map(|spot| place(spot, of_variables)).collect(),
        rows: rows.into_iter().map(row).collect(),
    }
}

impl OnMesh for Meshes<'_> {
    fn program(&self, intervals: usize) -> Box<dyn Nlp> {
        match self.followed.borrow().as_ref() {
            Some(followed) => self.stated.borrow_mut().insert(intervals, followed.q.clone()),
            None => self.stated.borrow_mut().remove(&intervals),
        };
        self.timed(|| match self.stated(intervals).program() {
            Ok(program) if self.gauss_newton > 0 => {
                Box::new(GaussNewton::new(program, self.gauss_newton)) as Box<dyn Nlp>
            }
            Ok(program) => Box::new(program),
            // A program without variables does not fit its layout, and so is refused.
            Err(_) => Box::new(Graph::new().build()) as Box<dyn Nlp>,
        })
    }

    fn start(&self, intervals: usize) -> Vec<f64> {
        self.timed(|| {
            let mesh = self.transcription.on(intervals);
            let mut x = mesh.start();
            match self.beginning {
                Beginning::Guess => {}
                Beginning::Detour(number) => take_detour(&mut x, &mesh.variables(), mesh.coordinates(), number),
                Beginning::Random(seed, spread) => perturb(self.problem, &mesh.variables(), &mut x, seed, spread),
            }
            x
        })
    }

    fn layout(&self, intervals: usize) -> MeshLayout {
        self.timed(|| {
            let mesh = self.transcription.on(intervals);
            layout(mesh.variables(), mesh.rows())
        })
    }

    fn follow(&self, coarser: Option<(usize, &Iterate)>) -> bool {
        if !self.transcription.is_reduced() {
            return false;
        }
        let motion = coarser
            .and_then(|(intervals, iterate)| self.stated(intervals).trajectory(&iterate.x, &iterate.lambda).ok());
        self.followed.replace(motion);
        true
    }

    fn settle(&self, intervals: usize, start: &mut Iterate) {
        if let Some(followed) = self.followed.borrow().as_ref() {
            // Where the chart has no value the interpolated numbers are as good a start as any.
            let settled = self.stated(intervals).settle(&followed.costates, &mut start.x, &mut start.lambda);
            settled.unwrap_or_default();
        }
    }
}
