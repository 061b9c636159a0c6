//! Maps paths as tools print them to files of the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// The files of the repository, also by their names.
pub(super) struct Files<'a> {
    paths: BTreeSet<&'a str>,
    by_name: BTreeMap<&'a str, Vec<&'a str>>,
    roots: Vec<&'a str>,
}

impl<'a> Files<'a> {
    pub(super) fn new(files: &'a [String], roots: &[&'a str]) -> Self {
        let paths: BTreeSet<&str> = files.iter().map(String::as_str).collect();
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in &paths {
            by_name.entry(name_of(path)).or_default().push(path);
        }
        let mut roots: Vec<&str> = roots
            .iter()
            .map(|root| root.trim_end_matches('/'))
            .collect();
        // The longest root first, in case that one is inside of another.
        roots.sort_by_key(|root| (std::cmp::Reverse(root.len()), *root));
        roots.retain(|root| !root.is_empty());
        Self {
            paths,
            by_name,
            roots,
        }
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The file that a tool means by `raw`. Absolute paths outside of the roots are ignored, except
    /// those in Bazel's copies of the tree.
    pub(super) fn resolve(&self, raw: &str) -> Option<&'a str> {
        let raw = raw.strip_prefix("file://").unwrap_or(raw);
        if raw.is_empty() || raw.len() > 1024 {
            return None;
        }
        let raw = raw.replace('\\', "/");
        if !raw.starts_with('/') {
            return self.relative(&raw);
        }
        let inside = self.roots.iter().find_map(|root| {
            let rest = raw.strip_prefix(root)?;
            rest.strip_prefix('/')
        });
        let rest = inside.or_else(|| bazel_copy(&raw))?;
        // Inside of the tree, Bazel's copies are below `bazel-out` too.
        let rest = bazel_copy(rest).unwrap_or(rest);
        let rest = normalized(rest)?;
        self.paths.get(rest.as_str()).copied()
    }

    fn relative(&self, raw: &str) -> Option<&'a str> {
        if let Some(rest) = bazel_copy(raw) {
            return self.paths.get(normalized(rest)?.as_str()).copied();
        }
        let raw = raw.trim_start_matches("./");
        let mut rest = raw;
        while let Some(above) = rest.strip_prefix("../") {
            rest = above;
        }
        let path = normalized(rest)?;
        if rest == raw
            && let Some(path) = self.paths.get(path.as_str())
        {
            return Some(path);
        }
        // The command may run in a folder below the root: take the file if there is only one.
        self.only_suffix(&path)
    }

    /// The only file whose path ends with these components.
    pub(super) fn only_suffix(&self, suffix: &str) -> Option<&'a str> {
        let named = self.by_name.get(name_of(suffix)).into_iter().flatten();
        let mut found = named.copied().filter(|path| {
            path.strip_suffix(suffix)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        });
        match (found.next(), found.next()) {
            (Some(path), None) => Some(path),
            _ => None,
        }
    }

    /// Files directly in a folder whose name without its extension is `stem`.
    pub(super) fn with_stem(&self, folder: &str, stem: &str) -> Vec<&'a str> {
        let prefix = match folder {
            "" => stem.to_owned(),
            _ => format!("{folder}/{stem}"),
        };
        let start = (Bound::Included(prefix.as_str()), Bound::Unbounded);
        let after = self.paths.range::<str, _>(start);
        after
            .take_while(|path| path.starts_with(&prefix))
            .filter(|path| {
                let rest = &path[prefix.len()..];
                rest.starts_with('.') && !rest.contains('/')
            })
            .copied()
            .collect()
    }

    /// The files that a test is named after: `tests/test_a.py` is a test of `a.py`. The result is
    /// empty if several files could be meant.
    pub(super) fn subjects(&self, test: &str) -> Vec<&'a str> {
        let name = name_of(test);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let stripped = ["test_", "Test"]
            .iter()
            .find_map(|prefix| stem.strip_prefix(prefix))
            .or_else(|| {
                let suffixes = [
                    "_test", "_tests", "_spec", ".test", ".spec", "-test", "Tests", "Test",
                ];
                suffixes.iter().find_map(|suffix| stem.strip_suffix(suffix))
            })
            .unwrap_or(stem);
        let named = self.by_name.get(format!("{stripped}.{extension}").as_str());
        let mut others = named
            .into_iter()
            .flatten()
            .filter(|path| **path != test && !crate::policy::is_test_path(path));
        match (others.next(), others.next()) {
            (Some(path), None) => vec![path],
            _ => Vec::new(),
        }
    }
}

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The part of a path that is relative to the workspace, if it is in a sandbox or in runfiles.
fn bazel_copy(path: &str) -> Option<&str> {
    ["/execroot/", ".runfiles/"].iter().find_map(|marker| {
        let (_, rest) = path.rsplit_once(marker)?;
        let (_, rest) = rest.split_once('/')?;
        // Generated files are at `bazel-out/CONFIGURATION/bin/PATH`.
        let output = rest
            .strip_prefix("bazel-out/")
            .and_then(|rest| rest.split_once("/bin/"));
        Some(output.map_or(rest, |(_, rest)| rest))
    })
}

/// The path without `.` and `..`, or None if it leaves its start.
fn normalized(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
