//! Feasibility restoration: the l1 relaxation is minimised until the filter of the program accepts the point.

use crate::nlp::PatternError;
use crate::solver::constrained::engine::{Engine, Observer};
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::inequality::barrier::barrier;
use crate::solver::constrained::inequality::interior_point::InteriorPoint;
use crate::solver::constrained::options::{BarrierUpdate, Options};
use crate::solver::constrained::relaxation::elastic::{Elastic, WEIGHT, best_elastics};
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;
use crate::solver::constrained::status::Status;
use crate::solver::linear::LinearError;
use thiserror::Error;

/// Share of the violation that must remain at most.
const REDUCTION: f64 = 0.9;

/// Outcome of a restoration.
pub enum Restored {
    /// The point of the engine has been replaced; what it was before.
    Found { before: Vec<f64> },
    /// The point of the engine is a local minimum of the violation.
    Infeasible,
    /// Neither was reached.
    Ended(Status),
}

/// Why no relaxation could be set up.
#[derive(Debug, Error)]
pub enum RestorationError {
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Linear(#[from] LinearError),
}

/// The relaxation of one program, with its analysed matrix.
pub struct Restoration {
    elastic: Elastic,
    standard: Standard,
    kkt: Option<Kkt>,
    /// Number of times a feasible point was kept although the filter refused it.
    overruled: usize,
}

impl Restoration {
    /// The relaxation of a program with bounds widened for this violation, if at all.
    pub fn new(nlp: &mut dyn Staged, violation: Option<f64>, row_scales: &[f64]) -> Result<Self, RestorationError> {
        let mut elastic = Elastic::new(&*nlp as &dyn Staged)?;
        let (n, m) = (nlp.bounds().variables(), nlp.bounds().rows());
        let relaxed = elastic.view(nlp);
        let mut standard = match violation {
            Some(violation) => Standard::widened(&relaxed, violation, row_scales),
            None => Standard::exact(&relaxed),
        };
        standard.lower[n..n + 2 * m].fill(0.0);
        let kkt = Kkt::new(&relaxed, &standard)?;
        Ok(Self { elastic, standard, kkt: Some(kkt), overruled: 0 })
    }

