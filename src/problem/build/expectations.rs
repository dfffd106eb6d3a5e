//! Known answers: do they name scalars of the result, and how near must these be?

use super::Check;
use crate::kernel::suggest::nearest;
use crate::tasks::KnownAnswer;

impl Check<'_> {
    /// The `[expect]` table; names are checked if those of the result are known.
    pub fn expectations(&mut self, names: Option<&[String]>) -> Vec<KnownAnswer> {
        let mut known = Vec::new();
        for (name, expect) in &self.spec.expect {
            let path = ["expect", name.as_str()];
            if let Some(names) = names.filter(|names| !names.contains(name)) {
                let help = match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("scalars here: {}", names.join(", ")),
                };
                let message = format!("`{name}` is not a scalar of this result");
                self.found.error_at_key(self.document, &path, message, "unknown scalar").help(help);
            }
            let mut allowed = 0.0_f64;
            for (key, given, scale) in [("rel", expect.rel, expect.value.abs()), ("abs", expect.abs, 1.0)] {
                if let Some(value) = given {
                    self.not_negative(&["expect", name, key], value);
                    allowed = allowed.max(value * scale);
                }
            }
            if expect.rel.is_none() && expect.abs.is_none() && self.sure(&path) {
                self.error(
                    &path,
                    format!("`{name}` has no tolerance, expected `rel` or `abs`"),
                    "how near must the value be?",
                )
                .help("for example rel = 1e-3");
            }
            known.push(KnownAnswer { name: name.clone(), value: expect.value, allowed, source: expect.source.clone() });
        }
        known
    }
}
