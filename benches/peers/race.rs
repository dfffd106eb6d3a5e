//! Our half of the race against CasADi and IPOPT; `benches/peers/race` runs both halves and makes the tables.
//!
//! Arguments: `write FOLDER` writes the problems as `.nl` files; `solve REPETITIONS [NAME]` solves them, or the one of that
//! name; `long REPETITIONS` solves finer ones. Each line of the output is one problem: name, steps, variables, rows,
//! objective, violation, iterations, status, then least and median seconds of building and solving together and of
//! solving alone, and the number of factorisations.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a failure ends the race")]

#[path = "../../tests/problems/mod.rs"]
#[allow(unused_imports, reason = "shared with the tests of the solver")]
mod problems;

use std::path::Path;
use std::time::Instant;

use lariat::nlp::graph::Program;
use lariat::nlp::{Nlp, ampl};
use lariat::solver::constrained::{Iterate, Options, solve};
use problems::cops::{chain, glider, robot, rocket, steering};

type Build = fn(usize) -> Program;

const PROBLEMS: [(&str, Build); 5] =
    [("steering", steering), ("robot", robot), ("rocket", rocket), ("chain", chain), ("glider", glider)];
const STEPS: [usize; 4] = [50, 100, 200, 400];
const LONG: [usize; 4] = [1000, 2000, 5000, 10_000];

fn main() {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["write", folder] => write(Path::new(folder)),
        ["solve", repetitions] => race(&PROBLEMS, &STEPS, repetitions.parse().expect("a number of repetitions")),
        ["solve", repetitions, only] => {
            let chosen: Vec<(&str, Build)> = PROBLEMS.into_iter().filter(|(name, _)| name == only).collect();
            race(&chosen, &STEPS, repetitions.parse().expect("a number of repetitions"));
        }
        ["long", repetitions] => race(&PROBLEMS[..2], &LONG, repetitions.parse().expect("a number of repetitions")),
        // Without arguments, as in `cargo bench`, a small part shows that the race runs.
        _ => race(&PROBLEMS, &STEPS[..1], 1),
    }
}

fn write(folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for (name, build) in PROBLEMS {
        for steps in STEPS {
            let written = ampl::write(&build(steps)).expect("the format has all operations");
            std::fs::write(folder.join(format!("{name}-{steps}.nl")), written.nl).expect("the file can be written");
        }
    }
}

fn race(problems: &[(&str, Build)], steps: &[usize], repetitions: usize) {
    for (name, build) in problems {
        for &n in steps {
            println!("{}", line(name, *build, n, repetitions));
        }
    }
}

fn line(name: &str, build: Build, n: usize, repetitions: usize) -> String {
    let (mut whole, mut alone, mut last) = (Vec::new(), Vec::new(), None);
    for _ in 0..repetitions.max(1) {
        let clock = Instant::now();
        let mut program = build(n);
        let start = Iterate::at(program.start());
        let built = clock.elapsed().as_secs_f64();
        let found = solve(&mut program, &start, &Options::default(), &mut |_| true).expect("the problem is well posed");
        let seconds = clock.elapsed().as_secs_f64();
        whole.push(seconds);
        alone.push(seconds - built);
        last = Some((found, program.bounds().variables(), program.bounds().rows(), program.is_maximised()));
    }
    let (found, variables, rows, maximised) = last.expect("there is at least one repetition");
    let objective = if maximised { -found.objective } else { found.objective };
    let iterations = found.iterations.last().map_or(0, |row| row.iter);
    let [[whole_least, whole_middle], [alone_least, alone_middle]] = [whole, alone].map(least_and_median);
    format!(
        "{name} {n} {variables} {rows} {objective:.12e} {:.3e} {iterations} {} {whole_least:.6e} {whole_middle:.6e} \
         {alone_least:.6e} {alone_middle:.6e} {}",
        found.violation,
        found.status.name(),
        found.factorisations
    )
}

fn least_and_median(mut seconds: Vec<f64>) -> [f64; 2] {
    seconds.sort_by(f64::total_cmp);
    [seconds[0], seconds[seconds.len() / 2]]
}
