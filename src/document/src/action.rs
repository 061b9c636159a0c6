//! Fix actions: structured changes of documents, as a validator or anybody else writes them.

use fixpoint_report::{Confidence, EmitKey, Position, Severity, emit_order};

use crate::pointer::Pointer;
use crate::value::{Kind, Value};

/// A file of fix actions.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionPack {
    /// The version of what wrote it.
    pub pack_version: String,
    /// The folder its files are relative to, itself relative to the workspace.
    pub workspace_root: String,
    pub fix_actions: Vec<FixAction>,
}

/// A change that is made whole, over all of its files, or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct FixAction {
    /// Unlike any other in the pack.
    pub id: String,
    pub title: String,
    pub severity: Severity,
    /// What it is meant to mend, at least one.
    pub targets: Vec<Target>,
    /// Made one after the other: a pointer counts what the ops before have done.
    pub ops: Vec<Op>,
    pub notes: Option<String>,
    pub confidence: Option<Confidence>,
}

/// The finding an action is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub file: String,
    pub json_pointer: Pointer,
    pub rule_id: String,
    pub diagnostic_id: Option<String>,
}

/// One change of one document.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    pub file: String,
    pub json_pointer: Pointer,
    pub change: Change,
    pub expects: Option<Expects>,
}

/// What is done at an op's pointer.
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
    /// Without an index, behind the last item.
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

/// What must hold before an op is made.
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
    /// The pointer to what the op is about, which is what `expects` speaks of: the value replaced, the
    /// member or item added, removed or renamed; of an insertion into an array, the array.
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
    /// What decides the action's place in a pack: by its first target.
    fn emit_key(&self) -> EmitKey<'_> {
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
    /// Puts targets and actions into emit order. The ops of an action stay: their order is meaning.
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
