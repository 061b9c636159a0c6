//! Runs one print pass with the printer of the language, and turns its panics into errors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::SyntaxError;
use crate::{FormatError, Language, Style, text};
use fixpoint_text::Span;

/// The style of each language. `None` disables a language, also where it is embedded.
pub type Styles<'s> = &'s dyn Fn(Language) -> Option<Style>;

/// The parameters of one print pass.
#[derive(Clone, Copy)]
pub(crate) struct Job<'s> {
    pub(crate) language: Language,
    pub(crate) path: &'s str,
    pub(crate) style: Style,
    pub(crate) styles: Styles<'s>,
}

/// Prints `text` once. Its lines end in LF.
pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    print_by(job, || match job.language {
        #[cfg(feature = "json")]
        Language::Json | Language::Jsonc => crate::json::print(job, text),
        #[cfg(feature = "yaml")]
        Language::Yaml => crate::yaml::print(job, text),
        #[cfg(feature = "toml")]
        Language::Toml => crate::toml::print(job, text),
        #[cfg(feature = "markdown")]
        Language::Markdown => crate::markdown::print(job, text),
        #[cfg(feature = "python")]
        Language::Python => crate::python::print(job, text),
        #[cfg(feature = "typescript")]
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
            crate::typescript::print(job, text)
        }
        #[cfg(feature = "css")]
        Language::Css => crate::css::print(job, text),
        #[cfg(feature = "html")]
        Language::Html => crate::html::print(job, text),
        #[cfg(feature = "graphql")]
        Language::GraphQl => crate::graphql::print(job, text),
        #[cfg(feature = "clank")]
        Language::Clank => crate::clank::print(job, text),
        #[cfg(feature = "starlark")]
        Language::Starlark => crate::starlark::print(job, text),
        _ => Ok(text::print(text)),
    })
}

/// Runs `printer` once. The result ends in a newline, unless it is empty or the newline would be
/// part of a YAML value.
pub(crate) fn print_by(
    job: Job<'_>,
    printer: impl FnOnce() -> Result<String, FormatError>,
) -> Result<String, FormatError> {
    let mut printed = guarded(job.language, printer)?;
    if job.language != Language::Yaml && !printed.is_empty() && !printed.ends_with('\n') {
        printed.push('\n');
    }
    Ok(printed)
}

/// The error for a text that its printer rejects. It is the error of the check parser, which has a
/// position, or `message` if the check parser accepts the text.
pub(crate) fn rejection(job: Job<'_>, text: &str, message: &str) -> FormatError {
    match crate::parses(job.language, job.path, text) {
        Err(error) => FormatError::Syntax(error),
        Ok(()) => FormatError::Syntax(SyntaxError::new(
            message.lines().next().unwrap_or(message).trim(),
            Span::from(0..text.len()),
        )),
    }
}

/// Runs third-party code on untrusted text. A panic becomes an error.
pub(crate) fn guarded<T>(
    language: Language,
    run: impl FnOnce() -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    // The closure shares only borrowed text with the caller, so a panic leaves no broken state.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result,
        Err(payload) => Err(FormatError::Crashed {
            printer: language.name(),
            message: panic_message(payload.as_ref()),
        }),
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
