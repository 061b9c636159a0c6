//! One finding with the lines it is about, as rustc shows it.

use annotate_snippets::renderer::{
    DEFAULT_ADDITION_STYLE, DEFAULT_HELP_STYLE, DEFAULT_LINE_NUM_STYLE, DEFAULT_REMOVAL_STYLE,
};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet, Title};
use fixpoint_report::{Diagnostic, Edit, Fix, Safety, Severity};
use fixpoint_text::{LineIndex, Span};

use super::Rendered;
use super::words::{printable, shown};

/// Lines of a finding, and of either side of a change, that are shown.
const MARKED_LINES: usize = 6;
/// Characters of a line that are shown; a minified file is one line.
const LINE_LENGTH: usize = 400;

/// A file's text, ready to show parts of it.
pub(crate) struct Source<'a> {
    path: &'a str,
    text: &'a str,
    lines: LineIndex,
}

/// The part of a text around a span, and the span within it.
struct Excerpt<'a> {
    text: &'a str,
    first_line: usize,
    starts_its_line: bool,
    marked: std::ops::Range<usize>,
}

/// Whole lines, and what they become.
struct Change {
    old: Span,
    new: String,
    /// Edits of the fix elsewhere.
    edits_left: usize,
}

impl Excerpt<'_> {
    /// The text in printable form, and the marked range in it.
    fn printable(&self) -> (String, std::ops::Range<usize>) {
        let part = |range: std::ops::Range<usize>| {
            let part = self.text.get(range).unwrap_or_default();
            printable(&part.replace("\r\n", "\n")).into_owned()
        };
        let (start, end) = (self.marked.start, self.marked.end);
        let (before, marked) = (part(0..start), part(start..end));
        let range = before.len()..before.len() + marked.len();
        (
            format!("{before}{marked}{}", part(end..self.text.len())),
            range,
        )
    }
}

impl<'a> Source<'a> {
    pub(crate) fn new(path: &'a str, text: &'a str) -> Self {
        Self {
            path,
            text,
            lines: LineIndex::new(text),
        }
    }

