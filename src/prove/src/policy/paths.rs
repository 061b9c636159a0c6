//! Which files a patch may change.
//!
//! Protected paths are compared without regard to case, because some file systems ignore it. A
//! rename has to satisfy the rules for both of its paths.

use std::collections::BTreeMap;

use fixpoint_text::needs_escape;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use super::changes::{
    ChangeKind, ChangedFile, MODE_EXECUTABLE, MODE_FILE, MODE_SUBMODULE, MODE_SYMLINK,
};
use super::encoding::other_encoding;
use super::shadow::replaces_runner;
use crate::config::{ALWAYS_PROTECTED, ProveConfig};

/// Globs of files that tools write. A fix belongs into their sources.
const OUTPUTS: &[&str] = &[
    "bazel-{bin,out,testlogs}/**",
    "bazel-*",
    "target/**",
    "**/node_modules/**",
    "**/__pycache__/**",
    "**/*.{pyc,pyo,class,o,so,dll,exe}",
    "**/*.min.{js,css}",
    "**/*.pb.go",
    "**/*_pb2.py",
    "**/*_pb2_grpc.py",
];

/// A marker of a generated file counts only within the first lines.
const HEAD_LINES: usize = 30;

/// A file that the patch may not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathRefusal {
    pub path: String,
    pub reason: String,
}

/// The result of the path policy: every refused file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathDecision {
    pub ok: bool,
    pub refused: Vec<PathRefusal>,
}

/// The compiled globs of a configuration.
#[derive(Clone, Debug)]
pub struct PathRules {
    allow: Option<GlobSet>,
    protect: GlobSet,
    outputs: GlobSet,
    allow_mode_changes: bool,
}

fn glob_set<'a>(
    globs: impl IntoIterator<Item = &'a str>,
    ignore_case: bool,
) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = GlobBuilder::new(glob)
            .literal_separator(true)
            .case_insensitive(ignore_case)
            .build()?;
        set.add(glob);
    }
    set.build()
}

impl PathRules {
    /// Fails only if the configuration was not read by [`ProveConfig::parse`], which checks globs.
    pub fn new(config: &ProveConfig) -> Result<Self, globset::Error> {
        let protect = config.paths.protect.iter().map(String::as_str);
        let allow = config.paths.allow.iter().map(String::as_str);
        Ok(Self {
            allow: match config.paths.allow.is_empty() {
                true => None,
                false => Some(glob_set(allow, false)?),
            },
            protect: glob_set(protect.chain(ALWAYS_PROTECTED.iter().copied()), true)?,
            outputs: glob_set(OUTPUTS.iter().copied(), true)?,
            allow_mode_changes: config.paths.allow_mode_changes,
        })
    }

    /// Whether a patch may not change this file, and the proof restores it from the base.
    pub fn is_protected(&self, path: &str) -> bool {
        self.protect.is_match(path)
    }

    /// Why a patch may not change the file at `path`.
    pub fn refusal(&self, path: &str) -> Option<&'static str> {
        if let Some(problem) = path_problem(path) {
            Some(problem)
        } else if self.is_protected(path) {
            Some("the file is protected (paths.protect)")
        } else if self.outputs.is_match(path) {
            Some("the file is an output of a tool; change its source")
        } else if self
            .allow
            .as_ref()
            .is_some_and(|allow| !allow.is_match(path))
        {
            Some("the file is outside of paths.allow")
        } else {
            None
        }
    }
}

/// Why a path cannot be the path of a file in a repository.
pub fn path_problem(path: &str) -> Option<&'static str> {
    let drive = path.as_bytes().get(1) == Some(&b':')
        && path.starts_with(|first: char| first.is_ascii_alphabetic());
    if path.is_empty() {
        return Some("the path is empty");
    }
    if path.starts_with(['/', '~']) || drive {
        return Some("the path is not relative to the repository");
    }
    let hidden = |c: char| {
        c.is_control() || c == '\\' || needs_escape(c) || matches!(c, '\u{200c}' | '\u{200d}')
    };
    if path.contains(hidden) {
        return Some("the path contains a backslash, a control character or an invisible one");
    }
    for part in path.split('/') {
        let name = part.trim_end_matches(['.', ' ']).to_ascii_lowercase();
        match part {
            "" | "." | ".." => return Some("the path contains an empty, `.` or `..` part"),
            _ if name == ".git" || name == "git~1" || name.starts_with(".git:") => {
                return Some("the path is inside of git's own folder");
            }
            _ => {}
        }
    }
    None
}

