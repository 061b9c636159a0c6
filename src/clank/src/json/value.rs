//! JSON values whose members keep their order.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::sink::Sink;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(usize),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
    /// Any other serializable value.
    Other(serde_json::Value),
}

/// A value under construction.
#[derive(Default)]
pub(super) struct Values {
    /// The open values, innermost last, each with its key in the enclosing value.
    open: Vec<(&'static str, Json)>,
    key: &'static str,
    done: Option<Json>,
}

impl Values {
    pub fn finish(self) -> Json {
        self.done.unwrap_or(Json::Null)
    }

    fn put(&mut self, value: Json) {
        match self.open.last_mut() {
            Some((_, Json::Object(members))) => members.push((self.key, value)),
            Some((_, Json::List(items))) => items.push(value),
            _ => self.done = Some(value),
        }
    }

    fn end(&mut self) {
        if let Some((key, value)) = self.open.pop() {
            self.key = key;
            self.put(value);
        }
    }
}

impl Sink for Values {
    fn open(&mut self) {
        self.open.push((self.key, Json::Object(Vec::new())));
    }

    fn close(&mut self) {
        self.end();
    }

    fn open_list(&mut self) {
        self.open.push((self.key, Json::List(Vec::new())));
    }

    fn close_list(&mut self) {
        self.end();
    }

    fn key(&mut self, name: &'static str) {
        self.key = name;
    }

    fn null(&mut self) {
        self.put(Json::Null);
    }

    fn bool(&mut self, value: bool) {
        self.put(Json::Bool(value));
    }

    fn int(&mut self, value: usize) {
        self.put(Json::Int(value));
    }

    fn float(&mut self, value: f64) {
        self.put(Json::Float(value));
    }

    fn text(&mut self, text: &str) {
        self.put(Json::Text(text.to_owned()));
    }

    fn other(&mut self, value: &impl Serialize) {
        self.put(Json::Other(serde_json::to_value(value).unwrap_or_default()));
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_u64(*value as u64),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Other(value) => value.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}
