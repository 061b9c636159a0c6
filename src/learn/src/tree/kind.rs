//! The kinds of nodes, as small numbers with a name in their language.

use std::fmt::Debug;
use std::sync::OnceLock;

/// The kind of a node. The number has a meaning only within its language;
/// [`Language::kind_name`](crate::Language::kind_name) returns its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(pub(crate) u16);

impl Kind {
    /// The number, for tables that are indexed by kind.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The kinds of tokens in languages whose parser has no kinds of its own for them. They are above all kinds of inner
/// nodes.
pub(crate) const NAME: Kind = Kind(1001);
pub(crate) const KEYWORD: Kind = Kind(1002);
pub(crate) const NUMBER: Kind = Kind(1003);
pub(crate) const STRING: Kind = Kind(1004);
pub(crate) const MARK: Kind = Kind(1005);

pub(crate) fn token_kind_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        NAME => "Name",
        KEYWORD => "Keyword",
        NUMBER => "Number",
        STRING => "String",
        MARK => "Mark",
        _ => return None,
    })
}

/// The names of a parser's enumeration of kinds, which has names only as debug output. A name is stored when its kind
/// is first seen, and there are at most 256 of them.
pub(crate) struct Names([OnceLock<&'static str>; 256]);

impl Names {
    pub const fn new() -> Self {
        Self([const { OnceLock::new() }; 256])
    }

    pub fn remember(&self, number: u8, kind: &impl Debug) -> Kind {
        self.0[usize::from(number)].get_or_init(|| format!("{kind:?}").leak());
        Kind(u16::from(number))
    }

    pub fn get(&self, kind: Kind) -> &'static str {
        let name = self.0.get(kind.index()).and_then(OnceLock::get);
        name.copied().unwrap_or("Unknown")
    }
}
