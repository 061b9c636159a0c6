//! Files that replace a module of the test runner, because Python searches the current folder first.

use super::tests::is_test_path;

/// Python modules of test runners. A file of this name replaces the runner.
const RUNNER_MODULES: &[&str] = &[
    "pytest",
    "_pytest",
    "py",
    "pluggy",
    "iniconfig",
    "unittest",
    "doctest",
    "nose",
    "nose2",
    "xdist",
    "coverage",
    "tox",
    "nox",
];

/// Modules of Python's library that test runners import. A file of this name at the root, or beside
/// the tests, replaces the module.
const LIBRARY_MODULES: &[&str] = &[
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "atexit",
    "bdb",
    "builtins",
    "code",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "enum",
    "errno",
    "faulthandler",
    "fnmatch",
    "functools",
    "gc",
    "getpass",
    "glob",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "linecache",
    "locale",
    "logging",
    "math",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "platform",
    "pprint",
    "random",
    "re",
    "runpy",
    "shlex",
    "shutil",
    "signal",
    "site",
    "socket",
    "stat",
    "string",
    "struct",
    "subprocess",
    "sys",
    "sysconfig",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "tokenize",
    "traceback",
    "types",
    "typing",
    "uuid",
    "warnings",
    "weakref",
    "xml",
    "zipfile",
];

/// Whether a new file replaces a module that a test runner imports, for example `pytest.py` in the
/// folder where `python -m pytest` runs.
pub(super) fn replaces_runner(path: &str) -> bool {
    let module = path
        .strip_suffix("/__init__.py")
        .or_else(|| path.strip_suffix(".py"));
    let Some(module) = module else {
        return false;
    };
    let (folder, name) = module.rsplit_once('/').unwrap_or(("", module));
    let searched = matches!(folder, "" | "src" | "lib") || is_test_path(path);
    RUNNER_MODULES.contains(&name) || (searched && LIBRARY_MODULES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_the_runner_are_recognised() {
        for path in [
            "pytest.py",
            "app/pytest/__init__.py",
            "_pytest/__init__.py",
            "json.py",
            "tests/sys.py",
            "src/xml/__init__.py",
        ] {
            assert!(replaces_runner(path), "{path}");
        }
        for path in [
            "app/json.py",
            "json.ts",
            "src/json_io.py",
            "tests/test_json.py",
            "py.rs",
        ] {
            assert!(!replaces_runner(path), "{path}");
        }
    }
}
