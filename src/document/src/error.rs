//! The errors for actions that cannot be applied, in one form for people and machines.

use std::fmt;

use crate::pointer::Pointer;
use crate::tree::LookupError;
use crate::value::{Value, write_json, write_json_string};

/// An action that was not applied: the op that failed, and the reason. None of the action's changes
/// are applied in that case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyError {
    /// The id of the action.
    pub action: String,
    /// The index of the op; `None` if the error concerns the whole action.
    pub op: Option<usize>,
    pub file: String,
    pub pointer: Pointer,
    pub problem: Problem,
}

/// What is wrong, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub reason: Reason,
    pub expected: String,
    pub found: String,
}

/// A stable identifier for the reason of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The path leads out of the workspace, or is not a valid path.
    OutsideWorkspace,
    /// The file does not exist, or cannot be read as text.
    UnreadableFile,
    /// The settings or the type of the file exclude it from changes.
    LeftAlone,
    /// The file name does not determine a format.
    UnknownFormat,
    /// The file does not parse.
    UnparsableFile,
    NoSuchKey,
    NoSuchItem,
    NotAnIndex,
    /// The pointer leads through a value of another type, or the op does not apply to the type.
    WrongType,
    KeyExists,
    /// The object contains the key more than once, so it is unclear which one is meant.
    DuplicateKey,
    /// The condition in `expects` does not hold.
    ExpectationFailed,
    /// The file is not the one that the action was made for.
    ChangedFile,
    /// Aliases refer to the value, so the change would affect other places.
    SharedByAlias,
    /// The format has no representation for the value.
    Unrepresentable,
    /// The op is not defined for that location.
    Unsupported,
    TooDeep,
    /// Another action changes the same location.
    Conflict,
    /// The edited text would not contain exactly the requested changes.
    Damaged,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::OutsideWorkspace => "outside_workspace",
            Self::UnreadableFile => "unreadable_file",
            Self::LeftAlone => "left_alone",
            Self::UnknownFormat => "unknown_format",
            Self::UnparsableFile => "unparsable_file",
            Self::NoSuchKey => "no_such_key",
            Self::NoSuchItem => "no_such_item",
            Self::NotAnIndex => "not_an_index",
            Self::WrongType => "wrong_type",
            Self::KeyExists => "key_exists",
            Self::DuplicateKey => "duplicate_key",
            Self::ExpectationFailed => "expectation_failed",
            Self::ChangedFile => "changed_file",
            Self::SharedByAlias => "shared_by_alias",
            Self::Unrepresentable => "unrepresentable",
            Self::Unsupported => "unsupported",
            Self::TooDeep => "too_deep",
            Self::Conflict => "conflict",
            Self::Damaged => "damaged",
        }
    }
}

impl Problem {
    /// A path that leads out of the workspace.
    pub fn outside(path: impl Into<String>) -> Self {
        let expected = "a path inside the workspace, relative to its root";
        Self::new(Reason::OutsideWorkspace, expected, path)
    }

    /// A file that cannot be read, with the reason.
    pub fn unreadable(why: impl Into<String>) -> Self {
        Self::new(Reason::UnreadableFile, "a text file to read", why)
    }

    /// A file that must not be changed, with the reason.
    pub fn left_alone(found: impl Into<String>) -> Self {
        Self::new(Reason::LeftAlone, "a file that may be changed", found)
    }

    pub(crate) fn new(
        reason: Reason,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            reason,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl From<LookupError> for Problem {
    fn from(error: LookupError) -> Self {
        match error {
            LookupError::NoSuchKey { at, key } => Self::new(
                Reason::NoSuchKey,
                format!("a key {} in the object at {}", quoted(&key), place(&at)),
                "nothing",
            ),
            LookupError::DuplicateKey { at, key } => Self::new(
                Reason::DuplicateKey,
                format!("one key {} in the object at {}", quoted(&key), place(&at)),
                "more than one",
            ),
            LookupError::NoSuchItem { at, index, length } => Self::new(
                Reason::NoSuchItem,
                format!("an item {index} in the array at {}", place(&at)),
                format!("{length} items"),
            ),
            LookupError::NotAnIndex { at, token } => Self::new(
                Reason::NotAnIndex,
                format!(
                    "an index of the array at {}: digits without a leading zero",
                    place(&at)
                ),
                quoted(&token),
            ),
            LookupError::NotAContainer { at, token, kind } => Self::new(
                Reason::WrongType,
                format!(
                    "an object or an array with {} at {}",
                    quoted(&token),
                    place(&at)
                ),
                kind.name(),
            ),
        }
    }
}

impl ApplyError {
    pub fn to_value(&self) -> Value {
        let text = |it: &str| Value::String(it.to_owned());
        let op = self
            .op
            .map_or(Value::Null, |op| Value::Number((op as u64).into()));
        let members = [
            ("action", text(&self.action)),
            ("op", op),
            ("reason", text(self.problem.reason.name())),
            ("file", text(&self.file)),
            ("json_pointer", text(&self.pointer.to_string())),
            ("expected", text(&self.problem.expected)),
            ("found", text(&self.problem.found)),
        ];
        Value::Object(members.map(|(key, value)| (key.to_owned(), value)).into())
    }

    /// One JSON object on one line, always with the same keys.
    pub fn to_json(&self) -> String {
        self.to_value().to_json()
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.action, self.problem.reason.name())?;
        if let Some(op) = self.op {
            write!(f, " in op {op}")?;
        }
        if !self.file.is_empty() {
            write!(f, " on {}", self.file)?;
        }
        if !self.pointer.is_root() {
            write!(f, " at {}", self.pointer)?;
        }
        let Problem {
            expected, found, ..
        } = &self.problem;
        write!(f, ": expected {expected}, found {found}")
    }
}

impl std::error::Error for ApplyError {}

/// A value for a message: on one line, with numbers as written, truncated if it is long.
pub(crate) fn shown(value: &Value) -> String {
    const LIMIT: usize = 120;
    let mut text = String::new();
    write_shown(&mut text, value, LIMIT);
    if let Some((end, _)) = text.char_indices().nth(LIMIT) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Writes at least `limit` characters of a value, or all of it.
fn write_shown(out: &mut String, value: &Value, limit: usize) {
    let is_enough = |out: &String| out.len() > 4 * limit;
    match value {
        Value::Number(number) => out.push_str(number.as_written()),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if is_enough(out) {
                    return;
                }
                out.push_str(if place > 0 { ", " } else { "" });
                write_shown(out, item, limit);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (place, (key, value)) in members.iter().enumerate() {
                if is_enough(out) {
                    return;
                }
                out.push_str(if place > 0 { ", " } else { "" });
                write_json_string(out, key);
                out.push_str(": ");
                write_shown(out, value, limit);
            }
            out.push('}');
        }
        scalar => write_json(out, scalar, None),
    }
}

pub(crate) fn quoted(text: &str) -> String {
    shown(&Value::String(text.to_owned()))
}

/// A pointer for a message. The pointer of the root is the empty string, so it is spelled out.
pub(crate) fn place(pointer: &Pointer) -> String {
    if pointer.is_root() {
        "the root".to_owned()
    } else {
        pointer.to_string()
    }
}
