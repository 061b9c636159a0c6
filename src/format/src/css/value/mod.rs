//! The parts of a value, split like in postcss-value-parser and grouped like in prettier.

mod lexer;
mod parse;

pub(super) use parse::parse;

#[derive(Debug)]
pub(super) struct Value<'a> {
    pub(super) kind: Kind<'a>,
    /// The source; for a function, its name; for an at-word, without the `@`.
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is directly after the previous part. Groups never are.
    pub(super) is_joined: bool,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Word,
    AtWord,
    /// Its text is followed by a unit.
    Number {
        unit: &'a str,
    },
    Operator,
    Colon,
    String,
    Comment {
        is_line: bool,
    },
    UnicodeRange,
    Function(Box<Value<'a>>),
    /// Parts that no comma separates.
    Sequence(Vec<Value<'a>>),
    /// Parts that commas separate.
    List(List<'a>),
    /// Text that is printed as it is.
    Raw,
}

#[derive(Debug)]
pub(super) struct List<'a> {
    pub(super) items: Vec<Value<'a>>,
    /// Whether it has parentheses.
    pub(super) is_closed: bool,
}

impl<'a> Value<'a> {
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word) && self.text == word
    }

    pub(super) fn is_any_word(&self, words: &[&str]) -> bool {
        matches!(self.kind, Kind::Word) && words.contains(&self.text)
    }

    pub(super) fn is_operator(&self, operator: &str) -> bool {
        matches!(self.kind, Kind::Operator) && self.text == operator
    }

    pub(super) fn is_math(&self) -> bool {
        matches!(self.kind, Kind::Operator)
    }

    pub(super) fn is_colon(&self) -> bool {
        matches!(self.kind, Kind::Colon)
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::Comment { .. })
    }

    pub(super) fn is_line_comment(&self) -> bool {
        matches!(self.kind, Kind::Comment { is_line: true })
    }

    /// Whether it is a word, with or without `@`.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::AtWord)
    }

    pub(super) fn is_function(&self) -> bool {
        matches!(self.kind, Kind::Function(_))
    }

    pub(super) fn is_parenthesized(&self) -> bool {
        matches!(&self.kind, Kind::List(list) if list.is_closed)
    }

    pub(super) fn list(&self) -> Option<&List<'a>> {
        match &self.kind {
            Kind::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn sequence(&self) -> Option<&[Value<'a>]> {
        match &self.kind {
            Kind::Sequence(parts) => Some(parts),
            _ => None,
        }
    }

    /// The text, for comparisons in prettier's rules. `None` for groups, comments and raw text.
    pub(super) fn plain(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Sequence(_) | Kind::List(_) | Kind::Raw | Kind::Comment { .. } => None,
            _ => Some(self.text),
        }
    }

    /// Whether it is a key, a colon and a value.
    pub(super) fn is_pair(&self) -> bool {
        let Some(parts) = self.sequence() else {
            return false;
        };
        without_comments(parts).get(1).is_some_and(Value::is_colon)
    }
}

/// The parts from the first one that is not a comment.
pub(super) fn without_comments<'v, 'a>(parts: &'v [Value<'a>]) -> &'v [Value<'a>] {
    let first = parts.iter().position(|part| !part.is_comment());
    &parts[first.unwrap_or(parts.len())..]
}
