//! Prints tables. Each column is as wide as its widest cell.

use std::ops::Range;

use super::block::Line;
use super::scan::is_space;
use super::text::{Printer, TextContext};
use super::writer::Writer;
use crate::doc::text_width;

/// The width of the narrowest column.
const MIN_WIDTH: usize = 3;

#[derive(Clone, Copy, PartialEq)]
enum ColumnAlignment {
    None,
    Left,
    Center,
    Right,
}

/// The cells of a row, without white space around them. A `|` separates cells unless it is escaped.
fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim_matches(is_space);
    let mut rest = Some(row.strip_prefix('|').unwrap_or(row));
    std::iter::from_fn(move || {
        let text = rest?;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && bytes[at] != b'|' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        if at >= bytes.len() {
            rest = None;
            let cell = text.trim_matches(is_space);
            return (!cell.is_empty()).then_some(cell);
        }
        rest = Some(&text[at + 1..]);
        Some(text[..at].trim_matches(is_space))
    })
}

fn has_bar(row: &str) -> bool {
    let bytes = row.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'|' => return true,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    false
}

/// Whether this line of text would turn the line above it into a table header. Some parsers accept
/// `:-` as the row of a single column, and skip vertical tabs and form feeds.
pub(super) fn is_delimiter_row(row: &str) -> bool {
    row.contains('-')
        && row.contains(['|', ':', '\u{b}', '\u{c}'])
        && row.chars().all(|c| "-:| \t\u{b}\u{c}".contains(c))
}

pub(super) fn is_delimiter_row_of(row: &str, header: &str) -> bool {
    // Not all parsers accept tabs in it.
    row.contains('-')
        && !row.contains('\t')
        && has_bar(row)
        && has_bar(header)
        && cells(row).all(|cell| alignment(cell).is_some())
        && cells(row).count() == cells(header).count()
        && cells(row).next().is_some()
}

fn alignment(cell: &str) -> Option<ColumnAlignment> {
    let dashes = cell.trim_matches(':');
    let is_delimiter = !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-');
    is_delimiter.then(|| match (cell.starts_with(':'), cell.ends_with(':')) {
        (false, false) => ColumnAlignment::None,
        (true, false) => ColumnAlignment::Left,
        (true, true) => ColumnAlignment::Center,
        (false, true) => ColumnAlignment::Right,
    })
}

impl ColumnAlignment {
    fn colons(self) -> usize {
        match self {
            Self::None => 0,
            Self::Left | Self::Right => 1,
            Self::Center => 2,
        }
    }
}

struct Cell {
    printed: Range<usize>,
    width: usize,
}

pub(super) fn print(text: &str, lines: &[Line], printer: &mut Printer<'_>, out: &mut Writer) {
    let [header, delimiters, rows @ ..] = lines else {
        return;
    };
    let row = |line: &Line| &text[line.start..line.end];
    let alignments: Vec<ColumnAlignment> = cells(row(delimiters)).filter_map(alignment).collect();
    let mut widths = vec![MIN_WIDTH; alignments.len()];
    let place = TextContext {
        is_single_line: true,
        ..TextContext::default()
    };
    let mut printed = String::new();
    let mut printed_rows: Vec<Vec<Cell>> = Vec::with_capacity(lines.len());
    for line in std::iter::once(header).chain(rows) {
        let mut printed_row = Vec::with_capacity(widths.len());
        for cell in cells(row(line)) {
            let start = printed.len();
            printer.print(cell, place, &mut printed);
            let width = text_width(&printed[start..]);
            if let Some(widest) = widths.get_mut(printed_row.len()) {
                *widest = width.max(*widest);
            }
            let printed = start..printed.len();
            printed_row.push(Cell { printed, width });
        }
        printed_rows.push(printed_row);
    }
    let mut line = String::new();
    for (index, printed_row) in printed_rows.iter().enumerate() {
        if index > 0 {
            out.end_line();
        }
        line.clear();
        push_row(printed_row, &printed, &widths, &alignments, &mut line);
        out.push(&line);
        if index == 0 {
            out.end_line();
            line.clear();
            push_delimiters(&widths, &alignments, &mut line);
            out.push(&line);
        }
    }
}

fn push_row(
    row: &[Cell],
    printed: &str,
    widths: &[usize],
    alignments: &[ColumnAlignment],
    line: &mut String,
) {
    line.push('|');
    for (column, cell) in row.iter().enumerate() {
        let width = widths.get(column).copied();
        let room = width.map_or(0, |width| width.saturating_sub(cell.width));
        let before = match alignments.get(column) {
            Some(ColumnAlignment::Right) => room,
            Some(ColumnAlignment::Center) => room / 2,
            _ => 0,
        };
        let is_blank = cell.width == 0 && room == 0;
        push_spaces(line, before + 1);
        line.push_str(&printed[cell.printed.clone()]);
        push_spaces(line, room - before + usize::from(!is_blank));
        line.push('|');
    }
}

fn push_delimiters(widths: &[usize], alignments: &[ColumnAlignment], line: &mut String) {
    line.push('|');
    for (width, alignment) in widths.iter().zip(alignments) {
        line.push(' ');
        if matches!(alignment, ColumnAlignment::Left | ColumnAlignment::Center) {
            line.push(':');
        }
        line.extend(std::iter::repeat_n('-', width - alignment.colons()));
        if matches!(alignment, ColumnAlignment::Right | ColumnAlignment::Center) {
            line.push(':');
        }
        line.push_str(" |");
    }
}

fn push_spaces(line: &mut String, count: usize) {
    line.extend(std::iter::repeat_n(' ', count));
}
