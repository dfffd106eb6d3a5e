//! What the variables and rows of phases are in words.

use super::super::names::Directory;
use crate::nlp::families::Names;

/// Names of all phases, and of the rows that link them.
pub(super) struct PhasedNames {
    /// Name, directory, first variable, first row and first family of each phase.
    pub phases: Vec<(String, Directory, [usize; 3])>,
    /// First row and first family of the links.
    pub links: [usize; 2],
    /// Names of the rows of the links.
    pub rows: Vec<String>,
    /// Names of the families of the links.
    pub families: Vec<String>,
}

impl PhasedNames {
    fn of(&self, which: usize, number: usize, word: impl Fn(&Directory, usize) -> String) -> String {
        let found = self.phases.iter().rev().find(|(.., firsts)| firsts[which] <= number);
        found.map_or(String::new(), |(name, directory, firsts)| {
            format!("{} in phase `{name}`", word(directory, number - firsts[which]))
        })
    }
}

impl Names for PhasedNames {
    fn variable(&self, variable: usize) -> String {
        self.of(0, variable, Directory::variable)
    }

    fn row(&self, row: usize) -> String {
        match row.checked_sub(self.links[0]) {
            Some(link) => self.rows.get(link).cloned().unwrap_or_default(),
            None => self.of(1, row, Directory::row),
        }
    }

    fn place(&self, family: usize, member: usize) -> String {
        match family.checked_sub(self.links[1]) {
            Some(link) => self.families.get(link).cloned().unwrap_or_default(),
            None => self.of(2, family, |directory, family| directory.place(family, member)),
        }
    }
}
