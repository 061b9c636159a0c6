//! Reads a proposed patch: a unified diff in git's format, of text files, of bounded size.
//!
//! Parsing is stricter than `git apply`: every file starts with `diff --git`, the paths of a
//! section agree with each other, and the counts of a hunk match its lines.

use thiserror::Error;

use super::spawn::MAX_OUTPUT;
use crate::policy::changes::{
    ChangeKind, ChangedFile, MODE_EXECUTABLE, MODE_FILE, MODE_SUBMODULE, MODE_SYMLINK,
};
use crate::policy::path_problem;

/// The modes that git gives to files, links and submodules.
const MODES: [u32; 4] = [MODE_FILE, MODE_EXECUTABLE, MODE_SYMLINK, MODE_SUBMODULE];

/// A larger patch is rejected.
pub const MAX_PATCH: usize = MAX_OUTPUT / 4;

/// More files in one patch are rejected.
pub const MAX_FILES: usize = 1000;

/// Why a text is not a patch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct PatchError {
    /// The line of the patch, from 1.
    pub line: usize,
    pub reason: String,
}

/// A patch by files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedPatch {
    pub files: Vec<FilePatch>,
}

/// The changes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePatch {
    pub change: ChangedFile,
    pub hunks: Vec<Hunk>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
    pub lines: Vec<HunkLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Context,
    Added,
    Removed,
}

/// A line of a hunk, without its marker and its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine {
    pub kind: LineKind,
    pub text: String,
    /// Whether the file ends here without a newline.
    pub no_newline: bool,
}

impl ParsedPatch {
    /// The changed files, for the policies.
    pub fn changed_files(&self) -> Vec<ChangedFile> {
        self.files.iter().map(|file| file.change.clone()).collect()
    }
}

impl FilePatch {
    /// The lines that the patch adds.
    pub fn added_lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let added = lines.filter(|line| line.kind == LineKind::Added);
        added.map(|line| line.text.as_str())
    }
}

/// Reads a patch. Paths that leave the repository are errors too.
pub fn parse_patch(text: &str) -> Result<ParsedPatch, PatchError> {
    let fail = |line: usize, reason: &str| PatchError {
        line,
        reason: reason.to_owned(),
    };
    if text.len() > MAX_PATCH {
        return Err(fail(
            1,
            &format!("the patch has more than {MAX_PATCH} bytes"),
        ));
    }
    if text.contains('\0') {
        return Err(fail(1, "the patch contains a NUL"));
    }
    if text.trim().is_empty() {
        return Err(fail(1, "the patch is empty"));
    }
    if !text.ends_with('\n') {
        return Err(fail(text.lines().count(), "the last line is cut off"));
    }
    let mut parser = Parser {
        lines: text[..text.len() - 1].split('\n').collect(),
        next: 0,
    };
    let mut patch = ParsedPatch::default();
    while let Some(line) = parser.peek() {
        if line.trim().is_empty() {
            parser.next += 1;
            continue;
        }
        let start = parser.next;
        let file = parser.file()?;
        let change = &file.change;
        for path in change.old_path.iter().chain([&change.path]) {
            if let Some(problem) = path_problem(path) {
                return Err(fail(start + 1, problem));
            }
        }
        if patch
            .files
            .iter()
            .any(|other| other.change.path == change.path)
        {
            return Err(fail(start + 1, "the patch has two sections for one file"));
        }
        patch.files.push(file);
        if patch.files.len() > MAX_FILES {
            return Err(fail(start + 1, "the patch changes too many files"));
        }
    }
    Ok(patch)
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    next: usize,
}

