//! The reasons why a text has no canonical form.

use fixpoint_text::Span;

/// An error that the parser of the language reports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    message: String,
    span: Span,
}

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Self {
        Self {
            message: message.into(),
            span,
        }
    }

    /// The message, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The span that the parser reports, within the text and on character boundaries.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The same error with its span moved onto character boundaries of `text`.
    pub(crate) fn within(mut self, text: &str) -> Self {
        let start = text.floor_char_boundary(self.span.start());
        let end = text.ceil_char_boundary(self.span.end().min(text.len()));
        self.span = Span::from(start..end);
        self
    }

    pub(crate) fn map_span(mut self, map: impl FnOnce(Span) -> Span) -> Self {
        self.span = map(self.span);
        self
    }
}

/// The reason why [`canonical`](crate::canonical) did not change a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The text does not parse.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text is nested deeper than the limit for its printer.
    #[error("nested {depth} levels deep; the limit is {limit}")]
    TooDeep {
        depth: usize,
        limit: usize,
        span: Span,
    },
    /// The printer kept changing its own output.
    #[error("the printer did not settle in {passes} passes")]
    Unstable { passes: usize },
    /// The printer's result fails a check, so the text is kept.
    #[error("the printer damaged the text: {what}")]
    Damaged { what: String },
    /// The text is a template, which the printer of its language cannot format.
    #[error(
        "this is a template, left alone: it can be formatted only after its placeholders are filled in"
    )]
    Template,
    /// An optional end tag is omitted. HTML allows this, but the printer does not.
    #[error("the end tag of <{tag}> is omitted; the file is not changed")]
    OmittedEndTag { tag: String, span: Span },
    /// A `fixpoint: off` region or an ignored line cannot be separated from the text around it.
    /// `line` counts from 0.
    #[error("line {} is to be kept as written, but cannot be separated from the text around it", line + 1)]
    Unkept { line: usize },
    /// The printer or parser panicked.
    #[error("the {printer} printer crashed: {message}")]
    Crashed {
        printer: &'static str,
        message: String,
    },
}

impl FormatError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}
