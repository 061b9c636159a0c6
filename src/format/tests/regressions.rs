//! Texts that fuzzing found: the properties of any text hold for each of them.
#![allow(clippy::unwrap_used)]

#[path = "common/properties.rs"]
mod properties;

use fixpoint_engine::Config;

const TEXTS: [(&str, &str); 7] = [
    ("a.yaml", "? explicit\n? |\n  block"),
    ("a.yaml", ":\n : fixpoint: : : e\n :"),
    ("a.yaml", "--- |\n--- \nkind: x"),
    ("a.yaml", "\u{feff}-# -- c] ---\n"),
    ("a.yaml", "\u{feff}? a # b\n: [ # c\n 1]\n"),
    ("a.md", "a\rb\n\n- c\r- d\n"),
    ("a.py", "a = [1, # fixpoint: off\n  2]\nb = 2\n"),
];

#[test]
fn properties_hold_for_texts_that_fuzzing_found() {
    for (path, text) in TEXTS {
        let canonical = properties::hold(path, text, &Config::default());
        assert!(canonical.is_some(), "{path}: {text}");
    }
}
