//! Placeholder values that the author has to replace, and ids that do not depend on the form.

use fixpoint_clank::repair::{Ending, Program, apply};
use fixpoint_report::Confidence;
use serde_json::{Value, json};

use crate::{canonical, compiled, repaired, source};

/// A function that returns `{a: 1}` where a record with more fields is expected.
fn lacking(fields: &Value) -> String {
    let mut wanted = vec![json!({"name": "a", "type": {"source": "Int"}})];
    wanted.extend(fields.as_array().into_iter().flatten().cloned());
    json!({"kind": "program", "declarations": [
        {"source": "type Big = Int{n | n > 10}"},
        {"source": "sum Never { Again(Never) }"},
        {"kind": "typeAlias", "name": "Inner", "type": {"kind": "recordType", "fields": [
            {"name": "x", "type": {"source": "Str"}},
        ]}},
        {"kind": "fn", "name": "f", "params": [],
            "returnType": {"kind": "recordType", "fields": wanted},
            "body": {"kind": "block", "statements": [], "expr":
                {"kind": "record", "fields": [{"name": "a", "value": {"source": "1"}}]}}},
    ]})
    .to_string()
}

#[test]
fn fields_of_any_type_are_added() {
    let nested =
        json!({"kind": "recordType", "fields": [{"name": "y", "type": {"source": "Bool"}}]});
    for fields in [
        json!([{"name": "b", "type": {"source": "Int{n | n > 4}"}}, {"name": "c", "type": {"source": "Str"}}]),
        json!([{"name": "b", "type": {"source": "Big"}}]),
        json!([{"name": "b", "type": nested}, {"name": "c", "type": {"source": "Int"}}]),
        json!([{"name": "b", "type": {"source": "Inner"}}]),
        json!([{"name": "b", "type": {"source": "[Int]{len(xs) > 1}"}}]),
    ] {
        let done = repaired(Program::Ast {
            json: lacking(&fields),
        });
        assert_eq!(done.ending, Ending::Success, "{fields}");
        let applied = &done.steps[0].applied[0];
        assert_eq!(applied.confidence, Confidence::High, "{fields}");
    }
}

#[test]
fn a_field_without_a_known_value_becomes_a_hole() {
    let fields = json!([
        {"name": "b", "type": {"source": "Never"}}, {"name": "c", "type": {"source": "Str"}},
    ]);
    let done = repaired(Program::Ast {
        json: lacking(&fields),
    });
    assert!(
        done.result.diagnostics.is_empty(),
        "{:?}",
        done.result.diagnostics
    );
    let holes: Vec<&str> = done
        .result
        .holes
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(holes, ["b"]);
}

#[test]
fn a_repair_has_the_same_id_for_a_text_and_its_canonical_form() {
    // K-108: both forms reach every row of the table of repairs.
    let mut rows = std::collections::BTreeSet::new();
    for text in [
        "fn f() -> Int { helo() }\nfn hello() -> Int { 1 }\n",
        "fn f(a: Strr) -> Str { a }\n",
        "fn f(a: Int) -> Float { a }\n",
        "rec U { name: Str }\nfn f(u: U) -> Str { u.nmae }\n",
        "fn f() -> { a: Int, b: Str } { { a: 1 } }\n",
        "fn f() -> Int { println(\"x\"); 1 }\n",
        "fn f(o: Option[Int]) -> Int { o? }\n",
        "fn f() -> Int { let x = 0; x = 1; x }\n",
        "fn f(n: Int) -> Int { let x = n |> abs; 1 }\n",
        "fn g(a: Int, b: Int) -> Int { a + b }\nfn f(n: Int) -> Int { g( n /* one */ ) }\n",
        "fn g(a: Int) -> Int { a }\nfn f(n: Int) -> Int { g(if n > 0 { n } else { 1 }, 2) }\n",
        "sum C { A, B }\nfn f(c: C) -> Int { match c { A -> 1 } }\n",
        "fn f(xs: [Int], k: Int) -> Int { xs[k] }\n",
    ] {
        let result = compiled(text);
        let ids = |repairs: &[fixpoint_clank::repair::Candidate]| -> Vec<String> {
            repairs.iter().map(|it| it.id.clone()).collect()
        };
        let json = canonical(&result).to_string();
        let input = fixpoint_clank::Input::Ast { json: &json };
        let again = fixpoint_clank::compile(input, &fixpoint_clank::Options::default());
        let again = again.expect("a program");
        assert!(!result.repairs.is_empty(), "{text}");
        assert_eq!(ids(&result.repairs), ids(&again.repairs), "{text}");
        let codes = result
            .repairs
            .iter()
            .flat_map(|it| it.targets.diagnostic_codes.clone());
        rows.extend(codes);
        rows.extend(result.obligations.iter().map(|_| "E3001".to_owned()));
    }
    let expected = [
        "E1001", "E1005", "E2001", "E2002", "E2003", "E2004", "E2013", "E2015", "E3001", "E4001",
        "E4002", "W0001",
    ];
    assert_eq!(Vec::from_iter(rows), expected);
}

#[test]
fn an_external_result_is_checked_before_it_is_used() {
    let before =
        "external fn read() -> Int = \"read\"\nfn g(a: Int, d: Int{d != 0}) -> Int { a + d }\n";
    for (text, after) in [
        (
            "fn f(n: Int) -> Int { g(n, read()) }\n",
            "fn f(n: Int) -> Int { let value = read(); assert value != 0; g(n, value) }\n",
        ),
        (
            "fn f(xs: [Int], value: Int) -> Int {\n  let x = xs[read()];\n  x + value\n}\n",
            "fn f(xs: [Int], value: Int) -> Int {\n  let value1 = read();\n  assert value1 >= 0 && value1 < len(xs);\n  let x = xs[value1];\n  x + value\n}\n",
        ),
    ] {
        let done = repaired(source(&format!("{before}{text}")));
        assert_eq!(done.ending, Ending::Success, "{text}");
        assert_eq!(done.program.text(), format!("{before}{after}"));
        let result = compiled(&format!("{before}{text}"));
        let json = canonical(&result).to_string();
        assert_eq!(repaired(Program::Ast { json }).ending, Ending::Success);
        // Its edits refer to the canonical form, in which the call is validated.
        let [repair] = result.repairs.as_slice() else {
            panic!("{:?}", result.repairs);
        };
        let json = apply(&canonical(&result), repair)
            .expect("it fits")
            .to_string();
        let input = fixpoint_clank::Input::Ast { json: &json };
        let after = fixpoint_clank::compile(input, &fixpoint_clank::Options::default());
        let after = after.expect("a program");
        assert!(
            after.diagnostics.is_empty() && after.obligations.is_empty(),
            "{text}"
        );
    }
    // The call must not move before earlier code, or run if it did not run before.
    for text in [
        "external fn log() -> Int = \"log\"\nfn f() -> Int { g(log(), read()) }\n",
        "fn f(n: Int) -> Bool { n > 0 && g(n, read()) > 1 }\n",
        "fn f(n: Int) -> Int { while g(n, read()) > 1 { break }; n }\n",
    ] {
        let result = compiled(&format!("{before}{text}"));
        assert_eq!(result.obligations.len(), 1, "{text}");
        assert!(result.repairs.is_empty(), "{:?}", result.repairs);
    }
}
