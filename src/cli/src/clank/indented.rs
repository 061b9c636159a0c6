//! Indented JSON for people. Deeply nested values are kept on one line, since their indentation would
//! soon be longer than their content.

use std::io::{self, Write};

use fixpoint_text::escape_json;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::failure::Failure;

/// How many levels are put on separate lines.
const DEEPEST: usize = 60;

/// A value as indented JSON, with a newline at its end.
pub(crate) fn indented(value: &impl Serialize) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Indented::default());
    value.serialize(&mut serializer)?;
    bytes.push(b'\n');
    Ok(escape_json(&String::from_utf8_lossy(&bytes)).into_owned())
}

#[derive(Default)]
struct Indented {
    depth: usize,
    /// Whether the innermost list or object has something in it.
    has_value: bool,
}

impl Indented {
    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let had_lines = self.has_value && self.depth <= DEEPEST;
        self.depth -= 1;
        if had_lines {
            self.new_line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        if self.depth <= DEEPEST {
            self.new_line(writer)?;
        }
        Ok(())
    }

    fn new_line<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn shallow_values_are_indented_as_usual() {
        let value = json!({ "a": [1, { "b": [] }, {}], "c": null });
        let usual = serde_json::to_string_pretty(&value).expect("JSON") + "\n";
        assert_eq!(indented(&value).expect("JSON"), usual);
    }

    #[test]
    fn the_output_does_not_grow_with_the_square_of_the_depth() {
        let deep = (0..1_000).fold(json!(1), |inside, _| json!([inside]));
        let text = indented(&deep).expect("JSON");
        assert!(text.len() < 10_000, "{}", text.len());
        let mut deserializer = serde_json::Deserializer::from_str(&text);
        deserializer.disable_recursion_limit();
        let read: Value = serde::Deserialize::deserialize(&mut deserializer).expect("JSON");
        assert_eq!(read, deep);
    }
}
