//! Commands as argument lists, and the policy that decides which of them may run.
//!
//! A command never reaches a shell. [`Command::parse`] splits the text as a POSIX shell would, and
//! rejects everything that a shell would expand or interpret: lists, pipes, redirections,
//! substitutions, variables, globs, braces, tildes, comments and assignments. In single quotes every
//! character is data. In double quotes `$NAME`, `$(` and backticks are rejected unless a backslash
//! escapes them. An unquoted `[` is data, because test names such as `test_a[1]` contain it.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Programs that may run unless the configuration says otherwise.
pub const DEFAULT_ALLOWLIST: [&str; 14] = [
    "node", "npm", "npx", "pnpm", "yarn", "pytest", "bazel", "bazelisk", "cargo", "go", "python",
    "python3", "mvn", "fixpoint",
];

/// Programs whose purpose is network access. They are rejected where the network is denied. Other
/// programs are kept off the network by the sandbox.
const NETWORK_PROGRAMS: [&str; 22] = [
    "aria2c", "curl", "dig", "ftp", "http", "https", "lftp", "nc", "ncat", "netcat", "nslookup",
    "ping", "rclone", "rsync", "scp", "sftp", "socat", "ssh", "telnet", "wget", "wget2", "xh",
];

/// Why a command is rejected, and what to do about it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CommandError {
    #[error("the command is empty\nhelp: pass the failing command, for example `cargo test`")]
    Empty,
    #[error(
        "the command contains {what} at byte {at}\nhelp: commands run without a shell; quote the \
         character to pass it as data, or put the steps into a script of the repository"
    )]
    Shell { what: String, at: usize },
    #[error("the command contains the control character {code:#04x} at byte {at}\nhelp: remove it")]
    Control { code: u32, at: usize },
    #[error("a quote or a backslash at the end of the command is not closed\nhelp: close it")]
    Unbalanced,
    #[error(
        "the command starts with the assignment `{word}`\nhelp: remove it, or set the \
         variable in a script of the repository"
    )]
    Assignment { word: String },
    #[error(
        "`{program}` is not in the list of allowed commands: {allowed}\nhelp: add it to \
         `commands.allow` in .fixpoint/prove.yml"
    )]
    NotAllowed { program: String, allowed: String },
    #[error(
        "`{program}` needs the network, which is denied\nhelp: set `security.network: allow` in \
         .fixpoint/prove.yml if the failure depends on it"
    )]
    Network { program: String },
    #[error(
        "`{program}` is not on PATH outside the repository\nhelp: install it, or add its folder to \
         PATH; programs inside the repository are never looked up by name"
    )]
    NotFound { program: String },
}

/// A command that was split without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    text: String,
    argv: Vec<String>,
}

impl Command {
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        reject_shell_syntax(text)?;
        let argv = shlex::split(text).ok_or(CommandError::Unbalanced)?;
        let program = argv.first().ok_or(CommandError::Empty)?;
        if program.is_empty() {
            return Err(CommandError::Empty);
        }
        if is_assignment(program) {
            return Err(CommandError::Assignment {
                word: program.clone(),
            });
        }
        Ok(Self {
            text: text.trim().to_owned(),
            argv,
        })
    }

    /// The command as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program and its arguments. There is always a program.
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    pub fn program(&self) -> &str {
        self.argv.first().map_or("", String::as_str)
    }
}

/// Which commands may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPolicy {
    /// Each entry is one or more words, such as `cargo` or `npm test`. A command is allowed if its
    /// first words equal those of an entry.
    pub allow: Vec<String>,
    pub network_allowed: bool,
}

impl Default for CommandPolicy {
    fn default() -> Self {
        Self {
            allow: DEFAULT_ALLOWLIST.map(str::to_owned).to_vec(),
            network_allowed: false,
        }
    }
}

impl CommandPolicy {
    /// Accepts a command by whole words: `nodemon` is not `node`. A program with a slash in its name
    /// is accepted only if an entry has exactly that path, for example `./bazelw`.
    pub fn check(&self, command: &Command) -> Result<(), CommandError> {
        let program = command.program();
        let allowed = self.allow.iter().any(|entry| {
            let words: Vec<&str> = entry.split_whitespace().collect();
            let start = command.argv().get(..words.len()).unwrap_or_default();
            !words.is_empty() && start == words
        });
        if !allowed {
            return Err(CommandError::NotAllowed {
                program: program.to_owned(),
                allowed: self.allow.join(", "),
            });
        }
        let name = program.rsplit('/').next().unwrap_or(program);
        if !self.network_allowed && NETWORK_PROGRAMS.contains(&name) {
            return Err(CommandError::Network {
                program: program.to_owned(),
            });
        }
        Ok(())
    }
}

