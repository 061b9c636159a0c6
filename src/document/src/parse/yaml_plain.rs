//! A fast single-pass parser for the YAML that most files use: block mappings and sequences, and
//! scalars and lists of scalars on one line. It returns `None` for all other text, which the full
//! parser then handles. Where it succeeds, both parsers give the same result.

mod scalar;

use fixpoint_text::Span;

use self::scalar::Scalar;
use super::yaml::Details;
use super::yaml_scalar::{Resolved, resolve_plain};
use super::{Builder, Parsed};
use crate::tree::{self, Content, Member, NodeId, Object, Text};

/// Deeper nesting and longer keys are left to the full parser.
const DEEPEST: usize = 100;
const LONGEST_KEY: usize = 1000;

pub(crate) fn parse(text: &str) -> Option<Parsed> {
    if !text.is_ascii() {
        return None;
    }
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: 0,
        column: 0,
        end: 0,
        depth: 0,
        builder: Builder::for_text(text),
    };
    let start = text.strip_prefix("---\n").map_or(0, |_| "---\n".len());
    reader.start_of_line(start)?;
    let root = reader.block(None)?;
    (reader.at == reader.bytes.len()).then_some(Parsed {
        nodes: reader.builder.nodes,
        root,
        details: tree::Details::Yaml(Details::default()),
    })
}

