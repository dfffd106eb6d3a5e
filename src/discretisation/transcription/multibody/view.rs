//! A mechanism at a state: all nodes of the assembly as expressions of the coordinates and of time.

use super::Multibody;
use super::held::{moved, reference_turn, turned};
use crate::discretisation::transcription::At;
use crate::nlp::graph::Expr;
use crate::terms::{ByCoordinate, LoadSource, MovingNodes, NodeKind, Nodes, Works};

/// A mechanism at a state.
pub(super) struct View<'a, 'g> {
    pub body: &'a Multibody,
    pub at: &'a At<'g>,
    /// Coordinates of all nodes of the assembly, and their rates.
    q: Vec<Expr<'g>>,
    v: Vec<Expr<'g>>,
}

impl<'a, 'g> View<'a, 'g> {
    pub fn new(body: &'a Multibody, at: &'a At<'g>) -> Self {
        let (assembly, graph) = (&body.assembly, at.graph);
        let zero = graph.constant(0.0);
        let of = |place: &Option<usize>, list: &[Expr<'g>], other: Expr<'g>| place.map_or(other, |place| list[place]);
        let reference = assembly.reference.iter().zip(&body.places);
        let mut q: Vec<Expr<'g>> = reference.map(|(value, place)| of(place, &at.q, graph.constant(*value))).collect();
        let mut v: Vec<Expr<'g>> = body.places.iter().map(|place| of(place, &at.v, zero)).collect();
        for support in assembly.prescribed.iter().filter(|support| body.held[support.node]) {
            let (first, kind) = (assembly.layout.coordinate(support.node), assembly.layout.kind(support.node));
            for c in 0..kind.positions() {
                if let Some(function) = &support.displacement[c] {
                    let (value, rate) = moved(graph, function, at.t);
                    (q[first + c], v[first + c]) = (value + assembly.reference[first + c], rate);
                }
            }
            let Some(rotation) = &support.rotation else { continue };
            match kind {
                NodeKind::PlaneFrame => {
                    let (value, rate) = moved(graph, &rotation[2], at.t);
                    (q[first + 2], v[first + 2]) = (value + assembly.reference[first + 2], rate);
                }
                NodeKind::SpaceFrame => {
                    let (turn, rate) = turned(graph, rotation, reference_turn(assembly, support), at.t);
                    q[first + 3..first + 7].copy_from_slice(&turn);
                    v[first + 3..first + 7].copy_from_slice(&rate);
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => {}
            }
        }
        Self { body, at, q, v }
    }

    pub fn number(&self, value: f64) -> Expr<'g> {
        self.at.graph.constant(value)
    }

    /// The configuration of all nodes.
    pub fn nodes(&self) -> Nodes<'_, Expr<'g>> {
        Nodes { layout: &self.body.assembly.layout, q: &self.q }
    }

    /// The same with rates.
    pub fn moving(&self) -> MovingNodes<'_, Expr<'g>> {
        MovingNodes { nodes: self.nodes(), v: &self.v }
    }

    /// Rates of coordinates that supports move; zero of all others.
    pub fn given_rates(&self) -> Vec<Expr<'g>> {
        let zero = self.number(0.0);
        self.v.iter().zip(&self.body.places).map(|(v, place)| if place.is_some() { zero } else { *v }).collect()
    }

    /// Generalised forces of all coordinates: controls, loads, drag and damping.
    pub fn forces(&self) -> Vec<Expr<'g>> {
        let mut terms: Vec<Vec<Expr<'g>>> = vec![Vec::new(); self.at.q.len()];
        let mut take = |coordinate: usize, force: Expr<'g>| {
            if let Some(place) = self.body.places[coordinate] {
                terms[place].push(force);
            }
        };
        let mut by_coordinate = ByCoordinate { nodes: self.nodes(), take: &mut take };
        let mut works = Works { nodes: self.nodes(), receiver: &mut by_coordinate };
        self.body.effects.iter().zip(&self.at.u).for_each(|(effect, u)| effect.act(&mut works, *u));
        for load in &self.body.assembly.loads {
            let (force, torque) = self.components(&load.source);
            load.work_over(&mut works, force, torque);
        }
        if !self.body.assembly.drags.is_empty() {
            let current = self.body.assembly.current.each_ref().map(|f| f.lower(self.at.graph, self.at.t));
            let moving = self.moving();
            self.body.assembly.drags.iter().for_each(|drag| drag.work_over(&moving, current, 1.0, &mut works));
        }
        self.damping(&mut terms);
        terms.into_iter().map(|terms| self.at.graph.sum(terms)).collect()
    }

    /// Components of force and torque of a load.
    fn components(&self, source: &LoadSource) -> ([Expr<'g>; 3], [Expr<'g>; 3]) {
        let (graph, t) = (self.at.graph, self.at.t);
        match source {
            LoadSource::Frame(force, torque) => {
                let lowered = |list: &[crate::kernel::Function; 3]| list.each_ref().map(|f| f.lower(graph, t));
                (lowered(force), lowered(torque))
            }
            LoadSource::Line(points, force, torque) => {
                let along = |list: &[crate::kernel::Profile; 3]| {
                    list.each_ref().map(|profile| {
                        graph.sum(points.iter().map(|(weight, s)| *weight * profile.lower(graph, *s, t)))
                    })
                };
                (along(force), along(torque))
            }
            // Samples are for simulations; no mechanism is built from them.
            LoadSource::Sampled { .. } => ([graph.constant(f64::NAN); 3], [graph.constant(f64::NAN); 3]),
        }
    }
}
