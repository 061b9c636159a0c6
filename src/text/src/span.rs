//! A half-open byte range.

use std::ops::Range;

/// Bytes `start..end` of some text. Always `start <= end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The span `start..end`, or nothing when it is inverted.
    pub fn new(start: usize, end: usize) -> Option<Self> {
        (start <= end).then_some(Self { start, end })
    }

    /// The empty span at one offset.
    pub fn at(offset: usize) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    pub fn start(self) -> usize {
        self.start
    }

    pub fn end(self) -> usize {
        self.end
    }

    pub fn len(self) -> usize {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the two share a byte. Touching spans do not.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<Range<usize>> for Span {
    /// Ranges made by slicing are never inverted; one that is becomes empty at its start.
    fn from(range: Range<usize>) -> Self {
        Self {
            start: range.start,
            end: range.end.max(range.start),
        }
    }
}
