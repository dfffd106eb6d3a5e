//! All instants as one square system.

use std::collections::BTreeMap;

use super::local::{Brake, By, Local, Memory, State};
use crate::nlp::{EvalFailure, ParametricSystem, Pattern, PatternBuilder, SquareSystem};

/// Of an unknown beyond the first or the last instant.
const NONE: usize = usize::MAX;

/// Weights of neighbouring instants in velocities and accelerations.
#[derive(Debug, Clone)]
pub struct Differences {
    /// Instant, weight in the velocity (1/s), weight in the acceleration (1/s²).
    pub weights: Vec<(isize, f64, f64)>,
}

impl Differences {
    /// Central differences of fourth order.
    pub fn central(h: f64) -> Self {
        let (rate, acceleration) = (1.0 / (12.0 * h), 1.0 / (12.0 * h * h));
        let of = |(offset, v, a): (isize, f64, f64)| (offset, v * rate, a * acceleration);
        let stencil = [(-2, 1.0, -1.0), (-1, -8.0, 16.0), (0, 0.0, -30.0), (1, 8.0, 16.0), (2, -1.0, -1.0)];
        Self { weights: stencil.map(of).to_vec() }
    }

    /// Nothing moves.
    pub fn still() -> Self {
        Self { weights: vec![(0, 0.0, 0.0)] }
    }

    /// Inertia holds what is at the instant before back, (q − q₋)/τ²: no motion, but a way to equilibrium along which soft
    /// directions stay where they are until something stiffens them.
    pub fn held_back(tau: f64) -> Self {
        let weight = 1.0 / (tau * tau);
        Self { weights: vec![(-1, 0.0, -weight), (0, 0.0, weight)] }
    }
}

/// The equations of motion, joints and servo paths at all instants, between rest before the first and rest after the last.
///
/// The parameter p makes the motion slow: velocities count √p times, accelerations p times. 0 is a row of equilibria, 1 the
/// motion.
pub struct Horizon<'l> {
    pub local: &'l mut Local,
    pub times: Vec<f64>,
    differences: Differences,
    /// Coordinates at rest before and after.
    pub ends: [Vec<f64>; 2],
    scales: Vec<f64>,
    parameter: f64,
    pattern: Pattern,
    /// Places in the pattern: instant by instant those of the template.
    places: Vec<usize>,
    template: usize,
    /// For each entry of an instant its numbers in the template, one for each neighbour it depends on.
    slots: Vec<Vec<usize>>,
    /// The same of the products of parts, row by row.
    part_slots: Vec<Vec<usize>>,
    brakes: Vec<Brake>,
    brake_slots: Vec<usize>,
    memory: Vec<Memory>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl<'l> Horizon<'l> {
    /// `size`: of coordinates that counts, metre or radian. Brakes, if there are any, stand in place of the outputs.
    pub fn new(
        local: &'l mut Local,
        times: Vec<f64>,
        differences: Differences,
        ends: [Vec<f64>; 2],
        size: f64,
        brakes: Vec<Brake>,
    ) -> Self {
        let (sizes, instants) = (local.sizes, times.len());
        let block = sizes.unknowns();
        // Template: (neighbour, column, row) of all derivatives of the rows of an instant.
        let mut numbers: BTreeMap<(isize, usize, usize), usize> = BTreeMap::new();
        let mut number = |key| {
            let next = numbers.len();
            *numbers.entry(key).or_insert(next)
        };
        let slots: Vec<Vec<usize>> = local
            .entries
            .iter()
            .map(|entry| match entry.by {
                By::Unknown => vec![number((0, entry.column, entry.row))],
                By::Rate | By::Acceleration => {
                    let neighbours = differences.weights.iter();
                    neighbours.map(|(offset, ..)| number((*offset, entry.column, entry.row))).collect()
                }
            })
            .collect();
        let mut part_slots = Vec::with_capacity(local.parts.len());
        for part in &local.parts {
            let pairs = part.rows.iter().flat_map(|row| part.columns.iter().map(move |column| (*row, *column)));
            part_slots.push(pairs.map(|(row, column)| number((0, column, row))).collect::<Vec<_>>());
        }
        let brake_slots = brakes.iter().map(|brake| number((0, brake.column, brake.row))).collect();
        let template = numbers.len();
        let mut builder = PatternBuilder::new(instants * block, instants * block);
        let neighbour = |k: usize, offset: isize| k.checked_add_signed(offset).filter(|other| *other < instants);
        for k in 0..instants {
            let mut column: Option<(usize, Vec<usize>)> = None;
            for (offset, col, row) in numbers.keys() {
                let Some(other) = neighbour(k, *offset) else { continue };
                let (col, row) = (other * block + col, k * block + row);
                match &mut column {
                    Some((known, rows)) if *known == col => rows.push(row),
                    _ => {
                        if let Some((known, rows)) = column.replace((col, vec![row])) {
                            let added = builder.add(&rows, &[known]);
                            debug_assert!(added.is_ok());
                        }
                    }
                }
            }
            if let Some((known, rows)) = column {
                let added = builder.add(&rows, &[known]);
                debug_assert!(added.is_ok());
            }
        }
        let (pattern, _) = builder.build();
        let mut places = vec![NONE; instants * template];
        for k in 0..instants {
            for ((offset, col, row), slot) in &numbers {
                let Some(other) = neighbour(k, *offset) else { continue };
                let range = pattern.column(other * block + col);
                let rows = &pattern.row_idx()[range.clone()];
                if let Ok(found) = rows.binary_search(&(k * block + row)) {
                    places[k * template + slot] = range.start + found;
                }
            }
        }
        let scale = |column: usize| if column < sizes.coordinates { size } else { 1.0 };
        Self {
            scales: (0..block).map(scale).collect(),
            memory: vec![Memory::default(); instants],
            v: vec![0.0; sizes.coordinates],
            a: vec![0.0; sizes.coordinates],
            parameter: 1.0,
            local,
            times,
            differences,
            ends,
            pattern,
            places,
            template,
            slots,
            part_slots,
            brakes,
            brake_slots,
        }
    }

    fn block(&self) -> usize {
        self.local.sizes.unknowns()
    }

    fn first_output(&self) -> usize {
        self.local.sizes.coordinates + self.local.sizes.multipliers
    }

    /// Velocities and accelerations at an instant.
    pub fn rates(&mut self, x: &[f64], k: usize) -> (&[f64], &[f64]) {
        let (block, instants, n) = (self.block(), self.times.len(), self.local.sizes.coordinates);
        let (by_rate, by_acceleration) = (self.parameter.sqrt(), self.parameter);
        self.v.fill(0.0);
        self.a.fill(0.0);
        for (offset, rate, acceleration) in &self.differences.weights {
            let q = match k.checked_add_signed(*offset) {
                None => &self.ends[0][..],
                Some(other) if other < instants => &x[other * block..other * block + n],
                Some(_) => &self.ends[1][..],
            };
            for ((v, a), q) in self.v.iter_mut().zip(&mut self.a).zip(q) {
                *v += by_rate * rate * q;
                *a += by_acceleration * acceleration * q;
            }
        }
        (&self.v, &self.a)
    }

    /// Forgets the stresses of earlier points.
    pub fn forget(&mut self) {
        self.memory.iter_mut().for_each(|memory| *memory = Memory::default());
    }

    fn failed(&self, k: usize, failure: EvalFailure) -> EvalFailure {
        EvalFailure { place: format!("{} at t = {:.6} s", failure.place, self.times[k]), ..failure }
    }

    fn name(&self, names: &[String], number: usize) -> String {
        let block = self.block();
        format!("{} at t = {:.6} s", names[number % block], self.times[number / block])
    }
}

