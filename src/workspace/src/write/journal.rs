//! The list of files that a write replaces, stored so that a killed write can be recovered.

use std::collections::BTreeSet;

use fixpoint_text::Digest;

use super::checkout::Seal;
use crate::path;

const HEADER: &str = "fixpoint journal 2";

/// One file to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The number of the group. The entries of a group succeed or fail together.
    pub(crate) group: usize,
    /// A real path: no part of it is a link.
    pub(crate) path: String,
    pub(crate) base: Digest,
    pub(crate) new: Digest,
}

/// The entries of one write. Entries of a group are adjacent, no path occurs twice, and every path
/// is a path that may be written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
}

impl Journal {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        debug_assert!(is_sound(&entries));
        Self { entries }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Entry]> {
        self.entries.chunk_by(|one, other| one.group == other.group)
    }

    /// Encodes the fields, each terminated by a NUL, which no path contains. The last field is the
    /// signature of all others.
    pub(crate) fn encode(&self, seal: &Seal) -> Vec<u8> {
        let mut text = format!("{HEADER}\0");
        for entry in &self.entries {
            let Entry {
                group,
                path,
                base,
                new,
            } = entry;
            text.push_str(&format!("{group}\0{path}\0{base}\0{new}\0"));
        }
        let sealed = seal.of(text.as_bytes());
        text.push_str(&format!("{sealed}\0"));
        text.into_bytes()
    }

    /// Decodes a journal that `encode` wrote with the same key. Returns `None` if it is incomplete
    /// or was signed with another key.
    pub(crate) fn decode(bytes: &[u8], seal: &Seal) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?.strip_suffix('\0')?;
        let (body, sealed) = text.split_at(text.rfind('\0')? + 1);
        if Digest::parse(sealed)? != seal.of(body.as_bytes()) {
            return None;
        }
        let mut fields = body.strip_suffix('\0')?.split('\0');
        if fields.next()? != HEADER {
            return None;
        }
        let mut entries = Vec::new();
        while let Some(group) = fields.next() {
            entries.push(Entry {
                group: group.parse().ok()?,
                path: fields.next()?.to_owned(),
                base: Digest::parse(fields.next()?)?,
                new: Digest::parse(fields.next()?)?,
            });
        }
        is_sound(&entries).then_some(Self { entries })
    }
}

/// Whether the entries satisfy the invariants of [`Journal`]. A file on disk may violate them.
fn is_sound(entries: &[Entry]) -> bool {
    let mut paths = BTreeSet::new();
    entries.is_sorted_by_key(|entry| entry.group)
        && entries.iter().all(|entry| {
            entry.base != entry.new
                && path::check_relative(&entry.path).is_ok()
                && paths.insert(entry.path.as_str())
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(group: usize, path: &str) -> Entry {
        Entry {
            group,
            path: path.into(),
            base: Digest::of(b"old"),
            new: Digest::of(b"new"),
        }
    }

    fn seal() -> Seal {
        Seal::for_tests(b"key")
    }

    fn journal() -> Journal {
        Journal {
            entries: vec![entry(0, "a"), entry(0, "odd \n name/ü"), entry(3, "b")],
        }
    }

    #[test]
    fn an_encoded_journal_decodes_to_the_same_journal() {
        assert_eq!(
            Journal::decode(&journal().encode(&seal()), &seal()),
            Some(journal())
        );
        assert_eq!(journal().groups().count(), 2);
    }

    #[test]
    fn an_incomplete_journal_is_rejected() {
        let whole = journal().encode(&seal());
        for length in 0..whole.len() {
            assert_eq!(Journal::decode(&whole[..length], &seal()), None, "{length}");
        }
    }

    #[test]
    fn a_journal_with_a_forbidden_path_is_rejected() {
        for path in [
            "../a",
            "/etc/passwd",
            ".git/hooks/pre-commit",
            ".fixpoint/lock",
            "",
        ] {
            let bytes = Journal {
                entries: vec![entry(0, path)],
            }
            .encode(&seal());
            assert_eq!(Journal::decode(&bytes, &seal()), None, "{path}");
        }
        let entries = vec![entry(0, "a"), entry(1, "a")];
        let bytes = Journal { entries }.encode(&seal());
        assert_eq!(Journal::decode(&bytes, &seal()), None);
    }

    #[test]
    fn a_journal_with_the_seal_of_another_checkout_is_not_accepted() {
        let bytes = journal().encode(&Seal::for_tests(b"other key"));
        assert_eq!(Journal::decode(&bytes, &seal()), None);
    }

    proptest! {
        #[test]
        fn a_journal_with_a_changed_byte_is_rejected(at in 0_usize..200, to in any::<u8>()) {
            let mut bytes = journal().encode(&seal());
            let at = at % bytes.len();
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            prop_assert_eq!(Journal::decode(&bytes, &seal()), None);
        }
    }
}
