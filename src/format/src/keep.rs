//! Restores what the author wants to keep: the bytes of `fixpoint: off` regions and of the lines
//! under `fixpoint: ignore[format]`.
//!
//! The whole text is printed first. The lines of a region are then located in the output between
//! the same two directives, counted from the top. An ignored line is located with a token diff,
//! between its first token and that of the next line. If the printed text with these lines is not a
//! layout of the original, the kept range grows. It grows to the surrounding lines that are
//! indented less, one level of indentation at a time. So a region that begins or ends inside an
//! expression keeps the statement around it.

use fixpoint_text::{LineIndex, Span};

use crate::align::{Alignment, Cut};
use crate::suppress::{Directive, Region, Suppressions, directives, regions};
use crate::{FormatError, Language};

pub(crate) use crate::suppress::has_directives;

/// Returns `printed`, the output for `original`, with the kept lines of `original` restored.
///
/// `is_whole` decides whether such a text is a layout of the original.
pub(crate) fn restore(
    language: Language,
    path: &str,
    original: &str,
    printed: &str,
    is_whole: impl Fn(&str) -> bool,
) -> Result<String, FormatError> {
    let wanted = directives(language, path, original);
    let kept = kept_lines(language, original, &wanted);
    let Some(first) = kept.iter().map(|kept| kept.lines.start()).min() else {
        return Ok(printed.to_owned());
    };
    let unkept = || FormatError::Unkept {
        line: LineIndex::new(original).line_of(first),
    };
    let alignment = Alignment::new(original, printed);
    let found = directives(language, path, printed);
    let found = is_same(&wanted, &found).then(|| regions(printed, &found));
    let exact = |kept: &Kept| kept.exact(found.as_deref(), &alignment);

    let all: Option<Vec<Piece>> = kept.iter().map(exact).collect();
    if let Some(pieces) = &all {
        for shift in Shift::order(language, original, pieces) {
            let restored = splice(language, original, printed, pieces, shift);
            if is_whole(&restored) {
                return Ok(restored);
            }
        }
    }

    // Widen each range separately, only as far as necessary.
    let cuts = alignment.cuts();
    let mut pieces = Vec::new();
    for kept in &kept {
        let wider = kept.wider(original, &cuts);
        let mut candidates = exact(kept).into_iter().chain(wider);
        let piece = candidates.find(|piece| {
            let piece = std::slice::from_ref(piece);
            Shift::order(language, original, piece)
                .into_iter()
                .any(|shift| is_whole(&splice(language, original, printed, piece, shift)))
        });
        pieces.push(piece.ok_or_else(unkept)?);
    }
    let pieces = merged(pieces);
    Shift::order(language, original, &pieces)
        .into_iter()
        .map(|shift| splice(language, original, printed, &pieces, shift))
        .find(|restored| is_whole(restored))
        .ok_or_else(unkept)
}

/// Restores the original line endings of kept lines in `denormalized`, a layout of `text` with other
/// line endings.
pub(crate) fn restore_endings(
    language: Language,
    path: &str,
    text: &str,
    denormalized: &str,
) -> String {
    let wanted = directives(language, path, text);
    let found = directives(language, path, denormalized);
    let found = is_same(&wanted, &found).then(|| regions(denormalized, &found));
    let alignment = Alignment::new(text, denormalized);
    let kept = kept_lines(language, text, &wanted);
    let pieces = kept
        .iter()
        .filter_map(|kept| kept.exact(found.as_deref(), &alignment))
        .collect::<Vec<_>>();
    let without_returns = |text: &str| text.replace('\r', "");
    Shift::order(language, text, &pieces)
        .into_iter()
        .map(|shift| splice(language, text, denormalized, &pieces, shift))
        .find(|restored| without_returns(restored) == without_returns(denormalized))
        .unwrap_or_else(|| denormalized.to_owned())
}

/// Whether two texts have the same directives in the same order.
fn is_same(one: &[Directive], two: &[Directive]) -> bool {
    one.iter()
        .map(|directive| &directive.kind)
        .eq(two.iter().map(|directive| &directive.kind))
}

/// Lines of the original that are to be kept.
struct Kept {
    lines: Span,
    /// The region and the directive that opens it; `None` for an ignored line.
    region: Option<(usize, Region)>,
}

