//! Loaded symbols that are not used.

use std::collections::BTreeMap;

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{FileKind, Kind, Load, NodeRef, Op, Shape, Symbol};
use rustc_hash::FxHashSet;

use crate::edit::{TextEdit, is_alone_on_its_lines, remove_element};
use crate::file::File;
use crate::lint::{Lint, LintFinding, build, everywhere};
use crate::suppress::disabled;

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "load",
    summary: "Removes loaded symbols that the file does not use, and loads that become empty.",
    why: "An unused load makes Bazel read a file, and perhaps fetch a repository, for nothing.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Other files may load a symbol that this file only passes on. No file can load from BUILD and \
        BUILD.bazel, so there the fix is behavior preserving. A symbol or load with `@unused` in a comment is kept. \
        Comments are kept, even if their load is removed.",
    example: build(
        "load(\":defs.bzl\", \"unused\", \"used\")\n\nused(name = \"a\")\n",
        "load(\":defs.bzl\", \"used\")\n\nused(name = \"a\")\n",
    ),
};

const FROM_ELSEWHERE: &str = "is loaded already, from another file";

/// The file and symbol that each name was first loaded from.
type Origins = BTreeMap<String, (Vec<u8>, Vec<u8>)>;

fn loaded_before(
    name: &str,
    origin: &(Vec<u8>, Vec<u8>),
    known: &mut Origins,
) -> Option<&'static str> {
    match known.get(name) {
        None => {
            known.insert(name.to_owned(), origin.clone());
            None
        }
        Some(first) if first == origin => Some("is loaded already"),
        Some(_) => Some(FROM_ELSEWHERE),
    }
}

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut loads = file
        .tree
        .statements()
        .iter()
        .filter(|it| it.kind() == Kind::Load)
        .peekable();
    if loads.peek().is_none() {
        return;
    }
    let used = used_names(file);
    let (mut reported, mut all) = (Origins::new(), Origins::new());
    for node in loads {
        let Shape::Load(load) = node.shape() else {
            continue;
        };
        let module = load.module.string().unwrap_or_default().into_owned();
        let mut idle = Vec::new();
        for symbol in load.symbols() {
            let name = symbol.name();
            let is_kept = is_marked_unused(node)
                || is_marked_unused(symbol.local)
                || is_marked_unused(symbol.remote);
            let remote = symbol.remote.string().unwrap_or_default().into_owned();
            let origin = (module.clone(), remote);
            let fault = |known: &mut Origins| match used.contains(name.as_str()) {
                true => loaded_before(&name, &origin, known),
                false => Some("is loaded but not used"),
            };
            // The finding without regard to comments that ask to keep a symbol.
            let hidden = fault(&mut all);
            let warning =
                |what| LintFinding::warning(&RULE, format!("`{name}` {what}"), symbol.span);
            match if is_kept { None } else { fault(&mut reported) } {
                // It is unclear which of the two loads is meant, so there is no fix.
                Some(FROM_ELSEWHERE) => found.push(warning(FROM_ELSEWHERE)),
                Some(what) => idle.push((symbol, what)),
                None => found.extend(hidden.map(|what| warning(what).silenced())),
            }
        }
        report_unused(file, node, load, &idle, found);
    }
}

fn report_unused<'t, 'a>(
    file: &File<'t, 'a>,
    node: NodeRef<'t, 'a>,
    load: Load<'t, 'a>,
    idle: &[(Symbol<'t, 'a>, &str)],
    found: &mut Vec<LintFinding>,
) {
    let base = file.path.rsplit(['/', '\\']).next().unwrap_or_default();
    let safety = match base {
        "BUILD" | "BUILD.bazel" if file.kind == FileKind::Build => Safety::BehaviorPreserving,
        _ => Safety::LikelyPreserving,
    };
    let whole = idle.len() == load.len();
    let without_load = || match is_alone_on_its_lines(file.tree, node) && !silences_some(file, node)
    {
        true => vec![remove_load(file, node)],
        false => Vec::new(),
    };
    for (at, (symbol, what)) in idle.iter().enumerate() {
        let name = symbol.name();
        let (title, edits) = match whole {
            // All symbols of the load share one fix with one id. The first finding has it.
            true if at > 0 => ("", Vec::new()),
            true => ("Remove the load", without_load()),
            false => ("Remove the symbol", remove_element(file.tree, symbol.span)),
        };
        found.push(
            LintFinding::warning(&RULE, format!("`{name}` {what}"), symbol.span)
                .with_fix(safety, title, edits),
        );
    }
}

/// Every identifier, except those in loads and on the left side of `=`.
fn used_names<'a>(file: &File<'_, 'a>) -> FxHashSet<&'a str> {
    let is_target = |node: NodeRef<'_, 'a>| {
        let holder = file.parent(node).filter(|it| it.kind() == Kind::Assign);
        match holder.map(NodeRef::shape) {
            Some(Shape::Assign { op, target, .. }) => op == Op::Assign && target == node,
            _ => false,
        }
    };
    let names = file.all(Kind::Ident).filter(|it| !is_target(*it));
    names.map(NodeRef::text).collect()
}

fn is_marked_unused(node: NodeRef<'_, '_>) -> bool {
    node.comments()
        .any(|comment| comment.text.contains("@unused"))
}

/// Whether a comment inside the load may ask to keep a part of it.
fn silences_some(file: &File<'_, '_>, load: NodeRef<'_, '_>) -> bool {
    let text = file.tree.source_text();
    let mut inside = file.tree.comments_in(load.span());
    inside.any(|comment| {
        let comment = &text[comment.range()];
        disabled(comment).is_some() || comment.contains("fixpoint:")
    })
}

/// Removes a load. Comments inside its brackets are kept, each on its own line.
fn remove_load(file: &File<'_, '_>, load: NodeRef<'_, '_>) -> TextEdit {
    let text = file.tree.source_text();
    let inside = file.tree.comments_in(load.span());
    let lines = inside.map(|comment| format!("{}\n", text[comment.range()].trim()));
    TextEdit::replace(load.span(), lines.collect::<String>())
}
