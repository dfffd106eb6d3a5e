//! Tests of reading problem files.

mod document;
mod forward;
mod overrides;
mod schema;
mod structure;
mod syntax;

use super::{Diagnostic, read};

/// A file without mistakes.
pub(crate) const VALID: &str = r#"title = "Quarter turn of a planar beam, rest to rest"
dimension = 2
gravity = [0.0, 0.0]

[time]
end = 6.0
steps = 240

[let]
phi = "pi/2"
tau = "clamp((t - 2)/2, 0, 1)"
sigma = "1 - (cos(pi/2*(sin(pi*tau - pi/2) + 1)) + 1)/2"

[rod.beam]
model = "beam"                       # string | beam
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 1.0 }
law = "logarithmic"

[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]

[servo.tip]
at = "beam.end"
x = "cos(phi*sigma)"
y = "sin(phi*sigma)"
angle = "phi*sigma"

[task.inverse-dynamics]
method = "space-march"

[expect]
"actuation.base.torque.max" = { value = 1.2780192, rel = 2e-3, source = "independent reference, 9 digits" }
"#;

/// [`VALID`] with one piece of text replaced by another.
pub(super) fn with(old: &str, new: &str) -> String {
    assert_eq!(VALID.matches(old).count(), 1, "{old:?} must occur once");
    VALID.replacen(old, new, 1)
}

/// Line, column and text of every mistake in a file.
pub(super) fn mistakes(text: &str) -> Vec<(usize, usize, String)> {
    mistakes_with(text, &[]).into_iter().map(|(at, d)| (at.0, at.1, d.message)).collect()
}

/// Position and diagnostic of every mistake in a file with overrides.
pub(super) fn mistakes_with(text: &str, overrides: &[&str]) -> Vec<((usize, usize), Diagnostic)> {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    let found = read("x.toml", text, &overrides).expect_err("the file has mistakes");
    found.list.iter().map(|d| (found.position(d).unwrap(), d.clone())).collect()
}

/// The only mistake of [`VALID`] after a replacement: line, column, message, help.
pub(super) fn only_mistake(old: &str, new: &str) -> (usize, usize, String, String) {
    let all = mistakes_with(&with(old, new), &[]);
    assert_eq!(all.len(), 1, "{all:#?}");
    let ((line, column), d) = all.into_iter().next().unwrap();
    (line, column, d.message, d.help.unwrap_or_default())
}

#[test]
fn a_file_without_mistakes_is_read() {
    let (spec, document) = read("x.toml", VALID, &[]).unwrap();
    assert_eq!(spec, toml::from_str(VALID).unwrap());
    assert_eq!(document.file(), "x.toml");
    assert_eq!(spec.rod["beam"].elements, 40);
}