fn kept_lines(language: Language, original: &str, wanted: &[Directive]) -> Vec<Kept> {
    let regions = regions(original, wanted).into_iter().enumerate();
    let mut kept: Vec<Kept> = regions
        .filter_map(|(index, region)| {
            let region = region?;
            Some(Kept {
                lines: region.lines,
                region: Some((index, region)),
            })
        })
        .collect();
    let lines = LineIndex::new(original);
    for ignore in Suppressions::of(original, wanted).ignores() {
        let line = lines.line_start(ignore.line())..lines.line_start(ignore.line() + 1);
        let is_kept = kept
            .iter()
            .any(|kept| kept.lines.range().contains(&line.start));
        if ignore.disables_format(language) && !is_kept && !line.is_empty() {
            kept.push(Kept {
                lines: line.into(),
                region: None,
            });
        }
    }
    kept
}

impl Kept {
    /// Exactly these lines, if the printed text has lines that come only from them.
    fn exact(&self, found: Option<&[Option<Region>]>, alignment: &Alignment<'_>) -> Option<Piece> {
        let Some((index, region)) = self.region else {
            let place = alignment.lines_of(self.lines)?;
            return Some(Piece::new(self.lines, place));
        };
        let image = (*found?.get(index)?)?;
        Some(Piece {
            lines: self.lines,
            place: image.lines,
            anchors: Some((region.off, image.off)),
        })
    }

    /// Ranges between cuts around these lines and their opening directive, in growing order, up to
    /// but excluding the whole text.
    fn wider(&self, original: &str, cuts: &[Cut]) -> Vec<Piece> {
        let opened = self.region.map_or(self.lines, |(_, region)| region.off);
        let first = line_start(original, opened.start());
        let mut depths: Vec<usize> = cuts.iter().map(|cut| cut.indent).collect();
        depths.sort_unstable_by(|one, two| two.cmp(one));
        depths.dedup();
        let mut pieces: Vec<Piece> = Vec::new();
        for depth in depths {
            let is_outside = |cut: &&Cut| cut.indent <= depth && !cut.closes;
            let before = |cut: &&Cut| cut.original <= first;
            let after = |cut: &&Cut| cut.original >= self.lines.end();
            let start = cuts.iter().rev().filter(is_outside).find(before);
            let end = cuts.iter().filter(is_outside).find(after);
            let (Some(start), Some(end)) = (start, end) else {
                continue;
            };
            let (Some(lines), Some(place)) = (
                Span::new(start.original, end.original),
                Span::new(start.printed, end.printed),
            ) else {
                continue;
            };
            let is_new = pieces.last().is_none_or(|last| last.lines != lines);
            let is_all = start.is_first && end.is_last;
            if is_new && !is_all {
                pieces.push(Piece::new(lines, place));
            }
        }
        pieces
    }
}

/// Lines of the original, and the lines of the printed text that they replace.
#[derive(Clone, Copy)]
struct Piece {
    lines: Span,
    place: Span,
    /// The opening comments of the region in both texts, which show how far it has moved.
    anchors: Option<(Span, Span)>,
}

impl Piece {
    fn new(lines: Span, place: Span) -> Self {
        Self {
            lines,
            place,
            anchors: None,
        }
    }

    /// How far the lines are indented in both texts.
    fn indents(&self, original: &str, printed: &str) -> (usize, usize) {
        let (before, after) = self.anchors.unwrap_or((self.lines, self.place));
        (indent_of(original, before), indent_of(printed, after))
    }
}

/// Joins pieces that overlap.
fn merged(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by_key(|piece| piece.lines);
    pieces.dedup_by(|next, last| {
        let overlaps = next.lines.start() < last.lines.end();
        if overlaps {
            let end = last.lines.end().max(next.lines.end());
            let place_start = last.place.start().min(next.place.start());
            let place_end = last.place.end().max(next.place.end());
            *last = Piece::new(
                Span::from(last.lines.start()..end),
                Span::from(place_start..place_end),
            );
        }
        overlaps
    });
    pieces
}

/// Whether kept lines move with the block that they are in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    Block,
    Not,
}

