//! What has no answer is told in words: too many or too few inputs, outputs that nothing reaches, singular places.

use super::*;

/// The mistakes of a problem file.
fn mistakes(text: &str) -> String {
    match load("x.toml", text, &[]) {
        Ok(_) => panic!("nothing is wrong"),
        Err(found) => found.list.iter().map(|mistake| mistake.message.clone()).collect::<Vec<_>>().join("; "),
    }
}

/// Two masses that do not touch each other.
fn masses(controls: &str, forces: &str, servo: &str) -> String {
    format!(
        "[time]\nend = 2\nsteps = 40\n[system]\ncoordinates = [\"x\", \"y\"]\ncontrols = {controls}\nlagrangian = \"x_dot^2/2 + y_dot^2/2\"\nforces = {forces}\n{servo}\n[task.inverse-dynamics]\n"
    )
}

const X: &str = "[servo.a]\nat = \"x\"\npath = \"rest(t, 0, 2, 5)\"\n";
const Y: &str = "[servo.b]\nat = \"y\"\npath = \"rest(t, 0, 2, 5)\"\n";

#[test]
fn inputs_and_outputs_must_match() {
    let told = mistakes(&masses("[\"f\"]", "{ x = \"f\" }", &format!("{X}{Y}")));
    assert!(told.contains("over-determined: 2 servo outputs (a, b) but 1 actuator inputs (f)"), "{told}");
    let told = mistakes(&masses("[\"f\", \"h\"]", "{ x = \"f\", y = \"h\" }", X));
    assert!(told.contains("under-determined: 2 actuator inputs (f, h) for 1 servo outputs (a)"), "{told}");
    assert!(told.contains("method = \"optimise\""), "{told}");
}

#[test]
fn outputs_out_of_reach_are_named() {
    let told = mistakes(&masses("[\"f\"]", "{ x = \"f\" }", Y));
    assert!(told.contains("no actuator can influence servo output b") && told.contains("f would stay open"), "{told}");
}

#[test]
fn what_the_file_states_wrongly_is_told() {
    let told = mistakes(&masses("[\"f\"]", "{ x = \"f\" }", "[servo.a]\nat = \"x\"\nx = \"1\"\n"));
    assert!(told.contains("prescribes `x` of a frame, but a [system] has none"), "{told}");
    let told = mistakes(&masses("[\"f\"]", "{ x = \"f\" }", "[servo.a]\nat = \"x_dot\"\npath = \"t\"\n"));
    assert!(told.contains("depends on `x_dot`"), "{told}");
    let told = mistakes(&masses("[\"f\"]", "{ x = \"f\" }", "[servo.a]\nat = \"x\"\n"));
    assert!(told.contains("servo `a` prescribes nothing"), "{told}");
    let told = mistakes(&format!("{}start = {{ z = 1 }}\n", masses("[\"f\"]", "{ x = \"f\" }", X)));
    assert!(told.contains("`z` in `task.inverse-dynamics.start` is not a coordinate"), "{told}");
    let expect = "[expect]\n\"actuation.f.at(0.123)\" = { value = 1, abs = 1, source = \"none\" }\n";
    let told = mistakes(&format!("{}{expect}", masses("[\"f\"]", "{ x = \"f\" }", X)));
    assert!(told.contains("t = 0.123 is not an instant of the grid"), "{told}");
}

/// An arm that must stretch beyond its length: the motion ends where it is straight.
#[test]
fn what_is_out_of_reach_ends_in_words() {
    let text = "[time]\nend = 2\nsteps = 40\n[system]\ncoordinates = [\"a\", \"b\"]\ncontrols = [\"f\", \"h\"]\nlagrangian = \"a_dot^2/2 + b_dot^2/2\"\nforces = { a = \"f\", b = \"h\" }\n[servo.x]\nat = \"cos(a) + cos(b)\"\npath = \"1 + 1.5*rest(t, 0, 2, 5)\"\n[servo.y]\nat = \"sin(a) + sin(b)\"\npath = \"1\"\n[task.inverse-dynamics]\nmethod = \"sequential\"\nstart = { a = 0.1, b = 1.4 }\n";
    let outcome = outcome(text);
    let status = outcome.report.status.as_str();
    assert!(["singular", "not-converged"].contains(&status), "{status}");
    let told = outcome.report.message.unwrap();
    // x² + 1 = 4 where x = √3: 1.5 σ = 0.732 at about t = 1.0.
    assert!(told.contains("t = 1.0") || told.contains("t = 0.9"), "{told}");
}
