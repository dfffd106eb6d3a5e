//! Ctrl-C in the middle of a long run.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command as Process, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::*;

/// A program that is at work, with the pipe to what it says.
fn started(dir: &Path, args: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let mut child = Process::new(assert_cmd::cargo::cargo_bin("lariat"))
        .current_dir(dir)
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    // With --verbose the first line is told when the first phase begins.
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("..."), "{line:?}");
    (child, said)
}

fn interrupt(child: &Child) {
    assert!(Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

fn ended(mut child: Child, within: Duration) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > within {
            child.kill().unwrap();
            panic!("still running {within:?} after Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Interrupted runs exit 1 and leave a result that says so, and nothing else.
fn is_interrupted(sets: &[&str]) {
    let folder = folder();
    let mut args = vec!["solve", "quick.toml", "--verbose"];
    sets.iter().for_each(|set| args.extend(["--set", set]));
    let (child, mut said) = started(folder.path(), &args);
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    let status = ended(child, Duration::from_secs(120));
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(status.code(), Some(1), "{rest}");
    assert!(rest.contains("stopping at the next safe point"), "{rest}");
    assert_eq!(names(folder.path()), ["quick.toml", "results"]);
    let result = folder.path().join("results/quick");
    // What can be told before solving may be drawn.
    let left: Vec<_> = names(&result).into_iter().filter(|name| name != "bandwidth.png").collect();
    assert_eq!(left, ["result.json"]);
    assert_eq!(json(&result.join("result.json"))["status"], "interrupted");
}

#[test]
fn a_march_can_be_interrupted() {
    is_interrupted(&["time.steps=4800", "rod.beam.elements=1600"]);
}

#[test]
fn layers_can_be_interrupted() {
    is_interrupted(&["time.steps=4800", "rod.beam.elements=400", "task.inverse-dynamics.method=galerkin"]);
}

#[test]
fn a_global_newton_can_be_interrupted() {
    is_interrupted(&[
        "time.steps=200",
        "rod.beam.elements=40",
        "task.inverse-dynamics.method=galerkin",
        "task.inverse-dynamics.sweep=global",
    ]);
}

#[test]
fn a_second_interruption_ends_at_once_and_leaves_nothing() {
    let folder = folder();
    let args = [
        "solve",
        "quick.toml",
        "--verbose",
        "--set",
        "time.steps=2400",
        "--set",
        "task.inverse-dynamics.method=galerkin",
        "--set",
        "task.inverse-dynamics.sweep=global",
    ];
    let (child, _said) = started(folder.path(), &args);
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(200));
    interrupt(&child);
    assert_eq!(ended(child, Duration::from_secs(5)).code(), Some(1));
    assert_eq!(names(folder.path()), ["quick.toml"]);
}

#[test]
fn an_interruption_skips_the_files_that_follow() {
    let folder = folder();
    std::fs::write(folder.path().join("next.toml"), QUICK).unwrap();
    let args = ["solve", "quick.toml", "next.toml", "--verbose", "--set", "time.steps=4800"];
    let (child, _said) = started(folder.path(), &[&args[..], &["--set", "rod.beam.elements=1600"]].concat());
    interrupt(&child);
    assert_eq!(ended(child, Duration::from_secs(120)).code(), Some(1));
    assert_eq!(names(&folder.path().join("results")), ["quick"]);
}

/// A model that takes long leaves its best point, and says that it was stopped.
#[test]
fn a_model_can_be_interrupted() {
    let folder = folder();
    let graph = lariat::nlp::graph::Graph::new();
    let x: Vec<_> = (0..20_000).map(|i| graph.variable(format!("x{i}"), -1.2, -2.0, 2.0)).collect();
    let valley = |i: usize| 100.0 * (x[i + 1] - x[i].square()).square() + (1.0 - x[i]).square();
    graph.minimise(graph.sum((0..x.len() - 1).map(valley)));
    std::fs::write(folder.path().join("valley.nl"), lariat::nlp::ampl::write(&graph.build()).unwrap().nl).unwrap();
    let (child, mut said) = started(folder.path(), &["solve", "valley.nl", "--verbose", "--set", "tolerance=1e-300"]);
    let mut line = String::new();
    (0..3).for_each(|_| assert!(said.read_line(&mut line).unwrap() > 0));
    interrupt(&child);
    let status = ended(child, Duration::from_secs(120));
    assert_eq!(status.code(), Some(1), "{line}");
    let result = folder.path().join("results/valley");
    assert_eq!(json(&result.join("result.json"))["status"], "interrupted");
    assert!(names(&result).contains(&"solution.csv".to_owned()));
}
