//! Prints flow collections. A collection is printed on one line if it fits and has no line break
//! after its opening bracket. Otherwise each entry is on its own line.

use std::ops::Range;

use super::scan::{self, Stop, skip_spaces};
use super::{LinePrinter, ValuePosition};

/// The maximum nesting of flow collections.
const DEPTH_LIMIT: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    Key,
    Item,
}

/// A piece of a flow collection. Commas and colons are between the pieces.
struct Piece {
    kind: Kind,
    place: Range<usize>,
    /// The column after it if everything were on one line.
    flat_end: usize,
    /// For an opening bracket: the index of its closing bracket, and whether line breaks are
    /// required between them.
    close: usize,
    forced: bool,
}

impl LinePrinter<'_> {
    pub(super) fn flow(&mut self, at: usize, position: ValuePosition) -> Option<()> {
        let mut reader = Reader {
            text: self.text,
            bytes: self.bytes,
            pieces: Vec::new(),
            depth: 0,
        };
        let end = reader.collection(at, 0)?;
        let pieces = reader.pieces;
        let next = skip_spaces(self.bytes, end);
        let tail = match self.bytes.get(next) {
            Some(b'#') => {
                1 + self.text[next..scan::line_end(self.bytes, next)]
                    .trim_end()
                    .len()
            }
            _ => 0,
        };
        let line = self.text[..at].rfind('\n').map_or(0, |before| before + 1);
        let is_ascii = self.text[line..next + tail.saturating_sub(1)].is_ascii();
        self.write_flow(&pieces, position, tail, is_ascii)?;
        self.end_line(end)
    }

    fn write_flow(
        &mut self,
        pieces: &[Piece],
        position: ValuePosition,
        tail: usize,
        is_ascii: bool,
    ) -> Option<()> {
        let mut column = position.column;
        // For each open collection, whether it is broken over lines.
        let mut frames: Vec<bool> = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).map(|before| &pieces[before]) {
                let broken = frames.last().copied().unwrap_or(false);
                let gap = before.place.end..piece.place.start;
                if piece.kind == Kind::Close {
                    frames.pop();
                }
                let depth = frames.len();
                let lead = match (before.kind, piece.kind) {
                    (Kind::Key, _) => ": ",
                    (Kind::Open, Kind::Close) => "",
                    (Kind::Open, _) | (_, Kind::Close) if !broken => self.padding(pieces, index),
                    (Kind::Open, _) => "\n",
                    _ if broken => ",\n",
                    _ => ", ",
                };
                if lead.ends_with('\n') {
                    column = position.flow_body + depth * self.layout.indent_width;
                    self.edits.put_spaced(gap, lead, column);
                } else {
                    column += lead.len();
                    self.edits.put(gap, lead);
                }
            }
            if piece.kind == Kind::Open {
                let parent = frames.last().copied();
                let flat = pieces[piece.close].flat_end - piece.flat_end + 1;
                let behind = if parent.is_some() { 1 } else { tail };
                let fits = column + flat + behind <= self.layout.line_width;
                if parent != Some(false) && !fits && !is_ascii {
                    return None;
                }
                let is_empty = piece.close == index + 1;
                frames.push(!is_empty && parent != Some(false) && (piece.forced || !fits));
            }
            column += piece.place.len();
            if piece.kind == Kind::Item || piece.kind == Kind::Key {
                self.put_quotes(piece.place.clone());
            }
        }
        Some(())
    }

    /// The space inside the brackets of a collection on one line.
    fn padding(&self, pieces: &[Piece], index: usize) -> &'static str {
        let bracket = match pieces[index].kind {
            Kind::Close => index,
            _ => index - 1,
        };
        match self.bytes[pieces[bracket].place.start] {
            b'{' | b'}' => " ",
            _ => "",
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pieces: Vec<Piece>,
    depth: usize,
}

impl Reader<'_> {
    /// Reads the collection that opens at `at`, `space` columns after the previous piece. Returns
    /// its end.
    fn collection(&mut self, at: usize, space: usize) -> Option<usize> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return None;
        }
        let is_map = self.bytes[at] == b'{';
        let closing = if is_map { b'}' } else { b']' };
        let padding = usize::from(is_map);
        let open = self.pieces.len();
        self.push(Kind::Open, at..at + 1, space);
        let mut next = at + 1;
        loop {
            let (start, begins_line) = self.skip_space(next)?;
            let is_first = self.pieces.len() == open + 1;
            if self.bytes.get(start) == Some(&closing) {
                let space = if is_first { 0 } else { padding };
                self.push(Kind::Close, start..start + 1, space);
                self.pieces[open].close = self.pieces.len() - 1;
                self.depth -= 1;
                return Some(start + 1);
            }
            let first_new = self.pieces.len();
            let space = if is_first { padding } else { 2 };
            let is_pair = is_map
                || scan::plain(self.text, start, true).is_some_and(|(_, stop)| stop == Stop::Colon);
            let end = if is_pair {
                self.pair(start, space)?
            } else {
                self.item(start, space)?
            };
            let forces = |piece: &Piece| piece.forced;
            self.pieces[open].forced |=
                (is_first && begins_line) || self.pieces[first_new..].iter().any(forces);
            let (behind, _) = self.skip_space(end)?;
            next = match self.bytes.get(behind) {
                Some(b',') => behind + 1,
                Some(byte) if *byte == closing => behind,
                _ => return None,
            };
        }
    }

    fn pair(&mut self, start: usize, space: usize) -> Option<usize> {
        let key = match self.bytes.get(start)? {
            b'"' | b'\'' => start..scan::quoted_end(self.bytes, start)?,
            _ => scan::plain(self.text, start, true)?.0,
        };
        let colon = key.end;
        let value = skip_spaces(self.bytes, colon + 1);
        if self.bytes.get(colon) != Some(&b':') || value == colon + 1 {
            return None;
        }
        self.push(Kind::Key, key, space);
        self.item(value, 2)
    }

    fn item(&mut self, start: usize, space: usize) -> Option<usize> {
        let end = match self.bytes.get(start)? {
            b'[' | b'{' => return self.collection(start, space),
            b'"' | b'\'' => scan::quoted_end(self.bytes, start)?,
            b'*' => scan::name_end(self.bytes, start + 1)?,
            _ => match scan::plain(self.text, start, true)? {
                (word, Stop::Flow | Stop::Line) => word.end,
                _ => return None,
            },
        };
        self.push(Kind::Item, start..end, space);
        Some(end)
    }

    fn push(&mut self, kind: Kind, place: Range<usize>, space: usize) {
        let before = self.pieces.last().map_or(0, |piece| piece.flat_end);
        self.pieces.push(Piece {
            kind,
            flat_end: before + space + place.len(),
            place,
            close: 0,
            forced: false,
        });
    }

    /// Skips spaces and at most one line break. Also returns whether there was one.
    fn skip_space(&self, at: usize) -> Option<(usize, bool)> {
        let end = skip_spaces(self.bytes, at);
        if self.bytes.get(end) != Some(&b'\n') {
            return Some((end, false));
        }
        let next = skip_spaces(self.bytes, end + 1);
        (self.bytes.get(next) != Some(&b'\n')).then_some((next, true))
    }
}
