//! Sections from a file.

use std::sync::Arc;

use super::super::super::Check;
use super::Owner;
use super::shapes::stretch_only;
use crate::material::{Resists, Section, SectionTable, TableSpec};
use crate::mechanism::Along;

impl Check<'_> {
    /// The sections of a table beside the problem file, and the table.
    pub fn tabled_section(
        &mut self,
        owner: Owner<'_>,
        table: &TableSpec,
    ) -> Option<(Along<Section>, Arc<SectionTable>)> {
        let path = ["rod", owner.name, "table", "file"];
        if !self.sure(&path) {
            return None;
        }
        let text = self.attachment(&path, &table.file)?;
        // Stations are compared with the length of the rod.
        let length = *owner.places.last()?;
        let resists = match (owner.kind.is_limp(), owner.kind.is_unsheared(), owner.plane) {
            (true, ..) => Resists::Stretch,
            (_, true, true) => Resists::InPlaneUnsheared,
            (_, true, false) => Resists::InSpaceUnsheared,
            (_, _, true) => Resists::InPlane,
            (_, _, false) => Resists::InSpace,
        };
        let mut sections = match SectionTable::parse(&text, length, resists) {
            Ok(sections) => sections,
            Err(errors) => {
                for error in errors {
                    let message = format!("{}, {error}", table.file);
                    self.error(&path, message, format!("mistake in line {} of this file", error.line));
                }
                return None;
            }
        };
        for (column, factor) in &table.factors {
            let path = ["rod", owner.name, "table", "factors", column];
            if let Err(problem) = sections.scale(column, *factor) {
                let here = self.document.path_text(&path);
                self.error(&path, format!("`{here}`: {problem}"), "not a factor of this table");
                return None;
            }
        }
        let sections = Arc::new(sections);
        if owner.needs_mass && owner.kind.turns() && !owner.rigid {
            let rows: &[usize] = if owner.plane { &[1] } else { &[0, 1, 2] };
            let massless = |s: &f64| rows.iter().find(|row| sections.at(*s).inertia[(**row, **row)] <= 0.0);
            if let Some((s, row)) = sections.stations().find_map(|s| massless(&s).map(|row| (s, row))) {
                let message =
                    format!("{}, column `inertia_{}` is 0 at s = {s}, expected a positive number", table.file, row + 1);
                self.error(&path, message, "no rotary inertia")
                    .help("sections that turn need it in simulations and modes");
                return None;
            }
        }
        let indefinite = |s: &f64| {
            let inertia = sections.at(*s).inertia;
            inertia[(0, 1)].powi(2) > inertia[(0, 0)] * inertia[(1, 1)]
        };
        if let Some(s) = sections.stations().find(indefinite) {
            let message = format!(
                "{}, column `inertia_12` at s = {s} is too large, expected a square below `inertia_1` times `inertia_2`",
                table.file
            );
            self.error(&path, message, "no section has this inertia");
            return None;
        }
        let only_stretch = owner.kind.is_limp();
        let table = Arc::clone(&sections);
        let section: Along<Section> =
            Arc::new(move |s| if only_stretch { stretch_only(sections.at(s)) } else { sections.at(s) });
        Some((section, table))
    }

    /// The text of a file that the problem file refers to.
    pub fn attachment(&mut self, path: &[&str], name: &str) -> Option<String> {
        let content = match (self.read)(name) {
            Ok(content) => content,
            Err(error) => {
                let message = format!("cannot read {name}: {error}");
                self.error(path, message, "cannot be read").help("file names are relative to the problem file");
                return None;
            }
        };
        let Ok(text) = String::from_utf8(content.clone()) else {
            self.error(path, format!("{name} is not UTF-8 text"), "not a text file");
            return None;
        };
        let plain = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
        match self.attachments.iter().find(|(other, _)| plain(other) == plain(name)) {
            Some((other, _)) if other == name => {}
            Some((other, _)) => {
                let message = format!("{name} and {other} have the same name, but the folder of the result holds both");
                self.error(path, message, "rename one of them");
                return None;
            }
            None => self.attachments.push((name.to_owned(), content)),
        }
        Some(text)
    }
}
