//! The meaning of a script: its syntax tree without layout, with JSX children as React renders
//! them.

use oxc_allocator::{Allocator, ArenaBox, ReplaceWith, Vec as ArenaVec};
use oxc_ast::ast::{
    ArrowFunctionExpression, CallExpression, ChainElement, ComputedMemberExpression,
    DoWhileStatement, Expression, ForInStatement, ForOfStatement, ForStatement, Function,
    IdentifierName, IfStatement, ImportAttributeKey, JSXAttributeValue, JSXChild, JSXExpression,
    LogicalExpression, Program, PropertyKey, Statement, StaticMemberExpression, TSEnumMemberName,
    TSType, TaggedTemplateExpression, WhileStatement,
};
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::Span;
use oxc_syntax::identifier::is_white_space_single_line;
use oxc_syntax::line_terminator::is_line_terminator;
use oxc_syntax::scope::ScopeFlags;

use super::print::regroup;

/// Removes from a tree what is not compared. Returns the children of each JSX element and fragment
/// in text order, without their content.
pub(super) fn normalize<'a>(allocator: &'a Allocator, program: &mut Program<'a>) -> Vec<String> {
    let mut normalizer = Normalizer {
        allocator,
        text: program.source_text,
        children: Vec::new(),
    };
    normalizer.visit_program(program);
    normalizer.children
}

struct Normalizer<'a> {
    allocator: &'a Allocator,
    text: &'a str,
    children: Vec<String>,
}

impl<'a> Normalizer<'a> {
    fn name(&self, span: Span, name: &str) -> ArenaBox<'a, IdentifierName<'a>> {
        let name = self.allocator.alloc_str(name);
        ArenaBox::new_in(
            IdentifierName::new(span, name, &AstBuilder::new(self.allocator)),
            &self.allocator,
        )
    }
}

