//! The printed text as edits of the source text. If there are none, nothing is copied.

use std::borrow::Cow;
use std::ops::Range;

pub(super) struct Edits<'t> {
    text: &'t str,
    /// The printed text so far is `out` and then the source from here on.
    kept_from: usize,
    out: String,
}

impl<'t> Edits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            kept_from: 0,
            out: String::new(),
        }
    }

    /// Replaces `range` by `with`. Ranges must be in ascending order.
    pub(super) fn put(&mut self, range: Range<usize>, with: &str) {
        if self.text.as_bytes().get(range.clone()) != Some(with.as_bytes()) {
            self.change(range);
            self.out.push_str(with);
        }
    }

    /// Replaces `range` by `lead` and then `spaces` spaces.
    pub(super) fn put_spaced(&mut self, range: Range<usize>, lead: &str, spaces: usize) {
        let (leading, rest) = match self.text.as_bytes().get(range.clone()) {
            Some(old) => old.split_at(lead.len().min(old.len())),
            None => return,
        };
        let same = leading == lead.as_bytes()
            && rest.len() == spaces
            && rest.iter().all(|byte| *byte == b' ');
        if !same {
            self.change(range);
            self.out.push_str(lead);
            self.out.extend(std::iter::repeat_n(' ', spaces));
        }
    }

    fn change(&mut self, range: Range<usize>) {
        if self.out.is_empty() {
            self.out.reserve(self.text.len() + self.text.len() / 8);
        }
        self.out.push_str(&self.text[self.kept_from..range.start]);
        self.kept_from = range.end;
    }

    pub(super) fn finish(mut self) -> Cow<'t, str> {
        if self.kept_from == 0 && self.out.is_empty() {
            return Cow::Borrowed(self.text);
        }
        self.out.push_str(&self.text[self.kept_from..]);
        Cow::Owned(self.out)
    }
}
