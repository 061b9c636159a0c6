//! Plain values: the content of a document without its notation.

use std::fmt::Write as _;

use crate::number::Number;

/// A JSON value. Members are in document order, and numbers keep their notation.
///
/// Two objects are equal regardless of the order of their members.
#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// The JSON type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        let all = [
            Self::Null,
            Self::Boolean,
            Self::Number,
            Self::String,
            Self::Array,
            Self::Object,
        ];
        all.into_iter().find(|it| it.name() == name)
    }
}

impl Value {
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Boolean,
            Self::Number(_) => Kind::Number,
            Self::String(_) => Kind::String,
            Self::Array(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    /// The member with this key; the first one if the key occurs more than once.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|it| it.0 == key).map(|it| &it.1),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// JSON on one line, with a space after each comma and colon.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        write_json(&mut text, self, None);
        text
    }

    /// JSON on several lines, indented by two spaces, with a final newline.
    pub fn to_json_pretty(&self) -> String {
        let mut text = String::new();
        write_json(
            &mut text,
            self,
            Some(Layout {
                step: "  ",
                line: "\n",
                depth: 0,
            }),
        );
        text.push('\n');
        text
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => same_members(a, b),
            _ => false,
        }
    }
}

fn same_members(a: &[(String, Value)], b: &[(String, Value)]) -> bool {
    fn sorted(members: &[(String, Value)]) -> Vec<&(String, Value)> {
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_by(|one, two| one.0.cmp(&two.0));
        sorted
    }
    a.len() == b.len() && (a == b || sorted(a) == sorted(b))
}

/// The layout of JSON on several lines.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    pub step: &'a str,
    pub line: &'a str,
    pub depth: usize,
}

impl<'a> Layout<'a> {
    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn break_line(self, out: &mut String) {
        out.push_str(self.line);
        for _ in 0..self.depth {
            out.push_str(self.step);
        }
    }
}

/// Writes JSON, on one line if there is no layout. A number that JSON cannot express is written as
/// a string.
pub(crate) fn write_json(out: &mut String, value: &Value, layout: Option<Layout<'_>>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => match number.to_json() {
            Some(json) => out.push_str(&json),
            None => write_json_string(out, number.as_written()),
        },
        Value::String(text) => write_json_string(out, text),
        Value::Array(items) => {
            write_json_list(out, ('[', ']'), items, layout, |out, item, layout| {
                write_json(out, item, layout);
            });
        }
        Value::Object(members) => {
            write_json_list(out, ('{', '}'), members, layout, |out, member, layout| {
                write_json_string(out, &member.0);
                out.push_str(": ");
                write_json(out, &member.1, layout);
            });
        }
    }
}

fn write_json_list<'l, T>(
    out: &mut String,
    (open, close): (char, char),
    items: &[T],
    layout: Option<Layout<'l>>,
    mut write: impl FnMut(&mut String, &T, Option<Layout<'l>>),
) {
    out.push(open);
    let inner = layout.map(Layout::deeper);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match inner {
            Some(inner) => inner.break_line(out),
            None if index > 0 => out.push(' '),
            None => {}
        }
        write(out, item, inner);
    }
    if let (Some(layout), false) = (layout, items.is_empty()) {
        layout.break_line(out);
    }
    out.push(close);
}

/// Writes a string in JSON quotes. The result is also a valid double-quoted YAML scalar and TOML
/// basic string, since characters that the formats treat differently are escaped.
pub(crate) fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Characters that one of the formats, or a human reader, treats as a line break or
            // control character.
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
