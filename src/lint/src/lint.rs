//! The parts of a lint rule, and the findings that it reports.

use fixpoint_engine::{Example, Rule};
use fixpoint_report::{Safety, Severity};
use fixpoint_starlark::FileKind;
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;

/// A check and the rules it reports. Several rules share a check if they examine the same nodes.
pub(crate) struct Lint {
    pub rules: &'static [Rule],
    pub applies: fn(FileKind) -> bool,
    pub check: fn(&File<'_, '_>, &mut Vec<LintFinding>),
}

/// A finding of a rule. Its message must not mention the layout, such as line numbers: otherwise
/// formatting would change the message, and the finding would count as new.
#[derive(Debug)]
pub(crate) struct LintFinding {
    pub rule: &'static str,
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    pub hint: Option<&'static str>,
    pub fix: Option<Fix>,
    /// Whether a comment asks not to report this finding, such as `@unused`.
    pub silenced: bool,
}

/// Edits that are applied together or not at all.
#[derive(Debug)]
pub(crate) struct Fix {
    pub title: String,
    pub safety: Safety,
    pub edits: Vec<TextEdit>,
}

impl LintFinding {
    /// A finding about code that is wrong or will soon be.
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

    /// A finding about code that works but could be better.
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

    /// Marks the finding as not reported. It still exists, so that it does not count as new if
    /// formatting moves the comment that silences it.
    pub fn silenced(self) -> Self {
        Self {
            silenced: true,
            ..self
        }
    }

    /// Adds a fix, unless `edits` is empty.
    pub fn with_fix(self, safety: Safety, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        let fix = (!edits.is_empty()).then(|| Fix {
            title: title.into(),
            safety,
            edits,
        });
        Self { fix, ..self }
    }
}

/// A rule without fixes, which only reports.
pub(crate) const fn report_only(
    name: &'static str,
    summary: &'static str,
    why: &'static str,
) -> Rule {
    Rule {
        name,
        summary,
        why,
        safety: None,
        safety_reason: "The rule only reports.",
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
