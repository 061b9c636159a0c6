//! Directives in comments: `fixpoint: off`, `fixpoint: on`, `fixpoint: ignore[rule]`.
//!
//! A directive is at the start of its comment; the rest is a remark. `off` and `on` bound a region
//! of whole lines. It begins after the line of `off` and ends before the line of `on`, or at the
//! end of the text. The position of the comments in the syntax tree does not matter.
//! `ignore[...]` applies to its own line if there is code on it, else to the next line with code.

use fixpoint_language::is_comment_mark;
use fixpoint_text::{LineIndex, Span};

use crate::{Language, comments};

/// The directives of one text, resolved to the lines that they apply to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressions {
    off_regions: Vec<Span>,
    ignores: Vec<Ignore>,
}

/// One `fixpoint: ignore[...]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    rules: Vec<String>,
    line: usize,
    comment: Span,
}

impl Ignore {
    /// The rules that it names, as written.
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// The line that it applies to, counted from 0.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The comment that contains it.
    pub fn comment(&self) -> Span {
        self.comment
    }

    /// Whether it disables formatting for a line of `language`.
    pub(crate) fn disables_format(&self, language: Language) -> bool {
        self.rules
            .iter()
            .any(|rule| rule == "format" || rule.strip_prefix("format-") == Some(language.name()))
    }
}

impl Suppressions {
    /// The directives in the comments of `text`.
    pub fn find(language: Language, path: &str, text: &str) -> Self {
        if !has_directives(text) {
            return Self::default();
        }
        Self::of(text, &directives(language, path, text))
    }

    /// The directives of a text in which only these spans are comments.
    pub fn in_comments(text: &str, comments: &[Span]) -> Self {
        Self::of(text, &directives_in(text, comments))
    }

    /// Regions in which nothing may change, in order. They are whole lines and do not overlap.
    pub fn off_regions(&self) -> &[Span] {
        &self.off_regions
    }

    /// The ignored lines, in order of their comments.
    pub fn ignores(&self) -> &[Ignore] {
        &self.ignores
    }

    pub(crate) fn of(text: &str, directives: &[Directive]) -> Self {
        let ignores = directives.iter().filter_map(|directive| {
            let DirectiveKind::Ignore(rules) = &directive.kind else {
                return None;
            };
            Some(Ignore {
                rules: rules.clone(),
                line: directive.line,
                comment: directive.comment,
            })
        });
        let regions = regions(text, directives).into_iter();
        Self {
            off_regions: regions.flatten().map(|region| region.lines).collect(),
            ignores: ignores.collect(),
        }
    }
}

impl From<Suppressions> for fixpoint_engine::Suppressions {
    fn from(found: Suppressions) -> Self {
        let ignored = found.ignores.iter().flat_map(|ignore| {
            let rules = ignore.rules.iter();
            rules.map(|rule| (ignore.line, rule.clone()))
        });
        Self {
            ignored: ignored.collect(),
            off: found.off_regions,
        }
    }
}

/// The lines between an `off` and its `on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) lines: Span,
    /// The comment that opens it.
    pub(crate) off: Span,
}

/// For each `off` that opens a region, the region, or `None` if it has no lines. Texts with the
/// same directives in the same order have the same number of regions.
pub(crate) fn regions(text: &str, directives: &[Directive]) -> Vec<Option<Region>> {
    let lines = LineIndex::new(text);
    let mut regions = Vec::new();
    let mut open: Option<Span> = None;
    let region = |off: Span, end: usize| {
        let start = lines.line_start(lines.line_of(off.end()) + 1);
        let lines = Span::new(start, end).filter(|lines| !lines.is_empty())?;
        Some(Region { lines, off })
    };
    for directive in directives {
        match directive.kind {
            DirectiveKind::Off => open = open.or(Some(directive.comment)),
            DirectiveKind::On => {
                let end = lines.line_start(lines.line_of(directive.comment.start()));
                regions.extend(open.take().map(|off| region(off, end)));
            }
            DirectiveKind::Ignore(_) => {}
        }
    }
    regions.extend(open.map(|off| region(off, text.len())));
    regions
}

/// A cheap check with false positives only: whether the text may contain directives.
pub fn has_directives(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"fixpoint:").is_some()
}

/// One directive and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) kind: DirectiveKind,
    pub(crate) comment: Span,
    /// The line that it applies to; only used for [`DirectiveKind::Ignore`].
    line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveKind {
    Off,
    On,
    Ignore(Vec<String>),
}

