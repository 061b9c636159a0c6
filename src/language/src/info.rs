//! The columns of the table.

/// What is known about a language.
#[derive(Clone, Copy, Debug)]
pub struct LanguageInfo {
    /// The name in reports and settings. Variants of a language share it.
    pub name: &'static str,

    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// The ends of file names, in the case in which they are written.
    pub name_endings: &'static [&'static str],
    /// What follows the last dot of a file name, in any case.
    pub extensions: &'static [&'static str],
    /// Extensions of a larger language. Such a file is never formatted. It can be read as a document
    /// if it uses nothing else.
    pub read_only_extensions: &'static [&'static str],
    /// The programs whose name in a shebang line gives a file without an extension its language.
    pub interpreters: &'static [&'static str],
    /// The tags of fenced code blocks in Markdown.
    pub fence_tags: &'static [&'static str],

    pub comments: Comments,
    /// Whether indentation defines blocks, so that text must keep its relative indentation when it
    /// moves.
    pub indentation_matters: bool,
    pub line_endings: LineEndings,
    /// The quotes of the language, if its files may be templates.
    pub template_quotes: Option<Quotes>,

    /// Whether the layout cannot be configured, because another tool defines it or none exists.
    pub has_fixed_layout: bool,
    /// The maximum line width, unless the settings name one.
    pub line_width: u16,
    /// The number of spaces of one indentation level, unless the settings name one.
    pub indent: u8,

    /// The rule that reports another layout than the canonical one: `format-` and the name.
    pub layout_rule: &'static str,
    /// What the rule does, in one sentence.
    pub summary: &'static str,
    pub example: Example,
}

/// The comments of a language.
#[derive(Clone, Copy, Debug)]
pub struct Comments {
    /// Whether they are valid. JSON files have comments, too, although its grammar has none.
    pub are_allowed: bool,
    /// What begins a comment that ends with its line.
    pub line: &'static [&'static str],
    /// What begins and ends other comments.
    pub block: &'static [(&'static str, &'static str)],
}

impl Comments {
    /// Everything that begins a comment.
    pub fn leaders(&self) -> impl Iterator<Item = &'static str> {
        let block = self.block.iter().map(|(open, _)| *open);
        self.line.iter().copied().chain(block)
    }
}

/// How the lines of a text end, before and after it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEndings {
    /// The majority of CRLF and LF is kept.
    Kept,
    /// Like `Kept`. A `\r` without `\n` also ends a line.
    KeptWithReturn,
    /// The printer decides.
    Printed,
}

/// What a scan for template marks must know about strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotes {
    /// Whether a quote or the start of a comment counts only after a blank or a bracket.
    pub after_blank: bool,
    /// Whether three quotes open a string over several lines.
    pub triple: bool,
}

/// A text in another layout than the canonical one, and its canonical text.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub path: &'static str,
    pub before: &'static str,
    pub after: &'static str,
}
