//! Computes the canonical form of a text, or the reason why it has none.

use std::borrow::Cow;

use crate::error::SyntaxError;
use crate::newline::Source;
use crate::outline::outline;
use crate::printer::{Job, guarded, print, printer_of};
use crate::{FormatError, Language, Styles, comment, keep, template};
use fixpoint_language::LineEndings;
use fixpoint_text::{LineIndex, Span};

/// The maximum number of print passes. A text that still changes after them is unstable.
const MAX_PASSES: usize = 4;

/// Returns the canonical text of `text`, borrowed if `text` is already canonical.
///
/// `path` only distinguishes variants of a language (`.pyi`, `.d.ts`); no file is read. A language
/// for which there is no style or no printer is not changed, also where it is embedded in another one.
///
/// The result parses and contains every comment of `text`. It has the same meaning, as far as that
/// can be checked, and is its own canonical text. The bytes of `fixpoint: off` regions and of lines
/// under `fixpoint: ignore[format]` are unchanged.
pub fn canonical<'a>(
    language: Language,
    path: &str,
    text: &'a str,
    styles: Styles<'_>,
) -> Result<Cow<'a, str>, FormatError> {
    canonical_by(language, path, text, styles, print)
}

/// Runs the printer of a language once, without the checks of [`canonical`]. For tests of printers.
#[doc(hidden)]
pub fn print_unchecked(
    language: Language,
    path: &str,
    text: &str,
    styles: Styles<'_>,
) -> Result<String, FormatError> {
    let (Some(style), Some(printer)) = (styles(language), printer_of(language)) else {
        return Ok(text.to_owned());
    };
    let source = Source::read(language, text);
    let job = Job {
        printer,
        language,
        path,
        style,
        styles,
    };
    let printed = print(job, source.body())?;
    Ok(source.denormalize(Cow::Owned(printed)).into_owned())
}

/// Like [`canonical`], but `first` prints `text` in the first pass.
pub(crate) fn canonical_by<'a>(
    language: Language,
    path: &str,
    text: &'a str,
    styles: Styles<'_>,
    first: impl FnOnce(Job<'_>, &str) -> Result<String, FormatError>,
) -> Result<Cow<'a, str>, FormatError> {
    let (Some(style), Some(printer)) = (styles(language), printer_of(language)) else {
        return Ok(Cow::Borrowed(text));
    };
    let source = Source::read(language, text);
    let job = Job {
        printer,
        language,
        path,
        style,
        styles,
    };
    let body =
        print_until_stable(job, source.body(), first).map_err(|error| in_text(&source, error))?;
    let denormalized = source.denormalize(body);
    if source.is_uniform() || !keep::has_directives(text) {
        return Ok(denormalized);
    }
    // In a text with mixed line endings, kept lines keep their endings too.
    let restored = keep::restore_endings(language, path, text, &denormalized);
    Ok(if restored == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(restored)
    })
}