/// All directives of `text`, in order.
pub(crate) fn directives(language: Language, path: &str, text: &str) -> Vec<Directive> {
    directives_in(text, &comments(language, path, text))
}

fn directives_in(text: &str, comments: &[Span]) -> Vec<Directive> {
    let lines = LineIndex::new(text);
    comments
        .iter()
        .filter_map(|comment| {
            let kind = directive_kind(text.get(comment.range())?)?;
            let line = code_line(text, &lines, comments, *comment);
            Some(Directive {
                kind,
                comment: *comment,
                line,
            })
        })
        .collect()
}

fn directive_kind(comment: &str) -> Option<DirectiveKind> {
    let body = comment.trim_start_matches(is_comment_mark).trim_start();
    let directive = body.strip_prefix("fixpoint:")?.trim_start();
    let is_word = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-');
    if directive.strip_prefix("off").is_some_and(is_word) {
        return Some(DirectiveKind::Off);
    }
    if directive.strip_prefix("on").is_some_and(is_word) {
        return Some(DirectiveKind::On);
    }
    let (rules, _) = directive.strip_prefix("ignore[")?.split_once(']')?;
    let rules = rules.split(',').map(|rule| rule.trim().to_owned());
    Some(DirectiveKind::Ignore(
        rules.filter(|rule| !rule.is_empty()).collect(),
    ))
}

/// The first line at or after `comment` that contains code.
fn code_line(text: &str, lines: &LineIndex, comments: &[Span], comment: Span) -> usize {
    let first = lines.line_of(comment.start());
    let last = lines.line_count().saturating_sub(1);
    (first..=last)
        .find(|&line| {
            let content = lines.line_start(line)..lines.line_start(line + 1);
            has_code(text, content.into(), comments)
        })
        .unwrap_or(first)
}

fn has_code(text: &str, line: Span, comments: &[Span]) -> bool {
    let from = comments.partition_point(|comment| comment.end() <= line.start());
    let mut at = line.start();
    let mut code = String::new();
    for comment in comments[from..]
        .iter()
        .take_while(|c| c.start() < line.end())
    {
        code.push_str(text.get(at..comment.start()).unwrap_or_default().trim());
        at = comment.end().max(at);
    }
    code.push_str(text.get(at..line.end()).unwrap_or_default().trim());
    // A comment among JSX children is in braces of its own.
    !code.is_empty() && (code != "{}" || at == line.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Suppressions {
        Suppressions::find(Language::Text, "a.txt", text)
    }

    #[test]
    fn regions_are_whole_lines_and_an_open_region_extends_to_the_end() {
        let text = "a\n# fixpoint: off\nb\n  // fixpoint: on\nc\n; fixpoint:off here\nd";
        let found = find(text);
        let regions: Vec<_> = found
            .off_regions()
            .iter()
            .map(|s| &text[s.range()])
            .collect();
        assert_eq!(regions, ["b\n", "d"]);
    }

    #[test]
    fn on_without_off_and_nested_off_have_no_effect() {
        let text = "# fixpoint: on\na\n# fixpoint: off\nb\n# fixpoint: off\nc\n# fixpoint: on\n";
        let found = find(text);
        let regions: Vec<_> = found
            .off_regions()
            .iter()
            .map(|s| &text[s.range()])
            .collect();
        assert_eq!(regions, ["b\n# fixpoint: off\nc\n"]);
    }

    #[test]
    fn an_ignore_applies_to_its_line_or_the_next_line_with_code() {
        let found = find(
            "a # fixpoint: ignore[x, format-text] why\n\n# fixpoint: ignore[y]\n# more\n\nb\n",
        );
        let about: Vec<_> = found
            .ignores()
            .iter()
            .map(|i| (i.line(), i.rules()))
            .collect();
        let rules =
            |names: &[&str]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
        assert_eq!(
            about,
            [
                (0, &rules(&["x", "format-text"])[..]),
                (5, &rules(&["y"])[..])
            ]
        );
        assert!(found.ignores()[0].disables_format(Language::Text));
        assert!(!found.ignores()[0].disables_format(Language::Json));
    }

    #[test]
    fn similar_words_are_not_directives() {
        for text in [
            "# fixpoint: offline",
            "# fixpoint: only",
            "# see fixpoint: off",
            "#fix: off",
        ] {
            assert_eq!(find(text), Suppressions::default(), "{text}");
        }
    }
}
