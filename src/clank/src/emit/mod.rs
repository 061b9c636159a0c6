//! Emits JavaScript and TypeScript from a checked program.
//!
//! Int is bigint and Float is number; sums are objects with a `tag` and records are plain objects.
//! Types, effects and refinements are erased, with two exceptions. The result of an external
//! function is checked against its declared type. A refinement that the compiler could not prove is
//! checked where the value needs it.
//!
//! Control flow stays control flow. If an expression needs statements, they precede the statement
//! that contains it and store their value in a variable. Operands that are evaluated earlier are
//! then saved before those statements. So `return`, `break` and `continue` mean the same
//! everywhere. `?` throws, because its caller sees a plain value.

mod both;
mod branch;
mod checks;
mod code;
mod decl;
mod expr;
mod imports;
mod lambda;
mod names;
mod order;
mod output;
mod pattern;
mod scope;
mod source_map;
mod stmt;
mod template;
mod types;
mod validate;

use thiserror::Error;

use crate::ast::{Ast, Expr, NodeId, Program, Text};
use crate::print::expr_text;
use crate::types::Typing;
use code::{Code, Line};
use output::Output;
use scope::{Globals, Scopes};
use template::{Templates, templates};

pub use both::{emit_both, emit_both_beside};
pub(crate) use source_map::Part;
pub use source_map::SourceMap;

const RUNTIME: &str = include_str!("runtime.js");
const RUNTIME_TYPES: &str = include_str!("runtime.d.ts");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A script that runs `main`, or exports its functions if it is required.
    JavaScript,
    /// A module that exports everything.
    TypeScript,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    pub code: String,
    pub map: SourceMap,
}

/// Why no code can be emitted for a checked program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    #[error("the hole `{name}` is still to be filled in")]
    Hole { node: NodeId, name: String },
    #[error(
        "`{text}` is not proved, and the code cannot check it when it runs; add a guard or an \
         assertion that proves it"
    )]
    Unchecked { node: NodeId, text: String },
}

impl EmitError {
    /// The node that no code can be emitted for.
    pub fn node(&self) -> NodeId {
        match self {
            Self::Hole { node, .. } | Self::Unchecked { node, .. } => *node,
        }
    }
}

/// Emits `program`, which is a form of the program in `ast` and has no errors. Known types make the
/// code simpler; unknown types are determined at run time.
pub fn emit(
    program: &Program,
    ast: &Ast,
    typing: &Typing,
    target: Target,
) -> Result<Emitted, EmitError> {
    emit_as(program, ast, typing, target, None)
}

/// Emits an ES module. It imports what it uses from the code files of other modules, and exports
/// its declarations.
pub fn emit_module(
    program: &Program,
    ast: &Ast,
    typing: &Typing,
    target: Target,
    module: Module<'_>,
) -> Result<Emitted, EmitError> {
    emit_as(program, ast, typing, target, Some(module))
}

/// Settings of a module's code.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    /// The path of the code file, relative to the same root as those of all modules.
    pub code: &'a str,
    /// Whether the module runs `main`.
    pub runs_main: bool,
}

fn emit_as(
    program: &Program,
    ast: &Ast,
    typing: &Typing,
    target: Target,
    module: Option<Module<'_>>,
) -> Result<Emitted, EmitError> {
    let (templates, globals) = (templates(program, ast), Globals::of(program));
    let mut emitter = Emitter::new(ast, typing, target, module, (&templates, &globals));
    emitter.output = Output::with_room(ast.source.text().len());
    emitter.begin(program);
    for declaration in emitter.own(program) {
        emitter.function_declaration(declaration);
        emitter.write_lines();
    }
    emitter.finished()
}

struct Emitter<'a> {
    target: Target,
    /// `None` for a script.
    module: Option<Module<'a>>,
    ast: &'a Ast,
    typing: &'a Typing,
    globals: &'a Globals<'a>,
    templates: &'a Templates,
    scopes: Scopes<'a>,
    /// The indentation of the lines being written.
    indent: usize,
    lines: Vec<Line>,
    /// The output of all lines before those.
    output: Output,
    function: Function<'a>,
    error: Option<EmitError>,
}

/// The emitter's position in a function.
#[derive(Clone, Debug, Default)]
struct Function<'a> {
    type_params: Vec<String>,
    /// The names of the parameters, with their spellings.
    params: Vec<(&'a str, Text)>,
    /// The number of loops around this position, within the innermost function or lambda.
    loops: usize,
    lambdas: usize,
    /// The variable that identifies this call, if a lambda returns from it.
    frame: Option<Text>,
    labels: usize,
}

