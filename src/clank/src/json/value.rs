//! JSON whose members keep the order they are written in.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(usize),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
    /// Something that has a form of its own.
    Other(serde_json::Value),
}

impl Json {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn of(value: &impl Serialize) -> Self {
        Self::Other(serde_json::to_value(value).unwrap_or_default())
    }

    /// An object of the members that are there.
    pub fn object(members: impl IntoIterator<Item = (&'static str, Option<Json>)>) -> Self {
        let members = members.into_iter();
        Self::Object(
            members
                .filter_map(|(name, value)| Some((name, value?)))
                .collect(),
        )
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
