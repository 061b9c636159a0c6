//! A pair or a negative, parsed and compared.

use std::collections::BTreeMap;

use super::align::{self, Edit};
use super::names::{Names, Origin};
use super::source::Source;
use super::{Negative, Pair};
use crate::{Language, NodeId, ParseError, Tree};

/// One text with what its names mean.
#[derive(Debug)]
pub(super) struct File {
    pub source: Source,
    pub names: Names,
    pub path: String,
}

impl File {
    pub fn parse(path: &str, text: &str) -> Result<Self, Option<ParseError>> {
        let language = Language::of_path(path).ok_or(None)?;
        let tree = Tree::parse(language, text).map_err(Some)?;
        let names = Names::of(&tree);
        Ok(Self {
            source: Source::new(tree),
            names,
            path: path.to_owned(),
        })
    }

    pub fn of_negative(negative: &Negative) -> Result<Self, Option<ParseError>> {
        Self::parse(&negative.path, &negative.text)
    }
}

/// A pair with its changes.
#[derive(Debug)]
pub(super) struct Case {
    pub name: String,
    pub before: File,
    pub after: File,
    /// Changes of code, in source order.
    pub edits: Vec<Edit>,
    /// Changes of import statements, in source order.
    pub import_edits: Vec<Edit>,
    /// Imports that only the text after the change has, by name.
    pub added: BTreeMap<String, Origin>,
    /// Imports that only the text before the change has, by name.
    pub removed: BTreeMap<String, Origin>,
}

impl Case {
    pub fn parse(pair: &Pair) -> Result<Self, Option<ParseError>> {
        let before = File::parse(&pair.path, &pair.before)?;
        let after = File::parse(&pair.path, &pair.after)?;
        let edits = align::edits(&before.source, &after.source, false);
        let import_edits = align::edits(&before.source, &after.source, true);
        let only = |left: &Names, right: &Names| {
            let imports = left.imports.iter();
            let imports = imports.filter(|(name, path)| right.imports.get(*name) != Some(*path));
            imports
                .map(|(name, path)| (name.clone(), path.clone()))
                .collect()
        };
        Ok(Self {
            name: pair.name.clone(),
            edits,
            import_edits,
            added: only(&after.names, &before.names),
            removed: only(&before.names, &after.names),
            before,
            after,
        })
    }
}

/// A changed place: the case, and the aligned ancestors of the change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    pub case: usize,
    pub edit: &'a Edit,
}

impl Site<'_> {
    /// The nodes so many levels above the smallest changed ones.
    pub fn at(&self, level: usize) -> Option<(NodeId, NodeId)> {
        let index = self.edit.chain.len().checked_sub(level + 1)?;
        self.edit.chain.get(index).copied()
    }
}
