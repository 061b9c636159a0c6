//! Checks that an edit fits the snapshot it was made for.

use fixpoint_report::{Edit, Fix, collision};
use fixpoint_text::{Digest, Span};
use thiserror::Error;

use crate::snapshots::Snapshots;

/// A fix or a list of edits that cannot be applied to the given snapshot.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{}`{path}`: {problem}", who(fix_id))]
pub struct EditError {
    fix_id: String,
    path: String,
    problem: EditProblem,
}

fn who(fix_id: &str) -> String {
    if fix_id.is_empty() {
        String::new()
    } else {
        format!("fix {fix_id} on ")
    }
}

impl EditError {
    pub(crate) fn new(fix_id: &str, path: &str, problem: EditProblem) -> Self {
        Self {
            fix_id: fix_id.to_owned(),
            path: path.to_owned(),
            problem,
        }
    }

    /// The id of the invalid fix; empty if the edits do not belong to a fix.
    pub fn fix_id(&self) -> &str {
        &self.fix_id
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn problem(&self) -> &EditProblem {
        &self.problem
    }
}

/// The reason why an edit cannot be applied.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditProblem {
    #[error("the edit ends at byte {end}, before it starts at byte {start}")]
    Inverted { start: u64, end: u64 },
    #[error("the edit ends at byte {end}, past the end of the text at byte {length}")]
    PastEnd { end: u64, length: u64 },
    #[error("byte {offset} is inside a UTF-8 character")]
    InsideCharacter { offset: u64 },
    #[error("the fix was made for a different version of the file; compute the fix again")]
    OtherSnapshot,
    #[error("the file has no report; pass the reports of all files that the fix changes")]
    NoSnapshot,
    #[error("two edits of the fix overlap at byte {offset}")]
    SelfOverlap { offset: u64 },
    #[error("the fix has no edits")]
    Empty,
    #[error("the edits do not lead to the canonical text of the report; compute the report again")]
    WrongResult,
}

/// Checks every edit of `fix`, and that its edits do not collide with each other.
pub(crate) fn check_fix(fix: &Fix, snapshots: &Snapshots) -> Result<(), EditError> {
    if fix.edits.is_empty() {
        return Err(EditError::new(&fix.id, "", EditProblem::Empty));
    }
    let fail = |edit: &Edit, problem| EditError::new(&fix.id, &edit.path, problem);
    for edit in &fix.edits {
        let snapshot = snapshots
            .get(&edit.path)
            .ok_or_else(|| fail(edit, EditProblem::NoSnapshot))?;
        check_edit(edit, snapshot.text()).map_err(|problem| fail(edit, problem))?;
    }
    match collision(&fix.edits) {
        None => Ok(()),
        Some(edit) => Err(fail(edit, EditProblem::SelfOverlap { offset: edit.start })),
    }
}

/// Checks one edit against the text and returns its span.
pub(crate) fn check_edit(edit: &Edit, text: &str) -> Result<Span, EditProblem> {
    let (start, end) = (edit.start, edit.end);
    if start > end {
        return Err(EditProblem::Inverted { start, end });
    }
    let length = text.len() as u64;
    if end > length {
        return Err(EditProblem::PastEnd { end, length });
    }
    // Both fit in usize because the text's length does.
    let range = start as usize..end as usize;
    for (offset, at) in [(start, range.start), (end, range.end)] {
        if !text.is_char_boundary(at) {
            return Err(EditProblem::InsideCharacter { offset });
        }
    }
    if Digest::parse(&edit.expected_sha256) != Some(Digest::of(&text.as_bytes()[range.clone()])) {
        return Err(EditProblem::OtherSnapshot);
    }
    Ok(range.into())
}
