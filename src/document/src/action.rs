//! Fix actions: structured changes to documents, written by a validator or by hand.

use fixpoint_report::{Confidence, EmitKey, Position, Severity, emit_order};
use fixpoint_text::Digest;

use crate::pointer::Pointer;
use crate::value::{Kind, Value};

/// A file of fix actions.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionPack {
    /// The version of the tool that wrote the pack.
    pub pack_version: String,
    /// The folder that file paths are relative to, itself relative to the workspace.
    pub workspace_root: String,
    pub fix_actions: Vec<FixAction>,
}

/// A change that is applied completely, in all of its files, or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct FixAction {
    /// Unique within the pack.
    pub id: String,
    pub title: String,
    pub severity: Severity,
    /// The findings that the action resolves, at least one.
    pub targets: Vec<Target>,
    /// Applied in order: each pointer refers to the document after the ops before it.
    pub ops: Vec<Op>,
    pub notes: Option<String>,
    pub confidence: Option<Confidence>,
}

/// The finding that an action resolves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub file: String,
    pub json_pointer: Pointer,
    pub rule_id: String,
    pub diagnostic_id: Option<String>,
}

/// One change to one document.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    pub file: String,
    pub json_pointer: Pointer,
    pub change: Change,
    pub expects: Option<Expects>,
    /// The SHA-256 of the file before the action. On any other text, the action is rejected.
    pub base_sha256: Option<Digest>,
}

/// The change that an op makes at its pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    ReplaceValue {
        value: Value,
    },
    AddValue {
        key: String,
        value: Value,
    },
    RemoveKey {
        key: String,
    },
    /// Without an index, the item is appended.
    InsertArrayItem {
        index: Option<usize>,
        value: Value,
    },
    ReplaceArrayItem {
        index: usize,
        value: Value,
    },
    RemoveArrayItem {
        index: usize,
    },
    RenameKey {
        from: String,
        to: String,
    },
}

/// Conditions that must hold before an op is applied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expects {
    pub kind: Option<Kind>,
    pub equals: Option<Value>,
    pub exists: Option<bool>,
}

impl Change {
    /// The name of the op.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ReplaceValue { .. } => "replace_value",
            Self::AddValue { .. } => "add_value",
            Self::RemoveKey { .. } => "remove_key",
            Self::InsertArrayItem { .. } => "insert_array_item",
            Self::ReplaceArrayItem { .. } => "replace_array_item",
            Self::RemoveArrayItem { .. } => "remove_array_item",
            Self::RenameKey { .. } => "rename_key",
        }
    }
}

impl Op {
    /// The pointer that `expects` refers to: the replaced value, or the added, removed or renamed
    /// member or item. For an insertion into an array, it is the array.
    pub fn subject(&self) -> Pointer {
        match &self.change {
            Change::ReplaceValue { .. } | Change::InsertArrayItem { .. } => {
                self.json_pointer.clone()
            }
            Change::AddValue { key, .. } | Change::RemoveKey { key } => self.json_pointer.join(key),
            Change::RenameKey { from, .. } => self.json_pointer.join(from),
            Change::ReplaceArrayItem { index, .. } | Change::RemoveArrayItem { index } => {
                self.json_pointer.join(index.to_string())
            }
        }
    }
}

impl FixAction {
    /// The sort key of the action in a pack, derived from its first target.
    pub(crate) fn emit_key(&self) -> EmitKey<'_> {
        let target = self.targets.first();
        EmitKey {
            severity: self.severity,
            file: target.map_or("", |it| &it.file),
            position: Position::of_pointer(
                &target.map_or(String::new(), |it| it.json_pointer.to_string()),
            ),
            rule: target.map_or("", |it| &it.rule_id),
            title: &self.title,
            id: &self.id,
        }
    }
}

impl ActionPack {
    /// Sorts targets and actions into emit order. The ops of an action keep their order, because it
    /// is significant.
    pub fn sort(&mut self) {
        for action in &mut self.fix_actions {
            action.targets.sort_by_cached_key(|target| {
                (
                    target.file.clone(),
                    Position::of_pointer(&target.json_pointer.to_string()),
                    target.rule_id.clone(),
                    target.diagnostic_id.clone(),
                )
            });
        }
        self.fix_actions
            .sort_by(|a, b| emit_order(&a.emit_key(), &b.emit_key()));
    }
}
