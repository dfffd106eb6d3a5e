//! Models of modelling languages: read, looked at and solved for a moment.

use std::time::Duration;

use super::mutate::{self, Dice};
use super::trial::{Impatient, Mutant, all};
use lariat::nlp::ampl;
use lariat::tasks::nonlinear_program;

const MODELS: [(&str, &[u8]); 3] = [
    ("hs71", include_bytes!("../data/nl/hs71.nl")),
    ("piecewise", include_bytes!("../data/nl/piecewise.nl")),
    ("hanging-chain", include_bytes!("../../problems/nl/hanging-chain.nl")),
];

fn tried(content: &[u8]) -> Result<&'static str, String> {
    let Ok(mut model) = ampl::parse(content, None, None) else { return Ok("refused") };
    let options = nonlinear_program::options(&["max-iterations=30".to_owned()]).map_err(|error| error.to_string())?;
    let _ = nonlinear_program::survey(&mut model);
    if nonlinear_program::examine(&mut model, &options).is_err() {
        return Ok("not solvable");
    }
    let answer = nonlinear_program::run(&mut model, &options, &mut Impatient::after(Duration::from_millis(200)));
    Ok(if answer.outcome.report.status.is_solved() { "solved" } else { "not solved" })
}

#[test]
fn models_are_read_or_refused() {
    all("nl", 400, |dice: &mut Dice| {
        let (name, content) = MODELS[dice.below(MODELS.len())];
        let content = mutate::tokens(content, dice);
        let mutant = content.clone();
        Mutant { origin: name.to_owned(), content, run: Box::new(move || tried(&mutant)) }
    });
}
