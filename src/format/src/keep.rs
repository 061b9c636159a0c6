//! Puts back what the author wants kept: the bytes of `fixpoint: off` regions and of the lines
//! under `fixpoint: ignore[format]`.
//!
//! The whole text is printed first. A region is then found in the output between the same two
//! directives, counted from the top; an ignored line between the tokens that begin it and the
//! line after it, followed through a token diff. Whatever is put back wrongly is caught by the
//! checks on the result.

use std::ops::Range;

use fixpoint_text::{LineIndex, Span};
use imara_diff::{Algorithm, Diff, InternedInput};

use crate::suppress::{Suppressions, directives};
use crate::{FormatError, Language};

pub(crate) use crate::suppress::has_directives;

/// `printed`, the output for `original`, with the kept bytes of `original` in their places.
pub(crate) fn restore(
    language: Language,
    path: &str,
    original: &str,
    printed: &str,
) -> Result<String, FormatError> {
    let wanted = directives(language, path, original);
    let found = directives(language, path, printed);
    if !wanted
        .iter()
        .map(|d| &d.verb)
        .eq(found.iter().map(|d| &d.verb))
    {
        return Err(FormatError::damaged("a directive comment is lost or moved"));
    }
    let wanted_comments = wanted.iter().map(|directive| directive.comment);
    let found_comments = found.iter().map(|directive| directive.comment);
    let wanted = Suppressions::of(original, &wanted);
    let found = Suppressions::of(printed, &found);

    let mut pieces: Vec<Piece> = Vec::new();
    for (from, to) in wanted.off_regions().iter().zip(found.off_regions()) {
        // The off directive is the last one that ends before its region.
        let indents = wanted_comments
            .clone()
            .zip(found_comments.clone())
            .take_while(|(comment, _)| comment.end() <= from.start())
            .last()
            .map_or((0, 0), |(before, after)| {
                (indent_of(original, before), indent_of(printed, after))
            });
        pieces.push(Piece {
            place: *to,
            text: shifted(language, &original[from.range()], indents),
        });
    }
    keep_lines(language, original, printed, &wanted, &mut pieces)?;
    Ok(splice(printed, pieces))
}

/// The first line of which something is to be kept, counted from 0.
pub(crate) fn first_line(language: Language, path: &str, text: &str) -> usize {
    let kept = Suppressions::find(language, path, text);
    let lines = LineIndex::new(text);
    let regions = kept.off_regions().iter();
    let regions = regions.map(|region| lines.line_of(region.start()));
    let ignores = kept.ignores().iter().map(|ignore| ignore.line());
    regions.chain(ignores).min().unwrap_or_default()
}

/// What comes in the place of a span of the printed text.
struct Piece {
    place: Span,
    text: String,
}

fn splice(printed: &str, mut pieces: Vec<Piece>) -> String {
    pieces.sort_by_key(|piece| piece.place);
    let mut result = String::with_capacity(printed.len());
    let mut at = 0;
    for piece in pieces {
        if piece.place.start() < at {
            continue;
        }
        result.push_str(&printed[at..piece.place.start()]);
        result.push_str(&piece.text);
        at = piece.place.end();
    }
    result.push_str(&printed[at..]);
    result
}

fn keep_lines(
    language: Language,
    original: &str,
    printed: &str,
    wanted: &Suppressions,
    pieces: &mut Vec<Piece>,
) -> Result<(), FormatError> {
    let lines = LineIndex::new(original);
    let mut ignored: Vec<usize> = wanted
        .ignores()
        .iter()
        .filter(|ignore| ignore.is_about_format(language))
        .map(|ignore| ignore.line())
        .filter(|&line| {
            let start = lines.line_start(line);
            let inside = |region: &Span| region.range().contains(&start);
            !wanted.off_regions().iter().any(inside)
        })
        .collect();
    ignored.dedup();
    if ignored.is_empty() {
        return Ok(());
    }
    let alignment = Alignment::new(original, printed);
    for line in ignored {
        let kept = Span::from(lines.line_start(line)..lines.line_start(line + 1));
        let place = alignment
            .lines_of(kept)
            .ok_or(FormatError::Unkept { line })?;
        let indents = (
            leading_columns(&original[kept.range()]),
            leading_columns(&printed[place.range()]),
        );
        pieces.push(Piece {
            place,
            text: shifted(language, &original[kept.range()], indents),
        });
    }
    Ok(())
}

