//! What problem files can say and a march along rods cannot follow.

use super::super::Check;
use crate::discretisation::chain::{Broken, Leg};
use crate::discretisation::march::space::{SpaceSection, Unfit};
use crate::mechanism::{Mechanism, Tensor};
use crate::tasks::inverse_dynamics::chain::{DAMPED_LAW, UNEVEN_DAMPING};

impl Check<'_> {
    /// A string does not turn what hangs on it.
    pub(super) fn turned_by_strings(&mut self) {
        let spec = self.spec;
        for (name, body) in &spec.body {
            let turns = body.inertia != Tensor::default();
            let path = ["body", name.as_str(), "inertia"];
            if turns && self.is_limp() && self.coordinates_are_known() && self.sure(&path) {
                let value = match &body.inertia {
                    Tensor::Number(inertia) => inertia.to_string(),
                    Tensor::List(_) => "a list".to_owned(),
                };
                let message = format!("`body.{name}.inertia` is {value}, but a string does not turn a body");
                self.error(&path, message, "without effect on a string")
                    .help("remove it; a point mass has only `mass`");
            }
        }
    }

    /// Why there is no way from the path to the actuators along which everything is known.
    pub(super) fn broken(&mut self, mechanism: &Mechanism, servo: &str, channels: &[&str], broken: &[Broken]) {
        for why in broken {
            match why {
                Broken::Joint(name) => {
                    let message = format!(
                        "joint `{name}` holds a place on the way from servo `{servo}` to the actuators to another one or to the ground, expected joints to what hangs on a rod: its forces are not known where the march passes"
                    );
                    self.error(&["joint", name], message, "closes a loop").help(super::refusals::NETS);
                }
                Broken::Support(name) => {
                    let message = format!(
                        "support `{name}` holds coordinates whose forces are not known, expected the whole pose of one end prescribed and the other end driven"
                    );
                    self.error(&["support", name], message, "incomplete end data").help(super::row::INCOMPLETE);
                }
                Broken::Spring(name) => {
                    let message = format!(
                        "spring `{name}` connects two moving places, expected one side on the ground: its force depends on a motion that is not known yet where the march begins"
                    );
                    self.error(&["spring", name], message, "not to the ground").help(super::refusals::NETS);
                }
                Broken::Loop(name) => {
                    let table = if self.spec.body.contains_key(name) { "body" } else { "rod" };
                    let message = format!(
                        "{table} `{name}` hangs on several places of the way from servo `{servo}` to the actuators, expected on one: in a loop forces do not follow from the motion of one side"
                    );
                    self.error(&[table, name], message, "part of a loop").help(super::refusals::NETS);
                }
                Broken::Loose(name) => {
                    let table = if self.spec.body.contains_key(name) { "body" } else { "rod" };
                    let message = format!(
                        "{table} `{name}` is joined to nothing on the way from servo `{servo}` to the actuators, expected a rigid joint"
                    );
                    let end = mechanism.rods.first().map_or("rod", |rod| rod.name.as_str());
                    let frame = if table == "rod" { format!("{name}.start") } else { name.clone() };
                    self.error(&[table, name], message, "not part of the mechanism").help(format!(
                        "add [joint.{name}] with between = [\"{frame}\", \"{end}.end\"] and type = \"rigid\""
                    ));
                }
                Broken::Path => {
                    let message = format!(
                        "`servo.{servo}.at` is not an end of a rod nor rigidly joined to one: beyond it the motion would be that of a free branch"
                    );
                    self.error(&["servo", servo, "at"], message, "not an end of a rod").help(super::refusals::NETS);
                }
                Broken::Drive(place) => {
                    let name = channels[*place].split('.').next().unwrap_or_default();
                    let message = format!(
                        "`actuator.{name}.at` is not where the rods from servo `{servo}` end, expected their other end or what is rigidly joined to it"
                    );
                    self.error(&["actuator", name, "at"], message, "not the driven end").help(super::row::INCOMPLETE);
                }
                Broken::SamePlace => {
                    let name = channels.first().and_then(|name| name.split('.').next()).unwrap_or_default();
                    let message = format!(
                        "`actuator.{name}.at` is where servo `{servo}` prescribes the motion, expected the other end: at the end of the path all forces are known"
                    );
                    self.error(&["actuator", name, "at"], message, "the end that follows the path")
                        .help(super::row::INCOMPLETE);
                }
                Broken::Hanging(name) => {
                    let table = if self.spec.body.contains_key(name) { "body" } else { "rod" };
                    let message = format!(
                        "{table} `{name}` hangs on the rods, but the data of no end are complete, expected the whole pose of one end prescribed and the other end driven: only then can it be simulated on the way"
                    );
                    self.error(&[table, name], message, "not on the row of rods").help(super::refusals::NETS);
                }
                Broken::Apart(frame) => {
                    let frame = mechanism.frame_name(*frame);
                    let message = format!(
                        "\"{frame}\" and the other frames of servo paths, supports and actuators are not all on one row of rods, which is what space-march and galerkin follow"
                    );
                    self.error(&["rod"], message, "not one row of rods").help(super::refusals::NETS);
                }
                Broken::Limp(name) => {
                    let message = format!(
                        "rod `{name}` is a string on the way from servo `{servo}` to the actuators, along which other rods bend, expected strings alone or rods that bend alone: a string does not tell how the rod beyond it is turned"
                    );
                    self.error(&["rod", name, "model"], message, "strings and rods that bend")
                        .help(super::refusals::NETS);
                }
                Broken::NoRod => {
                    let message = "there is no rod that deforms, expected one to march along";
                    self.error(&["rod"], message, "nothing to march along").help(super::refusals::NETS);
                }
            }
        }
    }

    /// Sections along which forces and moments do not determine the strains.
    pub(super) fn unfit_sections(&mut self, mechanism: &Mechanism, legs: &[Leg]) {
        for part in legs.iter().map(|leg| &mechanism.rods[leg.rod]) {
            let places = (0..=part.elements).map(|i| part.boundary(i));
            let plane = mechanism.dimension == 2;
            let unfit = places.into_iter().find_map(|s| SpaceSection::at(part, s, plane).err().map(|why| (s, why)));
            let Some((s, why)) = unfit else { continue };
            let (key, why) = match why {
                Unfit::Damped => ("damping", UNEVEN_DAMPING),
                Unfit::DampedLaw => ("damping", DAMPED_LAW),
                Unfit::Unsheared => (
                    "model",
                    "does not shear, but couples its strains or stiffens, expected force and moment with strains of their own",
                ),
                Unfit::Uneven => {
                    ("section", "is eccentric or couples its strains between the boundaries of elements only")
                }
                Unfit::Soft => ("stiffness", "has a stiffness that is not positive"),
            };
            let message = format!("the section of rod `{}` at s = {s:.4} {why}", part.name);
            let path = ["rod", part.name.as_str(), key];
            let is_there = self.document.get(&path).is_some();
            self.error(if is_there { &path } else { &path[..2] }, message, "not for inverse dynamics")
                .help(super::refusals::FORWARD_ONLY);
        }
    }
}
