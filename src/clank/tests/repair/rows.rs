//! Each kind of repair: its op, safety and confidence, and that it works.

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::json::{meaning, read_program};
use fixpoint_clank::repair::{Candidate, Ending, Program};
use fixpoint_report::{Confidence, Safety};
use serde_json::json;

use crate::{compiled, repaired, source};

const CHANGING: Safety = Safety::BehaviorChanging;
const LIKELY: Safety = Safety::LikelyPreserving;
const PRESERVING: Safety = Safety::BehaviorPreserving;
const HIGH: Confidence = Confidence::High;
const MEDIUM: Confidence = Confidence::Medium;

/// Asserts that the best repair of a code uses only `op`, has these labels, and leads to `after`.
fn row(code: Code, text: &str, op: &str, labels: (Safety, Confidence), after: &str) {
    let result = compiled(text);
    let of_code = |it: &&Candidate| it.targets.diagnostic_codes == [code.text()];
    let best = result
        .repairs
        .iter()
        .filter(of_code)
        .min_by(|a, b| a.rank(b));
    let best = best.unwrap_or_else(|| panic!("no repair of {code} in {text}"));
    assert!(best.edits.iter().all(|it| it.name() == op), "{best:?}");
    assert_eq!((best.safety, best.confidence), labels, "{best:?}");
    assert_eq!(repaired(source(text)).program.text(), after);
}

#[test]
fn names() {
    // K-86 K-87 K-91
    let text = "fn f(price: Int) -> Int { prce }\n";
    let labels = (CHANGING, HIGH);
    row(
        Code::E1001,
        text,
        "rename_symbol",
        labels,
        &text.replace("prce", "price"),
    );
    let text = "rec Point { x: Int }\nfn f(p: Pont) -> Int { 1 }\n";
    row(
        Code::E1005,
        text,
        "rename_symbol",
        labels,
        &text.replace("Pont", "Point"),
    );
    let text = "rec Point { width: Int }\nfn f(p: Point) -> Int { p.widht }\n";
    row(
        Code::E2004,
        text,
        "rename_field",
        labels,
        &text.replace("widht", "width"),
    );
    // A name in a template is not a node.
    let text = "fn f(count: Int) -> Str { `n=${cuont}, ${cuont + 1} cuont` }\n";
    let after = "fn f(count: Int) -> Str { `n=${count}, ${count + 1} cuont` }\n";
    row(Code::E1001, text, "replace_node", labels, after);
    let both = "fn f(count: Int) -> Str { let n = cuont; `${n}${cuont}` }\n";
    let done = repaired(source(both));
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.steps.len(), 1);
    assert_eq!(done.program.text(), both.replace("cuont", "count"));
    // Of two equally near names, the first has high confidence and the other medium.
    let result = compiled("fn f(alpha: Int, alphb: Int) -> Int { alphc }\n");
    let confidences: Vec<_> = result.repairs.iter().map(|it| it.confidence).collect();
    assert_eq!(confidences, [HIGH, MEDIUM]);
}

#[test]
fn conversions() {
    // K-88
    let text = "fn f(a: Int) -> Float { a }\n";
    let after = text.replace("{ a }", "{ int_to_float(a) }");
    row(Code::E2001, text, "wrap", (CHANGING, HIGH), &after);
    let text = "fn f(a: Float) -> Int { a }\n";
    let after = text.replace("{ a }", "{ float_to_int(a) }");
    row(Code::E2001, text, "wrap", (CHANGING, MEDIUM), &after);
    let text = "fn f(a: Bool) -> Str { a }\n";
    let after = text.replace("{ a }", "{ to_string(a) }");
    row(Code::E2001, text, "wrap", (CHANGING, MEDIUM), &after);
}

#[test]
fn the_operand_that_converts_without_loss_is_converted() {
    let cases = [
        (
            "fn f(n: Int, m: Int) -> Float { n + 1.5 * m }\n",
            "fn f(n: Int, m: Int) -> Float { int_to_float(n) + 1.5 * int_to_float(m) }\n",
        ),
        (
            "fn f(a: Int, b: Int, c: Int) -> Float { a * 0.5 + b * 0.25 + c }\n",
            "fn f(a: Int, b: Int, c: Int) -> Float { int_to_float(a) * 0.5 + int_to_float(b) * 0.25 + int_to_float(c) }\n",
        ),
        (
            "fn f(net: Int, qty: Int) -> Float { let tax = net * 0.2; net * qty + tax }\n",
            "fn f(net: Int, qty: Int) -> Float { let tax = int_to_float(net) * 0.2; int_to_float(net * qty) + tax }\n",
        ),
        // Also if the expected type is Int.
        (
            "fn f(n: Int) -> Int { n * 0.5 }\n",
            "fn f(n: Int) -> Int { float_to_int(int_to_float(n) * 0.5) }\n",
        ),
    ];
    for (text, after) in cases {
        row(Code::E2001, text, "wrap", (CHANGING, HIGH), after);
        let result = compiled(text);
        for diagnostic in &result.diagnostics {
            let best = &diagnostic.repair_refs[0];
            let best = result.repairs.iter().find(|it| it.id == *best);
            let title = best.map(|it| it.title.as_str());
            assert_eq!(title, Some("Convert Int to Float with int_to_float()"));
        }
    }
}