impl<'a> Emitter<'a> {
    fn new(
        ast: &'a Ast,
        typing: &'a Typing,
        target: Target,
        module: Option<Module<'a>>,
        (templates, globals): (&'a Templates, &'a Globals<'a>),
    ) -> Self {
        Self {
            target,
            module,
            ast,
            typing,
            globals,
            templates,
            scopes: Scopes::default(),
            indent: 0,
            lines: Vec::new(),
            output: Output::default(),
            function: Function::default(),
            error: None,
        }
    }

    fn is_typescript(&self) -> bool {
        self.target == Target::TypeScript
    }

    /// Text that only TypeScript has.
    fn typed(&self, write: impl FnOnce(&mut String)) -> String {
        if self.is_typescript() {
            code::typed(write)
        } else {
            String::new()
        }
    }

    fn line(&mut self, code: impl Into<Code>) {
        self.lines.push(Line {
            indent: self.indent,
            code: code.into(),
        });
    }

    fn blank(&mut self) {
        self.line("");
    }

    /// Writes lines one indentation step deeper.
    fn indented<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.indent += 1;
        let result = write(self);
        self.indent -= 1;
        result
    }

    /// Runs `write` and returns its lines separately.
    fn captured<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (T, Vec<Line>) {
        let before = std::mem::take(&mut self.lines);
        let result = write(self);
        (result, std::mem::replace(&mut self.lines, before))
    }

    /// The source of an expression on one line, for messages: `: n > 0`.
    fn words(&self, expr: &Expr) -> String {
        let text = match self.ast.source.slice(expr.span) {
            "" => expr_text(expr),
            text => text.to_owned(),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        format!(": {}", lines.join(" "))
    }

    /// Whether every node has a position in a text.
    fn has_text(&self) -> bool {
        !self.ast.source.text().is_empty()
    }

    fn fail(&mut self, error: EmitError) {
        self.error.get_or_insert(error);
    }
}

/// The runtime with or without types: `/*: T*/` in it marks the annotation `: T`.
fn runtime(target: Target) -> String {
    let mut pieces = RUNTIME.split("/*:");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (annotation, rest) = piece.split_once("*/").unwrap_or(("", piece));
        if target == Target::TypeScript {
            text += ":";
            text += annotation;
        }
        text += rest;
    }
    match target {
        Target::JavaScript => text,
        Target::TypeScript => {
            RUNTIME_TYPES.to_owned() + &text.replacen("const __clank", "const __clank: __Clank", 1)
        }
    }
}

