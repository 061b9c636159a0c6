//! Finds uses of names that give JavaScript and TypeScript code access to the running program.

use std::collections::{BTreeMap, BTreeSet};

use super::Members::{Except, Only};
use super::{Code, Lines, Table, Use, members};
use crate::suspicion::special_cases::{Token, tokens};

/// Global objects and modules of which a patch may use only some members.
const LIMITED: Table = &[
    (
        "process",
        Only(&[
            "argv",
            "cwd",
            "emitWarning",
            "env",
            "exit",
            "exitCode",
            "hrtime",
            "nextTick",
            "on",
            "once",
            "platform",
            "stderr",
            "stdin",
            "stdout",
        ]),
    ),
    ("require", Only(&["main", "resolve"])),
    ("module", Only(&["exports"])),
    ("performance", Only(&["mark", "measure", "now"])),
    ("globalThis", Only(&[])),
    ("global", Only(&[])),
    ("navigator", Only(&["language"])),
    ("os", Only(&["EOL", "homedir", "platform", "tmpdir"])),
    (
        "util",
        Except(&["getCallSite", "getCallSites", "getSystemErrorName"]),
    ),
    ("events", Except(&["getEventListeners", "listenerCount"])),
];

/// Members of LIMITED that are globals, so that a file needs no import of them.
const GLOBALS: [&str; 7] = [
    "process",
    "require",
    "module",
    "performance",
    "globalThis",
    "global",
    "navigator",
];

const STREAM_MEMBERS: [&str; 7] = ["end", "on", "once", "pipe", "read", "setEncoding", "write"];

/// Modules of Node that a patch may not add to a file.
const REFUSED: [&str; 24] = [
    "async_hooks",
    "child_process",
    "cluster",
    "constants",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "http2",
    "inspector",
    "module",
    "net",
    "process",
    "repl",
    "sea",
    "sys",
    "test",
    "tls",
    "trace_events",
    "tty",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
];

/// Names that show the caller or the engine, wherever they occur.
const WORDS: [&str; 23] = [
    "_stderr",
    "_stdout",
    "fstat",
    "fstatSync",
    "isFIFO",
    "isTTY",
    "statfsSync",
    "Proxy",
    "WebAssembly",
    "__defineGetter__",
    "__lookupGetter__",
    "__proto__",
    "callee",
    "caller",
    "captureStackTrace",
    "eval",
    "getCallSite",
    "getCallSites",
    "getEventListeners",
    "listenerCount",
    "prepareStackTrace",
    "rawListeners",
    "stackTraceLimit",
];

pub(super) fn uses(lines: &Lines, names: &BTreeSet<String>) -> Vec<Use> {
    let mut code = Code::of(lines);
    let bound = modules(&mut code);
    for at in 0..code.tokens.len() {
        let Some(word) = code.word(at).map(str::to_owned) else {
            continue;
        };
        let is_member = code.mark_before(at) == ".";
        if WORDS.contains(&&*word) || (word == "Function" && code.mark(at + 1) == "(") {
            code.add(at, &*word);
        }
        let loads = matches!(&*word, "require" | "import") && code.mark(at + 1) == "(";
        if loads && !is_member && !matches!(code.token(at + 2), Some(Token::Literal(_))) {
            code.add(at, "a module with a computed name");
        }
        if is_member {
            attribute(&mut code, at, &word);
        } else if let Some(object) = bound.get(&word) {
            object_use(&mut code, at, object, names);
        }
    }
    // `pr\u006fcess` is `process`.
    for (line, text) in lines.code.iter().enumerate() {
        if text.contains("\\u") {
            let name = "a name with an escape".to_owned();
            code.found.push(Use { line, name });
        }
    }
    code.found
}

fn attribute(code: &mut Code<'_>, at: usize, word: &str) {
    let head = code.head(at);
    if word == "stack" && !code.is_word(head, "this") {
        code.add(at, ".stack");
    }
    if word == "constructor"
        && (matches!(code.mark(at + 1), "(" | "[")
            || code.member(at).is_some_and(|it| it.1 == "constructor"))
    {
        code.add(at, ".constructor");
    }
    if word == "process" && at >= 2 && code.mark(at - 2) == ")" {
        code.add(at, ".process");
    }
    let object = at.checked_sub(2).and_then(|at| code.word(at));
    let meta = ["dirname", "env", "filename", "resolve", "url"];
    if word == "meta"
        && object == Some("import")
        && !code.member(at).is_some_and(|it| meta.contains(&it.1))
    {
        code.add(at, "import.meta");
    }
}

