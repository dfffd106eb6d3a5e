//! Linear systems with their work counted: band LU with row exchanges, an ordering for it, dense Cholesky.

use crate::rod::Entry;

/// Where unknowns go that come in groups, each with so many unknowns per segment: segment by segment, in the order
/// within segments that has the least bandwidth. Found by trying all, given up where one is no better than the best.
pub fn reordering(groups: &[usize], segments: usize, entries: &[Entry]) -> Vec<usize> {
    let kinds: usize = groups.iter().sum();
    let mut kind_and_segment = Vec::new();
    let mut first = 0;
    for &count in groups {
        for segment in 0..segments {
            kind_and_segment.extend((0..count).map(|kind| (first + kind, segment)));
        }
        first += count;
    }
    // Kinds that meet, with the distance of their segments.
    let meet = |&(r, c, _): &Entry| {
        let ((a, from), (b, to)) = (kind_and_segment[r], kind_and_segment[c]);
        (to >= from).then(|| (a, b, (to - from) * kinds))
    };
    let mut couplings: Vec<_> = entries.iter().filter_map(meet).collect();
    couplings.sort_unstable();
    couplings.dedup();
    let mut search = Search { couplings, order: vec![usize::MAX; kinds], best: Vec::new(), width: usize::MAX };
    search.place(0);
    kind_and_segment.iter().map(|(kind, segment)| kinds * segment + search.best[*kind]).collect()
}

struct Search {
    couplings: Vec<(usize, usize, usize)>,
    order: Vec<usize>,
    best: Vec<usize>,
    width: usize,
}

impl Search {
    /// Tries all places for this kind of unknown and those after it.
    fn place(&mut self, kind: usize) {
        let kinds = self.order.len();
        for place in 0..kinds {
            if self.order[..kind].contains(&place) {
                continue;
            }
            self.order[kind] = place;
            let placed = self.couplings.iter().filter(|(a, b, _)| *a <= kind && *b <= kind);
            let width = placed.map(|(a, b, far)| (far + self.order[*b]).abs_diff(self.order[*a])).max().unwrap_or(0);
            if width >= self.width {
                continue;
            }
            if kind + 1 < kinds {
                self.place(kind + 1);
            } else {
                (self.width, self.best) = (width, self.order.clone());
            }
        }
    }
}

/// Largest distance of an entry from the diagonal.
pub fn bandwidth(entries: &[Entry], place: &[usize]) -> usize {
    entries.iter().map(|&(r, c, _)| place[r].abs_diff(place[c])).max().unwrap_or(0)
}

/// A band matrix that is factorised and solved in place.
pub struct Band {
    size: usize,
    /// Entries below the diagonal; above it up to twice as many after row exchanges.
    width: usize,
    rows: Vec<f64>,
    place: Vec<usize>,
    /// Multiplications so far.
    pub work: u64,
}

impl Band {
    /// For matrices with these entries, of unknowns that come in groups as for [`reordering`].
    pub fn new(groups: &[usize], segments: usize, entries: &[Entry]) -> Self {
        let place = reordering(groups, segments, entries);
        let size = place.len();
        let width = bandwidth(entries, &place);
        Self { size, width, rows: vec![0.0; size * (3 * width + 1)], place, work: 0 }
    }

    /// Half bandwidth.
    pub fn width(&self) -> usize {
        self.width
    }

    fn at(&self, row: usize, col: usize) -> usize {
        row * (3 * self.width + 1) + col + self.width - row
    }

    /// Solves A x = b; false if A is singular.
    pub fn solve(&mut self, entries: &[Entry], b: &mut [f64]) -> bool {
        self.rows.fill(0.0);
        for &(r, c, value) in entries {
            let at = self.at(self.place[r], self.place[c]);
            self.rows[at] += value;
        }
        let mut x = vec![0.0; self.size];
        for (value, &place) in b.iter().zip(&self.place) {
            x[place] = *value;
        }
        for k in 0..self.size {
            let last = (k + self.width).min(self.size - 1);
            let right = (k + 2 * self.width).min(self.size - 1);
            let pivot = (k..=last).fold(k, |best, row| {
                if self.rows[self.at(row, k)].abs() > self.rows[self.at(best, k)].abs() { row } else { best }
            });
            if pivot != k {
                for col in k..=right {
                    let (a, b) = (self.at(k, col), self.at(pivot, col));
                    self.rows.swap(a, b);
                }
                x.swap(k, pivot);
            }
            let diagonal = self.rows[self.at(k, k)];
            if diagonal == 0.0 {
                return false;
            }
            for row in k + 1..=last {
                let from = self.at(row, k);
                let factor = self.rows[from] / diagonal;
                if factor == 0.0 {
                    continue;
                }
                for col in k + 1..=right {
                    let (to, above) = (self.at(row, col), self.at(k, col));
                    self.rows[to] -= factor * self.rows[above];
                }
                x[row] -= factor * x[k];
                self.work += (right - k + 2) as u64;
            }
        }
        for k in (0..self.size).rev() {
            let right = (k + 2 * self.width).min(self.size - 1);
            let sum: f64 = (k + 1..=right).map(|col| self.rows[self.at(k, col)] * x[col]).sum();
            x[k] = (x[k] - sum) / self.rows[self.at(k, k)];
            self.work += (right - k + 1) as u64;
        }
        for (value, &place) in b.iter_mut().zip(&self.place) {
            *value = x[place];
        }
        true
    }
}

/// Solves A x = b by Cholesky's method, A positive definite, row by row; false if it is not. Its work is added up.
pub fn cholesky(a: &mut [f64], b: &mut [f64], work: &mut u64) -> bool {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            *work += j as u64 + 1;
            let value = a[i * n + j] - sum;
            if i > j {
                a[i * n + j] = value / a[j * n + j];
            } else if value > 0.0 {
                a[i * n + i] = value.sqrt();
            } else {
                return false;
            }
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    *work += (n * (n + 1)) as u64;
    true
}
