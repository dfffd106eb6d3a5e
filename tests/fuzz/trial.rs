//! Runs mutants one by one under watch, and tells what became of them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::mutate::Dice;
use lariat::Observer;

/// No mutant may take longer, whatever it asks for; generous, for machines under load.
const LONGEST: Duration = Duration::from_secs(300);

/// A mutant: a name that tells where it comes from, its files, and how it is tried. A word about its end, or what is wrong.
pub struct Mutant<'a> {
    /// Which file it was made of.
    pub origin: String,
    /// Its content.
    pub content: Vec<u8>,
    /// Tries it.
    pub run: Box<dyn FnOnce() -> Result<&'static str, String> + 'a>,
}

/// Tries `few` mutants, or as many as the environment asks for.
pub fn all<'a>(kind: &str, few: usize, mut make: impl FnMut(&mut Dice) -> Mutant<'a>) {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let only = std::env::var("LARIAT_FUZZ_KIND").ok();
    if only.as_ref().is_some_and(|only| only != kind) {
        return;
    }
    let count = asked("LARIAT_FUZZ").map_or(few, |count| count as usize);
    let seed = asked("LARIAT_FUZZ_SEED").unwrap_or(1);
    let keep = std::env::var_os("LARIAT_FUZZ_KEEP").map(PathBuf::from);
    let now: Arc<Mutex<Option<(Instant, String)>>> = Arc::default();
    watch(kind, Arc::clone(&now));
    let mut ends: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut faults: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, String::new());
    for number in 0..count as u64 {
        if number > 0 && number % 20_000 == 0 {
            println!("{kind}: {number} mutants so far, {ends:?}");
        }
        let mut dice = Dice(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ number.wrapping_mul(0x1405_7b7e_f767_814f));
        let Mutant { origin, content, run } = make(&mut dice);
        let name = format!("{kind}-{seed}-{number}-{origin}");
        let put = |stem: &str| {
            if let Some(folder) = &keep {
                std::fs::create_dir_all(folder).unwrap();
                std::fs::write(folder.join(stem), &content).unwrap();
            }
        };
        put(&format!("{kind}-{seed}-now"));
        let begun = Instant::now();
        *now.lock().unwrap() = Some((begun, name.clone()));
        let ended = catch_unwind(AssertUnwindSafe(run));
        *now.lock().unwrap() = None;
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), name.clone());
            if begun.elapsed() > Duration::from_secs(5) {
                put(&format!("slow-{name}"));
            }
        }
        let fault = match ended {
            Ok(Ok(word)) => {
                *ends.entry(word).or_default() += 1;
                continue;
            }
            Ok(Err(fault)) => fault,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                format!(
                    "panic: {}",
                    text.or_else(|| Some((*panic.downcast_ref::<&str>()?).to_owned())).unwrap_or_default()
                )
            }
        };
        put(&name);
        if !faults.contains_key(&fault) {
            println!("{name}: {fault}");
        }
        faults.entry(fault).or_insert((0, name)).0 += 1;
    }
    println!("{kind}: {count} mutants, {ends:?}, slowest {:.2?} ({})", slowest.0, slowest.1);
    for (fault, (times, first)) in &faults {
        println!("  {times} times, first {first}: {fault}");
    }
    assert!(faults.is_empty(), "{} kinds of faults of {kind}: {faults:#?}", faults.len());
}

/// Ends the process, with a name, where a mutant runs without end.
fn watch(kind: &str, now: Arc<Mutex<Option<(Instant, String)>>>) {
    let kind = kind.to_owned();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if Arc::strong_count(&now) == 1 {
                return;
            }
            if let Some((begun, name)) = now.lock().unwrap().as_ref()
                && begun.elapsed() > LONGEST
            {
                eprintln!("{kind}: {name} has been running for {LONGEST:?}");
                std::process::abort();
            }
        }
    });
}

/// Asks a task to stop after a while.
pub struct Impatient(Instant, Duration);

impl Impatient {
    /// From now on.
    pub fn after(patience: Duration) -> Self {
        Self(Instant::now(), patience)
    }
}

impl Observer for Impatient {
    fn interrupted(&self) -> bool {
        self.0.elapsed() > self.1
    }
}

/// Whether a text for users holds a number that is none, below the title that the file states.
pub fn nonsense(text: &str) -> Option<String> {
    let is_word = |word: &str| matches!(word, "NaN" | "nan" | "inf" | "-inf" | "infe" | "NaNe");
    let line = text
        .lines()
        .skip(1)
        .find(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).any(is_word));
    line.map(str::to_owned)
}
