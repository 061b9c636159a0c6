//! Checks the constraints on a report that its types do not express, for both serialized forms.

use std::collections::BTreeSet;

use fixpoint_text::Digest;

use crate::collision::collision;
use crate::json_text;
use crate::path::is_workspace_path;
use crate::read::ReportError;
use crate::wire::{
    Base, Canonical, Confidence, Diagnostic, Edit, Exit, Fix, FixReport, Kind, Op, PatchKind,
    PatchOp, PointerKind, Provenance, Rejection, RejectionReason, Safety, Severity, Span, Step,
};
use crate::words::{Words, word};

pub(crate) fn validate(report: &FixReport) -> Result<(), ReportError> {
    let mut checks = Checks::default();
    checks.report(report);
    let fields = checks.missing;
    match checks.invalid {
        _ if !fields.is_empty() => Err(ReportError::Missing { fields }),
        Some((field, problem)) => Err(ReportError::Invalid { field, problem }),
        None => Ok(()),
    }
}

/// What is wrong with a report: all missing fields, and the first invalid one.
#[derive(Default)]
struct Checks {
    missing: Vec<String>,
    invalid: Option<(String, String)>,
}

impl Checks {
    fn report(&mut self, report: &FixReport) {
        if report.schema_version == 0 {
            self.missing("schema_version");
        }
        let tool = report.tool.as_ref();
        self.filled(tool.map_or("", |tool| &tool.name), "tool.name");
        let base = report.base.clone().unwrap_or_default();
        self.workspace_path(&base.path, "base.path");
        self.digest(&base.sha256, "base.sha256");
        self.length(base.length, &base.sha256, "base.length");
        for (index, not_checked) in report.not_checked.iter().enumerate() {
            self.filled(&not_checked.what, &format!("not_checked[{index}].what"));
            self.filled(&not_checked.why, &format!("not_checked[{index}].why"));
        }
        let mut fix_ids = BTreeSet::new();
        for (index, fix) in report.fixes.iter().enumerate() {
            let field = format!("fixes[{index}]");
            self.fix(fix, &field, &base);
            if !fix_ids.insert(fix.id.as_str()) {
                self.invalid(&format!("{field}.id"), "is the id of an earlier fix too");
            }
        }
        let mut diagnostic_ids = BTreeSet::new();
        for (index, diagnostic) in report.diagnostics.iter().enumerate() {
            let field = format!("diagnostics[{index}]");
            self.diagnostic(diagnostic, &field, base.length);
            if !diagnostic_ids.insert(diagnostic.id.as_str()) {
                let problem = "is the id of an earlier diagnostic too";
                self.invalid(&format!("{field}.id"), problem);
            }
            let mut listed = diagnostic.fix_ids.iter();
            if let Some(unknown) = listed.find(|id| !fix_ids.contains(id.as_str())) {
                let problem = format!("names `{unknown}`, which is not a fix of the report");
                self.invalid(&format!("{field}.fix_ids"), &problem);
            }
        }
        for (index, rejection) in report.rejected.iter().enumerate() {
            self.rejection(rejection, &format!("rejected[{index}]"));
        }
        let exit = report.outcome.as_ref().map_or(0, |outcome| outcome.exit);
        self.known::<Exit>(exit, "outcome.exit");
        if let Some(canonical) = &report.canonical {
            self.canonical(canonical, &base);
            self.steps(&canonical.steps, &fix_ids);
            let ends_with_edits = [Exit::Fixpoint, Exit::Rejected].map(i32::from);
            if !canonical.edits.is_empty() && !ends_with_edits.contains(&exit) {
                let problem = "must be empty for a run that ended without a result";
                self.invalid("canonical.edits", problem);
            }
            if !canonical.edits.is_empty() && canonical.steps.is_empty() {
                self.invalid(
                    "canonical.steps",
                    "must name the fixes that led to the edits",
                );
            }
        }
    }

