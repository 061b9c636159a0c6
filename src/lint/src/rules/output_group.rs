//! Uses of `ctx.attr.x.output_group`.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "output-group",
    summary: "Replaces `ctx.attr.x.output_group` with `ctx.attr.x[OutputGroupInfo]`.",
    why: "Bazel has removed the field; the provider contains the same groups.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "`ctx` may be something other than the context of a rule.",
    example: bzl(
        "def _impl(ctx):\n    return ctx.attr.dep.output_group.bin\n",
        "def _impl(ctx):\n    return ctx.attr.dep[OutputGroupInfo].bin\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for node in file.all(Kind::Dot) {
        let Some(dep) = dependency(node) else {
            continue;
        };
        let old = Span::from(dep.end()..node.end());
        let is_plain = file.tree.source_text()[old.range()] == *".output_group"
            && file.is_free(node, "OutputGroupInfo");
        let edit = is_plain.then(|| TextEdit::replace(old, "[OutputGroupInfo]"));
        let message = "`output_group` is gone; `OutputGroupInfo` holds the same";
        found.push(LintFinding::warning(&RULE, message, node.span()).with_fix(
            Safety::LikelyPreserving,
            "Use the provider",
            edit.into_iter().collect(),
        ));
    }
}

/// The node `ctx.attr.x` of `ctx.attr.x.output_group`.
fn dependency<'t, 'a>(node: NodeRef<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
    let field = |node: NodeRef<'t, 'a>| match node.shape() {
        Shape::Dot { object, name, .. } => Some((object, name)),
        _ => None,
    };
    let (dep, "output_group") = field(node)? else {
        return None;
    };
    let (attributes, _) = field(dep)?;
    let (ctx, "attr") = field(attributes)? else {
        return None;
    };
    ctx.is_name("ctx").then_some(dep)
}
