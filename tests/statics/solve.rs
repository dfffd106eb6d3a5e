//! Equilibria by one call, without settings.

use lariat::discretisation::assembly::{Assembly, build};
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::discretisation::linearised::Linearised;
use lariat::mechanism::{Frame, Mechanism};
use lariat::nlp::ParametricSystem;
use lariat::solver::PointKind;
use lariat::tasks::statics::{Wanted, branch, reactions, unstable_directions};
use nalgebra::Vector3;

/// An equilibrium.
pub struct State {
    pub mechanism: Mechanism,
    pub assembly: Assembly,
    pub factor: f64,
    /// Unknowns and all coordinates.
    pub x: Vec<f64>,
    pub q: Vec<f64>,
}

/// The first equilibrium with each load factor on the branch from the unloaded state.
pub fn states(mechanism: &Mechanism, factors: &[f64]) -> Vec<State> {
    let assembly = build(mechanism);
    let mut equilibrium = Equilibrium::new(&assembly, 0.0);
    let path = branch(&mut equilibrium, &Wanted::at(factors), &mut |_| true).unwrap();
    let mut found = Vec::new();
    for &factor in factors {
        let point = path.of_kind(PointKind::Target).find(|point| (point.parameter - factor).abs() < 1e-12);
        let point = point.unwrap_or_else(|| panic!("no state at {factor}: {}", path.end));
        equilibrium.set_parameter(factor);
        let q = equilibrium.configuration(&point.x).unwrap();
        found.push((factor, point.x.clone(), q));
    }
    let state = |(factor, x, q)| State { mechanism: mechanism.clone(), assembly: assembly.clone(), factor, x, q };
    found.into_iter().map(state).collect()
}

/// The equilibrium under the full loads.
pub fn state(mechanism: &Mechanism) -> State {
    states(mechanism, &[1.0]).remove(0)
}

impl State {
    pub fn position(&self, frame: Frame) -> Vector3<f64> {
        self.assembly.frame(frame).unwrap().position(&self.assembly.layout, &self.q)
    }

    /// Position of the end of the first rod.
    pub fn tip(&self) -> Vector3<f64> {
        self.position(Frame::Section { rod: 0, boundary: self.mechanism.rods[0].elements })
    }

    /// Angle of the end of the first rod of a plane structure.
    pub fn tip_angle(&self) -> f64 {
        let (_, at) = self.assembly.sections[0].last().unwrap();
        self.assembly.layout.angle(&self.q, at.node) + at.angle
    }

    /// All reactions.
    pub fn reactions(&self) -> Vec<(String, f64)> {
        let mut equilibrium = Equilibrium::new(&self.assembly, 0.0);
        equilibrium.set_parameter(self.factor);
        reactions(&self.assembly, &mut equilibrium, &self.x).unwrap()
    }

    pub fn reaction(&self, name: &str) -> f64 {
        let all = self.reactions();
        all.iter().find(|(of, _)| of == name).unwrap_or_else(|| panic!("no `{name}` in {all:?}")).1
    }

    /// Forces that the joints apply to their second side, one per equation.
    pub fn joint_forces(&self) -> Vec<f64> {
        let first = Equilibrium::new(&self.assembly, 0.0).coordinates();
        self.x[first..].iter().map(|lambda| -lambda).collect()
    }

    pub fn linearised(&self) -> Linearised {
        let mut equilibrium = Equilibrium::new(&self.assembly, 0.0);
        equilibrium.set_parameter(self.factor);
        Linearised::new(&mut equilibrium, &self.x).unwrap()
    }

    /// Unstable and indifferent directions.
    pub fn stability(&self) -> (usize, usize) {
        unstable_directions(&self.linearised()).unwrap()
    }
}
