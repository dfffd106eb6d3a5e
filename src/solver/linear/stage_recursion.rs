//! Symmetric block elimination along a chain of stages, with inertia; its cost is linear in the number of stages.
//!
//! With Dₖ the diagonal block of stage k, Cₖ the rows of stage k + 1 and Eₖ the rows of the border in its columns, and F
//! the block of the border, elimination of stage k leaves Dₖ₊₁ − Cₖ Dₖ⁻¹ Cₖᵀ, Eₖ₊₁ − Eₖ Dₖ⁻¹ Cₖᵀ and F − Eₖ Dₖ⁻¹ Eₖᵀ. The
//! inertia is the sum over all pivot blocks (E. V. Haynsworth, "Determination of the inertia of a partitioned Hermitian
//! matrix", Linear Algebra Appl. 1, 1968). Blocks are dense and are factorised with pivots of size one and two, so the
//! multipliers of a stage are eliminated together with the variables they act on, whether these have curvature or not.

use super::bunch_kaufman::{
    Pivots, apply_inverse, factor_panel, substitute_backward, substitute_forward, subtract_from_complement,
};
use super::refined::{Refined, SymmetricFactors};
use super::stages::{Layout, Stages};
use super::{FactorQuality, Inertia, LinearError, LinearSolver, SolveQuality, SymmetricSolver};
use crate::nlp::Pattern;

/// Direct solver for symmetric systems with stages, such as those of transcribed control problems.
///
/// ```
/// use lariat::nlp::PatternBuilder;
/// use lariat::solver::linear::{LinearSolver, StageRecursion, Stages};
/// let mut builder = PatternBuilder::new(3, 3);
/// builder.add(&[0, 1], &[0])?;
/// builder.add(&[1, 2], &[1])?;
/// builder.add(&[2], &[2])?;
/// let mut solver = StageRecursion::new(Stages::new(vec![Some(0), Some(1), Some(2)]));
/// solver.analyse(&builder.build().0)?;
/// solver.factor(&[2.0, 1.0, 0.0, 1.0, 2.0])?;
/// let mut x = [3.0, 2.0, 3.0];
/// solver.solve(&mut x)?;
/// assert_eq!(x, [1.0, 1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct StageRecursion(Refined<StageFactors>);

impl StageRecursion {
    /// A solver for matrices with these stages.
    pub fn new(stages: Stages) -> Self {
        Self(Refined::new(stages))
    }
}

impl LinearSolver for StageRecursion {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        self.0.analyse(pattern)
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        self.0.factor(values)
    }

    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        self.0.solve(rhs)
    }
}

impl SymmetricSolver for StageRecursion {
    fn factor_shifted(&mut self, values: &[f64], shift: &[f64]) -> Result<Inertia, LinearError> {
        self.0.factor_shifted(values, shift)
    }

    fn refine_to(&mut self, backward_error: f64) {
        self.0.refine_to(backward_error);
    }
}

/// One diagonal block with what is below it.
struct Panel {
    /// Place of its first unknown in the order of elimination.
    start: usize,
    /// Number of its unknowns.
    size: usize,
    /// Where its columns start in the values.
    values: usize,
    /// Places of the rows below the block, and the rows they have in the panel of the next stage, or in the border for
    /// those from `own` on.
    below: Vec<Below>,
    /// How many of them are in the next stage.
    own: usize,
}

#[derive(Clone, Copy)]
struct Below {
    place: usize,
    /// Row in the next panel.
    next: usize,
    /// Row in the border block; meaningless for rows of the next stage.
    border: usize,
}

impl Panel {
    fn height(&self) -> usize {
        self.size + self.below.len()
    }

    fn columns(&self) -> std::ops::Range<usize> {
        self.values..self.values + self.size * self.height()
    }

    fn places(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.size
    }
}

/// Factors of all stages, then of the border.
struct StageFactors {
    panels: Vec<Panel>,
    order: Vec<usize>,
    /// Where each entry of the pattern goes.
    targets: Vec<usize>,
    values: Vec<f64>,
    exchanged: Vec<usize>,
    inverse: Vec<[f64; 2]>,
    /// R Pᵀ L⁻ᵀ of one panel.
    reduced: Vec<f64>,
    /// Update of one panel to those after it.
    update: Vec<f64>,
    x: Vec<f64>,
    /// The part of one panel, and of the rows below it.
    local: Vec<f64>,
}

impl SymmetricFactors for StageFactors {
    type Options = Stages;

    fn analyse(stages: &Stages, pattern: &Pattern) -> Result<Self, LinearError> {
        stages.check(pattern)?;
        let layout = stages.layout(pattern);
        let panels = panels(&layout);
        let size = layout.order.len();
        let largest = |measure: fn(&Panel) -> usize| panels.iter().map(measure).max().unwrap_or(0);
        Ok(Self {
            targets: targets(&layout, &panels, pattern),
            values: vec![0.0; panels.last().map_or(0, |border| border.columns().end)],
            exchanged: vec![0; size],
            inverse: vec![[0.0; 2]; size],
            reduced: vec![0.0; largest(|panel| panel.size * panel.below.len())],
            update: vec![0.0; largest(|panel| panel.below.len().pow(2))],
            x: vec![0.0; size],
            local: vec![0.0; largest(Panel::height)],
            order: layout.order,
            panels,
        })
    }

