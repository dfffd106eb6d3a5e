//! Saddle point matrices to try solvers on: [[H, Jᵀ], [J, −D]], as triplets of the lower triangle.

/// Numbers that look random but are the same in every run (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// Uniform in [−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform below `bound`.
    pub fn index(&mut self, bound: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * bound as f64) as usize % bound.max(1)
    }
}

/// A saddle point matrix.
pub struct Saddle {
    /// Number of primal unknowns; they come first.
    pub primal: usize,
    /// Number of multipliers.
    pub dual: usize,
    /// Entries (row, column, value) with row ≥ column; several at one place add up.
    pub entries: Vec<(usize, usize, f64)>,
}

impl Saddle {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.primal + self.dual
    }

    /// +`size` on primal, −`size` on dual unknowns.
    pub fn shift(&self, size: f64) -> Vec<f64> {
        (0..self.size()).map(|index| if index < self.primal { size } else { -size }).collect()
    }

    fn empty(primal: usize, dual: usize) -> Self {
        let entries = (0..primal + dual).map(|index| (index, index, 0.0)).collect();
        Self { primal, dual, entries }
    }

    /// Random convex H = Σ v vᵀ + diagonal in (0, 1), and J of full rank with three entries or more in each row.
    pub fn random(primal: usize, dual: usize, numbers: &mut Numbers) -> Self {
        let mut saddle = Self::empty(primal, dual);
        for column in 0..primal {
            saddle.entries.push((column, column, 0.5 + 0.4 * numbers.next()));
            let (other, a, b) = (numbers.index(primal), numbers.next(), numbers.next());
            if other != column {
                saddle.entries.push((column, column, a * a));
                saddle.entries.push((other, other, b * b));
                saddle.entries.push((column.max(other), column.min(other), a * b));
            }
        }
        for row in 0..dual {
            saddle.entries.push((primal + row, row % primal, 3.0));
            for _ in 0..3 {
                saddle.entries.push((primal + row, numbers.index(primal), numbers.next()));
            }
        }
        saddle
    }

    /// A control problem transcribed by the trapezoidal rule with free end time T, end states fixed:
    /// x⁺ − x − h/2 (f(x, u, T) + f(x⁺, u⁺, T)) = 0 over `intervals`, f linear with random coefficients of its own at
    /// every node.
    ///
    /// Curvature is in the controls and in the first state only. The rows and columns of the fixed end states are those
    /// of the identity; their couplings stay in the pattern as zeros. Unknowns: x₀, u₀, x₁, u₁, …, T, multipliers.
    pub fn control(states: usize, controls: usize, intervals: usize, numbers: &mut Numbers) -> Self {
        let width = states + controls;
        let end_time = (intervals + 1) * width;
        let mut saddle = Self::empty(end_time + 1, intervals * states);
        let half_step = 0.5 / intervals as f64;
        let fixed =
            |unknown: usize| unknown < states || (intervals * width..intervals * width + states).contains(&unknown);
        for node in 0..=intervals {
            let first = node * width;
            let touching = [node.checked_sub(1).map(|interval| (interval, 1.0)), Some((node, -1.0))];
            let touching = touching.into_iter().flatten().filter(|(interval, _)| *interval < intervals);
            for (interval, sign) in touching.clone() {
                let multiplier = end_time + 1 + interval * states;
                (0..states).for_each(|state| saddle.couple(multiplier + state, first + state, sign, &fixed));
            }
            for row in 0..states {
                for column in 0..width {
                    let slope = if column < states { 1.5 } else { 3.0 } * numbers.next();
                    for (interval, _) in touching.clone() {
                        let multiplier = end_time + 1 + interval * states + row;
                        saddle.couple(multiplier, first + column, -half_step * slope, &fixed);
                    }
                }
                let speed = numbers.next();
                for (interval, _) in touching.clone() {
                    let multiplier = end_time + 1 + interval * states + row;
                    saddle.couple(multiplier, end_time, -half_step * speed, &fixed);
                }
            }
            for index in 0..width {
                for other in 0..=index {
                    saddle.couple(first + index, first + other, 0.0, &fixed);
                }
                saddle.couple(end_time, first + index, 0.0, &fixed);
            }
            (0..controls).for_each(|control| {
                saddle.couple(first + states + control, first + states + control, 2.0 * half_step, &fixed);
            });
            saddle.couple(first, first, 2.0 * half_step, &fixed);
        }
        (0..saddle.primal)
            .filter(|&unknown| fixed(unknown))
            .for_each(|unknown| saddle.entries.push((unknown, unknown, 1.0)));
        saddle
    }

    fn couple(&mut self, row: usize, column: usize, value: f64, fixed: &dyn Fn(usize) -> bool) {
        self.entries.push((row, column, if fixed(row) || fixed(column) { 0.0 } else { value }));
    }
}
