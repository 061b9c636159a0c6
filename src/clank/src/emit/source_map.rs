//! Source maps: the position in the author's text for each position in the output.

use std::sync::Arc;

use fixpoint_text::escape_json;

use crate::source::Source;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A source map of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    file: String,
    text: Arc<str>,
    /// Encoded as in source map version 3.
    mappings: String,
}

/// Lines and columns count from 0, columns in UTF-16 code units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    line: u32,
    column: u32,
    source_line: u32,
    source_column: u32,
}

impl Mapping {
    /// Maps a line and column of the output to a line and column of the author's text.
    pub(super) fn new(output: (usize, usize), source: (usize, usize)) -> Self {
        let narrow = |it| u32::try_from(it).unwrap_or(u32::MAX);
        Self {
            line: narrow(output.0),
            column: narrow(output.1),
            source_line: narrow(source.0),
            source_column: narrow(source.1),
        }
    }

    fn place(self) -> (u32, u32) {
        (self.line, self.column)
    }

    /// The same mapping, moved down by a number of output lines.
    fn further_down(self, lines: u32) -> Self {
        Self {
            line: self.line.saturating_add(lines),
            ..self
        }
    }

    fn source(self) -> (usize, usize) {
        (self.source_line as usize, self.source_column as usize)
    }
}

impl SourceMap {
    pub(super) fn new(file: &str, text: Arc<str>, mappings: Mappings) -> Self {
        Self {
            file: file.to_owned(),
            text,
            mappings: mappings.finished(),
        }
    }