#[test]
fn arguments() {
    // K-89
    let labels = (CHANGING, MEDIUM);
    let text = "fn g(a: Int, b: Str) -> Int { a }\nfn f() -> Int { g(1) }\n";
    let after = text.replace("g(1)", "g(1, \"\")");
    row(Code::E2002, text, "replace_node", labels, &after);
    let text = "fn g(a: Int) -> Int { a }\nfn f() -> Int { g(1, /* why */ 2, 3) }\n";
    let result = compiled(text);
    assert_eq!(result.repairs[0].title, "Remove 2 arguments");
    let after = repaired(source(text)).program.text().to_owned();
    assert!(
        after.contains("g(1") && after.contains("/* why */"),
        "{after}"
    );
    assert!(compiled(&after).diagnostics.is_empty(), "{after}");
}

#[test]
fn fields() {
    // K-90: text has no record literals
    let program = |fields: &str| {
        json!({"kind": "program", "declarations": [{
            "kind": "fn", "name": "f", "params": [],
            "returnType": {"kind": "recordType", "fields": [
                {"name": "a", "type": {"source": "Int"}}, {"name": "b", "type": {"source": "Bool"}},
            ]},
            "body": {"kind": "block", "statements": [], "expr":
                serde_json::from_str::<serde_json::Value>(fields).expect("JSON")},
        }]})
        .to_string()
    };
    let broken =
        program(r#"{"kind": "record", "fields": [{"name": "a", "value": {"source": "1"}}]}"#);
    let whole = program(
        r#"{"kind": "record", "fields": [{"name": "a", "value": {"source": "1"}}, {"name": "b", "value": {"source": "false"}}]}"#,
    );
    let done = repaired(Program::Ast { json: broken });
    let applied = &done.steps[0].applied[0];
    assert_eq!(applied.edits[0].name(), "replace_node");
    assert_eq!((applied.safety, applied.confidence), (CHANGING, HIGH));
    let said = |json: &str| meaning(&read_program(json).expect("a program"));
    assert_eq!(said(done.program.text()), said(&whole));
}

#[test]
fn misspelt_fields() {
    let program = |first: &str, second: &str| {
        json!({"kind": "program", "declarations": [{
            "kind": "fn", "name": "f", "params": [],
            "returnType": {"kind": "recordType", "fields": [
                {"name": "name", "type": {"source": "Int"}}, {"name": "nape", "type": {"source": "Int"}},
            ]},
            "body": {"kind": "block", "statements": [], "expr": {"kind": "record", "fields": [
                {"name": first, "value": {"source": "1"}}, {"name": second, "value": {"source": "2"}},
            ]}},
        }]})
        .to_string()
    };
    let said = |json: &str| meaning(&read_program(json).expect("a program"));
    // A field that the type has is not a misspelling.
    for (first, second) in [("nmae", "nape"), ("name", "nappe"), ("nmae", "nappe")] {
        let done = repaired(Program::Ast {
            json: program(first, second),
        });
        assert_eq!(done.ending, Ending::Success);
        let applied = &done.steps[0].applied[0];
        assert_eq!(applied.edits[0].name(), "rename_field");
        assert_eq!((applied.safety, applied.confidence), (CHANGING, HIGH));
        assert_eq!(said(done.program.text()), said(&program("name", "nape")));
    }
}

#[test]
fn bindings() {
    // K-92 K-97
    let text = "fn f() -> Int { let x = 0; x = 1; x }\n";
    let labels = (PRESERVING, HIGH);
    let after = text.replace("let x", "let mut x");
    row(Code::E2013, text, "replace_node", labels, &after);
    // The repair changes the `let` that binds the assigned name, not another one with the same
    // name.
    let text = "fn g() -> Int { let x = 7; x }\nfn f() -> Int { let x = 0; x = 1; x }\nfn h() -> Int { let x = 9; x }\n";
    let after = text.replace("let x = 0", "let mut x = 0");
    row(Code::E2013, text, "replace_node", labels, &after);
    let text = "fn f() -> Int { let rate = 0; 1 }\n";
    let after = text.replace("rate", "_rate");
    row(Code::W0001, text, "replace_node", labels, &after);
}

#[test]
fn matches() {
    // K-93
    let text = "fn f(n: Int) -> Int { match n { 1 -> 2 } }\n";
    let after = text.replace("1 -> 2", "1 -> 2, _ -> panic(\"case not handled\")");
    row(Code::E2015, text, "replace_node", (LIKELY, MEDIUM), &after);
}

#[test]
fn effects() {
    // K-95 K-96 K-100a
    let labels = (LIKELY, MEDIUM);
    let text = "fn f() -> Unit { println(\"a\") }\n";
    let after = text.replace("Unit", "IO + Unit");
    row(Code::E4001, text, "widen_effect", labels, &after);
    let text = "fn f(n: Option[Int]) -> Int { n? }\n";
    let after = text.replace("-> Int", "-> Err + Int");
    row(Code::E4002, text, "widen_effect", labels, &after);
}

#[test]
fn safety_matches_the_kind_of_repair() {
    let labels = |text: &str| -> Vec<(String, Safety)> {
        let result = compiled(text);
        let repairs = result.repairs.into_iter();
        repairs.map(|it| (it.title, it.safety)).collect()
    };
    let label = |title: &str, safety: Safety| (title.to_owned(), safety);
    // K-24: no code asks for a type annotation, so no repair adds one.
    assert_eq!(
        labels("fn f() -> Int { let a = 0; 1 }\n"),
        [label("Rename 'a' to '_a'", PRESERVING)]
    );
    // K-25
    assert_eq!(
        labels("fn g(d: Int{d != 0}) -> Int { d }\nfn f(k: Int) -> Int { g(k) }\n"),
        [
            label("Add guard for k != 0", LIKELY),
            label("Assert k != 0", LIKELY)
        ]
    );
    // K-26
    assert_eq!(
        labels("fn f(price: Int) -> Int { prce }\n"),
        [label("Rename 'prce' to 'price'", CHANGING)]
    );
    assert_eq!(
        labels("fn f() -> Int { println(\"a\"); 1 }\n"),
        [
            label("Add IO effect to function", LIKELY),
            label("Remove the call that has IO effect", CHANGING)
        ]
    );
    let field = json!({"kind": "program", "declarations": [
        {"kind": "fn", "name": "f", "params": [],
            "returnType": {"kind": "recordType", "fields": [{"name": "a", "type": {"source": "Int"}}]},
            "body": {"kind": "block", "statements": [], "expr": {"kind": "record", "fields": []}}},
    ]});
    let done = repaired(Program::Ast {
        json: field.to_string(),
    });
    assert_eq!(done.steps[0].applied[0].title, "Add missing field 'a'");
    assert_eq!(done.steps[0].applied[0].safety, CHANGING);
}

#[test]
fn missing_fields_are_reported_for_the_innermost_record() {
    let point = r#"{"kind": "record", "fields": [{"name": "x", "value": {"source": "1"}}]}"#;
    for (ty, value) in [
        ("P", point.to_owned()),
        (
            "[P]",
            format!(r#"{{"kind": "array", "elements": [{point}]}}"#),
        ),
        (
            "(Int, P)",
            format!(r#"{{"kind": "tuple", "elements": [{{"source": "1"}}, {point}]}}"#),
        ),
        (
            "Q",
            format!(r#"{{"kind": "record", "fields": [{{"name": "p", "value": {point}}}]}}"#),
        ),
        (
            "Option[P]",
            format!(r#"{{"kind": "call", "callee": {{"source": "Some"}}, "args": [{point}]}}"#),
        ),
    ] {
        let record = |name: &str, fields: &str| {
            format!(
                r#"{{"kind": "typeAlias", "name": "{name}", "type": {{"kind": "recordType", "fields": [{fields}]}}}}"#
            )
        };
        let field =
            |name: &str, ty: &str| format!(r#"{{"name": "{name}", "type": {{"source": "{ty}"}}}}"#);
        let json = format!(
            r#"{{"kind": "program", "declarations": [{}, {},
              {{"kind": "fn", "name": "f", "params": [], "returnType": {{"source": "{ty}"}},
                "body": {{"kind": "block", "statements": [], "expr": {value}}}}}]}}"#,
            record("P", &[field("x", "Int"), field("y", "Int")].join(", ")),
            record("Q", &field("p", "P")),
        );
        let done = repaired(Program::Ast { json });
        assert_eq!(done.ending, Ending::Success, "{ty}");
        assert_eq!(done.steps.len(), 1, "{ty}");
    }
}
