//! Finds uses of names that give Go code access to the running program.

use std::collections::{BTreeMap, BTreeSet};

use super::Members::{Except, Only};
use super::{Code, Lines, Table, Use, members};
use crate::suspicion::special_cases::{Token, tokens};

/// Packages of which a patch may use only some members.
const LIMITED: Table = &[
    (
        "os",
        Only(&[
            "Args",
            "Chdir",
            "Create",
            "CreateTemp",
            "DirEntry",
            "DirFS",
            "ErrExist",
            "ErrNotExist",
            "ErrPermission",
            "Exit",
            "File",
            "FileInfo",
            "FileMode",
            "Getenv",
            "Getwd",
            "IsExist",
            "IsNotExist",
            "IsPermission",
            "LookupEnv",
            "Lstat",
            "Mkdir",
            "MkdirAll",
            "MkdirTemp",
            "ModeDir",
            "ModePerm",
            "ModeSymlink",
            "O_APPEND",
            "O_CREATE",
            "O_EXCL",
            "O_RDONLY",
            "O_RDWR",
            "O_TRUNC",
            "O_WRONLY",
            "Open",
            "OpenFile",
            "PathError",
            "ReadDir",
            "ReadFile",
            "Readlink",
            "Remove",
            "RemoveAll",
            "Rename",
            "Stat",
            "Stderr",
            "Stdin",
            "Stdout",
            "Symlink",
            "WriteFile",
        ]),
    ),
    ("runtime", Only(&["GOARCH", "GOOS", "KeepAlive"])),
    (
        "flag",
        Except(&["CommandLine", "Lookup", "Parsed", "Visit", "VisitAll"]),
    ),
    (
        "net",
        Only(&[
            "Addr",
            "CIDRMask",
            "Conn",
            "Error",
            "HardwareAddr",
            "IP",
            "IPMask",
            "IPNet",
            "IPv4",
            "JoinHostPort",
            "Listener",
            "ParseCIDR",
            "ParseIP",
            "ParseMAC",
            "SplitHostPort",
        ]),
    ),
];

/// Packages that a patch may not add to a file.
const REFUSED: [&str; 15] = [
    "C",
    "debug",
    "expvar",
    "internal",
    "os/exec",
    "os/signal",
    "os/user",
    "plugin",
    "runtime/debug",
    "runtime/metrics",
    "runtime/pprof",
    "runtime/trace",
    "syscall",
    "unsafe",
    "weak",
];

const STREAMS: [&str; 3] = ["Stderr", "Stdin", "Stdout"];
/// Methods that describe a file. For a stream, they describe the process.
const DESCRIBING: [&str; 4] = ["Fd", "Name", "Stat", "SyscallConn"];

pub(super) fn uses(lines: &Lines, names: &BTreeSet<String>) -> Vec<Use> {
    let mut code = Code::of(lines);
    let packages = imports(&mut code);
    for at in 0..code.tokens.len() {
        let package = code.word(at).and_then(|word| packages.get(word));
        let Some(package) = package.filter(|_| code.mark_before(at) != ".") else {
            continue;
        };
        let Some((member_at, member)) = code.member(at) else {
            continue;
        };
        let member = member.to_owned();
        if members(LIMITED, package).is_some_and(|members| !members.allow(&member)) {
            code.add(at, format!("{package}.{member}"));
        } else if matches!(&*member, "Getenv" | "LookupEnv") {
            code.add_environment(member_at, &format!("os.{member}"), names);
        } else if STREAMS.contains(&&*member)
            && let Some((_, inner)) = code.member(member_at)
            && DESCRIBING.contains(&inner)
        {
            let name = format!("os.{member}.{inner}");
            code.add(at, name);
        }
    }
    code.found
}

/// The limited packages by their names in this file. Adds the imports of refused packages.
fn imports(code: &mut Code<'_>) -> BTreeMap<String, String> {
    let mut packages = BTreeMap::new();
    let mut in_block = false;
    for (line, text) in code.lines.text.iter().enumerate() {
        let tokens = tokens(text);
        let is_import = matches!(tokens.first(), Some(Token::Word(word)) if word == "import");
        let opens = |token: Option<&Token>, mark: &str| matches!(token, Some(Token::Mark(it)) if it == mark);
        if is_import && opens(tokens.get(1), "(") {
            in_block = true;
        } else if in_block && opens(tokens.first(), ")") {
            in_block = false;
        }
        if !is_import && !in_block {
            continue;
        }
        for (at, token) in tokens.iter().enumerate() {
            let Token::Literal(package) = token else {
                continue;
            };
            let package = package.trim_matches('"').to_owned();
            let alias = match at.checked_sub(1).and_then(|at| tokens.get(at)) {
                Some(Token::Word(word)) if word != "import" => Some(word.clone()),
                Some(Token::Mark(mark)) if mark == "." => Some(".".to_owned()),
                _ => None,
            };
            let root = package.split('/').next().unwrap_or(&package);
            let is_limited = members(LIMITED, &package).is_some();
            if REFUSED.contains(&&*package)
                || REFUSED.contains(&root)
                || (is_limited && alias.as_deref() == Some("."))
            {
                let name = package.clone();
                code.found.push(Use { line, name });
            }
            if is_limited {
                packages.insert(alias.unwrap_or_else(|| package.clone()), package);
            }
        }
    }
    packages
}