    /// Checks that the edits are for the report's own file, in apply order, and lead to the stated
    /// length.
    fn canonical(&mut self, canonical: &Canonical, base: &Base) {
        self.digest(&canonical.sha256, "canonical.sha256");
        self.length(canonical.length, &canonical.sha256, "canonical.length");
        let mut last_end = 0;
        let mut length = i128::from(base.length);
        for (index, edit) in canonical.edits.iter().enumerate() {
            let field = format!("canonical.edits[{index}]");
            self.edit(edit, &field, base);
            if edit.path != base.path {
                self.invalid(&format!("{field}.path"), "is not the report's own file");
            }
            if edit.start < last_end {
                self.invalid(&field, "starts before the end of the edit before it");
            }
            last_end = edit.end;
            length += edit.replacement.len() as i128 + i128::from(edit.start);
            length -= i128::from(edit.end);
        }
        if i128::from(canonical.length) != length {
            let stated = canonical.length;
            let problem = format!("is {stated}, but the edits lead to {length} bytes");
            self.invalid("canonical.length", &problem);
        }
        if canonical.edits.is_empty() && canonical.sha256 != base.sha256 {
            let problem = "is not that of the base, although there are no edits";
            self.invalid("canonical.sha256", problem);
        }
    }

    /// Checks that round numbers never decrease. The first round's fixes were found on the base
    /// bytes, so they must be in `fixes`. Later rounds apply fixes that were found on the
    /// intermediate text.
    fn steps(&mut self, steps: &[Step], fix_ids: &BTreeSet<&str>) {
        let first_round = steps.first().map_or(0, |step| step.round);
        let mut last_round = first_round;
        for (index, step) in steps.iter().enumerate() {
            let field = |name: &str| format!("canonical.steps[{index}].{name}");
            self.filled(&step.fix_id, &field("fix_id"));
            self.filled(&step.rule, &field("rule"));
            if step.round == 0 || step.round < last_round {
                self.invalid(&field("round"), "must count up from 1");
            }
            if step.round == first_round && !fix_ids.contains(step.fix_id.as_str()) {
                let problem = format!("names `{}`, which is not a fix of the report", step.fix_id);
                self.invalid(&field("fix_id"), &problem);
            }
            last_round = step.round;
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, field: &str, length: u64) {
        self.filled(&diagnostic.id, &format!("{field}.id"));
        self.filled(&diagnostic.rule, &format!("{field}.rule"));
        self.known::<Severity>(diagnostic.severity, &format!("{field}.severity"));
        self.filled(&diagnostic.message, &format!("{field}.message"));
        if let Some(tier) = &diagnostic.tier
            && !["schema", "semantic", "policy"].contains(&tier.as_str())
        {
            let problem = "must be one of schema, semantic, policy";
            self.invalid(&format!("{field}.tier"), problem);
        }
        match diagnostic.span {
            Some(span) => self.inside(span, length, &format!("{field}.span")),
            None => self.missing(&format!("{field}.span")),
        }
    }

    fn fix(&mut self, fix: &Fix, field: &str, base: &Base) {
        self.filled(&fix.id, &format!("{field}.id"));
        self.filled(&fix.title, &format!("{field}.title"));
        self.filled(&fix.rule, &format!("{field}.rule"));
        self.known::<Safety>(fix.safety, &format!("{field}.safety"));
        self.known::<Confidence>(fix.confidence, &format!("{field}.confidence"));
        self.known::<Kind>(fix.kind, &format!("{field}.kind"));
        self.known::<Provenance>(fix.provenance, &format!("{field}.provenance"));
        if fix.edits.is_empty() {
            self.missing(&format!("{field}.edits"));
        }
        for (index, edit) in fix.edits.iter().enumerate() {
            self.edit(edit, &format!("{field}.edits[{index}]"), base);
        }
        if let Some(edit) = collision(&fix.edits) {
            let problem = format!("has two edits that collide at byte {}", edit.start);
            self.invalid(&format!("{field}.edits"), &problem);
        }
        for (index, op) in fix.ops.iter().enumerate() {
            self.op(op, &format!("{field}.ops[{index}]"));
        }
        let is_repair = fix.ops.iter().any(|op| op.patch.is_some());
        if is_repair && fix.expected_delta.is_none() {
            self.missing(&format!("{field}.expected_delta"));
        }
    }

    fn edit(&mut self, edit: &Edit, field: &str, base: &Base) {
        self.workspace_path(&edit.path, &format!("{field}.path"));
        self.digest(&edit.expected_sha256, &format!("{field}.expected_sha256"));
        let span = Span {
            start: edit.start,
            end: edit.end,
        };
        // The length of another file is unknown here. It is checked when the edit is applied.
        let length = match edit.path == base.path {
            true => base.length,
            false => u64::MAX,
        };
        self.inside(span, length, field);
    }

    fn op(&mut self, op: &Op, field: &str) {
        match (&op.patch, &op.pointer) {
            (Some(patch), None) => self.patch_op(patch, &format!("{field}.patch")),
            (None, Some(pointer)) => {
                self.known::<PointerKind>(pointer.op, &format!("{field}.pointer.op"));
                self.workspace_path(&pointer.file, &format!("{field}.pointer.file"));
            }
            _ => self.invalid(field, "must contain exactly one of `patch` and `pointer`"),
        }
    }

    fn patch_op(&mut self, op: &PatchOp, field: &str) {
        self.known::<PatchKind>(op.op, &format!("{field}.op"));
        let node_id = ("node_id", &op.node_id);
        let (old_name, new_name) = (("old_name", &op.old_name), ("new_name", &op.new_name));
        let new_statement = ("new_statement", &op.new_statement_json);
        let required = match op.op() {
            PatchKind::Unspecified => vec![],
            PatchKind::ReplaceNode => vec![node_id, ("new_node", &op.new_node_json)],
            PatchKind::InsertBefore | PatchKind::InsertAfter => {
                vec![("target_id", &op.target_id), new_statement]
            }
            PatchKind::Wrap => {
                let (wrapper, hole_ref) = (&op.wrapper_json, &op.hole_ref);
                vec![node_id, ("wrapper", wrapper), ("hole_ref", hole_ref)]
            }
            PatchKind::DeleteNode => vec![node_id],
            PatchKind::WidenEffect => vec![("fn_id", &op.fn_id)],
            PatchKind::RenameSymbol | PatchKind::RenameField => vec![node_id, old_name, new_name],
            PatchKind::Rename => vec![("symbol_id", &op.symbol_id), new_name],
            PatchKind::AddField => vec![("type_id", &op.type_id), ("field", &op.field_json)],
            PatchKind::AddParam => vec![("fn_id", &op.fn_id), ("param", &op.param_json)],
            PatchKind::AddRefinement => {
                vec![("type_id", &op.type_id), ("predicate", &op.predicate_json)]
            }
        };
        for (name, value) in required {
            self.filled(
                value.as_deref().unwrap_or_default(),
                &format!("{field}.{name}"),
            );
        }
        let nodes = [
            ("new_node", &op.new_node_json),
            new_statement,
            ("wrapper", &op.wrapper_json),
            ("field", &op.field_json),
            ("param", &op.param_json),
            ("predicate", &op.predicate_json),
        ];
        for (name, text) in nodes {
            if let Some(Err(problem)) = text.as_deref().map(json_text::parse) {
                self.invalid(&format!("{field}.{name}"), &problem);
            }
        }
    }

    fn rejection(&mut self, rejection: &Rejection, field: &str) {
        self.filled(&rejection.fix_id, &format!("{field}.fix_id"));
        self.filled(&rejection.rule, &format!("{field}.rule"));
        self.known::<RejectionReason>(rejection.reason, &format!("{field}.reason"));
    }

    fn filled(&mut self, text: &str, field: &str) {
        if text.is_empty() {
            self.missing(field);
        }
    }

    fn known<E: Words>(&mut self, value: i32, field: &str) {
        match (value, word::<E>(value)) {
            (_, Some(_)) => {}
            (0, None) => self.missing(field),
            (_, None) => self.invalid(field, &format!("has the unknown value {value}")),
        }
    }

    fn digest(&mut self, text: &str, field: &str) {
        let problem = "is not a sha256 of 64 lower-case hexadecimal digits";
        match Digest::parse(text) {
            Some(_) => {}
            None if text.is_empty() => self.missing(field),
            None => self.invalid(field, problem),
        }
    }

    /// A length of 0 is missing, unless the text with this digest is empty.
    fn length(&mut self, length: u64, sha256: &str, field: &str) {
        if length == 0 && sha256 != Digest::of(b"").to_string() {
            self.missing(field);
        }
    }

    fn workspace_path(&mut self, path: &str, field: &str) {
        if path.is_empty() {
            self.missing(field);
        } else if !is_workspace_path(path) {
            let problem = format!("is `{path}`, which is not a path inside the workspace");
            self.invalid(field, &problem);
        }
    }

    fn inside(&mut self, span: Span, length: u64, field: &str) {
        let Span { start, end } = span;
        if start > end {
            let problem = format!("ends at byte {end}, before it starts at {start}");
            self.invalid(field, &problem);
        } else if end > length {
            let problem = format!("ends at byte {end} of a file of {length} bytes");
            self.invalid(field, &problem);
        }
    }

    fn missing(&mut self, field: &str) {
        self.missing.push(field.to_owned());
    }

    fn invalid(&mut self, field: &str, problem: &str) {
        self.invalid
            .get_or_insert_with(|| (field.to_owned(), problem.to_owned()));
    }
}
