//! Suspicious calls and names that a single added line shows.

use super::{Source, has_word};
use crate::scan::Language;

/// Names that only code which wants to know about a test run needs.
const TEST_RUN: [&str; 14] = [
    "PYTEST_CURRENT_TEST",
    "PYTEST_VERSION",
    "NODE_TEST_CONTEXT",
    "JEST_WORKER_ID",
    "VITEST_WORKER_ID",
    "TEST_TMPDIR",
    "TEST_SRCDIR",
    "TEST_TARGET",
    "BAZEL_TEST",
    "NEXTEST_RUN_ID",
    "RUST_TEST_THREADS",
    "testing.Testing()",
    "cfg!(test)",
    "cfg(not(test))",
];

const TEST_TOOLS: [&str; 7] = [
    "pytest",
    "unittest",
    "nose",
    "mocha",
    "jest",
    "vitest",
    "node:test",
];

/// Parts of strings that name reports of runners, or files that configure a runner.
const REPORT_FILES: [&str; 8] = [
    "junit",
    "XML_OUTPUT_FILE",
    "conftest.py",
    "pytest.ini",
    "sitecustomize",
    "TAP version",
    "test result: ok",
    "surefire-reports",
];

/// Code that replaces parts of a test library.
const REPLACED: [&str; 3] = ["setattr(unittest", "setattr(pytest", "unittest.TestCase."];

pub(super) fn check(source: &Source, report: &mut dyn FnMut(usize, String)) {
    for line in source.added.iter().copied() {
        let (code, text) = (source.code(line), source.text(line));
        if code.trim().is_empty() {
            continue;
        }
        if let Some(reason) = detects_test_run(source, line) {
            report(line, reason);
        }
        if let Some(exit) = exit(code)
            && (exit.always || !source.is_in_main(line))
        {
            report(
                line,
                format!("`{}` ends the process with success", exit.call),
            );
        }
        for hook in [
            "atexit.register",
            "signal.signal(",
            "signal.alarm(",
            "signal.setitimer(",
        ] {
            if code.contains(hook) {
                report(line, format!("`{hook}` runs code outside the normal flow"));
            }
        }
        if code.contains("process.on(")
            && [
                "'exit'",
                "\"exit\"",
                "'beforeExit'",
                "\"beforeExit\"",
                "'uncaughtException'",
            ]
            .iter()
            .any(|event| text.contains(event))
        {
            report(line, "the end of the process is intercepted".to_owned());
        }
        if let Some(name) = REPLACED.iter().find(|name| code.contains(**name)) {
            report(line, format!("`{name}` changes a test library"));
        } else if replaces_builtin(code) {
            report(
                line,
                "a built-in or an assertion function is replaced".to_owned(),
            );
        }
        let in_string = |part: &&&str| text.contains(**part) && !code.contains(**part);
        if let Some(part) = REPORT_FILES.iter().find(in_string) {
            report(
                line,
                format!("a string names a test report or runner file: `{part}`"),
            );
        }
        if imports_test_library(source.language, code, text) {
            report(
                line,
                "code that is not a test imports a test library".to_owned(),
            );
        }
    }
}

fn detects_test_run(source: &Source, line: usize) -> Option<String> {
    let (code, text) = (source.code(line), source.text(line));
    if let Some(name) = TEST_RUN.iter().find(|name| has_word(text, name)) {
        return Some(format!("`{name}` detects a test run"));
    }
    let names_tool = TEST_TOOLS.iter().any(|tool| text.contains(tool));
    let reads = [
        "sys.modules",
        "sys.argv",
        "process.argv",
        "process.execArgv",
        "process.env",
        "os.environ",
        "os.getenv",
        "os.Args",
        "os.Getenv",
        "env::var",
        "env::args",
    ];
    let looks_at = reads.iter().find(|read| code.contains(**read));
    if let Some(read) = looks_at
        && (names_tool || text.contains(".test\"") || text.contains("_test\""))
    {
        return Some(format!("`{read}` is searched for a test runner"));
    }
    // `#[cfg(test)] mod tests` is how Rust's tests are written.
    if code.contains("#[cfg(test)]") {
        let after = code.split("#[cfg(test)]").nth(1).unwrap_or("").trim();
        let item = if after.is_empty() {
            source
                .next(line)
                .map_or("", |next| source.code(next).trim())
        } else {
            after
        };
        let ordinary = ["mod ", "pub mod ", "pub(crate) mod ", "use ", "#["];
        if !ordinary.iter().any(|start| item.starts_with(start)) {
            return Some("`#[cfg(test)]` changes code only for tests".to_owned());
        }
    }
    None
}

