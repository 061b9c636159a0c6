//! Reads arguments from files with one argument per line, as Bazel writes them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use fixpoint_workspace::{MAX_FILE_SIZE, read_file};

use crate::failure::Failure;

/// The command that takes file names of the user, which may be in any encoding.
const WRITER: &str = "fix";

/// The arguments of this process. The executable of a rule is this binary under another name; a file
/// next to it contains its first arguments. The arguments of an action are in a file: `bazel @FILE`.
pub(crate) fn expanded_arguments(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Vec<OsString>, Failure> {
    let mut arguments = arguments.into_iter();
    let Some(program) = arguments.next() else {
        return Ok(Vec::new());
    };
    let first = arguments_beside(&program);
    let mut expanded = vec![program];
    expanded.extend(first);
    expanded.extend(arguments);
    let is_of_bazel = expanded.get(1).is_some_and(|name| name == "bazel");
    if is_of_bazel
        && expanded.len() == 3
        && let Some(file) = expanded.last().and_then(|last| file_of(last))
    {
        expanded.pop();
        let lines = read_file(&file, MAX_FILE_SIZE).map_err(Failure::Input)?;
        expanded.extend(lines_of(&lines));
    }
    let is_action = is_of_bazel && expanded.get(2).is_some_and(|name| name != WRITER);
    let unwritable = expanded.iter().find(|argument| argument.to_str().is_none());
    if let Some(argument) = unwritable.filter(|_| is_action) {
        return Err(Failure::Usage(format!(
            "the file name {} is not UTF-8, so no report can contain it; rename the file, or remove it from the target",
            argument.display()
        )));
    }
    Ok(expanded)
}

/// The arguments in the file next to the program. A program that was started by its bare name has an
/// unknown location, and a file in the current folder must not change its arguments.
fn arguments_beside(program: &OsStr) -> Vec<OsString> {
    if !program.as_bytes().contains(&b'/') {
        return Vec::new();
    }
    let mut beside = program.to_owned();
    beside.push(".fixpoint-args");
    read_file(Path::new(&beside), MAX_FILE_SIZE)
        .map_or_else(|_| Vec::new(), |lines| lines_of(&lines))
}

fn file_of(argument: &OsStr) -> Option<PathBuf> {
    let file = argument.as_bytes().strip_prefix(b"@")?;
    Some(PathBuf::from(OsStr::from_bytes(file)))
}

fn lines_of(text: &[u8]) -> Vec<OsString> {
    let lines = text.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| OsString::from_vec(line.to_vec()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn expand(arguments: &[&str]) -> Vec<String> {
        let arguments = arguments.iter().map(OsString::from);
        let expanded = expanded_arguments(arguments).expect("readable");
        let text = |it: OsString| it.into_string().expect("UTF-8");
        expanded.into_iter().map(text).collect()
    }

    #[test]
    fn arguments_are_read_from_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("fix").display().to_string();
        let file = folder.path().join("p").display().to_string();
        assert_eq!(expand(&[&program, "check"]), [program.as_str(), "check"]);

        fs::write(format!("{program}.fixpoint-args"), "bazel\nfix\n").expect("written");
        fs::write(&file, "check\n--path=with space\n--path=\u{e4}\n").expect("written");
        assert_eq!(
            expand(&[&program, "--diff"]),
            [program.as_str(), "bazel", "fix", "--diff"]
        );
        assert_eq!(
            expand(&["x", "bazel", &format!("@{file}")]),
            ["x", "bazel", "check", "--path=with space", "--path=\u{e4}"]
        );
    }

    #[test]
    fn elsewhere_an_at_sign_is_part_of_a_name() {
        assert_eq!(expand(&["x", "check", "@types"]), ["x", "check", "@types"]);
        let fix = ["x", "bazel", "fix", "@types"];
        assert_eq!(expand(&fix), fix);
    }
}
