//! The table of languages. It says which language a file is written in, and what all other crates
//! need to know about that language: its name, its comments, its default layout.
//!
//! [`Language::info`] returns the row of a language. To add a language, add a row to `table.rs`.

mod detect;
mod formatter;
mod info;
mod json;
mod language;
mod table;

pub use detect::{is_lock_file, may_have_shebang};
pub use formatter::{Key, OtherFormatter, Sign};
pub use info::{Comments, Example, LanguageInfo, LineEndings, Quotes};
pub use language::is_comment_mark;
pub use table::Language;
