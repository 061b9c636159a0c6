//! The prefix `native.` in BUILD files.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, build, in_build};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_build,
    check,
};

const RULE: Rule = Rule {
    name: "native-build",
    summary: "Removes the prefix `native.` in BUILD files.",
    why: "`native` exists for macros. A BUILD file can use its members without the prefix.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Both names refer to the same function, unless the workspace has a prelude that binds the name \
        without the prefix. A name that the file itself binds is not changed.",
    example: build(
        "native.filegroup(name = \"a\")\n",
        "filegroup(name = \"a\")\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for node in file.all(Kind::Dot) {
        let Shape::Dot {
            object,
            name,
            name_span,
        } = node.shape()
        else {
            continue;
        };
        if !file.is_builtin_named(object, "native") {
            continue;
        }
        let prefix = Span::from(node.start()..name_span.start());
        // Without the prefix, an assignment to a field would assign a variable.
        let is_target = match file.parent(node).map(NodeRef::shape) {
            Some(Shape::Assign { target, .. }) => target == node,
            _ => false,
        };
        // It is unclear what `native.native.x` means.
        let is_free = !is_target && name != "native" && file.is_free(object, name);
        let edits = if is_free && file.tree.source_text()[prefix.range()] == *"native." {
            vec![TextEdit::delete(prefix)]
        } else {
            Vec::new()
        };
        let message = format!("`native.{name}` is `{name}` in a BUILD file");
        found.push(LintFinding::warning(&RULE, message, node.span()).with_fix(
            Safety::LikelyPreserving,
            "Remove `native.`",
            edits,
        ));
    }
}
