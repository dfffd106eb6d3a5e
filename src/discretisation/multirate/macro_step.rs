//! The equations of one macro step.
//!
//! Unknowns are, for each micro step m, the fast coordinates at its end and the impulses of constraints at its beginning, then
//! slow coordinates at the end of the macro step and the impulses of their constraints. Equations are, for each micro step,
//! the motion of fast coordinates at its beginning and constraints at its end, then the motion of slow coordinates and their
//! constraints: a block lower triangular chain with a border.

use super::layout::{Entry, Layout};
use super::programs::{self, Grids, Places};
use super::stamps::{Part, Stamp};
use super::stated::Stated;
use super::{Multirate, MultirateError, State};
use crate::nlp::{EvalFailure, Pattern, PatternBuilder, PatternError, SquareSystem};

/// A macro step from a state, as a system of equations; see the module above for the equations.
pub struct MacroStep {
    places: Places,
    grids: Grids,
    names: Vec<String>,
    constraint_names: Vec<String>,
    micro: usize,
    /// Length of a macro step, second.
    step: f64,
    from: State,
    /// Slow and fast coordinates at the beginning.
    slow: Vec<f64>,
    fast: Vec<f64>,
    pattern: Pattern,
    /// Each program with the stamps of its evaluations.
    action: (Part, Vec<Stamp>),
    whole: Option<(Part, Stamp)>,
    fast_constraints: (Part, Vec<Stamp>),
    slow_constraints: (Part, Vec<Stamp>),
    /// Slow coordinates at a micro node.
    node: Vec<f64>,
    /// Impulses of a node whose impulses belong to the next step.
    none: Vec<f64>,
    momentum: Vec<f64>,
    /// The last solution.
    last: Option<Vec<f64>>,
    /// Coordinates where the last step began.
    began: Vec<f64>,
    equations: Vec<f64>,
}

impl MacroStep {
    /// Prepares steps of a length from a state.
    pub fn new(system: &Multirate, step: f64, from: State) -> Result<Self, MultirateError> {
        let names = system.mechanics.coordinates();
        let lists = [("fast", system.fast.len()), ("coordinates", from.q.len()), ("momenta", from.p.len())];
        for (what, given) in lists {
            if given != names.len() {
                return Err(MultirateError::Length { what, given, expected: names.len() });
            }
        }
        if !(step > 0.0 && step.is_finite()) {
            return Err(MultirateError::Step(step));
        }
        let places = Places::new(&system.fast);
        if system.micro == 0 || places.fast.is_empty() {
            return Err(MultirateError::Nothing { micro: system.micro, fast: places.fast.len() });
        }
        let (grids, constraint_names) = programs::grids(system, &places);
        if grids.fast.len() > places.fast.len() {
            let (constraints, fast) = (grids.fast.len(), places.fast.len());
            return Err(MultirateError::Overdetermined { constraints, fast });
        }
        let separable = programs::is_separable(system, &places);
        let layout = Layout::new(&places, &grids, system.micro);
        let mut builder = PatternBuilder::new(layout.size(), layout.size());
        let stated = Stated::new(system, &places, &grids, separable, &layout, &mut builder);
        let Stated { mut action, mut whole, mut fast_constraints, mut slow_constraints } =
            stated.map_err(impossible)?;
        let (pattern, map) = builder.build();
        let stamps = action.1.iter_mut().chain(&mut fast_constraints.1).chain(&mut slow_constraints.1);
        stamps.chain(whole.as_mut().map(|(_, stamp)| stamp)).for_each(|stamp| stamp.settle(&map));
        let pick = |places: &[usize]| places.iter().map(|&i| from.q[i]).collect::<Vec<f64>>();
        Ok(Self {
            slow: pick(&places.slow),
            fast: pick(&places.fast),
            node: vec![0.0; places.slow.len()],
            none: vec![0.0; grids.fast.len().max(grids.slow.len())],
            momentum: vec![0.0; names.len()],
            last: None,
            began: from.q.clone(),
            equations: vec![0.0; layout.size()],
            micro: system.micro,
            places,
            grids,
            names,
            constraint_names,
            step,
            from,
            pattern,
            action,
            whole,
            fast_constraints,
            slow_constraints,
        })
    }

    /// Where the step begins.
    pub fn state(&self) -> &State {
        &self.from
    }

