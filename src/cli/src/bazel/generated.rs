//! The generated files in the lists that are passed to an action or a test.

use std::collections::BTreeSet;
use std::path::Path;

use fixpoint_workspace::listed_paths;

use super::analyze::read_text;
use super::args::{GeneratedList, GeneratedOptions};
use crate::failure::Failure;

/// Generated files, by their paths in the workspace. They are not analyzed.
#[derive(Debug)]
pub(crate) struct GeneratedFiles(BTreeSet<String>);

impl GeneratedFiles {
    /// The files in the lists, whose own paths are relative to `base`.
    pub(crate) fn listed(options: &GeneratedOptions, base: &Path) -> Result<Self, Failure> {
        let mut files = BTreeSet::new();
        for GeneratedList { file, folder } in &options.generated_list {
            let listed = listed_paths(&read_text(&base.join(file))?);
            files.extend(listed.into_iter().map(|path| match folder.as_str() {
                "" => path,
                _ => format!("{folder}/{path}"),
            }));
        }
        Ok(Self(files))
    }

    pub(crate) fn contain(&self, path: &str) -> bool {
        self.0.contains(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn exactly_the_listed_files_are_generated() {
        let base = tempfile::tempdir().expect("a folder");
        let digest = "0".repeat(64);
        let list = format!("{digest}  main.js\n{digest}  deep/a b [1].js\n");
        fs::write(base.path().join("list"), list).expect("written");
        let list = |folder: &str| GeneratedList {
            file: "list".into(),
            folder: folder.to_owned(),
        };
        let options = GeneratedOptions {
            generated_list: vec![list("pkg/out"), list("")],
        };
        let generated = GeneratedFiles::listed(&options, base.path()).expect("readable");
        for path in ["pkg/out/main.js", "pkg/out/deep/a b [1].js", "main.js"] {
            assert!(generated.contain(path), "{path}");
        }
        for path in ["pkg/main.js", "pkg/out/own.js", "pkg/out/deep/main.js"] {
            assert!(!generated.contain(path), "{path}");
        }
    }
}
