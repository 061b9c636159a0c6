//! Converts ops to the form that reports use.

use fixpoint_report::{Op, PatchKind, PatchOp as Wire, parse_word};
use serde_json::Value;

use super::op::PatchOp;

impl From<&PatchOp> for Op {
    fn from(op: &PatchOp) -> Self {
        let text = |value: &Value| Some(value.to_string());
        let mut wire = Wire {
            op: parse_word::<PatchKind>(op.name()).map_or(0, Into::into),
            target_id: op.target().to_owned(),
            ..Wire::default()
        };
        match op {
            PatchOp::ReplaceNode { new_node, .. } => wire.payload_json = text(new_node),
            PatchOp::InsertBefore { new_statement, .. }
            | PatchOp::InsertAfter { new_statement, .. } => wire.payload_json = text(new_statement),
            PatchOp::Wrap {
                wrapper, hole_ref, ..
            } => {
                wire.payload_json = text(wrapper);
                wire.hole_ref = Some(hole_ref.clone());
            }
            PatchOp::DeleteNode { .. } => {}
            PatchOp::WidenEffect { add_effects, .. } => wire.add_effects.clone_from(add_effects),
            PatchOp::RenameSymbol {
                old_name, new_name, ..
            }
            | PatchOp::RenameField {
                old_name, new_name, ..
            } => {
                wire.old_name = Some(old_name.clone());
                wire.new_name = Some(new_name.clone());
            }
            PatchOp::Rename { new_name, .. } => wire.new_name = Some(new_name.clone()),
            PatchOp::AddField { field: added, .. } => {
                wire.payload_json = serde_json::to_string(added).ok();
            }
            PatchOp::AddParam {
                param, position, ..
            } => {
                wire.payload_json = serde_json::to_string(param).ok();
                wire.position = position.and_then(|it| u32::try_from(it).ok());
            }
            PatchOp::AddRefinement { predicate, .. } => wire.payload_json = text(predicate),
        }
        Self {
            patch: Some(wire),
            pointer: None,
        }
    }
}
