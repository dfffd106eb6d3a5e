//! What problem files can say and inverse dynamics cannot do yet.

use super::super::super::validate::found;
use super::super::Check;
use crate::models::RodSpec;

/// Where else to go.
pub const FORWARD_ONLY: &str = "[task.statics], [task.simulate] and [task.modes] can";

/// What takes more than one rod.
pub const NETS: &str = "method = \"sequential\" or \"optimise\" takes nets of rods and bodies";

impl Check<'_> {
    pub fn refuse(&mut self, is_there: bool, path: &[&str], treats: &str) {
        if !is_there || !self.sure(path) {
            return;
        }
        let here = self.document.path_text(path);
        let value = self.document.get(path).map_or(String::new(), |node| format!(" is {}, which", found(&node.value)));
        let message = format!("`{here}`{value} cannot be used here: so far inverse dynamics treats only {treats}");
        self.error(path, message, "not for inverse dynamics").help(FORWARD_ONLY);
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
}
