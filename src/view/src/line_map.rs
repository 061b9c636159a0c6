//! Maps lines of a canonical text back to lines of its source text.

use fixpoint_text::{LineIndex, escape_json, line_changes};
use serde_json::{Value, json};

/// The position of the first character of a canonical line, and its position in the source. All
/// numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    column: usize,
    source_line: usize,
    source_column: usize,
}

/// The map of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMap {
    path: String,
    /// By canonical line. Lines that are not in the map are mapped to themselves.
    lines: Vec<Line>,
}

impl LineMap {
    /// The map from `canonical` to `source`, the text of `path`. It compares the words of both,
    /// because formatting moves words but keeps them.
    pub fn new(path: &str, source: &str, canonical: &str) -> Self {
        let (from, to) = (LineIndex::new(canonical), LineIndex::new(source));
        let (words, source_words) = (Words::of(canonical), Words::of(source));
        let origins = words.origins(&source_words);
        let line = |line| {
            let start = from.line_start(line);
            let word = words.starts.partition_point(|it| *it < start);
            let (column, origin) = match (words.starts.get(word), origins.get(word)) {
                (Some(&at), Some(&origin)) if from.line_of(at) == line => (at, origin),
                // A line without words is mapped to the position of the next word.
                (_, Some(&origin)) => (start, origin),
                _ => (start, source.len()),
            };
            let at = to.position(source, origin);
            Line {
                column: from.position(canonical, column).column,
                source_line: at.line,
                source_column: at.column,
            }
        };
        Self {
            path: path.to_owned(),
            lines: (0..from.line_count()).map(line).collect(),
        }
    }

    /// The map of an unchanged text.
    pub fn identity(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            lines: Vec::new(),
        }
    }

    /// The path of the source file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The source position of a position in the canonical text.
    pub fn source(&self, line: usize, column: usize) -> (usize, usize) {
        match line.checked_sub(1).and_then(|line| self.lines.get(line)) {
            None => (line, column),
            Some(at) => (
                at.source_line,
                (at.source_column + column).saturating_sub(at.column).max(1),
            ),
        }
    }

    pub fn to_json(&self) -> String {
        let lines = self.lines.iter();
        let lines: Vec<[usize; 3]> = lines
            .map(|line| [line.column, line.source_line, line.source_column])
            .collect();
        let json = json!({ "source": self.path, "lines": lines }).to_string();
        escape_json(&json).into_owned() + "\n"
    }

    /// Reads the output of [`LineMap::to_json`].
    pub fn from_json(text: &str) -> Option<Self> {
        let map: Value = serde_json::from_str(text).ok()?;
        let number = |it: &Value| it.as_u64().and_then(|it| usize::try_from(it).ok());
        let line = |it: &Value| {
            Some(Line {
                column: number(it.get(0)?)?,
                source_line: number(it.get(1)?)?,
                source_column: number(it.get(2)?)?,
            })
        };
        Some(Self {
            path: map.get("source")?.as_str()?.to_owned(),
            lines: map
                .get("lines")?
                .as_array()?
                .iter()
                .map(line)
                .collect::<Option<_>>()?,
        })
    }
}

/// The words of a text. A word is a run of letters and digits, or a single other character.
struct Words {
    /// The offset of each word in the text.
    starts: Vec<usize>,
    /// All words, one per line. `line_starts` has the offset of each of these lines.
    lines: String,
    line_starts: Vec<usize>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self {
            starts: Vec::new(),
            lines: String::with_capacity(2 * text.len()),
            line_starts: Vec::new(),
        };
        let is_letter = |character: char| character.is_alphanumeric() || character == '_';
        let mut before = ' ';
        for (at, character) in text.char_indices() {
            let goes_on = is_letter(character) && is_letter(before);
            before = character;
            if character.is_whitespace() {
                continue;
            }
            if !goes_on {
                words.end();
                words.starts.push(at);
                words.line_starts.push(words.lines.len());
            }
            words.lines.push(character);
        }
        words.end();
        words
    }

    fn end(&mut self) {
        if !self.starts.is_empty() {
            self.lines.push('\n');
        }
    }

    /// For each word, the position in the source that it comes from. For a new word, the nearest
    /// one.
    fn origins(&self, source: &Self) -> Vec<usize> {
        let mut origins = Vec::with_capacity(self.starts.len());
        let mut next = 0;
        let at = |word: usize| source.starts.get(word).or(source.starts.last());
        for change in line_changes(&source.lines, &self.lines) {
            let old = source.number(change.old.start())..source.number(change.old.end());
            let new = self.number(change.new.start())..self.number(change.new.end());
            while origins.len() < new.start {
                origins.push(next);
                next += 1;
            }
            let last = old.end.saturating_sub(1).max(old.start);
            origins.extend((0..new.len()).map(|line| (old.start + line).min(last)));
            next = old.end;
        }
        while origins.len() < self.starts.len() {
            origins.push(next);
            next += 1;
        }
        let place = |word: usize| at(word).copied().unwrap_or_default();
        origins.into_iter().map(place).collect()
    }

    /// The index of the word whose line starts at `offset`, or the number of words.
    fn number(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start < offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_a_change_are_shifted() {
        let map = LineMap::new("a", "a\n\n\n\nb\nc\n", "a\nb\nc\n");
        assert_eq!(map.source(1, 1), (1, 1));
        assert_eq!(map.source(2, 1), (5, 1));
        assert_eq!(map.source(3, 1), (6, 1));
    }

    #[test]
    fn split_lines_map_to_their_source_line() {
        let source = "int f(){return x;}\nint g;\n";
        let canonical = "int f() {\n  return x;\n}\nint g;\n";
        let map = LineMap::new("a.c", source, canonical);
        assert_eq!(map.source(2, 3), (1, 9));
        assert_eq!(map.source(2, 10), (1, 16));
        assert_eq!(map.source(3, 1), (1, 18));
        assert_eq!(map.source(4, 5), (2, 5));
    }

    #[test]
    fn added_and_removed_blank_lines_do_not_affect_other_lines() {
        let source = "def f( ):\n\n\n\n  return   1/0\n\n\n\nf( )\n";
        let canonical = "def f():\n\n    return 1 / 0\n\n\nf()\n";
        let map = LineMap::new("a.py", source, canonical);
        assert_eq!(map.source(1, 1), (1, 1));
        assert_eq!(map.source(3, 5), (5, 3));
        assert_eq!(map.source(6, 1), (9, 1));
    }

    #[test]
    fn new_words_map_near_the_old_ones() {
        let map = LineMap::new("a", "x = 'a'\ny = 1\n", "x = \"a\"\nz = 2\ny = 1,\n");
        assert_eq!(map.source(1, 5), (1, 5));
        assert_eq!(map.source(3, 1), (2, 1));
        for (source, canonical) in [("", "a\n"), ("a\n", ""), ("", ""), ("a", "\n\n")] {
            LineMap::new("a", source, canonical);
        }
    }

    #[test]
    fn unmapped_lines_map_to_themselves() {
        assert_eq!(LineMap::identity("a").source(7, 3), (7, 3));
        assert_eq!(LineMap::new("a", "a\n", "a\n").source(99, 2), (99, 2));
    }

    #[test]
    fn the_map_round_trips_through_json() {
        let map = LineMap::new("a", "\u{e4}  b\nc\n", "\u{e4} b\nc\n");
        assert_eq!(LineMap::from_json(&map.to_json()), Some(map));
        assert_eq!(LineMap::from_json("{}"), None);
        assert_eq!(LineMap::from_json("not JSON"), None);
    }
}
