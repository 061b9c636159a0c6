//! Facts about the files that a file loads.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_starlark::{Kind, NodeRef, Parse, Shape, parse_nodes};

use crate::rules::docstring;

/// The deprecated functions of loaded files, by the label that loads them.
pub type Deprecated = BTreeMap<String, BTreeSet<String>>;

/// The header of the docstring section that says what to use instead.
const SECTION: &str = "Deprecated:";

/// The labels in the load statements of a file, without duplicates.
pub fn loaded_labels(parse: &Parse<'_>) -> BTreeSet<String> {
    let loads = parse.tree.statements();
    let loads = loads.iter().filter(|it| it.kind() == Kind::Load);
    let labels = loads.filter_map(|it| match it.shape() {
        Shape::Load(load) => String::from_utf8(load.module.string()?.into_owned()).ok(),
        _ => None,
    });
    labels.collect()
}

/// Labels that the loads of a text may name: all that they do name, and perhaps more. Most texts are only
/// searched for the word `load`, and are not parsed.
pub fn possible_labels(text: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    for (at, word) in text.match_indices("load") {
        let call = text[at + word.len()..].trim_start();
        let Some(argument) = call.strip_prefix('(').map(str::trim_start) else {
            continue;
        };
        let label = argument.strip_prefix('"').and_then(|rest| {
            let (label, _) = rest.split_once('"')?;
            (!label.is_empty() && !label.contains(['\\', '\n'])).then_some(label)
        });
        match label {
            Some(label) => labels.insert(label.to_owned()),
            // Another kind of string, a comment, or no load at all.
            None => return loaded_labels(&parse_nodes(text)),
        };
    }
    labels
}

/// The package, if it names one, and the target of a label in the same Bazel workspace.
pub fn local_label(label: &str) -> Option<(Option<&str>, &str)> {
    let absolute = ["//", "@//", "@@//"];
    let absolute = absolute
        .iter()
        .find_map(|prefix| label.strip_prefix(prefix));
    let (package, target) = match absolute {
        Some(rest) => {
            let (package, target) = rest.split_once(':')?;
            (Some(package), target)
        }
        None if label.starts_with(['@', '/']) => return None,
        None => (None, label.strip_prefix(':').unwrap_or(label)),
    };
    let is_plain = |path: &str| !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    let is_package = package.is_none_or(|package| package.is_empty() || is_plain(package));
    (is_plain(target) && is_package).then_some((package, target))
}

/// The functions of a file whose docstring has a section `Deprecated:`. The result is empty if the
/// file does not parse.
pub fn deprecated_functions(text: &str) -> BTreeSet<String> {
    if !text.contains(SECTION) {
        return BTreeSet::new();
    }
    let parse = parse_nodes(text);
    if !parse.errors.is_empty() {
        return BTreeSet::new();
    }
    let functions = parse.tree.statements();
    let functions = functions.iter().filter_map(|it| match it.shape() {
        Shape::Def(def) => Some(def),
        _ => None,
    });
    functions
        .filter(|def| docstring(def.body).is_some_and(|doc| is_deprecated(text, doc)))
        .map(|def| def.name.to_owned())
        .collect()
}

/// Whether the docstring has the section's header, with the same indentation as its opening quotes.
fn is_deprecated(text: &str, doc: NodeRef<'_, '_>) -> bool {
    let before = &text[..doc.start()];
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let header = " ".repeat(line.chars().count()) + SECTION;
    let value = doc.string().unwrap_or_default();
    let lines = String::from_utf8_lossy(&value);
    lines
        .split('\n')
        .skip(1)
        .any(|line| line.trim_end() == header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_labels_include_all_labels_that_are_loaded() {
        for (text, expected) in [
            (
                "load(\":a.bzl\", \"a\")\nload (\n    \"//b:c.bzl\",\n    \"c\",\n)\n",
                &["//b:c.bzl", ":a.bzl"][..],
            ),
            ("load(':a.bzl', 'a')\n", &[":a.bzl"]),
            (
                "load(\n    # Why.\n    \":a.bzl\",\n    \"a\",\n)\n",
                &[":a.bzl"],
            ),
            ("load(r\":a.bzl\", \"a\")\n", &[":a.bzl"]),
            ("load(\"\"\":a.bzl\"\"\", \"a\")\n", &[":a.bzl"]),
            ("load(\":a\\x2ebzl\", \"a\")\n", &[":a.bzl"]),
            ("x = reload(y)\n", &[]),
        ] {
            let labels = possible_labels(text);
            assert!(labels.iter().eq(expected), "{text}: {labels:?}");
        }
        assert!(possible_labels("\"load(\\\"a\\\")\"\n").is_empty());
    }

    #[test]
    fn a_local_label_names_a_file_of_the_same_workspace() {
        assert_eq!(local_label(":a.bzl"), Some((None, "a.bzl")));
        assert_eq!(local_label("a.bzl"), Some((None, "a.bzl")));
        assert_eq!(local_label("//b:a.bzl"), Some((Some("b"), "a.bzl")));
        assert_eq!(local_label("@//:a.bzl"), Some((Some(""), "a.bzl")));
        for other in ["@b//:a.bzl", "//b", "/a.bzl", "//b:../a.bzl", "//b//c:a"] {
            assert_eq!(local_label(other), None, "{other}");
        }
    }
}