fn object_use(code: &mut Code<'_>, at: usize, object: &str, names: &BTreeSet<String>) {
    let next = code.mark(at + 1);
    // A function or a property of this name.
    if matches!(next, "(" | ":") || code.is_word(at + 1, "from") {
        return;
    }
    let is_import = code.word_before(at) == Some("import") || code.word_before(at) == Some("as");
    let is_declared = next == "=" && matches!(code.word_before(at), Some("const" | "let" | "var"));
    let is_compared = matches!(code.mark_before(at), "==" | "===");
    if object == "module" && is_compared {
        return;
    }
    if is_import || is_declared || code.word_before(at) == Some("typeof") {
        return;
    }
    let Some((member_at, member)) = code.member(at) else {
        code.add(at, format!("{object} as a value"));
        return;
    };
    let member = member.to_owned();
    if members(LIMITED, object).is_some_and(|members| !members.allow(&member)) {
        code.add(at, format!("{object}.{member}"));
    } else if object == "process" && member == "env" {
        code.add_environment(member_at, "process.env", names);
    } else if object == "require" && member == "main" && code.member(member_at).is_some() {
        code.add(at, "require.main.filename");
    } else if object == "process" && member.starts_with("std") {
        let inner = code.member(member_at).map(|(_, inner)| inner.to_owned());
        let is_passed = matches!(code.mark_before(at), "(" | ",");
        match inner {
            Some(inner) if !STREAM_MEMBERS.contains(&&*inner) => {
                code.add(at, format!("process.{member}.{inner}"));
            }
            None if !is_passed => code.add(at, format!("process.{member}")),
            _ => {}
        }
    }
}

/// The names of limited objects in this file. Adds the imports of refused modules.
fn modules(code: &mut Code<'_>) -> BTreeMap<String, String> {
    let mut bound: BTreeMap<String, String> = GLOBALS
        .iter()
        .map(|name| ((*name).to_owned(), (*name).to_owned()))
        .collect();
    for (line, text) in code.lines.text.iter().enumerate() {
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            let Token::Literal(module) = token else {
                continue;
            };
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let function = at.checked_sub(2).and_then(|at| tokens.get(at));
            let is_word = |token: Option<&Token>, words: &[&str]| matches!(token, Some(Token::Word(word)) if words.contains(&&**word));
            let is_call = matches!(before, Some(Token::Mark(mark)) if mark == "(")
                && is_word(function, &["require", "import"]);
            if !is_call && !is_word(before, &["from", "import"]) {
                continue;
            }
            let module = module.trim_matches('"');
            let module = module.strip_prefix("node:").unwrap_or(module);
            let root = module.split('/').next().unwrap_or(module);
            if REFUSED.contains(&root) {
                let name = root.to_owned();
                code.found.push(Use { line, name });
            }
            let Some(limits) = members(LIMITED, root).filter(|_| !GLOBALS.contains(&root)) else {
                continue;
            };
            // `const os = require("os")`, `import * as os from "os"` and `import os from "os"`.
            let words = tokens[..at].iter().filter_map(|token| match token {
                Token::Word(word) => Some(word.as_str()),
                Token::Literal(_) | Token::Mark(_) => None,
            });
            let keywords = [
                "as", "const", "default", "from", "import", "let", "require", "var",
            ];
            let words: Vec<&str> = words.filter(|word| !keywords.contains(word)).collect();
            let has_braces = tokens[..at]
                .iter()
                .any(|token| matches!(token, Token::Mark(mark) if mark == "{"));
            for word in words {
                if !has_braces {
                    bound.insert(word.to_owned(), root.to_owned());
                } else if !limits.allow(word) {
                    let name = format!("{root}.{word}");
                    code.found.push(Use { line, name });
                }
            }
            let member = tokens.get(at + 3);
            if is_call
                && let Some(Token::Word(member)) = member
                && !limits.allow(member)
            {
                let name = format!("{root}.{member}");
                code.found.push(Use { line, name });
            }
        }
    }
    bound
}
