//! Tests which functions count as deprecated. Each case was compared with buildifier.

use std::collections::BTreeSet;

use fixpoint_lint::{deprecated_functions, loaded_labels};
use fixpoint_starlark::parse_nodes;

fn is_deprecated(docstring: &str) -> bool {
    let text = format!("def f(name):\n    {docstring}\n    pass\n");
    deprecated_functions(&text) == BTreeSet::from(["f".to_owned()])
}

#[test]
fn the_section_header_is_on_its_own_line_below_the_quotes() {
    for docstring in [
        "\"\"\"A.\n\n    Deprecated:\n      x\n    \"\"\"",
        "\"\"\"A.\n    Deprecated:  \n    \"\"\"",
        "\"\"\"\n    Deprecated:\n    x\"\"\"",
        "\'\'\'A.\n\n    Args:\n      name: x\n    Deprecated:\'\'\'",
        "r\"\"\"A.\n\n    Deprecated:\n    \"\"\"",
        "\"\"\"A.\\n\\n    Deprecated:\\n    x\"\"\"",
        "# c\n    \"\"\"A.\n\n    Deprecated:\n    \"\"\"",
    ] {
        assert!(is_deprecated(docstring), "{docstring}");
    }
    for docstring in [
        "\"\"\"A.\n\n    Deprecated: x\n    \"\"\"",
        "\"\"\"Deprecated:\n    x\n    \"\"\"",
        "\"\"\"A.\n\n      Deprecated:\n      x\n    \"\"\"",
        "\"\"\"A.\n\nDeprecated:\n    \"\"\"",
        "\"\"\"A.\n\n    Args:\n      Deprecated:\n        x\n    \"\"\"",
        "\"\"\"A.\n\n    DEPRECATED:\n    \"\"\"",
        "\"A.\\n\\nDeprecated:\\n x\"",
        "(\"\"\"A.\n\n    Deprecated:\n    \"\"\")",
        "pass\n    \"\"\"A.\n\n    Deprecated:\n    \"\"\"",
    ] {
        assert!(!is_deprecated(docstring), "{docstring}");
    }
}

#[test]
fn only_functions_at_the_top_of_a_file_that_parses_count() {
    let doc = "\"\"\"A.\n\n        Deprecated:\n        \"\"\"";
    let nested = format!("if x:\n    def f():\n        {doc}\n");
    assert_eq!(deprecated_functions(&nested), BTreeSet::new());
    let broken = "def f():\n    \"\"\"A.\n\n    Deprecated:\n    \"\"\"\nx = = 1\n";
    assert_eq!(deprecated_functions(broken), BTreeSet::new());
}

#[test]
fn labels_are_those_of_the_loads_at_the_top() {
    let text = "load(\":a.bzl\", \"x\")\nload('//p:b.bzl', \"y\")\nload(\":a.bzl\", \"z\")\nif x:\n    load(\":c.bzl\", \"w\")\n";
    let labels = loaded_labels(&parse_nodes(text));
    assert_eq!(
        labels.into_iter().collect::<Vec<_>>(),
        ["//p:b.bzl", ":a.bzl"]
    );
}
