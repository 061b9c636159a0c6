//! Converts ops to the form that reports use.

use fixpoint_report::Op;

use super::op::PatchOp;

/// The ops in the form of a report. Both forms have the same JSON. Empty if a node is nested too
/// deeply for a report.
pub(crate) fn report_ops(ops: &[PatchOp]) -> Vec<Op> {
    let convert = |op: &PatchOp| {
        let json = serde_json::to_value(op).ok()?;
        Some(Op {
            patch: serde_json::from_value(json).ok()?,
            pointer: None,
        })
    };
    let converted: Option<Vec<Op>> = ops.iter().map(convert).collect();
    converted.unwrap_or_default()
}
