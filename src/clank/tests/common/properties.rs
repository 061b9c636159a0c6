//! Properties of all texts and documents. Reading is lossless, printing preserves tokens and
//! comments and is idempotent, the canonical program is its own canonical form, and every repair
//! applies.

use std::collections::BTreeSet;

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::emit::{Target, emit};
use fixpoint_clank::json::{Form, program_json, result_json};
use fixpoint_clank::lex::{TokenKind, lex, string_value};
use fixpoint_clank::print::{format, program_text};
use fixpoint_clank::repair::{
    Approved, Candidate, Counts, Lowerer, Permission, Program, edited, patch, repair,
};
use fixpoint_clank::result::{CompileResult, Status};
use fixpoint_clank::{Input, Options, compile};
use fixpoint_report::Safety;
use serde_json::Value;

const FILE: &str = "main.clank";
/// Enough rounds to see that a repair continues from the previous one.
const ROUNDS: usize = 4;

/// Panics if a property does not hold for a text.
pub fn hold_of_text(text: &str) {
    reading(text);
    let result = compiled(Input::Source { file: FILE, text }).expect("source is never refused");
    for diagnostic in &result.diagnostics {
        let lies_inside = text.get(diagnostic.span.range()).is_some();
        assert!(lies_inside, "{} lies outside", diagnostic.message);
    }
    if format(FILE, text).is_ok() {
        printing(text);
        hold_of_program(&result);
        repairs(&result, Some(text));
        let text = text.to_owned();
        let file = FILE.to_owned();
        session(Program::Source { file, text });
    }
}

/// Panics if a property does not hold for a document that is a program.
pub fn hold_of_document(json: &str) {
    let Some(result) = compiled(Input::Ast { json }) else {
        return;
    };
    hold_of_program(&result);
    repairs(&result, None);
    program_text(&result.ast);
    let json = json.to_owned();
    session(Program::Ast { json });
}

/// Printing preserves tokens, comments and the tree, and is idempotent.
pub fn printing(text: &str) {
    let printed = format(FILE, text).expect("it parses");
    let context = || format!("{text}\n---\n{printed}");
    assert_eq!(tokens(text), tokens(&printed), "tokens:\n{}", context());
    assert_eq!(
        comments(text),
        comments(&printed),
        "comments:\n{}",
        context()
    );
    let (was, is) = (tree(text), tree(&printed));
    assert_eq!(was, is, "tree:\n{}", context());
    let again = format(FILE, &printed).expect("it parses");
    assert_eq!(printed, again, "the layout is not settled");
}

/// Canonicalization is idempotent, and the diagnostics do not depend on the form.
pub fn canonical_is_settled(result: &CompileResult) {
    let once = canonical(result, false);
    let json = once.to_string();
    let again = compiled(Input::Ast { json: &json }).expect("the canonical program is a program");
    assert_eq!(once, canonical(&again, false), "ids and tree stay");
    let codes =
        |it: &CompileResult| -> BTreeSet<_> { it.diagnostics.iter().map(|it| it.code).collect() };
    // A text may be rejected for its syntax only: a type in `use`.
    if codes(result).contains(&Code::E0001) {
        return;
    }
    assert_eq!(codes(result), codes(&again), "{json}");
}

fn compiled(input: Input<'_>) -> Option<CompileResult> {
    compile(input, &Options::default()).ok()
}

fn reading(text: &str) {
    let mut at = 0;
    for token in lex(text).all {
        assert_eq!(token.span.start(), at, "a byte is in no token, or in two");
        at = token.span.end();
    }
    assert_eq!(at, text.len(), "the tokens are not the text");
}

fn hold_of_program(result: &CompileResult) {
    serde_json::to_string(&result_json(result)).expect("JSON");
    canonical_is_settled(result);
    if result.status == Status::Success {
        for target in [Target::JavaScript, Target::TypeScript] {
            // Emitting may fail with an error, but must not panic.
            let _ = emit(&result.canonical, &result.ast, &result.typing, target);
        }
    }
}

fn canonical(result: &CompileResult, spans: bool) -> Value {
    let json = program_json(&result.canonical, &result.ast, Form::Full, spans);
    serde_json::to_value(&json).expect("JSON")
}

/// Each repair changes the text and the tree as promised, after the repairs it requires.
fn repairs(result: &CompileResult, text: Option<&str>) {
    for repair in &result.repairs {
        let required = repair.compatibility.requires.iter();
        let required = required.filter_map(|id| result.repairs.iter().find(|it| it.id == *id));
        let all: Vec<_> = required
            .chain([repair])
            .flat_map(|it| it.edits.clone())
            .collect();
        let patched = patch(&canonical(result, true), &all).expect("a patch");
        let json = patched.to_string();
        let by_tree = compiled(Input::Ast { json: &json }).expect("a program");
        keeps_its_promise(result, repair, &by_tree);
        if let Some(text) = text {
            let edits = Lowerer::of(&result.ast).edits(&all);
            let text = edited(text, &edits.expect("edits")).expect("edits that fit");
            let by_text = Input::Source {
                file: FILE,
                text: &text,
            };
            keeps_its_promise(result, repair, &compiled(by_text).expect("source"));
        }
    }
}

fn keeps_its_promise(before: &CompileResult, repair: &Candidate, after: &CompileResult) {
    let (was, is) = (Counts::of(before), Counts::of(after));
    assert!(is.total() <= was.total(), "{was:?} to {is:?}: {repair:?}");
}

fn session(program: Program) {
    let permission = Permission {
        safety: Safety::LikelyPreserving,
        approved: Approved::Everything,
        max_rounds: ROUNDS,
    };
    let repaired = repair(program, &permission).expect("a program");
    for step in &repaired.steps {
        assert!(step.after.total() <= step.before.total(), "{step:?}");
    }
}

fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let significant = lex(text).significant().into_iter();
    // Separators may be missing, or follow the last item.
    let kept = significant.filter(|it| !matches!(it.kind, TokenKind::Semicolon | TokenKind::Comma));
    let mut tokens: Vec<(TokenKind, String)> = kept
        .map(|token| {
            let spelled = &text[token.span.range()];
            match token.kind {
                kind if kind.is_fixed() => (kind, String::new()),
                // Names of external modules and functions may be spelled differently.
                kind @ (TokenKind::StringLiteral | TokenKind::TripleString) => {
                    (TokenKind::StringLiteral, string_value(kind, spelled))
                }
                kind => (kind, spelled.to_owned()),
            }
        })
        .collect();
    // A lambda without parameters may be written without parentheses.
    while let Some(at) = tokens.windows(3).position(|it| {
        let kinds = [it[0].0, it[1].0, it[2].0];
        kinds
            == [
                TokenKind::Lambda,
                TokenKind::OpenParen,
                TokenKind::CloseParen,
            ]
    }) {
        tokens.drain(at + 1..at + 3);
    }
    tokens
}

fn comments(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let comments = tokens.all.iter().filter(|it| it.kind.is_comment());
    comments
        .map(|it| text[it.span.range()].trim_end().to_owned())
        .collect()
}

fn tree(text: &str) -> Value {
    let parsed = fixpoint_clank::parse::parse(FILE, text);
    assert_eq!(parsed.errors, [], "{text}");
    let json = program_json(&parsed.ast.program, &parsed.ast, Form::Full, false);
    let mut tree = serde_json::to_value(&json).expect("JSON");
    strip_ids(&mut tree);
    tree
}

fn strip_ids(tree: &mut Value) {
    match tree {
        Value::Object(members) => {
            members.remove("id");
            members.values_mut().for_each(strip_ids);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_ids),
        _ => {}
    }
}
