//! What does not go together in optimal control.

use super::super::Check;
use crate::kernel::suggest::nearest;

/// Tables of mechanisms made of parts.
const PARTS: [&str; 8] = ["rod", "body", "joint", "spring", "actuator", "servo", "load", "support"];

impl Check<'_> {
    /// A system by its Lagrangian is whole: parts and gravity do not go with it.
    pub(in crate::problem::build) fn refuse_mixtures(&mut self) {
        let task = self.task_name();
        if self.spec.system.is_none() {
            return;
        }
        let servo = task == Some("inverse-dynamics");
        if self.spec.gravity.is_some() {
            let message = "`gravity` has no meaning beside [system], expected it in its Lagrangian";
            self.error(&["gravity"], message, "not used").help("for example - m*g*y, with g in [let]");
        }
        if self.spec.current.is_some() {
            let message = "[current] has no meaning beside [system], expected its forces in `forces`";
            self.error(&["current"], message, "not used").help("for example -0.5*(x_dot - 1.0)");
        }
        let document = self.document;
        for table in PARTS.into_iter().filter(|table| !(servo && *table == "servo")) {
            let parts = document.get(&[table]).and_then(|node| node.as_table());
            for (name, _) in parts.into_iter().flat_map(|parts| parts.iter()) {
                let message = format!("[{table}.{name}] stands beside [system], expected one or the other");
                self.error(&[table, name], message, "not part of the system")
                    .help("a system by its Lagrangian has all its energies in `lagrangian` and its forces in `forces`");
            }
        }
    }

    /// The place of a name in a list; an error if it is not there.
    pub(in crate::problem::build) fn known_name(
        &mut self,
        path: &[&str],
        name: &str,
        known: &[String],
        what: &str,
    ) -> Option<usize> {
        let place = known.iter().position(|other| other == name);
        if place.is_none() {
            let help = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", super::super::list(known)),
            };
            let table = self.document.path_text(&path[..path.len() - 1]);
            let message = format!("`{name}` in `{table}` is not a {what} of the system");
            self.found.error_at_key(self.document, path, message, format!("not a {what}")).help(help);
        }
        place
    }
}