    /// The source position of a call, given the output position of any part of it. It is the first
    /// mapping on the output line with the same source line as that part. Lines and columns count
    /// from 0.
    pub fn source_of_call(&self, line: usize, column: usize) -> Option<(usize, usize)> {
        let (line, column) = (u32::try_from(line).ok()?, u32::try_from(column).ok()?);
        let mappings = decoded(&self.mappings)?;
        let own = || mappings.iter().filter(|it| it.line == line);
        let part = own().take_while(|it| it.column <= column).last();
        let part = part.or_else(|| own().next())?;
        let mut of_same_line = own().filter(|it| it.source_line == part.source_line);
        of_same_line.next().map(|it| it.source())
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the source file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Maps to the text that this map's source was generated from. `place` translates a line and
    /// column.
    pub fn onto(self, source: &Source, place: impl Fn(usize, usize) -> (usize, usize)) -> Self {
        let mut mappings = Mappings::default();
        for it in decoded(&self.mappings).unwrap_or_default() {
            let (line, column) = it.source();
            let output = (it.line as usize, it.column as usize);
            mappings.push(Mapping::new(output, place(line, column)));
        }
        Self::new(source.file(), source.shared_text(), mappings)
    }

    /// Reads a map that [`to_json`](Self::to_json) wrote.
    pub fn from_json(json: &str) -> Option<Self> {
        let map: serde_json::Value = serde_json::from_str(json).ok()?;
        let only = |list: &str| map.get(list)?.get(0)?.as_str();
        let mappings = map.get("mappings")?.as_str()?;
        decoded(mappings)?;
        Some(Self {
            file: only("sources")?.to_owned(),
            text: only("sourcesContent")?.into(),
            mappings: mappings.to_owned(),
        })
    }

    /// The map as source map version 3 JSON.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        for part in self.parts() {
            match part {
                Part::Json(piece) => json += piece,
                Part::Text(text) => json += &serde_json::to_string(text).unwrap_or_default(),
            }
        }
        escape_json(&json).into_owned()
    }

    /// The parts of that JSON.
    pub(crate) fn parts(&self) -> [Part<'_>; 7] {
        [
            Part::Json(r#"{"version":3,"sources":["#),
            Part::Text(&self.file),
            Part::Json(r#"],"sourcesContent":["#),
            Part::Text(&self.text),
            Part::Json(r#"],"names":[],"mappings":"#),
            Part::Text(&self.mappings),
            Part::Json("}"),
        ]
    }
}

/// A piece of JSON.
pub(crate) enum Part<'a> {
    /// JSON as it is.
    Json(&'a str),
    /// The unescaped contents of a JSON string.
    Text(&'a str),
}

/// Mappings in output order, encoded as in version 3: each as the difference to the previous one.
#[derive(Default)]
pub(super) struct Mappings {
    first: Option<Mapping>,
    /// The encoded mappings between the first and the last.
    text: Vec<u8>,
    /// The last mapping in `text`.
    written: Mapping,
    last: Option<Mapping>,
}

impl Mappings {
    /// Reserves room for that many mappings.
    pub(super) fn with_room(count: usize) -> Self {
        Self {
            text: Vec::with_capacity(8 * count),
            ..Self::default()
        }
    }

    /// Adds a mapping. Of nodes that begin at the same position, the innermost one is the most
    /// specific. It comes last and replaces the others.
    pub(super) fn push(&mut self, mapping: Mapping) {
        if self.last.is_some_and(|it| it.place() != mapping.place()) {
            self.write_last();
        }
        self.last = Some(mapping);
    }

    /// Appends the mappings of output that starts that many lines further down.
    pub(super) fn append(&mut self, mut others: Self, lines: u32) {
        self.write_last();
        others.write_last();
        if let Some(first) = others.first {
            self.push(first.further_down(lines));
            self.write_last();
            self.text.append(&mut others.text);
            self.written = others.written.further_down(lines);
        }
    }

    fn write_last(&mut self) {
        if let Some(mapping) = self.last.take() {
            match self.first {
                None => self.first = Some(mapping),
                Some(_) => write_mapping(&mut self.text, Some(self.written), mapping),
            }
            self.written = mapping;
        }
    }

    fn finished(mut self) -> String {
        self.write_last();
        let mut text = Vec::with_capacity(self.text.len() + 64);
        if let Some(first) = self.first {
            write_mapping(&mut text, None, first);
        }
        text.append(&mut self.text);
        String::from_utf8(text).unwrap_or_default()
    }
}

fn write_mapping(text: &mut Vec<u8>, before: Option<Mapping>, mapping: Mapping) {
    let last = before.unwrap_or_default();
    let lines = mapping.line.saturating_sub(last.line);
    let column = if lines > 0 { 0 } else { last.column };
    if lines > 0 {
        text.extend(std::iter::repeat_n(b';', lines as usize));
    } else if before.is_some() {
        text.push(b',');
    }
    push_difference(text, column, mapping.column);
    // The source index is always the same, because there is a single source.
    push_difference(text, 0, 0);
    push_difference(text, last.source_line, mapping.source_line);
    push_difference(text, last.source_column, mapping.source_column);
}

fn decoded(text: &str) -> Option<Vec<Mapping>> {
    let mut mappings = Vec::new();
    let mut last = [0_i64; 4];
    for (line, segments) in text.split(';').enumerate() {
        last[0] = 0;
        for segment in segments.split(',').filter(|it| !it.is_empty()) {
            let mut rest = segment.bytes();
            for value in &mut last {
                *value = value.checked_add(next_difference(&mut rest)?)?;
            }
            let [column, _, source_line, source_column] = last;
            mappings.push(Mapping {
                line: line.try_into().ok()?,
                column: column.try_into().ok()?,
                source_line: source_line.try_into().ok()?,
                source_column: source_column.try_into().ok()?,
            });
        }
    }
    Some(mappings)
}

/// Appends a difference as a base-64 variable-length number: five bits a digit, lowest first. The
/// lowest bit is the sign.
fn push_difference(encoded: &mut Vec<u8>, from: u32, to: u32) {
    let mut rest = u64::from(from.abs_diff(to)) << 1 | u64::from(to < from);
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        let more = if rest > 0 { 32 } else { 0 };
        encoded.push(DIGITS[digit | more]);
        if rest == 0 {
            return;
        }
    }
}

fn next_difference(digits: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let (mut value, mut shift) = (0_i64, 0);
    loop {
        let byte = digits.next()?;
        let digit = DIGITS.iter().position(|it| *it == byte)?;
        value |= i64::try_from(digit & 31).ok()?.checked_shl(shift)?;
        shift += 5;
        if digit & 32 == 0 {
            let half = value >> 1;
            return Some(if value & 1 == 1 { -half } else { half });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(line: usize, column: usize, source_line: usize, source_column: usize) -> Mapping {
        Mapping::new((line, column), (source_line, source_column))
    }

    fn map(text: &str, mappings: &[Mapping]) -> SourceMap {
        let mut all = Mappings::default();
        mappings.iter().for_each(|it| all.push(*it));
        SourceMap::new("a.clank", text.into(), all)
    }

    #[test]
    fn joined_mappings_equal_mappings_written_at_once() {
        let mappings = [
            mapping(0, 3, 70, 0),
            mapping(0, 3, 71, 2),
            mapping(4, 9, 2, 33),
            mapping(5, 1, 4, 0),
            mapping(5, 6, 4, 9),
        ];
        let whole = map("text", &mappings);
        for at in 0..=mappings.len() {
            let (front, back) = mappings.split_at(at);
            // Joined output starts on a new line.
            if front.last().map(|it| it.line) == back.first().map(|it| it.line) {
                continue;
            }
            let mut joined = Mappings::default();
            front.iter().for_each(|it| joined.push(*it));
            let mut rest = Mappings::default();
            let down = back.first().map_or(0, |it| it.line);
            for it in back {
                rest.push(Mapping {
                    line: it.line - down,
                    ..*it
                });
            }
            joined.append(rest, down);
            assert_eq!(SourceMap::new("a.clank", "text".into(), joined), whole);
        }
    }

    #[test]
    fn a_map_is_encoded_as_source_map_version_3() {
        let map = map(
            "text",
            &[
                mapping(0, 0, 0, 0),
                mapping(0, 9, 20, 3),
                mapping(2, 1, 4, 0),
            ],
        );
        assert_eq!(
            map.to_json(),
            r#"{"version":3,"sources":["a.clank"],"sourcesContent":["text"],"names":[],"mappings":"AAAA,SAoBG;;CAhBH"}"#
        );
    }

    #[test]
    fn a_map_is_read_back_as_it_was_written() {
        let mappings = [
            mapping(0, 3, 70, 0),
            mapping(0, 9, 2, 33),
            mapping(2, 1, 4, 0),
        ];
        let map = map("text", &mappings);
        assert_eq!(SourceMap::from_json(&map.to_json()), Some(map));
        assert_eq!(SourceMap::from_json("{}"), None);
    }

    #[test]
    fn the_source_of_a_call_is_on_the_source_line_of_its_part() {
        let mappings = [
            mapping(4, 2, 7, 3),
            mapping(4, 9, 8, 5),
            mapping(4, 20, 8, 11),
            mapping(5, 0, 9, 0),
        ];
        let map = map("text", &mappings);
        assert_eq!(map.source_of_call(4, 0), Some((7, 3)));
        assert_eq!(map.source_of_call(4, 8), Some((7, 3)));
        assert_eq!(map.source_of_call(4, 12), Some((8, 5)));
        assert_eq!(map.source_of_call(4, 30), Some((8, 5)));
        assert_eq!(map.source_of_call(6, 0), None);
    }
}