impl Emitter<'_> {
    /// Moves the finished lines to the output.
    fn write_lines(&mut self) {
        self.output.lines(&self.lines, self.target, self.ast);
        self.lines.clear();
    }

    /// Returns all lines as text, with the source map.
    fn finished(mut self) -> Result<Emitted, EmitError> {
        self.end();
        self.write_lines();
        if let Some(error) = self.error {
            return Err(error);
        }
        let Output { text, mappings, .. } = self.output;
        let source = &self.ast.source;
        Ok(Emitted {
            code: text,
            map: SourceMap::new(source.file(), source.shared_text(), mappings),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Options, compile};

    fn emitted(text: &str, target: Target) -> Emitted {
        let file = "a.clank";
        let input = Input::Source { file, text };
        let result = compile(input, &Options::default()).expect("a program");
        emit(&result.canonical, &result.ast, &result.typing, target).expect("code")
    }

    /// The code of the program's declarations, without the code around them.
    fn code(text: &str, target: Target) -> String {
        let code = emitted(text, target).code;
        let (_, own) = code.split_once("\n})();\n\n").expect("a runtime");
        let end = own.find("\nif (typeof module").unwrap_or(own.len());
        own.get(..end).expect("a boundary").to_owned()
    }

    fn assert_javascript(text: &str, expected: &str) {
        assert_eq!(code(text, Target::JavaScript).trim_end(), expected);
    }

    #[test]
    fn a_function_is_emitted_as_a_function() {
        assert_javascript(
            "fn twice(n: Int) -> Int { let m = n * 2; m }",
            "function twice(n) {\n  const m = n * 2n;\n  return m;\n}",
        );
        assert_eq!(
            code(
                "fn pair[T](a: T, b: [Int]) -> (T, Nat) { (a, len(b)) }",
                Target::TypeScript
            ),
            "export function pair<T>(a: T, b: bigint[]): readonly [T, bigint] {\n  \
             return ([a, __clank.len(b)] as const);\n}\n",
        );
    }

    #[test]
    fn names_that_javascript_uses_get_another_spelling() {
        assert_javascript(
            "fn delete(new: Int) -> Int { let new = new + 1; let console = new; console }",
            "function delete_(new_) {\n  const new_$1 = new_ + 1n;\n  \
             const console_ = new_$1;\n  return console_;\n}",
        );
    }

    #[test]
    fn a_program_may_redefine_builtins() {
        let text = "fn len(n: Int) -> Int { max(n, 1) } fn f(max: Int) -> Int { len(max) }";
        assert_javascript(
            text,
            "function len(n) {\n  return __clank.max(n, 1n);\n}\n\n\
             function f(max) {\n  return len(max);\n}",
        );
    }

    #[test]
    fn a_match_without_guards_is_an_if_chain() {
        assert_javascript(
            "fn f(o: Option[Int]) -> Int { match o { Some(0) -> 1, Some(n) -> n, None -> 0 } }",
            "function f(o) {\n  if (o.tag === \"Some\" && o.value === 0n) {\n    return 1n;\n  \
             } else if (o.tag === \"Some\") {\n    const n = o.value;\n    return n;\n  \
             } else if (o.tag === \"None\") {\n    return 0n;\n  } else {\n    \
             __clank.no_match(o);\n  }\n}",
        );
    }

    #[test]
    fn a_failed_guard_continues_with_the_next_arm() {
        assert_javascript(
            "fn f(n: Int) -> Int { let m = match n { k if k > 0 -> k, _ -> 0 }; m }",
            "function f(n) {\n  let m;\n  match1: {\n    {\n      const k = n;\n      \
             if (k > 0n) {\n        m = k;\n        break match1;\n      }\n    }\n    {\n      \
             m = 0n;\n      break match1;\n    }\n  }\n  return m;\n}",
        );
    }

    #[test]
    fn operators_keep_their_order() {
        assert_javascript(
            "fn f(a: Int, b: Int) -> Bool { !(a - (b - 1) == (-a) ^ 2 && (a < b || b * (a + 1) >= 2)) }",
            "function f(a, b) {\n  \
             return !(a - (b - 1n) === (-a) ** 2n && (a < b || b * (a + 1n) >= 2n));\n}",
        );
    }

    #[test]
    fn a_condition_with_statements_stays_in_its_else() {
        let text = "fn f(a: Bool, b: Bool) -> IO + Unit {
            if a { println(\"a\") } else if { if b { println(\"?\") }; b } { println(\"b\") }
        }";
        assert_javascript(
            text,
            "function f(a, b) {\n  if (a) {\n    __clank.println(\"a\");\n  } else {\n    \
             if (b) {\n      __clank.println(\"?\");\n    }\n    if (b) {\n      \
             __clank.println(\"b\");\n    }\n  }\n}",
        );
    }

    #[test]
    fn emitting_both_languages_equals_emitting_each() {
        let text = "rec Pair[T] { a: T, tag: Int }
            sum S[T] { One, Two(T, Int) }
            type Id = Int
            external fn now() -> Int = \"Date.now\"
            external fn size(f: [Int]) -> Int = \"f => f.length\"
            fn f[T](x: T, p: (Int, Str), i: Int) -> Int {
              let mut t = p; t[0] = 2; let größe = [1, i]; let o = None;
              let g = \\(a: Int, b) -> if a > i { (a, b) } else { (i, b) };
              match g(1, \"\u{1}é\u{2}\") { (k, _) -> k + now(), _ -> 0 }
            }
            fn endless() -> Int { loop { return 1 } }
            fn long(a: Int) -> (Int, Int) {
              if a > 1 { map([a], \\(n: Int) -> n + a + 1000000000000)[0]; (a, a) } else { (a, 2) }
            }";
        let file = "a.clank";
        let result = compile(Input::Source { file, text }, &Options::default()).expect("a program");
        assert_eq!(result.errors().count(), 0, "{:?}", result.errors().next());
        let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
        for runs_main in [None, Some(false)] {
            let code = "a.mjs";
            let module = runs_main.map(|runs_main| Module { code, runs_main });
            let both = emit_both(program, ast, typing, module).expect("code");
            let alone = [Target::JavaScript, Target::TypeScript]
                .map(|target| emit_as(program, ast, typing, target, module).expect("code"));
            assert_eq!(both, alone);
            let [js, ts] = both;
            assert!(ts.code.contains("as const") && !js.code.contains("as const"));
        }
    }

    #[test]
    fn emitting_a_hole_is_an_error() {
        let hole = r#"{"kind": "block", "expr": {"hole_ref": "todo"}}"#;
        let json = format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "f", "params": [],
            "returnType": {{"source": "Int"}}, "body": {hole}}}]}}"#
        );
        let result = compile(Input::Ast { json: &json }, &Options::default()).expect("a program");
        let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
        let error = emit(program, ast, typing, Target::JavaScript).unwrap_err();
        assert!(error.to_string().contains("the hole `todo`"));
    }

    #[test]
    fn a_field_never_sets_a_prototype() {
        let text = "rec R { __proto__: Int }\nexternal fn e() -> R = \"e\"\nsum S { V(__proto__: Int, b: Int) }\n\
                    fn f(r: R) -> Int { r.__proto__ }";
        let code = code(text, Target::JavaScript);
        let keys = code.matches("[\"__proto__\"]: ").count();
        // One key in each constructor, and one in each check.
        assert_eq!((keys, code.matches("__proto__:").count()), (4, 0), "{code}");
        assert!(code.contains("return r.__proto__;"), "{code}");
    }

    #[test]
    fn the_source_map_points_to_the_source_text() {
        let text = "fn f(größe: Int) -> Int {\n  // a comment\n  größe + missing\n}";
        let emitted = emitted(text, Target::JavaScript);
        let lines = emitted.code.lines().enumerate();
        let (line, code) = lines
            .filter(|(_, line)| line.contains("missing"))
            .last()
            .expect("a line");
        assert_eq!(code, "  return größe + __clank.missing;");
        assert_eq!(emitted.map.source_of_call(line, 0), Some((2, 2)));
        assert_eq!(emitted.map.source_of_call(0, 0), None);
    }
}
