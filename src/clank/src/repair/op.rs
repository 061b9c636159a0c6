//! The twelve operations on a tree, in the form used in results and reports.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::PatchError;
use crate::lex::{TokenKind, word_kind};

/// One change of a program. Node ids refer to the canonical AST. Embedded nodes are AST JSON and
/// may contain source fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum PatchOp {
    ReplaceNode {
        node_id: String,
        new_node: Value,
    },
    InsertBefore {
        target_id: String,
        new_statement: Value,
    },
    InsertAfter {
        target_id: String,
        new_statement: Value,
    },
    /// Replaces the node with `wrapper`, in which `{"hole_ref": ...}` of that name becomes the
    /// node.
    Wrap {
        node_id: String,
        wrapper: Value,
        hole_ref: String,
    },
    DeleteNode {
        node_id: String,
    },
    WidenEffect {
        fn_id: String,
        add_effects: Vec<String>,
    },
    /// Changes a single use of a name.
    RenameSymbol {
        node_id: String,
        old_name: String,
        new_name: String,
    },
    /// Changes a declared name and every reference to it.
    Rename {
        symbol_id: String,
        new_name: String,
    },
    RenameField {
        node_id: String,
        old_name: String,
        new_name: String,
    },
    AddField {
        type_id: String,
        field: NamedType,
    },
    /// Without a position, the parameter is added at the end.
    AddParam {
        fn_id: String,
        param: NamedType,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<usize>,
    },
    AddRefinement {
        type_id: String,
        predicate: Value,
    },
}

/// A field or parameter: a name and its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedType {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: Value,
}

impl PatchOp {
    /// The name of the op in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ReplaceNode { .. } => "replace_node",
            Self::InsertBefore { .. } => "insert_before",
            Self::InsertAfter { .. } => "insert_after",
            Self::Wrap { .. } => "wrap",
            Self::DeleteNode { .. } => "delete_node",
            Self::WidenEffect { .. } => "widen_effect",
            Self::RenameSymbol { .. } => "rename_symbol",
            Self::Rename { .. } => "rename",
            Self::RenameField { .. } => "rename_field",
            Self::AddField { .. } => "add_field",
            Self::AddParam { .. } => "add_param",
            Self::AddRefinement { .. } => "add_refinement",
        }
    }

    /// The id of the node that the op changes.
    pub fn target(&self) -> &str {
        match self {
            Self::ReplaceNode { node_id, .. }
            | Self::Wrap { node_id, .. }
            | Self::DeleteNode { node_id }
            | Self::RenameSymbol { node_id, .. }
            | Self::RenameField { node_id, .. } => node_id,
            Self::InsertBefore { target_id, .. } | Self::InsertAfter { target_id, .. } => target_id,
            Self::WidenEffect { fn_id, .. } | Self::AddParam { fn_id, .. } => fn_id,
            Self::Rename { symbol_id, .. } => symbol_id,
            Self::AddField { type_id, .. } | Self::AddRefinement { type_id, .. } => type_id,
        }
    }

    /// The number of nodes that the op touches. A wrap counts the node and its wrapper.
    pub fn node_count(&self) -> u32 {
        match self {
            Self::Wrap { .. } => 2,
            _ => 1,
        }
    }

    /// Rejects new names that Clank cannot read where the op puts them.
    pub(super) fn check_names(&self) -> Result<(), PatchError> {
        let is_value = |kind: TokenKind| kind == TokenKind::Ident;
        let is_type = |kind: TokenKind| kind == TokenKind::TypeIdent;
        let is_any = |kind: TokenKind| is_value(kind) || is_type(kind) || kind.is_builtin_type();
        let check = |name: &String, fits: &dyn Fn(TokenKind) -> bool| match word_kind(name) {
            Some(kind) if fits(kind) => Ok(()),
            _ => Err(PatchError::NoName { name: name.clone() }),
        };
        match self {
            Self::RenameSymbol { new_name, .. } | Self::Rename { new_name, .. } => {
                check(new_name, &is_any)
            }
            Self::RenameField { new_name, .. } => check(new_name, &is_value),
            Self::AddField { field: added, .. } | Self::AddParam { param: added, .. } => {
                check(&added.name, &is_value)
            }
            Self::WidenEffect { add_effects, .. } => {
                add_effects.iter().try_for_each(|it| check(it, &is_type))
            }
            Self::ReplaceNode { .. }
            | Self::InsertBefore { .. }
            | Self::InsertAfter { .. }
            | Self::Wrap { .. }
            | Self::DeleteNode { .. }
            | Self::AddRefinement { .. } => Ok(()),
        }
    }

    /// Whether the op excludes changes of the nodes below its target.
    pub fn replaces_subtree(&self) -> bool {
        matches!(self, Self::ReplaceNode { .. } | Self::DeleteNode { .. })
    }
}
