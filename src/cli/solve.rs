//! `lariat solve`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;

use super::model::{self, ModelFile};
use super::progress::{Level, Progress};
use super::{Exit, SolveArgs, complain, interrupt, kept_name, load, say, summary, tell};
use crate::plots::{Format, Kind, draw};
use crate::problem::Problem;
use crate::results::{Outcome, Report, RunStatus, Timing, store};
use crate::tasks::cost::Cost;

/// Run.
pub fn run(args: &SolveArgs) -> Exit {
    interrupt::listen();
    args.time_limit.into_iter().for_each(interrupt::limit);
    if let Some(threads) = args.threads {
        // Fails only if the pool exists already, which nothing before this creates.
        if let Err(error) = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build_global() {
            complain(&format!("--threads {threads} has no effect: {error}"));
        }
    }
    // All files are read before the first is solved, so that a mistake in the last costs nothing.
    let (mut for_problems, for_models) = model::divide(&args.files, &args.set);
    if args.no_expect {
        for_problems.push("expect={}".to_owned());
    }
    let read = |file: &PathBuf| match model::is_model(file) {
        true => model::load(file, &for_models).map(|model| Question::Program(Box::new(model))),
        false => load(file, &for_problems).map(|problem| Question::Mechanism(Box::new(problem))),
    };
    let problems: Vec<_> = args.files.iter().map(|file| (file, read(file))).collect();
    if let Some(exit) = problems.iter().filter_map(|(_, loaded)| loaded.as_ref().err().copied()).max() {
        return exit;
    }
    if let Err(exit) = folders(args) {
        return exit;
    }
    let mut exit = Exit::Success;
    let mut reports = Vec::new();
    for (file, loaded) in problems {
        let Ok(question) = loaded else { continue };
        let level = match (args.quiet, args.verbose) {
            (true, _) => Level::Quiet,
            (_, true) => Level::Verbose,
            _ => Level::Normal,
        };
        let (mut outcome, files) = question.answer(file, level);
        let dir = folder(args, file);
        let saved = save(args, &dir, &mut outcome, files);
        exit = exit.max(saved.map_or_else(|failed| failed, |()| verdict(&outcome.report)));
        if !args.json && !args.quiet {
            exit = exit.max(say(&summary::solved(&outcome.report, saved.is_ok().then_some(&dir))));
        } else if args.quiet && verdict(&outcome.report) != Exit::Success {
            complain(&summary::trouble(&outcome.report));
        }
        reports.push(outcome.report);
        if interrupt::requested() {
            break;
        }
    }
    if args.json { exit.max(print_json(&reports)) } else { exit }
}

/// A file as it was read.
enum Question {
    /// A problem file.
    Mechanism(Box<Problem>),
    /// A model of a modelling language.
    Program(Box<ModelFile>),
}

impl Question {
    /// The outcome, and the files of the result besides those that every result has.
    fn answer(self, file: &Path, level: Level) -> (Outcome, Vec<(String, Vec<u8>)>) {
        let mut progress = Progress::new(level);
        let mut answered = match self {
            Question::Program(model) => model.solve(&mut progress),
            Question::Mechanism(problem) => {
                if level != Level::Quiet && !problem.warnings.is_empty() {
                    tell(&problem.warnings);
                }
                if level != Level::Quiet && problem.cost.seconds > Cost::LONG {
                    complain(&format!(
                        "{}: this will take {}; Ctrl-C or --time-limit end it and keep what is complete",
                        file.display(),
                        problem.cost
                    ));
                }
                let outcome = problem.solve(&mut progress);
                (outcome, problem.attachments.into_iter().map(|(name, text)| (kept_name(&name), text)).collect())
            }
        };
        progress.finish();
        if let (RunStatus::Interrupted, Some(seconds)) = (answered.0.report.status, interrupt::overtime()) {
            answered.0.report.message = Some(format!("the time limit of {seconds} s came first"));
        }
        answered
    }
}

/// Where a file's result goes.
fn folder(args: &SolveArgs, file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    match &args.out {
        Some(out) if args.files.len() == 1 => out.clone(),
        Some(out) => out.join(stem),
        None => Path::new("results").join(stem),
    }
}

/// Whether each file has a folder of its own that can be made: better known before the first is solved.
fn folders(args: &SolveArgs) -> Result<(), Exit> {
    let mut taken: Vec<(PathBuf, &PathBuf)> = Vec::new();
    for file in &args.files {
        let dir = folder(args, file);
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == dir) {
            complain(&format!(
                "{} and {} would both write to {}; solve them one by one with --out",
                other.display(),
                file.display(),
                dir.display()
            ));
            return Err(Exit::BadInput);
        }
        // A result folder is cleared of what the last result left there, which must never be the question itself.
        let home = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let (Ok(dir), Ok(home)) = (dir.canonicalize(), home.canonicalize())
            && dir == home
        {
            complain(&format!(
                "{} lies in the folder for its result; choose another folder with --out",
                file.display()
            ));
            return Err(Exit::BadInput);
        }
        if let Some(block) = dir.ancestors().find(|path| path.exists()).filter(|path| !path.is_dir()) {
            complain(&format!("cannot make the folder {}: {} is a file", dir.display(), block.display()));
            return Err(Exit::Internal);
        }
        taken.push((dir, file));
    }
    Ok(())
}

fn save(args: &SolveArgs, dir: &Path, outcome: &mut Outcome, mut files: Vec<(String, Vec<u8>)>) -> Result<(), Exit> {
    let clock = Instant::now();
    if !args.no_plots {
        // Simulations are what one wants to see moving.
        let moving = outcome.report.task == "simulate";
        let films = |kind: Kind| moving && kind.available(Format::Gif, outcome);
        let wanted: Vec<(Kind, Format)> = Kind::all()
            .into_iter()
            .filter(|kind| kind.applicable(outcome))
            .flat_map(|kind| [(kind, Format::Png)].into_iter().chain(films(kind).then_some((kind, Format::Gif))))
            .collect();
        let drawn: Vec<_> = wanted.par_iter().map(|(kind, format)| draw(*kind, *format, outcome)).collect();
        for ((kind, format), drawn) in wanted.into_iter().zip(drawn) {
            let name = format!("{kind}.{}", format.extension());
            match drawn {
                Ok(bytes) => files.push((name, bytes)),
                Err(error) => outcome.report.warnings.push(format!("no picture {name}: {error}")),
            }
        }
        outcome.report.timings.push(Timing { phase: "plots".into(), seconds: clock.elapsed().as_secs_f64() });
    }
    interrupt::shielded(|| store::write(dir, outcome, &files)).map_err(|error| {
        complain(&format!("the result could not be written: {error}"));
        Exit::Internal
    })
}

/// Solved, verified and as expected, or not.
fn verdict(report: &Report) -> Exit {
    let expected = report.expectations.iter().all(|expectation| expectation.met);
    if report.status.is_solved() && expected { Exit::Success } else { Exit::Unsolved }
}

/// Exactly one JSON object: the report, or for several files an object that lists them.
fn print_json(reports: &[Report]) -> Exit {
    let text = match reports {
        [report] => serde_json::to_string_pretty(report),
        _ => serde_json::to_string_pretty(&serde_json::json!({ "results": reports })),
    };
    match text {
        Ok(text) => say(&format!("{text}\n")),
        Err(error) => {
            complain(&format!("the report could not be printed: {error}"));
            Exit::Internal
        }
    }
}