struct Reader<'t> {
    bytes: &'t [u8],
    /// The start of the next token, or the end of the text.
    at: usize,
    /// The column of that token, if it is the first on its line or follows a `-`.
    column: usize,
    /// The end of the last value.
    end: usize,
    depth: usize,
    builder: Builder,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Whether `at` is a blank, a line end or the end of the text.
    fn is_blank(&self, at: usize) -> bool {
        self.bytes
            .get(at)
            .is_none_or(|it| matches!(it, b' ' | b'\n'))
    }

    fn is_item(&self) -> bool {
        self.peek(0) == Some(b'-') && self.is_blank(self.at + 1)
    }

    /// Moves from the end of a token to the first token on a later line. Fails if anything except a
    /// comment is in between.
    fn next_line(&mut self) -> Option<()> {
        self.skip_blanks();
        match self.peek(0) {
            None => return Some(()),
            Some(b'\n') => {}
            Some(b'#') if self.bytes[self.at - 1] == b' ' => self.skip_line(),
            Some(_) => return None,
        }
        self.start_of_line((self.at + 1).min(self.bytes.len()))
    }

    /// Moves to the first token at or after `line`, which is the start of a line.
    fn start_of_line(&mut self, mut line: usize) -> Option<()> {
        loop {
            self.at = line;
            self.skip_blanks();
            self.column = self.at - line;
            match self.peek(0) {
                Some(b'\n') => line = self.at + 1,
                Some(b'#') => {
                    self.skip_line();
                    line = (self.at + 1).min(self.bytes.len());
                }
                None => return Some(()),
                Some(_) => break,
            }
        }
        let rest = &self.bytes[self.at..];
        let is_mark = rest.starts_with(b"---") || rest.starts_with(b"...");
        (self.column > 0 || !is_mark).then_some(())
    }

    fn skip_blanks(&mut self) {
        while self.peek(0) == Some(b' ') {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|it| *it == b'\n');
        self.at += length.unwrap_or(rest.len());
    }

    /// Reads the mapping or sequence that starts here.
    fn block(&mut self, parent: Option<NodeId>) -> Option<NodeId> {
        if self.is_item() {
            return self.sequence(parent);
        }
        let key = self.scalar()?;
        self.mapping(parent, key)
    }

    /// Reads the sequence whose first `-` is here, and moves to the first token after it.
    fn sequence(&mut self, parent: Option<NodeId>) -> Option<NodeId> {
        let (start, column) = (self.at, self.column);
        let id = self.open(parent, start)?;
        let mut items = Vec::new();
        while self.column == column && self.is_item() {
            self.at += 1;
            let behind = self.at;
            self.skip_blanks();
            self.column += self.at - behind + 1;
            items.push(self.item(id, column, behind)?);
        }
        self.close(id, start, Content::Array(items), column)
    }

    fn item(&mut self, parent: NodeId, column: usize, behind: usize) -> Option<NodeId> {
        if self.ends_line() {
            self.next_line()?;
            return match self.at < self.bytes.len() && self.column > column {
                true => self.block(Some(parent)),
                false => Some(self.nothing(parent, behind)),
            };
        }
        if self.is_item() {
            return self.sequence(Some(parent));
        }
        if matches!(self.peek(0), Some(b'[' | b'{')) {
            return self.value(parent, column);
        }
        let scalar = self.scalar()?;
        if self.ends_key() {
            return self.mapping(Some(parent), scalar);
        }
        self.finish_scalar(parent, &scalar, column)
    }

    /// Reads the mapping whose first key has been read, and moves to the first token after it.
    fn mapping(&mut self, parent: Option<NodeId>, first: Scalar) -> Option<NodeId> {
        let (start, column) = (first.span.start(), self.column);
        let id = self.open(parent, start)?;
        let mut members = Vec::new();
        let mut key = first;
        loop {
            if !self.ends_key() || key.span.len() > LONGEST_KEY {
                return None;
            }
            self.at += 1;
            let node = self.member(id, column)?;
            members.push(Member {
                key: Text::Source(key.text),
                key_span: key.span,
                node,
            });
            if self.column != column || self.at == self.bytes.len() || self.is_item() {
                break;
            }
            key = self.scalar()?;
        }
        self.close(id, start, Content::Object(Object::new(members)), column)
    }

    /// Reads the value after the `:` of a key.
    fn member(&mut self, parent: NodeId, column: usize) -> Option<NodeId> {
        let behind = self.at;
        self.skip_blanks();
        if !self.ends_line() {
            return self.value(parent, column);
        }
        self.next_line()?;
        let is_inside = self.column > column || self.column == column && self.is_item();
        if self.at == self.bytes.len() || !is_inside {
            return Some(self.nothing(parent, behind));
        }
        self.block(Some(parent))
    }

    /// Reads a scalar, or a list of scalars, on the rest of the line.
    fn value(&mut self, parent: NodeId, column: usize) -> Option<NodeId> {
        match self.peek(0) {
            Some(b'[') => self.list(parent, column),
            Some(b'{') => {
                let start = self.at;
                self.at += 1;
                self.skip_blanks();
                let span = Span::from(start..self.closed(b'}')?);
                let content = Content::Object(Object::default());
                let id = self.builder.add(Some(parent), span, content);
                self.finish(id, span.end(), column)
            }
            _ => {
                let scalar = self.scalar()?;
                self.finish_scalar(parent, &scalar, column)
            }
        }
    }

    /// Reads a list such as `[a, "b", 1]`, which contains only scalars.
    fn list(&mut self, parent: NodeId, column: usize) -> Option<NodeId> {
        let start = self.at;
        let id = self
            .builder
            .add(Some(parent), Span::at(start), Content::Null);
        let mut items = Vec::new();
        self.at += 1;
        self.skip_blanks();
        while self.peek(0) != Some(b']') {
            let item = match self.peek(0)? {
                quote @ (b'"' | b'\'') => self.quoted(quote)?,
                _ => self.plain(true)?,
            };
            let content = self.content(&item);
            items.push(self.builder.add(Some(id), item.span, content));
            self.skip_blanks();
            match self.peek(0)? {
                b']' => {}
                b',' => {
                    self.at += 1;
                    self.skip_blanks();
                    // A trailing comma is left to the full parser.
                    if self.peek(0) == Some(b']') {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let end = self.closed(b']')?;
        let node = self.builder.node(id);
        node.span = Span::from(start..end);
        node.content = Content::Array(items);
        self.finish(id, end, column)
    }

    /// Reads a closing bracket, which must be here, and returns its end.
    fn closed(&mut self, bracket: u8) -> Option<usize> {
        (self.peek(0) == Some(bracket)).then(|| {
            self.at += 1;
            self.at
        })
    }

    fn ends_key(&self) -> bool {
        self.peek(0) == Some(b':') && self.is_blank(self.at + 1)
    }

    /// Whether the line ends here, except for a comment.
    fn ends_line(&self) -> bool {
        match self.peek(0) {
            None | Some(b'\n') => true,
            Some(it) => it == b'#' && self.bytes[self.at - 1] == b' ',
        }
    }

    fn content(&self, scalar: &Scalar) -> Content {
        let text = Text::Source(scalar.text);
        if !scalar.is_plain {
            return Content::String(text);
        }
        let bytes = &self.bytes[scalar.text.range()];
        match resolve_plain(std::str::from_utf8(bytes).unwrap_or_default()) {
            Resolved::Null => Content::Null,
            Resolved::Bool(value) => Content::Bool(value),
            Resolved::Number => Content::Number(text),
            Resolved::String => Content::String(text),
        }
    }

    fn nothing(&mut self, parent: NodeId, at: usize) -> NodeId {
        self.end = at;
        self.builder.add(Some(parent), Span::at(at), Content::Null)
    }

    fn finish_scalar(&mut self, parent: NodeId, scalar: &Scalar, column: usize) -> Option<NodeId> {
        let content = self.content(scalar);
        let id = self.builder.add(Some(parent), scalar.span, content);
        self.finish(id, scalar.span.end(), column)
    }

    /// Continues after a value that ends its line. Text that is indented deeper than the value's
    /// key or item would continue the value, so it is rejected.
    fn finish(&mut self, id: NodeId, end: usize, column: usize) -> Option<NodeId> {
        self.end = end;
        self.next_line()?;
        (self.at == self.bytes.len() || self.column <= column).then_some(id)
    }

    fn open(&mut self, parent: Option<NodeId>, start: usize) -> Option<NodeId> {
        self.depth += 1;
        (self.depth < DEEPEST).then(|| self.builder.add(parent, Span::at(start), Content::Null))
    }

    /// Ends a block at `column`. The next token must not be inside of the block.
    fn close(
        &mut self,
        id: NodeId,
        start: usize,
        content: Content,
        column: usize,
    ) -> Option<NodeId> {
        self.depth -= 1;
        let node = self.builder.node(id);
        node.span = Span::from(start..self.end);
        node.content = content;
        (self.at == self.bytes.len() || self.column <= column).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parse::yaml::parse_any;

    /// A complete description of a tree, for comparison.
    fn describe(text: &str, parsed: &Parsed) -> Vec<String> {
        let string = |it: &Text| match it {
            Text::Source(span) => text[span.range()].to_owned(),
            Text::Decoded(text) => text.to_string(),
        };
        let mut lines = vec![format!("{:?}", parsed.root)];
        for node in &parsed.nodes {
            let content = match &node.content {
                Content::Number(text) => format!("number {}", string(text)),
                Content::String(text) => format!("string {}", string(text)),
                Content::Object(object) => {
                    let members = object.members.iter();
                    let members = members
                        .map(|it| format!("{} {:?} {:?}", string(&it.key), it.key_span, it.node));
                    format!("object {:?}", members.collect::<Vec<_>>())
                }
                other => format!("{other:?}"),
            };
            lines.push(format!("{:?} {:?} {content}", node.parent, node.span));
        }
        lines
    }

    /// Whether this parser reads the text. If so, the result must be the same as that of the full
    /// parser.
    fn is_read(text: &str) -> bool {
        let Some(parsed) = parse(text) else {
            return false;
        };
        let other = match parse_any(text) {
            Ok(other) => other,
            Err(error) => panic!("{text:?}: {error}"),
        };
        assert_eq!(describe(text, &parsed), describe(text, &other), "{text:?}");
        true
    }

    #[test]
    fn common_files_are_parsed() {
        for text in [
            "a: 1\n",
            "a: 1",
            "---\n# The app.\nname: \"app\" # ours\nports:\n  - name: http\n    number: 80\n\n  - number: 81\nlabels: {}\n",
            "on:\n  push:\n  pull_request:\njobs:\n  a:\n    needs: [b, 'c', -1]\n    steps:\n    - uses: x/y@v1\n    -   run: make -j\n        if: a == 'b'\n    env:\n",
            "- - a\n  - b\n-\n  c: d\n-\n",
            "  a:\n    b: []\n  c: {  }\n",
            "a#b: c#d\n'e f': ~\n\"g\":\n- https://x.y/z?a=b\nno: yes\n",
        ] {
            assert!(is_read(text), "{text}");
        }
    }

    #[test]
    fn other_yaml_is_left_to_the_full_parser() {
        for text in [
            "",
            "# a\n",
            "a",
            "a: |\n  b\n",
            "a: b\n  c\n",
            "a: &x 1\n",
            "a: *x\n",
            "a: !t 1\n",
            "a: 1\n---\nb: 1\n",
            "a: \"\\n\"\n",
            "a: 'it''s'\n",
            "? a\n",
            "a:\tb\n",
            "a: 1\r\n",
            "a: {b: 1}\n",
            "a: [[b]]\n",
            "a: [b: 1]\n",
            "a: b: c\n",
            "a: - b\n",
            "\u{fc}: 1\n",
            "a: 1\n b: 2\n",
            "a: [b,\n  c]\n",
            "%YAML 1.2\n",
            "a: \"b\" c\n",
            "a : 1\n",
        ] {
            assert!(!is_read(text), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn both_parsers_give_the_same_result(parts in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "-", "- ", ":", ": ", "\n", "\n", "\n", " ", "  ", "    ", "#", " # c", "'", "\"",
            "'x'", "\"y z\"", "[", "]", "[a, 1]", "{}", "{", "}", ",", "1", "-1", "~", "true", "---\n",
            "?", "!", "&", "*", "|", ">", "\t", "a:", "b: ", "- a: 1\n", "  b: 2\n", "a:\n", "%", "@",
        ]), 1..14)) {
            is_read(&parts.concat());
        }
    }
}