/// Finds a program on PATH. Folders inside `trees` and relative folders are skipped, so that a patch
/// cannot replace a program by a file of its own. A program with a slash is returned as it is.
pub fn resolve(
    program: &str,
    path_variable: &OsStr,
    trees: &[&Path],
) -> Result<PathBuf, CommandError> {
    if program.contains('/') {
        return Ok(PathBuf::from(program));
    }
    let trees = with_real_paths(trees);
    std::env::split_paths(path_variable)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|file| is_executable(file) && !is_inside(file, &trees))
        .ok_or_else(|| CommandError::NotFound {
            program: program.to_owned(),
        })
}

/// PATH without relative folders and without folders inside `trees`.
pub fn search_path(path_variable: &OsStr, trees: &[&Path]) -> OsString {
    let trees = with_real_paths(trees);
    let folders = std::env::split_paths(path_variable)
        .filter(|folder| folder.is_absolute() && !is_inside(folder, &trees));
    std::env::join_paths(folders).unwrap_or_default()
}

fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// The trees by their own paths and by their real paths.
fn with_real_paths(trees: &[&Path]) -> Vec<PathBuf> {
    let real = trees.iter().filter_map(|tree| tree.canonicalize().ok());
    trees.iter().map(PathBuf::from).chain(real).collect()
}

/// Whether the path, or what it links to, is inside one of the trees.
fn is_inside(path: &Path, trees: &[PathBuf]) -> bool {
    let is_below = |path: &Path| trees.iter().any(|tree| path.starts_with(tree));
    is_below(path) || path.canonicalize().is_ok_and(|real| is_below(&real))
}

/// `NAME=value` or `NAME+=value`.
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// Rejects every character that a shell would interpret rather than pass on.
fn reject_shell_syntax(text: &str) -> Result<(), CommandError> {
    let mut quote = Quote::None;
    let mut word_start = true;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter.is_control() && letter != '\t' {
            return Err(CommandError::Control {
                code: letter.into(),
                at,
            });
        }
        let shell = |what: &str| {
            Err(CommandError::Shell {
                what: what.to_owned(),
                at,
            })
        };
        let next = letters.peek().map(|&(_, next)| next);
        match (quote, letter) {
            (Quote::None, '\'') => quote = Quote::Single,
            (Quote::None, '"') => quote = Quote::Double,
            (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
            (Quote::None | Quote::Double, '\\') => {
                // The escaped character is data. A control character is still rejected.
                match next {
                    None => return Err(CommandError::Unbalanced),
                    Some(escaped) if escaped.is_control() => {}
                    Some(escaped) if quote == Quote::None || "$`\"\\".contains(escaped) => {
                        letters.next();
                    }
                    Some(_) => {}
                }
            }
            (Quote::None | Quote::Double, '`') => {
                return shell("a command substitution with \"`\"");
            }
            (Quote::None | Quote::Double, '$') if expands(next, quote) => {
                return match next {
                    Some('(') => shell("a command substitution `$(`"),
                    _ => shell("a variable that a shell would expand (`$`)"),
                };
            }
            (Quote::None, ';') => return shell("a list of commands (`;`)"),
            (Quote::None, '|') => return shell("a pipe (`|`)"),
            (Quote::None, '&') => return shell("`&`"),
            (Quote::None, '<' | '>') => return shell("a redirection (`<` or `>`)"),
            (Quote::None, '(' | ')') => return shell("a subshell (`(` or `)`)"),
            (Quote::None, '*' | '?') => return shell("an unquoted glob (`*` or `?`)"),
            (Quote::None, '{' | '}') => return shell("an unquoted brace (`{` or `}`)"),
            (Quote::None, '~') if word_start => return shell("an unquoted `~`"),
            (Quote::None, '#') if word_start => return shell("a comment (`#`)"),
            _ => {}
        }
        word_start = quote == Quote::None && matches!(letter, ' ' | '\t');
    }
    if quote == Quote::None {
        Ok(())
    } else {
        Err(CommandError::Unbalanced)
    }
}

/// Whether a shell expands a `$` that `next` follows. A `$` at the end of a word is data.
fn expands(next: Option<char>, quote: Quote) -> bool {
    match next {
        None => false,
        Some('\'' | '"') => quote == Quote::None,
        Some(next) => next.is_alphanumeric() || "_({[@*#?-$!".contains(next),
    }
}