impl SquareSystem for Horizon<'_> {
    fn size(&self) -> usize {
        self.times.len() * self.block()
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let block = self.block();
        for k in 0..self.times.len() {
            self.rates(x, k);
            let state = State { t: self.times[k], v: &self.v, a: &self.a, x: &x[k * block..(k + 1) * block] };
            let done = self.local.residual(state, &mut out[k * block..(k + 1) * block]);
            done.map_err(|failure| self.failed(k, failure))?;
            if !self.brakes.is_empty() {
                out[k * block + self.first_output()..(k + 1) * block].fill(0.0);
            }
            for brake in &self.brakes {
                out[k * block + brake.row] += brake.share * (x[k * block + brake.column] - brake.place);
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let block = self.block();
        let (by_rate, by_acceleration) = (self.parameter.sqrt(), self.parameter);
        values.fill(0.0);
        for k in 0..self.times.len() {
            self.rates(x, k);
            let state = State { t: self.times[k], v: &self.v, a: &self.a, x: &x[k * block..(k + 1) * block] };
            let done = self.local.linearise(state, &mut self.memory[k]);
            done.map_err(|failure| self.failed(k, failure))?;
            let places = &self.places[k * self.template..(k + 1) * self.template];
            for (brake, slot) in self.brakes.iter().zip(&self.brake_slots) {
                values[places[*slot]] += brake.share;
            }
            let rows = if self.brakes.is_empty() { block } else { self.first_output() };
            let entries = self.local.entries.iter().zip(&self.slots);
            for (entry, slots) in entries.filter(|(entry, _)| entry.row < rows) {
                let value = self.local.value(entry);
                for (slot, (_, rate, acceleration)) in slots.iter().zip(&self.differences.weights) {
                    let weight = match entry.by {
                        By::Unknown => 1.0,
                        By::Rate => by_rate * rate,
                        By::Acceleration => by_acceleration * acceleration,
                    };
                    if places[*slot] != NONE {
                        values[places[*slot]] += weight * value;
                    }
                }
            }
            for (product, slots) in self.local.condensed.iter().zip(&self.part_slots) {
                let columns = product.ncols().max(1);
                for (place, slot) in slots.iter().enumerate() {
                    values[places[*slot]] += product[(place / columns, place % columns)];
                }
            }
        }
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        self.name(&self.local.row_names, row)
    }

    fn unknown_name(&self, col: usize) -> String {
        self.name(&self.local.unknown_names, col)
    }

    fn unknown_scale(&self, col: usize) -> f64 {
        self.scales[col % self.block()]
    }
}

impl ParametricSystem for Horizon<'_> {
    fn set_parameter(&mut self, parameter: f64) {
        self.parameter = parameter;
        self.forget();
    }
}