/// The extended header of a file.
#[derive(Default)]
struct Header {
    kind: Option<ChangeKind>,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    from: Option<String>,
    to: Option<String>,
    /// The paths of `---` and `+++`; the inner None is `/dev/null`.
    minus: Option<Option<String>>,
    plus: Option<Option<String>>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.next).copied()
    }

    fn error(&self, reason: &str) -> PatchError {
        PatchError {
            line: self.next + 1,
            reason: reason.to_owned(),
        }
    }

    fn file(&mut self) -> Result<FilePatch, PatchError> {
        let first = self
            .peek()
            .and_then(|line| line.strip_prefix("diff --git "));
        let names = first.ok_or_else(|| self.error("`diff --git a/PATH b/PATH` is expected"))?;
        let start = self.next;
        self.next += 1;
        let header = self.header()?;
        let mut hunks: Vec<Hunk> = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.starts_with("@@ ")) {
            let hunk = self.hunk(line)?;
            let ordered = hunks.last().is_none_or(|previous| {
                hunk.old_start >= previous.old_start.saturating_add(previous.old_lines)
            });
            if !ordered {
                return Err(self.error("hunks overlap or are not in order"));
            }
            hunks.push(hunk);
        }
        let fail = |reason: &str| PatchError {
            line: start + 1,
            reason: reason.to_owned(),
        };
        let change = header.change(names).map_err(fail)?;
        if header.plus.is_some() && hunks.is_empty() {
            return Err(fail("the file has no hunks"));
        }
        if !hunks.is_empty() && header.plus.is_none() {
            return Err(fail("`---` and `+++` lines are missing"));
        }
        let no_effect = hunks.is_empty()
            && change.kind == ChangeKind::Modified
            && change.old_mode == change.new_mode;
        if no_effect {
            return Err(fail("the section changes nothing"));
        }
        Ok(FilePatch { change, hunks })
    }

    fn header(&mut self) -> Result<Header, PatchError> {
        let mut header = Header::default();
        while let Some(line) = self.peek() {
            let mode = |text: &str| {
                let mode = u32::from_str_radix(text, 8);
                let mode = mode.map_err(|_| self.error("the mode is not a number"))?;
                match MODES.contains(&mode) {
                    true => Ok(mode),
                    false => Err(self.error("git has no files of this mode")),
                }
            };
            let path = |text: &str| {
                unquote(text).ok_or_else(|| self.error("the quoted path cannot be read"))
            };
            let side = |text: &str, prefix: &str| {
                let text = text.split('\t').next().unwrap_or(text);
                if text == "/dev/null" {
                    return Ok(None);
                }
                let path = path(text)?;
                match path.strip_prefix(prefix) {
                    Some(path) => Ok(Some(path.to_owned())),
                    None => Err(self.error(&format!("the path does not start with `{prefix}`"))),
                }
            };
            if let Some(text) = line.strip_prefix("old mode ") {
                header.old_mode = Some(mode(text)?);
            } else if let Some(text) = line.strip_prefix("new mode ") {
                header.new_mode = Some(mode(text)?);
            } else if let Some(text) = line.strip_prefix("new file mode ") {
                header.kind = Some(ChangeKind::Added);
                header.new_mode = Some(mode(text)?);
            } else if let Some(text) = line.strip_prefix("deleted file mode ") {
                header.kind = Some(ChangeKind::Deleted);
                header.old_mode = Some(mode(text)?);
            } else if let Some(text) = line.strip_prefix("rename from ") {
                header.kind = Some(ChangeKind::Renamed);
                header.from = Some(path(text)?);
            } else if let Some(text) = line.strip_prefix("copy from ") {
                header.kind = Some(ChangeKind::Copied);
                header.from = Some(path(text)?);
            } else if let Some(text) = line
                .strip_prefix("rename to ")
                .or_else(|| line.strip_prefix("copy to "))
            {
                header.to = Some(path(text)?);
            } else if let Some(text) = line.strip_prefix("index ") {
                // `index OLD..NEW MODE` names the mode of a file whose mode does not change.
                if let Some((_, text)) = text.split_once(' ') {
                    let mode = mode(text)?;
                    header.old_mode.get_or_insert(mode);
                    header.new_mode.get_or_insert(mode);
                }
            } else if let Some(text) = line.strip_prefix("--- ") {
                header.minus = Some(side(text, "a/")?);
            } else if let Some(text) = line.strip_prefix("+++ ") {
                header.plus = Some(side(text, "b/")?);
                self.next += 1;
                return match header.minus {
                    Some(_) => Ok(header),
                    None => Err(self.error("`+++` has no `---` before it")),
                };
            } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
                return Err(self.error("binary changes are not accepted"));
            } else if line.starts_with("similarity index ")
                || line.starts_with("dissimilarity index ")
            {
            } else if line.starts_with("diff --git ") || line.trim().is_empty() {
                break;
            } else {
                return Err(self.error("the line is not part of a git diff"));
            }
            self.next += 1;
        }
        match header.minus {
            Some(_) => Err(self.error("`---` has no `+++` after it")),
            None => Ok(header),
        }
    }

    fn hunk(&mut self, line: &str) -> Result<Hunk, PatchError> {
        let ranges = line
            .strip_prefix("@@ -")
            .and_then(|rest| rest.split_once(" @@"))
            .and_then(|(ranges, _)| ranges.split_once(" +"));
        let parsed = ranges.and_then(|(old, new)| Some((range(old)?, range(new)?)));
        let Some(((old_start, old_lines), (new_start, new_lines))) = parsed else {
            return Err(self.error("`@@ -LINE,COUNT +LINE,COUNT @@` is expected"));
        };
        self.next += 1;
        let (mut old_left, mut new_left) = (old_lines, new_lines);
        let mut lines: Vec<HunkLine> = Vec::new();
        loop {
            let line = self.peek();
            if let Some(line) = line.filter(|line| line.starts_with('\\')) {
                let last = lines.last_mut().filter(|_| line.starts_with("\\ "));
                match last {
                    Some(last) => last.no_newline = true,
                    None => return Err(self.error("`\\` does not follow a line")),
                }
                self.next += 1;
                continue;
            }
            if old_left == 0 && new_left == 0 {
                break;
            }
            let line = line.ok_or_else(|| self.error("the hunk has fewer lines than it says"))?;
            let (kind, text) = match line.split_at_checked(1) {
                Some((" ", text)) => (LineKind::Context, text),
                Some(("+", text)) => (LineKind::Added, text),
                Some(("-", text)) => (LineKind::Removed, text),
                // An empty context line whose blank was trimmed; git accepts it too.
                None => (LineKind::Context, ""),
                Some(_) => return Err(self.error("the hunk has fewer lines than it says")),
            };
            let enough = match kind {
                LineKind::Context => take(&mut old_left) && take(&mut new_left),
                LineKind::Added => take(&mut new_left),
                LineKind::Removed => take(&mut old_left),
            };
            if !enough {
                return Err(self.error("the hunk has more lines than it says"));
            }
            lines.push(HunkLine {
                kind,
                text: text.to_owned(),
                no_newline: false,
            });
            self.next += 1;
        }
        if lines.iter().all(|line| line.kind == LineKind::Context) {
            return Err(self.error("the hunk changes nothing"));
        }
        let more = |line: &&str| line.starts_with([' ', '+', '-']);
        if self.peek().is_some_and(|line| more(&line)) {
            return Err(self.error("the hunk has more lines than it says"));
        }
        Ok(Hunk {
            old_start,
            old_lines,
            new_start,
            new_lines,
            lines,
        })
    }
}

