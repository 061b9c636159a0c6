//! The base texts of the fixes of one merge.

use std::collections::BTreeMap;

use fixpoint_report::Base;
use fixpoint_text::Snapshot;

use crate::check::{EditError, EditProblem};

/// One snapshot per path.
#[derive(Clone, Debug, Default)]
pub struct Snapshots {
    by_path: BTreeMap<String, Snapshot>,
}

impl Snapshots {
    /// The base of fixes that were found on `snapshot` itself.
    pub fn of(snapshot: &Snapshot) -> Self {
        Self {
            by_path: BTreeMap::from([(snapshot.path().to_owned(), snapshot.clone())]),
        }
    }

    /// Adds the file that a report was made for. Fails if the file contents have changed since.
    pub fn bind(&mut self, base: &Base, snapshot: Snapshot) -> Result<(), EditError> {
        if snapshot.path() != base.path || snapshot.digest().to_string() != base.sha256 {
            return Err(EditError::new("", &base.path, EditProblem::OtherSnapshot));
        }
        self.by_path.insert(base.path.clone(), snapshot);
        Ok(())
    }

    pub fn get(&self, path: &str) -> Option<&Snapshot> {
        self.by_path.get(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Snapshot> {
        self.by_path.values()
    }
}