    /// Length of the step, second.
    pub fn length(&self) -> f64 {
        self.step
    }

    /// Fast coordinates at the micro nodes 1 … p of the last step, node by node; none before the first.
    pub fn micro_nodes(&self) -> impl Iterator<Item = &[f64]> {
        let layout = self.layout();
        let last = self.last.iter();
        last.flat_map(move |x| (0..self.micro).map(move |m| &x[layout.fast(m)..layout.fast(m) + self.fast.len()]))
    }

    /// Places of the fast coordinates among all.
    pub fn fast_places(&self) -> &[usize] {
        &self.places.fast
    }

    /// A point from which to look for the solution: coordinates go on as in the last step, in the first with a velocity.
    pub fn guess(&self, v: &[f64], x: &mut [f64]) {
        let layout = self.layout();
        let h = self.step / self.micro as f64;
        let Some(last) = &self.last else {
            x.fill(0.0);
            for m in 0..self.micro {
                let go = |(j, &i): (usize, &usize)| self.fast[j] + (m + 1) as f64 * h * v[i];
                let nodes = &mut x[layout.fast(m)..][..self.fast.len()];
                nodes.iter_mut().zip(self.places.fast.iter().enumerate().map(go)).for_each(|(x, q)| *x = q);
            }
            let go = |(j, &i): (usize, &usize)| self.slow[j] + self.step * v[i];
            let nodes = &mut x[layout.slow()..][..self.slow.len()];
            nodes.iter_mut().zip(self.places.slow.iter().enumerate().map(go)).for_each(|(x, q)| *x = q);
            return;
        };
        // What the last step added is added again.
        x.copy_from_slice(last);
        for m in 0..self.micro {
            for (j, &i) in self.places.fast.iter().enumerate() {
                x[layout.fast(m) + j] += self.fast[j] - self.began[i];
            }
        }
        for (j, &i) in self.places.slow.iter().enumerate() {
            x[layout.slow() + j] += self.slow[j] - self.began[i];
        }
    }

    /// Goes to the end of the step, whose solution is x.
    pub fn finish(&mut self, x: &[f64]) -> Result<(), EvalFailure> {
        let mut equations = std::mem::take(&mut self.equations);
        let evaluated = self.residual(x, &mut equations);
        self.equations = equations;
        evaluated?;
        let layout = self.layout();
        self.from.p.copy_from_slice(&self.momentum);
        self.began.copy_from_slice(&self.from.q);
        self.fast.copy_from_slice(&x[layout.fast(self.micro - 1)..][..self.places.fast.len()]);
        self.slow.copy_from_slice(&x[layout.slow()..][..self.places.slow.len()]);
        self.places.fast.iter().zip(&self.fast).for_each(|(&i, q)| self.from.q[i] = *q);
        self.places.slow.iter().zip(&self.slow).for_each(|(&i, q)| self.from.q[i] = *q);
        self.from.t += self.step;
        match &mut self.last {
            Some(last) => last.copy_from_slice(x),
            None => self.last = Some(x.to_vec()),
        }
        Ok(())
    }

    /// Sets the time, which sums of steps miss by rounding.
    pub fn arrive(&mut self, t: f64) {
        self.from.t = t;
    }

    fn layout(&self) -> Layout {
        Layout::new(&self.places, &self.grids, self.micro)
    }

