//! "Did you mean …?" for misspelt names.

/// The candidate nearest to `found`, if it is near enough to be a plausible misspelling.
///
/// Distance is Damerau-Levenshtein without regard to case; `-` and `_` count as equal.
///
/// ```
/// use lariat::kernel::suggest::nearest;
/// assert_eq!(nearest("stifness", ["stiffness", "inertia"]), Some("stiffness"));
/// assert_eq!(nearest("colour", ["stiffness", "inertia"]), None);
/// ```
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |s: &str| s.to_lowercase().replace('-', "_");
    let key = fold(found);
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(&key, &fold(c)), c))
        .filter(|(d, c)| *d <= 1 + c.len().min(key.len()) / 4 && *d < key.len().max(1))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}
