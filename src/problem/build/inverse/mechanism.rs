//! The mechanism from its checked parts.

use super::ends::Parts;
use super::rods::CheckedRod;
use crate::material::{Law, SectionConstants};
use crate::models::{Beam, Continuum, End, FlexibleString, Rod, Vector};
use crate::tasks::Mechanism;

/// The mechanism from its checked parts.
pub fn mechanism(rod: &CheckedRod<'_>, gravity: &[f64], parts: &Parts) -> Mechanism {
    let law = Law::build(rod.spec.law);
    let SectionConstants { axial, mass, .. } = rod.section;
    match rod.coordinates {
        ["x", "y", "angle"] => {
            let model = Beam::new(law, rod.section, [gravity[0], gravity[1]]);
            Mechanism::Beam(assemble(rod, model, gravity, parts))
        }
        ["x", "y"] => {
            let model = FlexibleString { law, axial, mass, gravity: [gravity[0], gravity[1]] };
            Mechanism::PlaneString(assemble(rod, model, gravity, parts))
        }
        _ => {
            let model = FlexibleString { law, axial, mass, gravity: [gravity[0], gravity[1], gravity[2]] };
            Mechanism::SpaceString(assemble(rod, model, gravity, parts))
        }
    }
}

fn assemble<C: Continuum<D>, const D: usize>(
    rod: &CheckedRod<'_>,
    model: C,
    gravity: &[f64],
    parts: &Parts,
) -> Rod<C, D> {
    let straight = model.straight(rod.from, rod.to);
    let far = straight.q + straight.p * straight.length;
    let mut ends = [End::free(), End::free()];
    for body in &parts.bodies {
        let end: &mut End<D> = &mut ends[body.side.index()];
        for (c, name) in model.coordinates().into_iter().enumerate() {
            let inertia = if name == "angle" { body.inertia } else { body.mass };
            end.mass[c] += inertia;
            end.weight[c] += body.mass * gravity.get(c).filter(|_| name != "angle").copied().unwrap_or(0.0);
        }
    }
    for load in &parts.loads {
        ends[load.output.side.index()].load[load.output.coordinate] = load.function.clone();
    }
    for servo in &parts.outputs {
        ends[servo.output.side.index()].path[servo.output.coordinate] = Some(servo.function.clone());
    }
    for channel in &parts.channels {
        ends[channel.side.index()].actuated[channel.coordinate] = true;
    }
    for &(side, c) in &parts.held {
        let reference: Vector<D> = if side.index() == 0 { straight.q } else { far };
        ends[side.index()].held[c] = Some(reference[c]);
    }
    Rod { name: rod.name.to_owned(), length: straight.length, elements: rod.spec.elements, straight, model, ends }
}
