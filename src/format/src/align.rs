//! Maps lines of a text to lines of its printed form, with a token diff.

use std::ops::Range;

use fixpoint_text::Span;
use imara_diff::{Algorithm, Diff, InternedInput};

/// Maps tokens of the original to tokens of the printed text.
pub(crate) struct Alignment<'t> {
    original: &'t str,
    printed: &'t str,
    tokens: Vec<Range<usize>>,
    printed_tokens: Vec<Range<usize>>,
    /// For each token of the original, its index in the printed text, if it exists.
    images: Vec<Option<usize>>,
}

impl<'t> Alignment<'t> {
    pub(crate) fn new(original: &'t str, printed: &'t str) -> Self {
        let tokens = tokens_of(original);
        let printed_tokens = tokens_of(printed);
        let mut input = InternedInput::default();
        input.update_before(tokens.iter().map(|token| &original[token.clone()]));
        input.update_after(printed_tokens.iter().map(|token| &printed[token.clone()]));
        let diff = Diff::compute(Algorithm::Histogram, &input);
        let mut images = Vec::with_capacity(tokens.len());
        let mut after = 0;
        for before in 0..tokens.len() as u32 {
            if diff.is_removed(before) {
                images.push(None);
                continue;
            }
            while (after as usize) < printed_tokens.len() && diff.is_added(after) {
                after += 1;
            }
            images.push(Some(after as usize));
            after += 1;
        }
        Self {
            original,
            printed,
            tokens,
            printed_tokens,
            images,
        }
    }

    /// The lines of the printed text that come from the lines `kept` of the original, if they
    /// contain nothing else.
    pub(crate) fn lines_of(&self, kept: Span) -> Option<Span> {
        let first = self
            .tokens
            .partition_point(|token| token.start < kept.start());
        let next = self
            .tokens
            .partition_point(|token| token.start < kept.end());
        let start = self.line_begun_by(first)?;
        let end = if next < self.tokens.len() {
            self.line_begun_by(next)?
        } else {
            self.printed.len()
        };
        // Blank lines after the kept lines belong to the printer.
        let content = self.printed.get(start..end)?.trim_end();
        let length = match self.printed[start + content.len()..end].find('\n') {
            Some(newline) => content.len() + newline + 1,
            None => end - start,
        };
        Span::new(start, start + length)
    }

    /// The start of the printed line whose first token is the image of a token.
    fn line_begun_by(&self, token: usize) -> Option<usize> {
        let image = (*self.images.get(token)?)?;
        let at = self.printed_tokens.get(image)?.start;
        let start = self.printed[..at]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        self.printed[start..at].trim().is_empty().then_some(start)
    }
}

impl Alignment<'_> {
    /// The starts of all lines that begin with the same token in both texts, and the ends of both.
    pub(crate) fn cuts(&self) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let mut line = None;
        for (token, place) in self.tokens.iter().enumerate() {
            let original = line_start(self.original, place.start);
            if line.replace(original) == Some(original) {
                continue;
            }
            let Some(printed) = self.line_begun_by(token) else {
                continue;
            };
            let content = self.printed[printed..].trim_start_matches([' ', '\t']);
            cuts.push(Cut {
                original,
                printed,
                indent: self.printed.len() - printed - content.len(),
                closes: content.starts_with([')', ']', '}']) || content.starts_with("</"),
                is_first: token == 0,
                is_last: false,
            });
        }
        cuts.push(Cut {
            original: self.original.len(),
            printed: self.printed.len(),
            indent: 0,
            closes: false,
            is_first: false,
            is_last: true,
        });
        cuts
    }
}

/// A position where both texts can be cut: the start of a line, or the end of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) original: usize,
    pub(crate) printed: usize,
    /// How far the line is indented in the printed text.
    pub(crate) indent: usize,
    /// Whether the line begins with a closing bracket or closing tag.
    pub(crate) closes: bool,
    /// Whether only blank lines are before it.
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Words, and all other characters except white space as single tokens.
fn tokens_of(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match tokens.last_mut() {
            Some(last) if in_word && is_word(c) => last.end = end,
            _ if c.is_whitespace() => {}
            _ => tokens.push(at..end),
        }
        in_word = is_word(c);
    }
    tokens
}
