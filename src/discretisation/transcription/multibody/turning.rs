//! Orientations as outputs: how far a frame is turned away from a path of orientations.

use std::sync::Arc;

use super::held::turned;
use super::view::View;
use super::{At, Multibody};
use crate::discretisation::transcription::Formula;
use crate::geometry::Quaternion;
use crate::geometry::algebra::{Turn, Vector, imaginary, relative, scale};
use crate::kernel::Function;
use crate::nlp::graph::{Expr, Graph};
use crate::terms::Attachment;

/// Three outputs with their paths.
pub type TurnOutputs = [(Formula, Formula); 3];

impl Multibody {
    /// Outputs of a frame in space that follows rotations from its reference orientation, the last of them first. The path of each is a
    /// component of the sum of their rotation vectors, which tells how large the turn is; the output adds what the frame is away from its
    /// path, the axis of that rotation (axes fixed in space) times the sine of its angle. None of a frame without an orientation.
    pub fn turn_outputs(self: &Arc<Self>, frame: &str, turns: Vec<[Function; 3]>) -> Option<TurnOutputs> {
        let (_, at) = self.orientations.iter().find(|(name, _)| name == frame)?;
        let reference = at.pose(&self.assembly.layout, &self.assembly.reference).orientation;
        let path = Arc::new(TurnPath { turns, reference });
        Some([0, 1, 2].map(|axis| {
            let (body, place, followed) = (Arc::clone(self), *at, Arc::clone(&path));
            let output: Formula = Arc::new(move |at| followed.sum(at, axis) + followed.away(&body, &place, at)[axis]);
            let path = Arc::clone(&path);
            let wanted: Formula = Arc::new(move |at| path.sum(at, axis));
            (output, wanted)
        }))
    }
}

/// Orientations over time.
struct TurnPath {
    turns: Vec<[Function; 3]>,
    reference: Quaternion,
}

impl TurnPath {
    /// A component of the sum of the rotation vectors.
    fn sum<'g>(&self, at: &At<'g>, axis: usize) -> Expr<'g> {
        let parts: Vec<Expr<'g>> =
            self.turns.iter().map(|turn| super::held::moved(at.graph, &turn[axis], at.t).0).collect();
        at.graph.sum(parts)
    }

    /// The orientation at a time.
    fn orientation<'g>(&self, graph: &'g Graph, t: Expr<'g>) -> Turn<Expr<'g>> {
        let numbers = self.reference.to_array().map(|number| graph.constant(number));
        self.turns.iter().rev().fold(numbers, |after, turn| {
            let (first, _) = turned(graph, turn, Quaternion::IDENTITY, t);
            relative(conjugate(first), after)
        })
    }

    /// Sine of the angle times the axis of the rotation from the path to a frame.
    fn away<'g>(&self, body: &Multibody, place: &Attachment, at: &At<'g>) -> Vector<Expr<'g>> {
        let view = View::new(body, at);
        let frame = view.nodes().turn(place);
        let path = self.orientation(at.graph, at.t);
        let away = relative(conjugate(frame), conjugate(path));
        scale(2.0 * away[0], imaginary(away))
    }
}

fn conjugate<T: std::ops::Neg<Output = T> + Copy>(p: Turn<T>) -> Turn<T> {
    [p[0], -p[1], -p[2], -p[3]]
}
