//! `git_repository` and `http_archive`, which used to be built into Bazel.

use fixpoint_engine::Rule;
use fixpoint_report::{Safety, Severity};

use super::moved::{Moved, called, report_moved};
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[GIT, HTTP],
    applies: in_bzl,
    check,
};

const GIT: Rule = Rule {
    name: "git-repository",
    summary: "Loads `git_repository` and `new_git_repository` from `@bazel_tools`.",
    why: "Bazel has removed the built-in functions.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "The built-in name is already an error, and `@bazel_tools` is always available. Attributes of the \
        loaded rule may differ.",
    example: bzl(
        "def deps():\n    native.git_repository(name = \"a\")\n",
        "load(\"@bazel_tools//tools/build_defs/repo:git.bzl\", \"git_repository\")\n\n\
         def deps():\n    git_repository(name = \"a\")\n",
    ),
};

const HTTP: Rule = Rule {
    name: "http-archive",
    summary: "Loads `http_archive` from `@bazel_tools`.",
    example: bzl(
        "def deps():\n    native.http_archive(name = \"a\")\n",
        "load(\"@bazel_tools//tools/build_defs/repo:http.bzl\", \"http_archive\")\n\n\
         def deps():\n    http_archive(name = \"a\")\n",
    ),
    ..GIT
};

const GIT_FILE: &str = "@bazel_tools//tools/build_defs/repo:git.bzl";
const HTTP_FILE: &str = "@bazel_tools//tools/build_defs/repo:http.bzl";

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for call in file.calls() {
        let (rule, symbol, module) = match called(call) {
            Some("git_repository") => (&GIT, "git_repository", GIT_FILE),
            Some("new_git_repository") => (&GIT, "new_git_repository", GIT_FILE),
            Some("http_archive") => (&HTTP, "http_archive", HTTP_FILE),
            _ => continue,
        };
        let moved = Moved {
            symbol,
            module,
            is_called: true,
        };
        let reported = report_moved(file, rule, &moved, call.callee, Safety::LikelyPreserving);
        found.extend(reported.map(|it| LintFinding {
            severity: Severity::Warning,
            ..it
        }));
    }
}
