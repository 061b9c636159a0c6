//! Python and its stubs: formatted by ruff, checked by ruff's parser.

use std::hash::{Hash, Hasher};

use fixpoint_text::Span;
use ruff_formatter::IndentStyle;
use ruff_python_ast::comparable::ComparableModModule;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::transformer::{Transformer, walk_body, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Int, ModModule, Number, PySourceType, Stmt, StringLiteral};
use ruff_python_formatter::{FormatModuleError, PyFormatOptions, format_module_source};
use ruff_python_parser::{ParseError, Parsed, parse_unchecked_source};
use ruff_text_size::{Ranged, TextRange};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Indent};

/// The printer of Python.
pub(crate) struct Python;

impl Printer for Python {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let mut options = PyFormatOptions::from_source_type(source_type(job.path));
        if let Ok(width) = job.style.line_width().try_into() {
            options = options.with_line_width(width);
        }
        options = match job.style.indent() {
            Indent::Tab => options.with_indent_style(IndentStyle::Tab),
            Indent::Spaces(count) => match count.try_into() {
                Ok(width) => options
                    .with_indent_style(IndentStyle::Space)
                    .with_indent_width(width),
                Err(_) => options,
            },
        };
        format_module_source(text, options)
            .map(|printed| printed.into_code())
            .map_err(|error| match error {
                FormatModuleError::ParseError(error) => FormatError::Syntax(syntax_error(&error)),
                other => FormatError::damaged(other.to_string()),
            })
    }

    fn parses(&self, variant: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parse(variant.path, text).map(drop)
    }

    fn comments(&self, variant: Variant<'_>, text: &str) -> Vec<Span> {
        comments_of(&parse_unchecked_source(text, source_type(variant.path)))
    }

    fn outline(&self, variant: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        let parsed = parse(variant.path, text)?;
        let comments = comments_of(&parsed);
        let mut module = parsed.into_syntax();
        Normalizer.visit_body(&mut module.body);
        let mut bytes = HashInput(Vec::with_capacity(text.len()));
        ComparableModModule::from(&module).hash(&mut bytes);
        Ok(Outline {
            comments,
            meaning: Meaning::Exact(bytes.0),
        })
    }
}

fn parse(path: &str, text: &str) -> Result<Parsed<ModModule>, SyntaxError> {
    let parsed = parse_unchecked_source(text, source_type(path));
    match parsed.errors().first() {
        Some(error) => Err(syntax_error(error)),
        None => Ok(parsed),
    }
}

fn source_type(path: &str) -> PySourceType {
    if path.ends_with(".pyi") {
        PySourceType::Stub
    } else {
        PySourceType::Python
    }
}

fn comments_of(parsed: &Parsed<ModModule>) -> Vec<Span> {
    parsed
        .tokens()
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| span(token.range()))
        .collect()
}

fn syntax_error(error: &ParseError) -> SyntaxError {
    SyntaxError::new(error.error.to_string(), span(error.range()))
}

fn span(range: TextRange) -> Span {
    Span::from(range.start().to_usize()..range.end().to_usize())
}

/// Normalizes what the printer may change in a tree: the indentation inside docstrings, the
/// parentheses of `del (a, b)`, and the case of digits in integers too large for the parser.
struct Normalizer;

impl Transformer for Normalizer {
    fn visit_body(&self, body: &mut [Stmt]) {
        for statement in body.iter_mut() {
            if let Stmt::Expr(expression) = statement
                && let Expr::StringLiteral(string) = &mut *expression.value
                && !string.value.is_implicit_concatenated()
            {
                string.value.iter_mut().for_each(trim_lines);
            }
        }
        walk_body(self, body);
    }

    fn visit_stmt(&self, statement: &mut Stmt) {
        if let Stmt::Delete(delete) = statement
            && let [Expr::Tuple(tuple)] = delete.targets.as_slice()
        {
            delete.targets = tuple.elts.clone();
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&self, expression: &mut Expr) {
        if let Expr::NumberLiteral(literal) = expression
            && let Number::Int(value) = &literal.value
            && value.as_u64().is_none()
            && let Ok(lower) = large_integer(&value.to_string().to_ascii_lowercase())
        {
            literal.value = Number::Int(lower);
        }
        walk_expr(self, expression);
    }
}

/// An integer that stores `token` unchanged, like the parser does for digits that do not fit.
fn large_integer(token: &str) -> Result<Int, std::num::ParseIntError> {
    Int::from_str_radix("99999999999999999999", 10, token)
}

fn trim_lines(string: &mut StringLiteral) {
    let lines: Vec<&str> = string.value.lines().map(str::trim).collect();
    string.value = lines.join("\n").trim().into();
}

/// A hasher that collects its input, so that the full input is compared and not a hash.
struct HashInput(Vec<u8>);

impl Hasher for HashInput {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Language, same_meaning};

    #[test]
    fn the_case_of_hexadecimal_digits_is_not_significant() {
        let same = |one: &str, two: &str| same_meaning(Language::Python, "a.py", one, two);
        let large = "0x00112233445566778899AABBCCDDEEFF";
        assert_eq!(same(large, &large.to_lowercase()), Some(true));
        assert_eq!(same(large, &large.replace('F', "E")), Some(false));
    }
}
