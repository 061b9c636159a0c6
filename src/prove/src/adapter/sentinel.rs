//! A test that must fail. An honest runner reports it as failed; code that ends the process, rewrites
//! outcomes or forges reports does not know its random name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::arguments::{self, UNITTEST_VALUED};
use super::{Adapter, Runner};

/// A failing test to add to a throw-away copy of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentinel {
    /// Texts of files to create, by path in the tree. None of the paths exists yet.
    pub files: BTreeMap<String, String>,
    /// The command that includes the test, without the flags for structured results.
    pub argv: Vec<String>,
    /// A part of the name that the results must list as failed.
    pub name_part: String,
}

impl Sentinel {
    /// Whether the results have the test, and it failed.
    pub fn is_reported(&self, results: &crate::record::TestResults) -> bool {
        results.tests.iter().any(|(name, status)| {
            name.contains(&self.name_part) && *status == crate::record::TestStatus::Failed
        })
    }
}

impl Adapter {
    /// A failing test named with `token`, which must be random lower-case letters and digits. No other
    /// part of its name differs from names of ordinary tests. The original tests run beside it, because the
    /// code under test may interfere with the runner.
    pub fn sentinel(&self, token: &str) -> Option<Sentinel> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        if token.len() < 8 || !token.chars().all(is_plain) {
            return None;
        }
        let (path, text, argv) = match self.runner {
            Runner::Pytest => self.pytest_sentinel(token)?,
            Runner::Unittest => self.unittest_sentinel(token)?,
            Runner::Node => self.node_sentinel(token)?,
            Runner::GoTest => self.go_sentinel(token)?,
            _ => return None,
        };
        Some(Sentinel {
            files: BTreeMap::from([(path, text)]),
            argv,
            name_part: token.to_owned(),
        })
    }

    fn pytest_sentinel(&self, token: &str) -> Option<(String, String, Vec<String>)> {
        let mut argv = self.argv.clone();
        let flags = &argv[self.arguments_at..];
        // A marker expression or a deselected path would hide the added test.
        if self.in_script || flags.iter().any(|flag| flag == "-m" || flag == "--lf") {
            return None;
        }
        let folder = self
            .positional()
            .iter()
            .find_map(|path| self.folder_of(path.split("::").next()?))
            .unwrap_or_default();
        let path = joined(&folder, &format!("test_{token}.py"));
        if let Some(at) = argv.iter().position(|flag| flag == "-k")
            && let Some(expression) = argv.get_mut(at + 1)
        {
            *expression = format!("({expression}) or {token}");
        }
        let mut added = vec![path.clone()];
        if self.positional().is_empty() {
            let folders = testpaths(&self.tree);
            added.splice(0..0, folders);
        }
        added.push("--continue-on-collection-errors".to_owned());
        arguments::insert_before_separator(&mut argv, self.arguments_at, added);
        // `raise` does not depend on `assert`, which a plugin can rewrite.
        let text = format!(
            "def test_{token}():\n    if [{token:?}] != [{token:?}, 1]:\n        raise AssertionError({token:?})\n"
        );
        Some((path, text, argv))
    }

    fn unittest_sentinel(&self, token: &str) -> Option<(String, String, Vec<String>)> {
        let mut argv = self.argv.clone();
        let from = self.arguments_at;
        let value = |short: &str, long: &str| {
            let mut words = self.argv.iter().skip(from);
            words
                .position(|word| word == short || word == long)
                .and_then(|at| self.argv.get(from + at + 1).cloned())
        };
        if value("-p", "--pattern").is_some() {
            return None;
        }
        let positional = arguments::positionals(&argv, from, UNITTEST_VALUED);
        let discovers = match positional.first() {
            None => true,
            Some(at) => argv[*at] == "discover",
        };
        let module = format!("test_{token}");
        let mut folder = String::new();
        if discovers {
            let start =
                value("-s", "--start-directory").or_else(|| argv.get(*positional.get(1)?).cloned());
            if let Some(start) = start {
                folder = self.folder_of(&start)?;
            }
        } else {
            argv.push(module.clone());
        }
        if value("-k", "-k").is_some() {
            argv.extend(["-k".to_owned(), format!("*{token}*")]);
        }
        let text = format!(
            "import unittest\n\n\nclass Test{token}(unittest.TestCase):\n    def test_{token}(self):\n        raise AssertionError({token:?})\n"
        );
        Some((joined(&folder, &format!("{module}.py")), text, argv))
    }

    fn node_sentinel(&self, token: &str) -> Option<(String, String, Vec<String>)> {
        let mut argv = self.argv.clone();
        let path = format!("{token}.test.mjs");
        if !self.in_script {
            if !self.positional().is_empty() {
                arguments::insert_before_separator(
                    &mut argv,
                    self.arguments_at,
                    vec![path.clone()],
                );
            }
            let filtered = self
                .argv
                .iter()
                .any(|flag| flag.starts_with("--test-name-pattern"));
            if filtered {
                let flag = format!("--test-name-pattern={token}");
                argv.insert(self.arguments_at, flag);
            }
        }
        let text = format!(
            "import test from 'node:test';\n\ntest('{token}', () => {{\n  throw new Error('{token}');\n}});\n"
        );
        Some((path, text, argv))
    }

    fn go_sentinel(&self, token: &str) -> Option<(String, String, Vec<String>)> {
        let mut argv = self.argv.clone();
        let packages = self.positional();
        let folder = match packages.first() {
            None => PathBuf::new(),
            Some(pattern) => {
                let folder = pattern.strip_suffix("...").unwrap_or(pattern);
                // Import paths are not resolved to folders.
                if folder != "." && !folder.starts_with("./") && !folder.is_empty() {
                    return None;
                }
                PathBuf::from(folder.trim_start_matches("./").trim_end_matches('/'))
            }
        };
        let recursive = packages
            .first()
            .is_some_and(|pattern| pattern.ends_with("..."));
        let (folder, package) = go_package(&self.tree, &folder, recursive)?;
        let name = format!("TestX{token}");
        let from = self.arguments_at;
        for at in from..argv.len() {
            if argv[at] == "-run"
                && let Some(pattern) = argv.get_mut(at + 1)
            {
                *pattern = format!("{pattern}|^{name}$");
            } else if let Some(pattern) = argv[at].strip_prefix("-run=") {
                argv[at] = format!("-run={pattern}|^{name}$");
            }
        }
        let text = format!(
            "package {package}\n\nimport \"testing\"\n\nfunc {name}(t *testing.T) {{\n\tt.Fatal(\"{token}\")\n}}\n"
        );
        let path = joined(&folder, &format!("x{token}_test.go"));
        Some((path, text, argv))
    }

    /// The folder of a path argument, relative to the tree. None outside the tree.
    fn folder_of(&self, argument: &str) -> Option<String> {
        let path = match Path::new(argument).strip_prefix(&self.tree) {
            Ok(path) => path.to_owned(),
            Err(_) => PathBuf::from(argument),
        };
        if path.is_absolute() || path.components().any(|part| part.as_os_str() == "..") {
            return None;
        }
        let folder = if self.tree.join(&path).is_dir() {
            path
        } else {
            path.parent()?.to_owned()
        };
        let folder = folder.to_str()?.trim_start_matches("./").trim_matches('/');
        Some(if folder == "." { "" } else { folder }.to_owned())
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The folders of pytest's `testpaths` setting, or the root.
fn testpaths(tree: &Path) -> Vec<String> {
    for name in ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"] {
        let Ok(text) = std::fs::read_to_string(tree.join(name)) else {
            continue;
        };
        let value = text.lines().find_map(|line| {
            line.trim_start()
                .strip_prefix("testpaths")?
                .trim_start()
                .strip_prefix('=')
        });
        if let Some(value) = value {
            let folders: Vec<String> = value
                .split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',' | '"' | '\''))
                .filter(|part| !part.is_empty() && tree.join(part).exists())
                .map(str::to_owned)
                .collect();
            if !folders.is_empty() {
                return folders;
            }
        }
    }
    vec![".".to_owned()]
}

/// The first folder with a Go test, and the package name in it.
fn go_package(tree: &Path, folder: &Path, recursive: bool) -> Option<(String, String)> {
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(tree.join(&folder))
            .ok()?
            .flatten()
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, entry) in &entries {
            if name.ends_with("_test.go") {
                let text = std::fs::read_to_string(entry.path()).ok()?;
                let package = text
                    .lines()
                    .find_map(|line| line.strip_prefix("package "))?
                    .split_whitespace()
                    .next()?;
                return Some((folder.to_str()?.to_owned(), package.to_owned()));
            }
        }
        for (name, entry) in entries.iter().rev() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let ignored = name.starts_with(['.', '_']) || name == "testdata" || name == "vendor";
            if recursive && is_folder && !ignored && depth < 8 {
                folders.push((folder.join(name), depth + 1));
            }
        }
    }
    None
}
