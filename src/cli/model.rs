//! Models of modelling languages: `.nl` files with the names in `.col` and `.row` files beside them.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Exit, complain, say};
use crate::nlp::ampl::{self, Model};
use crate::results::{Listing, Outcome, ProblemText, Report, Timing, store};
use crate::solver::constrained::Options;
use crate::tasks::{Observer, nonlinear_program};

/// Relative difference of objectives that are the same but for rounding.
const SAME: f64 = 1e-12;

/// A model as it was read.
pub struct ModelFile {
    name: String,
    stem: String,
    /// The file and those with its names, by extension.
    contents: Vec<(&'static str, Vec<u8>)>,
    model: Model,
    options: Options,
    overrides: Vec<String>,
    seconds: f64,
}

/// Whether a path names a model.
pub fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nl"))
}

/// The overrides for problem files and those for models. Where there are files of both kinds, options of the solver go
/// to the models and all others to the problem files.
pub fn divide(files: &[PathBuf], overrides: &[String]) -> (Vec<String>, Vec<String>) {
    let models = files.iter().filter(|file| is_model(file)).count();
    match models {
        0 => (overrides.to_vec(), Vec::new()),
        _ if models == files.len() => (Vec::new(), overrides.to_vec()),
        _ => overrides.iter().cloned().partition(|text| !nonlinear_program::is_option(text)),
    }
}

