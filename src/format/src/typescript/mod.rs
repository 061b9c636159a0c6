//! TypeScript, JavaScript and JSX: printed by dprint, checked by oxc.

mod jsx;
mod meaning;
mod print;
mod restore;
mod unit;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use dprint_plugin_typescript::configuration::{
    BracePosition, Configuration, ConfigurationBuilder, NamedTypeImportsExportsOrder,
    OperatorPosition, QuoteStyle, SortOrder, UseBraces, UseParentheses,
};
use dprint_plugin_typescript::{FormatTextOptions, format_text};
use fixpoint_text::Span;
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant, rejection};
use crate::{FormatError, Language, Style, depth};

/// The printer of TypeScript, JavaScript and JSX.
pub(crate) struct TypeScript;

impl Printer for TypeScript {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let variant = job.variant();
        let is_typescript = matches!(job.language, Language::TypeScript | Language::Tsx);
        let keeps_parens = !is_typescript && print::may_have_type_casts(text);
        let allocator = Allocator::default();
        let mut tree = parse_with(&allocator, variant, text, keeps_parens);
        if let Some(error) = syntax_error(&tree, text) {
            return Err(rejection(job, text, error.message()));
        }
        print::prepare(&allocator, &mut tree.program);
        print::print_program(&tree.program, job.style, is_typescript)
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

/// The result of `edit` on a text with JSX, if it changes the text.
fn edited(
    variant: Variant<'_>,
    text: &str,
    edit: impl FnOnce(&str, &Program<'_>) -> Option<String>,
) -> Option<String> {
    if !text.contains("</") {
        return None;
    }
    let allocator = Allocator::default();
    let tree = parse(&allocator, variant, text);
    if !tree.diagnostics.is_empty() {
        return None;
    }
    edit(text, &tree.program)
}

thread_local! {
    /// The last configuration. Building one takes as long as printing a small file.
    static LAST: RefCell<Option<(Style, Rc<Configuration>)>> = const { RefCell::new(None) };
}

fn cached_configuration(style: Style) -> Rc<Configuration> {
    LAST.with_borrow_mut(|last| match last {
        Some((known, configuration)) if *known == style => configuration.clone(),
        _ => {
            let configuration = Rc::new(configuration(style));
            *last = Some((style, configuration.clone()));
            configuration
        }
    })
}

/// The most common style of these languages, as far as the printer supports it. Nothing is sorted,
/// and braces and comments are not rewritten.
fn configuration(style: Style) -> Configuration {
    ConfigurationBuilder::new()
        .line_width(style.line_width().into())
        .indent_width(style.indent_width(2))
        .use_tabs(style.tabs())
        .quote_style(QuoteStyle::PreferDouble)
        .brace_position(BracePosition::SameLine)
        .operator_position(OperatorPosition::SameLine)
        .conditional_expression_operator_position(OperatorPosition::NextLine)
        .conditional_type_operator_position(OperatorPosition::NextLine)
        .use_braces(UseBraces::Maintain)
        .arrow_function_use_parentheses(UseParentheses::Force)
        .comment_line_force_space_after_slashes(false)
        .module_sort_import_declarations(SortOrder::Maintain)
        .module_sort_export_declarations(SortOrder::Maintain)
        .import_declaration_sort_named_imports(SortOrder::Maintain)
        .import_declaration_sort_type_only_imports(NamedTypeImportsExportsOrder::None)
        .export_declaration_sort_named_exports(SortOrder::Maintain)
        .export_declaration_sort_type_only_exports(NamedTypeImportsExportsOrder::None)
        .ignore_node_comment_text("prettier-ignore")
        .build()
}

/// A file name that only identifies the variant, so that the output cannot depend on the location
/// of a file.
fn neutral_path(language: Language, path: &str) -> &'static str {
    match language {
        Language::Tsx => "file.tsx",
        Language::JavaScript => "file.js",
        Language::Jsx => "file.jsx",
        _ if is_declaration(path) => "file.d.ts",
        _ if reserves_jsx(path) => "file.tsx",
        _ => "file.ts",
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

/// Parses as the first variant that fits: like the printer, `.ts` is tried as TSX too, and `.js`
/// may contain JSX and may be a module or a script. A script may be a CommonJS module, which is the
/// body of a function and may return.
fn parse<'a>(allocator: &'a Allocator, variant: Variant<'_>, text: &'a str) -> ParserReturn<'a> {
    parse_with(allocator, variant, text, true)
}

fn parse_with<'a>(
    allocator: &'a Allocator,
    Variant { language, path }: Variant<'_>,
    text: &'a str,
    preserve_parens: bool,
) -> ParserReturn<'a> {
    let parse = |source_type: SourceType| {
        let options = ParseOptions {
            preserve_parens,
            allow_return_outside_function: source_type.is_script() || path.ends_with(".cts"),
            ..ParseOptions::default()
        };
        Parser::new(allocator, text, source_type)
            .with_options(options)
            .parse()
    };
    let (first, second) = match language {
        Language::Tsx => (SourceType::tsx(), None),
        Language::TypeScript if is_declaration(path) => (SourceType::d_ts(), None),
        Language::TypeScript if reserves_jsx(path) => (SourceType::tsx(), Some(SourceType::ts())),
        Language::TypeScript => (SourceType::ts(), Some(SourceType::tsx())),
        _ if path.ends_with(".mjs") => (SourceType::mjs().with_jsx(true), None),
        _ => (
            SourceType::mjs().with_jsx(true),
            Some(SourceType::script().with_jsx(true)),
        ),
    };
    let tree = parse(first);
    if tree.diagnostics.is_empty() {
        return tree;
    }
    match second.map(parse) {
        Some(other) if other.diagnostics.is_empty() && !is_module(&other) => other,
        _ => tree,
    }
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
