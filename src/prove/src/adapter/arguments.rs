//! Reading and changing the arguments of test runners.

use std::path::Path;

use super::Runner;

/// The index of the program, after a wrapper such as `uv run`.
pub(super) fn after_wrapper(argv: &[String]) -> usize {
    let word = |at: usize| argv.get(at).map(|word| program_name(word));
    let mut at = match (word(0), word(1)) {
        (Some("uv" | "poetry" | "pdm" | "pipenv" | "hatch" | "rye"), Some("run")) => 2,
        (Some("npx"), Some(_)) => 1,
        _ => return 0,
    };
    while word(at).is_some_and(|word| word.starts_with('-')) {
        at += 1;
    }
    at
}

pub(super) fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

pub(super) fn is_python(program: &str) -> bool {
    let version = program.strip_prefix("python");
    version.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The module of `python -m MODULE`, and the index after it.
pub(super) fn python_module(arguments: &[String]) -> Option<(&str, usize)> {
    let mut at = 0;
    while let Some(argument) = arguments.get(at) {
        match argument.as_str() {
            "-m" => return Some((arguments.get(at + 1)?, at + 2)),
            "-X" | "-W" => at += 2,
            flag if flag.starts_with('-') && flag != "-c" => at += 1,
            _ => return None,
        }
    }
    None
}

/// The runner that the `test` script of package.json starts, if the script is a single command.
pub(super) fn script_runner(arguments: &[String], tree: &Path) -> Option<Runner> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let name = match words[..] {
        ["test" | "t", ..] => "test",
        ["run" | "run-script", name, ..] => name,
        _ => return None,
    };
    let text = std::fs::read(tree.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_slice(&text).ok()?;
    let script = package["scripts"][name].as_str()?;
    if script.contains(['&', '|', ';', '`', '$', '>', '<']) {
        return None;
    }
    let words: Vec<&str> = script.split_whitespace().collect();
    match words[..] {
        // The environment's reporters would conflict with those of the script.
        ["node", ref rest @ ..]
            if rest.contains(&"--test") && !script.contains("--test-reporter") =>
        {
            Some(Runner::Node)
        }
        ["pytest", ..] | ["python" | "python3", "-m", "pytest", ..] => Some(Runner::Pytest),
        _ => None,
    }
}

/// Inserts flags before `--`, or at the end.
pub(super) fn insert_before_separator(argv: &mut Vec<String>, from: usize, flags: Vec<String>) {
    let at = separator(argv, from);
    argv.splice(at..at, flags);
}

/// The index of `--` from `from` on, or the end.
pub(super) fn separator(argv: &[String], from: usize) -> usize {
    argv.iter()
        .skip(from)
        .position(|word| word == "--")
        .map_or(argv.len(), |at| from + at)
}

/// Adds a flag before `--` unless it is there already.
pub(super) fn add_flag(argv: &mut Vec<String>, from: usize, flag: &str) {
    let end = separator(argv, from);
    if !argv[from.min(end)..end].iter().any(|word| word == flag) {
        argv.insert(end, flag.to_owned());
    }
}

/// Removes flags without a value before `--`.
pub(super) fn remove(argv: &mut Vec<String>, from: usize, flags: &[&str]) {
    let end = separator(argv, from);
    let mut at = 0;
    argv.retain(|word| {
        let own = at >= from && at < end;
        at += 1;
        !(own && flags.contains(&word.as_str()))
    });
}

/// Removes flags with their value, as `--flag=value` or `--flag value`.
pub(super) fn remove_valued(argv: &mut Vec<String>, from: usize, flags: &[&str]) {
    let mut at = from;
    while at < argv.len() && argv[at] != "--" {
        let word = argv[at].as_str();
        let with_value = word
            .split_once('=')
            .is_some_and(|(flag, _)| flags.contains(&flag));
        if with_value {
            argv.remove(at);
        } else if flags.contains(&word) {
            argv.drain(at..argv.len().min(at + 2));
        } else {
            at += 1;
        }
    }
}

/// The indexes of arguments before `--` that are neither flags nor values of the flags in `valued`.
pub(super) fn positionals(argv: &[String], from: usize, valued: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = from;
    let end = separator(argv, from);
    while at < end {
        let word = argv[at].as_str();
        if valued.contains(&word) {
            at += 1;
        } else if !word.starts_with('-') {
            found.push(at);
        }
        at += 1;
    }
    found
}

/// A copy without the positional arguments.
pub(super) fn without_positionals(argv: &[String], from: usize, valued: &[&str]) -> Vec<String> {
    let drop = positionals(argv, from, valued);
    argv.iter()
        .enumerate()
        .filter(|(at, _)| !drop.contains(at))
        .map(|(_, word)| word.clone())
        .collect()
}

pub(super) const PYTEST_VALUED: &[&str] = &[
    "-k",
    "-m",
    "-p",
    "-c",
    "-o",
    "-n",
    "-W",
    "-r",
    "--rootdir",
    "--ignore",
    "--deselect",
    "--junitxml",
    "--junit-xml",
    "--tb",
    "--maxfail",
    "--durations",
    "--cov",
    "--cov-report",
    "--confcutdir",
    "--basetemp",
    "--import-mode",
    "--timeout",
    "--override-ini",
    "--color",
    "--log-level",
    "--dist",
];

pub(super) const UNITTEST_VALUED: &[&str] = &[
    "-k",
    "-s",
    "--start-directory",
    "-p",
    "--pattern",
    "-t",
    "--top-level-directory",
];

pub(super) const GO_VALUED: &[&str] = &[
    "-run",
    "-count",
    "-timeout",
    "-tags",
    "-cpu",
    "-parallel",
    "-p",
    "-skip",
    "-mod",
    "-modfile",
    "-ldflags",
    "-gcflags",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-o",
    "-vet",
    "-exec",
    "-shuffle",
    "-C",
];

pub(super) const CARGO_VALUED: &[&str] = &[
    "-p",
    "--package",
    "--test",
    "--bin",
    "--example",
    "--bench",
    "--features",
    "-F",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--profile",
    "--exclude",
    "--config",
    "-j",
    "--jobs",
    "-Z",
    "--color",
    "--message-format",
    "-E",
    "--filterset",
    "--filter-expr",
    "--cargo-profile",
    "--tool-config-file",
    "--config-file",
    "--retries",
    "--test-threads",
];

pub(super) const NODE_VALUED: &[&str] = &[
    "--test-name-pattern",
    "--test-concurrency",
    "--test-timeout",
    "--test-reporter",
    "--test-reporter-destination",
    "--import",
    "--require",
    "-r",
    "--loader",
    "--env-file",
    "-C",
    "--conditions",
];
