//! What printing must preserve: valid syntax, comments and meaning. The parsers used here come from
//! other crates than the printers, where a second parser exists.

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::newline::without_lone_returns;
use crate::printer::{Printer, Variant, guarded, printer_of};
use crate::{FormatError, Language, words};

/// The comments and the meaning of a text, without its layout.
pub(crate) struct Outline {
    pub(crate) comments: Vec<Span>,
    pub(crate) meaning: Meaning,
}

/// The meaning of a text, in a form that can be compared.
#[derive(PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Equal if and only if the texts mean the same.
    Exact(Vec<u8>),
    /// One meaning for each of several parsers; `None` for a parser that rejects the text.
    Readings(Vec<Option<Vec<u8>>>),
    /// If the words differ, the texts differ in more than layout. Equal words prove nothing.
    Words(Vec<u8>),
    Unknown,
}

impl Meaning {
    /// Whether `other`, printed from this text, has the same meaning. `None` if unknown.
    pub(crate) fn same(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Readings(one), Self::Readings(two)) => Some(same_readings(one, two)),
            (Self::Exact(one), Self::Exact(two)) => Some(one == two),
            (Self::Words(one), Self::Words(two)) if one != two => Some(false),
            _ => None,
        }
    }

    pub(crate) fn of_words(text: &str) -> Self {
        Self::Words(words::words(text))
    }
}

/// Whether every parser that accepts `one` accepts `two` and reads the same. False if no parser
/// accepts `one`.
fn same_readings(one: &[Option<Vec<u8>>], two: &[Option<Vec<u8>>]) -> bool {
    let mut read = one
        .iter()
        .zip(two)
        .filter(|(one, _)| one.is_some())
        .peekable();
    read.peek().is_some() && read.all(|(one, two)| one == two)
}

/// Checks the syntax of `text`. Languages without a grammar or a printer always pass.
pub fn parses(language: Language, path: &str, text: &str) -> Result<(), SyntaxError> {
    let Some(printer) = printer_of(language) else {
        return Ok(());
    };
    let text = &*without_lone_returns(language, text);
    let checked = guarded(language, || {
        printer.check_depth(text)?;
        printer.parses(Variant { language, path }, text)?;
        Ok(())
    });
    match checked {
        Ok(()) => Ok(()),
        Err(FormatError::Syntax(error)) => Err(error.within(text)),
        Err(other) => Err(SyntaxError::new(
            other.to_string(),
            Span::from(0..text.len()),
        )),
    }
}

/// The byte spans of all comments, in order. If the text does not parse, as many as can be found.
pub fn comments(language: Language, path: &str, text: &str) -> Vec<Span> {
    let Some(printer) = printer_of(language) else {
        return Vec::new();
    };
    let text = &*without_lone_returns(language, text);
    guarded(language, || {
        printer.check_depth(text)?;
        Ok(printer.comments(Variant { language, path }, text))
    })
    .unwrap_or_default()
}

/// Whether both texts have the same meaning. `None` means unknown. `Some(true)` is possible only
/// for JSON, YAML, TOML, Python, TypeScript, JavaScript, CSS, SCSS, Less, GraphQL and Clank.
pub fn same_meaning(language: Language, path: &str, one: &str, two: &str) -> Option<bool> {
    let printer = printer_of(language)?;
    let variant = Variant { language, path };
    let before = outline(printer, variant, one).ok()?;
    let after = outline(printer, variant, two).ok()?;
    guarded(language, || {
        Ok(printer.same_meaning(variant, (one, &before), (two, &after)))
    })
    .ok()?
}

/// The comments and the meaning of `text`.
pub(crate) fn outline(
    printer: &dyn Printer,
    variant: Variant<'_>,
    text: &str,
) -> Result<Outline, FormatError> {
    let text = &*without_lone_returns(variant.language, text);
    guarded(variant.language, || {
        printer.check_depth(text)?;
        printer
            .outline(variant, text)
            .map_err(|error| FormatError::Syntax(error.within(text)))
    })
}
