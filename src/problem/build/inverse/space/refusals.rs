//! What problem files can say and inverse dynamics of rods in space cannot do.

use super::super::super::Check;
use crate::discretisation::march::space::{SpaceSection, Unfit};
use crate::models::structure::Quadrature;
use crate::models::{JointType, JointWord, RodModel, Structure};
use crate::tasks::{InverseDynamicsSpec, Method, Sweep, TaskSpec};

impl Check<'_> {
    /// Tells everything in the file that has no answer here.
    pub(super) fn space_refusals(&mut self) {
        let spec = self.spec;
        for (other, rod) in spec.rod.iter().skip(1) {
            let message = format!("found a second rod `{other}`, expected one");
            self.error(&["rod", other], message, "this method treats one rod").help(super::super::refusals::NETS);
            self.refuse(rod.model != RodModel::Rod, &["rod", other, "model"], "one rod in space");
        }
        for (name, rod) in &spec.rod {
            let path = |key| ["rod", name.as_str(), key];
            self.refuse(rod.rigid, &path("rigid"), super::super::refusals::DEFORMS);
            self.refuse(rod.order > 1, &path("order"), "elements of order 1");
            self.refuse(!rod.grid.is_equal(), &path("grid"), "elements of equal length");
            self.refuse(rod.quadrature != Quadrature::Midpoint, &path("quadrature"), "the midpoint rule");
            self.refuse_damping(name, rod);
            self.refuse(rod.velocity.is_some(), &path("velocity"), "motions that begin at rest");
            self.refuse(rod.spin.is_some(), &path("spin"), "motions that begin at rest");
        }
        for (name, body) in &spec.body {
            self.refuse(body.velocity.is_some(), &["body", name, "velocity"], "motions that begin at rest");
            self.refuse(body.spin.is_some(), &["body", name, "spin"], "motions that begin at rest");
        }
        for (name, joint) in &spec.joint {
            let rigid = joint.r#type == JointType::Word(JointWord::Rigid);
            self.refuse(!rigid, &["joint", name, "type"], "rigid joints");
            if joint.between.iter().any(|frame| frame == "ground") {
                let message = format!(
                    "joint `{name}` holds the rod to the ground, expected the whole pose of one end prescribed and the other end driven"
                );
                self.error(&["joint", name, "between"], message, "incomplete end data").help(super::INCOMPLETE);
            }
        }
        for (name, load) in &spec.load {
            self.refuse(load.along.is_some(), &["load", name, "along"], "loads at the ends of the rod");
        }
        for name in spec.support.keys() {
            let message = format!(
                "support `{name}` holds coordinates whose forces are not known, expected the whole pose of one end prescribed and the other end driven"
            );
            self.error(&["support", name], message, "incomplete end data").help(super::INCOMPLETE);
        }
        spec.spring.keys().for_each(|name| self.refuse(true, &["spring", name], "mechanisms without springs"));
    }

    /// Whether the chosen method treats rods in space.
    pub(super) fn space_method(&mut self) {
        let TaskSpec::InverseDynamics(InverseDynamicsSpec { method, sweep, .. }) = &self.spec.task else { return };
        if *method == Method::Characteristics {
            let message = "method \"characteristics\" treats strings, and beams in the plane, but no rods in space";
            self.error(&["task", "inverse-dynamics", "method"], message, "not for rods in space")
                .help("set method = \"space-march\" or \"galerkin\"");
        }
        if *method == Method::Galerkin && *sweep == Sweep::Global {
            let message =
                "sweep \"global\" treats strings, and beams in the plane; rods in space are solved layer by layer";
            self.error(&["task", "inverse-dynamics", "sweep"], message, "not for rods in space")
                .help("set sweep = \"layers\", or remove it");
        }
    }

    /// Sections along which forces and moments do not determine the strains in the way a march needs.
    pub(super) fn unfit_sections(&mut self, structure: &Structure) {
        let part = &structure.rods[0];
        let places = (0..=part.elements).map(|i| part.boundary(i));
        let Some((s, why)) = places.into_iter().find_map(|s| SpaceSection::at(part, s).err().map(|why| (s, why)))
        else {
            return;
        };
        let (key, why) = match why {
            Unfit::Coupled => (
                "stiffness",
                "couples stretch or shear with bending or twist (or with each other under a law that is not quadratic), expected that force and moment each have their own strains",
            ),
            Unfit::Damped => ("damping", "is damped, which makes the equations along the rod parabolic"),
            Unfit::Eccentric => ("offset", "has its centres off the axis, expected mass and elastic centre on it"),
            Unfit::Stiffening => ("stiffening", "stiffens, expected bending that is linear in the curvature"),
            Unfit::Soft => ("stiffness", "has a stiffness that is not positive"),
        };
        let message = format!("the section of rod `{}` at s = {s:.4} {why}", part.name);
        let path = ["rod", part.name.as_str(), key];
        let is_there = self.document.get(&path).is_some();
        self.error(if is_there { &path } else { &path[..2] }, message, "not for inverse dynamics")
            .help(super::super::refusals::FORWARD_ONLY);
    }
}