struct Exit {
    call: &'static str,
    /// Whether the call is suspicious even in a main function.
    always: bool,
}

fn exit(code: &str) -> Option<Exit> {
    const CALLS: [(&str, bool); 17] = [
        ("os._exit(", true),
        ("os.abort(", true),
        ("pytest.exit(", true),
        ("pytest.skip(", true),
        ("libc::_exit(0)", true),
        ("sys.exit(0)", false),
        ("sys.exit()", false),
        ("SystemExit(0)", false),
        ("SystemExit()", false),
        ("raise SystemExit", false),
        ("process.exit(0)", false),
        ("process.exit()", false),
        ("process.exitCode = 0", true),
        ("process::exit(0)", false),
        ("os.Exit(0)", false),
        ("exit(0)", false),
        ("quit()", false),
    ];
    let compact: String = code.replace("( ", "(").replace(" )", ")");
    let (call, always) = CALLS.into_iter().find(|(call, _)| {
        let plain = call.starts_with("exit") || call.starts_with("quit");
        let found = compact.find(call);
        match found {
            // `raise SystemExit(1)` reports a failure.
            Some(at) if *call == "raise SystemExit" => {
                !compact[at + call.len()..].trim_start().starts_with('(')
            }
            Some(at) if plain => !compact[..at]
                .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':')),
            found => found.is_some(),
        }
    })?;
    Some(Exit { call, always })
}

/// `builtins.len = f`, `assert.equal = f`, `Array.prototype.includes = f`, `Object.is = f`.
fn replaces_builtin(code: &str) -> bool {
    let Some((target, value)) = code.split_once('=') else {
        return code.contains("Object.defineProperty(Object.prototype")
            || code.contains("Object.defineProperty(Array.prototype");
    };
    if value.starts_with(['=', '>']) || target.ends_with(['!', '<', '>', '+', '-', '=']) {
        return false;
    }
    let target = target.trim();
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '[' | ']' | '"' | '\'' | ' ');
    if !target.chars().all(plain) {
        return false;
    }
    let prototype = [
        "Object", "Array", "String", "Number", "Function", "Promise", "Boolean",
    ]
    .iter()
    .any(|name| target.starts_with(&format!("{name}.prototype.")));
    prototype
        || [
            "builtins.",
            "assert.",
            "unittest.",
            "pytest.",
            "sys.modules[",
            "Object.is",
            "global.assert",
            "globalThis.assert",
            "console.assert",
            "math.isclose",
        ]
        .iter()
        .any(|start| target.starts_with(start))
}

fn imports_test_library(language: Language, code: &str, text: &str) -> bool {
    let code = code.trim_start();
    match language {
        Language::Python => ["pytest", "_pytest", "unittest"].iter().any(|name| {
            has_word(code, name) && (code.starts_with("import ") || code.starts_with("from "))
        }),
        Language::Script => {
            (code.contains("require(") || code.starts_with("import"))
                && ["'node:test'", "\"node:test\""]
                    .iter()
                    .any(|name| text.contains(name))
        }
        Language::Go => {
            let text = text.trim();
            text == "\"testing\"" || text == "import \"testing\""
        }
        Language::Rust => false,
    }
}
