//! Parse events of a YAML file with one document. Anchors, aliases and non-scalar keys cannot be
//! interpreted event by event, so the stream ends with `None` there.

use saphyr_parser::{Event as Parsed, Parser, ScalarStyle, StrInput};

use super::event::{Event, Events};
use super::yaml_scalar::{Resolved, resolve};
use crate::tree::MAX_DEPTH;

pub(crate) struct YamlEvents<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// For each open collection: `None` for a sequence, or for a mapping whether a key comes next.
    open: Vec<Option<bool>>,
    documents: usize,
}

impl<'t> YamlEvents<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            parser: Parser::new_from_str(text),
            open: Vec::new(),
            documents: 0,
        }
    }

    /// Whether the node that starts here is a key. The node after a key is not.
    fn takes_key(&mut self) -> bool {
        match self.open.last_mut() {
            Some(Some(wants_key)) => {
                let is_key = *wants_key;
                *wants_key = !is_key;
                is_key
            }
            _ => false,
        }
    }

    fn enter(&mut self, collection: Option<bool>) -> Option<()> {
        if self.takes_key() || self.open.len() >= MAX_DEPTH {
            return None;
        }
        self.open.push(collection);
        Some(())
    }
}

impl<'t> Events<'t> for YamlEvents<'t> {
    fn next(&mut self) -> Option<Event<'t>> {
        loop {
            match self.parser.next()?.ok()?.0 {
                Parsed::Nothing | Parsed::StreamStart | Parsed::DocumentEnd => {}
                Parsed::DocumentStart(_) => {
                    self.documents += 1;
                    if self.documents > 1 {
                        return None;
                    }
                }
                Parsed::StreamEnd => return Some(Event::End),
                Parsed::Scalar(value, style, 0, tag) => {
                    if self.takes_key() {
                        return Some(Event::Key(value));
                    }
                    let is_plain = style == ScalarStyle::Plain;
                    return Some(match resolve(&value, is_plain, tag.as_deref()) {
                        Resolved::Null => Event::Null,
                        Resolved::Bool(value) => Event::Bool(value),
                        Resolved::Number => Event::Number(value),
                        Resolved::String => Event::String(value),
                    });
                }
                Parsed::SequenceStart(0, _) => {
                    self.enter(None)?;
                    return Some(Event::Array);
                }
                Parsed::MappingStart(0, _) => {
                    self.enter(Some(true))?;
                    return Some(Event::Object);
                }
                Parsed::SequenceEnd | Parsed::MappingEnd => {
                    self.open.pop();
                    return Some(Event::Close);
                }
                Parsed::Alias(_)
                | Parsed::Scalar(..)
                | Parsed::SequenceStart(..)
                | Parsed::MappingStart(..) => return None,
            }
        }
    }
}