    #[cfg_attr(
        not(feature = "clank"),
        allow(dead_code, reason = "only the commands for Clank programs use it")
    )]
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The part of the text at `start..end`. The offsets of a report are untrusted: they may be
    /// reversed or inside a character.
    fn span(&self, start: usize, end: usize) -> Span {
        let start = self.text.floor_char_boundary(start);
        let end = self.text.ceil_char_boundary(end.max(start));
        Span::from(start..end)
    }

    fn span_of(&self, diagnostic: &Diagnostic) -> Span {
        let span = diagnostic.span.unwrap_or_default();
        self.span(span.start as usize, span.end as usize)
    }

    /// Whole lines around `span`, cut if they are too long to show.
    fn excerpt(&self, span: Span) -> Excerpt<'a> {
        let first = self.lines.line_of(span.start());
        let last = self
            .lines
            .line_of(span.end().max(span.start() + 1) - 1)
            .min(first + MARKED_LINES - 1);
        let whole_end = self.lines.line_start(last + 1);
        let start = self.lines.line_start(first).max(
            self.text
                .floor_char_boundary(span.start().saturating_sub(LINE_LENGTH)),
        );
        let end = whole_end.min(
            self.text
                .ceil_char_boundary(span.start().saturating_add(MARKED_LINES * LINE_LENGTH)),
        );
        let marked_end = span.end().min(end);
        Excerpt {
            text: &self.text[start..end],
            first_line: first + 1,
            starts_its_line: start == self.lines.line_start(first),
            marked: span.start() - start..marked_end.max(span.start()) - start,
        }
    }

    /// A title with the lines that `span` marks.
    fn marked(&self, title: Title<'a>, span: Span) -> Group<'a> {
        let span = self.span(span.start(), span.end());
        let excerpt = self.excerpt(span);
        let (text, marked) = excerpt.printable();
        let snippet = Snippet::source(text)
            .line_start(excerpt.first_line)
            .annotation(AnnotationKind::Primary.span(marked));
        let at = self.lines.position(self.text, span.start());
        let path = shown(self.path);
        if excerpt.starts_its_line {
            return title.element(snippet.path(path));
        }
        // The renderer would count the column from where the excerpt starts.
        title
            .element(Origin::path(path).line(at.line).char_column(at.column))
            .element(snippet)
    }

    /// The finding, with the first change of its fix if it has one.
    pub(crate) fn finding(&self, diagnostic: &Diagnostic, fix: Option<&Fix>) -> Rendered {
        let title = level(diagnostic.severity())
            .primary_title(printable(&diagnostic.message).into_owned())
            .id(shown(&diagnostic.rule));
        let group = self.marked(title, self.span_of(diagnostic));
        let hints = diagnostic.hints.iter();
        let hints = hints.map(|hint| Level::HELP.message(printable(hint).into_owned()));
        let mut rendered = Rendered::group(group.elements(hints));
        if let Some(fix) = fix
            && let Some(change) = self.first_change(&fix.edits)
        {
            let more = match change.edits_left {
                0 => String::new(),
                1 => " (1 more change in this file)".to_owned(),
                more => format!(" ({more} more changes in this file)"),
            };
            let title = format!("{}{}{more}", shown(&fix.title), way_to_apply(fix));
            rendered.push(&self.change(&title, &change));
        }
        rendered
    }

    /// The finding in one line, as compilers name theirs.
    pub(crate) fn named(&self, diagnostic: &Diagnostic) -> String {
        let at = self.span_of(diagnostic).start();
        let at = self.lines.position(self.text, at);
        format!(
            "{}:{}:{}: {}: {} [{}]",
            shown(self.path),
            at.line,
            at.column,
            word(diagnostic.severity()),
            shown(&diagnostic.message),
            shown(&diagnostic.rule)
        )
    }

    /// A message about a span, with a code and help texts.
    #[cfg_attr(
        not(feature = "clank"),
        allow(dead_code, reason = "only the commands for Clank programs use it")
    )]
    pub(crate) fn message(
        &self,
        level: Level<'static>,
        (code, message): (&str, &str),
        span: Span,
        helps: &[String],
    ) -> Rendered {
        let title = level
            .primary_title(printable(message).into_owned())
            .id(shown(code));
        let helps = helps.iter();
        let helps = helps.map(|help| Level::HELP.message(printable(help).into_owned()));
        Rendered::group(self.marked(title, span).elements(helps))
    }

    /// The first lines of this file that a fix changes.
    fn first_change(&self, edits: &[Edit]) -> Option<Change> {
        let here = edits.iter().filter(|edit| edit.path == self.path);
        let mut here: Vec<&Edit> = here.collect();
        here.sort_by_key(|edit| (edit.start, edit.end));
        let first = here.first()?;
        let start = self
            .lines
            .line_start(self.lines.line_of(first.start as usize));
        let mut end = self.end_of_lines(first);
        let (mut at, mut new, mut taken) = (start, String::new(), 0);
        for edit in &here {
            if taken > 0 && edit.start as usize >= end {
                break;
            }
            new += self.text.get(at..edit.start as usize)?;
            new += &edit.replacement;
            at = edit.end as usize;
            end = end.max(self.end_of_lines(edit));
            taken += 1;
        }
        new += self.text.get(at..end)?;
        self.text.get(start..end)?;
        Some(Change {
            old: Span::from(start..end),
            new,
            edits_left: edits.len() - taken,
        })
    }

    /// Where the last line that an edit touches ends.
    fn end_of_lines(&self, edit: &Edit) -> usize {
        let end = edit.end as usize;
        let line = self.lines.line_of(end);
        let ends_line = self.text.get(..end).is_some_and(|it| it.ends_with('\n'));
        let is_whole = edit.start < edit.end || edit.replacement.ends_with('\n');
        if ends_line && is_whole {
            return end;
        }
        self.lines.line_start(line + 1)
    }

    /// The removed and inserted lines of a change, cut after [`MARKED_LINES`] lines.
    fn change(&self, title: &str, change: &Change) -> String {
        let first = self.lines.line_of(change.old.start()) + 1;
        let sides = [
            (&self.text[change.old.range()], '-', DEFAULT_REMOVAL_STYLE),
            (change.new.as_str(), '+', DEFAULT_ADDITION_STYLE),
        ];
        let width = (first + MARKED_LINES).to_string().len();
        let (number, help) = (DEFAULT_LINE_NUM_STYLE, DEFAULT_HELP_STYLE);
        let edge = format!("{:width$} {number}|{number:#}", "");
        let mut lines = format!("\n{help}help{help:#}: {title}\n{edge}\n");
        for (text, mark, style) in sides {
            for (line, at) in text.split_inclusive('\n').zip(first..first + MARKED_LINES) {
                let end = if line.ends_with('\n') {
                    ""
                } else {
                    " (no newline)"
                };
                let line = line.trim_end_matches('\n').chars().take(LINE_LENGTH);
                let line: String = line.collect();
                let line = shown(&line) + end;
                lines += &format!("{number}{at:width$}{number:#} {style}{mark} {line}{style:#}\n");
            }
            if text.split_inclusive('\n').count() > MARKED_LINES {
                lines += &format!("{:width$} {style}{mark} ...{style:#}\n", "");
            }
        }
        lines.push_str(&edge);
        lines
    }
}

/// An error in a file that is not part of any report.
pub(crate) fn error(path: &str, text: &str, span: Span, message: &str) -> Rendered {
    let title = Level::ERROR.primary_title(printable(message).into_owned());
    Rendered::group(Source::new(path, text).marked(title, span))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info | Severity::Unspecified => Level::INFO,
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Unspecified => "info",
    }
}

