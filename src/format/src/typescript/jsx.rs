//! Preserves JSX white space that React renders and the printer would drop.
//!
//! The printer trims every text and joins its words with one space. So before the text is printed,
//! [`protect`] turns rendered spaces into expressions such as `{" "}`. It also turns other white
//! space, such as a no-break space, into private characters. [`reveal`] undoes both in the result.

use std::ops::Range;

use oxc_allocator::Vec as ArenaVec;
use oxc_ast::ast::{JSXChild, JSXExpression, Program};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

/// The first private character, one of the code points that Unicode assigns to no character. White
/// space number `n` of [`OTHER_SPACES`] becomes this plus `n`.
const FIRST_PRIVATE: u32 = 0xFDD0;

/// White space that is neither a blank, a tab nor a line break.
const OTHER_SPACES: [char; 21] = [
    '\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{1680}', '\u{2000}', '\u{2001}', '\u{2002}',
    '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}', '\u{200a}',
    '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
];

/// Returns `text` in a form whose meaning the printer keeps. `None` if no change is needed.
pub(super) fn protect(text: &str, program: &Program<'_>) -> Option<String> {
    let mut protector = Protector {
        text,
        edits: Vec::new(),
        private_characters: !text.chars().any(is_private),
    };
    protector.visit_program(program);
    apply(text, protector.edits)
}

/// Removes from the printer's result what [`protect`] added, where it is not needed.
pub(super) fn reveal(printed: &str, program: &Program<'_>) -> Option<String> {
    let mut revealer = Revealer {
        text: printed,
        edits: Vec::new(),
    };
    revealer.visit_program(program);
    apply(printed, revealer.edits)
}

fn is_private(c: char) -> bool {
    (FIRST_PRIVATE..FIRST_PRIVATE + OTHER_SPACES.len() as u32).contains(&(c as u32))
}

/// The spaces of an expression child such as `{" "}`.
pub(super) fn only_spaces<'c>(child: &'c JSXChild<'_>) -> Option<&'c str> {
    let JSXChild::ExpressionContainer(container) = child else {
        return None;
    };
    let JSXExpression::StringLiteral(string) = &container.expression else {
        return None;
    };
    let value = string.value.as_str();
    (!value.is_empty() && value.bytes().all(|byte| byte == b' ')).then_some(value)
}

/// A replacement of a byte range, in text order.
type Edit = (Range<usize>, String);

fn apply(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::with_capacity(text.len() + edits.len() * 8);
    let mut at = 0;
    for (range, replacement) in edits {
        result.push_str(text.get(at..range.start)?);
        result.push_str(&replacement);
        at = range.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

fn range_of(child: &JSXChild<'_>) -> Range<usize> {
    let span = child.span();
    span.start as usize..span.end as usize
}

struct Protector<'t> {
    text: &'t str,
    edits: Vec<Edit>,
    /// Whether private characters can be used, because the text has none of its own.
    private_characters: bool,
}

impl<'a> Visit<'a> for Protector<'_> {
    fn visit_jsx_children(&mut self, children: &ArenaVec<'a, JSXChild<'a>>) {
        for (index, child) in children.iter().enumerate() {
            if matches!(child, JSXChild::Text(_)) {
                self.protect(range_of(child), index == 0, index + 1 == children.len());
            }
        }
        walk::walk_jsx_children(self, children);
    }
}

impl Protector<'_> {
    fn protect(&mut self, range: Range<usize>, is_first: bool, is_last: bool) {
        let Some(content) = self.text.get(range.clone()) else {
            return;
        };
        let mut start = range.start;
        for line in content.split_inclusive('\n') {
            let end = start + line.len();
            let begins = start == range.start;
            let ends = end == range.end && !line.ends_with('\n');
            let line = line.trim_end_matches(['\n', '\r']);
            self.protect_line(line, start, (begins, ends), (is_first, is_last));
            start = end;
        }
    }

    /// `begins` and `ends` say whether the line is the first and the last of its text. Only there
    /// are spaces at the edges rendered. The printer keeps a single space between two children
    /// itself.
    fn protect_line(
        &mut self,
        line: &str,
        start: usize,
        (begins, ends): (bool, bool),
        (is_first, is_last): (bool, bool),
    ) {
        let mut at = 0;
        while let Some(c) = line[at..].chars().next() {
            let from = at;
            if c == ' ' {
                at += line[at..].len() - line[at..].trim_start_matches(' ').len();
                let needed = match (from == 0, at == line.len()) {
                    (true, true) => begins && ends && (is_first || is_last || at > 1),
                    (true, false) => begins && (is_first || at > 1),
                    (false, true) => ends && (is_last || at - from > 1),
                    (false, false) => at - from > 1,
                };
                if needed {
                    let spaces = " ".repeat(at - from);
                    let range = start + from..start + at;
                    self.edits.push((range, format!("{{\"{spaces}\"}}")));
                }
                continue;
            }
            at += c.len_utf8();
            let number = OTHER_SPACES.iter().position(|space| *space == c);
            let private = number.and_then(|n| char::from_u32(FIRST_PRIVATE + n as u32));
            if let Some(private) = private.filter(|_| self.private_characters) {
                self.edits
                    .push((start + from..start + at, private.to_string()));
            }
        }
    }
}

struct Revealer<'t> {
    text: &'t str,
    edits: Vec<Edit>,
}

impl<'a> Visit<'a> for Revealer<'_> {
    fn visit_jsx_children(&mut self, children: &ArenaVec<'a, JSXChild<'a>>) {
        for (index, child) in children.iter().enumerate() {
            if matches!(child, JSXChild::Text(_)) {
                self.restore_private(range_of(child));
            }
            let Some(spaces) = only_spaces(child) else {
                continue;
            };
            let before = index.checked_sub(1).and_then(|before| children.get(before));
            let touches_before = self.touches(before, |text| text.chars().next_back());
            let touches_after = self.touches(children.get(index + 1), |text| text.chars().next());
            if touches_before && touches_after {
                self.edits.push((range_of(child), spaces.to_owned()));
            }
        }
        walk::walk_jsx_children(self, children);
    }
}

impl Revealer<'_> {
    fn restore_private(&mut self, range: Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        for (at, c) in text.char_indices().filter(|(_, c)| is_private(*c)) {
            let start = range.start + at;
            let space = OTHER_SPACES[(c as u32 - FIRST_PRIVATE) as usize];
            self.edits
                .push((start..start + c.len_utf8(), space.to_string()));
        }
    }

    /// Whether spaces next to this child can be printed as they are.
    fn touches(&self, child: Option<&JSXChild<'_>>, edge: fn(&str) -> Option<char>) -> bool {
        match child {
            None => true,
            Some(JSXChild::Text(_)) => child
                .and_then(|child| self.text.get(range_of(child)))
                .and_then(edge)
                .is_some_and(|c| !c.is_whitespace()),
            Some(child) => only_spaces(child).is_none(),
        }
    }
}
