//! The old name of the language, Skylark.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[IN_COMMENTS, IN_DOCSTRINGS],
    applies: everywhere,
    check,
};

const IN_COMMENTS: Rule = Rule {
    name: "skylark-comment",
    summary: "Replaces Skylark with Starlark in comments.",
    why: "Skylark has been called Starlark since 2018.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "Only text for readers changes. The word is kept in paths, addresses and longer names, and in \
        comments that are directives for a tool.",
    example: bzl(
        "# Written in Skylark.\nx = 1\n",
        "# Written in Starlark.\nx = 1\n",
    ),
};

const IN_DOCSTRINGS: Rule = Rule {
    name: "skylark-docstring",
    summary: "Replaces Skylark with Starlark in docstrings.",
    example: bzl(
        "\"\"\"Helpers for Skylark.\"\"\"\n",
        "\"\"\"Helpers for Starlark.\"\"\"\n",
    ),
    ..IN_COMMENTS
};

const OLD: &str = "skylark";

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let text = file.tree.source_text();
    for span in file.tree.comments() {
        let comment = &text[span.range()];
        if !["buildifier:", "buildozer:", "fixpoint:"]
            .iter()
            .any(|tool| comment.contains(tool))
        {
            found.extend(renamed(&IN_COMMENTS, text, span));
        }
    }
    let bodies = file.all(Kind::Def).filter_map(|node| match node.shape() {
        Shape::Def(def) => docstring(def.body),
        _ => None,
    });
    for node in docstring(file.tree.statements()).into_iter().chain(bodies) {
        found.extend(renamed(&IN_DOCSTRINGS, text, node.span()));
    }
}

/// The docstring of a file or a function.
pub(crate) fn docstring<'t, 'a>(body: Nodes<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
    let first = body.iter().find(|it| it.kind() != Kind::CommentBlock);
    first.filter(|it| it.kind() == Kind::String)
}

fn renamed(rule: &Rule, text: &str, span: Span) -> Option<LintFinding> {
    let bytes = text.as_bytes();
    let mut edits = Vec::new();
    for at in span.start()..span.end().saturating_sub(OLD.len() - 1) {
        let end = at + OLD.len();
        let word = &bytes[at..end];
        if !matches!(word[0], b's' | b'S')
            || !word.eq_ignore_ascii_case(OLD.as_bytes())
            || is_in_longer_name(text[..at].chars().next_back(), None)
            || is_in_longer_name(bytes.get(end).map(|b| *b as char), bytes.get(end + 1))
            || is_documented_name(text, at, end)
        {
            continue;
        }
        let new = match (word[0], word[1]) {
            (b'S', b'K') => "STARLARK",
            (b'S', _) => "Starlark",
            _ => "starlark",
        };
        edits.push(TextEdit::replace(Span::from(at..end), new));
    }
    let first = edits.first()?.span;
    let found = LintFinding::advice(rule, "Skylark is called Starlark", first);
    Some(found.with_fix(Safety::BehaviorPreserving, "Write Starlark", edits))
}

/// Whether the word is the first in its line and followed by a colon, like a documented parameter.
fn is_documented_name(text: &str, at: usize, end: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty() && text[end..].starts_with(':')
}

/// Whether the word continues at this character. A full stop or colon continues it only if a letter
/// or digit follows.
fn is_in_longer_name(next: Option<char>, after: Option<&u8>) -> bool {
    match next {
        Some('/' | '_' | '-' | '@' | ':') if after.is_none() => true,
        Some('/' | '_' | '-') => true,
        Some('.' | ':') => after.is_some_and(u8::is_ascii_alphanumeric),
        Some(letter) => letter.is_alphanumeric(),
        None => false,
    }
}
