//! What is judged of the end of a motion: values that the problem states, and the rest that rods come to.
//!
//! The fronts of waves that are left in a rod move from node to node of one mesh and another, so that the velocities of single
//! sections do not converge where the motion does. Of a rod that is to rest (velocities at the end are zero unless stated) the root
//! mean square of each component over its sections is judged, as its kinetic energy is; what the problem states is judged by
//! itself.

use std::collections::BTreeMap;

use super::question::ControlSystem;
use super::resimulation::{Limits, wanted};
use crate::discretisation::transcription::Given;
use crate::mechanism::RodPart;
use crate::tasks::verify::Judged;

/// What each judged quantity is made of: coordinates and velocities, by number, with their values wanted.
pub struct Aims {
    members: Vec<Vec<(usize, f64)>>,
}

impl Aims {
    /// From the names of coordinates and velocities, what was found of them at the end, and how far they may be off; only the last of
    /// `instants` instants is judged.
    pub fn new(
        system: &ControlSystem,
        rods: &[RodPart],
        names: &[String],
        found: (&[f64], &[f64]),
        limits: &Limits,
        instants: usize,
    ) -> (Self, Vec<Judged>) {
        let end = &system.problem.end;
        let values = wanted(end, found);
        let given: Vec<Given> = end.position.iter().chain(&end.velocity).copied().collect();
        // What the problem says nothing of, and no cost depends on, may end elsewhere: such motions are as good.
        let pays = system.legs().iter().any(|(problem, _)| problem.pays_for_motion());
        let mut resting: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let (mut members, mut judged) = (Vec::new(), Vec::new());
        let mut judge = |name: String, of: Vec<(usize, f64)>, value: f64, open: bool| {
            let mut wanted = vec![f64::NAN; instants];
            wanted[instants - 1] = value;
            let first = of[0].0;
            judged.push(Judged { name, wanted, allowed: limits.allowed(first), size: limits.size(first), open });
            members.push(of);
        };
        for (i, name) in names.iter().enumerate() {
            let rests = i >= found.0.len() && given[i] == Given::Fixed(0.0) && !system.stated.contains(name);
            match rests.then(|| rods.iter().find_map(|rod| of_rod(rod, name))).flatten() {
                Some(component) => resting.entry(component).or_default().push((i, values[i])),
                None => {
                    let open = !pays && given[i].bounds() == Given::FREE.bounds();
                    judge(name.clone(), vec![(i, values[i])], values[i], open);
                }
            }
        }
        for (name, of) in resting {
            judge(name, of, 0.0, false);
        }
        (Self { members }, judged)
    }

    /// The judged quantities of coordinates and velocities.
    pub fn measured(&self, state: &[f64]) -> Vec<f64> {
        let of = self.members.iter().map(|of| match of[..] {
            [(i, _)] => state[i],
            _ => {
                let squares: f64 = of.iter().map(|(i, wanted)| (state[*i] - wanted).powi(2)).sum();
                (squares / of.len() as f64).sqrt()
            }
        });
        of.collect()
    }
}

/// The name of a component of all sections of a rod, if a quantity is one of its.
fn of_rod(rod: &RodPart, name: &str) -> Option<String> {
    let section = name.strip_prefix(&rod.name)?;
    let component = section.rsplit('.').next()?;
    let is_section = ["@", ".start.", ".end."].iter().any(|place| section.starts_with(place));
    is_section.then(|| format!("{}.{component} (root mean square)", rod.name))
}
