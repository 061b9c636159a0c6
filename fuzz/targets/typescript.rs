//! Any text as TypeScript or JSX: checks the properties of `src/format`, and that oxc generates the
//! same code before and after. JSX is transformed first, so that its children are compared as React
//! reads them.

#![no_main]

mod panic_hook;
#[path = "../../src/format/tests/common/properties.rs"]
mod properties;

use std::path::Path;

use fixpoint_engine::Config;
use libfuzzer_sys::fuzz_target;
use oxc_allocator::{Allocator, Vec as ArenaVec};
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, CallExpression, Function, IfStatement, Statement, Str,
    TSType,
};
use oxc_ast_visit::VisitMut;
use oxc_ast_visit::walk_mut::{
    walk_arrow_function_expression, walk_call_expression, walk_function, walk_if_statement,
    walk_statement, walk_statements, walk_ts_type,
};
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_syntax::scope::ScopeFlags;
use oxc_transformer::{JsxOptions, JsxRuntime, TransformOptions, Transformer};

fuzz_target!(|data: &[u8]| {
    panic_hook::allow_caught_panics();
    let Some((kind, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    // A file without imports and exports may be a module or a script.
    let (path, readings): (_, &[SourceType]) = match kind % 3 {
        0 => ("a.ts", &[SourceType::ts()]),
        1 => ("a.tsx", &[SourceType::tsx()]),
        _ => (
            "a.jsx",
            &[SourceType::jsx(), SourceType::script().with_jsx(true)],
        ),
    };
    let Some(canonical) = properties::hold(path, text, &Config::default()) else {
        return;
    };
    // Mixed line ends become one kind, also in strings of JSX.
    let (text, canonical) = (text.replace("\r\n", "\n"), canonical.replace("\r\n", "\n"));
    for source_type in readings {
        if let Some(before) = code(&text, *source_type) {
            assert_eq!(Some(before), code(&canonical, *source_type), "{canonical}");
        }
    }
});

/// The code without comments. `None` if the text does not parse or renames `React.createElement`.
fn code(text: &str, source_type: SourceType) -> Option<String> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        preserve_parens: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, source_type)
        .with_options(options)
        .parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() || text.contains("@jsx") {
        return None;
    }
    let mut program = parsed.program;
    Layout.visit_program(&mut program);
    if source_type.is_jsx() {
        let scoping = SemanticBuilder::new()
            .build(&program)
            .semantic
            .into_scoping();
        let options = TransformOptions {
            jsx: JsxOptions {
                runtime: JsxRuntime::Classic,
                ..JsxOptions::enable()
            },
            ..TransformOptions::default()
        };
        Transformer::new(&allocator, Path::new("a.tsx"), &options)
            .build_with_scoping(scoping, &mut program);
        Children(&allocator).visit_program(&mut program);
    }
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        ..CodegenOptions::default()
    };
    let code = Codegen::new().with_options(options).build(&program).code;
    // An empty block as the body of a statement does what an empty statement does.
    Some(code.replace(" {}", ";").replace(" ;", ";"))
}

/// Removes what the layout may add and remove. That is empty statements, braces around one
/// statement, the operator of a union or intersection of one type, and parentheses around
/// functions. The tree keeps those parentheses as a hint for engines.
struct Layout;

impl<'a> VisitMut<'a> for Layout {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        statements.retain(|statement| !matches!(statement, Statement::EmptyStatement(_)));
        walk_statements(self, statements);
    }

    /// A block is a scope only for declarations.
    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        walk_statement(self, statement);
        unwrap_block(statement, |only| !only.is_declaration());
    }

    /// `if (a) function b() {}` and `if (a) { function b() {} }` have the same meaning.
    fn visit_if_statement(&mut self, it: &mut IfStatement<'a>) {
        walk_if_statement(self, it);
        for branch in [Some(&mut it.consequent), it.alternate.as_mut()] {
            let is_function = |only: &_| matches!(only, Statement::FunctionDeclaration(_));
            branch.map(|branch| unwrap_block(branch, is_function));
        }
    }

    fn visit_ts_type(&mut self, it: &mut TSType<'a>) {
        walk_ts_type(self, it);
        let types = match it {
            TSType::TSUnionType(union) => &mut union.types,
            TSType::TSIntersectionType(intersection) => &mut intersection.types,
            _ => return,
        };
        if types.len() == 1
            && let Some(only) = types.pop()
        {
            *it = only;
        }
    }

    fn visit_function(&mut self, function: &mut Function<'a>, flags: ScopeFlags) {
        function.pife = false;
        walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &mut ArrowFunctionExpression<'a>) {
        arrow.pife = false;
        walk_arrow_function_expression(self, arrow);
    }
}

/// Replaces a block of one statement by this statement.
fn unwrap_block<'a>(statement: &mut Statement<'a>, admits: impl Fn(&Statement<'a>) -> bool) {
    if let Statement::BlockStatement(block) = statement
        && let [only] = block.body.as_slice()
        && admits(only)
        && let Some(only) = block.body.pop()
    {
        *statement = only;
    }
}

/// Joins adjacent texts: `<b>a </b>` and `<b>a{" "}</b>` render the same.
struct Children<'a>(&'a Allocator);

impl<'a> VisitMut<'a> for Children<'a> {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        walk_call_expression(self, call);
        if !call
            .callee
            .is_specific_member_access("React", "createElement")
        {
            return;
        }
        let mut at = 3;
        while at < call.arguments.len() {
            if let (Argument::StringLiteral(one), Argument::StringLiteral(two)) =
                (&call.arguments[at - 1], &call.arguments[at])
                && one.lone_surrogates == two.lone_surrogates
            {
                let joined = [one.value.as_str(), two.value.as_str()];
                let joined = Str::from(self.0.alloc_concat_strs_array(joined));
                call.arguments.remove(at);
                if let Argument::StringLiteral(one) = &mut call.arguments[at - 1] {
                    one.value = joined;
                    one.raw = None;
                }
            } else {
                at += 1;
            }
        }
    }
}
