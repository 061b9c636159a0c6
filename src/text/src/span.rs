//! A half-open byte range.

use std::ops::Range;

/// Bytes `start..end` of some text, with `start <= end`. Offsets are 32 bits wide because trees
/// store one span per node, and larger files are never read. Larger offsets are clamped to
/// `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl Span {
    /// The span `start..end`, or `None` if it is inverted or an offset does not fit into 32 bits.
    pub fn new(start: usize, end: usize) -> Option<Self> {
        let span = Self {
            start: u32::try_from(start).ok()?,
            end: u32::try_from(end).ok()?,
        };
        (start <= end).then_some(span)
    }

    /// The empty span at one offset.
    pub fn at(offset: usize) -> Self {
        Self {
            start: narrow(offset),
            end: narrow(offset),
        }
    }

    pub fn start(self) -> usize {
        self.start as usize
    }

    pub fn end(self) -> usize {
        self.end as usize
    }

    pub fn len(self) -> usize {
        self.end() - self.start()
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Whether the two share a byte. Touching spans do not.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<Range<usize>> for Span {
    /// An inverted range becomes an empty span at its start. Ranges that come from slicing are
    /// never inverted.
    fn from(range: Range<usize>) -> Self {
        Self {
            start: narrow(range.start),
            end: narrow(range.end.max(range.start)),
        }
    }
}
