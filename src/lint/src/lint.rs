//! What a rule is made of, and what it hands out.

use fixpoint_engine::{Example, Rule};
use fixpoint_report::{Safety, Severity};
use fixpoint_starlark::FileKind;
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;

/// A check with the rules it can name: one as a rule, several where they rest on the same look at the
/// file.
pub(crate) struct Lint {
    pub rules: &'static [Rule],
    pub applies: fn(FileKind) -> bool,
    pub check: fn(&File<'_, '_>, &mut Vec<Found>),
}

/// One thing a rule has found. Its message must not tell of layout, lines least of all: a finding that
/// formatting rewords would count as a new one.
#[derive(Debug)]
pub(crate) struct Found {
    pub rule: &'static str,
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    pub hint: Option<&'static str>,
    pub fix: Option<Fix>,
    /// Whether a comment of the rule's own asks not to be told.
    pub silenced: bool,
}

/// All of its edits together, or none of them.
#[derive(Debug)]
pub(crate) struct Fix {
    pub title: String,
    pub safety: Safety,
    pub edits: Vec<TextEdit>,
}

impl Found {
    /// Something that is wrong, or soon will be.
    pub fn warning(rule: &Rule, message: impl Into<String>, span: Span) -> Self {
        Self {
            rule: rule.name,
            severity: Severity::Warning,
            message: message.into(),
            span,
            hint: None,
            fix: None,
            silenced: false,
        }
    }

    /// Something that works, and could be better.
    pub fn advice(rule: &Rule, message: impl Into<String>, span: Span) -> Self {
        Self {
            severity: Severity::Info,
            ..Self::warning(rule, message, span)
        }
    }

    pub fn with_hint(self, hint: &'static str) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// One that is not told, and is not new when the comment that hides it comes to stand elsewhere.
    pub fn silenced(self) -> Self {
        Self {
            silenced: true,
            ..self
        }
    }

    /// With no edit there is no fix.
    pub fn with_fix(self, safety: Safety, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        let fix = (!edits.is_empty()).then(|| Fix {
            title: title.into(),
            safety,
            edits,
        });
        Self { fix, ..self }
    }
}

/// A rule that only tells.
pub(crate) const fn told(name: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule {
        name,
        summary,
        why,
        safety: None,
        safety_reason: "No edit is proposed.",
        example: None,
    }
}

/// An example in a `.bzl` file.
pub(crate) const fn bzl(before: &'static str, after: &'static str) -> Option<Example> {
    Some(Example {
        path: "defs.bzl",
        before,
        after,
    })
}

/// An example in a BUILD file.
pub(crate) const fn build(before: &'static str, after: &'static str) -> Option<Example> {
    Some(Example {
        path: "BUILD",
        before,
        after,
    })
}

pub(crate) fn everywhere(_: FileKind) -> bool {
    true
}

pub(crate) fn in_bzl(kind: FileKind) -> bool {
    kind == FileKind::Bzl
}

pub(crate) fn in_build(kind: FileKind) -> bool {
    kind == FileKind::Build
}

pub(crate) fn in_build_and_bzl(kind: FileKind) -> bool {
    matches!(kind, FileKind::Build | FileKind::Bzl)
}
