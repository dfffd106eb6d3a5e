//! `problem` reads and checks. It makes no expressions of the unknowns and solves nothing: costs, guesses and equations are made
//! below it, so that whoever builds a problem in Rust has them too.

use super::{rust_files, text, tokens, without_tests};

/// Members of the point at which expressions of a system are evaluated, which only formulas use.
const POINT: [&str; 4] = ["q", "v", "u", "graph"];
/// Methods and types of linear algebra and of solvers.
const NUMERICS: [&str; 8] = ["DMatrix", "DVector", "try_inverse", "lu", "cholesky", "svd", "symmetric_eigen", "newton"];

/// What of a source computes.
fn computes(source: &str) -> Option<String> {
    let (code, _) = without_tests(&tokens(source));
    let member = code.windows(3).find(|w| w[0] == "at" && w[1] == "." && POINT.contains(&w[2].as_str()));
    let word = code.iter().find(|token| NUMERICS.contains(&token.as_str()));
    member.map(|w| w.concat()).or(word.cloned())
}

#[test]
fn reading_does_not_compute() {
    let wrong: Vec<String> = rust_files("src/problem")
        .iter()
        .filter_map(|path| computes(&text(path)).map(|what| format!("{}: `{what}`", path.display())))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_computes_is_found() {
    assert_eq!(computes("let f = Arc::new(move |at| at.q[i] * 2.0);"), Some("at.q".to_owned()));
    assert_eq!(computes("let x = m.try_inverse();"), Some("try_inverse".to_owned()));
    assert_eq!(computes("// at.q\nlet place = scene.at.quick;"), None);
}
