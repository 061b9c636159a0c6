//! The formatters that a workspace uses, by folder. Each folder is listed once in a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use fixpoint_analysis::Formatters;

use crate::inputs::VisibleFiles;

#[derive(Default)]
pub(crate) struct FormatterLookup(Mutex<BTreeMap<String, Arc<Formatters>>>);

impl FormatterLookup {
    /// The formatters of the folder that contains the file at `path`.
    pub(crate) fn of_file(&self, path: &str, files: &VisibleFiles) -> Arc<Formatters> {
        let folder = path.rfind('/').map_or("", |at| &path[..=at]);
        self.of_folder(folder, files)
    }

    /// `folder` is empty or ends with a slash.
    fn of_folder(&self, folder: &str, files: &VisibleFiles) -> Arc<Formatters> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(folder) {
            return Arc::clone(known);
        }
        let outer = match folder.strip_suffix('/') {
            None => Arc::default(),
            Some(name) => {
                let above = name.rfind('/').map_or("", |at| &name[..=at]);
                self.of_folder(above, files)
            }
        };
        let names = files.names_in(folder, Formatters::may_be_set_by);
        let formatters = match names.is_empty() {
            true => outer,
            false => {
                let read = |path: &str| files.read(path);
                Arc::new(Formatters::in_folder(&outer, folder, &names, read))
            }
        };
        lock().insert(folder.to_owned(), Arc::clone(&formatters));
        formatters
    }
}