    fn factor(&mut self, values: &[f64]) -> Result<Inertia, usize> {
        self.values.fill(0.0);
        for (&target, value) in self.targets.iter().zip(values) {
            self.values[target] += value;
        }
        let border_size = self.panels.last().map_or(0, |border| border.size);
        let mut inertia = Inertia { positive: 0, negative: 0, zero: 0 };
        for (index, panel) in self.panels.iter().enumerate() {
            let (columns, after) = self.values.split_at_mut(panel.columns().end);
            let columns = &mut columns[panel.values..];
            let mut pivots =
                Pivots { exchanged: &mut self.exchanged[panel.places()], inverse: &mut self.inverse[panel.places()] };
            let (positive, negative) = factor_panel(columns, panel.height(), &mut pivots, &mut self.reduced)
                .map_err(|column| self.order[panel.start + column])?;
            inertia.positive += positive;
            inertia.negative += negative;
            if !panel.below.is_empty() {
                let rows = panel.below.len();
                let update = &mut self.update[..rows * rows];
                update.fill(0.0);
                subtract_from_complement(columns, panel.height(), &self.reduced, update);
                let next_height = self.panels.get(index + 1).map_or(0, Panel::height);
                scatter(panel, update, after, next_height, border_size);
            }
        }
        Ok(inertia)
    }

    fn substitute(&mut self, x: &mut [f64]) {
        let Self { panels, order, values, exchanged, inverse, x: ordered, local, .. } = self;
        for (ordered, &unknown) in ordered.iter_mut().zip(order.iter()) {
            *ordered = x[unknown];
        }
        for panel in panels.iter() {
            let local = &mut local[..panel.height()];
            local[..panel.size].copy_from_slice(&ordered[panel.places()]);
            local[panel.size..].fill(0.0);
            let exchanged = &exchanged[panel.places()];
            substitute_forward(&values[panel.columns()], panel.height(), exchanged, local);
            apply_inverse(&inverse[panel.places()], local);
            ordered[panel.places()].copy_from_slice(&local[..panel.size]);
            for (below, local) in panel.below.iter().zip(&local[panel.size..]) {
                ordered[below.place] += local;
            }
        }
        for panel in panels.iter().rev() {
            let local = &mut local[..panel.height()];
            local[..panel.size].copy_from_slice(&ordered[panel.places()]);
            for (below, local) in panel.below.iter().zip(&mut local[panel.size..]) {
                *local = ordered[below.place];
            }
            let exchanged = &exchanged[panel.places()];
            substitute_backward(&values[panel.columns()], panel.height(), exchanged, local);
            ordered[panel.places()].copy_from_slice(&local[..panel.size]);
        }
        for (ordered, &unknown) in ordered.iter().zip(order.iter()) {
            x[unknown] = *ordered;
        }
    }
}

/// Adds the update of a panel to the next one, which `after` starts with, and to the border, which `after` ends with.
fn scatter(panel: &Panel, update: &[f64], after: &mut [f64], next_height: usize, border_size: usize) {
    let rows = panel.below.len();
    let (own, border) = panel.below.split_at(panel.own);
    for (column, target) in own.iter().enumerate() {
        let start = target.next * next_height;
        for (row, &value) in panel.below[column..].iter().zip(&update[column * rows + column..]) {
            after[start + row.next] += value;
        }
    }
    let corner = after.len() - border_size * border_size;
    for (column, target) in border.iter().enumerate() {
        let column = panel.own + column;
        for (row, &value) in panel.below[column..].iter().zip(&update[column * rows + column..]) {
            after[corner + target.border * border_size + row.border] += value;
        }
    }
}

/// The panels of all stages and of the border.
fn panels(layout: &Layout) -> Vec<Panel> {
    let border = layout.starts[layout.stages()];
    let mut values = 0;
    let mut panels = Vec::with_capacity(layout.stages() + 1);
    for (index, ends) in layout.starts.windows(2).enumerate() {
        let rows = layout.rows.get(index).map_or(&[][..], Vec::as_slice);
        let next_rows = layout.rows.get(index + 1).map_or(&[][..], Vec::as_slice);
        let next_size = layout.starts.get(index + 2).map_or(0, |end| end - ends[1]);
        let own = rows.partition_point(|&place| place < border);
        let below = rows.iter().map(|&place| {
            let next =
                if place < border { place - ends[1] } else { next_size + next_rows.partition_point(|&p| p < place) };
            Below { place, next, border: place.saturating_sub(border) }
        });
        let panel = Panel { start: ends[0], size: ends[1] - ends[0], values, below: below.collect(), own };
        values = panel.columns().end;
        panels.push(panel);
    }
    panels
}

/// Where each entry of the pattern goes in the values of the panels.
fn targets(layout: &Layout, panels: &[Panel], pattern: &Pattern) -> Vec<usize> {
    let mut panel_of = vec![0; layout.order.len()];
    panels.iter().enumerate().for_each(|(index, panel)| panel_of[panel.places()].fill(index));
    let mut targets = Vec::with_capacity(pattern.nnz());
    for column in 0..pattern.ncols() {
        for &row in &pattern.row_idx()[pattern.column(column)] {
            let (a, b) = (layout.place_of[row], layout.place_of[column]);
            let (low, high) = (a.min(b), a.max(b));
            let panel = &panels[panel_of[low]];
            let row = if panel.places().contains(&high) {
                high - panel.start
            } else {
                panel.size + panel.below.partition_point(|below| below.place < high)
            };
            targets.push(panel.values + (low - panel.start) * panel.height() + row);
        }
    }
    targets
}

#[cfg(test)]
mod tests;