impl Shift {
    /// The modes to try, the more likely one first. Lines after a trailing comment may be inside an
    /// expression, where indentation is not significant.
    fn order(language: Language, original: &str, pieces: &[Piece]) -> Vec<Self> {
        let is_behind_code = |piece: &Piece| {
            let comment = piece.anchors.map(|(comment, _)| comment.start());
            comment.is_some_and(|at| !original[line_start(original, at)..at].trim().is_empty())
        };
        match language.info().indentation_matters {
            false => vec![Self::Not],
            true if pieces.iter().any(is_behind_code) => vec![Self::Not, Self::Block],
            true => vec![Self::Block, Self::Not],
        }
    }
}

fn splice(
    language: Language,
    original: &str,
    printed: &str,
    pieces: &[Piece],
    shift: Shift,
) -> String {
    let mut pieces: Vec<&Piece> = pieces.iter().collect();
    pieces.sort_by_key(|piece| piece.place);
    let mut result = String::with_capacity(printed.len());
    let mut at = 0;
    for piece in pieces {
        if piece.place.start() < at {
            continue;
        }
        let text = &original[piece.lines.range()];
        result.push_str(&printed[at..piece.place.start()]);
        match shift {
            Shift::Block => {
                result.push_str(&shifted(language, text, piece.indents(original, printed)));
            }
            Shift::Not => result.push_str(text),
        }
        at = piece.place.end();
    }
    result.push_str(&printed[at..]);
    result
}

/// The indentation of the first line of `span` that is not blank.
fn indent_of(text: &str, span: Span) -> usize {
    let start = line_start(text, span.start());
    let rest = &text[start..];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    leading_columns(&rest[line_start(rest, blank)..])
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn leading_columns(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// Returns `text` indented like its block, in languages where indentation is significant.
fn shifted(language: Language, text: &str, (before, after): (usize, usize)) -> String {
    if before == after || !language.info().indentation_matters {
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
        restore(Language::Text, "a.txt", original, printed, |_| true)
    }

    #[test]
    fn regions_are_restored_byte_for_byte() {
        let original = "x  =  1\n# fixpoint: off\na   b\n\n\n# fixpoint: on\ny  = 2\n";
        let printed = "x = 1\n\n# fixpoint: off\na b\n# fixpoint: on\ny = 2\n";
        let expected = "x = 1\n\n# fixpoint: off\na   b\n\n\n# fixpoint: on\ny = 2\n";
        assert_eq!(restore_text(original, printed).as_deref(), Ok(expected));
    }

    #[test]
    fn an_ignored_line_that_was_split_is_restored() {
        let original = "a(1,  2)\nb( 3,4 ) # fixpoint: ignore[format]\n\nc( 5 )\n";
        let printed = "a(1, 2)\nb(\n  3,\n  4,\n) # fixpoint: ignore[format]\n\nc(5)\n";
        let expected = "a(1, 2)\nb( 3,4 ) # fixpoint: ignore[format]\n\nc(5)\n";
        assert_eq!(restore_text(original, printed).as_deref(), Ok(expected));
    }

    #[test]
    fn an_ignored_line_that_was_joined_with_another_keeps_both() {
        let original = "x  = 1\na(\n  1, # fixpoint: ignore[format]\n  2)\ny  = 2\n";
        let printed = "x = 1\na(1, 2) # fixpoint: ignore[format]\ny = 2\n";
        let expected = "x = 1\na(\n  1, # fixpoint: ignore[format]\n  2)\ny = 2\n";
        assert_eq!(restore_text(original, printed).as_deref(), Ok(expected));
    }

    #[test]
    fn a_region_that_cannot_be_separated_from_the_text_is_an_error() {
        let original = "a(\n  1, # fixpoint: ignore[format]\n  2)\n";
        let printed = "a(1, 2) # fixpoint: ignore[format]\n";
        assert_eq!(
            restore_text(original, printed),
            Err(FormatError::Unkept { line: 1 })
        );
        assert!(restore_text("# fixpoint: off\na\n", "a\n").is_err());
    }

    #[test]
    fn kept_lines_move_with_their_block_where_indentation_matters() {
        let text = "  a\n\n    b\n";
        assert_eq!(shifted(Language::Yaml, text, (2, 4)), "    a\n\n      b\n");
        assert_eq!(shifted(Language::Yaml, text, (2, 0)), "a\n\n  b\n");
        assert_eq!(shifted(Language::Css, text, (2, 0)), text);
    }
}
