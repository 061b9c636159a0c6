//! The children of a JSX element as contents with separators between them.
//!
//! JSX joins the lines of a text with one space. So the printer may replace a space inside text by a
//! line end, and the reverse. JSX drops white space that contains a line end next to a tag. So a
//! rendered space at the start or the end of a line is printed as `{" "}`.

use crate::doc::{Doc, DocBuilder};

pub(super) enum Child<'a> {
    /// Text as it is in the source. `{" "}` is text too.
    Text(&'a str),
    Node {
        doc: Doc<'a>,
        /// An element without a closing tag.
        is_self_closing: bool,
    },
}

impl Child<'_> {
    fn is_self_closing(&self) -> bool {
        matches!(
            self,
            Child::Node {
                is_self_closing: true,
                ..
            }
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// A blank that JSX keeps.
    Blank,
    /// A blank between two words.
    Line,
    Softline,
    Hardline,
}

/// Text that JSX does not drop.
pub(super) fn is_meaningful(text: &str) -> bool {
    !text.contains('\n') || !text.trim_matches(is_blank).is_empty()
}

fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\n' | '\r' | '\t')
}

fn is_single(word: &str) -> bool {
    word.encode_utf16().count() == 1
}

/// Contents and separators in turn, contents first. A content may be empty.
pub(super) struct Children<'a> {
    contents: Vec<Doc<'a>>,
    separators: Vec<Separator>,
    /// An `<fbt>` element, whose blanks matter to a translation tool.
    is_translation: bool,
}

impl<'a> Children<'a> {
    pub(super) fn new(
        builder: &DocBuilder<'a>,
        children: &[Child<'a>],
        is_translation: bool,
    ) -> Self {
        let mut parts = Self {
            contents: vec![Doc::NIL],
            separators: Vec::new(),
            is_translation,
        };
        for (index, child) in children.iter().enumerate() {
            let next = children.get(index + 1);
            match child {
                Child::Text(text) => parts.push_text(builder, text, next),
                Child::Node { doc, .. } => {
                    parts.push(builder, *doc);
                    match next {
                        Some(Child::Text(text)) if is_meaningful(text) => {
                            let word = first_word(text);
                            parts.separate_directly(word, child.is_self_closing(), next);
                        }
                        _ => parts.separators_push(Separator::Hardline),
                    }
                }
            }
        }
        let contains_text = children
            .iter()
            .any(|child| matches!(child, Child::Text(text) if is_meaningful(text)));
        parts.merge_separators(contains_text);
        parts
    }

    fn push(&mut self, builder: &DocBuilder<'a>, doc: Doc<'a>) {
        if let Some(last) = self.contents.last_mut() {
            *last = if last.is_nil() {
                doc
            } else {
                builder.concat(&[*last, doc])
            };
        }
    }

    fn separators_push(&mut self, separator: Separator) {
        self.separators.push(separator);
        self.contents.push(Doc::NIL);
    }

    fn push_text(&mut self, builder: &DocBuilder<'a>, text: &'a str, next: Option<&Child<'a>>) {
        if !is_meaningful(text) {
            // Keep one blank line between nodes.
            if text.matches('\n').count() > 1 {
                self.separators_push(Separator::Hardline);
            }
            return;
        }
        let body = text.trim_start_matches(is_blank);
        let leading = &text[..text.len() - body.len()];
        let trimmed = body.trim_end_matches(is_blank);
        let trailing = &body[trimmed.len()..];
        if leading.contains('\n') {
            let ends_on_same_line = !trailing.is_empty() && !trailing.contains('\n');
            let next = next.filter(|_| !ends_on_same_line);
            self.separate_by_line_end(first_word(text), next);
        } else if !leading.is_empty() {
            self.separators_push(Separator::Blank);
        }
        let mut last = None;
        for word in trimmed.split(is_blank).filter(|word| !word.is_empty()) {
            if last.is_some() {
                self.separators_push(Separator::Line);
            }
            self.push(builder, Doc::Text(word));
            last = Some(word);
        }
        let Some(last) = last else {
            return;
        };
        if trailing.contains('\n') {
            self.separate_by_line_end(last, next);
        } else if trailing.is_empty() {
            self.separate_directly(last, false, next);
        } else {
            self.separators_push(Separator::Blank);
        }
    }

    /// Between a word and a node without a blank.
    fn separate_directly(
        &mut self,
        word: &str,
        after_self_closing: bool,
        next: Option<&Child<'a>>,
    ) {
        if self.is_translation {
            return;
        }
        let beside_self_closing = after_self_closing || next.is_some_and(Child::is_self_closing);
        self.separators_push(if beside_self_closing && !is_single(word) {
            Separator::Hardline
        } else {
            Separator::Softline
        });
    }

    /// Between a word and a node where the source has a line end.
    fn separate_by_line_end(&mut self, word: &str, next: Option<&Child<'a>>) {
        let may_join =
            !self.is_translation && is_single(word) && !next.is_some_and(Child::is_self_closing);
        self.separators_push(if may_join {
            Separator::Softline
        } else {
            Separator::Hardline
        });
    }

    /// Joins separators with nothing between them, and drops those at the ends.
    fn merge_separators(&mut self, contains_text: bool) {
        use Separator::{Blank, Hardline, Softline};
        for index in (0..self.separators.len().saturating_sub(1)).rev() {
            let (Some(&first), Some(&second)) =
                (self.separators.get(index), self.separators.get(index + 1))
            else {
                continue;
            };
            if !self.contents[index + 1].is_nil() {
                continue;
            }
            let removed = match (first, second) {
                (Hardline, Hardline) if !contains_text => continue,
                (Blank, Softline | Hardline) => index + 1,
                (Hardline, Hardline)
                | (Softline | Hardline | Blank, Blank)
                | (Softline, Hardline)
                | (Hardline, Softline) => index,
                _ => continue,
            };
            self.separators.remove(removed);
            self.contents.remove(index + 1);
        }
        while self.contents.last().is_some_and(Doc::is_nil)
            && self.separators.last().is_some_and(|last| *last != Blank)
        {
            self.contents.pop();
            self.separators.pop();
        }
        while self.contents.first().is_some_and(Doc::is_nil)
            && self.separators.first().is_some_and(|first| *first != Blank)
        {
            self.contents.remove(0);
            self.separators.remove(0);
        }
    }

    pub(super) fn will_break(&self) -> bool {
        self.separators.contains(&Separator::Hardline) || self.contents.iter().any(Doc::will_break)
    }

    /// All children on one line.
    pub(super) fn flat(&self, builder: &DocBuilder<'a>, blank: &'a str) -> Doc<'a> {
        let mut parts = Vec::with_capacity(self.contents.len() * 2);
        for (index, content) in self.contents.iter().enumerate() {
            parts.push(*content);
            if let Some(separator) = self.separators.get(index) {
                parts.push(separator.doc(builder, blank));
            }
        }
        builder.concat(&parts)
    }

