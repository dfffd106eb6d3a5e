//! No rings: inside a layer, what is in one folder or file may import another only if that does not import it back, over any number
//! of steps.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{LAYERS, module, rust_files, test_modules, text, tokens, without_tests};

/// Two that know each other for a reason: a document makes diagnostics, which point into it; points of nodes are those of frames
/// attached to them.
const PAIRS: [(&str, [&str; 2]); 2] = [("problem", ["document", "diagnostic"]), ("terms", ["nodes", "attachment"])];

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The members of a layer that a source of one of them names.
fn members(code: &[String], layer: &str, depth: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut i = 0;
    while i < code.len() {
        let start = match code[i].as_str() {
            "crate" if code.get(i + 2).is_some_and(|name| name == layer) => Some(i + 3),
            "super" => {
                let climbed = code[i..].chunks(2).take_while(|pair| pair[0] == "super").count();
                i += 2 * (climbed - 1);
                (climbed == depth).then_some(i + 1)
            }
            _ => None,
        };
        if let Some(at) = start.filter(|at| code.get(*at).is_some_and(|sign| sign == "::")) {
            super::heads(code, at + 1, &mut found);
        }
        i += 1;
    }
    found
}

fn graph(layer: &str) -> Graph {
    let files = rust_files("src");
    let tests = test_modules(&files);
    let only_tests = |path: &Path| tests.iter().any(|test| module(path).starts_with(test));
    let own: Vec<_> = files.iter().filter(|path| module(path).first().is_some_and(|name| name == layer)).collect();
    let folders: BTreeSet<String> = own.iter().filter_map(|path| module(path).get(1).cloned()).collect();
    let mut graph = Graph::new();
    for path in own.into_iter().filter(|path| !only_tests(path)) {
        let names = module(path);
        let Some(me) = names.get(1) else { continue };
        let (code, _) = without_tests(&tokens(&text(path)));
        let others =
            members(&code, layer, names.len() - 1).into_iter().filter(|name| name != me && folders.contains(name));
        graph.entry(me.clone()).or_default().extend(others);
    }
    graph
}

/// A ring in a graph, if there is one.
fn ring(graph: &Graph) -> Option<Vec<String>> {
    fn walk(graph: &Graph, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        let here = path.last()?.clone();
        for next in graph.get(&here).into_iter().flatten() {
            if let Some(start) = path.iter().position(|before| before == next) {
                return Some(path[start..].to_vec());
            }
            if !done.contains(next) {
                path.push(next.clone());
                if let Some(found) = walk(graph, path, done) {
                    return Some(found);
                }
                path.pop();
            }
        }
        done.insert(here);
        None
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|start| walk(graph, &mut vec![start.clone()], &mut done))
}

#[test]
fn there_are_no_rings_inside_layers() {
    let mut wrong = Vec::new();
    for (layer, _) in LAYERS {
        let mut graph = graph(layer);
        for (_, [a, b]) in PAIRS.iter().filter(|(of, _)| *of == layer) {
            let known = graph.get_mut(*a).is_some_and(|others| others.remove(*b));
            assert!(
                known && graph[*b].contains(*a),
                "{a} and {b} do not know each other any more: take them off the list"
            );
        }
        wrong.extend(ring(&graph).map(|found| format!("{layer}: {} and back", found.join(" → "))));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn rings_are_found() {
    let of = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (a, b) in edges {
            graph.entry((*a).to_owned()).or_default().insert((*b).to_owned());
        }
        ring(&graph)
    };
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("a", "c")]), None);
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "b")]), Some(vec!["b".to_owned(), "c".to_owned()]));
    let code = tokens("use crate::tasks::modes::X; use super::super::{statics, verify::Y}; use super::own;");
    let found: Vec<String> = members(&code, "tasks", 2).into_iter().collect();
    assert_eq!(found, ["modes", "statics", "verify"]);
}
