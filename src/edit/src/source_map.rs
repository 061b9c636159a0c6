//! Maps byte offsets of a base text to the edited text and back.

use fixpoint_text::Span;

/// A run of bytes that no edit changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnchangedRun {
    base: usize,
    edited: usize,
    length: usize,
}

/// The map between a base text and its edited form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// Ascending in both coordinates; no run is empty.
    runs: Vec<UnchangedRun>,
}

impl SourceMap {
    pub(crate) fn with_capacity(runs: usize) -> Self {
        Self {
            runs: Vec::with_capacity(runs),
        }
    }

    pub(crate) fn push_unchanged(&mut self, base: Span, edited: usize) {
        if !base.is_empty() {
            self.runs.push(UnchangedRun {
                base: base.start(),
                edited,
                length: base.len(),
            });
        }
    }

    /// The position of base byte `base` in the edited text, or `None` if an edit replaced it.
    pub fn edited(&self, base: usize) -> Option<usize> {
        let after = self.runs.partition_point(|run| run.base <= base);
        let run = self.runs[..after].last()?;
        (base < run.base + run.length).then(|| run.edited + (base - run.base))
    }

    /// The position of byte `edited` in the base. For a byte that an edit inserted, this is the
    /// position of that edit.
    pub fn base(&self, edited: usize) -> usize {
        let after = self.runs.partition_point(|run| run.edited <= edited);
        match self.runs[..after].last() {
            None => 0,
            Some(run) => run.base + (edited - run.edited).min(run.length),
        }
    }
}
