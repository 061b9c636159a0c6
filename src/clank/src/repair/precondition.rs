//! Preconditions of a repair, and how they are checked.

use fixpoint_text::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::candidate::Candidate;
use super::error::PatchError;
use super::patch::{effect_name, patch};
use super::path::node;

/// A condition that must hold before the repair is applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precondition {
    pub description: String,
    /// Ids of nodes that another repair must change first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// The machine-checked part of the precondition.
    pub expects: Vec<Expectation>,
}

/// A requirement on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Expectation {
    /// The node is unchanged, compared by [`node_digest`].
    Unchanged { node_id: String, sha256: String },
    /// The node is a function that declares these effects.
    Declares {
        node_id: String,
        effects: Vec<String>,
    },
}

impl Precondition {
    /// Checks the precondition against a program in its JSON form.
    pub fn check(&self, program: &Value) -> Result<(), PatchError> {
        for expected in &self.expects {
            if !expected.holds(program)? {
                return Err(PatchError::Precondition {
                    description: self.description.clone(),
                });
            }
        }
        Ok(())
    }
}

impl Expectation {
    fn holds(&self, program: &Value) -> Result<bool, PatchError> {
        Ok(match self {
            Self::Unchanged { node_id, sha256 } => {
                node_digest(node(program, node_id)?).to_string() == *sha256
            }
            Self::Declares { node_id, effects } => {
                let declared = node(program, node_id)?.pointer("/returnType/effects");
                let declared = declared.and_then(Value::as_array);
                let has = |effect: &String| {
                    let mut all = declared.into_iter().flatten();
                    all.any(|it| effect_name(it) == effect)
                };
                effects.iter().all(has)
            }
        })
    }
}

/// Applies a repair to a program in its JSON form, after checking its preconditions.
pub fn apply(program: &Value, candidate: &Candidate) -> Result<Value, PatchError> {
    for precondition in &candidate.preconditions {
        precondition.check(program)?;
    }
    patch(program, &candidate.edits)
}

/// A digest of a node in its JSON form. Ids, spans and members with default values do not affect
/// it.
pub fn node_digest(node: &Value) -> Digest {
    let mut said = String::new();
    say(node, &mut said);
    Digest::of(said.as_bytes())
}

fn say(value: &Value, said: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.retain(|(name, value)| {
                !matches!(name.as_str(), "id" | "span") && !is_default(value)
            });
            members.sort_by_key(|it| it.0);
            said.push('{');
            for (name, value) in members {
                said.push_str(&Value::from(name.as_str()).to_string());
                said.push(':');
                say(value, said);
            }
            said.push('}');
        }
        Value::Array(items) => {
            said.push('[');
            for item in items {
                say(item, said);
                said.push(',');
            }
            said.push(']');
        }
        other => said.push_str(&other.to_string()),
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
