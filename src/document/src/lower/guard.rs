//! Makes actions safe to store: each op states what it expects of the file, and the file's hash.

use super::{Overlays, Sources, op_error, overlay_of};
use crate::action::{Change, Expects, FixAction, Op};
use crate::error::{ApplyError, Problem, Reason};
use crate::format::Format;
use crate::overlay::Overlay;
use crate::pointer::Pointer;
use crate::tree::{Details, Document};
use crate::value::{Kind, Value};

/// The operations that actions may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpSet {
    #[default]
    All,
    /// Without `remove_array_item`. The array is replaced instead.
    Six,
}

/// Larger values are guarded by their type and the hash of the file. Their text would be repeated
/// for every op around them.
const MAX_EQUALS: usize = 4096;

impl FixAction {
    /// The action with preconditions that hold in the current files: `expects` and `base_sha256` of
    /// each op. An op that already has them keeps them. Fails if an op cannot be applied, or if the
    /// action cannot be written in `ops`.
    pub fn guarded(&self, sources: &Sources, ops: OpSet) -> Result<Self, Box<ApplyError>> {
        let mut overlays = Overlays::new();
        let mut guarded = Vec::new();
        let mut rest = &self.ops[..];
        while let Some(op) = rest.first() {
            let number = self.ops.len() - rest.len();
            let fail = |problem: Problem| op_error(self, number, problem);
            let (source, overlay) = overlay_of(op, sources, &mut overlays).map_err(fail)?;
            let removals = match ops {
                OpSet::All => 0,
                OpSet::Six => removals(rest),
            };
            let mut op = match removals {
                0 => op.clone(),
                _ => without_items(overlay, &rest[..removals]).map_err(fail)?,
            };
            rest = &rest[removals.max(1)..];
            if op.expects.is_none() {
                op.expects = expectation(overlay, &op);
            }
            let digest = source.snapshot.digest();
            op.base_sha256.get_or_insert(digest);
            overlay.apply(&op).map_err(fail)?;
            guarded.push(op);
        }
        Ok(Self {
            ops: guarded,
            ..self.clone()
        })
    }
}

/// How many of the first ops remove items of one array.
fn removals(ops: &[Op]) -> usize {
    let is_removal = |op: &&Op| {
        let is_same = op.file == ops[0].file && op.json_pointer == ops[0].json_pointer;
        is_same && matches!(op.change, Change::RemoveArrayItem { .. })
    };
    ops.iter().take_while(is_removal).count()
}

/// Replaces the array by one without the removed items.
fn without_items(overlay: &Overlay<'_>, removals: &[Op]) -> Result<Op, Problem> {
    let first = &removals[0];
    let pointer = &first.json_pointer;
    if overlay.has_comment(pointer) {
        return Err(Problem::new(
            Reason::Unsupported,
            "an array without comments, because replacing it would remove them",
            "a comment",
        ));
    }
    let mut value = overlay.value_at(pointer)?;
    for op in removals {
        match (&mut value, &op.change) {
            (Value::Array(items), Change::RemoveArrayItem { index }) if *index < items.len() => {
                items.remove(*index);
            }
            // The error is that of the op itself.
            _ => return Ok(first.clone()),
        }
    }
    Ok(Op {
        change: Change::ReplaceValue { value },
        expects: None,
        ..first.clone()
    })
}

/// What `op` finds in the document.
fn expectation(overlay: &Overlay<'_>, op: &Op) -> Option<Expects> {
    if let Change::AddValue { .. } = op.change {
        return Some(Expects {
            exists: Some(false),
            ..Expects::default()
        });
    }
    let (kind, value) = overlay.found(&op.subject(), MAX_EQUALS)?;
    Some(Expects {
        kind: Some(kind),
        equals: value.filter(is_json),
        exists: None,
    })
}

/// Whether JSON can represent the value. It has no infinite numbers, for example.
fn is_json(value: &Value) -> bool {
    let parsed = Document::parse(Format::Json, &value.to_json());
    parsed.is_ok_and(|it| it.root().value() == *value)
}

impl Overlay<'_> {
    fn value_at(&self, pointer: &Pointer) -> Result<Value, Problem> {
        Ok(self.value(self.node_at(pointer)?))
    }

    /// The type of a value, and the value itself if its text is short.
    fn found(&self, pointer: &Pointer, limit: usize) -> Option<(Kind, Option<Value>)> {
        let id = self.node_at(pointer).ok()?;
        let kind = self.kind(id);
        let is_container = matches!(kind, Kind::Array | Kind::Object);
        let may_expand = match &self.document().details {
            Details::Yaml(details) => is_container && !details.aliases.is_empty(),
            _ => false,
        };
        let is_short = self.is_fresh(id) || self.document().data(id).span.len() <= limit;
        Some((kind, (is_short && !may_expand).then(|| self.value(id))))
    }

    /// Whether the text of a value may contain a comment.
    fn has_comment(&self, pointer: &Pointer) -> bool {
        let Some(id) = self.node_at(pointer).ok().filter(|it| !self.is_fresh(*it)) else {
            return false;
        };
        let text = &self.document().text()[self.document().data(id).span.range()];
        match self.document().format() {
            Format::Json => false,
            Format::Jsonc => text.contains("//") || text.contains("/*"),
            Format::Yaml | Format::Toml => text.contains('#'),
        }
    }
}
