//! Where the bytes of a text are after edits, and where they came from.

use fixpoint_text::Span;

/// A run of bytes that edits left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Survivor {
    base: usize,
    edited: usize,
    length: usize,
}

/// The map between a base text and its edited form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// Ascending in both coordinates; no run is empty.
    survivors: Vec<Survivor>,
}

impl SourceMap {
    pub(crate) fn with_capacity(runs: usize) -> Self {
        Self {
            survivors: Vec::with_capacity(runs),
        }
    }

    pub(crate) fn survived(&mut self, base: Span, edited: usize) {
        if !base.is_empty() {
            self.survivors.push(Survivor {
                base: base.start(),
                edited,
                length: base.len(),
            });
        }
    }

    /// Where the byte at `base` is now, or nothing if an edit replaced it.
    pub fn edited(&self, base: usize) -> Option<usize> {
        let after = self.survivors.partition_point(|run| run.base <= base);
        let run = self.survivors[..after].last()?;
        (base < run.base + run.length).then(|| run.edited + (base - run.base))
    }

    /// Where the byte at `edited` stood in the base. A byte that an edit put in is answered with
    /// the place of that edit.
    pub fn base(&self, edited: usize) -> usize {
        let after = self.survivors.partition_point(|run| run.edited <= edited);
        match self.survivors[..after].last() {
            None => 0,
            Some(run) => run.base + (edited - run.edited).min(run.length),
        }
    }
}