/// Read a model, or tell what is wrong with it or with the options.
pub fn load(path: &Path, overrides: &[String]) -> Result<ModelFile, Exit> {
    let clock = Instant::now();
    let refuse = |message: String| {
        complain(&message);
        Exit::BadInput
    };
    let name = path.display().to_string();
    let options = nonlinear_program::options(overrides).map_err(|error| refuse(error.to_string()))?;
    let nl = std::fs::read(path).map_err(|error| refuse(format!("cannot read {name}: {error}")))?;
    let mut contents = vec![("nl", nl)];
    // The names are optional.
    let beside = |extension: &'static str| Some((extension, std::fs::read(path.with_extension(extension)).ok()?));
    contents.extend(["col", "row"].into_iter().filter_map(beside));
    let model = parse(&contents).map_err(|error| refuse(format!("{name}: {error}")))?;
    let text = |part: Option<&OsStr>| part.map_or_else(String::new, |part| part.to_string_lossy().into_owned());
    Ok(ModelFile {
        name: text(path.file_name()),
        stem: text(path.file_stem()),
        contents,
        model,
        options,
        overrides: overrides.to_vec(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

fn parse(contents: &[(&'static str, Vec<u8>)]) -> Result<Model, ampl::NlError> {
    let of =
        |wanted: &str| contents.iter().find(|(extension, _)| *extension == wanted).map(|(_, bytes)| bytes.as_slice());
    let names = |wanted| of(wanted).map(String::from_utf8_lossy);
    ampl::parse(of("nl").unwrap_or_default(), names("col").as_deref(), names("row").as_deref())
}

impl ModelFile {
    /// Solve: the outcome, and the files of the result by name.
    pub fn solve(mut self, observer: &mut dyn Observer) -> (Outcome, Vec<(String, Vec<u8>)>) {
        let answer = nonlinear_program::run(&mut self.model, &self.options, observer);
        let mut outcome = answer.outcome;
        outcome.report.timings.insert(0, Timing { phase: "read".into(), seconds: self.seconds });
        outcome.report.problem = ProblemText {
            file: self.name,
            text: String::new(),
            sha256: self.contents.first().map_or_else(String::new, |(_, nl)| store::sha256(nl)),
            overrides: self.overrides,
        };
        let mut files = answer.tables;
        files.push((format!("{}.sol", self.stem), answer.sol.into_bytes()));
        files.extend(self.contents.into_iter().map(|(extension, bytes)| (format!("{}.{extension}", self.stem), bytes)));
        (outcome, files)
    }

    /// Solve for a modelling language: the outcome and the contents of the `.sol` file.
    pub fn answer(mut self, observer: &mut dyn Observer) -> (Outcome, String) {
        let answer = nonlinear_program::run(&mut self.model, &self.options, observer);
        (answer.outcome, answer.sol)
    }

    /// Explain without solving; exit 1 if solving could not begin.
    pub fn check(mut self) -> Exit {
        let survey = nonlinear_program::survey(&mut self.model);
        let verdict = nonlinear_program::examine(&mut self.model, &self.options);
        // Writing to a String cannot fail.
        let mut out = format!("{}: nonlinear program\n", self.name);
        let free = survey.variables - survey.fixed - survey.bounded;
        let _ = writeln!(
            out,
            "  {} variables: {} fixed, {} with bounds, {free} without",
            survey.variables, survey.fixed, survey.bounded
        );
        let _ = writeln!(
            out,
            "  {} rows: {} equations, {} inequalities; {} linear, {} nonlinear",
            survey.rows,
            survey.equations,
            survey.rows - survey.equations,
            survey.linear,
            survey.rows - survey.linear
        );
        let _ = writeln!(out, "  {} degrees of freedom", survey.degrees_of_freedom());
        let _ = writeln!(
            out,
            "  {} entries in the Jacobian, {} in the lower triangle of the Hessian",
            survey.jacobian, survey.hessian
        );
        let sense = if survey.maximised { "maximised" } else { "minimised" };
        let objective = survey.objective.map_or("not defined".to_owned(), |value| format!("{value:.6e}"));
        let _ = writeln!(out, "  objective to be {sense}, at the start {objective}");
        if let Some((size, row)) = &survey.violation {
            let _ = writeln!(out, "  at the start row {row} is violated most, by {size:.3e}");
        }
        let exit = match verdict {
            Ok(()) => {
                let tested = if self.options.test_derivatives { "derivatives agree with differences; " } else { "" };
                let _ = writeln!(out, "  {tested}nothing speaks against solving it by {}", self.options.method.name());
                Exit::Success
            }
            Err(error) => {
                let _ = writeln!(out, "  NOT SOLVABLE as it stands: {error}");
                Exit::Unsolved
            }
        };
        exit.max(say(&out))
    }
}

/// Evaluate a saved answer again from the files of its result folder.
pub fn verify(result: &Path, report: &Report) -> Exit {
    let folder = store::folder(result);
    let bad = |message: String| {
        complain(&message);
        Exit::BadInput
    };
    if !report.status.is_solved() {
        complain(&format!("{}: the status is {}, so there is nothing to verify", report.problem.file, report.status));
        return Exit::Unsolved;
    }
    match stored(folder, report) {
        Ok((mut model, options, variables, rows)) => {
            match nonlinear_program::reverify(&mut model, &variables, &rows, &options) {
                Ok(found) => tell_verified(folder, report, &found),
                Err(error) => {
                    complain(&error.to_string());
                    Exit::Unsolved
                }
            }
        }
        Err(message) => bad(message),
    }
}

/// Model, options, variables and rows of a result folder.
fn stored(folder: &Path, report: &Report) -> Result<(Model, Options, Listing, Listing), String> {
    let read = |name: &str| store::read_file(folder, name).map_err(|error| error.to_string());
    let options = nonlinear_program::options(&report.problem.overrides).map_err(|error| error.to_string())?;
    let file = &report.problem.file;
    let model = parse(&[("nl", read(file)?)]).map_err(|error| format!("{}: {error}", folder.join(file).display()))?;
    let listing = |name: &str| {
        let text = read(name)?;
        Listing::parse(&String::from_utf8_lossy(&text), name).map_err(|error| error.to_string())
    };
    Ok((model, options, listing(nonlinear_program::SOLUTION)?, listing(nonlinear_program::CONSTRAINTS)?))
}

fn tell_verified(folder: &Path, report: &Report, found: &nonlinear_program::Reverified) -> Exit {
    // Writing to a String cannot fail.
    let mut out = format!("{}: evaluated again at the saved solution\n", report.problem.file);
    let _ = writeln!(out, "  objective {:.10}", found.objective);
    for check in &found.checks {
        let word = if check.passed() { "within" } else { "OUTSIDE" };
        let _ = writeln!(out, "  {}: {:.3e}, {word} tolerance {:.1e}", check.name, check.left, check.tolerance);
    }
    let changed = store::changed_files(folder, report);
    for name in &changed {
        let what = if folder.join(name).exists() { "is not as it was written with" } else { "is missing from" };
        let _ = writeln!(out, "  {name} {what} this result");
    }
    let told = report.scalars.get("objective").copied().unwrap_or(f64::NAN);
    let same = (told - found.objective).abs() <= SAME * found.objective.abs().max(1.0);
    if !same {
        let _ = writeln!(out, "  result.json tells another objective, {told}");
    }
    let (word, exit) = match found.passed() && changed.is_empty() && same {
        true => ("verified", Exit::Success),
        false => ("NOT verified", Exit::Unsolved),
    };
    let _ = writeln!(out, "  {word}");
    exit.max(say(&out))
}
