//! Any text as any kind of Starlark file: checks the properties of parsing, printing and fixing.

#![no_main]

#[path = "../../src/lint/tests/common/properties.rs"]
mod properties;

use libfuzzer_sys::fuzz_target;

/// The first byte chooses the kind of file.
const PATHS: [&str; 5] = ["BUILD", "defs.bzl", "MODULE.bazel", "WORKSPACE", "a.star"];

fuzz_target!(|data: &[u8]| {
    let Some((kind, text)) = data.split_first() else {
        return;
    };
    if let Ok(text) = std::str::from_utf8(text) {
        properties::hold(PATHS[usize::from(*kind) % PATHS.len()], text);
    }
});
