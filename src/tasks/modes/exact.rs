//! Modes of nets of straight, uniform, unstressed members by their exact dynamic stiffness.

use nalgebra::Complex;

use super::{EXACT, Trust, told};
use crate::discretisation::dynamic_stiffness::{Circumstances, Crowded, Net, Obstacle, obstacles};
use crate::mechanism::survey;
use crate::nlp::Pattern;
use crate::results::{Outcome, RunStatus};
use crate::solver::eigen::{EigenError, MatrixFunction, Roots, Search};
use crate::tasks::forward::{Displaced, Failure, scaled};
use crate::tasks::{Configuration, ForwardSystem, ModesSpec, Observer};

/// Growth of ω² while more modes are looked for.
const GROWTH: f64 = 2.0;
/// Shapes are told at this many places between the ends of a part.
const BETWEEN: usize = 11;

impl MatrixFunction for Net {
    fn pattern(&self) -> &Pattern {
        Net::pattern(self)
    }

    fn evaluate(&mut self, lambda: f64, matrix: &mut [f64], slope: &mut [f64]) {
        Net::evaluate(self, lambda, matrix, slope);
    }

    fn forms(&self, x: &[f64], y: &[f64]) -> [f64; 2] {
        Net::forms(self, x, y)
    }
}

/// What of a system counts for its modes.
pub fn circumstances(system: &ForwardSystem, spec: &ModesSpec) -> Circumstances {
    Circumstances {
        loaded: spec.about == Configuration::Equilibrium,
        damped: spec.damped != Some(false),
        instant: system.first_instant(),
    }
}

/// What can be told before any frequency is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// Straight pieces of rods between junctions.
    pub members: usize,
    /// Parts into which they are divided.
    pub parts: usize,
    /// Unknowns: motions of the nodes that joints and supports leave.
    pub unknowns: usize,
    /// Modes of frequency zero.
    pub still: usize,
    /// Angular frequency up to which the parts are short enough, rad/s.
    pub highest: f64,
    /// Modes below it.
    pub below: usize,
}

/// How many modes lie below which frequency, and what finding them takes.
pub fn prospect(system: &ForwardSystem, spec: &ModesSpec) -> Result<Prospect, String> {
    match enough(system, spec, &mut || false) {
        Ok((_, prospect)) => Ok(prospect),
        Err(failure) => Err(failure.message),
    }
}

/// A net without poles up to a frequency below which there are as many modes as wanted.
fn enough(
    system: &ForwardSystem,
    spec: &ModesSpec,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Net, Prospect), Failure> {
    let mechanism = &system.mechanism;
    let found = obstacles(mechanism, circumstances(system, spec));
    if !found.is_empty() {
        let reasons: Vec<String> = found.iter().map(|obstacle: &Obstacle| obstacle.describe(mechanism)).collect();
        let message = format!(
            "method \"exact\" is for nets of straight, uniform, unstressed rods, but {}; method \"elements\" treats them",
            reasons.join(", ")
        );
        return Err(Failure { status: RunStatus::NotApplicable, message });
    }
    let still = Net::still_motions(mechanism);
    // One more than zero ones: the first above zero tells how small a shift is.
    let wanted = spec.count.max(still + 1);
    let mut best: Option<(Net, Prospect)> = None;
    let mut highest = Net::scale(mechanism);
    let mut rising = false;
    loop {
        if stop() {
            return Err(EigenError::Interrupted.into());
        }
        let crowded = |found: Crowded| Failure { status: RunStatus::TooLarge, message: found.to_string() };
        let mut net = Net::new(mechanism, highest).map_err(crowded)?;
        let (members, parts, unknowns) = (net.members(), net.parts(), net.unknowns());
        let below = match unknowns {
            0 => 0,
            _ => Search::new(&mut net, still)?.count(highest)?,
        };
        // Downwards from the first guess while there are enough, upwards while there are not.
        match best {
            Some(best) if below < wanted => return Ok(best),
            _ if below >= wanted => {
                let prospect = Prospect { members, parts, unknowns, still, highest: highest.sqrt(), below };
                if rising || below <= wanted + wanted / 4 {
                    return Ok((net, prospect));
                }
                best = Some((net, prospect));
                highest /= GROWTH;
            }
            _ => {
                rising = true;
                highest *= GROWTH;
            }
        }
    }
}

pub(super) fn solve(
    system: &ForwardSystem,
    spec: &ModesSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let report = &mut outcome.report;
    report.method = EXACT.into();
    report.scalars.insert("mass".into(), survey(&system.mechanism).mass);
    report.method_reason =
        "the count is certified: negative eigenvalues of the dynamic stiffness number the modes below a frequency \
         (Wittrick and Williams)"
            .into();
    observer.phase("members", 1);
    let (mut net, prospect) = enough(system, spec, &mut || observer.interrupted())?;
    observer.progress(1);
    observer.phase("frequencies", 1);
    let mut search = Search::new(&mut net, prospect.still)?;
    search.count(prospect.highest * prospect.highest)?;
    let wanted = spec.count.max(prospect.still + 1);
    let Roots { values, shapes, residuals } = search.roots(wanted, &mut || observer.interrupted())?;
    let still = search.still_shapes(values.first().copied().unwrap_or(1.0))?;
    let sizes = [
        ("members", prospect.members),
        ("parts", prospect.parts),
        ("unknowns", prospect.unknowns),
        ("factorisations", search.factorisations),
    ];
    report.sizes.extend(sizes.map(|(name, size)| (name.into(), size as f64)));
    report.residuals.insert("largest_relative_residual".into(), residuals.iter().fold(0.0, |m, r| r.max(m)));
    let known = |backward_error: f64| Trust { backward_error, uncertainty: None };
    let trusts: Vec<Trust> =
        vec![known(0.0); still.len()].into_iter().chain(residuals.iter().map(|r| known(*r))).take(spec.count).collect();
    let zero = still.into_iter().map(|shape| (0.0, shape));
    let modes = zero.chain(values.into_iter().zip(shapes)).take(spec.count);
    let size = size(system);
    let shapes = modes.enumerate().map(|(k, (lambda, shape))| {
        let rods = system.mechanism.rods.iter().enumerate().map(|(index, rod)| {
            let sections = net.along(index, lambda, &shape, BETWEEN).into_iter().map(|section| Displaced {
                s: section.s,
                rest: (rod.reference)(section.s).position.into(),
                moved: section.displacement.map(|u| Complex::new(u, 0.0)).into(),
                turned: section.rotation.map(|u| Complex::new(u, 0.0)).into(),
            });
            (rod.name.as_str(), sections.collect())
        });
        scaled(k + 1, Complex::new(0.0, lambda.sqrt()), rods.collect(), size)
    });
    told(shapes.collect(), &trusts, outcome);
    Ok(())
}

/// Length of the longest rod, metre.
fn size(system: &ForwardSystem) -> f64 {
    system.mechanism.rods.iter().map(|rod| rod.length).fold(0.0, f64::max)
}