/// Which token of the original became which token of the printed text.
struct Alignment<'t> {
    printed: &'t str,
    tokens: Vec<Range<usize>>,
    printed_tokens: Vec<Range<usize>>,
    /// For each token of the original its index in the printed text, if it is there.
    images: Vec<Option<usize>>,
}

impl<'t> Alignment<'t> {
    fn new(original: &str, printed: &'t str) -> Self {
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
            printed,
            tokens,
            printed_tokens,
            images,
        }
    }

    /// The lines of the printed text that came from the lines `kept` of the original, if they
    /// came from nothing else.
    fn lines_of(&self, kept: Span) -> Option<Span> {
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
        // Blank lines after the kept ones are the printer's.
        let content = self.printed.get(start..end)?.trim_end();
        let length = match self.printed[start + content.len()..end].find('\n') {
            Some(newline) => content.len() + newline + 1,
            None => end - start,
        };
        Span::new(start, start + length)
    }

    /// Where the line starts on which the image of a token is the first one.
    fn line_begun_by(&self, token: usize) -> Option<usize> {
        let image = (*self.images.get(token)?)?;
        let at = self.printed_tokens.get(image)?.start;
        let start = self.printed[..at]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        self.printed[start..at].trim().is_empty().then_some(start)
    }
}

/// Words and single other characters; white space is none.
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

/// The indentation of the line a comment stands on.
fn indent_of(text: &str, comment: Span) -> usize {
    let start = text[..comment.start()]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    leading_columns(&text[start..])
}

fn leading_columns(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// `text` moved with the block it stands in, where blocks are told by indentation.
fn shifted(language: Language, text: &str, (before, after): (usize, usize)) -> String {
    if before == after || !language.indentation_matters() {
        return text.to_owned();
    }
    let mut moved = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if after > before && !blank {
            moved.extend(std::iter::repeat_n(' ', after - before));
            moved.push_str(line);
        } else {
            let less = before.saturating_sub(after).min(leading_columns(line));
            moved.push_str(&line[less..]);
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restore_text(original: &str, printed: &str) -> Result<String, FormatError> {
        restore(Language::Text, "a.txt", original, printed)
    }

    #[test]
    fn regions_come_back_byte_for_byte() {
        let original = "x  =  1\n# fixpoint: off\na   b\n\n\n# fixpoint: on\ny  = 2\n";
        let printed = "x = 1\n\n# fixpoint: off\na b\n# fixpoint: on\ny = 2\n";
        let expected = "x = 1\n\n# fixpoint: off\na   b\n\n\n# fixpoint: on\ny = 2\n";
        assert_eq!(restore_text(original, printed).as_deref(), Ok(expected));
    }

    #[test]
    fn an_ignored_line_comes_back_from_several() {
        let original = "a(1,  2)\nb( 3,4 ) # fixpoint: ignore[format]\n\nc( 5 )\n";
        let printed = "a(1, 2)\nb(\n  3,\n  4,\n) # fixpoint: ignore[format]\n\nc(5)\n";
        let expected = "a(1, 2)\nb( 3,4 ) # fixpoint: ignore[format]\n\nc(5)\n";
        assert_eq!(restore_text(original, printed).as_deref(), Ok(expected));
    }

    #[test]
    fn a_line_that_was_joined_with_another_cannot_be_kept() {
        let original = "a(\n  1, # fixpoint: ignore[format]\n  2)\n";
        let printed = "a(1, 2) # fixpoint: ignore[format]\n";
        assert_eq!(
            restore_text(original, printed),
            Err(FormatError::Unkept { line: 1 })
        );
    }

    #[test]
    fn a_lost_directive_is_an_error() {
        assert!(restore_text("# fixpoint: off\na\n", "a\n").is_err());
    }

    #[test]
    fn kept_lines_move_with_their_block_where_indentation_counts() {
        let text = "  a\n\n    b\n";
        assert_eq!(shifted(Language::Yaml, text, (2, 4)), "    a\n\n      b\n");
        assert_eq!(shifted(Language::Yaml, text, (2, 0)), "a\n\n  b\n");
        assert_eq!(shifted(Language::Css, text, (2, 0)), text);
    }
}
