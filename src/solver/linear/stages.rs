//! Stages: a chain of groups of unknowns in which only neighbours are coupled, with a border coupled to all.

use super::{LinearError, expect_size};
use crate::nlp::Pattern;

/// To which stage of a chain each unknown belongs; unknowns of the border (an end time, a parameter) belong to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stages {
    stage_of: Vec<Option<usize>>,
    count: usize,
}

impl Stages {
    /// Takes the stage of each unknown, `None` for the border.
    pub fn new(stage_of: Vec<Option<usize>>) -> Self {
        let count = stage_of.iter().flatten().max().map_or(0, |last| last + 1);
        Self { stage_of, count }
    }

    /// The stage of each unknown, `None` for the border.
    pub fn stage_of(&self) -> &[Option<usize>] {
        &self.stage_of
    }

    /// Number of stages.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no stage at all.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of unknowns in the border.
    pub fn border(&self) -> usize {
        self.stage_of.iter().filter(|stage| stage.is_none()).count()
    }

    /// Checks that entries couple neighbours only.
    pub(super) fn check(&self, pattern: &Pattern) -> Result<(), LinearError> {
        expect_size("stage description", self.stage_of.len(), pattern.ncols())?;
        for column in 0..pattern.ncols() {
            for &row in &pattern.row_idx()[pattern.column(column)] {
                if let (Some(row_stage), Some(column_stage)) = (self.stage_of[row], self.stage_of[column])
                    && row_stage.abs_diff(column_stage) > 1
                {
                    return Err(LinearError::DistantStages { row, row_stage, column, column_stage });
                }
            }
        }
        Ok(())
    }

    /// Where everything goes in the elimination of a checked pattern.
    pub(super) fn layout(&self, pattern: &Pattern) -> Layout {
        let size = self.stage_of.len();
        let group_of = |unknown: usize| self.stage_of[unknown].unwrap_or(self.count);
        let mut starts = vec![0; self.count + 2];
        (0..size).for_each(|unknown| starts[group_of(unknown) + 1] += 1);
        for group in 0..=self.count {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut order = vec![0; size];
        let mut place_of = vec![0; size];
        for unknown in 0..size {
            let place = &mut next[group_of(unknown)];
            (order[*place], place_of[unknown]) = (unknown, *place);
            *place += 1;
        }

        // Rows below each diagonal block, as places: those coupled with it, and border rows that elimination of earlier
        // stages left coupled with this one.
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); self.count];
        for column in 0..size {
            for &row in &pattern.row_idx()[pattern.column(column)] {
                let (low, high) = (place_of[row].min(place_of[column]), place_of[row].max(place_of[column]));
                let group = group_of(order[low]);
                if group < self.count && high >= starts[group + 1] {
                    rows[group].push(high);
                }
            }
        }
        let border = starts[self.count];
        let mut linked = false;
        for group in 0..self.count {
            if group > 0 && linked {
                let inherited: Vec<usize> = rows[group - 1].iter().copied().filter(|&place| place >= border).collect();
                rows[group].extend(inherited);
            }
            rows[group].sort_unstable();
            rows[group].dedup();
            linked = rows[group].first().is_some_and(|&place| place < border);
        }
        Layout { starts, order, place_of, rows }
    }
}

/// The order of elimination: stage by stage, the border last.
pub(super) struct Layout {
    /// Where each stage starts in the order, then the border, then the end.
    pub starts: Vec<usize>,
    /// Unknown at each place.
    pub order: Vec<usize>,
    /// Place of each unknown.
    pub place_of: Vec<usize>,
    /// Places below the diagonal block of each stage that are coupled with it, in the next stage and in the border.
    pub rows: Vec<Vec<usize>>,
}

impl Layout {
    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.rows.len()
    }

    /// Multiply-add operations of one factorisation.
    pub fn flops(&self) -> f64 {
        let border = self.starts[self.stages() + 1] - self.starts[self.stages()];
        let stages = self.rows.iter().zip(self.starts.windows(2));
        let sizes = stages.map(|(rows, ends)| ((ends[1] - ends[0]) as f64, rows.len() as f64));
        let cost = |(n, r): (f64, f64)| n * n * n / 6.0 + 0.5 * n * r * (n + r);
        sizes.map(cost).sum::<f64>() + cost((border as f64, 0.0))
    }

    /// Largest number of unknowns in a stage.
    pub fn largest_stage(&self) -> usize {
        self.starts.windows(2).take(self.stages()).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }
}
