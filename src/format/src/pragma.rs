//! Comments that tools read, such as `@ts-ignore`, `eslint-disable-line` and `istanbul ignore
//! next`, and the code that they apply to. A printer may move other comments a little, but these
//! must stay with their code.
//!
//! Code is treated as a sequence of words outside of comments. Printers keep the words and their
//! order, so that words of two layouts can be compared by index.

use std::ops::Range;

use fixpoint_text::{LineIndex, Span};

use crate::FormatError;
use crate::comment::comment_key;
use crate::outline::Outline;

/// Which code a comment applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The code on its own line.
    SameLine,
    /// The code on the next line.
    NextLine,
    /// The next line that is not blank and not a comment.
    NextCode,
    /// Everything after it, or the node after it.
    Position,
}

const SAME_LINE: [&str; 7] = [
    "disable-line",
    "ignore:line",
    "ignore-line",
    "NOLINT",
    "nosemgrep",
    "nosonar",
    "NOSONAR",
];
const NEXT_LINE: [&str; 3] = ["disable-next-line", "ignore-next-line", "NOLINTNEXTLINE"];
const NEXT_CODE: [&str; 8] = [
    "@ts-ignore",
    "@ts-expect-error",
    "$FlowFixMe",
    "$FlowIssue",
    "$FlowExpectedError",
    "$FlowIgnore",
    "deno-lint-ignore",
    "noinspection",
];
const POSITION: [&str; 24] = [
    "eslint-",
    "oxlint-",
    "tslint:",
    "stylelint-",
    "jshint ",
    "jslint ",
    "biome-ignore",
    "rome-ignore",
    "prettier-ignore",
    "dprint-ignore",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "node:coverage",
    "cspell:",
    "#__PURE__",
    "@__PURE__",
    "#__NO_SIDE_EFFECTS__",
    "@__NO_SIDE_EFFECTS__",
    "webpack",
    "@vite-ignore",
    "turbopack",
    "@jsx",
    "@license",
];

impl Scope {
    fn of(comment: &str) -> Option<Self> {
        let has = |marks: &[&str]| marks.iter().any(|mark| comment.contains(mark));
        let body = comment.trim_start_matches(['/', '*', '!', '<', '-', ' ', '\t', '\n', '\r']);
        // `#` begins comments of some languages, and some marks.
        let plain = body.trim_start_matches(['#', ' ']);
        let begins = |marks: &[&str]| {
            marks
                .iter()
                .any(|mark| body.starts_with(mark) || plain.starts_with(mark))
        };
        if has(&NEXT_LINE) {
            Some(Self::NextLine)
        } else if has(&SAME_LINE) {
            Some(Self::SameLine)
        } else if has(&NEXT_CODE) {
            Some(Self::NextCode)
        } else if begins(&POSITION) {
            Some(Self::Position)
        } else {
            None
        }
    }
}

/// One such comment and the code that it applies to.
pub(crate) struct Pragma {
    pub(crate) comment: Span,
    key: String,
    /// The number of words of code before it.
    position: usize,
    /// The indices of the words that it covers.
    covered: Range<usize>,
    /// The line with the covered code.
    pub(crate) line: Span,
}

/// Whether a pragma of `before` applies to other code in `after`. Numbers are skipped, because some
/// printers change their form.
pub(crate) fn any_moved(
    before: &str,
    comments_before: &[Span],
    after: &str,
    comments_after: &[Span],
) -> bool {
    let old = pragmas(before, comments_before, Numbers::Skip);
    let new = pragmas(after, comments_after, Numbers::Skip);
    moved(&old, &new).next().is_some()
}

/// Rejects a result in which a pragma applies to other code. Each text has its outline.
pub(crate) fn check(
    (before, old): (&str, &Outline),
    (after, new): (&str, &Outline),
) -> Result<(), FormatError> {
    match any_moved(before, &old.comments, after, &new.comments) {
        true => Err(FormatError::damaged(
            "a comment that a tool reads would apply to other code",
        )),
        false => Ok(()),
    }
}