fn take(left: &mut u32) -> bool {
    let enough = *left > 0;
    *left = left.saturating_sub(1);
    enough
}

/// `LINE` or `LINE,COUNT`.
fn range(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| digits)
    };
    match text.split_once(',') {
        Some((start, count)) => Some((number(start)?, number(count)?)),
        None => Some((number(text)?, 1)),
    }
}

impl Header {
    /// The change, from the header lines and the names of the `diff --git` line.
    fn change(&self, names: &str) -> Result<ChangedFile, &'static str> {
        let pair = |old: &Option<Option<String>>, new: &Option<Option<String>>| match (old, new) {
            (Some(Some(old)), Some(Some(new))) => Some((old.clone(), new.clone())),
            (Some(Some(path)), _) | (_, Some(Some(path))) => Some((path.clone(), path.clone())),
            _ => None,
        };
        let (old, new) = match (&self.from, &self.to) {
            (Some(from), Some(to)) => (from.clone(), to.clone()),
            (None, None) => match pair(&self.minus, &self.plus) {
                Some(pair) => pair,
                None if self.minus.is_some() => return Err("the section names no file"),
                None => same_name(names).ok_or("the paths of `diff --git` cannot be read")?,
            },
            _ => return Err("`from` and `to` are not both there"),
        };
        if !names_match(names, &old, &new) {
            return Err("the paths of the section disagree");
        }
        let kind = match (&self.minus, &self.plus) {
            (Some(None), Some(Some(_))) => ChangeKind::Added,
            (Some(Some(_)), Some(None)) => ChangeKind::Deleted,
            _ => self.kind.unwrap_or(ChangeKind::Modified),
        };
        let both_sides = matches!((&self.minus, &self.plus), (Some(Some(_)), Some(Some(_))));
        let one_side = matches!(kind, ChangeKind::Added | ChangeKind::Deleted);
        let consistent = self.kind.is_none_or(|named| named == kind) && !(both_sides && one_side);
        let moved = matches!(kind, ChangeKind::Renamed | ChangeKind::Copied);
        if !consistent || moved == (old == new) {
            return Err("the header lines of the section disagree");
        }
        if let Some(pair) = pair(&self.minus, &self.plus)
            && pair != (old.clone(), new.clone())
        {
            return Err("the paths of the section disagree");
        }
        let mode = |mode: Option<u32>, absent: ChangeKind| match mode {
            _ if kind == absent => None,
            Some(mode) => Some(mode),
            None if matches!(kind, ChangeKind::Added | ChangeKind::Deleted) => Some(MODE_FILE),
            None => None,
        };
        Ok(ChangedFile {
            old_path: moved.then_some(old),
            path: new,
            kind,
            old_mode: mode(self.old_mode, ChangeKind::Added),
            new_mode: mode(self.new_mode, ChangeKind::Deleted),
        })
    }
}

