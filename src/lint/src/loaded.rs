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
