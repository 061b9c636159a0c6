//! The guards of a rule, as its file has them.

use serde::{Deserialize, Serialize};

/// A condition of a match. If it cannot be decided, the rule does not apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Constraint {
    /// The node that a metavariable captures is of one of these kinds, as the parser names them, or as
    /// [`NodeKind`](crate::NodeKind) does.
    Kind { capture: String, any: Vec<String> },
    /// The whole text of a capture matches a regular expression.
    Regex { capture: String, matches: String },
    /// The captured node is a literal of one of these types, or a single name.
    Literal { capture: String, any: Vec<Literal> },
    /// Some node around the match.
    Inside(Place),
    /// The statement, element or argument before the match.
    PrecededBy(Place),
    /// The one after it.
    FollowedBy(Place),
    /// The code `name` of the pattern means a symbol of a module, or the module itself. It also matches code that means the
    /// same under another name.
    Import {
        name: String,
        module: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// The file imports a symbol of a module, or the module itself, under this name, which the pattern need not contain.
    Imported {
        name: String,
        module: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// No scope around the match binds this name, except to a built-in.
    NotShadowed { name: String },
    /// The path of the file matches a glob.
    Path { glob: String },
    /// The opposite of a condition that can be decided.
    Not(Box<Constraint>),
}

/// A node, by its kind or by a pattern. One of them is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// The type of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    String,
    Int,
    Float,
    Bool,
    None,
    Identifier,
}

/// The imports that a template needs, and those that it may make superfluous, as statements of the language. In Go, the
/// path in quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imports {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<String>,
    /// An import is removed only if nothing in the file uses its name any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
}

impl Imports {
    pub fn is_empty(&self) -> bool {
        self.add.is_empty() && self.remove.is_empty()
    }
}
