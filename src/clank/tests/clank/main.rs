//! Integration tests of the compiler.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod canonical;
mod check;
mod conformance;
mod ids;
mod input;
mod input_names;
mod limits;
mod print;
#[path = "../common/properties.rs"]
mod properties;
mod refine;
mod regressions;
mod spec;

use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};

fn compiled(text: &str) -> CompileResult {
    let input = Input::Source {
        file: "main.clank",
        text,
    };
    compile(input, &Options::default()).expect("source is never refused")
}

fn compiled_ast(json: &str) -> CompileResult {
    compile(Input::Ast { json }, &Options::default()).unwrap_or_else(|it| panic!("{it:?}"))
}

fn codes(text: &str) -> Vec<String> {
    let result = compiled(text);
    result
        .diagnostics
        .iter()
        .map(|it| it.code.to_string())
        .collect()
}
