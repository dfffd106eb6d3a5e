//! `--set key.path=value`.

use super::super::{Place, read};
use super::{VALID, mistakes_with};

fn spec(overrides: &[&str]) -> super::super::ProblemSpec {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    read("x.toml", VALID, &overrides).unwrap_or_else(|d| panic!("{d}")).0
}

#[test]
fn values_are_toml_or_bare_strings() {
    assert_eq!(spec(&["rod.beam.elements=80"]).rod["beam"].elements, 80);
    assert_eq!(spec(&["rod.beam.elements = 80 "]).rod["beam"].elements, 80);
    let expected: super::super::ProblemSpec = toml::from_str(&VALID.replace("space-march", "galerkin")).unwrap();
    assert_eq!(spec(&["task.inverse-dynamics.method=galerkin"]), expected);
    assert_eq!(spec(&["task.inverse-dynamics.method=\"galerkin\""]), expected);
    let expected: super::super::ProblemSpec =
        toml::from_str(&VALID.replace("x = \"cos(phi*sigma)\"", "x = \"t == 1\"")).unwrap();
    assert_eq!(spec(&["servo.tip.x=t == 1"]), expected);
    assert_eq!(spec(&["gravity=[0, -9.81]"]).gravity, Some(vec![0.0, -9.81]));
    assert_eq!(spec(&["gravity.1=-9.81"]).gravity, Some(vec![0.0, -9.81]));
    assert_eq!(spec(&["expect.\"actuation.base.torque.max\".value=1"]).expect["actuation.base.torque.max"].value, 1.0);
}

#[test]
fn tables_are_created_and_the_last_override_wins() {
    assert_eq!(spec(&["body.payload.mass=2", "body.payload.mass=3"]).body["payload"].mass, 3.0);
    assert_eq!(spec(&["body.payload={ mass = 2, inertia = 1 }"]).body["payload"].mass, 2.0);
}

#[test]
fn mistakes_in_overrides_are_told_like_others_with_the_override_as_text() {
    for (text, column, message) in [
        ("rod.beam.elemnts=80", 16, "unknown key `elemnts` in [rod.beam]"),
        ("rod.beam.elements=x", 25, "wrong type for `rod.beam.elements`: found string \"x\", expected a whole number"),
        ("gravity=[0, inf]", 19, "`gravity[1]` is inf, expected a finite number"),
        ("body.payload.inertia=1", 12, "missing key `mass` in [body.payload], expected a number"),
        ("steps", 7, "override \"steps\" has no key and value, expected `key.path=value`"),
        ("=3", 7, "override \"=3\" has no key, expected `key.path=value`"),
        ("title=", 13, "`--set title=` has no value, expected `key.path=value`"),
        ("gravity=[1, 2", 20, "`[1, 2` is not a TOML value: unclosed array, expected `]`"),
        ("time.end.x=1", 16, "cannot set `time.end.x`: `time.end` is number 6.0, expected a table"),
        (
            "gravity.2=1",
            15,
            "cannot set `gravity.2`: `gravity` is array of 2 entries, expected the index of one of its entries, counted from 0",
        ),
        ("time.end=99999999999999999999", 16, "`99999999999999999999` cannot be read"),
        ("a..b=1", 7, "override has the bad key \"a..b\":"),
        ("#=1", 7, "override has the bad key \"#\":"),
    ] {
        let all = mistakes_with(VALID, &[text]);
        assert_eq!(all.len(), 1, "{text}: {all:#?}");
        let (position, d) = &all[0];
        assert!(d.message.starts_with(message), "{text}: {}", d.message);
        assert_eq!(*position, (1, column), "{text}");
        assert!(matches!(&d.place, Place::Override { text: shown, .. } if *shown == format!("--set {text}")));
    }
}

#[test]
fn overrides_come_after_the_file_in_their_order() {
    let text = VALID.replace("steps = 240", "steps = 1");
    let all = mistakes_with(&text, &["time.steps=2", "tile=x", "gravity=0"]);
    let messages: Vec<&str> = all.iter().map(|(_, d)| d.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`time.steps` is 2, expected a whole number, at least 4",
            "unknown key `tile` at the top level",
            "wrong type for `gravity`: found whole number 0, expected an array of numbers"
        ]
    );
}