impl<'a> VisitMut<'a> for Normalizer<'a> {
    /// Quotes of a name have no meaning.
    fn visit_property_key(&mut self, key: &mut PropertyKey<'a>) {
        let name = match key {
            PropertyKey::StringLiteral(string) => Some((string.span, string.value.to_string())),
            PropertyKey::NumericLiteral(number) if number.value.abs() < 1e15 => {
                Some((number.span, number.value.to_string()))
            }
            _ => None,
        };
        if let Some((span, name)) = name {
            *key = PropertyKey::StaticIdentifier(self.name(span, &name));
        }
        walk_mut::walk_property_key(self, key);
    }

    fn visit_ts_enum_member_name(&mut self, name: &mut TSEnumMemberName<'a>) {
        if let TSEnumMemberName::String(string) = name {
            *name = TSEnumMemberName::Identifier(self.name(string.span, &string.value));
        }
        walk_mut::walk_ts_enum_member_name(self, name);
    }

    fn visit_import_attribute_key(&mut self, key: &mut ImportAttributeKey<'a>) {
        if let ImportAttributeKey::StringLiteral(string) = key {
            let name = self.name(string.span, &string.value);
            *key = ImportAttributeKey::Identifier(name.unbox());
        }
        walk_mut::walk_import_attribute_key(self, key);
    }

    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        walk_mut::walk_call_expression(self, call);
        if call.optional {
            unwrap_chain(&mut call.callee);
        }
    }

    fn visit_static_member_expression(&mut self, member: &mut StaticMemberExpression<'a>) {
        walk_mut::walk_static_member_expression(self, member);
        if member.optional {
            unwrap_chain(&mut member.object);
        }
    }

    fn visit_computed_member_expression(&mut self, member: &mut ComputedMemberExpression<'a>) {
        walk_mut::walk_computed_member_expression(self, member);
        if member.optional {
            unwrap_chain(&mut member.object);
        }
    }

    fn visit_logical_expression(&mut self, logical: &mut LogicalExpression<'a>) {
        walk_mut::walk_logical_expression(self, logical);
        regroup(self.allocator, logical);
    }

    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        statements.retain(|statement| !matches!(statement, Statement::EmptyStatement(_)));
        walk_mut::walk_statements(self, statements);
    }

    /// Ignores a hint for the engine that the function is called at once, which depends on
    /// parentheses.
    fn visit_function(&mut self, function: &mut Function<'a>, flags: ScopeFlags) {
        function.pife = false;
        walk_mut::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &mut ArrowFunctionExpression<'a>) {
        arrow.pife = false;
        walk_mut::walk_arrow_function_expression(self, arrow);
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        while matches!(it, Expression::ParenthesizedExpression(_)) {
            it.replace_with(|outer| match outer {
                Expression::ParenthesizedExpression(inner) => inner.unbox().expression,
                other => other,
            });
        }
        walk_mut::walk_expression(self, it);
    }

    /// A union or intersection of one type is that type.
    fn visit_ts_type(&mut self, it: &mut TSType<'a>) {
        while matches!(it, TSType::TSParenthesizedType(_)) {
            it.replace_with(|outer| match outer {
                TSType::TSParenthesizedType(inner) => inner.unbox().type_annotation,
                other => other,
            });
        }
        let types = match it {
            TSType::TSUnionType(union) => Some(&mut union.types),
            TSType::TSIntersectionType(intersection) => Some(&mut intersection.types),
            _ => None,
        };
        if let Some(only) = types
            .filter(|types| types.len() == 1)
            .and_then(|types| types.pop())
        {
            *it = only;
            return self.visit_ts_type(it);
        }
        walk_mut::walk_ts_type(self, it);
    }

    fn visit_if_statement(&mut self, it: &mut IfStatement<'a>) {
        unwrap_block(&mut it.consequent);
        if let Some(alternate) = &mut it.alternate {
            unwrap_block(alternate);
        }
        walk_mut::walk_if_statement(self, it);
    }

    fn visit_for_statement(&mut self, it: &mut ForStatement<'a>) {
        unwrap_block(&mut it.body);
        walk_mut::walk_for_statement(self, it);
    }

    fn visit_for_in_statement(&mut self, it: &mut ForInStatement<'a>) {
        unwrap_block(&mut it.body);
        walk_mut::walk_for_in_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &mut ForOfStatement<'a>) {
        unwrap_block(&mut it.body);
        walk_mut::walk_for_of_statement(self, it);
    }

    fn visit_while_statement(&mut self, it: &mut WhileStatement<'a>) {
        unwrap_block(&mut it.body);
        walk_mut::walk_while_statement(self, it);
    }

    fn visit_do_while_statement(&mut self, it: &mut DoWhileStatement<'a>) {
        unwrap_block(&mut it.body);
        walk_mut::walk_do_while_statement(self, it);
    }

    /// Quotes in an attribute may be escaped or not.
    fn visit_jsx_attribute_value(&mut self, value: &mut JSXAttributeValue<'a>) {
        if let JSXAttributeValue::StringLiteral(string) = value {
            let text = string.value.replace("&apos;", "'").replace("&quot;", "\"");
            string.value = self.allocator.alloc_str(&text).into();
            string.raw = None;
        }
        walk_mut::walk_jsx_attribute_value(self, value);
    }

    /// A table of tests, as in `` test.each`a | b …` ``, has the same rows with other blanks.
    fn visit_tagged_template_expression(&mut self, tagged: &mut TaggedTemplateExpression<'a>) {
        let is_table = matches!(&tagged.tag, Expression::StaticMemberExpression(tag)
            if tag.property.name == "each");
        if is_table {
            for quasi in &mut tagged.quasi.quasis {
                let cells: &'a str = self
                    .allocator
                    .alloc_str(&without_blanks_of_table(&quasi.value.raw));
                quasi.value.raw = cells.into();
                quasi.value.cooked = None;
            }
        }
        walk_mut::walk_tagged_template_expression(self, tagged);
    }

    fn visit_jsx_children(&mut self, children: &mut ArenaVec<'a, JSXChild<'a>>) {
        self.children.push(rendered(self.text, children));
        children.retain(|child| text_of(self.text, child, BABEL).is_none());
        walk_mut::walk_jsx_children(self, children);
    }
}

/// Removes the end of an optional chain. It has no meaning before `?.`: `(a?.b)?.c` is `a?.b?.c`.
fn unwrap_chain(expression: &mut Expression<'_>) {
    if !matches!(expression, Expression::ChainExpression(_)) {
        return;
    }
    expression.replace_with(|outer| match outer {
        Expression::ChainExpression(chain) => match chain.unbox().expression {
            ChainElement::CallExpression(it) => Expression::CallExpression(it),
            ChainElement::TSNonNullExpression(it) => Expression::TSNonNullExpression(it),
            ChainElement::ComputedMemberExpression(it) => Expression::ComputedMemberExpression(it),
            ChainElement::StaticMemberExpression(it) => Expression::StaticMemberExpression(it),
            ChainElement::PrivateFieldExpression(it) => Expression::PrivateFieldExpression(it),
        },
        other => other,
    });
}

