//! Texts on which something once did not hold, and all of our own test files.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;
#[path = "common/properties.rs"]
mod properties;

use std::path::Path;

#[test]
fn what_must_hold_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["lint/tests/golden", "starlark/tests/golden"];
    for path in folders
        .iter()
        .flat_map(|it| common::files_below(&root.join(it)))
    {
        let name = path.file_name().expect("a name").to_string_lossy();
        let path_of = |end: &str| {
            if end == "BUILD" {
                "BUILD".to_owned()
            } else {
                format!("x.{end}")
            }
        };
        let end = name
            .split_once(".in.")
            .or(name.split_once('.'))
            .map_or("", |(_, end)| end);
        properties::hold(&path_of(end), &common::read(&path));
    }
}
