//! Chooses the delimiters for emphasis: `_` for emphasis and `**` for strong, where these mean the
//! same as the written ones.

use std::borrow::Cow;
use std::ops::Range;

use super::inline::{Decoration, Inline, Kind, Piece, Style};
use super::pairs::Sides;

/// The delimiters as written.
pub(super) fn written(text: &str, decoration: &Decoration) -> &'static str {
    let double = decoration.content.start - decoration.span.start == 2;
    match (text.as_bytes()[decoration.span.start], double) {
        (b'*', false) => "*",
        (b'*', true) => "**",
        (b'_', false) => "_",
        (b'_', true) => "__",
        (_, false) => "~",
        (_, true) => "~~",
    }
}

/// The delimiters of all decorations, in order.
pub(super) fn chosen(text: &str, inline: &Inline) -> Vec<&'static str> {
    let decorations = &inline.decorations;
    if !decorations.is_empty()
        && inline
            .pieces
            .iter()
            .any(|piece| has_marked_formula(text, piece))
    {
        let written = |decoration| written(text, decoration);
        return decorations.iter().map(written).collect();
    }
    let mut parents = Vec::with_capacity(decorations.len());
    let mut around: Vec<usize> = Vec::new();
    for (index, decoration) in decorations.iter().enumerate() {
        while around
            .last()
            .is_some_and(|&outer| decorations[outer].span.end <= decoration.span.start)
        {
            around.pop();
        }
        parents.push(around.last().copied());
        around.push(index);
    }
    let mut choice = Choice {
        text,
        inline,
        parents,
        marks: vec![None; decorations.len()],
    };
    (0..decorations.len())
        .map(|index| choice.of(index))
        .collect()
}

/// Whether the piece is a formula or a part of a template with delimiters in it, as in `*5$* or *6$*`.
/// A parser without formulas pairs them with those outside.
fn has_marked_formula(text: &str, piece: &Piece) -> bool {
    let raw = &text[piece.start..piece.end];
    piece.kind == Kind::Html
        && raw.starts_with(['$', '{'])
        && ['*', '_'].into_iter().any(|mark| {
            runs(raw, mark).any(|(start, end)| {
                let sides = Sides {
                    before: raw[..start].chars().next_back(),
                    after: raw[end..].chars().next(),
                };
                let anywhere = mark == '*';
                sides.can_open(anywhere) || sides.can_close(anywhere)
            })
        })
}

struct Choice<'a> {
    text: &'a str,
    inline: &'a Inline,
    parents: Vec<Option<usize>>,
    marks: Vec<Option<&'static str>>,
}

/// The text directly beside a decoration.
struct Neighbors {
    /// `*` or `_` that are plain text, before and after.
    texts: [Option<char>; 2],
    is_decoration: bool,
}

