//! Calls of `package()` below targets.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{FileKind, Kind, NodeRef, Shape};

use crate::edit::{TextEdit, is_alone_on_its_lines, lines_of};
use crate::file::File;
use crate::lint::{Lint, LintFinding, build};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: |kind| !matches!(kind, FileKind::Workspace | FileKind::Module),
    check,
};

const RULE: Rule = Rule {
    name: "package-on-top",
    summary: "Moves `package()` above the first call that is not a load, `licenses` or `package_group`.",
    why: "The call sets defaults for every target of the file, and readers look for it at the top.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Bazel reads some defaults, such as `default_testonly`, when it creates a target. They then also \
        apply to the targets that were above the call. The call is not moved above an assignment, because it may \
        need the assigned value.",
    example: build(
        "filegroup(name = \"a\")\n\npackage(default_visibility = [\"//visibility:public\"])\n",
        "package(default_visibility = [\"//visibility:public\"])\n\nfilegroup(name = \"a\")\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let statements = file.tree.statements();
    let mut rest = statements.iter().skip_while(|it| may_precede(*it));
    let Some(first) = rest.next() else {
        return;
    };
    if first.kind() == Kind::Assign {
        return;
    }
    // Bazel rejects several calls of `package`, and it is unclear which one is meant. A `package`
    // that the file loads or defines is not Bazel's.
    let is_only = statements.iter().filter(|it| calls(*it, "package")).count() == 1
        && file.is_free(first, "package");
    let movable = rest.take_while(|it| it.kind() != Kind::Assign);
    for package in movable.filter(|it| calls(*it, "package")) {
        let message = "`package()` belongs above the targets";
        let edits = match is_only {
            true => moved(file, package, first),
            false => Vec::new(),
        };
        found.push(
            LintFinding::warning(&RULE, message, package.span()).with_fix(
                Safety::LikelyPreserving,
                "Move it up",
                edits,
            ),
        );
    }
}

/// Edits that move the lines of `package` above those of `first`.
fn moved<'t, 'a>(
    file: &File<'t, 'a>,
    package: NodeRef<'t, 'a>,
    first: NodeRef<'t, 'a>,
) -> Vec<TextEdit> {
    let tree = file.tree;
    if !is_alone_on_its_lines(tree, package) || !is_alone_on_its_lines(tree, first) {
        return Vec::new();
    }
    let lines = lines_of(tree, package);
    let text = tree.source_text()[lines.range()].trim_end_matches('\n');
    vec![
        TextEdit::insert(lines_of(tree, first).start(), format!("{text}\n")),
        TextEdit::delete(lines),
    ]
}

fn calls(node: NodeRef<'_, '_>, name: &str) -> bool {
    matches!(node.shape(), Shape::Call { callee, .. } if callee.is_name(name))
}

fn may_precede(node: NodeRef<'_, '_>) -> bool {
    matches!(node.kind(), Kind::String | Kind::CommentBlock | Kind::Load)
        || ["package", "licenses", "package_group"]
            .iter()
            .any(|name| calls(node, name))
}
