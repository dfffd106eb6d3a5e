//! Actuation that is not the one computed.

use std::fs;

use assert_cmd::Command;

use super::{Solved, gallery};

/// Scales the values of a table of results after the first column, and lets the result be verified again.
fn verdict(solved: &Solved, table: &str, factor: f64) -> (Option<i32>, String) {
    let path = solved.results().join(table);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let mut changed = format!("{}\n", lines.next().unwrap());
    for line in lines {
        let (t, rest) = line.split_once(',').unwrap();
        let values =
            rest.split(',').map(|value| value.parse::<f64>().map_or(value.into(), |v| format!("{:e}", factor * v)));
        changed += &format!("{t},{}\n", values.collect::<Vec<String>>().join(","));
    }
    fs::write(&path, changed).unwrap();
    let said = Command::cargo_bin("lariat").unwrap().arg("verify").arg(solved.results()).output().unwrap();
    (said.status.code(), format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr)))
}

/// Every kind of method, each with the table that drives its simulation.
#[test]
fn another_actuation_is_noticed_whatever_the_method() {
    let beam = gallery("beam-quarter-turn");
    let quick =
        ["rod.arm.elements=4", "rod.arm.order=2", "time.steps=120", "task.inverse-dynamics.trade-off=[]", "expect={}"];
    let cases = [
        ("space-march", Solved::of(&beam, &["task.inverse-dynamics.method=space-march"]), "actuation.csv"),
        ("galerkin", Solved::of(&beam, &["task.inverse-dynamics.method=galerkin"]), "actuation.csv"),
        ("sequential", Solved::of(&gallery("flexible-joint"), &[]), "actuation.csv"),
        ("optimise", Solved::of(&gallery("flexible-arm"), &quick), "controls.csv"),
        ("optimal control", Solved::of(&gallery("hub-beam"), &[]), "controls.csv"),
        ("a system", Solved::of(&gallery("cart-pole"), &[]), "controls.csv"),
    ];
    for (method, solved, table) in &cases {
        assert!(solved.passed(), "{method}: {}", solved.status());
        let (code, said) = verdict(solved, table, 1.3);
        assert_eq!(code, Some(1), "{method}: {said}");
        assert!(said.contains("OUTSIDE tolerance"), "{method}: {said}");
    }
}
