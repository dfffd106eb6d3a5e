//! What problem files can say and inverse dynamics cannot do yet.

use super::super::super::validate::found;
use super::super::Check;
use crate::kernel::OneOrSeveral;
use crate::material::SectionSpec;
use crate::models::structure::Quadrature;
use crate::models::{
    BodySpec, Coordinate, JointSpec, JointType, JointWord, LoadSpec, RodModel, RodSpec, SupportSpec, Tensor,
};

/// Where else to go.
pub const FORWARD_ONLY: &str = "[task.statics], [task.simulate] and [task.modes] can";

/// What takes more than one rod.
pub const NETS: &str = "method = \"sequential\" or \"optimise\" takes nets of rods and bodies";

/// What sweeps along a rod need of it.
pub const DEFORMS: &str = "rods that deform, unless the method is \"sequential\" or \"optimise\"";

impl Check<'_> {
    /// Tells everything in the file that inverse dynamics has no answer for.
    pub fn refusals(&mut self) {
        let spec = self.spec;
        spec.rod.iter().for_each(|(name, rod)| self.refuse_in_rod(name, rod));
        spec.body.iter().for_each(|(name, body)| self.refuse_in_body(name, body));
        spec.joint.iter().for_each(|(name, joint)| self.refuse_in_joint(name, joint));
        spec.load.iter().for_each(|(name, load)| self.refuse_in_load(name, load));
        spec.spring.keys().for_each(|name| self.refuse(true, &["spring", name], "mechanisms without springs"));
        spec.support.iter().for_each(|(name, support)| self.refuse_in_support(name, support));
    }

    pub fn refuse(&mut self, is_there: bool, path: &[&str], treats: &str) {
        if !is_there || !self.sure(path) {
            return;
        }
        self.limited = true;
        let here = self.document.path_text(path);
        let value = self.document.get(path).map_or(String::new(), |node| format!(" is {}, which", found(&node.value)));
        let message = format!("`{here}`{value} cannot be used here: so far inverse dynamics treats only {treats}");
        self.error(path, message, "not for inverse dynamics").help(FORWARD_ONLY);
    }

    fn refuse_in_rod(&mut self, name: &str, rod: &RodSpec) {
        let path = |key| ["rod", name, key];
        self.refuse(
            matches!(rod.model, RodModel::Rod | RodModel::Kirchhoff),
            &path("model"),
            "strings, beams in the plane, and rods (model \"rod\") in space",
        );
        self.refuse(rod.rigid, &path("rigid"), DEFORMS);
        self.refuse(rod.curve.is_some(), &path("curve"), "straight rods");
        self.refuse(rod.normal.is_some(), &path("normal"), "rods without a normal");
        self.refuse(rod.twist.is_some(), &path("twist"), "rods without twist");
        self.refuse(rod.order > 1, &path("order"), "elements of order 1");
        self.refuse(rod.quadrature != Quadrature::Midpoint, &path("quadrature"), "the midpoint rule");
        self.refuse(rod.table.is_some(), &path("table"), "rods that are the same all along");
        self.refuse(!rod.grid.is_equal(), &path("grid"), "elements of equal length");
        self.refuse(rod.offset.is_some(), &path("offset"), "sections whose centres lie on the axis");
        self.refuse_damping(name, rod);
        self.refuse(rod.stiffening.is_some(), &path("stiffening"), "bending that is linear in the curvature");
        self.refuse(rod.prestrain.is_some(), &path("prestrain"), "rods without prestrain");
        self.refuse(rod.velocity.is_some(), &path("velocity"), "motions that begin at rest");
        self.refuse(rod.spin.is_some(), &path("spin"), "motions that begin at rest");
        if let Some(stiffness) = &rod.stiffness {
            let path = |key| ["rod", name, "stiffness", key];
            self.refuse(stiffness.torsion.is_some(), &path("torsion"), "rods without twist");
            self.refuse(stiffness.matrix.is_some(), &path("matrix"), "stiffnesses in the plane");
            let is_list = |value: &Option<OneOrSeveral<_>>| value.as_ref().is_some_and(OneOrSeveral::is_list);
            self.refuse(is_list(&stiffness.shear), &path("shear"), "one shear stiffness");
            self.refuse(is_list(&stiffness.bending), &path("bending"), "one bending stiffness");
        }
        let rotary = rod.inertia.as_ref().and_then(|inertia| inertia.rotary.as_ref());
        self.refuse(
            rotary.is_some_and(OneOrSeveral::is_list),
            &["rod", name, "inertia", "rotary"],
            "one rotary inertia",
        );
        if let Some(section) = &rod.section {
            let (tag, factor) = match section {
                SectionSpec::Circle { shear_factor, .. } => ("circle", shear_factor),
                SectionSpec::Tube { shear_factor, .. } => ("tube", shear_factor),
                SectionSpec::Rectangle { shear_factor, .. } => ("rectangle", shear_factor),
            };
            let path = ["rod", name, "section", tag, "shear-factor"];
            self.refuse(factor.is_some(), &path, "the shear factor of the shape");
        }
    }

    /// Kelvin-Voigt damping, whose stress grows with the rate of strain: the highest derivatives are then those of
    /// ∂²/∂s² ∂/∂t, as in the equation of heat.
    pub fn refuse_damping(&mut self, name: &str, rod: &RodSpec) {
        let path = ["rod", name, "damping"];
        if rod.damping.is_none() || !self.sure(&path) {
            return;
        }
        let message = format!(
            "`rod.{name}.damping` cannot be used here: Kelvin-Voigt damping makes the equations of rod `{name}` parabolic, as those of heat are, so its state cannot be followed along the rod from the end whose motion and forces are known"
        );
        self.error(&path, message, "no march along a damped rod").help(
            "remove the damping and verify with it in [task.simulate]; method = \"optimise\", where it is offered, follows the path as well as a damped rod can",
        );
    }

    fn refuse_in_body(&mut self, name: &str, body: &BodySpec) {
        let path = |key| ["body", name, key];
        self.refuse(body.position.is_some(), &path("position"), "bodies whose mass centre is at the end of the rod");
        self.refuse(body.orientation.is_some(), &path("orientation"), "bodies that turn with the end of the rod");
        self.refuse(body.velocity.is_some(), &path("velocity"), "motions that begin at rest");
        self.refuse(body.spin.is_some(), &path("spin"), "motions that begin at rest");
        self.refuse(!matches!(body.inertia, Tensor::Number(_)), &path("inertia"), "one rotary inertia");
    }

    fn refuse_in_joint(&mut self, name: &str, joint: &JointSpec) {
        let rigid = joint.r#type == JointType::Word(JointWord::Rigid);
        self.refuse(!rigid, &["joint", name, "type"], "rigid joints");
        self.refuse(joint.at.is_some(), &["joint", name, "at"], "joints at the end of the rod");
    }

    fn refuse_in_load(&mut self, name: &str, load: &LoadSpec) {
        self.refuse(load.along.is_some(), &["load", name, "along"], "loads at the ends of the rod");
        self.refuse(load.follows, &["load", name, "follows"], "loads of fixed direction");
        let is_list = load.torque.as_ref().is_some_and(OneOrSeveral::is_list);
        self.refuse(is_list, &["load", name, "torque"], "one torque");
    }

    fn refuse_in_support(&mut self, name: &str, support: &SupportSpec) {
        let moved = [("x", &support.x), ("y", &support.y), ("z", &support.z), ("angle", &support.angle)];
        for (key, motion) in moved {
            self.refuse(motion.is_some(), &["support", name, key], "supports that do not move");
        }
        self.refuse(support.rotation.is_some(), &["support", name, "rotation"], "supports that do not move");
        for (i, coordinate) in support.fixes.iter().flatten().enumerate() {
            let path = ["support", name, "fixes", &i.to_string()];
            self.refuse(*coordinate == Coordinate::Rotation, &path, "rotations in the plane");
        }
    }
}
