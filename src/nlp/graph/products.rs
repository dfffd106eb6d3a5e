//! Sums of products over one array of numbers: the form in which derivatives are executed.

/// The slot that always holds 1.
pub(super) const ONE: u32 = 0;
/// The slot that always holds −1.
pub(super) const MINUS_ONE: u32 = 1;
/// The slot that always holds 2.
pub(super) const TWO: u32 = 2;
/// The slot for numbers nobody reads.
pub(super) const SINK: u32 = 3;

/// The numbers that products refer to, and which of them never change.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    pub(super) v: Vec<f64>,
    steady: Vec<bool>,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self { v: vec![1.0, -1.0, 2.0, 0.0], steady: vec![true, true, true, false] }
    }

    /// A new slot whose number changes from evaluation to evaluation.
    pub(super) fn changing(&mut self) -> u32 {
        self.push(0.0, false)
    }

    /// A slot that always holds `value`.
    pub(super) fn steady(&mut self, value: f64) -> u32 {
        match value {
            1.0 => ONE,
            -1.0 => MINUS_ONE,
            2.0 => TWO,
            _ => self.push(value, true),
        }
    }

    pub(super) fn is_steady(&self, slot: u32) -> bool {
        self.steady[slot as usize]
    }

    /// Ends the symbolic work: only the numbers are kept.
    pub(super) fn into_numbers(self) -> Vec<f64> {
        self.v
    }

    fn push(&mut self, value: f64, steady: bool) -> u32 {
        self.v.push(value);
        self.steady.push(steady);
        self.v.len() as u32 - 1
    }
}

/// The list v[dst] = Σ v[left] v[right], executed from front to back.
#[derive(Debug, Clone, Default)]
pub(super) struct Products {
    dst: Vec<u32>,
    ends: Vec<u32>,
    factors: Vec<(u32, u32)>,
}

impl Products {
    /// The slot of a sum of products, found without an instruction where possible: a product with 1 is the other
    /// factor, and sums of steady numbers are steady.
    pub(super) fn add(&mut self, terms: impl Iterator<Item = (u32, u32)>, slots: &mut Slots) -> u32 {
        let start = self.factors.len();
        self.factors.extend(terms);
        let terms = &self.factors[start..];
        let found = match *terms {
            [(ONE, slot)] | [(slot, ONE)] => Some(slot),
            _ if terms.iter().all(|&(left, right)| slots.is_steady(left) && slots.is_steady(right)) => {
                let value = sum(terms, &slots.v);
                Some(slots.steady(value))
            }
            _ => None,
        };
        if let Some(slot) = found {
            self.factors.truncate(start);
            return slot;
        }
        let slot = slots.changing();
        self.dst.push(slot);
        self.ends.push(self.factors.len() as u32);
        slot
    }

    /// Executes the list.
    pub(super) fn run(&self, v: &mut [f64]) {
        let mut start = 0;
        for (&dst, &end) in self.dst.iter().zip(&self.ends) {
            let value = sum(&self.factors[start..end as usize], v);
            v[dst as usize] = value;
            start = end as usize;
        }
    }

    /// Number of multiplications.
    pub(super) fn len(&self) -> usize {
        self.factors.len()
    }
}

#[inline]
fn sum(terms: &[(u32, u32)], v: &[f64]) -> f64 {
    terms.iter().map(|&(left, right)| v[left as usize] * v[right as usize]).sum()
}

/// Terms waiting for the node they belong to, as linked lists; each term carries a key that tells sums apart.
#[derive(Debug)]
pub(super) struct Buckets {
    head: Vec<u32>,
    terms: Vec<Term>,
    next: Vec<u32>,
    free: u32,
}

/// One product of a sum that is named by its key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) key: u32,
    pub(super) left: u32,
    pub(super) right: u32,
}

const END: u32 = u32::MAX;

impl Buckets {
    pub(super) fn new(nodes: usize) -> Self {
        Self { head: vec![END; nodes], terms: Vec::new(), next: Vec::new(), free: END }
    }

    pub(super) fn push(&mut self, node: u32, term: Term) {
        let head = &mut self.head[node as usize];
        if self.free == END {
            self.terms.push(term);
            self.next.push(*head);
            *head = self.terms.len() as u32 - 1;
        } else {
            let place = self.free;
            self.free = self.next[place as usize];
            self.terms[place as usize] = term;
            self.next[place as usize] = *head;
            *head = place;
        }
    }

    /// Moves the terms of a node to `out`, those with equal keys side by side.
    pub(super) fn take(&mut self, node: u32, out: &mut Vec<Term>) {
        out.clear();
        let mut place = std::mem::replace(&mut self.head[node as usize], END);
        while place != END {
            out.push(self.terms[place as usize]);
            let next = std::mem::replace(&mut self.next[place as usize], self.free);
            self.free = place;
            place = next;
        }
        out.sort_unstable_by_key(|term| (term.key, term.left, term.right));
    }
}

/// Forms the sums of terms with equal keys and hands each key and slot to `visit`.
pub(super) fn sums(terms: &[Term], products: &mut Products, slots: &mut Slots, mut visit: impl FnMut(u32, u32)) {
    for group in terms.chunk_by(|one, other| one.key == other.key) {
        let slot = products.add(group.iter().map(|term| (term.left, term.right)), slots);
        visit(group[0].key, slot);
    }
}
