//! Texts that fuzzing found: the properties of any text hold for each of them.
#![allow(clippy::unwrap_used)]

#[path = "common/properties.rs"]
mod properties;

use fixpoint_engine::Config;

const TEXTS: [(&str, &str); 31] = [
    ("a.yaml", "? explicit\n? |\n  block"),
    ("a.yaml", ":\n : fixpoint: : : e\n :"),
    ("a.yaml", "--- |\n--- \nkind: x"),
    (
        "a.yaml",
        "a: # fixpoint: off\n   #: o fi s  # fixpointme:  \"x1\r\r\n  - 2\r\n  - |\r\n    y\r\n---\r?\n# secon\r#  ah  \n",
    ),
    ("a.yaml", "\u{feff}-# -- c] ---\n"),
    ("a.yaml", "\u{feff}? a # b\n: [ # c\n 1]\n"),
    ("a.yaml", "\u{feff}a:\n # fixpoint: off\n b:   1\n c: 2\n"),
    (
        "a.yaml",
        "\r[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "!!map [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "a: &b [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "\u{feff}[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "[']', [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "[a\"b, [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "[ # ]\n[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "a: 1\n...[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "... [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "\u{85}[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        " \u{b}[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "\n\u{a0}[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ),
    (
        "a.yaml",
        "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - [x",
    ),
    ("a.yaml", "- - ? - - ? - - - - [[[[[[[[[[[[[[[x"),
    ("a.md", "* a\n\u{b}-\n"),
    ("a.md", "<!-- a\r*b -->\n\n*  c\n"),
    ("a.md", "[^a\n_b_* ]\n===\n"),
    ("a.md", "a\rb\n\n- c\r- d\n"),
    ("a.md", "[^a\n-<q>]\n"),
    ("a.md", "[^a\n    - _b_]\n"),
    ("a.md", "\u{feff}\n\n  ```a\nx\n```\n\n<!-- b -->\n"),
    ("a.md", "![ ^]()\n"),
    ("a.md", "![$]  \n    <td>^$]()\n"),
    ("a.py", "a = [1, # fixpoint: off\n  2]\nb = 2\n"),
];

#[test]
fn properties_hold_for_texts_that_fuzzing_found() {
    for (path, text) in TEXTS {
        let canonical = properties::hold(path, text, &Config::default());
        assert!(canonical.is_some(), "{path}: {text}");
    }
}