    /// The parts of a fill over several lines. `blank` is the spelling of a blank at the start or the end of
    /// a line.
    pub(super) fn multiline(&self, builder: &DocBuilder<'a>, blank: &'a str) -> Vec<Doc<'a>> {
        let mut parts = Vec::with_capacity(self.contents.len() * 2);
        let last = self.separators.len().saturating_sub(1);
        let ends_in_blank = self.contents.last().is_some_and(Doc::is_nil);
        for (index, content) in self.contents.iter().enumerate() {
            parts.push(*content);
            let Some(separator) = self.separators.get(index) else {
                continue;
            };
            let is_trailing = index == last && ends_in_blank;
            if *separator == Separator::Blank && is_trailing {
                // Also the only child.
                let content = parts.pop().unwrap_or(Doc::NIL);
                parts.push(builder.concat(&[content, Doc::Text(blank)]));
                break;
            }
            if *separator == Separator::Blank && index == 0 && content.is_nil() {
                parts.push(builder.concat(&[Doc::Text(blank), Doc::HARDLINE]));
            } else {
                parts.push(separator.doc(builder, blank));
            }
        }
        parts
    }
}

impl Separator {
    fn doc<'a>(self, builder: &DocBuilder<'a>, blank: &'a str) -> Doc<'a> {
        match self {
            Separator::Line => Doc::LINE,
            Separator::Softline => Doc::SOFTLINE,
            Separator::Hardline => Doc::HARDLINE,
            Separator::Blank => builder.if_break(
                builder.concat(&[Doc::Text(blank), Doc::SOFTLINE]),
                Doc::SPACE,
            ),
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split(is_blank)
        .find(|word| !word.is_empty())
        .unwrap_or_default()
}
