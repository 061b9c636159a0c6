//! Source maps: which place of the author's text each place of the output came from.

use std::sync::Arc;

use serde::Serialize;

use crate::source::Source;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The places of an output, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    file: String,
    text: Arc<str>,
    mappings: Vec<Mapping>,
}

/// Lines and columns from 0, columns in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mapping {
    pub line: u32,
    pub column: u32,
    pub source_line: u32,
    pub source_column: u32,
}

impl Mapping {
    /// From a line and a column of the output to those of the author's text.
    pub(super) fn new(output: (usize, usize), source: (usize, usize)) -> Self {
        let narrow = |it| u32::try_from(it).unwrap_or(u32::MAX);
        Self {
            line: narrow(output.0),
            column: narrow(output.1),
            source_line: narrow(source.0),
            source_column: narrow(source.1),
        }
    }

    fn source(self) -> (usize, usize) {
        (self.source_line as usize, self.source_column as usize)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version3<'a> {
    version: u8,
    sources: [&'a str; 1],
    sources_content: [&'a str; 1],
    names: [&'a str; 0],
    mappings: String,
}

impl SourceMap {
    pub(super) fn new(file: &str, text: Arc<str>, mappings: Vec<Mapping>) -> Self {
        Self {
            file: file.to_owned(),
            text,
            mappings,
        }
    }

    /// Where in the author's text a line of the output comes from: line and column from 0.
    pub fn source_of_line(&self, line: usize) -> Option<(usize, usize)> {
        let line = u32::try_from(line).ok()?;
        let first = self.mappings.partition_point(|it| it.line < line);
        let mapping = self.mappings.get(first).filter(|it| it.line == line)?;
        Some(mapping.source())
    }

    /// Where a call came from, by the place of any part of it: the first on its line of code that came
    /// from the same line as that part. Lines and columns are from 0.
    pub fn source_of_call(&self, line: usize, column: usize) -> Option<(usize, usize)> {
        let (line, column) = (u32::try_from(line).ok()?, u32::try_from(column).ok()?);
        let first = self.mappings.partition_point(|it| it.line < line);
        let own = self.mappings.get(first..).unwrap_or_default();
        let own = || own.iter().take_while(|it| it.line == line);
        let part = own().take_while(|it| it.column <= column).last();
        let part = part.or_else(|| own().next())?;
        let mut of_same_line = own().filter(|it| it.source_line == part.source_line);
        of_same_line.next().map(|it| it.source())
    }

    /// The text the places are in.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What that text is called.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The map onto a text that this one was made from, by where a line and a column came from.
    pub fn onto(self, source: &Source, place: impl Fn(usize, usize) -> (usize, usize)) -> Self {
        let mappings = self.mappings.into_iter().map(|it| {
            let (line, column) = it.source();
            let output = (it.line as usize, it.column as usize);
            Mapping::new(output, place(line, column))
        });
        Self::new(source.file(), source.shared_text(), mappings.collect())
    }

    /// A map that [`to_json`](Self::to_json) wrote.
    pub fn from_json(json: &str) -> Option<Self> {
        let map: serde_json::Value = serde_json::from_str(json).ok()?;
        let only = |list: &str| map.get(list)?.get(0)?.as_str();
        let mut mappings = Vec::new();
        let mut last = [0_i64; 4];
        for (line, segments) in map.get("mappings")?.as_str()?.split(';').enumerate() {
            last[0] = 0;
            for segment in segments.split(',').filter(|it| !it.is_empty()) {
                let mut rest = segment.bytes();
                for value in &mut last {
                    *value += next_difference(&mut rest)?;
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
        Some(Self::new(
            only("sources")?,
            only("sourcesContent")?.into(),
            mappings,
        ))
    }

    /// The map in the form tools read, version 3.
    pub fn to_json(&self) -> String {
        let map = Version3 {
            version: 3,
            sources: [&self.file],
            sources_content: [&self.text],
            names: [],
            mappings: self.encoded(),
        };
        serde_json::to_string(&map).unwrap_or_default()
    }

    fn encoded(&self) -> String {
        let mut encoded = String::with_capacity(6 * self.mappings.len());
        let mut last = Mapping {
            line: 0,
            column: 0,
            source_line: 0,
            source_column: 0,
        };
        let mut is_first_of_line = true;
        for mapping in &self.mappings {
            while last.line < mapping.line {
                encoded.push(';');
                last.line += 1;
                last.column = 0;
                is_first_of_line = true;
            }
            if !is_first_of_line {
                encoded.push(',');
            }
            is_first_of_line = false;
            push_difference(&mut encoded, last.column, mapping.column);
            push_difference(&mut encoded, 0, 0);
            push_difference(&mut encoded, last.source_line, mapping.source_line);
            push_difference(&mut encoded, last.source_column, mapping.source_column);
            last = *mapping;
        }
        encoded
    }
}

/// A difference as a base-64 number of variable length: five bits a digit, lowest first, the sign in
/// the lowest bit of all.
fn push_difference(encoded: &mut String, from: u32, to: u32) {
    let mut rest = u64::from(from.abs_diff(to)) << 1 | u64::from(to < from);
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        let more = if rest > 0 { 32 } else { 0 };
        encoded.push(char::from(DIGITS[digit | more]));
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

    #[test]
    fn a_map_is_encoded_as_version_3_asks() {
        let map = SourceMap::new(
            "a.clank",
            "text".into(),
            vec![
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
        let mappings = vec![
            mapping(0, 3, 70, 0),
            mapping(0, 9, 2, 33),
            mapping(2, 1, 4, 0),
        ];
        let map = SourceMap::new("a.clank", "text".into(), mappings);
        assert_eq!(SourceMap::from_json(&map.to_json()), Some(map));
        assert_eq!(SourceMap::from_json("{}"), None);
    }

    #[test]
    fn a_line_comes_from_where_its_first_part_does() {
        let map = SourceMap::new(
            "",
            "".into(),
            vec![mapping(1, 4, 7, 0), mapping(1, 9, 8, 2)],
        );
        assert_eq!(map.source_of_line(1), Some((7, 0)));
        assert_eq!(map.source_of_line(0), None);
        assert_eq!(map.source_of_line(2), None);
    }

    #[test]
    fn a_call_came_from_the_line_that_a_part_of_it_came_from() {
        let mappings = vec![
            mapping(4, 2, 7, 3),
            mapping(4, 9, 8, 5),
            mapping(4, 20, 8, 11),
            mapping(5, 0, 9, 0),
        ];
        let map = SourceMap::new("a.clank", "text".into(), mappings);
        assert_eq!(map.source_of_call(4, 0), Some((7, 3)));
        assert_eq!(map.source_of_call(4, 8), Some((7, 3)));
        assert_eq!(map.source_of_call(4, 12), Some((8, 5)));
        assert_eq!(map.source_of_call(4, 30), Some((8, 5)));
        assert_eq!(map.source_of_call(6, 0), None);
    }
}
