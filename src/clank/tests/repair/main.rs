//! Integration tests of repairs.

mod candidate;
mod conformance;
mod engine;
mod examples;
mod literals;
mod many;
mod missing_values;
mod ops;
mod placeholders;
mod preserving;
mod properties;
mod refused_ops;
mod rows;
mod schema_page;
mod session;
mod shapes;

use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::repair::{Approved, MAX_ROUNDS, Permission, Program, Repaired, repair};
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use fixpoint_report::Safety;
use serde_json::Value;

fn compiled(text: &str) -> CompileResult {
    let file = "main.clank";
    compile(Input::Source { file, text }, &Options::default()).expect("a program")
}

/// The `canonical_ast` of a result.
fn canonical(result: &CompileResult) -> Value {
    let json = program_json(&result.canonical, &result.ast, Form::Full, true);
    serde_json::to_value(json).expect("JSON")
}

fn source(text: &str) -> Program {
    Program::Source {
        file: "main.clank".to_owned(),
        text: text.to_owned(),
    }
}

fn permission(approved: Approved) -> Permission {
    Permission {
        safety: Safety::LikelyPreserving,
        approved,
        max_rounds: MAX_ROUNDS,
    }
}

fn repaired(program: Program) -> Repaired {
    repair(program, &permission(Approved::Everything)).expect("a program")
}