    /// Runs from the current point of `outer`.
    pub fn run(&mut self, outer: &mut Engine, nlp: &mut dyn Staged, options: &Options, observe: Observer) -> Restored {
        let Some(kkt) = self.kkt.take() else { return Restored::Ended(Status::RestorationFailed) };
        let outer_mu = outer.method.mu();
        let violation = outer.point.violation();
        let value = outer.point.objective + barrier(&outer.standard, &outer.point.v, outer_mu);
        outer.globalisation.filter.add(violation, value);

        let largest = outer.point.residual.iter().fold(0.0f64, |largest, r| largest.max(r.abs()));
        let mu = outer_mu.max(largest);
        let inner_options = Options {
            barrier: BarrierUpdate::Monotone,
            max_iterations: usize::MAX,
            acceptable_iterations: usize::MAX,
            ..options.clone()
        };
        let method = Box::new(InteriorPoint::ready_at(&inner_options, &self.standard, mu));
        self.elastic.refer_to(&outer.point.v[..outer.standard.n]);
        let mut relaxed = self.elastic.view(nlp);
        let scales = (1.0, vec![1.0; outer.standard.m]);
        let mut inner = Engine::new(&relaxed, self.standard.clone(), kkt, method, &inner_options, scales, false);
        start(outer, &mut inner, mu);

        let outcome = if inner.begin(&mut relaxed).is_err() {
            Restored::Ended(Status::RestorationFailed)
        } else {
            loop {
                if outer.records.len() > options.max_iterations {
                    break Restored::Ended(Status::IterationLimit);
                }
                let ended = inner.step(&mut relaxed, &mut |_| true);
                let steps = inner.records.len() - 1;
                let candidate = Candidate::of(outer, &inner, relaxed.nlp, outer_mu);
                if let Some(mut record) = inner.records.last().copied()
                    && steps > 0
                    && ended.is_none()
                {
                    record.iter = outer.records.len();
                    record.objective = candidate.objective / outer.scales().0;
                    record.inf_pr = candidate.unscaled;
                    outer.records.push(record);
                    if !observe(&record) {
                        break Restored::Ended(Status::Interrupted);
                    }
                }
                let reduced = candidate.violation <= REDUCTION * violation;
                if reduced
                    && candidate.value.is_finite()
                    && outer.globalisation.filter.accepts(candidate.violation, candidate.value)
                {
                    break Restored::Found { before: candidate.install(outer) };
                }
                match ended.map(|end| end.status) {
                    None => (),
                    Some(Status::Solved | Status::Acceptable) if candidate.unscaled > options.violation => {
                        candidate.install(outer);
                        keep_multipliers(outer, &inner);
                        break Restored::Infeasible;
                    }
                    // The point is feasible, but the filter remembers a better one: believe the point, not too often.
                    Some(Status::Solved | Status::Acceptable) if self.overruled < 3 => {
                        self.overruled += 1;
                        outer.globalisation.filter.clear();
                        break Restored::Found { before: candidate.install(outer) };
                    }
                    Some(status) => break Restored::Ended(status),
                }
            }
        };
        self.kkt = Some(inner.kkt);
        outcome
    }
}

/// Starts the relaxation at the point of the program, with the best elastics for it.
fn start(outer: &Engine, inner: &mut Engine, mu: f64) {
    let (n, m) = (outer.standard.n, outer.standard.m);
    let (from, to) = (&outer.point, &mut inner.point);
    to.v[..n].copy_from_slice(&from.v[..n]);
    to.v[n + 2 * m..].copy_from_slice(&from.v[n..]);
    for (row, &residual) in from.residual.iter().enumerate() {
        let (p, q) = best_elastics(residual, mu);
        to.v[n + row] = p;
        to.v[n + m + row] = q;
        to.z_lower[n + row] = mu / p;
        to.z_lower[n + m + row] = mu / q;
    }
    for i in 0..n + m {
        let place = if i < n { i } else { i + 2 * m };
        to.z_lower[place] = from.z_lower[i].min(WEIGHT);
        to.z_upper[place] = from.z_upper[i].min(WEIGHT);
    }
}

/// Keeps the multipliers of the relaxation, per unit of violation: they tell which bounds stand against the rows.
fn keep_multipliers(outer: &mut Engine, inner: &Engine) {
    let (n, m) = (outer.standard.n, outer.standard.m);
    outer.point.lambda.iter_mut().zip(&inner.point.lambda).for_each(|(to, from)| *to = from / WEIGHT);
    for i in 0..n + m {
        let place = if i < n { i } else { i + 2 * m };
        outer.point.z_lower[i] = inner.point.z_lower[place] / WEIGHT;
        outer.point.z_upper[i] = inner.point.z_upper[place] / WEIGHT;
    }
}

/// The point of the relaxation as a point of the program.
struct Candidate {
    v: Vec<f64>,
    objective: f64,
    /// ‖c(x) − s‖₁.
    violation: f64,
    /// ‖c(x) − s‖∞ in the units of the rows.
    unscaled: f64,
    /// Objective with the barrier term of the program.
    value: f64,
}

impl Candidate {
    fn of(outer: &Engine, inner: &Engine, nlp: &mut dyn Staged, mu: f64) -> Self {
        let (n, m) = (outer.standard.n, outer.standard.m);
        let v: Vec<f64> = inner.point.v[..n].iter().chain(&inner.point.v[n + 2 * m..]).copied().collect();
        let residual = |row: usize| {
            let elastics = inner.point.v[n + row] - inner.point.v[n + m + row];
            (inner.point.residual[row] + elastics).abs()
        };
        let objective = outer.standard.objective(nlp, &v).unwrap_or(f64::NAN);
        Self {
            objective,
            violation: (0..m).map(residual).sum(),
            unscaled: (0..m).map(|row| residual(row) / outer.scales().1[row]).fold(0.0, f64::max),
            value: objective + barrier(&outer.standard, &v, mu),
            v,
        }
    }

    fn install(self, outer: &mut Engine) -> Vec<f64> {
        std::mem::replace(&mut outer.point.v, self.v)
    }
}
