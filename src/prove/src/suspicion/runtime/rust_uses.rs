//! Finds uses of names that give Rust code access to the running program.

use std::collections::BTreeSet;

use super::Members::Only;
use super::{Code, Lines, Table, Use, members};

/// Modules of the standard library that compute from their arguments.
const PURE: [&str; 48] = [
    "array",
    "ascii",
    "assert",
    "assert_eq",
    "assert_matches",
    "bool",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "convert",
    "debug_assert",
    "default",
    "error",
    "f32",
    "f64",
    "ffi",
    "fmt",
    "format",
    "fs",
    "future",
    "hash",
    "hint",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "io",
    "iter",
    "marker",
    "matches",
    "mem",
    "num",
    "ops",
    "option",
    "path",
    "pin",
    "prelude",
    "primitive",
    "print",
    "println",
    "rc",
    "result",
    "simd",
];
const PURE_TOO: [&str; 16] = [
    "slice", "str", "string", "sync", "task", "time", "todo", "u128", "u16", "u32", "u64", "u8",
    "usize", "vec", "write", "writeln",
];

/// Modules of which a patch may use only some members.
const LIMITED: Table = &[
    ("any", Only(&["Any"])),
    (
        "env",
        Only(&[
            "VarError",
            "args",
            "args_os",
            "current_dir",
            "temp_dir",
            "var",
            "var_os",
        ]),
    ),
    (
        "net",
        Only(&[
            "AddrParseError",
            "IpAddr",
            "Ipv4Addr",
            "Ipv6Addr",
            "SocketAddr",
            "SocketAddrV4",
            "SocketAddrV6",
        ]),
    ),
    ("process", Only(&["ExitCode", "Termination", "exit"])),
    (
        "thread",
        Only(&[
            "Builder",
            "JoinHandle",
            "Scope",
            "ScopedJoinHandle",
            "scope",
            "sleep",
            "spawn",
            "yield_now",
        ]),
    ),
];

/// Macros that show the source or the build.
const MACROS: [&str; 9] = [
    "column",
    "env",
    "file",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "module_path",
    "option_env",
];

/// What the condition of a `cfg` may name.
const CONDITIONS: [&str; 12] = [
    "all",
    "any",
    "doc",
    "feature",
    "not",
    "target_arch",
    "target_endian",
    "target_os",
    "target_pointer_width",
    "test",
    "unix",
    "windows",
];

pub(super) fn uses(lines: &Lines, names: &BTreeSet<String>) -> Vec<Use> {
    let mut code = Code::of(lines);
    let mut imported = BTreeSet::new();
    for at in 0..code.tokens.len() {
        let Some(word) = code.word(at).map(str::to_owned) else {
            continue;
        };
        match &*word {
            "IsTerminal" | "is_terminal" | "track_caller" | "unsafe" | "extern" | "asm"
            | "naked" => code.add(at, &*word),
            "std" | "core" | "alloc" if code.mark_before(at) != ":" => {
                library(&mut code, at, &mut imported)
            }
            "cfg" | "cfg_attr" => condition(&mut code, at),
            _ if code.mark(at + 1) == "!"
                && code.mark(at + 2) != "="
                && MACROS.contains(&&*word) =>
            {
                code.add(at, format!("{word}!"));
            }
            _ => {}
        }
        // A raw pointer shows the identity of a value.
        if word == "as" && code.mark(at + 1) == "*" {
            code.add(at, "a raw pointer");
        }
    }
    // `use std::env;` and then `env::var("HOME")`.
    for at in 0..code.tokens.len() {
        if code.word(at).is_some_and(|word| imported.contains(word)) {
            limited(&mut code, at, names);
        }
    }
    code.found
}

/// `std::env::var` and `use std::{env, fmt::{self, Write}}`.
fn library(code: &mut Code<'_>, at: usize, imported: &mut BTreeSet<String>) {
    if code.mark(at + 1) != ":" || code.mark(at + 2) != ":" {
        return;
    }
    let mut modules = Vec::new();
    if code.mark(at + 3) == "{" {
        let mut depth = 0_usize;
        for inner in at + 3..code.tokens.len() {
            match code.mark(inner) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ if depth == 1 && code.word(inner).is_some() && code.mark_before(inner) != ":" => {
                    modules.push(inner);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    } else {
        modules.push(at + 3);
    }
    for at in modules {
        let Some(module) = code.word(at).map(str::to_owned) else {
            continue;
        };
        if module == "self" || PURE.contains(&&*module) || PURE_TOO.contains(&&*module) {
            continue;
        }
        if members(LIMITED, &module).is_none() || code.is_word(at + 1, "as") {
            code.add(at, format!("std::{module}"));
        }
        imported.insert(module);
    }
}

/// The members of a limited module.
fn limited(code: &mut Code<'_>, at: usize, names: &BTreeSet<String>) {
    let Some(module) = code.word(at).map(str::to_owned) else {
        return;
    };
    let Some(limits) = members(LIMITED, &module) else {
        return;
    };
    let mut used = Vec::new();
    if let Some((member_at, _)) = code.path_member(at) {
        used.push(member_at);
    } else if code.mark(at + 1) == ":" && code.mark(at + 3) == "{" {
        let inner = (at + 4..code.tokens.len()).take_while(|inner| code.mark(*inner) != "}");
        used.extend(inner.filter(|inner| code.word(*inner).is_some()));
    }
    for at in used {
        let Some(member) = code.word(at).map(str::to_owned) else {
            continue;
        };
        if member != "self" && !limits.allow(&member) {
            code.add(at, format!("{module}::{member}"));
        } else if module == "env" && code.mark(at + 1) == "(" && member.starts_with("var") {
            code.add_environment(at, "env::var", names);
        }
    }
}

/// `cfg(panic = "unwind")` differs between the builds of tests and of programs.
fn condition(code: &mut Code<'_>, at: usize) {
    let open = if code.mark(at + 1) == "!" {
        at + 2
    } else {
        at + 1
    };
    if code.mark(open) != "(" {
        return;
    }
    let mut depth = 0_usize;
    for inner in open..code.tokens.len() {
        match code.mark(inner) {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 1 => return,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        if let Some(word) = code.word(inner)
            && !CONDITIONS.contains(&word)
        {
            let name = format!("cfg({word})");
            code.add(inner, name);
        }
    }
}
