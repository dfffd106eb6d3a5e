//! Which entries of a problem file are mistaken, so that nothing is concluded from them.

/// Key paths, as text, of entries whose structure is wrong or that are missing.
///
/// A second message about such an entry would only tell a consequence of the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doubts {
    paths: Vec<String>,
}

impl Doubts {
    /// Adds an entry.
    pub fn add(&mut self, path: String) {
        self.paths.push(path);
    }

    /// Whether an entry, or a table it lies in, is mistaken.
    pub fn cover(&self, path: &str) -> bool {
        self.paths.iter().any(|doubtful| lies_in(path, doubtful))
    }

    /// Whether an entry, a table it lies in, or anything in it is mistaken.
    pub fn touch(&self, path: &str) -> bool {
        self.paths.iter().any(|doubtful| lies_in(path, doubtful) || lies_in(doubtful, path))
    }
}

/// Whether `inner` is `outer` or an entry in it: `gravity[1]` lies in `gravity`, `rod.beam.to` in `rod`.
fn lies_in(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_entries_are_told_apart() {
        let mut doubts = Doubts::default();
        doubts.add("rod.beam.to".into());
        assert!(doubts.cover("rod.beam.to") && doubts.cover("rod.beam.to[1]"));
        assert!(!doubts.cover("rod.beam") && doubts.touch("rod.beam") && doubts.touch("rod"));
        assert!(!doubts.touch("rod.beam.top") && !doubts.touch("rod.bea"));
    }
}