/// The text between two values of a table of tests, without blanks around its cells and rows.
fn without_blanks_of_table(text: &str) -> String {
    let row = |line: &str| -> String {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        cells.join("|")
    };
    let (complete, last) = text.rsplit_once('\n').unwrap_or(("", text));
    // A row may end in an empty cell.
    let rows = complete.split('\n').map(row);
    let mut rows: Vec<_> = rows
        .map(|row| row.trim_end_matches('|').to_owned())
        .collect();
    rows.push(row(last));
    rows.retain(|row| !row.is_empty());
    rows.join("\n")
}

/// Removes braces around one statement. They have no meaning, and the printer adds them. Around a
/// declaration they are a scope. A declaration without braces can only be a function, which has
/// that scope anyway.
fn unwrap_block<'a>(body: &mut Statement<'a>) {
    let Statement::BlockStatement(block) = body else {
        return;
    };
    block
        .body
        .retain(|statement| !matches!(statement, Statement::EmptyStatement(_)));
    if let [only] = block.body.as_slice()
        && (!only.is_declaration() || matches!(only, Statement::FunctionDeclaration(_)))
        && let Some(only) = block.body.pop()
    {
        *body = only;
        unwrap_block(body);
    }
}

/// How a compiler reads the lines of a JSX text.
#[derive(Clone, Copy)]
struct Compiler {
    ends_line: fn(char) -> bool,
    /// Whether a character is dropped at the beginning and the end of a line.
    is_trimmed: fn(char) -> bool,
}

const BABEL: Compiler = Compiler {
    ends_line: |c| matches!(c, '\n' | '\r'),
    is_trimmed: is_blank,
};
/// Also used by oxc.
const ESBUILD: Compiler = Compiler {
    ends_line: is_line_terminator,
    is_trimmed: is_blank,
};
const TYPESCRIPT: Compiler = Compiler {
    ends_line: is_line_terminator,
    is_trimmed: is_white_space_single_line,
};

/// The text of `children` as each compiler reads it, with a mark for each child that is not text.
fn rendered(text: &str, children: &[JSXChild<'_>]) -> String {
    let mut all = String::new();
    for compiler in [BABEL, ESBUILD, TYPESCRIPT] {
        for child in children {
            match text_of(text, child, compiler) {
                Some(rendered) => all.push_str(&rendered),
                None => all.push('\0'),
            }
        }
        all.push('\0');
    }
    all
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The text that a child renders, if it is a text, a string or empty.
fn text_of(text: &str, child: &JSXChild<'_>, compiler: Compiler) -> Option<String> {
    match child {
        JSXChild::Text(child) => {
            let range = child.span.start as usize..child.span.end as usize;
            Some(trimmed(text.get(range).unwrap_or_default(), compiler))
        }
        JSXChild::ExpressionContainer(container) => match &container.expression {
            JSXExpression::EmptyExpression(_) => Some(String::new()),
            JSXExpression::StringLiteral(string) => Some(string.value.replace('&', "&amp;")),
            _ => None,
        },
        _ => None,
    }
}

/// The text that React renders. Lines lose the white space at their ends, except at the ends of the
/// text. Empty lines are dropped, and the rest is joined with single spaces.
fn trimmed(text: &str, compiler: Compiler) -> String {
    let lines: Vec<&str> = text.split(compiler.ends_line).collect();
    let last = lines.len() - 1;
    let mut joined = String::with_capacity(text.len());
    for (index, mut line) in lines.into_iter().enumerate() {
        if index > 0 {
            line = line.trim_start_matches(compiler.is_trimmed);
        }
        if index < last {
            line = line.trim_end_matches(compiler.is_trimmed);
        }
        if line.is_empty() {
            continue;
        }
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_jsx_text_are_trimmed_and_joined_like_in_compilers() {
        let cases = [
            (" a  b ", " a  b ", " a  b "),
            ("\n  a\n\n\tb  \n  ", "a b", "a b"),
            (" \n a ", "a ", "a "),
            ("a \r\n b", "a b", "a b"),
            ("\n\u{a0}\n", "\u{a0}", ""),
            ("\n\u{feff}a\n", "\u{feff}a", "a"),
            ("\u{a0}", "\u{a0}", "\u{a0}"),
            ("a \u{2028}b", "a \u{2028}b", "a b"),
            (" ", " ", " "),
            ("\n \n", "", ""),
        ];
        for (text, babel, typescript) in cases {
            assert_eq!(trimmed(text, BABEL), babel, "{text:?}");
            assert_eq!(trimmed(text, TYPESCRIPT), typescript, "{text:?}");
        }
        assert_eq!(trimmed("a\u{2028}\u{a0}b", ESBUILD), "a \u{a0}b");
    }
}
