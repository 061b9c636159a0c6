//! Globs of workspace paths in the settings.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A list of globs. A glob without a slash matches names in any folder; `*` does not match a slash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globs {
    written: Vec<String>,
    set: GlobSet,
}

impl Globs {
    /// The globs, or the first invalid one and the reason.
    pub(crate) fn new(written: Vec<String>) -> Result<Self, (usize, String)> {
        let mut set = GlobSetBuilder::new();
        for (index, glob) in written.iter().enumerate() {
            let anchored = match glob.strip_prefix('/') {
                Some(rest) => rest.to_owned(),
                None if glob.contains('/') => glob.clone(),
                None => format!("**/{glob}"),
            };
            let built = GlobBuilder::new(&anchored).literal_separator(true).build();
            let reason = match built {
                Ok(_) if glob.trim().is_empty() => "it is empty".to_owned(),
                Ok(built) => {
                    set.add(built);
                    continue;
                }
                Err(error) => error.kind().to_string(),
            };
            return Err((index, reason));
        }
        let set = set.build().map_err(|error| (0, error.kind().to_string()))?;
        Ok(Self { written, set })
    }

    pub(crate) fn cover(&self, path: &str) -> bool {
        self.set.is_match(path)
    }
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Eq for Globs {}