    /// Puts the inputs of each evaluation in place and hands it to `visit`.
    fn evaluations(
        &mut self,
        x: &[f64],
        visit: &mut dyn FnMut(&mut Part, &Stamp) -> Result<(), EvalFailure>,
    ) -> Result<(), EvalFailure> {
        let layout = self.layout();
        let (micro, step, t) = (self.micro, self.step, self.from.t);
        let h = step / micro as f64;
        let end = &x[layout.slow()..][..self.slow.len()];
        // Fast coordinates at micro node m.
        let fast = |m: usize| match m {
            0 => &self.fast[..],
            m => &x[layout.fast(m - 1)..][..layout.fast_count],
        };
        let share = |m: usize| m as f64 / micro as f64;
        let (part, stamps) = &mut self.action;
        for (m, stamp) in stamps.iter().enumerate() {
            let [s0, s1] = [share(m), share(m + 1)];
            let numbers = [h, step, s0, s1, t + s0 * step, t + s1 * step];
            part.fill(&[end, fast(m), fast(m + 1), &self.slow, &numbers]);
            visit(part, stamp)?;
        }
        if let Some((part, stamp)) = &mut self.whole {
            part.fill(&[end, fast(micro), &self.slow, fast(0), &[step, t, t + step]]);
            visit(part, stamp)?;
        }
        let (part, stamps) = &mut self.fast_constraints;
        for (m, stamp) in stamps.iter().enumerate() {
            let impulses =
                if m < micro { &x[layout.impulses(m)..][..layout.fast_rows] } else { &self.none[..layout.fast_rows] };
            let ends = self.slow.iter().zip(end);
            self.node.iter_mut().zip(ends).for_each(|(node, (a, b))| *node = a + share(m) * (b - a));
            part.fill(&[&self.node, fast(m), impulses, &[t + share(m) * step]]);
            visit(part, stamp)?;
        }
        let (part, stamps) = &mut self.slow_constraints;
        let impulses = [&x[layout.slow() + end.len()..], &self.none[..layout.slow_rows]];
        for ((m, stamp), (slow, impulses)) in
            stamps.iter().enumerate().zip([&self.slow[..], end].into_iter().zip(impulses))
        {
            part.fill(&[slow, fast(m * micro), impulses, &[t + m as f64 * step]]);
            visit(part, stamp)?;
        }
        Ok(())
    }
}

/// Every equation and unknown is in range, by construction.
fn impossible(error: PatternError) -> MultirateError {
    EvalFailure { place: "the equations of a macro step".into(), reason: error.to_string() }.into()
}

impl SquareSystem for MacroStep {
    fn size(&self) -> usize {
        self.layout().size()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let layout = self.layout();
        out.fill(0.0);
        self.places.fast.iter().enumerate().for_each(|(j, &i)| out[layout.fast(0) + j] = self.from.p[i]);
        self.places.slow.iter().enumerate().for_each(|(j, &i)| out[layout.slow() + j] = self.from.p[i]);
        let mut momentum = std::mem::take(&mut self.momentum);
        momentum.fill(0.0);
        let done = self.evaluations(x, &mut |part, stamp| part.add_rows(stamp, out, &mut momentum));
        self.momentum = momentum;
        done
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values.fill(0.0);
        self.evaluations(x, &mut |part, stamp| part.add_derivatives(stamp, values))
    }

    fn row_name(&self, row: usize) -> String {
        match self.layout().find(row) {
            Entry::Fast { micro, place } => {
                format!("motion of {} at micro node {micro}", self.name(&self.places.fast, place))
            }
            Entry::FastConstraint { micro, place } => {
                format!("{} at micro node {}", self.constraint(&self.grids.fast, place), micro + 1)
            }
            Entry::Slow { place } => format!("motion of {}", self.name(&self.places.slow, place)),
            Entry::SlowConstraint { place } => self.constraint(&self.grids.slow, place).to_owned(),
        }
    }

    fn unknown_name(&self, col: usize) -> String {
        match self.layout().find(col) {
            Entry::Fast { micro, place } => {
                format!("{} at micro node {}", self.name(&self.places.fast, place), micro + 1)
            }
            Entry::FastConstraint { micro, place } => {
                format!("force of {} at micro node {micro}", self.constraint(&self.grids.fast, place))
            }
            Entry::Slow { place } => self.name(&self.places.slow, place).to_owned(),
            Entry::SlowConstraint { place } => format!("force of {}", self.constraint(&self.grids.slow, place)),
        }
    }

    /// An impulse matters as much as the way it causes: with mass and way of size 1 that is 1/h.
    fn unknown_scale(&self, col: usize) -> f64 {
        match self.layout().find(col) {
            Entry::Fast { .. } | Entry::Slow { .. } => 1.0,
            Entry::FastConstraint { .. } => (self.micro as f64 / self.step).max(1.0),
            Entry::SlowConstraint { .. } => self.step.recip().max(1.0),
        }
    }
}

impl MacroStep {
    fn name(&self, places: &[usize], place: usize) -> &str {
        &self.names[places[place]]
    }

    fn constraint(&self, places: &[usize], place: usize) -> &str {
        &self.constraint_names[places[place]]
    }
}
