//! Each kind of repair: its op, safety and confidence, and that it works.

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::json::{meaning, read_program};
use fixpoint_clank::repair::{Candidate, Ending, PatchedForm, Program, patch_program};
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
    let text = "rec Point { x: Int }\nfn f(p: Pont) -> Int { p.x }\n";
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
    let text = "fn g(a: Int, _b: Str) -> Int { a }\nfn f() -> Int { g(1) }\n";
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
    // K-90
    let labels = (CHANGING, HIGH);
    for ty in ["{name: Str, email: Str}", "User", "Named[Str]"] {
        let types = "rec User { name: Str, email: Str }\nrec Named[T] { name: T, email: T }\n";
        let text = format!("{types}fn f() -> {ty} {{ {{name: \"guest\"}} }}\n");
        let after = text.replace("guest\"}", "guest\", email: \"\"}");
        row(Code::E2003, &text, "replace_node", labels, &after);
    }
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

#[test]
fn a_body_without_a_value_returns_its_last_statement() {
    row(
        Code::E2001,
        "fn f(n: Int) -> Int {\n  n + 1;\n}\n",
        "replace_node",
        (CHANGING, MEDIUM),
        "fn f(n: Int) -> Int {\n  return n + 1;\n}\n",
    );
    row(
        Code::E2001,
        "fn f(n: Int) -> Int {\n  let m = n + 1;\n}\n",
        "insert_after",
        (CHANGING, MEDIUM),
        "fn f(n: Int) -> Int {\n  let m = n + 1;\n  return m;\n}\n",
    );
}

#[test]
fn a_misspelled_variant_is_renamed_before_an_arm_is_added() {
    let text =
        "sum S { Left(Int), Right }\nfn f(s: S) -> Int { match s { Lfet(n) -> n, Right -> 0 } }\n";
    let result = compiled(text);
    let codes: Vec<_> = result
        .repairs
        .iter()
        .map(|it| it.targets.diagnostic_codes.clone())
        .collect();
    assert!(
        codes
            .iter()
            .all(|it| !it.iter().any(|code| code == Code::E2015.text())),
        "{codes:?}"
    );
    row(
        Code::E1006,
        text,
        "rename_symbol",
        (CHANGING, HIGH),
        "sum S { Left(Int), Right }\nfn f(s: S) -> Int { match s { Left(n) -> n, Right -> 0 } }\n",
    );
    // Without a similar variant, the missing arm is all that can be added.
    let other = compiled(
        "sum S { Left, Right }\nfn f(s: S) -> Int { match s { Wholly -> 1, Right -> 0 } }\n",
    );
    assert!(
        other
            .repairs
            .iter()
            .any(|it| it.targets.diagnostic_codes == [Code::E2015.text()]),
        "{:?}",
        other.repairs
    );
}

#[test]
fn every_unused_binding_is_marked_where_it_is_bound() {
    let labels = (PRESERVING, HIGH);
    let cases = [
        (
            "fn f() -> Int { let (a, b) = (1, 2); a }\n",
            "replace_node",
            "(a, _b)",
        ),
        (
            "fn f(xs: [Int]) -> Int { for x in xs { }; 1 }\n",
            "replace_node",
            "for _x in",
        ),
        (
            "fn f(o: Option[Int]) -> Int { match o { Some(n) -> 1, None -> 0 } }\n",
            "replace_node",
            "Some(_n)",
        ),
        ("fn f(n: Int) -> Int { 1 }\n", "rename", "f(_n: Int)"),
        (
            "fn f(xs: [Int]) -> Int { fold(xs, 0, \\(a, x: Int) -> fold([1], a, \\(b, _x) -> b + _x)) }\n",
            "rename",
            "\\(a, _x1: Int) -> fold",
        ),
        (
            "rec P { x: Int, y: Int }\nfn f(p: P) -> Int { let {x, y} = p; x }\n",
            "replace_node",
            "{x, y: _y}",
        ),
    ];
    for (text, op, part) in cases {
        let after = repaired(source(text)).program.text().to_owned();
        assert!(after.replace(" :", ":").contains(part), "{after}");
        row(Code::W0001, text, op, labels, &after);
    }
}

/// Asserts that one of the repairs uses `op`, has this safety, and leads to `after` on its own.
fn offers(text: &str, op: &str, safety: Safety, after: &str) {
    let result = compiled(text);
    let found = result.repairs.iter().find(|it| it.edits[0].name() == op);
    let found = found.unwrap_or_else(|| panic!("no {op} in {:?}", result.repairs));
    assert_eq!(found.safety, safety, "{found:?}");
    let program = source(text);
    let patched = patch_program(&program, &found.edits, PatchedForm::Text).expect("it fits");
    assert_eq!(patched, after);
}

/// Asserts that no repair uses `op`.
fn never_offers(text: &str, op: &str) {
    let result = compiled(text);
    let mut ops = result.repairs.iter().flat_map(|it| &it.edits);
    assert!(ops.all(|it| it.name() != op), "{:?}", result.repairs);
}

#[test]
fn an_argument_that_every_call_adds_becomes_a_parameter() {
    // K-42
    let text = "fn g(a: Int) -> Int { a }\nfn f(n: Str) -> Int { g(1, n) + g(2, \"x\") }\n";
    let after = text.replace("g(a: Int)", "g(a: Int, _added: Str)");
    offers(text, "add_param", CHANGING, &after);
    let mixed = text.replace("\"x\"", "true");
    never_offers(&mixed, "add_param");
    let partial = text.replace("g(2, \"x\")", "g(2)");
    never_offers(&partial, "add_param");
}

#[test]
fn an_unknown_field_is_added_to_a_declared_record() {
    // K-41
    let text = "rec P { x: Int }\nfn f(p: P) -> Int { p.x + p.weight }\nfn make() -> P { P(1) }\n";
    let after = "rec P { x: Int, weight: Int }\nfn f(p: P) -> Int { p.x + p.weight }\nfn make() -> P { P(1, 0) }\n";
    offers(text, "add_field", CHANGING, after);
}

#[test]
fn a_goal_that_every_caller_proves_becomes_a_refinement() {
    // K-43
    let text = "fn half(n: Int{n != 0}) -> Int { n }\nfn f(k: Int) -> Int { half(k) }\nfn g() -> Int { f(4) }\n";
    let after = text.replace("f(k: Int)", "f(k: Int{k != 0})");
    offers(text, "add_refinement", LIKELY, &after);
    never_offers(
        &text
            .replace("f(4)", "f(4) + h(1)")
            .replace("fn g", "fn h(k: Int) -> Int { f(k) }\nfn g"),
        "add_refinement",
    );
}

#[test]
fn a_declaration_that_is_used_under_another_name_is_renamed() {
    // K-39
    let text = "fn lenght(n: Int) -> Int { n }\nfn f() -> Int { length(1) + length(2) }\n";
    let after = text.replace("lenght", "length");
    offers(text, "rename", CHANGING, &after);
    never_offers(&text.replace("length(2)", "lenght(2)"), "rename");
}
