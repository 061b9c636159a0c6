//! The interface of a printer, which printer a language has, and how it is run.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::{FormatError, Language, Style, depth};
use fixpoint_text::Span;

/// The style of each language. `None` disables a language, also where it is embedded.
pub type Styles<'s> = &'s dyn Fn(Language) -> Option<Style>;

/// The parameters of one print pass.
#[derive(Clone, Copy)]
pub(crate) struct Job<'s> {
    pub(crate) printer: &'static dyn Printer,
    pub(crate) language: Language,
    pub(crate) path: &'s str,
    pub(crate) style: Style,
    pub(crate) styles: Styles<'s>,
}

impl<'s> Job<'s> {
    pub(crate) fn variant(self) -> Variant<'s> {
        Variant {
            language: self.language,
            path: self.path,
        }
    }
}

/// The language of a text. The path distinguishes variants such as `.pyi` and `.d.ts`.
#[derive(Clone, Copy)]
pub(crate) struct Variant<'p> {
    pub(crate) language: Language,
    pub(crate) path: &'p str,
}

/// The printer of one or more languages, and the checks of its result. The methods may panic;
/// [`guarded`] turns a panic into an error.
pub(crate) trait Printer: Sync {
    /// Prints `text` once. Its lines end in LF.
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError>;

    /// Checks the syntax of `text`.
    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError>;

    /// The comments of `text`, in order. If it does not parse, as many as can be found.
    fn comments(&self, variant: Variant<'_>, text: &str) -> Vec<Span>;

    /// The comments and the meaning of `text`.
    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        Ok(Outline {
            comments: self.comments(variant, text),
            meaning: Meaning::of_words(text),
        })
    }

    /// Whether two texts, each with its outline, have the same meaning. `None` if unknown.
    fn same_meaning(
        &self,
        _: Variant<'_>,
        (_, one): (&str, &Outline),
        (_, two): (&str, &Outline),
    ) -> Option<bool> {
        one.meaning.same(&two.meaning)
    }

    /// Rejects nesting that would crash or stall a parser, before one reads the text.
    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::brackets(text)
    }

    /// Rejects a result for other reasons than syntax, comments and meaning.
    fn check_result(
        &self,
        _before: (&str, &Outline),
        _after: (&str, &Outline),
    ) -> Result<(), FormatError> {
        Ok(())
    }

    /// Whether `restored`, which is `body` printed with some lines as they were, may contain a part
    /// twice, although printing it again would hide that.
    fn may_repeat(&self, _body: &str, _restored: &str) -> bool {
        false
    }

    /// Whether a text that parses has a placeholder of a template.
    fn has_placeholder(&self, _: &str) -> bool {
        false
    }

    /// Whether the printer must not add a newline at the end, because it could be content.
    fn final_newline_is_content(&self) -> bool {
        false
    }
}

/// The printer of a language; `None` if its cargo feature is off.
pub(crate) fn printer_of(language: Language) -> Option<&'static dyn Printer> {
    macro_rules! printer {
        ($feature:tt, $($printer:ident)::+) => {{
            #[cfg(feature = $feature)]
            let printer: Option<&'static dyn Printer> = Some(&crate::$($printer)::+);
            #[cfg(not(feature = $feature))]
            let printer = None;
            printer
        }};
    }
    match language {
        Language::Json | Language::Jsonc => printer!("json", json::Json),
        Language::Yaml => printer!("yaml", yaml::Yaml),
        Language::Toml => printer!("toml", toml::Toml),
        Language::Markdown => printer!("markdown", markdown::Markdown),
        Language::Python => printer!("python", python::Python),
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
            printer!("typescript", typescript::TypeScript)
        }
        Language::Css | Language::Scss | Language::Less => printer!("css", css::Css),
        Language::Html => printer!("html", html::Html),
        Language::GraphQl => printer!("graphql", graphql::GraphQl),
        Language::Starlark => printer!("starlark", starlark::Starlark),
        Language::Clank => printer!("clank", clank::Clank),
        Language::Text => Some(&crate::text::Text),
    }
}

/// Prints `text` once. Its lines end in LF.
pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    print_by(job, || job.printer.print(job, text))
}

/// Runs `print` once. The result ends in a newline, unless it is empty or the newline would be
/// content.
pub(crate) fn print_by(
    job: Job<'_>,
    print: impl FnOnce() -> Result<String, FormatError>,
) -> Result<String, FormatError> {
    let mut printed = guarded(job.language, print)?;
    let is_open = !printed.is_empty() && !printed.ends_with('\n');
    if is_open && !job.printer.final_newline_is_content() {
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