/// The path of `a/PATH b/PATH` with one path twice.
fn same_name(names: &str) -> Option<(String, String)> {
    let half = names.len() / 2;
    let (old, new) = (names.get(..half)?, names.get(half + 1..)?);
    let old = unquote(old)?.strip_prefix("a/")?.to_owned();
    let new = unquote(new)?.strip_prefix("b/")?.to_owned();
    (old == new && names.get(half..=half) == Some(" ")).then_some((old, new))
}

/// Whether `names` is `a/OLD b/NEW`, each possibly quoted.
fn names_match(names: &str, old: &str, new: &str) -> bool {
    names.match_indices(' ').any(|(at, _)| {
        let side = |text: &str, prefix: &str| {
            unquote(text).and_then(|path| path.strip_prefix(prefix).map(str::to_owned))
        };
        side(&names[..at], "a/").is_some_and(|path| path == old)
            && side(&names[at + 1..], "b/").is_some_and(|path| path == new)
    })
}

/// A path as git writes it: plain, or in quotes with C escapes.
fn unquote(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"') else {
        return Some(text.to_owned());
    };
    let inner = inner.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return None,
            b'\\' => bytes.push(match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 7,
                b'b' => 8,
                b'v' => 11,
                b'f' => 12,
                quoted @ (b'"' | b'\\') => quoted,
                first @ b'0'..=b'3' => {
                    let mut value = first - b'0';
                    for _ in 0..2 {
                        let digit = rest.next().filter(|digit| (b'0'..=b'7').contains(digit))?;
                        value = value * 8 + (digit - b'0');
                    }
                    value
                }
                _ => return None,
            }),
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}
