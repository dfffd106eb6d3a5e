//! A problem of optimal control as mesh continuation sees it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::discretisation::dmoc::{Spot, Transcription};
use crate::nlp::Nlp;
use crate::nlp::graph::Graph;
use crate::solver::mesh::{Layout, OnMesh, Place, RowPlace, Weight};

/// The problem on any mesh, with the time its statement took.
pub(super) struct Meshes<'p> {
    pub transcription: Transcription<'p>,
    elapsed: Cell<Duration>,
}

impl<'p> Meshes<'p> {
    pub fn new(transcription: Transcription<'p>) -> Self {
        Self { transcription, elapsed: Cell::default() }
    }

    pub fn elapsed(&self) -> Duration {
        self.elapsed.get()
    }

    fn timed<T>(&self, work: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let done = work();
        self.elapsed.set(self.elapsed.get() + clock.elapsed());
        done
    }
}

/// Functions keep their numbers, globals follow them.
fn place(spot: Spot, functions: usize) -> Place {
    match spot {
        Spot::Global(number) => Place::Global { family: functions + number },
        Spot::At { function, share, .. } => Place::At { family: function, time: share },
    }
}

fn functions(spots: &[Spot]) -> usize {
    let number = |spot: &Spot| if let Spot::At { function, .. } = spot { function + 1 } else { 0 };
    spots.iter().map(number).max().unwrap_or(0)
}

impl OnMesh for Meshes<'_> {
    fn program(&self, intervals: usize) -> Box<dyn Nlp> {
        self.timed(|| match self.transcription.on(intervals).program() {
            Ok(program) => Box::new(program),
            // A program without variables does not fit its layout, and so is refused.
            Err(_) => Box::new(Graph::new().build()) as Box<dyn Nlp>,
        })
    }

    fn start(&self, intervals: usize) -> Vec<f64> {
        self.timed(|| self.transcription.on(intervals).start())
    }

    fn layout(&self, intervals: usize) -> Layout {
        self.timed(|| {
            let mesh = self.transcription.on(intervals);
            let (variables, rows) = (mesh.variables(), mesh.rows());
            let (of_variables, of_rows) = (functions(&variables), functions(&rows));
            let row = |spot: Spot| RowPlace {
                place: place(spot, of_rows),
                weight: match spot {
                    Spot::At { instant: true, .. } => Weight::Step,
                    _ => Weight::Independent,
                },
            };
            Layout {
                variables: variables.into_iter().map(|spot| place(spot, of_variables)).collect(),
                rows: rows.into_iter().map(row).collect(),
            }
        })
    }
}