impl Choice<'_> {
    fn of(&mut self, index: usize) -> &'static str {
        if let Some(marks) = self.marks[index] {
            return marks;
        }
        let marks = self.resolve(index);
        self.marks[index] = Some(marks);
        marks
    }

    fn resolve(&mut self, index: usize) -> &'static str {
        let decoration = self.inline.decorations[index].clone();
        let written = written(self.text, &decoration);
        if decoration.is_label || self.is_beside_struck_word(&decoration.span) {
            return written;
        }
        let sides = self.sides(index);
        let in_word = [sides.before, sides.after]
            .iter()
            .any(|side| side.is_some_and(char::is_alphanumeric));
        let candidates = match decoration.style {
            Style::Strikethrough => return "~~",
            Style::Emphasis if in_word => ["*", "_"],
            Style::Emphasis => ["_", "*"],
            Style::Strong => ["**", "__"],
        };
        let neighbors = self.neighbors(&decoration.span, sides);
        if neighbors.is_decoration {
            return written;
        }
        for candidate in candidates {
            let mark = char::from(candidate.as_bytes()[0]);
            let allowed = candidate == written || self.allows(index, &neighbors, mark, written);
            if allowed && self.fits(index, candidate, sides) {
                return candidate;
            }
        }
        written
    }

    /// The characters around a decoration. `None` where the delimiters of the parent are next to
    /// it, because those are chosen later.
    fn sides(&self, index: usize) -> Sides {
        let span = &self.inline.decorations[index].span;
        let content = self.parents[index].map(|parent| &self.inline.decorations[parent].content);
        let begins = content.is_some_and(|content| content.start == span.start);
        let ends = content.is_some_and(|content| content.end == span.end);
        Sides {
            before: self.text[..span.start]
                .chars()
                .next_back()
                .filter(|_| !begins),
            after: self.text[span.end..].chars().next().filter(|_| !ends),
        }
    }

    /// Whether only tildes are between the decoration and a word, as in `~~a~~*b*`. Some parsers
    /// skip tildes when they decide whether a `_` is inside a word, others do not.
    fn is_beside_struck_word(&self, span: &Range<usize>) -> bool {
        let (before, after) = (&self.text[..span.start], &self.text[span.end..]);
        let word_before = before.trim_end_matches('~').chars().next_back();
        let word_after = after.trim_start_matches('~').chars().next();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        before.ends_with('~') && is_word(word_before)
            || after.starts_with('~') && is_word(word_after)
    }

    fn neighbors(&self, span: &Range<usize>, sides: Sides) -> Neighbors {
        let mark = |side: Option<char>| side.filter(|c| matches!(c, '*' | '_'));
        let texts = [mark(sides.before), mark(sides.after)];
        let touches = |other: &Decoration| {
            (texts[0].is_some() && other.span.end == span.start)
                || (texts[1].is_some() && other.span.start == span.end)
        };
        let is_decoration = (texts[0].is_some() || texts[1].is_some())
            && self.inline.decorations.iter().any(touches);
        Neighbors {
            texts,
            is_decoration,
        }
    }

    /// Whether delimiters other than the written ones keep the meaning of the text beside them.
    fn allows(&self, index: usize, neighbors: &Neighbors, mark: char, written: &str) -> bool {
        let was = char::from(written.as_bytes()[0]);
        if neighbors.texts.contains(&Some(mark)) {
            return false;
        }
        if !neighbors.texts.contains(&Some(was)) {
            return true;
        }
        // The rest of a longer delimiter run must not pair with anything else.
        let span = self.inline.decorations[index].span.clone();
        let mut alone = true;
        self.each_plain(0..self.text.len(), |range| {
            for (start, end) in runs(&self.text[range.clone()], was) {
                let (start, end) = (range.start + start, range.start + end);
                let sides = Sides {
                    before: self.text[..start].chars().next_back(),
                    after: self.text[end..].chars().next(),
                };
                let anywhere = was == '*';
                let pairs = sides.can_open(anywhere) || sides.can_close(anywhere);
                alone &= !pairs || end == span.start || start == span.end;
            }
        });
        let mut outer = self.parents[index];
        while let Some(parent) = outer {
            alone &= self.marks[parent].is_some_and(|marks| !marks.starts_with(was));
            outer = self.parents[parent];
        }
        alone
    }

    /// Whether the delimiters can open and close around the content, which has no delimiters of the
    /// same kind.
    fn fits(&mut self, index: usize, candidate: &str, sides: Sides) -> bool {
        let mark = char::from(candidate.as_bytes()[0]);
        let content = self.wrapped(index, candidate);
        let first = self.first(&content);
        let last = self.last(&content);
        let anywhere = mark == '*';
        let opening = Sides {
            before: sides.before,
            after: first,
        };
        let closing = Sides {
            before: last,
            after: sides.after,
        };
        let delimits = opening.can_open(anywhere) && closing.can_close(anywhere);
        if !delimits || first == Some(mark) || last == Some(mark) {
            return false;
        }
        let mut meets = false;
        self.each_plain(content.clone(), |range| {
            let plain = self.text[range].trim_matches([' ', '\t']);
            meets |= runs(plain, mark).any(|(start, end)| {
                let sides = Sides {
                    before: plain[..start].chars().next_back().or(Some(mark)),
                    after: plain[end..].chars().next().or(Some(mark)),
                };
                sides.can_open(anywhere) || sides.can_close(anywhere)
            });
        });
        !(meets || mark == '_' && self.ends_with_domain(&content))
    }

    /// The range that the delimiters enclose: `***` is emphasis around strong.
    fn wrapped(&mut self, index: usize, candidate: &str) -> Range<usize> {
        let content = self.inline.decorations[index].content.clone();
        if self.inline.decorations[index].style == Style::Emphasis {
            let inner = self.at_start(&content);
            if let Some(inner) =
                inner.filter(|&inner| self.inline.decorations[inner].span == content)
                && self.inline.decorations[inner].style == Style::Strong
                && self.of(inner).starts_with(candidate)
            {
                return self.inline.decorations[inner].content.clone();
            }
        }
        content
    }

    fn at_start(&self, content: &Range<usize>) -> Option<usize> {
        self.inline
            .decorations
            .binary_search_by_key(&content.start, |decoration| decoration.span.start)
            .ok()
    }

    fn first(&mut self, content: &Range<usize>) -> Option<char> {
        match self.at_start(content) {
            Some(inner) => self.of(inner).chars().next(),
            None => self.text[content.clone()].chars().next(),
        }
    }

    /// The last character. `None` also if it is escaped.
    fn last(&mut self, content: &Range<usize>) -> Option<char> {
        let decorations = &self.inline.decorations;
        let from = decorations.partition_point(|decoration| decoration.span.start < content.start);
        let inner = (from..decorations.len())
            .take_while(|&index| decorations[index].span.start < content.end)
            .find(|&index| decorations[index].span.end == content.end);
        if let Some(inner) = inner {
            return self.of(inner).chars().last();
        }
        let in_piece = self.inline.piece_ending_at(content.end).is_some();
        let text = &self.text[content.clone()];
        if in_piece {
            text.chars().last()
        } else {
            last_unescaped(text)
        }
    }

    /// Calls `call` with every range of plain text in `within`.
    fn each_plain(&self, within: Range<usize>, mut call: impl FnMut(Range<usize>)) {
        let pieces = &self.inline.pieces;
        let mut at = within.start;
        for piece in &pieces[pieces.partition_point(|piece| piece.start < within.start)..] {
            if piece.start >= within.end {
                break;
            }
            if piece.start > at {
                call(at..piece.start);
            }
            at = piece.end;
        }
        if at < within.end {
            call(at..within.end);
        }
    }

    /// Whether the content ends with the host of a URL that readers turn into a link.
    fn ends_with_domain(&self, content: &Range<usize>) -> bool {
        let in_piece = self.inline.piece_ending_at(content.end).is_some();
        !in_piece
            && trailing_host(&self.text[content.clone()]).is_some_and(|host| {
                host.chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'))
            })
    }
}