/// How to apply a fix that is not known to be safe.
fn way_to_apply(fix: &Fix) -> String {
    match fix.safety() {
        Safety::BehaviorPreserving => String::new(),
        Safety::LikelyPreserving => {
            " (likely keeps behavior: applied with --safety=likely)".to_owned()
        }
        Safety::BehaviorChanging | Safety::Unspecified => format!(
            " (may change behavior: applied with --approve {})",
            shown(&fix.id)
        ),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_excerpt_contains_only_the_marked_lines() {
        let text = "one\ntwo\nthree\nfour\n";
        let excerpt = Source::new("a", text).excerpt(Span::from(4..7));
        assert_eq!((excerpt.text, excerpt.first_line), ("two\n", 2));
        assert_eq!(&excerpt.text[excerpt.marked], "two");
    }

    #[test]
    fn a_line_of_any_length_is_cut_at_characters() {
        let text = "\u{e4}".repeat(100_000);
        let source = Source::new("a", &text);
        for start in [0, 2, 50_000, 199_998, 200_000] {
            let excerpt = source.excerpt(Span::from(start..text.len()));
            assert!(excerpt.text.len() < 4_000);
            assert!(excerpt.marked.end <= excerpt.text.len());
        }
    }

    #[test]
    fn a_change_within_a_line_is_shown_as_the_line() {
        let text = "one two three\nfour\n";
        let edit = |start, end, replacement: &str| Edit {
            path: "a".to_owned(),
            start,
            end,
            replacement: replacement.to_owned(),
            ..Edit::default()
        };
        let source = Source::new("a", text);
        let change = |edits: &[Edit]| {
            let change = source.first_change(edits).expect("a change");
            (&text[change.old.range()], change.new, change.edits_left)
        };
        let (first, second) = (edit(0, 3, "1"), edit(4, 7, ""));
        let both = ("one two three\n", "1  three\n".to_owned(), 0);
        assert_eq!(change(&[first.clone(), second]), both);
        let apart = ("one two three\n", "1 two three\n".to_owned(), 1);
        assert_eq!(change(&[first, edit(14, 19, "4\n")]), apart);
        assert_eq!(change(&[edit(14, 19, "")]), ("four\n", String::new(), 0));
        assert_eq!(change(&[edit(14, 14, "x\n")]), ("", "x\n".to_owned(), 0));
        assert!(source.first_change(&[]).is_none());
    }

    #[test]
    fn the_end_of_a_text_and_an_empty_text_can_be_marked() {
        for text in ["", "a", "a\n", "a\n\n"] {
            let shown = error("a.txt", text, Span::at(text.len()), "something").plain();
            assert!(
                shown.contains("something") && shown.contains("a.txt"),
                "{shown}"
            );
        }
    }

    fn any_text() -> impl Strategy<Value = String> {
        let characters = prop_oneof![
            Just('\n'),
            Just('\r'),
            Just('\t'),
            Just('a'),
            Just('\u{1b}'),
            Just('\u{202e}'),
            any::<char>(),
        ];
        prop::collection::vec(characters, 0..40).prop_map(String::from_iter)
    }

    fn any_offset() -> impl Strategy<Value = u64> {
        prop_oneof![0..50_u64, any::<u64>(), Just(u64::from(u32::MAX))]
    }

    proptest! {
        #[test]
        fn any_report_on_any_text_is_shown(
            text in any_text(),
            message in any_text(),
            (start, end) in (any_offset(), any_offset()),
            edits in prop::collection::vec((any_offset(), any_offset(), any_text()), 0..4),
        ) {
            let edits = edits.into_iter().map(|(start, end, replacement)| Edit {
                path: "a".to_owned(),
                start: start as _,
                end: end as _,
                replacement,
                ..Edit::default()
            });
            let fix = Fix {
                title: message.clone(),
                id: message.clone(),
                edits: edits.collect(),
                ..Fix::default()
            };
            let diagnostic = Diagnostic {
                message: message.clone(),
                rule: message.clone(),
                hints: vec![message.clone()],
                span: Some(fixpoint_report::Span { start: start as _, end: end as _ }),
                ..Diagnostic::default()
            };
            let source = Source::new("a", &text);
            let finding = source.finding(&diagnostic, Some(&fix)).plain();
            let finding = finding.replace("\r\n", "\n");
            prop_assert!(!finding.contains(['\u{1b}', '\u{202e}', '\r']), "{finding:?}");
            let named = source.named(&diagnostic);
            prop_assert!(!named.contains(['\u{1b}', '\u{202e}', '\r', '\n']), "{named:?}");
            let span = Span::from(start as usize..end as usize);
            let helps = std::slice::from_ref(&message);
            let _ = source.message(Level::ERROR, (&message, &message), span, helps);
        }
    }
}