/// Whether digits are words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Count,
    Skip,
}

/// The pragmas among `comments`, in order.
pub(crate) fn pragmas(text: &str, comments: &[Span], numbers: Numbers) -> Vec<Pragma> {
    let scope_of = |comment: &Span| Scope::of(text.get(comment.range())?);
    if !comments.iter().any(|comment| scope_of(comment).is_some()) {
        return Vec::new();
    }
    let words = words(text, comments, numbers);
    let lines = LineIndex::new(text);
    let line_span = |line| Span::from(lines.line_start(line)..lines.line_start(line + 1));
    let count_before = |at| words.partition_point(|word| *word < at);
    let last_line = lines.line_count().saturating_sub(1);
    comments
        .iter()
        .filter_map(|comment| {
            let scope = scope_of(comment)?;
            let next = lines.line_of(comment.end()) + 1;
            let line = match scope {
                Scope::SameLine => lines.line_of(comment.start()),
                Scope::NextLine => next.min(last_line),
                Scope::NextCode | Scope::Position => (next..=last_line)
                    .find(|line| has_code(text, line_span(*line), comments))
                    .unwrap_or(last_line),
            };
            let line = line_span(line);
            let covered = match scope {
                Scope::Position => 0..0,
                _ => count_before(line.start())..count_before(line.end()),
            };
            Some(Pragma {
                comment: *comment,
                key: comment_key(&text[comment.range()]),
                position: count_before(comment.start()),
                covered,
                line,
            })
        })
        .collect()
}

/// The pragmas of `before` that apply to other code in `after`.
pub(crate) fn moved<'p>(
    before: &'p [Pragma],
    after: &'p [Pragma],
) -> impl Iterator<Item = &'p Pragma> {
    before
        .iter()
        .enumerate()
        .filter(|(index, old)| match after.get(*index) {
            Some(new) => !old.applies_to_same_code_as(new),
            None => true,
        })
        .map(|(_, old)| old)
}

impl Pragma {
    /// The range of the comment and the code that it applies to.
    pub(crate) fn range(&self) -> Range<usize> {
        let covered = match self.covered.is_empty() {
            true => self.comment,
            false => self.line,
        };
        self.comment.start().min(covered.start())..self.comment.end().max(covered.end())
    }

    fn applies_to_same_code_as(&self, other: &Self) -> bool {
        let covers = self.covered.is_empty()
            || (other.covered.start <= self.covered.start && self.covered.end <= other.covered.end);
        self.key == other.key && self.position == other.position && covers
    }
}

/// The start offsets of the words of code.
fn words(text: &str, comments: &[Span], numbers: Numbers) -> Vec<usize> {
    let is_word = |c: char| match c {
        '_' | '$' => true,
        _ if numbers == Numbers::Skip => c.is_alphabetic(),
        _ => c.is_alphanumeric(),
    };
    let mut found = Vec::new();
    let mut comments = comments.iter().peekable();
    let mut inside = false;
    let mut code_from = 0;
    for (at, c) in text.char_indices() {
        while let Some(comment) = comments.next_if(|comment| comment.start() <= at) {
            code_from = comment.end().max(code_from);
        }
        let word = at >= code_from && is_word(c);
        if word && !inside {
            found.push(at);
        }
        inside = word;
    }
    found
}

fn has_code(text: &str, line: Span, comments: &[Span]) -> bool {
    let from = comments.partition_point(|comment| comment.end() <= line.start());
    let mut at = line.start();
    for comment in comments.get(from..).unwrap_or_default() {
        if comment.start() >= line.end() {
            break;
        }
        let code = text.get(at..comment.start()).unwrap_or_default();
        // A comment among JSX children is in braces of its own.
        if !code
            .trim_matches(|c: char| c.is_whitespace() || c == '{' || c == '}')
            .is_empty()
        {
            return true;
        }
        at = comment.end().max(at);
    }
    let code = text.get(at..line.end()).unwrap_or_default().trim();
    !code.is_empty() && (code != "}" || at == line.start())
}
