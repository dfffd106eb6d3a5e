//! Arms of rods in space.

use super::*;

/// The soft link of the gallery as a rod in space, with an arbitrary stiffness out of its plane.
pub const LINK: &str = r#"
dimension = 3
[time]
end = 6.0
steps = 300
[rod.link]
model = "rod"
from = [0.0, 0.0, 0.0]
to = [1.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
elements = 2
order = 4
stiffness = { axial = 1e4, shear = 4e3, bending = [3.0, 30.0], torsion = 2.0 }
inertia = { mass = 1.0, rotary = [1e-3, 1e-3, 2e-3] }
[body.hub]
mass = 1.0
inertia = 0.1
position = [0.0, 0.0, 0.0]
[body.load]
mass = 0.2
inertia = 0.0
[joint.bearing]
between = ["ground", "hub"]
type.revolute = { axis = [0, 0, 1] }
[joint.root]
between = ["hub", "link.start"]
type = "rigid"
[joint.grip]
between = ["load", "link.end"]
type = "rigid"
[actuator.motor]
at = "bearing"
acts = ["torque"]
[servo.tip]
at = "atan2(link.end.y, link.end.x)"
path = "0.5*pi*rest(t, 2, 4, 8)"
[task.inverse-dynamics]
method = "boundary-value"
"#;

/// In its plane it moves as the plane one does: the torque of the independent reference, at the steps of 0.02 s to 1e-4.
#[test]
fn a_link_in_space_is_led_like_one_in_the_plane() {
    let found = solved(LINK, &[]);
    assert!((scalar(&found, "actuation.motor.torque.max") - 2.658686482).abs() < 3e-4);
    assert!((control(&found, "motor.torque", 2.4) - 1.307064567663).abs() < 1e-4);
}
