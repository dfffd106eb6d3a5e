//! What actuators apply to rods in a row.

use super::super::Check;
use super::super::forward::scene::Scene;
use crate::discretisation::chain::DrivePoint;
use crate::mechanism::ForceComponent;
use crate::tasks::Channel;

impl Check<'_> {
    /// Components of force and torque in the order of the file.
    pub(super) fn row_drives(&mut self, scene: &mut Scene<'_>) -> Vec<(Channel, DrivePoint)> {
        let spec = self.spec;
        let (plane, limp) = (self.dimension() == Some(2), self.is_limp());
        let all = match (plane, limp) {
            (true, true) => "force_x, force_y",
            (false, true) => "force_x, force_y, force_z",
            (true, false) => "force_x, force_y, torque",
            (false, false) => "force_x, force_y, force_z, torque_x, torque_y, torque_z",
        };
        if spec.actuator.is_empty() && self.sure(&["actuator"]) {
            let message = "there is no actuator, expected a table such as [actuator.base]: what may act on the rod?";
            let quoted: Vec<String> = all.split(", ").map(|name| format!("\"{name}\"")).collect();
            let rod = spec.rod.keys().next().map_or("rod", String::as_str);
            self.error(&["actuator"], message, "no [actuator.*] in this file")
                .help(format!("for example at = \"{rod}.start\" and acts = [{}]", quoted.join(", ")));
        }
        let mut found: Vec<(Channel, DrivePoint)> = Vec::new();
        for (name, actuator) in &spec.actuator {
            let frame = self.frame_at(scene, &["actuator", name, "at"], &actuator.at, false);
            if actuator.acts.is_empty() && self.sure(&["actuator", name]) {
                let message =
                    format!("actuator `{name}` applies nothing: `acts` is empty, expected at least one component");
                self.error(&["actuator", name, "acts"], message, "no component");
            }
            for (i, component) in actuator.acts.iter().enumerate() {
                let index = i.to_string();
                let path = ["actuator", name.as_str(), "acts", index.as_str()];
                let coordinate = match (component, plane) {
                    (ForceComponent::ForceX, _) => Some(0),
                    (ForceComponent::ForceY, _) => Some(1),
                    (ForceComponent::ForceZ, false) => Some(2),
                    (ForceComponent::TorqueX, false) => Some(3),
                    (ForceComponent::TorqueY, false) => Some(4),
                    (ForceComponent::TorqueZ, false) | (ForceComponent::Torque, true) => Some(5),
                    _ => None,
                };
                let Some(coordinate) = coordinate.filter(|coordinate| !limp || *coordinate < 3) else {
                    if !self.coordinates_are_known() {
                        continue;
                    }
                    let here = self.document.path_text(&path);
                    let what = if limp { "a string" } else { "a rod" };
                    let where_to = if plane { "in the plane" } else { "in space" };
                    let message =
                        format!("`{here}` is \"{}\", expected one of {all} on {what} {where_to}", component.name());
                    self.error(&path, message, if limp { "not for strings" } else { "which direction?" });
                    continue;
                };
                let Some(frame) = frame else { continue };
                let drive = DrivePoint { frame, component: coordinate, follows: actuator.follows };
                let same = |(_, other): &&(Channel, DrivePoint)| (other.frame, other.component) == (frame, coordinate);
                if let Some((other, _)) = found.iter().find(same) {
                    let message = format!(
                        "\"{}\" at \"{}\" is applied twice (also as `{}`)",
                        component.name(),
                        actuator.at,
                        other.name
                    );
                    self.error(&path, message, "applied already");
                    continue;
                }
                found.push((Channel { name: format!("{name}.{}", component.name()), coordinate }, drive));
            }
        }
        found
    }
}
