//! Sizes that cannot fit into memory are refused at their key before anything is allocated.
#![allow(clippy::unwrap_used, clippy::panic)]

use lariat::problem::{gallery, load};

/// Keys of sizes in the gallery, by what a file must contain to have them.
fn keys(text: &str) -> Vec<String> {
    let value: toml::Table = text.parse().unwrap();
    let mut keys = Vec::new();
    for rod in value.get("rod").and_then(|rods| rods.as_table()).into_iter().flat_map(|rods| rods.keys()) {
        keys.push(format!("rod.{rod}.elements"));
    }
    let at = |path: &[&str]| {
        let mut here = value.get(path[0]);
        for key in &path[1..] {
            here = here.and_then(|table| table.get(key));
        }
        here.is_some()
    };
    let known: [&[&str]; 3] =
        [&["time", "steps"], &["task", "modes", "count"], &["task", "simulate", "multirate", "micro"]];
    keys.extend(known.iter().filter(|path| at(path)).map(|path| path.join(".")));
    keys
}

#[test]
fn sizes_beyond_memory_are_refused_at_their_key() {
    let mut tried = 0;
    for (name, text) in gallery() {
        for key in keys(text) {
            for size in ["1000000000000", "1000000000000000000"] {
                let found = load(name, text, &[format!("{key}={size}")]).err();
                let found = found.unwrap_or_else(|| panic!("{name}: {key} = {size} is taken"));
                let told =
                    found.list.iter().any(|one| one.message.contains(&key) && one.message.contains("GB of memory"));
                assert!(told, "{name}, {key}: {found}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}