/// Prints `body` until printing changes nothing, then checks the result against it.
fn print_until_stable<'a>(
    job: Job<'_>,
    body: &'a str,
    first: impl FnOnce(Job<'_>, &str) -> Result<String, FormatError>,
) -> Result<Cow<'a, str>, FormatError> {
    if is_blank(body) {
        return Ok(Cow::Borrowed(""));
    }
    reject_control_characters(job.language, body)?;
    if template::is_in_chart(job.language, job.path, body) {
        return Err(FormatError::Template);
    }
    job.printer.check_depth(body)?;
    let mut printed =
        pass(job, body, first).map_err(|error| template::explain(job.language, body, error))?;
    if printed == body {
        return Ok(Cow::Borrowed(body));
    }
    for _ in 1..MAX_PASSES {
        // The positions in this error do not refer to the original text.
        let again = pass(job, &printed, print).map_err(|error| match error {
            FormatError::Syntax(error) => {
                FormatError::damaged(format!("the result does not parse: {error}"))
            }
            FormatError::TooDeep { .. } | FormatError::Unkept { .. } => {
                FormatError::damaged(format!("the result cannot be printed again: {error}"))
            }
            other => other,
        })?;
        if again == printed {
            check(job, body, &printed)?;
            return Ok(Cow::Owned(printed));
        }
        printed = again;
    }
    Err(FormatError::Unstable { passes: MAX_PASSES })
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Runs one print pass and restores the lines that the author wants to keep.
fn pass(
    job: Job<'_>,
    body: &str,
    print: impl FnOnce(Job<'_>, &str) -> Result<String, FormatError>,
) -> Result<String, FormatError> {
    let printed = print(job, body)?;
    if is_blank(&printed) {
        return Err(FormatError::damaged("nothing is left of it"));
    }
    if printed == body || !keep::has_directives(body) {
        return Ok(printed);
    }
    keep::restore(job.language, job.path, body, &printed, |restored| {
        is_whole(job, body, &printed, restored)
    })
}

/// Whether `restored` contains everything exactly once. Text that the printer moves into a kept
/// region is lost when the region is restored. Text that it moves out of one appears twice.
fn is_whole(job: Job<'_>, body: &str, printed: &str, restored: &str) -> bool {
    if job.printer.may_repeat(body, restored) {
        return false;
    }
    print(job, restored).is_ok_and(|again| {
        again == printed || print(job, printed).is_ok_and(|settled| again == settled)
    })
}

/// Rejects a result that does not parse, loses a comment or changes the meaning.
fn check(job: Job<'_>, before: &str, after: &str) -> Result<(), FormatError> {
    let (printer, variant) = (job.printer, job.variant());
    let old = outline(printer, variant, before)?;
    let new = outline(printer, variant, after)
        .map_err(|error| FormatError::damaged(format!("the result does not parse: {error}")))?;
    if let Some(lost) = comment::first_lost(before, &old.comments, after, &new.comments) {
        let line = LineIndex::new(before).line_of(lost.start()) + 1;
        return Err(FormatError::damaged(format!(
            "the comment on line {line} is lost"
        )));
    }
    let (before, after) = ((before, &old), (after, &new));
    printer.check_result(before, after)?;
    let same = guarded(job.language, || {
        Ok(printer.same_meaning(variant, before, after))
    });
    // A comparison that crashes counts as a change.
    if same.unwrap_or(Some(false)) == Some(false) {
        return Err(FormatError::damaged("the meaning changed"));
    }
    Ok(())
}

/// Rejects NUL bytes and inner byte order marks, because printers drop or move them.
fn reject_control_characters(language: Language, body: &str) -> Result<(), FormatError> {
    if language == Language::Text {
        return Ok(());
    }
    if let Some(at) = memchr::memchr(0, body.as_bytes()) {
        return Err(SyntaxError::new("a NUL byte", Span::from(at..at + 1)).into());
    }
    let content = body.trim_start();
    if content.starts_with('\u{feff}') {
        let at = body.len() - content.len();
        let message = match language.info().line_endings {
            LineEndings::Printed => "a byte order mark; save the file without it",
            // The body does not include the first byte order mark.
            LineEndings::Kept | LineEndings::KeptWithReturn => "a second byte order mark",
        };
        return Err(SyntaxError::new(message, Span::from(at..at + 3)).into());
    }
    Ok(())
}

/// Maps the span or line of an error from the body to the original text.
fn in_text(source: &Source<'_>, error: FormatError) -> FormatError {
    let last_line = LineIndex::new(source.text()).line_count().saturating_sub(1);
    match error {
        FormatError::Unkept { line } => FormatError::Unkept {
            line: line.min(last_line),
        },
        FormatError::Syntax(error) => {
            FormatError::Syntax(error.map_span(|span| source.span_in_text(span)))
        }
        FormatError::OmittedEndTag { tag, span } => FormatError::OmittedEndTag {
            tag,
            span: source.span_in_text(span),
        },
        FormatError::TooDeep { depth, limit, span } => FormatError::TooDeep {
            depth,
            limit,
            span: source.span_in_text(span),
        },
        other => other,
    }
}