/// Text in an emphasis, with a backslash before each run of delimiters that could open or close one.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut from = 0;
    // The end of the character after the last run, which cannot also be before another run.
    let mut free = 0;
    let mut at = 0;
    while let Some(found) =
        memchr::memchr2(b'*', b'_', text.get(at..).unwrap_or_default().as_bytes())
    {
        let start = at + found;
        at = start + super::scan::run(&text.as_bytes()[start..], text.as_bytes()[start]);
        let before = text[..start].chars().next_back();
        let after = text[at..].chars().next();
        let begins_word = before.is_none_or(char::is_whitespace);
        let is_plain = last_unescaped(&text[..start]) != Some('\\');
        if !is_plain || start <= free && free > 0 && !begins_word {
            continue;
        }
        free = at + after.map_or(0, char::len_utf8);
        let sides = Sides { before, after };
        let anywhere = text.as_bytes()[start] == b'*';
        let delimits = sides.can_open(anywhere) || sides.can_close(anywhere);
        if before.is_some() && after.is_some() && delimits {
            escaped.push_str(&text[from..start]);
            escaped.push('\\');
            from = start;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    escaped.push_str(&text[from..]);
    Cow::Owned(escaped)
}

/// The last character, unless it is escaped.
pub(super) fn last_unescaped(text: &str) -> Option<char> {
    let last = text.chars().next_back()?;
    let before = &text[..text.len() - last.len_utf8()];
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    backslashes.is_multiple_of(2).then_some(last)
}

/// Every run of `mark` that is not escaped.
fn runs(text: &str, mark: char) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            at += match byte {
                b'\\' => 2,
                b'*' | b'_' => super::scan::run(&bytes[at..], byte),
                _ => 1,
            };
            if char::from(byte) == mark {
                return Some((start, at));
            }
        }
        None
    })
}

/// The text after the scheme of a URL that reaches to the end of the text.
pub(super) fn trailing_host(text: &str) -> Option<&str> {
    let word = text
        .rsplit(|c: char| c.is_whitespace() || c == '<')
        .next()?;
    let schemed = word.match_indices("://").find_map(|(at, sign)| {
        let letters = word[..at]
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len();
        ["http", "https", "ftp"]
            .iter()
            .any(|scheme| word[letters..at].eq_ignore_ascii_case(scheme))
            .then_some((letters, at + sign.len()))
    });
    let bare = word
        .match_indices("www.")
        .find(|(at, _)| *at == 0 || word[..*at].ends_with(['*', '_', '~', '(']))
        .map(|(at, _)| (at, at));
    let (_, host) = schemed.into_iter().chain(bare).min()?;
    Some(&word[host..])
}