/// Whether a comment in the first lines says that a tool writes this file.
pub fn is_generated(text: &str) -> bool {
    const COMMENTS: &[&str] = &[
        "//",
        "#",
        "/*",
        "*",
        "--",
        "<!--",
        ";",
        "\"\"\"",
        "'''",
        "%",
        "{#",
        "@generated",
    ];
    text.lines().take(HEAD_LINES).any(|line| {
        let line = line.trim_start();
        if !COMMENTS.iter().any(|comment| line.starts_with(comment)) {
            return false;
        }
        let marked = line.match_indices("@generated").any(|(start, marker)| {
            let rest = &line[start + marker.len()..];
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        });
        let lower = line.to_lowercase();
        let described = lower.contains("generated")
            && (lower.contains("do not edit") || lower.contains("do not modify"));
        marked || described || line.contains("DO NOT EDIT")
    })
}

/// Checks the paths and modes of all changed files.
///
/// `heads` holds the first lines of the files, before and after the patch, by path. A file without
/// an entry counts as not generated.
pub fn evaluate_path_policy(
    files: &[ChangedFile],
    rules: &PathRules,
    heads: &BTreeMap<String, Vec<String>>,
) -> PathDecision {
    let mut refused = Vec::new();
    for file in files {
        let mut refuse = |path: &str, reason: &str| {
            refused.push(PathRefusal {
                path: path.to_owned(),
                reason: reason.to_owned(),
            });
        };
        for path in file.old_path.iter().chain([&file.path]) {
            if let Some(reason) = rules.refusal(path) {
                refuse(path, reason);
            } else if heads
                .get(path)
                .is_some_and(|heads| heads.iter().any(|head| is_generated(head)))
            {
                refuse(
                    path,
                    "the file is generated; change its source or its generator",
                );
            }
            let mut heads = heads.get(path).into_iter().flatten();
            if let Some(encoding) = heads.find_map(|head| other_encoding(path, head)) {
                refuse(
                    path,
                    &format!("the encoding of the file is {encoding}, not UTF-8"),
                );
            }
        }
        let is_new = !matches!(file.kind, ChangeKind::Modified | ChangeKind::Deleted);
        if is_new && replaces_runner(&file.path) {
            refuse(&file.path, "the file replaces a module of the test runner");
        }
        match file.new_mode {
            Some(MODE_SYMLINK) => refuse(&file.path, "a patch may not add or change links"),
            Some(MODE_SUBMODULE) => refuse(&file.path, "a patch may not change submodules"),
            Some(MODE_FILE | MODE_EXECUTABLE) | None => match file.old_mode {
                Some(MODE_SYMLINK | MODE_SUBMODULE) => {
                    refuse(&file.path, "a patch may not replace links or submodules");
                }
                _ if file.kind == ChangeKind::TypeChanged => {
                    refuse(&file.path, "a patch may not change the type of a file");
                }
                Some(old)
                    if file.new_mode.is_some_and(|new| new != old) && !rules.allow_mode_changes =>
                {
                    refuse(
                        &file.path,
                        "the patch changes whether the file is executable \
                         (paths.allow_mode_changes)",
                    );
                }
                _ => {}
            },
            Some(_) => refuse(&file.path, "the file has an unusual mode"),
        }
    }
    PathDecision {
        ok: refused.is_empty(),
        refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(yaml: &str) -> PathRules {
        PathRules::new(&ProveConfig::parse("f", yaml).unwrap()).unwrap()
    }

    fn ok(file: ChangedFile) -> bool {
        evaluate_path_policy(&[file], &rules(""), &BTreeMap::new()).ok
    }

    #[test]
    fn ordinary_sources_may_change() {
        for path in [
            "src/lib.rs",
            "a.py",
            "tests/test_a.py",
            "pkg/BUILD.bazel",
            ".gitignore",
            "x.git/a",
            "a..b",
        ] {
            assert!(ok(ChangedFile::modified(path)), "{path}");
        }
    }

    //
    #[test]
    fn protected_files_and_outputs_may_not_change() {
        for path in [
            ".github/workflows/ci.yml",
            "conftest.py",
            "tests/conftest.py",
            "a/b/CONFTEST.py",
            "pytest.ini",
            "setup.cfg",
            "tox.ini",
            "pyproject.toml",
            "jest.config.ts",
            "web/vitest.config.mjs",
            ".mocharc.json",
            "package.json",
            "Cargo.lock",
            "yarn.lock",
            "go.sum",
            ".fixpoint/prove.yml",
            ".efix.yml",
            ".cargo/config.toml",
            "Makefile",
            ".bazelrc",
            ".bazeliskrc",
            "MODULE.bazel",
            "sitecustomize.py",
            "lib/x.pth",
            "node_modules/a/index.js",
            "bazel-bin/x",
            "target/debug/x",
            "a/api.pb.go",
        ] {
            assert!(!ok(ChangedFile::modified(path)), "{path}");
            let renamed = ChangedFile {
                old_path: Some(path.to_owned()),
                kind: ChangeKind::Renamed,
                ..ChangedFile::modified("src/x")
            };
            assert!(!ok(renamed), "{path}");
        }
    }

    #[test]
    fn hostile_paths_are_refused() {
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "./a",
            "a/",
            ".git/config",
            ".GIT/hooks/x",
            "a/.git/x",
            ".git./x",
            "git~1/x",
            "a\\b",
            "a\nb",
            ".g\u{200c}it/config",
            "a\u{202e}b",
            "C:/x",
            "~/x",
        ] {
            assert!(!ok(ChangedFile::added(path)), "{path:?}");
        }
    }

    #[test]
    fn new_files_may_not_replace_the_runner() {
        assert!(!ok(ChangedFile::added("pytest.py")));
        assert!(ok(ChangedFile::added("src/a.py")));
        assert!(ok(ChangedFile::modified("json.py")));
    }

    #[test]
    fn links_submodules_and_modes() {
        let with = |old, new| ChangedFile {
            old_mode: old,
            new_mode: new,
            ..ChangedFile::modified("src/a")
        };
        let allowed = rules("paths:\n  allow_mode_changes: true\n");
        for (old, new) in [(MODE_FILE, MODE_EXECUTABLE), (MODE_EXECUTABLE, MODE_FILE)] {
            let changed = with(Some(old), Some(new));
            assert!(!ok(changed.clone()));
            assert!(evaluate_path_policy(&[changed], &allowed, &BTreeMap::new()).ok);
            assert!(ok(with(Some(old), Some(old))));
            assert!(ok(with(None, Some(new))));
        }
        assert!(!ok(with(None, Some(MODE_SYMLINK))));
        assert!(!ok(with(Some(MODE_SYMLINK), Some(MODE_FILE))));
        assert!(!ok(with(Some(MODE_SYMLINK), None)));
        assert!(!ok(with(None, Some(MODE_SUBMODULE))));
        assert!(!ok(with(None, Some(0o104_755))));
        let executable = ChangedFile {
            new_mode: Some(MODE_EXECUTABLE),
            ..ChangedFile::modified("Makefile")
        };
        assert!(!ok(executable));
    }

    // E-106 X-43
    #[test]
    fn configured_globs() {
        let rules = rules("paths:\n  allow: [src/**]\n  protect: [src/api/**]\n");
        assert_eq!(rules.refusal("src/a/b.rs"), None);
        assert!(rules.refusal("src/api/x.rs").is_some());
        assert!(rules.refusal("lib/x.rs").is_some());
        assert!(rules.refusal("SRC/x.rs").is_some());
        assert!(rules.refusal("src/API/x.rs").is_some());
        assert!(rules.refusal(".fixpoint/prove.yml").is_some());
        assert!(!rules.is_protected("conftest.py"));
    }

    //
    #[test]
    fn generated_files_are_recognised() {
        for text in [
            "// Code generated by protoc-gen-go. DO NOT EDIT.\n",
            "# @generated by x\n",
            "/*\n * @generated SignedSource<<1>>\n */\n",
            "# This file is automatically generated, do not edit\n",
            "<!-- Generated. Do not modify. -->\n",
        ] {
            assert!(is_generated(text), "{text}");
        }
        for text in [
            "",
            "let x = \"DO NOT EDIT\";\n",
            "// uses @generatedValue\n",
            "// please do not edit twice\n",
        ] {
            assert!(!is_generated(text), "{text}");
        }
        assert!(!is_generated(&format!(
            "{}# @generated\n",
            "x = 1\n".repeat(40)
        )));
        let heads = BTreeMap::from([("src/a".to_owned(), vec!["# @generated\n".to_owned()])]);
        let files = [ChangedFile::modified("src/a")];
        assert!(!evaluate_path_policy(&files, &rules(""), &heads).ok);
        let files = [ChangedFile::added("a.py")];
        let heads = BTreeMap::from([("a.py".to_owned(), vec!["# coding: utf-7\n".to_owned()])]);
        assert!(!evaluate_path_policy(&files, &rules(""), &heads).ok);
    }
}
