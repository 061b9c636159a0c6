//! TypeScript, JavaScript and JSX: parsed by oxc, printed as prettier prints them.

mod meaning;
mod print;
mod restore;
mod unit;

use fixpoint_text::Span;
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant, rejection};
use crate::{FormatError, Language, depth};

/// The printer of TypeScript, JavaScript and JSX.
pub(crate) struct TypeScript;

impl Printer for TypeScript {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let variant = job.variant();
        let is_typescript = matches!(job.language, Language::TypeScript | Language::Tsx);
        let allocator = Allocator::default();
        let mut tree = parse(&allocator, variant, text);
        if let Some(error) = syntax_error(&tree, text) {
            return Err(rejection(job, text, error.message()));
        }
        print::prepare(&allocator, &mut tree.program, is_typescript);
        let printed = print::print_program(&tree.program, job.style, is_typescript)?;
        if printed == text {
            return Ok(printed);
        }
        restore::restore_faulty_units(variant, text, printed)
    }

    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        with_tree(variant, text, |tree| syntax_error(tree, text)).map_or(Ok(()), Err)
    }

    fn comments(&self, variant: Variant<'_>, text: &str) -> Vec<Span> {
        with_tree(variant, text, comments_of)
    }

    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        with_tree(variant, text, |tree| match syntax_error(tree, text) {
            Some(error) => Err(error),
            None => Ok(Outline {
                comments: comments_of(tree),
                meaning: Meaning::of_words(text),
            }),
        })
    }

    // Both texts parse, so an unknown answer counts as a change.
    fn same_meaning(
        &self,
        variant: Variant<'_>,
        (one, _): (&str, &Outline),
        (two, _): (&str, &Outline),
    ) -> Option<bool> {
        Some(restore::same_meaning(variant, one, two) == Some(true))
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::script(text)
    }
}

/// TypeScript reserves the syntax of JSX in such files: it rejects `<T>(a) => a`, and accepts
/// `<T,>(a) => a`.
fn reserves_jsx(path: &str) -> bool {
    path.ends_with(".mts") || path.ends_with(".cts")
}

fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"]
        .iter()
        .any(|end| path.ends_with(end))
}

fn with_tree<T>(variant: Variant<'_>, text: &str, read: impl FnOnce(&ParserReturn<'_>) -> T) -> T {
    let allocator = Allocator::default();
    read(&parse(&allocator, variant, text))
}

/// Parses as a module, like prettier, and if that fails, as a script. `.ts` is tried as TSX too, and
/// `.js` may contain JSX. A script may be a CommonJS module, which is the body of a function and may
/// return.
fn parse<'a>(allocator: &'a Allocator, variant: Variant<'_>, text: &'a str) -> ParserReturn<'a> {
    let parse = |source_type: SourceType| {
        let options = ParseOptions {
            allow_return_outside_function: source_type.is_script()
                || variant.path.ends_with(".cts"),
            ..ParseOptions::default()
        };
        Parser::new(allocator, text, source_type)
            .with_options(options)
            .parse()
    };
    let (first, others) = source_types(variant, text);
    let tree = parse(first);
    if tree.diagnostics.is_empty() {
        return tree;
    }
    others
        .iter()
        .map(|other| parse(*other))
        .find(|other| other.diagnostics.is_empty() && !is_module(other))
        .unwrap_or(tree)
}

/// The ways to read a text, in the order in which they are tried. A module has no HTML comments: it
/// reads `a <!-- b` as an operation.
fn source_types(
    Variant { language, path }: Variant<'_>,
    text: &str,
) -> (SourceType, &'static [SourceType]) {
    const TS: SourceType = SourceType::ts().with_module(true);
    const TSX: SourceType = SourceType::tsx().with_module(true);
    const MODULE: SourceType = SourceType::mjs().with_jsx(true);
    const SCRIPT: SourceType = SourceType::script().with_jsx(true);
    match language {
        Language::Tsx => (TSX, &[const { SourceType::tsx() }]),
        Language::TypeScript if is_declaration(path) => (SourceType::d_ts(), &[]),
        Language::TypeScript if reserves_jsx(path) => (TSX, &[TS]),
        Language::TypeScript => (TS, &[TSX, const { SourceType::ts() }]),
        _ if path.ends_with(".mjs") => (MODULE, &[]),
        _ if may_have_html_comments(text) => (SCRIPT, &[MODULE]),
        _ => (MODULE, &[SCRIPT]),
    }
}

fn may_have_html_comments(text: &str) -> bool {
    text.contains("<!--")
        || (text.contains("-->")
            && text
                .lines()
                .any(|line| line.trim_start().starts_with("-->")))
}

/// Whether a script has imports or exports, which is known only after parsing.
fn is_module(tree: &ParserReturn<'_>) -> bool {
    tree.program.source_type.is_script() && tree.module_record.has_module_syntax
}

fn comments_of(tree: &ParserReturn<'_>) -> Vec<Span> {
    tree.program
        .comments
        .iter()
        .map(|comment| Span::from(comment.span.start as usize..comment.span.end as usize))
        .collect()
}

fn syntax_error(tree: &ParserReturn<'_>, text: &str) -> Option<SyntaxError> {
    let error = tree.diagnostics.iter().next()?;
    let span = error.labels.iter().next().map_or(0..text.len(), |label| {
        let start = label.offset() as usize;
        start..start + label.len() as usize
    });
    Some(SyntaxError::new(
        error.message.to_string(),
        Span::from(span),
    ))
}
