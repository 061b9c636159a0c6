//! Any text as TypeScript or JSX: the properties of `src/format` hold, and oxc generates the same code
//! before and after. JSX is transformed first, so that its children count as React reads them.

#![no_main]

#[path = "../../src/format/tests/common/properties.rs"]
mod properties;
mod quiet;

use std::path::Path;

use fixpoint_engine::Config;
use libfuzzer_sys::fuzz_target;
use oxc_allocator::{Allocator, Vec as ArenaVec};
use oxc_ast::ast::{ArrowFunctionExpression, Function, Statement};
use oxc_ast_visit::VisitMut;
use oxc_ast_visit::walk_mut::{walk_arrow_function_expression, walk_function, walk_statements};
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_syntax::scope::ScopeFlags;
use oxc_transformer::{TransformOptions, Transformer};

fuzz_target!(|data: &[u8]| {
    quiet::allow_caught_panics();
    let Some((kind, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let (path, source_type) = match kind % 3 {
        0 => ("a.ts", SourceType::ts()),
        1 => ("a.tsx", SourceType::tsx()),
        _ => ("a.jsx", SourceType::jsx()),
    };
    let Some(canonical) = properties::hold(path, text, &Config::default()) else {
        return;
    };
    if let Some(before) = code(text, source_type) {
        assert_eq!(Some(before), code(&canonical, source_type), "{canonical}");
    }
});

/// The code without comments, if the text parses.
fn code(text: &str, source_type: SourceType) -> Option<String> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        preserve_parens: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, source_type)
        .with_options(options)
        .parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut program = parsed.program;
    Layout.visit_program(&mut program);
    if source_type.is_jsx() {
        let scoping = SemanticBuilder::new()
            .build(&program)
            .semantic
            .into_scoping();
        Transformer::new(&allocator, Path::new("a.tsx"), &TransformOptions::default())
            .build_with_scoping(scoping, &mut program);
    }
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        ..CodegenOptions::default()
    };
    Some(Codegen::new().with_options(options).build(&program).code)
}

/// Drops what the layout may add and remove: empty statements, and parentheses around functions, which
/// the tree keeps as a hint for engines.
struct Layout;

impl<'a> VisitMut<'a> for Layout {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        statements.retain(|statement| !matches!(statement, Statement::EmptyStatement(_)));
        walk_statements(self, statements);
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
